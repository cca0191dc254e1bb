//! Skinning on the GPU against `skin::bake`.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::skin::bake::{Baked, bake};
use radial_fields::{BodyDef, WorldDef};

use crate::compare::points_agree;
use crate::figures::{bent, column, in_clip};
use crate::fixture::{Rig, with_device};

/// Metres. A few roundings of coordinates of one or two metres: 1e-7 each.
const POSITION_TOLERANCE: f32 = 1e-5;
/// Cofactors are products of rotations, and short normals magnify their rounding.
const NORMAL_TOLERANCE: f32 = 1e-4;

fn bake_on_gpu(device: &Arc<Device>, avatar: &Avatar, palettes: &[Palette]) -> Vec<Baked> {
    let bodies = [BodyDef::new(avatar)];
    let def = WorldDef {
        bodies: &bodies,
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    let count = avatar.skin.positions.len();
    let bake_one = |palette| {
        rig.step(&[palette], false);
        Baked {
            positions: rig.skin(),
            normals: rig.read(count, |world| world.skin().normals()),
        }
    };
    palettes.iter().map(bake_one).collect()
}

fn compare(found: &Baked, expected: &Baked) -> Result<(), String> {
    points_agree(&found.positions, &expected.positions, POSITION_TOLERANCE)?;
    points_agree(&found.normals, &expected.normals, NORMAL_TOLERANCE)
        .map_err(|error| format!("normals: {error}"))
}

fn bakes_as_its_twin(
    device: &Arc<Device>,
    avatar: &Avatar,
    palettes: &[Palette],
) -> Result<(), String> {
    assert!(
        !avatar.skin.positions.len().is_multiple_of(64),
        "no round number"
    );
    for (found, palette) in bake_on_gpu(device, avatar, palettes).iter().zip(palettes) {
        let expected = bake(&avatar.skin, palette);
        compare(found, &expected).map_err(|error| format!("{}: {error}", avatar.name))?;
    }
    Ok(())
}

/// A column whose middle bone is stretched, mirrored and collapsed.
pub fn odd_bones(device: &Arc<Device>) -> Result<(), String> {
    let avatar = column(3);
    let scaled = |scale: Vec3| {
        let mut palette = bent(&avatar, Quat::from_rotation_x(0.3), Mat4::IDENTITY);
        palette.world_from_bind[1] *= Mat4::from_scale(scale);
        palette
    };
    let palettes = [
        Vec3::new(2.0, 0.5, 1.0),
        Vec3::new(-1.0, 1.0, 1.0),
        Vec3::ZERO,
    ];
    bakes_as_its_twin(device, &avatar, &palettes.map(scaled))
}

#[test]
fn the_mannequin_is_skinned_as_its_twin() {
    with_device(|device| {
        let avatar = builtin::load_mannequin();
        let palettes = [0.0, 0.4, 1.3].map(|seconds| in_clip(&avatar, 0, seconds));
        assert_eq!(bakes_as_its_twin(device, &avatar, &palettes), Ok(()));
    });
}

#[test]
fn stretched_mirrored_and_collapsed_bones_are_skinned_as_their_twins() {
    with_device(|device| assert_eq!(odd_bones(device), Ok(())));
}

#[test]
fn a_wrong_vertex_is_seen() {
    with_device(|device| {
        let avatar = column(2);
        let palette = bent(&avatar, Quat::from_rotation_z(0.5), Mat4::IDENTITY);
        let expected = bake(&avatar.skin, &palette);
        let mut found = bake_on_gpu(device, &avatar, &[palette]).remove(0);
        assert!(compare(&found, &expected).is_ok());
        found.positions[99].z += 2.0 * POSITION_TOLERANCE;
        assert!(compare(&found, &expected).is_err());
        found.positions[99].z -= 2.0 * POSITION_TOLERANCE;
        found.normals[7].x += 2.0 * NORMAL_TOLERANCE;
        assert!(compare(&found, &expected).is_err());
    });
}
