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
    /// Where the tree has that triangle.
    pub place: usize,
}

impl TriangleTree {
    /// The point of the mesh nearest to `point`, or nothing if none is nearer than `within` (which may be infinite).
    pub fn nearest_point(&self, point: DVec3, within: f64) -> Option<NearestPoint> {
        self.nearest_from(point, within * within, None)
    }

    /// As [`TriangleTree::nearest_point`], and sooner where the triangle at `place` is near already, as that of a point beside it is.
    pub fn nearest_point_beside(
        &self,
        point: DVec3,
        within: f64,
        place: usize,
    ) -> Option<NearestPoint> {
        let on_mesh = on_triangle(point, self.corners[place]);
        let (squared, limit) = (on_mesh.distance_squared(point), within * within);
        let found = (squared < limit).then_some((on_mesh, place));
        self.nearest_from(point, squared.min(limit), found)
    }

    /// What is nearer than `found`, whose squared distance `best_squared` is.
    fn nearest_from(
        &self,
        point: DVec3,
        mut best_squared: f64,
        mut found: Option<(DVec3, usize)>,
    ) -> Option<NearestPoint> {
        self.visit_nearer(point, &mut best_squared, &mut |place, best| {
            let on_mesh = on_triangle(point, self.corners[place]);
            let squared = on_mesh.distance_squared(point);
            if squared < *best {
                *best = squared;
                found = Some((on_mesh, place));
            }
        });
        let (on_mesh, place) = found?;
        Some(NearestPoint {
            point: on_mesh,
            distance: best_squared.sqrt(),
            triangle: self.triangles[place],
            place,
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
        // Without `map` over arrays, which is a call for each of them where it is not optimised away.
        let [mut near, mut far] = children;
        let mut to_near = self.bounds[near].distance_squared(point);
        let mut to_far = self.bounds[far].distance_squared(point);
        if to_far < to_near {
            (near, far, to_near, to_far) = (far, near, to_far, to_near);
        }
        if to_near < *best_squared {
            self.search(near, point, best_squared, visit);
        }
        if to_far < *best_squared {
            self.search(far, point, best_squared, visit);
        }
    }
}
