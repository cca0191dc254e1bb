//! How many points the paper's filler examines: the last column of its Table 1.

use glam::Vec3;

use crate::solid::gpu::Envelope;

/// Samples in the integer boxes of all triangles' envelopes, each as often as it is in one. Positions and `reach` in cells; the
/// paper's reach is its δ times the cell's diagonal.
pub fn examined_points(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    envelope: Envelope,
    reach: f32,
) -> u64 {
    let of_triangle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|ix| positions[ix as usize]);
        let reach = match envelope {
            Envelope::Ball => Vec3::splat(reach),
            Envelope::Prism => (b - a).cross(c - a).normalize_or_zero().abs() * reach,
        };
        let low = (a.min(b).min(c) - reach).ceil();
        let high = (a.max(b).max(c) + reach).floor();
        let sides = (high - low + 1.0).max(Vec3::ZERO).as_u64vec3();
        sides.element_product()
    };
    triangles.iter().map(of_triangle).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_triangles_prism_is_thin_and_its_ball_is_not() {
        let positions = [Vec3::ZERO, Vec3::X * 3.0, Vec3::Y * 3.0];
        let count = |envelope| examined_points(&positions, &[[0, 1, 2]], envelope, 2.5);
        assert_eq!(count(Envelope::Prism), 4 * 4 * 5);
        assert_eq!(count(Envelope::Ball), 8 * 8 * 5);
    }
}
