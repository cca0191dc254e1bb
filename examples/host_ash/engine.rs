//! A bare engine over ash: a device, memory, two frames in flight. It has never heard of cloth.

use std::error::Error;
use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicU32, Ordering};

use ash::vk;
use radial_fields::Technique;
use radial_fields::host::{Features, check_support, enable_features, supported_extensions};

/// How many frames the GPU may fall behind.
pub const FRAMES_IN_FLIGHT: usize = 2;

/// What validation said at warning or above.
static MESSAGE_COUNT: AtomicU32 = AtomicU32::new(0);

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Device, queue, and everything made on it, which goes when the engine goes.
pub struct Engine {
    _entry: ash::Entry,
    pub instance: ash::Instance,
    pub physical_device: vk::PhysicalDevice,
    pub device: ash::Device,
    pub queue_family_ix: u32,
    /// What the device was made with.
    pub features: Features,
    queue: vk::Queue,
    pool: vk::CommandPool,
    frames: Vec<(vk::CommandBuffer, vk::Fence)>,
    frame_ix: usize,
    /// Gives back what was made, the last first.
    at_end: Vec<Box<dyn FnOnce(&ash::Device)>>,
    messenger: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
}

impl Engine {
    /// Opens the first device that will do.
    pub fn open(validates: bool) -> Result<Self> {
        // SAFETY: everything below is given complete structs, and handles made just before.
        unsafe {
            let entry = ash::Entry::load()?;
            let instance = make_instance(&entry, validates)?;
            let messenger = validates.then(|| listen(&entry, &instance)).transpose()?;
            let (physical_device, queue_family_ix) = pick(&instance)?;
            // What the engine wants for itself would be set first; the library adds what it needs.
            let mut features = Features::default();
            enable_features(&mut features, Technique::default());
            let device = make_device(&instance, physical_device, queue_family_ix, features)?;
            let pool_info = vk::CommandPoolCreateInfo::default()
                .queue_family_index(queue_family_ix)
                .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
            let pool = device.create_command_pool(&pool_info, None)?;
            let info = vk::CommandBufferAllocateInfo::default()
                .command_pool(pool)
                .command_buffer_count(FRAMES_IN_FLIGHT as u32);
            let signalled = vk::FenceCreateInfo::default().flags(vk::FenceCreateFlags::SIGNALED);
            let cmds = device.allocate_command_buffers(&info)?.into_iter();
            let frames = cmds.map(|cmd| Ok((cmd, device.create_fence(&signalled, None)?)));
            let frames = frames.collect::<Result<_>>()?;
            Ok(Self {
                queue: device.get_device_queue(queue_family_ix, 0),
                _entry: entry,
                instance,
                physical_device,
                device,
                queue_family_ix,
                features,
                pool,
                frames,
                frame_ix: 0,
                at_end: Vec::new(),
                messenger,
            })
        }
    }

    /// Records a frame and submits it, once the frame that used the same command buffer has finished.
    pub fn frame(&mut self, record: impl FnOnce(vk::CommandBuffer) -> Result<()>) -> Result<()> {
        let (cmd, fence) = self.frames[self.frame_ix % FRAMES_IN_FLIGHT];
        self.frame_ix += 1;
        let once = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        let cmds = [vk::CommandBufferSubmitInfo::default().command_buffer(cmd)];
        let submit = [vk::SubmitInfo2::default().command_buffer_infos(&cmds)];
        // SAFETY: the fence says that the GPU is done with the command buffer; the queue is used from one thread.
        unsafe {
            self.device.wait_for_fences(&[fence], true, u64::MAX)?;
            self.device.begin_command_buffer(cmd, &once)?;
            record(cmd)?;
            self.device.end_command_buffer(cmd)?;
            self.device.reset_fences(&[fence])?;
            self.device.queue_submit2(self.queue, &submit, fence)?;
        }
        Ok(())
    }

    /// Waits until the GPU has nothing to do.
    pub fn wait(&self) -> Result<()> {
        // SAFETY: the device is open, the queue is used from one thread.
        Ok(unsafe { self.device.device_wait_idle() }?)
    }

    /// Whether validation is listened to.
    pub fn validates(&self) -> bool {
        self.messenger.is_some()
    }

    /// What validation has said so far.
    pub fn message_count(&self) -> u32 {
        MESSAGE_COUNT.load(Ordering::Relaxed)
    }

    /// Has something given back when the engine goes and the GPU is idle.
    pub fn at_end(&mut self, give_back: impl FnOnce(&ash::Device) + 'static) {
        self.at_end.push(Box::new(give_back));
    }

    /// The engine's allocator: one allocation an object, kept to the end.
    fn allocate(
        &mut self,
        needs: vk::MemoryRequirements,
        wanted: vk::MemoryPropertyFlags,
    ) -> Result<vk::DeviceMemory> {
        // SAFETY: the physical device is the instance's; the type is one of its own.
        unsafe {
            let known = self
                .instance
                .get_physical_device_memory_properties(self.physical_device);
            let types = known.memory_types_as_slice().iter().enumerate();
            let mut fitting = types.filter(|(ix, memory_type)| {
                needs.memory_type_bits & 1 << ix != 0 && memory_type.property_flags.contains(wanted)
            });
            let (type_ix, _) = fitting.next().ok_or("no such memory")?;
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(type_ix as u32);
            let memory = self.device.allocate_memory(&info, None)?;
            self.at_end(move |device| device.free_memory(memory, None));
            Ok(memory)
        }
    }

    /// A buffer the CPU can reach, and where it is mapped.
    pub fn buffer(
        &mut self,
        bytes: u64,
        usage: vk::BufferUsageFlags,
    ) -> Result<(vk::Buffer, *mut u8)> {
        use vk::MemoryPropertyFlags as M;
        let info = vk::BufferCreateInfo::default().size(bytes).usage(usage);
        // SAFETY: the memory is as large and of the type that the buffer asks for, and stays mapped until it is freed.
        unsafe {
            let buffer = self.device.create_buffer(&info, None)?;
            self.at_end(move |device| device.destroy_buffer(buffer, None));
            let needs = self.device.get_buffer_memory_requirements(buffer);
            let memory = self.allocate(needs, M::HOST_VISIBLE | M::HOST_COHERENT)?;
            self.device.bind_buffer_memory(buffer, memory, 0)?;
            let flags = vk::MemoryMapFlags::empty();
            let mapped = self.device.map_memory(memory, 0, bytes, flags)?;
            Ok((buffer, mapped.cast()))
        }
    }

    /// An image to draw on.
    pub fn image(
        &mut self,
        extent: vk::Extent2D,
        format: vk::Format,
        usage: vk::ImageUsageFlags,
    ) -> Result<(vk::Image, vk::ImageView)> {
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(format)
            .extent(extent.into())
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage);
        // SAFETY: as in `buffer`.
        unsafe {
            let image = self.device.create_image(&info, None)?;
            self.at_end(move |device| device.destroy_image(image, None));
            let needs = self.device.get_image_memory_requirements(image);
            let memory = self.allocate(needs, vk::MemoryPropertyFlags::DEVICE_LOCAL)?;
            self.device.bind_image_memory(image, memory, 0)?;
            let view_info = vk::ImageViewCreateInfo::default()
                .image(image)
                .view_type(vk::ImageViewType::TYPE_2D)
                .format(format)
                .subresource_range(range(format));
            let view = self.device.create_image_view(&view_info, None)?;
            self.at_end(move |device| device.destroy_image_view(view, None));
            Ok((image, view))
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let device = &self.device;
        // SAFETY: the GPU is idle, and nothing else uses the engine's objects.
        unsafe {
            let _ = device.device_wait_idle();
            while let Some(give_back) = self.at_end.pop() {
                give_back(device);
            }
            for &(_, fence) in &self.frames {
                device.destroy_fence(fence, None);
            }
            device.destroy_command_pool(self.pool, None);
            device.destroy_device(None);
            if let Some((functions, messenger)) = &self.messenger {
                functions.destroy_debug_utils_messenger(*messenger, None);
            }
            self.instance.destroy_instance(None);
        }
    }
}

/// The whole of an image of ours.
pub fn range(format: vk::Format) -> vk::ImageSubresourceRange {
    let aspect = match format {
        vk::Format::D32_SFLOAT => vk::ImageAspectFlags::DEPTH,
        _ => vk::ImageAspectFlags::COLOR,
    };
    vk::ImageSubresourceRange::default()
        .aspect_mask(aspect)
        .level_count(1)
        .layer_count(1)
}

unsafe fn make_instance(entry: &ash::Entry, validates: bool) -> Result<ash::Instance> {
    let application = vk::ApplicationInfo::default()
        .application_name(c"host_ash")
        .api_version(vk::API_VERSION_1_3);
    let layers = [c"VK_LAYER_KHRONOS_validation".as_ptr()];
    let extensions = [ash::ext::debug_utils::NAME.as_ptr()];
    let checks = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
    let mut features = vk::ValidationFeaturesEXT::default().enabled_validation_features(&checks);
    let mut info = vk::InstanceCreateInfo::default().application_info(&application);
    if validates {
        info = info
            .enabled_layer_names(&layers)
            .enabled_extension_names(&extensions)
            .push_next(&mut features);
    }
    // SAFETY: every name and struct outlives the call.
    Ok(unsafe { entry.create_instance(&info, None) }?)
}

/// The first device that will do, and its first family with graphics and compute.
unsafe fn pick(instance: &ash::Instance) -> Result<(vk::PhysicalDevice, u32)> {
    let needed = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
    // SAFETY: the devices are the instance's.
    unsafe {
        let devices = instance.enumerate_physical_devices()?.into_iter();
        let mut usable =
            devices.filter(|&device| check_support(instance, device, Technique::default()).is_ok());
        let device = usable
            .next()
            .ok_or("no device has what radial_fields needs")?;
        let families = instance.get_physical_device_queue_family_properties(device);
        let mut families = families.iter();
        let family_ix = families.position(|family| family.queue_flags.contains(needed));
        Ok((
            device,
            family_ix.ok_or("no queue with graphics and compute")? as u32,
        ))
    }
}

unsafe fn make_device(
    instance: &ash::Instance,
    physical_device: vk::PhysicalDevice,
    queue_family_ix: u32,
    mut features: Features,
) -> Result<ash::Device> {
    let queues = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(queue_family_ix)
        .queue_priorities(&[1.0])];
    // SAFETY: the physical device is the instance's.
    let extensions = unsafe { supported_extensions(instance, physical_device) };
    let extensions: Vec<_> = extensions.iter().map(|it| it.as_ptr()).collect();
    let mut core = vk::PhysicalDeviceFeatures2::default().features(features.core);
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&extensions)
        .push_next(&mut core)
        .push_next(&mut features.v12)
        .push_next(&mut features.v13);
    // SAFETY: the device has the features and extensions, as `check_support` found.
    Ok(unsafe { instance.create_device(physical_device, &info, None) }?)
}

unsafe fn listen(
    entry: &ash::Entry,
    instance: &ash::Instance,
) -> Result<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)> {
    use vk::{
        DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Type,
    };
    let functions = ash::ext::debug_utils::Instance::new(entry, instance);
    let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(Severity::WARNING | Severity::ERROR)
        .message_type(Type::VALIDATION | Type::PERFORMANCE)
        .pfn_user_callback(Some(hear));
    // SAFETY: the instance has the extension.
    let messenger = unsafe { functions.create_debug_utils_messenger(&info, None) }?;
    Ok((functions, messenger))
}

unsafe extern "system" fn hear(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: Vulkan passes valid data with a null-terminated message.
    let text = unsafe { CStr::from_ptr((*data).p_message) };
    eprintln!("validation: {}", text.to_string_lossy());
    MESSAGE_COUNT.fetch_add(1, Ordering::Relaxed);
    vk::FALSE
}
