//! Opens wgpu's own Vulkan device with what the library needs on top, and hands out the handles beneath.

use radial_fields::Host;
use radial_fields::Technique;
use radial_fields::ash::vk;
use radial_fields::host::{check_support, supported_extensions};
use wgpu::hal::api::Vulkan;

use crate::Result;

/// How many frames the GPU may fall behind.
pub const FRAMES_IN_FLIGHT: usize = 2;

/// wgpu, open.
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

impl Gpu {
    pub fn open(validates: bool) -> Result<Self> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: wgpu::Backends::VULKAN,
            flags: match validates {
                // Vulkan's, with synchronization; without `DEBUG` its messages would be dropped.
                true => wgpu::InstanceFlags::VALIDATION | wgpu::InstanceFlags::DEBUG,
                false => wgpu::InstanceFlags::empty(),
            },
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let options = wgpu::RequestAdapterOptions::default();
        let adapter = pollster::block_on(instance.request_adapter(&options))?;
        let desc = wgpu::DeviceDescriptor {
            required_features: wgpu::Features::IMMEDIATES,
            required_limits: wgpu::Limits {
                max_immediate_size: 80,
                ..wgpu::Limits::default()
            },
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = open_device(&adapter, &desc)?;
        Ok(Self { device, queue })
    }

    /// Has `build` make something with the handles beneath wgpu.
    pub fn with_host<T>(&self, build: impl FnOnce(&Host) -> Result<T>) -> Result<T> {
        // SAFETY: the handles are lent, and nothing of wgpu's is destroyed through them.
        let device =
            unsafe { self.device.as_hal::<Vulkan>() }.ok_or("wgpu does not run on Vulkan")?;
        let instance = device.shared_instance();
        build(&Host {
            instance: instance.raw_instance(),
            physical_device: device.raw_physical_device(),
            device: device.raw_device(),
            queue_family_ix: device.queue_family_index(),
            shared_with: &[],
            allocator: None,
            pipeline_cache: vk::PipelineCache::null(),
            frames_in_flight: FRAMES_IN_FLIGHT,
            debug_utils: instance
                .extensions()
                .contains(&radial_fields::ash::ext::debug_utils::NAME),
            pipeline_executables: false,
            features: None,
        })
    }

    /// A buffer of the library's as wgpu takes it, to be bound as a vertex buffer in this frame.
    pub fn borrow(&self, buffer: &radial_fields::gpu::Buffer) -> wgpu::Buffer {
        let desc = wgpu::BufferDescriptor {
            label: None,
            size: buffer.bytes(),
            usage: wgpu::BufferUsages::VERTEX,
            mapped_at_creation: false,
        };
        // SAFETY: the library keeps its buffers until the frames in flight are over, and has filled them by then.
        unsafe {
            let raw = wgpu::hal::vulkan::Buffer::from_raw_externally_owned(
                buffer.handle(),
                Box::new(|| ()),
            );
            self.device.create_buffer_from_hal::<Vulkan>(raw, &desc)
        }
    }
}

/// What wgpu's own `request_device` does, with our extension and features in between.
fn open_device(
    adapter: &wgpu::Adapter,
    desc: &wgpu::DeviceDescriptor,
) -> Result<(wgpu::Device, wgpu::Queue)> {
    // wgpu takes the first family as well.
    let family_ix = 0;
    // SAFETY: the device is made as `device_from_raw` asks for: with wgpu's extensions and features and some more.
    unsafe {
        let hal = adapter
            .as_hal::<Vulkan>()
            .ok_or("wgpu does not run on Vulkan")?;
        let instance = hal.shared_instance().raw_instance();
        check_support(instance, hal.raw_physical_device(), Technique::default())?;
        let mut extensions = hal.required_device_extensions(desc.required_features);
        extensions.extend(supported_extensions(instance, hal.raw_physical_device()));
        let mut wanted = hal.physical_device_features(&extensions, desc.required_features);
        // The structs of Vulkan 1.2 and 1.3 as a whole would clash with those that wgpu hands over one by one.
        let mut layout =
            vk::PhysicalDeviceScalarBlockLayoutFeatures::default().scalar_block_layout(true);
        let mut rendering =
            vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let mut barriers =
            vk::PhysicalDeviceSynchronization2Features::default().synchronization2(true);
        let names: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(family_ix)
            .queue_priorities(&[1.0])];
        let info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&names);
        let info = wanted
            .add_to_device_create(info)
            .push_next(&mut layout)
            .push_next(&mut rendering)
            .push_next(&mut barriers);
        enable_maintenance4(&info);
        let raw = instance.create_device(hal.raw_physical_device(), &info, None)?;
        let open = hal.device_from_raw(
            raw,
            None,
            &extensions,
            desc.required_features,
            &desc.required_limits,
            &desc.memory_hints,
            family_ix,
            0,
        )?;
        Ok(adapter.create_device_from_hal(open, desc)?)
    }
}

/// wgpu hands this struct over itself, switched off, and a struct may be there once only.
///
/// # Safety
/// The chain must be complete, and not accessed by anyone else meanwhile.
unsafe fn enable_maintenance4(info: &vk::DeviceCreateInfo) {
    let mut link = info.p_next.cast_mut().cast::<vk::BaseOutStructure>();
    // SAFETY: every struct of the chain begins with its type and the next one's address.
    unsafe {
        while let Some(base) = link.as_mut() {
            if base.s_type == vk::StructureType::PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES {
                let features = link.cast::<vk::PhysicalDeviceMaintenance4Features>();
                (*features).maintenance4 = vk::TRUE;
            }
            link = base.p_next.cast();
        }
    }
}
