//! The point of a triangle nearest to a point, and which of its Voronoi regions that point is in.
//!
//! Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1.5.

use glam::DVec3;

/// What of a triangle a point is nearest to: whose Voronoi region it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    Corner(usize),
    /// From this corner to the next.
    Edge(usize),
    Face,
}

/// The point of triangle `abc` nearest to `p`. For a triangle without area, the nearest point of its edges.
pub fn on_triangle(p: DVec3, corners: [DVec3; 3]) -> DVec3 {
    on_feature(p, corners).0
}

/// As [`on_triangle`], with what of the triangle it is.
pub fn on_feature(p: DVec3, [a, b, c]: [DVec3; 3]) -> (DVec3, Feature) {
    let normal = (b - a).cross(c - a);
    let left_of = |from: DVec3, to: DVec3| normal.dot((to - from).cross(p - from)) >= 0.0;
    if normal != DVec3::ZERO && left_of(a, b) && left_of(b, c) && left_of(c, a) {
        let on_plane = p - normal * (normal.dot(p - a) / normal.length_squared());
        return (on_plane, Feature::Face);
    }
    let mut nearest = (f64::INFINITY, a, Feature::Corner(0));
    let mut consider = |edge, from: DVec3, to: DVec3| {
        let share = share_of_segment(p, from, to);
        let point = from + (to - from) * share;
        let squared = p.distance_squared(point);
        if squared < nearest.0 {
            nearest = (squared, point, feature_of_edge(edge, share));
        }
    };
    consider(0, a, b);
    consider(1, b, c);
    consider(2, c, a);
    (nearest.1, nearest.2)
}

/// What a point of an edge is part of: 0 is its first corner, 1 the next.
fn feature_of_edge(edge: usize, share: f64) -> Feature {
    match share {
        0.0 => Feature::Corner(edge),
        1.0 => Feature::Corner((edge + 1) % 3),
        _ => Feature::Edge(edge),
    }
}

/// The point of segment `ab` nearest to `p`; `a` where the segment has no length.
pub fn on_segment(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    a + (b - a) * share_of_segment(p, a, b)
}

/// How much of the way from `a` to `b` the point nearest to `p` is; 0 where the segment has no length.
fn share_of_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let along = b - a;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        0.0
    } else {
        ((p - a).dot(along) / length_squared).clamp(0.0, 1.0)
    }
}

/// Barycentric coordinates of a point in the plane of a triangle, held within the triangle and summing to one: all of the first
/// corner where the triangle has no area.
pub fn barycentric(point: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a);
    if normal.length_squared() <= f64::MIN_POSITIVE {
        return DVec3::X;
    }
    let opposite = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal).max(0.0);
    let weights = DVec3::new(opposite(b, c), opposite(c, a), opposite(a, b));
    weights / weights.element_sum().max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_the_corners_make_up_the_point() {
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let shares = barycentric(DVec3::new(0.2, 0.3, 0.0), triangle);
        assert!(shares.distance(DVec3::new(0.5, 0.2, 0.3)) < 1e-12);
        let beyond = barycentric(DVec3::new(-1.0, 0.5, 0.0), triangle);
        assert!(beyond.min_element() >= 0.0 && (beyond.element_sum() - 1.0).abs() < 1e-12);
        assert_eq!(barycentric(DVec3::Y, [DVec3::ZERO; 3]), DVec3::X);
    }

    #[test]
    fn faces_edges_and_corners_are_each_found() {
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        for (p, nearest) in [
            (DVec3::new(0.2, 0.3, 0.7), DVec3::new(0.2, 0.3, 0.0)),
            (DVec3::new(0.4, -2.0, 1.0), DVec3::new(0.4, 0.0, 0.0)),
            (DVec3::new(1.0, 1.0, -1.0), DVec3::new(0.5, 0.5, 0.0)),
            (DVec3::new(-1.0, -1.0, 0.5), DVec3::ZERO),
            (DVec3::new(5.0, -1.0, 0.5), DVec3::X),
        ] {
            assert!(on_triangle(p, triangle).distance(nearest) < 1e-12, "{p}");
        }
    }

    #[test]
    fn each_voronoi_region_has_its_name() {
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        for (p, feature) in [
            (DVec3::new(0.2, 0.3, 0.7), Feature::Face),
            (DVec3::new(0.4, -2.0, 1.0), Feature::Edge(0)),
            (DVec3::new(1.0, 1.0, -1.0), Feature::Edge(1)),
            (DVec3::new(-1.0, 0.5, 0.0), Feature::Edge(2)),
            (DVec3::new(-1.0, -1.0, 0.5), Feature::Corner(0)),
            (DVec3::new(5.0, -1.0, 0.5), Feature::Corner(1)),
            (DVec3::new(-1.0, 5.0, 0.5), Feature::Corner(2)),
        ] {
            assert_eq!(on_feature(p, triangle).1, feature, "{p}");
        }
    }

    #[test]
    fn a_triangle_without_area_is_its_longest_edge() {
        let needle = [DVec3::ZERO, DVec3::X, DVec3::X * 0.5];
        assert_eq!(
            on_triangle(DVec3::new(0.7, 1.0, 0.0), needle),
            DVec3::X * 0.7
        );
        assert_eq!(on_triangle(DVec3::Y, [DVec3::ZERO; 3]), DVec3::ZERO);
    }
}
