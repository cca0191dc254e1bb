//! The oracle, looking at a show.

use crate::cloth::garment::Garment;
use crate::engine::{Device, EngineError, Frames};
use crate::oracle::{Frame, Oracle, OracleError, Quality, Tolerances};

use super::Show;

/// Judges a show's cloth against the exact skin, frame by frame.
pub struct Judge {
    oracle: Oracle,
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
        let particles = show.particles(device, frames)?;
        let contacts = show.contacts(device, frames)?;
        let body = show.exact_body();
        // Where the deepest push of the step found the particle.
        let before: Vec<_> = particles
            .iter()
            .zip(&contacts)
            .map(|(&position, &(normal, depth))| position - normal * depth)
            .collect();
        self.oracle.measure(&Frame {
            body_positions: &body,
            particles: &particles,
            before_collision: Some(&before),
            clearances: &self.clearances,
        })?;
        Ok(())
    }

    /// The figures over all frames judged so far.
    pub fn quality(&self) -> Quality {
        self.oracle.quality()
    }
}

/// One a particle, zero where nothing is worn beneath.
fn clearances_of(garment: &Garment) -> impl Iterator<Item = f32> + '_ {
    (0..garment.mesh.positions.len()).map(|ix| garment.clearances.get(ix).copied().unwrap_or(0.0))
}
