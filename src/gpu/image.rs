//! Two-dimensional images that free themselves.

use std::sync::Arc;

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};

use super::{Gpu, GpuError};

/// What an image is to be.
#[derive(Clone, Copy, Debug)]
pub struct ImageDesc<'a> {
    pub label: &'a str,
    pub extent: vk::Extent2D,
    pub format: vk::Format,
    pub usage: vk::ImageUsageFlags,
    pub samples: vk::SampleCountFlags,
    pub aspect: vk::ImageAspectFlags,
}

/// Whether the device encodes what is written, so that shaders need not.
pub fn is_srgb(format: vk::Format) -> bool {
    [
        vk::Format::R8G8B8A8_SRGB,
        vk::Format::B8G8R8A8_SRGB,
        vk::Format::A8B8G8R8_SRGB_PACK32,
    ]
    .contains(&format)
}

/// Levels of an image without smaller copies of itself.
const ONE_LEVEL: u32 = 1;

/// An image with one view of all of it.
pub struct Image {
    gpu: Arc<Gpu>,
    handle: vk::Image,
    view: vk::ImageView,
    allocation: Option<Allocation>,
    extent: vk::Extent2D,
    format: vk::Format,
    aspect: vk::ImageAspectFlags,
    mip_levels: u32,
}

impl Image {
    /// Makes an image with undefined contents, in the undefined layout.
    ///
    /// # Errors
    /// When memory or handles run out, or it has no pixels or too many, with the image's label.
    pub fn new(gpu: &Arc<Gpu>, desc: &ImageDesc) -> Result<Self, GpuError> {
        Self::with_mips(gpu, desc, ONE_LEVEL)
    }

    /// Makes an image with `mip_levels` levels, each half as wide and high as the one before.
    ///
    /// # Errors
    /// As [`Image::new`].
    pub fn with_mips(gpu: &Arc<Gpu>, desc: &ImageDesc, mip_levels: u32) -> Result<Self, GpuError> {
        Gpu::check_extent(desc.label, desc.extent, gpu.limits.max_image_dimension2_d)?;
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(desc.format)
            .extent(desc.extent.into())
            .mip_levels(mip_levels)
            .array_layers(1)
            .samples(desc.samples)
            .usage(desc.usage);
        // SAFETY: the device outlives the Gpu, and the create info is complete.
        let handle = unsafe { gpu.device.create_image(&info, None) }
            .map_err(GpuError::from_vk(desc.label))?;
        let mut image = Self {
            gpu: Arc::clone(gpu),
            handle,
            view: vk::ImageView::null(),
            allocation: None,
            extent: desc.extent,
            format: desc.format,
            aspect: desc.aspect,
            mip_levels,
        };
        image.bind_memory(desc)?;
        image.make_view(desc)?;
        gpu.name(handle, desc.label);
        Ok(image)
    }

    fn bind_memory(&mut self, desc: &ImageDesc) -> Result<(), GpuError> {
        // SAFETY: the image was made on this device just now.
        let requirements = unsafe { self.gpu.device.get_image_memory_requirements(self.handle) };
        let allocation = self.gpu.allocate(&AllocationCreateDesc {
            name: desc.label,
            requirements,
            location: MemoryLocation::GpuOnly,
            linear: false,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        })?;
        // SAFETY: the memory was taken for this image and is not used by another.
        let bound = unsafe {
            self.gpu
                .device
                .bind_image_memory(self.handle, allocation.memory(), allocation.offset())
        };
        self.allocation = Some(allocation);
        bound.map_err(GpuError::from_vk(desc.label))
    }

    fn make_view(&mut self, desc: &ImageDesc) -> Result<(), GpuError> {
        let info = vk::ImageViewCreateInfo::default()
            .image(self.handle)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(desc.format)
            .subresource_range(whole(desc.aspect, self.mip_levels));
        // SAFETY: the image has memory bound.
        self.view = unsafe { self.gpu.device.create_image_view(&info, None) }
            .map_err(GpuError::from_vk(desc.label))?;
        self.gpu.name(self.view, desc.label);
        Ok(())
    }

    /// The Vulkan handle.
    pub fn handle(&self) -> vk::Image {
        self.handle
    }

    /// A view of all of it.
    pub fn view(&self) -> vk::ImageView {
        self.view
    }

    /// Its size in pixels.
    pub fn extent(&self) -> vk::Extent2D {
        self.extent
    }

    /// Its format.
    pub fn format(&self) -> vk::Format {
        self.format
    }

    /// All of it, for barriers.
    pub fn range(&self) -> vk::ImageSubresourceRange {
        whole(self.aspect, self.mip_levels)
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        // SAFETY: the owner keeps images until the GPU is done with the frames that use them.
        unsafe {
            self.gpu.device.destroy_image_view(self.view, None);
            self.gpu.device.destroy_image(self.handle, None);
        }
        if let Some(allocation) = self.allocation.take() {
            self.gpu.free(allocation);
        }
    }
}

fn whole(aspect: vk::ImageAspectFlags, level_count: u32) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: aspect,
        base_mip_level: 0,
        level_count,
        base_array_layer: 0,
        layer_count: 1,
    }
}
