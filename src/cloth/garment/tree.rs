//! A bounding volume hierarchy over triangles: nearest point and winding number.

use glam::{Vec2, Vec3};

/// Triangles at most in a leaf; 4 to 8 is usual, more makes queries slower and the tree smaller.
const LEAF_TRIANGLES: usize = 6;
/// A node seen from farther than this many times its radius counts as a dipole in the winding number. 2 is usual
/// (error below 1 %); less is faster and blurs the inside near the surface.
const DIPOLE_RADII: f32 = 2.0;

/// Triangles arranged for queries.
pub(super) struct TriangleTree {
    nodes: Vec<Node>,
    triangles: Vec<[Vec3; 3]>,
    /// Index of each triangle in the list the tree was made from.
    source_ix: Vec<u32>,
}

struct Node {
    min: Vec3,
    max: Vec3,
    /// Leaf: first triangle. Inner node: index of the second child; the first follows the node.
    first: u32,
    /// Triangles in a leaf, 0 in an inner node.
    count: u32,
    centre: Vec3,
    radius: f32,
    /// Sum of the triangles' normals, each as long as its area.
    area_normal: Vec3,
}

/// The point of a mesh nearest to a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub point: Vec3,
    pub distance: f32,
    /// In the list the tree was made from.
    pub triangle_ix: u32,
}

impl TriangleTree {
    /// Arranges those of `triangles` that have their index in `chosen`.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]], chosen: impl Fn(usize) -> bool) -> Self {
        let mut source_ix: Vec<u32> = (0..triangles.len())
            .filter(|&ix| chosen(ix))
            .map(|ix| ix as u32)
            .collect();
        let corners =
            |ix: u32| triangles[ix as usize].map(|vertex_ix| positions[vertex_ix as usize]);
        let mut tree = Self {
            nodes: Vec::new(),
            triangles: Vec::new(),
            source_ix: Vec::new(),
        };
        if !source_ix.is_empty() {
            let count = source_ix.len();
            tree.build(&mut source_ix, 0..count, &corners);
            tree.triangles = source_ix.iter().map(|&ix| corners(ix)).collect();
            tree.source_ix = source_ix;
        }
        tree
    }

    fn build(
        &mut self,
        order: &mut [u32],
        range: std::ops::Range<usize>,
        corners: &impl Fn(u32) -> [Vec3; 3],
    ) {
        let node_ix = self.nodes.len();
        self.nodes.push(Node::around(
            order[range.clone()].iter().map(|&ix| corners(ix)),
        ));
        if range.len() <= LEAF_TRIANGLES {
            self.nodes[node_ix].first = range.start as u32;
            self.nodes[node_ix].count = range.len() as u32;
            return;
        }
        let extent = self.nodes[node_ix].max - self.nodes[node_ix].min;
        let axis = extent.max_position();
        let key = |ix: u32| corners(ix).iter().map(|corner| corner[axis]).sum::<f32>();
        let middle = range.start + range.len() / 2;
        order[range.clone()].select_nth_unstable_by(range.len() / 2, |&a, &b| {
            key(a).total_cmp(&key(b)).then(a.cmp(&b))
        });
        self.build(order, range.start..middle, corners);
        self.nodes[node_ix].first = self.nodes.len() as u32;
        self.build(order, middle..range.end, corners);
    }

    /// The nearest point no farther than `limit`.
    pub fn nearest(&self, query: Vec3, limit: f32) -> Option<Nearest> {
        let mut best = None;
        let mut best_squared = limit * limit;
        let mut stack = Vec::with_capacity(32);
        if let Some(root) = self.nodes.first() {
            stack.push((0usize, root.distance_squared(query)));
        }
        while let Some((node_ix, node_squared)) = stack.pop() {
            if node_squared > best_squared {
                continue;
            }
            let node = &self.nodes[node_ix];
            if node.count == 0 {
                let mut children = [node_ix + 1, node.first as usize]
                    .map(|ix| (ix, self.nodes[ix].distance_squared(query)));
                // The nearer child is pushed last, so visited first.
                children.sort_by(|a, b| b.1.total_cmp(&a.1));
                stack.extend(children);
                continue;
            }
            for ix in node.first as usize..(node.first + node.count) as usize {
                let point = closest_on_triangle(query, self.triangles[ix]);
                let squared = point.distance_squared(query);
                if squared <= best_squared {
                    best_squared = squared;
                    best = Some(Nearest {
                        point,
                        distance: squared.sqrt(),
                        triangle_ix: self.source_ix[ix],
                    });
                }
            }
        }
        best
    }

    /// How many times the surface winds round the point: 1 inside a closed mesh, 0 outside, in between near holes.
    pub fn winding_number(&self, query: Vec3) -> f32 {
        let mut solid_angle = 0.0;
        let mut stack = Vec::with_capacity(32);
        stack.extend((!self.nodes.is_empty()).then_some(0usize));
        while let Some(node_ix) = stack.pop() {
            let node = &self.nodes[node_ix];
            let towards = node.centre - query;
            let distance = towards.length();
            if distance > DIPOLE_RADII * node.radius {
                solid_angle += towards.dot(node.area_normal)
                    / (distance * distance * distance).max(f32::MIN_POSITIVE);
            } else if node.count == 0 {
                stack.extend([node_ix + 1, node.first as usize]);
            } else {
                let leaf = node.first as usize..(node.first + node.count) as usize;
                solid_angle += self.triangles[leaf]
                    .iter()
                    .map(|&triangle| signed_solid_angle(query, triangle))
                    .sum::<f32>();
            }
        }
        solid_angle / (4.0 * std::f32::consts::PI)
    }
}

impl Node {
    fn around(triangles: impl Iterator<Item = [Vec3; 3]> + Clone) -> Self {
        let corners = triangles.clone().flatten();
        let (min, max) = corners.clone().fold(
            (Vec3::INFINITY, Vec3::NEG_INFINITY),
            |(min, max), corner| (min.min(corner), max.max(corner)),
        );
        let area_normals = triangles
            .clone()
            .map(|[a, b, c]| 0.5 * (b - a).cross(c - a));
        let area: f32 = area_normals.clone().map(Vec3::length).sum();
        let weighted = triangles.zip(area_normals.clone());
        let moment: Vec3 = weighted
            .map(|([a, b, c], normal)| (a + b + c) / 3.0 * normal.length())
            .sum();
        let centre = if area > 0.0 {
            moment / area
        } else {
            0.5 * (min + max)
        };
        let radius = corners
            .map(|corner| corner.distance(centre))
            .fold(0.0, f32::max);
        Self {
            min,
            max,
            first: 0,
            count: 0,
            centre,
            radius,
            area_normal: area_normals.sum(),
        }
    }

    fn distance_squared(&self, query: Vec3) -> f32 {
        query.clamp(self.min, self.max).distance_squared(query)
    }
}

/// The solid angle of a triangle (van Oosterom and Strackee 1983), positive where its back is seen.
fn signed_solid_angle(query: Vec3, triangle: [Vec3; 3]) -> f32 {
    let [a, b, c] = triangle.map(|corner| corner - query);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * a.dot(b.cross(c)).atan2(denominator)
}

/// The point of a triangle nearest to `query` (Ericson, Real-Time Collision Detection, 5.1.5).
pub(super) fn closest_on_triangle(query: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let (ab, ac) = (b - a, c - a);
    let from_a = Vec2::new(ab.dot(query - a), ac.dot(query - a));
    if from_a.x <= 0.0 && from_a.y <= 0.0 {
        return a;
    }
    let from_b = Vec2::new(ab.dot(query - b), ac.dot(query - b));
    if from_b.x >= 0.0 && from_b.y <= from_b.x {
        return b;
    }
    let vc = from_a.x * from_b.y - from_b.x * from_a.y;
    if vc <= 0.0 && from_a.x >= 0.0 && from_b.x <= 0.0 {
        return a + ab * ratio(from_a.x, from_a.x - from_b.x);
    }
    let from_c = Vec2::new(ab.dot(query - c), ac.dot(query - c));
    if from_c.y >= 0.0 && from_c.x <= from_c.y {
        return c;
    }
    let vb = from_c.x * from_a.y - from_a.x * from_c.y;
    if vb <= 0.0 && from_a.y >= 0.0 && from_c.y <= 0.0 {
        return a + ac * ratio(from_a.y, from_a.y - from_c.y);
    }
    let va = from_b.x * from_c.y - from_c.x * from_b.y;
    let (along_b, along_c) = (from_b.y - from_b.x, from_c.x - from_c.y);
    if va <= 0.0 && along_b >= 0.0 && along_c >= 0.0 {
        return b + (c - b) * ratio(along_b, along_b + along_c);
    }
    let sum = va + vb + vc;
    a + ab * ratio(vb, sum) + ac * ratio(vc, sum)
}

/// 0 where a triangle without area leaves nothing to divide by.
fn ratio(numerator: f32, denominator: f32) -> f32 {
    if denominator == 0.0 {
        0.0
    } else {
        numerator / denominator
    }
}

/// Barycentric coordinates of a point in the plane of a triangle, clamped to the triangle and summing to one.
pub(super) fn barycentric(point: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let normal = (b - a).cross(c - a);
    if normal.length_squared() <= f32::MIN_POSITIVE {
        return Vec3::X;
    }
    let opposite = |from: Vec3, to: Vec3| (to - from).cross(point - from).dot(normal).max(0.0);
    let weights = Vec3::new(opposite(b, c), opposite(c, a), opposite(a, b));
    weights / weights.element_sum().max(f32::MIN_POSITIVE)
}
