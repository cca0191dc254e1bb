//! Skin that stands out through cloth.

use glam::DVec3;
use rayon::prelude::*;

use super::crossing::{edge_crosses, height_over};
use super::skin::Skin;
use crate::math::triangle_tree::TriangleTree;

/// How far skin stands above a cloth triangle that it passes through for that to be seen, metres of a person: more than the cloth's
/// thickness and than what flat triangles cut off a round limb.
const DEEP: f64 = 0.003;

/// Cloth triangles that skin passes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Deep {
    /// Those with a skin edge through them whose end on the cloth's outer side stands more than [`DEEP`] above.
    pub all: usize,
    /// Those of them where such an end does not lie inside another part of the body, where no cloth could be right.
    pub seen: usize,
}

impl Deep {
    pub fn count(cloth: &TriangleTree, skin: &Skin) -> Self {
        let found: Vec<(usize, u32)> = skin
            .edges
            .par_iter()
            .flat_map_iter(|&edge| crossings_of(cloth, skin, edge))
            .collect();
        let (mut all, mut seen) = (
            vec![false; cloth.triangle_count()],
            vec![false; cloth.triangle_count()],
        );
        let mut ends: Vec<u32> = found.iter().map(|&(_, end)| end).collect();
        ends.sort_unstable();
        ends.dedup();
        let hidden: Vec<bool> = ends.par_iter().map(|&end| skin.is_in_itself(end)).collect();
        for (triangle_ix, end) in found {
            all[triangle_ix] = true;
            let is_hidden = ends.binary_search(&end).is_ok_and(|ix| hidden[ix]);
            seen[triangle_ix] |= !is_hidden;
        }
        let count = |marks: Vec<bool>| marks.into_iter().filter(|&mark| mark).count();
        Self {
            all: count(all),
            seen: count(seen),
        }
    }
}

/// The cloth triangles that one edge of the skin passes through deeply, each with the vertex that stands outside.
fn crossings_of(cloth: &TriangleTree, skin: &Skin, edge: [u32; 2]) -> Vec<(usize, u32)> {
    let ends: [DVec3; 2] = edge.map(|ix| skin.positions[ix as usize]);
    let mut found = Vec::new();
    cloth.visit_meeting(ends[0].min(ends[1]), ends[0].max(ends[1]), |triangle_ix| {
        let triangle = cloth.corners(triangle_ix);
        if !edge_crosses(ends, triangle) {
            return;
        }
        let is_out =
            |end: DVec3| height_over(triangle, end).is_some_and(|height| height > DEEP * skin.size);
        let outside = edge.into_iter().zip(ends).find(|&(_, end)| is_out(end));
        found.extend(outside.map(|(vertex_ix, _)| (triangle_ix, vertex_ix)));
    });
    found
}
