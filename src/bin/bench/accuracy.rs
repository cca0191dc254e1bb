//! `bench accuracy`: how well fields of several cell sizes know the body in the bind pose.

use radial_fields::collide::radial::fit::{FitSettings, fit};
use radial_fields::collide::radial::study::{coverage, judge};
use radial_fields::pose::Palette;
use radial_fields::scenes::Character;

use crate::Verdict;
use crate::cli::AccuracyFlags;

/// Points near the skin that fields and mesh are asked about.
const POINT_COUNT: usize = 20_000;

/// Prints the table.
pub fn run(flags: &AccuracyFlags) -> anyhow::Result<Verdict> {
    let characters: Vec<Character> = flags
        .avatars
        .iter()
        .map(|name| Character::load(name, None))
        .collect::<Result<_, _>>()?;
    println!("avatar        cell mm  fields  cells MB  missed %  false %");
    for character in &characters {
        for note in &character.notes {
            eprintln!("{note}");
        }
        for &cell_mm in &flags.cells {
            print_row(character, cell_mm);
        }
    }
    Ok(Verdict::Sound)
}

fn print_row(Character { avatar, .. }: &Character, cell_mm: f32) {
    let settings = FitSettings {
        cell_size: cell_mm * 1e-3,
        ..FitSettings::default()
    };
    let set = fit(avatar, &settings);
    let palette = Palette::bind(&avatar.skeleton);
    let judged = judge(
        &set,
        &avatar.skin,
        &avatar.skin.positions,
        &palette.world_from_bone,
        POINT_COUNT,
    );
    let (found, _) = coverage(&judged, avatar.skeleton.joints.len());
    println!(
        "{:<14}{:>7}{:>8}{:>10.3}{:>10.2}{:>9.2}",
        avatar.name,
        cell_mm,
        set.fields.len(),
        f64::from(set.cell_count) * 4e-6,
        100.0 * found.missed_fraction(),
        100.0 * found.false_fraction()
    );
}
