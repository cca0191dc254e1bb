//! What every cell ought to hold, by rays from the axis: parry3d in f64 against the field's own triangles.

use crate::collide::radial::cell::Rank;
use crate::collide::radial::field::{FieldDef, FieldSet};
use crate::collide::radial::twin::update::{MIN_FACING, NEAR_SPAN, RAY_SLACK};
use glam::{DMat4, DVec2, DVec3, Mat4, Vec3};
use parry3d_f64::math::{Point, Vector};
use parry3d_f64::query::{Ray, RayCast};
use parry3d_f64::shape::Triangle;
use rayon::prelude::*;
use serde::Serialize;
use std::f64::consts::TAU;

/// Metres: roundings of the plane equation in f32 where it is seen at 3 degrees.
const TOLERANCE: f64 = 1e-4;

/// Nearness to [`NEAR_SPAN`], turns, within which a triangle may be drawn either way.
const DOUBTFUL_SPAN: f64 = 1e-3;

/// Nearness to [`MIN_FACING`] within which either is right.
const DOUBTFUL_FACING: f64 = 1e-3;

/// Cells from a triangle's edge within which the raster may decide either way: it snaps corners to 1/256, and next to an axis
/// angles are known to a few times that.
const EDGE: f64 = 0.02;

/// Cells beyond its own row from which skin may be drawn into a cell.
const NEXT_ROWS: f64 = 1.0;

/// Cells by how they compare with the rays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CellCounts {
    /// The distance is that of the ray's hit.
    pub agreeing: u32,
    /// Neither finds skin.
    pub empty: u32,
    /// In a row that closes onto the axis: not drawn.
    pub capped: u32,
    /// The cell is right for what is drawn, but culled skin would have given another answer: seen edge on, facing the axis,
    /// or round it.
    pub culled: u32,
    /// What triangles leave there whose edges run straight over angle and height, as the raster draws them; in space those
    /// edges bend, the more the nearer to the axis. Or an edge that lies within a fiftieth of a cell.
    pub at_edges: u32,
    /// None of these. More than 1 in 10,000, for roundings next to an axis, is a fault.
    pub unexplained: u32,
}

impl CellCounts {
    /// Counts of two poses together.
    pub fn and(self, other: Self) -> Self {
        Self {
            agreeing: self.agreeing + other.agreeing,
            empty: self.empty + other.empty,
            capped: self.capped + other.capped,
            culled: self.culled + other.culled,
            at_edges: self.at_edges + other.at_edges,
            unexplained: self.unexplained + other.unexplained,
        }
    }
}

/// Whether the update draws a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    Yes,
    No,
    /// Too near a limit to tell.
    Perhaps,
}

/// A triangle in metric field space.
struct Skin {
    shape: Triangle,
    corners: [DVec3; 3],
    rank: Rank,
    drawn: Drawn,
    /// Its rays are tested one by one.
    is_near: bool,
}

/// A ray's hit.
#[derive(Clone, Copy)]
struct Hit {
    distance: f64,
    rank: Rank,
    drawn: Drawn,
    /// The ray comes into the body.
    enters: bool,
}

/// Compares every cell with a ray from the axis through its centre.
///
/// `cells` are what the update made of the skin at `positions_in_world`.
pub fn check_cells(
    set: &FieldSet,
    positions_in_world: &[Vec3],
    fields_from_world: &[Mat4],
    cells: &[f32],
) -> CellCounts {
    let fields: Vec<Vec<Skin>> = (0..set.fields.len())
        .into_par_iter()
        .map(|field_ix| {
            skin_of(
                set,
                field_ix,
                positions_in_world,
                fields_from_world[field_ix],
            )
        })
        .collect();
    let rows: Vec<_> = (0..set.fields.len())
        .flat_map(|field_ix| (0..set.fields[field_ix].height).map(move |row| (field_ix, row)))
        .collect();
    let counts: Vec<_> = rows
        .into_par_iter()
        .map(|(field_ix, row)| check_row(&set.fields[field_ix], &fields[field_ix], cells, row))
        .collect();
    counts
        .into_iter()
        .fold(CellCounts::default(), CellCounts::and)
}

/// What is drawn into a field.
fn skin_of(
    set: &FieldSet,
    field_ix: usize,
    positions_in_world: &[Vec3],
    field_from_world: Mat4,
) -> Vec<Skin> {
    let field = &set.fields[field_ix];
    let own = set
        .triangles
        .iter()
        .filter(|t| t.field_ix as usize == field_ix);
    own.map(|t| {
        let corners = t
            .vertices
            .map(|v| positions_in_world[v as usize].as_dvec3());
        Skin::new(field, field_from_world.as_dmat4(), corners, t.rank)
    })
    .collect()
}

fn check_row(field: &FieldDef, skin: &[Skin], cells: &[f32], row: u32) -> CellCounts {
    let cell_size = f64::from(field.length) / f64::from(field.height);
    let low = (f64::from(row) - NEXT_ROWS) * cell_size;
    let high = (f64::from(row) + 1.0 + NEXT_ROWS) * cell_size;
    let near: Vec<_> = skin.iter().filter(|s| s.reaches(low, high)).collect();
    (0..field.width).fold(CellCounts::default(), |counts, col| {
        counts.and(check_cell(field, &near, cells, [col, row]))
    })
}

fn check_cell(field: &FieldDef, skin: &[&Skin], cells: &[f32], [col, row]: [u32; 2]) -> CellCounts {
    let mut counts = CellCounts::default();
    if field.is_cap(row) {
        counts.capped = 1;
        return counts;
    }
    let found = f64::from(cells[(field.cell_offset + row * field.width + col) as usize]);
    let centre = [f64::from(col) + 0.5, f64::from(row) + 0.5];
    let hits = cast(field, skin, centre);
    let expected = kept(hits.iter().filter(|hit| hit.drawn == Drawn::Yes));
    let uncut = kept(hits.iter());
    let count = if same(found, expected) {
        match (same(uncut, expected), expected.is_finite()) {
            (false, _) => &mut counts.culled,
            (true, true) => &mut counts.agreeing,
            (true, false) => &mut counts.empty,
        }
    } else if is_drawn_straight(field, skin, centre, found) {
        &mut counts.at_edges
    } else {
        &mut counts.unexplained
    };
    *count = 1;
    counts
}

/// What of several hits a cell keeps: the furthest way out through the joint's own skin, else the nearest of other skin if that is
/// a way out. Infinite for none.
fn kept<'a>(hits: impl Iterator<Item = &'a Hit>) -> f64 {
    let order = |hit: &Hit| match hit.rank {
        Rank::Own => (hit.rank, -hit.distance),
        Rank::Shared => (hit.rank, hit.distance),
    };
    let is_kept = |hit: &&Hit| hit.rank == Rank::Shared || !hit.enters;
    let first = hits.filter(is_kept).min_by(|a, b| {
        let (a, b) = (order(a), order(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let exit = first.filter(|hit| !hit.enters);
    exit.map_or(f64::INFINITY, |hit| hit.distance)
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= TOLERANCE
}

/// Whether a cell holds what triangles leave in it whose edges run straight over angle and height. One that may as well be
/// drawn as not, for its limits or its edges, may be taken in.
fn is_drawn_straight(field: &FieldDef, skin: &[&Skin], place: [f64; 2], found: f64) -> bool {
    let mut certain = Vec::new();
    let mut doubtful = Vec::new();
    for skin in skin.iter().filter(|skin| skin.drawn != Drawn::No) {
        // A ray that passes a near triangle by little may or may not be among the cells round it.
        let slack = if skin.is_near {
            f64::from(RAY_SLACK)
        } else {
            0.0
        };
        let (hit, depth, edge) = if skin.is_near {
            let depth = skin.depth_on_ray(field, place);
            let mut hit = skin.on_plane(field, place);
            if depth < 0.0 {
                hit.rank = Rank::Shared;
            }
            (hit, depth, TOLERANCE)
        } else {
            let hit = skin.drawn_straight(field, place);
            (hit, skin.depth_within(field, place), EDGE)
        };
        if depth > edge && skin.drawn == Drawn::Yes && hit.distance > 0.0 {
            certain.push(hit);
        } else if depth >= -edge - slack && hit.distance > 0.0 {
            doubtful.push(hit);
        }
    }
    let holds_with = |hit: &Hit| same(kept(certain.iter().chain([hit])), found);
    same(kept(certain.iter()), found) || doubtful.iter().any(holds_with)
}

fn cast(field: &FieldDef, skin: &[&Skin], place: [f64; 2]) -> Vec<Hit> {
    skin.iter()
        .filter_map(|skin| skin.hit(field, place))
        .collect()
}

/// Where the ray of a place in the field, in cells, starts, and its direction.
fn ray_of(field: &FieldDef, [x, y]: [f64; 2]) -> (DVec3, DVec3) {
    let (sin, cos) = (x / f64::from(field.width) * TAU).sin_cos();
    let z = y / f64::from(field.height) * f64::from(field.length);
    (DVec3::new(0.0, 0.0, z), DVec3::new(cos, sin, 0.0))
}

impl Skin {
    fn new(field: &FieldDef, to_field: DMat4, corners_in_world: [DVec3; 3], rank: Rank) -> Self {
        let metric = DVec3::new(1.0, 1.0, f64::from(field.length));
        let corners = corners_in_world.map(|p| to_field.transform_point3(p) * metric);
        let [a, b, c] = corners.map(|p| Point::new(p.x, p.y, p.z));
        let (drawn, is_near) = is_drawn(corners);
        Self {
            shape: Triangle::new(a, b, c),
            drawn,
            is_near,
            corners,
            rank,
        }
    }

    /// Whether part of it may lie between two heights, in metres.
    fn reaches(&self, low: f64, high: f64) -> bool {
        let heights = self.corners.map(|corner| corner.z);
        heights.iter().any(|&z| z >= low) && heights.iter().any(|&z| z <= high)
    }

    /// Cells by which a place lies within the triangle over angle and height, where its edges are taken as straight; negative
    /// outside.
    fn depth_within(&self, field: &FieldDef, [x, y]: [f64; 2]) -> f64 {
        let (width, height) = (f64::from(field.width), f64::from(field.height));
        // The corners lie less than half a turn apart, so all of them are counted from the place's own angle.
        let corners = self.corners.map(|corner| {
            let turn = corner.y.atan2(corner.x) / TAU - x / width;
            DVec2::new(turn, corner.z / f64::from(field.length) * height - y)
        });
        let first = corners[0].x - corners[0].x.round();
        let unrolled = corners.map(|corner| {
            let apart = corner.x - corners[0].x;
            DVec2::new((first + apart - apart.round()) * width, corner.y)
        });
        // Across the far side of the axis the whole triangle may lie a turn further.
        let turned =
            [-width, 0.0, width].map(|by| depth_of_origin(unrolled.map(|p| p + DVec2::X * by)));
        turned.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    fn hit(&self, field: &FieldDef, place: [f64; 2]) -> Option<Hit> {
        let (start, direction) = ray_of(field, place);
        if !self.reaches(start.z, start.z) {
            return None;
        }
        let ray = Ray::new(
            Point::new(start.x, start.y, start.z),
            Vector::new(direction.x, direction.y, direction.z),
        );
        let distance = self.shape.cast_local_ray(&ray, f64::MAX, false)?;
        Some(Hit {
            distance,
            ..self.on_plane(field, place)
        })
    }

    fn normal(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a)
    }

    /// Metres by which a ray passes within the triangle; negative where it passes it.
    fn depth_on_ray(&self, field: &FieldDef, place: [f64; 2]) -> f64 {
        let (start, direction) = ray_of(field, place);
        let winding = self.normal().dot(direction).signum();
        let depth = |ix: usize| {
            let [from, to] = [ix, (ix + 1) % 3].map(|ix| self.corners[ix] - start);
            let apart = (to - from).cross(direction).length();
            winding * direction.dot(from.cross(to)) / apart.max(f64::MIN_POSITIVE)
        };
        depth(0).min(depth(1)).min(depth(2))
    }

    /// Where a ray meets the triangle's plane, no further than the triangle goes.
    fn on_plane(&self, field: &FieldDef, place: [f64; 2]) -> Hit {
        let (start, direction) = ray_of(field, place);
        let slope = self.normal().dot(direction);
        let across = self.corners.map(|corner| corner.truncate().length());
        let furthest = across.into_iter().fold(0.0, f64::max);
        Hit {
            distance: (self.normal().dot(self.corners[0] - start) / slope).min(furthest),
            rank: self.rank,
            drawn: self.drawn,
            enters: slope < 0.0,
        }
    }

    /// What a cell gets of a triangle whose edges are drawn straight: the distance to its plane, held within its own distances.
    fn drawn_straight(&self, field: &FieldDef, place: [f64; 2]) -> Hit {
        let outward: DVec2 = self.corners.iter().map(|corner| corner.truncate()).sum();
        let enters = self.normal().truncate().dot(outward) < 0.0;
        Hit {
            distance: self.plane_distance(field, place, if enters { -1.0 } else { 1.0 }),
            enters,
            ..self.on_plane(field, place)
        }
    }

    /// Metres from the axis to the triangle's plane, held within the triangle's own distances. `side`: -1 if its skin faces the
    /// axis, else 1.
    fn plane_distance(&self, field: &FieldDef, place: [f64; 2], side: f64) -> f64 {
        let a = self.corners[0];
        let normal = self.normal() * side;
        let (start, direction) = ray_of(field, place);
        let slope = normal.dot(direction);
        let across = self.corners.map(DVec3::truncate);
        let furthest = across.map(DVec2::length).into_iter().fold(0.0, f64::max);
        let nearest = (0..3)
            .map(|ix| nearest_on(across[ix], across[(ix + 1) % 3]))
            .fold(f64::INFINITY, f64::min);
        if slope <= 0.0 {
            furthest
        } else {
            (normal.dot(a - start) / slope).clamp(nearest.min(furthest), furthest)
        }
    }
}

/// Distance from the origin to the nearest edge of a triangle that it lies in; negative, to an edge's line, outside.
fn depth_of_origin([a, b, c]: [DVec2; 3]) -> f64 {
    let winding = (b - a).perp_dot(c - a).signum();
    let inside = |from: DVec2, to: DVec2| {
        let along = to - from;
        winding * along.perp_dot(-from) / along.length().max(f64::MIN_POSITIVE)
    };
    inside(a, b).min(inside(b, c)).min(inside(c, a))
}

/// Distance from the origin to a segment.
fn nearest_on(a: DVec2, b: DVec2) -> f64 {
    let along = b - a;
    let share = (-a.dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (a + along * share).length()
}

/// Whether a triangle is drawn, and whether it is near the axis.
fn is_drawn(corners: [DVec3; 3]) -> (Drawn, bool) {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let across = corners.map(DVec3::truncate);
    let outward = (across[0] + across[1] + across[2]).normalize_or_zero();
    let facing = normal.truncate().dot(outward) / normal.length().max(1e-30);
    let turns = across.map(|p| p.y.atan2(p.x) / TAU);
    let apart = |a: f64, b: f64| ((a - b + 1.5).rem_euclid(1.0) - 0.5).abs();
    let span = apart(turns[0], turns[1])
        .max(apart(turns[1], turns[2]))
        .max(apart(turns[2], turns[0]));
    let clearance = facing.abs() - f64::from(MIN_FACING);
    let sides = [0, 1, 2].map(|ix| across[ix].perp_dot(across[(ix + 1) % 3]));
    let holds_axis = sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0);
    let past_limit = span - f64::from(NEAR_SPAN);
    let is_near = holds_axis || past_limit > 0.0;
    let is_doubtful = clearance < DOUBTFUL_FACING || past_limit.abs() < DOUBTFUL_SPAN;
    let drawn = if (!is_near && clearance < -DOUBTFUL_FACING) || normal.length() < 5e-13 {
        Drawn::No
    } else if (!holds_axis && is_doubtful) || normal.length() < 2e-12 {
        Drawn::Perhaps
    } else {
        Drawn::Yes
    };
    (drawn, is_near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin::{load_mannequin, load_ogre};
    use crate::collide::radial::fit::{FitSettings, fit};
    use crate::collide::radial::twin::update::{fields_from_world, update};
    use crate::pose::{Palette, Pose};
    use crate::skin::twin::bake;

    #[test]
    fn every_cell_of_characters_in_motion_is_what_a_ray_finds() {
        for avatar in [load_mannequin(), load_ogre()] {
            let set = fit(&avatar, &FitSettings::default());
            let pose = Pose::sample(&avatar.clips[0], &avatar.skeleton, 1.7);
            let palette = Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY);
            let positions = bake(&avatar.skin, &palette).positions;
            let frames = fields_from_world(&set, &palette.world_from_bone);
            let mut cells = update(&set, &positions, &frames);
            let counts = check_cells(&set, &positions, &frames, &cells);
            println!("{}: {counts:?}", avatar.name);
            let most = set.cell_count / 10_000;
            assert!(counts.unexplained <= most, "{}: {counts:?}", avatar.name);
            assert!(20 * counts.at_edges < counts.agreeing, "{counts:?}");
            // A cell that is 5 mm off is seen.
            let filled = cells.iter().position(|c| c.is_finite() && *c > 0.0);
            cells[filled.expect("it has skin")] += 5e-3;
            let damaged = check_cells(&set, &positions, &frames, &cells);
            assert_eq!(damaged.unexplained, counts.unexplained + 1);
        }
    }
}
