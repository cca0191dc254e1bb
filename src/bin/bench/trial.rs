//! One technique under one condition: the clip played once against the clock, and once more for the oracle.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use glam::Vec3;
use radial_fields::Technique;
use radial_fields::avatar::Avatar;
use radial_fields::cloth::Detail;
use radial_fields::cloth::garment::Garment;
use radial_fields::collide::spatial_hash::SpatialHashDef;
use radial_fields::engine::trace::{Alignment, Trace};
use radial_fields::engine::traced::{CpuFrame, TracedFrames};
use radial_fields::engine::{Device, Frames, Submission};
use radial_fields::gpu::StageTimes;
use radial_fields::oracle::seen::GarmentFigures;
use radial_fields::oracle::{Quality, Tolerances};
use radial_fields::scenes::conditions::Condition;
use radial_fields::scenes::{
    QualityMeter, STEP_SECONDS, Show, Spread, StageSamples, Variant, hash,
};
use radial_fields::stage::Stage;

use crate::results::{StageCount, Trial};

/// How many frames the CPU may be ahead.
const FRAMES_IN_FLIGHT: usize = 2;
/// Timed frames of each trial that the trace shows: more make files that browsers are slow with.
const TRACED_FRAMES: usize = 30;

/// How spatial hashing is set.
#[derive(Clone, Copy)]
pub struct HashSetting {
    pub def: SpatialHashDef,
    /// Metres.
    pub search_radius: f32,
}

/// What is tried.
#[derive(Clone, Copy)]
pub struct TrialDesc<'a> {
    pub device: &'a Arc<Device>,
    pub condition: &'static Condition,
    pub avatar: &'a Avatar,
    pub garments: &'a [Garment],
    pub technique: Technique,
    /// How radial fields are laid, filled and read, if it is they.
    pub fields: Variant,
    pub detail: Detail,
    /// From the bind pose until the clip starts.
    pub preroll_seconds: f32,
    /// Other than usual, if it is a hash.
    pub hash: Option<HashSetting>,
    pub frames: u32,
    /// Every how many frames the oracle looks, if it does.
    pub oracle_every: Option<u32>,
    /// Whether the trial keeps where the particles are when the oracle looks.
    pub keeps_positions: bool,
}

impl TrialDesc<'_> {
    /// The technique's name, with what is not as usual.
    pub fn name(&self) -> String {
        let name = self.technique.name();
        match (self.fields, self.hash) {
            (_, Some(HashSetting { def, search_radius })) => {
                let [cell, radius] = [def.cell_size, search_radius].map(|metres| metres * 1e3);
                format!(
                    "{name}, cells of {cell:.1} mm, lists of {}, within {radius:.0} mm",
                    def.list
                )
            }
            (Variant::SHIPPED, None) if self.detail != Detail::Full => {
                format!("{name}, {}", self.detail.name())
            }
            (Variant::SHIPPED, None) => name.to_owned(),
            (fields, None) => format!("{name}, {fields}"),
        }
    }
}

/// Plays the trial.
pub fn run(desc: &TrialDesc, trace: Option<&mut Trace>) -> anyhow::Result<Trial> {
    let mut runner = SceneRunner::new(desc)?;
    let timed = runner.play_timed(desc.frames)?;
    // Every trial begins at zero, so that they lie beneath each other.
    if let (Some(trace), Some(began)) = (trace, timed.traced.began()) {
        let name = format!(
            "condition {}: {}",
            desc.condition.number,
            desc.technique.name()
        );
        timed
            .traced
            .write(trace, &name, began, timed.alignment.as_ref());
    }
    let particles = runner.show.particles(desc.device, &mut runner.frames)?;
    let overflow_count = runner
        .show
        .overflow_count(desc.device, &mut runner.frames)?;
    let judged = desc
        .oracle_every
        .map(|every| runner.play_measured(desc, every))
        .transpose()?;
    let (quality, seen, positions) = match judged {
        Some(judged) => (Some(judged.quality), Some(judged.seen), judged.positions),
        None => (None, None, Vec::new()),
    };
    let spread =
        |of: fn(&FrameCost) -> f32| Spread::of(&timed.costs.iter().map(of).collect::<Vec<_>>());
    let newest = timed.costs.last();
    Ok(Trial {
        condition: desc.condition.number,
        technique: desc.technique,
        cell_size: desc.condition.cell_size(desc.technique),
        update_ms: spread(FrameCost::one_update_ms),
        collide_ms: spread(FrameCost::one_collision_ms),
        both_ms: spread(|cost| cost.one_update_ms() + cost.one_collision_ms()),
        frame_ms: spread(|cost| cost.update_ms + cost.collide_ms),
        updates_per_frame: newest.map_or(0, |cost| cost.updates),
        collisions_per_frame: newest.map_or(0, |cost| cost.collisions),
        stages: timed.samples.report(),
        whole_frame: timed.samples.frame_report(),
        frame_samples: timed.samples.frames().to_vec(),
        record_cpu_ms: Spread::of(&timed.record_cpu_ms),
        launches: runner.show.world.launches(),
        memory: runner.show.world.memory(),
        invocations: runner.count_invocations()?,
        quality,
        seen,
        positions,
        overflow_count,
        non_finite_particles: particles
            .iter()
            .filter(|position| !position.is_finite())
            .count(),
        runs: Vec::new(),
        state_hash: hash(bytemuck::cast_slice(&particles)),
        paper: desc.condition.paper.named(desc.technique.name()),
    })
}

/// What the oracle found.
struct Measured {
    quality: Quality,
    seen: Vec<GarmentFigures>,
    positions: Vec<Vec<Vec3>>,
}

/// What a frame's collision cost.
struct FrameCost {
    /// Milliseconds of clearing and filling, all of the frame.
    update_ms: f32,
    collide_ms: f32,
    updates: usize,
    collisions: usize,
}

impl FrameCost {
    fn of(times: &StageTimes) -> Self {
        let ms = |stage: Stage| times.stages[stage.ix()].unwrap_or(0.0);
        let count = |stage| times.spans.iter().filter(|span| span.0 == stage).count();
        Self {
            update_ms: ms(Stage::CollideClear) + ms(Stage::CollideUpdate),
            collide_ms: ms(Stage::Collide),
            updates: count(Stage::CollideUpdate),
            collisions: count(Stage::Collide),
        }
    }

    fn one_update_ms(&self) -> f32 {
        self.update_ms / self.updates.max(1) as f32
    }

    fn one_collision_ms(&self) -> f32 {
        self.collide_ms / self.collisions.max(1) as f32
    }
}

/// What a timed clip left.
struct Timed {
    /// World's numbers of the timed frames.
    numbers: Range<u64>,
    samples: StageSamples,
    costs: Vec<FrameCost>,
    record_cpu_ms: Vec<f32>,
    traced: TracedFrames,
    /// The frame whose times came last.
    newest: Option<u64>,
    alignment: Option<Alignment>,
}

/// A show and what it is played on.
struct SceneRunner {
    // First, so that it is dropped while the device is idle and whole.
    show: Show,
    frames: Frames,
    device: Arc<Device>,
}

impl SceneRunner {
    fn new(desc: &TrialDesc) -> anyhow::Result<Self> {
        let TrialDesc {
            device,
            condition,
            avatar,
            garments,
            technique,
            fields,
            detail,
            preroll_seconds,
            hash,
            ..
        } = *desc;
        let mut show = condition.show(avatar, garments, technique, FRAMES_IN_FLIGHT);
        show.preroll_seconds = preroll_seconds;
        if Technique::RADIAL.contains(&technique) {
            fields.apply(&mut show);
        }
        if let Some(hash) = hash {
            show.spatial_hash = hash.def;
            show.collide.search_radius = hash.search_radius;
        }
        let mut show = Show::new(device, show)?;
        show.details.fill(detail);
        Ok(Self {
            show,
            frames: Frames::new(device, FRAMES_IN_FLIGHT)?,
            device: Arc::clone(device),
        })
    }

    fn step(&mut self) -> anyhow::Result<CpuFrame> {
        let began = Instant::now();
        let cmd = self.frames.begin()?;
        let waited = Instant::now();
        self.show.record(cmd, 1, None)?;
        let recorded = Instant::now();
        self.frames.submit(Submission::default())?;
        Ok(CpuFrame {
            began,
            waited,
            recorded,
            submitted: Instant::now(),
        })
    }

    /// The way from the bind pose into the clip warms up; then every frame counts.
    fn play_timed(&mut self, frame_count: u32) -> anyhow::Result<Timed> {
        self.show.preroll(&mut self.frames)?;
        let first = u64::from(self.show.preroll_steps());
        let mut timed = Timed::new(first..first + u64::from(frame_count));
        let before = self.device.read_clocks();
        // The times of a frame arrive as many frames later as are in flight.
        for frame_ix in 0..u64::from(frame_count) + FRAMES_IN_FLIGHT as u64 {
            timed.traced.take_cpu(frame_ix, self.step()?);
            timed.take(self.show.world.stage_times());
        }
        self.device.wait_idle()?;
        timed.alignment = timed.traced.align([before, self.device.read_clocks()]);
        let recorded = first as usize..first as usize + frame_count as usize;
        timed.record_cpu_ms = self
            .show
            .record_cpu_ms
            .get(recorded)
            .unwrap_or_default()
            .to_vec();
        Ok(timed)
    }

    fn play_measured(&mut self, desc: &TrialDesc, every: u32) -> anyhow::Result<Measured> {
        // One yardstick for all: what counts as a false contact does not depend on a technique's cells.
        let cell_size = desc.condition.cell_size(Technique::Radial);
        let thickness = radial_fields::GarmentSettings::default().thickness;
        let tolerances = Tolerances::new(f64::from(cell_size), f64::from(thickness));
        let seconds = every as f32 * STEP_SECONDS;
        let mut meter = QualityMeter::new(&mut self.show, tolerances, seconds)?;
        self.show.restart();
        self.show.preroll(&mut self.frames)?;
        let mut positions = Vec::new();
        for frame_ix in 0..desc.frames {
            self.step()?;
            if !frame_ix.is_multiple_of(every) {
                continue;
            }
            meter.look(&mut self.show, &self.device, &mut self.frames)?;
            if desc.keeps_positions {
                positions.push(self.show.particles(&self.device, &mut self.frames)?);
            }
        }
        let quality = meter.quality();
        let jitter_mm = quality.jitter_mm.filter(|_| every == 1);
        // Nothing else reads what it keeps, and the device copies it each step.
        self.show.world.keep_last_collision(false)?;
        Ok(Measured {
            quality: Quality {
                jitter_mm,
                ..quality
            },
            seen: meter.seen(),
            positions,
        })
    }

    /// Plays on until the shader invocations of a frame are known.
    fn count_invocations(&mut self) -> anyhow::Result<Option<Vec<StageCount>>> {
        if !self.device.has_pipeline_statistics {
            return Ok(None);
        }
        // SAFETY: the device has the feature, and no other query is open in the show's command buffers.
        unsafe { self.show.world.count_invocations()? };
        for _ in 0..=FRAMES_IN_FLIGHT {
            self.step()?;
        }
        self.device.wait_idle()?;
        let counted = self.show.world.stage_invocations();
        Ok(counted.map(|counted| {
            let stages = Stage::ALL.into_iter().zip(counted.stages);
            stages
                .filter_map(|(name, invocations)| {
                    let invocations = invocations?;
                    Some(StageCount { name, invocations })
                })
                .collect()
        }))
    }
}

impl Drop for SceneRunner {
    fn drop(&mut self) {
        // The world may only go when the GPU is done with it; a lost device is done.
        let _ = self.device.wait_idle();
    }
}

impl Timed {
    fn new(numbers: Range<u64>) -> Self {
        Self {
            numbers,
            samples: StageSamples::default(),
            costs: Vec::new(),
            record_cpu_ms: Vec::new(),
            traced: TracedFrames::new(TRACED_FRAMES),
            newest: None,
            alignment: None,
        }
    }

    fn take(&mut self, times: &StageTimes) {
        // Times that did not arrive leave those of an earlier frame in place.
        let is_new = self.newest.replace(times.frame_ix) != Some(times.frame_ix);
        if !is_new || !self.numbers.contains(&times.frame_ix) || times.spans.is_empty() {
            return;
        }
        self.samples.take_frame(times);
        self.costs.push(FrameCost::of(times));
        let frame_ix = times.frame_ix - self.numbers.start;
        self.traced.take_gpu(frame_ix, times);
    }
}
