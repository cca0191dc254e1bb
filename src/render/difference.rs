//! Where two pictures differ: both are drawn onto images of our own, and one picture is made of them.

use std::sync::Arc;

use ash::vk;

use crate::gpu::{
    Access, Bind, Gpu, GpuError, GraphicsDesc, GraphicsPipeline, Image, ImageDesc, Recorder,
    Sampler, SamplerDesc, is_srgb, shaders,
};

/// What an image is while it is drawn on, and while it is looked at.
const DRAWN: (Access, vk::ImageLayout) = (
    Access::ColourAttachment,
    vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
);
const READ: (Access, vk::ImageLayout) = (
    Access::FragmentRead,
    vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
);

/// Shows where two pictures differ: grey where they are alike, from yellow to red where not. Drop it only when the GPU is done with its
/// frames.
pub struct Difference {
    pipeline: GraphicsPipeline,
    sampler: Sampler,
    images: [Image; 2],
}

impl Difference {
    /// For pictures of that size and format: an 8-bit sRGB format, or an 8-bit UNORM one, which holds sRGB values.
    ///
    /// # Errors
    /// When memory runs out or the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>, extent: vk::Extent2D, format: vk::Format) -> Result<Self, GpuError> {
        let image = |label| {
            let desc = ImageDesc {
                label,
                extent,
                format,
                usage: vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::SAMPLED,
                samples: vk::SampleCountFlags::TYPE_1,
                aspect: vk::ImageAspectFlags::COLOR,
            };
            Image::new(gpu, &desc)
        };
        let sampler = SamplerDesc {
            label: "render.difference_sampler",
            filter: vk::Filter::NEAREST,
            address: vk::SamplerAddressMode::CLAMP_TO_EDGE,
            compare: None,
        };
        Ok(Self {
            pipeline: make_pipeline(gpu, format)?,
            sampler: Sampler::new(gpu, &sampler)?,
            images: [image("render.picture_a")?, image("render.picture_b")?],
        })
    }

    /// Builds the pipeline again, from shaders replaced through [`Gpu::replace_shaders`]. The caller waits for the GPU first.
    ///
    /// # Errors
    /// When the driver refuses one; the old pipeline stays.
    pub fn reload_pipelines(&mut self, gpu: &Arc<Gpu>) -> Result<(), GpuError> {
        self.pipeline = make_pipeline(gpu, self.images[0].format())?;
        Ok(())
    }

    /// Whether it is for pictures of that size and format.
    pub fn suits(&self, extent: vk::Extent2D, format: vk::Format) -> bool {
        let [image, _] = &self.images;
        (image.extent(), image.format()) == (extent, format)
    }

    /// What the two pictures are to be drawn onto, after [`Self::begin`].
    pub fn targets(&self) -> [vk::ImageView; 2] {
        [self.images[0].view(), self.images[1].view()]
    }

    /// Makes the targets ready to be drawn onto, in `COLOR_ATTACHMENT_OPTIMAL`, without what they held.
    pub fn begin(&self, recorder: &mut Recorder) {
        for image in &self.images {
            recorder.transition(image, (READ.0, vk::ImageLayout::UNDEFINED), DRAWN);
        }
    }

    /// Records the picture onto `target`, which is as large and in `COLOR_ATTACHMENT_OPTIMAL` before and after.
    pub fn record(&self, recorder: &mut Recorder, target: vk::ImageView) {
        for image in &self.images {
            recorder.transition(image, DRAWN, READ);
        }
        let [image, _] = &self.images;
        let attachments = [vk::RenderingAttachmentInfo::default()
            .image_view(target)
            .image_layout(DRAWN.1)
            .load_op(vk::AttachmentLoadOp::DONT_CARE)
            .store_op(vk::AttachmentStoreOp::STORE)];
        let info = vk::RenderingInfo::default()
            .render_area(image.extent().into())
            .layer_count(1)
            .color_attachments(&attachments);
        let bindings = self.images.each_ref().map(|image| Bind::Image {
            view: image.view(),
            sampler: self.sampler.handle(),
        });
        recorder.barrier(&[Access::ColourAttachment], &[Access::ColourAttachment]);
        recorder.rendering(&info, |recorder| {
            recorder.viewport(image.extent());
            recorder.draw(&self.pipeline, &bindings, &(), 0..3, 1);
        });
    }
}

fn make_pipeline(gpu: &Arc<Gpu>, format: vk::Format) -> Result<GraphicsPipeline, GpuError> {
    let shaders = [
        &shaders::RENDER_BACKDROP_VERT,
        &shaders::RENDER_DIFFERENCE_FRAG,
    ];
    let desc = GraphicsDesc {
        constants: &[u32::from(!is_srgb(format))],
        ..GraphicsDesc::over_picture("render.difference", shaders, format)
    };
    GraphicsPipeline::new(gpu, &desc)
}
