//! One time for CPU and GPU.

use std::time::{Duration, Instant};

use ash::vk;

use super::Device;
use crate::gpu::ticks_to_ns;

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug)]
pub struct ClockReading {
    pub cpu: Instant,
    /// On the clock of [`StageTimes::spans`](crate::gpu::StageTimes::spans).
    pub gpu_ns: u64,
    /// How far `cpu` may be off.
    pub uncertainty: Duration,
}

/// Readings are taken until one was quick; the quickest counts.
const ATTEMPTS: usize = 8;

impl Device {
    /// Reads the GPU's clock between two readings of the CPU's (`VK_EXT_calibrated_timestamps`). None where the device
    /// cannot.
    pub fn read_clocks(&self) -> Option<ClockReading> {
        if !self.has_calibrated_timestamps {
            return None;
        }
        let (entry, instance) = (&self.instance.entry, &self.instance.handle);
        let domains = ash::ext::calibrated_timestamps::Instance::new(entry, instance);
        // SAFETY: the physical device is the instance's, and has the extension.
        let known =
            unsafe { domains.get_physical_device_calibrateable_time_domains(self.physical_device) };
        if !known.ok()?.contains(&vk::TimeDomainEXT::DEVICE) {
            return None;
        }
        let clocks = ash::ext::calibrated_timestamps::Device::new(instance, &self.handle);
        let readings = (0..ATTEMPTS).filter_map(|_| self.read_once(&clocks));
        readings.min_by_key(|reading| reading.uncertainty)
    }

    fn read_once(&self, clocks: &ash::ext::calibrated_timestamps::Device) -> Option<ClockReading> {
        let infos =
            [vk::CalibratedTimestampInfoEXT::default().time_domain(vk::TimeDomainEXT::DEVICE)];
        let before = Instant::now();
        // SAFETY: the device is open and has the extension.
        let read = unsafe { clocks.get_calibrated_timestamps(&infos) };
        let uncertainty = before.elapsed() / 2;
        let (ticks, _) = read.ok()?;
        Some(ClockReading {
            cpu: before + uncertainty,
            gpu_ns: ticks_to_ns(ticks[0] & self.timestamp_mask(), self.ns_per_tick()),
            uncertainty,
        })
    }

    fn timestamp_mask(&self) -> u64 {
        match self.timestamp_valid_bits() {
            0 => 0,
            bits => u64::MAX >> 64_u32.saturating_sub(bits),
        }
    }

    fn ns_per_tick(&self) -> f64 {
        // SAFETY: the physical device is the instance's.
        let properties = unsafe {
            self.instance
                .handle
                .get_physical_device_properties(self.physical_device)
        };
        f64::from(properties.limits.timestamp_period)
    }
}
