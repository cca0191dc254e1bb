//! What is shown, by name.

use radial_fields::scenes::{Outfit, SCENES};

use crate::preload::Preloaded;

/// Where the names of what is shown stand in their lists.
#[derive(Default)]
pub struct Names {
    /// The character's, or its file's.
    pub character: String,
    pub scene_ix: usize,
    /// What the character can wear.
    pub outfits: Vec<Outfit>,
    pub outfit_ix: usize,
    pub clip_ix: Option<usize>,
    /// Whether cloth meets cloth where nobody says.
    pub usually_meets_cloth: bool,
    pub clips: Vec<String>,
    pub garments: Vec<String>,
}

impl Names {
    pub fn of(preloaded: &Preloaded) -> Self {
        let avatar = &preloaded.desc.avatar;
        let position = |found: Option<usize>| found.unwrap_or_default();
        let outfits = Outfit::possible_for(avatar);
        Self {
            character: preloaded.source.clone(),
            scene_ix: position(
                SCENES
                    .iter()
                    .position(|scene| scene.name == preloaded.scene.name),
            ),
            outfit_ix: position(
                outfits
                    .iter()
                    .position(|&outfit| outfit == preloaded.outfit),
            ),
            outfits,
            clip_ix: preloaded.desc.clip_ix,
            usually_meets_cloth: preloaded.usually_meets_cloth,
            clips: avatar.clips.iter().map(|clip| clip.name.clone()).collect(),
            garments: preloaded
                .desc
                .garments
                .iter()
                .map(|garment| garment.name.clone())
                .collect(),
        }
    }
}
