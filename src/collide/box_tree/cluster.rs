//! Agglomerative clustering: a binary tree made by merging the closest clusters.

use super::place_keys;
use crate::collide::skin_triangles::BindSkin;
use crate::math::Bounds;

/// How many clusters along the curve are looked at on either side for the best partner. Usually 8 to 16; more takes longer
/// and gains next to nothing.
const WINDOW: usize = 12;

/// Metres by which boxes count as wider on every side: about the search radius of particles. What counts is how many balls
/// of search radius meet a box, not how many points lie in it; without this, thin boxes from one hand to the other seem cheap.
const REACH: f32 = 0.03;

/// A cluster of triangles: one, or two clusters.
#[derive(Clone, Copy, Debug)]
pub struct Cluster {
    pub bounds: Bounds,
    pub parts: Parts,
    /// Triangles in it.
    pub triangle_count: u32,
}

/// What a cluster is made of.
#[derive(Clone, Copy, Debug)]
pub enum Parts {
    Triangle(u32),
    Clusters([u32; 2]),
}

/// The clusters of all bodies.
pub struct Clusters {
    pub all: Vec<Cluster>,
    /// One a body that has triangles: the cluster of all of them.
    pub roots: Vec<u32>,
}

/// Merges the triangles of each body until one cluster is left.
///
/// Source: Meister and Bittner, "Parallel locally-ordered clustering for bounding volume hierarchy construction", 2018.
pub fn cluster(skin: &BindSkin) -> Clusters {
    let mut keyed: Vec<_> = place_keys(skin).into_iter().zip(0u32..).collect();
    keyed.sort_unstable();
    let mut all: Vec<_> = keyed
        .iter()
        .map(|&(_, triangle_ix)| single(skin, triangle_ix))
        .collect();
    let (mut roots, mut first) = (Vec::new(), 0);
    for body in keyed.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
        let end = first + body.len() as u32;
        let mut active: Vec<u32> = (first..end).collect();
        while active.len() > 1 {
            active = merge_once(&active, &mut all);
        }
        roots.extend(active);
        first = end;
    }
    Clusters { all, roots }
}

fn single(skin: &BindSkin, triangle_ix: u32) -> Cluster {
    let corners = skin.corners(triangle_ix as usize);
    let points = corners.map(|corner| Bounds::of_ball(corner, 0.0));
    Cluster {
        bounds: points.into_iter().fold(Bounds::EMPTY, Bounds::union),
        parts: Parts::Triangle(triangle_ix),
        triangle_count: 1,
    }
}

/// Merges all that are each other's best partners; the others wait.
fn merge_once(active: &[u32], clusters: &mut Vec<Cluster>) -> Vec<u32> {
    let partners: Vec<usize> = (0..active.len())
        .map(|place| best_partner(place, active, clusters))
        .collect();
    let mut next = Vec::with_capacity(active.len() / 2 + 1);
    for (place, &partner) in partners.iter().enumerate() {
        let is_mutual = partners[partner] == place;
        if is_mutual && place < partner {
            next.push(clusters.len() as u32);
            clusters.push(merged([active[place], active[partner]], clusters));
        } else if !is_mutual {
            next.push(active[place]);
        }
    }
    next
}

/// Whose union with the cluster, widened by the search radius, has the least volume. Ties are broken by where they lie, the same from both
/// sides, so that some pair is always mutual.
fn best_partner(place: usize, active: &[u32], clusters: &[Cluster]) -> usize {
    let bounds = |place: usize| clusters[active[place] as usize].bounds;
    let first = place.saturating_sub(WINDOW);
    let last = (place + WINDOW).min(active.len() - 1);
    let cost = |other: &usize| {
        let union = bounds(place).union(bounds(*other));
        let ends = (place.min(*other), place.max(*other));
        (room_looked_into(union), ends)
    };
    (first..=last)
        .filter(|&other| other != place)
        .min_by(|a, b| {
            let ((a, a_ends), (b, b_ends)) = (cost(a), cost(b));
            a.total_cmp(&b).then(a_ends.cmp(&b_ends))
        })
        .expect("there are others")
}

/// Cubic metres from which a particle looks into a box.
pub fn room_looked_into(bounds: Bounds) -> f32 {
    let size = bounds.widened(REACH).size();
    size.x * size.y * size.z
}

fn merged(parts: [u32; 2], clusters: &[Cluster]) -> Cluster {
    let [a, b] = parts.map(|ix| clusters[ix as usize]);
    Cluster {
        bounds: a.bounds.union(b.bounds),
        parts: Parts::Clusters(parts),
        triangle_count: a.triangle_count + b.triangle_count,
    }
}
