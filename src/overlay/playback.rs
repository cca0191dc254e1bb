//! Pause, step, speed, reset, and where in the clip it is.

use imgui::Ui;

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
    position(ui, playback, actions);
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

/// A slider over the clip.
fn position(ui: &Ui, playback: &Playback, actions: &mut Vec<Action>) {
    let Playback {
        clip_seconds,
        clip_duration,
        ..
    } = *playback;
    let row = label(
        "Clip time",
        "Drag it to go to another part of the clip: the cloth goes along. Before the clip starts, the character goes from the pose its clothes were made in to the clip's first.",
    );
    let _still = ui.begin_disabled(clip_duration <= 0.0);
    let mut seconds = clip_seconds;
    let format = position_text(clip_seconds, clip_duration);
    if number(ui, row, (0.0, clip_duration), &format, &mut seconds) {
        actions.push(Action::Seek(seconds));
    }
}

/// As of `printf`: what the slider says.
fn position_text(clip_seconds: f32, clip_duration: f32) -> String {
    if clip_duration <= 0.0 {
        "no clip".to_owned()
    } else if clip_seconds < 0.0 {
        format!("starts in {:.1} s", -clip_seconds)
    } else {
        format!("%.1f of {clip_duration:.1} s")
    }
}
