//! Where the structures that ride on bones are during a step.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec4};

use crate::gpu::BufferSlice;
use crate::math::{AffineRows, Motion};

/// `FieldTransform` of glsl/shared/structs.glsl: where a field is at one moment.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct FieldTransform {
    pub field_from_world: AffineRows,
    pub world_from_field: AffineRows,
}

/// Where the fields were during the last step: `sub_steps + 1` moments of `field_count` [`FieldTransform`]s each.
#[derive(Clone, Copy)]
pub struct FieldMoments {
    /// Lives until the frame that comes `frames_in_flight` later is recorded.
    pub transforms: BufferSlice,
    /// 0 for a technique that has nothing on bones.
    pub field_count: u32,
    pub sub_steps: u32,
}

/// What rides on a bone.
#[derive(Clone, Copy, Debug)]
pub struct Rider {
    /// Among the joints of all bodies.
    pub joint_ix: u32,
    pub bone_from_field: Mat4,
}

/// Appends where every rider is at the `sub_steps + 1` moments of a step, moment by moment.
///
/// `frames`: for each joint of all bodies, world from bone before and after the step.
pub fn append_moments(
    riders: impl ExactSizeIterator<Item = Rider>,
    frames: &[(Mat4, Mat4)],
    sub_steps: u32,
    out: &mut Vec<FieldTransform>,
) {
    let (start, rider_count) = (out.len(), riders.len());
    out.resize(
        start + rider_count * (sub_steps as usize + 1),
        FieldTransform::zeroed(),
    );
    for (rider_ix, rider) in riders.enumerate() {
        let (before, after) = frames[rider.joint_ix as usize];
        let motion = Motion::new(before, after);
        for moment in 0..=sub_steps {
            let world_from_bone = motion.at(moment as f32 / sub_steps as f32);
            out[start + moment as usize * rider_count + rider_ix] =
                FieldTransform::new(world_from_bone * rider.bone_from_field);
        }
    }
}

impl FieldTransform {
    /// A collapsed bone has no inverse; its field is put where no particle is.
    fn new(world_from_field: Mat4) -> Self {
        let inverse = world_from_field.inverse();
        let field_from_world = if inverse.is_finite() {
            inverse
        } else {
            FAR_AWAY
        };
        Self {
            field_from_world: AffineRows::from_mat4(field_from_world),
            world_from_field: AffineRows::from_mat4(world_from_field),
        }
    }
}

/// Maps every point past the end of every field.
const FAR_AWAY: Mat4 = Mat4::from_cols(
    Vec4::ZERO,
    Vec4::ZERO,
    Vec4::ZERO,
    Vec4::new(0.0, 0.0, 1e9, 1.0),
);
