//! Named scenes, characters, clothes and motion: what the viewer, the bench and the tests show, written once.

mod calibration;
mod character;
pub mod conditions;
mod crowd;
mod fabrics;
mod furniture;
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
mod wringer;

pub use calibration::{Calibrated, Calibration};
pub use character::{Character, CharacterError, NAMES as CHARACTERS};
pub use crowd::Formation;
pub use garment_file::{GarmentFileError, load_garments};
pub use ground::ground_under;
pub use measured::{
    FrameReport, FrameSample, PassReport, PassSamples, Spread, StageReport, StageSamples, hash,
};
pub use performance::{ClipPart, PREROLL_SECONDS, Performance, parse_preroll};
pub use prop::{Prop, PropError, PropMotion};
pub use quality_meter::{FrameSnapshot, MeterError, QualityMeter};
pub use quickest::quickest;
pub use show::{STEP_SECONDS, Show, ShowDesc, ShowError};
pub use touch::{Worn, untouched};
pub use variant::{Change, UnknownFields, Variant};
pub use wardrobe::{Outfit, WardrobeError};

use glam::Vec3;

use crate::avatar::Avatar;
use crate::pose::motion::{Routine, author_named};

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
    /// Copies of the character, and how they stand.
    pub character_count: u32,
    pub formation: Formation,
    /// What the character does unless a clip is asked for.
    pub motion: Motion,
    /// Its cloth falls from the first frame on; otherwise it hangs by then.
    pub begins_at_once: bool,
    /// Coefficient of the clothes' friction, if not the usual.
    pub friction: Option<f32>,
    /// Whether cloth meets cloth unless flags say otherwise.
    pub cloth_contacts: bool,
    /// Where the camera stands and what it looks at, metres, unless it goes along with the character.
    pub camera: Option<[Vec3; 2]>,
    /// Rigid things about it.
    pub props: fn(&Avatar) -> Vec<Prop>,
}

/// What a character does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Stands in its bind pose.
    Stands,
    /// Plays the first clip that it has.
    FirstClip,
    /// Plays a routine of our own, if it has the game rig; its first clip otherwise.
    Authored(Routine),
}

/// What most scenes have in common.
const USUAL: Scene = Scene {
    name: "",
    about: "",
    character: "human",
    outfit: Outfit::TrousersAndTop,
    particle_count: 4825,
    character_count: 1,
    formation: Formation::Square,
    motion: Motion::FirstClip,
    begins_at_once: false,
    friction: None,
    cloth_contacts: false,
    camera: None,
    props: furniture::none,
};

/// What scenes of cloth that falls beside a character have in common.
const CLOTH_ALONE: Scene = Scene {
    character: "mannequin",
    motion: Motion::Stands,
    begins_at_once: true,
    cloth_contacts: true,
    camera: Some([Vec3::new(2.3, 1.0, 1.4), Vec3::new(1.6, 0.2, 0.0)]),
    ..USUAL
};

impl Scene {
    /// The clip that the character plays unless another is asked for: one of its own, or one that it gets.
    pub fn clip_of(&self, avatar: &mut Avatar) -> Option<usize> {
        let first = (!avatar.clips.is_empty()).then_some(0);
        match self.motion {
            Motion::Stands => None,
            Motion::FirstClip => first,
            Motion::Authored(routine) => match author_named(&avatar.skeleton, routine) {
                Ok(clip) => {
                    avatar.clips.push(clip);
                    Some(avatar.clips.len() - 1)
                }
                Err(_) => first,
            },
        }
    }
}

/// All scenes; the first is the default.
pub const SCENES: &[Scene] = &[
    Scene {
        name: "demo",
        about: "the human in trousers and a top, moving",
        character: "human",
        outfit: Outfit::TrousersAndTop,
        particle_count: 4825,
        ..USUAL
    },
    Scene {
        name: "mannequin",
        about: "the built-in mannequin in trousers and a top",
        character: "mannequin",
        outfit: Outfit::TrousersAndTop,
        particle_count: 4825,
        ..USUAL
    },
    Scene {
        name: "overcoat",
        about: "the human woman in an open overcoat over trousers and a top",
        character: "female_med",
        outfit: Outfit::Overcoat,
        particle_count: 9000,
        ..USUAL
    },
    Scene {
        name: "skirt",
        about: "the mannequin in a skirt",
        character: "mannequin",
        outfit: Outfit::Skirt,
        particle_count: 3000,
        ..USUAL
    },
    Scene {
        name: "ogre",
        about: "the four-metre ogre in a cape",
        character: "ogre",
        outfit: Outfit::Cape,
        particle_count: 8562,
        ..USUAL
    },
    Scene {
        name: "crowd",
        about: "sixteen of the human, each somewhere else in the clip",
        character: "human",
        outfit: Outfit::TrousersAndTop,
        particle_count: 2000,
        character_count: 16,
        ..USUAL
    },
    Scene {
        name: "props",
        about: "the mannequin in a skirt, a ball that goes round it, and a table",
        character: "mannequin",
        outfit: Outfit::Skirt,
        particle_count: 3000,
        props: furniture::ball_and_table,
        ..USUAL
    },
    Scene {
        name: "bust",
        about: "a tablecloth that comes down over a bust, and the mannequin beside",
        character: "mannequin",
        outfit: Outfit::Tablecloth,
        particle_count: 3000,
        motion: Motion::Stands,
        begins_at_once: true,
        props: furniture::bust_on_a_stand,
        ..USUAL
    },
    Scene {
        name: "rod",
        about: "a tablecloth over a rod that bends in its middle",
        character: "mannequin",
        outfit: Outfit::Tablecloth,
        particle_count: 2000,
        motion: Motion::Stands,
        begins_at_once: true,
        props: furniture::bending_rod,
        ..USUAL
    },
    Scene {
        name: "bag",
        about: "the mannequin in an overcoat, with a bag behind its hips",
        character: "mannequin",
        outfit: Outfit::OvercoatAlone,
        particle_count: 3500,
        props: furniture::shoulder_bag,
        ..USUAL
    },
    Scene {
        name: "table",
        about: "the mannequin in a skirt, and a table that is pushed against it",
        character: "mannequin",
        outfit: Outfit::Skirt,
        particle_count: 3000,
        motion: Motion::Stands,
        props: furniture::table_that_comes,
        ..USUAL
    },
    Scene {
        name: "brush",
        about: "the mannequin in a skirt, which brushes against a table on its way",
        character: "mannequin",
        outfit: Outfit::Skirt,
        particle_count: 3000,
        motion: Motion::Authored(Routine::Walk),
        props: furniture::table_beside_the_way,
        ..USUAL
    },
    Scene {
        name: "chair",
        about: "the mannequin in trousers and a top, which sits down on a chair and stands up",
        character: "mannequin",
        outfit: Outfit::TrousersAndTop,
        motion: Motion::Authored(Routine::Sit),
        props: furniture::chair,
        ..USUAL
    },
    Scene {
        name: "slide",
        about: "trousers without friction that slide down the mannequin, held by nothing",
        character: "mannequin",
        outfit: Outfit::LooseTrousers,
        particle_count: 3000,
        motion: Motion::Stands,
        begins_at_once: true,
        friction: Some(0.0),
        ..USUAL
    },
    Scene {
        name: "pile",
        about: "ten sheets that fall on each other, and the mannequin beside",
        outfit: Outfit::Pile,
        particle_count: 5000,
        ..CLOTH_ALONE
    },
    Scene {
        name: "stool",
        about: "ten sheets that fall on each other over a stool, and the mannequin beside",
        outfit: Outfit::PileOnStool,
        particle_count: 5000,
        props: furniture::stool,
        ..CLOTH_ALONE
    },
    Scene {
        name: "high_pile",
        about: "fifty sheets that fall on each other, and the mannequin beside",
        outfit: Outfit::HighPile,
        particle_count: 20_000,
        ..CLOTH_ALONE
    },
    Scene {
        name: "ribbon",
        about: "a ribbon that comes down end first and folds on itself, and the mannequin beside",
        outfit: Outfit::Ribbon,
        particle_count: 1200,
        ..CLOTH_ALONE
    },
    Scene {
        name: "twist",
        about: "a sheet that two bars twist and let go again",
        character: "wringer",
        outfit: Outfit::Own,
        cloth_contacts: true,
        ..USUAL
    },
    Scene {
        name: "scarf",
        about: "the human in a scarf over trousers and a top, walking",
        outfit: Outfit::Scarf,
        particle_count: 6000,
        motion: Motion::Authored(Routine::Walk),
        cloth_contacts: true,
        ..USUAL
    },
    Scene {
        name: "skirt_and_top",
        about: "the human woman in a top over a skirt",
        character: "female_med",
        outfit: Outfit::SkirtAndTop,
        particle_count: 6000,
        cloth_contacts: true,
        ..USUAL
    },
    Scene {
        name: "cape_over_coat",
        about: "the ogre in a cape over an overcoat",
        character: "ogre",
        outfit: Outfit::CapeOverCoat,
        particle_count: 9000,
        cloth_contacts: true,
        ..USUAL
    },
    Scene {
        name: "passing",
        about: "two of the human woman in skirts and tops who walk past each other so near that they brush",
        character: "female_med",
        outfit: Outfit::SkirtAndTop,
        particle_count: 5000,
        character_count: 2,
        formation: Formation::Passing,
        motion: Motion::Authored(Routine::Walk),
        cloth_contacts: true,
        ..USUAL
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
