//! What holds a garment together: for each particle its distance constraints, tethers, triangles and mass.
//!
//! The solver gathers: every constraint is listed at both of its ends, so that a particle averages its own corrections
//! and nothing is scattered. All lists are in compressed rows ([`Rows`]) and ordered by particle, then by partner.

use crate::avatar::SkinMesh;
use glam::Vec3;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::garment::Attachment;

/// Nearest attached particles that each particle is tethered to. 1 lets cloth swing round a single point, more than 4
/// changes nothing that can be seen.
pub const TETHER_COUNT: usize = 4;
/// Mass of cloth per area, kg/m²: a shirt has 0.12 to 0.2, denim 0.4.
pub const USUAL_AREA_DENSITY: f32 = 0.2;
/// Mass of a particle without area, kg: keeps its inverse finite.
const LEAST_MASS: f32 = 1e-6;
/// Two triangles whose common edge is longer than this times the mean of their other edges look like a quad cut along
/// its diagonal (1.41 for a square). In near-equilateral meshes, 1.0, it never happens.
const DIAGONAL_RATIO: f32 = 1.25;

/// What a distance constraint resists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum ConstraintKind {
    /// An edge.
    Stretch = 0,
    /// An edge that is the diagonal of a quad. The meshes we generate have none: their even triangles resist shear by
    /// their edges.
    Shear = 1,
    /// From tip to tip of two triangles with a common edge.
    Bend = 2,
}

/// One distance constraint, seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The particle at the other end.
    pub other_ix: u32,
    /// Metres.
    pub rest_length: f32,
    pub kind: ConstraintKind,
}

/// A limit on the distance to an attached particle (long range attachment, Kim et al. 2012): stops cloth from
/// stretching far under its own weight, which needs many iterations otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tether {
    /// The attached particle.
    pub attached_ix: u32,
    /// Length of the shortest way over the mesh between the two, in metres: along edges and across pairs of
    /// triangles, so at least the straight distance and up to about 8 % more than the true geodesic.
    pub max_length: f32,
}

/// A list of lists: row `i` is `items[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows<T> {
    /// One more than there are rows, starting at 0, not decreasing.
    pub offsets: Vec<u32>,
    pub items: Vec<T>,
}

impl<T> Rows<T> {
    fn from_rows(rows: impl IntoIterator<Item = Vec<T>>) -> Self {
        let (mut offsets, mut items) = (vec![0], Vec::new());
        for row in rows {
            items.extend(row);
            offsets.push(items.len() as u32);
        }
        Self { offsets, items }
    }

    /// # Panics
    /// When there are not as many rows.
    pub fn row(&self, row_ix: usize) -> &[T] {
        &self.items[self.offsets[row_ix] as usize..self.offsets[row_ix + 1] as usize]
    }

    pub fn row_count(&self) -> usize {
        self.offsets.len() - 1
    }
}

/// Everything that the solver gathers from, by particle.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintGraph {
    /// By partner's index; no partner twice (an edge wins over a bend).
    pub constraints: Rows<Constraint>,
    /// Up to [`TETHER_COUNT`], nearest first; an attached particle has one to itself of length 0. None in pieces of
    /// the mesh that nothing is attached to.
    pub tethers: Rows<Tether>,
    /// Triangles round each particle, as indices into the mesh's, for normals.
    pub triangles: Rows<u32>,
    /// Kilograms, positive.
    pub masses: Vec<f32>,
}

impl ConstraintGraph {
    /// Builds the graph of a mesh in its rest shape; `area_density` is in kg/m² ([`USUAL_AREA_DENSITY`]).
    ///
    /// Triangles that use a vertex twice and triangles without area are tolerated: what they have in length counts.
    ///
    /// # Panics
    /// When an index of the mesh or of an attachment is out of range.
    pub fn build(mesh: &SkinMesh, attachments: &[Attachment], area_density: f32) -> Self {
        let constraints = constraints(mesh);
        let attached: Vec<u32> = attachments
            .iter()
            .map(|attachment| attachment.particle_ix)
            .collect();
        let tethers = tethers(&constraints, &attached);
        Self {
            tethers,
            constraints,
            triangles: fans(mesh),
            masses: masses(mesh, area_density),
        }
    }
}

/// Every edge of a mesh once: the smaller index first, in ascending order.
pub fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    tips_by_edge(triangles).into_keys().collect()
}

/// The vertices opposite each edge, one for each triangle that has it.
fn tips_by_edge(triangles: &[[u32; 3]]) -> BTreeMap<[u32; 2], Vec<u32>> {
    let mut tips: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for (from, to, tip) in [(a, b, c), (b, c, a), (c, a, b)] {
            if from != to {
                tips.entry([from.min(to), from.max(to)])
                    .or_default()
                    .push(tip);
            }
        }
    }
    tips
}

fn constraints(mesh: &SkinMesh) -> Rows<Constraint> {
    let place = |ix: u32| mesh.positions[ix as usize];
    let tips = tips_by_edge(&mesh.triangles);
    let mut kinds = BTreeMap::new();
    for (&[a, b], tips) in &tips {
        kinds.insert(
            [a, b],
            edge_kind([a, b].map(place), tips.iter().map(|&tip| place(tip))),
        );
    }
    for (&[a, b], tips) in &tips {
        // More than two triangles on an edge is no cloth, but every pair of tips may still bend.
        for (ix, &tip) in tips.iter().enumerate() {
            let others = tips[ix + 1..]
                .iter()
                .filter(|&&other| other != tip && ![a, b].contains(&other));
            others.for_each(|&other| {
                kinds
                    .entry([tip.min(other), tip.max(other)])
                    .or_insert(ConstraintKind::Bend);
            });
        }
    }
    let mut rows = vec![Vec::new(); mesh.positions.len()];
    for (&[a, b], &kind) in &kinds {
        let rest_length = place(a).distance(place(b));
        rows[a as usize].push(Constraint {
            other_ix: b,
            rest_length,
            kind,
        });
        rows[b as usize].push(Constraint {
            other_ix: a,
            rest_length,
            kind,
        });
    }
    rows.iter_mut()
        .for_each(|row| row.sort_by_key(|constraint| constraint.other_ix));
    Rows::from_rows(rows)
}

fn edge_kind([a, b]: [Vec3; 2], tips: impl ExactSizeIterator<Item = Vec3>) -> ConstraintKind {
    let tip_count = tips.len();
    let around: f32 = tips.map(|tip| a.distance(tip) + b.distance(tip)).sum();
    let is_diagonal = tip_count == 2 && a.distance(b) > DIAGONAL_RATIO * 0.25 * around;
    if is_diagonal {
        ConstraintKind::Shear
    } else {
        ConstraintKind::Stretch
    }
}

/// For each particle its nearest attached ones: one search from all of them at once, each particle closing after
/// [`TETHER_COUNT`] arrivals.
fn tethers(constraints: &Rows<Constraint>, attached: &[u32]) -> Rows<Tether> {
    let mut found: Vec<Vec<Tether>> = vec![Vec::new(); constraints.row_count()];
    let mut queue = BinaryHeap::new();
    // Lengths are not negative, so their bits order like their values.
    attached
        .iter()
        .for_each(|&ix| queue.push(Reverse((0.0f32.to_bits(), ix, ix))));
    while let Some(Reverse((length_bits, particle_ix, attached_ix))) = queue.pop() {
        let tethers = &mut found[particle_ix as usize];
        let is_known = tethers
            .iter()
            .any(|tether| tether.attached_ix == attached_ix);
        if is_known || tethers.len() == TETHER_COUNT {
            continue;
        }
        let max_length = f32::from_bits(length_bits);
        tethers.push(Tether {
            attached_ix,
            max_length,
        });
        for constraint in constraints.row(particle_ix as usize) {
            let length = max_length + constraint.rest_length;
            queue.push(Reverse((
                length.to_bits(),
                constraint.other_ix,
                attached_ix,
            )));
        }
    }
    Rows::from_rows(found)
}

fn fans(mesh: &SkinMesh) -> Rows<u32> {
    let mut rows = vec![Vec::new(); mesh.positions.len()];
    for (triangle_ix, triangle) in mesh.triangles.iter().enumerate() {
        for &vertex_ix in triangle {
            rows[vertex_ix as usize].push(triangle_ix as u32);
        }
    }
    // A triangle that uses a vertex twice counts once.
    rows.iter_mut().for_each(Vec::dedup);
    Rows::from_rows(rows)
}

/// A third of the mass of each triangle round a particle.
fn masses(mesh: &SkinMesh, area_density: f32) -> Vec<f32> {
    let mut masses = vec![0.0; mesh.positions.len()];
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|ix| mesh.positions[ix as usize]);
        let share = area_density * 0.5 * (b - a).cross(c - a).length() / 3.0;
        triangle.iter().for_each(|&ix| masses[ix as usize] += share);
    }
    masses
        .into_iter()
        .map(|mass| mass.max(LEAST_MASS))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> SkinMesh {
        let positions = positions.iter().map(|&position| position.into()).collect();
        SkinMesh {
            positions,
            triangles: triangles.to_vec(),
            ..SkinMesh::default()
        }
    }

    /// A strip of nearly equilateral triangles, `count` to each of its two rows.
    fn strip(count: u32) -> SkinMesh {
        let low = (0..count).map(|ix| [ix as f32, 0.0, 0.0]);
        let high = (0..count).map(|ix| [ix as f32 + 0.5, 0.866, 0.1 * ix as f32]);
        let positions: Vec<[f32; 3]> = low.zip(high).flat_map(|(low, high)| [low, high]).collect();
        let triangles: Vec<[u32; 3]> = (0..2 * count - 2)
            .map(|ix| {
                if ix % 2 == 0 {
                    [ix, ix + 2, ix + 1]
                } else {
                    [ix, ix + 1, ix + 2]
                }
            })
            .collect();
        mesh(&positions, &triangles)
    }

    fn attach(particle_ix: u32) -> Attachment {
        Attachment {
            particle_ix,
            compliance: 0.0,
        }
    }

    #[test]
    fn every_constraint_is_at_both_ends_and_as_long_as_its_ends_are_apart() {
        let mesh = strip(9);
        let graph = ConstraintGraph::build(&mesh, &[], USUAL_AREA_DENSITY);
        for ix in 0..mesh.positions.len() {
            let row = graph.constraints.row(ix);
            assert!(
                row.windows(2)
                    .all(|pair| pair[0].other_ix < pair[1].other_ix),
                "sorted, none twice"
            );
            for constraint in row {
                let other = constraint.other_ix as usize;
                assert_ne!(other, ix);
                assert_eq!(
                    constraint.rest_length,
                    mesh.positions[ix].distance(mesh.positions[other])
                );
                let back = Constraint {
                    other_ix: ix as u32,
                    ..*constraint
                };
                assert!(graph.constraints.row(other).contains(&back));
            }
        }
    }

    #[test]
    fn edges_of_even_triangles_stretch_and_tips_bend() {
        let graph = ConstraintGraph::build(&strip(3), &[], USUAL_AREA_DENSITY);
        let kinds: Vec<_> = graph
            .constraints
            .row(0)
            .iter()
            .map(|c| (c.other_ix, c.kind))
            .collect();
        assert_eq!(
            kinds,
            [
                (1, ConstraintKind::Stretch),
                (2, ConstraintKind::Stretch),
                (3, ConstraintKind::Bend)
            ]
        );
    }

    #[test]
    fn the_diagonal_of_a_square_shears() {
        let square = mesh(
            &[
                [0.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
                [1.0, 1.0, 0.0],
                [0.0, 1.0, 0.0],
            ],
            &[[0, 1, 2], [0, 2, 3]],
        );
        let graph = ConstraintGraph::build(&square, &[], USUAL_AREA_DENSITY);
        let kinds: Vec<_> = graph.constraints.row(0).iter().map(|c| c.kind).collect();
        assert_eq!(
            kinds,
            [
                ConstraintKind::Stretch,
                ConstraintKind::Shear,
                ConstraintKind::Stretch
            ]
        );
        assert_eq!(graph.constraints.row(1)[2].kind, ConstraintKind::Bend);
    }

    #[test]
    fn tethers_are_the_nearest_attached_and_never_shorter_than_the_straight_way() {
        let mesh = strip(20);
        let attached = [0, 1, 7, 30, 33, 39];
        let graph = ConstraintGraph::build(&mesh, &attached.map(attach), USUAL_AREA_DENSITY);
        for ix in 0..mesh.positions.len() {
            let tethers = graph.tethers.row(ix);
            assert_eq!(tethers.len(), TETHER_COUNT);
            assert!(
                tethers
                    .windows(2)
                    .all(|pair| pair[0].max_length <= pair[1].max_length)
            );
            for tether in tethers {
                let straight =
                    mesh.positions[ix].distance(mesh.positions[tether.attached_ix as usize]);
                assert!(
                    tether.max_length >= straight - 1e-5,
                    "{} below {straight}",
                    tether.max_length
                );
                assert!(
                    tether.max_length <= 1.25 * straight + 0.3,
                    "{} far above {straight}",
                    tether.max_length
                );
            }
        }
        assert_eq!(
            graph.tethers.row(7)[0],
            Tether {
                attached_ix: 7,
                max_length: 0.0
            }
        );
    }

    #[test]
    fn a_piece_that_nothing_holds_has_no_tethers() {
        let mut mesh = strip(3);
        mesh.positions.extend([Vec3::X, Vec3::Y, Vec3::Z]);
        mesh.triangles.push([6, 7, 8]);
        let graph = ConstraintGraph::build(&mesh, &[attach(0)], USUAL_AREA_DENSITY);
        assert!(graph.tethers.row(7).is_empty());
        assert_eq!(graph.tethers.row(5).len(), 1);
    }

    #[test]
    fn masses_sum_to_density_times_area() {
        let mesh = strip(5);
        let area: f32 = mesh
            .triangles
            .iter()
            .map(|triangle| triangle.map(|ix| mesh.positions[ix as usize]))
            .map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length())
            .sum();
        let graph = ConstraintGraph::build(&mesh, &[], 0.3);
        assert!((graph.masses.iter().sum::<f32>() - 0.3 * area).abs() < 1e-5);
    }

    #[test]
    fn degenerate_triangles_are_tolerated() {
        let mesh = mesh(
            &[
                [0.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
                [0.5, 1.0, 0.0],
                [0.5, 1.0, 0.0],
                [9.0, 9.0, 9.0],
            ],
            &[[0, 1, 2], [2, 1, 3], [1, 1, 3]],
        );
        let graph = ConstraintGraph::build(&mesh, &[attach(0)], USUAL_AREA_DENSITY);
        assert!(
            graph
                .constraints
                .items
                .iter()
                .all(|constraint| constraint.rest_length.is_finite())
        );
        assert!(graph.masses.iter().all(|&mass| mass > 0.0));
        assert_eq!(graph.triangles.row(1), [0, 1, 2]);
        assert!(graph.constraints.row(4).is_empty());
        assert_eq!(
            edges(&mesh.triangles),
            [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]
        );
    }
}
