//! Where the particles would be had the last collision not been, for whoever judges collision by positions alone.

use std::sync::Arc;

use super::{Simulation, World};
use crate::collide::SubStep;
use crate::gpu::{Access, Buffer, BufferDesc, Gpu, GpuError, Memory, Recorder};

impl World {
    /// Keeps, or no longer, where each step's last collision finds the particles. Off at first, and free then; on, it takes
    /// 16 bytes a particle and a copy a step. The caller waits for the GPU before it switches it off.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn keep_before_collision(&mut self, keeps: bool) -> Result<(), GpuError> {
        let count = self.cloth().particle_count();
        let kept = &mut self.simulation.before_collision;
        *kept = match (keeps, kept.take()) {
            (false, _) => None,
            (true, Some(buffer)) => Some(buffer),
            (true, None) => Some(new_buffer(&self.gpu, count)?),
        };
        Ok(())
    }

    /// World-space positions just before the last collision of the last step: four floats a particle, the last unused.
    /// `None` unless [`World::keep_before_collision`] asked for them; undefined before the next step then.
    pub fn before_collision(&self) -> Option<&Buffer> {
        self.simulation.before_collision.as_ref()
    }
}

pub(super) fn new_buffer(gpu: &Arc<Gpu>, particle_count: u32) -> Result<Buffer, GpuError> {
    let desc = BufferDesc {
        label: "world.before_collision",
        bytes: u64::from(particle_count) * size_of::<[f32; 4]>() as u64,
        memory: Memory::Device,
    };
    Buffer::new(gpu, &desc)
}

impl Simulation {
    /// Copies the predicted positions, if they are asked for and this is the step's last collision.
    pub(crate) fn record_before_collision(&self, recorder: &mut Recorder, sub_step: SubStep) {
        let Some(kept) = &self.before_collision else {
            return;
        };
        if sub_step.ix + 1 != sub_step.count {
            return;
        }
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::TransferRead]);
        recorder.copy(self.cloth.predicted().all(), kept.all());
        recorder.barrier(
            &[Access::TransferRead, Access::TransferWrite],
            &[Access::ComputeReadWrite, Access::TransferRead],
        );
    }
}
