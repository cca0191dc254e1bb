//! What each dispatch and draw costs.

use imgui::{StyleColor, TableColumnFlags, TableColumnSetup, TableFlags, Ui};

use super::Action;
use super::facts::{Contender, Facts, PassCost};
use super::form::{label, right_aligned, switch, tip};
use super::theme;

/// Draws the switch, and a table for each world while it is on.
pub fn draw(ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
    let row = label(
        "Time each",
        "Every dispatch and draw on its own: each then waits for the one before it, so that all of them sum up to more than their stage. Labels of the same names are in captures.",
    );
    let mut is_wanted = facts.times_passes;
    if switch(ui, row, &mut is_wanted) {
        actions.push(Action::TimePasses(is_wanted));
    }
    if !facts.times_passes {
        return;
    }
    for (ix, contender) in facts.contenders.iter().enumerate() {
        if facts.contenders.len() > 1 {
            ui.text_colored(theme::CONTENDERS[ix], Contender::LETTERS[ix]);
        }
        let _id = ui.push_id_usize(ix);
        table(ui, contender.passes);
    }
}

/// Columns of figures: launches a frame, milliseconds of all of them, bytes a second.
const FIGURES: [&str; 3] = ["x", "ms", "GB/s"];

fn table(ui: &Ui, passes: &[PassCost]) {
    let flags = TableFlags::SIZING_FIXED_FIT | TableFlags::ROW_BG;
    let Some(_table) = ui.begin_table_with_flags("passes", 4, flags) else {
        return;
    };
    let column = |name, flags| TableColumnSetup {
        flags,
        ..TableColumnSetup::new(name)
    };
    ui.table_setup_column_with(column("shader", TableColumnFlags::WIDTH_STRETCH));
    for name in FIGURES {
        ui.table_setup_column_with(column(name, TableColumnFlags::empty()));
    }
    let colour = ui.style_color(StyleColor::Text);
    ui.table_next_row();
    ui.table_next_column();
    ui.text_colored(theme::FAINT, "shader");
    for name in FIGURES {
        ui.table_next_column();
        right_aligned(ui, theme::FAINT, name);
    }
    for pass in passes {
        ui.table_next_row();
        ui.table_next_column();
        ui.text(short(pass.name));
        if ui.is_item_hovered() {
            tip(ui, &about(pass));
        }
        let figures = [
            pass.per_frame.to_string(),
            format!("{:.3}", pass.ms),
            format!("{:.0}", gb_per_s(pass)),
        ];
        for figure in figures {
            ui.table_next_column();
            right_aligned(ui, colour, &figure);
        }
    }
}

/// A shader's path without its ending, for which there is no room.
fn short(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(path, _)| path)
}

/// What would be moved a second, if every byte bound were touched once.
fn gb_per_s(pass: &PassCost) -> f64 {
    pass.bound_bytes as f64 * 1e-6 / f64::from(pass.ms.max(1e-6))
}

fn about(pass: &PassCost) -> String {
    format!(
        "{}: {} launches a frame, {:.3} ms together, with {:.2} MB in the buffers that they are given: {:.0} GB/s if they touched every byte once. Far below what the device can move, they wait for something else.",
        pass.name,
        pass.per_frame,
        pass.ms,
        pass.bound_bytes as f64 * 1e-6,
        gb_per_s(pass)
    )
}
