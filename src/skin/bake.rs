//! Linear blend skinning on the CPU, as glsl/skin/bake.comp does it: written for reading.
//!
//! In every build, because the fit bends the limbs of a character to see what lies on whose bone.

use glam::{Mat3, Mat4, Vec3};

use crate::avatar::SkinMesh;
use crate::pose::Palette;

/// A skinned mesh in the world, one entry per vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baked {
    /// Metres.
    pub positions: Vec<Vec3>,
    /// Unit length. Where the bones flatten the skin so that none is left, the bind pose's.
    pub normals: Vec<Vec3>,
}

/// Skins every vertex.
///
/// Normals go by the cofactor matrix: the inverse transpose up to scale, which exists for a collapsed bone too. A
/// bone that mirrors turns its normals inside out, as it does its triangles.
pub fn bake(mesh: &SkinMesh, palette: &Palette) -> Baked {
    let mut baked = Baked::default();
    baked.positions.reserve(mesh.positions.len());
    baked.normals.reserve(mesh.positions.len());
    for vertex_ix in 0..mesh.positions.len() {
        let blended = influences(mesh, vertex_ix).fold(Mat4::ZERO, |sum, (joint_ix, weight)| {
            sum + palette.world_from_bind[joint_ix] * weight
        });
        baked
            .positions
            .push(blended.transform_point3(mesh.positions[vertex_ix]));
        baked
            .normals
            .push(bend_normal(blended, mesh.normals[vertex_ix]));
    }
    baked
}

/// Joint and weight; strongest first, so the first zero ends them.
fn influences(mesh: &SkinMesh, vertex_ix: usize) -> impl Iterator<Item = (usize, f32)> {
    let pairs = mesh.joints[vertex_ix]
        .into_iter()
        .zip(mesh.weights[vertex_ix]);
    pairs
        .take_while(|(_, weight)| *weight != 0.0)
        .map(|(joint_ix, weight)| (usize::from(joint_ix), weight))
}

fn bend_normal(world_from_bind: Mat4, normal_in_bind: Vec3) -> Vec3 {
    let Mat3 {
        x_axis,
        y_axis,
        z_axis,
    } = Mat3::from_mat4(world_from_bind);
    let cofactor = Mat3::from_cols(
        y_axis.cross(z_axis),
        z_axis.cross(x_axis),
        x_axis.cross(y_axis),
    );
    let normal = cofactor * normal_in_bind;
    let size = normal.length();
    if size > 0.0 && size.is_finite() {
        normal / size
    } else {
        normal_in_bind
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::avatar::{MAX_INFLUENCES, Skeleton};

    /// One vertex at (1, 0, 0), half on each of two joints.
    fn mesh() -> SkinMesh {
        let mut joints = [0; MAX_INFLUENCES];
        joints[1] = 1;
        let mut weights = [0.0; MAX_INFLUENCES];
        weights[..2].fill(0.5);
        SkinMesh {
            positions: vec![Vec3::X],
            normals: vec![Vec3::new(0.6, 0.8, 0.0)],
            joints: vec![joints],
            weights: vec![weights],
            ..SkinMesh::default()
        }
    }

    fn palette(matrices: [Mat4; 2]) -> Palette {
        let mut palette = Palette::bind(&Skeleton::default());
        palette.world_from_bind = matrices.to_vec();
        palette
    }

    #[test]
    fn positions_blend_linearly() {
        let palette = palette([
            Mat4::from_translation(Vec3::Y),
            Mat4::from_rotation_z(std::f32::consts::FRAC_PI_2),
        ]);
        let baked = bake(&mesh(), &palette);
        assert!(baked.positions[0].abs_diff_eq(Vec3::new(0.5, 1.0, 0.0), 1e-6));
    }

    #[test]
    fn normals_stay_square_to_a_stretched_surface() {
        let matrix = Mat4::from_scale_rotation_translation(
            Vec3::new(3.0, 0.5, 1.0),
            Quat::from_rotation_y(0.7),
            Vec3::Z,
        );
        let baked = bake(&mesh(), &palette([matrix; 2]));
        // In the surface of the normal (0.6, 0.8, 0) lies (0.8, -0.6, 0).
        let along = matrix.transform_vector3(Vec3::new(0.8, -0.6, 0.0));
        assert!(baked.normals[0].dot(along).abs() < 1e-6);
        assert!((baked.normals[0].length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_collapsed_joint_gives_finite_numbers() {
        for matrix in [
            Mat4::ZERO,
            Mat4::from_scale(Vec3::X),
            Mat4::from_scale(Vec3::splat(1e-30)),
        ] {
            let baked = bake(&mesh(), &palette([matrix; 2]));
            assert!(baked.positions[0].is_finite());
            assert!((baked.normals[0].length() - 1.0).abs() < 1e-6, "{matrix}");
        }
    }
}
