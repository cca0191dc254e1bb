//! Uploads to device buffers: values are staged immediately and copied by the next recorded frame.

use std::sync::Arc;

use ash::vk;
use bytemuck::Pod;

use super::{Access, Buffer, BufferDesc, BufferSlice, Gpu, GpuError, Image, Memory, Recorder};

/// Copies that wait to be recorded, and staging that waits for the GPU to be done with it.
pub struct Uploads {
    gpu: Arc<Gpu>,
    waiting: Vec<Copy>,
    /// What is to be zero.
    waiting_fills: Vec<BufferSlice>,
    waiting_images: Vec<ImageCopy>,
    /// Staging of recorded copies, with the frame that makes them.
    recorded: Vec<(u64, Buffer)>,
}

struct Copy {
    staging: Buffer,
    target: BufferSlice,
}

struct ImageCopy {
    staging: Buffer,
    image: vk::Image,
    range: vk::ImageSubresourceRange,
    regions: Vec<vk::BufferImageCopy>,
}

/// Texel blocks are aligned so in the staging; no format in use has larger ones.
const LEVEL_ALIGNMENT: usize = 16;

impl Uploads {
    /// Begins with nothing to copy.
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: Arc::clone(gpu),
            waiting: Vec::new(),
            waiting_fills: Vec::new(),
            waiting_images: Vec::new(),
            recorded: Vec::new(),
        }
    }

    /// What buffers are made on.
    #[cfg(feature = "rivals")]
    pub(crate) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// A device buffer that will hold `values` once the copies have run.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn buffer<T: Pod>(&mut self, label: &str, values: &[T]) -> Result<Buffer, GpuError> {
        let bytes = size_of_val(values) as u64;
        let buffer = Buffer::new(
            &self.gpu,
            &BufferDesc {
                label,
                bytes,
                memory: Memory::Device,
            },
        )?;
        if !values.is_empty() {
            self.stage(&buffer, values)?;
        }
        Ok(buffer)
    }

    /// A device buffer that will hold zeros once the copies have run.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn zeros(&mut self, label: &str, bytes: u64) -> Result<Buffer, GpuError> {
        let memory = Memory::Device;
        let desc = BufferDesc {
            label,
            bytes,
            memory,
        };
        let buffer = Buffer::new(&self.gpu, &desc)?;
        if bytes > 0 {
            self.waiting_fills.push(buffer.slice(0, bytes));
        }
        Ok(buffer)
    }

    /// Has `values` copied to the start of `target`.
    ///
    /// # Errors
    /// When memory for the staging runs out.
    pub fn stage<T: Pod>(&mut self, target: &Buffer, values: &[T]) -> Result<(), GpuError> {
        let bytes = size_of_val(values) as u64;
        let mut staging = Buffer::new(
            &self.gpu,
            &BufferDesc {
                label: "upload.staging",
                bytes,
                memory: Memory::Upload,
            },
        )?;
        if !self.gpu.is_measuring() {
            staging.write(0, values);
        }
        self.waiting.push(Copy {
            staging,
            target: target.slice(0, bytes),
        });
        Ok(())
    }

    /// Has `levels` copied to the mip levels of `image`, which is left in `SHADER_READ_ONLY_OPTIMAL`.
    ///
    /// The levels hold tightly packed texels, rows from the top, the largest level first. The image must live until the
    /// copies are recorded.
    ///
    /// # Errors
    /// When memory for the staging runs out.
    pub fn stage_image(&mut self, image: &Image, levels: &[Vec<u8>]) -> Result<(), GpuError> {
        let mut bytes = Vec::new();
        let mut regions = Vec::new();
        for (level_ix, level) in levels.iter().enumerate() {
            bytes.resize(bytes.len().next_multiple_of(LEVEL_ALIGNMENT), 0);
            regions.push(level_region(image, level_ix as u32, bytes.len() as u64));
            bytes.extend_from_slice(level);
        }
        let desc = BufferDesc {
            label: "upload.image_staging",
            bytes: bytes.len() as u64,
            memory: Memory::Upload,
        };
        let mut staging = Buffer::new(&self.gpu, &desc)?;
        staging.write(0, &bytes);
        self.waiting_images.push(ImageCopy {
            staging,
            image: image.handle(),
            range: image.range(),
            regions,
        });
        Ok(())
    }

    /// Takes over the copies that wait in another.
    pub fn append(&mut self, mut other: Self) {
        self.waiting.append(&mut other.waiting);
        self.waiting_fills.append(&mut other.waiting_fills);
        self.waiting_images.append(&mut other.waiting_images);
        self.recorded.append(&mut other.recorded);
    }

    /// Whether copies wait.
    pub fn is_waiting(&self) -> bool {
        let (fills, images) = (&self.waiting_fills, &self.waiting_images);
        !self.waiting.is_empty() || !fills.is_empty() || !images.is_empty()
    }

    /// Records the copies that wait. The caller puts a barrier behind those of buffers; images bring theirs.
    pub fn record(&mut self, recorder: &mut Recorder, frame_ix: u64) {
        for copy in self.waiting.drain(..) {
            recorder.copy(copy.staging.all(), copy.target);
            self.recorded.push((frame_ix, copy.staging));
        }
        for target in self.waiting_fills.drain(..) {
            recorder.fill(target, 0);
        }
        for copy in self.waiting_images.drain(..) {
            copy.record(recorder);
            self.recorded.push((frame_ix, copy.staging));
        }
    }

    /// Frees the staging of frames that are done: those before `frame_ix - frames_in_flight`.
    pub fn retire(&mut self, frame_ix: u64, frames_in_flight: usize) {
        self.recorded
            .retain(|(recorded, _)| recorded + frames_in_flight as u64 > frame_ix);
    }
}

impl ImageCopy {
    fn record(&self, recorder: &mut Recorder) {
        let new = (Access::TransferWrite, vk::ImageLayout::UNDEFINED);
        let filled = (Access::TransferWrite, vk::ImageLayout::TRANSFER_DST_OPTIMAL);
        let read = (
            Access::FragmentRead,
            vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
        );
        recorder.transition_handle(self.image, self.range, new, filled);
        recorder.copy_to_image(&self.staging, self.image, &self.regions);
        recorder.transition_handle(self.image, self.range, filled, read);
    }
}

fn level_region(image: &Image, level_ix: u32, offset: u64) -> vk::BufferImageCopy {
    let extent = image.extent();
    vk::BufferImageCopy::default()
        .buffer_offset(offset)
        .image_subresource(vk::ImageSubresourceLayers {
            aspect_mask: image.range().aspect_mask,
            mip_level: level_ix,
            base_array_layer: 0,
            layer_count: 1,
        })
        .image_extent(vk::Extent3D {
            width: (extent.width >> level_ix).max(1),
            height: (extent.height >> level_ix).max(1),
            depth: 1,
        })
}
