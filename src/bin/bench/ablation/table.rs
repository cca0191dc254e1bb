//! The ablation as Markdown, and its rows as CSV.

use std::fmt::Write as _;

use radial_fields::oracle::seen::GarmentFigures;
use radial_fields::scenes::Change;
use radial_fields::stage::Stage;

use super::section::Section;
use super::{Ablation, Row};
use crate::csv::quoted;
use crate::results::Trial;

/// A column: its heading, and its text in a row.
type Column = (&'static str, fn(&Row) -> String);

const COSTS: [Column; 10] = [
    ("update, ms", |row| ms(row.trial.update_ms.median)),
    ("one collision, ms", |row| ms(row.trial.collide_ms.median)),
    ("one of each, ms", |row| ms(row.trial.both_ms.median)),
    ("least run", |row| {
        ms(row.trial.run_range(|run| run.both_ms)[0])
    }),
    ("most", |row| ms(row.trial.run_range(|run| run.both_ms)[1])),
    ("all of a frame, ms", |row| ms(row.trial.frame_ms.median)),
    ("fields", |row| row.field_count.to_string()),
    ("triangles drawn", |row| row.triangle_count.to_string()),
    ("cells, MB", |row| mb(row.trial.memory.structure_bytes)),
    ("in all, MB", |row| mb(row.trial.memory.collide_bytes)),
];

const QUALITIES: [Column; 12] = [
    ("torn frames, %", |row| {
        worst(row, |seen| seen.torn.percent, 1)
    }),
    ("deep triangles", |row| {
        worst(row, |seen| seen.deep.median, 0)
    }),
    ("at worst", |row| worst(row, |seen| seen.deep.worst, 0)),
    ("bare at worst, %", |row| {
        worst(row, |seen| seen.bare_percent.worst, 1)
    }),
    ("inside, %", |row| {
        quality(row, 4, |of| Some(100.0 * of.inside_fraction))
    }),
    ("deepest, mm", |row| {
        quality(row, 1, |of| Some(of.max_penetration_mm))
    }),
    ("false contacts, %", |row| {
        quality(row, 3, |of| {
            of.false_contact_fraction.map(|part| 100.0 * part)
        })
    }),
    ("trembling, mm", |row| quality(row, 2, |of| of.jitter_mm)),
    ("99 % of edges", |row| {
        worst(row, |seen| seen.stretch.p99, 3)
    }),
    ("longest edge", |row| worst(row, |seen| seen.stretch.max, 2)),
    ("body missed, %", |row| {
        format!("{:.3}", 100.0 * row.coverage.missed_fraction())
    }),
    ("air held, %", |row| {
        format!("{:.3}", 100.0 * row.coverage.false_fraction())
    }),
];

/// Everything, to be read.
pub fn markdown(found: &Ablation) -> String {
    let mut text = header(found);
    text.push_str("\n## Cost\n\nOne update (clearing and filling) and one collision, as the paper counts; of several runs the middle one, with the least and the most that one of\neach took in any.\n\n");
    table(&mut text, &found.rows, &COSTS);
    text.push_str("\nBy stage, medians of a frame, ms:\n\n");
    let stages: Vec<_> = simulated().map(|stage| stage.name().to_owned()).collect();
    head(&mut text, stages.iter().map(String::as_str));
    for row in &found.rows {
        let cells = simulated().map(|stage| ms(stage_ms(&row.trial, stage)));
        line(&mut text, &row.fields.to_string(), cells);
    }
    text.push_str("\n## Quality\n\nBy the oracle, from positions alone, the worst garment's: frames in which skin stands more than 3 mm out of more than a few triangles; such\ntriangles; skin that was covered as made and is bare; particles more than 2 mm inside; contacts of particles that were outside; edges over their\nrest length. The last two columns ask the fields alone, on the CPU, about points within 2 cm of the skin: what they miss of the body\nand hold of the air.\n\n");
    table(&mut text, &found.rows, &QUALITIES);
    let abouts = Change::all().map(|change| format!("`{}`: {}", change.name(), change.about()));
    let _ = writeln!(
        text,
        "\nWhat the names change: {}.",
        abouts.collect::<Vec<_>>().join("; ")
    );
    if let Some(measured) = &found.section {
        section(&mut text, measured);
    }
    text
}

fn header(found: &Ablation) -> String {
    let Ablation {
        device, condition, ..
    } = found;
    let mut text = format!(
        "# The paper's fields, and each of our changes\n\n{} ({}), {} frames, {} runs, condition {} ({} in {}, {} particles), `{}`:\n\n    {}\n",
        device.name,
        device.driver,
        found.frames,
        found.runs,
        condition.number,
        found.character,
        condition.cloth,
        found.particles,
        found.technique.name(),
        found.command
    );
    if !device.is_gpu {
        text.push_str("\nVulkan in software: the times compare nothing.\n");
    }
    for note in &found.notes {
        let _ = writeln!(text, "\n{note}.");
    }
    text.push_str(
        "\n`paper` has none of our changes, `paper+NAME` one, `shipped` all (`--fields`).\n",
    );
    text
}

fn section(text: &mut String, section: &Section) {
    text.push_str("\n## Section 10.1\n\nWhat clearing the structure takes. The paper: less than 0.5 % of the computation time of distance fields.\n\n");
    let columns = [
        "clear, ms",
        "of update and collisions, %",
        "of the whole step, %",
    ];
    head(text, columns.into_iter());
    for clear in &section.clears {
        let cells = [
            format!("{:.4}", clear.clear_ms),
            percent(clear.clear_ms, clear.collision_ms),
            percent(clear.clear_ms, clear.step_ms),
        ];
        line(text, clear.technique.name(), cells.into_iter());
    }
    let drawing = &section.drawing;
    let _ = writeln!(
        text,
        "\nDrawing the model into its fields, bounds included: {} ms into the paper's, {} ms into ours. On screen, 1920 x 1080 pixels at 4 samples, \
         filled from top to bottom: {} ms with the model, {} without, {} for the model. Fields take {} and {} times as long; the paper: 4 to 5.",
        ms(drawing.update_ms[0]),
        ms(drawing.update_ms[1]),
        ms(drawing.with_model.median),
        ms(drawing.without.median),
        ms(drawing.model_ms()),
        ratio(drawing.update_ms[0], drawing.model_ms()),
        ratio(drawing.update_ms[1], drawing.model_ms())
    );
    text.push_str("\nThe ogre at 1 cm, for every technique. The paper: 3.16 MB of radial fields, over 124 of distance fields, 205.42 of a table, 1.38 of a tree.\n\n");
    head(text, ["structure, MB", "in all, MB"].into_iter());
    for (technique, memory) in &section.ogre {
        let cells = match memory {
            Ok(memory) => [mb(memory.structure_bytes), mb(memory.collide_bytes)],
            Err(error) => [error.clone(), "-".to_owned()],
        };
        line(text, technique.name(), cells.into_iter());
    }
}

/// One line per row, with the medians and figures of both tables and the stages.
pub fn csv(found: &Ablation) -> String {
    let columns = COSTS.iter().chain(&QUALITIES);
    let names: Vec<_> = columns.clone().map(|column| quoted(column.0)).collect();
    let stages: Vec<_> = simulated()
        .map(|stage| format!("stage_{}_ms", stage.name()))
        .collect();
    let mut text = format!(
        "fields,{},{},state_hash\n",
        names.join(","),
        stages.join(",")
    );
    for row in &found.rows {
        let cells: Vec<_> = columns
            .clone()
            .map(|column| quoted(&column.1(row)))
            .collect();
        let stages: Vec<_> = simulated()
            .map(|stage| stage_ms(&row.trial, stage).to_string())
            .collect();
        let _ = writeln!(
            text,
            "{},{},{},{}",
            row.fields,
            cells.join(","),
            stages.join(","),
            row.trial.state_hash
        );
    }
    text
}

fn table(text: &mut String, rows: &[Row], columns: &[Column]) {
    head(text, columns.iter().map(|column| column.0));
    for row in rows {
        line(
            text,
            &row.fields.to_string(),
            columns.iter().map(|column| column.1(row)),
        );
    }
}

fn head<'a>(text: &mut String, columns: impl Iterator<Item = &'a str>) {
    let names: Vec<_> = columns.collect();
    let _ = writeln!(
        text,
        "| | {} |\n|---|{}",
        names.join(" | "),
        "---|".repeat(names.len())
    );
}

fn line(text: &mut String, name: &str, cells: impl Iterator<Item = String>) {
    let _ = writeln!(
        text,
        "| {name} | {} |",
        cells.collect::<Vec<_>>().join(" | ")
    );
}

fn simulated() -> impl Iterator<Item = Stage> {
    Stage::ALL.into_iter().filter(|stage| stage.is_simulation())
}

pub fn stage_ms(trial: &Trial, stage: Stage) -> f32 {
    let found = trial.stages.iter().find(|report| report.name == stage);
    found.map_or(0.0, |report| report.gpu_ms.median)
}

fn worst(row: &Row, of: fn(&GarmentFigures) -> f64, digits: usize) -> String {
    let worst = row.trial.worst_seen(of);
    worst.map_or("-".to_owned(), |worst| format!("{worst:.digits$}"))
}

fn quality(
    row: &Row,
    digits: usize,
    of: fn(&radial_fields::oracle::Quality) -> Option<f64>,
) -> String {
    let value = row.trial.quality.as_ref().and_then(of);
    value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
}

fn ms(ms: f32) -> String {
    format!("{ms:.4}")
}

fn mb(bytes: u64) -> String {
    format!("{:.3}", bytes as f64 * 1e-6)
}

fn percent(part: f32, whole: f32) -> String {
    match whole > 0.0 {
        true => format!("{:.2}", 100.0 * part / whole),
        false => "-".to_owned(),
    }
}

fn ratio(part: f32, whole: f32) -> String {
    match whole > 0.0 {
        true => format!("{:.1}", part / whole),
        false => "-".to_owned(),
    }
}
