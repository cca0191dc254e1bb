//! Solid angles and the generalised winding number: which points are inside a mesh, even one with holes or overlaps.
//!
//! The exact sum here costs one arc tangent a triangle. [`super::triangle_tree::TriangleTree`] gives the same
//! answers in logarithmic time.
//!
//! Source: van Oosterom and Strackee, "The Solid Angle of a Plane Triangle", 1983; Jacobson, Kavan and
//! Sorkine-Hornung, "Robust Inside-Outside Segmentation using Generalized Winding Numbers", 2013.

use glam::{DVec2, DVec3};
use std::f64::consts::PI;

/// From this winding number on a point counts as inside: halfway between outside (0) and inside once (1).
pub const INSIDE_WINDING: f64 = 0.5;

/// The signed solid angle, in steradians, that a triangle covers seen from the origin.
///
/// Positive where the origin sees the triangle's back (corners clockwise), as from inside a closed mesh whose
/// triangles run counter-clockwise seen from outside. Zero for a triangle without area. In the triangle's own plane,
/// where the angle jumps from -2π to 2π, it is the mean of both sides: zero.
pub fn triangle_solid_angle(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    match half_angle(a, b, c) {
        Some(half) => 2.0 * half.y.atan2(half.x),
        None => 0.0,
    }
}

/// A vector in the plane at half the triangle's solid angle to the x axis; none where [`triangle_solid_angle`] is zero.
fn half_angle(a: DVec3, b: DVec3, c: DVec3) -> Option<DVec2> {
    let (a_len, b_len, c_len) = (a.length(), b.length(), c.length());
    let volume = a.dot(b.cross(c));
    let cosine_part =
        a_len * b_len * c_len + a.dot(b) * c_len + b.dot(c) * a_len + c.dot(a) * b_len;
    (volume != 0.0).then(|| DVec2::new(cosine_part, volume))
}

/// The sum of the triangles' solid angles seen from `point`, with one arc tangent for all of them.
///
/// Multiplies the half angles as complex numbers and counts the turns. The product's length grows with the cube of
/// the distance for every triangle, so pass a handful: at a micrometre or a hundred kilometres 16 still fit an f64.
pub(crate) fn solid_angle_of_few(point: DVec3, triangles: &[[DVec3; 3]]) -> f64 {
    let mut product = DVec2::X;
    let mut turn_count = 0.0;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| corner - point);
        let Some(half) = half_angle(a, b, c) else {
            continue;
        };
        let next = product.rotate(half);
        let sides = [product.y, half.y, next.y].map(f64::is_sign_negative);
        match sides {
            [false, false, true] => turn_count += 1.0,
            [true, true, false] => turn_count -= 1.0,
            _ => {}
        }
        product = next;
    }
    2.0 * (product.y.atan2(product.x) + turn_count * 2.0 * PI)
}

/// How many times the triangles wind round `point`, summed exactly, triangle by triangle.
///
/// 0 outside and 1 inside a closed mesh whose triangles run counter-clockwise seen from outside, 2 where it overlaps
/// itself, and a smooth fraction near the holes of an open one. Compare with [`INSIDE_WINDING`].
pub fn winding_number(point: DVec3, triangles: impl IntoIterator<Item = [DVec3; 3]>) -> f64 {
    let steradians: f64 = triangles
        .into_iter()
        .map(|[a, b, c]| triangle_solid_angle(a - point, b - point, c - point))
        .sum();
    steradians / (4.0 * PI)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::test_meshes::TestMesh;
    use glam::Vec3;

    /// A unit cube round the origin.
    fn cube() -> Vec<[DVec3; 3]> {
        let cube = TestMesh::cuboid(Vec3::splat(-0.5), Vec3::splat(0.5));
        let corner = |ix: u32| cube.positions[ix as usize].as_dvec3();
        cube.triangles.iter().map(|t| t.map(corner)).collect()
    }

    #[test]
    fn an_octant_is_an_eighth_of_the_sphere() {
        let angle = triangle_solid_angle(DVec3::X, DVec3::Y, DVec3::Z);
        assert!((angle - PI / 2.0).abs() < 1e-15, "{angle}");
        let turned = triangle_solid_angle(DVec3::X, DVec3::Z, DVec3::Y);
        assert_eq!(turned, -angle);
    }

    #[test]
    fn few_triangles_at_once_sum_up_as_one_by_one() {
        let cube = cube();
        let tiny: Vec<_> = cube.iter().map(|t| t.map(|corner| corner * 1e-6)).collect();
        for k in 0..500 {
            let t = f64::from(k);
            let point = DVec3::new((t * 0.7).sin(), (t * 1.1).cos(), (t * 1.9).sin()) * 0.7;
            for count in [0, 1, 5, 12] {
                let one_by_one = 4.0 * PI * winding_number(point, cube[..count].iter().copied());
                for few in [
                    solid_angle_of_few(point, &cube[..count]),
                    solid_angle_of_few(point * 1e-6, &tiny[..count]),
                ] {
                    assert!(
                        (few - one_by_one).abs() < 1e-12,
                        "{point}: {few} for {one_by_one}"
                    );
                }
            }
        }
    }

    #[test]
    fn more_than_one_turn_is_counted() {
        // Two whole cubes round the point: 8π, two turns of the half angle.
        let twice: Vec<_> = cube().into_iter().chain(cube()).collect();
        let turned: Vec<_> = twice.iter().map(|&[a, b, c]| [a, c, b]).collect();
        let point = DVec3::new(0.1, -0.2, 0.3);
        assert!((solid_angle_of_few(point, &twice) - 8.0 * PI).abs() < 1e-12);
        assert!((solid_angle_of_few(point, &turned) + 8.0 * PI).abs() < 1e-12);
    }

    #[test]
    fn a_cube_winds_once_round_the_inside_and_not_round_the_outside() {
        for (point, expected) in [
            (DVec3::ZERO, 1.0),
            (DVec3::new(0.49, -0.3, 0.2), 1.0),
            (DVec3::new(0.51, -0.3, 0.2), 0.0),
            (DVec3::new(3.0, 4.0, 5.0), 0.0),
        ] {
            let winding = winding_number(point, cube());
            assert!((winding - expected).abs() < 1e-12, "{point}: {winding}");
        }
    }

    #[test]
    fn one_turned_triangle_changes_the_number() {
        let mut turned = cube();
        turned[3].swap(1, 2);
        let winding = winding_number(DVec3::ZERO, turned);
        assert!((winding - (1.0 - 2.0 / 12.0)).abs() < 1e-12, "{winding}");
    }

    #[test]
    fn a_missing_face_leaves_five_sixths_in_the_middle() {
        let open = cube().split_off(2);
        let winding = winding_number(DVec3::ZERO, open);
        assert!((winding - 5.0 / 6.0).abs() < 1e-12, "{winding}");
    }

    #[test]
    fn triangles_without_area_and_points_on_the_surface_stay_finite() {
        let needle = [DVec3::NEG_X, DVec3::X, DVec3::ZERO];
        assert_eq!(winding_number(DVec3::ZERO, [needle]), 0.0);
        assert_eq!(winding_number(DVec3::X, [needle]), 0.0);
        let on_face = winding_number(DVec3::new(0.5, 0.1, 0.2), cube());
        assert!((on_face - 0.5).abs() < 1e-12, "{on_face}");
    }
}
