//! Pairs of particles a few edges apart that are kept no further from each other than the cloth between them is long.
//!
//! An edge hands its correction on to the next one only, so that a sweep brings tension a few edges far. A pair reaches over several at
//! once, and pulls only when the cloth between its ends is taut: folded cloth does not feel it. It is a hierarchy without levels of
//! its own (Müller, "Hierarchical Position Based Dynamics", 2008), made of the unilateral constraints of Kim, Chentanez and
//! Müller-Fischer ("Long Range Attachments", 2012).

use std::collections::BTreeMap;

use glam::Vec3;

/// Edges from one end of a pair to the other. Usually 3; with 6 the ends of most pairs lie in different patches, and cloth stretches
/// by as much as without any (`tools/bench_results/cloth.md`).
const EDGES: usize = 3;

/// The most pairs that a particle is an end of. Usually 4, which is both threads of a regular mesh; 6 bring nothing more.
const MAX_PAIRS: usize = 4;

/// How much longer the way along edges may be than the straight one. Usually 1.03; with much more, pairs are taken whose way goes zigzag,
/// which are never taut.
const MAX_DETOUR: f32 = 1.03;

/// The most edges of a particle that ways go through. Usually 12, more than cloth has; without it a fan of triangles has as many ways
/// as the square of their number.
const MAX_EDGES: usize = 12;

/// Two particles and the cloth between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    /// Lower first.
    pub ends: [u32; 2],
    /// Metres along edges.
    pub length: f32,
}

/// The pairs of a garment at rest, those with the straightest way first.
///
/// `edges`: each once.
pub(super) fn pairs(positions: &[Vec3], edges: impl Iterator<Item = (u32, u32)>) -> Vec<Pair> {
    let mut neighbours = vec![Vec::new(); positions.len()];
    for (a, b) in edges {
        let length = positions[a as usize].distance(positions[b as usize]);
        neighbours[a as usize].push((b, length));
        neighbours[b as usize].push((a, length));
    }
    let ends = (0..positions.len() as u32).flat_map(|from| {
        let far = last_ring(&neighbours, from).into_iter();
        far.filter_map(move |(to, length)| (to > from).then_some((from, to, length)))
    });
    let mut found: Vec<(f32, Pair)> = ends
        .map(|(from, to, length)| {
            let straight = positions[from as usize].distance(positions[to as usize]);
            let ends = [from, to];
            (length / straight, Pair { ends, length })
        })
        .filter(|(detour, _)| *detour <= MAX_DETOUR)
        .collect();
    found.sort_by(|(a, one), (b, other)| a.total_cmp(b).then(one.ends.cmp(&other.ends)));
    let mut counts = vec![0; positions.len()];
    let mut has_room = |pair: &Pair| {
        let has_room = pair
            .ends
            .iter()
            .all(|&end| counts[end as usize] < MAX_PAIRS);
        for end in pair.ends {
            counts[end as usize] += usize::from(has_room);
        }
        has_room
    };
    let pairs = found.into_iter().map(|(_, pair)| pair);
    pairs.filter(|pair| has_room(pair)).collect()
}

/// The particles that are [`EDGES`] from one and no fewer, with the shortest way there of so many edges, metres.
fn last_ring(neighbours: &[Vec<(u32, f32)>], from: u32) -> BTreeMap<u32, f32> {
    let (mut before, mut ring) = (BTreeMap::new(), BTreeMap::from([(from, 0.0)]));
    for _ in 0..EDGES {
        let mut next = BTreeMap::new();
        for (&ix, &so_far) in &ring {
            let edges = &neighbours[ix as usize];
            for &(other, length) in edges.iter().filter(|_| edges.len() <= MAX_EDGES) {
                if !ring.contains_key(&other) && !before.contains_key(&other) {
                    let known: &mut f32 = next.entry(other).or_insert(f32::MAX);
                    *known = known.min(so_far + length);
                }
            }
        }
        before = std::mem::replace(&mut ring, next);
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of particles, so far apart, each joined to the next.
    fn row(count: u32, apart: f32, lift: impl Fn(u32) -> f32) -> Vec<Pair> {
        let at = |ix: u32| Vec3::new(ix as f32 * apart, lift(ix), 0.0);
        let positions: Vec<_> = (0..count).map(at).collect();
        pairs(&positions, (1..count).map(|ix| (ix - 1, ix)))
    }

    #[test]
    fn pairs_of_a_straight_row_are_as_long_as_the_edges_between_them() {
        let found = row(6, 0.02, |_| 0.0);
        let mut ends: Vec<_> = found.iter().map(|pair| pair.ends).collect();
        ends.sort_unstable();
        assert_eq!(ends, [[0, 3], [1, 4], [2, 5]]);
        assert!(found.iter().all(|pair| (pair.length - 0.06).abs() < 1e-6));
    }

    #[test]
    fn a_way_that_goes_zigzag_is_none() {
        let found = row(6, 0.02, |ix| if ix % 2 == 0 { 0.0 } else { 0.02 });
        assert_eq!(found, []);
    }

    #[test]
    fn a_particle_is_an_end_of_few() {
        // A sheet with both diagonals in each square: many ways in every direction.
        let at = |ix: u32| Vec3::new((ix % 12) as f32, (ix / 12) as f32, 0.0);
        let positions: Vec<_> = (0..144).map(at).collect();
        let is_edge = |a: u32, b: u32| at(a).distance(at(b)) < 1.5;
        let edges = (0..144).flat_map(|a| (a + 1..144).map(move |b| (a, b)));
        let found = pairs(&positions, edges.filter(|&(a, b)| is_edge(a, b)));
        for ix in 0..144 {
            let count = found.iter().filter(|pair| pair.ends.contains(&ix)).count();
            assert!((1..=MAX_PAIRS).contains(&count), "{count} of {ix}");
        }
    }

    #[test]
    fn no_way_goes_through_the_middle_of_a_fan() {
        // With a tail at its last spoke, whose ways do not go through the middle either.
        const SPOKES: u32 = 100_000;
        let at = |ix: u32| match ix {
            0 => Vec3::ZERO,
            1..=SPOKES => Vec3::new(1.0, ix as f32, 0.0),
            _ => Vec3::new(2.0 + (ix - SPOKES) as f32, SPOKES as f32, 0.0),
        };
        let positions: Vec<_> = (0..SPOKES + 4).map(at).collect();
        let spokes = (1..=SPOKES).map(|ix| (0, ix));
        let found = pairs(
            &positions,
            spokes.chain((0..3).map(|ix| (SPOKES + ix, SPOKES + ix + 1))),
        );
        let ends: Vec<_> = found.iter().map(|pair| pair.ends).collect();
        assert_eq!(ends, [[SPOKES, SPOKES + 3]]);
    }

    #[test]
    fn particles_in_one_place_have_no_pair() {
        assert_eq!(row(6, 0.0, |_| 0.0), []);
        assert_eq!(row(6, f32::NAN, |_| 0.0), []);
    }
}
