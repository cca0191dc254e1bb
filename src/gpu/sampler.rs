//! Samplers that free themselves.

use std::sync::Arc;

use ash::vk;

use super::{Gpu, GpuError};

/// How an image is read between and beyond its texels.
#[derive(Clone, Copy, Debug)]
pub struct SamplerDesc<'a> {
    pub label: &'a str,
    pub filter: vk::Filter,
    pub address: vk::SamplerAddressMode,
    /// Compare the texels with the coordinate's last component, and give how many pass.
    pub compare: Option<vk::CompareOp>,
}

/// A sampler. Beyond a `CLAMP_TO_BORDER` edge it reads zeros.
pub struct Sampler {
    gpu: Arc<Gpu>,
    handle: vk::Sampler,
}

impl Sampler {
    /// # Errors
    /// When handles run out, with the sampler's label.
    pub fn new(gpu: &Arc<Gpu>, desc: &SamplerDesc) -> Result<Self, GpuError> {
        let mipmap_mode = match desc.filter {
            vk::Filter::NEAREST => vk::SamplerMipmapMode::NEAREST,
            _ => vk::SamplerMipmapMode::LINEAR,
        };
        let info = vk::SamplerCreateInfo::default()
            .mag_filter(desc.filter)
            .min_filter(desc.filter)
            .mipmap_mode(mipmap_mode)
            .address_mode_u(desc.address)
            .address_mode_v(desc.address)
            .address_mode_w(desc.address)
            .compare_enable(desc.compare.is_some())
            .compare_op(desc.compare.unwrap_or(vk::CompareOp::NEVER))
            .max_lod(vk::LOD_CLAMP_NONE)
            .border_color(vk::BorderColor::FLOAT_OPAQUE_BLACK);
        // SAFETY: the device outlives the Gpu, and the create info is complete.
        let handle = unsafe { gpu.device.create_sampler(&info, None) }
            .map_err(GpuError::from_vk(desc.label))?;
        gpu.name(handle, desc.label);
        Ok(Self {
            gpu: Arc::clone(gpu),
            handle,
        })
    }

    /// The Vulkan handle.
    pub fn handle(&self) -> vk::Sampler {
        self.handle
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        // SAFETY: the owner keeps samplers until the GPU is done with the frames that use them.
        unsafe { self.gpu.device.destroy_sampler(self.handle, None) };
    }
}
