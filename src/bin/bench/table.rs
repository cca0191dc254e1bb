//! The comparison as a person reads it.

use radial_fields::gpu::Launches;
use radial_fields::oracle::Quality;
use radial_fields::say;
use radial_fields::scenes::conditions::{PAPER_DEVICE, PaperCost};

use crate::results::{ConditionReport, Results, StageCount, Trial};
use crate::speed_up::SpeedUp;

/// Prints everything to stdout.
pub fn print(results: &Results) {
    say!(
        "{} ({}), {} frames per run, {} runs of each trial, {} sub-steps of {} iterations per frame",
        results.device.name,
        results.device.driver,
        results.frames,
        results.runs,
        results.cloth.sub_steps,
        results.cloth.iterations
    );
    for note in &results.notes {
        say!("{note}");
    }
    say!(
        "Milliseconds by GPU timestamps, skinning and cloth left out: one update (clearing and filling), one collision,\n\
         and all of a frame's; of the middle run, and the range of the runs' medians. \"paper\": on an {PAPER_DEVICE}, one update and one collision."
    );
    for condition in &results.conditions {
        print_condition(condition, results);
    }
    print_speed_ups(&results.speed_ups);
    for failure in &results.failures {
        say!(
            "condition {}, {}: failed: {}",
            failure.condition,
            failure.technique.name(),
            failure.reason
        );
    }
    if let Some(validation) = results.validation {
        say!(
            "validation: {} errors, {} warnings",
            validation.errors,
            validation.warnings
        );
    }
}

fn print_condition(condition: &ConditionReport, results: &Results) {
    say!(
        "\n{}. {}, {}: {}, {} triangles ({:+.1} %), {} particles ({:+.1} %), {:.1} s of motion",
        condition.condition,
        condition.avatar,
        condition.cloth,
        condition.character,
        condition.triangles,
        100.0 * condition.triangle_deviation,
        condition.particles,
        100.0 * condition.particle_deviation,
        condition.clip_seconds
    );
    for note in &condition.notes {
        say!("   {note}");
    }
    let trials: Vec<&Trial> = results.trials_of(condition.condition).collect();
    if trials.is_empty() {
        return;
    }
    say!(
        "   {:<15}|{:^17}|{:^17}|{:^17}|{:^17}|{:^17}|{:^12}|{:^23}",
        "",
        "update ms",
        "collision ms",
        "all of a frame",
        "range over runs",
        "memory MB",
        "launches",
        "paper"
    );
    say!(
        "   {:<15}|{:>8}{:>8} |{:>8}{:>8} |{:>8}{:>8} |{:>8}{:>8} |{:>8}{:>8} |{:>11} |{:>7}{:>7}{:>8}",
        "technique",
        "median",
        "p95",
        "median",
        "p95",
        "median",
        "p95",
        "least",
        "most",
        "itself",
        "in all",
        "a frame",
        "update",
        "coll.",
        "MB"
    );
    for trial in &trials {
        print_trial(trial);
    }
    trials.iter().for_each(|trial| print_quality(trial));
    trials.iter().for_each(|trial| print_invocations(trial));
}

fn print_trial(trial: &Trial) {
    let Launches {
        dispatches,
        draws,
        barriers,
    } = trial.launches;
    let [least, most] = trial.run_range(|run| run.frame_ms);
    say!(
        "   {:<15}|{:>8.3}{:>8.3} |{:>8.3}{:>8.3} |{:>8.3}{:>8.3} |{:>8.3}{:>8.3} |{:>8.2}{:>8.2} |{:>11} |{}",
        trial.technique.name(),
        trial.update_ms.median,
        trial.update_ms.p95,
        trial.collide_ms.median,
        trial.collide_ms.p95,
        trial.frame_ms.median,
        trial.frame_ms.p95,
        least,
        most,
        trial.memory.structure_bytes as f64 * 1e-6,
        trial.memory.collide_bytes as f64 * 1e-6,
        format!("{dispatches}+{draws}+{barriers}"),
        paper(trial.paper)
    );
}

fn paper(cost: Option<PaperCost>) -> String {
    match cost {
        Some(cost) => format!(
            "{:>7.2}{:>7.2}{:>8.2}",
            cost.update_ms, cost.collide_ms, cost.memory_mb
        ),
        None => format!("{:>7}{:>7}{:>8}", "-", "-", "-"),
    }
}

fn print_quality(trial: &Trial) {
    let name = trial.technique.name();
    if let Some(quality) = &trial.quality {
        say!("   {name}: {}", quality_line(quality));
    }
    if let Some(line) = seen_line(trial) {
        say!("   {name}: {line}");
    }
    if let (Some(overflow), 1..) = (trial.technique.overflow(), trial.overflow_count) {
        say!("   {name}: {} {overflow}", trial.overflow_count);
    }
    if trial.non_finite_particles > 0 {
        say!(
            "   {name}: {} particles are no finite numbers",
            trial.non_finite_particles
        );
    }
}

fn quality_line(quality: &Quality) -> String {
    let jitter = quality
        .jitter_mm
        .map_or(String::new(), |mm| format!(", trembling {mm:.2} mm"));
    format!(
        "{:.3} % of the particles inside by more than 2 mm, the deepest {:.1} mm; {:.3} % false contacts{jitter}",
        100.0 * quality.inside_fraction,
        quality.max_penetration_mm,
        100.0 * quality.false_contact_fraction.unwrap_or(0.0)
    )
}

/// Of the worst garment each.
fn seen_line(trial: &Trial) -> Option<String> {
    Some(format!(
        "{} deep triangles at worst, torn in {:.1} % of the frames, {:.1} % bare at worst; edges 99 % {:.3}, most {:.2} times their length",
        trial.worst_seen(|seen| seen.deep.worst)?,
        trial.worst_seen(|seen| seen.torn.percent)?,
        trial.worst_seen(|seen| seen.bare_percent.worst)?,
        trial.worst_seen(|seen| seen.stretch.p99)?,
        trial.worst_seen(|seen| seen.stretch.max)?
    ))
}

/// Of update and collision: what the techniques differ in.
fn print_invocations(trial: &Trial) {
    let counted = trial.invocations.iter().flatten();
    let own = counted.filter(|count| count.name.name().starts_with("collide"));
    let texts: Vec<String> = own.filter_map(invocations_of).collect();
    if !texts.is_empty() {
        say!(
            "   {}: invocations per frame: {}",
            trial.technique.name(),
            texts.join("; ")
        );
    }
}

fn invocations_of(count: &StageCount) -> Option<String> {
    let invocations = count.invocations;
    let kinds = [
        (invocations.vertices, "vertices"),
        (invocations.fragments, "fragments"),
        (invocations.compute, "compute"),
    ];
    let ran: Vec<String> = kinds
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{number} {what}"))
        .collect();
    (!ran.is_empty()).then(|| format!("{} {}", count.name.name(), ran.join(", ")))
}

fn print_speed_ups(speed_ups: &[SpeedUp]) {
    if speed_ups.is_empty() {
        return;
    }
    say!("\nHow many times as long as radial fields it takes, mean over the conditions");
    say!(
        "   {:<15}|{:>11} |{:>18} |{:>18} |{:>10}",
        "rival",
        "conditions",
        "one of each",
        "all of a frame",
        "paper"
    );
    for speed_up in speed_ups {
        say!(
            "   {:<15}|{:>11} |{:>18.2} |{:>18.2} |{:>10}",
            speed_up.rival.name(),
            speed_up.condition_count,
            speed_up.one_of_each,
            speed_up.whole_frame,
            speed_up
                .paper
                .map_or("-".to_owned(), |paper| format!("{paper:.2}"))
        );
    }
}
