//! The body's skin in the pose of a frame.

use std::collections::BTreeSet;

use glam::{DVec3, Vec3};

use crate::math::triangle_tree::TriangleTree;

/// How far beneath a vertex is looked for whether the body winds round it more than once, metres of a person. So near, nothing but
/// the vertex's own skin lies between.
const BENEATH: f64 = 1e-4;

/// Just beneath its skin the body winds once round a point; where it cuts into itself, twice.
const WINDS_TWICE: f64 = 1.5;

/// Error that each patch of skin may add to a winding number.
const PATCH_TOLERANCE: f64 = 3e-5;

/// Skin, followed from frame to frame.
#[derive(Clone, Debug)]
pub(super) struct Skin {
    pub tree: TriangleTree,
    pub triangles: Vec<[u32; 3]>,
    /// Each once, lower end first.
    pub edges: Vec<[u32; 2]>,
    pub positions: Vec<DVec3>,
    /// Of vertices, unit length or zero.
    normals: Vec<DVec3>,
    /// How large the body is against a person: what is given in metres is multiplied by it.
    pub size: f64,
    /// 1; -1 for a body whose triangles run clockwise seen from outside.
    facing: f64,
}

impl Skin {
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]], size: f64) -> Self {
        let mut skin = Self {
            tree: TriangleTree::new(positions, triangles),
            triangles: triangles.to_vec(),
            edges: edges_of(triangles),
            positions: Vec::new(),
            normals: Vec::new(),
            size,
            facing: 1.0,
        };
        skin.refit(positions);
        skin.facing = skin.signed_volume().signum();
        skin
    }

    pub fn refit(&mut self, positions: &[Vec3]) {
        self.tree.refit(positions);
        self.positions = positions.iter().map(|p| p.as_dvec3()).collect();
        let mut normals = vec![DVec3::ZERO; positions.len()];
        for triangle in &self.triangles {
            let across = area_normal(self.corners(*triangle));
            for &ix in triangle {
                normals[ix as usize] += across;
            }
        }
        normals.iter_mut().for_each(|n| *n = n.normalize_or_zero());
        self.normals = normals;
    }

    /// Six times the volume that the triangles enclose: less than zero where they run clockwise seen from outside.
    fn signed_volume(&self) -> f64 {
        let count = self.positions.len().max(1) as f64;
        let centre = self.positions.iter().sum::<DVec3>() / count;
        let tetrahedron = |&triangle: &[u32; 3]| {
            let [a, b, c] = self.corners(triangle).map(|corner| corner - centre);
            a.dot(b.cross(c))
        };
        self.triangles.iter().map(tetrahedron).sum()
    }

    pub fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|ix| self.positions[ix as usize])
    }

    /// Whether a vertex lies inside another part of the body.
    pub fn is_in_itself(&self, vertex_ix: u32) -> bool {
        let ix = vertex_ix as usize;
        self.is_inside_twice(self.positions[ix], self.normals[ix])
    }

    /// Whether an edge comes out of another part of the body at most `reach` before it gets to a `point` on it from its end `inner`.
    pub fn comes_out_of_itself(
        &self,
        edge: [u32; 2],
        inner: u32,
        point: DVec3,
        reach: f64,
    ) -> bool {
        let offset = self.positions[inner as usize] - point;
        if offset.length() <= reach {
            return self.is_in_itself(inner);
        }
        let [a, b] = edge.map(|ix| self.normals[ix as usize]);
        self.is_inside_twice(
            point + offset.normalize() * reach,
            (a + b).normalize_or_zero(),
        )
    }

    /// Of a point on the skin, with the skin's normal there.
    fn is_inside_twice(&self, position: DVec3, normal: DVec3) -> bool {
        let beneath = position - self.facing * BENEATH * self.size * normal;
        let winding = self.tree.winding(beneath, PATCH_TOLERANCE).number;
        self.facing * winding >= WINDS_TWICE
    }
}

/// Each edge once, lower end first, in order.
pub(super) fn edges_of(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let edges = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let once: BTreeSet<_> = edges
        .filter(|[a, b]| a != b)
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    once.into_iter().collect()
}

/// Along the triangle's normal, as long as twice its area.
pub(super) fn area_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}
