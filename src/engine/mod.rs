//! A small host of our own, for the viewer, the bench and the tests: an instance, a device, frames in flight.
//!
//! It meets the library only through the public API, as any engine would; nothing left of it knows that it exists.

mod clock;
pub mod console;
mod device;
mod frames;
mod identity;
mod immediate;
mod instance;
mod offscreen;
pub mod output;
mod readback;
pub mod trace;
pub mod traced;
mod watch;

pub use clock::ClockReading;
pub use device::{Device, DeviceInfo};
pub use frames::{Frames, Submission};
pub use identity::{Identity, command_line};
pub use immediate::Immediate;
pub use instance::{Instance, InstanceDesc, Validation, ValidationCounts};
pub use offscreen::Offscreen;
pub use readback::Readback;
pub use watch::Watch;

use ash::vk;

/// Why the engine did not start or stopped.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// There is no Vulkan loader.
    #[error(
        "Vulkan was not found ({0}): install a GPU driver, or on Debian and Ubuntu `apt-get install libvulkan1 mesa-vulkan-drivers`"
    )]
    NoVulkan(String),
    /// The loader is there but refuses.
    #[error(
        "Vulkan did not start: {0}: install a GPU driver, or on Debian and Ubuntu `apt-get install mesa-vulkan-drivers`"
    )]
    NoInstance(vk::Result),
    /// `--validate` without the layer.
    #[error(
        "the Vulkan validation layer is not installed: on Debian and Ubuntu `apt-get install vulkan-validationlayers`, or leave --validate out"
    )]
    NoValidationLayer,
    /// No device at all.
    #[error(
        "Vulkan has no device: install a GPU driver, or on Debian and Ubuntu `apt-get install mesa-vulkan-drivers`"
    )]
    NoDevice,
    /// `--gpu` names none of them.
    #[error("no device is called {wanted:?}; there are: {available}")]
    NoSuchDevice { wanted: String, available: String },
    /// None of the devices will do; the best one's reason.
    #[error(transparent)]
    Unsupported(#[from] crate::host::Unsupported),
    /// The device has no queue that can do all that is needed.
    #[error(
        "{0} has no queue with graphics and compute that can show pictures here: choose another device with --gpu"
    )]
    NoQueue(String),
    /// The system or the device has no memory left.
    #[error(
        "{what}: no memory is left ({result}): close other programs, or choose a smaller scene"
    )]
    NoRoom {
        what: &'static str,
        result: vk::Result,
    },
    /// A call failed later on.
    #[error("{what}: {result}")]
    Vulkan {
        what: &'static str,
        result: vk::Result,
    },
    /// The device was lost.
    #[error(
        "the GPU stopped answering (device lost): restart, and update the driver if it happens again"
    )]
    DeviceLost,
    #[error(transparent)]
    Gpu(#[from] crate::gpu::GpuError),
    /// A world does not record what it is given.
    #[error(transparent)]
    Record(#[from] crate::world::RecordError),
}

impl EngineError {
    /// Turns a failed call into an error.
    pub fn from_vk(what: &'static str) -> impl FnOnce(vk::Result) -> Self {
        move |result| match result {
            vk::Result::ERROR_DEVICE_LOST => Self::DeviceLost,
            vk::Result::ERROR_OUT_OF_HOST_MEMORY | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => {
                Self::NoRoom { what, result }
            }
            result => Self::Vulkan { what, result },
        }
    }
}
