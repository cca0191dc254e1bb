//! Cuts triangles along the border between two materials, so that the border is a clean line.

use super::surface::Mesh;
use glam::Vec3;
use std::collections::BTreeMap;

/// A border nearer to a corner than this share of an edge goes through the corner instead: no slivers.
const SNAP: f32 = 0.12;

/// Splits every triangle that the border crosses. `border` is negative inside and positive outside.
///
/// Corners close to the border are moved onto it.
pub(super) fn cut(mesh: &mut Mesh, border: impl Fn(Vec3) -> f32) {
    let mut levels: Vec<f32> = mesh.positions.iter().map(|&p| border(p)).collect();
    snap(mesh, &mut levels);
    let mut new_corners = BTreeMap::new();
    for triangle in std::mem::take(&mut mesh.triangles) {
        split(triangle, &levels, &mut new_corners, mesh);
    }
}

/// Moves corners onto the border where it passes close by, and sets their level to zero.
fn snap(mesh: &mut Mesh, levels: &mut [f32]) {
    let mut moved = vec![None; levels.len()];
    for &[a, b, c] in &mesh.triangles {
        for [from, to] in
            [[a, b], [b, c], [c, a], [b, a], [c, b], [a, c]].map(|edge| edge.map(|v| v as usize))
        {
            let share = levels[from] / (levels[from] - levels[to]);
            if levels[from] * levels[to] < 0.0 && share < SNAP {
                let leaves_middle = mesh.positions[from].x == 0.0 && mesh.positions[to].x != 0.0;
                let share = if leaves_middle { 0.0 } else { share };
                moved[from].get_or_insert(mesh.positions[from].lerp(mesh.positions[to], share));
            }
        }
    }
    for (ix, position) in moved.into_iter().enumerate() {
        if let Some(position) = position {
            mesh.positions[ix] = position;
            levels[ix] = 0.0;
        }
    }
}

/// Appends one to three triangles with the same winding, none of which the border crosses.
fn split(
    triangle: [u32; 3],
    levels: &[f32],
    new_corners: &mut BTreeMap<[u32; 2], u32>,
    mesh: &mut Mesh,
) {
    let level = |v: u32| levels[v as usize];
    let mut ring = Vec::with_capacity(5);
    // A fan from a corner on the border never crosses it.
    let mut fan_from = 0;
    for k in 0..3 {
        let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
        if level(from) == 0.0 {
            fan_from = ring.len();
        }
        ring.push(from);
        if level(from) * level(to) < 0.0 {
            let edge = [from.min(to), from.max(to)];
            let corner = *new_corners.entry(edge).or_insert_with(|| {
                let [a, b] = edge.map(|v| mesh.positions[v as usize]);
                let share = level(edge[0]) / (level(edge[0]) - level(edge[1]));
                mesh.positions.push(a.lerp(b, share));
                mesh.positions.len() as u32 - 1
            });
            fan_from = ring.len();
            ring.push(corner);
        }
    }
    ring.rotate_left(fan_from);
    mesh.triangles
        .extend((1..ring.len() - 1).map(|k| [ring[0], ring[k], ring[k + 1]]));
}
