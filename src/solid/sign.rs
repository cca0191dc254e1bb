//! On which side of a mesh a point lies, by three rules.

use glam::{DVec3, UVec3};
use rayon::prelude::*;

use super::crossings::Crossings;
use super::fill::CellMesh;
use super::grid::{BRICK_SAMPLES, Bricks};
use super::{BRICK_CELLS, BRICK_SIDE, Grid, SolidMesh};

/// How a sample's side is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignRule {
    /// The paper's (section 3): the side of the nearest triangle's plane. Wrong in wedges beyond edges of more than a right angle
    /// between their faces' normals. Needs no neighbours.
    Face,
    /// By the [angle-weighted normal](super::Pseudonormals) of the nearest point: right everywhere round a closed mesh that does
    /// not cut through itself.
    Pseudonormal,
    /// For anything else: open, turned, crossing or crowded. By parity and by turns along the three axes; where these six do not
    /// agree, by the winding number, whichever way round the triangles run.
    Robust,
}

impl SignRule {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Face, Self::Pseudonormal, Self::Robust];

    /// The one to use: that by neighbours where a mesh is closed and nowhere creased, else the robust one. A closed mesh that cuts through
    /// itself elsewhere than at a crease is not recognised, and wants [`SignRule::Robust`].
    pub fn for_mesh(mesh: &SolidMesh) -> Self {
        let faults = mesh.faults();
        match faults.is_closed() && faults.creased_edges == 0 {
            true => Self::Pseudonormal,
            false => Self::Robust,
        }
    }

    /// As flags and tables have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Face => "face",
            Self::Pseudonormal => "pseudonormal",
            Self::Robust => "robust",
        }
    }
}

/// A bit a sample, of the bricks that hold some and then of all bricks' corners: set inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideBits {
    /// As shaders read them, the lowest bit first.
    pub words: Vec<u32>,
    brick_count: usize,
}

/// Samples a word of bits holds.
const BITS: u32 = 32;

impl SideBits {
    /// The sides of a field by [`SignRule::Robust`].
    pub(super) fn robust(mesh: &CellMesh, grid: &Grid, bricks: &Bricks) -> Self {
        let judge = Judge {
            mesh,
            crossings: Crossings::of(&mesh.corners(), grid.samples()),
        };
        let of_brick = |&brick: &UVec3| {
            let words = (0..BRICK_SAMPLES / BITS)
                .map(|word| judge.word(|bit| Some(sample_of(brick, word * BITS + bit))));
            words.collect::<Vec<_>>()
        };
        let mut words: Vec<u32> = bricks.places.par_iter().flat_map_iter(of_brick).collect();
        let corner_count = grid.corner_count();
        let of_corners = |word: usize| {
            judge.word(|bit| {
                let corner_ix = word * BITS as usize + bit as usize;
                (corner_ix < corner_count).then(|| grid.corner_at(corner_ix) * BRICK_CELLS)
            })
        };
        let corner_words = 0..corner_count.div_ceil(BITS as usize);
        words.par_extend(corner_words.into_par_iter().map(of_corners));
        Self {
            words,
            brick_count: bricks.places.len(),
        }
    }

    /// Whether a sample of a brick with samples is inside.
    pub fn sample(&self, brick_number: usize, sample_ix: usize) -> bool {
        self.bit(brick_number * BRICK_SAMPLES as usize + sample_ix)
    }

    /// Whether a corner of a brick is inside.
    pub fn corner(&self, corner_ix: usize) -> bool {
        self.bit(self.brick_count * BRICK_SAMPLES as usize + corner_ix)
    }

    fn bit(&self, ix: usize) -> bool {
        self.words[ix / BITS as usize] >> (ix as u32 % BITS) & 1 == 1
    }
}

/// Where a sample of a brick lies in the grid.
pub(super) fn sample_of(brick: UVec3, sample_ix: u32) -> UVec3 {
    let (x, rest) = (sample_ix % BRICK_SIDE, sample_ix / BRICK_SIDE);
    brick * BRICK_CELLS + UVec3::new(x, rest % BRICK_SIDE, rest / BRICK_SIDE)
}

struct Judge<'a> {
    mesh: &'a CellMesh,
    crossings: Crossings,
}

impl Judge<'_> {
    /// The bits of 32 samples; where there is none, 0.
    fn word(&self, sample: impl Fn(u32) -> Option<UVec3>) -> u32 {
        (0..BITS).fold(0, |word, bit| {
            let is_inside = sample(bit).is_some_and(|sample| self.is_inside(sample));
            word | u32::from(is_inside) << bit
        })
    }

    fn is_inside(&self, sample: UVec3) -> bool {
        let passed = self.crossings.before(sample);
        let inside = passed[0].is_odd;
        let agrees = passed
            .iter()
            .all(|each| each.is_odd == inside && (each.turns != 0) == inside);
        match agrees {
            true => inside,
            false => self.mesh.winds_round(sample.as_dvec3()),
        }
    }
}

/// Whether a point of a triangle's Voronoi region lies inside by [`SignRule::Face`] or [`SignRule::Pseudonormal`].
pub(super) fn is_behind(mesh: &CellMesh, rule: SignRule, point: DVec3, triangle_ix: u32) -> bool {
    let (offset, normal) = match rule {
        SignRule::Face => mesh.offset_from_plane(point, triangle_ix),
        SignRule::Pseudonormal | SignRule::Robust => mesh.offset_from_feature(point, triangle_ix),
    };
    offset.dot(normal) < 0.0
}
