//! Pause, step, speed, reset, and where in the clip it is.

use imgui::Ui;

use super::Action;
use super::facts::{Playback, SLOWEST};
use super::form::{button, button_width, count, label, number, range};

/// Frames of a clip, a second: the simulation's steps.
const FRAMES_PER_SECOND: f32 = 60.0;

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
    if playback.clip_duration > 0.0 {
        part(ui, playback, actions);
    }
}

/// Where the clip begins, and from where to where it goes round.
fn part(ui: &Ui, playback: &Playback, actions: &mut Vec<Action>) {
    let frames = (playback.clip_duration * FRAMES_PER_SECOND).round() as u32;
    let here = (playback.clip_seconds.max(0.0) * FRAMES_PER_SECOND).round() as u32;
    let mut played = playback.played;
    let row = label(
        "Begin at",
        "The frame of the clip, 60 a second, that Reset goes to: the character comes from the pose its clothes were made in.",
    );
    count(ui, row, (0, frames), &mut played.first);
    let mut ends = played.round.unwrap_or([0, frames]);
    let row = label(
        "Loop",
        "From which to which frame it goes round and round. Where the two poses differ, the cloth is put on anew.",
    );
    range(ui, row, frames, &mut ends);
    let width = button_width(ui, 3);
    if ui.button_with_size("From here", [width, 0.0]) {
        ends[0] = here.min(frames.saturating_sub(1));
        ends[1] = ends[1].max(ends[0] + 1);
    }
    ui.same_line();
    if ui.button_with_size("To here", [width, 0.0]) {
        ends[1] = here.max(1);
        ends[0] = ends[0].min(ends[1] - 1);
    }
    ui.same_line();
    if ui.button_with_size("All of it", [width, 0.0]) {
        ends = [0, frames];
    }
    played.round = (ends != [0, frames] && ends[0] < ends[1]).then_some(ends);
    if played != playback.played {
        actions.push(Action::SetPart(played));
    }
}

fn buttons(ui: &Ui, playback: &Playback, actions: &mut Vec<Action>) {
    let width = button_width(ui, 3);
    let button = |name: &str, about: &str| button(ui, label(name, about), width);
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
