//! Devices that compile every pipeline once, however many worlds ask for it.
//!
//! A software driver keeps no pipelines: compiling them anew for each world took four fifths of these tests' time. Shader modules, layouts and
//! pipelines that are asked for again, word by word as before, are given out again. They go with the device, unless somebody still
//! holds one: the validation layer then names it as left over.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use ash::vk;
use ash::vk::Handle;

type Allocator<'a> = *const vk::AllocationCallbacks<'a>;

/// What kind of object, and every word that it is made of.
type Key = (vk::ObjectType, Vec<u64>);

/// What one device has made.
struct Store {
    real: ash::DeviceFnV1_0,
    made: BTreeMap<Key, u64>,
    /// How often each object was given out and not yet taken back.
    holders: BTreeMap<(vk::ObjectType, u64), u32>,
}

type Stores = BTreeMap<vk::Device, Arc<Mutex<Store>>>;

/// Each is locked by itself, so that devices compile side by side.
static STORES: LazyLock<Mutex<Stores>> = LazyLock::new(Mutex::default);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn store_of(device: vk::Device) -> Arc<Mutex<Store>> {
    let stores = locked(&STORES);
    Arc::clone(stores.get(&device).expect("the device is one of ours"))
}

/// Puts stand-ins into the function table of a device that nobody else has yet.
pub fn install(handle: &mut ash::Device) {
    let real = handle.fp_v1_0().clone();
    let stand_ins = ash::DeviceFnV1_0 {
        create_shader_module,
        destroy_shader_module,
        create_descriptor_set_layout: create_set_layout,
        destroy_descriptor_set_layout: destroy_set_layout,
        create_pipeline_layout,
        destroy_pipeline_layout,
        create_compute_pipelines,
        create_graphics_pipelines,
        destroy_pipeline,
        destroy_device,
        ..real.clone()
    };
    let store = Store {
        real,
        made: BTreeMap::new(),
        holders: BTreeMap::new(),
    };
    locked(&STORES).insert(handle.handle(), Arc::new(Mutex::new(store)));
    *handle = ash::Device::from_parts_1_3(
        handle.handle(),
        stand_ins,
        handle.fp_v1_1().clone(),
        handle.fp_v1_2().clone(),
        handle.fp_v1_3().clone(),
    );
}

/// Gives out what was made of the same words before, or makes it.
///
/// # Safety
/// `made` has room for one handle of type `T`.
unsafe fn give_out<T: Handle + Copy>(
    device: vk::Device,
    words: Vec<u64>,
    made: *mut T,
    make: impl FnOnce(&ash::DeviceFnV1_0) -> vk::Result,
) -> vk::Result {
    let store = store_of(device);
    let store = &mut *locked(&store);
    let key = (T::TYPE, words);
    let handle = match store.made.get(&key) {
        Some(&handle) => handle,
        None => {
            let result = make(&store.real);
            if result != vk::Result::SUCCESS {
                return result;
            }
            // SAFETY: it was just written.
            let handle = unsafe { (*made).as_raw() };
            store.made.insert(key, handle);
            handle
        }
    };
    *store.holders.entry((T::TYPE, handle)).or_default() += 1;
    // SAFETY: the caller's promise.
    unsafe { *made = T::from_raw(handle) };
    vk::Result::SUCCESS
}

fn take_back<T: Handle + Copy>(device: vk::Device, handle: T) {
    if handle.is_null() {
        return;
    }
    let store = store_of(device);
    let mut store = locked(&store);
    let holders = store.holders.get_mut(&(T::TYPE, handle.as_raw()));
    *holders.expect("it was given out") -= 1;
}

/// Stand-ins for what destroys objects of a kind.
macro_rules! taking_back {
    ($($name:ident: $handle:ty;)*) => {
        $(unsafe extern "system" fn $name(device: vk::Device, handle: $handle, _: Allocator) {
            take_back(device, handle);
        })*
    };
}

taking_back! {
    destroy_shader_module: vk::ShaderModule;
    destroy_set_layout: vk::DescriptorSetLayout;
    destroy_pipeline_layout: vk::PipelineLayout;
    destroy_pipeline: vk::Pipeline;
}

/// # Safety
/// As many items lie there.
unsafe fn slice<'a, T>(items: *const T, count: u32) -> &'a [T] {
    match count {
        0 => &[],
        // SAFETY: the caller's promise.
        _ => unsafe { std::slice::from_raw_parts(items, count as usize) },
    }
}

unsafe extern "system" fn create_shader_module(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    allocator: Allocator,
    made: *mut vk::ShaderModule,
) -> vk::Result {
    // SAFETY: the caller's promise, to the same function.
    unsafe {
        let code = slice((*info).p_code, ((*info).code_size / 4) as u32);
        let words = code.iter().copied().map(u64::from).collect();
        give_out(device, words, made, |real| {
            (real.create_shader_module)(device, info, allocator, made)
        })
    }
}

unsafe extern "system" fn create_set_layout(
    device: vk::Device,
    info: *const vk::DescriptorSetLayoutCreateInfo<'_>,
    allocator: Allocator,
    made: *mut vk::DescriptorSetLayout,
) -> vk::Result {
    // SAFETY: as above.
    unsafe {
        let mut words = vec![u64::from((*info).flags.as_raw())];
        for binding in slice((*info).p_bindings, (*info).binding_count) {
            words.extend([
                u64::from(binding.binding),
                binding.descriptor_type.as_raw() as u64,
                u64::from(binding.descriptor_count),
                u64::from(binding.stage_flags.as_raw()),
            ]);
        }
        give_out(device, words, made, |real| {
            (real.create_descriptor_set_layout)(device, info, allocator, made)
        })
    }
}

unsafe extern "system" fn create_pipeline_layout(
    device: vk::Device,
    info: *const vk::PipelineLayoutCreateInfo<'_>,
    allocator: Allocator,
    made: *mut vk::PipelineLayout,
) -> vk::Result {
    // SAFETY: as above.
    unsafe {
        let sets = slice((*info).p_set_layouts, (*info).set_layout_count);
        let mut words: Vec<u64> = sets.iter().map(|set| set.as_raw()).collect();
        for range in slice(
            (*info).p_push_constant_ranges,
            (*info).push_constant_range_count,
        ) {
            words.extend([u64::from(range.stage_flags.as_raw()), u64::from(range.size)]);
        }
        give_out(device, words, made, |real| {
            (real.create_pipeline_layout)(device, info, allocator, made)
        })
    }
}

/// Stage, module and specialisation constants.
///
/// # Safety
/// The stage is complete.
unsafe fn append_stage(words: &mut Vec<u64>, stage: &vk::PipelineShaderStageCreateInfo) {
    words.extend([u64::from(stage.stage.as_raw()), stage.module.as_raw()]);
    // SAFETY: the caller's promise; a stage may have no constants.
    let Some(constants) = (unsafe { stage.p_specialization_info.as_ref() }) else {
        return;
    };
    // SAFETY: as above.
    let bytes = unsafe { slice(constants.p_data.cast::<u8>(), constants.data_size as u32) };
    words.push(u64::from(constants.map_entry_count));
    words.extend(bytes.iter().copied().map(u64::from));
}

unsafe extern "system" fn create_compute_pipelines(
    device: vk::Device,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::ComputePipelineCreateInfo<'_>,
    allocator: Allocator,
    made: *mut vk::Pipeline,
) -> vk::Result {
    assert_eq!(count, 1, "pipelines are made one by one");
    // SAFETY: as above.
    unsafe {
        let mut words = vec![(*infos).layout.as_raw()];
        append_stage(&mut words, &(*infos).stage);
        give_out(device, words, made, |real| {
            (real.create_compute_pipelines)(device, cache, count, infos, allocator, made)
        })
    }
}

unsafe extern "system" fn create_graphics_pipelines(
    device: vk::Device,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::GraphicsPipelineCreateInfo<'_>,
    allocator: Allocator,
    made: *mut vk::Pipeline,
) -> vk::Result {
    assert_eq!(count, 1, "pipelines are made one by one");
    // SAFETY: as above.
    unsafe {
        let words = words_of_graphics(&*infos);
        give_out(device, words, made, |real| {
            (real.create_graphics_pipelines)(device, cache, count, infos, allocator, made)
        })
    }
}

/// What `GraphicsPipeline` sets: the rest is alike in all of them.
///
/// # Safety
/// The struct is complete and made by `GraphicsPipeline`.
unsafe fn words_of_graphics(info: &vk::GraphicsPipelineCreateInfo) -> Vec<u64> {
    let mut words = vec![info.layout.as_raw()];
    // SAFETY: the caller's promise.
    unsafe {
        for stage in slice(info.p_stages, info.stage_count) {
            append_stage(&mut words, stage);
        }
        let raster = &*info.p_rasterization_state;
        let depth = &*info.p_depth_stencil_state;
        let blend = &*info.p_color_blend_state;
        let blends = slice(blend.p_attachments, blend.attachment_count);
        let rendering = &*info.p_next.cast::<vk::PipelineRenderingCreateInfo>();
        let formats = slice(
            rendering.p_color_attachment_formats,
            rendering.color_attachment_count,
        );
        words.extend([
            (*info.p_input_assembly_state).topology.as_raw() as u64,
            u64::from(raster.cull_mode.as_raw()),
            u64::from(raster.depth_bias_constant_factor.to_bits()),
            u64::from(raster.depth_bias_slope_factor.to_bits()),
            u64::from((*info.p_multisample_state).rasterization_samples.as_raw()),
            u64::from(depth.depth_test_enable),
            u64::from(depth.depth_write_enable),
            rendering.depth_attachment_format.as_raw() as u64,
        ]);
        words.extend(blends.iter().map(|blend| u64::from(blend.blend_enable)));
        words.extend(formats.iter().map(|format| format.as_raw() as u64));
    }
    words
}

/// What nobody holds goes before the device does.
unsafe extern "system" fn destroy_device(device: vk::Device, allocator: Allocator) {
    let removed = locked(&STORES).remove(&device);
    let store = removed.expect("the device is one of ours");
    let store = locked(&store);
    let real = &store.real;
    for (&(kind, handle), _) in store.holders.iter().filter(|(_, holders)| **holders == 0) {
        // SAFETY: it was made on this device, and nobody uses it.
        unsafe { destroy(real, device, kind, handle, allocator) };
    }
    // SAFETY: the caller's promise.
    unsafe { (real.destroy_device)(device, allocator) };
}

/// # Safety
/// The handle is of that kind, of the device, and unused.
unsafe fn destroy(
    real: &ash::DeviceFnV1_0,
    device: vk::Device,
    kind: vk::ObjectType,
    handle: u64,
    allocator: Allocator,
) {
    // SAFETY: the caller's promise.
    unsafe {
        match kind {
            vk::ObjectType::SHADER_MODULE => {
                (real.destroy_shader_module)(device, Handle::from_raw(handle), allocator);
            }
            vk::ObjectType::DESCRIPTOR_SET_LAYOUT => {
                (real.destroy_descriptor_set_layout)(device, Handle::from_raw(handle), allocator);
            }
            vk::ObjectType::PIPELINE_LAYOUT => {
                (real.destroy_pipeline_layout)(device, Handle::from_raw(handle), allocator);
            }
            vk::ObjectType::PIPELINE => {
                (real.destroy_pipeline)(device, Handle::from_raw(handle), allocator);
            }
            kind => unreachable!("{kind:?} are not kept"),
        }
    }
}
