//! GPU times as a picture: their history, a column a frame with its stages on top of each other, or how they spread.

use imgui::{DrawListMut, Ui};

use super::history::{FRAME_COUNT, StageColumn, Summary, Times, histogram, total};
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
    /// Milliseconds, or frames.
    most: f32,
}

impl Area {
    /// What comes next in the panel.
    fn next(ui: &Ui, most: f32) -> Self {
        let [left, top] = ui.cursor_screen_pos();
        Self {
            left,
            top,
            width: ui.content_region_avail()[0],
            height: HEIGHT_IN_LINES * ui.text_line_height(),
            most,
        }
    }

    fn y(&self, value: f32) -> f32 {
        self.top + self.height * (1.0 - (value / self.most).min(1.0))
    }

    /// The newest column stands at the right edge.
    fn x(&self, columns_from_right: usize) -> f32 {
        self.left + self.width * (1.0 - columns_from_right as f32 / FRAME_COUNT as f32)
    }
}

/// Draws all stages, or one alone, up to the slowest of `max_ms`, which several plots can share.
pub fn draw(ui: &Ui, times: &Times, alone: Option<Stage>, max_ms: f32) {
    let columns = columns(times, alone);
    let area = Area::next(ui, nice_top(max_ms));
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

/// Bars of a histogram: as many as can be told apart in a panel.
const BIN_COUNT: usize = 48;

/// Draws how often a frame took how long, all stages or one alone, between two times that several plots can share.
pub fn draw_spread(ui: &Ui, times: &Times, alone: Option<Stage>, ends_ms: [f32; 2]) {
    let taken = taken_ms(times, alone);
    let bins = histogram(&taken, ends_ms, BIN_COUNT);
    let most = bins.iter().copied().max().unwrap_or_default().max(1);
    let area = Area::next(ui, most as f32);
    ui.invisible_button("spread", [area.width, area.height]);
    let list = ui.get_window_draw_list();
    background(&list, &area);
    let colour = alone.map_or(theme::ACCENT, stage_colour);
    let bin_width = area.width / BIN_COUNT as f32;
    for (ix, &count) in bins.iter().enumerate().filter(|(_, count)| **count > 0) {
        let left = area.left + ix as f32 * bin_width;
        let corner = [left + (bin_width - 1.0).max(1.0), area.y(0.0)];
        list.add_rect([left, area.y(count as f32)], corner, colour)
            .filled(true)
            .build();
    }
    if let Some(summary) = Summary::of(taken.iter().copied()) {
        mark(&list, &area, ends_ms, summary);
    }
    let [low, high] = ends_ms;
    let right = |text: &str| area.left + area.width - ui.calc_text_size(text)[0] - 10.0;
    let top = format!("{}  {most} frames", name_of(alone));
    write(&list, [right(&top), area.top + 2.0], &top);
    let (bottom, end) = (area.y(0.0), format!("{high:.2} ms"));
    write(&list, [area.left, bottom], &format!("{low:.2} ms"));
    write(&list, [right(&end), bottom], &end);
    drop(list);
    if ui.is_item_hovered() {
        let part = (ui.io().mouse_pos[0] - area.left) / area.width;
        let bin = ((part * BIN_COUNT as f32).max(0.0) as usize).min(BIN_COUNT - 1);
        let at = |bin: usize| low + (high - low) * bin as f32 / BIN_COUNT as f32;
        let (from, to) = (at(bin), at(bin + 1));
        let (count, all) = (bins[bin], taken.len());
        ui.tooltip_text(format!("{count} of {all} frames: {from:.3} to {to:.3} ms"));
    }
}

/// Lines at the median and at what 95 in 100 frames are under.
fn mark(list: &DrawListMut, area: &Area, [low, high]: [f32; 2], summary: Summary) {
    for (ms, colour) in [(summary.median, theme::GOOD), (summary.p95, theme::WARNING)] {
        let part = (ms - low) / (high - low).max(f32::MIN_POSITIVE);
        let x = area.left + area.width * part.clamp(0.0, 1.0);
        list.add_line([x, area.top], [x, area.top + area.height], colour)
            .build();
    }
}

/// The quickest and the slowest frame that [`draw_spread`] would draw; none before the first.
pub fn ends_ms(times: &Times, alone: Option<Stage>) -> Option<[f32; 2]> {
    let taken = taken_ms(times, alone);
    let low = taken.iter().copied().reduce(f32::min)?;
    let high = taken.iter().copied().reduce(f32::max)?;
    Some([low, high])
}

/// What each frame took in which something ran.
fn taken_ms(times: &Times, alone: Option<Stage>) -> Vec<f32> {
    let ran = |column: &StageColumn| column.iter().any(Option::is_some);
    columns(times, alone)
        .iter()
        .filter(|column| ran(column))
        .map(total)
        .collect()
}

fn name_of(alone: Option<Stage>) -> &'static str {
    alone.map_or("", Stage::name)
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
    let middle = area.y(0.5 * area.most);
    list.add_line([area.left, middle], [area.left + area.width, middle], line)
        .build();
    let top = format!("{} ms  {}", area.most, name_of(alone));
    write(list, [area.left, area.top + 2.0], &top);
    write(
        list,
        [area.left, middle + 1.0],
        &format!("{} ms", 0.5 * area.most),
    );
}

/// Text that can be read on bars of any colour.
fn write(list: &DrawListMut, [x, y]: [f32; 2], text: &str) {
    list.add_text([x + 6.0, y + 1.0], [0.0, 0.0, 0.0, 0.8], text);
    list.add_text([x + 5.0, y], with_alpha([1.0; 4], 0.85), text);
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
