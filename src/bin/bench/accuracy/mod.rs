//! `bench accuracy`: how far the fields' surface lies from the skin, by cell size and weight threshold, over a clip.

mod picture;
mod plot;

use std::ffi::OsStr;
use std::path::Path;

use glam::Vec3;
use radial_fields::avatar::Avatar;
use radial_fields::collide::radial::fit::{FitSettings, fit};
use radial_fields::collide::radial::study::{
    CellCounts, Coverage, Deviation, EmptyCells, Spread, check_cells, coverage, deviation,
    empty_cells, judge,
};
use radial_fields::collide::radial::update::{fields_from_world, update};
use radial_fields::engine::output::{prepare_folder, write_png, write_whole};
use radial_fields::pose::Palette;
use radial_fields::scenes::Character;
use radial_fields::skin::bake::bake;
use radial_fields::{remark, say};
use serde::Serialize;

pub use plot::register;

use crate::cli::AccuracyFlags;
use crate::poses;
use crate::{Verdict, csv};

/// Points near the skin a pose that fields and mesh are asked about.
const POINT_COUNT: usize = 5_000;

/// Of cells, those that rays may leave unexplained.
const UNEXPLAINED_SHARE: f64 = 1.0 / 10_000.0;

/// One line of the table: a character with fields of one layout, over all poses.
#[derive(Serialize)]
struct Row {
    avatar: String,
    cell_mm: f32,
    weight_threshold: f32,
    fields: usize,
    cells_bytes: u32,
    /// From the fields' surface to the skin.
    fields_to_skin: Spread,
    /// From the skin to the fields' surface; its greatest is the forward Hausdorff distance.
    skin_to_fields: Spread,
    hausdorff_mm: f64,
    /// Points within 2 cm of the skin, by which the fields hold.
    coverage: Coverage,
    /// Cells against rays.
    cells: CellCounts,
    /// What lies ahead of cells that hold nothing.
    empty: EmptyCells,
}

/// A character in the poses that are measured.
struct Posed {
    avatar: Avatar,
    poses: Vec<(Palette, Vec<Vec3>)>,
}

/// Prints the tables and writes what was asked for. Faulty if cells hold what rays do not find.
pub fn run(flags: &AccuracyFlags) -> anyhow::Result<Verdict> {
    if let Some(folder) = &flags.out {
        prepare_folder(folder)?;
    }
    let mut rows = Vec::new();
    for name in &flags.avatars {
        let posed = Posed::load(name, flags.poses as usize)?;
        let default = FitSettings::default();
        let by_cell = flags.cells.iter().map(|&mm| FitSettings {
            cell_size: mm * 1e-3,
            ..default
        });
        let by_threshold = flags
            .thresholds
            .iter()
            .map(|&weight_threshold| FitSettings {
                weight_threshold,
                ..default
            });
        for settings in by_cell.chain(by_threshold) {
            let (row, worst) = posed.measure(&settings);
            if rows.is_empty() {
                print_header();
            }
            row.print();
            if let Some(folder) = &flags.out {
                posed.write_picture(folder, &row, &worst)?;
            }
            rows.push(row);
        }
    }
    if let Some(folder) = &flags.out {
        write(folder, &rows)?;
        write_png(&folder.join("accuracy.png"), &plot::draw(&rows)?)?;
    }
    let is_explained = |row: &Row| {
        let cell_count = f64::from(row.cells_bytes / 4) * f64::from(flags.poses);
        f64::from(row.cells.unexplained) <= UNEXPLAINED_SHARE * cell_count
    };
    Ok(if rows.iter().all(is_explained) {
        Verdict::Sound
    } else {
        Verdict::Faulty
    })
}

fn print_header() {
    say!(
        "{:<16}{:>6}{:>7}{:>8}  {:>22}  {:>22}{:>8}{:>8}{:>8}{:>8}",
        "avatar",
        "cell",
        "weight",
        "MB",
        "fields to skin, mm",
        "skin to fields, mm",
        "missed",
        "false",
        "holes",
        "unexpl."
    );
    say!(
        "{:<16}{:>6}{:>7}{:>8}  {:>8}{:>7}{:>7}  {:>8}{:>7}{:>7}{:>8}{:>8}{:>8}{:>8}",
        "",
        "mm",
        "",
        "",
        "mean",
        "95 %",
        "max",
        "mean",
        "95 %",
        "max",
        "%",
        "%",
        "cells",
        "cells"
    );
}

impl Posed {
    /// The bind pose and poses evenly over the first clip.
    fn load(name: &OsStr, count: usize) -> anyhow::Result<Self> {
        let Character { avatar, notes } = Character::load(name, None)?;
        for note in notes {
            remark!("bench: {note}");
        }
        let bind = Palette::bind(&avatar.skeleton);
        let mut palettes = vec![bind];
        if !avatar.clips.is_empty() {
            palettes.extend((1..count).map(|ix| poses::pose(&avatar, ix - 1, count)));
        }
        let bake_one = |palette: Palette| {
            let positions = bake(&avatar.skin, &palette).positions;
            (palette, positions)
        };
        Ok(Self {
            poses: palettes.into_iter().map(bake_one).collect(),
            avatar,
        })
    }

    /// The figures over all poses, and the greatest distance of each triangle of the skin, in metres.
    fn measure(&self, settings: &FitSettings) -> (Row, Vec<f64>) {
        let Self { avatar, poses } = self;
        let set = fit(avatar, settings);
        let mut all = Deviation::default();
        let mut row = Row {
            avatar: avatar.name.clone(),
            // Without the rounding of the way to metres and back.
            cell_mm: (settings.cell_size * 1e5).round() / 100.0,
            weight_threshold: settings.weight_threshold,
            fields: set.fields.len(),
            cells_bytes: 4 * set.cell_count,
            fields_to_skin: Spread::default(),
            skin_to_fields: Spread::default(),
            hausdorff_mm: 0.0,
            coverage: Coverage::default(),
            cells: CellCounts::default(),
            empty: EmptyCells::default(),
        };
        let mut worst = vec![0.0_f64; avatar.skin.triangles.len()];
        for (palette, positions) in poses {
            let bones = &palette.world_from_bone;
            let found = deviation(&set, &avatar.skin, positions, bones);
            all.fields_to_skin.extend(&found.fields_to_skin);
            all.skin_to_fields.extend(&found.skin_to_fields);
            for (worst, [distance, _]) in worst.iter_mut().zip(found.skin_to_fields) {
                *worst = worst.max(distance);
            }
            let judged = judge(&set, &avatar.skin, positions, bones, POINT_COUNT);
            let (covered, _) = coverage(&judged, avatar.skeleton.joints.len());
            row.coverage = row.coverage.and(covered);
            let frames = fields_from_world(&set, bones);
            let cells = update(&set, positions, &frames);
            row.cells = row.cells.and(check_cells(&set, positions, &frames, &cells));
            let empty = empty_cells(
                &set,
                &avatar.skin,
                positions,
                bones,
                &cells,
                settings.weight_threshold,
            );
            row.empty = row.empty.and(empty);
        }
        row.fields_to_skin = Spread::of(&all.fields_to_skin);
        row.skin_to_fields = Spread::of(&all.skin_to_fields);
        row.hausdorff_mm = row.fields_to_skin.max_mm.max(row.skin_to_fields.max_mm);
        (row, worst)
    }

    fn write_picture(&self, folder: &Path, row: &Row, worst: &[f64]) -> anyhow::Result<()> {
        // Whatever the character is called, it is one file in the folder.
        let avatar = row.avatar.replace(std::path::is_separator, "_");
        let name = format!("{avatar}_{}mm_{}.png", row.cell_mm, row.weight_threshold);
        let title = format!(
            "{}: skin by its distance to the fields, worst of {} poses; cells of {} mm, weights from {}",
            row.avatar,
            self.poses.len(),
            row.cell_mm,
            row.weight_threshold
        );
        let figure = picture::Figure {
            positions: &self.poses[0].1,
            triangles: &self.avatar.skin.triangles,
            errors: worst,
        };
        Ok(write_png(
            &folder.join(name),
            &picture::draw(&title, &figure)?,
        )?)
    }
}

impl Row {
    fn print(&self) {
        let [forth, back] = [self.fields_to_skin, self.skin_to_fields];
        say!(
            "{:<16}{:>6}{:>7}{:>8.3}  {:>8.2}{:>7.1}{:>7.1}  {:>8.2}{:>7.1}{:>7.1}{:>8.2}{:>8.2}{:>8}{:>8}",
            self.avatar,
            self.cell_mm,
            self.weight_threshold,
            f64::from(self.cells_bytes) * 1e-6,
            forth.mean_mm,
            forth.p95_mm,
            forth.max_mm,
            back.mean_mm,
            back.p95_mm,
            back.max_mm,
            100.0 * self.coverage.missed_fraction(),
            100.0 * self.coverage.false_fraction(),
            self.empty.holes,
            self.cells.unexplained
        );
    }

    fn csv(&self) -> String {
        let [forth, back] = [self.fields_to_skin, self.skin_to_fields];
        format!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
            csv::quoted(&self.avatar),
            self.cell_mm,
            self.weight_threshold,
            self.fields,
            self.cells_bytes,
            forth.mean_mm,
            forth.p95_mm,
            forth.max_mm,
            back.mean_mm,
            back.p95_mm,
            back.max_mm,
            self.hausdorff_mm,
            self.coverage.missed_fraction(),
            self.coverage.false_fraction(),
            self.empty.count,
            self.empty.held_elsewhere,
            self.empty.holes,
            self.cells.unexplained
        )
    }
}

const CSV_HEADER: &str = "avatar,cell_mm,weight_threshold,fields,cells_bytes,fields_to_skin_mean_mm,\
    fields_to_skin_p95_mm,fields_to_skin_max_mm,skin_to_fields_mean_mm,skin_to_fields_p95_mm,skin_to_fields_max_mm,\
    hausdorff_mm,missed_fraction,false_fraction,empty_cells,empty_cells_held_elsewhere,holes,unexplained_cells\n";

fn write(folder: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let lines: String = rows.iter().map(Row::csv).collect();
    let csv = format!("{CSV_HEADER}{lines}");
    write_whole(&folder.join("accuracy.csv"), csv.as_bytes())?;
    let json = serde_json::to_vec_pretty(rows)?;
    Ok(write_whole(&folder.join("accuracy.json"), &json)?)
}
