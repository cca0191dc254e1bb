//! What characters wear.

use std::ptr::null;

use super::border::{
    Failure, RfResult, Versioned, fill, given, given_mut, guard, hand_over, list, read, room,
    take_back,
};
use super::character::{RfAvatar, RfMesh, copy_indices, skin_of, vectors};
use crate::avatar::{Avatar, NamedSkin};
use crate::cloth::garment::{Attachment, Garment};
use crate::cloth::{MotionConstraint, layer};

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
    /// Three garments: trousers, a top, and an overcoat over both.
    OvercoatOverAll = 5,
    /// Trousers that begin at the hips and that nothing holds: they stay on by friction alone.
    LooseTrousers = 6,
    /// Two garments: an overcoat, and a cape over it.
    CapeOverCoat = 7,
    /// Two garments: a skirt, and a top over it.
    SkirtAndTop = 8,
    /// Three garments: trousers, a top, and a scarf wound twice round the neck.
    ScarfOverTop = 9,
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

/// Makes garments of about `particle_count` particles, 500,000 at most, to the character's shape, innermost first. `kind` is one of
/// RfGarmentKind.
///
/// `count` says how many there is room for at `out`, and is set to how many were made; 3 is enough for every kind. Takes the
/// feature `authoring`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_make(
    avatar: *const RfAvatar,
    kind: u32,
    particle_count: u32,
    out: *mut *mut RfGarment,
    count: *mut u32,
) -> RfResult {
    // SAFETY: guaranteed by the caller.
    unsafe { rf_garment_make_for_clips(avatar, kind, particle_count, null(), 0, out, count) }
}

/// As rf_garment_make, cut for some of the character's clips, by their indices: on a body of several pieces that stand in each other in those, and
/// where arms go deep into one of one piece, clothes end before what is buried. Others get what rf_garment_make makes. Takes the feature
/// `authoring`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_make_for_clips(
    avatar: *const RfAvatar,
    kind: u32,
    particle_count: u32,
    clips: *const u32,
    clip_count: u32,
    out: *mut *mut RfGarment,
    count: *mut u32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (avatar, count, clips) = unsafe {
            (
                &given(avatar, "avatar")?.0,
                given_mut(count, "count")?,
                list(clips, clip_count as usize, "clips")?,
            )
        };
        if particle_count > MAX_PARTICLES {
            let message = format!("{particle_count} particles: give at most {MAX_PARTICLES}");
            return Err(Failure::invalid(message));
        }
        let clips = clips_of(avatar, clips)?;
        let garments = make(kind_of(kind)?, avatar, &clips, particle_count as usize)?;
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

fn clips_of(avatar: &Avatar, clips: &[u32]) -> Result<Vec<usize>, Failure> {
    let there_are = avatar.clips.len();
    let known = |&ix: &u32| match (ix as usize) < there_are {
        true => Ok(ix as usize),
        false => Err(Failure::invalid(format!(
            "there is no clip {ix} of {there_are}"
        ))),
    };
    clips.iter().map(known).collect()
}

fn kind_of(kind: u32) -> Result<RfGarmentKind, Failure> {
    use RfGarmentKind as K;
    let kinds = [
        K::TrousersAndTop,
        K::Overcoat,
        K::Cape,
        K::Skirt,
        K::Sheet,
        K::OvercoatOverAll,
        K::LooseTrousers,
        K::CapeOverCoat,
        K::SkirtAndTop,
        K::ScarfOverTop,
    ];
    let known = kinds.into_iter().find(|known| *known as u32 == kind);
    known.ok_or_else(|| Failure::invalid(format!("there is no kind of garment {kind}")))
}

#[cfg(feature = "authoring")]
fn make(
    kind: RfGarmentKind,
    avatar: &Avatar,
    clips: &[usize],
    particle_count: usize,
) -> Result<Vec<Garment>, Failure> {
    use crate::cloth::garment::{GarmentKind, make_for_clips, sheet_over};
    let kind = match kind {
        RfGarmentKind::TrousersAndTop => GarmentKind::TrousersAndTop,
        RfGarmentKind::Overcoat => GarmentKind::Overcoat,
        RfGarmentKind::Cape => GarmentKind::Cape,
        RfGarmentKind::Skirt => GarmentKind::Skirt,
        RfGarmentKind::Sheet => return Ok(vec![sheet_over(avatar, particle_count)]),
        RfGarmentKind::OvercoatOverAll => GarmentKind::OvercoatOverAll,
        RfGarmentKind::LooseTrousers => GarmentKind::LooseTrousers,
        RfGarmentKind::CapeOverCoat => GarmentKind::CapeOverCoat,
        RfGarmentKind::SkirtAndTop => GarmentKind::SkirtAndTop,
        RfGarmentKind::ScarfOverTop => GarmentKind::ScarfOverTop,
    };
    Ok(make_for_clips(kind, avatar, clips, particle_count)?)
}

#[cfg(not(feature = "authoring"))]
fn make(_: RfGarmentKind, _: &Avatar, _: &[usize], _: usize) -> Result<Vec<Garment>, Failure> {
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
        check_count(garment, count, "motion constraints")?;
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

/// Replaces a garment's shape at rest, from which lengths, areas and angles of its cloth are taken: `positions` has 3 floats per particle, metres.
/// `count` is the number of its particles, or 0 for the shape that its mesh has in the bind pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_set_rest_shape(
    garment: *mut RfGarment,
    positions: *const f32,
    count: usize,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let RfGarment(garment) = unsafe { given_mut(garment, "garment")? };
        check_count(garment, count, "positions at rest")?;
        // SAFETY: as above.
        let rest = vectors(unsafe { list(positions, 3 * count, "positions")? });
        if !rest.iter().all(|at| at.is_finite()) {
            let why = "a position at rest is no number";
            return Err(Failure::invalid(why.to_owned()));
        }
        garment.rest_positions = rest;
        Ok(())
    })
}

/// Prepares garments of one character to be worn over each other, innermost first; before they are added to a world. Outer ones keep off the skin by what
/// is beneath. Those that one call of rf_garment_make has made are prepared already.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_layer(
    avatar: *const RfAvatar,
    garments: *const *mut RfGarment,
    count: u32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (RfAvatar(avatar), handles) = unsafe {
            (
                given(avatar, "avatar")?,
                list(garments, count as usize, "garments")?,
            )
        };
        if let Some(ix) = (1..handles.len()).find(|&ix| handles[..ix].contains(&handles[ix])) {
            return Err(Failure::invalid(format!("garment {ix} is there twice")));
        }
        // SAFETY: as above.
        let garments = handles.iter().map(|&one| unsafe { given(one, "garment") });
        let garments: Result<Vec<Garment>, Failure> =
            garments.map(|one| Ok(one?.0.clone())).collect();
        let mut garments = garments?;
        layer(&mut garments, &avatar.skin);
        for (&handle, garment) in handles.iter().zip(garments) {
            // SAFETY: as above; each is there once.
            unsafe { given_mut(handle, "garment")?.0 = garment };
        }
        Ok(())
    })
}

/// Whether there are none, or one per particle.
fn check_count(garment: &Garment, count: usize, what: &str) -> Result<(), Failure> {
    let particles = garment.mesh.positions.len();
    match count == 0 || count == particles {
        true => Ok(()),
        false => Err(Failure::invalid(format!(
            "{count} {what} for {particles} particles"
        ))),
    }
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

#[cfg(all(test, feature = "authoring"))]
mod tests {
    use std::ptr::null_mut;
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::avatar::builtin::load_mannequin;
    use crate::cloth::garment::swinging::swinging;
    use crate::cloth::garment::{GarmentKind, make, make_for_clips, sheet_over};

    const PARTICLES: u32 = 600;

    fn mannequin() -> RfAvatar {
        RfAvatar(Arc::new(load_mannequin()))
    }

    /// What C makes, given back to Rust.
    fn made(
        avatar: &RfAvatar,
        kind: RfGarmentKind,
        clips: &[u32],
    ) -> Result<Vec<Garment>, RfResult> {
        let (mut garments, mut count) = ([null_mut(); 3], 3);
        let (out, count_at) = (garments.as_mut_ptr(), &raw mut count);
        let (first, clip_count) = (clips.as_ptr(), clips.len() as u32);
        let kind = kind as u32;
        // SAFETY: there is room for three.
        let result = unsafe {
            rf_garment_make_for_clips(avatar, kind, PARTICLES, first, clip_count, out, count_at)
        };
        if result != RfResult::Ok {
            return Err(result);
        }
        let garments = garments[..count as usize].iter();
        // SAFETY: each was just handed over.
        Ok(garments
            .map(|&one| unsafe { Box::from_raw(one) }.0)
            .collect())
    }

    #[test]
    fn layered_kinds_are_those_of_rust() {
        let avatar = mannequin();
        for (kind, ours) in [
            (RfGarmentKind::OvercoatOverAll, GarmentKind::OvercoatOverAll),
            (RfGarmentKind::LooseTrousers, GarmentKind::LooseTrousers),
            (RfGarmentKind::CapeOverCoat, GarmentKind::CapeOverCoat),
            (RfGarmentKind::SkirtAndTop, GarmentKind::SkirtAndTop),
            (RfGarmentKind::ScarfOverTop, GarmentKind::ScarfOverTop),
        ] {
            let expected = make(ours, &avatar.0, PARTICLES as usize);
            let expected = expected.expect("it is a humanoid");
            assert!(made(&avatar, kind, &[]) == Ok(expected), "{kind:?}");
        }
    }

    #[test]
    fn clips_that_are_not_there_are_refused() {
        let avatar = mannequin();
        let count = avatar.0.clips.len() as u32;
        let refused = made(&avatar, RfGarmentKind::Skirt, &[0, count]);
        assert_eq!(refused.err(), Some(RfResult::InvalidArgument));
    }

    #[test]
    fn clothes_are_cut_for_the_clips_that_are_named() {
        let mut person = swinging(0.85, 0.95);
        person.clips.extend(swinging(-0.4, 0.3).clips);
        let avatar = RfAvatar(Arc::new(person));
        let kind = RfGarmentKind::TrousersAndTop;
        let [into_flanks, beside_them] =
            [0, 1].map(|clip| made(&avatar, kind, &[clip]).expect("it is a humanoid"));
        let ours = GarmentKind::TrousersAndTop;
        let expected = make_for_clips(ours, &avatar.0, &[0], PARTICLES as usize);
        assert!(into_flanks == expected.expect("it is a humanoid"));
        assert!(into_flanks != beside_them, "the clip cuts nothing");
    }

    #[test]
    fn garments_of_several_calls_are_layered_as_in_rust() {
        let avatar = mannequin();
        let one = |kind| made(&avatar, kind, &[]).expect("it is a humanoid");
        let mut garments = one(RfGarmentKind::TrousersAndTop);
        garments.extend(one(RfGarmentKind::Skirt));
        let mut given: Vec<_> = garments.iter().cloned().map(RfGarment).collect();
        let pointers: Vec<_> = given.iter_mut().map(|one| one as *mut RfGarment).collect();
        let layered =
            // SAFETY: the garments are there.
            |list: &[*mut RfGarment]| unsafe { rf_garment_layer(&avatar, list.as_ptr(), list.len() as u32) };
        let twice = layered(&[pointers[0], pointers[1], pointers[0]]);
        let missing = layered(&[pointers[0], null_mut()]);
        assert_eq!([twice, missing], [RfResult::InvalidArgument; 2]);
        assert_eq!(layered(&pointers), RfResult::Ok);
        let before = garments.clone();
        layer(&mut garments, &avatar.0.skin);
        assert!(garments != before, "nothing lies over anything");
        assert!(given.iter().map(|one| &one.0).eq(&garments));
    }

    #[test]
    fn motion_constraints_are_one_for_each_particle_or_none() {
        let mut garment = RfGarment(sheet_over(&load_mannequin(), 200));
        let count = garment.0.mesh.positions.len();
        let lengths = (0..count).map(|ix| [0.001, 0.002, 0.003].map(|each| each * ix as f32));
        let one =
            |[max_distance, backstop_distance, backstop_radius]: [f32; 3]| RfMotionConstraint {
                max_distance,
                backstop_distance,
                backstop_radius,
            };
        let mut given: Vec<_> = lengths.clone().map(one).collect();
        let set = |garment: &mut RfGarment, given: &[RfMotionConstraint], count| {
            // SAFETY: there are as many.
            unsafe { rf_garment_set_motion(garment, given.as_ptr(), count) }
        };
        assert_eq!(set(&mut garment, &given, count), RfResult::Ok);
        let held = |garment: &RfGarment| {
            let motion = garment.0.motion.iter();
            motion
                .map(|one| [one.max_distance, one.backstop_distance, one.backstop_radius])
                .eq(lengths.clone())
        };
        assert!(held(&garment));
        let too_few = set(&mut garment, &given, count - 1);
        given[4].backstop_radius = -1.0;
        let negative = set(&mut garment, &given, count);
        given[4].backstop_radius = f32::NAN;
        let no_number = set(&mut garment, &given, count);
        let refused = [RfResult::InvalidArgument; 3];
        assert_eq!([too_few, negative, no_number], refused);
        assert!(held(&garment));
        assert_eq!(set(&mut garment, &[], 0), RfResult::Ok);
        assert!(garment.0.motion.is_empty());
    }

    #[test]
    fn a_shape_at_rest_has_a_place_for_each_particle() {
        let mut garment = RfGarment(sheet_over(&load_mannequin(), 200));
        let half: Vec<Vec3> = garment
            .0
            .mesh
            .positions
            .iter()
            .map(|&at| 0.5 * at)
            .collect();
        let mut floats: Vec<f32> = half.iter().flat_map(|at| at.to_array()).collect();
        let set = |garment: &mut RfGarment, floats: &[f32], count| {
            // SAFETY: there are as many.
            unsafe { rf_garment_set_rest_shape(garment, floats.as_ptr(), count) }
        };
        assert_eq!(set(&mut garment, &floats, half.len()), RfResult::Ok);
        assert_eq!(garment.0.rest_positions, half);
        let too_few = set(&mut garment, &floats, half.len() - 1);
        floats[4] = f32::NAN;
        let no_number = set(&mut garment, &floats, half.len());
        assert_eq!([too_few, no_number], [RfResult::InvalidArgument; 2]);
        assert_eq!(garment.0.rest_positions, half);
        assert_eq!(set(&mut garment, &[], 0), RfResult::Ok);
        assert!(garment.0.rest_positions.is_empty());
    }
}
