//! How to turn a grid so that it has few cells.

use std::f32::consts::FRAC_PI_2;

use glam::{Mat3, Mat4, Vec3};

use crate::math::Bounds;

/// Turns about each first axis that are tried, over the quarter turn after which boxes repeat: every 5 degrees. Twice as many
/// save a cell in a hundred.
const ANGLE_STEPS: u32 = 18;

/// Axes in which the box round the points, wider by `margin` on every side, is small; and that box, in them.
///
/// The first axis is one of bind space or the direction the points spread along, the others any turn about it.
pub(super) fn snuggest(points: &[Vec3], margin: f32) -> (Mat4, Bounds) {
    let firsts = [Vec3::X, Vec3::Y, Vec3::Z, principal(points)];
    let bases = firsts.iter().flat_map(|&first| {
        let (second, third) = first.any_orthonormal_pair();
        (0..ANGLE_STEPS).map(move |step_ix| {
            let (sine, cosine) = (FRAC_PI_2 * step_ix as f32 / ANGLE_STEPS as f32).sin_cos();
            let (a, b) = (second * cosine, third * sine);
            Mat3::from_cols(first, a + b, third * cosine - second * sine)
        })
    });
    let boxes = bases.map(|basis| (basis, bounds_in(points, basis).widened(margin)));
    let volume = |bounds: &Bounds| bounds.size().element_product();
    let smallest = boxes.min_by(|a, b| volume(&a.1).total_cmp(&volume(&b.1)));
    let (basis, bounds) = smallest.expect("there are always bases to try");
    (Mat4::from_mat3(basis), bounds)
}

fn bounds_in(points: &[Vec3], basis: Mat3) -> Bounds {
    let from_bind = basis.transpose();
    points.iter().fold(Bounds::EMPTY, |bounds, &point| {
        bounds.union(Bounds::of_ball(from_bind * point, 0.0))
    })
}

/// Of unit length.
fn principal(points: &[Vec3]) -> Vec3 {
    let centre = points.iter().sum::<Vec3>() / points.len().max(1) as f32;
    let spread = points.iter().fold(Mat3::ZERO, |sum, &point| {
        let offset = point - centre;
        sum + Mat3::from_cols(offset * offset.x, offset * offset.y, offset * offset.z)
    });
    // By repeated multiplication, from a direction that is at right angles to none that a limb usually has.
    let step = |offset: Vec3, _| (spread * offset).try_normalize().unwrap_or(offset);
    (0..48).fold(Vec3::new(0.31, 0.89, 0.33).normalize(), step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn a_turned_box_is_found_again() {
        let size = Vec3::new(0.4, 0.1, 0.05);
        let corners: Vec<_> = (0..8)
            .map(|ix| size * Vec3::new((ix & 1) as f32, (ix >> 1 & 1) as f32, (ix >> 2) as f32))
            .collect();
        for step_ix in 0..20 {
            let step_ix = step_ix as f32;
            let turned = Quat::from_scaled_axis(Vec3::new(0.7, -0.3, 0.2) * step_ix);
            let points: Vec<_> = corners.iter().map(|&corner| turned * corner).collect();
            let (bind_from_axes, bounds) = snuggest(&points, 0.01);
            let volume = bounds.size().element_product();
            let least = (size + 0.02).element_product();
            assert!(volume < 1.35 * least, "{volume} for {least}");
            let axes_from_bind = bind_from_axes.inverse();
            for point in points {
                let at = axes_from_bind.transform_point3(point);
                assert!(at.cmpge(bounds.low + 0.009).all() && at.cmple(bounds.high - 0.009).all());
            }
        }
    }

    #[test]
    fn a_single_point_has_a_box_too() {
        let (bind_from_axes, bounds) = snuggest(&[Vec3::ONE], 0.03);
        assert!(bind_from_axes.is_finite());
        assert!(
            (bounds.size() - 0.06).abs().max_element() < 1e-6,
            "{bounds:?}"
        );
    }
}
