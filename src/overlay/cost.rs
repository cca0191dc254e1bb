//! Memory, launches, validation and the device.

use imgui::Ui;

use super::facts::{Cost, Facts, Machine, Validation};
use super::form::{bytes, thousands, tip};
use super::history::Summary;
use super::theme;

/// Draws memory by what it is for.
pub fn draw_memory(ui: &Ui, technique: &str, cost: &Cost) {
    let memory = &cost.memory;
    let collision =
        format!("Everything of the technique {technique}, definitions and lists included.");
    let rows = [
        (
            "Structure",
            "Cells, table or tree alone: what the paper's table calls memory.",
            memory.structure_bytes,
        ),
        ("Collision", collision.as_str(), memory.collide_bytes),
        ("Cloth", "Particles and constraints.", memory.cloth_bytes),
        (
            "Skin",
            "Positions and normals of the baked vertices.",
            memory.skin_bytes,
        ),
        (
            "Per frame",
            "Poses and transforms, for every frame in flight.",
            memory.transient_bytes,
        ),
        (
            "All",
            "With textures, shadow maps and targets.",
            cost.total_bytes,
        ),
    ];
    for (name, about, amount) in rows {
        fact(ui, name, about, &bytes(amount));
    }
    if let (Some(lost), Some(overflow)) = (cost.lost, memory.technique.overflow()) {
        draw_overflow(ui, lost, overflow);
    }
}

/// Draws what found no room, red if anything did.
fn draw_overflow(ui: &Ui, lost: u32, overflow: &str) {
    let count = thousands(lost as usize);
    if lost == 0 {
        return fact(ui, OVERFLOW.0, OVERFLOW.1, &count);
    }
    let red = ui.push_style_color(imgui::StyleColor::Text, theme::FAULT);
    let wrap = ui.push_text_wrap_pos();
    fact(ui, OVERFLOW.0, OVERFLOW.1, &format!("{count} {overflow}"));
    wrap.end();
    red.pop();
}

const OVERFLOW: (&str, &str) = (
    "Overflow",
    "What found no room in the technique's lists of fixed size, since it was chosen.",
);

/// Draws how much the CPU asks of the GPU in a frame.
pub fn draw_launches(ui: &Ui, facts: &Facts) {
    let (simulation, picture) = (facts.cost.simulation, facts.cost.picture);
    let launches = |launches: crate::gpu::Launches| {
        format!(
            "{} dispatches, {} draws, {} barriers",
            launches.dispatches, launches.draws, launches.barriers
        )
    };
    let tip = "Each costs a few microseconds on a discrete GPU, whatever it does.";
    fact(ui, "Simulation", tip, &launches(simulation));
    fact(ui, "Picture", tip, &launches(picture));
    let (width, height) = facts.machine.size;
    fact(
        ui,
        "Size",
        "Of the picture.",
        &format!("{width} x {height} pixels"),
    );
    let steps = facts.playback.step_count;
    fact(
        ui,
        "Steps",
        "Simulation steps in the last frame.",
        &steps.to_string(),
    );
    if let Some(ms) = Summary::of(facts.times.recording.iter()) {
        let text = format!("median {:.3} ms, p95 {:.3} ms", ms.median, ms.p95);
        fact(ui, "Recording", "CPU time to record the simulation.", &text);
    }
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

fn fact(ui: &Ui, name: &str, about: &str, value: &str) {
    const VALUE_PART: f32 = 0.34;
    let [left, _] = ui.cursor_pos();
    let column = left + VALUE_PART * ui.content_region_avail()[0];
    ui.text_colored(theme::FAINT, name);
    if ui.is_item_hovered() {
        tip(ui, about);
    }
    ui.same_line_with_pos(column);
    ui.text(value);
}
