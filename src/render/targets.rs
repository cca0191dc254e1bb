//! The images that are drawn into on the way: shadow maps, and colour and depth with several samples.

use std::sync::Arc;

use ash::vk;

use super::RendererDesc;
use crate::gpu::{Bind, Gpu, GpuError, Image, ImageDesc, Sampler, SamplerDesc};

/// Texels along a side of the key light's map: about 1.5 mm each for a person.
pub const KEY_TEXELS: u32 = 2048;
/// Texels along a side of the map from above, which only needs to know the figure's rough heights.
pub const SKY_TEXELS: u32 = 512;
/// Of shadow maps and picture; every device with Vulkan 1.3 that we know of renders to it and filters it.
pub const DEPTH_FORMAT: vk::Format = vk::Format::D32_SFLOAT;

/// What is in the way of light.
pub struct ShadowMaps {
    /// What the key light sees.
    key: Image,
    /// How high everything reaches, as seen from above.
    tops: Image,
    /// How far down everything reaches, as seen from below: light passes under an arm.
    undersides: Image,
    /// Tells how many of the nearest texels let light through.
    compare: Sampler,
    /// Reads depths as they are.
    nearest: Sampler,
}

/// Which map a shadow draw is for; as glsl/render/map.glsl counts them.
#[derive(Clone, Copy)]
pub enum SeenFrom {
    Key = 0,
    Above = 1,
    Below = 2,
}

impl ShadowMaps {
    /// # Errors
    /// When memory or handles run out.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        let map = |label, texels| {
            let desc = ImageDesc {
                label,
                extent: square(texels),
                format: DEPTH_FORMAT,
                usage: vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT | vk::ImageUsageFlags::SAMPLED,
                samples: vk::SampleCountFlags::TYPE_1,
                aspect: vk::ImageAspectFlags::DEPTH,
            };
            Image::new(gpu, &desc)
        };
        let sampler = |label, filter, compare| {
            let desc = SamplerDesc {
                label,
                filter,
                // Beyond the map nothing is in the way.
                address: vk::SamplerAddressMode::CLAMP_TO_BORDER,
                compare,
            };
            Sampler::new(gpu, &desc)
        };
        let lit = Some(vk::CompareOp::GREATER_OR_EQUAL);
        Ok(Self {
            key: map("render.key_map", KEY_TEXELS)?,
            tops: map("render.tops", SKY_TEXELS)?,
            undersides: map("render.undersides", SKY_TEXELS)?,
            compare: sampler("render.compare", vk::Filter::LINEAR, lit)?,
            // Not every device filters this format without comparing.
            nearest: sampler("render.nearest", vk::Filter::NEAREST, None)?,
        })
    }

    /// Every map.
    pub fn all(&self) -> [(&Image, SeenFrom); 3] {
        [
            (&self.key, SeenFrom::Key),
            (&self.tops, SeenFrom::Above),
            (&self.undersides, SeenFrom::Below),
        ]
    }

    /// Bindings 1 to 4 of every lit draw.
    pub fn bindings(&self) -> [Bind; 4] {
        [
            sampled(&self.key, &self.compare),
            sampled(&self.key, &self.nearest),
            sampled(&self.tops, &self.nearest),
            sampled(&self.undersides, &self.nearest),
        ]
    }
}

/// An image as a shader reads it.
pub fn sampled(image: &Image, sampler: &Sampler) -> Bind {
    Bind::Image {
        view: image.view(),
        sampler: sampler.handle(),
    }
}

/// What a picture is drawn into before it is resolved.
pub struct Targets {
    /// None when there is one sample a pixel: then the target itself is drawn into.
    pub colour: Option<Image>,
    pub depth: Image,
}

impl Targets {
    /// # Errors
    /// When memory or handles run out.
    pub fn new(
        gpu: &Arc<Gpu>,
        desc: &RendererDesc,
        extent: vk::Extent2D,
    ) -> Result<Self, GpuError> {
        let colour = ImageDesc {
            label: "render.colour",
            extent,
            format: desc.colour_format,
            usage: vk::ImageUsageFlags::COLOR_ATTACHMENT
                | vk::ImageUsageFlags::TRANSIENT_ATTACHMENT,
            samples: desc.samples,
            aspect: vk::ImageAspectFlags::COLOR,
        };
        let depth = ImageDesc {
            label: "render.depth",
            format: DEPTH_FORMAT,
            usage: vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT
                | vk::ImageUsageFlags::TRANSIENT_ATTACHMENT,
            aspect: vk::ImageAspectFlags::DEPTH,
            ..colour
        };
        let resolved = desc.samples != vk::SampleCountFlags::TYPE_1;
        Ok(Self {
            colour: resolved.then(|| Image::new(gpu, &colour)).transpose()?,
            depth: Image::new(gpu, &depth)?,
        })
    }

    pub fn extent(&self) -> vk::Extent2D {
        self.depth.extent()
    }
}

/// As wide as high.
pub fn square(side: u32) -> vk::Extent2D {
    vk::Extent2D {
        width: side,
        height: side,
    }
}
