//! How runs went one after the other: a line a condition and technique, over the commits.

use std::path::PathBuf;

use plotters::prelude::*;
use radial_fields::say;

use crate::diff::Saved;
use crate::plot::{Canvas, FONT, picture};

/// Pixels.
const SIZE: (u32, u32) = (1400, 700);
/// Runs that are labelled below the plot: more would lie over each other.
const MAX_LABELS: usize = 20;

/// Of all runs.
pub struct Series {
    /// What each run is called: its commit, else its file.
    runs: Vec<String>,
    lines: Vec<Line>,
}

/// A condition and technique.
struct Line {
    name: String,
    /// A run each; none where it was not played.
    sums_ms: Vec<Option<f64>>,
}

/// Those of the first run, through all of them.
pub fn of(runs: &[Saved], files: &[PathBuf]) -> Series {
    let named = runs.iter().zip(files).map(|(run, file)| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        run.commit().unwrap_or_else(|| stem.into_owned())
    });
    let trials = runs.first().map_or(&[][..], |run| &run.trials);
    let lines = trials.iter().map(|trial| Line {
        name: format!("condition {}, {}", trial.condition, trial.technique),
        sums_ms: runs
            .iter()
            .map(|run| Some(trial.find_in(run)?.sum_ms()))
            .collect(),
    });
    Series {
        runs: named.collect(),
        lines: lines.collect(),
    }
}

impl Series {
    /// A row a condition and technique: the sum of its stages' medians, run by run.
    pub fn print(&self) {
        let cells = self.runs.iter().map(|run| format!("{run:>10}"));
        say!("{:<34}{}", "sum of medians, ms", cells.collect::<String>());
        for line in &self.lines {
            let cell = |sum: &Option<f64>| sum.map_or("-".to_owned(), |ms| format!("{ms:.3}"));
            let cells = line.sums_ms.iter().map(|sum| format!("{:>10}", cell(sum)));
            say!("{:<34}{}", line.name, cells.collect::<String>());
        }
    }

    /// The same as lines.
    pub fn draw(&self) -> anyhow::Result<image::DynamicImage> {
        picture(SIZE, |canvas| self.draw_on(canvas))
    }

    fn draw_on(&self, canvas: &Canvas) -> anyhow::Result<()> {
        let sums = self.lines.iter().flat_map(|line| &line.sums_ms).flatten();
        let most = sums.fold(0.0, |most: f64, ms| most.max(*ms));
        let last = self.runs.len().saturating_sub(1).max(1);
        let name = |ix: &f64| {
            let is_run = (ix - ix.round()).abs() < 1e-6;
            let run = self.runs.get(ix.round().max(0.0) as usize);
            run.filter(|_| is_run).cloned().unwrap_or_default()
        };
        let mut chart = ChartBuilder::on(canvas)
            .margin(16)
            .x_label_area_size(60)
            .y_label_area_size(90)
            .build_cartesian_2d(0.0..last as f64, 0.0..1.1 * most.max(1e-6))?;
        chart
            .configure_mesh()
            .x_labels(self.runs.len().min(MAX_LABELS))
            .x_label_formatter(&name)
            .y_desc("sum of the stages' medians, ms")
            .label_style((FONT, 18))
            .draw()?;
        for (ix, line) in self.lines.iter().enumerate() {
            let colour = Palette99::pick(ix).to_rgba();
            let points: Vec<(f64, f64)> = (line.sums_ms.iter().enumerate())
                .filter_map(|(run_ix, sum)| Some((run_ix as f64, (*sum)?)))
                .collect();
            let dots = points.iter().map(|&at| Circle::new(at, 4, colour.filled()));
            chart.draw_series(dots)?;
            let drawn = chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
            drawn.label(line.name.as_str()).legend(move |(x, y)| {
                Rectangle::new([(x, y - 4), (x + 16, y + 4)], colour.filled())
            });
        }
        chart
            .configure_series_labels()
            .label_font((FONT, 18))
            .background_style(WHITE.mix(0.8))
            .draw()?;
        Ok(())
    }
}
