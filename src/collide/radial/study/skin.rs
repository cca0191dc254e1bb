//! A triangle of skin as the rays through a field's cells see it, in f64: where they meet it, and the update's value for it.

use crate::collide::radial::cell::Rank;
use crate::collide::radial::field::FieldDef;
use crate::collide::radial::rules::FieldRules;
use crate::collide::radial::update::{MIN_FACING, near_span, ray_slack};
use glam::{DMat4, DVec2, DVec3};
use parry3d_f64::query::{Ray, RayCast};
use parry3d_f64::shape::Triangle;
use std::f64::consts::TAU;

/// Nearness to [`near_span`], turns, within which a triangle may be drawn either way.
const DOUBTFUL_SPAN: f64 = 1e-3;

/// Square metres, by an edge and the axis, within which a triangle may or may not hold the axis.
const DOUBTFUL_SIDE: f64 = 1e-9;

/// Nearness to [`MIN_FACING`] within which either is right.
const DOUBTFUL_FACING: f64 = 1e-3;

/// Whether the update draws a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    Yes,
    No,
    /// Too near a limit to tell.
    Perhaps,
}

/// A triangle in metric field space.
pub struct Skin {
    shape: Triangle,
    corners: [DVec3; 3],
    pub rank: Rank,
    pub drawn: Drawn,
    /// Its rays are tested one by one.
    pub is_near: bool,
}

/// A ray's hit.
#[derive(Clone, Copy)]
pub struct Hit {
    pub distance: f64,
    pub rank: Rank,
    pub drawn: Drawn,
    /// The ray comes into the body.
    pub enters: bool,
}

/// Where the ray of a place in the field, in cells, starts, and its direction.
fn ray_of(field: &FieldDef, [x, y]: [f64; 2]) -> (DVec3, DVec3) {
    let (sin, cos) = (x / f64::from(field.width) * TAU).sin_cos();
    let z = y / f64::from(field.height) * f64::from(field.length);
    (DVec3::new(0.0, 0.0, z), DVec3::new(cos, sin, 0.0))
}

impl Skin {
    pub fn new(
        field: &FieldDef,
        to_field: DMat4,
        corners_in_world: [DVec3; 3],
        rank: Rank,
    ) -> Self {
        let metric = DVec3::new(1.0, 1.0, f64::from(field.length));
        let corners = corners_in_world.map(|p| to_field.transform_point3(p) * metric);
        let [a, b, c] = corners;
        let (drawn, is_near) = is_drawn(corners, field.rules, rank);
        Self {
            shape: Triangle::new(a, b, c),
            drawn,
            is_near,
            corners,
            rank,
        }
    }

    /// Whether part of it may lie between two heights, in metres.
    pub fn reaches(&self, low: f64, high: f64) -> bool {
        let heights = self.corners.map(|corner| corner.z);
        heights.iter().any(|&z| z >= low) && heights.iter().any(|&z| z <= high)
    }

    /// Cells by which a place lies within the triangle over angle and height, where its edges are taken as straight; negative
    /// outside.
    pub fn depth_within(&self, field: &FieldDef, [x, y]: [f64; 2]) -> f64 {
        let (width, height) = (f64::from(field.width), f64::from(field.height));
        // The corners lie less than half a turn apart, so all of them are counted from the place's own angle.
        let corners = self.corners.map(|corner| {
            let revolution = corner.y.atan2(corner.x) / TAU - x / width;
            DVec2::new(revolution, corner.z / f64::from(field.length) * height - y)
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

    pub fn hit(&self, field: &FieldDef, place: [f64; 2]) -> Option<Hit> {
        let (start, direction) = ray_of(field, place);
        if !self.reaches(start.z, start.z) {
            return None;
        }
        let ray = Ray::new(start, direction);
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

    /// Where a ray meets a triangle near the axis, and by how many metres it passes within it. Where it passes it, negative: where it
    /// meets the plane, not far from the edge.
    pub fn on_ray(&self, field: &FieldDef, place: [f64; 2]) -> (Hit, f64) {
        let (start, direction) = ray_of(field, place);
        let winding = self.normal().dot(direction).signum();
        let left = DVec3::Z.cross(direction);
        let seen = self
            .corners
            .map(|corner| DVec2::new(left.dot(corner), corner.z - start.z));
        let depth = |ix: usize| {
            let (from, to) = (seen[ix], seen[(ix + 1) % 3]);
            winding * from.perp_dot(to) / (to - from).length().max(f64::MIN_POSITIVE)
        };
        let hit = self.on_plane(field, place);
        let within = depth(0).min(depth(1)).min(depth(2));
        if within >= 0.0 {
            return (hit, within);
        }
        let (beside, gap) = self.beside(direction, seen);
        let slack = f64::from(ray_slack(self.rank));
        let hit = Hit {
            distance: hit.distance.clamp(beside - slack, beside + slack),
            rank: Rank::Shared,
            ..hit
        };
        (hit, -gap)
    }

    /// How far along a ray it comes nearest to the triangle's edges, and how near.
    fn beside(&self, direction: DVec3, seen: [DVec2; 3]) -> (f64, f64) {
        let edges = [(0, 1), (1, 2), (2, 0)].map(|(ix, next)| {
            let share = nearest_share(seen[ix], seen[next]);
            let nearest = self.corners[ix].lerp(self.corners[next], share);
            let gap = seen[ix].lerp(seen[next], share).length();
            (direction.dot(nearest), gap)
        });
        let nearer = |a: (f64, f64), b: (f64, f64)| if b.1 < a.1 { b } else { a };
        nearer(nearer(edges[0], edges[1]), edges[2])
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
    pub fn drawn_straight(&self, field: &FieldDef, place: [f64; 2]) -> Hit {
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
        let nearest_of = |ix: usize| match field.rules.axis_rays {
            true => nearest_on(across[ix], across[(ix + 1) % 3]),
            false => across[ix].length(),
        };
        let nearest = (0..3).map(nearest_of).fold(f64::INFINITY, f64::min);
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
    a.lerp(b, nearest_share(a, b)).length()
}

/// Where a segment comes nearest to the origin, 0 to 1 from `a`.
fn nearest_share(a: DVec2, b: DVec2) -> f64 {
    let along = b - a;
    (-a.dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
}

/// Whether a triangle is drawn, and whether it is near the axis.
fn is_drawn(corners: [DVec3; 3], rules: FieldRules, rank: Rank) -> (Drawn, bool) {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let across = corners.map(DVec3::truncate);
    let outward = (across[0] + across[1] + across[2]).normalize_or_zero();
    let facing = normal.truncate().dot(outward) / normal.length().max(1e-30);
    let revolutions = across.map(|p| p.y.atan2(p.x) / TAU);
    let apart = |a: f64, b: f64| ((a - b + 1.5).rem_euclid(1.0) - 0.5).abs();
    let span = apart(revolutions[0], revolutions[1])
        .max(apart(revolutions[1], revolutions[2]))
        .max(apart(revolutions[2], revolutions[0]));
    let clearance = facing.abs() - f64::from(MIN_FACING);
    let sides = [0, 1, 2].map(|ix| across[ix].perp_dot(across[(ix + 1) % 3]));
    let holds_axis = sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0);
    if !rules.axis_rays && sides.iter().any(|side| side.abs() < DOUBTFUL_SIDE) {
        return (Drawn::Perhaps, false);
    }
    let past_limit = span - f64::from(near_span(rank));
    let is_near = rules.axis_rays && (holds_axis || past_limit > 0.0);
    let is_doubtful =
        clearance < DOUBTFUL_FACING || (rules.axis_rays && past_limit.abs() < DOUBTFUL_SPAN);
    let drawn = if (holds_axis && !rules.axis_rays)
        || (!is_near && clearance < -DOUBTFUL_FACING)
        || normal.length() < 5e-13
    {
        Drawn::No
    } else if (!holds_axis && is_doubtful) || normal.length() < 2e-12 {
        Drawn::Perhaps
    } else {
        Drawn::Yes
    };
    (drawn, is_near)
}
