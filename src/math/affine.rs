//! Affine maps as the shaders read them, and how to go from one to another smoothly.

use bytemuck::{Pod, Zeroable};
use glam::{Mat3, Mat4, Quat, Vec3, Vec4};

/// An affine map: three columns and a translation, 48 bytes, `mat4x3` in scalar-layout GLSL.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Affine {
    pub columns: [Vec3; 4],
}

impl Affine {
    /// Leaves every point where it is.
    pub const IDENTITY: Self = Self {
        columns: [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ZERO],
    };

    /// The upper three rows of a matrix whose last row is 0 0 0 1.
    pub fn from_mat4(matrix: Mat4) -> Self {
        Self {
            columns: matrix
                .to_cols_array_2d()
                .map(|column| Vec3::new(column[0], column[1], column[2])),
        }
    }

    /// The same with a last row of 0 0 0 1.
    pub fn to_mat4(self) -> Mat4 {
        let [x, y, z, translation] = self.columns;
        Mat4::from_cols(
            x.extend(0.0),
            y.extend(0.0),
            z.extend(0.0),
            translation.extend(1.0),
        )
    }

    /// The linear part.
    pub fn linear(self) -> Mat3 {
        Mat3::from_cols(self.columns[0], self.columns[1], self.columns[2])
    }

    /// Where a point goes.
    pub fn transform_point(self, point: Vec3) -> Vec3 {
        self.linear() * point + self.columns[3]
    }
}

/// An affine map by rows, 48 bytes: three aligned loads for a GPU, where the columns are twelve.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct AffineRows {
    pub rows: [Vec4; 3],
}

impl AffineRows {
    /// The upper three rows of a matrix whose last row is 0 0 0 1.
    pub fn from_mat4(matrix: Mat4) -> Self {
        Self {
            rows: std::array::from_fn(|ix| matrix.row(ix)),
        }
    }

    /// The same with a last row of 0 0 0 1.
    pub fn to_mat4(self) -> Mat4 {
        let [x, y, z] = self.rows;
        Mat4::from_cols(x, y, z, Vec4::W).transpose()
    }
}

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

    /// The frame at `fraction` of the way; exact at 0 and 1 up to rounding.
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

/// The rotation of the columns after Gram and Schmidt; the identity for a collapsed frame.
fn nearest_rotation(linear: Mat3) -> Quat {
    let x = linear.x_axis.normalize_or_zero();
    let y = (linear.y_axis - x * x.dot(linear.y_axis)).normalize_or_zero();
    if x == Vec3::ZERO || y == Vec3::ZERO {
        return Quat::IDENTITY;
    }
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
}
