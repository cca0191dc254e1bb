//! What a comparison found out: the file of `--json`.

use glam::Vec3;
use radial_fields::cloth::ClothSettings;
use radial_fields::engine::{DeviceInfo, Identity, ValidationCounts};
use radial_fields::gpu::{Invocations, Launches};
use radial_fields::oracle::Quality;
use radial_fields::oracle::seen::GarmentFigures;
use radial_fields::scenes::conditions::{Condition, PaperCost, deviation};
use radial_fields::scenes::{FrameReport, FrameSample, Spread, StageReport};
use radial_fields::stage::Stage;
use radial_fields::{CollideSettings, Technique, WorldMemory, remark};
use serde::Serialize;

use crate::speed_up::SpeedUp;
use crate::trial::TrialDesc;

/// All of it.
#[derive(Serialize)]
pub struct Results {
    pub identity: Identity,
    /// As it was typed.
    pub command: String,
    pub device: DeviceInfo,
    /// Timed ones of each run of a trial.
    pub frames: u32,
    /// Of each trial, in another order each time after a first one that does not count.
    pub runs: u32,
    /// As `--fields` names them; those of the radial techniques, with their friction and their edges.
    pub fields: String,
    /// Those of every trial, but for what the fields bring along.
    pub cloth: ClothSettings,
    pub collide: CollideSettings,
    /// What the device could not do, and other things a reader should know.
    pub notes: Vec<String>,
    pub conditions: Vec<ConditionReport>,
    pub trials: Vec<Trial>,
    /// Trials that did not come to their end.
    pub failures: Vec<Failure>,
    pub speed_ups: Vec<SpeedUp>,
    /// Only with `--validate`.
    pub validation: Option<ValidationCounts>,
}

/// A condition as it came out here.
#[derive(Serialize)]
pub struct ConditionReport {
    pub condition: u32,
    /// In the paper's words.
    pub avatar: &'static str,
    pub cloth: &'static str,
    /// Who stood for it: the mannequin, where the human has not been made.
    pub character: String,
    pub outfit: &'static str,
    pub triangles: usize,
    pub paper_triangles: usize,
    /// A part of the paper's; more is positive.
    pub triangle_deviation: f64,
    pub particles: usize,
    pub paper_particles: usize,
    pub particle_deviation: f64,
    pub clip: Option<String>,
    pub clip_seconds: f32,
    pub notes: Vec<String>,
}

/// A technique under a condition; of several runs the middle one. All times are milliseconds.
#[derive(Serialize)]
pub struct Trial {
    pub condition: u32,
    pub technique: Technique,
    /// Metres, for techniques that have cells.
    pub cell_size: f32,
    /// Clearing and filling the structure once, as the paper counts.
    pub update_ms: Spread,
    /// One collision of all particles, as the paper counts.
    pub collide_ms: Spread,
    /// One of each.
    pub both_ms: Spread,
    /// All updates and collisions of a frame.
    pub frame_ms: Spread,
    pub updates_per_frame: usize,
    pub collisions_per_frame: usize,
    /// Sums over a frame, of everything.
    pub stages: Vec<StageReport>,
    /// All stages of a frame together, and the gaps between them.
    pub whole_frame: FrameReport,
    /// The file of `--frame-times`.
    #[serde(skip)]
    pub frame_samples: Vec<FrameSample>,
    pub record_cpu_ms: Spread,
    /// Of a whole frame of the simulation.
    pub launches: Launches,
    pub memory: WorldMemory,
    /// Of one frame; none where the device cannot count.
    pub invocations: Option<Vec<StageCount>>,
    /// Only with `--oracle`.
    pub quality: Option<Quality>,
    /// What a person sees of each garment; only with `--oracle`.
    pub seen: Option<Vec<GarmentFigures>>,
    /// Of the particles, metres, each time the oracle looked; only where the trial was to keep them.
    #[serde(skip)]
    pub positions: Vec<Vec<Vec3>>,
    /// What the technique's lists had no room for: see `Technique::overflow`.
    pub overflow_count: u32,
    /// Anything but 0 is a fault.
    pub non_finite_particles: usize,
    /// Medians of every run, in their order.
    pub runs: Vec<RunMedians>,
    /// Of the particles after the timed frames.
    pub state_hash: String,
    /// What the paper measured, if it has the technique.
    pub paper: Option<PaperCost>,
}

/// Medians of a run, as a [`Trial`] has them.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RunMedians {
    pub update_ms: f32,
    pub collide_ms: f32,
    pub both_ms: f32,
    pub frame_ms: f32,
}

impl RunMedians {
    pub fn of(trial: &Trial) -> Self {
        Self {
            update_ms: trial.update_ms.median,
            collide_ms: trial.collide_ms.median,
            both_ms: trial.both_ms.median,
            frame_ms: trial.frame_ms.median,
        }
    }
}

/// How often shaders ran in a stage.
#[derive(Serialize)]
pub struct StageCount {
    pub name: Stage,
    #[serde(flatten)]
    pub invocations: Invocations,
}

/// A trial that did not come to its end.
#[derive(Serialize)]
pub struct Failure {
    pub condition: u32,
    pub technique: Technique,
    pub reason: String,
}

impl ConditionReport {
    /// `triangles` and `particles` are ours.
    pub fn new(condition: &Condition, character: &str, triangles: usize, particles: usize) -> Self {
        Self {
            condition: condition.number,
            avatar: condition.avatar,
            cloth: condition.cloth,
            character: character.to_owned(),
            outfit: condition.outfit.name(),
            triangles,
            paper_triangles: condition.triangle_count,
            triangle_deviation: deviation(triangles, condition.triangle_count),
            particles,
            paper_particles: condition.particle_count,
            particle_deviation: deviation(particles, condition.particle_count),
            clip: None,
            clip_seconds: 0.0,
            notes: Vec::new(),
        }
    }
}

impl Trial {
    /// The least and the most of the runs' medians.
    pub fn run_range(&self, of: fn(&RunMedians) -> f32) -> [f32; 2] {
        let values = self.runs.iter().map(of);
        values.fold([f32::INFINITY, 0.0], |[least, most], ms| {
            [least.min(ms), most.max(ms)]
        })
    }

    /// The worst garment's figure, if the oracle ran and there is a garment.
    pub fn worst_seen(&self, of: fn(&GarmentFigures) -> f64) -> Option<f64> {
        let figures = self.seen.as_ref()?.iter().map(of);
        figures.reduce(f64::max)
    }
}

impl Results {
    /// The trials of a condition.
    pub fn trials_of(&self, condition: u32) -> impl Iterator<Item = &Trial> {
        self.trials
            .iter()
            .filter(move |trial| trial.condition == condition)
    }

    /// A trial that failed does not take the others with it.
    pub fn take(&mut self, outcome: anyhow::Result<Trial>, desc: &TrialDesc) {
        match outcome {
            Ok(trial) => self.trials.push(trial),
            Err(error) => {
                let reason = format!("{error:#}");
                remark!("bench:   {} failed: {reason}", desc.name());
                self.failures.push(Failure {
                    condition: desc.condition.number,
                    technique: desc.technique,
                    reason,
                });
            }
        }
    }

    /// Whether a run should end as a fault.
    pub fn is_faulty(&self) -> bool {
        let spoke = self
            .validation
            .is_some_and(|counts| counts.errors + counts.warnings > 0);
        let broken = self
            .trials
            .iter()
            .any(|trial| trial.non_finite_particles > 0);
        spoke || broken || !self.failures.is_empty()
    }
}
