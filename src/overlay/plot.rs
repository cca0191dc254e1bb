//! The history of GPU times: a column a frame, its stages on top of each other.

use imgui::{DrawListMut, Ui};

use super::history::{FRAME_COUNT, StageColumn, Times, total};
use super::theme::{self, stage_colour, with_alpha};
use crate::stage::Stage;

/// Height of the plot, in lines of text.
const HEIGHT_IN_LINES: f32 = 5.0;

/// Where the plot lies on the screen, and what its height stands for.
struct Area {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
    top_ms: f32,
}

impl Area {
    fn y(&self, ms: f32) -> f32 {
        self.top + self.height * (1.0 - (ms / self.top_ms).min(1.0))
    }

    /// The newest column stands at the right edge.
    fn x(&self, columns_from_right: usize) -> f32 {
        self.left + self.width * (1.0 - columns_from_right as f32 / FRAME_COUNT as f32)
    }
}

/// Draws all stages, or one alone, up to the slowest of `max_ms`, which several plots can share.
pub fn draw(ui: &Ui, times: &Times, alone: Option<Stage>, max_ms: f32) {
    let columns = columns(times, alone);
    let [left, top] = ui.cursor_screen_pos();
    let area = Area {
        left,
        top,
        width: ui.content_region_avail()[0],
        height: HEIGHT_IN_LINES * ui.text_line_height(),
        top_ms: nice_top(max_ms),
    };
    ui.invisible_button("history", [area.width, area.height]);
    let list = ui.get_window_draw_list();
    background(&list, &area);
    for (ix, column) in columns.iter().enumerate() {
        draw_column(&list, &area, columns.len() - ix, column);
    }
    scale(&list, &area, alone);
    drop(list);
    if ui.is_item_hovered() {
        explain(ui, &area, &columns);
    }
}

/// The slowest column that [`draw`] would draw.
pub fn max_ms(times: &Times, alone: Option<Stage>) -> f32 {
    columns(times, alone).iter().map(total).fold(0.0, f32::max)
}

fn columns(times: &Times, alone: Option<Stage>) -> Vec<StageColumn> {
    let columns = times.stages.iter();
    columns.map(|column| only(column, alone)).collect()
}

fn only(column: StageColumn, alone: Option<Stage>) -> StageColumn {
    let Some(stage) = alone else { return column };
    let mut kept = StageColumn::default();
    kept[stage.ix()] = column[stage.ix()];
    kept
}

fn background(list: &DrawListMut, area: &Area) {
    const SHADE: theme::Colour = [0.0, 0.0, 0.0, 0.35];
    let corner = [area.left + area.width, area.top + area.height];
    list.add_rect([area.left, area.top], corner, SHADE)
        .filled(true)
        .rounding(4.0)
        .build();
}

fn draw_column(list: &DrawListMut, area: &Area, columns_from_right: usize, column: &StageColumn) {
    let (left, right) = (area.x(columns_from_right), area.x(columns_from_right - 1));
    let mut below_ms = 0.0;
    for stage in Stage::ALL {
        let Some(ms) = column[stage.ix()] else {
            continue;
        };
        let (bottom, top) = (area.y(below_ms), area.y(below_ms + ms));
        below_ms += ms;
        // What is less than half a pixel high can't be seen.
        if bottom - top > 0.5 {
            list.add_rect([left, top], [right, bottom], stage_colour(stage))
                .filled(true)
                .build();
        }
    }
}

/// Lines at a half and the whole of the scale, with their times.
fn scale(list: &DrawListMut, area: &Area, alone: Option<Stage>) {
    let line = with_alpha(theme::FAINT, 0.35);
    let middle = area.y(0.5 * area.top_ms);
    list.add_line([area.left, middle], [area.left + area.width, middle], line)
        .build();
    let text = with_alpha([1.0; 4], 0.85);
    let shadow = [0.0, 0.0, 0.0, 0.8];
    let what = alone.map_or("", Stage::name);
    for (y, label) in [
        (area.top + 2.0, format!("{} ms  {what}", area.top_ms)),
        (middle + 1.0, format!("{} ms", 0.5 * area.top_ms)),
    ] {
        list.add_text([area.left + 6.0, y + 1.0], shadow, &label);
        list.add_text([area.left + 5.0, y], text, &label);
    }
}

/// The frame under the mouse, stage by stage.
fn explain(ui: &Ui, area: &Area, columns: &[StageColumn]) {
    let from_right = (area.left + area.width - ui.io().mouse_pos[0]) / area.width;
    let back = (from_right * FRAME_COUNT as f32).max(0.0) as usize;
    let Some(column) = columns.len().checked_sub(back + 1).map(|ix| &columns[ix]) else {
        return;
    };
    ui.tooltip(|| {
        ui.text(format!("{back} frames ago: {:.3} ms", total(column)));
        for stage in Stage::ALL {
            if let Some(ms) = column[stage.ix()] {
                ui.text_colored(stage_colour(stage), format!("{:.3}  {}", ms, stage.name()));
            }
        }
    });
}

/// The next of 1, 2, 5, 10, 20, … tenths that is not less.
fn nice_top(max_ms: f32) -> f32 {
    const MIN_MS: f32 = 0.1;
    let max_ms = max_ms.max(MIN_MS);
    let decade = 10f32.powf(max_ms.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let fits = steps
        .into_iter()
        .find(|step| step * decade >= max_ms * 0.9999);
    let tidy = |ms: f32| (ms * 1e4).round() / 1e4;
    tidy(fits.unwrap_or(10.0) * decade)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_ends_at_a_round_number_not_less() {
        let tops = [0.0, 0.1, 0.11, 0.34, 0.6, 1.0, 1.7, 16.6, 230.0].map(nice_top);
        assert_eq!(tops, [0.1, 0.1, 0.2, 0.5, 1.0, 1.0, 2.0, 20.0, 500.0]);
    }

    #[test]
    fn one_stage_alone_is_all_that_is_left() {
        let column: StageColumn = [Some(1.0); Stage::COUNT];
        assert_eq!(total(&only(column, None)), Stage::COUNT as f32);
        assert_eq!(total(&only(column, Some(Stage::Draw))), 1.0);
    }
}
