//! The input of a frame, and whether it fits the world.

use ash::vk;

use super::{RecordError, Simulation};
use crate::cloth::Grab;
use crate::pose::Palette;

/// The most steps one frame may hold: room for their transforms is taken beforehand.
pub const MAX_STEPS: usize = 4;

/// Where one body is in one step.
#[derive(Clone, Copy)]
pub struct BodyStep<'a> {
    /// Where its bones are: moves the fields, and the places its garments are attached to.
    pub palette: &'a Palette,
    /// The body was teleported here: its cloth starts anew on it, as it also does in a body's first step.
    pub teleported: bool,
    /// Its skin, if the host has skinned it already; otherwise it is baked here.
    pub skin: Option<HostSkin>,
}

impl<'a> BodyStep<'a> {
    /// A body that moves there, skinned by the library.
    pub fn moved(palette: &'a Palette) -> Self {
        Self {
            palette,
            teleported: false,
            skin: None,
        }
    }

    /// A body that is teleported there.
    pub fn teleported(palette: &'a Palette) -> Self {
        Self {
            teleported: true,
            ..Self::moved(palette)
        }
    }
}

/// Positions of a body's vertices in a storage buffer of the host, in world space, in the order of
/// [`SkinMesh::positions`](crate::avatar::SkinMesh::positions). The host makes them visible to storage reads of compute
/// shaders beforehand. Normals are not asked for: those that this library keeps of the body are then meaningless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostSkin {
    /// With usage `STORAGE_BUFFER`.
    pub buffer: vk::Buffer,
    /// Of the first vertex's x, in bytes; a multiple of 4.
    pub offset: u64,
    /// What may be read from there on, in bytes.
    pub bytes: u64,
    /// From one vertex to the next, in bytes; a multiple of 4, at least 12.
    pub stride: u64,
}

/// The poses of one step.
#[derive(Clone, Copy)]
pub struct StepInput<'a> {
    /// One per body, in the order of [`WorldDef::bodies`](super::WorldDef::bodies).
    pub bodies: &'a [BodyStep<'a>],
    /// A particle that the user drags.
    pub grab: Option<Grab>,
}

/// The input of one frame.
#[derive(Clone, Copy)]
pub struct FrameInput<'a> {
    /// None at all, one, or up to [`MAX_STEPS`] steps of equal length.
    pub steps: &'a [StepInput<'a>],
    /// Seconds of each step; usually 1/60.
    pub step_seconds: f32,
}

impl FrameInput<'_> {
    /// Whether it fits the world.
    pub(crate) fn check(&self, simulation: &Simulation) -> Result<(), RecordError> {
        let step_count = self.steps.len();
        if step_count > MAX_STEPS {
            return Err(RecordError::TooManySteps { step_count });
        }
        let seconds = self.step_seconds;
        if step_count > 0 && !(seconds.is_finite() && seconds > 0.0) {
            return Err(RecordError::StepSeconds { seconds });
        }
        let (expected, found) = (
            simulation.garments.len(),
            simulation.settings.garments.len(),
        );
        if expected != found {
            return Err(RecordError::GarmentSettings { expected, found });
        }
        let mut steps = self.steps.iter().enumerate();
        steps.try_for_each(|(step_ix, step)| step.check(step_ix, simulation))
    }
}

impl StepInput<'_> {
    fn check(&self, step_ix: usize, simulation: &Simulation) -> Result<(), RecordError> {
        let (expected, found) = (simulation.bodies.len(), self.bodies.len());
        if expected != found {
            return Err(RecordError::BodyCount {
                step_ix,
                expected,
                found,
            });
        }
        for (body_ix, (input, body)) in self.bodies.iter().zip(&simulation.bodies).enumerate() {
            let palette = input.palette;
            let (expected, found) = (body.joints.len(), palette.world_from_bone.len());
            if expected != found || expected != palette.world_from_bind.len() {
                return Err(RecordError::JointCount {
                    step_ix,
                    body_ix,
                    expected,
                    found,
                });
            }
            if let Some(skin) = input.skin {
                skin.check(body_ix, body.vertices.len() as u64)?;
            }
        }
        Ok(())
    }
}

impl HostSkin {
    fn check(self, body_ix: usize, vertex_count: u64) -> Result<(), RecordError> {
        let Self {
            buffer,
            offset,
            bytes,
            stride,
        } = self;
        let is_sound =
            buffer != vk::Buffer::null() && offset.is_multiple_of(4) && stride.is_multiple_of(4);
        if !is_sound || stride < 12 {
            return Err(RecordError::SkinLayout {
                body_ix,
                offset,
                stride,
            });
        }
        let needed = match vertex_count.checked_sub(1) {
            Some(last) => last.saturating_mul(stride).saturating_add(12),
            None => 0,
        };
        if bytes < needed {
            return Err(RecordError::SkinTooSmall {
                body_ix,
                bytes,
                needed,
            });
        }
        Ok(())
    }
}
