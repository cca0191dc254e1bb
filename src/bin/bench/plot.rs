//! The comparison as a picture: a bar a technique, grouped by condition, the paper's figures across them.

use std::ops::Range;

use anyhow::{Context as _, anyhow};
use plotters::coord::Shift;
use plotters::coord::combinators::LogCoord;
use plotters::coord::types::RangedCoordf32;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use radial_fields::Technique;
use radial_fields::scenes::conditions::{PAPER_DEVICE, PaperCost};

use crate::results::{ConditionReport, Results, Trial};

/// Pixels. As wide as ten conditions need to be labelled.
const SIZE: (u32, u32) = (1800, 900);
const INK: RGBColor = RGBColor(40, 40, 40);
pub const FONT: &str = "roboto";
const FONT_BYTES: &[u8] = include_bytes!("../../../assets/fonts/Roboto-Regular.ttf");
/// Part of a condition's width that its bars take; the rest keeps groups apart.
const GROUP_WIDTH: f32 = 0.8;

const WHISKER: &str = "up to 95 % of the frames";

pub type Canvas<'a> = DrawingArea<BitMapBackend<'a>, Shift>;
type Chart<'a, 'b> =
    ChartContext<'a, BitMapBackend<'b>, Cartesian2d<RangedCoordf32, LogCoord<f32>>>;

/// Draws a picture.
pub fn draw(results: &Results) -> anyhow::Result<image::DynamicImage> {
    picture(SIZE, |canvas| draw_all(results, canvas))
}

/// A picture of that many pixels.
pub fn picture(
    size: (u32, u32),
    draw: impl FnOnce(&Canvas) -> anyhow::Result<()>,
) -> anyhow::Result<image::DynamicImage> {
    plotters::style::register_font(FONT, FontStyle::Normal, FONT_BYTES)
        .map_err(|_| anyhow!("the plot's font is damaged"))?;
    let mut pixels = vec![0; (size.0 * size.1 * 3) as usize];
    {
        let canvas = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
        canvas.fill(&WHITE)?;
        draw(&canvas)?;
        canvas.present()?;
    }
    let image =
        image::RgbImage::from_raw(size.0, size.1, pixels).context("the plot has the wrong size")?;
    Ok(image.into())
}

fn draw_all(results: &Results, canvas: &Canvas) -> anyhow::Result<()> {
    let (heading, below) = canvas.split_vertically(96);
    draw_heading(results, &heading)?;
    let heights = heights(results);
    let count = results.conditions.len();
    let mut chart = ChartBuilder::on(&below)
        .margin(12)
        .x_label_area_size(84)
        .y_label_area_size(84)
        .build_cartesian_2d(0.0..count as f32, heights.clone().log_scale())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_desc("milliseconds for one update and one collision, log scale")
        .y_label_formatter(&|ms| format!("{ms}"))
        .label_style((FONT, 18, &INK))
        .bold_line_style(RGBColor(205, 205, 205))
        .light_line_style(RGBColor(236, 236, 236))
        .draw()?;
    let techniques = techniques(results);
    for (ix, condition) in results.conditions.iter().enumerate() {
        for (slot, &technique) in techniques.iter().enumerate() {
            let mut trials = results.trials_of(condition.condition);
            if let Some(trial) = trials.find(|trial| trial.technique == technique) {
                let bar = bar(ix, slot, techniques.len());
                draw_bar(&mut chart, trial, bar, heights.start)?;
            }
        }
        let (x, y) = chart.backend_coord(&(ix as f32 + 0.5, heights.start));
        draw_label(condition, canvas, (x, y + 10))?;
    }
    Ok(())
}

/// Those that were measured, in the order of all.
fn techniques(results: &Results) -> Vec<Technique> {
    let was_measured = |technique: &Technique| {
        let mut trials = results.trials.iter();
        trials.any(|trial| trial.technique == *technique)
    };
    Technique::ALL.into_iter().filter(was_measured).collect()
}

/// Colours that people with any colour vision tell apart (Okabe and Ito 2008).
pub const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(240, 228, 66),
    RGBColor(0, 0, 0),
];

/// The same colour for a technique in every picture.
pub fn colour(technique: Technique) -> RGBColor {
    let place = Technique::ALL.iter().position(|other| *other == technique);
    COLOURS[place.unwrap_or_default() % COLOURS.len()]
}

/// Whole decades round everything that is drawn.
fn heights(results: &Results) -> Range<f32> {
    let measured = results.trials.iter().flat_map(|trial| {
        let paper = trial.paper.map(PaperCost::both_ms);
        [Some(trial.both_ms.median), Some(trial.both_ms.p95), paper]
    });
    let drawn: Vec<f32> = measured.flatten().filter(|ms| *ms > 0.0).collect();
    let least = drawn.iter().copied().fold(f32::INFINITY, f32::min);
    let most = drawn.iter().copied().fold(0.0, f32::max);
    if drawn.is_empty() {
        return 0.01..10.0;
    }
    // A bar of the least height would not be seen if the axis began there.
    let decade = |exponent: f32| 10_f32.powi(exponent as i32);
    decade((0.7 * least).log10().floor())..decade((1.2 * most).log10().ceil())
}

fn bar(condition_ix: usize, slot: usize, count: usize) -> Range<f32> {
    let width = GROUP_WIDTH / count as f32;
    let left = condition_ix as f32 + 0.5 * (1.0 - GROUP_WIDTH) + slot as f32 * width;
    left + 0.04 * width..left + 0.96 * width
}

/// The median, a whisker to 95 %, and the paper's figure as a dark line across.
fn draw_bar(chart: &mut Chart, trial: &Trial, bar: Range<f32>, floor: f32) -> anyhow::Result<()> {
    let (left, right) = (bar.start, bar.end);
    let middle = 0.5 * (left + right);
    let both = trial.both_ms;
    if both.median > 0.0 {
        let fill = colour(trial.technique).filled();
        chart.draw_series([Rectangle::new([(left, floor), (right, both.median)], fill)])?;
        let whisker = [(middle, both.median), (middle, both.p95)];
        chart.draw_series([PathElement::new(whisker, INK.stroke_width(1))])?;
    }
    if let Some(paper) = trial.paper {
        let across = [(left, paper.both_ms()), (right, paper.both_ms())];
        chart.draw_series([PathElement::new(across, BLACK.stroke_width(4))])?;
    }
    Ok(())
}

fn text_style(size: u32, x: HPos) -> TextStyle<'static> {
    TextStyle::from((FONT, size).into_font())
        .color(&INK)
        .pos(Pos::new(x, VPos::Top))
}

fn draw_label(
    condition: &ConditionReport,
    canvas: &Canvas,
    (x, y): (i32, i32),
) -> anyhow::Result<()> {
    let lines = [
        (18, format!("{}. {}", condition.condition, condition.avatar)),
        (15, condition.cloth.to_owned()),
        (15, format!("{} triangles", condition.triangles)),
        (15, format!("{} particles", condition.particles)),
    ];
    for (line, (size, text)) in lines.into_iter().enumerate() {
        let place = (x, y + 20 * line as i32);
        canvas.draw(&Text::new(text, place, text_style(size, HPos::Center)))?;
    }
    Ok(())
}

/// Title and legend.
fn draw_heading(results: &Results, area: &Canvas) -> anyhow::Result<()> {
    let software = match results.device.is_gpu {
        true => "",
        false => "; Vulkan in software: the times compare nothing",
    };
    let title = format!(
        "{}, {}: median of {} frames{software}",
        results.device.name, results.device.driver, results.frames
    );
    area.draw(&Text::new(title, (24, 16), text_style(26, HPos::Left)))?;
    let mut x = 26;
    for technique in techniques(results) {
        let swatch = [(x, 60), (x + 18, 78)];
        area.draw(&Rectangle::new(swatch, colour(technique).filled()))?;
        let style = text_style(19, HPos::Left);
        area.draw(&Text::new(technique.name(), (x + 26, 60), style.clone()))?;
        x += 60 + area.estimate_text_size(technique.name(), &style)?.0 as i32;
    }
    let whisker = [(x + 9, 60), (x + 9, 78)];
    area.draw(&PathElement::new(whisker, INK.stroke_width(1)))?;
    let style = text_style(19, HPos::Left);
    area.draw(&Text::new(WHISKER, (x + 26, 60), style.clone()))?;
    x += 60 + area.estimate_text_size(WHISKER, &style)?.0 as i32;
    area.draw(&PathElement::new(
        [(x, 69), (x + 18, 69)],
        BLACK.stroke_width(4),
    ))?;
    let paper = format!("the paper, on an {PAPER_DEVICE}");
    area.draw(&Text::new(paper, (x + 26, 60), text_style(19, HPos::Left)))?;
    Ok(())
}
