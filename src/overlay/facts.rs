//! What the panels show: plain values, taken anew every frame.

use super::history::Times;
use crate::gpu::{Launches, PipelineExecutable};
use crate::render::{Follow, ViewOptions};
use crate::solid::PlacedProp;
use crate::{Settings, WorldMemory};

/// Everything the panels know.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    pub scene: SceneFacts<'a>,
    pub playback: Playback,
    pub settings: &'a Settings,
    /// Whether cloth meets cloth.
    pub meets_cloth: bool,
    /// How finely cloth can be simulated, by name, and how it is.
    pub details: &'a [&'a str],
    pub detail_ix: usize,
    /// Of two worlds the one whose settings these are, and are changed alone; none: of both.
    pub edited_ix: Option<usize>,
    /// Radians from the lower to the upper edge of the picture.
    pub field_of_view: f32,
    /// Rigid things about, those that have a formula.
    pub props: &'a [PlacedProp],
    /// Whether there is a change to take back, and one that was.
    pub can_undo: bool,
    pub can_redo: bool,
    /// Names of the garments, one a [`Settings::garments`].
    pub garments: &'a [&'a str],
    pub view: ViewOptions,
    /// Whether of two worlds it is shown where their pictures differ, and not one beside the other.
    pub shows_difference: bool,
    /// How the camera goes along with the character.
    pub follow: Follow,
    /// Metres round the particle that the hand takes in which cloth goes along.
    pub brush_radius: f32,
    /// One or two that go through the same motion; none before the first is loaded.
    pub contenders: &'a [Contender<'a>],
    /// Whether every dispatch and draw is timed on its own.
    pub times_passes: bool,
    pub trace: TraceState,
    /// Whether quality is being measured.
    pub measures_quality: bool,
    pub machine: Machine<'a>,
    pub validation: Option<Validation<'a>>,
    pub messages: &'a [Message],
}

/// A world shown: what its technique costs, and how well it does.
#[derive(Clone, Copy)]
pub struct Contender<'a> {
    pub technique: &'a str,
    pub times: &'a Times,
    pub cost: Cost,
    /// Dispatches and draws by shader, in the order in which they run; empty unless they are timed.
    pub passes: &'a [PassCost],
    /// What the driver made of its shaders, if it tells.
    pub pipelines: Option<&'a [PipelineExecutable]>,
    pub quality_figures: Option<QualityFigures>,
}

impl Contender<'_> {
    /// What they are called where there are two.
    pub const LETTERS: [&'static str; 2] = ["A", "B"];
}

/// What all dispatches or draws of a frame with one shader cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassCost {
    /// The shader's path in glsl/.
    pub name: &'static str,
    pub per_frame: u32,
    /// Smoothed over some frames.
    pub ms: f32,
    /// Of all buffers that they were given.
    pub bound_bytes: u64,
}

/// Whether a trace is being made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceState {
    #[default]
    None,
    /// For a slow frame.
    Waiting,
    Running,
}

/// How well the cloth stayed outside the exact skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QualityFigures {
    /// How many frames were judged.
    pub frame_count: usize,
    /// Of the particles of those frames.
    pub inside_fraction: f64,
    pub deepest_mm: f64,
    pub false_contact_fraction: f64,
    /// Triangles of cloth that skin stands through in the newest frame judged.
    pub deep_triangles: usize,
    /// Of the skin that a garment covers as made, what is bare in the newest frame judged; the worst garment's.
    pub bare_fraction: f64,
}

/// What can be shown, and what is.
#[derive(Clone, Copy)]
pub struct SceneFacts<'a> {
    pub scenes: &'a [Named<'a>],
    pub scene_ix: usize,
    /// Those that need no file.
    pub characters: &'a [&'a str],
    /// None for one out of a file.
    pub character_ix: Option<usize>,
    /// The character's file, or its name.
    pub character: &'a str,
    /// What the character can wear.
    pub outfits: &'a [&'a str],
    pub outfit_ix: usize,
    pub clips: &'a [&'a str],
    pub clip_ix: Option<usize>,
    pub techniques: &'a [&'a str],
    pub technique_ix: usize,
    /// The technique beside it, if there are two worlds.
    pub beside_ix: Option<usize>,
    /// Copies of the character.
    pub character_count: usize,
    /// Of one character.
    pub triangle_count: usize,
    pub joint_count: usize,
    pub field_count: usize,
    pub particle_count: usize,
    /// Particles that the outfit was asked to have; none of one that has its own.
    pub wanted_particles: Option<u32>,
    /// Metres of a field's or a table's cells.
    pub cell_size: f32,
    /// What is being loaded, if anything is.
    pub loading: Option<&'a str>,
}

/// A choice with a word on what it is.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    pub name: &'a str,
    pub about: &'a str,
}

/// How time goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    pub is_paused: bool,
    /// 1 is real time; down to [`SLOWEST`].
    pub speed: f32,
    /// Seconds since the clip started; negative before.
    pub clip_seconds: f32,
    /// Seconds of the clip; zero without one.
    pub clip_duration: f32,
    pub played: PlayedFrames,
    /// Steps simulated in the last frame.
    pub step_count: usize,
}

/// What is played of a clip, in frames of 1/60 s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayedFrames {
    /// Where it begins.
    pub first: u32,
    /// From where to where it goes round; all of it when none.
    pub round: Option<[u32; 2]>,
}

/// The slowest slow motion.
pub const SLOWEST: f32 = 0.05;

/// What the world asks of the device.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    pub memory: WorldMemory,
    /// What found no room in a list of the technique's since it was chosen, some frames ago; `None` where no list can be full.
    pub overflow_count: Option<u32>,
    /// All that world and pictures hold.
    pub total_bytes: u64,
    pub simulation: Launches,
    pub picture: Launches,
}

/// What it runs on.
#[derive(Clone, Copy)]
pub struct Machine<'a> {
    pub device: &'a str,
    pub driver: &'a str,
    pub is_gpu: bool,
    /// Pixels of the picture.
    pub size: (u32, u32),
}

/// What validation said.
#[derive(Clone, Copy)]
pub struct Validation<'a> {
    pub errors: u32,
    pub warnings: u32,
    pub texts: &'a [String],
}

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Note,
    /// Something asked for did not happen.
    Fault,
}

/// Something to tell the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub severity: Severity,
    /// What it is about: a message replaces an earlier one on the same topic.
    pub topic: &'static str,
    pub text: String,
}
