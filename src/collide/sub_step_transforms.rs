//! Sub-step transforms: where the frames attached to bones are during a step.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

use crate::gpu::{
    Bind, Buffer, BufferDesc, BufferSlice, ComputePipeline, Gpu, GpuError, Memory, Recorder,
    Uploads,
};
use crate::math::AffineRows;
use crate::skin::MovingFrames;

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
    /// Holds them until the next step writes its own.
    pub buffer: BufferSlice,
    /// 0 for a technique that has no bone attachments.
    pub field_count: u32,
    pub sub_steps: u32,
}

/// A field's frame, rigidly attached to a moving frame: usually a bone.
#[derive(Clone, Copy, Debug)]
pub struct BoneAttachment {
    /// Among the moving frames of the world, of which the joints of all bodies are the first.
    pub frame_ix: u32,
    pub bone_from_field: Mat4,
    /// Metres of the bind pose for 1 along each axis of the field.
    pub axis_lengths: Vec3,
}

/// `Attachment` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GpuAttachment {
    pub bone_from_field: AffineRows,
    pub axis_lengths: Vec3,
    pub frame_ix: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct TransformsPush {
    attachment_count: u32,
    frame_count: u32,
    sub_steps: u32,
}

/// Threads of a workgroup of glsl/shared/sub_step_transforms.comp.
const GROUP_THREADS: u32 = 64;

/// The bone attachments of a world's fields, whatever the technique, and their transforms during the newest step.
pub struct Attachments {
    attachments: Buffer,
    transforms: Buffer,
    count: u32,
}

impl Attachments {
    /// Uploads the attachments, which stay as they are, and makes room for the transforms of a step of so many sub-steps.
    ///
    /// # Errors
    /// When memory runs out, or the transforms are more than fit one buffer of the device.
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        attachments: &[BoneAttachment],
        max_sub_steps: u32,
    ) -> Result<Self, GpuError> {
        let uploaded: Vec<_> = attachments.iter().map(GpuAttachment::new).collect();
        let boundaries = max_sub_steps as usize + 1;
        let transforms = BufferDesc {
            label: "collide.transforms",
            bytes: (attachments.len() * boundaries * size_of::<FieldTransform>()) as u64,
            memory: Memory::Device,
        };
        Ok(Self {
            attachments: uploads.buffer("collide.attachments", &uploaded)?,
            transforms: Buffer::new(gpu, &transforms)?,
            count: attachments.len() as u32,
        })
    }

    /// How many there are; 0 for a technique in world space.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// [`FieldTransform`]s of the newest step, as [`SubStepTransforms`] has them.
    pub fn transforms(&self) -> &Buffer {
        &self.transforms
    }

    /// Where a step of so many sub-steps has its transforms.
    pub fn of_step(&self, sub_steps: u32) -> SubStepTransforms {
        SubStepTransforms {
            buffer: self.transforms.all(),
            field_count: self.count,
            sub_steps,
        }
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        self.attachments.bytes() + self.transforms.bytes()
    }

    /// Computes the transforms of a step of so many sub-steps, and puts the frames that were `uploaded` among the moving ones; nothing
    /// for no attachments. `sources`: a [`FrameSource`](crate::skin::FrameSource) per frame.
    ///
    /// Reads and writes in compute; needs a barrier behind it.
    pub fn record(
        &self,
        recorder: &mut Recorder,
        pipeline: &ComputePipeline,
        frames: &MovingFrames,
        [sources, uploaded]: [BufferSlice; 2],
        sub_steps: u32,
    ) {
        if self.count == 0 {
            return;
        }
        let push = TransformsPush {
            attachment_count: self.count,
            frame_count: frames.count(),
            sub_steps,
        };
        let bindings: [Bind; 6] = [
            (&self.attachments).into(),
            sources.into(),
            uploaded.into(),
            frames.previous().into(),
            frames.current().into(),
            (&self.transforms).into(),
        ];
        let tasks = frames.count().max(self.count * (sub_steps + 1));
        recorder.dispatch_groups(pipeline, &bindings, &push, tasks.div_ceil(GROUP_THREADS));
    }
}

impl GpuAttachment {
    fn new(attachment: &BoneAttachment) -> Self {
        Self {
            bone_from_field: AffineRows::from_mat4(attachment.bone_from_field),
            axis_lengths: attachment.axis_lengths,
            frame_ix: attachment.frame_ix,
        }
    }
}
