//! Simulating and rendering without a window.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, anyhow};
use image::RgbaImage;
use radial_fields::engine::output::{write_png, write_whole};
use radial_fields::engine::traced::CpuFrame;
use radial_fields::engine::{
    Device, Frames, Identity, Instance, InstanceDesc, Submission, Validation, ValidationCounts,
};
use radial_fields::gpu::PipelineExecutable;
use radial_fields::oracle::obj::{Object, write_obj};
use radial_fields::remark;
use radial_fields::render::Camera;
use radial_fields::scenes::{
    PassSamples, QualityMeter, STEP_SECONDS, Show, Spread, StageSamples, Worn, hash, untouched,
};

use crate::cli::Cli;
use crate::detail::DetailChoice;
use crate::framing::{Framing, Wanted};
use crate::gif::Gif;
use crate::panels::board::{BoardDesc, PANEL_FRAMES};
use crate::picture::{Judged, Picture};
use crate::preload::{FRAMES_IN_FLIGHT, Preloaded, preload, tolerances_of, wear};
use crate::progress::{Phase, PhaseSeconds, Progress};
use crate::report::{AvatarReport, Report};
use crate::room::Room;
use crate::tracing::{TraceDesc, Tracing};

const DEFAULT_FRAMES: u32 = 240;
/// Of the report. 2: with the identity, and of each spread the count and 99 %.
const SCHEMA: (&str, u32) = ("radial_fields.viewer.report", 2);
/// Frames before this one are not timed: pipelines and caches are cold.
const WARM_UP_FRAMES: u32 = 10;

/// Runs the flags' frames and writes what they ask for.
pub fn run(cli: &Cli) -> anyhow::Result<ValidationCounts> {
    let mut progress = Progress::new();
    let preloaded = preload(cli, |phase| progress.begin(phase, 0))?;
    let frame_count = frame_count(cli, &preloaded)?;
    progress.begin(Phase::Fit, 0);
    let notes = preloaded.notes.clone();
    let run = open(cli, preloaded).map_err(|error| with_notes(error, &notes))?;
    progress.end();
    for note in &run.facts.notes {
        remark!("viewer: {note}");
    }
    let instance = Arc::clone(&run.device.instance);
    let report = run.finish(cli, frame_count, &mut progress)?;
    drop(progress);
    report.print();
    for text in instance.validation_texts() {
        remark!("viewer: validation {text}");
    }
    Ok(instance.validation_counts())
}

/// Whether any frame is kept.
fn check_from(cli: &Cli, frame_count: u32) -> anyhow::Result<()> {
    let from = cli.from.unwrap_or_default();
    anyhow::ensure!(
        from < frame_count,
        "--from {from}: there are {frame_count} frames, the first is 0"
    );
    Ok(())
}

/// As far as the flags say it, before anything is loaded.
pub fn check_frames(cli: &Cli) -> anyhow::Result<()> {
    match cli.loops {
        None => check_from(cli, cli.frames.unwrap_or(DEFAULT_FRAMES)),
        Some(_) => Ok(()),
    }
}

fn frame_count(cli: &Cli, preloaded: &Preloaded) -> anyhow::Result<u32> {
    let Some(loops) = cli.loops else {
        return Ok(cli.frames.unwrap_or(DEFAULT_FRAMES));
    };
    let clip = preloaded
        .desc
        .clip_ix
        .map(|ix| &preloaded.desc.avatar.clips[ix]);
    let whole = clip.map_or(0.0, |clip| clip.duration);
    let round = cli.clip_part().round;
    let seconds = round.map_or(whole, |[from, to]| to.min(whole) - from.min(whole));
    let clip_frames = (seconds / STEP_SECONDS).round() as u32;
    anyhow::ensure!(
        clip_frames > 0,
        "{}: it has no motion to play {loops} times: give --frames instead of --loops",
        preloaded.source
    );
    let frame_count = clip_frames.saturating_mul(loops);
    check_from(cli, frame_count)?;
    Ok(frame_count)
}

fn open(cli: &Cli, mut preloaded: Preloaded) -> anyhow::Result<Run> {
    let instance = Instance::new(&InstanceDesc {
        application: c"viewer",
        validation: Validation::wanted(cli.validate),
        extensions: &[],
    })?;
    let device = Device::open(&instance, cli.gpu.as_deref(), None)?;
    preloaded.adapt_to(&device)?;
    Run::new(cli, &device, preloaded)
}

/// The camera of pictures, whether they are drawn or not.
fn watcher(cli: &Cli, show: &Show, clip_ix: Option<usize>) -> Option<Framing> {
    let [width, height] = <[u32; 2]>::from(cli.size()).map(|pixels| pixels as f32);
    let room = Room::new([width, height], width, 0.0);
    let is_auto = cli.detail() == DetailChoice::Auto;
    is_auto.then(|| Framing::new(show, clip_ix, Wanted::of(cli), room))
}

/// What is wrong comes first; what was noted may be why.
fn with_notes(error: anyhow::Error, notes: &[String]) -> anyhow::Error {
    match notes {
        [] => error,
        notes => anyhow!("{error:#} ({})", notes.join("; ")),
    }
}

/// What one run keeps. Dropped from the first to the last: what is made on the device before it.
struct Run {
    frames: Frames,
    show: Show,
    meter: Option<QualityMeter>,
    /// Only when frames are to be written.
    picture: Option<Picture>,
    gif: Option<Gif>,
    /// Where the camera would stand, if the cloth's detail depends on it.
    watcher: Option<Framing>,
    samples: StageSamples,
    passes: PassSamples,
    tracing: Option<Tracing>,
    facts: Facts,
    device: Arc<Device>,
}

/// What the report says besides measurements.
struct Facts {
    identity: Identity,
    scene: String,
    begins_at_once: bool,
    garment: String,
    technique: String,
    fields: String,
    clip: Option<String>,
    notes: Vec<String>,
    /// Metres from the skin within which cloth counts as touching it.
    touch_reach: f64,
}

impl Run {
    fn new(cli: &Cli, device: &Arc<Device>, preloaded: Preloaded) -> anyhow::Result<Self> {
        let tolerances = tolerances_of(&preloaded.desc);
        let refusal = preloaded.refusal();
        let board = cli.panels.then(|| BoardDesc::of(cli, &preloaded));
        let resolution = cli.draws().then(|| cli.size());
        let facts = Facts {
            identity: Identity::new(SCHEMA, "viewer", &device.info, resolution),
            scene: preloaded.scene.name.to_owned(),
            begins_at_once: preloaded.scene.begins_at_once,
            garment: preloaded.worn_name(),
            technique: preloaded.desc.technique.name().to_owned(),
            fields: preloaded.fields.to_string(),
            clip: preloaded.clip,
            notes: preloaded.notes,
            touch_reach: tolerances.false_contact_distance
                + f64::from(preloaded.desc.garment.thickness),
        };
        let clip_ix = preloaded.desc.clip_ix;
        let source = || refusal.clone();
        let worn = preloaded.garment_settings;
        let mut show = Show::new(device, preloaded.desc).with_context(source)?;
        wear(&mut show.world, &worn);
        show.set_part(cli.clip_part());
        let meter = cli
            .oracle
            .then(|| QualityMeter::new(&mut show, tolerances, STEP_SECONDS))
            .transpose()
            .with_context(source)?;
        Ok(Self {
            picture: cli
                .draws()
                .then(|| Picture::new(device, &show, clip_ix, cli, board))
                .transpose()?,
            gif: cli
                .gif
                .is_some()
                .then(|| Gif::new(cli.every()))
                .transpose()?,
            frames: Frames::new(device, FRAMES_IN_FLIGHT)?,
            device: Arc::clone(device),
            watcher: watcher(cli, &show, clip_ix),
            show,
            meter,
            samples: StageSamples::default(),
            passes: PassSamples::default(),
            tracing: None,
            facts,
        })
    }

    fn finish(
        mut self,
        cli: &Cli,
        frame_count: u32,
        progress: &mut Progress,
    ) -> anyhow::Result<Report> {
        if !self.facts.begins_at_once {
            progress.begin(Phase::Settle, self.show.preroll_steps());
            self.show
                .preroll_watched(&mut self.frames, || progress.step())?;
        }
        self.show.world.time(cli.timing())?;
        let usual = if frame_count > 2 * WARM_UP_FRAMES {
            WARM_UP_FRAMES
        } else {
            0
        };
        let trace_from = cli.trace_from.unwrap_or(usual);
        anyhow::ensure!(
            cli.trace.is_none() || trace_from < frame_count,
            "--trace-from {trace_from}: there are {frame_count} frames"
        );
        progress.begin(Phase::Run, frame_count);
        for frame_ix in 0..frame_count {
            if let Some(file) = cli.trace.clone().filter(|_| frame_ix == trace_from) {
                let names = [self.facts.technique.as_str()];
                let desc = TraceDesc {
                    file,
                    frame_count: cli.trace_frames(),
                    over_ms: cli.trace_over,
                };
                self.tracing = Some(Tracing::new(&self.device, desc, &names));
            }
            self.frame(cli, frame_ix)?;
            progress.step();
        }
        self.device.wait_idle()?;
        progress.end();
        self.save_trace(|_| true)?;
        if let Some(note) = self.picture.as_ref().and_then(|p| p.emptiness(&self.show)) {
            remark!("viewer: {note}");
            self.facts.notes.push(note);
        }
        if let (Some(gif), Some(file)) = (self.gif.take(), &cli.gif) {
            write_whole(file, &gif.finish())?;
        }
        let report = self.report(cli, frame_count, progress.past())?;
        if let Some(file) = &cli.report {
            write_whole(file, &serde_json::to_vec_pretty(&report)?)?;
        }
        if let Some(file) = &cli.frame_times {
            let text = report.identity.comment() + &self.samples.csv();
            write_whole(file, text.as_bytes())?;
        }
        Ok(report)
    }

    fn frame(&mut self, cli: &Cli, frame_ix: u32) -> anyhow::Result<()> {
        let kept = cli.keeps(frame_ix);
        self.choose_detail(cli);
        self.step()?;
        if frame_ix >= WARM_UP_FRAMES {
            self.samples.take_frame(self.show.world.stage_times());
            self.passes.take_frame(self.show.world.stage_times());
        }
        let mut judged = None;
        if let Some(meter) = &mut self.meter {
            judged = Some(Judged {
                seen: meter.look(&mut self.show, &self.device, &mut self.frames)?,
                quality: meter.quality(),
            });
        }
        // Panels show what pictures took in the frames before as well.
        let is_shown = cli.panels && frame_ix + PANEL_FRAMES >= cli.from.unwrap_or_default();
        if let (Some(picture), true) = (&mut self.picture, kept || is_shown) {
            let (device, frames) = (&self.device, &mut self.frames);
            let drawn = picture.draw(device, frames, &mut self.show, judged.as_ref())?;
            self.samples.take(picture.stage_times());
            if kept {
                self.keep(cli, frame_ix, drawn)?;
            }
        }
        if let (Some(folder), true) = (&cli.export, kept) {
            self.export(&folder.join(format!("frame_{frame_ix:05}.obj")))?;
        }
        Ok(())
    }

    fn choose_detail(&mut self, cli: &Cli) {
        let watcher = self.watcher.as_mut();
        let camera = watcher.map_or(Camera::default(), |watcher| watcher.camera(&self.show));
        cli.detail()
            .apply(&mut self.show, &camera, cli.size().1 as f32);
    }

    /// Keeps the picture that was drawn last where the flags want it.
    fn keep(&mut self, cli: &Cli, frame_ix: u32, drawn: RgbaImage) -> anyhow::Result<()> {
        let name = format!("frame_{frame_ix:05}.png");
        if let Some(picture) = &mut self.picture {
            picture.count(&self.show, &name);
        }
        if let Some(folder) = &cli.out {
            write_png(&folder.join(name), &drawn.clone().into())?;
        }
        if let Some(gif) = &mut self.gif {
            gif.add(drawn)?;
        }
        Ok(())
    }

    fn step(&mut self) -> anyhow::Result<()> {
        let began = Instant::now();
        let cmd = self.frames.begin()?;
        let waited = Instant::now();
        self.show.record(cmd, 1, None)?;
        let recorded = Instant::now();
        self.frames.submit(Submission::default())?;
        if let Some(tracing) = &mut self.tracing {
            tracing.take_gpu(0, self.show.world.stage_times());
            tracing.take_cpu(CpuFrame {
                began,
                waited,
                recorded,
                submitted: Instant::now(),
            });
        }
        self.save_trace(Tracing::is_complete)
    }

    /// Saves the trace that is to be saved now, if there is one.
    fn save_trace(&mut self, is_due: impl FnOnce(&Tracing) -> bool) -> anyhow::Result<()> {
        if let Some(tracing) = self.tracing.take_if(|tracing| is_due(tracing)) {
            tracing.save(&self.device)?;
        }
        Ok(())
    }

    fn export(&mut self, file: &std::path::Path) -> anyhow::Result<()> {
        let (bodies, triangles) = (self.show.exact_bodies(), self.show.body_triangles());
        let particles = self.show.particles(&self.device, &mut self.frames)?;
        let mut objects = vec![Object {
            name: "body",
            positions: &bodies,
            normals: &[],
            triangles: &triangles,
        }];
        let (_, garments) = self.show.drawn();
        for (garment, worn) in garments.into_iter().zip(self.worn(&particles)) {
            objects.push(Object {
                name: worn.name,
                positions: worn.particles,
                normals: &[],
                triangles: &garment.mesh.triangles,
            });
        }
        Ok(write_obj(file, &objects)?)
    }

    /// The garments of all characters, and where their particles are.
    fn worn<'a>(&'a self, particles: &'a [glam::Vec3]) -> Vec<Worn<'a>> {
        let (_, garments) = self.show.drawn();
        let worn = garments.into_iter().enumerate();
        let worn = worn.map(|(garment_ix, garment)| {
            let range = self.show.world.garment_particles(garment_ix);
            Worn {
                name: &garment.name,
                particles: &particles[range.start as usize..range.end as usize],
            }
        });
        worn.collect()
    }

    /// Says which garments touch nothing of the character in the last frame.
    fn tell_untouched(&mut self, particles: &[glam::Vec3]) {
        let show = &self.show;
        let told = untouched(
            &show.exact_bodies(),
            &show.body_triangles(),
            &self.worn(particles),
            self.facts.touch_reach,
        );
        for note in &told {
            remark!("viewer: {note}");
        }
        self.facts.notes.extend(told);
    }

    /// What the driver made of the shaders, if that is asked for. Where it does not tell, that is said.
    fn pipelines(&self, cli: &Cli) -> Option<Vec<PipelineExecutable>> {
        let told = cli
            .pipelines
            .then(|| self.show.world.gpu().pipeline_executables())?;
        if told.is_none() {
            remark!(
                "viewer: {} does not tell what it makes of shaders: it lacks VK_KHR_pipeline_executable_properties",
                self.device.info.name
            );
        }
        told
    }

    fn report(
        &mut self,
        cli: &Cli,
        frames: u32,
        phases: &[PhaseSeconds],
    ) -> anyhow::Result<Report> {
        let particles = self.show.particles(&self.device, &mut self.frames)?;
        let overflow_count = self.show.overflow_count(&self.device, &mut self.frames)?;
        let contacts_left_out = (self.show).contacts_left_out(&self.device, &mut self.frames)?;
        let garments_asleep = (self.show).garments_asleep(&self.device, &mut self.frames)?;
        self.tell_untouched(&particles);
        let avatar = &self.show.avatar;
        let validated = self.device.instance.validation_counts();
        Ok(Report {
            identity: self.facts.identity.clone(),
            device: self.device.info.clone(),
            characters: self.show.performances().len(),
            particles: particles.len(),
            scene: self.facts.scene.clone(),
            avatar: AvatarReport {
                name: avatar.name.clone(),
                triangles: avatar.skin.triangles.len(),
                joints: avatar.skeleton.joints.len(),
                fields: self.show.world.attachments().count() as usize,
                clip: self.facts.clip.clone(),
                tolerated: avatar.tolerated,
                notes: self.facts.notes.clone(),
            },
            garment: self.facts.garment.clone(),
            technique: self.facts.technique.clone(),
            fields: self.facts.fields.clone(),
            settings: self.show.world.settings().clone(),
            frames,
            phases: phases.to_vec(),
            validation: Some(validated),
            stages: self.samples.report(),
            passes: self.passes.report(),
            pipelines: self.pipelines(cli),
            whole_frame: self.samples.frame_report(),
            memory: self.show.world.memory(),
            record_cpu_ms: Spread::of(&self.show.record_cpu_ms),
            launches: self.show.world.launches(),
            quality: self.meter.as_ref().map(QualityMeter::quality),
            seen: self.meter.as_ref().map(QualityMeter::seen),
            solids: self.meter.as_ref().and_then(QualityMeter::solids),
            overflow_count,
            contacts_left_out,
            garments_asleep,
            non_finite_particles: particles
                .iter()
                .filter(|position| !position.is_finite())
                .count(),
            state_hash: hash(bytemuck::cast_slice(&particles)),
        })
    }
}
