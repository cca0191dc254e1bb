//! A sheet for characters that no clothes can be cut for.

use crate::avatar::{Avatar, MAX_INFLUENCES, SkinMesh};
use glam::{Vec2, Vec3};
use std::collections::BTreeMap;

use super::Garment;
use super::surface::Surface;

/// The sheet is this many times as wide as the character's longest horizontal side.
const WIDTH_RATIO: f32 = 1.8;
/// Height of the sheet over the character, as a part of its height.
const HOVER_RATIO: f32 = 0.03;
const BASE_COLOUR: [f32; 4] = [0.60, 0.58, 0.52, 1.0];

/// A square sheet of about `particle_count` particles, level and just above the avatar, held nowhere: it falls on it.
///
/// It follows the joints that carry most of the skin, so that skinning puts it over the character wherever that stands. +Y is
/// taken for up. An avatar without skin gets a sheet of 1 m at the origin.
pub fn sheet_over(avatar: &Avatar, particle_count: usize) -> Garment {
    sheet_covering(avatar, &[], particle_count)
}

/// As [`sheet_over`], and wide enough for `places` too: where the skin is before the sheet has come down.
pub fn sheet_covering(avatar: &Avatar, places: &[Vec3], particle_count: usize) -> Garment {
    let positions = avatar.skin.positions.iter().chain(places);
    let (mut min, mut max) = positions.fold(
        (Vec3::INFINITY, Vec3::NEG_INFINITY),
        |(min, max), &position| (min.min(position), max.max(position)),
    );
    if !min.is_finite() {
        (min, max) = (Vec3::splat(-0.25), Vec3::new(0.25, 0.0, 0.25));
    }
    let extent = max - min;
    let width = WIDTH_RATIO * extent.x.max(extent.z).max(1e-3);
    let middle = Vec3::new(
        0.5 * (min.x + max.x),
        max.y + HOVER_RATIO * extent.y.max(0.1 * width),
        0.5 * (min.z + max.z),
    );
    let size = Vec2::splat(width);
    sheet_at(middle, size, particle_count, carriers(&avatar.skin))
}

/// A level rectangle, metres along x and z, in bind space, of about `particle_count` particles, held nowhere. Skinning leaves it where it
/// is for a character that stands in its bind pose: it goes with the first joint.
pub fn level_sheet(name: &str, middle: Vec3, size: Vec2, particle_count: usize) -> Garment {
    let mut weights = [0.0; MAX_INFLUENCES];
    weights[0] = 1.0;
    Garment {
        name: name.to_owned(),
        ..sheet_at(middle, size, particle_count, ([0; MAX_INFLUENCES], weights))
    }
}

fn sheet_at(
    middle: Vec3,
    size: Vec2,
    particle_count: usize,
    (joints, weights): ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]),
) -> Garment {
    let surface = flat(middle, size, particle_count);
    let count = surface.positions.len();
    let mesh = SkinMesh {
        normals: vec![Vec3::Y; count],
        uvs: surface
            .positions
            .iter()
            .map(|position| Vec2::new(position.x - middle.x, position.z - middle.z))
            .collect(),
        joints: vec![joints; count],
        weights: vec![weights; count],
        positions: surface.positions,
        triangles: surface.triangles,
    };
    Garment {
        name: "sheet".to_owned(),
        mesh,
        attachments: Vec::new(),
        rest_positions: Vec::new(),
        clearances: Vec::new(),
        layered: BTreeMap::new(),
        motion: Vec::new(),
        drawn: None,
        base_colour: BASE_COLOUR,
    }
}

/// The joints that carry most of the skin, by area and weight, strongest first.
fn carriers(skin: &SkinMesh) -> ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]) {
    let mut carried: BTreeMap<u16, f64> = BTreeMap::new();
    for triangle in &skin.triangles {
        let [a, b, c] = triangle.map(|ix| skin.positions[ix as usize].as_dvec3());
        let area = (b - a).cross(c - a).length();
        for vertex_ix in triangle.map(|ix| ix as usize) {
            let influences = skin.joints[vertex_ix].iter().zip(&skin.weights[vertex_ix]);
            for (&joint_ix, &weight) in influences.filter(|(_, weight)| **weight > 0.0) {
                *carried.entry(joint_ix).or_default() += area * f64::from(weight);
            }
        }
    }
    let mut order: Vec<_> = carried.into_iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order.truncate(MAX_INFLUENCES);
    let total: f64 = order.iter().map(|(_, area)| area).sum();
    let (mut joints, mut weights) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
    weights[0] = 1.0;
    if total > 0.0 {
        for (slot, (joint_ix, area)) in order.into_iter().enumerate() {
            (joints[slot], weights[slot]) = (joint_ix, (area / total) as f32);
        }
    }
    (joints, weights)
}

/// Rows of nearly equilateral triangles, every other row shifted by half a triangle; level, metres along x and z.
pub(super) fn flat(middle: Vec3, size: Vec2, particle_count: usize) -> Surface {
    // Rows lie 0.866 of a column apart.
    let columns = (particle_count as f32 * 0.866 * size.x / size.y)
        .sqrt()
        .round();
    let columns = (columns as usize).max(2);
    let rows = (particle_count as f32 / columns as f32).round().max(2.0) as usize;
    let corner = middle - 0.5 * Vec3::new(size.x, 0.0, size.y);
    let place = |row: usize, column: usize| {
        let is_edge = column == 0 || column + 1 == columns;
        let shift = match (is_edge, row.is_multiple_of(2)) {
            (true, _) => 0.0,
            (false, true) => -0.25,
            (false, false) => 0.25,
        };
        let x = (column as f32 + shift) / (columns - 1) as f32;
        corner + size.x * x * Vec3::X + size.y * (row as f32 / (rows - 1) as f32) * Vec3::Z
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
