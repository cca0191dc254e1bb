//! What the twin of the cloth is given for a sub-step.

use glam::Vec3;

use crate::cloth::solver::{Grab, Particle};
use crate::cloth::{ClothSettings, GarmentSettings};
use crate::collide::SubStep;

/// When and how a sub-step of the cloth happens.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Seconds of this sub-step and of the one before it.
    pub seconds: f32,
    pub last_seconds: f32,
    /// Seconds since bend constraints were solved last, this sub-step included; 0 where they are not solved in it.
    pub bend_seconds: f32,
    /// Parts of the step that are over at its beginning and at its end.
    pub time_before: f32,
    pub target_time: f32,
    /// Whether the next collision is for this sub-step and further ones.
    pub begins_path: bool,
    pub grab: Option<Grab>,
}

/// What a sub-step is given.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    pub settings: &'a ClothSettings,
    /// One per garment.
    pub garments: &'a [GarmentSettings],
    /// World-space positions of all skinned vertices at the end of the step.
    pub targets: &'a [Vec3],
    /// The same at its beginning.
    pub previous_targets: &'a [Vec3],
    /// World-space unit normals of all skinned vertices at the end of the step.
    pub target_normals: &'a [Vec3],
    pub timing: Timing,
    /// All garments start at rest on the body with this sub-step.
    pub starts: bool,
}

impl Timing {
    /// What [`Self::bend_seconds`] is in sub-step `ix` of `count` for cloth of full detail.
    pub fn since_bend(seconds: f32, ix: u32, count: u32) -> f32 {
        seconds * SubStep { ix, count }.own_span(BEND_STRIDE) as f32
    }
}

/// Sub-steps that bend constraints are solved once in; `BEND_STRIDE` of glsl/cloth/solve.comp.
const BEND_STRIDE: u32 = 2;

impl Inputs<'_> {
    /// Where skinning puts a particle at a part of the step.
    pub(super) fn target(&self, particle: &Particle, time: f32) -> Vec3 {
        let ix = particle.target_ix as usize;
        self.previous_targets[ix].lerp(self.targets[ix], time)
    }
}
