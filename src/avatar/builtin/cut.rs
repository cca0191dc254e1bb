//! Cuts triangles along the border between two materials, so that the border is a clean line.

use super::surface::Mesh;
use crate::math::cut::{self, EdgePoint};
use glam::Vec3;

/// A border nearer to a corner than this share of an edge goes through the corner instead: no slivers.
const SNAP: f32 = 0.12;

/// Splits every triangle that the border crosses. `border` is negative inside and positive outside.
///
/// Corners close to the border are moved onto it, but not off the middle plane.
pub(super) fn cut(mesh: &mut Mesh, border: impl Fn(Vec3) -> f32) {
    let levels: Vec<f32> = mesh.positions.iter().map(|&p| border(p)).collect();
    let cut = cut::cut(&mesh.triangles, &levels, SNAP);
    let positions = &mesh.positions;
    let ends = |point: &EdgePoint| [point.a, point.b].map(|ix| positions[ix as usize]);
    let place = |point: &EdgePoint| {
        let [from, to] = ends(point);
        from.lerp(to, point.t)
    };
    let added: Vec<Vec3> = cut.points.iter().map(place).collect();
    let stays_in_middle = |point: &&EdgePoint| {
        let [from, to] = ends(point);
        from.x != 0.0 || to.x == 0.0
    };
    let moved = cut.moved.iter().filter(stays_in_middle);
    let moved: Vec<(u32, Vec3)> = moved.map(|point| (point.a, place(point))).collect();
    for (ix, position) in moved {
        mesh.positions[ix as usize] = position;
    }
    mesh.positions.extend(added);
    mesh.triangles = cut.triangles;
}
