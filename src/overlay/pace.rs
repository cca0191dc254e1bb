//! Frame time and GPU time by stage: a headline, the history or the spread as a plot, a table, and what takes them away: CSV, traces.

use imgui::{SelectableFlags, TableColumnFlags, TableColumnSetup, TableFlags, Ui};

use super::Action;
use super::facts::{Contender, Facts, TraceState};
use super::form::{button, button_width, label, number, right_aligned, tip};
use super::history::{Summary, Times, csv};
use super::plot;
use super::theme::{self, Fonts, stage_colour};
use crate::stage::Stage;

/// What the section remembers.
pub struct PaceSection {
    /// The stage that is plotted alone.
    alone: Option<Stage>,
    /// Whether the spread is plotted in the place of the history.
    shows_spread: bool,
    /// The times of each world as they were when they were held; they go on all the same.
    held: Option<Vec<Times>>,
    /// Of a frame that is to be traced, milliseconds.
    slow_ms: f32,
}

/// Milliseconds: a frame longer than this is missed by a screen of 60 pictures a second.
const USUAL_SLOW_MS: f32 = 17.0;
/// Milliseconds, of what can be set with the mouse.
const SLOW_MS: (f32, f32) = (0.1, 200.0);

impl Default for PaceSection {
    fn default() -> Self {
        Self {
            alone: None,
            shows_spread: false,
            held: None,
            slow_ms: USUAL_SLOW_MS,
        }
    }
}

impl PaceSection {
    pub fn draw(&mut self, ui: &Ui, fonts: Fonts, facts: &Facts, actions: &mut Vec<Action>) {
        // Another number of worlds has other times.
        self.held = self
            .held
            .take()
            .filter(|held| held.len() == facts.contenders.len());
        let held = self.held.take();
        let times = |ix: usize, live| held.as_ref().map_or(live, |held| &held[ix]);
        let contenders: Vec<_> = (facts.contenders.iter().enumerate())
            .map(|(ix, contender)| Contender {
                times: times(ix, contender.times),
                ..*contender
            })
            .collect();
        headline(ui, fonts, &contenders);
        self.plots(ui, &contenders);
        let is_held = held.is_some();
        let wanted = self.buttons(ui, &contenders, is_held, actions);
        ui.spacing();
        self.table(ui, &contenders);
        self.traces(ui, facts.trace, actions);
        let live = facts
            .contenders
            .iter()
            .map(|contender| contender.times.clone());
        self.held = match (wanted, is_held) {
            (true, true) => held,
            (true, false) => Some(live.collect()),
            (false, _) => None,
        };
    }

    /// One under the other, on one scale.
    fn plots(&self, ui: &Ui, contenders: &[Contender]) {
        let all = || contenders.iter().enumerate();
        if self.shows_spread {
            let ends =
                all().filter_map(|(_, contender)| plot::ends_ms(contender.times, self.alone));
            let ends = ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
            for (ix, contender) in all() {
                let _id = ui.push_id_usize(ix);
                plot::draw_spread(ui, contender.times, self.alone, ends.unwrap_or_default());
            }
            return;
        }
        let most = all().map(|(_, contender)| plot::max_ms(contender.times, self.alone));
        let max_ms = most.fold(0.0, f32::max);
        for (ix, contender) in all() {
            let _id = ui.push_id_usize(ix);
            plot::draw(ui, contender.times, self.alone, max_ms);
        }
    }

    /// Returns whether the times are to be held.
    fn buttons(
        &mut self,
        ui: &Ui,
        contenders: &[Contender],
        is_held: bool,
        actions: &mut Vec<Action>,
    ) -> bool {
        let width = button_width(ui, 3);
        let button = |name: &str, about: &str| button(ui, label(name, about), width);
        let hold = match is_held {
            true => button("Go on", "Show the newest times again."),
            false => button(
                "Freeze",
                "Hold plot and table as they are; all goes on beneath.",
            ),
        };
        ui.same_line();
        let (other, about) = match self.shows_spread {
            true => ("History", "Frame after frame."),
            false => (
                "Histogram",
                "How many frames took how long; green: the median, yellow: what 95 in 100 are under.",
            ),
        };
        self.shows_spread ^= button(other, about);
        ui.same_line();
        if button(
            "Save CSV",
            "A row for each frame that is shown, with its stages.",
        ) {
            let worlds: Vec<_> = (Contender::LETTERS.into_iter().zip(contenders))
                .map(|(letter, contender)| (letter, contender.times))
                .collect();
            actions.push(Action::SaveTimes(csv(&worlds)));
        }
        is_held != hold
    }

    /// What is to be traced: the next frames, or those round a slow one.
    fn traces(&mut self, ui: &Ui, state: TraceState, actions: &mut Vec<Action>) {
        let row = label(
            "Slow frame",
            "One that takes the CPU, from its begin to its submission, or the GPU longer than this.",
        );
        number(ui, row, SLOW_MS, "%.1f ms", &mut self.slow_ms);
        let width = button_width(ui, 2);
        let (name, about, action) = match state {
            TraceState::Waiting => (
                "Wait no longer",
                "No frame was slow yet.",
                Action::StopTrace,
            ),
            _ => (
                "Trace a slow one",
                "Wait for a slow frame and save it with those before and after it, as a file for Perfetto.",
                Action::TraceOver(self.slow_ms),
            ),
        };
        let _busy = ui.begin_disabled(state == TraceState::Running);
        let now = label(
            "Trace now",
            "What CPU and GPU do in the next frames, as a file for Perfetto (T).",
        );
        if button(ui, now, width) {
            actions.push(Action::Trace);
        }
        ui.same_line();
        if button(ui, label(name, about), width) {
            actions.push(action);
        }
    }

    fn table(&mut self, ui: &Ui, contenders: &[Contender]) {
        let flags = TableFlags::ROW_BG | TableFlags::SIZING_STRETCH_PROP | TableFlags::PAD_OUTER_X;
        let shown = Shown::of(contenders);
        let Some(_table) = ui.begin_table_with_flags("stages", 1 + shown.count, flags) else {
            return;
        };
        shown.header(ui);
        for stage in Stage::ALL {
            let all: Vec<_> = contenders
                .iter()
                .map(|contender| contender.times.stage(stage))
                .collect();
            if all.iter().any(Option::is_some) {
                self.name(ui, stage);
                shown.figures(ui, &all);
            }
        }
        let (name, sum): (_, fn(&Times) -> Option<Summary>) = if shown.is_alone {
            ("together", Times::gpu)
        } else {
            // The panels are drawn once, over all pictures.
            ("simulation", Times::simulation)
        };
        let all: Vec<_> = contenders
            .iter()
            .map(|contender| sum(contender.times))
            .collect();
        if all.iter().any(Option::is_some) {
            ui.table_next_row();
            ui.table_next_column();
            ui.text(name);
            shown.figures(ui, &all);
        }
    }

    /// Begins a stage's row. A click plots it alone; another, all of them.
    fn name(&mut self, ui: &Ui, stage: Stage) {
        ui.table_next_row();
        ui.table_next_column();
        let is_alone = self.alone == Some(stage);
        swatch(ui, stage);
        let clicked = ui
            .selectable_config(stage.name())
            .flags(SelectableFlags::SPAN_ALL_COLUMNS)
            .selected(is_alone)
            .build();
        if ui.is_item_hovered() {
            tip(ui, about(stage));
        }
        if clicked {
            self.alone = (!is_alone).then_some(stage);
        }
    }
}

/// What the table has room for: three figures of one world, or two of each of two.
struct Shown {
    count: usize,
    each: &'static [(&'static str, fn(Summary) -> f32)],
    is_alone: bool,
    /// Width of the names, of a figure's 1.
    name_weight: f32,
}

impl Shown {
    fn of(contenders: &[Contender]) -> Self {
        let is_alone = contenders.len() < 2;
        let each: &[(&str, fn(Summary) -> f32)] = if is_alone {
            &[
                ("now", |ms| ms.current),
                ("median", |ms| ms.median),
                ("p95", |ms| ms.p95),
            ]
        } else {
            &[("med", |ms| ms.median), ("p95", |ms| ms.p95)]
        };
        Self {
            count: each.len() * contenders.len().max(1),
            each,
            is_alone,
            name_weight: if is_alone { 2.2 } else { 2.7 },
        }
    }

    fn header(&self, ui: &Ui) {
        for ix in 0..=self.count {
            ui.table_setup_column_with(TableColumnSetup {
                init_width_or_weight: if ix == 0 { self.name_weight } else { 1.0 },
                flags: TableColumnFlags::WIDTH_STRETCH,
                ..TableColumnSetup::new(ix.to_string())
            });
        }
        ui.table_next_row();
        ui.table_next_column();
        ui.text_colored(theme::FAINT, "GPU ms");
        for ix in 0..self.count {
            ui.table_next_column();
            let (name, _) = self.each[ix % self.each.len()];
            let letter = Contender::LETTERS[ix / self.each.len()];
            if self.is_alone {
                right_aligned(ui, theme::FAINT, name);
            } else {
                let colour = theme::CONTENDERS[ix / self.each.len()];
                right_aligned(ui, colour, &format!("{letter} {name}"));
            }
        }
    }

    /// A value a column; a stage that only one of two has leaves the other's empty.
    fn figures(&self, ui: &Ui, all: &[Option<Summary>]) {
        let colour = ui.style_color(imgui::StyleColor::Text);
        for ms in all {
            for (_, figure) in self.each {
                ui.table_next_column();
                if let Some(ms) = ms {
                    right_aligned(ui, colour, &milliseconds(figure(*ms)));
                }
            }
        }
    }
}

fn headline(ui: &Ui, fonts: Fonts, contenders: &[Contender]) {
    let frames = contenders.first().map(|contender| &contender.times.frames);
    let frame = frames.and_then(|frames| Summary::of(frames.iter()));
    let frame = frame.unwrap_or_default();
    let medians = contenders
        .iter()
        .filter_map(|contender| Some(contender.times.gpu()?.median));
    // A sum of nothing is -0.
    let gpu_ms = medians.fold(0.0, |sum, ms| sum + ms);
    let rate = if frame.median > 0.0 {
        1e3 / frame.median
    } else {
        0.0
    };
    let figures = [
        (rounded(rate), "frames/s"),
        (format!("{:.1}", frame.median), "ms per frame"),
        (format!("{gpu_ms:.2}"), "ms on the GPU"),
    ];
    let width = ui.content_region_avail()[0] / figures.len() as f32;
    let left = ui.cursor_pos()[0];
    for (ix, (figure, unit)) in figures.iter().enumerate() {
        if ix > 0 {
            ui.same_line_with_pos(left + ix as f32 * width);
        }
        ui.group(|| {
            let title = ui.push_font(fonts.title);
            ui.text(figure);
            title.pop();
            ui.text_colored(theme::FAINT, unit);
        });
    }
}

/// To a tenth where a whole number would say little.
fn rounded(rate: f32) -> String {
    match rate {
        10.0.. => format!("{rate:.0}"),
        _ => format!("{rate:.1}"),
    }
}

/// To the microsecond, as long as there is room for it.
fn milliseconds(ms: f32) -> String {
    match ms {
        1000.0.. => format!("{ms:.0}"),
        100.0.. => format!("{ms:.1}"),
        _ => format!("{ms:.3}"),
    }
}

/// The stage's colour, before its name.
fn swatch(ui: &Ui, stage: Stage) {
    const SIDE: f32 = 9.0;
    let [left, top] = ui.cursor_screen_pos();
    let top = top + 0.5 * (ui.text_line_height() - SIDE);
    ui.get_window_draw_list()
        .add_rect([left, top], [left + SIDE, top + SIDE], stage_colour(stage))
        .filled(true)
        .rounding(2.0)
        .build();
    let [left, top] = ui.cursor_pos();
    ui.set_cursor_pos([left + SIDE + 6.0, top]);
}

fn about(stage: Stage) -> &'static str {
    match stage {
        Stage::Upload => "Copies of constant data, in the first frame.",
        Stage::Bake => "Skin, garment targets and fields follow the bones.",
        Stage::CollideClear => "The fields are emptied.",
        Stage::CollideUpdate => "The skin's triangles are drawn into the fields.",
        Stage::ClothPredict => "Particles move by inertia, gravity and wind.",
        Stage::ClothSolve => {
            "Stretch, shear and bend constraints are projected; a step ends by shortening edges that are too long."
        }
        Stage::ClothContact => {
            "Cloth is kept apart from cloth: folds, and garments worn over each other."
        }
        Stage::Collide => "Particles are tested against the fields and put outside.",
        Stage::ClothFinish => "Velocities and normals of the finished step.",
        Stage::Shadow => "The scene as the light sees it.",
        Stage::Draw => "The picture.",
        Stage::Overlay => "These panels.",
    }
}
