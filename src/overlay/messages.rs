//! What the user should know now: notes on the character, what could not be loaded, shaders that do not compile.

use imgui::{Condition, Ui, WindowFlags};

use super::Action;
use super::facts::{Facts, Message, Severity};
use super::layout::Layout;
use super::theme;

/// Draws the messages in the middle of the top, if there are any, and returns their height, 0 for none.
pub fn draw(ui: &Ui, layout: &Layout, facts: &Facts, actions: &mut Vec<Action>) -> f32 {
    if facts.messages.is_empty() && facts.scene.loading.is_none() {
        return 0.0;
    }
    let (position, [width, max_height]) = layout.messages();
    let flags = WindowFlags::NO_TITLE_BAR
        | WindowFlags::NO_RESIZE
        | WindowFlags::NO_COLLAPSE
        | WindowFlags::NO_MOVE
        | WindowFlags::NO_SAVED_SETTINGS
        | WindowFlags::NO_FOCUS_ON_APPEARING
        | WindowFlags::ALWAYS_AUTO_RESIZE;
    let drawn = ui
        .window("messages")
        .flags(flags)
        .position(position, Condition::Always)
        .position_pivot([0.5, 0.0])
        .size_constraints([width, 0.0], [width, max_height])
        .build(|| {
            if let Some(what) = facts.scene.loading {
                ui.text_colored(theme::ACCENT, format!("Loading {what} ..."));
            }
            for message in facts.messages {
                draw_one(ui, message, actions);
            }
            ui.window_size()[1]
        });
    drawn.unwrap_or_default()
}

fn draw_one(ui: &Ui, message: &Message, actions: &mut Vec<Action>) {
    let _id = ui.push_id(message.topic);
    let colour = match message.severity {
        Severity::Note => theme::WARNING,
        Severity::Fault => theme::FAULT,
    };
    let button = ui.calc_text_size("x")[0] + 12.0;
    let right = ui.content_region_max()[0];
    let wrap = ui.push_text_wrap_pos_with_pos(right - button - 8.0);
    ui.text_colored(colour, &message.text);
    wrap.end();
    ui.same_line_with_pos(right - button);
    if ui.small_button("x") {
        actions.push(Action::Dismiss(message.topic));
    }
}
