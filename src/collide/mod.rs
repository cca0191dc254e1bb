//! Collision of particles with a skinned body: one folder a technique, and the response they share.
//!
//! A technique is filled from the skinned body once a step and corrects predicted positions once a sub-step. It knows the
//! particles only as [`Particles`], and the cloth knows nothing of the technique.

pub mod radial;
pub mod response;
mod settings;

use std::sync::Arc;

use serde::Serialize;

use crate::gpu::{Buffer, BufferSlice, Gpu, GpuError};

pub use settings::{CollideSettings, Detection, FrictionModel};

/// The particles a technique is given: all of a world's.
///
/// Positions are four floats a particle, the last unused.
#[derive(Clone, Copy)]
pub struct Particles<'a> {
    pub count: u32,
    /// What never changes: `Particle` of glsl/shared/structs.glsl.
    pub particles: &'a Buffer,
    /// `GarmentSettings` of this frame.
    pub garments: BufferSlice,
    /// Where the particles were when the sub-step began.
    pub current: &'a Buffer,
    /// Where they would be without a body; corrected in place.
    pub predicted: &'a Buffer,
    /// Normal and deepest push of the step, four floats a particle.
    pub contacts: &'a Buffer,
    /// First constraint of each particle, and one past the last.
    pub constraint_offsets: &'a Buffer,
    pub constraints: &'a Buffer,
}

/// Which part of a step is collided.
#[derive(Clone, Copy, Debug)]
pub struct SubStep {
    /// Counts from 0.
    pub ix: u32,
    pub count: u32,
}

/// Names of the techniques, as flags and reports spell them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Technique {
    Radial,
}

impl Technique {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Radial];

    /// The name in flags and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Radial => "radial",
        }
    }
}

/// The pipelines of every technique.
pub struct CollidePipelines {
    pub radial: radial::RadialPipelines,
}

impl CollidePipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        Ok(Self {
            radial: radial::RadialPipelines::new(gpu)?,
        })
    }
}
