//! The device that everything is measured on.

use std::ffi::CStr;
use std::sync::Arc;

use radial_fields::engine::{Device, Instance, InstanceDesc, Validation};
use radial_fields::remark;

use crate::Verdict;
use crate::cli::DeviceFlags;

/// A device that is open.
pub struct Opened {
    pub device: Arc<Device>,
    instance: Arc<Instance>,
}

impl Opened {
    /// Opens what the flags ask for, and says which it is.
    pub fn new(application: &'static CStr, flags: &DeviceFlags) -> anyhow::Result<Self> {
        let instance = Instance::new(&InstanceDesc {
            application,
            validation: Validation::wanted(flags.validate),
            extensions: &[],
        })?;
        let device = Device::open(&instance, flags.gpu.as_deref(), None)?;
        remark!("bench: {} ({})", device.info.name, device.info.driver);
        Ok(Self { device, instance })
    }

    /// What a run found whose results are sound or not.
    pub fn verdict(&self, is_sound: bool) -> Verdict {
        Verdict::of(is_sound, &self.instance)
    }
}
