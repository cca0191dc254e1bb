//! The host's handles, and what its device must have.

use std::ffi::{CStr, c_char};

use ash::vk::{
    Device as VkDevice, Instance as VkInstance, PhysicalDevice as VkPhysicalDevice,
    PhysicalDeviceFeatures as VkPhysicalDeviceFeatures,
    PhysicalDeviceVulkan12Features as VkPhysicalDeviceVulkan12Features,
    PhysicalDeviceVulkan13Features as VkPhysicalDeviceVulkan13Features,
    PipelineCache as VkPipelineCache,
};

use super::border::{Failure, RfResult, Versioned, given_mut, guard, list, read};
use super::world::technique_of;
use crate::WorldError;
use crate::host::{
    Features, Host, HostError, check_support, enable_features, optional_extensions,
    required_extensions,
};

/// Vulkan's own, from the loader.
#[expect(non_camel_case_types, reason = "vulkan.h spells it so")]
pub type PFN_vkGetInstanceProcAddr = Option<ash::vk::PFN_vkGetInstanceProcAddr>;

/// A device and what goes with it. The device must have the extensions of rf_required_extension and the features that
/// rf_enable_features sets, and outlive every world made on it. It is better made with those of rf_optional_extension that it has.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfHost {
    /// `sizeof(RfHost)`.
    pub struct_size: u32,
    /// Whose queue will get the command buffers: a family with graphics and compute, or, if the technique does not draw, with
    /// compute alone.
    pub queue_family_index: u32,
    pub get_instance_proc_addr: PFN_vkGetInstanceProcAddr,
    /// Made for Vulkan 1.3 or newer, as its `VkApplicationInfo::apiVersion` says.
    pub instance: VkInstance,
    pub physical_device: VkPhysicalDevice,
    pub device: VkDevice,
    /// May be null. Outlives the world, as all handles do: edits make pipelines too.
    pub pipeline_cache: VkPipelineCache,
    /// How many frames the GPU may fall behind; usually 2.
    pub frames_in_flight: u32,
    /// Not 0 when the instance has `VK_EXT_debug_utils`: then every object and pass carries a name.
    pub has_debug_utils: u32,
    /// How many other families have queues that read the world's buffers, usually 0.
    pub shared_with_count: u32,
    pub reserved: u32,
    /// Those families: the buffers are then shared among them.
    pub shared_with: *const u32,
}

// SAFETY: as it says: handles and function pointers may be null.
unsafe impl Versioned for RfHost {
    const MIN_BYTES: usize = std::mem::offset_of!(Self, shared_with_count);
}

/// A host with the functions of its handles.
pub(super) struct LoadedHost {
    host: RfHost,
    instance: ash::Instance,
    device: ash::Device,
    shared_with: Vec<u32>,
}

impl LoadedHost {
    /// Loads the functions.
    ///
    /// # Safety
    /// The pointer must be null or valid, and so must its handles.
    pub unsafe fn new(host: *const RfHost) -> Result<Self, Failure> {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let host = read(host, "host")?;
            let instance = load_instance(host.get_instance_proc_addr, host.instance)?;
            if host.device == VkDevice::null() {
                return Err(null("device"));
            }
            let device = ash::Device::load(instance.fp_v1_0(), host.device);
            let count = host.shared_with_count as usize;
            let shared_with = list(host.shared_with, count, "shared_with")?.to_vec();
            Ok(Self {
                host,
                instance,
                device,
                shared_with,
            })
        }
    }

    pub fn host(&self) -> Host<'_> {
        Host {
            instance: &self.instance,
            physical_device: self.host.physical_device,
            device: &self.device,
            queue_family_ix: self.host.queue_family_index,
            shared_with: &self.shared_with,
            allocator: None,
            pipeline_cache: self.host.pipeline_cache,
            frames_in_flight: self.host.frames_in_flight as usize,
            debug_utils: self.host.has_debug_utils != 0,
            pipeline_executables: false,
            features: None,
        }
    }
}

fn null(what: &'static str) -> Failure {
    Failure::invalid(HostError::NullHandle { what }.to_string())
}

unsafe fn load_instance(
    get_instance_proc_addr: PFN_vkGetInstanceProcAddr,
    instance: VkInstance,
) -> Result<ash::Instance, Failure> {
    let get_instance_proc_addr =
        get_instance_proc_addr.ok_or_else(|| null("get_instance_proc_addr"))?;
    if instance == VkInstance::null() {
        return Err(null("instance"));
    }
    let functions = ash::StaticFn {
        get_instance_proc_addr,
    };
    // What asks for features. SAFETY: guaranteed by the caller.
    let newer =
        unsafe { get_instance_proc_addr(instance, c"vkGetPhysicalDeviceFeatures2".as_ptr()) };
    if newer.is_none() {
        let missing = "vkGetPhysicalDeviceFeatures2";
        return Err(WorldError::Host(HostError::OldInstance { missing }).into());
    }
    // SAFETY: as above.
    Ok(unsafe { ash::Instance::load(&functions, instance) })
}

/// The version of the library: major << 22 | minor << 12 | patch, as Vulkan counts.
#[unsafe(no_mangle)]
pub extern "C" fn rf_version() -> u32 {
    let part = |text: &str| text.parse().unwrap_or(0);
    ash::vk::make_api_version(
        0,
        part(env!("CARGO_PKG_VERSION_MAJOR")),
        part(env!("CARGO_PKG_VERSION_MINOR")),
        part(env!("CARGO_PKG_VERSION_PATCH")),
    )
}

/// The device extensions that must be enabled: names for indices from 0 on, NULL past the last. At present there are none.
#[unsafe(no_mangle)]
pub extern "C" fn rf_required_extension(index: u32) -> *const c_char {
    name_at(required_extensions(), index)
}

/// The device extensions to enable where the physical device has them, and done without where not: names for indices from 0 on,
/// NULL past the last. Without VK_KHR_push_descriptor passes get descriptor sets, from pools of the library's own.
#[unsafe(no_mangle)]
pub extern "C" fn rf_optional_extension(index: u32) -> *const c_char {
    name_at(optional_extensions(), index)
}

fn name_at(names: &[&CStr], index: u32) -> *const c_char {
    let name = names.get(index as usize);
    name.map_or(std::ptr::null(), |name| name.as_ptr())
}

/// Switches on what worlds of a technique need, on top of what the host wants for itself. The rest is left as it is.
/// `technique` is as in rf_world_create.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_enable_features(
    core: *mut VkPhysicalDeviceFeatures,
    vulkan12: *mut VkPhysicalDeviceVulkan12Features<'static>,
    vulkan13: *mut VkPhysicalDeviceVulkan13Features<'static>,
    technique: *const c_char,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (core, v12, v13) = unsafe {
            (
                given_mut(core, "core")?,
                given_mut(vulkan12, "vulkan12")?,
                given_mut(vulkan13, "vulkan13")?,
            )
        };
        let mut features = Features {
            core: *core,
            v12: *v12,
            v13: *v13,
        };
        // SAFETY: as above.
        enable_features(&mut features, unsafe { technique_of(technique)? });
        (*core, *v12, *v13) = (features.core, features.v12, features.v13);
        Ok(())
    })
}

/// Checks that a physical device has what worlds of a technique need. `technique` is as in rf_world_create.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_check_support(
    get_instance_proc_addr: PFN_vkGetInstanceProcAddr,
    instance: VkInstance,
    physical_device: VkPhysicalDevice,
    technique: *const c_char,
) -> RfResult {
    guard(|| {
        if physical_device == VkPhysicalDevice::null() {
            return Err(null("physical_device"));
        }
        // SAFETY: guaranteed by the caller.
        unsafe {
            let instance = load_instance(get_instance_proc_addr, instance)?;
            let technique = technique_of(technique)?;
            Ok(check_support(&instance, physical_device, technique)?)
        }
    })
}
