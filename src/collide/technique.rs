//! The techniques by name.

use serde::{Deserialize, Serialize};

/// A way to find out where cloth meets skin. Chosen when a world is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Technique {
    /// One cylindrical distance field a bone: this project's own.
    #[default]
    Radial,
}

impl Technique {
    /// All of them, the default first.
    pub const ALL: [Self; 1] = [Self::Radial];

    /// The name in flags and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Radial => "radial",
        }
    }

    /// What it does, in a line.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Radial => "a cylindrical distance field a bone, drawn anew every step",
        }
    }

    /// By its name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|technique| technique.name() == name)
    }
}
