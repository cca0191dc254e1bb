//! What a step costs with so many characters in one world.

mod picture;
mod plot;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use radial_fields::engine::output::{prepare_files, write_png, write_whole};
use radial_fields::engine::{Device, Frames, Identity, Submission};
use radial_fields::gpu::Launches;
use radial_fields::scenes::{FrameReport, Show, ShowDesc, Spread, StageSamples};
use radial_fields::stage::Stage;
use radial_fields::{Technique, remark};

use crate::Verdict;
use crate::cli::CrowdFlags;
use crate::opened::Opened;
use crate::plan::pick_techniques;
use crate::preload::preload_one;

/// How many frames the CPU may be ahead.
const FRAMES_IN_FLIGHT: usize = 2;

/// A crowd that was timed. Times are milliseconds, medians and all of a step unless said.
struct Row {
    technique: Technique,
    characters: u32,
    particles: u32,
    /// Seconds to make the world.
    making_s: f32,
    stages: Vec<(Stage, Spread)>,
    /// All stages of a frame together.
    frames: FrameReport,
    /// Collisions of a step.
    collisions: usize,
    record_cpu_ms: Spread,
    launches: Launches,
}

/// Runs what the flags ask for. Faulty if a world could not be made or validation spoke up.
pub fn run(flags: &CrowdFlags) -> anyhow::Result<Verdict> {
    let techniques = pick_techniques(&flags.techniques)?;
    let files = [
        ("--csv", &flags.csv),
        ("--plot", &flags.plot),
        ("--picture", &flags.picture),
    ];
    let written = files
        .into_iter()
        .filter_map(|(flag, file)| Some((flag, file.as_deref()?)));
    prepare_files(&written.collect::<Vec<_>>(), &[])?;
    let opened = Opened::new(c"bench crowd", &flags.device)?;
    let device = &opened.device;
    let preloaded = preload_one(&flags.played)?;
    let crowds: Vec<_> = techniques
        .iter()
        .flat_map(|&technique| {
            let counts = flags.characters.iter();
            counts.map(move |&count| (technique, count))
        })
        .collect();
    let last = crowds.last().copied();
    let (mut rows, mut refused) = (Vec::new(), 0);
    println!("{HEADER}");
    for (technique, count) in crowds {
        let show = preloaded.show(technique, FRAMES_IN_FLIGHT);
        let desc = ShowDesc {
            character_count: count as usize,
            ..show
        };
        let picture = flags.picture.as_deref();
        let picture = picture.filter(|_| last == Some((technique, count)));
        match time(device, desc, flags, picture) {
            Ok(row) => {
                println!("{}", row.line());
                rows.push(row);
            }
            Err(error) => {
                remark!("bench:   {} x {count}: {error:#}", technique.name());
                refused += 1;
            }
        }
    }
    if let Some(file) = &flags.csv {
        let identity = Identity::new(SCHEMA, "bench", &device.info, None);
        write_whole(file, csv(&identity, &rows).as_bytes())?;
    }
    if let Some(file) = &flags.plot {
        write_png(file, &plot::draw(&device.info, &rows)?)?;
    }
    Ok(opened.verdict(refused == 0))
}

/// A crowd and what it is played on.
struct Runner {
    // First, so that it is dropped while the device is idle and whole.
    crowd: Show,
    frames: Frames,
    device: Arc<Device>,
}

impl Runner {
    /// Returns the milliseconds of recording.
    fn step(&mut self) -> anyhow::Result<f32> {
        let cmd = self.frames.begin()?;
        self.crowd.record(cmd, 1, None)?;
        self.frames.submit(Submission::default())?;
        Ok(self.crowd.record_cpu_ms.last().copied().unwrap_or_default())
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // The world may only go when the GPU is done with it; a lost device is done.
        let _ = self.device.wait_idle();
    }
}

/// Times a crowd, and draws it into a file if there is one.
fn time(
    device: &Arc<Device>,
    desc: ShowDesc,
    flags: &CrowdFlags,
    picture: Option<&Path>,
) -> anyhow::Result<Row> {
    let (technique, character_count) = (desc.technique, desc.character_count as u32);
    let began = Instant::now();
    let mut crowd = Show::new(device, desc)?;
    let making_s = began.elapsed().as_secs_f32();
    // One alone would ease into its clip first.
    crowd.seek(0.0);
    crowd.details.fill(flags.detail);
    let mut runner = Runner {
        crowd,
        frames: Frames::new(device, FRAMES_IN_FLIGHT)?,
        device: Arc::clone(device),
    };
    for _ in 0..flags.frames {
        runner.step()?;
    }
    let (mut samples, mut record_cpu_ms) = (StageSamples::default(), Vec::new());
    for _ in 0..flags.frames {
        record_cpu_ms.push(runner.step()?);
        samples.take_frame(runner.crowd.world.stage_times());
    }
    if let Some(file) = picture {
        picture::save(device, &mut runner.frames, &runner.crowd, file)?;
    }
    let world = &runner.crowd.world;
    let spans = &world.stage_times().spans;
    let stages = samples.report().into_iter();
    Ok(Row {
        technique,
        characters: character_count,
        particles: world.cloth().particle_count(),
        making_s,
        frames: samples.frame_report(),
        stages: stages.map(|stage| (stage.name, stage.gpu_ms)).collect(),
        collisions: spans.iter().filter(|span| span.0 == Stage::Collide).count(),
        record_cpu_ms: Spread::of(&record_cpu_ms),
        launches: world.launches(),
    })
}

const HEADER: &str = "technique        characters  particles  update  predict   solve  collide  whole step  us/character  one collision  \
    recording  launches  making s";

impl Row {
    fn ms(&self, stages: &[Stage]) -> f32 {
        let named = self.stages.iter().filter(|(name, _)| stages.contains(name));
        named.map(|(_, ms)| ms.median).sum()
    }

    fn update_ms(&self) -> f32 {
        self.ms(&[Stage::CollideClear, Stage::CollideUpdate])
    }

    /// The median of the frames' sums.
    fn step_ms(&self) -> f32 {
        self.frames.sum_ms.median
    }

    fn step_p95_ms(&self) -> f32 {
        self.frames.sum_ms.p95
    }

    fn us_per_character(&self) -> f32 {
        1e3 * self.step_ms() / self.characters as f32
    }

    fn one_collision_ms(&self) -> f32 {
        self.ms(&[Stage::Collide]) / self.collisions.max(1) as f32
    }

    fn line(&self) -> String {
        format!(
            "{:16} {:10} {:10} {:7.3} {:8.3} {:7.3} {:8.3} {:11.3} {:13.1} {:14.3} {:10.3} {:9} {:9.2}",
            self.technique.name(),
            self.characters,
            self.particles,
            self.update_ms(),
            self.ms(&[Stage::ClothPredict]),
            self.ms(&[Stage::ClothSolve]),
            self.ms(&[Stage::Collide]),
            self.step_ms(),
            self.us_per_character(),
            self.one_collision_ms(),
            self.record_cpu_ms.median,
            self.launches.dispatches + self.launches.draws,
            self.making_s
        )
    }
}

/// Of the file of `--csv`.
const SCHEMA: (&str, u32) = ("radial_fields.bench.crowd", 2);

/// A row per crowd, with the medians and the 95th percentiles of every stage.
fn csv(identity: &Identity, rows: &[Row]) -> String {
    let simulated: Vec<_> = Stage::ALL
        .into_iter()
        .filter(|stage| stage.is_simulation())
        .collect();
    let mut text = identity.comment();
    text.push_str("technique,characters,particles,frames,step_ms,step_ms_p95,step_ms_p99,step_gaps_ms,us_per_character,one_collision_ms,record_cpu_ms_median,record_cpu_ms_p95,dispatches,draws,barriers,making_s");
    for stage in &simulated {
        let _ = write!(text, ",{0}_ms_median,{0}_ms_p95", stage.name());
    }
    for row in rows {
        let _ = write!(
            text,
            "\n{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            row.technique.name(),
            row.characters,
            row.particles,
            row.frames.sum_ms.count,
            row.step_ms(),
            row.step_p95_ms(),
            row.frames.sum_ms.p99,
            row.frames.gaps_ms.median,
            row.us_per_character(),
            row.one_collision_ms(),
            row.record_cpu_ms.median,
            row.record_cpu_ms.p95,
            row.launches.dispatches,
            row.launches.draws,
            row.launches.barriers,
            row.making_s
        );
        for stage in &simulated {
            let spread = row.stages.iter().find(|(name, _)| name == stage);
            let spread = spread.map(|(_, spread)| *spread).unwrap_or_default();
            let _ = write!(text, ",{},{}", spread.median, spread.p95);
        }
    }
    text.push('\n');
    text
}
