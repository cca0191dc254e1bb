//! The oracle, looking at a show.

use glam::Vec3;

use crate::avatar::SkinMesh;
use crate::cloth::garment::Garment;
use crate::engine::{Device, EngineError, Frames};
use crate::oracle::{Frame, Oracle, OracleError, Quality, Tolerances};
use crate::pose::Palette;
use crate::skin::twin::bake;

use super::Show;

/// Judges a show's cloth against the exact skin, frame by frame.
pub struct Judge {
    oracle: Oracle,
    skin: SkinMesh,
    clearances: Vec<f32>,
}

/// Why a frame was not judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

impl Judge {
    /// For all frames of one show.
    ///
    /// # Errors
    /// When its character's skin is not sound.
    pub fn new(show: &Show, tolerances: Tolerances) -> Result<Self, OracleError> {
        let skin = &show.avatar.skin;
        Ok(Self {
            oracle: Oracle::new(&skin.positions, &skin.triangles, tolerances)?,
            skin: skin.clone(),
            clearances: show.garments.iter().flat_map(clearances_of).collect(),
        })
    }

    /// Judges the last submitted frame. Waits for the GPU.
    ///
    /// # Errors
    /// When the device is lost or a particle is no finite number.
    pub fn look(
        &mut self,
        show: &mut Show,
        device: &Device,
        frames: &mut Frames,
    ) -> Result<(), JudgeError> {
        let sight = Sight::take(show, device, frames)?;
        Ok(self.measure(&sight)?)
    }

    /// Judges a frame that was kept, on any thread.
    ///
    /// # Errors
    /// When a particle is no finite number.
    pub fn measure(&mut self, sight: &Sight) -> Result<(), OracleError> {
        let body = bake(&self.skin, &sight.palette).positions;
        self.oracle.measure(&Frame {
            body_positions: &body,
            particles: &sight.particles,
            before_collision: Some(&sight.before),
            clearances: &self.clearances,
        })?;
        Ok(())
    }

    /// The figures over all frames judged so far.
    pub fn quality(&self) -> Quality {
        self.oracle.quality()
    }
}

/// A frame as a judge sees it.
pub struct Sight {
    palette: Palette,
    particles: Vec<Vec3>,
    /// Where the deepest push of the step found each particle.
    before: Vec<Vec3>,
}

impl Sight {
    /// Keeps the last submitted frame. Waits for the GPU.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn take(
        show: &mut Show,
        device: &Device,
        frames: &mut Frames,
    ) -> Result<Self, EngineError> {
        let particles = show.particles(device, frames)?;
        let contacts = show.contacts(device, frames)?;
        let pushed = particles.iter().zip(&contacts);
        Ok(Self {
            palette: show.performance.palette().clone(),
            before: pushed
                .map(|(&position, &(normal, depth))| position - normal * depth)
                .collect(),
            particles,
        })
    }
}

/// One a particle, zero where nothing is worn beneath.
fn clearances_of(garment: &Garment) -> impl Iterator<Item = f32> + '_ {
    (0..garment.mesh.positions.len()).map(|ix| garment.clearances.get(ix).copied().unwrap_or(0.0))
}
