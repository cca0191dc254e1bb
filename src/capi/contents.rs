//! What a world is to hold, and what that will take.

use std::ffi::c_char;

use super::border::{Failure, RfResult, Versioned, fill, given, guard, list, read, read_nth};
use super::character::RfAvatar;
use super::fields::RfFields;
use super::garment::RfGarment;
use super::host::{LoadedHost, RfHost};
use super::solid::{RfSolid, def_of};
use super::world::{RfMemory, technique_of};
use crate::world::{BodyDef, GarmentDef, SolidDef, World, WorldDef};

/// What a world is to hold. Zero but for its size, it is an empty world.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfContents {
    /// `sizeof(RfContents)`.
    pub struct_size: u32,
    pub body_count: u32,
    /// The character of each body.
    pub bodies: *const *const RfAvatar,
    /// Null, or the fields that were fitted to each; those that are null are fitted anew.
    pub fields: *const *const RfFields,
    pub garments: *const *const RfGarment,
    /// The index of the body that each garment is on; null: all are on the first.
    pub garment_bodies: *const u32,
    pub garment_count: u32,
    pub solid_count: u32,
    pub solids: *const RfSolid,
    /// Not 0: cloth meets cloth, as after rf_world_set_cloth_contacts.
    pub cloth_contacts: u32,
    pub reserved: u32,
}

// SAFETY: as it says: pointers may be null.
unsafe impl Versioned for RfContents {
    const MIN_BYTES: usize = size_of::<Self>();
}

impl RfContents {
    /// # Safety
    /// What it points to must be valid, here and below.
    unsafe fn bodies<'a>(&self) -> Result<Vec<BodyDef<'a>>, Failure> {
        let count = self.body_count as usize;
        // SAFETY: guaranteed by the caller.
        unsafe {
            let fields = list_if_any(self.fields, count, "fields")?;
            let body = |(ix, &avatar): (usize, &*const RfAvatar)| {
                let fields = fields
                    .get(ix)
                    .and_then(|fields: &*const RfFields| fields.as_ref());
                Ok(BodyDef {
                    fields: fields.map(|fields| &fields.set),
                    ..BodyDef::new(&given(avatar, "an avatar")?.0)
                })
            };
            let avatars = list(self.bodies, count, "bodies")?;
            avatars.iter().enumerate().map(body).collect()
        }
    }

    unsafe fn garments<'a>(&self) -> Result<Vec<GarmentDef<'a>>, Failure> {
        let count = self.garment_count as usize;
        // SAFETY: guaranteed by the caller.
        unsafe {
            let bodies = list_if_any(self.garment_bodies, count, "garment_bodies")?;
            let garment = |(ix, &garment): (usize, &*const RfGarment)| {
                let body_ix: u32 = bodies.get(ix).copied().unwrap_or(0);
                Ok(GarmentDef::new(
                    &given(garment, "a garment")?.0,
                    body_ix as usize,
                ))
            };
            let garments = list(self.garments, count, "garments")?;
            garments.iter().enumerate().map(garment).collect()
        }
    }

    unsafe fn solids(&self) -> Result<Vec<SolidDef>, Failure> {
        // SAFETY: guaranteed by the caller.
        let nth = |ix| unsafe { def_of(&read_nth(self.solids, ix, "solids")?) };
        (0..self.solid_count as usize).map(nth).collect()
    }
}

/// As [`list`]; null is none, however many there may be.
///
/// # Safety
/// As that of [`list`].
unsafe fn list_if_any<'a, T>(
    pointer: *const T,
    count: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    let count = if pointer.is_null() { 0 } else { count };
    // SAFETY: guaranteed by the caller.
    unsafe { list(pointer, count, name) }
}

/// What a world with such contents will ask for, before anything is made. `technique`: as in rf_world_create.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_requirements(
    host: *const RfHost,
    technique: *const c_char,
    contents: *const RfContents,
    out: *mut RfMemory,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let host = LoadedHost::new(host)?;
            let contents = read(contents, "contents")?;
            let (bodies, garments) = (contents.bodies()?, contents.garments()?);
            let solids = contents.solids()?;
            let def = WorldDef {
                bodies: &bodies,
                garments: &garments,
                solids: &solids,
                cloth_contacts: contents.cloth_contacts != 0,
                technique: technique_of(technique)?,
                ..WorldDef::default()
            };
            let required = World::requirements(&host.host(), &def)?;
            let memory = RfMemory {
                struct_size: 0,
                allocation_count: required.allocation_count as u32,
                bytes: required.bytes,
                staging_bytes: required.staging_bytes,
            };
            fill(out, memory, "out")
        }
    })
}
