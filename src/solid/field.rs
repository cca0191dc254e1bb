//! A field as shaders read it, and how it is read: the twin of `glsl/shared/solid_field.glsl`.
//!
//! A field is a run of words, in three parts. The coarse level first: one word a brick of the grid, its number among the bricks that
//! hold samples or [`NO_BRICK`]; then, as the bits of an f32, the signed distance in metres at every corner of a brick. Then
//! the bricks, [`BRICK_WORDS`] each: two samples a word, the low half first, x fastest.
//!
//! A sample is a signed 16-bit [code]: the distance in [quanta](Grid::quantum), negative inside, or ±[`BEYOND`] where it is
//! further from the mesh than the band. Example: at cells of 10 mm a quantum is 1.22 µm, and 5 mm inside is code -4096.

use bytemuck::{Pod, Zeroable};
use glam::{UVec3, Vec3};

use super::grid::{BRICK_SAMPLES, Bricks, NO_BRICK};
use super::{BAND_CELLS, BRICK_CELLS, BRICK_SIDE, Grid, GridError};

/// Words of a brick.
pub const BRICK_WORDS: u32 = BRICK_SAMPLES / 2;

/// The size of the code of what lies beyond the band.
pub const BEYOND: i16 = i16::MAX;

/// Cells from the mesh up to which the fine level always knows a point: where a sample of its cell is beyond the band, the point
/// is further away than this.
const SURE_CELLS: f32 = BAND_CELLS - 1.732_050_8;

/// `SolidField` of glsl/shared/solid_field.glsl: 40 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct FieldHeader {
    /// Where sample (0, 0, 0) is, metres in the mesh's space.
    pub low: Vec3,
    /// Metres between neighbouring samples.
    pub cell_size: f32,
    /// Bricks each way.
    pub bricks: [u32; 3],
    /// Where its words are among those of all fields: those of bricks, of bricks' corners, of samples.
    pub first_brick: u32,
    pub first_corner: u32,
    pub first_sample: u32,
}

/// A distance and where it grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldSample {
    /// Metres to the mesh, negative inside.
    pub distance: f32,
    /// Change of the distance per metre. Of length one but for interpolation: less in concave corners and along medial surfaces.
    pub gradient: Vec3,
}

/// A signed distance field of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidField {
    pub grid: Grid,
    /// As shaders read them.
    pub words: Vec<u32>,
}

/// A distance in cells as a sample holds it; none is beyond the band, on the side of `is_inside`.
pub fn code(cells: Option<f32>, is_inside: bool) -> i16 {
    let quanta = f32::from(BEYOND) / BAND_CELLS;
    let size = match cells {
        Some(cells) => (cells * quanta)
            .round_ties_even()
            .min(f32::from(BEYOND - 1)),
        None => f32::from(BEYOND),
    };
    (if is_inside { -size } else { size }) as i16
}

impl FieldHeader {
    /// Appends a field's words to those of others; its header among them.
    pub fn append(field: &SolidField, words: &mut Vec<u32>) -> Self {
        let header = Self::of(&field.grid, words.len() as u32);
        words.extend_from_slice(&field.words);
        header
    }

    /// The header of a field whose words begin at `first_word`.
    pub fn of(grid: &Grid, first_word: u32) -> Self {
        let first_corner = first_word + grid.brick_count() as u32;
        Self {
            low: grid.low,
            cell_size: grid.cell_size,
            bricks: grid.bricks.to_array(),
            first_brick: first_word,
            first_corner,
            first_sample: first_corner + grid.corner_count() as u32,
        }
    }
}

impl SolidField {
    /// Words of a field over a grid with so many bricks that hold samples.
    pub fn word_count(grid: &Grid, bricks: usize) -> u64 {
        (grid.brick_count() + grid.corner_count()) as u64 + bricks as u64 * u64::from(BRICK_WORDS)
    }

    /// Refuses a field that takes more than `max_bytes`: what the device binds, less what else is to be in the buffer.
    ///
    /// # Errors
    /// [`GridError::TooLarge`] with both.
    pub fn check_bytes(grid: &Grid, bricks: &Bricks, max_bytes: u64) -> Result<(), GridError> {
        let bytes = 4 * Self::word_count(grid, bricks.places.len());
        if bytes <= max_bytes {
            return Ok(());
        }
        Err(GridError::TooLarge {
            bytes,
            max: max_bytes,
        })
    }

    /// A field with its coarse level's distances, and every sample still outside and beyond the band.
    pub(super) fn new(grid: Grid, bricks: &Bricks, corners: &[f32]) -> Self {
        let mut words = bricks.coarse.clone();
        words.extend(corners.iter().map(|distance| distance.to_bits()));
        let samples = bricks.places.len() * BRICK_WORDS as usize;
        words.resize(words.len() + samples, BEYOND as u32 * 0x1_0001);
        Self { grid, words }
    }

    /// Its header, with its words at the start.
    pub fn header(&self) -> FieldHeader {
        FieldHeader::of(&self.grid, 0)
    }

    /// The words of the samples.
    pub fn sample_words_mut(&mut self) -> &mut [u32] {
        let first = self.header().first_sample as usize;
        &mut self.words[first..]
    }

    /// Where the bricks that hold samples lie, in bricks of the grid.
    pub fn places(&self) -> impl Iterator<Item = UVec3> {
        let coarse = self.words[..self.grid.brick_count()].iter().enumerate();
        let held = coarse.filter(|&(_, &number)| number != NO_BRICK);
        held.map(|(ix, _)| self.grid.brick_at(ix))
    }

    /// How many bricks hold samples.
    pub fn brick_count(&self) -> usize {
        (self.words.len() - self.header().first_sample as usize) / BRICK_WORDS as usize
    }

    /// The code of a sample of the grid; none where no brick holds it.
    pub fn code_at(&self, sample: UVec3) -> Option<i16> {
        // The first sample of a brick is the last of the one before.
        let mut bricks = (0..8).filter_map(|ix| {
            let brick = (sample / BRICK_CELLS).checked_sub(offset(ix))?;
            let within = sample - brick * BRICK_CELLS;
            let is_in = brick.cmplt(self.grid.bricks).all() && within.max_element() < BRICK_SIDE;
            is_in.then_some((brick, within))
        });
        bricks.find_map(|(brick, within)| self.code_in(brick, within))
    }

    fn code_in(&self, brick: UVec3, within: UVec3) -> Option<i16> {
        let number = self.words[self.grid.brick_ix(brick)];
        if number == NO_BRICK {
            return None;
        }
        let sample_ix = (within.z * BRICK_SIDE + within.y) * BRICK_SIDE + within.x;
        let first = self.header().first_sample + number * BRICK_WORDS;
        let word = self.words[(first + sample_ix / 2) as usize];
        Some((word >> (16 * (sample_ix & 1))) as u16 as i16)
    }

    /// The signed distance in metres at a brick's corner.
    pub fn corner(&self, corner: UVec3) -> f32 {
        let first = self.header().first_corner as usize;
        f32::from_bits(self.words[first + self.grid.corner_ix(corner)])
    }

    /// The field at a point in the mesh's space, metres; none outside the grid, which is at least the [band](Grid::band) from the
    /// mesh.
    ///
    /// Trilinear between the samples round it (paper, section 4.2), and where one of those is beyond the band, between the corners
    /// of the brick. There the distance is coarse, but its side is right and it is never less than the fine level's reach.
    pub fn sample(&self, point: Vec3) -> Option<FieldSample> {
        let at = (point - self.grid.low) / self.grid.cell_size;
        // Written so that a NaN is outside.
        if !(at.cmpge(Vec3::ZERO).all() && at.cmplt(self.grid.cells().as_vec3()).all()) {
            return None;
        }
        let cell = at.as_uvec3();
        let brick = cell / BRICK_CELLS;
        let (codes, beyond) = self.codes_round(brick, cell - brick * BRICK_CELLS);
        let cell_size = self.grid.cell_size;
        if let (Some(codes), 0) = (codes, beyond) {
            let fine = trilinear(codes, at - cell.as_vec3());
            let quantum = self.grid.quantum();
            return Some(FieldSample {
                distance: fine.distance * quantum,
                gradient: fine.gradient * (quantum / cell_size),
            });
        }
        let corners = std::array::from_fn(|ix| self.corner(brick + offset(ix)));
        let side = BRICK_CELLS as f32;
        let coarse = trilinear(corners, (at - (brick * BRICK_CELLS).as_vec3()) / side);
        Some(FieldSample {
            distance: kept_beyond(coarse.distance, beyond, SURE_CELLS * cell_size),
            gradient: coarse.gradient / (side * cell_size),
        })
    }

    /// The codes of a cell's eight samples, if its brick holds any; and the last of them that is beyond the band, or 0.
    fn codes_round(&self, brick: UVec3, within: UVec3) -> (Option<[f32; 8]>, i16) {
        if self.words[self.grid.brick_ix(brick)] == NO_BRICK {
            return (None, 0);
        }
        let codes: [i16; 8] =
            std::array::from_fn(|ix| self.code_in(brick, within + offset(ix)).unwrap_or(BEYOND));
        let beyond = codes.iter().rfind(|code| code.abs() == BEYOND);
        (Some(codes.map(f32::from)), beyond.copied().unwrap_or(0))
    }
}

/// A coarse distance on the side that a sample beyond the band has, if there is one, and no nearer than `least`.
fn kept_beyond(distance: f32, beyond: i16, least: f32) -> f32 {
    match beyond.signum() {
        0 => distance,
        1 => distance.max(least),
        _ => distance.min(-least),
    }
}

/// Where the corner of that number lies in a cell: bit 0 is x, bit 1 y, bit 2 z.
fn offset(corner_ix: usize) -> UVec3 {
    let ix = corner_ix as u32;
    UVec3::new(ix & 1, ix >> 1 & 1, ix >> 2)
}

/// A value between the eight corners of a unit cell, and its gradient, which is that of the interpolant itself.
fn trilinear(corners: [f32; 8], within: Vec3) -> FieldSample {
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let along_x: [f32; 4] = std::array::from_fn(|ix| corners[2 * ix + 1] - corners[2 * ix]);
    let at_x: [f32; 4] = std::array::from_fn(|ix| corners[2 * ix] + along_x[ix] * within.x);
    let along_y = [at_x[1] - at_x[0], at_x[3] - at_x[2]];
    let at_y = [
        at_x[0] + along_y[0] * within.y,
        at_x[2] + along_y[1] * within.y,
    ];
    let along_x = [
        mix(along_x[0], along_x[1], within.y),
        mix(along_x[2], along_x[3], within.y),
    ];
    let gradient = Vec3::new(
        mix(along_x[0], along_x[1], within.z),
        mix(along_y[0], along_y[1], within.z),
        at_y[1] - at_y[0],
    );
    FieldSample {
        distance: mix(at_y[0], at_y[1], within.z),
        gradient,
    }
}
