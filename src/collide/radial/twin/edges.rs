//! Collides the midpoint of every edge with the fields: the twin of glsl/radial/collide_edges.comp.

use super::collide::MovingFields;
use crate::collide::edges::{Point, middles};
use crate::collide::response::{Particle, Response};
use glam::Vec4;

/// Part of the thickness that the middle of a short edge keeps.
const LEAST_KEPT: f32 = 0.5;

/// Radius of a limb in metres, a person's.
const LIMB_RADIUS: f32 = 0.06;

/// A particle after the contacts of its edges with the fields: it moves with the mean of their middles in all fields, each by the square of its depth. Its
/// current position moves as far, so that no edge makes its particles fast.
///
/// `neighbours` are the other ends of its stretch constraints in their order. A point that is to move by more than the thickness and half its
/// edge's length belongs to an edge that goes through a limb: no direction out is right for it, and its ends are left to collide.
pub fn correct_by_edges(
    fields: &MovingFields,
    own: Particle,
    neighbours: impl IntoIterator<Item = Particle>,
    response: &Response,
) -> Particle {
    let middles = middles(own, neighbours, response.thickness);
    let sums = middles
        .iter()
        .map(|point| sum_over_fields(fields, point, response));
    let sum: Vec4 = sums.sum();
    if sum.w <= 0.0 {
        return own;
    }
    let push = sum.truncate() / sum.w;
    Particle {
        current: own.current + push,
        predicted: own.predicted + push,
    }
}

/// Of the fields that a middle is in: the push in metres times the square of the depth, and that square.
fn sum_over_fields(fields: &MovingFields, point: &Point, response: &Response) -> Vec4 {
    let kept = kept_by_middle(response, 2.0 * point.reach);
    let pushes = fields
        .moving()
        .iter()
        .filter_map(|field| field.push_out(point.at.predicted, kept));
    let inside = pushes.filter(|&(_, depth)| depth > 0.0 && depth < point.limit);
    inside
        .map(|(normal, depth)| depth * depth * (normal * depth).extend(1.0))
        .sum()
}

/// Metres of the thickness that the middle of an edge of this length keeps: an edge whose ends touch a limb has its middle deeper by
/// length² / (8 · radius), and the triangles beside it sag by about as much again.
fn kept_by_middle(response: &Response, length: f32) -> f32 {
    let sag = length * length / (8.0 * LIMB_RADIUS * response.size);
    response
        .thickness
        .min(LEAST_KEPT * response.thickness + sag)
}
