//! Mouse and keys: a line that is always there, and all of them on demand.

use imgui::{Condition, Ui, WindowFlags};

use super::layout::Layout;
use super::theme;

/// What a hand can do and what it does.
const KEYS: &[(&str, &str)] = &[
    ("Left drag on cloth", "pull it, with the wheel in depth"),
    ("Left drag beside it, right drag", "turn the camera"),
    ("Middle drag, Shift + drag", "move the camera"),
    ("Wheel", "nearer or further"),
    ("Space", "pause or go on"),
    ("N", "one step"),
    ("R", "start over"),
    ("F", "show all of the character"),
    ("Tab", "panels on or off"),
    ("Ctrl + Z, Ctrl + Y", "take a change back, and do it again"),
    ("Ctrl + S", "save the setup"),
    ("F12", "screenshot"),
    ("T", "save a trace of the next frames"),
    ("H, F1", "this list"),
    ("Esc", "close this list, then quit"),
    (
        "Drop a file",
        "a glTF character on the stage, an .obj on the character, a setup's .json",
    ),
];

/// The most important of it, in as much of a line as there is room for.
const LINES: [&str; 3] = [
    "Left drag: pull cloth   ·   Right drag: turn   ·   Middle drag: move   ·   Wheel: zoom   ·   Space: pause   ·   Tab: panels   ·   H: help",
    "Left drag: pull cloth  ·  Right drag: turn  ·  Wheel: zoom  ·  Space: pause  ·  H: help",
    "Space: pause  ·  Tab: panels  ·  H: help",
];

/// Draws the line at the bottom.
pub fn draw_line(ui: &Ui, layout: &Layout) {
    let (position, width) = layout.help_line();
    let fits = |text: &&str| ui.calc_text_size(text)[0] + 24.0 < width;
    let Some(text) = LINES.into_iter().find(fits) else {
        return;
    };
    ui.window("keys")
        .flags(
            WindowFlags::NO_DECORATION
                | WindowFlags::NO_INPUTS
                | WindowFlags::NO_SAVED_SETTINGS
                | WindowFlags::NO_FOCUS_ON_APPEARING
                | WindowFlags::ALWAYS_AUTO_RESIZE,
        )
        .position(position, Condition::Always)
        .position_pivot([0.5, 1.0])
        .bg_alpha(0.55)
        .build(|| ui.text_colored(theme::FAINT, text));
}

/// Draws the list in the middle of the picture.
pub fn draw_list(ui: &Ui, layout: &Layout, is_open: &mut bool) {
    ui.window("Mouse and keys")
        .opened(is_open)
        .flags(
            WindowFlags::NO_RESIZE
                | WindowFlags::NO_COLLAPSE
                | WindowFlags::NO_SAVED_SETTINGS
                | WindowFlags::ALWAYS_AUTO_RESIZE,
        )
        .position(layout.middle(), Condition::Appearing)
        .position_pivot([0.5, 0.5])
        .build(|| {
            let widest = KEYS
                .iter()
                .map(|(keys, _)| ui.calc_text_size(keys)[0])
                .fold(0.0, f32::max);
            for (keys, effect) in KEYS {
                ui.text(keys);
                ui.same_line_with_pos(widest + 36.0);
                ui.text_colored(theme::FAINT, effect);
            }
        });
}
