//! A picture without a window: an image to draw into, and its pixels on the host.

use std::sync::Arc;

use ash::vk;

use super::{Device, EngineError, Frames, Submission};
use crate::gpu::{Access, Buffer, BufferDesc, Gpu, Image, ImageDesc, Memory};

/// What pictures without a window are made of: sRGB, encoded by the device.
pub const OFFSCREEN_FORMAT: vk::Format = vk::Format::R8G8B8A8_SRGB;

/// An image to draw into and room for its pixels.
pub struct Offscreen {
    image: Image,
    staging: Buffer,
    device: Arc<Device>,
}

impl Offscreen {
    /// # Errors
    /// When memory runs out.
    pub fn new(
        device: &Arc<Device>,
        gpu: &Arc<Gpu>,
        extent: vk::Extent2D,
    ) -> Result<Self, EngineError> {
        let image = Image::new(
            gpu,
            &ImageDesc {
                label: "offscreen.colour",
                extent,
                format: OFFSCREEN_FORMAT,
                usage: vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC,
                samples: vk::SampleCountFlags::TYPE_1,
                aspect: vk::ImageAspectFlags::COLOR,
            },
        )?;
        let staging = Buffer::new(
            gpu,
            &BufferDesc {
                label: "offscreen.staging",
                bytes: 4 * u64::from(extent.width) * u64::from(extent.height),
                memory: Memory::Readback,
            },
        )?;
        Ok(Self {
            image,
            staging,
            device: Arc::clone(device),
        })
    }

    pub fn view(&self) -> vk::ImageView {
        self.image.view()
    }

    pub fn extent(&self) -> vk::Extent2D {
        self.image.extent()
    }

    /// Makes the image ready to be drawn into; what it held is lost.
    pub fn record_begin(&self, cmd: vk::CommandBuffer) {
        self.transition(
            cmd,
            (Access::TransferRead, vk::ImageLayout::UNDEFINED),
            (
                Access::ColourAttachment,
                vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
            ),
        );
    }

    /// Copies the picture to where [`Offscreen::pixels`] reads it.
    pub fn record_end(&self, cmd: vk::CommandBuffer) {
        let drawn = (
            Access::ColourAttachment,
            vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
        );
        let copied = (Access::TransferRead, vk::ImageLayout::TRANSFER_SRC_OPTIMAL);
        self.transition(cmd, drawn, copied);
        let regions = [vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                mip_level: 0,
                base_array_layer: 0,
                layer_count: 1,
            })
            .image_extent(self.extent().into())];
        let (src_stage, src_access) = Access::TransferWrite.masks();
        let (dst_stage, dst_access) = Access::HostRead.masks();
        let barriers = [vk::MemoryBarrier2::default()
            .src_stage_mask(src_stage)
            .src_access_mask(src_access)
            .dst_stage_mask(dst_stage)
            .dst_access_mask(dst_access)];
        let dependency = vk::DependencyInfo::default().memory_barriers(&barriers);
        // SAFETY: the command buffer is recording; image and buffer live as long as this does, which waits in `pixels`.
        unsafe {
            self.device.handle.cmd_copy_image_to_buffer(
                cmd,
                self.image.handle(),
                copied.1,
                self.staging.handle(),
                &regions,
            );
            self.device.handle.cmd_pipeline_barrier2(cmd, &dependency);
        }
    }

    /// Submits the frame that ended with [`Offscreen::record_end`], waits for it, and returns RGBA rows from the top.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn submit_and_read(&self, frames: &mut Frames) -> Result<Vec<u8>, EngineError> {
        frames.submit(Submission::default())?;
        self.device.wait_idle()?;
        let vk::Extent2D { width, height } = self.extent();
        Ok(self.staging.read(0, 4 * (width * height) as usize))
    }

    fn transition(
        &self,
        cmd: vk::CommandBuffer,
        (before, old_layout): (Access, vk::ImageLayout),
        (after, new_layout): (Access, vk::ImageLayout),
    ) {
        let (src_stages, src_accesses) = before.masks();
        let (dst_stages, dst_accesses) = after.masks();
        let barriers = [vk::ImageMemoryBarrier2::default()
            .src_stage_mask(src_stages)
            .src_access_mask(src_accesses)
            .dst_stage_mask(dst_stages)
            .dst_access_mask(dst_accesses)
            .old_layout(old_layout)
            .new_layout(new_layout)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(self.image.handle())
            .subresource_range(self.image.range())];
        let dependency = vk::DependencyInfo::default().image_memory_barriers(&barriers);
        // SAFETY: the command buffer is recording and the image alive.
        unsafe { self.device.handle.cmd_pipeline_barrier2(cmd, &dependency) };
    }
}
