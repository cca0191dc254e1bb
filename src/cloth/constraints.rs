//! The constraints of a garment's particles, listed per particle: each gathers from its list, so that the GPU needs
//! no atomics and every run gives the same result.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use glam::{Vec2, Vec3};

use super::garment::{FIRM, Garment};
use super::long_range;

/// The least area of a particle, in m²: one without triangles still has to move.
const MIN_AREA: f32 = 4e-6;

/// Part of the area of an edge's two triangles whose stretching the edge stands for: with it a mesh of equilateral triangles,
/// strained along one of its edges, resists as the cloth's stiffness in N/m says.
const EDGE_SHARE: f32 = 8.0 / 9.0;

/// A bend constraint is as stiff as a plate folded by this angle, squared radians. Between two far corners a distance changes with
/// the square of the fold, so the match holds at one fold: 1 rad, where cloth starts to crease.
const MATCHED_FOLD_SQUARED: f32 = 1.0;

/// Anchors a particle is tethered to.
const TETHER_COUNT: usize = 2;

/// Tethers are this much longer than the cloth between their ends. Usually 1.003: cloth that hangs at rest stretches by little more, however
/// few sub-steps solve it, since edges alone would give more. With 1 cloth that is carried along by its anchors is held by them alone.
const TETHER_SLACK: f32 = 1.003;

/// What a distance constraint is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// An edge of the mesh.
    Stretch = 0,
    /// Between the far corners of two triangles that share an edge.
    Bend = 1,
    /// Between particles some edges apart: no further than the cloth between them is long.
    LongRange = 2,
}

/// A distance constraint as seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    pub other_ix: u32,
    /// Metres; of a long-range constraint the cloth between its ends.
    pub rest_length: f32,
    pub kind: Kind,
    /// What a compliance of the cloth is multiplied by for this constraint: without unit for stretch (m/N of the cloth to m/N
    /// of the edge), m² for bend (1/(N·m) to m/N); 0 for long range, which has none.
    pub scale: f32,
    /// Squared cosine of the angle between an edge and the warp; 1 for the others.
    pub along_warp: f32,
}

/// The longest distance to a firmly attached particle; one that is held loosely may be far from its target.
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
    /// Each constraint is listed twice, once per end; within a particle by the other end's index.
    pub constraints: Vec<Constraint>,
    /// Up to two per particle, nearest anchor first; none for a garment that is not attached.
    pub tethers: Vec<Vec<Tether>>,
    /// First of [`Self::corners`] for each particle, and one past the last.
    pub corner_offsets: Vec<u32>,
    /// The other two corners of each triangle round a particle, in winding order.
    pub corners: Vec<[u32; 2]>,
    /// m² of cloth per particle.
    pub areas: Vec<f32>,
}

impl ConstraintGraph {
    /// Builds the constraints of a garment at rest in the pose it was made in.
    pub fn build(garment: &Garment) -> Self {
        let (positions, triangles) = (garment.rest_shape(), &garment.mesh.triangles);
        let weave = Weave::of(garment);
        let around = edges(triangles);
        let mut pairs = BTreeMap::new();
        for (&(a, b), opposite) in &around {
            pairs.insert((a, b), weave.edge(a, b, opposite));
        }
        for (&(a, b), opposite) in &around {
            if let &[c, d] = opposite.as_slice()
                && c != d
            {
                let bend = || weave.bend([a, b], [c, d]);
                pairs.entry((c.min(d), c.max(d))).or_insert_with(bend);
            }
        }
        for pair in long_range::pairs(positions, around.keys().copied()) {
            let [a, b] = pair.ends;
            pairs.entry((a, b)).or_insert(Shape {
                rest_length: pair.length,
                kind: Kind::LongRange,
                scale: 0.0,
                along_warp: 1.0,
            });
        }
        let (offsets, constraints) = gather(positions.len(), &pairs);
        let (corner_offsets, corners) = gather_corners(positions.len(), triangles);
        let mut graph = Self {
            offsets,
            constraints,
            tethers: Vec::new(),
            corner_offsets,
            corners,
            areas: areas(positions, triangles),
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
            .filter(|attachment| attachment.compliance <= FIRM)
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
                .filter(|edge| edge.kind == Kind::Stretch)
            {
                let length = nanometres + (edge.rest_length * 1e9) as u64;
                heap.push(Reverse((length, edge.other_ix, anchor_ix)));
            }
        }
        // An attached particle has its attachment; a tether to itself would nail it.
        let attached = garment.attachments.iter();
        let attached = attached.map(|attachment| attachment.particle_ix);
        let covered = garment.layered.iter();
        let covered = covered.filter(|(_, covered)| covered.is_attached());
        for particle_ix in attached.chain(covered.map(|(&particle_ix, _)| particle_ix)) {
            tethers[particle_ix as usize].clear();
        }
        tethers
    }
}

fn range(offsets: &[u32], particle_ix: u32) -> std::ops::Range<usize> {
    offsets[particle_ix as usize] as usize..offsets[particle_ix as usize + 1] as usize
}

/// Every edge, lower end first, with the corners opposite to it.
pub(super) fn edges(triangles: &[[u32; 3]]) -> BTreeMap<(u32, u32), Vec<u32>> {
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

/// Lengths and directions of a garment's cloth as it was made.
struct Weave<'a> {
    positions: &'a [Vec3],
    uvs: &'a [Vec2],
    /// Metres of cloth per unit of the texture coordinates, whose second axis is the warp.
    metres_per_uv: f32,
}

impl<'a> Weave<'a> {
    fn of(garment: &'a Garment) -> Self {
        let (mut metres, mut units) = (0.0, 0.0);
        let (positions, uvs) = (garment.rest_shape(), &garment.mesh.uvs);
        for &[a, b, _] in garment.mesh.triangles.iter().filter(|_| !uvs.is_empty()) {
            let [a, b] = [a as usize, b as usize];
            metres += positions[a].distance(positions[b]);
            units += uvs[a].distance(uvs[b]);
        }
        Self {
            positions,
            uvs,
            metres_per_uv: if units > 0.0 { metres / units } else { 0.0 },
        }
    }

    fn length(&self, a: u32, b: u32) -> f32 {
        self.positions[a as usize].distance(self.positions[b as usize])
    }

    fn triangle_area(&self, a: u32, b: u32, c: u32) -> f32 {
        let at = |ix: u32| self.positions[ix as usize];
        0.5 * (at(b) - at(a)).cross(at(c) - at(a)).length()
    }

    /// An edge stands for a part of the cloth in the triangles beside it.
    fn edge(&self, a: u32, b: u32, opposite: &[u32]) -> Shape {
        let rest_length = self.length(a, b);
        let beside = opposite.iter().map(|&c| self.triangle_area(a, b, c));
        let area = (EDGE_SHARE * beside.sum::<f32>()).max(MIN_AREA);
        Shape {
            rest_length,
            kind: Kind::Stretch,
            scale: rest_length * rest_length / area,
            along_warp: self.along_warp(a, b, rest_length),
        }
    }

    /// Without texture coordinates every direction is halfway between warp and weft.
    fn along_warp(&self, a: u32, b: u32, length: f32) -> f32 {
        if self.metres_per_uv == 0.0 || length == 0.0 {
            return 0.5;
        }
        let rise = (self.uvs[a as usize].y - self.uvs[b as usize].y) * self.metres_per_uv;
        (rise * rise / (length * length)).min(1.0)
    }

    /// The fold along the edge `hinge`, held by the distance of the far corners.
    fn bend(&self, hinge: [u32; 2], corners: [u32; 2]) -> Shape {
        let hinge_length = self.length(hinge[0], hinge[1]).max(f32::MIN_POSITIVE);
        let height = |corner| 2.0 * self.triangle_area(hinge[0], hinge[1], corner) / hinge_length;
        let height = 0.5 * (height(corners[0]) + height(corners[1]));
        Shape {
            rest_length: self.length(corners[0], corners[1]),
            kind: Kind::Bend,
            scale: height.powi(3) * MATCHED_FOLD_SQUARED / (16.0 * hinge_length),
            along_warp: 1.0,
        }
    }
}

/// A constraint without its ends.
#[derive(Clone, Copy)]
struct Shape {
    rest_length: f32,
    kind: Kind,
    scale: f32,
    along_warp: f32,
}

impl Shape {
    fn to(self, other_ix: u32) -> Constraint {
        Constraint {
            other_ix,
            rest_length: self.rest_length,
            kind: self.kind,
            scale: self.scale,
            along_warp: self.along_warp,
        }
    }
}

fn gather(
    particle_count: usize,
    pairs: &BTreeMap<(u32, u32), Shape>,
) -> (Vec<u32>, Vec<Constraint>) {
    let mut lists = vec![Vec::new(); particle_count];
    for (&(a, b), shape) in pairs {
        lists[a as usize].push(shape.to(b));
        lists[b as usize].push(shape.to(a));
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

fn areas(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<f32> {
    let mut areas = vec![0.0; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|ix| positions[ix as usize]);
        let third = 0.5 * (b - a).cross(c - a).length() / 3.0;
        for &ix in triangle {
            areas[ix as usize] += third;
        }
    }
    areas.iter().map(|&area: &f32| area.max(MIN_AREA)).collect()
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
            rest_positions: Vec::new(),
            clearances: Vec::new(),
            layered: BTreeMap::new(),
            motion: Vec::new(),
            drawn: None,
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
    fn an_even_sheet_resists_as_its_stiffness_says() {
        // Strained by 1 % along x, at 1 N/m: half the strain squared times the area, in joules.
        let garment = strip(200, &[]);
        let flat = |position: &Vec3| Vec3::new(position.x, position.y, 0.0);
        let positions: Vec<_> = garment.mesh.positions.iter().map(flat).collect();
        let flat = Garment {
            mesh: SkinMesh {
                positions,
                ..garment.mesh
            },
            ..garment
        };
        let graph = ConstraintGraph::build(&flat);
        let energy_of = |ix: u32, edge: &Constraint| {
            let [a, b] = [ix, edge.other_ix].map(|ix| flat.mesh.positions[ix as usize]);
            let strained = ((a - b) * Vec3::new(1.01, 1.0, 1.0)).length();
            let change = strained - edge.rest_length;
            // Each edge is listed at both ends.
            0.25 * change * change / edge.scale
        };
        let edges = (0..400).flat_map(|ix| graph.of(ix).iter().map(move |edge| (ix, edge)));
        let stretch = edges.filter(|(_, edge)| edge.kind == Kind::Stretch);
        let energy: f32 = stretch.map(|(ix, edge)| energy_of(ix, edge)).sum();
        let expected = 0.5 * 1e-4 * graph.areas.iter().sum::<f32>();
        // The edges along the two borders have one triangle each.
        assert!(
            (energy / expected - 1.0).abs() < 0.1,
            "{energy} J, not {expected} J"
        );
    }

    #[test]
    fn the_second_texture_coordinate_runs_along_the_warp() {
        let corners = vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y];
        let mut square = garment(corners, vec![[0, 1, 2], [0, 2, 3]], &[]);
        square.mesh.uvs = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
            .map(Vec2::from)
            .to_vec();
        let graph = ConstraintGraph::build(&square);
        let along: Vec<_> = graph.of(0).iter().map(|c| c.along_warp).collect();
        assert_eq!(along[0], 0.0);
        assert!((along[1] - 0.5).abs() < 1e-6);
        assert_eq!(along[2], 1.0);
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
                assert!(tether.max_length <= TETHER_SLACK * 1.18 * straight + 0.55);
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
    fn the_particles_share_out_the_area() {
        let garment = strip(5, &[]);
        let corners = |triangle: &[u32; 3]| triangle.map(|ix| garment.mesh.positions[ix as usize]);
        let area = |[a, b, c]: [Vec3; 3]| 0.5 * (b - a).cross(c - a).length();
        let total: f32 = garment.mesh.triangles.iter().map(corners).map(area).sum();
        let graph = ConstraintGraph::build(&garment);
        assert!((graph.areas.iter().sum::<f32>() / total - 1.0).abs() < 1e-5);
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
        assert!(graph.areas.iter().all(|&area| area > 0.0));
        assert!(graph.of(4).is_empty());
    }
}
