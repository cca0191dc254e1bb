//! Frame time and GPU time by stage: a headline, the history as a plot, a table.

use imgui::{SelectableFlags, TableColumnFlags, TableColumnSetup, TableFlags, Ui};

use super::Action;
use super::facts::{Contender, Facts};
use super::form::tip;
use super::history::{Summary, Times};
use super::plot;
use super::theme::{self, Fonts, stage_colour};
use crate::stage::Stage;

/// What the section remembers: the stage that is plotted alone.
#[derive(Default)]
pub struct PaceSection {
    alone: Option<Stage>,
}

impl PaceSection {
    pub fn draw(&mut self, ui: &Ui, fonts: Fonts, facts: &Facts, actions: &mut Vec<Action>) {
        headline(ui, fonts, facts.contenders);
        let most = |contender: &Contender| plot::max_ms(contender.times, self.alone);
        let max_ms = facts.contenders.iter().map(most).fold(0.0, f32::max);
        for (ix, contender) in facts.contenders.iter().enumerate() {
            let _id = ui.push_id_usize(ix);
            plot::draw(ui, contender.times, self.alone, max_ms);
        }
        ui.spacing();
        self.table(ui, facts.contenders);
        if ui.button_with_size("Save a trace", [-f32::MIN_POSITIVE, 0.0]) {
            actions.push(Action::Trace);
        }
        if ui.is_item_hovered() {
            tip(
                ui,
                "What CPU and GPU do in the next frames, as a file for Perfetto (T).",
            );
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
    let gpu_ms: f32 = contenders
        .iter()
        .filter_map(|contender| Some(contender.times.gpu()?.median))
        .sum();
    let rate = if frame.median > 0.0 {
        1e3 / frame.median
    } else {
        0.0
    };
    let figures = [
        (format!("{rate:.0}"), "frames/s"),
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

/// To the microsecond, as long as there is room for it.
fn milliseconds(ms: f32) -> String {
    match ms {
        1000.0.. => format!("{ms:.0}"),
        100.0.. => format!("{ms:.1}"),
        _ => format!("{ms:.3}"),
    }
}

/// Text that ends where its column does, so that decimal points stand under each other.
fn right_aligned(ui: &Ui, colour: theme::Colour, text: &str) {
    let [left, top] = ui.cursor_pos();
    let spare = ui.content_region_avail()[0] - ui.calc_text_size(text)[0];
    ui.set_cursor_pos([left + spare.max(0.0), top]);
    ui.text_colored(colour, text);
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
        Stage::ClothSolve => "Stretch, shear and bend constraints are projected.",
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
