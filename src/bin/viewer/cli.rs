//! The viewer's flags.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::Parser;

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
    /// Stop after this many frames; headless, 240 when not given.
    #[arg(long)]
    pub frames: Option<u32>,
    /// Headless, play the whole clip this often, 60 frames per second, instead of --frames.
    #[arg(long, conflicts_with = "frames", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub loops: Option<u32>,
    /// Size of the picture or the window; 1280x720 when not given.
    #[arg(long, value_parser = parse_size)]
    pub size: Option<(u32, u32)>,
    /// Folder for PNG frames.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Write every K-th frame; 10 when not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: Option<u32>,
    /// Where the camera stands, metres, as X,Y,Z; where all of the character and its clothes is seen through the clip when not given.
    #[arg(long, value_parser = parse_vector, allow_hyphen_values = true)]
    pub camera: Option<glam::Vec3>,
    /// What the camera looks at, metres, as X,Y,Z; the character, wherever it goes, when not given.
    #[arg(long, value_parser = parse_vector, allow_hyphen_values = true)]
    pub look_at: Option<glam::Vec3>,
    /// Headless, file for one row per timed frame: GPU milliseconds of every stage, of their sum and of the gaps between them.
    #[arg(long)]
    pub frame_times: Option<PathBuf>,
    /// File for the report, JSON.
    #[arg(long)]
    pub report: Option<PathBuf>,
    /// Folder for OBJ files of the baked body and the garments, every K-th frame.
    #[arg(long)]
    pub export: Option<PathBuf>,
    /// A glTF file, or human, male_low, male_med, female_med, female_high, mannequin or ogre.
    #[arg(long)]
    pub avatar: Option<OsString>,
    /// Name of the clip to play; the first one when not given.
    #[arg(long)]
    pub clip: Option<String>,
    /// So many copies of the character in its clothes, 3 m apart, each somewhere else in the clip; the scene's, mostly 1, when not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub characters: Option<u32>,
    /// Metres a unit of the file.
    #[arg(long, value_parser = parse_scale, allow_hyphen_values = true)]
    pub scale: Option<f32>,
    /// trousers_and_top, overcoat, cape, skirt, own, sheet or none.
    #[arg(long)]
    pub garment: Option<String>,
    /// Particles of the outfit.
    #[arg(long, value_parser = clap::value_parser!(u32).range(200..=200_000))]
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
    /// Collision technique: radial, radial_compute, spatial_hash, bvh, lbvh, distance_field, or quickest for whichever of the first
    /// two is quicker here.
    #[arg(long, default_value = "radial")]
    pub technique: String,
    /// Radial fields and response: shipped, paper, or the paper's with some of our changes, as in paper+ranks+caps; `bench ablation`
    /// compares them.
    #[arg(long, default_value = "shipped")]
    pub fields: String,
    /// Another technique on the same motion, in the other half of the window.
    #[arg(long)]
    pub beside: Option<String>,
    /// Parts of a step, at most 8; 5 when not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub sub_steps: Option<u32>,
    /// Solves of the cloth in a sub-step; 2 when not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub iterations: Option<u32>,
    /// Sweeps over the constraints in a solve; 4 when not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub sweeps: Option<u32>,
    /// What the clothes are made of: cotton, denim, silk or jersey.
    #[arg(long, default_value = "cotton")]
    pub material: String,
    /// Times how far cloth may be from where skinning puts it: 0 switches motion constraints off; 1 when not given.
    #[arg(long, value_parser = parse_motion, allow_hyphen_values = true)]
    pub motion: Option<f32>,
    /// How particles' paths are tested: samples or march.
    #[arg(long, default_value = "samples")]
    pub detection: String,
    /// Collide particles alone, not the middles of the cloth's edges: faster, and coarse cloth shows the skin under it.
    #[arg(long)]
    pub no_edge_midpoints: bool,
    /// Measure quality against the exact mesh, on the CPU: particles inside, and what a person sees of each garment.
    #[arg(long)]
    pub oracle: bool,
    /// Save what CPU and GPU do in the first frames here, as a trace for Perfetto.
    #[arg(long)]
    pub trace: Option<PathBuf>,
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
    /// cloth's edges), bare (skin that the clothes are to cover, magenta) or wireframe; lit when not given.
    #[arg(long)]
    pub view: Option<String>,
    /// Save a screenshot of the window here when --frames are over.
    #[arg(long)]
    pub screenshot: Option<PathBuf>,
    /// Start without the panels.
    #[arg(long)]
    pub no_overlay: bool,
}

impl Cli {
    /// Reads the command line.
    ///
    /// # Errors
    /// In clap's representation; help and version are among them.
    pub fn read() -> Result<Self, clap::Error> {
        let mut cli = Self::try_parse()?;
        cli.avatar = cli.avatar.or(cli.character.take());
        Ok(cli)
    }

    /// Pixels of the picture or the window.
    pub fn size(&self) -> (u32, u32) {
        self.size.unwrap_or((1280, 720))
    }

    /// Every how many frames results are kept.
    pub fn every(&self) -> u32 {
        self.every.unwrap_or(10)
    }

    /// What is drawn.
    pub fn view(&self) -> &str {
        self.view.as_deref().unwrap_or("lit")
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

fn parse_motion(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(scale) if (0.0..=100.0).contains(&scale) => Ok(scale),
        _ => Err("give a number from 0 to 100: usually 1".to_owned()),
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
