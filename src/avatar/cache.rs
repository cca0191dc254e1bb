//! Where the human is, once `tools/make_human` has made it.
//!
//! The characters live outside the repository, in a folder whose name carries their version: it appears by one rename
//! when it is complete. What happens to it later is found by its manifest.

pub mod manifest;

use std::path::PathBuf;

/// Changes whenever the characters made from the same data would differ; older ones are then made anew.
pub const HUMAN_VERSION: u32 = 7;

/// The characters, with the triangle counts of the paper's table 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HumanKind {
    MaleLow,
    MaleMed,
    FemaleMed,
    FemaleHigh,
}

impl HumanKind {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::MaleLow,
        Self::MaleMed,
        Self::FemaleMed,
        Self::FemaleHigh,
    ];

    /// Its name, and its file's without `.glb`.
    pub fn name(self) -> &'static str {
        match self {
            Self::MaleLow => "male_low",
            Self::MaleMed => "male_med",
            Self::FemaleMed => "female_med",
            Self::FemaleHigh => "female_high",
        }
    }

    /// Triangles the paper's character has; ours, being closed, has an even number close below.
    pub fn triangle_count(self) -> usize {
        match self {
            Self::MaleLow => 10_827,
            Self::MaleMed | Self::FemaleMed => 37_744,
            Self::FemaleHigh => 64_176,
        }
    }
}

/// The cache: `$RADIAL_FIELDS_CACHE`, else `radial_fields` in `$XDG_CACHE_HOME`, else in `~/.cache`. None without a
/// home directory. It need not exist.
pub fn folder() -> Option<PathBuf> {
    folder_from(|name| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    })
}

fn folder_from(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    variable("RADIAL_FIELDS_CACHE").or_else(|| {
        let caches = variable("XDG_CACHE_HOME")
            .or_else(|| variable("HOME").map(|home| home.join(".cache")))?;
        Some(caches.join("radial_fields"))
    })
}

/// The name of the folder, inside the cache, that holds this version's characters.
pub fn human_folder_name() -> String {
    format!("human-{HUMAN_VERSION}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_setting_wins() {
        let set = |names: &'static [(&str, &str)]| {
            folder_from(move |name| {
                names
                    .iter()
                    .find(|entry| entry.0 == name)
                    .map(|entry| PathBuf::from(entry.1))
            })
        };
        assert_eq!(
            set(&[("HOME", "/h")]),
            Some("/h/.cache/radial_fields".into())
        );
        assert_eq!(
            set(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/x")]),
            Some("/x/radial_fields".into())
        );
        assert_eq!(
            set(&[("HOME", "/h"), ("RADIAL_FIELDS_CACHE", "/r")]),
            Some("/r".into())
        );
        assert_eq!(set(&[]), None);
    }
}
