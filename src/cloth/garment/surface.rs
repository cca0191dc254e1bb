//! A bare triangle surface and its edges.

use crate::math::connected::DisjointSets;
use glam::Vec3;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Positions and triangles, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// An edge with the one or two triangles it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// Vertices, the smaller index first.
    pub ends: [u32; 2],
    /// Triangles; the second is None at the border.
    pub triangles: [Option<u32>; 2],
}

impl Edge {
    pub fn is_border(&self) -> bool {
        self.triangles[1].is_none()
    }
}

impl Surface {
    /// Every edge once, in order of its ends. An edge of more than two triangles keeps the first two.
    pub fn edges(&self) -> Vec<Edge> {
        let mut sides: Vec<([u32; 2], u32)> = self
            .triangles
            .iter()
            .enumerate()
            .flat_map(|(ix, &[a, b, c])| {
                [(a, b), (b, c), (c, a)].map(|(from, to)| ([from.min(to), from.max(to)], ix as u32))
            })
            .collect();
        sides.par_sort_unstable();
        let same_edge = sides.chunk_by(|a, b| a.0 == b.0);
        same_edge
            .map(|group| Edge {
                ends: group[0].0,
                triangles: [Some(group[0].1), group.get(1).map(|side| side.1)],
            })
            .collect()
    }

    pub fn corners(&self, triangle_ix: u32) -> [Vec3; 3] {
        self.triangles[triangle_ix as usize].map(|ix| self.positions[ix as usize])
    }

    /// As long as twice the triangle's area.
    pub fn double_area_normal(&self, triangle_ix: u32) -> Vec3 {
        let [a, b, c] = self.corners(triangle_ix);
        (b - a).cross(c - a)
    }

    pub fn area(&self) -> f32 {
        (0..self.triangles.len() as u32)
            .map(|ix| 0.5 * self.double_area_normal(ix).length())
            .sum()
    }

    /// Unit normals by vertex, weighted by area; +Y where no triangle has any.
    pub fn vertex_normals(&self) -> Vec<Vec3> {
        let mut normals = vec![Vec3::ZERO; self.positions.len()];
        for (ix, triangle) in self.triangles.iter().enumerate() {
            let normal = self.double_area_normal(ix as u32);
            triangle
                .iter()
                .for_each(|&vertex_ix| normals[vertex_ix as usize] += normal);
        }
        normals
            .into_iter()
            .map(|normal| normal.normalize_or(Vec3::Y))
            .collect()
    }

    /// Moves each vertex by its way, metres.
    pub fn push(&mut self, ways: &[Vec3]) {
        let pairs = self.positions.iter_mut().zip(ways);
        pairs.for_each(|(position, way)| *position += *way);
    }

    /// Keeps the part of the surface where `side` is negative; triangles it crosses are cut.
    pub fn clipped(&self, side: impl Fn(Vec3) -> f32 + Sync) -> Self {
        let values: Vec<f32> = self
            .positions
            .par_iter()
            .map(|&position| side(position))
            .collect();
        let mut clipped = Self {
            positions: self.positions.clone(),
            triangles: Vec::new(),
        };
        let mut cuts = BTreeMap::new();
        for &triangle in &self.triangles {
            let kept = triangle
                .iter()
                .filter(|&&ix| values[ix as usize] < 0.0)
                .count();
            match kept {
                0 => {}
                3 => clipped.triangles.push(triangle),
                _ => clipped.add_cut_triangle(triangle, &values, &mut cuts),
            }
        }
        clipped.without_loose_vertices()
    }

    fn add_cut_triangle(
        &mut self,
        triangle: [u32; 3],
        values: &[f32],
        cuts: &mut BTreeMap<(u32, u32), u32>,
    ) {
        let mut outline = Vec::with_capacity(4);
        for (from, to) in [(0, 1), (1, 2), (2, 0)].map(|(from, to)| (triangle[from], triangle[to]))
        {
            let (at_from, at_to) = (values[from as usize], values[to as usize]);
            if at_from < 0.0 {
                outline.push(from);
            }
            if (at_from < 0.0) != (at_to < 0.0) {
                outline.push(
                    *cuts.entry((from.min(to), from.max(to))).or_insert_with(|| {
                        let part = (at_from / (at_from - at_to)).clamp(0.02, 0.98);
                        let (a, b) = (self.positions[from as usize], self.positions[to as usize]);
                        self.positions.push(a.lerp(b, part));
                        self.positions.len() as u32 - 1
                    }),
                );
            }
        }
        self.triangles
            .extend((1..outline.len() - 1).map(|ix| [outline[0], outline[ix], outline[ix + 1]]));
    }

    /// The vertices of each closed border, in the direction of its triangles.
    pub fn border_loops(&self) -> Vec<Vec<u32>> {
        let mut next = vec![None; self.positions.len()];
        for edge in self.edges().iter().filter(|edge| edge.is_border()) {
            let [a, b, c] = self.triangles[edge.triangles[0].unwrap_or(0) as usize];
            let sides = [(a, b), (b, c), (c, a)].into_iter();
            let mut sides = sides.filter(|&(from, to)| edge.ends == [from.min(to), from.max(to)]);
            sides
                .by_ref()
                .take(1)
                .for_each(|(from, to)| next[from as usize] = Some(to));
        }
        let mut loops = Vec::new();
        for start in 0..next.len() {
            let mut border = Vec::new();
            let mut at = start as u32;
            while let Some(to) = next[at as usize].take() {
                border.push(at);
                at = to;
            }
            if border.len() > 2 {
                loops.push(border);
            }
        }
        loops
    }

    /// Closes holes whose border is shorter than `length`, metres, with a fan round their middle.
    pub fn without_small_holes(&self, length: f32) -> Self {
        let mut closed = self.clone();
        for border in self.border_loops() {
            let places = border.iter().map(|&ix| self.positions[ix as usize]);
            let sides = || {
                border
                    .iter()
                    .copied()
                    .zip(border.iter().copied().cycle().skip(1))
            };
            let perimeter: f32 = sides()
                .map(|(a, b)| self.positions[a as usize].distance(self.positions[b as usize]))
                .sum();
            if perimeter < length {
                let middle_ix = closed.positions.len() as u32;
                closed
                    .positions
                    .push(places.sum::<Vec3>() / border.len() as f32);
                closed
                    .triangles
                    .extend(sides().map(|(from, to)| [to, from, middle_ix]));
            }
        }
        closed
    }

    /// Gives fans of triangles that meet in nothing but a vertex a vertex each: cuts that touch leave such pinches.
    pub fn without_pinches(&self) -> Self {
        let mut fans = vec![Vec::new(); self.positions.len()];
        for (triangle_ix, triangle) in self.triangles.iter().enumerate() {
            triangle
                .iter()
                .for_each(|&vertex_ix| fans[vertex_ix as usize].push(triangle_ix));
        }
        let mut split = self.clone();
        for (vertex_ix, mut rest) in fans.into_iter().enumerate() {
            self.take_fan(vertex_ix as u32, &mut rest);
            while !rest.is_empty() {
                let copy_ix = split.positions.len() as u32;
                split.positions.push(self.positions[vertex_ix]);
                for triangle_ix in self.take_fan(vertex_ix as u32, &mut rest) {
                    let corners = split.triangles[triangle_ix].iter_mut();
                    corners
                        .filter(|ix| **ix == vertex_ix as u32)
                        .for_each(|ix| *ix = copy_ix);
                }
            }
        }
        split
    }

    /// Takes those of the triangles round a vertex that hang together by edges with the first of them.
    fn take_fan(&self, vertex_ix: u32, rest: &mut Vec<usize>) -> Vec<usize> {
        let share_edge = |a: usize, b: usize| {
            self.triangles[a]
                .iter()
                .any(|ix| *ix != vertex_ix && self.triangles[b].contains(ix))
        };
        let mut fan: Vec<usize> = rest.drain(..rest.len().min(1)).collect();
        let mut done = 0;
        while done < fan.len() {
            let (joined, apart) = rest
                .iter()
                .partition(|&&other| share_edge(fan[done], other));
            *rest = apart;
            fan.extend::<Vec<usize>>(joined);
            done += 1;
        }
        fan
    }

    /// Only the connected part with the largest area.
    pub fn largest_piece(&self) -> Self {
        let mut sets = DisjointSets::new(self.positions.len());
        for &triangle in &self.triangles {
            sets.join(triangle);
        }
        let mut areas: BTreeMap<u32, f32> = BTreeMap::new();
        for (ix, triangle) in self.triangles.iter().enumerate() {
            *areas.entry(sets.of(triangle[0])).or_default() +=
                self.double_area_normal(ix as u32).length();
        }
        let largest = areas
            .into_iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(piece, _)| piece);
        let triangles = self
            .triangles
            .iter()
            .filter(|triangle| Some(sets.of(triangle[0])) == largest);
        Self {
            positions: self.positions.clone(),
            triangles: triangles.copied().collect(),
        }
        .without_loose_vertices()
    }

    /// Drops vertices that no triangle uses.
    pub fn without_loose_vertices(&self) -> Self {
        let mut new_ix = vec![u32::MAX; self.positions.len()];
        let mut positions = Vec::new();
        self.triangles
            .iter()
            .flatten()
            .for_each(|&ix| new_ix[ix as usize] = 0);
        for (slot, &position) in new_ix.iter_mut().zip(&self.positions) {
            if *slot == 0 {
                *slot = positions.len() as u32;
                positions.push(position);
            }
        }
        let triangles = self
            .triangles
            .iter()
            .map(|triangle| triangle.map(|ix| new_ix[ix as usize]))
            .collect();
        Self {
            positions,
            triangles,
        }
    }
}
