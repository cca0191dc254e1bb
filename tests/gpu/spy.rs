//! Vulkan as a host may find it elsewhere: functions of a device or an instance put in others' places.

use std::cell::{Cell, RefCell};

use ash::vk;
use ash::vk::{AccessFlags2 as A, PipelineStageFlags2 as S};

thread_local! {
    static BARRIER: Cell<Option<vk::PFN_vkCmdPipelineBarrier2>> = const { Cell::new(None) };
    static BEGIN_RENDERING: Cell<Option<vk::PFN_vkCmdBeginRendering>> = const { Cell::new(None) };
    static SEEN: Cell<Seen> = const { Cell::new(Seen { stages: S::empty(), barriers: 0, draws: false }) };
    static BENT: Cell<Bent> = const { Cell::new(Bent { before: S::empty(), after: S::empty() }) };
    static FAMILIES: RefCell<Vec<Family>> = const { RefCell::new(Vec::new()) };
}

/// What was recorded through a device of [`watched`] on this thread.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Of all barriers, on both sides.
    pub stages: S,
    pub barriers: u32,
    /// Whether anything was drawn.
    pub draws: bool,
}

/// What is left out of the barriers between us and the host: those that name vertex input, as nothing between our own
/// passes does.
#[derive(Clone, Copy, Debug)]
pub struct Bent {
    /// Of the earlier side.
    pub before: S,
    /// Of the later side.
    pub after: S,
}

/// The same device, whose commands of this thread are looked at.
pub fn watched(device: &ash::Device) -> ash::Device {
    bent(
        device,
        Bent {
            before: S::empty(),
            after: S::empty(),
        },
    )
}

/// The same device, whose barriers of this thread lack something.
pub fn bent(device: &ash::Device, bent: Bent) -> ash::Device {
    let mut functions = device.fp_v1_3().clone();
    BARRIER.set(Some(functions.cmd_pipeline_barrier2));
    BEGIN_RENDERING.set(Some(functions.cmd_begin_rendering));
    BENT.set(bent);
    SEEN.set(Seen {
        stages: S::empty(),
        barriers: 0,
        draws: false,
    });
    functions.cmd_pipeline_barrier2 = see_barrier;
    functions.cmd_begin_rendering = see_rendering;
    ash::Device::from_parts_1_3(
        device.handle(),
        device.fp_v1_0().clone(),
        device.fp_v1_1().clone(),
        device.fp_v1_2().clone(),
        functions,
    )
}

/// What was seen since the device was made.
pub fn seen() -> Seen {
    SEEN.get()
}

unsafe extern "system" fn see_barrier(cmd: vk::CommandBuffer, info: *const vk::DependencyInfo) {
    let real = BARRIER.get().expect("the device is watched on this thread");
    // SAFETY: the library hands over a complete struct, with as many barriers as it says.
    let (info, barriers) = unsafe {
        let info = *info;
        let count = info.memory_barrier_count as usize;
        let barriers = std::slice::from_raw_parts(info.p_memory_barriers, count);
        (info, barriers)
    };
    assert_eq!(
        (
            info.buffer_memory_barrier_count,
            info.image_memory_barrier_count
        ),
        (0, 0),
        "the simulation has memory barriers alone"
    );
    let (bent, mut seen) = (BENT.get(), SEEN.get());
    seen.barriers += barriers.len() as u32;
    let barriers: Vec<_> = barriers
        .iter()
        .map(|barrier| {
            seen.stages |= barrier.src_stage_mask | barrier.dst_stage_mask;
            let src = without(barrier.src_stage_mask, barrier.src_access_mask, bent.before);
            let dst = without(barrier.dst_stage_mask, barrier.dst_access_mask, bent.after);
            vk::MemoryBarrier2::default()
                .src_stage_mask(src.0)
                .src_access_mask(src.1)
                .dst_stage_mask(dst.0)
                .dst_access_mask(dst.1)
        })
        .collect();
    SEEN.set(seen);
    let dependency = vk::DependencyInfo::default().memory_barriers(&barriers);
    // SAFETY: as the library called it.
    unsafe { real(cmd, &dependency) };
}

fn without(stages: S, accesses: A, bent: S) -> (S, A) {
    if !stages.contains(S::VERTEX_ATTRIBUTE_INPUT) {
        return (stages, accesses);
    }
    let accesses = match bent.contains(S::TRANSFER) {
        true => accesses & !(A::TRANSFER_READ | A::TRANSFER_WRITE),
        false => accesses,
    };
    (stages & !bent, accesses)
}

unsafe extern "system" fn see_rendering(cmd: vk::CommandBuffer, info: *const vk::RenderingInfo) {
    let real = BEGIN_RENDERING
        .get()
        .expect("the device is watched on this thread");
    SEEN.set(Seen {
        draws: true,
        ..SEEN.get()
    });
    // SAFETY: as the library called it.
    unsafe { real(cmd, info) }
}

/// What a family of queues can do, and how many bits its timestamps have.
pub type Family = (vk::QueueFlags, u32);

/// The same instance, whose devices have these families for queries on this thread.
pub fn with_families(instance: &ash::Instance, families: &[Family]) -> ash::Instance {
    FAMILIES.set(families.to_vec());
    let mut functions = instance.fp_v1_0().clone();
    functions.get_physical_device_queue_family_properties = tell_families;
    ash::Instance::from_parts_1_3(
        instance.handle(),
        functions,
        instance.fp_v1_1().clone(),
        instance.fp_v1_3().clone(),
    )
}

/// An instance without a handle.
pub fn null_instance(instance: &ash::Instance) -> ash::Instance {
    ash::Instance::from_parts_1_3(
        vk::Instance::null(),
        instance.fp_v1_0().clone(),
        instance.fp_v1_1().clone(),
        instance.fp_v1_3().clone(),
    )
}

unsafe extern "system" fn tell_families(
    _: vk::PhysicalDevice,
    count: *mut u32,
    out: *mut vk::QueueFamilyProperties,
) {
    FAMILIES.with_borrow(|families| {
        // SAFETY: Vulkan's own rules: a count, and room for that many or null.
        unsafe {
            if !out.is_null() {
                for (ix, &(queue_flags, timestamp_valid_bits)) in families.iter().enumerate() {
                    assert!(ix < *count as usize, "there is room for every family");
                    *out.add(ix) = vk::QueueFamilyProperties {
                        queue_flags,
                        queue_count: 1,
                        timestamp_valid_bits,
                        ..Default::default()
                    };
                }
            }
            *count = families.len() as u32;
        }
    });
}
