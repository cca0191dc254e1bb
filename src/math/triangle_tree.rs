//! A tree over a mesh's triangles: is a point inside, how far is the surface and where, what does a ray or a box meet.
//!
//! Built once for a topology and refitted when the mesh deforms. Answers do not depend on threads or on what was
//! asked before. In f64 throughout, because tests and quality figures are judged by it.

use super::dipole::Dipole;
use super::solid_angle::{INSIDE_WINDING, solid_angle_of_few};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::f64::consts::PI;
use std::ops::Range;

mod boxes;
mod flat;
mod nearest;
mod ray;
mod wide;

pub use flat::FlatNode;
pub use nearest::NearestPoint;
pub use ray::Hit;
use wide::WideNodes;

/// Triangles a leaf holds. Around 4; more makes exact sums near the surface dearer, fewer makes the tree deeper.
const LEAF_TRIANGLES: usize = 4;

/// Error each patch seen as a dipole may add to the winding number, from the first try to the last. About a hundred
/// patches make up a number, so the first is sufficient for nearly every point. Zero means the exact sum.
const PATCH_TOLERANCES: [f64; 3] = [2e-3, 3e-5, 0.0];

/// A bounding volume tree over triangles, in metres.
#[derive(Clone, Debug)]
pub struct TriangleTree {
    /// Vertex indices, sorted so that every node owns a run.
    triangles: Vec<[u32; 3]>,
    /// Where each stands in the list that the tree was made of.
    numbers: Vec<u32>,
    /// The positions of those vertices.
    corners: Vec<[DVec3; 3]>,
    /// Parents before children; the left child follows its parent.
    nodes: Vec<Node>,
    /// One per node.
    bounds: Vec<Bounds>,
    /// One per node.
    dipoles: Vec<Dipole>,
    /// The same nodes for rays.
    wide: WideNodes,
}

/// A winding number and how far off it may be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Winding {
    /// See [`super::solid_angle::winding_number`].
    pub number: f64,
    /// The true number lies no further away than this (besides rounding, about 1e-13).
    pub error_bound: f64,
}

#[derive(Clone, Debug)]
struct Node {
    triangles: Range<usize>,
    /// The first node that is not under this one.
    next: usize,
}

#[derive(Clone, Copy, Debug)]
struct Bounds {
    min: DVec3,
    max: DVec3,
}

impl Bounds {
    const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, point| Self {
            min: b.min.min(point),
            max: b.max.max(point),
        })
    }

    fn joined(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Squared distance to the box, zero inside it.
    #[inline]
    fn distance_squared(&self, point: DVec3) -> f64 {
        point.clamp(self.min, self.max).distance_squared(point)
    }
}

impl TriangleTree {
    /// Builds the tree. An empty mesh is allowed: nothing is inside it and nothing near it.
    ///
    /// # Panics
    /// If a triangle names a vertex that does not exist.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let mut tree = Self {
            triangles: triangles.to_vec(),
            numbers: Vec::new(),
            corners: vec![[DVec3::ZERO; 3]; triangles.len()],
            nodes: Vec::new(),
            bounds: Vec::new(),
            dipoles: Vec::new(),
            wide: WideNodes::default(),
        };
        let mut centroids: Vec<_> = triangles
            .iter()
            .zip(0..)
            .map(|(&t, number)| (centroid(positions, t), t, number))
            .collect();
        if !triangles.is_empty() {
            add_node(&mut tree.nodes, &mut centroids, 0);
        }
        (tree.triangles, tree.numbers) = centroids.into_iter().map(|(_, t, n)| (t, n)).unzip();
        tree.bounds = vec![Bounds::EMPTY; tree.nodes.len()];
        tree.dipoles = vec![Dipole::default(); tree.nodes.len()];
        tree.wide = WideNodes::gather(&tree);
        tree.refit(positions);
        tree
    }

    /// Follows the mesh to new vertex positions. Slower to search, never wrong, when the shape has changed much.
    ///
    /// # Panics
    /// If there are fewer positions than the triangles name.
    pub fn refit(&mut self, positions: &[Vec3]) {
        let corners_of = |t: &[u32; 3]| t.map(|ix| positions[ix as usize].as_dvec3());
        self.triangles
            .par_iter()
            .map(corners_of)
            .collect_into_vec(&mut self.corners);
        for ix in (0..self.nodes.len()).rev() {
            (self.bounds[ix], self.dipoles[ix]) = self.fitted(ix);
        }
        self.wide.refit(&self.bounds);
    }

    fn fitted(&self, ix: usize) -> (Bounds, Dipole) {
        let Some([left, right]) = self.children(ix) else {
            let corners = &self.corners[self.nodes[ix].triangles.clone()];
            let mut parts = [Dipole::default(); LEAF_TRIANGLES];
            for (part, &triangle) in parts.iter_mut().zip(corners) {
                *part = Dipole::of_triangle(triangle);
            }
            let bounds = Bounds::around(corners.iter().flatten().copied());
            return (bounds, Dipole::of_parts(&parts[..corners.len()]));
        };
        let bounds = self.bounds[left].joined(self.bounds[right]);
        (
            bounds,
            Dipole::of_parts(&[self.dipoles[left], self.dipoles[right]]),
        )
    }

    /// A node's children, or nothing for a leaf.
    fn children(&self, ix: usize) -> Option<[usize; 2]> {
        let left = ix + 1;
        (self.nodes[ix].next > left).then(|| [left, self.nodes[left].next])
    }

    /// The winding number at a point, where each patch seen as a dipole may add `patch_tolerance` of error.
    ///
    /// A tolerance of zero gives the exact sum.
    pub fn winding(&self, point: DVec3, patch_tolerance: f64) -> Winding {
        let inverse_tolerance_root = patch_tolerance.sqrt().sqrt().recip();
        let mut winding = Winding::default();
        let mut ix = 0;
        while let Some(node) = self.nodes.get(ix) {
            let dipole = &self.dipoles[ix];
            let is_leaf = node.next == ix + 1;
            if let Some(term) = dipole.term(point, dipole.nearest_use(inverse_tolerance_root)) {
                winding.number += term.value;
                winding.error_bound += term.error_bound;
            } else if is_leaf {
                winding.number += self.exact_part(node, point);
            } else {
                ix += 1;
                continue;
            }
            ix = node.next;
        }
        winding
    }

    fn exact_part(&self, node: &Node, point: DVec3) -> f64 {
        solid_angle_of_few(point, &self.corners[node.triangles.clone()]) / (4.0 * PI)
    }

    /// Whether the exact winding number at a point reaches [`INSIDE_WINDING`].
    ///
    /// Approximates only as far as the bound on the error leaves no doubt, so the answer is that of the exact sum.
    pub fn contains(&self, point: DVec3) -> bool {
        self.winds(point, |number| number)
    }

    /// [`Self::contains`], whichever way round the triangles run: whether the winding number's size reaches [`INSIDE_WINDING`].
    pub fn contains_either_way(&self, point: DVec3) -> bool {
        self.winds(point, f64::abs)
    }

    /// Whether what `size` makes of the winding number, which it may turn but not stretch, reaches [`INSIDE_WINDING`].
    fn winds(&self, point: DVec3, size: fn(f64) -> f64) -> bool {
        let outside_bounds = self
            .bounds
            .first()
            .is_none_or(|b| b.distance_squared(point) > 0.0);
        if outside_bounds {
            return false;
        }
        let mut inside = false;
        for tolerance in PATCH_TOLERANCES {
            let winding = self.winding(point, tolerance);
            let number = size(winding.number);
            inside = number >= INSIDE_WINDING;
            if (number - INSIDE_WINDING).abs() > winding.error_bound {
                break;
            }
        }
        inside
    }
}

fn centroid(positions: &[Vec3], triangle: [u32; 3]) -> DVec3 {
    triangle
        .iter()
        .map(|&ix| positions[ix as usize].as_dvec3())
        .sum::<DVec3>()
        / 3.0
}

/// A triangle's centroid, its vertices and its number in the list.
type Placed = (DVec3, [u32; 3], u32);

/// Adds the node of a run of triangles that starts at `first`, and all under it, sorting the run on the way.
fn add_node(nodes: &mut Vec<Node>, run: &mut [Placed], first: usize) {
    let ix = nodes.len();
    nodes.push(Node {
        triangles: first..first + run.len(),
        next: 0,
    });
    if run.len() > LEAF_TRIANGLES {
        let bounds = Bounds::around(run.iter().map(|placed| placed.0));
        let axis = (bounds.max - bounds.min).max_position();
        let middle = run.len() / 2;
        // Ties broken by the vertices, so that the tree does not depend on how the selection walks.
        run.select_nth_unstable_by(middle, |a, b| {
            let by_vertices = (a.1, a.2).cmp(&(b.1, b.2));
            a.0[axis].total_cmp(&b.0[axis]).then(by_vertices)
        });
        let (left, right) = run.split_at_mut(middle);
        add_node(nodes, left, first);
        add_node(nodes, right, first + middle);
    }
    nodes[ix].next = nodes.len();
}

#[cfg(test)]
mod tests;
