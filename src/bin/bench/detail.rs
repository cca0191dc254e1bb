//! `bench detail`: what each level of detail costs, how far its cloth lies from fully simulated cloth, and what a person sees of it.
//!
//! Cloth that slides within its surface looks the same, and folds fall elsewhere after any rounding: so distances are to the surface, and
//! one row is fully simulated once more with its fields drawn, whose cells differ by roundings alone.

use std::fmt::Write as _;

use glam::Vec3;
use radial_fields::cloth::Detail;
use radial_fields::cloth::garment::Garment;
use radial_fields::engine::Identity;
use radial_fields::engine::output::{prepare_files, write_whole};
use radial_fields::math::triangle_tree::TriangleTree;
use radial_fields::oracle::seen::GarmentFigures;
use radial_fields::scenes::{Spread, Variant};
use radial_fields::{Technique, say};
use rayon::prelude::*;

use crate::cli::DetailFlags;
use crate::opened::Opened;
use crate::preload::preload_one;
use crate::results::Trial;
use crate::trial::{self, TrialDesc};
use crate::{Verdict, runs};

/// Millimetres from the surface of fully simulated cloth at the same time.
struct Distances {
    /// Of each frame the median particle's, and what 95 % of its particles stay within; over the frames.
    median: Spread,
    most: Spread,
}

struct Row {
    name: String,
    trial: Trial,
    distances: Distances,
}

/// Plays every level, prints the table and writes what was asked for. Faulty if a trial failed or validation spoke up.
pub fn run(flags: &DetailFlags) -> anyhow::Result<Verdict> {
    let written = flags.csv.iter().map(|file| ("--csv", file.as_path()));
    prepare_files(&written.collect::<Vec<_>>(), &[])?;
    let opened = Opened::new(c"bench detail", &flags.device)?;
    let device = &opened.device;
    let preloaded = preload_one(&flags.played)?;
    let desc = |technique, detail| TrialDesc {
        device,
        condition: preloaded.condition,
        avatar: &preloaded.avatar,
        garments: &preloaded.garments,
        technique,
        fields: Variant::SHIPPED,
        detail,
        preroll_seconds: flags.preroll.seconds,
        hash: None,
        frames: flags.frames,
        oracle_every: Some(1),
        keeps_positions: true,
    };
    let levels = Detail::ALL.map(|detail| desc(Technique::RadialCompute, detail));
    let rounded = desc(Technique::Radial, Detail::Full);
    let descs: Vec<_> = levels.into_iter().chain([rounded]).collect();
    let rows = rows(&descs, flags.runs)?;
    say!("{}", markdown(&rows));
    if let Some(file) = &flags.csv {
        let identity = Identity::new(SCHEMA, "bench", &device.info, None);
        write_whole(file, (identity.comment() + &csv(&rows)).as_bytes())?;
    }
    Ok(opened.verdict(true))
}

fn rows(descs: &[TrialDesc], runs: u32) -> anyhow::Result<Vec<Row>> {
    // Played by itself: that the same comes of it once more is shown, not taken for granted.
    let full = Surfaces {
        frames: trial::run(&descs[0], None)?.positions,
        triangles: triangles(descs[0].garments),
    };
    let trials = runs::play(descs, runs, None).into_iter().zip(descs);
    trials
        .map(|(trial, desc)| {
            let trial = trial?;
            Ok(Row {
                name: desc.name(),
                distances: full.distances(&trial.positions),
                trial,
            })
        })
        .collect()
}

/// The triangles of all garments, by particles of all.
fn triangles(garments: &[Garment]) -> Vec<[u32; 3]> {
    let mut all = Vec::new();
    let mut first = 0;
    for garment in garments {
        let own = garment.mesh.triangles.iter();
        all.extend(own.map(|corners| corners.map(|corner| corner + first)));
        first += garment.mesh.positions.len() as u32;
    }
    all
}

/// Cloth frame by frame.
struct Surfaces {
    frames: Vec<Vec<Vec3>>,
    triangles: Vec<[u32; 3]>,
}

impl Surfaces {
    /// Of other cloth's particles, frame by frame.
    fn distances(&self, found: &[Vec<Vec3>]) -> Distances {
        let pairs = self.frames.par_iter().zip(found);
        let of_frames: Vec<_> = pairs
            .map(|(full, found)| self.spread(full, found))
            .collect();
        let over =
            |part: fn(&Spread) -> f32| Spread::of(&of_frames.iter().map(part).collect::<Vec<_>>());
        Distances {
            median: over(|frame| frame.median),
            most: over(|frame| frame.p95),
        }
    }

    fn spread(&self, full: &[Vec3], found: &[Vec3]) -> Spread {
        let tree = TriangleTree::new(full, &self.triangles);
        let distance = |position: &Vec3| {
            let nearest = tree.nearest_point(position.as_dvec3(), FARTHEST);
            nearest.map_or(FARTHEST, |nearest| nearest.distance)
        };
        let millimetres = found.iter().map(|position| 1e3 * distance(position) as f32);
        Spread::of(&millimetres.collect::<Vec<_>>())
    }
}

/// Metres: cloth that is further off counts as so far.
const FARTHEST: f64 = 1.0;

/// A column: its heading, and its text in a row.
type Column = (&'static str, fn(&Row) -> String);

const COLUMNS: [Column; 11] = [
    ("step, ms", |row| {
        format!("{:.3}", row.trial.whole_frame.sum_ms.median)
    }),
    ("collisions, ms", |row| {
        format!("{:.3}", row.trial.frame_ms.median)
    }),
    ("median distance, mm", |row| {
        format!("{:.1}", row.distances.median.median)
    }),
    ("95 % of the particles, mm", |row| {
        format!("{:.1}", row.distances.most.median)
    }),
    ("the same, in 95 % of the frames", |row| {
        format!("{:.1}", row.distances.most.p95)
    }),
    ("torn frames, %", |row| {
        worst(row, |seen| seen.torn.percent, 1)
    }),
    ("deep triangles at worst", |row| {
        worst(row, |seen| seen.deep.worst, 0)
    }),
    ("inside, %", |row| {
        let inside = row
            .trial
            .quality
            .map(|quality| 100.0 * quality.inside_fraction);
        inside.map_or(String::new(), |percent| format!("{percent:.4}"))
    }),
    ("95 % of edges", |row| {
        worst(row, |seen| seen.stretch.p95, 3)
    }),
    ("99 %", |row| worst(row, |seen| seen.stretch.p99, 3)),
    ("dispatches", |row| {
        row.trial.launches.dispatches.to_string()
    }),
];

/// The worst garment's.
fn worst(row: &Row, figure: fn(&GarmentFigures) -> f64, digits: usize) -> String {
    let seen = row.trial.seen.iter().flatten().map(figure);
    format!("{:.digits$}", seen.fold(0.0, f64::max))
}

fn markdown(rows: &[Row]) -> String {
    let names: Vec<_> = COLUMNS.iter().map(|column| column.0).collect();
    let mut text = format!(
        "| detail | {} |\n|---|{}",
        names.join(" | "),
        "---|".repeat(COLUMNS.len())
    );
    for row in rows {
        let cells: Vec<_> = COLUMNS.iter().map(|column| column.1(row)).collect();
        let _ = write!(text, "\n| {} | {} |", row.name, cells.join(" | "));
    }
    text
}

fn csv(rows: &[Row]) -> String {
    let names: Vec<_> = COLUMNS
        .iter()
        .map(|column| crate::csv::quoted(column.0))
        .collect();
    let mut text = format!("detail,{},state_hash\n", names.join(","));
    for row in rows {
        let cells: Vec<_> = COLUMNS.iter().map(|column| column.1(row)).collect();
        let (name, hash) = (crate::csv::quoted(&row.name), &row.trial.state_hash);
        let _ = writeln!(text, "{name},{},{hash}", cells.join(","));
    }
    text
}

/// Of the file of `--csv`.
const SCHEMA: (&str, u32) = ("radial_fields.bench.detail", 1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_to_the_surface_at_the_same_time() {
        let triangle = vec![Vec3::ZERO, Vec3::X, Vec3::Z];
        let full = Surfaces {
            frames: vec![triangle.clone(); 3],
            triangles: vec![[0, 1, 2]],
        };
        let within = vec![Vec3::new(0.2, 0.0, 0.3); 3];
        let above = vec![Vec3::new(0.2, 0.002, 0.3); 3];
        let distances = full.distances(&[within, above.clone(), above]);
        assert!((distances.median.median - 2.0).abs() < 1e-3);
        assert_eq!(distances.median.min, 0.0);
    }
}
