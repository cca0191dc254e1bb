//! Moves a garment clear of the skin.

use glam::Vec3;
use rayon::prelude::*;
use std::collections::BTreeSet;

use super::Garment;
use super::body::Body;
use super::surface::Surface;
use crate::math::triangle_tree::TriangleTree;

/// Least distance between particle and skin in the bind pose, metres for a person of 1.75 m.
pub(super) const CLEARANCE: f32 = 0.007;
/// Triangles may come nearer than particles, down to this part of the clearance.
const TRIANGLE_CLEARANCE: f32 = 0.6;
/// Triangles keep this far from the corners of what they cover on a body of pieces, metres for a person of 1.75 m. Usually 0.02: corners of
/// armour are sharp, and stand between the points above. Without, clothes are made with some of them a millimetre beneath.
const CORNER_CLEARANCE: f32 = 0.02;
/// A corner is over a triangle, not beside the cloth, where this part of the way to it is along the normal.
const OVER: f32 = 0.9;
/// Rounds of pushing; two or three are enough unless a limb lies against another.
const ROUND_COUNT: usize = 12;
/// The first of them heed corners. The others bring clear what corners have pushed into another part of the body.
const CORNER_ROUNDS: usize = 6;

/// Pushes the particles out until they, and the middles of triangles and edges, keep clear of the whole body; on one of pieces triangles
/// keep off the corners of what is `covered` besides.
pub(super) fn keep_clear(surface: &mut Surface, body: &Body, covered: &TriangleTree) {
    let scale = body.humanoid.scale;
    let corners = body.is_of_pieces.then(|| corners_of(covered, body));
    for round in 0..ROUND_COUNT {
        let mut pushes = pushes(surface, body, |_| CLEARANCE * scale);
        if let Some(corners) = &corners
            && round < CORNER_ROUNDS
        {
            push_off_corners(surface, corners, CORNER_CLEARANCE * scale, &mut pushes);
        }
        if pushes.iter().all(|push| *push == Vec3::ZERO) {
            return;
        }
        surface.push(&pushes);
    }
}

/// Pushes the particles of a garment out to the clearance that each keeps when it moves: one that is made nearer is pulled back there
/// for ever.
pub(super) fn keep_off(garment: &mut Garment, body: &Body) {
    let turn = body.humanoid.tailor_from_bind;
    let mesh = &mut garment.mesh;
    let mut surface = Surface {
        positions: mesh.positions.iter().map(|&at| turn * at).collect(),
        triangles: mesh.triangles.clone(),
    };
    for _ in 0..ROUND_COUNT {
        let pushes = pushes(&surface, body, |ix| garment.clearances[ix as usize]);
        if pushes.iter().all(|push| *push == Vec3::ZERO) {
            break;
        }
        surface.push(&pushes);
    }
    let back = turn.transpose();
    let normals = surface.vertex_normals().into_iter();
    mesh.normals = normals.map(|normal| back * normal).collect();
    mesh.positions = surface.positions.iter().map(|&at| back * at).collect();
}

fn corners_of(skin: &TriangleTree, body: &Body) -> Vec<Vec3> {
    let corners = (0..skin.triangle_count()).flat_map(|ix| skin.vertices(ix));
    let corners: BTreeSet<u32> = corners.collect();
    let place = |ix: u32| body.positions[ix as usize];
    corners.into_iter().map(place).collect()
}

/// Ways out to a clearance by particle, metres. Triangles keep a part of the least of their corners'.
fn pushes(surface: &Surface, body: &Body, clearance: impl Fn(u32) -> f32 + Sync) -> Vec<Vec3> {
    // A little more than asked for, so that rounding leaves nothing to do.
    let of_particles = surface
        .positions
        .par_iter()
        .enumerate()
        .map(|(ix, &position)| push(body, position, clearance(ix as u32)) * 1.01);
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
            let of_corners = surface.triangles[ix as usize].map(&clearance);
            let least = of_corners.into_iter().fold(f32::INFINITY, f32::min);
            let inner = inner.map(|point| push(body, point, TRIANGLE_CLEARANCE * least));
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

/// Lengthens the pushes of triangles that corners of the skin come through, or nearer to than `clearance`.
fn push_off_corners(surface: &Surface, corners: &[Vec3], clearance: f32, pushes: &mut [Vec3]) {
    let tree = TriangleTree::new(&surface.positions, &surface.triangles);
    let found = corners.par_iter().filter_map(|&corner| {
        let nearest = tree.nearest_point(corner.as_dvec3(), f64::from(2.0 * clearance))?;
        let [a, b, c] = nearest.triangle.map(|ix| surface.positions[ix as usize]);
        let normal = (b - a).cross(c - a).try_normalize()?;
        let height = (corner - a).dot(normal);
        let is_beside = height.abs() < OVER * nearest.distance as f32;
        let push = (clearance + height) * normal;
        (height > -clearance && !is_beside).then_some((nearest.triangle, push))
    });
    for (triangle, push) in found.collect::<Vec<_>>() {
        triangle
            .iter()
            .for_each(|&ix| pushes[ix as usize] = longer(pushes[ix as usize], push));
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_is_pushed_off_a_corner_that_comes_through_it_and_not_off_one_beside_it() {
        let triangle = Surface {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            triangles: vec![[0, 1, 2]],
        };
        let pushed = |corner: Vec3| {
            let mut pushes = vec![Vec3::ZERO; 3];
            push_off_corners(&triangle, &[corner], 0.02, &mut pushes);
            assert!(pushes.iter().all(|push| *push == pushes[0]), "{pushes:?}");
            pushes[0]
        };
        let near = |a: Vec3, b: Vec3| a.distance(b) < 1e-6;
        assert!(near(pushed(Vec3::new(0.3, 0.3, 0.01)), 0.03 * Vec3::Z));
        assert!(near(pushed(Vec3::new(0.3, 0.3, -0.005)), 0.015 * Vec3::Z));
        assert_eq!(pushed(Vec3::new(0.3, 0.3, -0.021)), Vec3::ZERO);
        assert_eq!(pushed(Vec3::new(0.3, -0.02, 0.01)), Vec3::ZERO);
    }
}
