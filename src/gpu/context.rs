//! What every GPU object needs: the device it lives on and the memory it takes.

use std::ffi::CString;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use ash::vk;
use ash::vk::Handle;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, Allocator, AllocatorCreateDesc};

use super::executables::{Executables, PipelineExecutable};
use super::{Memory, Shader};

/// The words that stand in for a shader; none where those that were built in do.
pub type ShaderSource = dyn Fn(&Shader) -> Option<Vec<u32>> + Send + Sync;

/// What can go wrong below the simulation.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// A Vulkan call failed.
    #[error("{object}: {result}")]
    Vulkan { object: String, result: vk::Result },
    /// The device was lost (`VK_ERROR_DEVICE_LOST`); nothing made on it can be used again.
    #[error(
        "the GPU stopped answering (device lost): restart, and update the driver if it happens again"
    )]
    DeviceLost,
    /// An object could not be made for want of memory or handles.
    #[error("{object}: no memory is left for it ({result}): use smaller garments or coarser cells")]
    NoRoom { object: String, result: vk::Result },
    /// More than the device can bind, or hold, as one buffer.
    #[error(
        "{object}: {bytes} bytes are more than this device takes in one buffer, {max}: use fewer bodies, smaller garments or \
         coarser cells"
    )]
    TooLarge {
        object: String,
        bytes: u64,
        max: u64,
    },
    /// More than one dispatch of the device covers.
    #[error(
        "{object}: this device takes {max} of them at once, not {count}: use fewer bodies, smaller garments or coarser cells"
    )]
    TooMany {
        object: String,
        count: u64,
        max: u64,
    },
    /// More buffers than a shader of this device can have.
    #[error(
        "{object} binds {count} storage buffers, and a shader of this device takes {max} (maxPerStageDescriptorStorageBuffers): \
         choose another device or technique"
    )]
    TooManyBindings {
        object: String,
        count: u32,
        max: u32,
    },
    /// More than a workgroup of this device has.
    #[error(
        "{object} has workgroups of {count} {what}, and this device takes {max}: choose another device"
    )]
    WorkgroupTooLarge {
        object: String,
        count: u32,
        max: u32,
        what: &'static str,
    },
    /// No pixels, or more than the device can draw to.
    #[error(
        "{object}: {width}x{height} pixels cannot be had: this device takes 1 to {max} each way"
    )]
    BadExtent {
        object: String,
        width: u32,
        height: u32,
        max: u32,
    },
    /// No memory of the wanted kind is left.
    #[error(
        "{object}: {bytes} bytes of GPU memory could not be had: {reason}; use smaller garments or a coarser cell"
    )]
    OutOfMemory {
        object: String,
        bytes: u64,
        reason: String,
    },
}

impl GpuError {
    /// Turns a failed call on `object` into an error.
    pub fn from_vk(object: &str) -> impl FnOnce(vk::Result) -> Self + '_ {
        move |result| match result {
            vk::Result::ERROR_DEVICE_LOST => Self::DeviceLost,
            vk::Result::ERROR_OUT_OF_HOST_MEMORY
            | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY
            | vk::Result::ERROR_OUT_OF_POOL_MEMORY
            | vk::Result::ERROR_TOO_MANY_OBJECTS => Self::NoRoom {
                object: object.to_owned(),
                result,
            },
            result => Self::Vulkan {
                object: object.to_owned(),
                result,
            },
        }
    }
}

/// How much memory the objects hold now, and the number of allocations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    pub bytes: u64,
    /// Grows with every allocation, never shrinks: equal before and after means none was made.
    pub allocation_count: u64,
}

/// The handles a [`Gpu`] is made over.
pub struct GpuDesc<'a> {
    pub instance: &'a ash::Instance,
    pub physical_device: vk::PhysicalDevice,
    pub device: &'a ash::Device,
    /// An allocator to share, or `None` for one of our own.
    pub allocator: Option<Arc<Mutex<Allocator>>>,
    /// May be null.
    pub pipeline_cache: vk::PipelineCache,
    /// Whether the instance has `VK_EXT_debug_utils`, so that objects and passes can be named.
    pub debug_utils: bool,
    /// Whether the device was made with `VK_KHR_pipeline_executable_properties` and its feature, and pipelines are to keep what the driver
    /// says of them.
    pub pipeline_executables: bool,
    /// Families whose queues use the buffers, in any order, each as often as it likes to be named. Two or more share them
    /// (`VK_SHARING_MODE_CONCURRENT`); with one or none each buffer is one family's at a time.
    pub queue_families: &'a [u32],
}

/// A device that somebody else owns, with our function tables, names and memory over it.
///
/// Every GPU object holds an `Arc` of it; the owner of the device must outlive them all.
pub struct Gpu {
    pub device: ash::Device,
    /// `None` on a device that was made without it: passes then take sets from a [`DescriptorSets`](super::DescriptorSets).
    pub(super) push_descriptor: Option<ash::khr::push_descriptor::Device>,
    pub pipeline_cache: vk::PipelineCache,
    pub limits: vk::PhysicalDeviceLimits,
    /// Whether a driver in software stands in for a device.
    pub is_cpu: bool,
    /// `maxBufferSize`.
    max_buffer_bytes: u64,
    debug_utils: Option<ash::ext::debug_utils::Device>,
    executables: Option<Executables>,
    /// None in one that only measures.
    allocator: ManuallyDrop<Option<Arc<Mutex<Allocator>>>>,
    /// Those that share buffers; empty when they are not shared.
    sharing: Vec<u32>,
    allocated_bytes: AtomicU64,
    allocation_count: AtomicU64,
    shader_source: RwLock<Option<Arc<ShaderSource>>>,
}

/// Size of the blocks taken from the driver, which objects share: a character with its clothes fits in a few.
const DEVICE_BLOCK_BYTES: u64 = 32 << 20;
const HOST_BLOCK_BYTES: u64 = 8 << 20;

impl Gpu {
    /// Wraps a device.
    ///
    /// # Errors
    /// When an allocator of our own cannot be made.
    ///
    /// # Safety
    /// The handles must belong together and be valid, the device must have been made with the features and extensions that
    /// the crate asks for, and it must outlive everything made over this `Gpu`.
    pub unsafe fn new(desc: &GpuDesc) -> Result<Arc<Self>, GpuError> {
        let allocator = match &desc.allocator {
            Some(shared) => Arc::clone(shared),
            None => Arc::new(Mutex::new(own_allocator(desc)?)),
        };
        // SAFETY: guaranteed by the caller.
        Ok(unsafe { Self::over(desc, Some(allocator)) })
    }

    /// Wraps a device to learn what things will take: buffers are counted instead of made, and pipelines left out.
    ///
    /// # Safety
    /// As [`Gpu::new`].
    pub unsafe fn measuring(desc: &GpuDesc) -> Arc<Self> {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::over(desc, None) }
    }

    unsafe fn over(desc: &GpuDesc, allocator: Option<Arc<Mutex<Allocator>>>) -> Arc<Self> {
        let mut v13 = vk::PhysicalDeviceVulkan13Properties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut v13);
        // SAFETY: the caller promises valid handles that belong together, of a device with Vulkan 1.3.
        unsafe {
            desc.instance
                .get_physical_device_properties2(desc.physical_device, &mut properties);
        }
        let vk::PhysicalDeviceProperties {
            limits,
            device_type,
            ..
        } = properties.properties;
        let is_named = desc.debug_utils && allocator.is_some();
        Arc::new(Self {
            device: desc.device.clone(),
            push_descriptor: push_descriptor(desc),
            pipeline_cache: desc.pipeline_cache,
            limits,
            is_cpu: device_type == vk::PhysicalDeviceType::CPU,
            max_buffer_bytes: v13.max_buffer_size,
            debug_utils: is_named
                .then(|| ash::ext::debug_utils::Device::new(desc.instance, desc.device)),
            executables: desc.pipeline_executables.then(|| Executables::new(desc)),
            allocator: ManuallyDrop::new(allocator),
            sharing: sharing(desc.queue_families),
            allocated_bytes: AtomicU64::new(0),
            allocation_count: AtomicU64::new(0),
            shader_source: RwLock::default(),
        })
    }

    /// Whether the device was made with push descriptors; else passes take descriptor sets.
    pub fn has_push_descriptors(&self) -> bool {
        self.push_descriptor.is_some()
    }

    /// Whether it only measures.
    pub(super) fn is_measuring(&self) -> bool {
        self.allocator.is_none()
    }

    /// A buffer's create info, for the families that use it.
    pub(super) fn buffer_info(
        &self,
        bytes: u64,
        usage: vk::BufferUsageFlags,
    ) -> vk::BufferCreateInfo<'_> {
        let info = vk::BufferCreateInfo::default().size(bytes).usage(usage);
        match self.sharing.is_empty() {
            true => info,
            false => info
                .sharing_mode(vk::SharingMode::CONCURRENT)
                .queue_family_indices(&self.sharing),
        }
    }

    /// Refuses a buffer that the device could not make, or not bind where shaders read or write it.
    pub(super) fn check_bytes(
        &self,
        label: &str,
        bytes: u64,
        memory: Memory,
    ) -> Result<(), GpuError> {
        let bindable = u64::from(self.limits.max_storage_buffer_range);
        let max = match memory {
            Memory::Device | Memory::Shared => self.max_buffer_bytes.min(bindable),
            Memory::Upload | Memory::Readback => self.max_buffer_bytes,
        };
        if bytes <= max {
            return Ok(());
        }
        Err(GpuError::TooLarge {
            object: label.to_owned(),
            bytes,
            max,
        })
    }

    /// Refuses more items than one dispatch of workgroups of 64 covers, with so many threads per item.
    pub(crate) fn check_count(
        &self,
        label: &str,
        count: u32,
        threads_each: u32,
    ) -> Result<(), GpuError> {
        let groups = u64::from(self.limits.max_compute_work_group_count[0]);
        let max = groups * 64 / u64::from(threads_each);
        if u64::from(count) <= max {
            return Ok(());
        }
        Err(GpuError::TooMany {
            object: label.to_owned(),
            count: u64::from(count),
            max,
        })
    }

    /// Refuses an area without pixels, or with more than `max` each way.
    pub(crate) fn check_extent(
        label: &str,
        extent: vk::Extent2D,
        max: u32,
    ) -> Result<(), GpuError> {
        let vk::Extent2D { width, height } = extent;
        if width.min(height) > 0 && width.max(height) <= max {
            return Ok(());
        }
        Err(GpuError::BadExtent {
            object: label.to_owned(),
            width,
            height,
            max,
        })
    }

    /// Adds the memory that an object would take.
    pub(super) fn count(&self, bytes: u64) {
        self.allocated_bytes.fetch_add(bytes, Ordering::Relaxed);
        self.allocation_count.fetch_add(1, Ordering::Relaxed);
    }

    /// Subtracts the memory that an object no longer takes.
    pub(super) fn uncount(&self, bytes: u64) {
        self.allocated_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// The words of a shader: those that stand in for it, or as built in.
    pub(super) fn words_of(&self, shader: &Shader) -> Vec<u32> {
        let source = self.shader_source.read();
        let source = source.unwrap_or_else(PoisonError::into_inner).clone();
        source
            .and_then(|source| source(shader))
            .unwrap_or_else(|| shader.words())
    }

    /// Lets pipelines made from now on use other code for the shaders that they ask for, as hot reload does. `None` goes back to the built-in.
    pub fn replace_shaders(&self, source: Option<Arc<ShaderSource>>) {
        let mut place = self
            .shader_source
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *place = source;
    }

    /// How pipelines are to be made.
    pub(super) fn pipeline_flags(&self) -> vk::PipelineCreateFlags {
        match self.executables {
            Some(_) => vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR,
            None => vk::PipelineCreateFlags::empty(),
        }
    }

    /// Names a pipeline that was just made, and asks the driver what it made of it.
    pub(super) fn take_pipeline(&self, pipeline: vk::Pipeline, label: &str) {
        self.name(pipeline, label);
        if let Some(executables) = &self.executables {
            executables.ask(label, pipeline);
        }
    }

    /// Destroys a pipeline.
    ///
    /// # Safety
    /// It must be this device's or null, and the GPU be done with it.
    pub(super) unsafe fn destroy_pipeline(&self, pipeline: vk::Pipeline) {
        if let Some(executables) = &self.executables {
            executables.forget(pipeline);
        }
        // SAFETY: the caller's promise.
        unsafe { self.device.destroy_pipeline(pipeline, None) };
    }

    /// What the driver made of the pipelines that there are, by their names; `None` where it was not asked:
    /// [`GpuDesc::pipeline_executables`].
    pub fn pipeline_executables(&self) -> Option<Vec<PipelineExecutable>> {
        self.executables.as_ref().map(Executables::all)
    }

    /// Memory held by objects of this `Gpu`.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse {
            bytes: self.allocated_bytes.load(Ordering::Relaxed),
            allocation_count: self.allocation_count.load(Ordering::Relaxed),
        }
    }

    /// Takes memory for one object.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] with the object's name and size.
    pub(super) fn allocate(&self, desc: &AllocationCreateDesc) -> Result<Allocation, GpuError> {
        let Some(allocator) = self.allocator.as_ref() else {
            panic!("{}: nothing is allocated while measuring", desc.name);
        };
        let mut allocator = allocator.lock().unwrap_or_else(PoisonError::into_inner);
        let allocation = allocator
            .allocate(desc)
            .map_err(|error| GpuError::OutOfMemory {
                object: desc.name.to_owned(),
                bytes: desc.requirements.size,
                reason: error.to_string(),
            })?;
        self.count(allocation.size());
        Ok(allocation)
    }

    /// Gives memory back.
    pub(super) fn free(&self, allocation: Allocation) {
        self.uncount(allocation.size());
        let Some(allocator) = self.allocator.as_ref() else {
            return;
        };
        let mut allocator = allocator.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = allocator.free(allocation) {
            tracing::error!("memory could not be given back: {error}");
        }
    }

    /// Gives a Vulkan object the name that validation messages and captures show.
    pub fn name<H: Handle>(&self, object: H, label: &str) {
        let Some(debug_utils) = &self.debug_utils else {
            return;
        };
        let Ok(label) = CString::new(label) else {
            return;
        };
        let info = vk::DebugUtilsObjectNameInfoEXT::default()
            .object_handle(object)
            .object_name(&label);
        // SAFETY: the handle was made on this device by the caller just now.
        if let Err(error) = unsafe { debug_utils.set_debug_utils_object_name(&info) } {
            tracing::warn!("an object could not be named: {error}");
        }
    }

    /// The label functions, if the instance supports them.
    pub(super) fn debug_utils(&self) -> Option<&ash::ext::debug_utils::Device> {
        self.debug_utils.as_ref()
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: dropped once, here. The allocator goes before the device, which our owner keeps alive.
        unsafe { ManuallyDrop::drop(&mut self.allocator) };
    }
}

/// The extension's functions, if the device was made with it: Vulkan hands out no others.
fn push_descriptor(desc: &GpuDesc) -> Option<ash::khr::push_descriptor::Device> {
    let get = desc.instance.fp_v1_0().get_device_proc_addr;
    let name = c"vkCmdPushDescriptorSetKHR";
    // SAFETY: instance and device are valid and belong together, by the caller's promise to `Gpu::over`.
    let function = unsafe { get(desc.device.handle(), name.as_ptr()) };
    function.map(|_| ash::khr::push_descriptor::Device::new(desc.instance, desc.device))
}

/// Each family once, if there is more than one.
fn sharing(families: &[u32]) -> Vec<u32> {
    let mut families = families.to_vec();
    families.sort_unstable();
    families.dedup();
    match families.len() {
        0 | 1 => Vec::new(),
        _ => families,
    }
}

fn own_allocator(desc: &GpuDesc) -> Result<Allocator, GpuError> {
    Allocator::new(&AllocatorCreateDesc {
        instance: desc.instance.clone(),
        device: desc.device.clone(),
        physical_device: desc.physical_device,
        debug_settings: gpu_allocator::AllocatorDebugSettings::default(),
        buffer_device_address: false,
        allocation_sizes: gpu_allocator::AllocationSizes::new(DEVICE_BLOCK_BYTES, HOST_BLOCK_BYTES),
    })
    .map_err(|error| GpuError::OutOfMemory {
        object: "allocator".into(),
        bytes: 0,
        reason: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::sharing;

    #[test]
    fn one_family_alone_shares_with_nobody() {
        for alone in [&[][..], &[2], &[2, 2]] {
            assert!(sharing(alone).is_empty());
        }
        assert_eq!(sharing(&[2, 0, 2]), [0, 2]);
    }
}
