//! How to go from one frame to another smoothly, as glsl/shared/sub_step_transforms.comp does it.

use glam::{Mat3, Mat4, Quat, Vec3};

/// A moving frame split into a rotation and what is left, so that a part of the way turns instead of shrinking.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    from: Split,
    to: Split,
}

#[derive(Clone, Copy, Debug)]
struct Split {
    rotation: Quat,
    /// Scale and shear: `linear = rotation * stretch`.
    stretch: Mat3,
    translation: Vec3,
}

impl Motion {
    /// The motion from one frame to the next.
    pub fn new(from: Mat4, to: Mat4) -> Self {
        Self {
            from: Split::new(from),
            to: Split::new(to),
        }
    }

    /// The frame at `fraction` of the way; exact at 0 and 1 up to rounding. Half a turn may go either way round.
    pub fn at(&self, fraction: f32) -> Mat4 {
        let rotation = self.from.rotation.slerp(self.to.rotation, fraction);
        let stretch = self.from.stretch * (1.0 - fraction) + self.to.stretch * fraction;
        let linear = Mat3::from_quat(rotation) * stretch;
        let translation = self.from.translation.lerp(self.to.translation, fraction);
        Mat4::from_cols(
            linear.x_axis.extend(0.0),
            linear.y_axis.extend(0.0),
            linear.z_axis.extend(0.0),
            translation.extend(1.0),
        )
    }
}

impl Split {
    fn new(frame: Mat4) -> Self {
        let linear = Mat3::from_mat4(frame);
        let rotation = nearest_rotation(linear);
        Self {
            rotation,
            stretch: Mat3::from_quat(rotation).transpose() * linear,
            translation: frame.w_axis.truncate(),
        }
    }
}

/// What is left of a flattened frame's volume by rounding, as a part of that of a box with edges of the same lengths; and of the second
/// axis' length, once its part along the first is taken off. Sound frames keep far more: 0.00001 is a shear of 0.0006 degrees from flat.
pub const COLLAPSED: f32 = 1e-5;

/// The rotation of the columns after Gram and Schmidt; the identity for a collapsed frame.
fn nearest_rotation(linear: Mat3) -> Quat {
    let x = linear.x_axis.normalize_or_zero();
    let across = linear.y_axis - x * x.dot(linear.y_axis);
    let is_sound = x != Vec3::ZERO && across.length() > COLLAPSED * linear.y_axis.length();
    if !is_sound {
        return Quat::IDENTITY;
    }
    let y = across.normalize();
    Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> (Mat4, Mat4) {
        let from = Mat4::from_scale_rotation_translation(
            Vec3::new(1.0, 2.0, 0.5),
            Quat::from_rotation_x(0.3),
            Vec3::X,
        );
        let to =
            Mat4::from_scale_rotation_translation(Vec3::ONE, Quat::from_rotation_x(2.3), Vec3::Y);
        (from, to)
    }

    #[test]
    fn motion_meets_both_ends() {
        let (from, to) = frames();
        let motion = Motion::new(from, to);
        assert!(motion.at(0.0).abs_diff_eq(from, 1e-5));
        assert!(motion.at(1.0).abs_diff_eq(to, 1e-5));
    }

    #[test]
    fn half_way_of_a_rotation_does_not_shrink() {
        let motion = Motion::new(Mat4::IDENTITY, Mat4::from_rotation_z(2.0));
        assert!(motion.at(0.5).abs_diff_eq(Mat4::from_rotation_z(1.0), 1e-5));
    }

    #[test]
    fn a_collapsed_frame_stays_finite() {
        let motion = Motion::new(Mat4::ZERO, Mat4::IDENTITY);
        assert!(motion.at(0.5).is_finite());
    }

    /// Where rounding alone would say which way its second axis points.
    #[test]
    fn a_frame_whose_axes_fell_together_does_not_turn() {
        let mut flat = Mat4::from_rotation_x(0.7);
        flat.y_axis = 0.3 * flat.x_axis + 1e-7 * flat.z_axis;
        let motion = Motion::new(flat, flat);
        assert_eq!(motion.from.rotation, Quat::IDENTITY);
        assert!(motion.at(0.5).abs_diff_eq(flat, 1e-6));
    }
}
