//! Pause, step, speed, reset.

use imgui::{ProgressBar, StyleColor, Ui};

use super::Action;
use super::facts::{Playback, SLOWEST};
use super::form::{label, number, tip};

/// Draws the section.
pub fn draw(ui: &Ui, playback: &Playback, actions: &mut Vec<Action>) {
    buttons(ui, playback, actions);
    let mut speed = playback.speed;
    let row = label(
        "Speed",
        "Slow motion shows the same steps, further apart and interpolated.",
    );
    if number(ui, row, (SLOWEST, 1.0), "%.2f x", &mut speed) {
        actions.push(Action::SetSpeed(speed));
    }
    position(ui, playback);
}

fn buttons(ui: &Ui, playback: &Playback, actions: &mut Vec<Action>) {
    const COUNT: f32 = 3.0;
    let gap = ui.clone_style().item_spacing[0];
    let width = (ui.content_region_avail()[0] - (COUNT - 1.0) * gap) / COUNT;
    let button = |name: &str, text: &str| {
        let pressed = ui.button_with_size(name, [width, 0.0]);
        if ui.is_item_hovered() {
            tip(ui, text);
        }
        pressed
    };
    let (name, text) = if playback.is_paused {
        ("Play", "Go on (space)")
    } else {
        ("Pause", "Hold time (space); the camera still moves")
    };
    if button(name, text) {
        actions.push(Action::Pause(!playback.is_paused));
    }
    ui.same_line();
    if button("Step", "One simulation step of 1/60 s, then hold (N)") {
        actions.push(Action::Step);
    }
    ui.same_line();
    if button("Reset", "Back to the start, the cloth as it was made (R)") {
        actions.push(Action::Reset);
    }
}

fn position(ui: &Ui, playback: &Playback) {
    let Playback {
        clip_seconds,
        clip_duration,
        ..
    } = *playback;
    label("Clip time", "Before the clip starts, the character goes from the pose its clothes were made in to the clip's first.").write(ui);
    let (part, text) = if clip_duration <= 0.0 {
        (0.0, "no clip".to_owned())
    } else if clip_seconds < 0.0 {
        (0.0, format!("starts in {:.1} s", -clip_seconds))
    } else {
        (
            clip_seconds / clip_duration,
            format!("{clip_seconds:.1} of {clip_duration:.1} s"),
        )
    };
    let [left, top] = ui.cursor_screen_pos();
    let size = [ui.content_region_avail()[0], ui.text_line_height() + 4.0];
    ProgressBar::new(part).size(size).overlay_text("").build(ui);
    let text_size = ui.calc_text_size(&text);
    let at = [
        left + 0.5 * (size[0] - text_size[0]),
        top + 0.5 * (size[1] - text_size[1]),
    ];
    let colour = ui.style_color(StyleColor::Text);
    ui.get_window_draw_list().add_text(at, colour, &text);
}
