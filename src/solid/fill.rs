//! Fills a field by looking up each sample's nearest triangle in a tree: the reference that the GPU's fillers are held against.
//!
//! In f64 throughout; what is stored differs from the exact distance by half a [quantum](Grid::quantum).

use glam::{DVec3, UVec3, Vec3};
use rayon::prelude::*;

use super::field::{BRICK_WORDS, SolidField, code};
use super::grid::{BRICK_SAMPLES, Bricks, in_cells};
use super::normals::unit_normal;
use super::sign::{SideBits, is_behind, sample_of};
use super::{
    BAND_CELLS, BRICK_CELLS, BRICK_SIDE, Grid, Pseudonormals, SignRule, SolidMesh, TIE_CELLS,
};
use crate::math::closest::{on_feature, on_triangle};
use crate::math::triangle_tree::TriangleTree;

/// A mesh in cells of a grid, ready to be asked: samples lie on whole numbers.
pub struct CellMesh {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    pub tree: TriangleTree,
    pub normals: Pseudonormals,
}

/// The triangle that decides on a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Cells to the nearest triangle of all.
    pub distance: f64,
    /// The first of those that are as near, within [`TIE_CELLS`].
    pub triangle_ix: u32,
}

impl CellMesh {
    /// A mesh as a grid sees it.
    pub fn of(mesh: &SolidMesh, grid: &Grid) -> Self {
        let positions = in_cells(grid, mesh);
        Self {
            tree: TriangleTree::new(&positions, mesh.triangles()),
            normals: Pseudonormals::of(mesh),
            triangles: mesh.triangles().to_vec(),
            positions,
        }
    }

    /// The corners of all triangles.
    pub fn corners(&self) -> Vec<[DVec3; 3]> {
        (0..self.triangles.len())
            .into_par_iter()
            .map(|ix| self.corners_of(ix as u32))
            .collect()
    }

    fn corners_of(&self, triangle_ix: u32) -> [DVec3; 3] {
        let triangle = self.triangles[triangle_ix as usize];
        triangle.map(|ix| self.positions[ix as usize].as_dvec3())
    }

    /// The triangle that decides on a point, if one is nearer than `within`.
    pub fn nearest(&self, point: DVec3, within: f64) -> Option<Nearest> {
        let distance = self.tree.nearest_point(point, within)?.distance;
        let limit = distance + f64::from(TIE_CELLS);
        let mut first = u32::MAX;
        self.tree.visit_near(point, limit, |ix| {
            let number = self.tree.number(ix);
            let is_first = number < first;
            if is_first && on_triangle(point, self.tree.corners(ix)).distance(point) <= limit {
                first = number;
            }
        });
        Some(Nearest {
            distance,
            triangle_ix: first,
        })
    }

    /// Whether the mesh winds round a point, either way (f64, exact).
    pub fn winds_round(&self, point: DVec3) -> bool {
        self.tree.contains_either_way(point)
    }

    /// From a triangle's plane to a point, and the triangle's normal.
    pub(super) fn offset_from_plane(&self, point: DVec3, triangle_ix: u32) -> (DVec3, DVec3) {
        let corners = self.corners_of(triangle_ix);
        (point - corners[0], unit_normal(corners))
    }

    /// From a triangle's nearest point to a point, and the angle-weighted normal there.
    pub(super) fn offset_from_feature(&self, point: DVec3, triangle_ix: u32) -> (DVec3, DVec3) {
        let corners = self.corners_of(triangle_ix);
        let (nearest, feature) = on_feature(point, corners);
        let (ix, face) = (triangle_ix as usize, unit_normal(corners));
        let normal = self.normals.at(ix, self.triangles[ix], feature, face);
        (point - nearest, normal)
    }
}

/// Makes the field of a mesh. Independent of the number of threads.
pub fn fill(mesh: &SolidMesh, grid: Grid, rule: SignRule) -> SolidField {
    let filler = Filler::new(mesh, grid, rule);
    filler.fill()
}

/// Metres to the mesh while a field is not filled: further than any that is.
const FAR: f32 = 1e9;

/// What a field is made of, on the CPU and on the GPU.
pub struct Filler {
    pub grid: Grid,
    pub rule: SignRule,
    pub mesh: CellMesh,
    pub bricks: Bricks,
    /// With [`SignRule::Robust`].
    pub sides: Option<SideBits>,
}

impl Filler {
    /// Lays out the bricks and builds the tree.
    pub fn new(mesh: &SolidMesh, grid: Grid, rule: SignRule) -> Self {
        let mesh = CellMesh::of(mesh, &grid);
        let bricks = grid.bricks_near(&mesh.positions, &mesh.triangles);
        let sides = (rule == SignRule::Robust).then(|| SideBits::robust(&mesh, &grid, &bricks));
        Self {
            grid,
            rule,
            mesh,
            bricks,
            sides,
        }
    }

    /// The field before anything is filled in: outside everywhere, and far away.
    pub fn unfilled(&self) -> SolidField {
        let corners = vec![FAR; self.grid.corner_count()];
        SolidField::new(self.grid, &self.bricks, &corners)
    }

    /// Fills the field.
    pub fn fill(&self) -> SolidField {
        let corners: Vec<f32> = (0..self.grid.corner_count())
            .into_par_iter()
            .map(|ix| self.corner(ix))
            .collect();
        let mut field = SolidField::new(self.grid, &self.bricks, &corners);
        let words = field.sample_words_mut();
        words
            .par_chunks_mut(BRICK_WORDS as usize)
            .enumerate()
            .for_each(|(number, words)| self.fill_brick(number, &corners, words));
        field
    }

    /// The signed distance in metres at a brick's corner.
    fn corner(&self, corner_ix: usize) -> f32 {
        let point = (self.grid.corner_at(corner_ix) * BRICK_CELLS).as_dvec3();
        let nearest = self.mesh.nearest(point, f64::INFINITY);
        let nearest = nearest.expect("a checked mesh has a triangle");
        let is_inside = match &self.sides {
            Some(sides) => sides.corner(corner_ix),
            None => is_behind(&self.mesh, self.rule, point, nearest.triangle_ix),
        };
        let metres = nearest.distance as f32 * self.grid.cell_size;
        if is_inside { -metres } else { metres }
    }

    fn fill_brick(&self, number: usize, corners: &[f32], words: &mut [u32]) {
        let brick = self.bricks.places[number];
        let mut distances = [None; BRICK_SAMPLES as usize];
        let mut sides = [Side::Unknown; BRICK_SAMPLES as usize];
        for ix in 0..distances.len() {
            let point = sample_of(brick, ix as u32).as_dvec3();
            let nearest = self.mesh.nearest(point, f64::from(BAND_CELLS));
            distances[ix] = nearest.map(|nearest| nearest.distance as f32);
            sides[ix] = match (&self.sides, nearest) {
                (Some(bits), _) => Side::of(bits.sample(number, ix)),
                (None, Some(near)) => {
                    Side::of(is_behind(&self.mesh, self.rule, point, near.triangle_ix))
                }
                (None, None) => Side::Unknown,
            };
        }
        let sides = spread(sides, Side::of(corners[self.grid.corner_ix(brick)] < 0.0));
        for (word, pair) in words.iter_mut().zip(0..) {
            let half = |ix: usize| {
                let is_inside = sides[ix] == Side::Inside;
                u32::from(code(distances[ix], is_inside) as u16)
            };
            *word = half(2 * pair) | half(2 * pair + 1) << 16;
        }
    }
}

/// On which side of the mesh a sample lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Unknown,
    Outside,
    Inside,
}

impl Side {
    fn of(is_inside: bool) -> Self {
        if is_inside {
            Self::Inside
        } else {
            Self::Outside
        }
    }
}

type Sides = [Side; BRICK_SAMPLES as usize];

/// Gives samples beyond the band the side of their neighbours, round by round, until nothing changes: between a sample beyond the
/// band and the next there is no room for the mesh. Where a brick has none within the band, all lie on the `default` side.
fn spread(mut sides: Sides, default: Side) -> Sides {
    loop {
        let before = sides;
        for ix in 0..sides.len() {
            if before[ix] == Side::Unknown {
                sides[ix] = known_neighbour(&before, ix as u32);
            }
        }
        if sides == before {
            return sides.map(|side| if side == Side::Unknown { default } else { side });
        }
    }
}

/// The side of the first neighbour that has one: along x down and up, then y, then z.
fn known_neighbour(sides: &Sides, ix: u32) -> Side {
    let at = sample_of(UVec3::ZERO, ix).to_array();
    let strides = [1, BRICK_SIDE, BRICK_SIDE * BRICK_SIDE];
    let neighbours = at.into_iter().zip(strides).flat_map(|(along, stride)| {
        let below = (along > 0).then(|| ix - stride);
        [below, (along + 1 < BRICK_SIDE).then_some(ix + stride)]
    });
    let known = neighbours
        .flatten()
        .map(|other| sides[other as usize])
        .find(|&side| side != Side::Unknown);
    known.unwrap_or(Side::Unknown)
}
