//! Taking transforms apart and blending them.

use glam::{Mat3, Mat4, Quat, Vec3};

use super::Transform;

/// The smallest determinant of a matrix that still counts as invertible: a uniform scale of one millionth.
/// Usual bones have 1 (metres) or 1e-6 (centimetres). Below it, single precision inverses turn into noise.
const SMALLEST_DETERMINANT: f32 = 1e-18;

impl Transform {
    /// The nearest translation, rotation and scale. Exact for any product of them without shear; shear is lost.
    /// A matrix that collapses an axis gives scale 0 there and some rotation; a mirror gives a negative x scale.
    pub fn from_mat4(matrix: Mat4) -> Self {
        let (x, y, z) = (
            matrix.x_axis.truncate(),
            matrix.y_axis.truncate(),
            matrix.z_axis.truncate(),
        );
        let mirror = if Mat3::from_cols(x, y, z).determinant() < 0.0 {
            -1.0
        } else {
            1.0
        };
        let axes = orthonormal(x * mirror, y, z);
        Self {
            translation: matrix.w_axis.truncate(),
            rotation: Quat::from_mat3(&axes).normalize(),
            scale: Vec3::new(x.length() * mirror, y.length(), z.length()),
        }
    }

    /// Linear in translation and scale, the short way round in rotation. `t` is 0 for `self`, 1 for `other`.
    pub fn blend(self, other: Self, t: f32) -> Self {
        Self {
            translation: self.translation.lerp(other.translation, t),
            rotation: self.rotation.slerp(other.rotation, t).normalize(),
            scale: self.scale.lerp(other.scale, t),
        }
    }
}

/// The inverse, or None where the matrix flattens space or is not finite.
pub fn inverse(matrix: Mat4) -> Option<Mat4> {
    let determinant = matrix.determinant();
    if !determinant.is_finite() || determinant.abs() < SMALLEST_DETERMINANT {
        return None;
    }
    Some(matrix.inverse()).filter(|inverse| inverse.is_finite())
}

/// A right-handed orthonormal basis along `x`, then `y`; an axis of length zero is made up.
fn orthonormal(x: Vec3, y: Vec3, z: Vec3) -> Mat3 {
    let x = x
        .try_normalize()
        .unwrap_or_else(|| y.cross(z).normalize_or(Vec3::X));
    let y = (y - x * y.dot(x))
        .try_normalize()
        .unwrap_or_else(|| z.cross(x).normalize_or(x.any_orthonormal_vector()));
    Mat3::from_cols(x, y, x.cross(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_a_product_apart() {
        let whole = Transform {
            translation: Vec3::new(1.0, -2.0, 3.0),
            rotation: Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.0),
            scale: Vec3::new(-0.5, 2.0, 3.0),
        };
        let again = Transform::from_mat4(whole.to_mat4());
        assert!(again.to_mat4().abs_diff_eq(whole.to_mat4(), 1e-5));
        assert!(again.scale.abs_diff_eq(whole.scale, 1e-5));
    }

    #[test]
    fn collapsed_matrices_stay_finite() {
        for scale in [
            Vec3::ZERO,
            Vec3::X,
            Vec3::Y,
            Vec3::Z,
            Vec3::new(1.0, 0.0, 1.0),
            Vec3::splat(1e-30),
        ] {
            let transform = Transform::from_mat4(Mat4::from_scale(scale));
            assert!(transform.rotation.is_finite() && transform.rotation.is_normalized());
            assert!(
                transform
                    .to_mat4()
                    .abs_diff_eq(Mat4::from_scale(scale), 1e-6),
                "{scale}"
            );
        }
    }

    #[test]
    fn flat_matrices_have_no_inverse() {
        assert!(inverse(Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0))).is_none());
        assert!(inverse(Mat4::from_cols_array(&[f32::NAN; 16])).is_none());
        assert!(inverse(Mat4::from_scale(Vec3::splat(0.01))).is_some());
    }
}
