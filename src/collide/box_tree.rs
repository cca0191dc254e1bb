//! A tree of boxes round the skin's triangles, built once and refitted every step: what the hierarchies share.
//!
//! Boxes cover a triangle's way through the whole step, from where it was to where it will be, so that one refit serves all
//! sub-steps. Built in the bind pose: triangles that are neighbours there stay neighbours however the character moves. Each body has a tree
//! of its own, and a top level joins them: bind poses lie on one another, and a box round triangles of two bodies would span both.
//!
//! Its layout is the GPU's, level by level and with as many children as a builder likes. For questions on the CPU there is
//! [`TriangleTree`](crate::math::triangle_tree::TriangleTree).

mod cluster;
pub mod eight_way;
pub mod searched;
mod skin_tree;

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::Bodies;
use super::detector::{DebugDraw, DebugLayer, DebugShader, DebugStyle};
use super::skin_triangles::{BindSkin, SkinTopology, SkinTriangles};
use crate::gpu::{Bind, Buffer, ComputePipeline, Gpu, GpuError, Recorder, Uploads, shaders};
use crate::math::Bounds;

pub use skin_tree::SkinTree;

/// Set in [`BoxNode::count`] of a leaf, whose `first` and `count` are of triangles.
pub const LEAF: u32 = 1 << 31;
/// The parent of the root.
pub const NO_NODE: u32 = u32::MAX;

/// `BoxNode` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct BoxNode {
    /// World space, metres.
    pub low: Vec3,
    /// The first child, or the first triangle of a leaf.
    pub first: u32,
    pub high: Vec3,
    /// How many children, or triangles and [`LEAF`].
    pub count: u32,
}

/// What a builder makes: the shape of a tree, level by level, the root first.
#[derive(Clone, Debug, Default)]
pub struct BoxTree {
    /// Children of one node lie one after the other. Boxes are empty until the first refit.
    pub nodes: Vec<BoxNode>,
    /// One per node; [`NO_NODE`] for the root.
    pub parents: Vec<u32>,
    /// The nodes of each level.
    pub levels: Vec<Range<u32>>,
}

/// Draws the boxes of one level.
pub(super) const BOXES: DebugShader = DebugShader {
    vertex: &shaders::SHARED_SHOW_BOXES_VERT,
    style: DebugStyle::Lines,
};

/// Boxes that are drawn at most: more hide each other.
const MAX_BOXES: u32 = 800;

/// Twelve edges of two triangles.
const VERTICES_PER_BOX: u32 = 72;

/// The last level of a tree, from the root down, before there are too many boxes.
pub(super) fn show_boxes(skin_tree: &SkinTree) -> DebugDraw {
    let (tree, boxes) = (skin_tree.tree(), skin_tree.boxes());
    let fits = |level: &&Range<u32>| level.len() as u32 <= MAX_BOXES;
    let level = tree.levels.iter().take_while(fits).last();
    let level = level.cloned().unwrap_or(0..0);
    DebugDraw {
        layer: DebugLayer::Structure,
        shader: BOXES,
        bindings: vec![boxes.nodes().into()],
        push: bytemuck::bytes_of(&level.start).to_vec(),
        vertex_count: VERTICES_PER_BOX,
        instance_count: level.len() as u32,
    }
}

/// A node before it is laid out.
pub trait Branch: Sized {
    /// Its children, none for a leaf.
    fn children(&self) -> Vec<Self>;
    /// The triangles of a leaf.
    fn triangles(&self) -> Vec<u32>;
}

impl BoxTree {
    /// Lays out a tree level by level. Also returns the order that it sorts the triangles into, leaf by leaf.
    pub fn of(root: impl Branch) -> (Self, Vec<u32>) {
        let (mut tree, mut order) = (Self::default(), Vec::new());
        let mut level = vec![(NO_NODE, root)];
        while !level.is_empty() {
            let first = tree.nodes.len() as u32;
            let mut first_child = first + level.len() as u32;
            let mut next = Vec::new();
            for (parent_ix, branch) in level {
                let node_ix = tree.nodes.len() as u32;
                let children = branch.children();
                let (first, count) = match children.len() as u32 {
                    0 => {
                        let first = order.len() as u32;
                        order.extend(branch.triangles());
                        (first, LEAF | (order.len() as u32 - first))
                    }
                    count => (first_child, count),
                };
                first_child += children.len() as u32;
                tree.add(parent_ix, first, count);
                next.extend(children.into_iter().map(|child| (node_ix, child)));
            }
            tree.levels.push(first..tree.nodes.len() as u32);
            level = next;
        }
        (tree, order)
    }

    fn add(&mut self, parent_ix: u32, first: u32, count: u32) {
        self.parents.push(parent_ix);
        self.nodes.push(BoxNode {
            low: Vec3::INFINITY,
            first,
            high: Vec3::NEG_INFINITY,
            count,
        });
    }

    /// Fits the boxes round triangles that move from `before` to `after`: the twin of glsl/shared/refit.comp.
    pub fn refit(&mut self, topology: &SkinTopology, before: &[Vec3], after: &[Vec3]) {
        for node_ix in (0..self.nodes.len()).rev() {
            let BoxNode { first, count, .. } = self.nodes[node_ix];
            let range = first as usize..(first + (count & !LEAF)) as usize;
            let bounds = if count & LEAF == 0 {
                let boxes = self.nodes[range].iter().map(|child| Bounds {
                    low: child.low,
                    high: child.high,
                });
                boxes.fold(Bounds::EMPTY, Bounds::union)
            } else {
                let corners = topology.triangles[range].iter().flat_map(|t| t.vertices);
                let points = corners.flat_map(|ix| [before[ix as usize], after[ix as usize]]);
                points
                    .map(|point| Bounds::of_ball(point, 0.0))
                    .fold(Bounds::EMPTY, Bounds::union)
            };
            (self.nodes[node_ix].low, self.nodes[node_ix].high) = (bounds.low, bounds.high);
        }
    }
}

/// Where a triangle lies: first its body, then its place on a curve that fills the body's space, 30 bits. Sorting by it brings near ones
/// together, and keeps bodies apart, whose bind poses lie on one another.
pub type PlaceKey = (u32, u32);

/// The keys of all triangles.
pub fn place_keys(skin: &BindSkin) -> Vec<PlaceKey> {
    let middle = |ix: usize| skin.corners(ix).into_iter().sum::<Vec3>() / 3.0;
    let mut spaces = vec![Bounds::EMPTY; skin.bodies.iter().max().map_or(0, |&ix| ix as usize + 1)];
    for (triangle_ix, &body_ix) in skin.bodies.iter().enumerate() {
        let space = &mut spaces[body_ix as usize];
        *space = space.union(Bounds::of_ball(middle(triangle_ix), 0.0));
    }
    let bodies = skin.bodies.iter().enumerate();
    bodies
        .map(|(ix, &body_ix)| (body_ix, morton_code(middle(ix), spaces[body_ix as usize])))
        .collect()
}

/// Where a point of a space lies on a curve that fills it.
fn morton_code(point: Vec3, space: Bounds) -> u32 {
    let scale = 1023.0 / space.size().max_element().max(f32::MIN_POSITIVE);
    let [x, y, z] = ((point - space.low) * scale).to_array().map(|v| v as u32);
    spread(x) | spread(y) << 1 | spread(z) << 2
}

/// Puts two zero bits behind each of ten bits.
fn spread(value: u32) -> u32 {
    (0..10).fold(0, |bits, i| bits | (value >> i & 1) << (3 * i))
}

/// The pipeline that refits a tree.
pub struct RefitPipeline(ComputePipeline);

impl RefitPipeline {
    /// # Errors
    /// When the driver refuses the shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        Ok(Self(ComputePipeline::new(
            gpu,
            &shaders::SHARED_REFIT_COMP,
            &[],
        )?))
    }
}

/// A tree on the device.
pub struct BoxTreeBuffers {
    nodes: Buffer,
    parents: Buffer,
    /// How many children of each node have been refitted; zero between refits.
    arrivals: Buffer,
    node_count: u32,
    level_count: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct RefitPush {
    node_count: u32,
    level_count: u32,
}

impl BoxTreeBuffers {
    /// Uploads it.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(uploads: &mut Uploads, tree: &BoxTree) -> Result<Self, GpuError> {
        Ok(Self {
            nodes: uploads.buffer("box_tree.nodes", &tree.nodes)?,
            parents: uploads.buffer("box_tree.parents", &tree.parents)?,
            arrivals: uploads.buffer("box_tree.arrivals", &vec![0u32; tree.nodes.len()])?,
            node_count: tree.nodes.len() as u32,
            level_count: tree.levels.len() as u32,
        })
    }

    /// [`BoxNode`] a node.
    pub fn nodes(&self) -> &Buffer {
        &self.nodes
    }

    /// Nodes of all levels.
    pub fn node_count(&self) -> u32 {
        self.node_count
    }

    /// From the root's to that of the lowest leaves.
    pub fn level_count(&self) -> u32 {
        self.level_count
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.parents.bytes() + self.arrivals.bytes()
    }

    /// Fits all boxes round the skin's motion through the step, from the leaves up, in one dispatch.
    pub fn record_refit(
        &self,
        recorder: &mut Recorder,
        pipeline: &RefitPipeline,
        triangles: &SkinTriangles,
        bodies: &Bodies,
    ) {
        let bindings: [Bind; 6] = [
            triangles.triangles().into(),
            bodies.skin.previous_positions().into(),
            bodies.skin.positions().into(),
            (&self.nodes).into(),
            (&self.parents).into(),
            (&self.arrivals).into(),
        ];
        let push = RefitPush {
            node_count: self.node_count,
            level_count: self.level_count,
        };
        recorder.dispatch(&pipeline.0, &bindings, &push, self.node_count);
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Small triangles in a cube of `size` metres.
    pub fn scattered(count: u32, size: f32) -> BindSkin {
        let number = |i: u32| ((i as f32 * 12.9898).sin() * 43758.547).fract() * size;
        let place = |ix: u32| Vec3::new(number(3 * ix), number(3 * ix + 1), number(3 * ix + 2));
        let corners = |ix: u32| {
            [Vec3::ZERO, Vec3::X, Vec3::Y].map(|direction| place(ix) + 0.01 * size * direction)
        };
        BindSkin::with_triangles((0..count).flat_map(corners).collect())
    }

    /// So many bodies of `count` small triangles each, of which the `large` one has `count_of_large` at nearly one place and two far away.
    pub fn crowd(body_count: u32, count: u32, large: u32, count_of_large: u32) -> BindSkin {
        let (mut positions, mut bodies) = (Vec::new(), Vec::new());
        for body_ix in 0..body_count {
            if body_ix == large {
                positions.extend(scattered(count_of_large, 1e-4).positions);
                positions.extend([Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::ONE, Vec3::X, Vec3::Y]);
            } else {
                positions.extend(scattered(count, 1.0).positions);
            }
            bodies.resize(positions.len() / 3, body_ix);
        }
        let mut skin = BindSkin::with_triangles(positions);
        skin.bodies = bodies;
        skin
    }

    /// Each body that has triangles has a node which holds all of them and nobody else's.
    pub fn assert_bodies_apart(tree: &BoxTree, skin: &BindSkin) {
        // Of each node: the first and the last body that it holds triangles of, and how many.
        let mut held = vec![(u32::MAX, 0, 0); tree.nodes.len()];
        for (node_ix, node) in tree.nodes.iter().enumerate().rev() {
            let range = node.first as usize..(node.first + (node.count & !LEAF)) as usize;
            let parts: Vec<_> = if node.count & LEAF != 0 {
                skin.bodies[range].iter().map(|&ix| (ix, ix, 1)).collect()
            } else {
                held[range].to_vec()
            };
            let join =
                |a: (u32, u32, u32), b: (u32, u32, u32)| (a.0.min(b.0), a.1.max(b.1), a.2 + b.2);
            held[node_ix] = parts.into_iter().fold((u32::MAX, 0, 0), join);
        }
        let body_count = skin.bodies.iter().max().map_or(0, |&ix| ix + 1);
        let mut counts = vec![0; body_count as usize];
        skin.bodies.iter().for_each(|&ix| counts[ix as usize] += 1);
        for (body_ix, &count) in (0..).zip(&counts) {
            assert!(
                count == 0 || held.contains(&(body_ix, body_ix, count)),
                "body {body_ix}"
            );
        }
    }

    /// Every triangle lies in one leaf, levels and parents are right, and boxes hold what is below them.
    pub fn assert_sound(tree: &BoxTree, skin: &BindSkin, max_children: u32, max_triangles: u32) {
        let mut fitted = tree.clone();
        let topology = SkinTopology::of(skin);
        fitted.refit(&topology, &skin.positions, &skin.positions);
        let mut held = vec![0; skin.triangles.len()];
        for (node_ix, node) in fitted.nodes.iter().enumerate() {
            let range = node.first..node.first + (node.count & !LEAF);
            if node.count & LEAF != 0 {
                assert!(range.len() as u32 <= max_triangles, "{node:?}");
                range.for_each(|ix| held[ix as usize] += 1);
                continue;
            }
            assert!((1..=max_children).contains(&node.count), "{node:?}");
            for child_ix in range {
                let child = fitted.nodes[child_ix as usize];
                assert_eq!(fitted.parents[child_ix as usize], node_ix as u32);
                assert!(node.low.cmple(child.low).all() && node.high.cmpge(child.high).all());
            }
        }
        assert!(held.iter().all(|&count| count == 1), "each in one leaf");
        assert_eq!(fitted.parents[0], NO_NODE);
        let ends: Vec<_> = fitted.levels.iter().map(|level| level.end).collect();
        assert_eq!(ends.last(), Some(&(fitted.nodes.len() as u32)));
    }
}
