//! Skin that stands out through cloth.

use glam::DVec3;
use rayon::prelude::*;

use super::crossing::{edge_crosses, height_over};
use super::skin::Skin;
use crate::math::triangle_tree::TriangleTree;

/// How far skin stands above a cloth triangle that it passes through for that to be seen, metres of a person: more than the cloth's
/// thickness and than what flat triangles cut off a round limb.
const DEEP: f64 = 0.003;

/// How far under the cloth a limb may come out of another part of the body for that to be why it passes through the cloth, metres of a
/// person: what cloth stands off the other part. An arm that a pose lowers into the trunk comes out through cloth on the trunk.
const COVER: f64 = 0.03;

/// Cloth triangles that skin passes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Deep {
    /// Those with a skin edge through them whose end on the cloth's outer side stands more than [`DEEP`] above.
    pub all: usize,
    /// Those of them where neither such an end lies inside another part of the body, nor the edge comes out of one just under the
    /// cloth: there no cloth could be right.
    pub seen: usize,
}

/// A skin edge that passes deeply through a cloth triangle.
struct Crossing {
    triangle_ix: usize,
    edge: [u32; 2],
    /// The end that stands outside, and the one that does not.
    outer: u32,
    inner: u32,
    point: DVec3,
}

impl Deep {
    pub fn count(cloth: &TriangleTree, skin: &Skin) -> Self {
        let found: Vec<Crossing> = skin
            .edges
            .par_iter()
            .flat_map_iter(|&edge| crossings_of(cloth, skin, edge))
            .collect();
        let mut ends: Vec<u32> = found.iter().map(|crossing| crossing.outer).collect();
        ends.sort_unstable();
        ends.dedup();
        let hidden: Vec<bool> = ends.par_iter().map(|&end| skin.is_in_itself(end)).collect();
        let is_seen = |crossing: &Crossing| {
            let Crossing { edge, inner, .. } = *crossing;
            let place = ends.binary_search(&crossing.outer);
            !place.is_ok_and(|ix| hidden[ix])
                && !skin.comes_out_of_itself(edge, inner, crossing.point, COVER * skin.size)
        };
        let seen: Vec<bool> = found.par_iter().map(is_seen).collect();
        let count = |seen_only: bool| {
            let chosen = found
                .iter()
                .zip(&seen)
                .filter(|(_, seen)| **seen || !seen_only);
            let mut triangles: Vec<_> = chosen.map(|(crossing, _)| crossing.triangle_ix).collect();
            triangles.sort_unstable();
            triangles.dedup();
            triangles.len()
        };
        Self {
            all: count(false),
            seen: count(true),
        }
    }
}

/// The cloth triangles that one edge of the skin passes through deeply.
fn crossings_of(cloth: &TriangleTree, skin: &Skin, edge: [u32; 2]) -> Vec<Crossing> {
    let ends: [DVec3; 2] = edge.map(|ix| skin.positions[ix as usize]);
    let mut found = Vec::new();
    cloth.visit_meeting(ends[0].min(ends[1]), ends[0].max(ends[1]), |triangle_ix| {
        let triangle = cloth.corners(triangle_ix);
        if !edge_crosses(ends, triangle) {
            return;
        }
        let heights = ends.map(|end| height_over(triangle, end).unwrap_or(0.0));
        let outside = (0..2).find(|&ix| heights[ix] > DEEP * skin.size);
        found.extend(outside.map(|ix| Crossing {
            triangle_ix,
            edge,
            outer: edge[ix],
            inner: edge[1 - ix],
            point: ends[0].lerp(ends[1], heights[0] / (heights[0] - heights[1])),
        }));
    });
    found
}
