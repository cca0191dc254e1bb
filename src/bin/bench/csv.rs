//! The comparison as rows: one per condition and technique.

use std::fmt::Write as _;

use radial_fields::stage::Stage;

use crate::results::{ConditionReport, Results, Trial};

/// A row per timed frame, of all conditions and techniques, with the simulation's stages: empty where one did not run.
pub fn frames(results: &Results) -> String {
    let stages = simulated().map(|stage| format!(",{}_ms", stage.name()));
    let mut text = results.identity.comment();
    text += &format!(
        "condition,technique,frame,sum_ms,gaps_ms{}\n",
        stages.collect::<String>()
    );
    for trial in &results.trials {
        for frame in &trial.frame_samples {
            let cells = simulated().map(|stage| format!(",{}", cell(frame.stages[stage.ix()])));
            text += &format!(
                "{},{},{},{},{}{}\n",
                trial.condition,
                trial.technique.name(),
                frame.frame_ix,
                frame.sum_ms,
                frame.gaps_ms,
                cells.collect::<String>()
            );
        }
    }
    text
}

/// The text of the file. Empty cells are what was not measured.
pub fn text(results: &Results) -> String {
    let mut text = results.identity.comment() + &header();
    for condition in &results.conditions {
        for trial in results.trials_of(condition.condition) {
            text.push_str(&row(condition, trial));
        }
    }
    text
}

const COLUMNS: &str = "condition,avatar,cloth,character,triangles,particles,technique,\
    update_ms_median,update_ms_p95,collide_ms_median,collide_ms_p95,frame_ms_median,frame_ms_p95,\
    updates_per_frame,collisions_per_frame,structure_bytes,collide_bytes,dispatches,draws,barriers,\
    paper_update_ms,paper_collide_ms,paper_memory_mb,\
    inside_fraction,max_penetration_mm,false_contact_fraction,jitter_mm,\
    deep_worst,deep_seen_worst,torn_percent,bare_percent_worst,stretch_p99,stretch_max,overflow_count,\
    runs,both_ms_least_run,both_ms_most_run,frame_ms_least_run,frame_ms_most_run";

/// Then a stage a column.
fn header() -> String {
    let stages = simulated().map(|stage| format!(",stage_{}_ms_median", stage.name()));
    format!("{COLUMNS}{}\n", stages.collect::<String>())
}

fn simulated() -> impl Iterator<Item = Stage> {
    Stage::ALL.into_iter().filter(|stage| stage.is_simulation())
}

fn row(condition: &ConditionReport, trial: &Trial) -> String {
    let launches = trial.launches;
    let (paper, quality) = (trial.paper.as_ref(), trial.quality.as_ref());
    let both = trial.run_range(|run| run.both_ms);
    let frame = trial.run_range(|run| run.frame_ms);
    let cells = [
        condition.condition.to_string(),
        quoted(condition.avatar),
        quoted(condition.cloth),
        quoted(&condition.character),
        condition.triangles.to_string(),
        condition.particles.to_string(),
        trial.technique.name().to_owned(),
        trial.update_ms.median.to_string(),
        trial.update_ms.p95.to_string(),
        trial.collide_ms.median.to_string(),
        trial.collide_ms.p95.to_string(),
        trial.frame_ms.median.to_string(),
        trial.frame_ms.p95.to_string(),
        trial.updates_per_frame.to_string(),
        trial.collisions_per_frame.to_string(),
        trial.memory.structure_bytes.to_string(),
        trial.memory.collide_bytes.to_string(),
        launches.dispatches.to_string(),
        launches.draws.to_string(),
        launches.barriers.to_string(),
        cell(paper.map(|paper| paper.update_ms)),
        cell(paper.map(|paper| paper.collide_ms)),
        cell(paper.map(|paper| paper.memory_mb)),
        cell(quality.map(|quality| quality.inside_fraction)),
        cell(quality.map(|quality| quality.max_penetration_mm)),
        cell(quality.and_then(|quality| quality.false_contact_fraction)),
        cell(quality.and_then(|quality| quality.jitter_mm)),
        cell(trial.worst_seen(|seen| seen.deep.worst)),
        cell(trial.worst_seen(|seen| seen.deep_seen.worst)),
        cell(trial.worst_seen(|seen| seen.torn.percent)),
        cell(trial.worst_seen(|seen| seen.bare_percent.worst)),
        cell(trial.worst_seen(|seen| seen.stretch.p99)),
        cell(trial.worst_seen(|seen| seen.stretch.max)),
        trial.overflow_count.to_string(),
        trial.runs.len().to_string(),
        both[0].to_string(),
        both[1].to_string(),
        frame[0].to_string(),
        frame[1].to_string(),
    ];
    let mut row = cells.join(",");
    for stage in simulated() {
        let found = trial.stages.iter().find(|report| report.name == stage);
        let median = found.map(|report| report.gpu_ms.median);
        write!(row, ",{}", cell(median)).expect("a string takes everything");
    }
    row.push('\n');
    row
}

fn cell(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
