//! The zero surface of a field over a whole grid.

use super::field::{Field, Grid};
use super::surface::Surface;
use crate::math::isosurface::Extractor;

/// Crossings keep this fraction of an edge away from its ends: nearer ones make needle triangles.
const CROSSING_MARGIN: f32 = 0.05;

/// The zero surface of a field, facing where the field grows.
pub(super) fn isosurface(field: &Field) -> Surface {
    let grid = &field.grid;
    let mut extractor = Extractor::new(
        |ix| field.values[ix],
        |ix| grid.position_of(ix),
        CROSSING_MARGIN,
    );
    let counts = grid.counts;
    for z in 0..counts.z - 1 {
        for y in 0..counts.y - 1 {
            for x in 0..counts.x - 1 {
                extractor.add_cell(corner_indices(grid, x, y, z));
            }
        }
    }
    let found = extractor.finish();
    Surface {
        positions: found.positions,
        triangles: found.triangles,
    }
}

fn corner_indices(grid: &Grid, x: u32, y: u32, z: u32) -> [usize; 8] {
    std::array::from_fn(|corner| {
        let corner = corner as u32;
        grid.index(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2))
    })
}
