//! Filling device buffers: values are staged at once and copied by the next recorded frame.

use std::sync::Arc;

use bytemuck::Pod;

use super::{Buffer, BufferDesc, Gpu, GpuError, Memory, Recorder};

/// Copies that wait to be recorded, and staging that waits for the GPU to be done with it.
pub struct Uploads {
    gpu: Arc<Gpu>,
    waiting: Vec<Copy>,
    recorded: Vec<(u64, Vec<Copy>)>,
}

struct Copy {
    staging: Buffer,
    target: super::BufferSlice,
}

impl Uploads {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: Arc::clone(gpu),
            waiting: Vec::new(),
            recorded: Vec::new(),
        }
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
        staging.write(0, values);
        self.waiting.push(Copy {
            staging,
            target: target.slice(0, bytes),
        });
        Ok(())
    }

    /// Whether copies wait.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Records the copies that wait. The caller puts a barrier behind them.
    pub fn record(&mut self, recorder: &mut Recorder, frame_ix: u64) {
        for copy in &self.waiting {
            recorder.copy(copy.staging.all(), copy.target);
        }
        if !self.waiting.is_empty() {
            self.recorded
                .push((frame_ix, std::mem::take(&mut self.waiting)));
        }
    }

    /// Frees the staging of frames that are done: those before `frame_ix - frames_in_flight`.
    pub fn retire(&mut self, frame_ix: u64, frames_in_flight: usize) {
        self.recorded
            .retain(|(recorded, _)| recorded + frames_in_flight as u64 > frame_ix);
    }
}
