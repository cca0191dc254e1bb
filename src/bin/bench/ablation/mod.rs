//! `bench ablation`: the paper's own fields, each of our changes to them alone, and all together: what each costs and what it buys.

mod drawn;
mod row;
mod section;
mod table;

use radial_fields::cloth::Detail;
use radial_fields::engine::output::{prepare_folder, write_whole};
use radial_fields::engine::{DeviceInfo, command_line};
use radial_fields::scenes::conditions::Condition;
use radial_fields::scenes::{Change, Variant};
use radial_fields::{Technique, say};

use crate::cli::AblationFlags;
use crate::opened::Opened;
use crate::plan::pick_techniques;
use crate::preload::{Preloaded, preload_one};
use crate::trial::TrialDesc;
use crate::{Verdict, runs};
use row::Row;
use section::Section;

/// All that was measured.
struct Ablation {
    command: String,
    device: DeviceInfo,
    condition: &'static Condition,
    character: String,
    particles: usize,
    technique: Technique,
    frames: u32,
    runs: u32,
    notes: Vec<String>,
    rows: Vec<Row>,
    /// Comes last: a long run that is stopped leaves what it has.
    section: Option<Section>,
}

/// Prints the tables and writes what was asked for. Faulty if a trial failed or validation spoke up.
pub fn run(flags: &AblationFlags) -> anyhow::Result<Verdict> {
    let technique = pick(flags)?;
    let rivals = pick_techniques(&flags.rivals)?;
    variants(flags)?;
    if let Some(folder) = &flags.out {
        prepare_folder(folder)?;
    }
    let opened = Opened::new(c"bench ablation", &flags.device)?;
    let device = &opened.device;
    let preloaded = preload_one(&flags.played)?;
    let desc = TrialDesc {
        device,
        condition: preloaded.condition,
        avatar: &preloaded.avatar,
        garments: &preloaded.garments,
        technique,
        fields: Variant::SHIPPED,
        detail: Detail::Full,
        preroll_seconds: flags.preroll.seconds,
        hash: None,
        frames: flags.frames,
        oracle_every: Some(flags.oracle_every),
        keeps_positions: false,
    };
    let mut found = Ablation::new(flags, &desc, &preloaded)?;
    found.write(flags)?;
    found.section = Some(Section::measure(flags, &rivals, &desc)?);
    found.write(flags)?;
    say!("{}", table::markdown(&found));
    Ok(opened.verdict(true))
}

fn pick(flags: &AblationFlags) -> anyhow::Result<Technique> {
    let technique = pick_techniques(std::slice::from_ref(&flags.technique))?[0];
    let known = Technique::RADIAL.map(Technique::name).join(" or ");
    anyhow::ensure!(
        Technique::RADIAL.contains(&technique) && flags.technique != "all",
        "--technique {} has no radial fields: choose {known}",
        flags.technique
    );
    Ok(technique)
}

impl Ablation {
    /// Plays the rows.
    fn new(flags: &AblationFlags, desc: &TrialDesc, preloaded: &Preloaded) -> anyhow::Result<Self> {
        let report = &preloaded.report;
        Ok(Self {
            command: command_line("bench"),
            device: desc.device.info.clone(),
            condition: desc.condition,
            character: report.character.clone(),
            particles: report.particles,
            technique: desc.technique,
            frames: flags.frames,
            runs: flags.runs,
            notes: report.notes.clone(),
            rows: rows(flags, desc)?,
            section: None,
        })
    }

    fn write(&self, flags: &AblationFlags) -> anyhow::Result<()> {
        if let Some(folder) = &flags.out {
            write_whole(
                &folder.join("ablation.md"),
                table::markdown(self).as_bytes(),
            )?;
            write_whole(&folder.join("ablation.csv"), table::csv(self).as_bytes())?;
        }
        Ok(())
    }
}

/// Those that were asked for; else the paper's, each change alone, and all.
fn variants(flags: &AblationFlags) -> anyhow::Result<Vec<Variant>> {
    let named: Result<Vec<_>, _> = flags
        .fields
        .iter()
        .map(|name| Variant::find(name))
        .collect();
    let mut variants = named?;
    if variants.is_empty() {
        variants.push(Variant::PAPER);
        variants.extend(Change::all().map(|change| Variant::PAPER.with(change)));
        variants.push(Variant::SHIPPED);
    }
    Ok(variants)
}

fn rows(flags: &AblationFlags, desc: &TrialDesc) -> anyhow::Result<Vec<Row>> {
    let descs: Vec<_> = variants(flags)?
        .into_iter()
        .map(|fields| TrialDesc { fields, ..*desc })
        .collect();
    let trials = runs::play(&descs, flags.runs, None);
    let rows = trials.into_iter().zip(&descs);
    rows.map(|(trial, desc)| Row::new(trial?, desc, flags.poses))
        .collect()
}
