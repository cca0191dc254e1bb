//! The axis of a field: the line from which the joint's skin is seen best.

use super::limb::{Facet, Limb};
use super::skeleton::position;
use super::visibility::facing;
use crate::math::cylinder::across;
use glam::{Mat3, Quat, Vec3};
use rayon::prelude::*;
use std::f32::consts::TAU;

/// Facets an axis is judged by. Fewer make the choice noisy, more make it slow.
const JUDGED_FACETS: usize = 400;

/// What rounding may take from a score: 400 additions of f32, and a spare.
const ROUNDING: f32 = 1e-4;

/// Skin that faces the axis at this cosine or better is as good as it gets; below, it counts in proportion.
const FULL_FACING: f32 = 0.35;

/// Skin nearer to the axis than this share of the mean distance counts less: when a joint bends, it may cross the axis.
const NEAR_SHARE: f32 = 0.4;

/// Candidates that are turned and moved, and whose fields are then drawn and compared.
const FINALISTS: usize = 4;

/// Steps by which the best candidates are turned (radians) and moved (shares of the mean distance), halved each round.
const FIRST_TURN: f32 = 0.16;
const FIRST_SHIFT: f32 = 0.2;
const ROUNDS: i32 = 4;

/// A line in bind space.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    pub origin: Vec3,
    /// Unit length: w.
    pub direction: Vec3,
}

impl Axis {
    /// u and v, with u × v = w.
    pub fn across(&self) -> [Vec3; 2] {
        let u = across(self.direction);
        [u, self.direction.cross(u)]
    }

    /// Metres along the axis.
    pub fn reach(&self, point: Vec3) -> f32 {
        (point - self.origin).dot(self.direction)
    }

    /// From the axis to a point, square to the axis.
    pub fn radial(&self, point: Vec3) -> Vec3 {
        (point - self.origin).reject_from_normalized(self.direction)
    }

    pub fn at(&self, reach: f32) -> Vec3 {
        self.origin + self.direction * reach
    }

    /// Turned about its point nearest to `pivot`, and moved sideways.
    fn adjusted(&self, pivot: Vec3, angle: [f32; 2], shift: [f32; 2]) -> Self {
        let [u, v] = self.across();
        let rotation = Quat::from_axis_angle(u, angle[0]) * Quat::from_axis_angle(v, angle[1]);
        let origin = self.at(self.reach(pivot)) + u * shift[0] + v * shift[1];
        Self {
            origin,
            direction: rotation * self.direction,
        }
    }
}

/// Lines worth trying: along the bone and its neighbours, along the skin, and along the axes of space, each through
/// the joint, through the middle of the skin, and through the middles of its cross-sections.
pub fn candidates(limb: &Limb) -> Vec<Axis> {
    let Some(spread) = Spread::of(&limb.facets) else {
        return Vec::new();
    };
    let (skeleton, joint_ix) = (&limb.body.avatar.skeleton, limb.joint_ix);
    let joint = position(skeleton, joint_ix);
    let to = |other: usize| position(skeleton, other) - joint;
    let children = &limb.body.kinship.children[joint_ix];
    let mut directions = vec![spread.principal, Vec3::X, Vec3::Y, Vec3::Z];
    directions.extend(
        limb.body.kinship.parents[joint_ix]
            .into_iter()
            .chain(children.iter().copied())
            .map(to),
    );
    directions.push(children.iter().copied().map(to).sum());
    if limb.is_part {
        let least = spread.least();
        directions.extend([least, least.cross(spread.principal)]);
    }
    let unit = directions.into_iter().filter_map(Vec3::try_normalize);
    let lines = unit.flat_map(|direction| {
        let middle = Axis {
            origin: spread.centre,
            direction,
        };
        [
            Some(Axis {
                origin: joint,
                direction,
            }),
            Some(middle),
            middle_line(&limb.facets, &middle),
        ]
    });
    lines.flatten().collect()
}

/// Where skin lies and how it stretches, by stake.
struct Spread {
    centre: Vec3,
    principal: Vec3,
    covariance: Mat3,
}

impl Spread {
    fn of(facets: &[Facet]) -> Option<Self> {
        let stake: f32 = facets.iter().map(|f| f.stake).sum();
        if !(stake > 0.0) {
            return None;
        }
        let centre = facets.iter().map(|f| f.centre * f.stake).sum::<Vec3>() / stake;
        let outer = |f: &Facet| {
            let d = (f.centre - centre) * f.stake.sqrt();
            Mat3::from_cols(d * d.x, d * d.y, d * d.z)
        };
        let covariance =
            facets.iter().map(outer).fold(Mat3::ZERO, |sum, m| sum + m) * stake.recip();
        Some(Self {
            centre,
            principal: strongest(covariance),
            covariance,
        })
    }

    /// The direction in which the skin stretches least: across a shield.
    fn least(&self) -> Vec3 {
        let diagonal = Mat3::from_diagonal(Vec3::splat(
            self.covariance.x_axis.x + self.covariance.y_axis.y + self.covariance.z_axis.z,
        ));
        strongest(diagonal - self.covariance)
    }
}

/// The direction that a symmetric matrix stretches most: power iteration, from a start that is square to no likely axis.
fn strongest(matrix: Mat3) -> Vec3 {
    let step = |d: Vec3, _| (matrix * d).try_normalize().unwrap_or(Vec3::Y);
    (0..48).fold(Vec3::new(0.31, 0.89, 0.33), step)
}

/// The straight line through the middles of the cross-sections along `along`, by least squares.
fn middle_line(facets: &[Facet], along: &Axis) -> Option<Axis> {
    const SLICES: usize = 8;
    let reaches = facets.iter().map(|f| along.reach(f.centre));
    let (low, high) = reaches.fold((f32::MAX, f32::MIN), |(low, high), r| {
        (low.min(r), high.max(r))
    });
    let mut sums = [(Vec3::ZERO, 0.0); SLICES];
    for facet in facets {
        let share = (along.reach(facet.centre) - low) / (high - low).max(f32::MIN_POSITIVE);
        let (sum, stake) = &mut sums[((share * SLICES as f32) as usize).min(SLICES - 1)];
        *sum += facet.centre * facet.stake;
        *stake += facet.stake;
    }
    let middles: Vec<_> = sums
        .iter()
        .filter(|(_, stake)| *stake > 0.0)
        .map(|(sum, stake)| *sum / *stake)
        .collect();
    let centre = middles.iter().sum::<Vec3>() / middles.len() as f32;
    let slope: Vec3 = middles
        .iter()
        .map(|&m| (m - centre) * along.reach(m) - (m - centre) * along.reach(centre))
        .sum();
    Some(Axis {
        origin: centre,
        direction: slope.try_normalize()?,
    })
}

/// The candidates that see most of the skin, each turned and moved as long as it sees more; best first.
pub fn best(candidates: &[Axis], limb: &Limb) -> Vec<Axis> {
    let scorer = AxisScorer::of(limb);
    let mut climbed: Vec<_> = scorer
        .finalists(candidates)
        .into_par_iter()
        .map(|start| scorer.climb(start))
        .collect();
    climbed.sort_by(|a, b| b.score.total_cmp(&a.score));
    climbed
        .into_iter()
        .filter(|scored| scored.score > 0.0)
        .map(|scored| scored.axis)
        .collect()
}

struct AxisScorer<'a> {
    facets: Vec<Facet>,
    /// Of the facets together.
    stake: f32,
    limb: &'a Limb<'a>,
}

/// An axis and its score.
#[derive(Clone)]
struct ScoredAxis {
    axis: Axis,
    /// Share of the joint's stake that it sees well, 0 to 1.
    score: f32,
    /// The facets by how much it loses there, most first: another axis is likely to lose them too.
    by_loss: Vec<u32>,
}

impl<'a> AxisScorer<'a> {
    fn of(limb: &'a Limb<'a>) -> Self {
        let facets = limb.sample(limb.judged(JUDGED_FACETS));
        Self {
            stake: facets.iter().map(|f| f.stake).sum(),
            facets,
            limb,
        }
    }

    /// The best so far, best first; of equal ones the earlier first.
    fn finalists(&self, candidates: &[Axis]) -> Vec<ScoredAxis> {
        let mut best: Vec<ScoredAxis> = Vec::with_capacity(FINALISTS + 1);
        let mut order: Vec<u32> = (0..self.facets.len() as u32).collect();
        for &axis in candidates {
            let floor = best
                .get(FINALISTS - 1)
                .map_or(f32::NEG_INFINITY, |b| b.score);
            let Some(scored) = self.score_axis(axis, floor, &order) else {
                continue;
            };
            order.clone_from(&scored.by_loss);
            best.push(scored);
            best.sort_by(|a, b| b.score.total_cmp(&a.score));
            best.truncate(FINALISTS);
        }
        best
    }

    /// None for an axis that is sure to be worth no more than `floor`: most are found out after a few facets, if those come
    /// first in `order` where it loses. What it is worth does not depend on the order.
    fn score_axis(&self, axis: Axis, floor: f32, order: &[u32]) -> Option<ScoredAxis> {
        let mean_distance = self.mean_distance(&axis);
        let mut losses = vec![0.0; self.facets.len()];
        let mut worths = vec![0.0; self.facets.len()];
        let (mut possible, least) = (self.stake, (floor - ROUNDING) * self.stake);
        for ix in order.iter().map(|&ix| ix as usize) {
            let facet = &self.facets[ix];
            worths[ix] = self.worth(&axis, facet, mean_distance);
            losses[ix] = facet.stake - worths[ix];
            possible -= losses[ix];
            if possible < least {
                return None;
            }
        }
        let mut by_loss = order.to_vec();
        by_loss.sort_by(|&a, &b| losses[b as usize].total_cmp(&losses[a as usize]));
        Some(ScoredAxis {
            axis,
            score: worths.iter().sum::<f32>() / self.stake,
            by_loss,
        })
    }

    /// The part of a facet's stake that an axis sees well.
    fn worth(&self, axis: &Axis, facet: &Facet, mean_distance: f32) -> f32 {
        let near = (axis.radial(facet.centre).length() / (NEAR_SHARE * mean_distance)).min(1.0);
        facing(axis, facet, self.limb).map_or(0.0, |cosine| {
            (cosine / FULL_FACING).min(1.0) * near * facet.stake
        })
    }

    fn mean_distance(&self, axis: &Axis) -> f32 {
        let sum: f32 = self
            .facets
            .iter()
            .map(|f| axis.radial(f.centre).length())
            .sum();
        (sum / self.facets.len() as f32).max(f32::MIN_POSITIVE)
    }

    fn climb(&self, mut best: ScoredAxis) -> ScoredAxis {
        let pivot = self.facets.iter().map(|f| f.centre).sum::<Vec3>() / self.facets.len() as f32;
        let size = self.mean_distance(&best.axis);
        for round in 0..ROUNDS {
            let (angle, shift) = (
                FIRST_TURN * 0.5f32.powi(round),
                FIRST_SHIFT * size * 0.5f32.powi(round),
            );
            for step in 0..8 {
                let (sin, cos) = ((step % 4) as f32 * TAU / 4.0).sin_cos();
                let moved = [cos, sin];
                let still = [0.0; 2];
                let (revolutions, shifts) = if step < 4 {
                    (moved.map(|x| x * angle), still)
                } else {
                    (still, moved.map(|x| x * shift))
                };
                let next = best.axis.adjusted(pivot, revolutions, shifts);
                let scored = self.score_axis(next, best.score, &best.by_loss);
                if let Some(scored) = scored.filter(|scored| scored.score > best.score) {
                    best = scored;
                }
            }
        }
        best
    }
}
