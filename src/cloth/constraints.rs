//! What holds the particles of a garment together, as each particle sees it: lists to gather from, so that the GPU needs
//! no atomics and every run gives the same result.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use glam::Vec3;

use super::garment::Garment;

/// kg/m²: a light cotton. Heavier cloth swings slower in the wind; nothing else depends on it.
const DENSITY: f32 = 0.25;

/// The least mass of a particle, in kg: one without triangles still has to move.
const LEAST_MASS: f32 = 1e-6;

/// Anchors a particle is tethered to.
const TETHER_COUNT: usize = 2;

/// Tethers are this much longer than the cloth, which may stretch a little and need not lie straight.
const TETHER_SLACK: f32 = 1.02;

/// What a distance constraint is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// An edge of the mesh.
    Stretch = 0,
    /// The diagonal of a quad, where the mesh has quads.
    Shear = 1,
    /// Between the far corners of two triangles that share an edge.
    Bend = 2,
}

/// A distance constraint as seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    pub other_ix: u32,
    /// Metres.
    pub rest_length: f32,
    pub kind: Kind,
}

/// The longest way to an attached particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tether {
    pub anchor_ix: u32,
    /// Metres.
    pub max_length: f32,
}

/// The constraints of one garment.
#[derive(Clone, Debug, Default)]
pub struct ConstraintGraph {
    /// First of [`Self::constraints`] for each particle, and one past the last.
    pub offsets: Vec<u32>,
    /// Each constraint stands twice, once at either end; within a particle by the other end's index.
    pub constraints: Vec<Constraint>,
    /// Up to two a particle, nearest anchor first; none for a garment that is not attached.
    pub tethers: Vec<Vec<Tether>>,
    /// First of [`Self::corners`] for each particle, and one past the last.
    pub corner_offsets: Vec<u32>,
    /// The other two corners of each triangle round a particle, in winding order.
    pub corners: Vec<[u32; 2]>,
    /// kg a particle.
    pub masses: Vec<f32>,
}

impl ConstraintGraph {
    /// Builds the constraints of a garment at rest in the pose it was made in.
    pub fn build(garment: &Garment) -> Self {
        let (positions, triangles) = (&garment.mesh.positions, &garment.mesh.triangles);
        let around = edges(triangles);
        let mut pairs = BTreeMap::new();
        for (&(a, b), opposite) in &around {
            pairs.insert((a, b), kind_of(positions, a, b, opposite));
        }
        for opposite in around.values() {
            if let &[a, b] = opposite.as_slice()
                && a != b
            {
                pairs.entry((a.min(b), a.max(b))).or_insert(Kind::Bend);
            }
        }
        let (offsets, constraints) = gather(positions, &pairs);
        let (corner_offsets, corners) = gather_corners(positions.len(), triangles);
        let mut graph = Self {
            offsets,
            constraints,
            tethers: Vec::new(),
            corner_offsets,
            corners,
            masses: masses(positions, triangles),
        };
        graph.tethers = graph.find_tethers(garment);
        graph
    }

    /// The constraints of one particle.
    pub fn of(&self, particle_ix: u32) -> &[Constraint] {
        &self.constraints[range(&self.offsets, particle_ix)]
    }

    /// The other two corners of each triangle round one particle.
    pub fn corners_of(&self, particle_ix: u32) -> &[[u32; 2]] {
        &self.corners[range(&self.corner_offsets, particle_ix)]
    }

    fn find_tethers(&self, garment: &Garment) -> Vec<Vec<Tether>> {
        let anchors: Vec<u32> = garment
            .attachments
            .iter()
            .map(|attachment| attachment.particle_ix)
            .collect();
        let mut tethers = vec![Vec::new(); garment.mesh.positions.len()];
        // Nearest first: the heap hands out every (length, particle, anchor) in order of length.
        let mut heap: BinaryHeap<_> = anchors
            .iter()
            .map(|&anchor| Reverse((0, anchor, anchor)))
            .collect();
        while let Some(Reverse((nanometres, particle_ix, anchor_ix))) = heap.pop() {
            let known: &mut Vec<Tether> = &mut tethers[particle_ix as usize];
            if known.len() == TETHER_COUNT
                || known.iter().any(|tether| tether.anchor_ix == anchor_ix)
            {
                continue;
            }
            known.push(Tether {
                anchor_ix,
                max_length: nanometres as f32 * 1e-9 * TETHER_SLACK,
            });
            for edge in self
                .of(particle_ix)
                .iter()
                .filter(|edge| edge.kind != Kind::Bend)
            {
                let length = nanometres + (edge.rest_length * 1e9) as u64;
                heap.push(Reverse((length, edge.other_ix, anchor_ix)));
            }
        }
        // An attached particle has its attachment; a tether to itself would nail it.
        for anchor in anchors {
            tethers[anchor as usize].clear();
        }
        tethers
    }
}

fn range(offsets: &[u32], particle_ix: u32) -> std::ops::Range<usize> {
    offsets[particle_ix as usize] as usize..offsets[particle_ix as usize + 1] as usize
}

/// Every edge, lower end first, with the corners opposite to it.
fn edges(triangles: &[[u32; 3]]) -> BTreeMap<(u32, u32), Vec<u32>> {
    let mut around: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    for &[a, b, c] in triangles
        .iter()
        .filter(|[a, b, c]| a != b && b != c && c != a)
    {
        for (from, to, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            around
                .entry((from.min(to), from.max(to)))
                .or_default()
                .push(opposite);
        }
    }
    around
}

/// An edge opposite to two right angles is the diagonal of a quad.
fn kind_of(positions: &[Vec3], a: u32, b: u32, opposite: &[u32]) -> Kind {
    let at = |ix: u32| positions[ix as usize];
    let is_right = |&corner: &u32| {
        let (to_a, to_b) = (
            (at(a) - at(corner)).normalize_or_zero(),
            (at(b) - at(corner)).normalize_or_zero(),
        );
        to_a.dot(to_b).abs() < 0.2
    };
    if opposite.len() == 2 && opposite.iter().all(is_right) {
        Kind::Shear
    } else {
        Kind::Stretch
    }
}

fn gather(positions: &[Vec3], pairs: &BTreeMap<(u32, u32), Kind>) -> (Vec<u32>, Vec<Constraint>) {
    let mut lists = vec![Vec::new(); positions.len()];
    for (&(a, b), &kind) in pairs {
        let rest_length = positions[a as usize].distance(positions[b as usize]);
        lists[a as usize].push(Constraint {
            other_ix: b,
            rest_length,
            kind,
        });
        lists[b as usize].push(Constraint {
            other_ix: a,
            rest_length,
            kind,
        });
    }
    for list in &mut lists {
        list.sort_by_key(|constraint| constraint.other_ix);
    }
    flatten(&lists)
}

fn gather_corners(particle_count: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<[u32; 2]>) {
    let mut lists = vec![Vec::new(); particle_count];
    for &[a, b, c] in triangles {
        lists[a as usize].push([b, c]);
        lists[b as usize].push([c, a]);
        lists[c as usize].push([a, b]);
    }
    flatten(&lists)
}

fn flatten<T: Clone>(lists: &[Vec<T>]) -> (Vec<u32>, Vec<T>) {
    let mut offsets = vec![0];
    offsets.extend(lists.iter().scan(0, |end, list| {
        *end += list.len() as u32;
        Some(*end)
    }));
    (offsets, lists.concat())
}

fn masses(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<f32> {
    let mut masses = vec![0.0; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|ix| positions[ix as usize]);
        let third = 0.5 * (b - a).cross(c - a).length() * DENSITY / 3.0;
        for &ix in triangle {
            masses[ix as usize] += third;
        }
    }
    masses
        .iter()
        .map(|&mass: &f32| mass.max(LEAST_MASS))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::SkinMesh;
    use crate::cloth::garment::Attachment;

    fn garment(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, held: &[u32]) -> Garment {
        let attach = |&particle_ix| Attachment {
            particle_ix,
            compliance: 0.0,
        };
        Garment {
            name: String::new(),
            mesh: SkinMesh {
                positions,
                triangles,
                ..SkinMesh::default()
            },
            attachments: held.iter().map(attach).collect(),
            clearances: Vec::new(),
            base_colour: [1.0; 4],
        }
    }

    /// A bent strip of nearly equilateral triangles, `length` to each of its two rows.
    fn strip(length: u32, held: &[u32]) -> Garment {
        let pair = |ix: u32| {
            let x = ix as f32;
            [Vec3::new(x, 0.0, 0.0), Vec3::new(x + 0.5, 0.866, 0.1 * x)]
        };
        let triangle = |ix: u32| [[ix, ix + 2, ix + 1], [ix, ix + 1, ix + 2]][ix as usize % 2];
        let triangles = (0..2 * length - 2).map(triangle).collect();
        garment((0..length).flat_map(pair).collect(), triangles, held)
    }

    #[test]
    fn every_constraint_is_at_both_ends_and_as_long_as_its_ends_are_apart() {
        let garment = strip(9, &[]);
        let positions = &garment.mesh.positions;
        let graph = ConstraintGraph::build(&garment);
        for ix in 0..positions.len() as u32 {
            let row = graph.of(ix);
            let is_ordered = row
                .windows(2)
                .all(|pair| pair[0].other_ix < pair[1].other_ix);
            assert!(is_ordered, "sorted, none twice");
            for constraint in row {
                assert_ne!(constraint.other_ix, ix);
                let apart =
                    positions[ix as usize].distance(positions[constraint.other_ix as usize]);
                assert_eq!(constraint.rest_length, apart);
                let back = Constraint {
                    other_ix: ix,
                    ..*constraint
                };
                assert!(graph.of(constraint.other_ix).contains(&back));
            }
        }
    }

    #[test]
    fn edges_of_even_triangles_stretch_and_far_corners_bend() {
        let graph = ConstraintGraph::build(&strip(3, &[]));
        let kinds: Vec<_> = graph.of(0).iter().map(|c| (c.other_ix, c.kind)).collect();
        assert_eq!(
            kinds,
            [(1, Kind::Stretch), (2, Kind::Stretch), (3, Kind::Bend)]
        );
    }

    #[test]
    fn the_diagonal_of_a_square_shears() {
        let corners = vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y];
        let graph = ConstraintGraph::build(&garment(corners, vec![[0, 1, 2], [0, 2, 3]], &[]));
        let kinds: Vec<_> = graph.of(0).iter().map(|c| c.kind).collect();
        assert_eq!(kinds, [Kind::Stretch, Kind::Shear, Kind::Stretch]);
        assert_eq!(graph.of(1)[2].kind, Kind::Bend);
    }

    #[test]
    fn tethers_lead_to_the_nearest_anchors_and_are_never_shorter_than_the_straight_way() {
        let garment = strip(20, &[0, 7, 30, 39]);
        let positions = &garment.mesh.positions;
        let graph = ConstraintGraph::build(&garment);
        for (ix, tethers) in graph.tethers.iter().enumerate() {
            let is_anchor = [0, 7, 30, 39].contains(&ix);
            assert_eq!(tethers.len(), if is_anchor { 0 } else { TETHER_COUNT });
            assert!(tethers.is_sorted_by(|a, b| a.max_length <= b.max_length));
            for tether in tethers {
                let straight = positions[ix].distance(positions[tether.anchor_ix as usize]);
                assert!(tether.max_length >= straight);
                assert!(tether.max_length <= 1.2 * straight + 0.5);
            }
        }
    }

    #[test]
    fn a_piece_that_nothing_holds_has_no_tethers() {
        let mut garment = strip(3, &[0]);
        garment.mesh.positions.extend([Vec3::X, Vec3::Y, Vec3::Z]);
        garment.mesh.triangles.push([6, 7, 8]);
        let graph = ConstraintGraph::build(&garment);
        assert!(graph.tethers[7].is_empty());
        assert_eq!(graph.tethers[5].len(), 1);
    }

    #[test]
    fn masses_sum_to_density_times_area() {
        let garment = strip(5, &[]);
        let corners = |triangle: &[u32; 3]| triangle.map(|ix| garment.mesh.positions[ix as usize]);
        let area = |[a, b, c]: [Vec3; 3]| 0.5 * (b - a).cross(c - a).length();
        let total: f32 = garment.mesh.triangles.iter().map(corners).map(area).sum();
        let graph = ConstraintGraph::build(&garment);
        assert!((graph.masses.iter().sum::<f32>() - DENSITY * total).abs() < 1e-5);
    }

    #[test]
    fn corners_go_round_in_winding_order() {
        let graph = ConstraintGraph::build(&strip(2, &[]));
        assert_eq!(graph.corners_of(1), [[0, 2], [2, 3]]);
    }

    #[test]
    fn degenerate_triangles_are_tolerated() {
        let twice = Vec3::new(0.5, 1.0, 0.0);
        let positions = vec![Vec3::ZERO, Vec3::X, twice, twice, Vec3::splat(9.0)];
        let triangles = vec![[0, 1, 2], [2, 1, 3], [1, 1, 3]];
        let graph = ConstraintGraph::build(&garment(positions, triangles, &[0]));
        assert!(graph.constraints.iter().all(|c| c.rest_length.is_finite()));
        assert!(graph.masses.iter().all(|&mass| mass > 0.0));
        assert!(graph.of(4).is_empty());
    }
}
