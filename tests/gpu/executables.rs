//! What a driver tells of its pipelines is kept as long as they are, whatever kind of number it is. Few drivers in software tell
//! anything: here stand-ins do.

use std::ffi::{CStr, c_char};
use std::sync::Mutex;

use ash::vk;
use radial_fields::engine::{Device, Immediate};
use radial_fields::gpu::{ComputePipeline, Gpu, GpuDesc, shaders};

use crate::fixture::with_device;

static REAL_PROC: Mutex<Option<vk::PFN_vkGetDeviceProcAddr>> = Mutex::new(None);
static REAL_CREATE: Mutex<Option<vk::PFN_vkCreateComputePipelines>> = Mutex::new(None);

/// Figures in each format: name, format, value.
const TOLD: [(&str, vk::PipelineExecutableStatisticFormatKHR, f64); 4] = {
    use vk::PipelineExecutableStatisticFormatKHR as Format;
    [
        ("registers", Format::UINT64, 40.0),
        ("offset", Format::INT64, -3.0),
        ("occupancy", Format::FLOAT64, 0.75),
        ("spills", Format::BOOL32, 1.0),
    ]
};

unsafe extern "system" fn proc(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: whoever asks hands over a name.
    let wanted = unsafe { CStr::from_ptr(name) };
    // SAFETY: Vulkan hands out all functions as those of no type.
    unsafe {
        if wanted == c"vkGetPipelineExecutablePropertiesKHR" {
            let function: vk::PFN_vkGetPipelineExecutablePropertiesKHR = properties;
            return Some(std::mem::transmute::<
                vk::PFN_vkGetPipelineExecutablePropertiesKHR,
                unsafe extern "system" fn(),
            >(function));
        }
        if wanted == c"vkGetPipelineExecutableStatisticsKHR" {
            let function: vk::PFN_vkGetPipelineExecutableStatisticsKHR = statistics;
            return Some(std::mem::transmute::<
                vk::PFN_vkGetPipelineExecutableStatisticsKHR,
                unsafe extern "system" fn(),
            >(function));
        }
        let real = *REAL_PROC.lock().expect("no test failed in it");
        real.expect("it was put in")(device, name)
    }
}

unsafe extern "system" fn properties(
    _: vk::Device,
    _: *const vk::PipelineInfoKHR<'_>,
    count: *mut u32,
    out: *mut vk::PipelineExecutablePropertiesKHR<'_>,
) -> vk::Result {
    // SAFETY: Vulkan's own rules: a count, and room for that many or null.
    unsafe {
        *count = 1;
        if !out.is_null() {
            (*out).name = chars("Compute Shader");
            (*out).subgroup_size = 32;
        }
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn statistics(
    _: vk::Device,
    _: *const vk::PipelineExecutableInfoKHR<'_>,
    count: *mut u32,
    out: *mut vk::PipelineExecutableStatisticKHR<'_>,
) -> vk::Result {
    use vk::PipelineExecutableStatisticFormatKHR as Format;
    // SAFETY: as above.
    unsafe {
        *count = TOLD.len() as u32;
        if out.is_null() {
            return vk::Result::SUCCESS;
        }
        for (ix, (name, format, value)) in TOLD.into_iter().enumerate() {
            let told = &mut *out.add(ix);
            told.name = chars(name);
            told.format = format;
            told.value = match format {
                Format::BOOL32 => vk::PipelineExecutableStatisticValueKHR { b32: vk::TRUE },
                Format::INT64 => vk::PipelineExecutableStatisticValueKHR { i64: value as i64 },
                Format::FLOAT64 => vk::PipelineExecutableStatisticValueKHR { f64: value },
                _ => vk::PipelineExecutableStatisticValueKHR { u64: value as u64 },
            };
        }
    }
    vk::Result::SUCCESS
}

/// The device need not be able to keep them: the wish is taken off before it hears of it.
unsafe extern "system" fn create(
    device: vk::Device,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::ComputePipelineCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    let real = *REAL_CREATE.lock().expect("no test failed in it");
    assert_eq!(count, 1, "pipelines are made one by one");
    // SAFETY: the library hands over as many infos as it says.
    let mut info = unsafe { *infos };
    let keeps = vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
    assert!(
        info.flags.contains(keeps),
        "what is asked about must be kept"
    );
    info.flags &= !keeps;
    // SAFETY: as the library called it.
    unsafe { real.expect("it was put in")(device, cache, count, &info, allocator, out) }
}

fn chars<const N: usize>(text: &str) -> [c_char; N] {
    let mut chars = [0; N];
    for (char, byte) in chars.iter_mut().zip(text.bytes()) {
        *char = byte.cast_signed();
    }
    chars
}

/// The device's instance and functions with the stand-ins.
fn telling(device: &Device) -> (ash::Instance, ash::Device) {
    let (instance, handle) = (&device.instance.handle, &device.handle);
    let mut functions = instance.fp_v1_0().clone();
    *REAL_PROC.lock().expect("no test failed in it") = Some(functions.get_device_proc_addr);
    functions.get_device_proc_addr = proc;
    let telling_instance = ash::Instance::from_parts_1_3(
        instance.handle(),
        functions,
        instance.fp_v1_1().clone(),
        instance.fp_v1_3().clone(),
    );
    let mut functions = handle.fp_v1_0().clone();
    *REAL_CREATE.lock().expect("no test failed in it") = Some(functions.create_compute_pipelines);
    functions.create_compute_pipelines = create;
    let telling_device = ash::Device::from_parts_1_3(
        handle.handle(),
        functions,
        handle.fp_v1_1().clone(),
        handle.fp_v1_2().clone(),
        handle.fp_v1_3().clone(),
    );
    (telling_instance, telling_device)
}

#[test]
fn what_the_driver_tells_is_kept_as_long_as_the_pipeline() {
    with_device(|device| {
        let (instance, handle) = telling(device);
        let desc = GpuDesc {
            instance: &instance,
            physical_device: device.physical_device,
            device: &handle,
            allocator: None,
            pipeline_cache: device.pipeline_cache,
            debug_utils: false,
            pipeline_executables: true,
            queue_families: &[],
        };
        // SAFETY: the handles are an open device's, which outlives what is made here.
        let gpu = unsafe { Gpu::new(&desc) }.expect("there is memory");
        let shader = &shaders::SKIN_BAKE_COMP;
        let pipelines = [(); 2].map(|()| ComputePipeline::new(&gpu, shader, &[]));
        let told = gpu.pipeline_executables().expect("it was asked");
        assert_eq!(told.len(), 1, "two alike are one: {told:?}");
        assert_eq!(
            (told[0].pipeline.as_str(), told[0].subgroup_size),
            (shader.name, 32)
        );
        assert_eq!(told[0].name, "Compute Shader");
        let figures = told[0].statistics.iter();
        let figures: Vec<_> = figures
            .map(|figure| (figure.name.as_str(), figure.value))
            .collect();
        assert_eq!(figures, TOLD.map(|(name, _, value)| (name, value)));
        drop(pipelines);
        assert_eq!(gpu.pipeline_executables(), Some(Vec::new()));
    });
}

#[test]
fn a_device_that_tells_nothing_is_not_asked() {
    with_device(|device| {
        let immediate = Immediate::new(device).expect("there is memory");
        let shader = &shaders::SKIN_BAKE_COMP;
        let _pipeline = ComputePipeline::new(immediate.gpu(), shader, &[]).expect("it is taken");
        let told = immediate.gpu().pipeline_executables();
        assert_eq!(told.is_some(), device.has_pipeline_executables);
        assert!(told.is_none_or(|told| told.iter().any(|one| one.pipeline == shader.name)));
    });
}
