//! Cylindrical coordinates of field space: angles in turns, and the triangles drawn round the axis.

use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// Angle of `(x, y)` round the axis in turns, in [0, 1).
///
/// The paper's equation 2 with `fract` in place of its branches, so that GPU and CPU round alike.
pub fn turns(xy: Vec2) -> f32 {
    fract(xy.y.atan2(xy.x) / TAU)
}

/// GLSL's `fract`, in [0, 1): a tiny negative `x` gives 0 where `x - floor(x)` would round to 1.
pub fn fract(x: f32) -> f32 {
    let fraction = x - x.floor();
    if fraction < 1.0 { fraction } else { 0.0 }
}

/// Unit vector at `theta` turns.
pub fn direction(theta: f32) -> Vec2 {
    Vec2::new((theta * TAU).cos(), (theta * TAU).sin())
}

/// Point at `distance` from the axis at `theta` turns, at height `z`.
pub fn point(theta: f32, distance: f32, z: f32) -> Vec3 {
    (direction(theta) * distance).extend(z)
}

/// A unit vector across unit `axis`, always the same one for the same axis.
pub fn across(axis: Vec3) -> Vec3 {
    let least = axis.abs().min_position();
    axis.cross(Vec3::AXES[least]).normalize()
}
