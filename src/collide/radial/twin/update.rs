//! Draws the skin into the cells of its fields: the twin of the field update, paper section 5.

use crate::collide::radial::cell::{EMPTY_KEY, Rank, distance, key};
use crate::collide::radial::field::{CAP, FieldDef, FieldSet};
use crate::math::cylinder::{contains_axis, direction, fract, nearest_to_axis, turns};
use crate::math::raster::cover;
use glam::{Mat4, Vec2, Vec3, Vec3Swizzles};

/// A triangle whose normal is nearer than this to square with the radial direction (cosine) is culled: seen edge on
/// it covers next to no cells, and the plane it spans says little about the distance. Usually 0.05; with 0 edge-on
/// slivers leave spikes, from 0.2 on the top of the head and the shoulders get holes.
pub const MIN_FACING: f32 = 0.05;

/// Part of a turn beyond which a triangle is culled: it passes so near the axis that straight edges over angle and height
/// no longer draw it, and cells far from it would get its least distance. Usually 0.4; smaller opens the poles of
/// heads.
const MAX_SPAN: f32 = 0.4;

/// Square metres. Below it a triangle has no normal worth the name; usual triangles have 1e-5 to 1e-4.
const MIN_DOUBLED_AREA: f32 = 1e-12;

/// Takes world to the space of every field, at one moment. `world_from_bone` has one entry a joint.
pub fn fields_from_world(set: &FieldSet, world_from_bone: &[Mat4]) -> Vec<Mat4> {
    let inverse = |field: &FieldDef| {
        (world_from_bone[field.joint_ix as usize] * field.bone_from_field).inverse()
    };
    set.fields.iter().map(inverse).collect()
}

/// The cells of all fields for a skin at `positions_in_world`: `set.cell_count` distances in metres of field space.
pub fn update(set: &FieldSet, positions_in_world: &[Vec3], fields_from_world: &[Mat4]) -> Vec<f32> {
    let mut keys = vec![EMPTY_KEY; set.cell_count as usize];
    for triangle in &set.triangles {
        let field_ix = triangle.field_ix as usize;
        let corners = triangle.vertices.map(|v| positions_in_world[v as usize]);
        draw(
            &set.fields[field_ix],
            fields_from_world[field_ix],
            corners,
            triangle.rank,
            &mut keys,
        );
    }
    let mut cells: Vec<f32> = keys.into_iter().map(distance).collect();
    close_caps(set, &mut cells);
    cells
}

/// Whatever was drawn into cap rows, the surface closes onto the axis there.
fn close_caps(set: &FieldSet, cells: &mut [f32]) {
    let rows = set
        .fields
        .iter()
        .flat_map(|field| (0..field.height).map(move |row| (field, row)));
    for (field, row) in rows.filter(|(field, row)| field.is_cap(*row)) {
        let start = (field.cell_offset + row * field.width) as usize;
        cells[start..start + field.width as usize].fill(CAP);
    }
}

fn draw(
    field: &FieldDef,
    field_from_world: Mat4,
    corners_in_world: [Vec3; 3],
    rank: Rank,
    keys: &mut [u32],
) {
    let metric = Vec3::new(1.0, 1.0, field.length);
    let corners = corners_in_world.map(|p| field_from_world.transform_point3(p) * metric);
    let Some(facet) = Facet::new(corners) else {
        return;
    };
    let (width, height) = (field.width as i32, field.height as i32);
    let size = Vec2::new(field.width as f32, field.height as f32 / field.length);
    let (pixels, shift) = unroll(corners, size, width);
    let columns = pixels.map(|pixel| pixel.x);
    let span =
        columns.into_iter().fold(f32::MIN, f32::max) - columns.into_iter().fold(f32::MAX, f32::min);
    if span > MAX_SPAN * field.width as f32 {
        return;
    }
    cover(pixels, width, height, |col, row| {
        let col = (col + shift) % width;
        let distance = facet.distance((col as f32 + 0.5) / size.x, (row as f32 + 0.5) / size.y);
        let kept = &mut keys[(field.cell_offset as i32 + row * width + col) as usize];
        *kept = key(rank, distance).min(*kept);
    });
}

/// Where the corners lie in pixels of the field (`size` = pixels per turn and per metre), and by how many columns the
/// pixels must be turned back: a triangle across the seam is drawn half a turn away from it.
fn unroll(corners: [Vec3; 3], size: Vec2, width: i32) -> ([Vec2; 3], i32) {
    let theta = corners.map(|m| turns(m.xy()));
    let spread = theta[0].max(theta[1]).max(theta[2]) - theta[0].min(theta[1]).min(theta[2]);
    let seam = spread > 0.5;
    let pixel = |i: usize| {
        let turned = if seam {
            fract(theta[i] + 0.5)
        } else {
            theta[i]
        };
        Vec2::new(turned, corners[i].z) * size
    };
    (
        [pixel(0), pixel(1), pixel(2)],
        if seam { width / 2 } else { 0 },
    )
}

/// A triangle of skin in metric field space that can be seen from the axis.
struct Facet {
    corner: Vec3,
    normal: Vec3,
    /// Distances from the axis that no point of the triangle exceeds. The nearest corner would not do: an edge may
    /// pass nearer than both its ends.
    nearest: f32,
    furthest: f32,
}

impl Facet {
    /// None for a triangle that has no area, crosses the axis, or faces it or lies nearly across it. Comparisons are
    /// written so that NaN falls out too.
    fn new(corners: [Vec3; 3]) -> Option<Self> {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let doubled_area = normal.length();
        let across = corners.map(|m| m.xy());
        let outward = (across[0] + across[1] + across[2]).normalize_or_zero();
        let faces = normal.xy().dot(outward) >= MIN_FACING * doubled_area;
        if !(doubled_area > MIN_DOUBLED_AREA && doubled_area.is_finite() && faces)
            || contains_axis(across)
        {
            return None;
        }
        let furthest = across.map(Vec2::length).into_iter().fold(0.0, f32::max);
        Some(Self {
            corner: corners[0],
            normal,
            nearest: nearest_to_axis(across),
            furthest,
        })
    }

    /// Metres from the axis to this triangle's plane at `theta` turns and `z` metres, held within the triangle's own
    /// distances: a cell's centre may lie beyond the triangle's edge, where a steep plane runs away.
    fn distance(&self, theta: f32, z: f32) -> f32 {
        let outward = direction(theta);
        let slope = self.normal.xy().dot(outward);
        if slope <= 0.0 {
            return self.furthest;
        }
        let from_axis = self.corner - Vec3::new(0.0, 0.0, z);
        (self.normal.dot(from_axis) / slope).clamp(self.nearest, self.furthest)
    }
}
