//! What the window lets Vulkan show pictures on.

use std::sync::Arc;

use anyhow::Context as _;
use ash::vk;
use radial_fields::engine::{EngineError, Instance};
use raw_window_handle::{HasDisplayHandle as _, HasWindowHandle as _};
use winit::window::Window;

/// A window's surface. It goes before the window and the instance do.
pub struct Surface {
    pub functions: ash::khr::surface::Instance,
    pub handle: vk::SurfaceKHR,
}

impl Surface {
    pub fn new(instance: &Arc<Instance>, window: &Window) -> anyhow::Result<Self> {
        let hint = "the window cannot show pictures of Vulkan";
        let display = window.display_handle().context(hint)?.as_raw();
        let raw_window = window.window_handle().context(hint)?.as_raw();
        // SAFETY: the handles are the window's, which outlives the surface by its owner's care.
        let handle = unsafe {
            ash_window::create_surface(&instance.entry, &instance.handle, display, raw_window, None)
        };
        Ok(Self {
            functions: ash::khr::surface::Instance::new(&instance.entry, &instance.handle),
            handle: handle.map_err(EngineError::from_vk(hint))?,
        })
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        // SAFETY: its swapchain is gone, as its owner sees to.
        unsafe { self.functions.destroy_surface(self.handle, None) };
    }
}
