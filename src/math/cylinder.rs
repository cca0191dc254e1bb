//! Cylindrical coordinates of field space: angles in revolutions, and the triangles drawn round the axis.

use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// Angle of `(x, y)` round the axis in revolutions, in [0, 1).
///
/// The paper's equation 2 with `fract` in place of its branches, so that GPU and CPU round alike.
pub fn revolutions(xy: Vec2) -> f32 {
    if xy == Vec2::ZERO {
        // On the axis GLSL's atan may return anything.
        return 0.0;
    }
    fract(xy.y.atan2(xy.x) / TAU)
}

/// GLSL's `fract`, in [0, 1): a tiny negative `x` gives 0 where `x - floor(x)` would round to 1.
pub fn fract(x: f32) -> f32 {
    let fraction = x - x.floor();
    if fraction < 1.0 { fraction } else { 0.0 }
}

/// Unit vector at `theta` revolutions.
pub fn direction(theta: f32) -> Vec2 {
    Vec2::new((theta * TAU).cos(), (theta * TAU).sin())
}

/// Point at `distance` from the axis at `theta` revolutions, at height `z`.
pub fn point(theta: f32, distance: f32, z: f32) -> Vec3 {
    (direction(theta) * distance).extend(z)
}

/// A unit vector across unit `axis`, always the same one for the same axis.
pub fn across(axis: Vec3) -> Vec3 {
    let least = axis.abs().min_position();
    axis.cross(Vec3::AXES[least]).normalize()
}

/// Whether the axis passes through a triangle, given across the axis; an edge that touches the axis counts.
pub fn contains_axis(corners: [Vec2; 3]) -> bool {
    let side = |i: usize| corners[i].perp_dot(corners[(i + 1) % 3]);
    let sides = [side(0), side(1), side(2)];
    sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0)
}

/// Distance from the axis to a triangle that does not contain it, given across the axis.
pub fn nearest_to_axis(corners: [Vec2; 3]) -> f32 {
    let edge = |i: usize| nearest_on_segment(corners[i], corners[(i + 1) % 3]).length();
    edge(0).min(edge(1)).min(edge(2))
}

/// The point of segment `ab` nearest to the origin.
fn nearest_on_segment(a: Vec2, b: Vec2) -> Vec2 {
    let along = b - a;
    let share = -a.dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
    a + along * share.clamp(0.0, 1.0)
}
