//! What an engine hands over, what it must have switched on, and who waits for whom.
//!
//! The library never creates a device, submits, waits or makes a queue. It records into a command buffer of the host's, on
//! a queue family with graphics and compute, and owns nothing but its own buffers and pipelines.
//!
//! # Synchronisation
//!
//! | what | when | where |
//! |---|---|---|
//! | nothing of the host's is read | | the palettes are copied while [`record`](crate::World::record) runs |
//! | our buffers, as written by the frame before | before | [`record`](crate::World::record) waits for the host's reads of them in vertex input, vertex, fragment, compute and transfer stages of earlier submissions to the same queue |
//! | cloth and skin positions and normals | after | visible as vertex buffers, to storage reads in vertex, fragment and compute shaders and to transfers, in the same queue |
//! | bound pipeline, push descriptors, push constants, viewport and scissor | after | clobbered, for graphics and compute |
//! | the frame `frames_in_flight` before this one | before | must have finished: the host waited for its fence |

use std::ffi::CStr;
use std::sync::{Arc, Mutex};

use ash::vk;
use gpu_allocator::vulkan::Allocator;

/// A device and what goes with it.
pub struct Host<'a> {
    pub instance: &'a ash::Instance,
    pub physical_device: vk::PhysicalDevice,
    /// Made with [`required_extensions`] and the features that [`enable_features`] sets.
    pub device: &'a ash::Device,
    /// A family with graphics and compute, whose queue will get the command buffers.
    pub queue_family_ix: u32,
    /// An allocator to share, or `None` for one of our own.
    pub allocator: Option<Arc<Mutex<Allocator>>>,
    /// May be null.
    pub pipeline_cache: vk::PipelineCache,
    /// How many frames the host lets the GPU fall behind; usually 2.
    pub frames_in_flight: usize,
    /// Whether the instance has `VK_EXT_debug_utils`: then every object and pass carries a name.
    pub debug_utils: bool,
}

/// Device extensions that must be enabled.
pub fn required_extensions() -> &'static [&'static CStr] {
    &[ash::khr::push_descriptor::NAME]
}

/// Device features in the structs that Vulkan 1.3 keeps them in.
#[derive(Clone, Copy, Default)]
pub struct Features {
    pub core: vk::PhysicalDeviceFeatures,
    pub v12: vk::PhysicalDeviceVulkan12Features<'static>,
    pub v13: vk::PhysicalDeviceVulkan13Features<'static>,
}

/// Switches on what the library needs, on top of what the host wants for itself.
pub fn enable_features(features: &mut Features) {
    features.core.fragment_stores_and_atomics = vk::TRUE;
    features.v12.scalar_block_layout = vk::TRUE;
    features.v13.maintenance4 = vk::TRUE;
    features.v13.dynamic_rendering = vk::TRUE;
    features.v13.synchronization2 = vk::TRUE;
}

/// Why a device cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Unsupported {
    /// Vulkan itself is too old.
    #[error(
        "{device} has Vulkan {major}.{minor}; 1.3 is needed: update its driver or choose another with --gpu"
    )]
    Version {
        device: String,
        major: u32,
        minor: u32,
    },
    /// A feature or an extension is missing.
    #[error("{device} lacks {missing}: update its driver or choose another device with --gpu")]
    Feature {
        device: String,
        missing: &'static str,
    },
}

/// Checks that a physical device has what the library needs.
///
/// # Errors
/// The first thing it lacks.
///
/// # Safety
/// `physical_device` must be one of `instance`'s.
pub unsafe fn check_support(
    instance: &ash::Instance,
    physical_device: vk::PhysicalDevice,
) -> Result<(), Unsupported> {
    // SAFETY: the caller's promise.
    let properties = unsafe { instance.get_physical_device_properties(physical_device) };
    let device = properties
        .device_name_as_c_str()
        .map_or("the device".into(), |name| {
            name.to_string_lossy().into_owned()
        });
    let (major, minor) = (
        vk::api_version_major(properties.api_version),
        vk::api_version_minor(properties.api_version),
    );
    if (major, minor) < (1, 3) {
        return Err(Unsupported::Version {
            device,
            major,
            minor,
        });
    }
    // SAFETY: the caller's promise; the device has Vulkan 1.3.
    let missing = unsafe { missing_feature(instance, physical_device) };
    missing.map_or(Ok(()), |missing| {
        Err(Unsupported::Feature { device, missing })
    })
}

unsafe fn missing_feature(
    instance: &ash::Instance,
    physical_device: vk::PhysicalDevice,
) -> Option<&'static str> {
    let (mut v12, mut v13) = (
        vk::PhysicalDeviceVulkan12Features::default(),
        vk::PhysicalDeviceVulkan13Features::default(),
    );
    let mut features = vk::PhysicalDeviceFeatures2::default()
        .push_next(&mut v12)
        .push_next(&mut v13);
    // SAFETY: the caller's promise.
    unsafe { instance.get_physical_device_features2(physical_device, &mut features) };
    let core = features.features;
    // SAFETY: the caller's promise.
    let extensions = unsafe { instance.enumerate_device_extension_properties(physical_device) }
        .unwrap_or_default();
    let has = |wanted: &CStr| {
        extensions
            .iter()
            .any(|known| known.extension_name_as_c_str() == Ok(wanted))
    };
    let needed = [
        (
            core.fragment_stores_and_atomics == vk::TRUE,
            "the feature fragmentStoresAndAtomics",
        ),
        (
            v12.scalar_block_layout == vk::TRUE,
            "the feature scalarBlockLayout",
        ),
        (v13.maintenance4 == vk::TRUE, "the feature maintenance4"),
        (
            v13.dynamic_rendering == vk::TRUE,
            "the feature dynamicRendering",
        ),
        (
            v13.synchronization2 == vk::TRUE,
            "the feature synchronization2",
        ),
        (
            has(ash::khr::push_descriptor::NAME),
            "the extension VK_KHR_push_descriptor",
        ),
    ];
    needed
        .iter()
        .find(|(present, _)| !present)
        .map(|(_, name)| *name)
}
