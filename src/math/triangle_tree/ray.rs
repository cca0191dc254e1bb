//! Rays through a mesh.

use super::{Bounds, Node, TriangleTree};
use glam::DVec3;

/// Where a ray meets the mesh first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// In lengths of the ray's direction.
    pub distance: f64,
    /// Vertex indices of the triangle.
    pub triangle: [u32; 3],
    /// The ray meets the triangle's back: it comes from inside a closed mesh.
    pub leaves: bool,
}

impl TriangleTree {
    /// The first triangle from `origin` along `direction`, less than `within` lengths of it away.
    pub fn first_hit(&self, origin: DVec3, direction: DVec3, within: f64) -> Option<Hit> {
        let inverse = direction.recip();
        let (mut first, mut limit) = (None, within);
        let mut ix = 0;
        while let Some(node) = self.nodes.get(ix) {
            if !self.bounds[ix].meets(origin, inverse, limit) {
                ix = node.next;
                continue;
            }
            if node.next == ix + 1 {
                first = self
                    .first_in_leaf(node, origin, direction, &mut limit)
                    .or(first);
            }
            ix += 1;
        }
        first
    }

    fn first_in_leaf(
        &self,
        leaf: &Node,
        origin: DVec3,
        direction: DVec3,
        limit: &mut f64,
    ) -> Option<Hit> {
        let mut first = None;
        for triangle_ix in leaf.triangles.clone() {
            let Some((distance, leaves)) = meet(self.corners[triangle_ix], origin, direction)
            else {
                continue;
            };
            if distance < *limit {
                *limit = distance;
                first = Some(Hit {
                    distance,
                    triangle: self.triangles[triangle_ix],
                    leaves,
                });
            }
        }
        first
    }
}

impl Bounds {
    fn meets(&self, origin: DVec3, inverse: DVec3, within: f64) -> bool {
        let (a, b) = ((self.min - origin) * inverse, (self.max - origin) * inverse);
        // A ray along a face of the box gives 0 · ∞ = NaN; glam's min and max then keep the other side or NaN, and
        // the comparison is written so that NaN counts as a meeting.
        let (enter, leave) = (
            a.min(b).max_element().max(0.0),
            a.max(b).min_element().min(within),
        );
        !(enter > leave)
    }
}

/// Distance to a triangle along a ray, and whether it meets the back. Source: Möller and Trumbore, 1997.
fn meet([a, b, c]: [DVec3; 3], origin: DVec3, direction: DVec3) -> Option<(f64, bool)> {
    let (ab, ac, from_a) = (b - a, c - a, origin - a);
    let across = direction.cross(ac);
    let volume = ab.dot(across);
    let turned = from_a.cross(ab);
    let (u, v, t) = (
        from_a.dot(across) / volume,
        direction.dot(turned) / volume,
        ac.dot(turned) / volume,
    );
    (volume != 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some((t, volume < 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_ray_finds_the_nearer_of_two_walls_and_knows_its_side() {
        let wall = |x: f32| [(x, -1.0, -1.0), (x, 2.0, -1.0), (x, -1.0, 2.0)].map(Vec3::from);
        let positions = [wall(1.0), wall(2.0)].concat();
        let tree = TriangleTree::new(&positions, &[[3, 4, 5], [0, 2, 1]]);
        let near = tree
            .first_hit(DVec3::ZERO, DVec3::X, 10.0)
            .expect("two walls ahead");
        assert_eq!(
            (near.distance, near.triangle, near.leaves),
            (1.0, [0, 2, 1], false)
        );
        let far = tree
            .first_hit(DVec3::X * 1.5, DVec3::X, 10.0)
            .expect("one wall ahead");
        assert_eq!(
            (far.distance, far.triangle, far.leaves),
            (0.5, [3, 4, 5], true)
        );
        assert_eq!(tree.first_hit(DVec3::ZERO, DVec3::X, 0.9), None);
        assert_eq!(tree.first_hit(DVec3::ZERO, DVec3::NEG_X, 10.0), None);
    }
}
