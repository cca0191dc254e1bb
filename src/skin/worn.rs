//! Garments as skin: what others are worn over follows its cloth, not bones.

use bytemuck::{Pod, Zeroable};

use super::{SkinPipelines, SkinnedBody};
use crate::gpu::{Bind, Buffer, BufferSlice, GpuError, Recorder, Uploads};

/// The vertices among a world's skin that stand for particles of cloth.
pub struct WornSkin {
    /// Of each vertex.
    particles: Buffer,
    first_vertex: u32,
    count: u32,
}

/// The cloth of a world, as [`WornSkin`] reads it.
pub struct ClothState<'a> {
    /// A [`Particle`](crate::cloth::Particle) each.
    pub particles: &'a Buffer,
    /// Where they were after the last step, four floats per particle.
    pub positions: &'a Buffer,
    /// A word per garment, 1 for one that starts in this step.
    pub starts: BufferSlice,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct WearPush {
    first_vertex: u32,
    count: u32,
}

impl WornSkin {
    /// For vertices one after the other, of which each stands for one of the particles.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        uploads: &mut Uploads,
        first_vertex: u32,
        particles: &[u32],
    ) -> Result<Self, GpuError> {
        Ok(Self {
            particles: uploads.buffer("skin.worn_particles", particles)?,
            first_vertex,
            count: particles.len() as u32,
        })
    }

    /// Puts the vertices where the cloth is, as far along with the skin as that moves in the step.
    ///
    /// Reads and writes in compute, behind a barrier after the bake; needs a barrier behind it.
    pub fn record(
        &self,
        recorder: &mut Recorder,
        pipelines: &SkinPipelines,
        skin: &SkinnedBody,
        cloth: &ClothState,
    ) {
        let push = WearPush {
            first_vertex: self.first_vertex,
            count: self.count,
        };
        let bindings: [Bind; 6] = [
            (&self.particles).into(),
            cloth.particles.into(),
            cloth.positions.into(),
            skin.positions().into(),
            skin.previous_positions().into(),
            cloth.starts.into(),
        ];
        recorder.dispatch(&pipelines.wear, &bindings, &push, self.count);
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        self.particles.bytes()
    }
}
