//! The middles of edges on the GPU against `collide::radial::twin::edges`.

use std::sync::Arc;

use glam::{EulerRot, Mat4, Quat, Vec3, Vec4, Vec4Swizzles};
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::{ClothSettings, GarmentSettings};
use radial_fields::collide::CollideSettings;
use radial_fields::engine::Device;
use radial_fields::math::direction::unpack_direction;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::cloud::{Cloud, collides_as_its_twin};
use crate::figures::{bent, column, sheet, sleeve};
use crate::fixture::{Rig, with_device};

/// Narrower than the column; aslant, so that middles are of many depths.
fn narrow_sleeve() -> Garment {
    let mut garment = sleeve();
    for position in &mut garment.mesh.positions {
        let narrow = *position * Vec3::new(0.78, 1.0, 0.75);
        *position = Quat::from_euler(EulerRot::XYZ, 0.03, 0.1, 0.02) * narrow;
    }
    garment
}

/// A sleeve with its threads in the skin of a bending column, and its edges' middles a little deeper.
pub fn on_a_column(device: &Arc<Device>) -> Result<(), String> {
    let avatar = column(3);
    let palettes = [0.0, 0.05, 0.1]
        .map(|turn| bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY))
        .to_vec();
    let mut garment = narrow_sleeve();
    // Edges straight through the column, whose middles are deeper than any that may be pushed out.
    garment.mesh.triangles.push([208, 221, 209]);
    let collide = CollideSettings {
        edge_midpoints: true,
        ..CollideSettings::default()
    };
    let cloud = Cloud::new(device, &avatar, garment, collide);
    collides_as_its_twin(&mut (cloud, palettes))
}

#[test]
fn the_middles_of_edges_are_put_outside_as_their_twins() {
    with_device(|device| assert_eq!(on_a_column(device), Ok(())));
}

/// A ladder of cloth that touches a column with the middles of its rungs.
fn ladder() -> Garment {
    let mut garment = sheet(2, 14, 0.03, Vec3::ZERO);
    for (ix, position) in garment.mesh.positions.iter_mut().enumerate() {
        let (side, rung) = ((ix % 2) as f32, (ix / 2) as f32);
        *position = Vec3::new(0.1 * side - 0.05, 0.2 + 0.03 * rung, 0.101);
    }
    garment
}

/// What edges push, and no contact of its own does, counts as in contact along that push.
pub fn leave_contacts(device: &Arc<Device>) -> Result<(), String> {
    let (avatar, garment) = (column(3), ladder());
    let def = WorldDef {
        bodies: &[BodyDef::new(&avatar)],
        garments: &[GarmentDef {
            garment: &garment,
            body_ix: 0,
            settings: GarmentSettings {
                friction: 0.0,
                ..GarmentSettings::default()
            },
        }],
        cloth: ClothSettings {
            sub_steps: 1,
            iterations: 0,
            gravity: Vec3::ZERO,
            ..ClothSettings::default()
        },
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    rig.world.keep_last_collision(true).expect("there is room");
    rig.step(&[&Palette::bind(&avatar.skeleton)], true);
    let count = garment.mesh.positions.len();
    let snapshots: Vec<Vec4> = rig.read(2 * count, |world| {
        world.last_collision().expect("it is kept")
    });
    let (before, behind) = snapshots.split_at(count);
    let own = rig.cloth(|world| world.cloth().contacts());
    let mut pushed_count = 0;
    for (ix, (before, behind)) in before.iter().zip(behind).enumerate() {
        let push = (behind - before).xyz();
        if own[ix].w > 0.0 || (5e-5..2e-4).contains(&push.length()) {
            continue;
        }
        let contact = behind.w;
        let is_pushed = push.length() > 1e-4;
        let along = || unpack_direction(contact).dot(push.normalize());
        if is_pushed != (contact != 0.0) || (is_pushed && along() < 0.999) {
            return Err(format!(
                "particle {ix} is pushed by {push}: contact {contact}"
            ));
        }
        pushed_count += usize::from(is_pushed);
    }
    match pushed_count > 20 {
        true => Ok(()),
        false => Err(format!(
            "edges alone pushed {pushed_count}: too few to prove much"
        )),
    }
}

#[test]
fn what_edges_push_is_in_contact_along_the_push() {
    with_device(|device| assert_eq!(leave_contacts(device), Ok(())));
}
