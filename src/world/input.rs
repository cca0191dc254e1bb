//! The input of a frame, and whether it fits the world.

use ash::vk;
use glam::{Mat4, Vec4};

use super::contents::is_place;
use super::{RecordError, Simulation};
use crate::cloth::{Detail, Grab};
use crate::gpu::{BufferSlice, Gpu};
use crate::pose::Palette;
use crate::skin::ForeignSkin;

/// The most steps one frame may hold: room for their bones is taken beforehand.
pub const MAX_STEPS: usize = 4;

/// Where one body is in one step.
#[derive(Clone, Copy)]
pub struct BodyStep<'a> {
    /// Where its bones are: moves the fields, and the places its garments are attached to.
    pub bones: Bones<'a>,
    /// The body was teleported here: its cloth starts anew on it, as it also does in a body's first step.
    pub teleported: bool,
    /// Its skin, if the host has skinned it already; otherwise it is baked here.
    pub skin: Option<HostSkin>,
    /// How much its cloth is simulated in this step.
    pub detail: Detail,
}

impl<'a> BodyStep<'a> {
    /// A body that moves there, skinned by the library. `bones`: a [`&Palette`](Palette), or [`HostBones`].
    pub fn moved(bones: impl Into<Bones<'a>>) -> Self {
        Self {
            bones: bones.into(),
            teleported: false,
            skin: None,
            detail: Detail::Full,
        }
    }

    /// A body that is teleported there.
    pub fn teleported(bones: impl Into<Bones<'a>>) -> Self {
        Self {
            teleported: true,
            ..Self::moved(bones)
        }
    }
}

/// The bones of a body, where the host has them.
#[derive(Clone, Copy, Debug)]
pub enum Bones<'a> {
    /// In memory: copied while the step is recorded.
    Palette(&'a Palette),
    /// On the device: read when the step runs there.
    Host(HostBones),
}

impl<'a> From<&'a Palette> for Bones<'a> {
    fn from(palette: &'a Palette) -> Self {
        Self::Palette(palette)
    }
}

impl From<HostBones> for Bones<'_> {
    fn from(bones: HostBones) -> Self {
        Self::Host(bones)
    }
}

impl Bones<'_> {
    pub(super) fn host(self) -> Option<HostBones> {
        match self {
            Self::Palette(_) => None,
            Self::Host(bones) => Some(bones),
        }
    }

    /// None for a palette.
    pub(super) fn buffer(self) -> Option<vk::Buffer> {
        self.host().map(|bones| bones.buffer)
    }
}

/// Bones of a body in a storage buffer of the host, where its animation runs on the device: world from bone, one matrix per joint in
/// the order of [`Skeleton::joints`](crate::avatar::Skeleton::joints). Each is 16 floats, column after column, as `mat4` is in GLSL;
/// the last row is taken for 0 0 0 1. The host makes them visible to storage reads of compute shaders beforehand.
///
/// The palette is made from them on the device, as [`Palette::set_bones`] makes it: with the same bits where the CPU rounds each product
/// and sum, as on x86-64, up to rounding where it does not. Neighbouring bodies whose bones lie in one buffer, in any places, are
/// taken over together. The CPU does not see them, so [`World::body_bounds`](super::World::body_bounds) does not know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostBones {
    /// With usage `STORAGE_BUFFER`.
    pub buffer: vk::Buffer,
    /// Of the first matrix, in bytes; a multiple of 4.
    pub offset: u64,
    /// What may be read from there on, in bytes.
    pub bytes: u64,
    /// From one matrix to the next, in bytes; a multiple of 4, at least 64, and 64 where nothing lies between them.
    pub stride: u64,
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

/// Where a rigid solid is in one step. It moves there from where it was, the cloth feels how fast, and nothing that it sweeps is missed.
#[derive(Clone, Copy, Debug)]
pub struct SolidStep {
    /// May scale, evenly.
    pub world_from_solid: Mat4,
    /// It was teleported here.
    pub teleported: bool,
}

impl SolidStep {
    /// A solid that moves there.
    pub fn moved(world_from_solid: Mat4) -> Self {
        Self {
            world_from_solid,
            teleported: false,
        }
    }
}

/// The poses of one step.
#[derive(Clone, Copy, Default)]
pub struct StepInput<'a> {
    /// One per body, in the order of [`WorldDef::bodies`](super::WorldDef::bodies).
    pub bodies: &'a [BodyStep<'a>],
    /// One per solid, in the order of [`WorldDef::solids`](super::WorldDef::solids); none when all stay where they are.
    pub solids: &'a [SolidStep],
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
    pub(crate) fn check(&self, simulation: &Simulation, gpu: &Gpu) -> Result<(), RecordError> {
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
        simulation.settings.check()?;
        let mut steps = self.steps.iter().enumerate();
        steps.try_for_each(|(step_ix, step)| step.check(step_ix, simulation, gpu))
    }
}

impl StepInput<'_> {
    fn check_solids(&self, step_ix: usize, expected: usize) -> Result<(), RecordError> {
        let found = self.solids.len();
        if ![0, expected].contains(&found) {
            return Err(RecordError::SolidCount {
                step_ix,
                expected,
                found,
            });
        }
        let lost = |solid: &SolidStep| !is_place(solid.world_from_solid);
        match self.solids.iter().position(lost) {
            Some(solid_ix) => Err(RecordError::SolidPlace { step_ix, solid_ix }),
            None => Ok(()),
        }
    }

    fn check(&self, step_ix: usize, simulation: &Simulation, gpu: &Gpu) -> Result<(), RecordError> {
        self.check_solids(step_ix, simulation.solids.len())?;
        let is_somewhere =
            |grab: Grab| grab.target.is_finite() && (0.0..f32::INFINITY).contains(&grab.radius);
        if !self.grab.is_none_or(is_somewhere) {
            return Err(RecordError::GrabPlace { step_ix });
        }
        let (expected, found) = (simulation.bodies.len(), self.bodies.len());
        if expected != found {
            return Err(RecordError::BodyCount {
                step_ix,
                expected,
                found,
            });
        }
        for (body_ix, (input, body)) in self.bodies.iter().zip(&simulation.bodies).enumerate() {
            let joint_count = body.joints.len();
            match input.bones {
                Bones::Palette(palette) => palette.check(step_ix, body_ix, joint_count)?,
                Bones::Host(bones) => bones.check(body_ix, joint_count as u64, gpu)?,
            }
            if let Some(skin) = input.skin {
                skin.check(body_ix, body.vertices.len() as u64, gpu)?;
            }
        }
        Ok(())
    }
}

impl Palette {
    fn check(&self, step_ix: usize, body_ix: usize, joint_count: usize) -> Result<(), RecordError> {
        let (expected, found) = (joint_count, self.world_from_bone.len());
        if expected != found || expected != self.world_from_bind.len() {
            return Err(RecordError::JointCount {
                step_ix,
                body_ix,
                expected,
                found,
            });
        }
        let lists = [&self.world_from_bone, &self.world_from_bind];
        if lists.into_iter().all(|matrices| are_finite(matrices)) {
            return Ok(());
        }
        let mut matrices = lists.into_iter().flatten();
        match matrices.position(|matrix| !matrix.is_finite()) {
            None => Ok(()),
            Some(ix) => Err(RecordError::BoneNotFinite {
                step_ix,
                body_ix,
                joint_ix: ix % joint_count,
            }),
        }
    }
}

/// Whether matrices are finite, without a branch for each: a crowd has thousands in each step. Of very large ones it may say no.
fn are_finite(matrices: &[Mat4]) -> bool {
    let sum = matrices.iter().fold(Vec4::ZERO, |sum, matrix| {
        sum + 0.0 * (matrix.x_axis + matrix.y_axis + matrix.z_axis + matrix.w_axis)
    });
    sum.is_finite()
}

impl HostBones {
    /// Of a matrix.
    const MATRIX_BYTES: u64 = 64;

    /// From the first matrix to the end of the last.
    pub(super) fn needed_bytes(self, joint_count: u64) -> u64 {
        strided_bytes(joint_count, self.stride, Self::MATRIX_BYTES)
    }

    fn check(self, body_ix: usize, joint_count: u64, gpu: &Gpu) -> Result<(), RecordError> {
        let Self {
            buffer,
            offset,
            bytes,
            stride,
        } = self;
        if !is_sound(buffer, offset, stride, Self::MATRIX_BYTES) {
            return Err(RecordError::BonesLayout {
                body_ix,
                offset,
                stride,
            });
        }
        let needed = self.needed_bytes(joint_count);
        if bytes < needed {
            return Err(RecordError::BonesTooSmall {
                body_ix,
                bytes,
                needed,
            });
        }
        let (end, max) = reach(offset, needed, gpu);
        if end > max {
            return Err(RecordError::BonesOutOfReach { body_ix, end, max });
        }
        Ok(())
    }
}

impl HostSkin {
    /// As the passes over skin of so many vertices bind it.
    pub(crate) fn foreign(self, vertex_count: u32) -> ForeignSkin {
        ForeignSkin {
            buffer: BufferSlice {
                handle: self.buffer,
                offset: 0,
                bytes: self.offset + self.needed_bytes(u64::from(vertex_count)),
            },
            first_float: (self.offset / 4) as u32,
            stride_floats: (self.stride / 4) as u32,
        }
    }

    /// Of a position.
    const VERTEX_BYTES: u64 = 12;

    /// From the first position to the end of the last.
    fn needed_bytes(self, vertex_count: u64) -> u64 {
        strided_bytes(vertex_count, self.stride, Self::VERTEX_BYTES)
    }

    fn check(self, body_ix: usize, vertex_count: u64, gpu: &Gpu) -> Result<(), RecordError> {
        let Self {
            buffer,
            offset,
            bytes,
            stride,
        } = self;
        if !is_sound(buffer, offset, stride, Self::VERTEX_BYTES) {
            return Err(RecordError::SkinLayout {
                body_ix,
                offset,
                stride,
            });
        }
        let needed = self.needed_bytes(vertex_count);
        if bytes < needed {
            return Err(RecordError::SkinTooSmall {
                body_ix,
                bytes,
                needed,
            });
        }
        let (end, max) = reach(offset, needed, gpu);
        if end > max {
            return Err(RecordError::SkinOutOfReach { body_ix, end, max });
        }
        Ok(())
    }
}

/// Whether shaders can read elements of so many bytes there, word by word.
fn is_sound(buffer: vk::Buffer, offset: u64, stride: u64, element_bytes: u64) -> bool {
    let is_aligned = offset.is_multiple_of(4) && stride.is_multiple_of(4);
    buffer != vk::Buffer::null() && is_aligned && stride >= element_bytes
}

/// Where so many bytes at that place of a buffer end, and how far shaders reach in it.
fn reach(offset: u64, needed: u64, gpu: &Gpu) -> (u64, u64) {
    let max = u64::from(gpu.limits.max_storage_buffer_range);
    (offset.saturating_add(needed), max)
}

/// From the first of some elements to the end of the last.
fn strided_bytes(count: u64, stride: u64, element_bytes: u64) -> u64 {
    match count.checked_sub(1) {
        Some(last) => last.saturating_mul(stride).saturating_add(element_bytes),
        None => 0,
    }
}
