//! A picture without a window: drawn, copied and handed over as pixels.

use std::sync::Arc;

use ash::vk;

use super::{Device, EngineError, Frames, Submission};
use crate::gpu::{Access, Buffer, BufferDesc, Gpu, Image, ImageDesc, Memory, Recorder, Timestamps};

/// A colour image and the way to its pixels.
pub struct Offscreen {
    gpu: Arc<Gpu>,
    image: Image,
    pixels: Buffer,
    timestamps: Timestamps,
}

impl Offscreen {
    /// What [`Offscreen`] images are made of: sRGB, encoded by the hardware.
    pub const FORMAT: vk::Format = vk::Format::R8G8B8A8_SRGB;

    /// # Errors
    /// When memory runs out.
    pub fn new(gpu: &Arc<Gpu>, extent: vk::Extent2D) -> Result<Self, EngineError> {
        let image = Image::new(
            gpu,
            &ImageDesc {
                label: "offscreen.colour",
                extent,
                format: Self::FORMAT,
                usage: vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC,
                samples: vk::SampleCountFlags::TYPE_1,
                aspect: vk::ImageAspectFlags::COLOR,
            },
        )?;
        let bytes = 4 * u64::from(extent.width) * u64::from(extent.height);
        let pixels = BufferDesc {
            label: "offscreen.pixels",
            bytes,
            memory: Memory::Readback,
        };
        let pixels = Buffer::new(gpu, &pixels)?;
        Ok(Self {
            gpu: Arc::clone(gpu),
            image,
            pixels,
            timestamps: Timestamps::new(gpu, 1, 0)?,
        })
    }

    /// What to draw on.
    pub fn view(&self) -> vk::ImageView {
        self.image.view()
    }

    /// Its size in pixels.
    pub fn extent(&self) -> vk::Extent2D {
        self.image.extent()
    }

    /// Has `draw` record into the image, which is a colour attachment meanwhile; waits, and returns RGBA rows from the top.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn render(
        &mut self,
        device: &Device,
        frames: &mut Frames,
        draw: impl FnOnce(vk::CommandBuffer),
    ) -> Result<Vec<u8>, EngineError> {
        use vk::ImageLayout as Layout;
        let cmd = frames.begin()?;
        let mut recorder = Recorder::new(&self.gpu, cmd, &mut self.timestamps);
        let attachment = (Access::ColourAttachment, Layout::COLOR_ATTACHMENT_OPTIMAL);
        recorder.transition(
            &self.image,
            (Access::TransferRead, Layout::UNDEFINED),
            attachment,
        );
        draw(cmd);
        let source = (Access::TransferRead, Layout::TRANSFER_SRC_OPTIMAL);
        recorder.transition(&self.image, attachment, source);
        let vk::Extent2D { width, height } = self.image.extent();
        recorder.copy_image_to_buffer(&self.image, self.pixels.all());
        recorder.barrier(&[Access::TransferWrite], &[Access::HostRead]);
        frames.submit(Submission::default())?;
        device.wait_idle()?;
        Ok(self.pixels.read(0, 4 * width as usize * height as usize))
    }
}
