//! Devices that fail on demand: their function tables with stand-ins, which return an error when it is due and else pass the
//! call on.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};

use ash::vk;
use radial_fields::engine::Device;

use crate::fixture::{open_bare_device, open_device};

/// Which call fails, and how.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// As in the table below.
    pub call: &'static str,
    /// How many of them go well before.
    pub after: u32,
    /// How many fail then.
    pub count: u32,
    pub error: vk::Result,
}

/// What is to fail, how often that was called, and how often it has failed.
#[derive(Clone, Copy, Default)]
struct Plan {
    fault: Option<Fault>,
    called: u32,
    failed: u32,
}

thread_local! {
    /// Stand-ins are plain functions and know no device, but whose thread they are called on: a test has one device that fails.
    static PLAN: Cell<Plan> = const { Cell::new(Plan { fault: None, called: 0, failed: 0 }) };
}

/// The error of a call, if it is due.
fn due(call: &str) -> Option<vk::Result> {
    let mut plan = PLAN.get();
    let fault = plan.fault.filter(|fault| fault.call == call)?;
    let called = plan.called;
    plan.called += 1;
    let is_due = called >= fault.after && called - fault.after < fault.count;
    plan.failed += u32::from(is_due);
    PLAN.set(plan);
    is_due.then_some(fault.error)
}

/// A stand-in for each call that can fail: instead of the call, or, for those that wait, after it, since what they wait for
/// goes on as long as the loss of the device is only simulated.
macro_rules! stand_ins {
    ($($when:ident $call:ident: $pfn:ident($($arg:ident: $type:ty),*);)*) => {
        $(mod $call {
            use super::*;
            pub static REAL: Mutex<Option<vk::$pfn>> = Mutex::new(None);
            pub unsafe extern "system" fn stand_in($($arg: $type),*) -> vk::Result {
                let real = REAL.lock().unwrap_or_else(PoisonError::into_inner).expect("it was put in");
                // SAFETY: the caller's promise, to the same function.
                stand_ins!($when stringify!($call), unsafe { real($($arg),*) })
            }
        })*

        /// Every call that a [`Fault`] can name.
        pub const CALLS: &[&str] = &[$(stringify!($call)),*];

        fn put_in(v1_0: &mut ash::DeviceFnV1_0, v1_3: &mut ash::DeviceFnV1_3) {
            $(stand_ins!(@table $call, v1_0, v1_3);)*
        }
    };
    (instead $call:expr, $real:expr) => {
        due($call).unwrap_or_else(|| $real)
    };
    (after $call:expr, $real:expr) => {{
        let result = $real;
        due($call).unwrap_or(result)
    }};
    (@table queue_submit2, $v1_0:ident, $v1_3:ident) => { stand_ins!(@put queue_submit2, $v1_3) };
    (@table $call:ident, $v1_0:ident, $v1_3:ident) => { stand_ins!(@put $call, $v1_0) };
    (@put $call:ident, $table:ident) => {
        *$call::REAL.lock().unwrap_or_else(PoisonError::into_inner) = Some($table.$call);
        $table.$call = $call::stand_in;
    };
}

stand_ins! {
    instead create_buffer: PFN_vkCreateBuffer(device: vk::Device, info: *const vk::BufferCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::Buffer);
    instead bind_buffer_memory: PFN_vkBindBufferMemory(device: vk::Device, buffer: vk::Buffer, memory: vk::DeviceMemory, offset: u64);
    instead allocate_memory: PFN_vkAllocateMemory(device: vk::Device, info: *const vk::MemoryAllocateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::DeviceMemory);
    instead map_memory: PFN_vkMapMemory(device: vk::Device, memory: vk::DeviceMemory, offset: u64, size: u64, flags: vk::MemoryMapFlags, mapped: *mut *mut std::ffi::c_void);
    instead create_image: PFN_vkCreateImage(device: vk::Device, info: *const vk::ImageCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::Image);
    instead bind_image_memory: PFN_vkBindImageMemory(device: vk::Device, image: vk::Image, memory: vk::DeviceMemory, offset: u64);
    instead create_image_view: PFN_vkCreateImageView(device: vk::Device, info: *const vk::ImageViewCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::ImageView);
    instead create_sampler: PFN_vkCreateSampler(device: vk::Device, info: *const vk::SamplerCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::Sampler);
    instead create_shader_module: PFN_vkCreateShaderModule(device: vk::Device, info: *const vk::ShaderModuleCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::ShaderModule);
    instead create_descriptor_set_layout: PFN_vkCreateDescriptorSetLayout(device: vk::Device, info: *const vk::DescriptorSetLayoutCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::DescriptorSetLayout);
    instead create_descriptor_pool: PFN_vkCreateDescriptorPool(device: vk::Device, info: *const vk::DescriptorPoolCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::DescriptorPool);
    instead allocate_descriptor_sets: PFN_vkAllocateDescriptorSets(device: vk::Device, info: *const vk::DescriptorSetAllocateInfo<'_>, made: *mut vk::DescriptorSet);
    instead create_pipeline_layout: PFN_vkCreatePipelineLayout(device: vk::Device, info: *const vk::PipelineLayoutCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::PipelineLayout);
    instead create_compute_pipelines: PFN_vkCreateComputePipelines(device: vk::Device, cache: vk::PipelineCache, count: u32, infos: *const vk::ComputePipelineCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::Pipeline);
    instead create_graphics_pipelines: PFN_vkCreateGraphicsPipelines(device: vk::Device, cache: vk::PipelineCache, count: u32, infos: *const vk::GraphicsPipelineCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::Pipeline);
    instead create_query_pool: PFN_vkCreateQueryPool(device: vk::Device, info: *const vk::QueryPoolCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::QueryPool);
    instead create_command_pool: PFN_vkCreateCommandPool(device: vk::Device, info: *const vk::CommandPoolCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::CommandPool);
    instead allocate_command_buffers: PFN_vkAllocateCommandBuffers(device: vk::Device, info: *const vk::CommandBufferAllocateInfo<'_>, made: *mut vk::CommandBuffer);
    instead create_fence: PFN_vkCreateFence(device: vk::Device, info: *const vk::FenceCreateInfo<'_>, allocator: *const vk::AllocationCallbacks<'_>, made: *mut vk::Fence);
    instead queue_submit2: PFN_vkQueueSubmit2(queue: vk::Queue, count: u32, submits: *const vk::SubmitInfo2<'_>, fence: vk::Fence);
    instead get_query_pool_results: PFN_vkGetQueryPoolResults(device: vk::Device, pool: vk::QueryPool, first: u32, count: u32, bytes: usize, data: *mut std::ffi::c_void, stride: u64, flags: vk::QueryResultFlags);
    after wait_for_fences: PFN_vkWaitForFences(device: vk::Device, count: u32, fences: *const vk::Fence, all: vk::Bool32, timeout: u64);
    after device_wait_idle: PFN_vkDeviceWaitIdle(device: vk::Device);
}

/// A device of one's own that fails on demand.
pub struct FaultyDevice {
    pub device: Arc<Device>,
}

impl FaultyDevice {
    /// One at a time on each thread.
    pub fn open() -> Self {
        Self::over(open_device())
    }

    /// As [`FaultyDevice::open`], without push descriptors.
    pub fn open_bare() -> Self {
        Self::over(open_bare_device())
    }

    fn over(device: Result<Arc<Device>, String>) -> Self {
        PLAN.set(Plan::default());
        let mut device = device.expect("these tests need a device and the validation layer");
        let whole = Arc::get_mut(&mut device).expect("nobody else has it yet");
        let real = &whole.handle;
        let (mut v1_0, mut v1_3) = (real.fp_v1_0().clone(), real.fp_v1_3().clone());
        put_in(&mut v1_0, &mut v1_3);
        whole.handle = ash::Device::from_parts_1_3(
            real.handle(),
            v1_0,
            real.fp_v1_1().clone(),
            real.fp_v1_2().clone(),
            v1_3,
        );
        Self { device }
    }

    /// Runs `test` with a fault ahead; returns what it came to, and whether the fault came up.
    pub fn with<T>(&self, fault: Fault, test: impl FnOnce() -> T) -> (T, bool) {
        assert!(CALLS.contains(&fault.call), "{fault:?}");
        PLAN.set(Plan {
            fault: Some(fault),
            ..Plan::default()
        });
        let outcome = test();
        (outcome, PLAN.take().failed > 0)
    }
}

/// What a device is said to take.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Of a buffer that shaders use.
    pub bytes: u32,
    /// Each way, to draw on.
    pub pixels: u32,
    /// Workgroups along x.
    pub groups: u32,
    /// Storage buffers of a shader.
    pub buffers: u32,
}

thread_local! {
    /// What the device of this thread's test says.
    static LIMITS: Cell<Option<(vk::PFN_vkGetPhysicalDeviceProperties2, Limits)>> = const { Cell::new(None) };
}

/// The device's instance, which says that the device takes less than it does.
pub fn modest_instance(device: &Device, limits: Limits) -> ash::Instance {
    let real = &device.instance.handle;
    let mut v1_1 = real.fp_v1_1().clone();
    let properties = v1_1.get_physical_device_properties2;
    LIMITS.set(Some((properties, limits)));
    v1_1.get_physical_device_properties2 = modest_properties;
    ash::Instance::from_parts_1_3(
        real.handle(),
        real.fp_v1_0().clone(),
        v1_1,
        real.fp_v1_3().clone(),
    )
}

unsafe extern "system" fn modest_properties(
    physical_device: vk::PhysicalDevice,
    properties: *mut vk::PhysicalDeviceProperties2<'_>,
) {
    let (real, said) = LIMITS.get().expect("it was put in");
    // SAFETY: the caller's promise, to the same function.
    let limits = unsafe {
        real(physical_device, properties);
        &mut (*properties).properties.limits
    };
    limits.max_storage_buffer_range = said.bytes;
    limits.max_compute_work_group_count[0] = said.groups;
    limits.max_per_stage_descriptor_storage_buffers = said.buffers;
    limits.max_framebuffer_width = said.pixels;
    limits.max_framebuffer_height = said.pixels;
    limits.max_image_dimension2_d = said.pixels;
}
