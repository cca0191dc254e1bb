//! Where the last collision found the particles, and where it put them, for judging collision by positions alone.

use std::mem::replace;
use std::sync::Arc;

use super::edit::AskedFor;
use super::{Simulation, World};
use crate::collide::SubStep;
use crate::gpu::{Access, Buffer, BufferDesc, Gpu, GpuError, Memory, Recorder};

impl World {
    /// Keeps, or no longer, where each step's last collision finds the particles and where it puts them. Off at first, and free
    /// then; on, it takes 96 bytes per particle and six copies per step.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn keep_last_collision(&mut self, keeps: bool) -> Result<(), GpuError> {
        if keeps == self.simulation.last_collision.is_some() {
            return Ok(());
        }
        let count = self.cloth().particle_count();
        let buffer = keeps.then(|| new_buffer(&self.gpu, count)).transpose()?;
        let last_collision = replace(&mut self.simulation.last_collision, buffer);
        self.retire(AskedFor {
            last_collision,
            ..AskedFor::default()
        });
        Ok(())
    }

    /// World-space positions of all particles just before the collision of the last step's last sub-step, then of all just behind it, then
    /// the same of the final collision, which comes after the last solve and is left out when there are no solves, and of what ends the step behind
    /// [`end_strain_limit`](crate::cloth::ClothSettings::end_strain_limit), if there is one: four floats per
    /// particle, the last unused. `None` unless [`World::keep_last_collision`] asked for them; undefined before the next step then.
    pub fn last_collision(&self) -> Option<&Buffer> {
        self.simulation.last_collision.as_ref()
    }
}

pub(super) fn new_buffer(gpu: &Arc<Gpu>, particle_count: u32) -> Result<Buffer, GpuError> {
    let desc = BufferDesc {
        label: "world.last_collision",
        bytes: SNAPSHOTS * u64::from(particle_count) * size_of::<[f32; 4]>() as u64,
        memory: Memory::Device,
    };
    Buffer::new(gpu, &desc)
}

/// A snapshot of a step's last sub-step, in the order in which the kept buffer holds them.
#[derive(Clone, Copy)]
pub(crate) enum Snapshot {
    BeforeCollision = 0,
    BehindCollision = 1,
    BeforeFinal = 2,
    BehindFinal = 3,
    BeforeEnd = 4,
    BehindEnd = 5,
}

/// How many there are.
const SNAPSHOTS: u64 = 6;

impl Simulation {
    /// Copies the predicted positions before or behind a collision, if they are asked for and this is the step's last sub-step.
    pub(crate) fn record_last_collision(
        &self,
        recorder: &mut Recorder,
        sub_step: SubStep,
        snapshot: Snapshot,
    ) {
        let Some(kept) = &self.last_collision else {
            return;
        };
        if !sub_step.is_last() {
            return;
        }
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::TransferRead]);
        let bytes = kept.bytes() / SNAPSHOTS;
        recorder.copy(
            self.cloth.predicted().slice(0, bytes),
            kept.slice(snapshot as u64 * bytes, bytes),
        );
        recorder.barrier(
            &[Access::TransferRead, Access::TransferWrite],
            &[
                Access::ComputeReadWrite,
                Access::TransferRead,
                Access::TransferWrite,
            ],
        );
    }
}
