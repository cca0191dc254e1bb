//! Frame time and GPU time by stage: a headline, the history as a plot, a table.

use imgui::{SelectableFlags, TableColumnFlags, TableColumnSetup, TableFlags, Ui};

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
    pub fn draw(&mut self, ui: &Ui, fonts: Fonts, times: &Times) {
        headline(ui, fonts, times);
        plot::draw(ui, times, self.alone);
        ui.spacing();
        self.table(ui, times);
    }

    fn table(&mut self, ui: &Ui, times: &Times) {
        let flags = TableFlags::ROW_BG | TableFlags::SIZING_STRETCH_PROP | TableFlags::PAD_OUTER_X;
        let Some(_table) = ui.begin_table_with_flags("stages", 4, flags) else {
            return;
        };
        header(ui);
        for stage in Stage::ALL {
            if let Some(ms) = times.stage(stage) {
                self.row(ui, stage, ms);
            }
        }
        if let Some(ms) = times.gpu() {
            ui.table_next_row();
            ui.table_next_column();
            ui.text("together");
            figures(ui, ms);
        }
    }

    /// A click plots the stage alone; another, all of them.
    fn row(&mut self, ui: &Ui, stage: Stage, ms: Summary) {
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
        figures(ui, ms);
    }
}

fn headline(ui: &Ui, fonts: Fonts, times: &Times) {
    let frame = Summary::of(times.frames.iter()).unwrap_or_default();
    let gpu = times.gpu().unwrap_or_default();
    let rate = if frame.median > 0.0 {
        1e3 / frame.median
    } else {
        0.0
    };
    let figures = [
        (format!("{rate:.0}"), "frames/s"),
        (format!("{:.1}", frame.median), "ms a frame"),
        (format!("{:.2}", gpu.median), "ms on the GPU"),
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

fn header(ui: &Ui) {
    for (name, weight) in [("stage", 2.2), ("now", 1.0), ("median", 1.0), ("p95", 1.0)] {
        ui.table_setup_column_with(TableColumnSetup {
            init_width_or_weight: weight,
            flags: TableColumnFlags::WIDTH_STRETCH,
            ..TableColumnSetup::new(name)
        });
    }
    ui.table_next_row();
    for name in ["GPU ms", "now", "median", "p95"] {
        ui.table_next_column();
        if name == "GPU ms" {
            ui.text_colored(theme::FAINT, name);
        } else {
            right_aligned(ui, theme::FAINT, name);
        }
    }
}

fn figures(ui: &Ui, ms: Summary) {
    for value in [ms.current, ms.median, ms.p95] {
        ui.table_next_column();
        let colour = ui.style_color(imgui::StyleColor::Text);
        right_aligned(ui, colour, &milliseconds(value));
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
        Stage::Upload => "Copies of what never changes, in the first frame.",
        Stage::Bake => "Skin and garment targets follow the bones.",
        Stage::CollideClear => "The fields are emptied.",
        Stage::CollideUpdate => "The skin's triangles are drawn into the fields.",
        Stage::ClothPredict => "Particles move by inertia, gravity and wind.",
        Stage::ClothSolve => "Stretch, shear and bend constraints are projected.",
        Stage::Collide => "Particles are tested against the fields and put outside.",
        Stage::ClothFinish => "Velocities and normals of the finished step.",
        Stage::Shadow => "The scene as the light sees it.",
        Stage::Draw => "The picture.",
        Stage::Overlay => "These panels.",
    }
}
