//! Solid angles and the generalised winding number: which points are inside a mesh, even one with holes or overlaps.
//!
//! The exact sum here costs one arc tangent a triangle. [`super::triangle_tree::TriangleTree`] gives the same
//! answers in logarithmic time.
//!
//! Source: van Oosterom and Strackee, "The Solid Angle of a Plane Triangle", 1983; Jacobson, Kavan and
//! Sorkine-Hornung, "Robust Inside-Outside Segmentation using Generalized Winding Numbers", 2013.

use glam::DVec3;
use std::f64::consts::PI;

/// From this winding number on a point counts as inside: halfway between outside (0) and inside once (1).
pub const INSIDE_WINDING: f64 = 0.5;

/// The signed solid angle, in steradians, that a triangle covers seen from the origin.
///
/// Positive where the origin sees the triangle's back (corners clockwise), as from inside a closed mesh whose
/// triangles run counter-clockwise seen from outside. Zero for a triangle without area. In the triangle's own plane,
/// where the angle jumps from -2π to 2π, it is the mean of both sides: zero.
pub fn triangle_solid_angle(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    let (a_len, b_len, c_len) = (a.length(), b.length(), c.length());
    let volume = a.dot(b.cross(c));
    if volume == 0.0 {
        return 0.0;
    }
    let cosine_part =
        a_len * b_len * c_len + a.dot(b) * c_len + b.dot(c) * a_len + c.dot(a) * b_len;
    2.0 * volume.atan2(cosine_part)
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

    /// A unit cube round the origin: corner bits are x, y, z.
    fn cube() -> Vec<[DVec3; 3]> {
        let corner = |ix: usize| {
            let side = |bit: usize| if ix >> bit & 1 == 1 { 0.5 } else { -0.5 };
            DVec3::new(side(0), side(1), side(2))
        };
        let quads = [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ];
        quads
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
            .map(|t| t.map(corner))
            .collect()
    }

    #[test]
    fn an_octant_is_an_eighth_of_the_sphere() {
        let angle = triangle_solid_angle(DVec3::X, DVec3::Y, DVec3::Z);
        assert!((angle - PI / 2.0).abs() < 1e-15, "{angle}");
        let turned = triangle_solid_angle(DVec3::X, DVec3::Z, DVec3::Y);
        assert_eq!(turned, -angle);
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
