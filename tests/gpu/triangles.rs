//! The techniques that find each particle's nearest triangle, on the GPU: against the twin that looks at every triangle, and
//! against an oracle that shares nothing with them.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::ClothSettings;
use radial_fields::cloth::garment::Garment;
use radial_fields::collide::box_tree::SkinTree;
use radial_fields::collide::skin_triangles::SkinTopology;
use radial_fields::collide::spatial_hash::{LIST, SpatialHash, SpatialHashDef};
use radial_fields::collide::triangle_contact::MovingSkin;
use radial_fields::collide::{CollideSettings, Technique};
use radial_fields::engine::Device;
use radial_fields::math::triangle_tree::TriangleTree;
use radial_fields::oracle::{Frame, Oracle, Tolerances};
use radial_fields::pose::Palette;
use radial_fields::skin::bake::bake;
use radial_fields::{BodyDef, GarmentDef, World, WorldDef};

use crate::boxes::tree_of;
use crate::compare::{explained, points_agree};
use crate::falling::{
    EXCUSED_SHARE, Falling, NUDGE, SUB_STEPS, State, TOLERANCE, in_bind_space, is_same,
    points_round,
};
use crate::figures::{Dice, bent, column, hang, in_clip, loose, sheet};
use crate::fixture::{Rig, with_device};

pub const TECHNIQUES: [Technique; 4] = [
    Technique::SpatialHash,
    Technique::Bvh,
    Technique::Lbvh,
    Technique::WideBvh,
];

/// Metres by which test points lie beside the vertices' normals.
const BESIDE: f32 = 2e-3;

/// Small, and with cells that hold few triangles.
pub const SMALL_TABLE: SpatialHashDef = SpatialHashDef {
    cell_size: 0.006,
    entry_count: 400_009,
    list: LIST,
};

/// Particles round a body of triangles.
struct Cloud(Falling);

impl Cloud {
    fn new(device: &Arc<Device>, technique: Technique, avatar: &Avatar, garment: &Garment) -> Self {
        let base = WorldDef {
            technique,
            spatial_hash: SMALL_TABLE,
            ..WorldDef::default()
        };
        Self(Falling::new(device, avatar, garment, base))
    }

    /// Steps the GPU; returns what it made of the particles and what the twin would have made, exactly and with the skin moved
    /// by [`NUDGE`].
    fn step(&mut self, palette: &Palette) -> (Vec<State>, Vec<Vec<State>>) {
        let stepped = self.0.step(palette);
        let before: Vec<Vec3> = self.0.rig.read(stepped.skin.len(), |world| {
            world.skin().previous_positions()
        });
        let topology = topology_of(&self.0.rig.world).clone();
        let response = self.0.response;
        let search_radius = CollideSettings::default().search_radius;
        let mut dice = Dice::new(3);
        let candidates = [0.0, NUDGE, NUDGE, NUDGE].map(|nudge| {
            let nudge = nudge * dice.point();
            let skin_at = |sub_step: usize| -> Vec<Vec3> {
                let part = sub_step as f32 / SUB_STEPS as f32;
                let pairs = before.iter().zip(&stepped.skin);
                pairs
                    .map(|(before, &after)| before.lerp(after, part) + nudge)
                    .collect()
            };
            self.0.step_twin(&stepped, |[begin, _, end], twin| {
                let [before, after] = [begin, end].map(skin_at);
                let skin = MovingSkin {
                    topology: &topology,
                    before: &before,
                    after: &after,
                };
                twin.collide(|_, particle| skin.collide(particle, search_radius, &response));
            })
        });
        (self.0.found(), candidates.to_vec())
    }
}

/// The triangles in the order of the world's technique.
fn topology_of(world: &World) -> &SkinTopology {
    let hash = world.collider().state::<SpatialHash>();
    let listed = hash.map(SpatialHash::topology);
    listed
        .or_else(|| tree_of(world).map(SkinTree::topology))
        .expect("the technique tests triangles")
}

/// The share of the particles whose end [`NUDGE`] decides: on any device, no more can be excused.
fn fragile_share(candidates: &[Vec<State>]) -> f32 {
    let own = &candidates[0];
    let is_fragile = |ix: &usize| {
        let states = candidates.iter().map(|states| states[*ix]);
        states.into_iter().any(|state| !is_same(state, own[*ix]))
    };
    (0..own.len()).filter(is_fragile).count() as f32 / own.len() as f32
}

/// The share of the particles that are excused by [`NUDGE`].
fn compare(found: &[State], candidates: &[Vec<State>]) -> Result<f32, String> {
    let excused_count = explained(found, candidates, |a, b, _| is_same(a, b))?;
    Ok(excused_count as f32 / found.len() as f32)
}

/// Points to hang particles on, in bind space. They lie a little beside the vertices' normals: on them, inside, two faces are
/// equally near, and rounding, which devices do differently, would decide between two right answers.
fn particles_round(avatar: &Avatar, palette: &Palette, count: usize) -> Garment {
    loose(in_bind_space(
        palette,
        points_round(avatar, palette, count, 0.03, BESIDE),
    ))
}

fn assert_collides_as_its_twin(
    device: &Arc<Device>,
    avatar: &Avatar,
    palettes: &[Palette],
    count: usize,
) {
    let garment = particles_round(avatar, &palettes[0], count);
    for technique in TECHNIQUES {
        let mut cloud = Cloud::new(device, technique, avatar, &garment);
        let mut pushed_count = 0;
        for (ix, palette) in palettes.iter().enumerate() {
            let (found, candidates) = cloud.step(palette);
            let share = compare(&found, &candidates)
                .unwrap_or_else(|error| panic!("{technique:?}, step {ix}: {error}"));
            pushed_count += cloud.0.pushed_count();
            let fragile = fragile_share(&candidates);
            println!(
                "{technique:?}, step {ix}: {pushed_count} pushed so far, {share} excused of {fragile} that rounding decides"
            );
            assert!(share < EXCUSED_SHARE, "{technique:?}, step {ix}: {share}");
            assert!(
                fragile < EXCUSED_SHARE,
                "step {ix}: rounding decides {fragile}"
            );
        }
        assert!(
            pushed_count > count / 2,
            "{pushed_count} pushes of {count} particles prove little"
        );
        if technique == Technique::Bvh {
            assert_eq!(overflow_count(&mut cloud.0.rig), 0, "jobs found no room");
        }
    }
}

/// Particles round a column that bends, against their twin: what shaders with a mistake in them must not pass.
fn round_a_column(device: &Arc<Device>, technique: Technique) -> Result<(), String> {
    let avatar = column(3);
    let turned = |turn: f32| bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY);
    let palettes = [0.0, 0.05, 0.1].map(turned);
    let garment = particles_round(&avatar, &palettes[0], 301);
    let mut cloud = Cloud::new(device, technique, &avatar, &garment);
    for (ix, palette) in palettes.iter().enumerate() {
        let (found, candidates) = cloud.step(palette);
        let share = compare(&found, &candidates).map_err(|error| format!("step {ix}: {error}"))?;
        if share >= EXCUSED_SHARE {
            return Err(format!("step {ix}: {share} are elsewhere"));
        }
    }
    Ok(())
}

pub fn hash_round_a_column(device: &Arc<Device>) -> Result<(), String> {
    round_a_column(device, Technique::SpatialHash)
}

pub fn bvh_round_a_column(device: &Arc<Device>) -> Result<(), String> {
    round_a_column(device, Technique::Bvh)
}

pub fn lbvh_round_a_column(device: &Arc<Device>) -> Result<(), String> {
    round_a_column(device, Technique::Lbvh)
}

pub fn wide_bvh_round_a_column(device: &Arc<Device>) -> Result<(), String> {
    round_a_column(device, Technique::WideBvh)
}

/// What the technique's lists had no room for.
pub fn overflow_count(rig: &mut Rig) -> u32 {
    if rig.world.collider().overflow_count().is_none() {
        return 0;
    }
    rig.read::<u32>(1, |world| {
        world.collider().overflow_count().expect("it was there")
    })[0]
}

#[test]
fn particles_round_a_column_collide_as_their_twins() {
    with_device(|device| {
        let avatar = column(3);
        let turned = |turn: f32| bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY);
        let palettes = [0.0, 0.05, 0.1, 0.1].map(turned);
        assert_collides_as_its_twin(device, &avatar, &palettes, 301);
        let rounds = [
            hash_round_a_column,
            bvh_round_a_column,
            lbvh_round_a_column,
            wide_bvh_round_a_column,
        ];
        for round in rounds {
            assert_eq!(round(device), Ok(()));
        }
    });
}

#[test]
fn particles_round_the_mannequin_collide_as_their_twins() {
    with_device(|device| {
        let avatar = builtin::load_mannequin();
        let palettes = [0.3, 0.32].map(|seconds| in_clip(&avatar, 0, seconds));
        assert_collides_as_its_twin(device, &avatar, &palettes, 333);
    });
}

/// What [`BESIDE`] is for, and proof that particles which rounding decides are seen.
#[test]
fn on_the_normals_of_vertices_rounding_decides() {
    with_device(|device| {
        let avatar = column(3);
        let palette = bent(&avatar, Quat::IDENTITY, Mat4::IDENTITY);
        let share_of = |beside: f32| {
            let points = points_round(&avatar, &palette, 301, 0.03, beside);
            let garment = loose(in_bind_space(&palette, points));
            let mut cloud = Cloud::new(device, Technique::Lbvh, &avatar, &garment);
            fragile_share(&cloud.step(&palette).1)
        };
        let (on, off) = (share_of(0.0), share_of(BESIDE));
        println!("{on} on the normals, {off} beside them");
        assert!(on > 0.1 && off < EXCUSED_SHARE, "{on}, {off}");
    });
}

#[test]
fn a_wrong_particle_is_seen() {
    let expected: Vec<State> = (0..90).map(|i| [Vec3::splat(i as f32), Vec3::X]).collect();
    let candidates = [expected.clone(), expected.clone()];
    assert_eq!(compare(&expected, &candidates), Ok(0.0));
    for (place, wrong) in [(0, 2.0 * TOLERANCE), (1, 2.0 * TOLERANCE), (1, f32::NAN)] {
        let mut found = expected.clone();
        found[55][place].z += wrong;
        assert!(compare(&found, &candidates).is_err(), "{place}: {wrong}");
    }
}

/// Shares of particles that end deeper than a tenth of a millimetre inside by the generalised winding number, of those that
/// begin up to `most` metres inside; and how many began there.
pub fn left_inside(
    device: &Arc<Device>,
    technique: Technique,
    settings: CollideSettings,
    most: f32,
) -> (f32, usize) {
    let avatar = builtin::load_mannequin();
    let palette = in_clip(&avatar, 0, 0.6);
    let body = bake(&avatar.skin, &palette).positions;
    let tree = TriangleTree::new(&body, &avatar.skin.triangles);
    let is_inside = |point: Vec3| tree.contains(point.as_dvec3());
    let mut points = points_round(&avatar, &palette, 600, most, BESIDE);
    points.retain(|&point| is_inside(point));
    let count = points.len();
    let garment = loose(in_bind_space(&palette, points));
    let def = WorldDef {
        bodies: &[BodyDef::new(&avatar)],
        garments: &[GarmentDef::new(&garment, 0)],
        cloth: ClothSettings {
            gravity: Vec3::ZERO,
            iterations: 0,
            ..ClothSettings::default()
        },
        collide: settings,
        technique,
        spatial_hash: SMALL_TABLE,
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    rig.step(&[&palette], true);
    rig.step(&[&palette], false);
    let tolerances = Tolerances {
        inside_depth: 1e-4,
        false_contact_distance: 0.1,
    };
    let mut oracle =
        Oracle::new(&body, &avatar.skin.triangles, tolerances).expect("the body is whole");
    let judged = oracle.measure(&Frame {
        body_positions: &body,
        particles: &rig.particles(),
        collision: None,
        clearances: &[],
    });
    judged.expect("the particles are finite");
    (oracle.quality().inside_fraction as f32, count)
}

/// More particles than workgroups of a dispatch take at once: each takes several in turn, the last as well as the first.
fn assert_searches_round_every_particle(technique: Technique, particle_count: usize) {
    with_device(|device| {
        let avatar = column(3);
        let palette = bent(&avatar, Quat::IDENTITY, Mat4::IDENTITY);
        let mut crowd = vec![Vec3::splat(3.0); particle_count];
        let near = points_round(&avatar, &palette, 300, 0.03, BESIDE);
        crowd[..near.len()].copy_from_slice(&near);
        let last = crowd.len() - near.len();
        crowd[last..].copy_from_slice(&near);
        let garment = loose(in_bind_space(&palette, crowd));
        let mut cloud = Cloud::new(device, technique, &avatar, &garment);
        cloud.0.step(&palette);
        let found = cloud.0.found();
        assert!(cloud.0.pushed_count() > near.len() / 2);
        assert_eq!(found[..near.len()], found[last..]);
    });
}

#[test]
fn the_hash_searches_round_every_particle_of_a_crowd() {
    assert_searches_round_every_particle(Technique::SpatialHash, 66_000);
}

#[test]
fn the_wide_tree_searches_round_every_particle_of_a_crowd() {
    assert_searches_round_every_particle(Technique::WideBvh, 4 * 66_000);
}

#[test]
fn particles_that_began_inside_end_outside() {
    with_device(|device| {
        for technique in TECHNIQUES {
            let (share, count) = left_inside(device, technique, CollideSettings::default(), 0.02);
            println!("{technique:?}: {share} of {count} left inside");
            // Where limbs overlap, the way out of one may lead into another.
            assert!(
                count > 200 && share < 0.02,
                "{technique:?}: {share} of {count}"
            );
        }
    });
}

#[test]
fn without_reach_particles_are_left_inside_and_the_oracle_sees_it() {
    with_device(|device| {
        let settings = CollideSettings {
            search_radius: 1e-3,
            ..CollideSettings::default()
        };
        for technique in TECHNIQUES {
            let (share, _) = left_inside(device, technique, settings, 0.02);
            assert!(share > 0.5, "{technique:?}: only {share} left inside");
        }
    });
}

#[test]
fn the_same_input_gives_the_same_bits() {
    with_device(|device| {
        let avatar = column(3);
        let garment = hang(sheet(23, 19, 0.02, Vec3::Y * 0.85), 23);
        let run = |technique| {
            let def = WorldDef {
                bodies: &[BodyDef::new(&avatar)],
                garments: &[GarmentDef::new(&garment, 0)],
                technique,
                // Full lists must not depend on the order of arrival either.
                spatial_hash: SpatialHashDef {
                    cell_size: 0.03,
                    entry_count: 499,
                    list: LIST,
                },
                ..WorldDef::default()
            };
            let mut rig = Rig::new(device, &def);
            for ix in 0..12 {
                let turn = Quat::from_rotation_z(0.01 * ix as f32);
                rig.step(&[&bent(&avatar, turn, Mat4::IDENTITY)], ix == 0);
            }
            let particles = rig
                .particles()
                .iter()
                .map(|p| p.to_array().map(f32::to_bits))
                .collect::<Vec<_>>();
            (particles, overflow_count(&mut rig))
        };
        for technique in Technique::ALL {
            let (first, second) = (run(technique), run(technique));
            assert_eq!(first, second, "{technique:?}");
            assert_eq!(
                first.1 > 0,
                technique == Technique::SpatialHash,
                "{technique:?}"
            );
        }
    });
}

/// Where the particles of a sheet over a column are after the poses, each put there, and some steps in the last one.
fn after_poses(device: &Arc<Device>, technique: Technique, poses: &[Palette]) -> Vec<Vec3> {
    let avatar = column(3);
    let garment = sheet(13, 11, 0.03, Vec3::Y * 0.81);
    let def = WorldDef {
        bodies: &[BodyDef::new(&avatar)],
        garments: &[GarmentDef::new(&garment, 0)],
        technique,
        spatial_hash: SMALL_TABLE,
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    for pose in poses {
        rig.step(&[pose], true);
    }
    for _ in 0..5 {
        rig.step(&[&poses[poses.len() - 1]], false);
    }
    rig.particles()
}

#[test]
fn broken_poses_do_no_lasting_harm() {
    with_device(|device| {
        let avatar = column(3);
        let posed = |place| bent(&avatar, Quat::IDENTITY, place);
        let good = posed(Mat4::IDENTITY);
        let broken = [Mat4::ZERO, Mat4::from_scale(Vec3::splat(1e6))];
        for technique in Technique::ALL {
            let expected = after_poses(device, technique, std::slice::from_ref(&good));
            assert!(expected.iter().all(|point| point.is_finite()));
            for place in broken {
                let found = after_poses(device, technique, &[posed(place), good.clone()]);
                // The cloth remembers huge coordinates by some roundings.
                points_agree(&found, &expected, 1e-3)
                    .unwrap_or_else(|error| panic!("{technique:?} after {place}: {error}"));
            }
        }
    });
}
