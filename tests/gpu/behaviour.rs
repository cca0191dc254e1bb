//! What collision and cloth promise, whatever the twins say.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::CollideSettings;
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::garment::{Garment, sheet_over};
use radial_fields::cloth::{ClothSettings, GarmentSettings, MAX_SUB_STEPS};
use radial_fields::collide::radial::surface::Patch;
use radial_fields::collide::radial::update::fields_from_world;
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::falling::{in_bind_space, points_round};
use crate::figures::{Dice, bent, column, in_clip, loose, moved};
use crate::fitted::fields_of;
use crate::fixture::{Rig, STEP_SECONDS, with_device};
use crate::update::with_caps;

fn rig(device: &Arc<Device>, avatar: &Avatar, garment: &Garment, cloth: ClothSettings) -> Rig {
    let bodies = [BodyDef::new(avatar)];
    let garments = [GarmentDef::new(garment, 0)];
    let def = WorldDef {
        bodies: &bodies,
        garments: &garments,
        cloth,
        // Particles without cloth between them.
        collide: CollideSettings {
            edge_midpoints: false,
            ..CollideSettings::default()
        },
        ..WorldDef::default()
    };
    Rig::new(device, &def)
}

const STILL: ClothSettings = ClothSettings {
    sub_steps: 1,
    iterations: 0,
    sweeps: 0,
    end_strain_limit: None,
    gravity: Vec3::ZERO,
    wind: Vec3::ZERO,
    ground: None,
    sleep: None,
};

#[test]
fn particles_outside_all_fields_are_untouched() {
    with_device(|device| {
        let avatar = column(3);
        let mut dice = Dice::new(3);
        let points: Vec<_> = (0..200)
            .map(|_| Vec3::new(1.0, 0.0, 0.0) + 0.5 * dice.point())
            .collect();
        let mut rig = rig(device, &avatar, &loose(points.clone()), STILL);
        let palette = Palette::bind(&avatar.skeleton);
        rig.step(&[&palette], true);
        rig.step(&[&palette], false);
        assert_eq!(rig.particles(), points, "to the last bit");
        let contacts = rig.cloth(|world| world.cloth().contacts());
        assert!(contacts.iter().all(|contact| contact.w == 0.0));
    });
}

#[test]
fn particles_inside_end_up_outside_by_the_thickness() {
    with_device(|device| {
        let avatar = column(1);
        let mut dice = Dice::new(5);
        let points: Vec<_> = (0..500)
            .map(|_| Vec3::new(0.0, 0.4, 0.0) + Vec3::new(0.065, 0.3, 0.065) * dice.point())
            .collect();
        let mut rig = rig(device, &avatar, &loose(points), STILL);
        let palette = Palette::bind(&avatar.skeleton);
        rig.step(&[&palette], true);
        let contacts = rig.cloth(|world| world.cloth().contacts());
        assert!(
            contacts.iter().all(|contact| contact.w > 0.0),
            "all began inside"
        );
        assert!(
            contacts
                .iter()
                .all(|contact| contact.truncate().is_normalized())
        );
        let deepest = deepest(&mut rig, &avatar, &palette);
        println!("deepest: {deepest} m");
        // A push goes along the patch under the path's first point, and may end above the next one, some degrees on.
        assert!(deepest < 5e-4, "{deepest} m lack to the thickness");
    });
}

/// Past the end of shared memory some drivers write as if there were more.
#[test]
fn fields_are_bounded_at_every_boundary_that_a_step_may_have() {
    let shader = include_str!("../../glsl/shared/field_bounds.glsl");
    let room = format!("const uint MAX_TRANSFORMS = {};", MAX_SUB_STEPS + 1);
    assert!(shader.contains(&room), "{room}");
}

#[test]
fn fields_are_met_with_as_many_sub_steps_as_there_may_be() {
    with_device(|device| {
        let avatar = builtin::load_mannequin();
        let palettes = [0.3, 0.35].map(|seconds| in_clip(&avatar, 0, seconds));
        let points = points_round(&avatar, &palettes[1], 500, 0.01, 0.0);
        let garment = loose(in_bind_space(&palettes[0], points));
        // With a solve a step has a collision behind it, which finds nothing more, and what the one before has found is still there.
        for (sub_steps, iterations) in [(1, 0), (1, 1), (9, 0), (MAX_SUB_STEPS, 0)] {
            let cloth = ClothSettings {
                sub_steps,
                iterations,
                ..STILL
            };
            let mut rig = rig(device, &avatar, &garment, cloth);
            (0..2).for_each(|ix| rig.step(&[&palettes[ix]], ix == 0));
            let contacts = rig.cloth(|world| world.cloth().contacts());
            let pushed = contacts.iter().filter(|contact| contact.w > 0.0).count();
            println!(
                "{sub_steps} sub-steps: {pushed} of {} pushed",
                contacts.len()
            );
            assert!(3 * pushed > contacts.len(), "{sub_steps} sub-steps");
        }
    });
}

#[test]
fn particles_on_an_axis_get_out_whichever_way() {
    with_device(|device| {
        let avatar = column(1);
        let palette = Palette::bind(&avatar.skeleton);
        let field = &fields_of(&BodyDef::new(&avatar)).fields[0];
        let world_from_field = palette.world_from_bone[0] * field.bone_from_field;
        let points = (1..10).flat_map(|i| {
            let along = Vec3::new(0.0, 0.0, 0.1 * i as f32);
            [along, Vec3::new(-0.0, -0.0, 0.1 * i as f32)]
        });
        let points = points.map(|at| world_from_field.transform_point3(at));
        let mut rig = rig(device, &avatar, &loose(points.collect()), STILL);
        rig.step(&[&palette], true);
        assert!(deepest(&mut rig, &avatar, &palette) < 5e-4);
    });
}

/// Metres that the worst particle lacks to the thickness, by the cells and fields of the last step.
fn deepest(rig: &mut Rig, avatar: &Avatar, palette: &Palette) -> f32 {
    let set = fields_of(&BodyDef::new(avatar));
    let cells = with_caps(&set, rig.cells());
    let frames = fields_from_world(&set, &palette.world_from_bone);
    let thickness = GarmentSettings::default().thickness;
    let mut deepest = f32::MIN;
    for position in rig.particles() {
        assert!(position.is_finite());
        for (field, &from_world) in set.fields.iter().zip(&frames) {
            let at = from_world.transform_point3(position);
            if let Some(patch) = Patch::at(field, &cells, at) {
                deepest = deepest.max(thickness - patch.height(at, from_world));
            }
        }
    }
    deepest
}

/// Metres per second of the fastest particle between two states.
fn fastest(before: &[Vec3], after: &[Vec3]) -> f32 {
    assert!(after.iter().all(|position| position.is_finite()));
    crate::compare::largest_distance(before, after) / STEP_SECONDS
}

#[test]
fn a_teleport_does_not_throw_the_cloth() {
    with_device(|device| {
        let avatar = builtin::load_mannequin();
        let mut rig = rig(
            device,
            &avatar,
            &sheet_over(&avatar, 400),
            ClothSettings::default(),
        );
        let here = in_clip(&avatar, 0, 0.2);
        rig.step(&[&here], true);
        for _ in 0..5 {
            rig.step(&[&here], false);
        }
        let there = moved(
            &avatar,
            &here,
            Mat4::from_rotation_translation(
                Quat::from_rotation_y(2.0),
                Vec3::new(30.0, 0.0, -20.0),
            ),
        );
        rig.step(&[&there], true);
        let mut before = rig.particles();
        let previous: Vec<_> = rig.cloth(|world| world.cloth().previous_positions());
        assert_eq!(
            crate::fixture::xyz(&previous),
            before,
            "it did not get there from anywhere"
        );
        for step_ix in 0..5 {
            rig.step(&[&there], false);
            let after = rig.particles();
            let speed = fastest(&before, &after);
            // It falls: g × 1/10 s is 1 m/s.
            assert!(speed < 2.0, "step {step_ix}: {speed} m/s");
            before = after;
        }
    });
}

#[test]
fn a_jump_without_a_teleport_stays_bounded() {
    with_device(|device| {
        let avatar = builtin::load_mannequin();
        let mut rig = rig(
            device,
            &avatar,
            &sheet_over(&avatar, 400),
            ClothSettings::default(),
        );
        let here = in_clip(&avatar, 0, 0.2);
        rig.step(&[&here], true);
        let there = moved(
            &avatar,
            &here,
            Mat4::from_translation(Vec3::new(0.0, 0.6, 0.0)),
        );
        let mut before = rig.particles();
        for step_ix in 0..20 {
            rig.step(&[&there], false);
            let after = rig.particles();
            let speed = fastest(&before, &after);
            // The solver's limit is 40 m/s; the push out of the body comes on top in the step of the jump.
            assert!(
                speed < if step_ix == 0 { 80.0 } else { 41.0 },
                "step {step_ix}: {speed} m/s"
            );
            before = after;
        }
    });
}

#[test]
fn a_bone_scaled_to_nothing_and_back_leaves_no_nan() {
    with_device(|device| {
        let avatar = column(3);
        let garment = crate::figures::sheet(11, 9, 0.03, Vec3::new(0.0, 0.83, 0.0));
        let mut rig = rig(device, &avatar, &garment, ClothSettings::default());
        let whole = bent(&avatar, Quat::IDENTITY, Mat4::IDENTITY);
        for joint_ix in [2, 0] {
            let mut collapsed = whole.clone();
            collapsed.world_from_bone[joint_ix] *= Mat4::from_scale(Vec3::ZERO);
            collapsed.world_from_bind[joint_ix] = collapsed.world_from_bone[joint_ix]
                * avatar.skeleton.joints[joint_ix].bone_from_bind;
            for (palette, teleported) in [
                (&whole, true),
                (&collapsed, false),
                (&collapsed, true),
                (&whole, false),
                (&whole, false),
            ] {
                rig.step(&[palette], teleported);
                assert!(rig.particles().iter().all(|position| position.is_finite()));
                let normals = rig.cloth(|world| world.cloth().normals());
                assert!(normals.iter().all(|normal| normal.is_finite()));
                assert!(rig.cells().iter().all(|cell| !cell.is_nan()));
            }
        }
    });
}

#[test]
fn a_sheet_on_a_column_with_the_middles_of_edges_kept_outside_stays_on_it() {
    with_device(|device| {
        let avatar = column(2);
        let garment = crate::figures::sheet(9, 9, 0.04, Vec3::new(0.0, 0.83, 0.0));
        let mut rig = rig(device, &avatar, &garment, ClothSettings::default());
        rig.world.settings_mut().collide.edge_midpoints = true;
        let palette = Palette::bind(&avatar.skeleton);
        for step_ix in 0..30 {
            rig.step(&[&palette], step_ix == 0);
        }
        let particles = rig.particles();
        assert!(particles.iter().all(|position| position.is_finite()));
        let top = particles
            .iter()
            .map(|position| position.y)
            .fold(f32::MIN, f32::max);
        assert!(
            (0.8..0.83).contains(&top),
            "the column is 0.8 m high, the sheet at {top} m"
        );
    });
}
