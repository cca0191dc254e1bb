//! What a world refuses, and what to change.

use crate::collide::CollideError;
use crate::gpu::GpuError;
use crate::host::HostError;
use crate::math::range::OutOfRange;
use crate::solid::{MaterialError, ShapeError};

/// What cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    #[error(transparent)]
    Gpu(#[from] GpuError),
    #[error(transparent)]
    Host(#[from] HostError),
    #[error(transparent)]
    Collide(#[from] CollideError),
    /// An index from somewhere else, or from before an edit.
    #[error("there is no body {body_ix}: the world has {body_count}, counted from 0")]
    NoSuchBody { body_ix: usize, body_count: usize },
    /// An index from somewhere else, or from before an edit.
    #[error("there is no garment {garment_ix}: the world has {garment_count}, counted from 0")]
    NoSuchGarment {
        garment_ix: usize,
        garment_count: usize,
    },
    /// An index from somewhere else, or from before an edit.
    #[error("there is no solid {solid_ix}: the world has {solid_count}, counted from 0")]
    NoSuchSolid { solid_ix: usize, solid_count: usize },
    #[error("solid {solid_ix}: {fault}")]
    BrokenSolid { solid_ix: usize, fault: ShapeError },
    #[error("solid {solid_ix}: {fault}")]
    SolidMaterial {
        solid_ix: usize,
        fault: MaterialError,
    },
    #[error(
        "solid {solid_ix}: its place is no finite matrix with an inverse, so nothing can be found in its space"
    )]
    SolidPlace { solid_ix: usize },
    /// An avatar that was not made by the importer and is inconsistent.
    #[error("body {body_ix}: {fault}; Avatar::validate finds such faults")]
    BrokenBody { body_ix: usize, fault: &'static str },
    /// [`BodyDef::fields`](super::BodyDef::fields) that are inconsistent, or were fitted to another avatar.
    #[error("body {body_ix}: {fault}; fit its fields anew, or give none")]
    BrokenFields { body_ix: usize, fault: &'static str },
    /// As [`WorldError::BrokenBody`]; often a garment made for another character.
    #[error("garment {garment_ix}: {fault}; was it made for another character?")]
    BrokenGarment {
        garment_ix: usize,
        fault: &'static str,
    },
    /// Joints are stored in 16 bits.
    #[error(
        "the bodies have {joint_count} joints together; at most 65,536 fit one world: make several worlds"
    )]
    TooManyJoints { joint_count: usize },
}

/// Why nothing was recorded. The world is as it was, and the command buffer too, but for [`RecordError::NoDescriptorSets`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RecordError {
    #[error("the command buffer is null")]
    NullCommandBuffer,
    /// A host that has fallen behind should let time pass instead.
    #[error(
        "{step_count} steps in one frame; at most {} fit, drop the rest",
        super::MAX_STEPS
    )]
    TooManySteps { step_count: usize },
    #[error("a step of {seconds} s: it must be finite and more than 0")]
    StepSeconds { seconds: f32 },
    #[error("step {step_ix} poses {found} bodies; the world has {expected}")]
    BodyCount {
        step_ix: usize,
        expected: usize,
        found: usize,
    },
    #[error("step {step_ix} moves {found} solids; the world has {expected}: give all, or none")]
    SolidCount {
        step_ix: usize,
        expected: usize,
        found: usize,
    },
    #[error(
        "step {step_ix} moves solid {solid_ix} to a place that is no finite matrix with an inverse"
    )]
    SolidPlace { step_ix: usize, solid_ix: usize },
    /// Of [`StepInput::grab`](super::StepInput::grab).
    #[error(
        "step {step_ix} drags a particle to a place that is not finite, or with a radius that is negative or not finite"
    )]
    GrabPlace { step_ix: usize },
    #[error("body {body_ix} has {expected} joints; its bones in step {step_ix} are of {found}")]
    JointCount {
        step_ix: usize,
        body_ix: usize,
        expected: usize,
        found: usize,
    },
    /// Of a palette; what lies in a buffer of the host's ([`HostBones`](super::HostBones)) is not seen.
    #[error(
        "step {step_ix} moves joint {joint_ix} of body {body_ix} by a matrix that is not finite"
    )]
    BoneNotFinite {
        step_ix: usize,
        body_ix: usize,
        joint_ix: usize,
    },
    /// [`Settings::garments`](super::Settings::garments) was made longer or shorter.
    #[error("there are settings of {found} garments; the world has {expected}")]
    GarmentSettings { expected: usize, found: usize },
    /// Of [`Settings`](super::Settings), with which no step can be made.
    #[error("settings: {0}")]
    OutOfRange(OutOfRange),
    /// The same of one garment's.
    #[error("settings of garment {garment_ix}: {fault}")]
    GarmentOutOfRange {
        garment_ix: usize,
        fault: OutOfRange,
    },
    /// Of [`World::time_into`](super::World::time_into).
    #[error(
        "the queue has no timestamps: its family's timestampValidBits is 0, so ask for none on it"
    )]
    NoTimestamps,
    /// Of [`World::time_into`](super::World::time_into).
    #[error(
        "{found} queries for timestamps, or no pool that holds them: the frame needs {needed}, see World::queries_needed"
    )]
    TooFewQueries { found: u32, needed: u32 },
    #[error(
        "body {body_ix}: {bytes} bytes of skinned positions are too few, its vertices need {needed}"
    )]
    SkinTooSmall {
        body_ix: usize,
        bytes: u64,
        needed: u64,
    },
    #[error(
        "body {body_ix}: skinned positions at byte {offset}, {stride} bytes apart: the buffer must not be null, both must be \
         multiples of 4, the stride at least 12"
    )]
    SkinLayout {
        body_ix: usize,
        offset: u64,
        stride: u64,
    },
    #[error(
        "body {body_ix}: {bytes} bytes of bones are too few, its joints need {needed}: 64 each, and what lies between them"
    )]
    BonesTooSmall {
        body_ix: usize,
        bytes: u64,
        needed: u64,
    },
    #[error(
        "body {body_ix}: bones at byte {offset}, {stride} bytes apart: the buffer must not be null, both must be multiples of 4, \
         the stride at least 64"
    )]
    BonesLayout {
        body_ix: usize,
        offset: u64,
        stride: u64,
    },
    /// Shaders count from the start of a buffer.
    #[error(
        "body {body_ix}: its bones end at byte {end} of their buffer, and shaders of this device reach {max}: keep them in a \
         smaller buffer, or nearer to its start"
    )]
    BonesOutOfReach { body_ix: usize, end: u64, max: u64 },
    /// As [`RecordError::BonesOutOfReach`].
    #[error(
        "body {body_ix}: its skinned positions end at byte {end} of their buffer, and shaders of this device reach {max}: keep them \
         in a smaller buffer, or nearer to its start"
    )]
    SkinOutOfReach { body_ix: usize, end: u64, max: u64 },
    /// Only on a device that was made without `VK_KHR_push_descriptor`, and only in a frame with more passes than any before.
    /// Passes are missing in the command buffer, and the world has gone on as if they were there.
    #[error(
        "no memory is left for descriptor sets, and the frame is incomplete: throw the command buffer and the world away; a device \
         with VK_KHR_push_descriptor needs none"
    )]
    NoDescriptorSets,
}
