//! Whether edges and triangles pass through triangles, in f64.
//!
//! An edge that only touches a triangle's plane with an end does not pass through it, nor does one that lies in the
//! plane. So a mesh does not cross itself along its seams, and cloth that lies on the skin is not crossed by it.

use glam::DVec3;

/// Six times the volume between a triangle and a point: positive on the side that its corners go round counter-clockwise
/// of.
fn volume([a, b, c]: [DVec3; 3], point: DVec3) -> f64 {
    (b - a).cross(c - a).dot(point - a)
}

/// Whether the edge from `p` to `q` passes through the triangle, from one side of its plane to the other.
pub(super) fn edge_crosses([p, q]: [DVec3; 2], triangle: [DVec3; 3]) -> bool {
    let (at_p, at_q) = (volume(triangle, p), volume(triangle, q));
    let is_from_side_to_side = (at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0);
    is_from_side_to_side && {
        let [a, b, c] = triangle;
        let along = q - p;
        let crosses =
            [(a, b), (b, c), (c, a)].map(|(from, to)| along.dot((from - p).cross(to - p)));
        crosses.iter().all(|&cross| cross >= 0.0) || crosses.iter().all(|&cross| cross <= 0.0)
    }
}

/// Height of a point over the triangle's plane, metres, positive on the side that its normal faces; `None` for a triangle
/// without area.
pub(super) fn height_over([a, b, c]: [DVec3; 3], point: DVec3) -> Option<f64> {
    let normal = (b - a).cross(c - a).try_normalize()?;
    Some(normal.dot(point - a))
}

/// Whether two triangles pass through each other. Triangles in one plane do not.
pub(super) fn triangles_cross(one: [DVec3; 3], other: [DVec3; 3]) -> bool {
    straddles(one, other)
        && straddles(other, one)
        && (edges_of(one).any(|edge| edge_crosses(edge, other))
            || edges_of(other).any(|edge| edge_crosses(edge, one)))
}

/// Whether `other` has corners on both sides of a triangle's plane.
fn straddles(triangle: [DVec3; 3], other: [DVec3; 3]) -> bool {
    let volumes = other.map(|corner| volume(triangle, corner));
    volumes.iter().any(|&volume| volume > 0.0) && volumes.iter().any(|&volume| volume < 0.0)
}

fn edges_of([a, b, c]: [DVec3; 3]) -> impl Iterator<Item = [DVec3; 2]> {
    [[a, b], [b, c], [c, a]].into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parry3d_f64::math::Pose;
    use parry3d_f64::query::{Ray, RayCast, intersection_test};
    use parry3d_f64::shape::Triangle;

    const FLAT: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    fn point(x: f64, y: f64, z: f64) -> DVec3 {
        DVec3::new(x, y, z)
    }

    #[test]
    fn an_edge_through_the_middle_crosses_and_one_beside_it_does_not() {
        let through = |x: f64| [point(x, 0.2, -1.0), point(x, 0.2, 1.0)];
        assert!(edge_crosses(through(0.2), FLAT));
        assert!(!edge_crosses(through(0.9), FLAT));
        let [p, q] = through(0.2);
        assert!(edge_crosses([q, p], FLAT), "either way round");
    }

    #[test]
    fn what_only_touches_does_not_cross() {
        let on_it = point(0.2, 0.2, 0.0);
        assert!(!edge_crosses([on_it, point(0.2, 0.2, 1.0)], FLAT));
        assert!(!edge_crosses([on_it, point(0.4, 0.3, 0.0)], FLAT));
        let standing = [on_it, point(0.4, 0.2, 1.0), point(0.2, 0.2, 1.0)];
        assert!(!triangles_cross(FLAT, standing));
        let sunk = standing.map(|corner| corner - DVec3::Z * 0.1);
        assert!(triangles_cross(FLAT, sunk));
        assert!(
            !triangles_cross(FLAT, FLAT.map(|p| p + DVec3::X * 0.1)),
            "in one plane"
        );
    }

    #[test]
    fn heights_are_signed_by_the_normal() {
        assert_eq!(height_over(FLAT, point(5.0, 5.0, 0.25)), Some(0.25));
        assert_eq!(height_over(FLAT, point(0.0, 0.0, -0.5)), Some(-0.5));
        assert_eq!(height_over([DVec3::X; 3], DVec3::ZERO), None);
    }

    /// Corners all over a cube, so that many of the pairs cross; none in line with others.
    fn scattered(k: u32) -> DVec3 {
        let part = |step: f64| ((f64::from(k) * step).sin() * 1e4).rem_euclid(1.0);
        point(part(12.9898), part(78.233), part(37.719))
    }

    #[test]
    fn parry_agrees_on_edges_and_triangles() {
        let here = Pose::IDENTITY;
        let mut crossing = 0;
        for k in 0..2000 {
            let corner = |ix: u32| scattered(6 * k + ix);
            let one = [0, 1, 2].map(corner);
            let other = [3, 4, 5].map(corner);
            let as_parry = |[a, b, c]: [DVec3; 3]| Triangle::new(a, b, c);
            let expected = intersection_test(&here, &as_parry(one), &here, &as_parry(other));
            let found = triangles_cross(one, other);
            assert_eq!(
                Ok(found),
                expected.map(|met| met.intersecting),
                "{one:?} {other:?}"
            );
            let along = Ray::new(other[0], other[1] - other[0]);
            let expected = as_parry(one).intersects_local_ray(&along, 1.0);
            assert_eq!(edge_crosses([other[0], other[1]], one), expected);
            crossing += u32::from(found);
        }
        assert!((200..1800).contains(&crossing), "{crossing}");
    }
}
