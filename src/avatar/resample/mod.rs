//! Making a mesh finer, and carrying over what its vertices have.
//!
//! Nothing here knows skins or materials: each function returns *which* old vertices make up the new ones, so
//! that the caller carries positions, weights and anything else over by the same rule.

mod catmull_clark;

pub use catmull_clark::{Refinement, catmull_clark};

use glam::Vec3;

/// A new vertex as a weighted sum of old ones: (index, weight), the weights summing to one.
pub type Stencil = Vec<(u32, f32)>;

/// The points that `stencils` make of `points`.
pub fn blend_points(stencils: &[Stencil], points: &[Vec3]) -> Vec<Vec3> {
    stencils
        .iter()
        .map(|stencil| {
            stencil
                .iter()
                .map(|&(ix, weight)| points[ix as usize] * weight)
                .sum()
        })
        .collect()
}

/// The rows that `stencils` make of `rows`, a matrix of `columns` values per vertex.
pub fn blend_rows(stencils: &[Stencil], rows: &[f32], columns: usize) -> Vec<f32> {
    let mut blended = vec![0.0; stencils.len() * columns];
    for (stencil, out) in stencils.iter().zip(blended.chunks_exact_mut(columns)) {
        for &(ix, weight) in stencil {
            let row = &rows[ix as usize * columns..][..columns];
            out.iter_mut()
                .zip(row)
                .for_each(|(out, value)| *out += weight * value);
        }
    }
    blended
}

/// Unit vertex normals: the mean of the adjacent triangles' normals, weighted by area.
///
/// A vertex whose triangles have no area gets +Y.
pub fn vertex_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|ix| positions[ix as usize]);
        let doubled_area_normal = (b - a).cross(c - a);
        for &ix in triangle {
            sums[ix as usize] += doubled_area_normal;
        }
    }
    sums.into_iter()
        .map(|sum| sum.try_normalize().unwrap_or(Vec3::Y))
        .collect()
}
