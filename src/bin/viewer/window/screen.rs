//! The window's pictures over time: taken, drawn, shown, and made anew when the window changes.

use std::sync::Arc;

use ash::vk;
use radial_fields::engine::{Device, EngineError};
use winit::window::Window;

use super::surface::Surface;
use super::swapchain::{Offer, SwapImage, Swapchain};

/// How long a picture is waited for. Some window systems give none while the window is hidden; events are heard between.
const PATIENCE_NS: u64 = 1_000_000_000;

/// A surface with its swapchain, if the window has pixels at the moment.
pub struct Screen {
    device: Arc<Device>,
    swapchain: Option<Swapchain>,
    surface: Option<Surface>,
    /// One per frame in flight: signalled when the picture may be drawn on.
    free: Vec<vk::Semaphore>,
    next_free: usize,
    is_stale: bool,
}

/// A picture to draw on.
#[derive(Clone, Copy)]
pub struct Canvas {
    pub image: vk::Image,
    pub view: vk::ImageView,
    pub extent: vk::Extent2D,
    pub format: vk::Format,
    /// To be waited for before drawing.
    pub free: vk::Semaphore,
    /// To be signalled when it is drawn.
    pub drawn: vk::Semaphore,
    pub can_copy: bool,
    ix: u32,
}

impl Screen {
    pub fn new(
        device: &Arc<Device>,
        surface: Surface,
        frames_in_flight: usize,
    ) -> Result<Self, EngineError> {
        let mut screen = Self {
            device: Arc::clone(device),
            swapchain: None,
            surface: Some(surface),
            free: Vec::new(),
            next_free: 0,
            is_stale: true,
        };
        for _ in 0..frames_in_flight {
            // SAFETY: the device is open.
            let made = unsafe {
                let info = vk::SemaphoreCreateInfo::default();
                device.handle.create_semaphore(&info, None)
            };
            screen
                .free
                .push(made.map_err(EngineError::from_vk("semaphore"))?);
        }
        Ok(screen)
    }

    /// The window changed its size: the next picture has it.
    pub fn resized(&mut self) {
        self.is_stale = true;
    }

    /// Makes what is stale anew and returns the format of the pictures; `None` while there is nothing to show them on.
    pub fn prepare(&mut self, window: &Window) -> anyhow::Result<Option<vk::Format>> {
        if self.is_stale || self.swapchain.is_none() {
            self.remake(window)?;
        }
        Ok(self.swapchain.as_ref().map(|swapchain| swapchain.format))
    }

    /// The next picture to draw on; `None` when the window changed under our hands, and the next frame tries again.
    ///
    /// The frame before last has finished, as [`Frames::begin`](radial_fields::engine::Frames::begin) sees to: its
    /// semaphore is free again.
    pub fn acquire(&mut self) -> Result<Option<Canvas>, EngineError> {
        let Some(swapchain) = &self.swapchain else {
            return Ok(None);
        };
        let free = self.free[self.next_free];
        // SAFETY: the semaphore is not in use, and the swapchain is alive.
        let acquired = unsafe {
            swapchain.functions.acquire_next_image(
                swapchain.handle,
                PATIENCE_NS,
                free,
                vk::Fence::null(),
            )
        };
        match acquired {
            Ok((ix, is_suboptimal)) => {
                self.is_stale |= is_suboptimal;
                self.next_free = (self.next_free + 1) % self.free.len();
                let canvas = canvas(swapchain, ix, free);
                Ok(Some(canvas))
            }
            Err(result) => self.tolerate(result).map(|()| None),
        }
    }

    /// Shows the picture, once it is drawn.
    pub fn present(&mut self, canvas: &Canvas) -> Result<(), EngineError> {
        let Some(swapchain) = &self.swapchain else {
            return Ok(());
        };
        let (swapchains, drawn, ixs) = ([swapchain.handle], [canvas.drawn], [canvas.ix]);
        let info = vk::PresentInfoKHR::default()
            .wait_semaphores(&drawn)
            .swapchains(&swapchains)
            .image_indices(&ixs);
        // SAFETY: the image was acquired from this swapchain and its drawing submitted.
        let presented = unsafe { swapchain.functions.queue_present(self.device.queue, &info) };
        match presented {
            Ok(is_suboptimal) => {
                self.is_stale |= is_suboptimal;
                Ok(())
            }
            Err(result) => self.tolerate(result),
        }
    }

    fn tolerate(&mut self, result: vk::Result) -> Result<(), EngineError> {
        match remedy(result) {
            Remedy::NewSwapchain => self.is_stale = true,
            Remedy::NewSurface => self.lose_surface()?,
            Remedy::Patience => {}
            Remedy::None => return Err(EngineError::from_vk("showing a picture")(result)),
        }
        Ok(())
    }

    fn lose_surface(&mut self) -> Result<(), EngineError> {
        self.device.wait_idle()?;
        self.swapchain = None;
        self.surface = None;
        self.is_stale = true;
        Ok(())
    }

    fn remake(&mut self, window: &Window) -> anyhow::Result<()> {
        self.device.wait_idle()?;
        if self.surface.is_none() {
            self.surface = Some(Surface::new(&self.device.instance, window)?);
        }
        let Some(surface) = &self.surface else {
            return Ok(());
        };
        let size = window.inner_size();
        let old = self.swapchain.take();
        let made = Offer::of(&self.device, surface, (size.width, size.height)).and_then(|offer| {
            offer
                .map(|offer| Swapchain::new(&self.device, surface, &offer, old))
                .transpose()
        });
        match made {
            Ok(swapchain) => {
                self.is_stale = false;
                self.swapchain = swapchain;
            }
            Err(result) => self.tolerate(result)?,
        }
        Ok(())
    }
}

fn canvas(swapchain: &Swapchain, ix: u32, free: vk::Semaphore) -> Canvas {
    let SwapImage { image, view, drawn } = swapchain.images[ix as usize];
    Canvas {
        image,
        view,
        extent: swapchain.extent,
        format: swapchain.format,
        free,
        drawn,
        can_copy: swapchain.can_copy,
        ix,
    }
}

/// What helps when a picture could not be had or shown.
#[derive(Debug, PartialEq, Eq)]
enum Remedy {
    NewSwapchain,
    NewSurface,
    /// The next frame tries again.
    Patience,
    None,
}

fn remedy(result: vk::Result) -> Remedy {
    match result {
        vk::Result::ERROR_OUT_OF_DATE_KHR => Remedy::NewSwapchain,
        vk::Result::NOT_READY | vk::Result::TIMEOUT => Remedy::Patience,
        vk::Result::ERROR_SURFACE_LOST_KHR | vk::Result::ERROR_NATIVE_WINDOW_IN_USE_KHR => {
            Remedy::NewSurface
        }
        _ => Remedy::None,
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A lost device is idle too, and there is nothing to be done about it here.
        let _ = self.device.wait_idle();
        for &semaphore in &self.free {
            // SAFETY: the GPU is idle.
            unsafe { self.device.handle.destroy_semaphore(semaphore, None) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_changes_is_followed_and_a_lost_device_is_the_end() {
        assert_eq!(
            remedy(vk::Result::ERROR_OUT_OF_DATE_KHR),
            Remedy::NewSwapchain
        );
        assert_eq!(
            remedy(vk::Result::ERROR_SURFACE_LOST_KHR),
            Remedy::NewSurface
        );
        assert_eq!(remedy(vk::Result::TIMEOUT), Remedy::Patience);
        assert_eq!(remedy(vk::Result::ERROR_DEVICE_LOST), Remedy::None);
        let lost = EngineError::from_vk("showing a picture")(vk::Result::ERROR_DEVICE_LOST);
        assert!(matches!(lost, EngineError::DeviceLost));
    }
}
