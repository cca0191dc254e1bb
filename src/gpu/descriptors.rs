//! What a pass binds: buffers and images, pushed where the device can, else written into descriptor sets of the frame's own.

use std::sync::Arc;

use ash::vk;

use super::pipeline::{Layout, descriptor_type};
use super::{Binding, BindingKind, Buffer, BufferSlice, Gpu, GpuError};

/// Something to bind: a buffer, or an image with its sampler.
#[derive(Clone, Copy)]
pub enum Bind {
    Buffer(BufferSlice),
    Image {
        view: vk::ImageView,
        sampler: vk::Sampler,
    },
}

impl Bind {
    /// What several lists bind, one after the other; together they have `N`.
    pub fn joined<const N: usize>(parts: &[&[Self]]) -> [Self; N] {
        let mut all = parts.iter().flat_map(|part| part.iter());
        std::array::from_fn(|_| {
            *all.next()
                .expect("the lists have as many as the pass binds")
        })
    }
}

impl From<&Buffer> for Bind {
    fn from(buffer: &Buffer) -> Self {
        Self::Buffer(buffer.all())
    }
}

impl From<BufferSlice> for Bind {
    fn from(slice: BufferSlice) -> Self {
        Self::Buffer(slice)
    }
}

/// The most descriptors a pass may bind: what every device with push descriptors allows.
const MAX_BINDINGS: usize = 32;

/// What a pass binds, as Vulkan takes it.
pub(super) struct DescriptorInfos {
    buffers: [vk::DescriptorBufferInfo; MAX_BINDINGS],
    images: [vk::DescriptorImageInfo; MAX_BINDINGS],
}

impl DescriptorInfos {
    pub(super) fn of(bindings: &[Bind]) -> Self {
        assert!(
            bindings.len() <= MAX_BINDINGS,
            "more bindings than every device allows"
        );
        let mut infos = Self {
            buffers: [vk::DescriptorBufferInfo::default(); MAX_BINDINGS],
            images: [vk::DescriptorImageInfo::default(); MAX_BINDINGS],
        };
        for (number, bind) in bindings.iter().enumerate() {
            match bind {
                Bind::Buffer(slice) => {
                    infos.buffers[number] = vk::DescriptorBufferInfo {
                        buffer: slice.handle,
                        offset: slice.offset,
                        range: slice.bytes,
                    };
                }
                Bind::Image { view, sampler } => {
                    infos.images[number] = vk::DescriptorImageInfo {
                        sampler: *sampler,
                        image_view: *view,
                        image_layout: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
                    };
                }
            }
        }
        infos
    }

    /// Writes into `set`, or to be pushed if that is null; the first as many as the layout has bindings count.
    pub(super) fn writes(
        &self,
        layout: &Layout,
        set: vk::DescriptorSet,
    ) -> [vk::WriteDescriptorSet<'_>; MAX_BINDINGS] {
        let mut writes = [vk::WriteDescriptorSet::default(); MAX_BINDINGS];
        for (number, binding) in layout.bindings.iter().enumerate() {
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(binding.number)
                .descriptor_type(descriptor_type(binding.kind));
            writes[number] = match binding.kind {
                BindingKind::SampledImage => {
                    write.image_info(std::slice::from_ref(&self.images[number]))
                }
                BindingKind::StorageRead | BindingKind::StorageWrite => {
                    write.buffer_info(std::slice::from_ref(&self.buffers[number]))
                }
            };
        }
        writes
    }
}

/// Descriptor sets of the frames in flight, for devices without push descriptors; on others it holds and does nothing.
///
/// Each pass takes a set of its own. Those of a frame are taken back together when its place in the ring comes round again.
/// Pools are made when a frame binds more than any before it; none once the frames are all alike.
pub struct DescriptorSets {
    gpu: Arc<Gpu>,
    /// One a frame in flight; empty where descriptors are pushed.
    ring: Vec<FramePools>,
    slot: usize,
}

/// The pools of one frame, used up one after the other.
#[derive(Default)]
struct FramePools {
    pools: Vec<vk::DescriptorPool>,
    /// How many of them this frame has begun on.
    open_count: usize,
    /// What the last of those still has.
    left: Room,
}

/// How many sets and descriptors a pool has, or a set takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Room {
    sets: u32,
    buffers: u32,
    images: u32,
}

/// What each pool is made with: the passes of one to three steps. Some passes bind 3 buffers and some 20, so 12 are reckoned for
/// each; pictures bind a few images in some of their draws. Less makes more pools, more takes memory that is not used.
const POOL: Room = Room {
    sets: 256,
    buffers: 12 * 256,
    images: 256,
};

impl DescriptorSets {
    /// Makes the first pool of each frame in flight, if the device needs any.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(gpu: &Arc<Gpu>, frames_in_flight: usize) -> Result<Self, GpuError> {
        let mut sets = Self {
            gpu: Arc::clone(gpu),
            ring: Vec::new(),
            slot: 0,
        };
        if gpu.has_push_descriptors() {
            return Ok(sets);
        }
        for slot in 0..frames_in_flight {
            sets.ring.push(FramePools::default());
            sets.ring[slot]
                .open_next(gpu)
                .map_err(GpuError::from_vk(LABEL))?;
        }
        Ok(sets)
    }

    /// Starts the next frame; the sets of its place in the ring are done with, as the frames in flight promise.
    pub fn begin_frame(&mut self) {
        if self.ring.is_empty() {
            return;
        }
        self.slot = (self.slot + 1) % self.ring.len();
        let frame = &mut self.ring[self.slot];
        frame.open_count = 0;
        frame.left = Room::default();
    }

    /// A set for one pass.
    pub(super) fn take(&mut self, layout: &Layout) -> Result<vk::DescriptorSet, vk::Result> {
        let Self { gpu, ring, slot } = self;
        let frame = &mut ring[*slot];
        let needed = Room::of(&layout.bindings);
        if !frame.left.holds(needed) {
            frame.open_next(gpu)?;
        }
        let set_layouts = [layout.set_layout];
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(frame.pools[frame.open_count - 1])
            .set_layouts(&set_layouts);
        let mut set = vk::DescriptorSet::null();
        let device = &gpu.device;
        // SAFETY: the pool has room for one more. ash's own function would take memory for a list each time.
        unsafe {
            let allocate = device.fp_v1_0().allocate_descriptor_sets;
            allocate(device.handle(), &raw const info, &raw mut set).result()?;
        }
        frame.left = frame.left.without(needed);
        Ok(set)
    }
}

const LABEL: &str = "descriptor sets";

impl FramePools {
    /// Goes on to the next pool, emptied, or to a new one behind the last.
    fn open_next(&mut self, gpu: &Gpu) -> Result<(), vk::Result> {
        match self.pools.get(self.open_count) {
            // SAFETY: the frame that took sets from it is over on the GPU, by the owner's frames in flight.
            Some(&pool) => unsafe {
                let flags = vk::DescriptorPoolResetFlags::empty();
                gpu.device.reset_descriptor_pool(pool, flags)?;
            },
            None => {
                let pool = make_pool(gpu)?;
                gpu.name(pool, LABEL);
                self.pools.push(pool);
            }
        }
        self.open_count += 1;
        self.left = POOL;
        Ok(())
    }
}

fn make_pool(gpu: &Gpu) -> Result<vk::DescriptorPool, vk::Result> {
    let sizes = [
        (vk::DescriptorType::STORAGE_BUFFER, POOL.buffers),
        (vk::DescriptorType::COMBINED_IMAGE_SAMPLER, POOL.images),
    ];
    let sizes = sizes.map(|(ty, descriptor_count)| vk::DescriptorPoolSize {
        ty,
        descriptor_count,
    });
    let info = vk::DescriptorPoolCreateInfo::default()
        .max_sets(POOL.sets)
        .pool_sizes(&sizes);
    // SAFETY: the device outlives the Gpu, and the create info is complete.
    unsafe { gpu.device.create_descriptor_pool(&info, None) }
}

impl Drop for DescriptorSets {
    fn drop(&mut self) {
        for &pool in self.ring.iter().flat_map(|frame| &frame.pools) {
            // SAFETY: the owner keeps them until the GPU is done with the frames that use them.
            unsafe { self.gpu.device.destroy_descriptor_pool(pool, None) };
        }
    }
}

impl Room {
    /// What a set with these bindings takes.
    fn of(bindings: &[Binding]) -> Self {
        let is_image = |binding: &&Binding| binding.kind == BindingKind::SampledImage;
        let images = bindings.iter().filter(is_image).count() as u32;
        Self {
            sets: 1,
            buffers: bindings.len() as u32 - images,
            images,
        }
    }

    fn holds(self, needed: Self) -> bool {
        self.sets >= needed.sets && self.buffers >= needed.buffers && self.images >= needed.images
    }

    fn without(self, taken: Self) -> Self {
        Self {
            sets: self.sets - taken.sets,
            buffers: self.buffers - taken.buffers,
            images: self.images - taken.images,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::shaders;

    #[test]
    fn a_pool_has_room_for_every_shader() {
        for shader in shaders::ALL {
            let needed = Room::of(shader.bindings);
            assert!(POOL.holds(needed), "{}", shader.name);
            assert!(shader.bindings.len() <= MAX_BINDINGS, "{}", shader.name);
        }
    }

    #[test]
    fn a_set_takes_what_it_binds() {
        let binding = |number, kind| Binding {
            number,
            name: "any",
            kind,
        };
        let bindings = [
            binding(0, BindingKind::StorageRead),
            binding(1, BindingKind::SampledImage),
            binding(2, BindingKind::StorageWrite),
        ];
        let needed = Room::of(&bindings);
        let expected = Room {
            sets: 1,
            buffers: 2,
            images: 1,
        };
        assert_eq!(needed, expected);
        assert!(expected.holds(needed));
        assert!(!expected.without(needed).holds(Room::of(&[])));
    }
}
