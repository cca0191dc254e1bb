//! The comparison: each technique under each condition, in one process, without a window.

use std::sync::Arc;

use radial_fields::cloth::Detail;
use radial_fields::engine::output::{prepare_files, write_png, write_whole};
use radial_fields::engine::trace::Trace;
use radial_fields::engine::{Device, Identity};
use radial_fields::scenes::conditions::cloth_settings;
use radial_fields::{CollideSettings, Technique, remark};

use crate::Verdict;
use crate::cli::ComparisonFlags;
use crate::opened::Opened;
use crate::plan::Plan;
use crate::preload::{Preloaded, preload};
use crate::results::Results;
use crate::trial::TrialDesc;
use crate::{csv, plot, runs, speed_up, table};

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
    let opened = Opened::new(c"bench", &flags.device)?;
    let device = &opened.device;
    let mut comparison = Comparison::new(flags, device);
    let max_particles = flags.particles.map(|count| count as usize);
    for preloaded in preload(&plan.conditions, max_particles)? {
        comparison.try_condition(preloaded, &plan);
        comparison.write_figures()?;
    }
    comparison.finish()?;
    Ok(opened.verdict(!comparison.results.is_faulty()))
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
        let identity = Identity::new(SCHEMA, "bench", &device.info, None);
        Self {
            flags,
            device,
            results: Results {
                command: identity.command.clone(),
                device: device.info.clone(),
                identity,
                frames: flags.frames,
                runs: flags.runs,
                fields: flags.fields.clone(),
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

    fn try_condition(&mut self, preloaded: Preloaded, plan: &Plan) {
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
        let desc = |&technique: &Technique| TrialDesc {
            device: self.device,
            condition,
            avatar: &preloaded.avatar,
            garments: &preloaded.garments,
            technique,
            fields: plan.fields,
            detail: Detail::Full,
            preroll_seconds: self.flags.preroll.seconds,
            hash: None,
            frames: self.flags.frames,
            oracle_every: self.flags.oracle.then_some(self.flags.oracle_every),
            keeps_positions: false,
        };
        let descs: Vec<_> = plan.techniques.iter().map(desc).collect();
        let played = runs::play(&descs, self.flags.runs, self.trace.as_mut());
        for (outcome, desc) in played.into_iter().zip(&descs) {
            self.results.take(outcome, desc);
        }
        self.results.conditions.push(preloaded.report);
    }

    /// Written after every condition, so that a long run that is stopped leaves what it has.
    fn write_figures(&mut self) -> anyhow::Result<()> {
        self.results.speed_ups = speed_up::speed_ups(&self.results.trials);
        if self.flags.device.validate {
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
            flags.device.validate,
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
