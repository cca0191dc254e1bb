//! What garments that hang from the shoulders do about arms: they have sleeves, or none where arms lie in the trunk.

use super::super::GarmentError;
use super::super::body::{Body, Role};
use super::super::humanoid::{Part, Side};
use super::super::moved;
use super::armhole::sunk_part;
use super::{Cloth, Pattern, coat_role};
use crate::math::triangle_tree::TriangleTree;

/// Where more than this part of an arm goes into the trunk when it hangs, a garment has armholes instead of sleeves: most of a sleeve
/// would be in the trunk then. Usually under 0.05 for people, 0.3 for toys with thick arms.
const SUNK_ARM: f32 = 0.2;
/// Where clips bury more than this part of a garment with sleeves half of the time, it is cut for them, without sleeves. Usually under
/// 0.006; 0.05 where arms hang in the flanks.
const BURIED: f32 = 0.02;

/// What a garment does about arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arms {
    Sleeves,
    /// Wide holes, through which they are lowered.
    Holes,
    /// Nothing yet: the garment is cut where clips bury it.
    Bare,
}

impl Arms {
    /// What parts of the body are to a garment: arms mean nothing to one without sleeves, until armholes are cut.
    pub fn role(self) -> fn(Part, Side) -> Role {
        match self {
            Self::Sleeves => coat_role,
            Self::Holes | Self::Bare => |part, side| match part {
                part if part.is_arm() => Role::Ignored,
                part => coat_role(part, side),
            },
        }
    }

    /// Whether a garment that covers a part takes weights from it.
    pub fn follows(self, part: Part) -> bool {
        self == Self::Sleeves || !part.is_arm()
    }
}

/// A pattern with what is cut by it.
pub(super) struct Worn<'a> {
    pub arms: Arms,
    pub pattern: Pattern<'a>,
    pub cloth: Cloth,
}

/// Draws a garment's pattern, with what it does about arms; given the trunk as a closed surface.
pub(super) trait Draw<'a>: Fn(&TriangleTree, Arms) -> Pattern<'a> {}
impl<'a, F: Fn(&TriangleTree, Arms) -> Pattern<'a>> Draw<'a> for F {}

/// Cuts a garment with sleeves, or without where clips bury those, or where hanging arms would.
pub(super) fn cut<'a>(body: &Body, draw: impl Draw<'a>) -> Result<Worn<'a>, GarmentError> {
    let torso = torso(body);
    let is_known = !body.is_of_pieces && !body.poses.is_empty();
    let known = is_known.then(|| sleeved(body, &torso, &draw)).transpose()?;
    let is_buried =
        |worn: &Worn| moved::buried_part(&worn.pattern.weave(body), &worn.cloth.surface) > BURIED;
    if known.as_ref().is_none_or(is_buried)
        && let Some(vest) = bare(body, &torso, &draw)?
    {
        return Ok(vest);
    }
    let found = with_holes(body, &torso, &draw).or(known);
    found.map_or_else(|| sleeved(body, &torso, &draw), Ok)
}

/// As [`cut`], as what is worn beneath has been: nothing has sleeves over what has none.
pub(super) fn cut_over<'a>(
    beneath: Arms,
    body: &Body,
    draw: impl Draw<'a>,
) -> Result<Worn<'a>, GarmentError> {
    let torso = torso(body);
    if beneath != Arms::Sleeves {
        let found = bare(body, &torso, &draw)?.or_else(|| with_holes(body, &torso, &draw));
        if let Some(vest) = found {
            return Ok(vest);
        }
    }
    sleeved(body, &torso, &draw)
}

fn torso(body: &Body) -> TriangleTree {
    body.closed_tree_of(|(part, _)| part == Part::Torso)
}

fn sleeved<'a>(
    body: &Body,
    torso: &TriangleTree,
    draw: &impl Draw<'a>,
) -> Result<Worn<'a>, GarmentError> {
    let (arms, pattern) = (Arms::Sleeves, draw(torso, Arms::Sleeves));
    let cloth = pattern.cut(body)?;
    Ok(Worn {
        arms,
        pattern,
        cloth,
    })
}

/// Cut for clips, where they are known and leave enough.
fn bare<'a>(
    body: &Body,
    torso: &TriangleTree,
    draw: &impl Draw<'a>,
) -> Result<Option<Worn<'a>>, GarmentError> {
    if body.poses.is_empty() {
        return Ok(None);
    }
    let (arms, pattern) = (Arms::Bare, draw(torso, Arms::Bare));
    let whole = pattern.whole(body)?;
    let trimmed = pattern.trimmed(body, &whole);
    Ok(trimmed.map(|surface| Worn {
        arms,
        pattern,
        cloth: Cloth {
            surface,
            is_held: true,
        },
    }))
}

/// With armholes, where arms hang in the trunk.
fn with_holes<'a>(body: &Body, torso: &TriangleTree, draw: &impl Draw<'a>) -> Option<Worn<'a>> {
    let mut sides = [Side::Left, Side::Right].into_iter();
    if !sides.any(|side| sunk_part(body, torso, side) > SUNK_ARM) {
        return None;
    }
    let (arms, pattern) = (Arms::Holes, draw(torso, Arms::Holes));
    let cloth = pattern.cut(body).ok()?;
    Some(Worn {
        arms,
        pattern,
        cloth,
    })
}
