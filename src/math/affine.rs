//! Affine maps as the shaders read them.

use bytemuck::{Pod, Zeroable};
use glam::{Mat3, Mat4, Vec3, Vec4};

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
