//! The tree's nodes four at a time, for rays: one test tells which of four boxes a ray enters.
//!
//! Boxes are f32 and never smaller than the f64 ones, so that a ray finds what it would find without them.

use super::{Bounds, TriangleTree};
use glam::{BVec4A, DVec3, Vec3, Vec4};

/// Part of a coordinate by which boxes are wider than they are, for rounding to f32: four units in the last place.
const BOX_SLACK: f32 = 4.8e-7;

/// What a distance along a ray may be off by in f32, as a factor: some thirty units in the last place.
const REACH_SLACK: f32 = 1.000_002;

/// The largest inverse of a direction: what stands for infinity, which times zero would be no number.
const MAX_INVERSE: f32 = 1e30;

/// All inner nodes, with up to four of those under each: its children's children, or a child that is a leaf.
#[derive(Clone, Debug, Default)]
pub(super) struct WideNodes {
    nodes: Vec<WideNode>,
}

#[derive(Clone, Debug)]
struct WideNode {
    /// Low and high planes of the boxes along x, y, z; the box of an empty slot is inside out.
    planes: [[Vec4; 3]; 2],
    children: [Child; 4],
    /// The nodes whose boxes they are.
    sources: [u32; 4],
}

/// A leaf of the tree, or a wide node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Child(u32);

/// Marks a leaf.
const LEAF: u32 = 1 << 31;
/// The source of an empty slot's box.
const NOBODY: u32 = u32::MAX;

impl Child {
    /// The whole tree, in a wide node of its own if need be.
    pub const ROOT: Self = Self(0);

    /// Which node of the tree, if it is a leaf.
    pub fn leaf(self) -> Option<usize> {
        (self.0 & LEAF != 0).then_some((self.0 & !LEAF) as usize)
    }
}

impl WideNodes {
    pub fn gather(tree: &TriangleTree) -> Self {
        let mut wide = Self::default();
        if !tree.nodes.is_empty() {
            wide.add(tree, 0);
        }
        wide
    }

    /// Adds what is under a node, parents first; returns where it is.
    fn add(&mut self, tree: &TriangleTree, ix: usize) -> u32 {
        let under = |ix: usize| tree.children(ix).map_or(vec![ix], |both| both.to_vec());
        let sources: Vec<usize> = under(ix).into_iter().flat_map(under).collect();
        let wide_ix = self.nodes.len();
        self.nodes.push(WideNode {
            planes: [[Vec4::ZERO; 3]; 2],
            children: [Child::ROOT; 4],
            sources: std::array::from_fn(|slot| sources.get(slot).map_or(NOBODY, |&ix| ix as u32)),
        });
        for (slot, &source) in sources.iter().enumerate() {
            self.nodes[wide_ix].children[slot] = Child(match tree.children(source) {
                Some(_) => self.add(tree, source),
                None => LEAF | source as u32,
            });
        }
        wide_ix as u32
    }

    /// Follows the boxes of the tree's nodes.
    pub fn refit(&mut self, bounds: &[Bounds]) {
        for node in &mut self.nodes {
            for (slot, &source) in node.sources.iter().enumerate() {
                let [low, high] = match bounds.get(source as usize) {
                    Some(bounds) => widened(bounds),
                    None => [Vec3::INFINITY, Vec3::NEG_INFINITY],
                };
                for axis in 0..3 {
                    node.planes[0][axis][slot] = low[axis];
                    node.planes[1][axis][slot] = high[axis];
                }
            }
        }
    }

    /// Those under a wide node that a ray enters no further than `within` lengths of its direction away, and where.
    #[inline]
    pub fn entered(
        &self,
        child: Child,
        ray: &BoxRay,
        within: f64,
    ) -> impl Iterator<Item = (Child, f32)> {
        let node = &self.nodes[child.0 as usize];
        let (enter, entered) = ray.enters(&node.planes, within as f32);
        let enter = enter.to_array();
        let mut left = entered.bitmask();
        std::iter::from_fn(move || {
            let slot = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (slot < 4).then(|| (node.children[slot], enter[slot]))
        })
    }
}

fn widened(bounds: &Bounds) -> [Vec3; 2] {
    let [low, high] = [bounds.min.as_vec3(), bounds.max.as_vec3()];
    [low - low.abs() * BOX_SLACK, high + high.abs() * BOX_SLACK]
}

/// A ray as boxes are tested with it.
pub(super) struct BoxRay {
    inverse: [Vec4; 3],
    /// The origin, as far along the direction as it may be off by, and as far back.
    ahead: [Vec4; 3],
    behind: [Vec4; 3],
    /// Along each axis: which of a box's planes it comes to first.
    near: [usize; 3],
}

impl BoxRay {
    pub fn new(origin: DVec3, direction: DVec3) -> Self {
        let from = origin.as_vec3();
        let inverse = direction.as_vec3().recip();
        let inverse = inverse.clamp(Vec3::splat(-MAX_INVERSE), Vec3::splat(MAX_INVERSE));
        let slack = from.abs() * BOX_SLACK * inverse.signum();
        let splat = |v: Vec3| v.to_array().map(Vec4::splat);
        Self {
            inverse: splat(inverse),
            ahead: splat(from + slack),
            behind: splat(from - slack),
            near: inverse.to_array().map(|inverse| usize::from(inverse < 0.0)),
        }
    }

    /// Lengths of the direction to where the ray enters four boxes, 0 from within; and which of them it does enter, no
    /// further than `within`.
    #[inline]
    fn enters(&self, planes: &[[Vec4; 3]; 2], within: f32) -> (Vec4, BVec4A) {
        let (mut enter, mut leave) = (Vec4::ZERO, Vec4::splat(within));
        for axis in 0..3 {
            let near = planes[self.near[axis]][axis];
            let far = planes[1 - self.near[axis]][axis];
            enter = enter.max((near - self.ahead[axis]) * self.inverse[axis]);
            leave = leave.min((far - self.behind[axis]) * self.inverse[axis]);
        }
        (enter, enter.cmple(leave * REACH_SLACK))
    }

    /// Whether what the ray enters there cannot hold anything as near as `distance`.
    #[inline]
    pub fn is_beyond(&self, enter: f32, distance: f64) -> bool {
        enter > distance as f32 * REACH_SLACK
    }
}
