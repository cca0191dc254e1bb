//! What characters wear.

use super::border::{
    Failure, RfResult, Versioned, fill, given, given_mut, guard, hand_over, list, read, room,
    take_back,
};
use super::character::{RfAvatar, RfMesh, copy_indices, skin_of};
use crate::avatar::{Avatar, NamedSkin};
use crate::cloth::MotionConstraint;
use crate::cloth::garment::{Attachment, Garment};

/// Something to wear.
pub struct RfGarment(pub(super) Garment);

/// What can be made for a humanoid.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RfGarmentKind {
    /// Two garments: trousers, and a top over them.
    TrousersAndTop = 0,
    Overcoat = 1,
    Cape = 2,
    Skirt = 3,
    /// A sheet laid over any character, humanoid or not.
    Sheet = 4,
}

/// How large a garment is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfGarmentInfo {
    /// `sizeof(RfGarmentInfo)`.
    pub struct_size: u32,
    pub particle_count: u32,
    pub triangle_count: u32,
    /// Linear RGBA.
    pub base_colour: [f32; 4],
}

// SAFETY: as it says.
unsafe impl Versioned for RfGarmentInfo {
    const MIN_BYTES: usize = size_of::<Self>();
}

/// The most particles of garments that are made. Usually 500,000, what one world holds; many more would take the host's memory.
const MAX_PARTICLES: u32 = 500_000;

/// Makes garments of about `particle_count` particles, 500,000 at most, to the character's shape. `kind` is one of RfGarmentKind.
///
/// `count` says how many there is room for at `out`, and is set to how many were made; 2 is enough for every kind. Takes the
/// feature `authoring`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_make(
    avatar: *const RfAvatar,
    kind: u32,
    particle_count: u32,
    out: *mut *mut RfGarment,
    count: *mut u32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (avatar, count) = unsafe { (&given(avatar, "avatar")?.0, given_mut(count, "count")?) };
        if particle_count > MAX_PARTICLES {
            let message = format!("{particle_count} particles: give at most {MAX_PARTICLES}");
            return Err(Failure::invalid(message));
        }
        let garments = make(kind_of(kind)?, avatar, particle_count as usize)?;
        // SAFETY: as above.
        let out = unsafe { room(out, *count as usize, garments.len(), "out")? };
        *count = garments.len() as u32;
        for (out, garment) in out.iter_mut().zip(garments) {
            // SAFETY: as above.
            unsafe { hand_over(out, RfGarment(garment), "out")? };
        }
        Ok(())
    })
}

fn kind_of(kind: u32) -> Result<RfGarmentKind, Failure> {
    use RfGarmentKind::{Cape, Overcoat, Sheet, Skirt, TrousersAndTop};
    let mut kinds = [TrousersAndTop, Overcoat, Cape, Skirt, Sheet].into_iter();
    kinds
        .find(|known| *known as u32 == kind)
        .ok_or_else(|| Failure::invalid(format!("there is no kind of garment {kind}")))
}

#[cfg(feature = "authoring")]
fn make(
    kind: RfGarmentKind,
    avatar: &Avatar,
    particle_count: usize,
) -> Result<Vec<Garment>, Failure> {
    use crate::cloth::garment::{GarmentKind, make, sheet_over};
    let kind = match kind {
        RfGarmentKind::TrousersAndTop => GarmentKind::TrousersAndTop,
        RfGarmentKind::Overcoat => GarmentKind::Overcoat,
        RfGarmentKind::Cape => GarmentKind::Cape,
        RfGarmentKind::Skirt => GarmentKind::Skirt,
        RfGarmentKind::Sheet => return Ok(vec![sheet_over(avatar, particle_count)]),
    };
    Ok(make(kind, avatar, particle_count)?)
}

#[cfg(not(feature = "authoring"))]
fn make(_: RfGarmentKind, _: &Avatar, _: usize) -> Result<Vec<Garment>, Failure> {
    Err(Failure::not_built("authoring"))
}

/// A particle that is pulled to where skinning puts it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfAttachment {
    pub particle_index: u32,
    /// The inverse of a spring's stiffness, m/N: usually 0.01 for a waistband, 0.2 for cloth that lies on a shoulder.
    pub compliance: f32,
}

/// A garment defined by the host: every vertex of the mesh is a particle, skinned to the joints of the body that will wear it.
/// Of the mesh, joint_count, bone_from_bind, parents and names are not looked at. Vertices at one place fall apart: weld them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_from_mesh(
    mesh: *const RfMesh,
    attachments: *const RfAttachment,
    attachment_count: usize,
    out: *mut *mut RfGarment,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (mesh, attachments) = unsafe {
            (
                skin_of(&read(mesh, "mesh")?)?,
                list(attachments, attachment_count, "attachments")?,
            )
        };
        let attachment = |one: &RfAttachment| Attachment {
            particle_ix: one.particle_index,
            compliance: one.compliance,
        };
        let garment = Garment {
            name: "garment".to_owned(),
            mesh,
            attachments: attachments.iter().map(attachment).collect(),
            rest_positions: Vec::new(),
            clearances: Vec::new(),
            layered: Default::default(),
            motion: Vec::new(),
            drawn: None,
            base_colour: [0.8, 0.8, 0.8, 1.0],
        };
        // SAFETY: as above.
        unsafe { hand_over(out, RfGarment(garment), "out") }
    })
}

/// One of the garments that a character's file brings along, from 0 to its info's garment_count, with the motion constraints that artists
/// painted. Vertices at one place are one particle. Takes the feature `authoring`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_avatar_garment(
    avatar: *const RfAvatar,
    garment_index: u32,
    out: *mut *mut RfGarment,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let RfAvatar(avatar) = unsafe { given(avatar, "avatar")? };
        let named = avatar.garments.get(garment_index as usize).ok_or_else(|| {
            let count = avatar.garments.len();
            Failure::invalid(format!("there is no garment {garment_index} of {count}"))
        })?;
        // SAFETY: as above.
        unsafe { hand_over(out, RfGarment(taken(named, avatar)?), "out") }
    })
}

#[cfg(feature = "authoring")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature it fails")]
fn taken(named: &NamedSkin, avatar: &Avatar) -> Result<Garment, Failure> {
    Ok(crate::cloth::garment::from_named_skin(named, avatar))
}

#[cfg(not(feature = "authoring"))]
fn taken(_: &NamedSkin, _: &Avatar) -> Result<Garment, Failure> {
    Err(Failure::not_built("authoring"))
}

/// How large a garment is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_info(
    garment: *const RfGarment,
    out: *mut RfGarmentInfo,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let RfGarment(garment) = unsafe { given(garment, "garment")? };
        let info = RfGarmentInfo {
            struct_size: 0,
            particle_count: garment.mesh.positions.len() as u32,
            triangle_count: garment.mesh.triangles.len() as u32,
            base_colour: garment.base_colour,
        };
        // SAFETY: as above.
        unsafe { fill(out, info, "out") }
    })
}

/// Copies the indices of a garment's triangles: 3 per triangle, into room for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_indices(
    garment: *const RfGarment,
    out: *mut u32,
    capacity: usize,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let RfGarment(garment) = unsafe { given(garment, "garment")? };
        // SAFETY: as above.
        unsafe { copy_indices(&garment.mesh.triangles, out, capacity) }
    })
}

/// The motion constraint of one particle, in metres of the bind pose.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfMotionConstraint {
    /// The particle is never further than this from where skinning puts it, or a twentieth more at a step's end; infinite for free cloth.
    pub max_distance: f32,
    /// From there, against the normal, to the nearest point of a ball that the particle keeps out of.
    pub backstop_distance: f32,
    /// Of the ball; 0 for none.
    pub backstop_radius: f32,
}

/// Replaces a garment's motion constraints: `count` is 0, for free cloth, or the number of its particles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_set_motion(
    garment: *mut RfGarment,
    constraints: *const RfMotionConstraint,
    count: usize,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let RfGarment(garment) = unsafe { given_mut(garment, "garment")? };
        let particles = garment.mesh.positions.len();
        if count != 0 && count != particles {
            return Err(Failure::invalid(format!(
                "{count} motion constraints for {particles} particles"
            )));
        }
        // SAFETY: as above.
        let constraints = unsafe { list(constraints, count, "constraints")? };
        let motion: Vec<_> = constraints.iter().map(motion_of).collect();
        if !motion.iter().all(MotionConstraint::is_valid) {
            let why = "a motion constraint has a negative length, or one that is no number";
            return Err(Failure::invalid(why.to_owned()));
        }
        garment.motion = motion;
        Ok(())
    })
}

fn motion_of(constraint: &RfMotionConstraint) -> MotionConstraint {
    MotionConstraint {
        max_distance: constraint.max_distance,
        backstop_distance: constraint.backstop_distance,
        backstop_radius: constraint.backstop_radius,
    }
}

/// Gives a garment back; NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_destroy(garment: *mut RfGarment) {
    // SAFETY: guaranteed by the caller.
    unsafe { take_back(garment) }
}
