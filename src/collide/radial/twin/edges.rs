//! Collides the midpoint of every edge with the fields: the twin of glsl/radial/collide_edges.comp.

use super::collide::MovingFields;
use crate::collide::edges::{Deepest, middles};
use crate::collide::response::{Particle, Response};
use glam::Vec3;

/// A particle after the contacts of its edges with the fields: it moves with the deepest of their middles, as the other ends do. Its current
/// position moves as far, so that no edge makes its particles fast.
///
/// `neighbours` are the other ends of its stretch constraints in their order. A point that is deeper than half its edge is long belongs to an
/// edge that goes through a limb: no direction out is right for it, and its ends are left to collide.
pub fn correct_by_edges(
    fields: &MovingFields,
    own: Particle,
    neighbours: impl IntoIterator<Item = Particle>,
    response: &Response,
) -> Particle {
    let thickness = response.thickness;
    let middles = middles(own, neighbours, thickness);
    let mut deepest = None;
    for field in fields.moving() {
        for &point in &middles {
            let push = field.push_out(point.at.predicted, thickness);
            let Some((normal, depth)) = push else {
                continue;
            };
            let met = Deepest {
                normal,
                depth,
                point,
                surface: (),
            };
            deepest = Deepest::consider(deepest, met);
        }
    }
    deepest.map_or(own, |found| found.correct(own, Vec3::ZERO))
}
