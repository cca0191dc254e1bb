//! Named scenes, characters, clothes and motion: what the viewer, the bench and the tests show, written once.

mod character;
pub mod conditions;
mod crowd;
mod garment_file;
mod ground;
mod measured;
mod performance;
mod prop;
mod quality_meter;
mod quickest;
mod show;
mod touch;
mod variant;
mod wardrobe;

pub use character::{Character, CharacterError, NAMES as CHARACTERS};
pub use garment_file::{GarmentFileError, load_garments};
pub use ground::ground_under;
pub use measured::{
    FrameReport, FrameSample, PassReport, PassSamples, Spread, StageReport, StageSamples, hash,
};
pub use performance::{ClipPart, Performance};
pub use prop::{Prop, PropError, PropMotion};
pub use quality_meter::{FrameSnapshot, MeterError, QualityMeter};
pub use quickest::quickest;
pub use show::{STEP_SECONDS, Show, ShowDesc, ShowError};
pub use touch::{Worn, untouched};
pub use variant::{Change, UnknownFields, Variant};
pub use wardrobe::{Outfit, WardrobeError};

use crate::avatar::Avatar;

/// A scene that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    pub name: &'static str,
    /// What it is there to show.
    pub about: &'static str,
    /// A character's name, as [`Character::load`] takes it.
    pub character: &'static str,
    pub outfit: Outfit,
    /// Particles of all the outfit's garments together.
    pub particle_count: usize,
    /// Copies of the character.
    pub character_count: u32,
    /// The character stands in its bind pose unless a clip is asked for; otherwise its first clip is played.
    pub stands: bool,
    /// Rigid things about it.
    pub props: fn(&Avatar) -> Vec<Prop>,
}

/// All scenes; the first is the default.
pub const SCENES: &[Scene] = &[
    Scene {
        name: "demo",
        about: "the human in trousers and a top, moving",
        character: "human",
        outfit: Outfit::TrousersAndTop,
        particle_count: 4825,
        character_count: 1,
        stands: false,
        props: prop::none,
    },
    Scene {
        name: "mannequin",
        about: "the built-in mannequin in trousers and a top",
        character: "mannequin",
        outfit: Outfit::TrousersAndTop,
        particle_count: 4825,
        character_count: 1,
        stands: false,
        props: prop::none,
    },
    Scene {
        name: "overcoat",
        about: "the human woman in an overcoat",
        character: "female_med",
        outfit: Outfit::Overcoat,
        particle_count: 5118,
        character_count: 1,
        stands: false,
        props: prop::none,
    },
    Scene {
        name: "skirt",
        about: "the mannequin in a skirt",
        character: "mannequin",
        outfit: Outfit::Skirt,
        particle_count: 3000,
        character_count: 1,
        stands: false,
        props: prop::none,
    },
    Scene {
        name: "ogre",
        about: "the four-metre ogre in a cape",
        character: "ogre",
        outfit: Outfit::Cape,
        particle_count: 8562,
        character_count: 1,
        stands: false,
        props: prop::none,
    },
    Scene {
        name: "crowd",
        about: "sixteen of the human, each somewhere else in the clip",
        character: "human",
        outfit: Outfit::TrousersAndTop,
        particle_count: 2000,
        character_count: 16,
        stands: false,
        props: prop::none,
    },
    Scene {
        name: "props",
        about: "the mannequin in a skirt, a ball that goes round it, and a table",
        character: "mannequin",
        outfit: Outfit::Skirt,
        particle_count: 3000,
        character_count: 1,
        stands: false,
        props: prop::ball_and_table,
    },
    Scene {
        name: "bust",
        about: "a tablecloth that comes down over a bust, and the mannequin beside",
        character: "mannequin",
        outfit: Outfit::Tablecloth,
        particle_count: 3000,
        character_count: 1,
        stands: true,
        props: prop::bust_on_a_stand,
    },
    Scene {
        name: "rod",
        about: "a tablecloth over a rod that bends in its middle",
        character: "mannequin",
        outfit: Outfit::Tablecloth,
        particle_count: 2000,
        character_count: 1,
        stands: true,
        props: prop::bending_rod,
    },
    Scene {
        name: "bag",
        about: "the mannequin in an overcoat, with a bag on its hip",
        character: "mannequin",
        outfit: Outfit::Overcoat,
        particle_count: 3500,
        character_count: 1,
        stands: false,
        props: prop::shoulder_bag,
    },
    Scene {
        name: "table",
        about: "the mannequin in a skirt, and a table that is pushed against it",
        character: "mannequin",
        outfit: Outfit::Skirt,
        particle_count: 3000,
        character_count: 1,
        stands: true,
        props: prop::table_that_comes,
    },
];

/// Finds a scene.
pub fn find(name: &str) -> Option<&'static Scene> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// The names of all scenes, for messages.
pub fn names() -> String {
    SCENES
        .iter()
        .map(|scene| scene.name)
        .collect::<Vec<_>>()
        .join(", ")
}
