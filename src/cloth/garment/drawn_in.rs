//! Draws a garment in where arms come through it.
//!
//! Straight legs of trousers stand far off the rods that toys have for legs, and hands swing through them. Where a clip brings arms there,
//! cloth lies closer, as far as there is room between arm and leg.

use glam::Vec3;
use rayon::prelude::*;

use super::dress::Weave;
use super::moved::{OFF_EDGES, PROBE_COUNT, as_deep_as, depths_in, on_skin, shares_of};
use super::remesh::remesh;
use super::surface::Surface;
use crate::math::triangle_tree::TriangleTree;

/// Steps in which cloth is drawn in towards the skin.
const DRAW_STEPS: usize = 4;
/// Cloth is drawn in until arms keep this far off, metres of a person: more than makes cuts, or what is between points is cut. Usually
/// 0.025; with 0.01 a robot's elbows pinch its trousers at the hips.
const ROOM_IN: f32 = 0.025;
/// Passes in which it is evened out how far points are drawn in.
const EVEN_PASSES: usize = 2;

/// A garment, drawn in where arms come through it.
pub(super) struct DrawnIn {
    pub surface: Surface,
    /// Points of it, and whether arms bury them all the same.
    pub places: Vec<(Vec3, bool)>,
}

/// Draws a garment in, towards the skin beneath, wherever arms come through it in some pose and there is room for it.
pub(super) fn drawn_in(weave: &Weave, surface: &Surface) -> DrawnIn {
    let probes = remesh(surface, PROBE_COUNT);
    let ways = ways_in(weave, &probes);
    let (shares, is_buried) = shares_in(weave, &probes, &ways);
    let shares = spread(&probes, shares);
    let ways: Vec<Vec3> = ways
        .iter()
        .zip(shares)
        .map(|(way, share)| share * *way)
        .collect();
    let tree = TriangleTree::new(&probes.positions, &probes.triangles);
    let moved = surface.positions.par_iter().map(|&at| {
        let shares = shares_of(&tree, &probes, at).into_iter().flatten();
        at + shares.map(|(ix, share)| share * ways[ix]).sum::<Vec3>()
    });
    let places = probes
        .positions
        .iter()
        .zip(&ways)
        .map(|(at, way)| *at + *way);
    DrawnIn {
        places: places.zip(is_buried).collect(),
        surface: Surface {
            positions: moved.collect(),
            triangles: surface.triangles.clone(),
        },
    }
}

/// From each point to as near to the skin as cloth may be.
fn ways_in(weave: &Weave, surface: &Surface) -> Vec<Vec3> {
    let least = OFF_EDGES * weave.body.humanoid.scale;
    let skin = on_skin(weave, surface);
    let pairs = surface.positions.iter().zip(&skin.positions);
    let way = |(at, skin): (&Vec3, &Vec3)| {
        let off = at.distance(*skin);
        (*skin - *at) * ((off - least).max(0.0) / off.max(f32::MIN_POSITIVE))
    };
    pairs.map(way).collect()
}

/// What part of their ways points have to go to be clear of arms in all poses, the whole of it where none is enough, and whether that is so.
fn shares_in(weave: &Weave, surface: &Surface, ways: &[Vec3]) -> (Vec<f32>, Vec<bool>) {
    let body = weave.body;
    let margin = ROOM_IN * body.humanoid.scale;
    let mut mesh = weave.mesh(surface);
    let turn = body.humanoid.tailor_from_bind.transpose();
    let is_arm = |ix: usize| body.parts[ix].0.is_arm();
    let mut shares = vec![None; ways.len()];
    for step in 0..=DRAW_STEPS {
        let share = step as f32 / DRAW_STEPS as f32;
        let places = surface.positions.iter().zip(ways);
        mesh.positions = places
            .map(|(at, way)| turn * (*at + share * *way))
            .collect();
        let depths = depths_in(body, &mesh, 1, is_arm, (|_| false, 0.0));
        for (found, depth) in shares.iter_mut().zip(as_deep_as(&depths, 1)) {
            *found = found.or((depth < -margin).then_some(share));
        }
    }
    let is_buried = shares.iter().map(Option::is_none).collect();
    (
        shares.iter().map(|share| share.unwrap_or(1.0)).collect(),
        is_buried,
    )
}

/// The greatest of each point and its neighbours, evened out.
fn spread(surface: &Surface, mut shares: Vec<f32>) -> Vec<f32> {
    let edges = surface.edges();
    let old = shares.clone();
    for [a, b] in edges.iter().map(|edge| edge.ends.map(|ix| ix as usize)) {
        shares[a] = shares[a].max(old[b]);
        shares[b] = shares[b].max(old[a]);
    }
    for _ in 0..EVEN_PASSES {
        let mut sums: Vec<(f32, f32)> = shares.iter().map(|share| (2.0 * share, 2.0)).collect();
        for [a, b] in edges.iter().map(|edge| edge.ends.map(|ix| ix as usize)) {
            for (to, from) in [(a, b), (b, a)] {
                sums[to] = (sums[to].0 + shares[from], sums[to].1 + 1.0);
            }
        }
        shares = sums.into_iter().map(|(sum, count)| sum / count).collect();
    }
    shares
}
