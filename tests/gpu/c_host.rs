//! An open device as callers of the C interface hand it over.

use std::ptr::null;

use ash::vk;
use radial_fields::capi::RfHost;
use radial_fields::engine::Device;

pub fn host(device: &Device) -> RfHost {
    RfHost {
        struct_size: size_of::<RfHost>() as u32,
        queue_family_index: device.queue_family_ix,
        get_instance_proc_addr: Some(device.instance.entry.static_fn().get_instance_proc_addr),
        instance: device.instance.handle.handle(),
        physical_device: device.physical_device,
        device: device.handle.handle(),
        pipeline_cache: vk::PipelineCache::null(),
        frames_in_flight: 2,
        has_debug_utils: 1,
        shared_with_count: 0,
        reserved: 0,
        shared_with: null(),
    }
}
