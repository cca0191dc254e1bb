//! The comparison: each technique under each condition, in one process, without a window.

use std::sync::Arc;
use std::time::Instant;

use radial_fields::engine::output::{prepare_files, write_png, write_whole};
use radial_fields::engine::trace::Trace;
use radial_fields::engine::{Device, Identity, Instance, InstanceDesc, Validation};
use radial_fields::scenes::conditions::cloth_settings;
use radial_fields::{CollideSettings, Technique, remark};

use crate::Verdict;
use crate::cli::ComparisonFlags;
use crate::plan::Plan;
use crate::preload::{Preloaded, preload};
use crate::results::{Failure, Results};
use crate::trial::TrialDesc;
use crate::{csv, plot, speed_up, table, trial};

/// Runs what the flags ask for. Faulty if a trial failed or validation spoke up.
pub fn run(flags: &ComparisonFlags) -> anyhow::Result<Verdict> {
    let plan = Plan::new(flags)?;
    let files = [
        ("--json", &flags.json),
        ("--csv", &flags.csv),
        ("--frame-times", &flags.frame_times),
        ("--plot", &flags.plot),
        ("--trace", &flags.trace),
    ];
    let written = files
        .into_iter()
        .filter_map(|(flag, file)| Some((flag, file.as_deref()?)));
    prepare_files(&written.collect::<Vec<_>>(), &[])?;
    let instance = Instance::new(&InstanceDesc {
        application: c"bench",
        validation: Validation::wanted(flags.validate),
        extensions: &[],
    })?;
    let device = Device::open(&instance, flags.gpu.as_deref(), None)?;
    let mut comparison = Comparison::new(flags, &device);
    let max_particles = flags.particles.map(|count| count as usize);
    for preloaded in preload(&plan.conditions, max_particles)? {
        comparison.try_condition(preloaded, &plan.techniques);
        comparison.write_figures()?;
    }
    comparison.finish()?;
    for text in instance.validation_texts() {
        remark!("bench: validation {text}");
    }
    Ok(match comparison.results.is_faulty() {
        true => Verdict::Faulty,
        false => Verdict::Sound,
    })
}

/// Of the file of `--json`. 2: with the identity, and of each spread the count and 99 %.
const SCHEMA: (&str, u32) = ("radial_fields.bench.comparison", 2);

struct Comparison<'a> {
    flags: &'a ComparisonFlags,
    device: &'a Arc<Device>,
    results: Results,
    trace: Option<Trace>,
}

impl<'a> Comparison<'a> {
    fn new(flags: &'a ComparisonFlags, device: &'a Arc<Device>) -> Self {
        remark!("bench: {} ({})", device.info.name, device.info.driver);
        let identity = Identity::new(SCHEMA, "bench", &device.info, None);
        Self {
            flags,
            device,
            results: Results {
                command: identity.command.clone(),
                device: device.info.clone(),
                identity,
                frames: flags.frames,
                cloth: cloth_settings(),
                collide: CollideSettings::default(),
                notes: notes_on(flags, device),
                conditions: Vec::new(),
                trials: Vec::new(),
                failures: Vec::new(),
                speed_ups: Vec::new(),
                validation: None,
            },
            trace: flags.trace.is_some().then(Trace::default),
        }
    }

    fn try_condition(&mut self, preloaded: Preloaded, techniques: &[Technique]) {
        let condition = preloaded.condition;
        let report = &preloaded.report;
        remark!(
            "bench: condition {}: {}, {} triangles, {} particles",
            condition.number,
            report.character,
            report.triangles,
            report.particles
        );
        for note in &report.notes {
            remark!("bench:   {note}");
        }
        for &technique in techniques {
            self.try_technique(&TrialDesc {
                device: self.device,
                condition,
                avatar: &preloaded.avatar,
                garments: &preloaded.garments,
                technique,
                frames: self.flags.frames,
                oracle_every: self.flags.oracle.then_some(self.flags.oracle_every),
            });
        }
        self.results.conditions.push(preloaded.report);
    }

    /// One that fails does not take the others with it.
    fn try_technique(&mut self, desc: &TrialDesc) {
        let began = Instant::now();
        let outcome = trial::run(desc, self.trace.as_mut());
        let name = desc.technique.name();
        match outcome {
            Ok(trial) => {
                remark!("bench:   {name}: {:.1} s", began.elapsed().as_secs_f32());
                self.results.trials.push(trial);
            }
            Err(error) => {
                let reason = format!("{error:#}");
                remark!("bench:   {name} failed: {reason}");
                self.results.failures.push(Failure {
                    condition: desc.condition.number,
                    technique: desc.technique,
                    reason,
                });
            }
        }
    }

    /// Written after every condition, so that a long run that is stopped leaves what it has.
    fn write_figures(&mut self) -> anyhow::Result<()> {
        self.results.speed_ups = speed_up::speed_ups(&self.results.trials);
        if self.flags.validate {
            self.results.validation = Some(self.device.instance.validation_counts());
        }
        if let Some(file) = &self.flags.json {
            let json = serde_json::to_vec_pretty(&self.results)?;
            write_whole(file, &json)?;
        }
        if let Some(file) = &self.flags.csv {
            let text = csv::text(&self.results);
            write_whole(file, text.as_bytes())?;
        }
        if let Some(file) = &self.flags.frame_times {
            let text = csv::frames(&self.results);
            write_whole(file, text.as_bytes())?;
        }
        Ok(())
    }

    fn finish(&self) -> anyhow::Result<()> {
        if let (Some(file), Some(trace)) = (&self.flags.trace, &self.trace) {
            let json = trace.to_json()?;
            write_whole(file, &json)?;
        }
        if let Some(file) = &self.flags.plot {
            write_png(file, &plot::draw(&self.results)?)?;
        }
        table::print(&self.results);
        Ok(())
    }
}

fn notes_on(flags: &ComparisonFlags, device: &Device) -> Vec<String> {
    let facts = [
        (
            !device.info.is_gpu,
            "Vulkan in software: the times compare nothing (Mesa 22.3 marks a dispatch's begin when it is over)",
        ),
        (
            flags.validate,
            "validation ran: the times on the CPU mean nothing",
        ),
        (
            device.timestamp_valid_bits() == 0,
            "the device has no timestamps: there are no GPU times",
        ),
        (
            !device.has_pipeline_statistics,
            "the device cannot count shader invocations (pipelineStatisticsQuery)",
        ),
        (
            !device.has_calibrated_timestamps,
            "the device has no calibrated timestamps: the trace's GPU rows are aligned at submission",
        ),
    ];
    let told = facts.into_iter().filter(|(applies, _)| *applies);
    told.map(|(_, note)| note.to_owned()).collect()
}
