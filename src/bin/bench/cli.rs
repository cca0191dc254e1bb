//! The bench's flags: without a subcommand the paper's comparison, and a subcommand a question.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use radial_fields::cloth::Detail;
use radial_fields::scenes::{PREROLL_SECONDS, parse_preroll};

/// Measures collision techniques under the ten conditions of the paper's Table 1.
#[derive(Parser, Clone, Debug)]
#[command(
    name = "bench",
    version,
    args_conflicts_with_subcommands = true,
    allow_negative_numbers = true
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub comparison: ComparisonFlags,
}

/// What is measured on.
#[derive(Args, Clone, Debug)]
pub struct DeviceFlags {
    /// Run with Vulkan validation; any message makes the exit code 1, and the times mean nothing.
    #[arg(long)]
    pub validate: bool,
    /// Part of the device's name, or its number.
    #[arg(long)]
    pub gpu: Option<String>,
}

/// Whose clip is played.
#[derive(Args, Clone, Debug)]
pub struct PlayedFlags {
    /// The condition of the paper's Table 1 that is played; 2 has the clothes of the viewer's default scene.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=10))]
    pub condition: u32,
    /// At most this many particles per character, for a quick look.
    #[arg(long, value_parser = clap::value_parser!(u32).range(200..))]
    pub particles: Option<u32>,
}

/// How the character comes to the clip.
#[derive(Args, Clone, Copy, Debug)]
pub struct PrerollFlags {
    /// Seconds from the bind pose, which clothes are made in, until the clip starts; less for a quick look.
    #[arg(long = "preroll", default_value_t = PREROLL_SECONDS, value_parser = parse_preroll, allow_hyphen_values = true)]
    pub seconds: f32,
}

/// Flags of the comparison.
#[derive(Args, Clone, Debug)]
pub struct ComparisonFlags {
    /// Numbers of conditions from 1 to 10, or all.
    #[arg(long, value_delimiter = ',', default_value = "all")]
    pub conditions: Vec<String>,
    /// Techniques, or all.
    #[arg(long, value_delimiter = ',', default_value = "all")]
    pub techniques: Vec<String>,
    /// Radial fields and their response, as the viewer's --fields takes them.
    #[arg(long, default_value = "shipped")]
    pub fields: String,
    /// Frames of the clip that are timed, 60 per second.
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub frames: u32,
    /// Runs of each trial, in another order each time; their middle one counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub runs: u32,
    /// File for all figures, JSON: what `bench diff` reads.
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// File for one row per condition and technique.
    #[arg(long)]
    pub csv: Option<PathBuf>,
    /// File for one row per timed frame: GPU milliseconds of every stage, of their sum and of the gaps between them.
    #[arg(long)]
    pub frame_times: Option<PathBuf>,
    /// File for a picture of the times, PNG.
    #[arg(long)]
    pub plot: Option<PathBuf>,
    /// File for what CPU and GPU did when, for Perfetto or Chrome, JSON.
    #[arg(long)]
    pub trace: Option<PathBuf>,
    /// Play the clip again to measure quality against the exact mesh, on the CPU.
    #[arg(long)]
    pub oracle: bool,
    /// Judge every K-th frame; more than 1 leaves the trembling out.
    #[arg(long, default_value_t = 1, requires = "oracle", value_parser = clap::value_parser!(u32).range(1..))]
    pub oracle_every: u32,
    /// At most this many particles, for a quick look: no longer the paper's conditions.
    #[arg(long, value_parser = clap::value_parser!(u32).range(200..))]
    pub particles: Option<u32>,
    #[command(flatten)]
    pub preroll: PrerollFlags,
    #[command(flatten)]
    pub device: DeviceFlags,
}

/// What is asked.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// What each of our changes to the paper's fields costs and buys: the paper's own, each change alone, all together.
    Ablation(AblationFlags),
    /// How far the fields' surface lies from the skin, by cell size and weight threshold, over a clip, on the CPU.
    Accuracy(AccuracyFlags),
    /// How many particles a limb stops, by the speed at which they meet, on the CPU.
    Tunnelling(TunnellingFlags),
    /// What a step costs by the number of characters in one world, each in its own part of the clip.
    Crowd(CrowdFlags),
    /// What each level of detail of the cloth costs, how far it lies from fully simulated cloth, and what a person sees of it.
    Detail(DetailFlags),
    /// Signed distance fields of rigid meshes: time, memory, examined points and errors by resolution, as the distance-field paper's Table 1.
    Field(FieldFlags),
    /// Spatial hashing by its cells, its search radius and the length of its lists, the paper's and such as lose nothing.
    Hash(HashFlags),
    /// What meeting solids costs: a tablecloth over a bust by the model of friction, with edges and without, as the distance-field paper's section
    /// 5; a character's clothes among three solids; the same bust as a field and held by trees.
    Response(ResponseFlags),
    /// What got slower or faster between the first and the last of some files of --json, and how it went on the way; exit code 1 if
    /// anything got slower by more than the threshold.
    Diff(DiffFlags),
}

/// Flags of `bench ablation`.
#[derive(Args, Clone, Debug)]
pub struct AblationFlags {
    #[command(flatten)]
    pub played: PlayedFlags,
    #[command(flatten)]
    pub preroll: PrerollFlags,
    /// Fields to compare, as the viewer's --fields takes them; the paper's, each change alone and ours when not given.
    #[arg(long, value_delimiter = ',')]
    pub fields: Vec<String>,
    /// How fields are filled: radial or radial_compute.
    #[arg(long, default_value = "radial_compute")]
    pub technique: String,
    /// Frames of the clip that are timed and judged, 60 per second.
    #[arg(long, default_value_t = 648, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub frames: u32,
    /// Runs of each variant, in another order each time; their middle one counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub runs: u32,
    /// Judge every K-th frame; more than 1 leaves the trembling out.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub oracle_every: u32,
    /// Poses of the clip in which the fields are asked about points near the skin.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub poses: u32,
    /// Techniques whose clearing is measured beside ours.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "spatial_hash,distance_field"
    )]
    pub rivals: Vec<String>,
    /// Folder for ablation.md and ablation.csv.
    #[arg(long)]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceFlags,
}

/// Flags of `bench crowd`.
#[derive(Args, Clone, Debug)]
pub struct CrowdFlags {
    /// Numbers of characters.
    #[arg(long, value_delimiter = ',', default_value = "1,4,16,64,100", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub characters: Vec<u32>,
    #[command(flatten)]
    pub played: PlayedFlags,
    /// Techniques, or all.
    #[arg(long, value_delimiter = ',', default_value = "radial_compute")]
    pub techniques: Vec<String>,
    /// How finely cloth is simulated: full, half, quarter or skinned.
    #[arg(long, default_value = "full", value_parser = parse_detail)]
    pub detail: Detail,
    /// Frames that are timed, 60 a second, after as many that are not.
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub frames: u32,
    /// File for a row per technique and number of characters.
    #[arg(long)]
    pub csv: Option<PathBuf>,
    /// File for a plot of a step's time over the number of characters, PNG.
    #[arg(long)]
    pub plot: Option<PathBuf>,
    /// File for a picture of the last crowd, PNG.
    #[arg(long)]
    pub picture: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceFlags,
}

/// Flags of `bench detail`.
#[derive(Args, Clone, Debug)]
pub struct DetailFlags {
    #[command(flatten)]
    pub played: PlayedFlags,
    #[command(flatten)]
    pub preroll: PrerollFlags,
    /// Frames of the clip that are timed and judged, 60 per second.
    #[arg(long, default_value_t = 648, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub frames: u32,
    /// Runs of each level, in another order each time; their middle one counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub runs: u32,
    /// File for one row per level.
    #[arg(long)]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceFlags,
}

/// Flags of `bench field`.
#[derive(Args, Clone, Debug)]
pub struct FieldFlags {
    /// Meshes: .obj, or .glb and .gltf characters in their bind pose; `tools/fetch_meshes` fetches some.
    #[arg(long)]
    pub mesh: Vec<PathBuf>,
    /// A mesh of our own; the bust where no file is given.
    #[arg(long)]
    pub builtin: Option<BuiltinMesh>,
    /// Cells along the longest side of a mesh.
    #[arg(long, value_delimiter = ',', default_value = "64,128,256", value_parser = clap::value_parser!(u32).range(4..=3500))]
    pub cells: Vec<u32>,
    /// Scales files so that their longest side has so many metres.
    #[arg(long, value_parser = parse_metres, allow_hyphen_values = true)]
    pub longest: Option<f32>,
    /// Points that errors are measured at, each way.
    #[arg(long, default_value_t = 200_000, value_parser = parse_points)]
    pub points: usize,
    /// Time the f64 reference on the CPU too.
    #[arg(long)]
    pub reference: bool,
    /// File for one row per mesh and resolution.
    #[arg(long)]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceFlags,
}

/// Meshes that need no file.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltinMesh {
    /// A head on shoulders, 44 cm tall, about 293,000 triangles.
    Bust,
    /// A ring of two million triangles: how much is too much.
    Ring,
}

/// Flags of `bench hash`.
#[derive(Args, Clone, Debug)]
pub struct HashFlags {
    #[command(flatten)]
    pub played: PlayedFlags,
    #[command(flatten)]
    pub preroll: PrerollFlags,
    /// Millimetres of the cells; 10 is the paper's. Smaller ones need shorter lists.
    #[arg(long, value_delimiter = ',', default_value = "10,5", value_parser = parse_cell_size, allow_hyphen_values = true)]
    pub cells: Vec<f32>,
    /// Millimetres within which the nearest triangle is searched for; 10, a cell, is the paper's.
    #[arg(long, value_delimiter = ',', default_value = "10,20,30,60", value_parser = parse_cell_size, allow_hyphen_values = true)]
    pub search_radii: Vec<f32>,
    /// Frames of the clip that are timed, 60 per second.
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub frames: u32,
    /// Runs of each setting, in another order each time; their middle one counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub runs: u32,
    /// Play the clip again to measure quality against the exact mesh, on the CPU.
    #[arg(long)]
    pub oracle: bool,
    /// File for one row per setting.
    #[arg(long)]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceFlags,
}

/// A table of `bench response`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResponseTable {
    Friction,
    Clothes,
    Trees,
}

impl ResponseTable {
    /// The name in flags and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Friction => "friction",
            Self::Clothes => "clothes",
            Self::Trees => "trees",
        }
    }
}

/// Flags of `bench response`.
#[derive(Args, Clone, Debug)]
pub struct ResponseFlags {
    /// What to compare: friction (models of it, with edges and without), clothes (among three solids and none), trees (a field and those of rivals).
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "friction,clothes,trees"
    )]
    pub tables: Vec<ResponseTable>,
    /// At most this many particles of the character's clothes, for a quick look.
    #[arg(long, value_parser = clap::value_parser!(u32).range(200..))]
    pub clothes_particles: Option<u32>,
    /// Particles of the cloth; the paper has about 1,000.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(200..=1_000_000))]
    pub particles: u32,
    /// Millimetres of the edges of the bust's triangles; 3 make the paper's 293,000.
    #[arg(long, default_value = "3", value_parser = parse_cell_size, allow_hyphen_values = true)]
    pub edge: f32,
    /// Millimetres of the field's cells; 1.6 are the paper's 168 x 272 x 199.
    #[arg(long, default_value = "1.6", value_parser = parse_cell_size, allow_hyphen_values = true)]
    pub cell: f32,
    /// Frames that are timed, after as many that are not: 120 are the paper's 2 s.
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub frames: u32,
    /// Runs of each way, in another order each time; their middle one counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub runs: u32,
    /// File for one row per way.
    #[arg(long)]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceFlags,
}

/// Flags of `bench diff`.
#[derive(Args, Clone, Debug)]
pub struct DiffFlags {
    /// The files, from the run before to the run after.
    #[arg(required = true, num_args = 2..)]
    pub files: Vec<PathBuf>,
    /// File for a plot of all of them, PNG: the sum of the stages' medians over the commits.
    #[arg(long)]
    pub plot: Option<PathBuf>,
    /// How much slower a stage's median may get.
    #[arg(long, default_value = "10%", value_parser = parse_percent, allow_hyphen_values = true)]
    pub threshold: f64,
}

/// Flags of `bench accuracy`.
#[derive(Args, Clone, Debug)]
pub struct AccuracyFlags {
    /// Characters, as the viewer's --avatar takes them.
    #[arg(long, value_delimiter = ',', default_value = "human,mannequin,ogre")]
    pub avatars: Vec<OsString>,
    /// Weights from which a joint's field holds a triangle, tried with the usual cells.
    #[arg(long, value_delimiter = ',', default_value = "0.02,0.05,0.2,0.4", value_parser = parse_threshold, allow_hyphen_values = true)]
    pub thresholds: Vec<f32>,
    /// Poses a character is measured in: the bind pose, and the rest evenly over its first clip.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub poses: u32,
    /// Folder for accuracy.csv, accuracy.json, the plot accuracy.png, and a picture per row of where the errors sit: the skin, from
    /// blue on the fields to red 10 mm off.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Sizes of a field's cells, millimetres.
    #[arg(long, value_delimiter = ',', default_value = "20,10,5,2.5", value_parser = parse_cell_size, allow_hyphen_values = true)]
    pub cells: Vec<f32>,
}

/// Flags of `bench tunnelling`.
#[derive(Args, Clone, Debug)]
pub struct TunnellingFlags {
    /// A character, as the viewer's --avatar takes it.
    #[arg(long, default_value = "mannequin")]
    pub avatar: OsString,
    /// Joints whose limbs are shot at.
    #[arg(long, value_delimiter = ',', default_value = "lowerarm_l,index_02_l")]
    pub joints: Vec<String>,
    /// Speeds at which particle and limb meet, metres per second.
    #[arg(long, value_delimiter = ',', default_value = "1,2,5,10,20,50,100", value_parser = parse_speed, allow_hyphen_values = true)]
    pub speeds: Vec<f32>,
    /// Particles a speed.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub shots: u32,
    /// Parts of a step of 1/60 s.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub sub_steps: u32,
}

fn parse_detail(text: &str) -> Result<Detail, String> {
    Detail::find(text).ok_or_else(|| format!("give {}", Detail::names()))
}

fn parse_threshold(text: &str) -> Result<f32, String> {
    match text.trim().parse::<f32>() {
        Ok(threshold) if (0.0..=1.0).contains(&threshold) => Ok(threshold),
        _ => Err("give a weight from 0 to 1: usually 0.02 to 0.4".to_owned()),
    }
}

fn parse_metres(text: &str) -> Result<f32, String> {
    match text.trim().parse::<f32>() {
        Ok(metres) if (1e-4..=1e4).contains(&metres) => Ok(metres),
        _ => Err("give metres from 0.0001 to 10000".to_owned()),
    }
}

fn parse_points(text: &str) -> Result<usize, String> {
    match text.trim().parse::<usize>() {
        Ok(points) if (1..=100_000_000).contains(&points) => Ok(points),
        _ => Err("give a number of points from 1 to 100000000: usually 200000".to_owned()),
    }
}

fn parse_speed(text: &str) -> Result<f32, String> {
    match text.trim().parse::<f32>() {
        Ok(speed) if (0.1..=1000.0).contains(&speed) => Ok(speed),
        _ => Err("give metres per second from 0.1 to 1000".to_owned()),
    }
}

fn parse_cell_size(text: &str) -> Result<f32, String> {
    match text.trim().parse::<f32>() {
        Ok(size) if (1.0..=1000.0).contains(&size) => Ok(size),
        _ => Err("give millimetres from 1 to 1000: usually 2.5 to 20".to_owned()),
    }
}

/// A part of one: 0.1 for `10%` or `10`.
fn parse_percent(text: &str) -> Result<f64, String> {
    match text.trim().trim_end_matches('%').trim().parse::<f64>() {
        Ok(percent) if (0.0..=1e6).contains(&percent) => Ok(percent / 100.0),
        _ => Err("give a percentage from 0 up: 10%".to_owned()),
    }
}
