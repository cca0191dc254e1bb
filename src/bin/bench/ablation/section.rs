//! The figures of the paper's section 10.1 besides its table: what clearing takes, what drawing into fields takes beside drawing on
//! screen, and what the ogre's structures take at 1 cm.

use radial_fields::avatar::Avatar;
use radial_fields::cloth::garment::Garment;
use radial_fields::scenes::conditions::Figure;
use radial_fields::scenes::{ShowDesc, Spread, Variant};
use radial_fields::stage::Stage;
use radial_fields::{Technique, WorldMemory, remark};

use super::drawn::Studio;
use super::table::stage_ms;
use crate::cli::AblationFlags;
use crate::results::Trial;
use crate::runs;
use crate::trial::TrialDesc;

/// Metres: the paper's cells, for every technique.
const CELL_SIZE: f32 = 0.01;

const FRAMES_IN_FLIGHT: usize = 2;

/// The most pictures that are drawn of each kind.
const DRAWN_FRAMES: u32 = 100;

/// All of them.
pub struct Section {
    pub clears: Vec<Clear>,
    pub drawing: Drawing,
    /// The ogre's, technique by technique; why not, where there is no room.
    pub ogre: Vec<(Technique, Result<WorldMemory, String>)>,
}

/// Clearing a technique's structure, medians of a frame.
pub struct Clear {
    pub technique: Technique,
    pub clear_ms: f32,
    /// Clearing, filling and all collisions.
    pub collision_ms: f32,
    pub step_ms: f32,
}

/// Drawing the model's triangles into fields and on screen. Times are medians.
pub struct Drawing {
    /// The drawn update of the paper's fields, and of ours, bounds included.
    pub update_ms: [f32; 2],
    /// A picture of 1920 x 1080 pixels at 4 samples with nothing but the model.
    pub with_model: Spread,
    /// The same without it.
    pub without: Spread,
}

impl Drawing {
    /// What the model adds to the picture.
    pub fn model_ms(&self) -> f32 {
        self.with_model.median - self.without.median
    }
}

/// What is tried, in this order, before the rivals: the paper's drawn fields, and then ours.
const TRIED: [(Technique, Variant); 3] = [
    (Technique::Radial, Variant::PAPER),
    (Technique::Radial, Variant::SHIPPED),
    (Technique::RadialCompute, Variant::SHIPPED),
];

impl Section {
    /// `rivals`: techniques whose clearing stands beside that of ours.
    pub fn measure(
        flags: &AblationFlags,
        rivals: &[Technique],
        desc: &TrialDesc,
    ) -> anyhow::Result<Self> {
        let rivals = rivals.iter().map(|&rival| (rival, Variant::SHIPPED));
        let tried = TRIED.into_iter().chain(rivals);
        let descs: Vec<_> = tried
            .map(|(technique, fields)| TrialDesc {
                technique,
                fields,
                oracle_every: None,
                ..*desc
            })
            .collect();
        let played = runs::play(&descs, flags.runs, None);
        let trials: Vec<_> = played.into_iter().collect::<anyhow::Result<_>>()?;
        let update_ms = [0, 1].map(|ix| stage_ms(&trials[ix], Stage::CollideUpdate));
        Ok(Self {
            clears: trials[1..].iter().map(Clear::of).collect(),
            drawing: drawing(flags, desc, update_ms)?,
            ogre: ogre(desc)?,
        })
    }
}

impl Clear {
    fn of(trial: &Trial) -> Self {
        let stages = trial.stages.iter();
        let simulated = stages.filter(|stage| stage.name.is_simulation());
        Self {
            technique: trial.technique,
            clear_ms: stage_ms(trial, Stage::CollideClear),
            collision_ms: trial.frame_ms.median,
            step_ms: simulated.map(|stage| stage.gpu_ms.median).sum(),
        }
    }
}

fn drawing(
    flags: &AblationFlags,
    desc: &TrialDesc,
    update_ms: [f32; 2],
) -> anyhow::Result<Drawing> {
    let show = show(desc, desc.avatar, desc.garments);
    let mut studio = Studio::new(desc.device, show)?;
    let frame_count = flags.frames.min(DRAWN_FRAMES);
    Ok(Drawing {
        update_ms,
        with_model: studio.draw_ms(true, frame_count)?,
        without: studio.draw_ms(false, frame_count)?,
    })
}

/// What the trials play, drawn into its fields.
fn show(desc: &TrialDesc, avatar: &Avatar, garments: &[Garment]) -> ShowDesc {
    let technique = Technique::Radial;
    ShowDesc {
        preroll_seconds: desc.preroll_seconds,
        ..(desc.condition).show(avatar, garments, technique, FRAMES_IN_FLIGHT)
    }
}

/// What worlds of the ogre would take; none is made.
fn ogre(desc: &TrialDesc) -> anyhow::Result<Vec<(Technique, Result<WorldMemory, String>)>> {
    let avatar = Figure::Ogre.load()?.avatar;
    let usual = show(desc, &avatar, &[]);
    let memory = |technique: Technique| {
        remark!("bench:   the ogre's {}", technique.name());
        let mut show = ShowDesc {
            technique,
            ..usual.clone()
        };
        show.fit.cell_size = CELL_SIZE;
        show.spatial_hash.cell_size = CELL_SIZE;
        show.memory(desc.device).map_err(|error| error.to_string())
    };
    Ok(Technique::ALL
        .into_iter()
        .map(|technique| (technique, memory(technique)))
        .collect())
}
