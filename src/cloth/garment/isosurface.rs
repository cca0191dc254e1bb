//! Triangulates where a field crosses zero: marching tetrahedra, six to a cell, which always gives a manifold.

use glam::Vec3;
use std::collections::BTreeMap;

use super::field::{Field, Grid};
use super::surface::Surface;

/// The six tetrahedra of a cell, as corner numbers (bit 0 is x, bit 1 y, bit 2 z), all round the diagonal 0 to 7.
const TETRAHEDRA: [[usize; 4]; 6] = [
    [0, 1, 3, 7],
    [0, 3, 2, 7],
    [0, 2, 6, 7],
    [0, 6, 4, 7],
    [0, 4, 5, 7],
    [0, 5, 1, 7],
];
/// Crossings keep this fraction of an edge away from its ends: nearer ones make needle triangles.
const CROSSING_MARGIN: f32 = 0.05;

/// The zero surface of a field, facing where the field grows.
pub(super) fn isosurface(field: &Field) -> Surface {
    let mut builder = Builder {
        field,
        surface: Surface::default(),
        crossings: BTreeMap::new(),
    };
    let counts = field.grid.counts;
    for z in 0..counts.z - 1 {
        for y in 0..counts.y - 1 {
            for x in 0..counts.x - 1 {
                builder.add_cell(corner_indices(&field.grid, x, y, z));
            }
        }
    }
    builder.surface
}

fn corner_indices(grid: &Grid, x: u32, y: u32, z: u32) -> [usize; 8] {
    std::array::from_fn(|corner| {
        let corner = corner as u32;
        grid.index(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2))
    })
}

struct Builder<'a> {
    field: &'a Field,
    surface: Surface,
    /// Vertex on the edge between two samples.
    crossings: BTreeMap<(usize, usize), u32>,
}

impl Builder<'_> {
    fn add_cell(&mut self, corners: [usize; 8]) {
        let below = corners.map(|ix| self.field.values[ix] < 0.0);
        if below == [below[0]; 8] {
            return;
        }
        for tetrahedron in TETRAHEDRA {
            self.add_tetrahedron(tetrahedron.map(|corner| corners[corner]));
        }
    }

    fn add_tetrahedron(&mut self, corners: [usize; 4]) {
        let (inside, outside): (Vec<usize>, Vec<usize>) = corners
            .into_iter()
            .partition(|&ix| self.field.values[ix] < 0.0);
        let outwards = self.centre(&outside) - self.centre(&inside);
        match (inside[..].len(), &inside[..], &outside[..]) {
            (1, &[a], &[b, c, d]) => self.add_triangle([(a, b), (a, c), (a, d)], outwards),
            (3, &[a, b, c], &[d]) => self.add_triangle([(a, d), (b, d), (c, d)], outwards),
            (2, &[a, b], &[c, d]) => {
                self.add_triangle([(a, c), (a, d), (b, d)], outwards);
                self.add_triangle([(a, c), (b, d), (b, c)], outwards);
            }
            _ => {}
        }
    }

    fn centre(&self, samples: &[usize]) -> Vec3 {
        let sum: Vec3 = samples.iter().map(|&ix| self.position(ix)).sum();
        sum / samples.len().max(1) as f32
    }

    fn add_triangle(&mut self, edges: [(usize, usize); 3], outwards: Vec3) {
        let mut triangle = edges.map(|(inside, outside)| self.crossing(inside, outside));
        let [a, b, c] = triangle.map(|ix| self.surface.positions[ix as usize]);
        if (b - a).cross(c - a).dot(outwards) < 0.0 {
            triangle.swap(1, 2);
        }
        self.surface.triangles.push(triangle);
    }

    fn crossing(&mut self, inside: usize, outside: usize) -> u32 {
        let key = (inside.min(outside), inside.max(outside));
        if let Some(&vertex_ix) = self.crossings.get(&key) {
            return vertex_ix;
        }
        let (low, high) = (self.field.values[inside], self.field.values[outside]);
        let part = (low / (low - high)).clamp(CROSSING_MARGIN, 1.0 - CROSSING_MARGIN);
        let position = self.position(inside).lerp(self.position(outside), part);
        let vertex_ix = self.surface.positions.len() as u32;
        self.surface.positions.push(position);
        self.crossings.insert(key, vertex_ix);
        vertex_ix
    }

    fn position(&self, sample_ix: usize) -> Vec3 {
        let grid = &self.field.grid;
        let (nx, ny) = (grid.counts.x as usize, grid.counts.y as usize);
        grid.position(
            (sample_ix % nx) as u32,
            (sample_ix / nx % ny) as u32,
            (sample_ix / (nx * ny)) as u32,
        )
    }
}
