//! A tube of cloth round a line: a radius over (angle, offset along the line).

use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// Directions a tube's radius is known in. Hulls are smooth: 64 keeps the error below 0.2 % of the radius.
const ANGLE_COUNT: usize = 64;

/// The convex outline of a part of the body along a line, to be eased, hung and flared into a tube of cloth.
#[derive(Clone, Debug)]
pub(super) struct Tube {
    /// The line, at least two points.
    axis: Vec<Vec3>,
    /// Direction in which the angle is 0.
    front: Vec3,
    /// Offset along the line of the first ring; rings are `step` apart.
    start: f32,
    step: f32,
    rings: Vec<[f32; ANGLE_COUNT]>,
}

/// A point seen from a tube's line.
#[derive(Clone, Copy, Debug)]
pub(super) struct TubePoint {
    /// Metres along the line from its first point; may lie before or past it.
    pub offset: f32,
    /// Radians.
    pub angle: f32,
    /// Metres from the line.
    pub radius: f32,
}

impl Tube {
    /// Wraps the samples between two offsets along the line, with a ring every `step`.
    pub fn wrap(axis: Vec<Vec3>, samples: &[Vec3], range: std::ops::Range<f32>, step: f32) -> Self {
        let along = (axis[axis.len() - 1] - axis[0]).normalize_or(Vec3::NEG_Y);
        let front = if along.z.abs() < 0.8 {
            Vec3::Z
        } else {
            Vec3::X
        };
        let ring_count = ((range.end - range.start) / step).ceil().max(1.0) as usize + 1;
        let mut tube = Self {
            axis,
            front,
            start: range.start,
            step,
            rings: Vec::new(),
        };
        let mut bins = vec![Vec::new(); ring_count];
        for &sample in samples {
            let at = tube.locate(sample);
            let ring = ((at.offset - tube.start) / step).round();
            if ring >= 0.0 && (ring as usize) < ring_count {
                bins[ring as usize].push(at.radius * Vec2::from_angle(at.angle));
            }
        }
        let rings = (0..ring_count).map(|ring| {
            let near = ring.saturating_sub(1)..(ring + 2).min(ring_count);
            hull_radii(bins[near].iter().flatten().copied().collect())
        });
        tube.rings = fill_gaps(&rings.collect::<Vec<_>>());
        tube
    }

    /// Where a point is, seen from the nearest segment of the line.
    pub fn locate(&self, point: Vec3) -> TubePoint {
        let last = self.axis.len() - 2;
        let mut best: Option<(f32, f32, Vec3, Vec3)> = None;
        let mut before = 0.0;
        for (ix, pair) in self.axis.windows(2).enumerate() {
            let (from, length) = (pair[0], pair[0].distance(pair[1]));
            let along = (pair[1] - from).normalize_or(Vec3::NEG_Y);
            let low = if ix == 0 { f32::NEG_INFINITY } else { 0.0 };
            let high = if ix == last { f32::INFINITY } else { length };
            let offset = (point - from).dot(along).clamp(low, high);
            let outwards = point - (from + offset * along);
            if best.is_none_or(|(distance, ..)| outwards.length() < distance) {
                best = Some((outwards.length(), before + offset, along, outwards));
            }
            before += length;
        }
        let (radius, offset, along, outwards) = best.unwrap_or((0.0, 0.0, Vec3::NEG_Y, Vec3::ZERO));
        let (front, side) = self.across(along);
        TubePoint {
            offset,
            angle: outwards.dot(side).atan2(outwards.dot(front)),
            radius,
        }
    }

    /// Points of the tube's surface, a ring's after another's.
    pub fn places(&self) -> impl Iterator<Item = Vec3> {
        (0..self.rings.len()).flat_map(|ix| self.ring(self.start + self.step * ix as f32))
    }

    /// Points of the tube's surface at an offset along the line.
    pub fn ring(&self, offset: f32) -> impl Iterator<Item = Vec3> {
        let (middle, along) = self.on_axis(offset);
        let (front, side) = self.across(along);
        (0..ANGLE_COUNT).map(move |slot| {
            let angle = slot as f32 / ANGLE_COUNT as f32 * TAU;
            let outwards = angle.cos() * front + angle.sin() * side;
            middle + self.radius(offset, angle) * outwards
        })
    }

    /// The point of the line at an offset, which may lie before or past it, and the line's direction there.
    fn on_axis(&self, offset: f32) -> (Vec3, Vec3) {
        let mut left = offset;
        let last = self.axis.len() - 2;
        for (ix, pair) in self.axis.windows(2).enumerate() {
            let length = pair[0].distance(pair[1]);
            let along = (pair[1] - pair[0]).normalize_or(Vec3::NEG_Y);
            if left <= length || ix == last {
                return (pair[0] + left * along, along);
            }
            left -= length;
        }
        (self.axis[0], Vec3::NEG_Y)
    }

    /// Where the angle is 0 and where it is a quarter turn, square to the line.
    fn across(&self, along: Vec3) -> (Vec3, Vec3) {
        let front = (self.front - self.front.dot(along) * along).normalize_or(Vec3::Z);
        (front, along.cross(front))
    }

    /// The tube's radius at an offset and angle; the end rings' past the ends.
    pub fn radius(&self, offset: f32, angle: f32) -> f32 {
        let at = ((offset - self.start) / self.step).clamp(0.0, (self.rings.len() - 1) as f32);
        let ring = (at as usize).min(self.rings.len().saturating_sub(2));
        let next = (ring + 1).min(self.rings.len() - 1);
        let turn = angle.rem_euclid(TAU) / TAU * ANGLE_COUNT as f32;
        let slot = turn as usize % ANGLE_COUNT;
        let round = |ring: &[f32; ANGLE_COUNT]| {
            let part = turn - turn.floor();
            ring[slot] * (1.0 - part) + ring[(slot + 1) % ANGLE_COUNT] * part
        };
        let part = at - ring as f32;
        round(&self.rings[ring]) * (1.0 - part) + round(&self.rings[next]) * part
    }

    /// About the distance to the tube's surface, negative inside; open-ended past its last ring, closed before its first.
    pub fn distance(&self, point: Vec3) -> f32 {
        self.side_distance(point)
            .max(self.start - self.locate(point).offset)
    }

    /// As [`Self::distance`], open at both ends.
    pub fn side_distance(&self, point: Vec3) -> f32 {
        let at = self.locate(point);
        at.radius - self.radius(at.offset, at.angle)
    }

    /// As [`Self::distance`], closed at both ends.
    pub fn capped_distance(&self, point: Vec3) -> f32 {
        let end = self.start + self.step * (self.rings.len() - 1) as f32;
        self.distance(point).max(self.locate(point).offset - end)
    }

    /// Adds ease: metres between skin and cloth, by offset.
    pub fn eased(mut self, ease: impl Fn(f32) -> f32) -> Self {
        for (ix, ring) in self.rings.iter_mut().enumerate() {
            let ease = ease(self.start + self.step * ix as f32);
            ring.iter_mut().for_each(|radius| *radius += ease);
        }
        self
    }

    /// Lets the cloth hang from what is wider before it: past each ring the radius shrinks by at most `taper(offset)`
    /// a metre (negative: it grows, a flare).
    pub fn hung(mut self, taper: impl Fn(f32) -> f32) -> Self {
        for ix in 1..self.rings.len() {
            let shrink = taper(self.start + self.step * ix as f32) * self.step;
            let above = self.rings[ix - 1];
            for (radius, above) in self.rings[ix].iter_mut().zip(above) {
                *radius = radius.max(above - shrink);
            }
        }
        self
    }

    /// The other way: past each ring the radius grows by at most `flare` a metre, because those before what is wide are widened.
    pub fn straight(mut self, flare: f32) -> Self {
        self.rings.reverse();
        self = self.hung(|_| flare);
        self.rings.reverse();
        self
    }

    /// Lays folds: adds `depth(offset)` times a wave of `fold_count` crests round the tube, outwards only.
    pub fn folded(mut self, fold_count: u32, depth: impl Fn(f32) -> f32) -> Self {
        for (ix, ring) in self.rings.iter_mut().enumerate() {
            let depth = depth(self.start + self.step * ix as f32);
            for (slot, radius) in ring.iter_mut().enumerate() {
                let phase = fold_count as f32 * slot as f32 / ANGLE_COUNT as f32 * TAU;
                *radius += depth * (0.5 - 0.5 * phase.cos());
            }
        }
        self
    }

    /// Evens out the radii along the line and round it, `passes` times with the kernel 1 2 1.
    pub fn smoothed(mut self, passes: usize) -> Self {
        for _ in 0..passes {
            let old = self.rings.clone();
            let last = old.len() - 1;
            for (ix, ring) in self.rings.iter_mut().enumerate() {
                let (before, after) = (&old[ix.saturating_sub(1)], &old[(ix + 1).min(last)]);
                for slot in 0..ANGLE_COUNT {
                    ring[slot] = 0.25 * before[slot] + 0.5 * old[ix][slot] + 0.25 * after[slot];
                }
                let along = *ring;
                for slot in 0..ANGLE_COUNT {
                    let (left, right) = (
                        along[(slot + ANGLE_COUNT - 1) % ANGLE_COUNT],
                        along[(slot + 1) % ANGLE_COUNT],
                    );
                    ring[slot] = 0.25 * left + 0.5 * along[slot] + 0.25 * right;
                }
            }
        }
        self
    }
}

/// Rings without samples take the nearest ring that has some, the earlier of two; 0 when none has.
fn fill_gaps(rings: &[Option<[f32; ANGLE_COUNT]>]) -> Vec<[f32; ANGLE_COUNT]> {
    let known: Vec<usize> = (0..rings.len()).filter(|&ix| rings[ix].is_some()).collect();
    let nearest = |ix: usize| {
        known
            .iter()
            .copied()
            .min_by_key(|&other| other.abs_diff(ix))
    };
    (0..rings.len())
        .map(|ix| {
            nearest(ix)
                .and_then(|ix| rings[ix])
                .unwrap_or([0.0; ANGLE_COUNT])
        })
        .collect()
}

/// Radius of the convex hull of the points and the origin, by angle; None for too few points to make an outline.
fn hull_radii(mut points: Vec<Vec2>) -> Option<[f32; ANGLE_COUNT]> {
    if points.len() < 3 {
        return None;
    }
    points.push(Vec2::ZERO);
    let hull = convex_hull(points);
    let mut radii = [0.0; ANGLE_COUNT];
    for (slot, radius) in radii.iter_mut().enumerate() {
        let direction = Vec2::from_angle(slot as f32 / ANGLE_COUNT as f32 * TAU);
        let edges = hull.iter().zip(hull.iter().cycle().skip(1));
        let crossings = edges.filter_map(|(&from, &to)| {
            let outwards = (to - from).perp() * -1.0;
            let facing = outwards.dot(direction);
            (facing > 1e-9).then(|| outwards.dot(from) / facing)
        });
        *radius = crossings.fold(f32::INFINITY, f32::min).max(0.0);
    }
    radii
        .iter()
        .all(|radius| radius.is_finite())
        .then_some(radii)
}

/// Counter-clockwise hull (Andrew's monotone chain).
fn convex_hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    let half = |points: &mut dyn Iterator<Item = Vec2>| {
        let mut chain: Vec<Vec2> = Vec::new();
        for point in points {
            while let [.., before, last] = chain[..]
                && (last - before).perp_dot(point - before) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_tube_is_as_wide_over_a_rod_as_over_what_comes_after_it() {
        let line = vec![Vec3::ZERO, Vec3::NEG_Y];
        // A rod of 2 cm, which ends in a flare of 10 cm.
        let radius = |y: f32| if y < 0.6 { 0.02 } else { 0.1 };
        let round = |y: f32| {
            (0..32).map(move |ix| {
                let (sine, cosine) = (TAU * ix as f32 / 32.0).sin_cos();
                Vec3::new(radius(y) * cosine, -y, radius(y) * sine)
            })
        };
        let samples: Vec<Vec3> = (0..100).flat_map(|ix| round(0.01 * ix as f32)).collect();
        let tube = Tube::wrap(line, &samples, 0.0..1.0, 0.01);
        assert!((tube.radius(0.3, 0.0) - 0.02).abs() < 1e-3);
        let straight = tube.straight(0.1);
        let at_rod = straight.radius(0.3, 0.0);
        assert!((0.065..0.075).contains(&at_rod), "{at_rod}");
        assert!((straight.radius(0.8, 0.0) - 0.1).abs() < 1e-3);
    }
}
