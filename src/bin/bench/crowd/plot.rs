//! What a step costs over the number of characters: a line a technique, up to 95 % of the frames.

use std::ops::Range;

use anyhow::{Context as _, anyhow};
use plotters::prelude::*;
use radial_fields::Technique;
use radial_fields::engine::DeviceInfo;

use super::Row;
use crate::accuracy::register;
use crate::plot::colour;

/// Pixels.
const SIZE: (u32, u32) = (1000, 640);

/// Draws a picture of the crowds that were timed.
pub fn draw(device: &DeviceInfo, rows: &[Row]) -> anyhow::Result<image::DynamicImage> {
    let mut pixels = vec![0; (SIZE.0 * SIZE.1 * 3) as usize];
    plot(&mut pixels, device, rows).map_err(|error| anyhow!("the plot of the crowds: {error}"))?;
    let picture = image::RgbImage::from_raw(SIZE.0, SIZE.1, pixels);
    Ok(picture.context("the plot has the wrong size")?.into())
}

fn plot(
    pixels: &mut [u8],
    device: &DeviceInfo,
    rows: &[Row],
) -> Result<(), Box<dyn std::error::Error>> {
    register()?;
    let characters = decades(rows.iter().map(|row| row.characters as f32), 1.0..100.0);
    let heights = rows
        .iter()
        .flat_map(|row| [row.step_ms(), row.step_p95_ms()]);
    let heights = decades(heights, 0.1..10.0);
    let root = BitMapBackend::with_buffer(pixels, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title(device), ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(characters.log_scale(), heights.log_scale())?;
    chart
        .configure_mesh()
        .x_desc("characters in one world, log scale")
        .y_desc("milliseconds, log scale")
        .x_label_formatter(&|count| format!("{count}"))
        .y_label_formatter(&|ms| format!("{ms}"))
        .label_style(("sans-serif", 16))
        .light_line_style(RGBColor(236, 236, 236))
        .draw()?;
    for technique in Technique::ALL {
        let mut own: Vec<_> = rows
            .iter()
            .filter(|row| row.technique == technique)
            .collect();
        own.sort_by_key(|row| row.characters);
        let (Some(_), colour) = (own.first(), colour(technique)) else {
            continue;
        };
        let line = own.iter().map(|row| (row.characters as f32, row.step_ms()));
        chart
            .draw_series(LineSeries::new(line, colour.stroke_width(3)).point_size(4))?
            .label(technique.name())
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 16, y + 5)], colour.filled()));
        let whisker = |row: &&Row| {
            let at = |ms| (row.characters as f32, ms);
            let ends = [at(row.step_ms()), at(row.step_p95_ms())];
            PathElement::new(ends, colour.stroke_width(1))
        };
        chart.draw_series(own.iter().map(whisker))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .label_font(("sans-serif", 16))
        .border_style(BLACK)
        .draw()?;
    Ok(root.present()?)
}

fn title(device: &DeviceInfo) -> String {
    let software = match device.is_gpu {
        true => "",
        false => "; Vulkan in software: the times compare nothing",
    };
    let DeviceInfo { name, driver, .. } = device;
    format!("A step on {name}, {driver}: median and 95 %{software}")
}

/// Whole powers of ten round the values above zero; `without` for none.
fn decades(values: impl Iterator<Item = f32>, without: Range<f32>) -> Range<f32> {
    let values: Vec<f32> = values.filter(|value| *value > 0.0).collect();
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let most = values.iter().copied().fold(0.0, f32::max);
    if values.is_empty() {
        return without;
    }
    let decade = |exponent: f32| 10_f32.powi(exponent as i32);
    decade(least.log10().floor())..decade((1.01 * most).log10().ceil())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_powers_of_ten_round_all_values() {
        let range = decades([0.0, 0.36, 20.9].into_iter(), 0.1..10.0);
        assert!(
            (range.start - 0.1).abs() < 1e-6 && (range.end - 100.0).abs() < 1e-3,
            "{range:?}"
        );
        let one = decades([1.0].into_iter(), 0.1..10.0);
        assert!(one.start <= 1.0 && one.end > 1.0, "{one:?}");
        assert_eq!(decades([0.0].into_iter(), 0.1..10.0), 0.1..10.0);
    }
}
