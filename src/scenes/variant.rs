//! The paper's radial fields, ours, and the paper's with some of our changes: what `--fields` names and `bench ablation` compares.

use std::fmt;

use super::ShowDesc;
use crate::collide::FrictionModel;
use crate::collide::radial::rules::{FieldRule, FieldRules};

/// How radial fields are laid, filled and read, and how the collision answers by them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    pub rules: FieldRules,
    pub friction_model: FrictionModel,
    /// Whether edges' midpoints collide; the paper has particles alone.
    pub edge_midpoints: bool,
}

/// One of our changes to what the paper has.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    Fields(FieldRule),
    /// Friction by the push out of the surface.
    Coulomb,
    /// Edges' midpoints collide.
    Edges,
}

/// Fields that nobody knows were named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there are no fields {name:?}: choose shipped, paper, or paper with changes, as in paper+ranks+caps, of {known}"
)]
pub struct UnknownFields {
    pub name: String,
    known: String,
}

const SHIPPED: &str = "shipped";
const PAPER: &str = "paper";

impl Change {
    /// All of them, in the order in which fields are laid, filled and read.
    pub fn all() -> impl Iterator<Item = Self> {
        let of_fields = FieldRules::ALL.into_iter().map(Self::Fields);
        of_fields.chain([Self::Coulomb, Self::Edges])
    }

    /// The name in flags and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fields(rule) => rule.name,
            Self::Coulomb => "coulomb",
            Self::Edges => "edges",
        }
    }

    /// What it changes, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Fields(rule) => rule.about,
            Self::Coulomb => "friction by the push out of the surface, which holds at rest",
            Self::Edges => "edges' midpoints collide too, once a step",
        }
    }
}

impl Variant {
    /// The paper's own, equations 7 to 10 included.
    pub const PAPER: Self = Self {
        rules: FieldRules::PAPER,
        friction_model: FrictionModel::Paper,
        edge_midpoints: false,
    };

    /// Ours, the default.
    pub const SHIPPED: Self = Self {
        rules: FieldRules::SHIPPED,
        friction_model: FrictionModel::Coulomb,
        edge_midpoints: true,
    };

    /// The same with one more change made.
    #[must_use]
    pub fn with(mut self, change: Change) -> Self {
        match change {
            Change::Fields(rule) => self.rules = self.rules.with(&rule),
            Change::Coulomb => self.friction_model = FrictionModel::Coulomb,
            Change::Edges => self.edge_midpoints = true,
        }
        self
    }

    /// By its name: `shipped`, `paper`, or `paper+NAME+NAME` with [changes](Change).
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn find(name: &str) -> Result<Self, UnknownFields> {
        if name == SHIPPED {
            return Ok(Self::SHIPPED);
        }
        Self::papers(name).ok_or_else(|| UnknownFields {
            name: name.to_owned(),
            known: Change::all()
                .map(Change::name)
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    /// The paper's with the changes that are named behind it.
    fn papers(name: &str) -> Option<Self> {
        let mut words = name.split('+');
        words.next().filter(|&word| word == PAPER)?;
        words.try_fold(Self::PAPER, |variant, word| {
            let change = Change::all().find(|change| change.name() == word)?;
            Some(variant.with(change))
        })
    }

    /// Makes a show collide so. Only radial fields have such rules; the response is every technique's.
    pub fn apply(self, show: &mut ShowDesc) {
        show.fit.rules = self.rules;
        show.collide.friction_model = self.friction_model;
        // What else leaves edges alone stays.
        show.collide.edge_midpoints &= self.edge_midpoints;
    }

    fn has(self, change: Change) -> bool {
        self.with(change) == self
    }
}

impl Default for Variant {
    fn default() -> Self {
        Self::SHIPPED
    }
}

/// The name that [`Variant::find`] takes.
impl fmt::Display for Variant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::SHIPPED {
            return out.write_str(SHIPPED);
        }
        out.write_str(PAPER)?;
        let made = Change::all().filter(|&change| self.has(change));
        made.into_iter()
            .try_for_each(|change| write!(out, "+{}", change.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_found_by_the_name_it_gives() {
        let alone = Change::all().map(|change| Variant::PAPER.with(change));
        let mut all = vec![Variant::PAPER, Variant::SHIPPED];
        all.extend(alone);
        for variant in all {
            assert_eq!(Variant::find(&variant.to_string()), Ok(variant));
        }
        let two = Variant::find("paper+caps+ranks").expect("both are known");
        assert_eq!(two.to_string(), "paper+caps+ranks");
        let every = Change::all().fold(Variant::PAPER, Variant::with);
        assert_eq!(every, Variant::default());
    }

    #[test]
    fn names_of_nothing_are_refused_with_those_that_there_are() {
        for name in ["", "papers", "shipped+caps", "paper+magic", "paper+"] {
            let text = Variant::find(name).expect_err("unknown").to_string();
            for known in ["shipped", "paper+ranks+caps", "borrowing", "edges"] {
                assert!(text.contains(known), "{text}");
            }
        }
    }
}
