//! Memory, launches, validation and the device.

use imgui::Ui;

use super::facts::{Contender, Cost, Facts, Machine, Validation};
use super::form::{bytes, thousands, tip};
use super::history::Summary;
use super::row::{fact, heading};
use super::theme;
use crate::gpu::Launches;

/// A kind of memory: its name, what it is, and how much of it there is.
type MemoryRow = (&'static str, &'static str, fn(&Cost) -> u64);

const MEMORY: [MemoryRow; 6] = [
    (
        "Structure",
        "Cells, table or tree alone: what the paper's table calls memory.",
        |cost| cost.memory.structure_bytes,
    ),
    (
        "Collision",
        "Everything of the technique, definitions and lists included.",
        |cost| cost.memory.collide_bytes,
    ),
    ("Cloth", "Particles and constraints.", |cost| {
        cost.memory.cloth_bytes
    }),
    (
        "Skin",
        "Positions and normals of the baked vertices.",
        |cost| cost.memory.skin_bytes,
    ),
    (
        "Per frame",
        "Poses and transforms, for every frame in flight.",
        |cost| cost.memory.transient_bytes,
    ),
    ("All", "With textures, shadow maps and targets.", |cost| {
        cost.total_bytes
    }),
];

/// Draws memory by what it is for.
pub fn draw_memory(ui: &Ui, facts: &Facts) {
    if facts.contenders.is_empty() {
        return;
    }
    heading(ui, facts);
    for (name, about, amount) in MEMORY {
        let values = of_all(facts, |contender| bytes(amount(&contender.cost)));
        fact(ui, name, about, &values);
    }
    let full = |contender: &Contender| {
        contender
            .cost
            .overflow_count
            .is_some_and(|overflow_count| overflow_count > 0)
    };
    let red = facts.contenders.iter().any(full);
    let _red = red.then(|| ui.push_style_color(imgui::StyleColor::Text, theme::FAULT));
    if facts
        .contenders
        .iter()
        .any(|contender| contender.cost.overflow_count.is_some())
    {
        let values = of_all(facts, |contender| {
            let overflow_count = contender.cost.overflow_count;
            overflow_count.map_or("-".to_owned(), |overflow_count| {
                thousands(overflow_count as usize)
            })
        });
        let about =
            "What found no room in the technique's lists of fixed size, since it was chosen.";
        fact(ui, "Overflow", about, &values);
    }
    let _wrap = ui.push_text_wrap_pos();
    for contender in facts.contenders.iter().filter(|contender| full(contender)) {
        let meaning = contender.cost.memory.technique.overflow();
        ui.text(format!(
            "{}: {}",
            contender.technique,
            meaning.unwrap_or_default()
        ));
    }
}

fn of_all(facts: &Facts, value: impl Fn(&Contender) -> String) -> Vec<String> {
    facts.contenders.iter().map(value).collect()
}

const LAUNCHES: [(&str, fn(&Launches) -> u32); 3] = [
    ("Dispatches", |launches| launches.dispatches),
    ("Draws", |launches| launches.draws),
    ("Barriers", |launches| launches.barriers),
];

/// Draws how much the CPU asks of the GPU in a frame.
pub fn draw_launches(ui: &Ui, facts: &Facts) {
    heading(ui, facts);
    let tip = "Each costs a few microseconds on a discrete GPU, whatever it does.";
    for (name, count) in LAUNCHES {
        let values = of_all(facts, |contender| {
            let Cost {
                simulation,
                picture,
                ..
            } = contender.cost;
            format!("{} + {}", count(&simulation), count(&picture))
        });
        fact(ui, name, tip, &values);
    }
    ui.text_colored(theme::FAINT, "of the simulation + of the picture");
    let recording = of_all(facts, |contender| {
        let ms = Summary::of(contender.times.recording.iter()).unwrap_or_default();
        format!("{:.3} ms", ms.median)
    });
    let about = "CPU time to record the simulation of a frame, the median.";
    fact(ui, "Recording", about, &recording);
    let steps = facts.playback.step_count.to_string();
    fact(ui, "Steps", "Simulation steps in the last frame.", &[steps]);
    let (width, height) = facts.machine.size;
    let size = format!("{width} x {height} pixels");
    fact(ui, "Size", "Of the picture.", &[size]);
}

/// Draws what it runs on, and what validation says of it.
pub fn draw_machine(ui: &Ui, machine: &Machine, validation: Option<&Validation>) {
    let _wrap = ui.push_text_wrap_pos();
    ui.text(machine.device);
    ui.text_colored(theme::FAINT, machine.driver);
    if !machine.is_gpu {
        ui.text_colored(
            theme::WARNING,
            "Vulkan in software: the times show that it works, not how fast a GPU is.",
        );
    }
    match validation {
        None => ui.text_colored(theme::FAINT, "Validation is off (--validate)"),
        Some(validation) => draw_validation(ui, validation),
    }
}

fn draw_validation(ui: &Ui, validation: &Validation) {
    let Validation {
        errors,
        warnings,
        texts,
    } = *validation;
    let colour = if errors + warnings > 0 {
        theme::FAULT
    } else {
        theme::GOOD
    };
    ui.text_colored(
        colour,
        format!("Validation: {errors} errors, {warnings} warnings"),
    );
    if let (true, Some(newest)) = (ui.is_item_hovered(), texts.last()) {
        tip(ui, newest);
    }
}
