//! A sheet for characters that no clothes can be cut for.

use crate::avatar::{Avatar, MAX_INFLUENCES, SkinMesh};
use glam::{Vec2, Vec3};

use super::Garment;
use super::surface::Surface;

/// The sheet is this many times as wide as the character's longest horizontal side.
const WIDTH_RATIO: f32 = 1.8;
/// Height of the sheet over the character, as a part of its height.
const HOVER_RATIO: f32 = 0.03;
const BASE_COLOUR: [f32; 4] = [0.60, 0.58, 0.52, 1.0];

/// A square sheet of about `particle_count` particles, level and just above the avatar, held nowhere: it falls on it.
///
/// It is bound to the first joint, so that skinning puts it over the character wherever that stands. +Y is taken
/// for up. An avatar without skin gets a sheet of 1 m at the origin.
pub fn sheet_over(avatar: &Avatar, particle_count: usize) -> Garment {
    let positions = &avatar.skin.positions;
    let (mut min, mut max) = positions.iter().fold(
        (Vec3::INFINITY, Vec3::NEG_INFINITY),
        |(min, max), &position| (min.min(position), max.max(position)),
    );
    if positions.is_empty() {
        (min, max) = (Vec3::splat(-0.25), Vec3::new(0.25, 0.0, 0.25));
    }
    let extent = max - min;
    let width = WIDTH_RATIO * extent.x.max(extent.z).max(1e-3);
    let middle = Vec3::new(
        0.5 * (min.x + max.x),
        max.y + HOVER_RATIO * extent.y.max(0.1 * width),
        0.5 * (min.z + max.z),
    );
    let surface = flat_square(middle, width, particle_count);
    let count = surface.positions.len();
    let mut weights = [0.0; MAX_INFLUENCES];
    weights[0] = 1.0;
    let mesh = SkinMesh {
        normals: vec![Vec3::Y; count],
        uvs: surface
            .positions
            .iter()
            .map(|position| Vec2::new(position.x - middle.x, position.z - middle.z))
            .collect(),
        joints: vec![[0; MAX_INFLUENCES]; count],
        weights: vec![weights; count],
        positions: surface.positions,
        triangles: surface.triangles,
    };
    Garment {
        name: "sheet".to_owned(),
        mesh,
        attachments: Vec::new(),
        clearances: Vec::new(),
        motion: Vec::new(),
        drawn: None,
        base_colour: BASE_COLOUR,
    }
}

/// Rows of nearly equilateral triangles, every other row shifted by half a triangle.
fn flat_square(middle: Vec3, width: f32, particle_count: usize) -> Surface {
    // Rows lie 0.866 of a column apart.
    let columns = ((particle_count as f32 * 0.866).sqrt().round() as usize).max(2);
    let rows = (particle_count as f32 / columns as f32).round().max(2.0) as usize;
    let corner = middle - 0.5 * width * (Vec3::X + Vec3::Z);
    let place = |row: usize, column: usize| {
        let is_edge = column == 0 || column + 1 == columns;
        let shift = match (is_edge, row.is_multiple_of(2)) {
            (true, _) => 0.0,
            (false, true) => -0.25,
            (false, false) => 0.25,
        };
        let x = (column as f32 + shift) / (columns - 1) as f32;
        corner + width * (x * Vec3::X + row as f32 / (rows - 1) as f32 * Vec3::Z)
    };
    let positions = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| place(row, column)))
        .collect();
    let ix = |row: usize, column: usize| (row * columns + column) as u32;
    let quad = |row: usize, column: usize| {
        let [a, b, c, d] = [
            ix(row, column),
            ix(row, column + 1),
            ix(row + 1, column),
            ix(row + 1, column + 1),
        ];
        // The short diagonal depends on which row is shifted.
        if row.is_multiple_of(2) {
            [[a, c, b], [b, c, d]]
        } else {
            [[a, c, d], [a, d, b]]
        }
    };
    let triangles = (0..rows - 1)
        .flat_map(|row| (0..columns - 1).flat_map(move |column| quad(row, column)))
        .collect();
    Surface {
        positions,
        triangles,
    }
}
