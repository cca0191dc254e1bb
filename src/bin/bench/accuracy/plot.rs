//! Distance between fields and skin over the size of the cells.

use anyhow::{Context as _, anyhow};
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use radial_fields::collide::radial::fit::FitSettings;

use super::Row;
use crate::plot::COLOURS;

const SIZE: (u32, u32) = (900, 560);
const FONT: &[u8] = include_bytes!("../../../../assets/fonts/Roboto-Regular.ttf");

/// One pair of lines per character: 95 % of the skin is nearer to the fields than the thick line says, the thin one is the mean.
pub fn draw(rows: &[Row]) -> anyhow::Result<image::DynamicImage> {
    let mut pixels = vec![0; (SIZE.0 * SIZE.1 * 3) as usize];
    plot(&mut pixels, rows).map_err(|error| anyhow!("the plot of the distances: {error}"))?;
    let picture = image::RgbImage::from_raw(SIZE.0, SIZE.1, pixels);
    Ok(picture.context("the plot has the wrong size")?.into())
}

/// Makes our font known to plotters as `sans-serif`.
pub fn register() -> Result<(), &'static str> {
    register_font("sans-serif", FontStyle::Normal, FONT).map_err(|_| "the font is broken")
}

fn plot(pixels: &mut [u8], rows: &[Row]) -> Result<(), Box<dyn std::error::Error>> {
    register()?;
    let threshold = FitSettings::default().weight_threshold;
    let of_cells: Vec<_> = rows
        .iter()
        .filter(|row| row.weight_threshold == threshold)
        .collect();
    let most = |value: fn(&Row) -> f64| of_cells.iter().map(|row| value(row)).fold(0.0, f64::max);
    let (widest, highest) = (
        most(|row| f64::from(row.cell_mm)),
        most(|row| row.skin_to_fields.p95_mm),
    );
    let root = BitMapBackend::with_buffer(pixels, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(
            "Skin to the fields' surface: mean (thin) and 95 % (thick)",
            ("sans-serif", 22),
        )
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..widest * 1.05, 0.0..highest * 1.15)?;
    chart
        .configure_mesh()
        .x_desc("cell, mm")
        .y_desc("distance, mm")
        .label_style(("sans-serif", 16))
        .light_line_style(TRANSPARENT)
        .draw()?;
    let mut names: Vec<&str> = of_cells.iter().map(|row| row.avatar.as_str()).collect();
    names.dedup();
    for (name, colour) in names.into_iter().zip(COLOURS) {
        let mut own: Vec<_> = of_cells.iter().filter(|row| row.avatar == name).collect();
        own.sort_by(|a, b| a.cell_mm.total_cmp(&b.cell_mm));
        let line = |value: fn(&Row) -> f64| -> Vec<(f64, f64)> {
            own.iter()
                .map(|row| (f64::from(row.cell_mm), value(row)))
                .collect()
        };
        chart.draw_series(LineSeries::new(
            line(|row| row.skin_to_fields.mean_mm),
            colour.stroke_width(1),
        ))?;
        chart
            .draw_series(LineSeries::new(
                line(|row| row.skin_to_fields.p95_mm),
                colour.stroke_width(3),
            ))?
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 16, y + 5)], colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .label_font(("sans-serif", 16))
        .border_style(BLACK)
        .draw()?;
    Ok(root.present()?)
}
