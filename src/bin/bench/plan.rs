//! From flags to what is compared.

use anyhow::Context as _;
use radial_fields::Technique;
use radial_fields::scenes::Variant;
use radial_fields::scenes::conditions::{CONDITIONS, Condition};

use crate::cli::ComparisonFlags;

/// What is compared, each once, in the order of the flags.
pub struct Plan {
    pub conditions: Vec<&'static Condition>,
    pub techniques: Vec<Technique>,
    /// Of the radial ones.
    pub fields: Variant,
}

/// Stands for everything there is.
const ALL: &str = "all";

impl Plan {
    /// Reads the flags.
    pub fn new(flags: &ComparisonFlags) -> anyhow::Result<Self> {
        Ok(Self {
            conditions: pick(&flags.conditions, CONDITIONS.iter(), find_condition)?,
            techniques: pick_techniques(&flags.techniques)?,
            fields: Variant::find(&flags.fields)?,
        })
    }
}

/// Techniques by their names, each once; or all.
pub fn pick_techniques(wanted: &[String]) -> anyhow::Result<Vec<Technique>> {
    pick(wanted, Technique::ALL, find_technique)
}

fn pick<T: PartialEq>(
    wanted: &[String],
    all: impl IntoIterator<Item = T>,
    find: impl Fn(&str) -> anyhow::Result<T>,
) -> anyhow::Result<Vec<T>> {
    if wanted.iter().any(|word| word.trim() == ALL) {
        return Ok(all.into_iter().collect());
    }
    let mut picked = Vec::new();
    for word in wanted {
        let found = find(word.trim())?;
        if !picked.contains(&found) {
            picked.push(found);
        }
    }
    Ok(picked)
}

fn find_condition(word: &str) -> anyhow::Result<&'static Condition> {
    let number = word.parse().ok();
    number.and_then(Condition::find).with_context(|| {
        let last = CONDITIONS.len();
        format!("there is no condition {word:?}: choose numbers from 1 to {last}, or {ALL}")
    })
}

fn find_technique(word: &str) -> anyhow::Result<Technique> {
    Technique::find(word).with_context(|| {
        let known = Technique::ALL.map(Technique::name).join(", ");
        format!("there is no technique {word:?}: choose of {known}, or {ALL}")
    })
}
