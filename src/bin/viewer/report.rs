//! What a run found out, as JSON and as a table.

use radial_fields::engine::{DeviceInfo, Identity, ValidationCounts};
use radial_fields::gpu::{ExecutableStatistic, Launches, PipelineExecutable};
use radial_fields::oracle::Quality;
use radial_fields::oracle::seen::GarmentFigures;
use radial_fields::oracle::solids::SolidQuality;
use radial_fields::scenes::{FrameReport, PassReport, Spread, StageReport};
use radial_fields::{Settings, WorldMemory, say};
use serde::Serialize;

use crate::progress::PhaseSeconds;
use crate::seen_table;

/// The report of a headless run.
#[derive(Serialize)]
pub struct Report {
    pub identity: Identity,
    pub device: DeviceInfo,
    pub scene: String,
    pub avatar: AvatarReport,
    /// Copies of it.
    pub characters: usize,
    /// Of all of them together.
    pub particles: usize,
    pub garment: String,
    pub technique: String,
    /// As `--fields` names them.
    pub fields: String,
    pub settings: Settings,
    pub frames: u32,
    /// What the run spent its time on.
    pub phases: Vec<PhaseSeconds>,
    /// Only when validation ran.
    pub validation: Option<ValidationCounts>,
    pub stages: Vec<StageReport>,
    /// Dispatch by dispatch, those of a shader together; only with `--passes`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<PassReport>,
    /// What the driver made of each shader; only with `--pipelines`, where it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pipelines: Option<Vec<PipelineExecutable>>,
    /// All stages of a frame's simulation together, and the gaps between them; not the sum of the stages' own percentiles.
    pub whole_frame: FrameReport,
    pub memory: WorldMemory,
    pub record_cpu_ms: Spread,
    pub launches: Launches,
    /// Only with `--oracle`.
    pub quality: Option<Quality>,
    /// What a person sees of each garment, innermost first; only with `--oracle`.
    pub seen: Option<Vec<GarmentFigures>>,
    /// How the cloth stays out of rigid solids, by their own shapes; only with `--oracle`, where there are some.
    pub solids: Option<SolidQuality>,
    /// What the technique's lists had no room for: see `Technique::overflow`.
    pub overflow_count: u32,
    /// Pairs of cloth that found no room in the lists of what may meet: `None` where cloth does not meet cloth.
    pub contacts_left_out: Option<u32>,
    /// Garments that slept in the last frame; none where none may.
    pub garments_asleep: Option<usize>,
    /// Particles that are not finite numbers; anything but 0 is a fault.
    pub non_finite_particles: usize,
    /// Hash of the particles after the last frame: equal for equal input on one device.
    pub state_hash: String,
}

/// The character of a report.
#[derive(Serialize)]
pub struct AvatarReport {
    pub name: String,
    pub triangles: usize,
    pub joints: usize,
    pub fields: usize,
    pub clip: Option<String>,
    pub tolerated: radial_fields::avatar::Tolerated,
    pub notes: Vec<String>,
}

fn print_row(name: &str, ms: Spread) {
    let Spread {
        median,
        p95,
        p99,
        max,
        ..
    } = ms;
    say!("{name:<16}{median:>10.3}{p95:>10.3}{p99:>10.3}{max:>10.3}");
}

impl Report {
    /// The table a person reads.
    pub fn print(&self) {
        say!(
            "{} ({}), {} frames of {}",
            self.device.name,
            self.device.driver,
            self.frames,
            self.scene
        );
        if !self.device.is_gpu {
            say!("Vulkan in software: the times below show that it works, not how fast a GPU is");
        }
        say!(
            "{:<16}{:>10}{:>10}{:>10}{:>10}",
            "stage",
            "median ms",
            "p95 ms",
            "p99 ms",
            "max ms"
        );
        self.print_times();
        if let (Some(overflow), 1..) = (self.memory.technique.overflow(), self.overflow_count) {
            say!("{} {overflow}", self.overflow_count);
        }
        if let Some(count @ 1..) = self.contacts_left_out {
            say!(
                "{count} pairs of cloth had no room in the lists of what may meet, the nearest were kept"
            );
        }
        if let Some(asleep) = self.garments_asleep {
            say!(
                "{asleep} of {} garments sleep",
                self.settings.garments.len()
            );
        }
        self.print_quality();
        if let Some(validation) = self.validation {
            say!(
                "validation: {} errors, {} warnings",
                validation.errors,
                validation.warnings
            );
        }
        say!("state hash {}", self.state_hash);
    }

    fn print_times(&self) {
        for stage in &self.stages {
            print_row(stage.name.name(), stage.gpu_ms);
        }
        print_row("simulation", self.whole_frame.sum_ms);
        if !self.stages.is_empty() {
            print_row("gaps", self.whole_frame.gaps_ms);
        }
        say!("of {} timed frames", self.whole_frame.sum_ms.count);
        self.print_passes();
        self.print_pipelines();
        let Launches {
            dispatches,
            draws,
            barriers,
        } = self.launches;
        say!("launches per frame: {dispatches} dispatches, {draws} draws, {barriers} barriers");
        say!(
            "recording on the CPU: median {:.3} ms, p95 {:.3} ms",
            self.record_cpu_ms.median,
            self.record_cpu_ms.p95
        );
        let in_fields = match self.avatar.fields {
            0 => String::new(),
            count => format!(" in {count} fields"),
        };
        say!(
            "{}: {:.3} MB{}, {:.3} MB with all it needs",
            self.memory.technique.name(),
            self.memory.structure_bytes as f64 / 1e6,
            in_fields,
            self.memory.collide_bytes as f64 / 1e6
        );
    }

    fn print_passes(&self) {
        if self.passes.is_empty() {
            return;
        }
        say!(
            "{:<34}{:>8}{:>10}{:>10}{:>10}{:>10}",
            "pass, each waiting for the last",
            "a frame",
            "median ms",
            "p95 ms",
            "MB bound",
            "GB/s"
        );
        for pass in &self.passes {
            let Spread { median, p95, .. } = pass.gpu_ms;
            say!(
                "{:<34}{:>8}{median:>10.4}{p95:>10.4}{:>10.2}{:>10.1}",
                pass.name,
                pass.per_frame,
                pass.bound_mb,
                pass.gb_per_s
            );
        }
    }

    fn print_pipelines(&self) {
        for executable in self.pipelines.iter().flatten() {
            let PipelineExecutable {
                pipeline,
                name,
                subgroup_size,
                statistics,
            } = executable;
            let figure = |statistic: &ExecutableStatistic| {
                let ExecutableStatistic { name, value, .. } = statistic;
                format!(", {name} {value}")
            };
            let figures: String = statistics.iter().map(figure).collect();
            say!("{pipeline:<34} {name}, subgroup {subgroup_size}{figures}");
        }
    }

    fn print_quality(&self) {
        if let Some(quality) = &self.quality {
            say!(
                "quality: {} particles, {:.4} inside ({:.4} of those touching), deepest {:.1} mm, false contacts {:.4} (mean push {:.2} mm), jitter {:.2} mm",
                quality.particles,
                quality.inside_fraction,
                quality.inside_per_contact.unwrap_or(0.0),
                quality.max_penetration_mm,
                quality.false_contact_fraction.unwrap_or(0.0),
                quality.mean_false_push_mm.unwrap_or(0.0),
                quality.jitter_mm.unwrap_or(0.0)
            );
        }
        if let Some(solids) = &self.solids {
            say!(
                "solids: {:.4} of the particles inside, deepest {:.1} mm; {} triangles pierced at the end, {} at worst in the last half second, {} at worst",
                solids.inside_fraction,
                solids.max_penetration_mm,
                solids.pierced_last,
                solids.pierced_late,
                solids.pierced_most
            );
        }
        if let Some(seen) = &self.seen {
            seen_table::print(seen);
        }
    }
}
