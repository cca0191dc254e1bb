//! The middles of edges on the GPU against `collide::radial::twin::edges`.

use std::sync::Arc;

use glam::{EulerRot, Mat4, Quat, Vec3};
use radial_fields::collide::CollideSettings;
use radial_fields::engine::Device;

use crate::cloud::{Cloud, collides_as_its_twin};
use crate::figures::{bent, column, sleeve};
use crate::fixture::with_device;

/// A sleeve with its threads in the skin of a bending column, and its edges' middles a little deeper.
pub fn on_a_column(device: &Arc<Device>) -> Result<(), String> {
    let avatar = column(3);
    let palettes = [0.0, 0.05, 0.1]
        .map(|turn| bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY))
        .to_vec();
    let mut garment = sleeve();
    for position in &mut garment.mesh.positions {
        // Narrower than the column; aslant, so that middles are of many depths.
        let narrow = *position * Vec3::new(0.78, 1.0, 0.75);
        *position = Quat::from_euler(EulerRot::XYZ, 0.03, 0.1, 0.02) * narrow;
    }
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
