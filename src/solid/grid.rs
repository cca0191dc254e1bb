//! Where the samples of a field lie, and which bricks hold them.

use glam::{DVec3, UVec3, Vec3};
use rayon::prelude::*;

use super::{BAND_CELLS, SolidMesh};
use crate::math::closest::on_triangle;

/// Cells along each side of a brick.
pub const BRICK_CELLS: u32 = 7;

/// Samples along each side of a brick. Neighbouring bricks both hold the samples between them, so that whoever interpolates needs
/// one brick alone; that costs half as many samples again.
pub const BRICK_SIDE: u32 = BRICK_CELLS + 1;

/// Samples of a brick.
pub const BRICK_SAMPLES: u32 = BRICK_SIDE * BRICK_SIDE * BRICK_SIDE;

/// The coarse level's word for a brick that holds no samples.
pub const NO_BRICK: u32 = u32::MAX;

/// Bricks along a side that a field may have. More than that lets positions in cells lose a step of the stored distance to rounding.
const MAX_BRICKS_ALONG: u32 = 512;

/// Bricks that a field may have in all, with samples or without: a quarter of the usual 128 MiB per binding for the coarse level.
const MAX_BRICKS: u64 = 1 << 22;

/// Cells between a mesh and the end of its grid.
const MARGIN_CELLS: f32 = BAND_CELLS + 1.0;

/// Why a grid cannot be laid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GridError {
    #[error("cells of {cell_size} m make no grid: give a length above zero")]
    BadCell { cell_size: f32 },
    #[error(
        "cells of {cell_size} m are too many for a solid of {longest} m: give larger ones, from {smallest} m up"
    )]
    TooFine {
        cell_size: f32,
        longest: f32,
        smallest: f32,
    },
    #[error(
        "the field of the solid takes {bytes} bytes, and this device binds {max}: give larger cells"
    )]
    TooLarge { bytes: u64, max: u64 },
}

/// A regular grid of samples over a solid, in whole bricks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Where sample (0, 0, 0) is, metres in the mesh's space.
    pub low: Vec3,
    /// Metres between neighbouring samples.
    pub cell_size: f32,
    /// Bricks along x, y and z; x lies closest in memory.
    pub bricks: UVec3,
}

/// The bricks of a grid that hold samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Bricks {
    /// One a brick of the grid: its number among those that hold samples, or [`NO_BRICK`].
    pub coarse: Vec<u32>,
    /// Where each of those that hold samples lies, in bricks, in the order of the grid.
    pub places: Vec<UVec3>,
}

impl Grid {
    /// A grid of cells of this size over a mesh, with room for the band.
    ///
    /// # Errors
    /// When the cell is no length, or too small for the mesh.
    pub fn over(mesh: &SolidMesh, cell_size: f32) -> Result<Self, GridError> {
        if !(cell_size > 0.0 && cell_size.is_finite()) {
            return Err(GridError::BadCell { cell_size });
        }
        let bounds = mesh.bounds();
        let margin = 2.0 * MARGIN_CELLS;
        let bricks = ((bounds.size() / cell_size + margin) / BRICK_CELLS as f32).ceil();
        // Casts saturate: a value too large stays too large.
        let bricks = bricks.as_uvec3().max(UVec3::ONE);
        let count = bricks
            .to_array()
            .iter()
            .fold(1, |all: u64, &n| all.saturating_mul(n.into()));
        if bricks.max_element() > MAX_BRICKS_ALONG || count > MAX_BRICKS {
            return Err(GridError::TooFine {
                cell_size,
                longest: bounds.size().max_element(),
                smallest: smallest_cell(bounds.size()),
            });
        }
        let grid = Self {
            low: Vec3::ZERO,
            cell_size,
            bricks,
        };
        let low = bounds.centre() - 0.5 * cell_size * grid.cells().as_vec3();
        Ok(Self { low, ..grid })
    }

    /// A grid with so many cells along the longest side of the mesh.
    ///
    /// # Errors
    /// As [`Grid::over`].
    pub fn with_cells_along(mesh: &SolidMesh, cells: u32) -> Result<Self, GridError> {
        let longest = mesh.bounds().size().max_element();
        Self::over(mesh, longest / cells as f32)
    }

    /// Cells along each side.
    pub fn cells(&self) -> UVec3 {
        self.bricks * BRICK_CELLS
    }

    /// Samples along each side: the resolution in the paper's Table 1.
    pub fn samples(&self) -> UVec3 {
        self.cells() + 1
    }

    /// Bricks, with samples or without.
    pub fn brick_count(&self) -> usize {
        self.bricks.element_product() as usize
    }

    /// Corners of bricks: samples of the coarse level.
    pub fn corner_count(&self) -> usize {
        (self.bricks + 1).element_product() as usize
    }

    /// Where a brick lies in the coarse level.
    pub fn brick_ix(&self, brick: UVec3) -> usize {
        linear(brick, self.bricks)
    }

    /// The brick of that number in the coarse level.
    pub fn brick_at(&self, brick_ix: usize) -> UVec3 {
        place_in(brick_ix, self.bricks)
    }

    /// Where a brick's corner lies in the coarse level.
    pub fn corner_ix(&self, corner: UVec3) -> usize {
        linear(corner, self.bricks + 1)
    }

    /// The corner of that number, in bricks.
    pub fn corner_at(&self, corner_ix: usize) -> UVec3 {
        place_in(corner_ix, self.bricks + 1)
    }

    /// Metres from the mesh within which samples hold distances.
    pub fn band(&self) -> f32 {
        BAND_CELLS * self.cell_size
    }

    /// Metres between two neighbouring values of a stored distance.
    pub fn quantum(&self) -> f32 {
        self.band() / super::field::BEYOND as f32
    }

    /// A position in cells from sample (0, 0, 0): where samples are whole numbers. Rounded once.
    pub fn in_cells(&self, position: Vec3) -> Vec3 {
        ((position.as_dvec3() - self.low.as_dvec3()) / f64::from(self.cell_size)).as_vec3()
    }

    /// The bricks within the band of a mesh whose positions are in cells.
    ///
    /// Marked triangle by triangle, then counted and numbered in the grid's order, so that memory is known before any is taken.
    pub fn bricks_near(&self, positions_in_cells: &[Vec3], triangles: &[[u32; 3]]) -> Bricks {
        let mut coarse = vec![NO_BRICK; self.brick_count()];
        for triangle in triangles {
            let corners = triangle.map(|ix| positions_in_cells[ix as usize].as_dvec3());
            self.mark(corners, &mut coarse);
        }
        let mut places = Vec::new();
        for (ix, word) in coarse.iter_mut().enumerate() {
            if *word != NO_BRICK {
                *word = places.len() as u32;
                places.push(place_in(ix, self.bricks));
            }
        }
        Bricks { coarse, places }
    }

    /// Marks the bricks that may hold a sample within the band of a triangle.
    fn mark(&self, corners: [DVec3; 3], coarse: &mut [u32]) {
        let (band, side) = (f64::from(BAND_CELLS), f64::from(BRICK_CELLS));
        let [a, b, c] = corners;
        let first = ((a.min(b).min(c) - band) / side).floor().max(DVec3::ZERO);
        let end = ((a.max(b).max(c) + band) / side).floor() + 1.0;
        let end = end.as_uvec3().min(self.bricks);
        self.mark_block(corners, [first.as_uvec3(), end], coarse);
    }

    /// Marks those of a block of bricks, unless the ball round it does not come so near; halves the block until it is one brick, so
    /// that of a large triangle only what lies along it is looked at.
    fn mark_block(&self, corners: [DVec3; 3], [first, end]: [UVec3; 2], coarse: &mut [u32]) {
        if !first.cmplt(end).all() {
            return;
        }
        let size = end - first;
        let side = f64::from(BRICK_CELLS);
        let centre = 0.5 * side * (first + end).as_dvec3();
        let reach = f64::from(BAND_CELLS) + 0.5 * side * size.as_dvec3().length();
        let word = self.brick_ix(first);
        let is_known = size == UVec3::ONE && coarse[word] != NO_BRICK;
        if is_known || on_triangle(centre, corners).distance(centre) > reach {
            return;
        }
        if size == UVec3::ONE {
            coarse[word] = 0;
            return;
        }
        let axis = size.max_position();
        let (mut low_end, mut high_first) = (end, first);
        low_end[axis] = first[axis] + size[axis] / 2;
        high_first[axis] = low_end[axis];
        self.mark_block(corners, [first, low_end], coarse);
        self.mark_block(corners, [high_first, end], coarse);
    }
}

/// The mesh's positions in cells of a grid.
pub fn in_cells(grid: &Grid, mesh: &SolidMesh) -> Vec<Vec3> {
    mesh.positions()
        .par_iter()
        .map(|&position| grid.in_cells(position))
        .collect()
}

fn smallest_cell(size: Vec3) -> f32 {
    let along =
        size.max_element() / (MAX_BRICKS_ALONG * BRICK_CELLS - 2 * BAND_CELLS as u32 - 2) as f32;
    let volume = size
        .max(Vec3::splat(along))
        .to_array()
        .iter()
        .fold(1.0, |v: f64, &s| v * f64::from(s));
    let in_all = (volume / MAX_BRICKS as f64).cbrt() as f32 / BRICK_CELLS as f32;
    along.max(1.05 * in_all)
}

fn linear(at: UVec3, counts: UVec3) -> usize {
    ((at.z * counts.y + at.y) * counts.x + at.x) as usize
}

fn place_in(ix: usize, counts: UVec3) -> UVec3 {
    let (ix, row, layer) = (ix as u32, counts.x, counts.x * counts.y);
    UVec3::new(ix % row, ix / row % counts.y, ix / layer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::test_meshes::TestMesh;

    fn cube(side: f32) -> SolidMesh {
        let cube = TestMesh::cuboid(Vec3::ZERO, side * Vec3::new(1.0, 0.5, 0.01));
        SolidMesh::new(&cube.positions, &cube.triangles).expect("it is a mesh")
    }

    #[test]
    fn a_grid_has_room_for_the_band_whatever_the_scale() {
        for side in [1e-3, 1.0, 1e3] {
            let mesh = cube(side);
            let grid = Grid::with_cells_along(&mesh, 100).expect("it fits");
            let positions = in_cells(&grid, &mesh);
            let end = grid.cells().as_vec3();
            for position in &positions {
                let room = position.min(end - position).min_element();
                assert!(room > BAND_CELLS, "{side}: {room}");
            }
            let bricks = grid.bricks_near(&positions, mesh.triangles());
            assert_eq!(grid.bricks, UVec3::new(16, 9, 2));
            assert!(
                bricks.places.len() > 100
                    && bricks
                        .places
                        .is_sorted_by_key(|place| (place.z, place.y, place.x))
            );
        }
    }

    #[test]
    fn too_fine_a_grid_is_refused_with_one_that_fits() {
        let mesh = cube(2.0);
        for cell_size in [1e-30, 1e-6, 5e-4] {
            let refused = Grid::over(&mesh, cell_size);
            let Err(GridError::TooFine { smallest, .. }) = refused else {
                panic!("{cell_size}: {refused:?}");
            };
            assert!(Grid::over(&mesh, smallest).is_ok(), "{smallest}");
        }
        for cell_size in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let refused = Grid::over(&mesh, cell_size);
            assert!(
                matches!(refused, Err(GridError::BadCell { .. })),
                "{refused:?}"
            );
        }
    }

    #[test]
    fn a_field_that_does_not_fit_the_device_is_refused() {
        let mesh = cube(1.0);
        let grid = Grid::with_cells_along(&mesh, 100).expect("it fits");
        let bricks = grid.bricks_near(&in_cells(&grid, &mesh), mesh.triangles());
        let bytes = 4 * crate::solid::SolidField::word_count(&grid, bricks.places.len());
        let check = |max| crate::solid::SolidField::check_bytes(&grid, &bricks, max);
        assert_eq!(check(bytes), Ok(()));
        assert_eq!(
            check(bytes - 1),
            Err(GridError::TooLarge {
                bytes,
                max: bytes - 1
            })
        );
    }
}
