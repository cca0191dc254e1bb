//! Builds the tree.

use std::ops::Range;

use crate::collide::box_tree::{BoxTree, Branch, PlaceKey, place_keys};
use crate::collide::skin_triangles::BindSkin;

/// Triangles a leaf holds. Usually 4; 1 makes the tree four times as large, 8 tests more triangles than boxes would cost.
pub const LEAF_TRIANGLES: usize = 4;

/// Levels of a body's tree below which a range is halved in the middle instead of where its codes differ: triangles that lie at one place
/// have no other end.
const MAX_CODE_DEPTH: u32 = 20;

/// Levels below the root's, to which [`Run::may_follow_codes`] keeps: 4096 bodies need 12, halving a body of 2¹⁷ triangles 15 more, and the
/// rest is room for codes to decide. The stack of glsl/lbvh/collide.comp takes one node a level.
const MAX_DEPTH: u32 = 38;

/// A tree that sorts the skin's triangles.
pub fn build(skin: &mut BindSkin) -> BoxTree {
    let mut keyed: Vec<_> = place_keys(skin).into_iter().zip(0u32..).collect();
    keyed.sort_unstable();
    let (keys, sorted): (Vec<PlaceKey>, Vec<u32>) = keyed.into_iter().unzip();
    let (tree, order) = BoxTree::of(Run {
        keys: &keys,
        sorted: &sorted,
        range: 0..keys.len(),
        depth: 0,
        code_depth: 0,
    });
    let depth = tree.levels.len() - 1;
    assert!(depth <= MAX_DEPTH as usize, "{depth} levels below the root");
    skin.reorder(&order);
    tree
}

/// Triangles that lie one after the other on the curve, of several bodies or of one.
struct Run<'a> {
    keys: &'a [PlaceKey],
    /// The triangles in the order of their keys.
    sorted: &'a [u32],
    range: Range<usize>,
    /// Levels above it.
    depth: u32,
    /// Of those the levels of its body's tree.
    code_depth: u32,
}

impl Run<'_> {
    fn has_one_body(&self) -> bool {
        let keys = &self.keys[self.range.clone()];
        keys.first().map(|key| key.0) == keys.last().map(|key| key.0)
    }

    /// Between bodies, as many on either side; in one body where the highest bit in which the codes differ changes.
    fn split(&self) -> usize {
        let keys = &self.keys[self.range.clone()];
        let (first, last) = (keys[0], keys[keys.len() - 1]);
        if first.0 != last.0 {
            let middle = (first.0 + last.0).div_ceil(2);
            return self.range.start + keys.partition_point(|key| key.0 < middle);
        }
        if first == last || !self.may_follow_codes() {
            return self.range.start + keys.len() / 2;
        }
        let bit = 1 << (u32::BITS - 1 - (first.1 ^ last.1).leading_zeros());
        self.range.start + keys.partition_point(|key| key.1 & bit == first.1 & bit)
    }

    /// Whether either part, be it all but one triangle, could still be halved down to leaves above [`MAX_DEPTH`].
    fn may_follow_codes(&self) -> bool {
        let halvings = self
            .range
            .len()
            .div_ceil(LEAF_TRIANGLES)
            .next_power_of_two()
            .ilog2();
        self.code_depth < MAX_CODE_DEPTH && self.depth + 1 + halvings <= MAX_DEPTH
    }
}

impl Branch for Run<'_> {
    fn children(&self) -> Vec<Self> {
        let has_one_body = self.has_one_body();
        if has_one_body && self.range.len() <= LEAF_TRIANGLES {
            return Vec::new();
        }
        let middle = self.split();
        let part = |range| Run {
            range,
            depth: self.depth + 1,
            code_depth: if has_one_body { self.code_depth + 1 } else { 0 },
            ..*self
        };
        vec![part(self.range.start..middle), part(middle..self.range.end)]
    }

    fn triangles(&self) -> Vec<u32> {
        self.sorted[self.range.clone()].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::collide::box_tree::tests::{assert_bodies_apart, assert_sound, crowd, scattered};

    /// What the stack of glsl/lbvh/collide.comp has room for: a node a level.
    const STACK: usize = 40;

    #[test]
    fn every_triangle_is_in_one_leaf() {
        for count in [0, 1, 4, 5, 1000] {
            let mut skin = scattered(count, 1.0);
            let tree = build(&mut skin);
            assert_sound(&tree, &skin, 2, LEAF_TRIANGLES as u32);
        }
    }

    #[test]
    fn triangles_at_one_place_do_not_make_a_deep_tree() {
        // All but two lie so close together that their codes are equal or differ in the last bits.
        let mut positions = scattered(20_000, 1e-4).positions;
        positions.extend([Vec3::ZERO, Vec3::X, Vec3::ONE]);
        let mut skin = BindSkin::with_triangles(positions);
        let tree = build(&mut skin);
        assert_sound(&tree, &skin, 2, LEAF_TRIANGLES as u32);
        assert!(tree.levels.len() < STACK, "{} levels", tree.levels.len());
    }

    #[test]
    fn bodies_have_trees_of_their_own() {
        for (body_count, large) in [(1, 9), (2, 1), (3, 0), (100, 7), (4096, 4000)] {
            let mut skin = crowd(body_count, 5, large, 20_000);
            let tree = build(&mut skin);
            assert_sound(&tree, &skin, 2, LEAF_TRIANGLES as u32);
            assert_bodies_apart(&tree, &skin);
            assert!(tree.levels.len() < STACK, "{} levels", tree.levels.len());
        }
    }

    /// What was a tree of its own has the same shape among others.
    #[test]
    fn a_body_has_the_same_tree_alone_and_among_others() {
        let levels = |body_count: u32| {
            let mut skin = crowd(body_count, 1000, u32::MAX, 0);
            build(&mut skin).levels
        };
        let lengths = |levels: &[Range<u32>], factor| -> Vec<usize> {
            levels.iter().map(|level| factor * level.len()).collect()
        };
        let (alone, among) = (levels(1), levels(4));
        assert_eq!(lengths(&among[2..], 1), lengths(&alone, 4));
    }
}
