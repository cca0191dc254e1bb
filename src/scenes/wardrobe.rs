//! What a character wears.

use serde::Serialize;

use super::fabrics::{self, Pile};
use super::furniture::STOOL_HEIGHT;
use super::performance::skin_at;
use crate::avatar::{Avatar, NamedSkin};
use crate::cloth::garment::{
    Garment, GarmentError, GarmentKind, from_named_skin, make_for_clips, sheet_covering, sheet_over,
};
use crate::cloth::{MotionConstraint, layer};

/// An outfit by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outfit {
    TrousersAndTop,
    /// Over trousers and a top.
    Overcoat,
    /// Over nothing, as the paper's.
    OvercoatAlone,
    Cape,
    CapeOverCoat,
    Skirt,
    SkirtAndTop,
    /// Over trousers and a top.
    Scarf,
    /// The garments that came with the character's file.
    Own,
    /// A sheet laid over it.
    Sheet,
    /// Trousers from the hips down that nothing holds.
    LooseTrousers,
    /// A square cloth beside the character, over what stands there in some scenes.
    Tablecloth,
    /// Ten sheets that fall on each other beside the character.
    Pile,
    /// As high as a stool.
    PileOnStool,
    /// Fifty.
    HighPile,
    /// A long one that comes down end first beside the character.
    Ribbon,
    None,
}

/// Ten sheets near the ground.
const PILE: Pile = Pile {
    height: 0.01,
    gap: 0.01,
    sheet_count: 10,
};
/// Fifty. Nearer to each other than 2 cm, all are within what a vertex may meet in a step, and lists have no room for them.
const HIGH_PILE: Pile = Pile {
    gap: 0.02,
    sheet_count: 50,
    ..PILE
};

/// Why there is nothing to wear.
#[derive(Debug, thiserror::Error)]
pub enum WardrobeError {
    #[error(transparent)]
    Garment(#[from] GarmentError),
    #[error(
        "{avatar} brings no garments of its own: mark a mesh node with extras {{\"cloth\": true}}, or choose another garment"
    )]
    NoneOfItsOwn { avatar: String },
}

impl Outfit {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::TrousersAndTop,
        Self::Overcoat,
        Self::OvercoatAlone,
        Self::Cape,
        Self::CapeOverCoat,
        Self::Skirt,
        Self::SkirtAndTop,
        Self::Scarf,
        Self::Own,
        Self::Sheet,
        Self::LooseTrousers,
        Self::Tablecloth,
        Self::Pile,
        Self::PileOnStool,
        Self::HighPile,
        Self::Ribbon,
        Self::None,
    ];

    /// The name in flags and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TrousersAndTop => "trousers_and_top",
            Self::Overcoat => "overcoat",
            Self::OvercoatAlone => "overcoat_alone",
            Self::Cape => "cape",
            Self::CapeOverCoat => "cape_over_coat",
            Self::Skirt => "skirt",
            Self::SkirtAndTop => "skirt_and_top",
            Self::Scarf => "scarf",
            Self::Own => "own",
            Self::Sheet => "sheet",
            Self::LooseTrousers => "loose_trousers",
            Self::Tablecloth => "tablecloth",
            Self::Pile => "pile",
            Self::PileOnStool => "pile_on_stool",
            Self::HighPile => "high_pile",
            Self::Ribbon => "ribbon",
            Self::None => "none",
        }
    }

    /// Whether its garments cover each other, beyond a hem over a waist.
    pub const fn is_layered(self) -> bool {
        matches!(
            self,
            Self::Overcoat | Self::CapeOverCoat | Self::SkirtAndTop | Self::Scarf
        )
    }

    /// Whether one of its garments reaches over another, if only by a hem over a waist.
    pub const fn overlaps(self) -> bool {
        self.is_layered() || matches!(self, Self::TrousersAndTop)
    }

    /// The outfit of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outfit| outfit.name() == name)
    }

    /// Those that a character can be asked to wear: its own only where it brings some.
    pub fn possible_for(avatar: &Avatar) -> Vec<Self> {
        let brings_some = !avatar.garments.is_empty();
        let is_possible = |outfit: &Self| *outfit != Self::Own || brings_some;
        Self::ALL.into_iter().filter(is_possible).collect()
    }

    /// The default outfit of a character: its own, else what was meant for it, else a sheet.
    pub fn for_avatar(avatar: &Avatar, meant: Self) -> Self {
        if avatar.garments.is_empty() {
            meant
        } else {
            Self::Own
        }
    }

    /// As [`Outfit::make`], for a character that goes from its bind pose through a clip: what is made to its shape is cut for the
    /// clip, and a sheet is laid over the bind pose and the clip's first.
    ///
    /// # Errors
    /// As [`Outfit::make`].
    pub fn make_for(
        self,
        avatar: &Avatar,
        clip_ix: Option<usize>,
        particle_count: usize,
    ) -> Result<Vec<Garment>, WardrobeError> {
        let kind = match self {
            Self::Own => return own(avatar),
            Self::Sheet => {
                return Ok(vec![match clip_ix {
                    Some(clip_ix) => sheet_for(avatar, clip_ix, particle_count),
                    None => sheet_over(avatar, particle_count),
                }]);
            }
            Self::Tablecloth => return Ok(vec![fabrics::tablecloth(particle_count)]),
            Self::Pile => return Ok(fabrics::pile(PILE, particle_count)),
            Self::PileOnStool => {
                let raised = Pile {
                    height: STOOL_HEIGHT + PILE.height,
                    ..PILE
                };
                return Ok(fabrics::pile(raised, particle_count));
            }
            Self::HighPile => return Ok(fabrics::pile(HIGH_PILE, particle_count)),
            Self::Ribbon => return Ok(vec![fabrics::ribbon(particle_count)]),
            Self::None => return Ok(Vec::new()),
            Self::TrousersAndTop => GarmentKind::TrousersAndTop,
            Self::Overcoat => GarmentKind::OvercoatOverAll,
            Self::OvercoatAlone => GarmentKind::Overcoat,
            Self::Cape => GarmentKind::Cape,
            Self::CapeOverCoat => GarmentKind::CapeOverCoat,
            Self::Skirt => GarmentKind::Skirt,
            Self::SkirtAndTop => GarmentKind::SkirtAndTop,
            Self::Scarf => GarmentKind::ScarfOverTop,
            Self::LooseTrousers => GarmentKind::LooseTrousers,
        };
        Ok(make_for_clips(
            kind,
            avatar,
            clip_ix.as_slice(),
            particle_count,
        )?)
    }

    /// Makes the garments to the avatar's shape.
    ///
    /// # Errors
    /// When the character is no humanoid, or has none of its own.
    pub fn make(
        self,
        avatar: &Avatar,
        particle_count: usize,
    ) -> Result<Vec<Garment>, WardrobeError> {
        self.make_for(avatar, None, particle_count)
    }
}

/// A sheet over the bind pose and a clip's first.
fn sheet_for(avatar: &Avatar, clip_ix: usize, particle_count: usize) -> Garment {
    let places = skin_at(avatar, &avatar.clips[clip_ix], 0.0);
    sheet_covering(avatar, &places, particle_count)
}

fn own(avatar: &Avatar) -> Result<Vec<Garment>, WardrobeError> {
    if avatar.garments.is_empty() {
        return Err(WardrobeError::NoneOfItsOwn {
            avatar: avatar.name.clone(),
        });
    }
    Ok(worn(&avatar.garments, avatar))
}

/// Skinned meshes as the garments that they are, one over the other.
pub(super) fn worn(skins: &[NamedSkin], avatar: &Avatar) -> Vec<Garment> {
    let mut garments: Vec<_> = skins
        .iter()
        .map(|named| from_named_skin(named, avatar))
        .collect();
    layer(&mut garments, &avatar.skin);
    for garment in garments
        .iter_mut()
        .filter(|garment| garment.motion.is_empty())
    {
        MotionConstraint::fit(garment, &avatar.skin);
    }
    garments
}
