//! Matrices as callers keep them: 16 floats, column after column.

use glam::Mat4;

/// The matrices of a list of floats; what is left over is left out.
pub(super) fn from_floats(floats: &[f32]) -> impl ExactSizeIterator<Item = Mat4> {
    floats.chunks_exact(16).map(Mat4::from_cols_slice)
}

/// Writes matrices into a list of floats that has room for them.
pub(super) fn to_floats(matrices: &[Mat4], floats: &mut [f32]) {
    for (matrix, floats) in matrices.iter().zip(floats.chunks_exact_mut(16)) {
        matrix.write_cols_to_slice(floats);
    }
}
