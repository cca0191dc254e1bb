//! Choosing a device and opening it with what the library needs.

use std::ffi::{CStr, c_char};
use std::sync::Arc;

use ash::vk;
use serde::Serialize;

use super::{EngineError, Instance};
use crate::collide::Technique;
use crate::host::{
    Features, Host, Unsupported, check_support, enable_features, required_extensions,
    supported_extensions,
};

/// What a report says of the device.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceInfo {
    pub name: String,
    pub driver: String,
    /// `false` for Vulkan in software, whose times say nothing of a GPU.
    pub is_gpu: bool,
    /// The newest Vulkan version that the device knows: `1.3.238`.
    pub api: String,
    /// As the PCI registry counts them.
    pub vendor_id: u32,
    pub device_id: u32,
}

/// An open device with one queue.
pub struct Device {
    pub instance: Arc<Instance>,
    pub physical_device: vk::PhysicalDevice,
    pub handle: ash::Device,
    pub queue: vk::Queue,
    pub queue_family_ix: u32,
    pub info: DeviceInfo,
    pub pipeline_cache: vk::PipelineCache,
    /// Whether CPU and GPU clocks can be read together (`VK_EXT_calibrated_timestamps`).
    pub has_calibrated_timestamps: bool,
    /// Whether shader invocations can be counted (`pipelineStatisticsQuery`).
    pub has_pipeline_statistics: bool,
    /// Whether pipelines keep what the driver made of them (`VK_KHR_pipeline_executable_properties`).
    pub has_pipeline_executables: bool,
}

impl Device {
    /// Opens the best device, or the one that `wanted` names (part of its name, or its number), with all that the library can
    /// make use of.
    ///
    /// `surface`: what pictures will be shown on, if any.
    ///
    /// # Errors
    /// When there is none, none is called that, or it lacks something.
    pub fn open(
        instance: &Arc<Instance>,
        wanted: Option<&str>,
        surface: Option<(&ash::khr::surface::Instance, vk::SurfaceKHR)>,
    ) -> Result<Arc<Self>, EngineError> {
        let physical_device = pick(instance, wanted)?;
        // SAFETY: the device is the instance's.
        let mut extensions = unsafe { supported_extensions(&instance.handle, physical_device) };
        if tells_executables(&instance.handle, physical_device) {
            extensions.push(EXECUTABLES);
        }
        Self::open_with(instance, physical_device, extensions, surface)
    }

    /// As [`Device::open`], without a surface and with what the library requires alone.
    ///
    /// # Errors
    /// As those of [`Device::open`].
    pub fn open_bare(
        instance: &Arc<Instance>,
        wanted: Option<&str>,
    ) -> Result<Arc<Self>, EngineError> {
        let extensions = required_extensions().to_vec();
        Self::open_with(instance, pick(instance, wanted)?, extensions, None)
    }

    fn open_with(
        instance: &Arc<Instance>,
        physical_device: vk::PhysicalDevice,
        mut extensions: Vec<&CStr>,
        surface: Option<(&ash::khr::surface::Instance, vk::SurfaceKHR)>,
    ) -> Result<Arc<Self>, EngineError> {
        let info = describe(&instance.handle, physical_device);
        let queue_family_ix = find_queue_family(&instance.handle, physical_device, surface)
            .ok_or_else(|| EngineError::NoQueue(info.name.clone()))?;
        let has_calibrated_timestamps = has_extension(
            &instance.handle,
            physical_device,
            ash::ext::calibrated_timestamps::NAME,
        );
        extensions.extend(surface.map(|_| ash::khr::swapchain::NAME));
        extensions
            .extend(has_calibrated_timestamps.then_some(ash::ext::calibrated_timestamps::NAME));
        // SAFETY: the device is the instance's.
        let available = unsafe {
            instance
                .handle
                .get_physical_device_features(physical_device)
        };
        let mut features = Features::default();
        // The renderer draws, whatever the technique.
        features.v13.dynamic_rendering = vk::TRUE;
        enable_features(
            &mut features,
            most_demanding(&instance.handle, physical_device),
        );
        features.core.pipeline_statistics_query = available.pipeline_statistics_query;
        let handle = create(
            &instance.handle,
            physical_device,
            queue_family_ix,
            &extensions,
            features,
        )?;
        // SAFETY: the family has one queue, made above.
        let queue = unsafe { handle.get_device_queue(queue_family_ix, 0) };
        let mut device = Self {
            instance: Arc::clone(instance),
            physical_device,
            handle,
            queue,
            queue_family_ix,
            info,
            pipeline_cache: vk::PipelineCache::null(),
            has_calibrated_timestamps,
            has_pipeline_statistics: available.pipeline_statistics_query == vk::TRUE,
            has_pipeline_executables: extensions.contains(&EXECUTABLES),
        };
        // SAFETY: the device was made above.
        device.pipeline_cache = unsafe {
            let info = vk::PipelineCacheCreateInfo::default();
            device.handle.create_pipeline_cache(&info, None)
        }
        .map_err(EngineError::from_vk("pipeline cache"))?;
        Ok(Arc::new(device))
    }

    /// What the library is handed.
    pub fn host(&self, frames_in_flight: usize) -> Host<'_> {
        Host {
            instance: &self.instance.handle,
            physical_device: self.physical_device,
            device: &self.handle,
            queue_family_ix: self.queue_family_ix,
            shared_with: &[],
            allocator: None,
            pipeline_cache: self.pipeline_cache,
            frames_in_flight,
            debug_utils: self.instance.has_debug_utils(),
            pipeline_executables: self.has_pipeline_executables,
            features: None,
        }
    }

    /// Bits of the queue's timestamps; 0 when it has none.
    pub fn timestamp_valid_bits(&self) -> u32 {
        // SAFETY: the instance is alive.
        let families = unsafe {
            self.instance
                .handle
                .get_physical_device_queue_family_properties(self.physical_device)
        };
        families[self.queue_family_ix as usize].timestamp_valid_bits
    }

    /// Waits until the GPU has nothing to do.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn wait_idle(&self) -> Result<(), EngineError> {
        // SAFETY: the device is open, and its queue is used from one thread.
        unsafe { self.handle.device_wait_idle() }
            .map_err(EngineError::from_vk("waiting for the GPU"))
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: what was made on the device holds an Arc of it or was dropped by its owner before.
        unsafe {
            self.handle
                .destroy_pipeline_cache(self.pipeline_cache, None);
            self.handle.destroy_device(None);
        }
    }
}

fn pick(instance: &Instance, wanted: Option<&str>) -> Result<vk::PhysicalDevice, EngineError> {
    // SAFETY: the instance is alive.
    let mut devices = unsafe { instance.handle.enumerate_physical_devices() }
        .map_err(EngineError::from_vk("listing devices"))?;
    if devices.is_empty() {
        return Err(EngineError::NoDevice);
    }
    if let Some(wanted) = wanted {
        devices = named(&instance.handle, &devices, wanted)?;
    }
    devices.sort_by_key(|&device| std::cmp::Reverse(score(&instance.handle, device)));
    // SAFETY: the devices are the instance's.
    let usable = devices
        .iter()
        .find(|&&device| unsafe { check_support(&instance.handle, device, MIN) }.is_ok());
    match usable {
        Some(&device) => Ok(device),
        // SAFETY: as above.
        None => match unsafe { check_support(&instance.handle, devices[0], MIN) } {
            Err(reason) => Err(reason.into()),
            Ok(()) => Ok(devices[0]),
        },
    }
}

/// The technique that asks the least of a device.
const MIN: Technique = Technique::RadialCompute;

/// The technique that asks the most of what this device can do.
fn most_demanding(instance: &ash::Instance, device: vk::PhysicalDevice) -> Technique {
    // SAFETY: the device is the instance's.
    match unsafe { check_support(instance, device, Technique::Radial) } {
        Ok(()) => Technique::Radial,
        Err(_) => MIN,
    }
}

fn named(
    instance: &ash::Instance,
    devices: &[vk::PhysicalDevice],
    wanted: &str,
) -> Result<Vec<vk::PhysicalDevice>, EngineError> {
    let names: Vec<_> = devices
        .iter()
        .map(|&device| describe(instance, device).name)
        .collect();
    let lower = wanted.to_lowercase();
    let matching: Vec<_> = (0..devices.len())
        .filter(|&ix| wanted.parse() == Ok(ix) || names[ix].to_lowercase().contains(&lower))
        .map(|ix| devices[ix])
        .collect();
    if matching.is_empty() {
        let listed: Vec<_> = names
            .iter()
            .enumerate()
            .map(|(ix, name)| format!("{ix}: {name}"))
            .collect();
        return Err(EngineError::NoSuchDevice {
            wanted: wanted.to_owned(),
            available: listed.join(", "),
        });
    }
    Ok(matching)
}

/// Higher is better; Vulkan in software comes last but is never refused.
fn score(instance: &ash::Instance, device: vk::PhysicalDevice) -> u32 {
    // SAFETY: the device is the instance's.
    match unsafe { instance.get_physical_device_properties(device) }.device_type {
        vk::PhysicalDeviceType::DISCRETE_GPU => 4,
        vk::PhysicalDeviceType::INTEGRATED_GPU => 3,
        vk::PhysicalDeviceType::VIRTUAL_GPU => 2,
        vk::PhysicalDeviceType::CPU => 0,
        _ => 1,
    }
}

fn describe(instance: &ash::Instance, device: vk::PhysicalDevice) -> DeviceInfo {
    let mut driver = vk::PhysicalDeviceDriverProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
    // SAFETY: the device is the instance's.
    unsafe { instance.get_physical_device_properties2(device, &mut properties) };
    let core = properties.properties;
    let text = |text: Result<&CStr, _>| {
        text.map_or(String::new(), |text: &CStr| {
            text.to_string_lossy().into_owned()
        })
    };
    DeviceInfo {
        name: text(core.device_name_as_c_str()),
        driver: format!(
            "{} {}",
            text(driver.driver_name_as_c_str()),
            text(driver.driver_info_as_c_str())
        ),
        is_gpu: core.device_type != vk::PhysicalDeviceType::CPU,
        api: format!(
            "{}.{}.{}",
            vk::api_version_major(core.api_version),
            vk::api_version_minor(core.api_version),
            vk::api_version_patch(core.api_version)
        ),
        vendor_id: core.vendor_id,
        device_id: core.device_id,
    }
}

fn find_queue_family(
    instance: &ash::Instance,
    device: vk::PhysicalDevice,
    surface: Option<(&ash::khr::surface::Instance, vk::SurfaceKHR)>,
) -> Option<u32> {
    // SAFETY: the device is the instance's.
    let families = unsafe { instance.get_physical_device_queue_family_properties(device) };
    let needed = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
    (0..families.len() as u32).find(|&ix| {
        let can_show = surface.is_none_or(|(functions, surface)| {
            // SAFETY: surface and device belong to the same instance.
            unsafe { functions.get_physical_device_surface_support(device, ix, surface) }
                .unwrap_or(false)
        });
        families[ix as usize].queue_flags.contains(needed) && can_show
    })
}

fn has_extension(instance: &ash::Instance, device: vk::PhysicalDevice, wanted: &CStr) -> bool {
    // SAFETY: the device is the instance's.
    let extensions =
        unsafe { instance.enumerate_device_extension_properties(device) }.unwrap_or_default();
    extensions
        .iter()
        .any(|extension| extension.extension_name_as_c_str() == Ok(wanted))
}

const EXECUTABLES: &CStr = ash::khr::pipeline_executable_properties::NAME;

/// Whether the driver tells what it makes of pipelines.
fn tells_executables(instance: &ash::Instance, device: vk::PhysicalDevice) -> bool {
    let mut tells = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default();
    if has_extension(instance, device, EXECUTABLES) {
        let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut tells);
        // SAFETY: the device is the instance's, and has the extension.
        unsafe { instance.get_physical_device_features2(device, &mut features) };
    }
    tells.pipeline_executable_info == vk::TRUE
}

fn create(
    instance: &ash::Instance,
    device: vk::PhysicalDevice,
    queue_family_ix: u32,
    extensions: &[&CStr],
    mut features: Features,
) -> Result<ash::Device, EngineError> {
    let names: Vec<*const c_char> = extensions.iter().map(|name| name.as_ptr()).collect();
    let queues = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(queue_family_ix)
        .queue_priorities(&[1.0])];
    let mut core = vk::PhysicalDeviceFeatures2::default().features(features.core);
    let tells = u32::from(extensions.contains(&EXECUTABLES));
    let mut executables = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR {
        pipeline_executable_info: tells,
        ..Default::default()
    };
    let mut info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&names)
        .push_next(&mut core)
        .push_next(&mut features.v12)
        .push_next(&mut features.v13);
    if tells == vk::TRUE {
        info = info.push_next(&mut executables);
    }
    // SAFETY: the features and extensions were found on this device.
    unsafe { instance.create_device(device, &info, None) }.map_err(|result| match result {
        vk::Result::ERROR_FEATURE_NOT_PRESENT | vk::Result::ERROR_EXTENSION_NOT_PRESENT => {
            let device = describe(instance, device).name;
            Unsupported::Feature {
                device,
                missing: "a feature that it claims to have",
            }
            .into()
        }
        result => EngineError::from_vk("opening the device")(result),
    })
}
