//! The viewer's flags.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::Parser;
use radial_fields::cloth::{Detail, MAX_SUB_STEPS};
use radial_fields::gpu::Timing;
use radial_fields::render::{Follow, ViewOptions};
use radial_fields::scenes::{self, ClipPart, STEP_SECONDS};

use crate::detail::DetailChoice;
use crate::picture::view_of;
use crate::setup::{self, Setup, Tuned};

/// Shows a dressed character whose clothes collide with its skin through radial fields.
#[derive(Parser, Clone, Debug)]
#[command(name = "viewer", version, allow_negative_numbers = true)]
pub struct Cli {
    /// What to dress, as --avatar takes it.
    #[arg(conflicts_with = "avatar")]
    pub character: Option<OsString>,
    /// Render without a window.
    #[arg(long)]
    pub headless: bool,
    /// A JSON file that the window's panel saved, or written by hand: what to show, and how. Other flags change parts of it.
    #[arg(long)]
    pub setup: Option<PathBuf>,
    /// Stop after this many frames; headless, 240 when not given.
    #[arg(long)]
    pub frames: Option<u32>,
    /// Headless, play the whole clip this often, or its --clip-frames, 60 frames per second, instead of --frames.
    #[arg(long, conflicts_with = "frames", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub loops: Option<u32>,
    /// Size of the picture or the window; 1280x720 when not given.
    #[arg(long, value_parser = parse_size)]
    pub size: Option<(u32, u32)>,
    /// Folder for PNG frames.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Headless, draw the window's panels into the pictures.
    #[arg(long)]
    pub panels: bool,
    /// Headless, keep nothing before this frame; 0 when not given.
    #[arg(long)]
    pub from: Option<u32>,
    /// Headless, file for the pictures of every K-th frame as one moving picture, GIF, no wider than 640 pixels.
    #[arg(long)]
    pub gif: Option<PathBuf>,
    /// Write every K-th frame; 10 when not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: Option<u32>,
    /// Where the camera stands, metres, as X,Y,Z; where all of the character and its clothes is seen through the clip when not given.
    #[arg(long, value_parser = parse_vector, allow_hyphen_values = true)]
    pub camera: Option<glam::Vec3>,
    /// What the camera looks at, metres, as X,Y,Z; the character, wherever it goes, when not given.
    #[arg(long, value_parser = parse_vector, allow_hyphen_values = true)]
    pub look_at: Option<glam::Vec3>,
    /// How the camera goes along: whole (all of the character in sight), pelvis (which stays where it is in the picture), turn (with the
    /// character, as well) or stay; whole when not given.
    #[arg(long, value_parser = parse_follow)]
    pub follow: Option<Follow>,
    /// Headless, file for one row per timed frame: GPU milliseconds of every stage, of their sum and of the gaps between them.
    #[arg(long)]
    pub frame_times: Option<PathBuf>,
    /// File for the report, JSON.
    #[arg(long)]
    pub report: Option<PathBuf>,
    /// Folder for OBJ files of the baked body and the garments, every K-th frame.
    #[arg(long)]
    pub export: Option<PathBuf>,
    /// A glTF file, or human, male_low, male_med, female_med, female_high, mannequin, ogre or wringer.
    #[arg(long)]
    pub avatar: Option<OsString>,
    /// Name of the clip to play, or none: the character stays in its bind pose; the first one when not given.
    #[arg(long)]
    pub clip: Option<String>,
    /// Begin at this frame of the clip, which has 60 per second.
    #[arg(long)]
    pub start_frame: Option<u32>,
    /// Seconds in which the character goes from the bind pose, which its clothes are made in, to the clip's first pose and the cloth comes to hang;
    /// 1.5 when not given.
    #[arg(long, value_parser = scenes::parse_preroll, allow_hyphen_values = true)]
    pub preroll: Option<f32>,
    /// From which to which frame the clip is played round and round, as FROM,TO; all of it when not given.
    #[arg(long, value_parser = parse_frames)]
    pub clip_frames: Option<(u32, u32)>,
    /// So many copies of the character in its clothes, 3 m apart, each somewhere else in the clip; the scene's, mostly 1, when not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub characters: Option<u32>,
    /// Metres a unit of the file.
    #[arg(long, value_parser = parse_scale, allow_hyphen_values = true)]
    pub scale: Option<f32>,
    /// trousers_and_top, overcoat (over trousers and a top), overcoat_alone, cape, cape_over_coat, skirt, skirt_and_top, scarf (over trousers and a
    /// top), own, sheet or none; beside the character tablecloth, pile, pile_on_stool, high_pile or ribbon.
    #[arg(long)]
    pub garment: Option<String>,
    /// Dress the character in a file's meshes: an .obj that lies over the character as it was made, or a .glb or .gltf skinned to joints
    /// of the same names.
    #[arg(long, conflicts_with = "garment")]
    pub garment_file: Option<PathBuf>,
    /// Particles of the outfit.
    #[arg(long, value_parser = clap::value_parser!(u32).range(MIN_PARTICLES..=MAX_PARTICLES))]
    pub particles: Option<u32>,
    /// Size of a field's or a hash table's cells, millimetres; 10 for a person, in proportion for others, when not given.
    #[arg(long, value_parser = parse_cell_size, allow_hyphen_values = true)]
    pub cell_size: Option<f32>,
    /// Weight from which a joint's field holds a triangle.
    #[arg(long, value_parser = parse_threshold, allow_hyphen_values = true)]
    pub weight_threshold: Option<f32>,
    /// Millimetres within which the techniques that test triangles search for the nearest one; 60 when not given.
    #[arg(long, value_parser = parse_search_radius, allow_hyphen_values = true)]
    pub search_radius: Option<f32>,
    /// A named scene; --avatar and --garment change parts of it.
    #[arg(long)]
    pub scene: Option<String>,
    /// Collision technique: radial, radial_compute, spatial_hash, bvh, lbvh, wide_bvh, distance_field, or quickest for whichever of the
    /// first two is quicker here; when not given radial, or radial_compute on a device where drawing fields takes more than 1.5 times as long.
    #[arg(long)]
    pub technique: Option<String>,
    /// Radial fields and response: shipped, paper, or the paper's with some of our changes, as in paper+ranks+caps; `bench ablation`
    /// compares them; shipped when not given.
    #[arg(long)]
    pub fields: Option<String>,
    /// Another technique on the same motion, in the other half of the window.
    #[arg(long)]
    pub beside: Option<String>,
    /// Parts of a step, at most 16; 8 when not given; 16 hold clothes better.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SUB_STEPS)))]
    pub sub_steps: Option<u32>,
    /// Solves of the cloth in a sub-step; 1 when not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub iterations: Option<u32>,
    /// Sweeps over the constraints in a solve; 4 when not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub sweeps: Option<u32>,
    /// Per cent of its length beyond which an edge is shortened when a step ends, or none for no such limit; 4 when not given.
    #[arg(long, value_parser = parse_strain_limit, allow_hyphen_values = true)]
    pub end_strain_limit: Option<StrainLimit>,
    /// Sub-steps from one collision to the next, at most 16; 2 when not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SUB_STEPS)))]
    pub collision_stride: Option<u32>,
    /// How finely cloth is simulated: full, half (as many sub-steps), quarter, skinned (none: it follows the skin), or auto, each
    /// character's as coarse as a pixel of the picture hides; full when not given. Techniques without fields attached to bones take full alone.
    #[arg(long, value_parser = DetailChoice::parse)]
    pub detail: Option<DetailChoice>,
    /// Let cloth sleep that is at rest: it is not simulated until something stirs it. With techniques whose fields are attached to bones.
    #[arg(long)]
    pub sleep: bool,
    /// What the clothes are made of: cotton, denim, silk or jersey; cotton when not given.
    #[arg(long)]
    pub material: Option<String>,
    /// Times how far cloth may be from where skinning puts it: 0 switches motion constraints off; 1 when not given.
    #[arg(long, value_parser = parse_motion, allow_hyphen_values = true)]
    pub motion: Option<f32>,
    /// How particles' paths are tested: samples or march; samples when not given.
    #[arg(long)]
    pub detection: Option<String>,
    /// Collide particles alone, not the middles of the cloth's edges: faster, and coarse cloth shows the skin under it.
    #[arg(long)]
    pub no_edge_midpoints: bool,
    /// Keep cloth apart from cloth: folds of a garment, and garments worn over each other. --cloth-contacts=false does not, where a scene
    /// does, or whatever is worn over other garments.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "true|false")]
    pub cloth_contacts: Option<bool>,
    /// Where cloth meets cloth, have garments meet what they are worn over by radial fields as well: --layer-fields=false for contacts alone.
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = true, default_missing_value = "true", action = clap::ArgAction::Set, value_name = "true|false")]
    pub layer_fields: bool,
    /// Measure quality against the exact mesh, on the CPU: particles inside, and what a person sees of each garment.
    #[arg(long)]
    pub oracle: bool,
    /// Save what CPU and GPU do in some frames here, as a trace for Perfetto.
    #[arg(long)]
    pub trace: Option<PathBuf>,
    /// Headless, the first frame of the trace; 10, when all is warm, if not given, or 0 where there are no more.
    #[arg(long)]
    pub trace_from: Option<u32>,
    /// Frames of the trace; 60 when not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub trace_frames: Option<u32>,
    /// Begin the trace round the first frame that takes longer than so many milliseconds, of the CPU from its begin to its submission or
    /// of the GPU; those just before it are in it too.
    #[arg(long, value_parser = parse_milliseconds, allow_hyphen_values = true)]
    pub trace_over: Option<f32>,
    /// Headless, time every dispatch and draw on its own, in report and trace: each then waits for the one before it.
    #[arg(long)]
    pub passes: bool,
    /// Headless, time frames alone, without the timestamps between their stages, which take time of their own.
    #[arg(long, conflicts_with = "passes")]
    pub whole_frames: bool,
    /// Headless, list what the driver made of each shader, in the report too: registers, memory and whatever else it tells
    /// (VK_KHR_pipeline_executable_properties).
    #[arg(long)]
    pub pipelines: bool,
    /// Show in one picture where those of two worlds differ, with --beside.
    #[arg(long)]
    pub difference: bool,
    /// Run with Vulkan validation; any message makes the exit code 1.
    #[arg(long)]
    pub validate: bool,
    /// Part of the device's name, or its number.
    #[arg(long)]
    pub gpu: Option<String>,
    /// Wind, metres per second, as X,Y,Z.
    #[arg(long, value_parser = parse_vector, allow_hyphen_values = true)]
    pub wind: Option<glam::Vec3>,
    /// What to draw: lit, fields, cylinders, structure (of grids, a table or a tree), contacts, penetration, stretch (of the
    /// cloth's edges), bare (skin that the clothes are to cover, magenta), field_error (of solids' distance fields) or wireframe; lit when not given.
    #[arg(long)]
    pub view: Option<String>,
    /// Save a screenshot of the window here when --frames are over.
    #[arg(long)]
    pub screenshot: Option<PathBuf>,
    /// Start without the panels.
    #[arg(long)]
    pub no_overlay: bool,
    /// What a setup says besides.
    #[arg(skip)]
    pub tuned: Option<Tuned>,
}

/// Fewer are no cloth.
const MIN_PARTICLES: i64 = 200;
/// More than an outfit is looked at with.
const MAX_PARTICLES: i64 = 200_000;

impl Cli {
    /// What of frames is timed.
    pub fn timing(&self) -> Timing {
        match (self.whole_frames, self.passes) {
            (true, _) => Timing::Frame,
            (_, true) => Timing::Passes,
            _ => Timing::Stages,
        }
    }

    /// Reads the command line.
    ///
    /// # Errors
    /// In clap's representation; help and version are among them.
    pub fn read() -> Result<Self, clap::Error> {
        let mut cli = Self::try_parse()?;
        cli.avatar = cli.avatar.or(cli.character.take());
        Ok(cli)
    }

    /// With what its --setup says where it says nothing itself.
    ///
    /// # Errors
    /// When the file is no setup.
    pub fn with_setup(&self) -> anyhow::Result<Self> {
        let Some(file) = &self.setup else {
            return Ok(self.clone());
        };
        let cli = Setup::read(file)?.under(self.clone());
        cli.recheck()
            .map_err(|fault| anyhow::anyhow!("--setup {}: {fault}", file.display()))?;
        Ok(cli)
    }

    /// Checks what did not come as a flag by the rules for flags.
    pub fn recheck(&self) -> Result<(), String> {
        let numbers = [
            (
                "scale",
                self.scale,
                parse_scale as fn(&str) -> Result<f32, String>,
            ),
            ("cell_size", self.cell_size, parse_cell_size),
            ("weight_threshold", self.weight_threshold, parse_threshold),
            ("preroll", self.preroll, scenes::parse_preroll),
        ];
        for (name, value, parse) in numbers {
            if let Some(value) = value {
                parse(&value.to_string()).map_err(|fault| format!("{name}: {fault}"))?;
            }
        }
        let particles = self.particles.map_or(MIN_PARTICLES, i64::from);
        if !(MIN_PARTICLES..=MAX_PARTICLES).contains(&particles) {
            return Err(format!(
                "particles: give {MIN_PARTICLES} to {MAX_PARTICLES}"
            ));
        }
        if !(1..=10_000).contains(&self.characters.unwrap_or(1)) {
            return Err("characters: give 1 to 10000".to_owned());
        }
        let (from, to) = self.clip_frames.unwrap_or((0, 1));
        parse_frames(&format!("{from},{to}"))
            .map(drop)
            .map_err(|fault| format!("clip_frames: {fault}"))
    }

    /// What says how it is run, without what says what is shown.
    #[cfg(feature = "viewer")]
    pub fn without_setup(&self) -> Self {
        let none = Self::parse_from(["viewer"]);
        Self {
            headless: self.headless,
            frames: self.frames,
            size: self.size,
            validate: self.validate,
            gpu: self.gpu.clone(),
            oracle: self.oracle,
            screenshot: self.screenshot.clone(),
            no_overlay: self.no_overlay,
            ..none
        }
    }

    /// The fields' name.
    pub fn fields(&self) -> &str {
        self.fields.as_deref().unwrap_or("shipped")
    }

    /// How finely cloth is simulated.
    pub fn detail(&self) -> DetailChoice {
        self.detail.unwrap_or(DetailChoice::All(Detail::Full))
    }

    /// The fabric's name.
    pub fn material(&self) -> &str {
        self.material.as_deref().unwrap_or("cotton")
    }

    /// Pixels of the picture or the window.
    pub fn size(&self) -> (u32, u32) {
        self.size.unwrap_or((1280, 720))
    }

    /// Whether pictures are drawn without a window.
    pub fn draws(&self) -> bool {
        self.out.is_some() || self.gif.is_some()
    }

    /// Frames of a trace: a second at 60 per second when not given. More are slow to look at in a browser.
    pub fn trace_frames(&self) -> usize {
        self.trace_frames.unwrap_or(60) as usize
    }

    /// Whether results of a frame are kept.
    pub fn keeps(&self, frame_ix: u32) -> bool {
        let since = frame_ix.checked_sub(self.from.unwrap_or_default());
        since.is_some_and(|since| since.is_multiple_of(self.every()))
    }

    /// Every how many frames results are kept.
    pub fn every(&self) -> u32 {
        self.every.unwrap_or(10)
    }

    /// What is drawn.
    ///
    /// # Errors
    /// When --view names nothing.
    pub fn view(&self) -> anyhow::Result<ViewOptions> {
        if let Some(name) = &self.view {
            return view_of(name);
        }
        let tuned = self.tuned.as_ref();
        setup::over(&tuned.and_then(|tuned| tuned.view.clone()))
    }

    /// What is played of the clip.
    pub fn clip_part(&self) -> ClipPart {
        let seconds = |frame| frame as f32 * STEP_SECONDS;
        let round = self.clip_frames;
        let first = self.start_frame.or(round.map(|(from, _)| from));
        ClipPart {
            first: first.map_or(0.0, seconds),
            round: round.map(|(from, to)| [seconds(from), seconds(to)]),
        }
    }

    /// What is asked to be dressed, if anything in particular is.
    pub fn avatar(&self) -> Option<&OsStr> {
        self.avatar.as_deref()
    }
}

/// The most pixels along an edge: what every Vulkan device can draw on.
const MAX_PIXELS: u32 = 4096;

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let parsed = text
        .split_once('x')
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match parsed {
        Some((width, height))
            if (1..=MAX_PIXELS).contains(&width) && (1..=MAX_PIXELS).contains(&height) =>
        {
            Ok((width, height))
        }
        _ => Err(format!(
            "give WIDTHxHEIGHT in pixels, each from 1 to {MAX_PIXELS}"
        )),
    }
}

fn parse_follow(text: &str) -> Result<Follow, String> {
    Follow::find(text).ok_or_else(|| {
        let names = Follow::ALL.map(Follow::name);
        format!("choose one of {}", names.join(", "))
    })
}

fn parse_frames(text: &str) -> Result<(u32, u32), String> {
    let parsed = text
        .split_once(',')
        .and_then(|(from, to)| Some((from.trim().parse().ok()?, to.trim().parse().ok()?)));
    match parsed {
        Some((from, to)) if from < to => Ok((from, to)),
        _ => Err("give FROM,TO in frames of 1/60 s, the first less than the second".to_owned()),
    }
}

fn parse_scale(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(scale) if scale.is_finite() && scale > 0.0 => Ok(scale),
        _ => Err("give metres a unit, more than zero: 0.01 for centimetres".to_owned()),
    }
}

fn parse_cell_size(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(size) if (1.0..=1000.0).contains(&size) => Ok(size),
        _ => Err("give millimetres from 1 to 1000: usually 5 to 20".to_owned()),
    }
}

fn parse_search_radius(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(search_radius) if (1.0..=1000.0).contains(&search_radius) => Ok(search_radius),
        _ => Err("give millimetres from 1 to 1000: usually 20 to 100".to_owned()),
    }
}

/// Part of an edge's length, or none.
#[derive(Clone, Copy, Debug)]
pub struct StrainLimit(pub Option<f32>);

fn parse_strain_limit(text: &str) -> Result<StrainLimit, String> {
    if text == "none" {
        return Ok(StrainLimit(None));
    }
    match text.parse::<f32>() {
        Ok(percent) if (0.0..=1000.0).contains(&percent) => Ok(StrainLimit(Some(percent / 100.0))),
        _ => Err("give per cent from 0 to 1000, usually 5, or none".to_owned()),
    }
}

fn parse_motion(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(scale) if (0.0..=100.0).contains(&scale) => Ok(scale),
        _ => Err("give a number from 0 to 100: usually 1".to_owned()),
    }
}

fn parse_milliseconds(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(ms) if (0.0..=1e6).contains(&ms) => Ok(ms),
        _ => Err("give milliseconds from 0 to 1000000: 17 is a frame of 60 a second".to_owned()),
    }
}

fn parse_threshold(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(threshold) if (0.0..=1.0).contains(&threshold) => Ok(threshold),
        _ => Err("give a weight from 0 to 1: usually 0.01 to 0.1".to_owned()),
    }
}

fn parse_vector(text: &str) -> Result<glam::Vec3, String> {
    let parts: Option<Vec<f32>> = text
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect();
    match parts.as_deref() {
        Some(&[x, y, z]) if x.is_finite() && y.is_finite() && z.is_finite() => {
            Ok(glam::Vec3::new(x, y, z))
        }
        _ => Err("give three numbers, X,Y,Z".to_owned()),
    }
}
