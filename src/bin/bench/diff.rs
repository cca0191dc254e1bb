//! `bench diff`: what got slower or faster between two runs, or on the way from one to another.

use std::path::Path;

use anyhow::{Context as _, ensure};
use radial_fields::avatar::printable;
use radial_fields::engine::output::{prepare_files, write_png};
use radial_fields::say;
use serde::{Deserialize, Deserializer};

use crate::Verdict;
use crate::cli::DiffFlags;
use crate::series;

/// Milliseconds of change that timestamps and clocks make by themselves: less is no change, whatever part it is. Usually
/// 0.002, two microseconds; more hides slower stages, less reports noise.
const NOISE_MS: f64 = 0.002;

/// The part of a `--json` file that is compared.
#[derive(Deserialize)]
pub struct Saved {
    device: SavedDevice,
    /// Files of old have none.
    identity: Option<SavedIdentity>,
    pub trials: Vec<SavedTrial>,
}

#[derive(Deserialize)]
struct SavedIdentity {
    commit: Option<String>,
}

impl Saved {
    /// What the run is called in a series: the beginning of its commit.
    pub fn commit(&self) -> Option<String> {
        const DIGITS: usize = 7;
        let commit = self.identity.as_ref()?.commit.as_ref()?;
        Some(printable(commit).chars().take(DIGITS).collect())
    }
}

#[derive(Deserialize)]
struct SavedDevice {
    #[serde(deserialize_with = "shown")]
    name: String,
    #[serde(deserialize_with = "shown")]
    driver: String,
}

#[derive(Deserialize)]
pub struct SavedTrial {
    pub condition: u32,
    #[serde(deserialize_with = "shown")]
    pub technique: String,
    stages: Vec<SavedStage>,
}

#[derive(Deserialize)]
struct SavedStage {
    #[serde(deserialize_with = "shown")]
    name: String,
    gpu_ms: SavedSpread,
}

#[derive(Deserialize)]
struct SavedSpread {
    median: f64,
}

/// Text that anybody may have written, as it is printed.
fn shown<'de, D: Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    Ok(printable(&String::deserialize(source)?))
}

/// A stage of both files. Milliseconds of a frame.
struct Change<'a> {
    trial: &'a SavedTrial,
    stage: &'a str,
    before: f64,
    after: f64,
}

/// Prints what changed by more than the threshold. Faulty if anything got slower.
pub fn run(flags: &DiffFlags) -> anyhow::Result<Verdict> {
    if let Some(plot) = &flags.plot {
        let read: Vec<_> = flags
            .files
            .iter()
            .map(|file| ("a file to compare", file.as_path()))
            .collect();
        prepare_files(&[("--plot", plot)], &read)?;
    }
    let runs: Vec<Saved> = flags
        .files
        .iter()
        .map(|file| read(file))
        .collect::<Result<_, _>>()?;
    // Two are required by the flags.
    let (before, after) = (&runs[0], &runs[runs.len() - 1]);
    let (first, last) = (&flags.files[0], &flags.files[runs.len() - 1]);
    let changes = changes(before, after);
    ensure!(
        !changes.is_empty(),
        "{} and {} have no condition and technique in common: compare runs of the same flags",
        first.display(),
        last.display()
    );
    if before.device.name != after.device.name || before.device.driver != after.device.driver {
        say!(
            "different devices or drivers: {} ({}) before, {} ({}) after",
            before.device.name,
            before.device.driver,
            after.device.name,
            after.device.driver
        );
    }
    print_missing(before, after, "only before");
    print_missing(after, before, "only after");
    let series = series::of(&runs, &flags.files);
    if runs.len() > 2 {
        series.print();
    }
    if let Some(plot) = &flags.plot {
        write_png(plot, &series.draw()?)?;
        say!("{}", plot.display());
    }
    let mut slower_count = 0;
    for change in changes
        .iter()
        .filter(|change| change.exceeds(flags.threshold))
    {
        slower_count += usize::from(change.after > change.before);
        change.print();
    }
    say!(
        "{} stages compared, {slower_count} slower by more than {} %",
        changes.len(),
        100.0 * flags.threshold
    );
    Ok(match slower_count {
        0 => Verdict::Sound,
        _ => Verdict::Faulty,
    })
}

fn read(file: &Path) -> anyhow::Result<Saved> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let saved: Saved = serde_json::from_slice(&bytes).with_context(|| {
        format!(
            "{} is no result of the bench: give files that `bench --json` wrote",
            file.display()
        )
    })?;
    Ok(saved)
}

fn changes<'a>(before: &'a Saved, after: &'a Saved) -> Vec<Change<'a>> {
    let pairs = before
        .trials
        .iter()
        .filter_map(|trial| Some((trial, trial.find_in(after)?)));
    pairs
        .flat_map(|(before, after)| {
            before.stages.iter().filter_map(move |stage| {
                let same = after.stages.iter().find(|other| other.name == stage.name)?;
                Some(Change {
                    trial: before,
                    stage: &stage.name,
                    before: stage.gpu_ms.median,
                    after: same.gpu_ms.median,
                })
            })
        })
        .collect()
}

fn print_missing(these: &Saved, others: &Saved, when: &str) {
    for trial in these
        .trials
        .iter()
        .filter(|trial| trial.find_in(others).is_none())
    {
        say!("condition {}, {}: {when}", trial.condition, trial.technique);
    }
}

impl SavedTrial {
    /// The medians of all its stages, milliseconds.
    pub fn sum_ms(&self) -> f64 {
        self.stages.iter().map(|stage| stage.gpu_ms.median).sum()
    }

    pub fn find_in<'a>(&self, other: &'a Saved) -> Option<&'a Self> {
        let is_same =
            |trial: &&Self| trial.condition == self.condition && trial.technique == self.technique;
        other.trials.iter().find(is_same)
    }
}

impl Change<'_> {
    fn exceeds(&self, threshold: f64) -> bool {
        let difference = (self.after - self.before).abs();
        difference > NOISE_MS && difference > threshold * self.before
    }

    fn print(&self) {
        let (word, part) = match self.after > self.before {
            true => ("slower", self.after / self.before - 1.0),
            false => ("faster", 1.0 - self.after / self.before),
        };
        say!(
            "condition {:>2}, {:<15}{:<15}{:>9.3} ms -> {:>9.3} ms, {:.1} % {word}",
            self.trial.condition,
            self.trial.technique,
            self.stage,
            self.before,
            self.after,
            100.0 * part
        );
    }
}
