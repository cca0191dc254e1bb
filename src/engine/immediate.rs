//! Work on the GPU without a world: recorded, submitted and waited for, one piece after the other. For tools and tests.

use std::sync::Arc;

use bytemuck::Pod;

use super::{Device, EngineError, Frames, Readback, Submission};
use crate::gpu::{
    Access, Buffer, DescriptorSets, Gpu, GpuDesc, Recorder, StageTimes, Timestamps, Uploads,
};

/// A device, and what it takes to record a piece of work and wait for it.
pub struct Immediate {
    // What is dropped first is idle: every piece is waited for.
    frames: Frames,
    readback: Readback,
    timestamps: Timestamps,
    sets: DescriptorSets,
    gpu: Arc<Gpu>,
    device: Arc<Device>,
}

impl Immediate {
    /// Sets up on a device.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(device: &Arc<Device>) -> Result<Self, EngineError> {
        let desc = GpuDesc {
            instance: &device.instance.handle,
            physical_device: device.physical_device,
            device: &device.handle,
            allocator: None,
            pipeline_cache: device.pipeline_cache,
            debug_utils: device.instance.has_debug_utils(),
            pipeline_executables: device.has_pipeline_executables,
            queue_families: &[],
        };
        // SAFETY: the handles are an open device's, which is kept alive.
        let gpu = unsafe { Gpu::new(&desc)? };
        Ok(Self {
            frames: Frames::new(device, 1)?,
            readback: Readback::new(&gpu),
            timestamps: Timestamps::new(&gpu, 1, device.timestamp_valid_bits())?,
            sets: DescriptorSets::new(&gpu, 1)?,
            gpu,
            device: Arc::clone(device),
        })
    }

    /// What buffers and pipelines are made on.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Copies what waits, and waits for it.
    ///
    /// # Errors
    /// When the device is lost or memory runs out.
    pub fn upload(&mut self, mut uploads: Uploads) -> Result<(), EngineError> {
        self.run(|recorder| uploads.record(recorder, 0))?;
        Ok(())
    }

    /// Records a piece of work, submits it and waits until it is done; what it wrote, later pieces see. Returns how long its stages took.
    ///
    /// # Errors
    /// When the device is lost or memory runs out.
    pub fn run(&mut self, record: impl FnOnce(&mut Recorder)) -> Result<&StageTimes, EngineError> {
        let cmd = self.frames.begin()?;
        self.timestamps.begin_frame(cmd);
        self.sets.begin_frame();
        let mut recorder =
            Recorder::new(&self.gpu, cmd, &mut self.timestamps).with_sets(&mut self.sets);
        record(&mut recorder);
        let wrote = [Access::ComputeWrite, Access::TransferWrite];
        let read = [
            Access::ComputeReadWrite,
            Access::TransferRead,
            Access::TransferWrite,
        ];
        recorder.barrier(&wrote, &read);
        recorder.finish()?;
        self.frames.submit(Submission::default())?;
        self.device.wait_idle()?;
        self.timestamps.collect();
        Ok(self.timestamps.latest())
    }

    /// The first `count` values of a buffer.
    ///
    /// # Errors
    /// When the device is lost or memory runs out.
    pub fn read<T: Pod>(&mut self, source: &Buffer, count: usize) -> Result<Vec<T>, EngineError> {
        self.readback
            .read(&self.device, &mut self.frames, source, count)
    }
}
