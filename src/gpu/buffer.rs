//! Buffers that free themselves.

use std::sync::Arc;

use ash::vk;
use bytemuck::Pod;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};

use super::{Gpu, GpuError};

/// The kind of memory a buffer lives in, and who may access it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// On the device; filled by recorded copies or by shaders.
    Device,
    /// Written by the host, read by copies.
    Upload,
    /// Written by the host, read by shaders and copies.
    Shared,
    /// Written by copies, read by the host.
    Readback,
}

/// What a buffer is to be.
#[derive(Clone, Copy, Debug)]
pub struct BufferDesc<'a> {
    /// Its path in our tree, as validation messages and captures show it.
    pub label: &'a str,
    /// At least one byte is taken even for 0, so that empty lists can be bound.
    pub bytes: u64,
    pub memory: Memory,
}

/// A storage buffer that can also be copied from and to, be bound as a vertex buffer and hold indirect arguments.
pub struct Buffer {
    gpu: Arc<Gpu>,
    handle: vk::Buffer,
    allocation: Option<Allocation>,
    /// What it would take, if it was only measured.
    measured_bytes: u64,
    bytes: u64,
    label: String,
}

/// A part of a buffer to bind.
#[derive(Clone, Copy)]
pub struct BufferSlice {
    pub handle: vk::Buffer,
    pub offset: u64,
    pub bytes: u64,
}

/// Smallest buffer: empty lists still need something to bind.
const MIN_BYTES: u64 = 16;

impl Buffer {
    /// Makes a buffer with undefined contents.
    ///
    /// # Errors
    /// When memory or handles run out, or it is larger than the device allows, with the buffer's label.
    pub fn new(gpu: &Arc<Gpu>, desc: &BufferDesc) -> Result<Self, GpuError> {
        let bytes = desc.bytes.max(MIN_BYTES).next_multiple_of(4);
        gpu.check_bytes(desc.label, bytes, desc.memory)?;
        let info = gpu.buffer_info(
            bytes,
            vk::BufferUsageFlags::STORAGE_BUFFER
                | vk::BufferUsageFlags::TRANSFER_SRC
                | vk::BufferUsageFlags::TRANSFER_DST
                | vk::BufferUsageFlags::VERTEX_BUFFER
                | vk::BufferUsageFlags::INDIRECT_BUFFER,
        );
        if gpu.is_measuring() {
            return Ok(Self::measured(gpu, &info, desc.label));
        }
        // SAFETY: the device outlives the Gpu, and the create info is complete.
        let handle = unsafe { gpu.device.create_buffer(&info, None) }
            .map_err(GpuError::from_vk(desc.label))?;
        let mut buffer = Self {
            gpu: Arc::clone(gpu),
            handle,
            allocation: None,
            measured_bytes: 0,
            bytes,
            label: desc.label.to_owned(),
        };
        buffer.bind_memory(desc.memory)?;
        gpu.name(handle, desc.label);
        Ok(buffer)
    }

    /// A buffer that is not made, only counted.
    fn measured(gpu: &Arc<Gpu>, info: &vk::BufferCreateInfo, label: &str) -> Self {
        let query = vk::DeviceBufferMemoryRequirements::default().create_info(info);
        let mut answer = vk::MemoryRequirements2::default();
        // SAFETY: the device outlives the Gpu and has Vulkan 1.3; the create info is complete.
        unsafe {
            gpu.device
                .get_device_buffer_memory_requirements(&query, &mut answer);
        }
        let measured_bytes = answer.memory_requirements.size;
        gpu.count(measured_bytes);
        Self {
            gpu: Arc::clone(gpu),
            handle: vk::Buffer::null(),
            allocation: None,
            measured_bytes,
            bytes: info.size,
            label: label.to_owned(),
        }
    }

    fn bind_memory(&mut self, memory: Memory) -> Result<(), GpuError> {
        // SAFETY: the buffer was made on this device just now.
        let requirements = unsafe { self.gpu.device.get_buffer_memory_requirements(self.handle) };
        let allocation = self.gpu.allocate(&AllocationCreateDesc {
            name: &self.label,
            requirements,
            location: match memory {
                Memory::Device => MemoryLocation::GpuOnly,
                Memory::Upload | Memory::Shared => MemoryLocation::CpuToGpu,
                Memory::Readback => MemoryLocation::GpuToCpu,
            },
            linear: true,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        })?;
        // SAFETY: the memory was taken for this buffer and is not used by another.
        let bound = unsafe {
            self.gpu.device.bind_buffer_memory(
                self.handle,
                allocation.memory(),
                allocation.offset(),
            )
        };
        self.allocation = Some(allocation);
        bound.map_err(GpuError::from_vk(&self.label))
    }

    /// Its size in bytes, a multiple of 4.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The Vulkan handle.
    pub fn handle(&self) -> vk::Buffer {
        self.handle
    }

    /// The whole buffer, for binding.
    pub fn all(&self) -> BufferSlice {
        BufferSlice {
            handle: self.handle,
            offset: 0,
            bytes: self.bytes,
        }
    }

    /// Bytes `offset..offset + bytes`, for binding; `offset` must respect the device's storage buffer alignment.
    pub fn slice(&self, offset: u64, bytes: u64) -> BufferSlice {
        assert!(
            offset + bytes <= self.bytes,
            "{}: {offset} + {bytes} > {}",
            self.label,
            self.bytes
        );
        BufferSlice {
            handle: self.handle,
            offset,
            bytes,
        }
    }

    /// Writes values at a byte offset of an [`Memory::Upload`] or [`Memory::Shared`] buffer.
    pub fn write<T: Pod>(&mut self, offset: u64, values: &[T]) {
        let source: &[u8] = bytemuck::cast_slice(values);
        let start = usize::try_from(offset).expect("offsets fit the address space");
        self.mapped_mut()[start..start + source.len()].copy_from_slice(source);
    }

    /// The contents of a buffer that is not [`Memory::Device`].
    pub fn read<T: Pod>(&self, offset: u64, count: usize) -> Vec<T> {
        let start = usize::try_from(offset).expect("offsets fit the address space");
        let bytes = &self.mapped()[start..start + count * size_of::<T>()];
        bytes
            .chunks_exact(size_of::<T>())
            .map(bytemuck::pod_read_unaligned)
            .collect()
    }

    fn mapped(&self) -> &[u8] {
        self.allocation
            .as_ref()
            .and_then(Allocation::mapped_slice)
            .expect("only host-visible buffers are read")
    }

    fn mapped_mut(&mut self) -> &mut [u8] {
        self.allocation
            .as_mut()
            .and_then(Allocation::mapped_slice_mut)
            .expect("only host-visible buffers are written")
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the owner keeps buffers until the GPU is done with the frames that use them.
        unsafe { self.gpu.device.destroy_buffer(self.handle, None) };
        self.gpu.uncount(self.measured_bytes);
        if let Some(allocation) = self.allocation.take() {
            self.gpu.free(allocation);
        }
    }
}
