//! Sub-step transforms: where the frames attached to bones are during a step.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

use crate::gpu::BufferSlice;
use crate::math::{AffineRows, Motion};

/// `FieldTransform` of glsl/shared/structs.glsl: where a field is at one boundary between sub-steps.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct FieldTransform {
    pub field_from_world: AffineRows,
    pub world_from_field: AffineRows,
    /// An upper bound on the scale from the world to field space, in metres of the bind pose per metre.
    pub max_scale: f32,
    /// Matrices are loaded from multiples of 16 bytes.
    pub unused: [f32; 3],
}

/// Where the fields were during the last step: `field_count` [`FieldTransform`]s at each of the `sub_steps + 1` boundaries between sub-steps.
#[derive(Clone, Copy)]
pub struct SubStepTransforms {
    /// Lives until the frame that comes `frames_in_flight` later is recorded.
    pub buffer: BufferSlice,
    /// 0 for a technique that has no bone attachments.
    pub field_count: u32,
    pub sub_steps: u32,
}

/// A frame rigidly attached to a bone.
#[derive(Clone, Copy, Debug)]
pub struct BoneAttachment {
    /// Among the joints of all bodies.
    pub joint_ix: u32,
    pub bone_from_field: Mat4,
    /// Metres of the bind pose for 1 along each axis of the field.
    pub axis_lengths: Vec3,
}

/// Appends the transform of every attachment at each of the `sub_steps + 1` boundaries between a step's sub-steps, boundary by boundary.
///
/// `frames`: for each joint of all bodies, world from bone before and after the step.
pub fn append_sub_step_transforms(
    bone_attachments: impl ExactSizeIterator<Item = BoneAttachment>,
    frames: &[(Mat4, Mat4)],
    sub_steps: u32,
    out: &mut Vec<FieldTransform>,
) {
    let (start, bone_attachment_count) = (out.len(), bone_attachments.len());
    out.resize(
        start + bone_attachment_count * (sub_steps as usize + 1),
        FieldTransform::zeroed(),
    );
    for (attachment_ix, attachment) in bone_attachments.enumerate() {
        let (before, after) = frames[attachment.joint_ix as usize];
        let motion = Motion::new(before, after);
        for sub_step in 0..=sub_steps {
            let world_from_bone = motion.at(sub_step as f32 / sub_steps as f32);
            out[start + sub_step as usize * bone_attachment_count + attachment_ix] =
                FieldTransform::new(
                    world_from_bone * attachment.bone_from_field,
                    attachment.axis_lengths,
                );
        }
    }
}

impl FieldTransform {
    /// A collapsed bone has no inverse; its field is put where no particle is.
    fn new(world_from_field: Mat4, axis_lengths: Vec3) -> Self {
        let inverse = world_from_field.inverse();
        let field_from_world = if inverse.is_finite() {
            inverse
        } else {
            FAR_AWAY
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
}
