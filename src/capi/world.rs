//! Worlds.

use std::ffi::{CStr, c_char};
use std::mem::offset_of;
use std::sync::Arc;

use ash::vk::Buffer as VkBuffer;
use glam::Vec3;

use super::border::{
    Failure, RfResult, Versioned, fill, given, given_mut, guard, hand_over, read, room, take_back,
};
use super::character::RfAvatar;
use super::edit::Edited;
use super::fields::RfFields;
use super::frame::StepScratch;
use super::garment::RfGarment;
use super::host::{LoadedHost, RfHost};
use super::settings::{RfGarmentSettings, settings_of};
use crate::avatar::Avatar;
use crate::collide::Technique;
use crate::collide::radial::field::FieldSet;
use crate::pose::Palette;
use crate::world::{BodyDef, GarmentDef, MAX_STEPS, World, WorldDef};

/// Bodies and garments on one device. Destroy it only when the GPU is done with its frames.
pub struct RfWorld {
    pub(super) world: World,
    /// Whose skeletons turn bones into palettes.
    pub(super) avatars: Vec<Arc<Avatar>>,
    /// Between the begin and the end of an edit.
    pub(super) begun: Option<Edited>,
    /// Of each body in each step; kept, so that a frame takes no memory for them.
    pub(super) palettes: [Vec<Palette>; MAX_STEPS],
    pub(super) scratch: StepScratch,
}

/// Memory in bytes, of buffers. The driver gives it in blocks, of which the last may be nearly empty.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfMemory {
    /// `sizeof(RfMemory)`.
    pub struct_size: u32,
    /// Allocations made so far, freed ones included; of requirements, those that making the world takes.
    pub allocation_count: u32,
    /// Held now; of requirements, as long as the world lives.
    pub bytes: u64,
    /// Of requirements: held on top until the first frames are over. Otherwise 0.
    pub staging_bytes: u64,
}

// SAFETY: as it says.
unsafe impl Versioned for RfMemory {
    const MIN_BYTES: usize = size_of::<Self>();
}

/// Where the results of the newest frame are. Positions swap between two buffers with every step, and adding or removing makes
/// new ones: ask after each rf_world_record.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfBuffers {
    /// `sizeof(RfBuffers)`.
    pub struct_size: u32,
    pub particle_count: u32,
    /// 4 floats per particle, the last 1, in world space; all are 0 until its garment has taken part in a step, as skin's are.
    pub cloth_positions: VkBuffer,
    /// 4 floats per particle, the last unused.
    pub cloth_normals: VkBuffer,
    /// 3 floats per vertex, in world space.
    pub skin_positions: VkBuffer,
    /// 3 floats per vertex.
    pub skin_normals: VkBuffer,
    /// As the two above were after the step before: for motion vectors.
    pub previous_cloth_positions: VkBuffer,
    pub previous_skin_positions: VkBuffer,
}

// SAFETY: as it says: handles may be null.
unsafe impl Versioned for RfBuffers {
    const MIN_BYTES: usize = offset_of!(Self, previous_cloth_positions);
}

/// The name of a way to find out where cloth meets skin, for indices from 0 on, the usual one first; NULL past the last.
#[unsafe(no_mangle)]
pub extern "C" fn rf_technique_name(technique_index: u32) -> *const c_char {
    Technique::ALL
        .get(technique_index as usize)
        .map_or(std::ptr::null(), |technique| technique.c_name().as_ptr())
}

/// The technique of that name; null is the usual one.
///
/// # Safety
/// The name must be null or end with a 0.
pub(super) unsafe fn technique_of(name: *const c_char) -> Result<Technique, Failure> {
    if name.is_null() {
        return Ok(Technique::default());
    }
    // SAFETY: guaranteed by the caller.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    Technique::find(&name).ok_or_else(|| {
        let known: Vec<_> = Technique::ALL.iter().map(|known| known.name()).collect();
        Failure::invalid(format!(
            "there is no technique {name}: there are {}",
            known.join(", ")
        ))
    })
}

/// Makes a world without bodies, with the usual settings. `technique` is a name of rf_technique_name's, or NULL for the usual
/// one; on a queue family that cannot draw it must be another than "radial".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_create(
    host: *const RfHost,
    technique: *const c_char,
    out: *mut *mut RfWorld,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        unsafe {
            given(out, "out")?;
            let host = LoadedHost::new(host)?;
            let def = WorldDef {
                technique: technique_of(technique)?,
                ..WorldDef::default()
            };
            let world = World::new(&host.host(), &def)?;
            let world = RfWorld {
                world,
                avatars: Vec::new(),
                begun: None,
                palettes: Default::default(),
                scratch: StepScratch::default(),
            };
            hand_over(out, world, "out")
        }
    })
}

/// Memory that the world holds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_memory(world: *const RfWorld, out: *mut RfMemory) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let held = given(world, "world")?.world.memory_use();
            let memory = RfMemory {
                struct_size: 0,
                allocation_count: held.allocation_count as u32,
                bytes: held.bytes,
                staging_bytes: 0,
            };
            fill(out, memory, "out")
        }
    })
}

/// Adds a body behind the others; `out`, if not NULL, is set to its index. Takes memory, as do the functions below; what
/// they replace is given back once the frames in flight are over: between rf_world_begin_edit and rf_world_end_edit many take it once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_add_body(
    world: *mut RfWorld,
    avatar: *const RfAvatar,
    out: *mut u32,
) -> RfResult {
    // SAFETY: guaranteed by the caller.
    guard(|| unsafe { add_body(world, avatar, None, out) })
}

/// The same with fields that were fitted to the character before, so that nothing is fitted. Bodies that are given the same character and the same
/// fields share both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_add_fitted_body(
    world: *mut RfWorld,
    avatar: *const RfAvatar,
    fields: *const RfFields,
    out: *mut u32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        unsafe { add_body(world, avatar, Some(&given(fields, "fields")?.set), out) }
    })
}

unsafe fn add_body(
    world: *mut RfWorld,
    avatar: *const RfAvatar,
    fields: Option<&Arc<FieldSet>>,
    out: *mut u32,
) -> Result<(), Failure> {
    // SAFETY: guaranteed by the caller.
    let (world, RfAvatar(avatar)) =
        unsafe { (given_mut(world, "world")?, given(avatar, "avatar")?) };
    let body = BodyDef {
        fields,
        ..BodyDef::new(avatar)
    };
    let body_ix = world.change(|edited| {
        let body_ix = edited.contents.add_body(&body)?;
        edited.avatars.push(Arc::clone(avatar));
        Ok(body_ix)
    })?;
    // SAFETY: as above.
    if let Some(out) = unsafe { out.as_mut() } {
        *out = body_ix as u32;
    }
    Ok(())
}

/// Takes a body away, and its garments with it. Bodies behind it move down by one, as do garments behind its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_remove_body(world: *mut RfWorld, body_index: u32) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let world = unsafe { given_mut(world, "world")? };
        let body_ix = body_index as usize;
        world.change(|edited| {
            edited.contents.remove_body(body_ix)?;
            edited.avatars.remove(body_ix);
            Ok(())
        })
    })
}

/// Puts a garment on a body, behind the other garments; `out`, if not NULL, is set to its index. `settings` may be NULL for
/// the usual ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_add_garment(
    world: *mut RfWorld,
    garment: *const RfGarment,
    body_index: u32,
    settings: *const RfGarmentSettings,
    out: *mut u32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (world, RfGarment(garment)) =
            unsafe { (given_mut(world, "world")?, given(garment, "garment")?) };
        let mut def = GarmentDef::new(garment, body_index as usize);
        if !settings.is_null() {
            // SAFETY: as above.
            def.settings = settings_of(unsafe { read(settings, "settings")? })?;
        }
        let garment_ix = world.change(|edited| edited.contents.add_garment(&def))?;
        // SAFETY: as above.
        if let Some(out) = unsafe { out.as_mut() } {
            *out = garment_ix as u32;
        }
        Ok(())
    })
}

/// Takes a garment off. Garments behind it move down by one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_remove_garment(
    world: *mut RfWorld,
    garment_index: u32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let world = unsafe { given_mut(world, "world")? };
        let garment_ix = garment_index as usize;
        world.change(|edited| edited.contents.remove_garment(garment_ix))
    })
}

/// Where the results of the newest frame are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_buffers(world: *const RfWorld, out: *mut RfBuffers) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let world = unsafe { &given(world, "world")?.world };
        let (cloth, skin) = (world.cloth(), world.skin());
        let buffers = RfBuffers {
            struct_size: 0,
            particle_count: cloth.particle_count(),
            cloth_positions: cloth.positions().handle(),
            cloth_normals: cloth.normals().handle(),
            skin_positions: skin.positions().handle(),
            skin_normals: skin.normals().handle(),
            previous_cloth_positions: cloth.previous_positions().handle(),
            previous_skin_positions: skin.previous_positions().handle(),
        };
        // SAFETY: as above.
        unsafe { fill(out, buffers, "out") }
    })
}

/// The first of a body's vertices among the skinned ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_first_vertex(
    world: *const RfWorld,
    body_index: u32,
    out: *mut u32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (world, out) = unsafe { (&given(world, "world")?.world, given_mut(out, "out")?) };
        let (body_ix, count) = (body_index as usize, world.body_count());
        if body_ix >= count {
            return Err(Failure::invalid(format!(
                "there is no body {body_ix} of {count}"
            )));
        }
        *out = world.body_vertices(body_ix).start;
        Ok(())
    })
}

/// The first of a garment's particles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_first_particle(
    world: *const RfWorld,
    garment_index: u32,
    out: *mut u32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (world, out) = unsafe { (&given(world, "world")?.world, given_mut(out, "out")?) };
        let (garment_ix, count) = (garment_index as usize, world.garment_count());
        if garment_ix >= count {
            let message = format!("there is no garment {garment_ix} of {count}");
            return Err(Failure::invalid(message));
        }
        *out = world.garment_particles(garment_ix).start;
        Ok(())
    })
}

/// A box round the bodies after the last recorded step: 3 floats each. Both are zero without a step yet, and when a body's bones
/// were in a buffer of the host's: they are not seen here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_bounds(
    world: *const RfWorld,
    low: *mut f32,
    high: *mut f32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (world, low, high) = unsafe {
            (
                &given(world, "world")?.world,
                room(low, 3, 3, "low")?,
                room(high, 3, 3, "high")?,
            )
        };
        let bounds = world.body_bounds();
        low.copy_from_slice(&bounds.map_or(Vec3::ZERO, |bounds| bounds.low).to_array());
        high.copy_from_slice(&bounds.map_or(Vec3::ZERO, |bounds| bounds.high).to_array());
        Ok(())
    })
}

/// Gives a world back; NULL is none. The GPU must be done with its frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_destroy(world: *mut RfWorld) {
    // SAFETY: guaranteed by the caller.
    unsafe { take_back(world) }
}
