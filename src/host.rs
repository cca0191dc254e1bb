//! What an engine provides, what it must have enabled, and who waits for whom.
//!
//! The library never creates a device, submits, waits or makes a queue. It records into the host's command buffer, and
//! owns nothing but its own buffers, pipelines, descriptor pools and query pools.
//!
//! # Synchronisation
//!
//! All work is recorded into the host's command buffer and runs in the order it was submitted in, on one queue. Its family
//! has graphics and compute, or compute alone: see below.
//!
//! | what | when | where |
//! |---|---|---|
//! | the host's palettes | | are copied while [`record`](crate::World::record) runs: nothing to wait for |
//! | the host's skinned positions, if it provides them | before | the host makes them visible to storage reads of compute shaders (`COMPUTE_SHADER`, `SHADER_STORAGE_READ`), and lets them be until the frame is over |
//! | the host's bones, if they come in a buffer ([`HostBones`](crate::HostBones)) | before | likewise; of every step of the frame |
//! | the frame that was recorded `frames_in_flight` calls ago | before | must have finished: the host waited for its fence |
//! | our buffers, as the frame before wrote them | before | [`record`](crate::World::record) waits for the host's reads of them in vertex input, vertex, fragment, compute and transfer stages of earlier submissions to the same queue |
//! | positions and normals of cloth and skin | after | visible as vertex buffers, to storage reads in vertex, fragment and compute shaders and to copies, to whatever follows on the same queue; written nowhere but in the next call |
//! | which buffers hold them | after | positions swap between two buffers with every step, and an edit makes new ones: ask for the handles after each call |
//! | bound pipelines, descriptors of set 0, push constants, viewport and scissor | after | clobbered, for graphics and compute |
//! | open labels, render passes, queries, event and everything else of the command buffer | after | as they were |
//! | the old buffers after an edit | after | live until the frame recorded `frames_in_flight` calls later is recorded |
//!
//! [`World`](crate::World) can be sent to another thread, and recorded there while the host records elsewhere. A call is
//! made from one thread at a time, as the command buffer's pool demands. Secondary command buffers will do, outside a render
//! pass as well.
//!
//! # Push descriptors
//!
//! No device extension is required. With `VK_KHR_push_descriptor` what a pass binds is pushed into the command buffer. A device
//! that was made without it, because it lacks it (SwiftShader, some mobile devices) or because the host did not ask, gets a descriptor
//! set for each pass instead, from pools that the world keeps for each frame in flight: the same passes, the same results. Pools
//! are made with the world, and in a frame that binds more than any before it. [`supported_extensions`] says what to enable.
//!
//! # Asynchronous compute
//!
//! A world whose [`Technique`] does not draw, which are all but [`Technique::Radial`], may be recorded for a family with
//! compute alone, named in [`Host::queue_family_ix`], and so run beside what the host draws. No barrier then names a stage
//! that such a queue does not have. The families that read its buffers are named in [`Host::shared_with`]; our buffers are
//! shared among them all, so that no ownership has to be transferred. Between the queues the host puts semaphores, which
//! take the place of the table's lines on what is drawn:
//!
//! | what | when | where |
//! |---|---|---|
//! | positions and normals of cloth and skin | after | the submission with our command buffer signals a semaphore (`COMPUTE_SHADER`, `TRANSFER`), and the host's draw waits for it in the stages that read |
//! | the host's reads of them | before | the draw signals a semaphore, and the submission with the next call waits for it (`COMPUTE_SHADER`, `TRANSFER`) |
//! | the host's skinned positions and its buffer of bones, if it provides them | before | written on our queue, or on another with a semaphore between; the buffer is shared with our family, or transferred to it |
//!
//! # What is checked, and what is not
//!
//! A host that will not do gets a [`HostError`], input that does not fit a [`RecordError`](crate::RecordError); each says
//! what to change. Vulkan tells nothing of some mistakes, so that only its validation layer finds them: a device that was not
//! made from the physical device, a command buffer that is not recording, is inside a render pass, or comes from another
//! family's pool, a host buffer that is shorter than stated, and barriers or semaphores that are missing.

use std::ffi::CStr;
use std::sync::{Arc, Mutex};

use ash::vk;
use ash::vk::Handle;
use gpu_allocator::vulkan::Allocator;

use crate::collide::Technique;
use crate::gpu::{GpuDesc, QueueKind};

/// A device and what goes with it.
pub struct Host<'a> {
    /// Made for Vulkan 1.3 or newer, as its `VkApplicationInfo::apiVersion` says.
    pub instance: &'a ash::Instance,
    pub physical_device: vk::PhysicalDevice,
    /// Made with [`required_extensions`] and the features that [`enable_features`] sets; better with [`supported_extensions`].
    pub device: &'a ash::Device,
    /// Whose queue will get the command buffers: a family with graphics and compute, or, if the technique does not draw,
    /// with compute alone.
    pub queue_family_ix: u32,
    /// Other families whose queues read our buffers, usually none: the buffers are then `CONCURRENT` among them all.
    pub shared_with: &'a [u32],
    /// An allocator to share, or `None` for one of our own.
    pub allocator: Option<Arc<Mutex<Allocator>>>,
    /// May be null. Outlives the world, as all handles do: edits make pipelines too.
    pub pipeline_cache: vk::PipelineCache,
    /// How many frames the host lets the GPU fall behind; usually 2.
    pub frames_in_flight: usize,
    /// Whether the instance has `VK_EXT_debug_utils`: then every object and pass carries a name.
    pub debug_utils: bool,
    /// Whether the device was made with `VK_KHR_pipeline_executable_properties` and its feature, and pipelines are to keep what the driver
    /// says of them, for [`Gpu::pipeline_executables`](crate::gpu::Gpu::pipeline_executables). Usually not.
    pub pipeline_executables: bool,
    /// The features that the device was made with, to be checked; Vulkan itself does not tell. `None` takes them on trust.
    pub features: Option<&'a Features>,
}

/// What is known of the queue that a host records for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue {
    pub kind: QueueKind,
    /// 0 when it has no timestamps.
    pub timestamp_valid_bits: u32,
}

/// A host that will not do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// What was never set.
    #[error("the host's {what} is null")]
    NullHandle { what: &'static str },
    /// Handles of two instances do not mix.
    #[error(
        "the physical device is not one of the instance's: hand over the instance that the device was made with"
    )]
    ForeignPhysicalDevice,
    /// An index past the last.
    #[error(
        "the device has no queue family {queue_family_ix}: it has {family_count}, counted from 0"
    )]
    NoSuchQueueFamily {
        queue_family_ix: u32,
        family_count: usize,
    },
    /// A family for copies or for video.
    #[error("queue family {queue_family_ix} cannot compute: record for one that can")]
    WrongQueueFamily { queue_family_ix: u32 },
    /// A family for compute, and a technique that draws.
    #[error(
        "queue family {queue_family_ix} computes but does not draw, as the technique {} does: record for a family with \
         graphics, or choose the technique radial_compute",
        .technique.name()
    )]
    NoGraphics {
        queue_family_ix: u32,
        technique: Technique,
    },
    /// A frame needs buffers to write to.
    #[error("frames_in_flight is 0: say how many frames the GPU may fall behind, usually 2")]
    NoFramesInFlight,
    /// The device could, but was not asked to.
    #[error("the device was made without {missing}: switch it on with host::enable_features")]
    FeatureOff { missing: &'static str },
    /// Without what Vulkan 1.3 added, although the physical device has it.
    #[error(
        "the device has no {missing}: make the instance for Vulkan 1.3 (VkApplicationInfo::apiVersion), and the device with it"
    )]
    OldInstance { missing: &'static str },
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
}

/// What is called of what Vulkan 1.3 added.
const NEW_COMMANDS: [&CStr; 4] = [
    c"vkCmdPipelineBarrier2",
    c"vkCmdWriteTimestamp2",
    c"vkCmdBeginRendering",
    c"vkGetDeviceBufferMemoryRequirements",
];

impl Host<'_> {
    /// Checks what can be checked for a world that collides by `technique`, and returns what is known of the queue.
    ///
    /// # Safety
    /// The handles that are not null must be valid.
    pub(crate) unsafe fn check(&self, technique: Technique) -> Result<Queue, HostError> {
        self.check_handles()?;
        // SAFETY: the instance is not null, and valid, as the caller guarantees.
        let known = unsafe { self.instance.enumerate_physical_devices() }.unwrap_or_default();
        if !known.contains(&self.physical_device) {
            return Err(HostError::ForeignPhysicalDevice);
        }
        // SAFETY: neither is null, and both are valid, as the caller guarantees.
        unsafe { self.check_commands()? };
        // SAFETY: the physical device is the instance's.
        unsafe { check_support(self.instance, self.physical_device, technique)? };
        self.check_features(technique)?;
        if self.frames_in_flight == 0 {
            return Err(HostError::NoFramesInFlight);
        }
        self.check_queue_family(technique)
    }

    fn check_handles(&self) -> Result<(), HostError> {
        let nulls = [
            (self.instance.handle().is_null(), "instance"),
            (self.physical_device.is_null(), "physical device"),
            (self.device.handle().is_null(), "device"),
        ];
        match nulls.iter().find(|(is_null, _)| *is_null) {
            Some(&(_, what)) => Err(HostError::NullHandle { what }),
            None => Ok(()),
        }
    }

    /// An instance that was made for an older Vulkan has devices without newer commands.
    unsafe fn check_commands(&self) -> Result<(), HostError> {
        let (instance, device) = (self.instance, self.device.handle());
        let is_missing = |name: &&CStr| {
            // SAFETY: the caller's promise; the name ends with a zero.
            unsafe { instance.get_device_proc_addr(device, name.as_ptr()) }.is_none()
        };
        match NEW_COMMANDS.iter().find(|name| is_missing(name)) {
            None => Ok(()),
            Some(name) => Err(HostError::OldInstance {
                missing: name.to_str().unwrap_or("command of Vulkan 1.3"),
            }),
        }
    }

    fn check_features(&self, technique: Technique) -> Result<(), HostError> {
        let missing = self.features.and_then(|features| {
            let needed = features.needed(technique);
            needed.into_iter().find(|(is_on, _)| !is_on)
        });
        match missing {
            Some((_, missing)) => Err(HostError::FeatureOff { missing }),
            None => Ok(()),
        }
    }

    fn check_queue_family(&self, technique: Technique) -> Result<Queue, HostError> {
        // SAFETY: the physical device is the instance's.
        let families = unsafe {
            self.instance
                .get_physical_device_queue_family_properties(self.physical_device)
        };
        let find = |queue_family_ix: u32| {
            let family = families.get(queue_family_ix as usize);
            family.ok_or(HostError::NoSuchQueueFamily {
                queue_family_ix,
                family_count: families.len(),
            })
        };
        for &other_ix in self.shared_with {
            find(other_ix)?;
        }
        let queue_family_ix = self.queue_family_ix;
        let family = find(queue_family_ix)?;
        match QueueKind::of(family.queue_flags) {
            None => Err(HostError::WrongQueueFamily { queue_family_ix }),
            Some(QueueKind::Compute) if technique.draws() => Err(HostError::NoGraphics {
                queue_family_ix,
                technique,
            }),
            Some(kind) => Ok(Queue {
                kind,
                timestamp_valid_bits: family.timestamp_valid_bits,
            }),
        }
    }

    /// Every family that uses our buffers.
    pub(crate) fn queue_families(&self) -> Vec<u32> {
        let mut families = vec![self.queue_family_ix];
        families.extend_from_slice(self.shared_with);
        families
    }

    /// `queue_families`: those of [`Self::queue_families`].
    pub(crate) fn gpu_desc<'b>(&'b self, queue_families: &'b [u32]) -> GpuDesc<'b> {
        GpuDesc {
            instance: self.instance,
            physical_device: self.physical_device,
            device: self.device,
            allocator: self.allocator.clone(),
            pipeline_cache: self.pipeline_cache,
            debug_utils: self.debug_utils,
            pipeline_executables: self.pipeline_executables,
            queue_families,
        }
    }
}

/// Device extensions that must be enabled: none.
pub fn required_extensions() -> &'static [&'static CStr] {
    &[]
}

/// Device extensions that are used where the device was made with them, and done without where not.
pub fn optional_extensions() -> &'static [&'static CStr] {
    &[ash::khr::push_descriptor::NAME]
}

/// The device extensions to enable: those that are required, and the optional ones that this device has.
///
/// # Safety
/// `physical_device` must be one of `instance`'s.
pub unsafe fn supported_extensions(
    instance: &ash::Instance,
    physical_device: vk::PhysicalDevice,
) -> Vec<&'static CStr> {
    // SAFETY: the caller's promise.
    let known = unsafe { instance.enumerate_device_extension_properties(physical_device) }
        .unwrap_or_default();
    let is_there = |name: &&'static CStr| {
        let mut names = known.iter().map(|known| known.extension_name_as_c_str());
        names.any(|known| known == Ok(*name))
    };
    let optional = optional_extensions().iter().copied().filter(is_there);
    required_extensions()
        .iter()
        .copied()
        .chain(optional)
        .collect()
}

/// Device features in the structs that Vulkan 1.3 keeps them in.
#[derive(Clone, Copy, Default)]
pub struct Features {
    pub core: vk::PhysicalDeviceFeatures,
    pub v12: vk::PhysicalDeviceVulkan12Features<'static>,
    pub v13: vk::PhysicalDeviceVulkan13Features<'static>,
}

impl Features {
    /// What a technique needs of them, whether it is on, and its name.
    fn needed(&self, technique: Technique) -> Vec<(bool, &'static str)> {
        let Self { core, v12, v13 } = self;
        let mut needed = vec![
            (v12.scalar_block_layout, "the feature scalarBlockLayout"),
            (v13.maintenance4, "the feature maintenance4"),
            (v13.synchronization2, "the feature synchronization2"),
        ];
        if technique.draws() {
            needed.extend([
                (v13.dynamic_rendering, "the feature dynamicRendering"),
                (core.fragment_stores_and_atomics, FRAGMENT_STORES),
            ]);
        }
        let is_on = |(value, name)| (value == vk::TRUE, name);
        needed.into_iter().map(is_on).collect()
    }
}

const FRAGMENT_STORES: &str = "the feature fragmentStoresAndAtomics";

/// Switches on what worlds that collide by `technique` need, on top of what the host wants for itself. What [`Technique::Radial`]
/// needs, which draws, is enough for all.
pub fn enable_features(features: &mut Features, technique: Technique) {
    features.v12.scalar_block_layout = vk::TRUE;
    features.v13.maintenance4 = vk::TRUE;
    features.v13.synchronization2 = vk::TRUE;
    if technique.draws() {
        features.core.fragment_stores_and_atomics = vk::TRUE;
        features.v13.dynamic_rendering = vk::TRUE;
    }
}

/// Why a device cannot be used.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Unsupported {
    /// Vulkan itself is too old.
    #[error(
        "{device} has Vulkan {major}.{minor}; 1.3 is needed: update its driver or choose another device"
    )]
    Version {
        device: String,
        major: u32,
        minor: u32,
    },
    /// It cannot write where it draws.
    #[error(
        "{device} lacks {FRAGMENT_STORES}, without which it cannot draw fields: choose the technique radial_compute"
    )]
    CannotDrawFields { device: String },
    /// A feature is missing.
    #[error(
        "{device} lacks {missing}: make the instance for Vulkan 1.3, update the driver or choose another device"
    )]
    Feature {
        device: String,
        missing: &'static str,
    },
}

/// Checks that a physical device has what worlds that collide by `technique` need.
///
/// # Errors
/// The first thing it lacks. How much its shaders may bind is seen when a world is made.
///
/// # Safety
/// `physical_device` must be one of `instance`'s.
pub unsafe fn check_support(
    instance: &ash::Instance,
    physical_device: vk::PhysicalDevice,
    technique: Technique,
) -> Result<(), Unsupported> {
    // SAFETY: guaranteed by the caller.
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
    match unsafe { missing_feature(instance, physical_device, technique) } {
        None => Ok(()),
        Some(FRAGMENT_STORES) => Err(Unsupported::CannotDrawFields { device }),
        Some(missing) => Err(Unsupported::Feature { device, missing }),
    }
}

unsafe fn missing_feature(
    instance: &ash::Instance,
    physical_device: vk::PhysicalDevice,
    technique: Technique,
) -> Option<&'static str> {
    let (mut v12, mut v13) = (
        vk::PhysicalDeviceVulkan12Features::default(),
        vk::PhysicalDeviceVulkan13Features::default(),
    );
    let mut features = vk::PhysicalDeviceFeatures2::default()
        .push_next(&mut v12)
        .push_next(&mut v13);
    // SAFETY: guaranteed by the caller.
    unsafe { instance.get_physical_device_features2(physical_device, &mut features) };
    let core = features.features;
    let features = Features { core, v12, v13 };
    let needed = features.needed(technique);
    let missing = needed.into_iter().find(|(is_there, _)| !is_there);
    missing.map(|(_, missing)| missing)
}
