//! Edge collapse down to an exact triangle budget.
//!
//! A simplifier of our own because the mesh must stay a manifold, keep its borders between materials as lines,
//! keep its rim on the middle plane, and come out the same on every machine.

use super::quadric::Quadric;
use super::surface::PartedMesh;
use glam::DVec3;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// How strongly lines (the rim, borders between parts) keep their shape, against the surface.
const LINE_WEIGHT: f64 = 2.0;

/// The error, as a share of edge length, that a long edge counts for: evens out the triangles where the skin is flat.
const LENGTH_WEIGHT: f64 = 0.012;

/// Twice the area over the longest edge squared below which a triangle is a sliver that no collapse may make.
const SLIVER: f64 = 0.06;

/// How far a face may turn in one collapse, as the cosine.
const MIN_TURN_COSINE: f64 = 0.3;

/// What a vertex lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Surface,
    /// On the rim, or on a border between two parts.
    Line,
    /// Where lines meet: never moves.
    Corner,
}

/// A collapse that looked good when it was pushed. Ordered by cost, then by vertices so that ties break alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    cost_bits: u64,
    keep: u32,
    drop: u32,
    versions: [u32; 2],
}

struct Collapser {
    positions: Vec<DVec3>,
    places: Vec<Place>,
    quadrics: Vec<Quadric>,
    versions: Vec<u32>,
    faces: Vec<[u32; 3]>,
    parts: Vec<usize>,
    is_alive: Vec<bool>,
    faces_of: Vec<Vec<u32>>,
    queue: BinaryHeap<Reverse<Candidate>>,
}

/// Collapses edges, cheapest first, until no more than `triangle_count` triangles are left.
///
/// `importance` scales the error at a point: more of it keeps more triangles there. The mesh must be a manifold
/// with at most one rim, which lies on x = 0.
pub(super) fn simplify(
    fine: &PartedMesh,
    triangle_count: usize,
    importance: impl Fn(DVec3) -> f64,
) -> PartedMesh {
    let mut collapser = Collapser::new(fine, importance);
    let mut alive_count = fine.mesh.triangles.len();
    while alive_count > triangle_count {
        let Some(Reverse(candidate)) = collapser.queue.pop() else {
            break;
        };
        alive_count -= collapser.try_collapse(candidate);
    }
    collapser.into_mesh()
}

impl Collapser {
    fn new(fine: &PartedMesh, importance: impl Fn(DVec3) -> f64) -> Self {
        let count = fine.mesh.positions.len();
        let mut this = Self {
            positions: fine.mesh.positions.iter().map(|p| p.as_dvec3()).collect(),
            places: vec![Place::Surface; count],
            quadrics: vec![Quadric::ZERO; count],
            versions: vec![0; count],
            faces: fine.mesh.triangles.clone(),
            parts: fine.parts.clone(),
            is_alive: vec![true; fine.mesh.triangles.len()],
            faces_of: vec![Vec::new(); count],
            queue: BinaryHeap::new(),
        };
        this.gather(&importance);
        let edges: Vec<[u32; 2]> = this.edges().into_iter().collect();
        this.mark_lines(&edges, &importance);
        for [a, b] in edges {
            this.push(a, b);
        }
        this
    }

    fn gather(&mut self, importance: &impl Fn(DVec3) -> f64) {
        for (ix, face) in self.faces.iter().enumerate() {
            let [a, b, c] = face.map(|v| self.positions[v as usize]);
            let cross = (b - a).cross(c - a);
            let area = 0.5 * cross.length();
            let quadric = Quadric::plane(
                a,
                cross.normalize_or_zero(),
                area * importance((a + b + c) / 3.0),
            );
            for &v in face {
                self.faces_of[v as usize].push(ix as u32);
                self.quadrics[v as usize] = self.quadrics[v as usize].plus(quadric);
            }
        }
    }

    fn edges(&self) -> BTreeSet<[u32; 2]> {
        let edges_of =
            |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
        self.faces.iter().flat_map(|&face| edges_of(face)).collect()
    }

    fn mark_lines(&mut self, edges: &[[u32; 2]], importance: &impl Fn(DVec3) -> f64) {
        let mut line_edge_count = vec![0u32; self.positions.len()];
        let mut on_rim = vec![false; self.positions.len()];
        let mut on_border = vec![false; self.positions.len()];
        for &[a, b] in edges {
            if !self.is_line(a, b) {
                continue;
            }
            let faces = self.shared_faces(a, b);
            for v in [a, b].map(|v| v as usize) {
                line_edge_count[v] += 1;
                *(if faces.len() == 1 {
                    &mut on_rim[v]
                } else {
                    &mut on_border[v]
                }) = true;
            }
            self.add_line_quadric(a, b, faces[0], importance);
        }
        for v in 0..self.places.len() {
            self.places[v] = match line_edge_count[v] {
                0 => Place::Surface,
                2 if on_rim[v] != on_border[v] => Place::Line,
                _ => Place::Corner,
            };
        }
    }

    fn add_line_quadric(&mut self, a: u32, b: u32, face: u32, importance: &impl Fn(DVec3) -> f64) {
        let (from, to) = (self.positions[a as usize], self.positions[b as usize]);
        let sideways = (to - from).cross(self.face_cross(face)).normalize_or_zero();
        let weight = LINE_WEIGHT * from.distance_squared(to) * importance(from);
        for v in [a as usize, b as usize] {
            self.quadrics[v] = self.quadrics[v].plus(Quadric::plane(from, sideways, weight));
        }
    }

    fn face_cross(&self, face: u32) -> DVec3 {
        let [a, b, c] = self.faces[face as usize].map(|v| self.positions[v as usize]);
        (b - a).cross(c - a)
    }

    fn shared_faces(&self, a: u32, b: u32) -> Vec<u32> {
        self.faces_of[a as usize]
            .iter()
            .copied()
            .filter(|&f| self.faces[f as usize].contains(&b))
            .collect()
    }

    /// Whether the edge is part of the rim or of a border between parts.
    fn is_line(&self, a: u32, b: u32) -> bool {
        match *self.shared_faces(a, b) {
            [one, other] => self.parts[one as usize] != self.parts[other as usize],
            _ => true,
        }
    }

    fn neighbours(&self, v: u32) -> Vec<u32> {
        let mut ring: Vec<u32> = self.faces_of[v as usize]
            .iter()
            .flat_map(|&f| self.faces[f as usize])
            .filter(|&n| n != v)
            .collect();
        ring.sort_unstable();
        ring.dedup();
        ring
    }

    /// Queues the collapse of an edge if its ends' places allow it.
    fn push(&mut self, a: u32, b: u32) {
        let (keep, drop) = if self.places[a as usize] >= self.places[b as usize] {
            (a, b)
        } else {
            (b, a)
        };
        let dropped_place = self.places[drop as usize];
        if dropped_place == Place::Corner || (dropped_place == Place::Line && !self.is_line(a, b)) {
            return;
        }
        let target = self.target(keep, drop);
        let quadric = self.quadrics[keep as usize].plus(self.quadrics[drop as usize]);
        let length = self.positions[keep as usize].distance_squared(self.positions[drop as usize]);
        let cost = quadric.error(target) + LENGTH_WEIGHT * LENGTH_WEIGHT * length * length;
        self.queue.push(Reverse(Candidate {
            // The bits of floats that are not negative order like the floats.
            cost_bits: cost.to_bits(),
            keep,
            drop,
            versions: [self.versions[keep as usize], self.versions[drop as usize]],
        }));
    }

    /// Where the kept vertex goes.
    fn target(&self, keep: u32, drop: u32) -> DVec3 {
        let (kept, dropped) = (self.positions[keep as usize], self.positions[drop as usize]);
        if self.places[keep as usize] > self.places[drop as usize] {
            return kept;
        }
        let quadric = self.quadrics[keep as usize].plus(self.quadrics[drop as usize]);
        let middle = 0.5 * (kept + dropped);
        if self.places[keep as usize] == Place::Surface
            && let Some(best) = quadric.minimum()
            && best.distance_squared(middle) < kept.distance_squared(dropped)
        {
            return best;
        }
        let by_error = |a: &DVec3, b: &DVec3| quadric.error(*a).total_cmp(&quadric.error(*b));
        [middle, kept, dropped]
            .into_iter()
            .min_by(by_error)
            .unwrap_or(middle)
    }

    /// Does the collapse if it is up to date and does no harm. Returns how many triangles went.
    fn try_collapse(
        &mut self,
        Candidate {
            keep,
            drop,
            versions,
            ..
        }: Candidate,
    ) -> usize {
        if versions != [self.versions[keep as usize], self.versions[drop as usize]] {
            return 0;
        }
        let dying = self.shared_faces(keep, drop);
        let target = self.target(keep, drop);
        let keeps_manifold = self.common_neighbour_count(keep, drop) == dying.len();
        if !keeps_manifold || self.harms(keep, &dying, target) || self.harms(drop, &dying, target) {
            return 0;
        }
        self.collapse(keep, drop, &dying, target);
        dying.len()
    }

    /// The link condition: an edge may go when its ends share no neighbours but the tips of its own triangles.
    fn common_neighbour_count(&self, a: u32, b: u32) -> usize {
        let ring = self.neighbours(b);
        self.neighbours(a)
            .into_iter()
            .filter(|n| ring.binary_search(n).is_ok())
            .count()
    }

    /// Whether moving a vertex would flip one of its faces or make a sliver of it.
    fn harms(&self, vertex: u32, dying: &[u32], target: DVec3) -> bool {
        let staying = self.faces_of[vertex as usize]
            .iter()
            .filter(|f| !dying.contains(f));
        staying.copied().any(|face| {
            let old = self.faces[face as usize].map(|v| self.positions[v as usize]);
            let new = self.faces[face as usize].map(|v| {
                if v == vertex {
                    target
                } else {
                    self.positions[v as usize]
                }
            });
            let (old_cross, new_cross) = (cross(old), cross(new));
            let turns = old_cross.dot(new_cross)
                < MIN_TURN_COSINE * old_cross.length() * new_cross.length();
            turns || (roundness(new) < SLIVER && roundness(new) < roundness(old))
        })
    }

    fn collapse(&mut self, keep: u32, drop: u32, dying: &[u32], target: DVec3) {
        for &face in dying {
            self.is_alive[face as usize] = false;
            for v in self.faces[face as usize] {
                self.faces_of[v as usize].retain(|&f| f != face);
            }
        }
        for face in std::mem::take(&mut self.faces_of[drop as usize]) {
            self.faces[face as usize] =
                self.faces[face as usize].map(|v| if v == drop { keep } else { v });
            self.faces_of[keep as usize].push(face);
        }
        self.positions[keep as usize] = target;
        self.quadrics[keep as usize] =
            self.quadrics[keep as usize].plus(self.quadrics[drop as usize]);
        self.versions[keep as usize] += 1;
        self.versions[drop as usize] += 1;
        for neighbour in self.neighbours(keep) {
            self.push(keep, neighbour);
        }
    }

    fn into_mesh(self) -> PartedMesh {
        let mut new_ix = BTreeMap::new();
        let mut result = PartedMesh::default();
        for (face, part) in self
            .faces
            .iter()
            .zip(&self.parts)
            .zip(&self.is_alive)
            .filter(|&(_, &alive)| alive)
            .map(|(f, _)| f)
        {
            let corners = face.map(|v| {
                *new_ix.entry(v).or_insert_with(|| {
                    result
                        .mesh
                        .positions
                        .push(self.positions[v as usize].as_vec3());
                    result.mesh.positions.len() as u32 - 1
                })
            });
            result.mesh.triangles.push(corners);
            result.parts.push(*part);
        }
        result
    }
}

fn cross([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// Twice the area over the longest edge squared: 0.87 for an equilateral triangle.
fn roundness([a, b, c]: [DVec3; 3]) -> f64 {
    let longest = a
        .distance_squared(b)
        .max(b.distance_squared(c))
        .max(c.distance_squared(a));
    cross([a, b, c]).length() / longest.max(f64::MIN_POSITIVE)
}
