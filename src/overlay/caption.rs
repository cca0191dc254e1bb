//! Two worlds beside each other: whose picture is whose, and the figures that matter most.

use imgui::{Condition, Ui, WindowFlags};

use super::facts::{Contender, Facts};
use super::layout::Layout;
use super::quality::percent;
use super::theme::{self, Fonts};
use crate::stage::Stage;

/// Draws a line between the pictures, if there are two, and a caption over each; nothing with one world alone. `open`: whether the left
/// and the right panel are open.
pub fn draw(ui: &Ui, fonts: Fonts, layout: &Layout, facts: &Facts, open: [bool; 2]) {
    if facts.contenders.len() < 2 {
        return;
    }
    if !facts.shows_difference {
        let [from, to] = layout.divider();
        ui.get_background_draw_list()
            .add_line(from, to, theme::with_alpha(theme::FAINT, 0.5))
            .build();
    }
    // Two halves have their places, whichever panel is open.
    let open = if facts.shows_difference {
        open
    } else {
        [true; 2]
    };
    for (ix, contender) in facts.contenders.iter().enumerate() {
        let pace = match facts.machine.is_gpu {
            true => pace(contender),
            // What is quick there is slow elsewhere, and Mesa's times of compute are wrong: see the README's table of devices.
            false => "in software: no times to compare".to_owned(),
        };
        draw_one(ui, fonts, layout.caption(ix, open), ix, contender, &pace);
    }
}

fn draw_one(ui: &Ui, fonts: Fonts, at: [f32; 2], ix: usize, contender: &Contender, pace: &str) {
    ui.window(format!("contender {ix}"))
        .flags(
            WindowFlags::NO_DECORATION
                | WindowFlags::NO_INPUTS
                | WindowFlags::NO_SAVED_SETTINGS
                | WindowFlags::NO_FOCUS_ON_APPEARING
                | WindowFlags::ALWAYS_AUTO_RESIZE,
        )
        .position(at, Condition::Always)
        .position_pivot([0.5, 1.0])
        .bg_alpha(0.75)
        .build(|| {
            let title = ui.push_font(fonts.title);
            ui.text_colored(theme::CONTENDERS[ix], Contender::LETTERS[ix]);
            ui.same_line();
            ui.text(contender.technique);
            title.pop();
            ui.text(pace);
            if let Some(judged) = contender.quality_figures {
                let inside = percent(judged.inside_fraction);
                let (deepest, false_contacts) =
                    (judged.deepest_mm, percent(judged.false_contact_fraction));
                ui.text(format!("{inside} inside, to {deepest:.1} mm"));
                ui.text(format!("{false_contacts} false contacts"));
            }
        });
}

fn pace(contender: &Contender) -> String {
    let median = |stage| {
        let times = contender.times.stage(stage);
        times.map_or(0.0, |times| times.median)
    };
    let update = median(Stage::CollideClear) + median(Stage::CollideUpdate);
    let collide = median(Stage::Collide);
    format!("update {update:.2} ms, collide {collide:.2} ms")
}
