//! Characters and clothes of the conditions, all made before anything is timed, so that the CPU is quiet then.

use std::sync::Arc;
use std::time::Instant;

use radial_fields::avatar::Avatar;
use radial_fields::cloth::garment::Garment;
use radial_fields::scenes::conditions::{COUNT_TOLERANCE, Condition, Figure};
use radial_fields::scenes::{Character, ShowDesc};
use radial_fields::{Technique, remark};
use rayon::prelude::*;

use crate::cli::PlayedFlags;
use crate::results::ConditionReport;

/// A condition ready to be played.
pub struct Preloaded {
    pub condition: &'static Condition,
    /// Conditions with the same character share it.
    pub avatar: Arc<Avatar>,
    pub garments: Vec<Garment>,
    pub report: ConditionReport,
}

impl Preloaded {
    /// One character of it on the stage.
    pub fn show(&self, technique: Technique, frames_in_flight: usize) -> ShowDesc {
        self.condition
            .show(&self.avatar, &self.garments, technique, frames_in_flight)
    }
}

/// Makes what the flags play, and says what there is to know of it.
pub fn preload_one(flags: &PlayedFlags) -> anyhow::Result<Preloaded> {
    let condition = Condition::find(flags.condition).expect("the flag has its range");
    let max_particles = flags.particles.map(|count| count as usize);
    let preloaded = preload(&[condition], max_particles)?.remove(0);
    for note in &preloaded.report.notes {
        remark!("bench:   {note}");
    }
    Ok(preloaded)
}

/// Makes everything, on all cores.
pub fn preload(
    conditions: &[&'static Condition],
    max_particles: Option<usize>,
) -> anyhow::Result<Vec<Preloaded>> {
    let began = Instant::now();
    remark!("bench: making characters and clothes");
    let mut figures: Vec<Figure> = conditions
        .iter()
        .map(|condition| condition.figure)
        .collect();
    figures.dedup();
    let cast: Vec<(Figure, Arc<Avatar>, Vec<String>)> = figures
        .par_iter()
        .map(|&figure| {
            let Character { avatar, notes } = figure.load()?;
            Ok((figure, Arc::new(avatar), notes))
        })
        .collect::<anyhow::Result<_>>()?;
    let preloaded = conditions.par_iter().map(|&condition| {
        let played = cast.iter().find(|(figure, ..)| *figure == condition.figure);
        let (_, avatar, notes) = played.expect("every condition's figure was loaded");
        let garments = condition.dress(avatar, max_particles)?;
        Ok(Preloaded {
            condition,
            report: report(condition, avatar, &garments, notes),
            avatar: Arc::clone(avatar),
            garments,
        })
    });
    let preloaded = preloaded.collect::<anyhow::Result<_>>();
    remark!("bench: made in {:.1} s", began.elapsed().as_secs_f32());
    preloaded
}

fn report(
    condition: &Condition,
    avatar: &Avatar,
    garments: &[Garment],
    notes: &[String],
) -> ConditionReport {
    let particles = garments.iter().map(|garment| garment.mesh.positions.len());
    let mut report = ConditionReport::new(
        condition,
        &avatar.name,
        avatar.skin.triangles.len(),
        particles.sum(),
    );
    if let Some(clip) = avatar.clips.first() {
        report.clip = Some(clip.name.clone());
        report.clip_seconds = clip.duration;
    }
    report.notes = notes.to_vec();
    let counts = [
        ("triangles", report.triangle_deviation),
        ("particles", report.particle_deviation),
    ];
    for (what, off) in counts
        .into_iter()
        .filter(|(_, off)| off.abs() > COUNT_TOLERANCE)
    {
        let note = format!("{:+.1} % {what}: not the paper's condition", 100.0 * off);
        report.notes.push(note);
    }
    report
}
