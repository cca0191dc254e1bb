//! The surface that a field describes.

use glam::UVec3;

use crate::math::isosurface::{Extractor, Isosurface};
use crate::solid::field::BEYOND;
use crate::solid::{BRICK_CELLS, Grid, SolidField};

/// Triangulates where the fine level crosses zero (paper, section 3.1, with tetrahedra for its marching cubes), in the mesh's space.
///
/// Cells with a sample beyond the band are left out: there is no mesh in them. A crack or a sheet that has no sample in it, thinner
/// than a cell, is lost: the mesh there lies as far from this surface as the crack is deep.
pub fn reconstruct(field: &SolidField) -> Isosurface {
    let grid = field.grid;
    let code = |ix: usize| field.code_at(sample_at(&grid, ix)).unwrap_or(BEYOND);
    let position = |ix: usize| grid.low + sample_at(&grid, ix).as_vec3() * grid.cell_size;
    let mut extractor = Extractor::new(|ix| f32::from(code(ix)), position, 0.0);
    for brick in field.places() {
        for cell_ix in 0..BRICK_CELLS.pow(3) {
            let within = UVec3::new(
                cell_ix % BRICK_CELLS,
                cell_ix / BRICK_CELLS % BRICK_CELLS,
                cell_ix / (BRICK_CELLS * BRICK_CELLS),
            );
            let corners = corners_of(&grid, brick * BRICK_CELLS + within);
            if corners.iter().all(|&corner| code(corner).abs() != BEYOND) {
                extractor.add_cell(corners);
            }
        }
    }
    extractor.finish()
}

fn corners_of(grid: &Grid, cell: UVec3) -> [usize; 8] {
    std::array::from_fn(|corner| {
        let corner = corner as u32;
        let sample = cell + UVec3::new(corner & 1, corner >> 1 & 1, corner >> 2);
        let [x, y, z] = sample.to_array().map(|along| along as usize);
        (z * grid.samples().y as usize + y) * grid.samples().x as usize + x
    })
}

/// The sample of that number among all of the grid, x fastest.
fn sample_at(grid: &Grid, ix: usize) -> UVec3 {
    let [row, column] = [grid.samples().x as usize, grid.samples().y as usize];
    UVec3::new(
        (ix % row) as u32,
        (ix / row % column) as u32,
        (ix / (row * column)) as u32,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::test_meshes::TestMesh;
    use crate::solid::fill::fill;
    use crate::solid::{SignRule, SolidMesh};
    use glam::Vec3;

    #[test]
    fn a_balls_field_describes_a_ball() {
        let ball = TestMesh::sphere(Vec3::ONE, 0.4, 40, 60);
        let mesh = SolidMesh::new(&ball.positions, &ball.triangles).expect("it is a mesh");
        let grid = Grid::with_cells_along(&mesh, 40).expect("it fits");
        let surface = reconstruct(&fill(&mesh, grid, SignRule::Pseudonormal));
        assert!(
            surface.triangles.len() > 5000,
            "{}",
            surface.triangles.len()
        );
        for position in &surface.positions {
            let off = (position.distance(Vec3::ONE) - 0.4).abs();
            assert!(off < 0.1 * grid.cell_size, "{position}: {off}");
        }
        let [v, t] = [surface.positions.len(), surface.triangles.len()];
        assert_eq!(v + t, 3 * t / 2 + 2, "it is closed");
    }
}
