//! The field update on the CPU: draws the skin into the cells of its fields, paper section 5.
//!
//! In every build, because the fit tries on it what it has laid out. The tests compare glsl/radial/rasterise with it, and the shaders
//! take their constants from here.

use crate::collide::radial::cell::{EMPTY_KEY, Rank, distance, entry_key, key};
use crate::collide::radial::field::{CAP, EMPTY, FieldDef, FieldSet};
use crate::collide::radial::rules::FieldRules;
use crate::math::cylinder::{contains_axis, direction, fract, nearest_to_axis, revolutions};
use crate::math::raster::cover;
use glam::{Mat4, Vec2, Vec3, Vec3Swizzles};

/// A triangle that is not near the axis and whose normal is nearer than this to square with the radial direction (cosine) is
/// culled: seen edge on it covers next to no cells, and the plane it spans says little about the distance. Usually 0.05; with 0 edge-on
/// slivers leave spikes, from 0.2 on the top of the head and the shoulders get holes.
pub const MIN_FACING: f32 = 0.05;

/// Part of a revolution beyond which a triangle is near the axis: straight edges over angle and height no longer draw it, so that
/// the ray of every cell round it is tested. Usually 0.1; larger draws skin where there is none, 0 costs time.
const NEAR_SPAN_OWN: f32 = 0.1;

/// The same for skin that is not the joint's own. A bent axis that has run out of the body sees it from outside, and straight edges draw a
/// limb's near and far side with other outlines: the cells in between hold the air before it. Usually 0.02; with 0.1, and 2 mm of slack,
/// CesiumMan's fields hold 3.4 times as much air in its walk.
const NEAR_SPAN_SHARED: f32 = 0.02;

/// Parts of the revolution that are told apart when rows are emptied that a row without skin parts from the joint's own, and in how many of
/// them a row has skin at least, or counts as one without. Usually 3 of 8.
const SECTORS: usize = 8;
const LEAST_SECTORS: usize = 3;

/// Metres by which a ray may pass a near triangle of the joint's own skin, so that none slips through between it and one whose edges are
/// drawn straight.
const RAY_SLACK_OWN: f32 = 0.002;

/// The same for other skin, which a ray passes in the air beside a limb too: as much as rounding needs where triangles meet.
const RAY_SLACK_SHARED: f32 = 0.0002;

/// Cells by which a near triangle's bounds are widened for rounding: of the angles of its corners and of the rays. Usually 0.05; with 0 rays
/// slip through between two triangles, larger tests rays that meet nothing.
const NEAR_ROUNDING: f32 = 0.05;

/// Square metres. Below it a triangle has no meaningful normal; usual triangles have 1e-5 to 1e-4.
const MIN_DOUBLED_AREA: f32 = 1e-12;

/// Part of a revolution beyond which a triangle of that rank is near the axis.
pub(crate) fn near_span(rank: Rank) -> f32 {
    match rank {
        Rank::Own => NEAR_SPAN_OWN,
        Rank::Shared => NEAR_SPAN_SHARED,
    }
}

/// Metres by which a ray may pass a near triangle of that rank.
pub(crate) fn ray_slack(rank: Rank) -> f32 {
    match rank {
        Rank::Own => RAY_SLACK_OWN,
        Rank::Shared => RAY_SLACK_SHARED,
    }
}

/// From world to the space of every field, at one time. `world_from_bone` has one entry per joint.
pub fn fields_from_world(set: &FieldSet, world_from_bone: &[Mat4]) -> Vec<Mat4> {
    let inverse = |field: &FieldDef| {
        (world_from_bone[field.joint_ix as usize] * field.bone_from_field).inverse()
    };
    set.fields.iter().map(inverse).collect()
}

/// The cells of all fields for the skin at `positions_in_world`: `set.cell_count` distances in metres of field space.
pub fn update(set: &FieldSet, positions_in_world: &[Vec3], fields_from_world: &[Mat4]) -> Vec<f32> {
    let mut keys = update_keys(set, positions_in_world, fields_from_world);
    for field in set.fields.iter().filter(|field| field.rules.one_piece) {
        empty_loose_rows(field, &mut keys[field.cells()]);
    }
    let mut cells: Vec<f32> = keys.into_iter().map(distance).collect();
    close_caps(set, &mut cells);
    cells
}

/// The same as keys of [`cell`](crate::collide::radial::cell), which include the rank; cap rows as they were drawn.
pub fn update_keys(
    set: &FieldSet,
    positions_in_world: &[Vec3],
    fields_from_world: &[Mat4],
) -> Vec<u32> {
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
    keys
}

/// Empties the rows of a field that a row without skin parts from its joint's own. Rows that close onto the axis count as empty: what they
/// hold is theirs anyhow. The twin of glsl/radial/bound.comp, which has `SECTORS` and `LEAST_SECTORS` too.
pub(super) fn empty_loose_rows(field: &FieldDef, keys: &mut [u32]) {
    let width = field.width as usize;
    let rows: Vec<&[u32]> = keys.chunks(width).collect();
    let open = field.open_rows();
    let is_open = |row: usize| open.contains(&(row as u32));
    let has_own = |row: &usize| is_open(*row) && rows[*row].iter().any(|&key| is_own_skin(key));
    let has_skin = |row: &usize| is_open(*row) && sectors_with_skin(rows[*row]) >= LEAST_SECTORS;
    let (Some(first_own), Some(last_own)) = (
        (0..rows.len()).find(has_own),
        (0..rows.len()).rev().find(has_own),
    ) else {
        return;
    };
    let first = (0..first_own).rev().take_while(has_skin).last();
    let last = (last_own + 1..rows.len()).take_while(has_skin).last();
    let kept = first.unwrap_or(first_own)..=last.unwrap_or(last_own);
    for (row, keys) in keys.chunks_mut(width).enumerate() {
        if !kept.contains(&row) {
            keys.fill(EMPTY_KEY);
        }
    }
}

fn is_own_skin(key: u32) -> bool {
    distance(key) < EMPTY && key >> 30 == Rank::Own as u32
}

/// In how many of a row's sectors there is skin.
fn sectors_with_skin(row: &[u32]) -> usize {
    let mut has_skin = [false; SECTORS];
    for (column, &key) in row.iter().enumerate() {
        has_skin[column * SECTORS / row.len()] |= distance(key) < EMPTY;
    }
    has_skin.iter().filter(|has_skin| **has_skin).count()
}

/// Independently of what was drawn into cap rows, the surface closes onto the axis there.
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
    let (width, height) = (field.width as i32, field.height as i32);
    let size = Vec2::new(field.width as f32, field.height as f32 / field.length);
    let (pixels, shift) = unroll(corners, size, width);
    let holds_axis = contains_axis(corners.map(|m| m.xy()));
    if holds_axis && !field.rules.axis_rays {
        return;
    }
    let placed = Placed::new(pixels, holds_axis, field, rank);
    let Some(facet) = Facet::new(corners, placed.is_near, field.rules) else {
        return;
    };
    let mut keep = |col: i32, row: i32| {
        let col = (col + shift) % width;
        let (theta, z) = ((col as f32 + 0.5) / size.x, (row as f32 + 0.5) / size.y);
        let found = if placed.is_near {
            facet.distance_on_ray(theta, z, ray_slack(rank))
        } else {
            Some(Crossing {
                distance: facet.distance(theta, z),
                enters: facet.enters,
                grazes: false,
            })
        };
        let key = match found {
            None => return,
            // The joint's own skin lies round its axis: where it faces the axis, it has folded.
            Some(crossing) if crossing.enters && (rank == Rank::Own || !field.rules.entries) => {
                return;
            }
            Some(crossing) if crossing.enters => entry_key(crossing.distance),
            // Skin that only fills a crack has the lowest priority.
            Some(crossing) if crossing.grazes => key(Rank::Shared, crossing.distance),
            Some(crossing) => key(rank, crossing.distance),
        };
        let kept = &mut keys[(field.cell_offset as i32 + row * width + col) as usize];
        *kept = key.min(*kept);
    };
    if placed.is_near {
        let reach = reach_in_cells(field, facet.nearest, ray_slack(rank));
        let cells = placed.cells(reach, field);
        cells.for_each(|[col, row]| keep(col, row));
    } else {
        cover(pixels, width, height, keep);
    }
}

/// How far beside a near triangle its rays may pass it, in cells over angle and height, at most half a cell. `nearest`: metres from the axis to the
/// triangle. A ray that passes it by `slack` has turned away from it by no more than the arc sine of slack over nearest, which is a quarter of a
/// revolution where that is 1 and less than its share of that below.
fn reach_in_cells(field: &FieldDef, nearest: f32, slack: f32) -> Vec2 {
    let turned = 0.25 * slack / nearest.max(slack) * field.width as f32;
    let beside = slack / field.length * field.height as f32;
    (Vec2::new(turned, beside) + NEAR_ROUNDING).min(Vec2::splat(0.5))
}

/// Where a triangle lies over angle and height, in cells.
struct Placed {
    low: Vec2,
    high: Vec2,
    is_near: bool,
}

impl Placed {
    fn new(pixels: [Vec2; 3], holds_axis: bool, field: &FieldDef, rank: Rank) -> Self {
        let width = field.width as f32;
        let [mut low, mut high] = [
            pixels[0].min(pixels[1]).min(pixels[2]),
            pixels[0].max(pixels[1]).max(pixels[2]),
        ];
        if holds_axis {
            (low.x, high.x) = (0.0, width);
        }
        Self {
            is_near: field.rules.axis_rays
                && (holds_axis || high.x - low.x > near_span(rank) * width),
            low,
            high,
        }
    }

    /// Column and row of every cell of the field whose centre lies within `reach` of it.
    fn cells(&self, reach: Vec2, field: &FieldDef) -> impl Iterator<Item = [i32; 2]> + use<> {
        let size = Vec2::new(field.width as f32, field.height as f32);
        let first = ((self.low - reach).max(Vec2::ZERO) - 0.5).ceil();
        let last = ((self.high + reach).min(size) - 0.5).floor();
        let rows = first.y as i32..=last.y as i32;
        let columns = first.x as i32..=last.x as i32;
        rows.flat_map(move |row| columns.clone().map(move |col| [col, row]))
    }
}

/// Where the corners lie in pixels of the field (`size` = pixels per revolution and per metre), and by how many columns the
/// pixels must be shifted back: a triangle across the seam is drawn half a revolution away from it.
fn unroll(corners: [Vec3; 3], size: Vec2, width: i32) -> ([Vec2; 3], i32) {
    let theta = corners.map(|m| revolutions(m.xy()));
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

/// What a cell's ray meets.
struct Crossing {
    /// Metres from the axis.
    distance: f32,
    /// The ray comes into the body.
    enters: bool,
    /// It misses the triangle by less than [`ray_slack`].
    grazes: bool,
}

/// A triangle of skin as the rays from the axis see it, in metric field space.
struct Facet {
    corners: [Vec3; 3],
    /// Away from the axis in the mean.
    normal: Vec3,
    /// Distances from the axis that no point of the triangle exceeds. The nearest corner, which the paper takes, would not do: an
    /// edge may pass nearer than both its ends.
    nearest: f32,
    furthest: f32,
    /// The skin faces the axis: a ray from there comes into the body.
    enters: bool,
}

impl Facet {
    /// None for a triangle that has no area, or lies nearly across the axis and is not near it. Comparisons are written so
    /// that NaN falls out too.
    fn new(corners: [Vec3; 3], is_near: bool, rules: FieldRules) -> Option<Self> {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let doubled_area = normal.length();
        let across = corners.map(|m| m.xy());
        let outward = (across[0] + across[1] + across[2]).normalize_or_zero();
        let facing = normal.xy().dot(outward);
        let faces = is_near || facing.abs() >= MIN_FACING * doubled_area;
        if !(doubled_area > MIN_DOUBLED_AREA && doubled_area.is_finite() && faces) {
            return None;
        }
        let enters = facing < 0.0;
        let lengths = across.map(Vec2::length);
        Some(Self {
            corners,
            normal: if enters { -normal } else { normal },
            nearest: if rules.axis_rays {
                nearest_to_axis(across)
            } else {
                lengths.into_iter().fold(f32::INFINITY, f32::min)
            },
            furthest: lengths.into_iter().fold(0.0, f32::max),
            enters,
        })
    }

    /// Metres from the axis to this triangle's plane at `theta` revolutions and `z` metres, held within the triangle's own
    /// distances: a cell's centre may lie beyond the triangle's edge, where a steep plane runs away.
    fn distance(&self, theta: f32, z: f32) -> f32 {
        let outward = direction(theta);
        let slope = self.normal.xy().dot(outward);
        if slope <= 0.0 {
            return self.furthest;
        }
        let from_axis = self.corners[0] - Vec3::new(0.0, 0.0, z);
        (self.normal.dot(from_axis) / slope).clamp(self.nearest, self.furthest)
    }

    /// Where the ray at `theta` revolutions and `z` metres meets the triangle. None where it misses it by more than `slack`; where it
    /// misses it by less it meets the plane not far from the edge: a triangle that lies nearly along the ray has its plane anywhere.
    fn distance_on_ray(&self, theta: f32, z: f32, slack: f32) -> Option<Crossing> {
        let ray = direction(theta);
        let slope = self.normal.xy().dot(ray);
        let enters = (slope < 0.0) != self.enters;
        // Seen along the ray, to its left and up, the corners go round it in one direction.
        let winding = if enters { -1.0 } else { 1.0 };
        let seen = self
            .corners
            .map(|corner| Vec2::new(ray.perp_dot(corner.xy()), corner.z - z));
        let is_within = |(ix, next): (usize, usize)| winding * seen[ix].perp_dot(seen[next]) >= 0.0;
        let grazes = !EDGES.into_iter().all(is_within);
        let mut distance = self.normal.dot(self.corners[0] - Vec3::Z * z) / slope;
        if grazes {
            let beside = self.distance_beside(ray, seen, slack)?;
            distance = distance.max(beside - slack).min(beside + slack);
        }
        (distance > 0.0).then(|| Crossing {
            distance: distance.min(self.furthest),
            enters,
            grazes,
        })
    }

    /// Metres along a ray to where it comes nearest to the edges. None where that is further off than `slack`, or behind the
    /// axis.
    ///
    /// `seen`: the corners, seen along the ray.
    fn distance_beside(&self, ray: Vec2, seen: [Vec2; 3], slack: f32) -> Option<f32> {
        let (mut least, mut distance) = (slack * slack, None);
        for (ix, next) in EDGES {
            let share = nearest_share(seen[ix], seen[next]);
            let apart = seen[ix].lerp(seen[next], share).length_squared();
            if apart < least {
                least = apart;
                let nearest = self.corners[ix].lerp(self.corners[next], share);
                distance = Some(ray.dot(nearest.xy()));
            }
        }
        distance.filter(|&distance| distance >= 0.0)
    }
}

/// The corners at both ends of a triangle's edges.
const EDGES: [(usize, usize); 3] = [(0, 1), (1, 2), (2, 0)];

/// Where a segment comes nearest to the origin, 0 to 1 from `from`.
fn nearest_share(from: Vec2, to: Vec2) -> f32 {
    let edge = to - from;
    let size = edge.length_squared();
    if size > 0.0 {
        (-from.dot(edge) / size).clamp(0.0, 1.0)
    } else {
        0.0
    }
}
