//! How far one surface lies from another: the Hausdorff distance of the paper's section 3.1.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use crate::math::triangle_tree::TriangleTree;

/// Distances from a surface to another, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// The one-sided Hausdorff distance, as far as points find it.
    pub max: f64,
    /// Weighed by area.
    pub mean: f64,
}

/// How far a surface lies from another, by so many points, each for the same area, and for the maximum all vertices of triangles too.
///
/// Deterministic: the points are those of a sequence of low discrepancy.
pub fn deviation(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    to: &TriangleTree,
    point_count: usize,
) -> Deviation {
    let corners: Vec<[DVec3; 3]> = triangles
        .iter()
        .map(|t| t.map(|ix| positions[ix as usize].as_dvec3()))
        .collect();
    let ends = area_ends(&corners);
    let Some(&area) = ends.last().filter(|&&area| area > 0.0) else {
        return Deviation::default();
    };
    let distance = |point: DVec3| {
        let nearest = to.nearest_point(point, f64::INFINITY);
        nearest.map_or(f64::INFINITY, |nearest| nearest.distance)
    };
    let of_points: Vec<f64> = (0..point_count)
        .into_par_iter()
        .map(|ix| {
            let at = (ix as f64 + 0.5) / point_count as f64 * area;
            let triangle_ix = ends.partition_point(|&end| end <= at).min(ends.len() - 1);
            distance(point_of(corners[triangle_ix], ix))
        })
        .collect();
    let of_corners = corners.par_iter().flatten_iter();
    let of_corners: Vec<f64> = of_corners.map(|&corner| distance(corner)).collect();
    Deviation {
        max: of_points
            .iter()
            .chain(&of_corners)
            .copied()
            .fold(0.0, f64::max),
        mean: of_points.iter().sum::<f64>() / point_count.max(1) as f64,
    }
}

/// The areas of the triangles up to each.
fn area_ends(corners: &[[DVec3; 3]]) -> Vec<f64> {
    let mut sum = 0.0;
    let ends = corners.iter().map(|[a, b, c]| {
        sum += 0.5 * (*b - *a).cross(*c - *a).length();
        sum
    });
    ends.collect()
}

/// A point of a triangle, by Roberts' sequence: powers of the plastic number's inverse.
fn point_of([a, b, c]: [DVec3; 3], ix: usize) -> DVec3 {
    let along = |step: f64| (0.5 + step * ix as f64).fract();
    let (u, v) = (
        along(0.754_877_666_246_692_7).sqrt(),
        along(0.569_840_290_998_053_3),
    );
    a * (1.0 - u) + b * (u * (1.0 - v)) + c * (u * v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::test_meshes::TestMesh;

    #[test]
    fn two_boxes_lie_as_far_apart_as_they_do() {
        let inner = TestMesh::cuboid(Vec3::ZERO, Vec3::ONE);
        let outer = TestMesh::cuboid(Vec3::splat(-0.1), Vec3::splat(1.1));
        let tree = |mesh: &TestMesh| TriangleTree::new(&mesh.positions, &mesh.triangles);
        let inwards = deviation(&outer.positions, &outer.triangles, &tree(&inner), 10_000);
        let outwards = deviation(&inner.positions, &inner.triangles, &tree(&outer), 10_000);
        assert!((inwards.max - 0.03_f64.sqrt()).abs() < 1e-6, "{inwards:?}");
        assert!(inwards.mean > 0.1 && inwards.mean < 0.11, "{inwards:?}");
        assert!(
            (outwards.max - 0.1).abs() < 1e-6 && (outwards.mean - 0.1).abs() < 1e-6,
            "{outwards:?}"
        );
    }

    #[test]
    fn a_thousandth_of_a_surface_that_stands_out_is_seen() {
        let flat = TestMesh::cuboid(Vec3::ZERO, Vec3::ONE);
        let bump = TestMesh::cuboid(Vec3::splat(0.5), Vec3::new(0.51, 0.51, 1.3));
        let tree = TriangleTree::new(&flat.positions, &flat.triangles);
        let both = flat.with(bump);
        let found = deviation(&both.positions, &both.triangles, &tree, 1000);
        assert!(
            (found.max - 0.3).abs() < 0.21 && found.max >= 0.3 - 1e-6,
            "{found:?}"
        );
    }
}
