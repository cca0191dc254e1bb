//! Moves a garment clear of the skin.

use glam::Vec3;
use rayon::prelude::*;

use super::body::Body;
use super::surface::Surface;

/// Least distance between particle and skin in the bind pose, metres for a person of 1.75 m.
pub(super) const CLEARANCE: f32 = 0.007;
/// Triangles may come nearer than particles, down to this part of the clearance.
const TRIANGLE_CLEARANCE: f32 = 0.6;
/// Rounds of pushing; two or three are enough unless a limb lies against another.
const ROUND_COUNT: usize = 12;

/// Pushes the particles out until they, and the middles of triangles and edges, keep clear of the whole body.
pub(super) fn keep_clear(surface: &mut Surface, body: &Body) {
    let clearance = CLEARANCE * body.humanoid.scale;
    for _ in 0..ROUND_COUNT {
        let pushes = pushes(surface, body, clearance);
        if pushes.iter().all(|push| *push == Vec3::ZERO) {
            return;
        }
        surface
            .positions
            .iter_mut()
            .zip(pushes)
            .for_each(|(position, push)| *position += push);
    }
}

fn pushes(surface: &Surface, body: &Body, clearance: f32) -> Vec<Vec3> {
    // A little more than asked for, so that rounding leaves nothing to do.
    let of_particles = surface
        .positions
        .par_iter()
        .map(|&position| push(body, position, clearance) * 1.01);
    let mut pushes: Vec<Vec3> = of_particles.collect();
    let of_triangles: Vec<Vec3> = (0..surface.triangles.len() as u32)
        .into_par_iter()
        .map(|ix| {
            let [a, b, c] = surface.corners(ix);
            let inner = [
                (a + b + c) / 3.0,
                0.5 * (a + b),
                0.5 * (b + c),
                0.5 * (c + a),
            ];
            let inner = inner.map(|point| push(body, point, TRIANGLE_CLEARANCE * clearance));
            inner.into_iter().fold(Vec3::ZERO, longer)
        })
        .collect();
    for (triangle, push) in surface.triangles.iter().zip(of_triangles) {
        triangle
            .iter()
            .for_each(|&ix| pushes[ix as usize] = longer(pushes[ix as usize], push));
    }
    pushes
}

fn longer(a: Vec3, b: Vec3) -> Vec3 {
    if b.length_squared() > a.length_squared() {
        b
    } else {
        a
    }
}

/// The way from a point to the clear, zero when it is clear.
fn push(body: &Body, point: Vec3, clearance: f32) -> Vec3 {
    let is_inside = body.is_inside(point);
    let limit = if is_inside { f32::INFINITY } else { clearance };
    let from = point.as_dvec3();
    let Some(nearest) = body.outer.nearest_point(from, f64::from(limit)) else {
        return Vec3::ZERO;
    };
    let to_skin = (nearest.point - from).as_vec3();
    let outwards = if is_inside { to_skin } else { -to_skin };
    to_skin + outwards.normalize_or(Vec3::Y) * clearance
}
