//! The field update on the GPU against `collide::radial::update`.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::collide::Technique;
use radial_fields::collide::radial::FieldRules;
use radial_fields::collide::radial::field::{CAP, FieldSet};
use radial_fields::collide::radial::fit::FitSettings;
use radial_fields::collide::radial::twin::collide::radius;
use radial_fields::collide::radial::update::{fields_from_world, update};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, WorldDef};

use crate::compare::explained;
use crate::figures::{bent, column, in_clip};
use crate::fitted::fields_of;
use crate::fixture::{Rig, with_device};

/// Metres a cell may differ from its twin: roundings of the plane equation where it is seen at 3 degrees.
const TOLERANCE: f32 = 1e-4;
/// Cells by which the raster may see a triangle moved. GPU and twin both snap corners to 1/256 of a cell, but after
/// different roundings, and a centre that lies nearer than that to an edge may fall on either side of it.
const SNAP: f32 = 1.0 / 128.0;
/// Metres that a cell may differ by when the skin is moved by [`SNAP`] of a cell, 0.08 mm, and lies aslant.
const SNAPPED_TOLERANCE: f32 = 3e-4;
/// Share of the cells for which [`SNAP`] may decide.
const EXCUSED_SHARE: f32 = 0.005;

/// Cells as the twin keeps them: the GPU leaves what lies in a cap row and reads [`CAP`] there.
pub fn with_caps(set: &FieldSet, mut cells: Vec<f32>) -> Vec<f32> {
    for field in &set.fields {
        for row in 0..field.height {
            let start = (field.cell_offset + row * field.width) as usize;
            if field.is_cap(row) {
                cells[start..start + field.width as usize].fill(CAP);
            }
        }
    }
    cells
}

/// The twin's cells, and then those of fields turned or shifted by up to [`SNAP`] of a cell.
fn candidates(set: &FieldSet, skin: &[Vec3], palette: &Palette) -> Vec<Vec<f32>> {
    let exact = fields_from_world(set, &palette.world_from_bone);
    let nudged = |(turned, shifted): (f32, f32)| {
        let pairs = set.fields.iter().zip(&exact);
        let fields: Vec<_> = pairs
            .map(|(field, &from_world)| {
                let angle = std::f32::consts::TAU * turned * SNAP / field.width as f32;
                let along = Vec3::Z * shifted * SNAP / field.height as f32;
                Mat4::from_translation(along) * Mat4::from_rotation_z(angle) * from_world
            })
            .collect();
        update(set, skin, &fields)
    };
    let nudges = [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
    nudges.into_iter().map(nudged).collect()
}

/// The share of the cells that are excused by [`SNAP`].
fn compare(found: &[f32], candidates: &[Vec<f32>]) -> Result<f32, String> {
    let agrees = |a: f32, b: f32, is_own| {
        let tolerance = if is_own { TOLERANCE } else { SNAPPED_TOLERANCE };
        a == b || (a - b).abs() <= tolerance
    };
    let excused_count = explained(found, candidates, agrees)?;
    Ok(excused_count as f32 / found.len() as f32)
}

/// Radii are those of the furthest skin that the fields hold, to the bit; `cells` as [`with_caps`] has them.
fn compare_radii(set: &FieldSet, cells: &[f32], radii: &[f32]) -> Result<(), String> {
    for (field, &found) in set.fields.iter().zip(radii) {
        let expected = radius(field, cells);
        if found != expected && !(expected < 0.0 && found < 0.0) {
            return Err(format!("radius {found} m, not {expected} m"));
        }
    }
    Ok(())
}

/// Steps a world of bodies through their poses, drawn and in compute; `poses` has one palette a body for every step.
fn fills_as_its_twin(
    device: &Arc<Device>,
    avatars: &[&Avatar],
    poses: &[Vec<Palette>],
) -> Result<(), String> {
    fills_by_rules(FieldRules::default(), device, avatars, poses)
}

/// The same with fields laid and filled by other rules.
fn fills_by_rules(
    rules: FieldRules,
    device: &Arc<Device>,
    avatars: &[&Avatar],
    poses: &[Vec<Palette>],
) -> Result<(), String> {
    let fit_settings = FitSettings {
        rules,
        ..FitSettings::default()
    };
    for technique in [Technique::Radial, Technique::RadialCompute] {
        fills_by(technique, fit_settings, device, avatars, poses)
            .map_err(|error| format!("{}: {error}", technique.name()))?;
    }
    Ok(())
}

fn fills_by(
    technique: Technique,
    fit_settings: FitSettings,
    device: &Arc<Device>,
    avatars: &[&Avatar],
    poses: &[Vec<Palette>],
) -> Result<(), String> {
    let bodies: Vec<_> = avatars
        .iter()
        .map(|avatar| BodyDef {
            fit: fit_settings,
            ..BodyDef::new(avatar)
        })
        .collect();
    let def = WorldDef {
        bodies: &bodies,
        technique,
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    for (step_ix, palettes) in poses.iter().enumerate() {
        rig.step(&palettes.iter().collect::<Vec<_>>(), step_ix == 0);
        let (skin, cells, radii) = (rig.skin(), rig.cells(), rig.radii());
        let (mut skin, mut cells, mut radii) =
            (skin.as_slice(), cells.as_slice(), radii.as_slice());
        for (avatar, palette) in avatars.iter().zip(palettes) {
            let set = fields_of(&BodyDef {
                fit: fit_settings,
                ..BodyDef::new(avatar)
            });
            let (own_skin, other_skin) = skin.split_at(avatar.skin.positions.len());
            let (own_cells, other_cells) = cells.split_at(set.cell_count as usize);
            let (own_radii, other_radii) = radii.split_at(set.fields.len());
            (skin, cells, radii) = (other_skin, other_cells, other_radii);
            let found = with_caps(&set, own_cells.to_vec());
            compare_radii(&set, &found, own_radii)
                .map_err(|error| format!("{}: {error}", avatar.name))?;
            let share = compare(&found, &candidates(&set, own_skin, palette))
                .map_err(|error| format!("{}: {error}", avatar.name))?;
            println!("{}: {} cells, {share} excused", avatar.name, found.len());
            if share >= EXCUSED_SHARE {
                return Err(format!("{}: {share} excused", avatar.name));
            }
        }
        assert!(
            skin.is_empty() && cells.is_empty() && radii.is_empty(),
            "more than the bodies have"
        );
    }
    Ok(())
}

/// On llvmpipe, as on every device with the fewest workgroups that Vulkan allows, they are more than one row of a dispatch holds.
#[test]
fn more_triangles_than_a_row_of_workgroups_are_all_drawn_in_one_dispatch() {
    const ROW: usize = 65_535 * 32;
    with_device(|device| {
        let avatar = builtin::load_mannequin();
        let set = fields_of(&BodyDef::new(&avatar));
        let bodies = vec![BodyDef::new(&avatar); ROW / set.triangles.len() + 2];
        let launches = |bodies: &[BodyDef]| {
            let def = WorldDef {
                bodies,
                technique: Technique::RadialCompute,
                ..WorldDef::default()
            };
            let mut rig = Rig::new(device, &def);
            let palette = Palette::bind(&avatar.skeleton);
            (0..2).for_each(|_| rig.step(&vec![&palette; bodies.len()], false));
            (rig.world.launches(), rig.cells())
        };
        let (one, alone) = launches(&bodies[..1]);
        let (all, cells) = launches(&bodies);
        assert_eq!(all, one);
        let same = |own: &&[f32]| *own == alone;
        let drawn = cells.chunks(alone.len()).filter(same).count();
        assert_eq!(drawn, bodies.len(), "all stand in one place");
        assert!(alone.iter().any(|&cell| cell < 1.0));
    });
}

/// A column whose skin has slipped off its bones: some of it faces an axis, lies across it or edge on to it.
pub fn slipped_skin(device: &Arc<Device>) -> Result<(), String> {
    slipped_by_rules(device, FieldRules::default())
}

/// The same in the paper's fields, where what faces an axis or holds it is left out.
pub fn slipped_by_the_paper(device: &Arc<Device>) -> Result<(), String> {
    slipped_by_rules(device, FieldRules::PAPER)
}

fn slipped_by_rules(device: &Arc<Device>, rules: FieldRules) -> Result<(), String> {
    let avatar = column(4);
    let poses = [0.07, 0.12].map(|gap| {
        let mut palette = bent(&avatar, Quat::from_rotation_z(0.1), Mat4::IDENTITY);
        for (ix, world_from_bind) in palette.world_from_bind.iter_mut().enumerate() {
            let turn = Quat::from_rotation_x(0.4 * ix as f32);
            *world_from_bind *= Mat4::from_rotation_translation(turn, Vec3::new(gap, 0.0, 0.03));
        }
        vec![palette]
    });
    fills_by_rules(rules, device, &[&avatar], &poses)
}

/// The mannequin, whose fields borrow skin.
pub fn mannequin(device: &Arc<Device>) -> Result<(), String> {
    let avatar = builtin::load_mannequin();
    let poses = [0.0, 0.9].map(|seconds| vec![in_clip(&avatar, 0, seconds)]);
    fills_as_its_twin(device, &[&avatar], &poses)
}

/// Three columns that bend, two of them elsewhere.
pub fn columns(device: &Arc<Device>) -> Result<(), String> {
    let (slim, bony) = (column(1), column(4));
    let place =
        Mat4::from_rotation_translation(Quat::from_rotation_y(1.0), Vec3::new(3.0, -1.0, 7.0));
    let poses = [0.0, 0.25].map(|turn| {
        let turn = Quat::from_rotation_z(turn);
        vec![
            bent(&slim, turn, Mat4::IDENTITY),
            bent(&bony, turn, place),
            bent(&slim, turn, place),
        ]
    });
    fills_as_its_twin(device, &[&slim, &bony, &slim], &poses)
}

/// Fields of so fine cells that several workgroups look for the furthest skin in each.
pub fn fine_cells(device: &Arc<Device>) -> Result<(), String> {
    let avatar = column(1);
    let poses = [0.0, 0.25].map(|narrowed| {
        let scale = Mat4::from_scale(Vec3::new(1.0 - narrowed, 1.0, 1.0));
        let mut palette = bent(&avatar, Quat::IDENTITY, Mat4::IDENTITY);
        for world_from_bind in &mut palette.world_from_bind {
            *world_from_bind *= scale;
        }
        vec![palette]
    });
    // Where rows are emptied the furthest skin is looked for once more.
    for one_piece in [false, true] {
        let rules = FieldRules {
            one_piece,
            ..FieldRules::default()
        };
        let settings = FitSettings {
            cell_size: 0.002,
            rules,
            ..FitSettings::default()
        };
        let technique = Technique::RadialCompute;
        fills_by(technique, settings, device, &[&avatar], &poses)?;
    }
    Ok(())
}

#[test]
fn fields_of_fine_cells_fill_as_their_twins() {
    with_device(|device| assert_eq!(fine_cells(device), Ok(())));
}

#[test]
fn the_mannequins_fields_fill_as_their_twins() {
    with_device(|device| assert_eq!(mannequin(device), Ok(())));
}

#[test]
fn skin_that_has_slipped_off_its_bones_fills_as_its_twin() {
    with_device(|device| assert_eq!(slipped_skin(device), Ok(())));
}

/// Which triangles are computed is none of the cells' business: corners are snapped as raster units do it. Of every ten thousand cells two may differ,
/// where the compiler of one stage rounds otherwise than that of the other.
pub fn drawn_in_part(device: &Arc<Device>) -> Result<(), String> {
    let (mannequin, column) = (builtin::load_mannequin(), column(4));
    let drawn = |small_computed| {
        let rules = FieldRules {
            small_computed,
            ..FieldRules::default()
        };
        let fit = FitSettings {
            rules,
            ..FitSettings::default()
        };
        let bodies = [&mannequin, &column].map(|avatar| BodyDef {
            fit,
            ..BodyDef::new(avatar)
        });
        let def = WorldDef {
            bodies: &bodies,
            technique: Technique::Radial,
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        let mut cells = Vec::new();
        for seconds in [0.0, 0.9, 7.4] {
            let poses = [
                in_clip(&mannequin, 0, seconds),
                Palette::bind(&column.skeleton),
            ];
            rig.step(&poses.each_ref(), seconds == 0.0);
            cells.extend(rig.cells());
        }
        cells
    };
    let (in_part, altogether) = (drawn(true), drawn(false));
    let pairs = in_part.iter().zip(&altogether);
    let differing = pairs.filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    let count = altogether.len();
    println!("{differing} of {count} cells differ");
    match 5_000 * differing <= count {
        true => Ok(()),
        false => Err(format!("{differing} of {count} cells differ")),
    }
}

#[test]
fn fields_drawn_in_part_are_those_drawn_altogether() {
    with_device(|device| assert_eq!(drawn_in_part(device), Ok(())));
}

#[test]
fn with_each_change_alone_slipped_skin_fills_as_its_twin() {
    with_device(|device| {
        assert_eq!(slipped_by_the_paper(device), Ok(()));
        for rule in &FieldRules::ALL {
            let rules = FieldRules::PAPER.with(rule);
            assert_eq!(slipped_by_rules(device, rules), Ok(()), "{}", rule.name);
        }
    });
}

#[test]
fn the_mannequins_fields_of_the_paper_fill_as_their_twins() {
    with_device(|device| {
        let avatar = builtin::load_mannequin();
        let poses = [0.0, 0.9].map(|seconds| vec![in_clip(&avatar, 0, seconds)]);
        let filled = fills_by_rules(FieldRules::PAPER, device, &[&avatar], &poses);
        assert_eq!(filled, Ok(()));
    });
}

#[test]
fn the_fields_of_several_bodies_fill_as_their_twins() {
    with_device(|device| assert_eq!(columns(device), Ok(())));
}

#[test]
fn a_wrong_cell_is_seen() {
    let avatar = column(1);
    let set = fields_of(&BodyDef::new(&avatar));
    let palette = bent(&avatar, Quat::IDENTITY, Mat4::IDENTITY);
    let candidates = candidates(&set, &avatar.skin.positions, &palette);
    let filled = (0..candidates[0].len())
        .find(|&ix| {
            candidates
                .iter()
                .all(|cells| cells[ix].is_finite() && cells[ix] > 0.0)
        })
        .expect("a column has skin");
    for wrong in [candidates[0][filled] + 1e-3, f32::INFINITY, f32::NAN, 0.0] {
        let mut found = candidates[0].clone();
        assert_eq!(compare(&found, &candidates), Ok(0.0));
        found[filled] = wrong;
        assert!(compare(&found, &candidates).is_err(), "{wrong}");
    }
}
