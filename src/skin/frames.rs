//! Moving frames: where bones, and whatever else something is attached to, are at the end of a step and of the one before.
//!
//! The host gives a step's bones as a palette, which is uploaded, or in a buffer of its own, which is taken over
//! ([`MovingFrames::record_adopt`]); a step may have both. Either way the device knows them for the next step.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Mat4;

use super::SkinPipelines;
use crate::gpu::{Bind, Buffer, BufferDesc, BufferSlice, Gpu, GpuError, Memory, Recorder, Uploads};

/// How a moving frame gets into a step: `FrameSource` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct FrameSource {
    /// Where its matrix begins in the host's buffer, in floats from the start; [`FrameSource::UPLOADED`] for one that is uploaded.
    pub first_float: u32,
    /// 1: it did not move there.
    pub teleported: u32,
}

impl FrameSource {
    /// As glsl/shared/structs.glsl has it.
    pub const UPLOADED: u32 = u32::MAX;
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct AdoptBonesPush {
    first_frame: u32,
    end_frame: u32,
}

/// The moving frames of a world on the device, 64 bytes each: world from frame, four columns that are 16 bytes apart. Joints of all bodies
/// come first, in order.
pub struct MovingFrames {
    frames: [Buffer; 2],
    bones_from_bind: Buffer,
    palette: Buffer,
    frame_count: u32,
    current: usize,
}

impl MovingFrames {
    /// Makes room for `frame_count` frames, of which the first are joints with these inverse bind matrices.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        bones_from_bind: &[Mat4],
        frame_count: usize,
    ) -> Result<Self, GpuError> {
        let matrices = |label: &str, count: usize| {
            let desc = BufferDesc {
                label,
                bytes: (count * size_of::<Mat4>()) as u64,
                memory: Memory::Device,
            };
            Buffer::new(gpu, &desc)
        };
        Ok(Self {
            frames: [
                matrices("skin.frames[0]", frame_count)?,
                matrices("skin.frames[1]", frame_count)?,
            ],
            bones_from_bind: uploads.buffer("skin.bones_from_bind", bones_from_bind)?,
            palette: matrices("skin.palette", bones_from_bind.len())?,
            frame_count: frame_count as u32,
            current: 0,
        })
    }

    /// Begins the next step: what was current becomes previous.
    pub fn begin_step(&mut self) {
        self.current = 1 - self.current;
    }

    /// Takes the frames of some joints over from a buffer of the host's, where `sources` say, and makes their palette.
    ///
    /// Reads and writes in compute; needs a barrier behind it.
    pub fn record_adopt(
        &self,
        recorder: &mut Recorder,
        pipelines: &SkinPipelines,
        bones: BufferSlice,
        sources: BufferSlice,
        joints: Range<u32>,
    ) {
        let push = AdoptBonesPush {
            first_frame: joints.start,
            end_frame: joints.end,
        };
        let bindings: [Bind; 5] = [
            bones.into(),
            sources.into(),
            (&self.bones_from_bind).into(),
            self.current().into(),
            (&self.palette).into(),
        ];
        let threads = joints.len() as u32;
        recorder.dispatch(&pipelines.adopt_bones, &bindings, &push, threads);
    }

    /// World from frame at the end of this step.
    pub fn current(&self) -> &Buffer {
        &self.frames[self.current]
    }

    /// World from frame at the end of the step before. Undefined for what was teleported in this step.
    pub fn previous(&self) -> &Buffer {
        &self.frames[1 - self.current]
    }

    /// The palette of the joints that were taken over, and of no other.
    pub fn palette(&self) -> &Buffer {
        &self.palette
    }

    /// The state of a range of frames that the next step reads.
    pub fn state(&self, frames: &Range<usize>) -> BufferSlice {
        let stride = size_of::<Mat4>() as u64;
        let (first, count) = (frames.start as u64, frames.len() as u64);
        self.current().slice(first * stride, count * stride)
    }

    /// How many frames there are.
    pub fn count(&self) -> u32 {
        self.frame_count
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        2 * self.frames[0].bytes() + self.bones_from_bind.bytes() + self.palette.bytes()
    }
}
