//! What an axis sees of the skin round it.

use super::axis::Axis;
use super::limb::{Facet, Limb};
use crate::math::triangle_tree::Hit;
use glam::Vec3;

/// Cells of thickness that may lie before a facet and it still counts as seen: no field tells the two apart.
const SEEN_TOLERANCE_CELLS: f32 = 0.5;

/// Walls a ray may cross before it is taken to be lost: five fingers and a spare.
const MAX_CROSSINGS: u32 = 12;

/// Metres by which a ray steps past the skin it has just met.
const GRAZE: f32 = 1e-5;

/// How squarely an axis sees a facet: the cosine between its normal and the radial direction. None if it faces the
/// axis, if the way there leaves the body, or if it is the wall of a mere gap.
pub fn facing(axis: &Axis, facet: &Facet, limb: &Limb) -> Option<f32> {
    let radial = axis.radial(facet.centre);
    let distance = radial.length();
    let facing = facet.normal.dot(radial) / distance;
    if !(facing > 0.0) {
        return None;
    }
    let ray = Ray {
        from: axis.at(axis.reach(facet.centre)),
        direction: radial / distance,
        limb,
    };
    let end = distance - SEEN_TOLERANCE_CELLS * limb.cell_size;
    if limb.body.is_layered() {
        return ray.shows(facet, distance, end).then_some(facing);
    }
    let is_outermost = !ray.resumes(distance + GRAZE);
    (is_outermost && ray.stays_inside(end)).then_some(facing)
}

/// Crossings of a ray that are examined: more shells than that lie in each other nowhere.
const MAX_LAYERS: usize = 32;

/// From the axis through the body.
struct Ray<'a> {
    from: Vec3,
    direction: Vec3,
    limb: &'a Limb<'a>,
}

impl Ray<'_> {
    fn next(&self, after: f32, within: f32) -> Option<Hit> {
        let from = self.from + self.direction * after;
        self.limb.body.tree.first_hit(
            from.as_dvec3(),
            self.direction.as_dvec3(),
            f64::from(within),
        )
    }

    /// Whether the limb goes on past a gap that begins `after` metres out.
    fn resumes(&self, after: f32) -> bool {
        self.next(after, self.limb.gap())
            .is_some_and(|hit| !hit.leaves && self.limb.owns(hit.triangle))
    }

    /// Whether the body, as the union of its shells, reaches all the way to `end`, but for the limb's own gaps, and the facet
    /// at `distance` is not the wall of such a gap.
    fn shows(&self, facet: &Facet, distance: f32, end: f32) -> bool {
        let crossings = self.crossings(distance - GRAZE);
        let step = |hit: &Hit| if hit.leaves { -1 } else { 1 };
        // Counted back from the facet, whose shell ends there.
        let mut depth = facet.over + 1 - crossings.iter().map(step).sum::<i32>();
        let mut left_at = 0.0;
        for hit in &crossings {
            let (at, was_outside) = (hit.distance as f32, depth <= 0);
            depth += step(hit);
            let is_gap =
                depth > 0 && at - left_at <= self.limb.gap() && self.limb.owns(hit.triangle);
            if was_outside && at < end && !is_gap {
                return false;
            }
            if depth <= 0 {
                left_at = at;
            }
        }
        let is_within = facet.over > 0;
        (depth > 0 || left_at >= end) && (is_within || !self.resumes(distance + GRAZE))
    }

    /// What the ray crosses nearer than `within`.
    fn crossings(&self, within: f32) -> Vec<Hit> {
        let (mut crossings, mut after) = (Vec::new(), 0.0);
        while crossings.len() < MAX_LAYERS
            && let Some(hit) = self.next(after, within - after)
        {
            let distance = hit.distance + f64::from(after);
            after = distance as f32 + GRAZE;
            crossings.push(Hit { distance, ..hit });
        }
        crossings
    }

    /// Whether there is body all the way to `end`, but for the limb's own gaps.
    fn stays_inside(&self, end: f32) -> bool {
        let (mut at, mut limit) = (0.0, end);
        for _ in 0..MAX_CROSSINGS {
            let Some(hit) = self.next(at, limit.min(end - at)) else {
                return at + limit >= end;
            };
            let is_gap = !hit.leaves;
            if is_gap && (hit.distance as f32 > self.limb.gap() || !self.limb.owns(hit.triangle)) {
                return false;
            }
            at += hit.distance as f32 + GRAZE;
            limit = if hit.leaves { self.limb.gap() } else { end };
        }
        false
    }
}
