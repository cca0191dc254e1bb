//! Builds the tree.

use std::ops::Range;

use crate::collide::box_tree::{BoxTree, Branch, morton_codes};
use crate::collide::skin_triangles::BindSkin;

/// Triangles a leaf holds. Usually 4; 1 makes the tree four times as large, 8 tests more triangles than boxes would cost.
pub const LEAF_TRIANGLES: usize = 4;

/// Levels below which a range is halved in the middle instead of where its codes differ: triangles that lie at one place have
/// no other end. Codes have 30 bits; the middle reaches any leaf of 2³² triangles in 32 more, and of the usual 2¹⁷ in 15.
const MAX_CODE_DEPTH: u32 = 20;

/// A tree that sorts the skin's triangles.
pub fn build(skin: &mut BindSkin) -> BoxTree {
    let mut keyed: Vec<_> = morton_codes(skin).into_iter().zip(0u32..).collect();
    keyed.sort_unstable();
    let (codes, sorted): (Vec<u32>, Vec<u32>) = keyed.into_iter().unzip();
    let (tree, order) = BoxTree::of(Run {
        codes: &codes,
        sorted: &sorted,
        range: 0..codes.len(),
        depth: 0,
    });
    skin.reorder(&order);
    tree
}

/// Triangles that lie one after the other on the curve.
struct Run<'a> {
    codes: &'a [u32],
    /// The triangles in the order of their codes.
    sorted: &'a [u32],
    range: Range<usize>,
    depth: u32,
}

impl Run<'_> {
    /// Where the highest bit in which the codes differ changes.
    fn split(&self) -> usize {
        let codes = &self.codes[self.range.clone()];
        let (first, last) = (codes[0], codes[codes.len() - 1]);
        if first == last || self.depth >= MAX_CODE_DEPTH {
            return self.range.start + codes.len() / 2;
        }
        let bit = 1 << (u32::BITS - 1 - (first ^ last).leading_zeros());
        self.range.start + codes.partition_point(|code| code & bit == first & bit)
    }
}

impl Branch for Run<'_> {
    fn children(&self) -> Vec<Self> {
        if self.range.len() <= LEAF_TRIANGLES {
            return Vec::new();
        }
        let middle = self.split();
        let part = |range| Run {
            codes: self.codes,
            sorted: self.sorted,
            range,
            depth: self.depth + 1,
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
    use crate::collide::box_tree::tests::{assert_sound, scattered};

    /// What the stack of glsl/lbvh/collide.comp has room for: a level more than the tree has.
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
}
