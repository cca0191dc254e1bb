//! Garments, made to a character's shape or taken from its file.
//!
//! [`make`] cuts a garment for any humanoid: the skin's distance field is joined with tubes of cloth round trunk and
//! limbs, its surface is cut open at hems, remeshed to even triangles, moved clear of the skin and given the skin's
//! weights. A character that is no humanoid gets a [`sheet_over`] it; a mesh that came as cloth is taken
//! [`from_named_skin`] as it is.
//!
//! All lengths are in proportion to the character: clearances are given for a person 1.75 m tall.

#[cfg(feature = "authoring")]
mod body;
#[cfg(feature = "authoring")]
mod canvas;
#[cfg(feature = "authoring")]
mod carried;
mod drawn;
#[cfg(feature = "authoring")]
mod drawn_in;
#[cfg(feature = "authoring")]
mod dress;
#[cfg(feature = "authoring")]
mod field;
#[cfg(test)]
mod figure;
#[cfg(feature = "authoring")]
mod fit;
#[cfg(feature = "authoring")]
mod humanoid;
#[cfg(feature = "authoring")]
mod isosurface;
#[cfg(feature = "authoring")]
mod moved;
#[cfg(feature = "authoring")]
mod named;
#[cfg(feature = "authoring")]
mod others;
#[cfg(feature = "authoring")]
mod patterns;
#[cfg(feature = "authoring")]
mod remesh;
#[cfg(feature = "authoring")]
mod sheet;
#[cfg(feature = "authoring")]
mod stance;
#[cfg(feature = "authoring")]
mod surface;
#[cfg(test)]
pub(crate) mod swinging;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toys;
#[cfg(feature = "authoring")]
mod tube;
#[cfg(feature = "authoring")]
mod weld;

#[cfg(feature = "authoring")]
pub use carried::{Carried, carried};
pub use drawn::Drawn;
#[cfg(feature = "authoring")]
pub use named::from_named_skin;
#[cfg(feature = "authoring")]
pub use others::other_characters;
#[cfg(feature = "authoring")]
pub use sheet::{level_sheet, sheet_covering, sheet_over};

use std::collections::BTreeMap;

use super::MotionConstraint;
#[cfg(feature = "authoring")]
use super::layer;
#[cfg(feature = "authoring")]
use super::layers::{hang_over, hold_beneath};
#[cfg(feature = "authoring")]
use crate::avatar::MAX_INFLUENCES;
use crate::avatar::SkinMesh;
#[cfg(feature = "authoring")]
use crate::avatar::{Avatar, PERSON_HEIGHT};
use glam::Vec3;

/// A garment in the bind pose, ready to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct Garment {
    pub name: String,
    /// The particles: positions in bind space, in metres, with the weights of the skin beneath, smoothed. Skinning
    /// gives the start pose and the targets of the attachments.
    pub mesh: SkinMesh,
    /// Its shape at rest, metres, one position per particle, where that is not the mesh's: what lengths, areas and angles of the cloth are taken
    /// from. Usually empty; clothes for a character whose arms hang in the bind pose are cut with raised ones.
    pub rest_positions: Vec<Vec3>,
    /// Particles held to where skinning puts them.
    pub attachments: Vec<Attachment>,
    /// Metres that each particle keeps from the skin at least, because another garment is worn beneath; empty for none.
    pub clearances: Vec<f32>,
    /// What stands in for contacts with garments over and beneath it, where cloth does not meet cloth, by the particles' indices.
    pub layered: BTreeMap<u32, Layered>,
    /// What each particle is held to relative to where skinning puts it; empty for free cloth.
    pub motion: Vec<MotionConstraint>,
    /// What it is drawn with, where that is more than its particles; `None` to draw the mesh itself.
    pub drawn: Option<Drawn>,
    /// Linear RGBA, where `drawn` has no parts of its own.
    pub base_colour: [f32; 4],
}

impl Garment {
    /// What lengths, areas and angles of the cloth are taken from, metres: a position per particle.
    pub fn rest_shape(&self) -> &[Vec3] {
        match self.rest_positions.is_empty() {
            true => &self.mesh.positions,
            false => &self.rest_positions,
        }
    }

    /// Whether it is worn over other garments: some of it keeps further from the skin for them, where cloth does not meet cloth.
    pub fn lies_over(&self) -> bool {
        let mut layered = self.layered.values();
        layered.any(|l| l.clearance > 0.0 || l.backstop_distance.is_finite())
    }
}

/// What keeps a particle from the garments over and beneath its own where cloth does not meet cloth. Where it does, contacts keep them apart, and all
/// that is left of this is a tenth of the attachment's stiffness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layered {
    /// XPBD compliance of its attachment to its skinned place, m/N; infinity: it is not attached.
    pub compliance: f32,
    /// Metres from its skinned place at most; infinity: it goes as far as its motion constraint lets it.
    pub max_distance: f32,
    /// Metres that it keeps from the skin at least; 0: what its garment's clearances say.
    pub clearance: f32,
    /// Metres from its skinned place at which its backstop begins; infinity: where its motion constraint has it.
    pub backstop_distance: f32,
}

impl Layered {
    /// Held by nothing.
    pub const FREE: Self = Self {
        compliance: f32::INFINITY,
        max_distance: f32::INFINITY,
        clearance: 0.0,
        backstop_distance: f32::INFINITY,
    };

    /// Whether it is attached to its skinned place.
    pub fn is_attached(&self) -> bool {
        self.compliance.is_finite()
    }

    /// Whether none of it is negative or no number, and its clearance finite.
    pub fn is_valid(&self) -> bool {
        let lengths = [self.max_distance, self.clearance, self.backstop_distance];
        self.compliance >= 0.0
            && lengths.iter().all(|&length| length >= 0.0)
            && self.clearance.is_finite()
    }
}

/// A soft constraint that pulls a particle to its skinned rest position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Index into the mesh's positions.
    pub particle_ix: u32,
    /// XPBD compliance, the inverse of a spring's stiffness, in metres a newton. [`FIRM`] and [`LOOSE`] are usual;
    /// 0 nails the particle in place, which lets it be carried into the body.
    pub compliance: f32,
}

/// Compliance of a waistband or collar, m/N: gives a millimetre under the weight of a whole garment.
pub const FIRM: f32 = 1e-2;
/// Compliance of cloth that lies on a shoulder, m/N: keeps it from sliding off and lets collision win.
pub const LOOSE: f32 = 0.2;

/// What can be made for a humanoid.
#[cfg(feature = "authoring")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GarmentKind {
    /// Long trousers and a top with short sleeves: two garments.
    TrousersAndTop,
    /// Trousers that begin at the hips and that nothing holds: they stay on by friction alone.
    LooseTrousers,
    /// To below the knees, with long sleeves, open at the front from collar to hem.
    Overcoat,
    /// An overcoat over trousers and a top: three garments.
    OvercoatOverAll,
    /// Round the shoulders and down the back to the calves.
    Cape,
    /// A cape over an overcoat: two garments.
    CapeOverCoat,
    /// From the waist to the knees, wide, in folds.
    Skirt,
    /// A top over a skirt: two garments.
    SkirtAndTop,
    /// A scarf wound twice round the neck, over trousers and a top: three garments.
    ScarfOverTop,
}

/// The fewest particles a garment can be made of; fewer give triangles that cut through arms.
#[cfg(feature = "authoring")]
pub const MIN_PARTICLES: usize = 200;

/// Why a garment could not be made.
#[cfg(feature = "authoring")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GarmentError {
    #[error(
        "{avatar} has no {missing} that its skeleton shows, so clothes cannot be cut for it: lay a sheet over it instead"
    )]
    NotHumanoid {
        avatar: String,
        missing: &'static str,
    },
    #[error("{count} particles are too few for a garment: ask for at least {MIN_PARTICLES}")]
    TooFewParticles { count: usize },
    #[error(
        "the skin of {avatar} leaves nothing to cut its {place} for: is the mesh where the skeleton is?"
    )]
    NoSurface { avatar: String, place: &'static str },
}

/// The axis of bind space along which a humanoid stands, from its feet to its shoulders; `None` for what is no humanoid. Gravity
/// and all that is drawn take +Y for up.
#[cfg(feature = "authoring")]
pub fn upright_axis(avatar: &Avatar) -> Option<Vec3> {
    let humanoid = humanoid::Humanoid::find(avatar).ok()?;
    Some(humanoid.tailor_from_bind.row(1))
}

/// Makes a garment of about `particle_count` particles (all its pieces together, within 2 %) to the avatar's shape.
///
/// Its pieces are ready to be worn together, innermost first. Whoever combines garments of several calls has
/// [`layer`] do that for them.
///
/// # Errors
/// [`GarmentError::NotHumanoid`] when the avatar's skeleton shows no person: use [`sheet_over`].
#[cfg(feature = "authoring")]
pub fn make(
    kind: GarmentKind,
    avatar: &Avatar,
    particle_count: usize,
) -> Result<Vec<Garment>, GarmentError> {
    make_for_clips(kind, avatar, &[], particle_count)
}

/// As [`make`], cut for some clips of the avatar, by their indices.
///
/// On a body of several closed pieces that stand in each other in those clips, clothes end before what is buried, tops without sleeves:
/// no cloth can be right there. So do trousers and tops where arms of a body of one piece go deep into it, tops where much of them is
/// buried half of the time. Other bodies get what [`make`] makes.
///
/// # Errors
/// As [`make`].
#[cfg(feature = "authoring")]
pub fn make_for_clips(
    kind: GarmentKind,
    avatar: &Avatar,
    clips: &[usize],
    particle_count: usize,
) -> Result<Vec<Garment>, GarmentError> {
    if particle_count < MIN_PARTICLES {
        return Err(GarmentError::TooFewParticles {
            count: particle_count,
        });
    }
    let humanoid = humanoid::Humanoid::find(avatar)?;
    let mut body = body::Body::new(avatar, humanoid);
    body.check_covered()?;
    body.poses = moved::poses(avatar, clips);
    let Some(stance) = stance::Stance::of(&body) else {
        return make_on(&body, kind, particle_count);
    };
    let posed = stance.posed(avatar);
    let mut body = body::Body::new(&posed, humanoid::Humanoid::find(&posed)?);
    body.poses = moved::poses(&posed, clips);
    let mut garments = make_on(&body, kind, particle_count)?;
    (garments.iter_mut()).for_each(|garment| stance.bring_back(garment));
    Ok(garments)
}

/// Makes a garment in the pose that the body's avatar is bound in.
#[cfg(feature = "authoring")]
fn make_on(
    body: &body::Body,
    kind: GarmentKind,
    particle_count: usize,
) -> Result<Vec<Garment>, GarmentError> {
    let avatar = body.avatar;
    let mut garments = patterns::make(kind, body, particle_count)?;
    layer(&mut garments, &avatar.skin);
    if let (GarmentKind::OvercoatOverAll, [inner @ .., coat]) = (kind, &mut garments[..]) {
        hang_over(inner, coat, &avatar.skin);
    }
    if kind == GarmentKind::LooseTrousers {
        return Ok(garments);
    }
    if body.is_of_pieces {
        moved::keep_off_edges(&mut garments, body.humanoid.scale);
        (garments.iter_mut()).for_each(|garment| fit::keep_off(garment, body));
    }
    for garment in &mut garments {
        MotionConstraint::fit(garment, &avatar.skin);
        shorten_slides(garment, body);
    }
    if let (GarmentKind::OvercoatOverAll, [inner @ .., coat]) = (kind, &mut garments[..]) {
        hold_beneath(inner, coat, avatar.skin.size());
    }
    if body.is_of_pieces {
        // Once more where a backstop has taken its place: limbs with other weights have edges too.
        moved::keep_off_edges(&mut garments, body.humanoid.scale);
    }
    Ok(garments)
}

/// Lower legs and upper arms of a person 1.75 m tall, metres, at the least: on shorter ones cloth slides less far.
#[cfg(feature = "authoring")]
const SHIN: f32 = 0.36;
#[cfg(feature = "authoring")]
const UPPER_ARM: f32 = 0.22;

/// A sleeve slides no further than this part of the length of arm that it covers. Usually 0.6: a person's may slide as far as all cloth;
/// with 1 a toy's slips off into the armhole.
#[cfg(feature = "authoring")]
const SLIDE_OF_SLEEVE: f32 = 0.6;

/// On a body of several pieces cloth slides no further than this part of how far it may on skin. Usually 0.1: edges of pieces that
/// move against each other catch cloth that is free to slide, and it bunches up there; with 0.5 a knight's collar goes through his top.
#[cfg(feature = "authoring")]
const SLIDE_ON_PIECES: f32 = 0.1;
/// The same for garments that go over the legs. Usually 0.25: with 0.1 and with 0.5 folds of a robot's trousers are caught at its hips.
#[cfg(feature = "authoring")]
const SLIDE_ON_LEGS: f32 = 0.25;

/// Cloth may slide along the skin in proportion to the character, which lets it ride up all of a toy's short limbs. Here it is held to
/// the proportion of the limb, and a sleeve to what it covers of the arm.
#[cfg(feature = "authoring")]
fn shorten_slides(garment: &mut Garment, body: &body::Body) {
    let humanoid = &body.humanoid;
    let scale = body.avatar.bind_height() / PERSON_HEIGHT;
    let slide = super::motion::SLIDE * scale;
    let shins = humanoid
        .legs
        .each_ref()
        .map(|leg| leg.mid.distance(leg.end) / (SHIN * scale));
    let arms = humanoid
        .arms
        .each_ref()
        .map(|arm| arm.root.distance(arm.mid) / (UPPER_ARM * scale));
    let sleeves = sleeve_lengths(garment, humanoid).map(|length| SLIDE_OF_SLEEVE * length / slide);
    let trunk = shins.into_iter().chain(arms).fold(0.0, f32::max);
    let part_of = |joints: &[u16; MAX_INFLUENCES]| humanoid.part_of_joint[usize::from(joints[0])];
    let mut joints = garment.mesh.joints.iter();
    let is_on_legs = joints.any(|joints| part_of(joints).0.is_leg());
    let most = match (body.is_of_pieces, is_on_legs) {
        (false, _) => 1.0,
        (true, true) => SLIDE_ON_LEGS,
        (true, false) => SLIDE_ON_PIECES,
    };
    for (motion, joints) in garment.motion.iter_mut().zip(&garment.mesh.joints) {
        let (part, side) = part_of(joints);
        let side = side as usize;
        let share = match part {
            part if part.is_leg() => shins[side],
            part if part.is_arm() => arms[side].min(sleeves[side]),
            _ => trunk,
        };
        motion.max_distance -= slide * (1.0 - share.clamp(0.1, 1.0).min(most));
    }
}

/// Metres along the arms, left and right, that a garment covers by particles that follow them.
#[cfg(feature = "authoring")]
fn sleeve_lengths(garment: &Garment, humanoid: &humanoid::Humanoid) -> [f32; 2] {
    let mut reaches = [(f32::INFINITY, f32::NEG_INFINITY); 2];
    for (&position, joints) in garment.mesh.positions.iter().zip(&garment.mesh.joints) {
        let (part, side) = humanoid.part_of_joint[usize::from(joints[0])];
        if !part.is_arm() {
            continue;
        }
        let arm = &humanoid.arms[side as usize];
        let along = (arm.end - arm.root).normalize_or_zero();
        let at = (humanoid.tailor_from_bind * position).dot(along);
        let (low, high) = &mut reaches[side as usize];
        (*low, *high) = (low.min(at), high.max(at));
    }
    reaches.map(|(low, high)| (high - low).max(0.0))
}
