//! The twin of glsl/shared/sub_step_transforms.comp.

use glam::{Mat3, Mat4, Vec3, Vec4};

use super::{BoneAttachment, FieldTransform};
use crate::math::{AffineRows, COLLAPSED, Motion};

/// Appends the transform of every attachment at each of the `sub_steps + 1` boundaries between a step's sub-steps, boundary by boundary:
/// the twin of glsl/shared/sub_step_transforms.comp.
///
/// `frames`: for each moving frame, world from frame before and after the step.
pub fn append_sub_step_transforms(
    attachments: &[BoneAttachment],
    frames: &[(Mat4, Mat4)],
    sub_steps: u32,
    out: &mut Vec<FieldTransform>,
) {
    for boundary in 0..=sub_steps {
        let fraction = boundary as f32 / sub_steps as f32;
        out.extend(attachments.iter().map(|attachment| {
            let (before, after) = frames[attachment.frame_ix as usize];
            let world_from_bone = Motion::new(before, after).at(fraction);
            FieldTransform::new(
                world_from_bone * attachment.bone_from_field,
                attachment.axis_lengths,
            )
        }));
    }
}

impl FieldTransform {
    /// A collapsed bone has no inverse; its field is put where no particle is.
    fn new(world_from_field: Mat4, axis_lengths: Vec3) -> Self {
        let linear = Mat3::from_mat4(world_from_field);
        let box_volume: f32 = linear
            .to_cols_array_2d()
            .map(|axis| Vec3::from(axis).length())
            .iter()
            .product();
        let field_from_world = match linear.determinant().abs() > COLLAPSED * box_volume {
            true => world_from_field.inverse(),
            false => FAR_AWAY,
        };
        Self {
            field_from_world: AffineRows::from_mat4(field_from_world),
            world_from_field: AffineRows::from_mat4(world_from_field),
            max_scale: max_scale(field_from_world, axis_lengths),
            unused: [0.0; 3],
        }
    }
}

/// An upper bound on the scale from the world to field space, in metres of the bind pose per metre, over all directions. Exact
/// where nothing is scaled unevenly, else no less: Gershgorin's bound of the largest singular value.
///
/// `axis_lengths`: metres of the bind pose for 1 along each axis of the field.
pub fn max_scale(field_from_world: Mat4, axis_lengths: Vec3) -> f32 {
    let rows: [Vec3; 3] =
        std::array::from_fn(|ix| field_from_world.row(ix).truncate() * axis_lengths[ix]);
    let sum = |row: &Vec3| -> f32 { rows.iter().map(|other| row.dot(*other).abs()).sum() };
    rows.iter().map(sum).fold(0.0, f32::max).sqrt()
}

/// Maps every point past the end of every field.
const FAR_AWAY: Mat4 = Mat4::from_cols(
    Vec4::ZERO,
    Vec4::ZERO,
    Vec4::ZERO,
    Vec4::new(0.0, 0.0, 1e9, 1.0),
);

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    /// The bound, and the longest that any way becomes, of a field 0.4 m long on a bone of that scale. A bone of a file may have
    /// a scale in its bind pose too.
    fn max_scale(scale: Vec3, scale_in_bind: f32) -> (f32, f32) {
        let rotation = Quat::from_rotation_y(0.7) * Quat::from_rotation_z(0.4);
        let world_from_bone = Mat4::from_rotation_translation(rotation, Vec3::X)
            * Mat4::from_scale(scale * scale_in_bind);
        let axis_lengths = Vec3::new(1.0, 1.0, 0.4);
        let bone_from_field = Mat4::from_scale(Vec3::splat(1.0 / scale_in_bind))
            * Mat4::from_quat(Quat::from_rotation_x(1.1))
            * Mat4::from_scale(axis_lengths);
        let transform = FieldTransform::new(world_from_bone * bone_from_field, axis_lengths);
        let longest = (0..2000).map(|ix| {
            let angles = (ix as f32 * 2.399, (ix as f32 / 1000.0 - 1.0).asin());
            let direction =
                Quat::from_rotation_y(angles.0) * Quat::from_rotation_x(angles.1) * Vec3::Z;
            let field = transform
                .field_from_world
                .to_mat4()
                .transform_vector3(direction);
            (field * axis_lengths).length()
        });
        (transform.max_scale, longest.fold(0.0, f32::max))
    }

    #[test]
    fn no_vector_becomes_longer_than_the_max_scale() {
        for scale_in_bind in [1.0, 0.01, 2.0] {
            let (bound, longest) = max_scale(Vec3::splat(0.5), scale_in_bind);
            assert!((bound - 2.0).abs() < 1e-3 && (longest - 2.0).abs() < 1e-3);
            let (bound, longest) = max_scale(Vec3::new(0.5, 1.0, 1.5), scale_in_bind);
            assert!(
                longest > 1.99 && bound >= longest && bound < 1.5 * longest,
                "{bound} {longest}"
            );
        }
    }

    /// Turned, a flat frame has a determinant of rounding, and an inverse of noise.
    #[test]
    fn the_field_of_a_flattened_bone_is_nowhere() {
        for scale in [
            Vec3::ZERO,
            Vec3::new(1.0, 1.0, 0.0),
            Vec3::new(0.0, 1.0, 0.0),
        ] {
            for turns in 0..20 {
                let world_from_bone = Mat4::from_rotation_x(0.3 * turns as f32)
                    * Mat4::from_rotation_y(0.7)
                    * Mat4::from_scale(scale);
                let bone_from_field = Mat4::from_rotation_z(0.4) * Mat4::from_rotation_x(0.9);
                let transform = FieldTransform::new(world_from_bone * bone_from_field, Vec3::ONE);
                assert_eq!(transform.field_from_world.to_mat4(), FAR_AWAY);
                assert_eq!(transform.max_scale, 0.0);
            }
        }
        let small = Mat4::from_scale(Vec3::splat(1e-6));
        let transform = FieldTransform::new(small, Vec3::ONE);
        assert!(
            (transform.max_scale / 1e6 - 1.0).abs() < 1e-5,
            "small is not flat"
        );
    }
}
