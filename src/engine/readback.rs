//! Copying results back to the host, for tests, reports and exports.

use std::sync::Arc;

use bytemuck::Pod;

use super::{Device, EngineError, Frames, Submission};
use crate::gpu::{Access, Buffer, BufferDesc, Gpu, Memory};

/// A buffer the host can read, refilled at will.
pub struct Readback {
    gpu: Arc<Gpu>,
    staging: Option<Buffer>,
}

impl Readback {
    /// Makes one that takes memory when it is first read.
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: Arc::clone(gpu),
            staging: None,
        }
    }

    /// Copies the first `count` values of `source` to the host, and waits for them.
    ///
    /// # Errors
    /// When memory runs out or the device is lost.
    pub fn read<T: Pod>(
        &mut self,
        device: &Device,
        frames: &mut Frames,
        source: &Buffer,
        count: usize,
    ) -> Result<Vec<T>, EngineError> {
        let bytes = (count * size_of::<T>()) as u64;
        if self
            .staging
            .as_ref()
            .is_none_or(|staging| staging.bytes() < bytes)
        {
            let desc = BufferDesc {
                label: "readback",
                bytes,
                memory: Memory::Readback,
            };
            self.staging = Some(Buffer::new(&self.gpu, &desc)?);
        }
        let Some(staging) = &self.staging else {
            return Ok(Vec::new());
        };
        let cmd = frames.begin()?;
        let regions = [ash::vk::BufferCopy {
            src_offset: 0,
            dst_offset: 0,
            size: bytes.max(4),
        }];
        let (src_stage, src_access) = Access::TransferWrite.masks();
        let (dst_stage, dst_access) = Access::HostRead.masks();
        let barriers = [ash::vk::MemoryBarrier2::default()
            .src_stage_mask(src_stage)
            .src_access_mask(src_access)
            .dst_stage_mask(dst_stage)
            .dst_access_mask(dst_access)];
        let dependency = ash::vk::DependencyInfo::default().memory_barriers(&barriers);
        // SAFETY: the command buffer is recording; the writers left the source visible to transfers.
        unsafe {
            device
                .handle
                .cmd_copy_buffer(cmd, source.handle(), staging.handle(), &regions);
            device.handle.cmd_pipeline_barrier2(cmd, &dependency);
        }
        frames.submit(Submission::default())?;
        device.wait_idle()?;
        Ok(staging.read(0, count))
    }
}
