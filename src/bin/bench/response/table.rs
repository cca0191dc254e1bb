//! The figures of a table's rows.

use std::fmt::Write as _;

use radial_fields::oracle::solids::SolidQuality;

use super::Cost;
use super::ways::Way;
use crate::cli::ResponseTable;

/// Milliseconds of a frame, the middle of all runs, the least and the most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Middle {
    middle: f32,
    least: f32,
    most: f32,
}

/// A way with its figures.
pub struct Row {
    name: &'static str,
    collide_ms: Middle,
    frame_ms: Middle,
    /// What it takes more than the first way: milliseconds of collision, and percent of a frame.
    added_ms: f32,
    added_percent: f32,
    quality: Option<SolidQuality>,
}

impl Middle {
    /// # Panics
    /// Without any run.
    fn of(runs: &[Cost], part: fn(&Cost) -> f32) -> Self {
        let mut runs: Vec<_> = runs.iter().map(part).collect();
        runs.sort_by(f32::total_cmp);
        let last = runs.len() - 1;
        Self {
            middle: runs[last / 2],
            least: runs[0],
            most: runs[last],
        }
    }
}

/// `costs`: of each way, all its runs.
pub fn rows(ways: &[Way], costs: &[Vec<Cost>], qualities: &[Option<SolidQuality>]) -> Vec<Row> {
    let of = |runs: &Vec<Cost>| {
        [|cost: &Cost| cost.collide_ms, |cost: &Cost| cost.frame_ms]
            .map(|part| Middle::of(runs, part))
    };
    let [collide, frame] = of(&costs[0]);
    let each = ways.iter().zip(costs).zip(qualities);
    each.map(|((way, runs), &quality)| {
        let [collide_ms, frame_ms] = of(runs);
        Row {
            name: way.name,
            added_ms: collide_ms.middle - collide.middle,
            added_percent: 100.0 * (frame_ms.middle / frame.middle.max(f32::MIN_POSITIVE) - 1.0),
            collide_ms,
            frame_ms,
            quality,
        }
    })
    .collect()
}

/// A line per row.
pub fn printed(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<30}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}",
        "", "collision", "least", "most", "more", "a step", "least", "most", "more, %", "share, %"
    );
    for row in rows {
        let (collide, frame) = (row.collide_ms, row.frame_ms);
        let _ = write!(text, "\n{:<30}", row.name);
        for ms in [collide.middle, collide.least, collide.most, row.added_ms] {
            let _ = write!(text, "{ms:>10.4}");
        }
        for ms in [frame.middle, frame.least, frame.most] {
            let _ = write!(text, "{ms:>10.4}");
        }
        let _ = write!(
            text,
            "{:>10.1}{:>10.1}",
            row.added_percent,
            row.share_percent()
        );
    }
    for (row, quality) in rows.iter().filter_map(|row| Some((row, row.quality?))) {
        let _ = write!(
            text,
            "\n{}: {:.4} of the particles inside at the end, deepest {:.1} mm, {} triangles pierced",
            row.name, quality.inside_fraction, quality.max_penetration_mm, quality.pierced_last
        );
    }
    text
}

/// What [`Row::csv`] has.
pub const CSV_HEADER: &str = "table,way,collide_ms,collide_ms_least,collide_ms_most,collide_more_ms,\
    frame_ms,frame_ms_least,frame_ms_most,frame_more_percent,collide_percent,inside_fraction,deepest_mm,pierced\n";

impl Row {
    /// Collision's part of a frame.
    fn share_percent(&self) -> f32 {
        100.0 * self.collide_ms.middle / self.frame_ms.middle.max(f32::MIN_POSITIVE)
    }

    /// A line with its end; without quality its last cells are empty.
    pub fn csv(&self, table: ResponseTable) -> String {
        let (collide, frame) = (self.collide_ms, self.frame_ms);
        let figures = [
            collide.middle,
            collide.least,
            collide.most,
            self.added_ms,
            frame.middle,
            frame.least,
            frame.most,
            self.added_percent,
            self.share_percent(),
        ];
        let figures = figures.map(|figure| figure.to_string()).join(",");
        let quality = self.quality.map_or(",,".to_owned(), |quality| {
            let SolidQuality {
                inside_fraction,
                max_penetration_mm,
                pierced_last,
                ..
            } = quality;
            format!("{inside_fraction},{max_penetration_mm},{pierced_last}")
        });
        format!("{},\"{}\",{figures},{quality}\n", table.name(), self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(frames_ms: [f32; 3]) -> Vec<Cost> {
        let cost = |frame_ms| Cost {
            collide_ms: 0.25 * frame_ms,
            frame_ms,
        };
        frames_ms.map(cost).to_vec()
    }

    #[test]
    fn the_middle_run_counts_against_the_first_way() {
        let part = |cost: &Cost| cost.frame_ms;
        let found = Middle::of(&runs([3.0, 9.0, 1.0]), part);
        assert_eq!([found.middle, found.least, found.most], [3.0, 1.0, 9.0]);
        let row = |added_percent| Row {
            name: "a way",
            collide_ms: Middle::of(&runs([4.0, 4.0, 4.0]), |cost| cost.collide_ms),
            frame_ms: Middle::of(&runs([4.0, 4.0, 4.0]), part),
            added_ms: 0.5,
            added_percent,
            quality: None,
        };
        assert_eq!(row(0.0).share_percent(), 25.0);
        assert_eq!(printed(&[row(0.0), row(15.0)]).lines().count(), 3);
        let cells = |line: &str| line.split(',').count();
        assert_eq!(
            cells(&row(0.0).csv(ResponseTable::Clothes)),
            cells(CSV_HEADER)
        );
    }
}
