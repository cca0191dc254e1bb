//! Rays through a mesh.

use super::wide::{BoxRay, Child};
use super::{Node, TriangleTree};
use glam::DVec3;

/// Nodes put off on the way down: more than three for each level of a tree of 2³² triangles, since every split halves.
const MAX_DEFERRED: usize = 64;

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

/// The nearest triangle so far; of two at one distance the first in the tree's order.
struct Nearest {
    distance: f64,
    triangle_ix: usize,
    leaves: bool,
}

impl TriangleTree {
    /// The first triangle from `origin` along `direction`, less than `within` lengths of it away.
    pub fn first_hit(&self, origin: DVec3, direction: DVec3, within: f64) -> Option<Hit> {
        let ray = BoxRay::new(origin, direction);
        let mut nearest = Nearest {
            distance: within,
            triangle_ix: usize::MAX,
            leaves: false,
        };
        let mut deferred = [(Child::ROOT, 0.0); MAX_DEFERRED];
        let mut count = usize::from(!self.nodes.is_empty());
        while count > 0 {
            count -= 1;
            let (child, enter) = deferred[count];
            if ray.is_beyond(enter, nearest.distance) {
                continue;
            }
            match child.leaf() {
                Some(ix) => self.meet_leaf(&self.nodes[ix], origin, direction, &mut nearest),
                None => {
                    let first = count;
                    for (child, enter) in self.wide.entered(child, &ray, nearest.distance) {
                        deferred[count] = (child, enter);
                        // The nearest is looked at next.
                        if count > first && enter > deferred[count - 1].1 {
                            deferred.swap(count - 1, count);
                        }
                        count += 1;
                    }
                }
            }
        }
        (nearest.triangle_ix != usize::MAX).then(|| Hit {
            distance: nearest.distance,
            triangle: self.triangles[nearest.triangle_ix],
            leaves: nearest.leaves,
        })
    }

    fn meet_leaf(&self, leaf: &Node, origin: DVec3, direction: DVec3, nearest: &mut Nearest) {
        for triangle_ix in leaf.triangles.clone() {
            let Some((distance, leaves)) = meet(self.corners[triangle_ix], origin, direction)
            else {
                continue;
            };
            let is_tie = distance == nearest.distance
                && nearest.triangle_ix != usize::MAX
                && triangle_ix < nearest.triangle_ix;
            if distance < nearest.distance || is_tie {
                *nearest = Nearest {
                    distance,
                    triangle_ix,
                    leaves,
                };
            }
        }
    }
}

/// Distance to a triangle along a ray, and whether it meets the back. Source: Möller and Trumbore, 1997.
#[inline]
fn meet([a, b, c]: [DVec3; 3], origin: DVec3, direction: DVec3) -> Option<(f64, bool)> {
    let (ab, ac, from_a) = (b - a, c - a, origin - a);
    let across = direction.cross(ac);
    let volume = ab.dot(across);
    let u = from_a.dot(across) / volume;
    // Most triangles of the leaves that a ray comes to lie beside it.
    if !(volume != 0.0 && (0.0..=1.0).contains(&u)) {
        return None;
    }
    let turned = from_a.cross(ab);
    let (v, t) = (direction.dot(turned) / volume, ac.dot(turned) / volume);
    (v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some((t, volume < 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::test_meshes::TestMesh;
    use glam::Vec3;

    /// The first of all triangles, one after the other.
    fn plainly(tree: &TriangleTree, origin: DVec3, direction: DVec3, within: f64) -> Option<Hit> {
        let mut first: Option<Hit> = None;
        for ix in 0..tree.triangle_count() {
            if let Some((distance, leaves)) = meet(tree.corners(ix), origin, direction)
                && distance < first.map_or(within, |hit| hit.distance)
            {
                let triangle = tree.vertices(ix);
                first = Some(Hit {
                    distance,
                    triangle,
                    leaves,
                });
            }
        }
        first
    }

    #[test]
    fn rays_find_what_a_look_at_all_triangles_finds() {
        // Far from the origin, where f32 is coarse, and with every triangle twice, so that there are ties.
        for centre in [Vec3::ZERO, Vec3::new(3000.0, -200.0, 70.0)] {
            let mesh = TestMesh::sphere(centre, 0.5, 20, 30)
                .with(TestMesh::sphere(centre + 0.3 * Vec3::X, 0.5, 20, 30))
                .with(TestMesh::sphere(centre, 0.5, 20, 30));
            let tree = TriangleTree::new(&mesh.positions, &mesh.triangles);
            for k in 0..2000 {
                let t = f64::from(k);
                let direction = DVec3::new((t * 0.7).sin(), (t * 1.1).cos(), (t * 1.9).sin());
                let direction = if k % 5 == 0 {
                    DVec3::AXES[k as usize % 3]
                } else {
                    direction
                };
                let from = centre.as_dvec3()
                    + 0.9 * DVec3::new((t * 0.3).cos(), (t * 2.3).sin(), (t * 1.7).cos());
                let within = if k % 3 == 0 {
                    f64::INFINITY
                } else {
                    0.1 + 0.001 * t
                };
                let found = tree.first_hit(from, direction, within);
                assert_eq!(
                    found,
                    plainly(&tree, from, direction, within),
                    "ray {k} at {centre}"
                );
            }
        }
    }

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
