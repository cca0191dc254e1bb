//! The pictures that the window shows in turn.

use std::sync::Arc;

use ash::vk;
use radial_fields::engine::Device;

use super::surface::Surface;

/// The device draws into one image while another is shown and a third waits.
const WANTED_IMAGE_COUNT: u32 = 3;

/// Formats we know how to draw in, the best first. Panels are mixed in sRGB, as their colours are meant.
const FORMATS: [vk::Format; 4] = [
    vk::Format::B8G8R8A8_UNORM,
    vk::Format::R8G8B8A8_UNORM,
    vk::Format::B8G8R8A8_SRGB,
    vk::Format::R8G8B8A8_SRGB,
];

/// What the surface offers, as far as it matters.
pub struct Offer {
    capabilities: vk::SurfaceCapabilitiesKHR,
    format: vk::SurfaceFormatKHR,
    extent: vk::Extent2D,
}

/// A swapchain with a view of each image, and a semaphore that says that it is drawn.
pub struct Swapchain {
    device: Arc<Device>,
    pub functions: ash::khr::swapchain::Device,
    pub handle: vk::SwapchainKHR,
    pub extent: vk::Extent2D,
    pub format: vk::Format,
    pub images: Vec<SwapImage>,
    /// Whether pictures can be copied from it.
    pub can_copy: bool,
}

/// One image of a swapchain.
#[derive(Clone, Copy)]
pub struct SwapImage {
    pub image: vk::Image,
    pub view: vk::ImageView,
    pub drawn: vk::Semaphore,
}

impl Offer {
    /// Asks the surface; `None` when the window has no pixels to show anything on.
    pub fn of(
        device: &Device,
        surface: &Surface,
        window_size: (u32, u32),
    ) -> Result<Option<Self>, vk::Result> {
        let (functions, physical_device) = (&surface.functions, device.physical_device);
        // SAFETY: surface and device belong to one instance and are alive.
        let (capabilities, formats) = unsafe {
            (
                functions
                    .get_physical_device_surface_capabilities(physical_device, surface.handle)?,
                functions.get_physical_device_surface_formats(physical_device, surface.handle)?,
            )
        };
        let extent = extent_of(&capabilities, window_size);
        let format = pick_format(&formats).ok_or(vk::Result::ERROR_FORMAT_NOT_SUPPORTED)?;
        Ok((extent.width > 0 && extent.height > 0).then_some(Self {
            capabilities,
            format,
            extent,
        }))
    }

    fn info(
        &self,
        surface: &Surface,
        old: vk::SwapchainKHR,
    ) -> vk::SwapchainCreateInfoKHR<'static> {
        let most = match self.capabilities.max_image_count {
            0 => u32::MAX,
            most => most,
        };
        let image_count = WANTED_IMAGE_COUNT
            .max(self.capabilities.min_image_count)
            .min(most);
        vk::SwapchainCreateInfoKHR::default()
            .surface(surface.handle)
            .min_image_count(image_count)
            .image_format(self.format.format)
            .image_color_space(self.format.color_space)
            .image_extent(self.extent)
            .image_array_layers(1)
            .image_usage(self.usage())
            .image_sharing_mode(vk::SharingMode::EXCLUSIVE)
            .pre_transform(self.capabilities.current_transform)
            .composite_alpha(self.composite_alpha())
            // Waits for the screen; the one mode that every device has.
            .present_mode(vk::PresentModeKHR::FIFO)
            .clipped(true)
            .old_swapchain(old)
    }

    fn usage(&self) -> vk::ImageUsageFlags {
        let supported = self.capabilities.supported_usage_flags;
        vk::ImageUsageFlags::COLOR_ATTACHMENT | supported & vk::ImageUsageFlags::TRANSFER_SRC
    }

    fn composite_alpha(&self) -> vk::CompositeAlphaFlagsKHR {
        let supported = self.capabilities.supported_composite_alpha;
        let known = [
            vk::CompositeAlphaFlagsKHR::OPAQUE,
            vk::CompositeAlphaFlagsKHR::INHERIT,
            vk::CompositeAlphaFlagsKHR::PRE_MULTIPLIED,
        ];
        let found = known.into_iter().find(|&flag| supported.contains(flag));
        found.unwrap_or(vk::CompositeAlphaFlagsKHR::POST_MULTIPLIED)
    }
}

/// The surface's size, or the window's where the surface goes by it (as on Wayland).
fn extent_of(
    capabilities: &vk::SurfaceCapabilitiesKHR,
    (width, height): (u32, u32),
) -> vk::Extent2D {
    let (least, most) = (capabilities.min_image_extent, capabilities.max_image_extent);
    match capabilities.current_extent {
        vk::Extent2D {
            width: u32::MAX, ..
        } if width == 0 || height == 0 => vk::Extent2D::default(),
        vk::Extent2D {
            width: u32::MAX, ..
        } => vk::Extent2D {
            width: width.clamp(least.width, most.width.max(least.width)),
            height: height.clamp(least.height, most.height.max(least.height)),
        },
        extent => extent,
    }
}

fn pick_format(offered: &[vk::SurfaceFormatKHR]) -> Option<vk::SurfaceFormatKHR> {
    let in_srgb = |format| vk::SurfaceFormatKHR {
        format,
        color_space: vk::ColorSpaceKHR::SRGB_NONLINEAR,
    };
    FORMATS
        .into_iter()
        .map(in_srgb)
        .find(|format| offered.contains(format))
}

impl Swapchain {
    /// Makes the images. The GPU is done with those of `old`, which is gone afterwards.
    pub fn new(
        device: &Arc<Device>,
        surface: &Surface,
        offer: &Offer,
        old: Option<Self>,
    ) -> Result<Self, vk::Result> {
        let functions = ash::khr::swapchain::Device::new(&device.instance.handle, &device.handle);
        let old_handle = old
            .as_ref()
            .map_or(vk::SwapchainKHR::null(), |old| old.handle);
        // SAFETY: the surface is alive, and the info is complete and within what it offers.
        let handle = unsafe { functions.create_swapchain(&offer.info(surface, old_handle), None)? };
        drop(old);
        let mut swapchain = Self {
            device: Arc::clone(device),
            functions,
            handle,
            extent: offer.extent,
            format: offer.format.format,
            images: Vec::new(),
            can_copy: offer.usage().contains(vk::ImageUsageFlags::TRANSFER_SRC),
        };
        swapchain.collect_images()?;
        Ok(swapchain)
    }

    fn collect_images(&mut self) -> Result<(), vk::Result> {
        // SAFETY: the swapchain was made just now.
        for image in unsafe { self.functions.get_swapchain_images(self.handle)? } {
            let info = vk::ImageViewCreateInfo::default()
                .image(image)
                .view_type(vk::ImageViewType::TYPE_2D)
                .format(self.format)
                .subresource_range(whole_colour());
            let semaphore = vk::SemaphoreCreateInfo::default();
            self.images.push(SwapImage {
                image,
                view: vk::ImageView::null(),
                drawn: vk::Semaphore::null(),
            });
            let Some(made) = self.images.last_mut() else {
                continue;
            };
            // SAFETY: the device is open, and the image is the swapchain's. What is made is destroyed on drop.
            unsafe {
                made.view = self.device.handle.create_image_view(&info, None)?;
                made.drawn = self.device.handle.create_semaphore(&semaphore, None)?;
            }
        }
        Ok(())
    }
}

/// All of an image of the swapchain.
pub fn whole_colour() -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: vk::ImageAspectFlags::COLOR,
        base_mip_level: 0,
        level_count: 1,
        base_array_layer: 0,
        layer_count: 1,
    }
}

impl Drop for Swapchain {
    fn drop(&mut self) {
        // SAFETY: the owner waited for the GPU; null handles are ignored.
        unsafe {
            for image in &self.images {
                self.device.handle.destroy_image_view(image.view, None);
                self.device.handle.destroy_semaphore(image.drawn, None);
            }
            self.functions.destroy_swapchain(self.handle, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: vk::Extent2D = vk::Extent2D {
        width: 4096,
        height: 4096,
    };

    fn capabilities(current: vk::Extent2D) -> vk::SurfaceCapabilitiesKHR {
        vk::SurfaceCapabilitiesKHR::default()
            .current_extent(current)
            .min_image_extent(vk::Extent2D {
                width: 1,
                height: 1,
            })
            .max_image_extent(MAX)
    }

    #[test]
    fn the_surface_knows_its_size_best() {
        let current = vk::Extent2D {
            width: 640,
            height: 0,
        };
        assert_eq!(extent_of(&capabilities(current), (800, 600)), current);
    }

    #[test]
    fn a_surface_without_a_size_takes_the_windows() {
        let undecided = capabilities(vk::Extent2D {
            width: u32::MAX,
            height: u32::MAX,
        });
        let of = |size| extent_of(&undecided, size);
        assert_eq!(
            of((800, 600)),
            vk::Extent2D {
                width: 800,
                height: 600
            }
        );
        assert_eq!(of((9000, 600)).width, MAX.width);
        assert_eq!(of((0, 600)), vk::Extent2D::default());
    }

    #[test]
    fn a_format_we_know_is_picked_or_none() {
        let offered = |formats: &[vk::Format]| -> Vec<_> {
            let color_space = vk::ColorSpaceKHR::SRGB_NONLINEAR;
            formats
                .iter()
                .map(|&format| vk::SurfaceFormatKHR {
                    format,
                    color_space,
                })
                .collect()
        };
        let both = offered(&[vk::Format::B8G8R8A8_SRGB, vk::Format::R8G8B8A8_UNORM]);
        assert_eq!(
            pick_format(&both).map(|f| f.format),
            Some(vk::Format::R8G8B8A8_UNORM)
        );
        assert_eq!(
            pick_format(&offered(&[vk::Format::R5G6B5_UNORM_PACK16])),
            None
        );
    }
}
