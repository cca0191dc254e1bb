//! Reading a count that changes with every frame, without waiting for the GPU.

use std::sync::Arc;

use ash::vk;

use super::EngineError;
use crate::gpu::{Access, Buffer, BufferDesc, Gpu, Memory};

/// Copies of a buffer's first word, one per frame in flight: what is read is as many frames old as there are.
pub struct Watch {
    gpu: Arc<Gpu>,
    copies: Vec<Buffer>,
    /// Frames recorded so far.
    frame_count: usize,
    newest: Option<u32>,
}

/// A word.
const BYTES: u64 = 4;

impl Watch {
    /// # Errors
    /// When memory runs out.
    pub fn new(gpu: &Arc<Gpu>, frames_in_flight: usize) -> Result<Self, EngineError> {
        let desc = BufferDesc {
            label: "watch",
            bytes: BYTES,
            memory: Memory::Readback,
        };
        let copies = (0..frames_in_flight).map(|_| Buffer::new(gpu, &desc));
        Ok(Self {
            gpu: Arc::clone(gpu),
            copies: copies.collect::<Result<_, _>>()?,
            frame_count: 0,
            newest: None,
        })
    }

    /// Takes what the oldest frame copied, and records the copy of this one.
    ///
    /// # Safety
    /// `cmd` must be recording, outside a render pass; the frame recorded as many calls ago as there are frames in flight must
    /// have finished; and the source must be visible to transfers, and be whole until this frame has finished.
    pub unsafe fn record(&mut self, cmd: vk::CommandBuffer, source: &Buffer) {
        let copy = &self.copies[self.frame_count % self.copies.len()];
        if self.frame_count >= self.copies.len() {
            self.newest = copy.read(0, 1).first().copied();
        }
        self.frame_count += 1;
        let region = vk::BufferCopy::default().size(BYTES);
        let (src_stage, src_access) = Access::TransferWrite.masks();
        let (dst_stage, dst_access) = Access::HostRead.masks();
        let barrier = vk::MemoryBarrier2::default()
            .src_stage_mask(src_stage)
            .src_access_mask(src_access)
            .dst_stage_mask(dst_stage)
            .dst_access_mask(dst_access);
        let barriers = [barrier];
        let dependency = vk::DependencyInfo::default().memory_barriers(&barriers);
        let device = &self.gpu.device;
        // SAFETY: the caller's promises; the copy's earlier use is over.
        unsafe {
            device.cmd_copy_buffer(cmd, source.handle(), copy.handle(), &[region]);
            device.cmd_pipeline_barrier2(cmd, &dependency);
        }
    }

    /// The newest word that has arrived.
    pub fn newest(&self) -> Option<u32> {
        self.newest
    }
}
