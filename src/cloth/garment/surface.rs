//! A bare triangle surface and its edges.

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

    /// Only the connected part with the largest area.
    pub fn largest_piece(&self) -> Self {
        let mut root: Vec<u32> = (0..self.positions.len() as u32).collect();
        for triangle in &self.triangles {
            let roots = triangle.map(|ix| find_root(&mut root, ix));
            let lowest = roots[0].min(roots[1]).min(roots[2]);
            roots.iter().for_each(|&ix| root[ix as usize] = lowest);
        }
        let mut areas: BTreeMap<u32, f32> = BTreeMap::new();
        for (ix, triangle) in self.triangles.iter().enumerate() {
            *areas.entry(find_root(&mut root, triangle[0])).or_default() +=
                self.double_area_normal(ix as u32).length();
        }
        let largest = areas
            .into_iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(piece, _)| piece);
        let triangles = self
            .triangles
            .iter()
            .filter(|triangle| Some(find_root(&mut root, triangle[0])) == largest);
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

fn find_root(root: &mut [u32], mut ix: u32) -> u32 {
    while root[ix as usize] != ix {
        root[ix as usize] = root[root[ix as usize] as usize];
        ix = root[ix as usize];
    }
    ix
}
