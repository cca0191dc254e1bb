//! What a frame is given.

use std::mem::offset_of;
use std::sync::Arc;

use ash::vk::{Buffer as VkBuffer, CommandBuffer as VkCommandBuffer};
use glam::Vec3;

use super::border::{Failure, RfResult, Versioned, given_mut, guard, list, read, read_nth};
use super::matrices::from_floats;
use super::solid::{RfSolidStep, step_of};
use super::world::RfWorld;
use crate::avatar::Avatar;
use crate::cloth::{Detail, Grab};
use crate::pose::Palette;
use crate::world::{
    BodyStep, Bones, FrameInput, HostBones, HostSkin, MAX_STEPS, RecordError, SolidStep, StepInput,
};

/// How much the cloth of a body is simulated in a step. It may change from step to step: cloth goes on from where it is.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum RfDetail {
    /// Every sub-step.
    Full = 0,
    /// Half as many sub-steps, twice as long.
    Half = 1,
    /// A quarter of them.
    Quarter = 2,
    /// None: cloth follows the body where skinning puts it, and collides with nothing.
    Skinned = 3,
}

/// One body in one step.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfBodyStep {
    /// `sizeof(RfBodyStep)`.
    pub struct_size: u32,
    pub joint_count: u32,
    /// 16 per joint, column after column: world from bone. Null when they are in `bones`.
    pub world_from_bone: *const f32,
    /// Not 0: the body did not move here but was put here, and its cloth starts anew on it. So it does by itself in a body's
    /// first step.
    pub is_teleported: u32,
    /// One of RfDetail: how much its cloth is simulated.
    pub detail: u32,
    /// Null, or a storage buffer with the body's skinned positions in world space; then it is not skinned here. They must be
    /// visible to storage reads of compute shaders.
    pub skin: VkBuffer,
    /// Of the first x, in bytes; a multiple of 4.
    pub skin_offset: u64,
    /// What may be read from there on.
    pub skin_bytes: u64,
    /// From one vertex to the next, in bytes; a multiple of 4, at least 12.
    pub skin_stride: u64,
    /// Null, or a storage buffer that has world from bone of each joint, in place of `world_from_bone`: 16 floats, column after
    /// column. They are read on the device, and must be visible to storage reads of compute shaders.
    pub bones: VkBuffer,
    /// Of the first matrix, in bytes; a multiple of 4.
    pub bones_offset: u64,
    /// What may be read from there on.
    pub bones_bytes: u64,
    /// From one matrix to the next, in bytes; a multiple of 4, at least 64.
    pub bones_stride: u64,
}

// SAFETY: as it says: handles and pointers may be null.
unsafe impl Versioned for RfBodyStep {
    const MIN_BYTES: usize = offset_of!(Self, bones);
}

/// A particle that the user drags, and the cloth round it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfGrab {
    /// `sizeof(RfGrab)`.
    pub struct_size: u32,
    /// Counted over all garments of the world; see rf_world_first_particle.
    pub particle_index: u32,
    /// Where it is dragged to, world space.
    pub target: [f32; 3],
    /// Metres round it that go along, the less the further away; usually 0.1. With 0 it goes alone.
    pub radius: f32,
}

// SAFETY: as it says.
unsafe impl Versioned for RfGrab {
    const MIN_BYTES: usize = size_of::<Self>();
}

/// The poses of one step.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfStep {
    /// `sizeof(RfStep)`.
    pub struct_size: u32,
    pub body_count: u32,
    /// One per body, in the order they were added.
    pub bodies: *const RfBodyStep,
    /// Of the world's solids, or 0: then all stay where they are.
    pub solid_count: u32,
    pub reserved: u32,
    /// One per solid, in the order they were added. It moves there from where it was, and cloth feels how fast.
    pub solids: *const RfSolidStep,
    /// Null, or what the user drags.
    pub grab: *const RfGrab,
}

// SAFETY: as it says: pointers may be null.
unsafe impl Versioned for RfStep {
    const MIN_BYTES: usize = offset_of!(Self, solid_count);
}

/// Records a frame of up to 4 steps of `step_seconds` each into a command buffer that is recording, outside a render pass,
/// primary or secondary. The frame recorded `frames_in_flight` calls ago must have finished on the GPU; the command buffer
/// must be submitted once, in order with those of other frames. When it fails nothing is recorded, but for
/// `RF_RESULT_OUT_OF_MEMORY`: throw the command buffer and the world away then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_record(
    world: *mut RfWorld,
    command_buffer: VkCommandBuffer,
    steps: *const RfStep,
    step_count: u32,
    step_seconds: f32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let world = given_mut(world, "world")?;
            world.record(command_buffer, steps, step_count as usize, step_seconds)
        }
    })
}

/// The steps of a frame as they are read, and as the world takes them; kept, so that a frame takes no memory for them.
#[derive(Default)]
pub(super) struct StepScratch {
    given: [Vec<RfBodyStep>; MAX_STEPS],
    solids: [Vec<SolidStep>; MAX_STEPS],
    grabs: [Option<Grab>; MAX_STEPS],
    /// Empty between frames.
    bodies: [Vec<BodyStep<'static>>; MAX_STEPS],
}

/// The same room, for steps that live for another time.
fn emptied<'a>(mut steps: Vec<BodyStep>) -> Vec<BodyStep<'a>> {
    steps.clear();
    steps
        .into_iter()
        .map(|_| unreachable!("it is empty"))
        .collect()
}

impl RfWorld {
    unsafe fn record(
        &mut self,
        cmd: VkCommandBuffer,
        steps: *const RfStep,
        step_count: usize,
        step_seconds: f32,
    ) -> Result<(), Failure> {
        if step_count > MAX_STEPS {
            let message = format!("{step_count} steps in one frame; at most {MAX_STEPS} fit");
            return Err(Failure::invalid(message));
        }
        for step_ix in 0..step_count {
            // SAFETY: guaranteed by the caller.
            unsafe {
                self.read_step(steps, step_ix)?;
                read_solids(steps, step_ix, &mut self.scratch.solids[step_ix])?;
                self.scratch.grabs[step_ix] = read_grab(steps, step_ix)?;
            }
        }
        let StepScratch {
            given,
            solids,
            grabs,
            bodies: rooms,
        } = &mut self.scratch;
        let mut bodies = std::mem::take(rooms).map(emptied);
        let read = given.iter().zip(&self.palettes).take(step_count);
        for (bodies, (given, palettes)) in bodies.iter_mut().zip(read) {
            bodies.extend(given.iter().zip(palettes).map(|(given, palette)| BodyStep {
                bones: bones_of(given, palette),
                teleported: given.is_teleported != 0,
                skin: skin_of(given),
                detail: detail_of(given.detail).unwrap_or_default(),
            }));
        }
        let steps: [StepInput; MAX_STEPS] = std::array::from_fn(|step_ix| StepInput {
            bodies: &bodies[step_ix],
            solids: &solids[step_ix],
            grab: grabs[step_ix],
        });
        let input = FrameInput {
            steps: &steps[..step_count],
            step_seconds,
        };
        // SAFETY: guaranteed by the caller.
        let recorded = unsafe { self.world.record(cmd, &input) };
        *rooms = bodies.map(emptied);
        recorded.map_err(Failure::from)
    }

    /// Reads the bodies of a step, and puts their bones into the palettes of that step.
    unsafe fn read_step(&mut self, steps: *const RfStep, step_ix: usize) -> Result<(), Failure> {
        // SAFETY: guaranteed by the caller.
        let step = unsafe { read_nth(steps, step_ix, "steps")? };
        let (expected, found) = (self.avatars.len(), step.body_count as usize);
        if expected != found {
            let message = format!("step {step_ix} poses {found} bodies; the world has {expected}");
            return Err(Failure::invalid(message));
        }
        let palettes = self.palettes[step_ix].iter_mut().zip(&self.avatars);
        let read_body = |(body_ix, (palette, avatar)): (usize, (&mut Palette, &Arc<Avatar>))| {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let body = read_nth(step.bodies, body_ix, "bodies")?;
                let joint_count = body.joint_count as usize;
                if detail_of(body.detail).is_none() {
                    let detail = body.detail;
                    return Err(Failure::invalid(format!(
                        "step {step_ix}, body {body_ix}: {detail} is no RfDetail"
                    )));
                }
                if body.bones != VkBuffer::null() {
                    check_joints(step_ix, body_ix, avatar, joint_count)?;
                    return Ok(body);
                }
                let bones = list(body.world_from_bone, 16 * joint_count, "world_from_bone")?;
                palette.set_bones(&avatar.skeleton, from_floats(bones));
                Ok(body)
            }
        };
        let given = &mut self.scratch.given[step_ix];
        given.clear();
        for pair in palettes.enumerate() {
            given.push(read_body(pair)?);
        }
        Ok(())
    }
}

/// Puts where the solids are in a step into `solids`.
///
/// # Safety
/// The steps must be valid, and so what they point to.
unsafe fn read_solids(
    steps: *const RfStep,
    step_ix: usize,
    solids: &mut Vec<SolidStep>,
) -> Result<(), Failure> {
    solids.clear();
    // SAFETY: guaranteed by the caller.
    unsafe {
        let step = read_nth(steps, step_ix, "steps")?;
        for solid_ix in 0..step.solid_count as usize {
            solids.push(step_of(&read_nth(step.solids, solid_ix, "solids")?));
        }
    }
    Ok(())
}

/// What is dragged in a step.
///
/// # Safety
/// The steps must be valid, and so what they point to.
unsafe fn read_grab(steps: *const RfStep, step_ix: usize) -> Result<Option<Grab>, Failure> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let step = read_nth(steps, step_ix, "steps")?;
        if step.grab.is_null() {
            return Ok(None);
        }
        let grab = read(step.grab, "grab")?;
        Ok(Some(Grab {
            particle_ix: grab.particle_index,
            target: Vec3::from_array(grab.target),
            radius: grab.radius,
        }))
    }
}

/// How many matrices a buffer holds is known to nobody else.
fn check_joints(
    step_ix: usize,
    body_ix: usize,
    avatar: &Avatar,
    found: usize,
) -> Result<(), Failure> {
    let expected = avatar.skeleton.joints.len();
    if expected == found {
        return Ok(());
    }
    let error = RecordError::JointCount {
        step_ix,
        body_ix,
        expected,
        found,
    };
    Err(error.into())
}

fn bones_of<'a>(body: &RfBodyStep, palette: &'a Palette) -> Bones<'a> {
    match body.bones == VkBuffer::null() {
        true => Bones::Palette(palette),
        false => Bones::Host(HostBones {
            buffer: body.bones,
            offset: body.bones_offset,
            bytes: body.bones_bytes,
            stride: body.bones_stride,
        }),
    }
}

/// None for what is none of [`RfDetail`].
fn detail_of(detail: u32) -> Option<Detail> {
    Detail::ALL.get(detail as usize).copied()
}

fn skin_of(body: &RfBodyStep) -> Option<HostSkin> {
    (body.skin != VkBuffer::null()).then_some(HostSkin {
        buffer: body.skin,
        offset: body.skin_offset,
        bytes: body.skin_bytes,
        stride: body.skin_stride,
    })
}
