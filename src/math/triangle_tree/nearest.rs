//! The point of a mesh nearest to a point.

use super::{Bounds, TriangleTree};
use crate::math::closest::on_triangle;
use glam::DVec3;

/// Where a mesh comes nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPoint {
    /// Of the mesh.
    pub point: DVec3,
    /// Metres to it.
    pub distance: f64,
    /// Vertex indices of the triangle that it lies on. Of several at one distance, one that only the mesh decides on.
    pub triangle: [u32; 3],
}

impl TriangleTree {
    /// The point of the mesh nearest to `point`, or nothing if none is nearer than `within` (which may be infinite).
    pub fn nearest_point(&self, point: DVec3, within: f64) -> Option<NearestPoint> {
        let mut found = None;
        let mut best_squared = within * within;
        self.visit_nearer(point, &mut best_squared, &mut |triangle_ix, best| {
            let on_mesh = on_triangle(point, self.corners[triangle_ix]);
            let squared = on_mesh.distance_squared(point);
            if squared < *best {
                *best = squared;
                found = Some((on_mesh, triangle_ix));
            }
        });
        let (on_mesh, triangle_ix) = found?;
        Some(NearestPoint {
            point: on_mesh,
            distance: best_squared.sqrt(),
            triangle: self.triangles[triangle_ix],
        })
    }

    /// The distance to the nearest triangle, or nothing if none is nearer than `within` (which may be infinite).
    ///
    /// `distance_squared` measures one triangle; it is the caller's, so that a measure can be independent of our own
    /// geometry.
    pub fn nearest(
        &self,
        point: DVec3,
        within: f64,
        distance_squared: impl Fn(DVec3, &[DVec3; 3]) -> f64,
    ) -> Option<f64> {
        let limit = within * within;
        let mut best = limit;
        self.visit_nearer(point, &mut best, &mut |triangle_ix, best| {
            *best = best.min(distance_squared(point, &self.corners[triangle_ix]));
        });
        (best < limit).then(|| best.sqrt())
    }

    /// Calls `visit` with the triangles that may be nearer than the root of `best_squared`, which it lowers; near boxes first.
    fn visit_nearer(
        &self,
        point: DVec3,
        best_squared: &mut f64,
        visit: &mut impl FnMut(usize, &mut f64),
    ) {
        if !self.nodes.is_empty() {
            self.search(0, point, best_squared, visit);
        }
    }

    fn search(
        &self,
        ix: usize,
        point: DVec3,
        best_squared: &mut f64,
        visit: &mut impl FnMut(usize, &mut f64),
    ) {
        let Some(children) = self.children(ix) else {
            for triangle_ix in self.nodes[ix].triangles.clone() {
                // A look at a box costs a tenth of one at its triangle.
                let [a, b, c] = self.corners[triangle_ix];
                let bounds = Bounds {
                    min: a.min(b).min(c),
                    max: a.max(b).max(c),
                };
                if bounds.distance_squared(point) < *best_squared {
                    visit(triangle_ix, best_squared);
                }
            }
            return;
        };
        let mut by_distance =
            children.map(|child| (self.bounds[child].distance_squared(point), child));
        if by_distance[1].0 < by_distance[0].0 {
            by_distance.swap(0, 1);
        }
        for (distance, child) in by_distance {
            if distance < *best_squared {
                self.search(child, point, best_squared, visit);
            }
        }
    }
}
