//! Rows of figures: what it is at the left, its value for every world shown at the right.

use imgui::Ui;

use super::facts::{Contender, Facts};
use super::form::tip;
use super::theme;

/// Where the values begin, in parts of the panel's width: the longest name must fit.
const VALUE_PART: f32 = 0.34;

/// The letters over the columns; nothing with one world alone.
pub fn heading(ui: &Ui, facts: &Facts) {
    if facts.contenders.len() < 2 {
        return;
    }
    ui.text("");
    for (ix, letter) in Contender::LETTERS.into_iter().enumerate() {
        ui.same_line_with_pos(column(ui, ix, facts.contenders.len()));
        ui.text_colored(theme::CONTENDERS[ix], letter);
    }
}

/// A name with a word of explanation, and a value a world.
pub fn fact(ui: &Ui, name: &str, about: &str, values: &[String]) {
    ui.text_colored(theme::FAINT, name);
    if ui.is_item_hovered() {
        tip(ui, about);
    }
    for (ix, value) in values.iter().enumerate() {
        ui.same_line_with_pos(column(ui, ix, values.len()));
        ui.text(value);
    }
}

fn column(ui: &Ui, ix: usize, count: usize) -> f32 {
    let [left, _] = ui.window_content_region_min();
    let width = ui.content_region_max()[0] - left;
    let values = (1.0 - VALUE_PART) * width;
    left + VALUE_PART * width + values * ix as f32 / count.max(1) as f32
}
