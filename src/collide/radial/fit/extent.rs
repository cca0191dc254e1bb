//! How far a field reaches along its axis and round it, which ends are closed, and which triangles it takes.

use super::axis::Axis;
use super::limb::{Facet, Limb};
use super::visibility::facing;

/// Cells a closed end runs on past the tip: the cap row's centre then lies half a cell outside the skin and the row
/// before it half a cell inside.
const CAP_OVERRUN_CELLS: f32 = 1.0;

/// Cells an open end runs on past the last triangle, so that the half cell at the end that holds no surface is empty.
const OPEN_OVERRUN_CELLS: f32 = 0.5;

/// An end is closed if the axis leaves the body through skin of which the joint moves at least this share. Usually
/// 0.3: at 0 a spine's axis closes the neck, at 1 no finger tip is closed.
const CLOSED_WEIGHT: f32 = 0.3;

/// Cells are no larger than this share of the mean radius, so that fingers and toes are more than a few of them. Usually
/// 0.25 to 0.5: at 0.25 the fingers of a person cost as much memory as all the rest.
const FINEST_SHARE: f32 = 0.5;

/// Cells along an axis, at most, where it is thinness that makes them finer: skin that all but touches an axis, as in a damaged
/// file, would ask for any number.
const MAX_THIN_ROWS: f32 = 4096.0;

/// Cells from just beyond the skin back to its tip. More takes a shoulder for the tip of a chest.
const TIP_CELLS: f32 = 4.0;

/// What a field covers. Reaches are metres along the axis.
pub struct Extent {
    pub low: f32,
    pub high: f32,
    /// Metres: as requested, or finer where the limb is thin.
    pub cell_size: f32,
    pub low_is_closed: bool,
    pub high_is_closed: bool,
    /// By stake.
    pub mean_radius: f32,
    pub max_radius: f32,
    pub triangles: Vec<[u32; 3]>,
}

impl Extent {
    /// None if the field takes none of the skin: where [sight](crate::collide::radial::FieldRules::sight) counts, what the axis sees.
    pub fn measure(axis: &Axis, limb: &Limb) -> Option<Self> {
        let takes = |f: &&Facet| !limb.rules.sight || facing(axis, f, limb).is_some();
        let seen: Vec<&Facet> = limb.facets.iter().filter(takes).collect();
        let stake: f32 = seen.iter().map(|f| f.stake).sum();
        if !(stake > 0.0) {
            return None;
        }
        let distance = |f: &&Facet| axis.radial(f.centre).length() * f.stake;
        let mean_radius = seen.iter().map(distance).sum::<f32>() / stake;
        let corners = seen
            .iter()
            .flat_map(|f| f.triangle)
            .map(|v| limb.position(v));
        let reaches = corners.clone().map(|p| axis.reach(p));
        let (first, last) = reaches.fold((f32::MAX, f32::MIN), |(low, high), r| {
            (low.min(r), high.max(r))
        });
        let finest = (last - first) / MAX_THIN_ROWS;
        let cell_size = if limb.rules.fine_limbs {
            (limb.cell_size).min((mean_radius * FINEST_SHARE).max(finest))
        } else {
            limb.cell_size
        };
        let ends = [(first, -1.0), (last, 1.0)].map(|(end, outward)| {
            let tip = || tip(axis, end, outward, limb, cell_size);
            limb.rules.caps.then(tip).flatten()
        });
        Some(Self {
            low: ends[0].map_or(first - OPEN_OVERRUN_CELLS * cell_size, |tip| {
                tip - CAP_OVERRUN_CELLS * cell_size
            }),
            high: ends[1].map_or(last + OPEN_OVERRUN_CELLS * cell_size, |tip| {
                tip + CAP_OVERRUN_CELLS * cell_size
            }),
            low_is_closed: ends[0].is_some(),
            high_is_closed: ends[1].is_some(),
            cell_size,
            mean_radius,
            max_radius: corners.map(|p| axis.radial(p).length()).fold(0.0, f32::max),
            triangles: seen.iter().map(|f| f.triangle).collect(),
        })
    }

    pub fn length(&self) -> f32 {
        self.high - self.low
    }
}

/// Where the axis pierces the joint's own skin at one end of the skin that it sees: searched from just beyond that end back
/// into the body. None for an open end, where the body goes on or the axis leaves it further back.
fn tip(axis: &Axis, end: f32, outward: f32, limb: &Limb, cell_size: f32) -> Option<f32> {
    let beyond = end + outward * cell_size;
    let inward = axis.direction * -outward;
    let hit = limb.body.tree.first_hit(
        axis.at(beyond).as_dvec3(),
        inward.as_dvec3(),
        f64::from(TIP_CELLS * cell_size),
    )?;
    let is_tip = !hit.leaves && limb.mean_weight(hit.triangle) >= CLOSED_WEIGHT;
    is_tip.then_some(beyond - outward * hit.distance as f32)
}
