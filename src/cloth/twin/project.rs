//! What a solve does to the particles of a patch, one constraint at a time. `local`: their positions, and their inverse masses in 1/kg, 0 for
//! those held still and negative for those that take no part.

use glam::{Vec3, Vec4, Vec4Swizzles};

use crate::cloth::GarmentSettings;
use crate::cloth::solver::GpuConstraint;

/// Projects one constraint and returns how much its multiplier grows.
pub(super) fn project(
    constraint: &GpuConstraint,
    garment: &GarmentSettings,
    seconds_squared: f32,
    multiplier: f32,
    local: &mut [(Vec3, f32)],
) -> f32 {
    let [a, b] = [constraint.ends & 0xFFFF, constraint.ends >> 16].map(|end| end as usize);
    let ((at_a, inverse_a), (at_b, inverse_b)) = (local[a], local[b]);
    let apart = at_a - at_b;
    let (distance, inverse_masses) = (apart.length(), inverse_a + inverse_b);
    if distance == 0.0 || inverse_masses <= 0.0 || inverse_a.min(inverse_b) < 0.0 {
        return 0.0;
    }
    let compliance = compliance_of(constraint, garment) / seconds_squared;
    let missing = constraint.rest_length - distance - compliance * multiplier;
    let mut change = missing / (inverse_masses + compliance);
    if constraint.along_warp >= 0.0 {
        let max_length = constraint.rest_length * (1.0 + garment.strain_limit);
        change = change.min((max_length - distance) / inverse_masses);
    }
    let correction = apart * (change / distance);
    local[a].0 += inverse_a * correction;
    local[b].0 -= inverse_b * correction;
    change
}

/// Brings two particles no further apart than the cloth between them is long.
pub(super) fn keep_within(constraint: &GpuConstraint, max_strain: f32, local: &mut [(Vec3, f32)]) {
    let [a, b] = [constraint.ends & 0xFFFF, constraint.ends >> 16].map(|end| end as usize);
    let ((at_a, inverse_a), (at_b, inverse_b)) = (local[a], local[b]);
    let apart = at_a - at_b;
    let (distance, inverse_masses) = (apart.length(), inverse_a + inverse_b);
    let max_length = constraint.rest_length * (1.0 + max_strain);
    if distance <= max_length || inverse_masses <= 0.0 || inverse_a.min(inverse_b) < 0.0 {
        return;
    }
    let correction = apart * ((max_length - distance) / (distance * inverse_masses));
    local[a].0 += inverse_a * correction;
    local[b].0 -= inverse_b * correction;
}

/// Without friction, which is taken once, at the end of the solve.
pub(super) fn keep_in_front(planes: &[Vec4], local: &mut [(Vec3, f32)]) {
    for (plane, (position, _)) in planes.iter().zip(local) {
        let depth = plane.w - plane.xyz().dot(*position);
        if depth > 0.0 {
            *position += plane.xyz() * depth;
        }
    }
}

fn compliance_of(constraint: &GpuConstraint, garment: &GarmentSettings) -> f32 {
    let [warp, weft, shear, bend] = garment.compliance;
    if constraint.along_warp < 0.0 {
        return constraint.scale * bend;
    }
    let (along, across) = (constraint.along_warp, 1.0 - constraint.along_warp);
    constraint.scale * (along * along * warp + across * across * weft + along * across * shear)
}
