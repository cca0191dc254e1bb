//! Collides the midpoint of every edge too: the twin of glsl/radial/collide_edges.comp.

use super::collide::MovingFields;
use glam::Vec3;

/// More edges round one particle are ignored; cloth meshes have six.
pub const MAX_EDGES: usize = 12;

/// Thicknesses that a midpoint may be inside; deeper ones belong to edges that go through a limb.
pub const DEEPEST: f32 = 4.0;

/// The displacement of a particle by the contacts of its edges: with the deepest of their middles, as its neighbour does.
///
/// `size`: of the body that wears the cloth, against a person. `neighbours` are the other ends of its stretch constraints in their order, of which the first [`MAX_EDGES`] count. A middle
/// deeper than half its edge is long, or than [`DEEPEST`], belongs to an edge that goes through a limb: no direction out is right
/// for it, and its ends are left to collide.
pub fn push_of_edges(
    fields: &MovingFields,
    position: Vec3,
    neighbours: impl IntoIterator<Item = Vec3>,
    thickness: f32,
    size: f32,
) -> Vec3 {
    let middles: Vec<_> = neighbours
        .into_iter()
        .take(MAX_EDGES)
        .map(|other| {
            (
                0.5 * (position + other),
                thickness + (0.5 * position.distance(other)).min(DEEPEST * thickness),
            )
        })
        .collect();
    let mut deepest = (Vec3::ZERO, 0.0);
    let mut consider = |push: Option<(Vec3, f32)>, limit: f32| {
        if let Some((normal, depth)) = push
            && depth > deepest.1
            && depth < limit
        {
            deepest = (normal, depth);
        }
    };
    for field in fields.moving() {
        for &(middle, limit) in &middles {
            consider(field.push_out(middle, thickness), limit);
        }
    }
    for solid in fields.solids() {
        for &(middle, limit) in &middles {
            consider(solid.push_out(middle, thickness, size), limit);
        }
    }
    deepest.0 * deepest.1
}
