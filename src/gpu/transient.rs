//! What the host writes anew each frame: one mapped buffer a frame in flight, filled from the start.

use std::sync::Arc;

use bytemuck::Pod;

use super::{Buffer, BufferDesc, BufferSlice, Gpu, GpuError, Memory};

/// A ring of upload buffers of fixed capacity.
pub struct Transient {
    ring: Vec<Buffer>,
    slot: usize,
    used_bytes: u64,
    alignment: u64,
}

impl Transient {
    /// Makes `frames_in_flight` buffers of `capacity_bytes` each; every value pushed takes up to [`Transient::padded`] of it.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        gpu: &Arc<Gpu>,
        label: &str,
        capacity_bytes: u64,
        frames_in_flight: usize,
    ) -> Result<Self, GpuError> {
        let ring = (0..frames_in_flight)
            .map(|slot| {
                let label = format!("{label}[{slot}]");
                Buffer::new(
                    gpu,
                    &BufferDesc {
                        label: &label,
                        bytes: capacity_bytes,
                        memory: Memory::Shared,
                    },
                )
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            ring,
            slot: 0,
            used_bytes: 0,
            alignment: gpu.limits.min_storage_buffer_offset_alignment.max(4),
        })
    }

    /// Room that `count` values of `T` take, padding included, on any device.
    pub const fn padded<T>(count: usize) -> u64 {
        // No device asks for more than 256 bytes of alignment.
        ((count * size_of::<T>()) as u64).next_multiple_of(256) + 256
    }

    /// Starts the next frame; what its buffer held is done with, as the frames in flight promise.
    pub fn begin_frame(&mut self) {
        self.slot = (self.slot + 1) % self.ring.len();
        self.used_bytes = 0;
    }

    /// Writes values, and returns where they lie.
    pub fn push<T: Pod>(&mut self, values: &[T]) -> BufferSlice {
        self.push_all(std::iter::once(values))
    }

    /// Writes lists of values one behind the other, and returns where they all lie.
    pub fn push_all<'a, T: Pod>(&mut self, lists: impl Iterator<Item = &'a [T]>) -> BufferSlice {
        let offset = self.used_bytes.next_multiple_of(self.alignment);
        let buffer = &mut self.ring[self.slot];
        self.used_bytes = offset;
        for values in lists {
            buffer.write(self.used_bytes, values);
            self.used_bytes += size_of_val(values) as u64;
        }
        buffer.slice(offset, (self.used_bytes - offset).max(4))
    }

    /// Bytes of all buffers of the ring.
    pub fn bytes(&self) -> u64 {
        self.ring.iter().map(Buffer::bytes).sum()
    }
}
