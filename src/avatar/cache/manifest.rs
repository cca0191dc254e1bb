//! What was made, as the characters' manifest tells it: by it a damaged file is found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{HumanKind, folder, human_folder_name};
use crate::avatar::import::{ImportError, ImportFault, ImportOptions, load};
use crate::avatar::{Avatar, printable};

/// The file `manifest.json` beside the characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// By name.
    pub characters: BTreeMap<String, Entry>,
    /// What the characters were made of.
    pub origin: String,
    /// [`HUMAN_VERSION`](super::HUMAN_VERSION).
    pub version: u32,
}

/// What a character's file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    #[serde(flatten)]
    pub counts: Counts,
    /// Of the file's bytes; manifests of earlier makers have neither.
    #[serde(flatten)]
    pub sum: Option<Sum>,
}

/// What a character is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub clips: usize,
    pub joints: usize,
    pub parts: usize,
    pub triangles: usize,
    pub vertices: usize,
}

/// By which damage is found: no defence against deliberate changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sum {
    pub bytes: u64,
    /// As of zip and PNG.
    pub crc32: u32,
}

/// Why a human cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum HumanError {
    #[error("the human has not been made (run tools/make_human)")]
    NotMade,
    #[error(
        "the human in {} is damaged ({fault}; remove that folder and run tools/make_human)",
        folder.display()
    )]
    Damaged { folder: PathBuf, fault: String },
    /// The options make no sense.
    #[error(transparent)]
    Import(#[from] ImportError),
}

/// Loads a human, if it has been made and is as it was made.
///
/// # Errors
/// When it is not. But for options without sense the caller says so and takes the built-in mannequin.
pub fn load_human(kind: HumanKind, options: &ImportOptions) -> Result<Avatar, HumanError> {
    let folder = folder().ok_or(HumanError::NotMade)?;
    load_from(&folder.join(human_folder_name()), kind, options)
}

fn load_from(
    folder: &Path,
    kind: HumanKind,
    options: &ImportOptions,
) -> Result<Avatar, HumanError> {
    if !folder.exists() {
        return Err(HumanError::NotMade);
    }
    let file = format!("{}.glb", kind.name());
    let damaged = |fault: String| HumanError::Damaged {
        folder: folder.to_owned(),
        fault,
    };
    let entry = Manifest::read(folder)
        .and_then(|manifest| manifest.entry(kind))
        .map_err(damaged)?;
    let path = folder.join(&file);
    let bytes = std::fs::read(&path).map_err(|error| damaged(format!("{file}: {error}")))?;
    if entry.sum.is_some_and(|sum| sum != Sum::of(&bytes)) {
        return Err(damaged(format!("{file} has changed since it was made")));
    }
    let avatar = load(&path, options).map_err(|error| match &error.fault {
        ImportFault::BadScale(_) | ImportFault::Overflow(_) => HumanError::Import(error),
        // Its advice is for files of users.
        fault => damaged(format!("{file}: {}", without_advice(&fault.to_string()))),
    })?;
    if Counts::of(&avatar) != entry.counts {
        return Err(damaged(format!("{file} holds something else")));
    }
    Ok(avatar)
}

/// What is wrong, without what to do about it.
fn without_advice(fault: &str) -> &str {
    fault.split(';').next().unwrap_or(fault)
}

impl Manifest {
    fn read(folder: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(folder.join("manifest.json"))
            .map_err(|error| format!("manifest.json: {error}"))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| format!("manifest.json: {}", printable(&error.to_string())))
    }

    fn entry(&self, kind: HumanKind) -> Result<Entry, String> {
        let entry = self.characters.get(kind.name());
        entry
            .copied()
            .ok_or_else(|| format!("manifest.json has no {}", kind.name()))
    }
}

impl Entry {
    /// Of a character that was written as these bytes.
    pub fn of(avatar: &Avatar, bytes: &[u8]) -> Self {
        Self {
            counts: Counts::of(avatar),
            sum: Some(Sum::of(bytes)),
        }
    }
}

impl Counts {
    fn of(avatar: &Avatar) -> Self {
        Self {
            clips: avatar.clips.len(),
            joints: avatar.skeleton.joints.len(),
            parts: avatar.parts.len(),
            triangles: avatar.skin.triangles.len(),
            vertices: avatar.skin.positions.len(),
        }
    }
}

impl Sum {
    fn of(bytes: &[u8]) -> Self {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        Self {
            bytes: bytes.len() as u64,
            crc32: crc.sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::{builtin, to_glb};

    const KIND: HumanKind = HumanKind::MaleLow;

    /// A folder with a character as the maker leaves it, with or without sums; returns the file as well.
    fn made(name: &str, has_sums: bool) -> (PathBuf, PathBuf) {
        let name = format!("radial_fields_manifest_{name}_{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder of our own");
        let avatar = builtin::load_mannequin();
        let bytes = to_glb(&avatar);
        let mut entry = Entry::of(&avatar, &bytes);
        entry.sum = entry.sum.filter(|_| has_sums);
        let manifest = Manifest {
            characters: [(KIND.name().to_owned(), entry)].into(),
            origin: String::new(),
            version: super::super::HUMAN_VERSION,
        };
        let json = serde_json::to_vec(&manifest).expect("it is plain data");
        std::fs::write(folder.join("manifest.json"), json).expect("ours");
        let file = folder.join(format!("{}.glb", KIND.name()));
        std::fs::write(&file, bytes).expect("ours");
        (folder, file)
    }

    fn fault_of(folder: &Path) -> String {
        match load_from(folder, KIND, &ImportOptions::default()) {
            Ok(avatar) => panic!("{} was loaded", avatar.name),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_whole_character_is_loaded_whoever_made_it() {
        for has_sums in [true, false] {
            let (folder, _) = made(&format!("whole_{has_sums}"), has_sums);
            assert!(load_from(&folder, KIND, &ImportOptions::default()).is_ok());
            std::fs::remove_dir_all(folder).expect("ours");
        }
    }

    #[test]
    fn one_bit_is_missed_by_none() {
        let (folder, file) = made("bit", true);
        let mut bytes = std::fs::read(&file).expect("ours");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&file, bytes).expect("ours");
        let fault = fault_of(&folder);
        assert!(fault.contains("has changed since it was made"), "{fault}");
        assert!(fault.contains("run tools/make_human"), "{fault}");
        std::fs::remove_dir_all(folder).expect("ours");
    }

    #[test]
    fn what_is_cut_or_missing_or_another_is_found_without_sums() {
        let (folder, file) = made("cut", false);
        let whole = std::fs::read(&file).expect("ours");
        std::fs::write(&file, &whole[..whole.len() / 2]).expect("ours");
        assert!(fault_of(&folder).contains("too early"));
        std::fs::write(&file, to_glb(&builtin::load_ogre())).expect("ours");
        assert!(fault_of(&folder).contains("something else"));
        std::fs::remove_file(&file).expect("ours");
        assert!(fault_of(&folder).contains("male_low.glb"));
        std::fs::write(folder.join("manifest.json"), "{").expect("ours");
        assert!(fault_of(&folder).contains("manifest.json"));
        std::fs::remove_dir_all(&folder).expect("ours");
        assert!(fault_of(&folder).contains("has not been made"));
    }

    #[test]
    fn a_scale_without_sense_is_no_damage() {
        let (folder, _) = made("scale", true);
        let options = ImportOptions {
            scale: Some(f32::NAN),
        };
        let outcome = load_from(&folder, KIND, &options);
        assert!(matches!(outcome, Err(HumanError::Import(_))));
        std::fs::remove_dir_all(folder).expect("ours");
    }
}
