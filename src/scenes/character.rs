//! Characters by name or by file.

use std::ffi::OsStr;
use std::path::Path;

use glam::Vec3;

use super::wringer::wringer;
use crate::avatar::cache::HumanKind;
use crate::avatar::cache::manifest::{HumanError, load_human};
use crate::avatar::import::{ImportError, ImportOptions, load, unit_warning};
use crate::avatar::{Avatar, builtin, printable};
use crate::cloth::garment::{carried, other_characters, upright_axis};

/// A character ready for the stage.
pub struct Character {
    pub avatar: Avatar,
    /// What the user should know: a stand-in, odd units, tolerated faults.
    pub notes: Vec<String>,
}

/// Why there is no character.
#[derive(Debug, thiserror::Error)]
pub enum CharacterError {
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error("there is no character {name:?}: give a .glb or .gltf file, or one of {}", NAMES.join(", "))]
    Unknown { name: String },
}

/// Characters that need no file.
pub const NAMES: &[&str] = &[
    "human",
    "male_low",
    "male_med",
    "female_med",
    "female_high",
    "mannequin",
    "ogre",
    "wringer",
];

impl Character {
    /// Loads a character: one of [`NAMES`], or a glTF file. `scale` sets a file's units right.
    ///
    /// # Errors
    /// When it is neither, or the file cannot be used.
    pub fn load(name: impl AsRef<OsStr>, scale: Option<f32>) -> Result<Self, CharacterError> {
        let options = ImportOptions { scale };
        let file = Path::new(name.as_ref());
        let name = name.as_ref().to_string_lossy();
        let human_kind = match name.as_ref() {
            "human" => Some(HumanKind::MaleLow),
            name => HumanKind::ALL.into_iter().find(|kind| kind.name() == name),
        };
        if let Some(kind) = human_kind {
            return Self::human_or_else(kind, &options, builtin::load_mannequin);
        }
        match name.as_ref() {
            "mannequin" => Ok(Self::plain(builtin::load_mannequin())),
            "ogre" => Ok(Self::plain(builtin::load_ogre())),
            "wringer" => Ok(Self::plain(wringer())),
            _ if looks_like_file(&name) || file.exists() => {
                let mut avatar = load(file, &options)?;
                let others = set_others_aside(&mut avatar);
                let carried = set_carried_aside(&mut avatar);
                let mut character = Self::noted(avatar, scale.unwrap_or(1.0));
                character.notes.extend(others.into_iter().chain(carried));
                Ok(character)
            }
            name => Err(CharacterError::Unknown {
                name: name.to_owned(),
            }),
        }
    }

    /// The human, or a stand-in and a note that says why.
    pub(super) fn human_or_else(
        kind: HumanKind,
        options: &ImportOptions,
        stand_in: impl FnOnce() -> Avatar,
    ) -> Result<Self, CharacterError> {
        match load_human(kind, options) {
            Ok(avatar) => Ok(Self::plain(avatar)),
            Err(HumanError::Import(error)) => Err(error.into()),
            Err(error) => Ok(Self {
                avatar: stand_in(),
                notes: vec![format!("{error}: the mannequin stands in")],
            }),
        }
    }

    fn plain(avatar: Avatar) -> Self {
        Self {
            avatar,
            notes: Vec::new(),
        }
    }

    fn noted(avatar: Avatar, scale: f32) -> Self {
        // How high someone is who lies says nothing of units.
        let size_note = lying_note(&avatar).or_else(|| unit_warning(&avatar, scale));
        let mut notes: Vec<String> = size_note.into_iter().collect();
        let tolerated = &avatar.tolerated;
        let faults = [
            (tolerated.zero_area_triangles, "triangles without area"),
            (tolerated.zero_weight_vertices, "vertices without weights"),
            (tolerated.collapsed_joints, "collapsed joints"),
            (
                tolerated.doubled_triangles,
                "triangles that are the backs of others, which are drawn and which cloth does not meet",
            ),
            (
                tolerated.turned_triangles,
                "triangles that were inside out and are turned round",
            ),
            (
                tolerated.turned_normals,
                "normals that pointed inwards and are turned round",
            ),
            (tolerated.unread_textures, "unreadable textures"),
            (
                tolerated.skipped_meshes,
                "meshes that no joint moves, which are left out: skin them, or hang them under a joint",
            ),
        ];
        if tolerated.moved_metres > 0 {
            let metres = tolerated.moved_metres;
            let at_least = if metres == u32::MAX { "more than " } else { "" };
            notes.push(format!(
                "it stood {at_least}{metres} m from the origin, and is moved there"
            ));
        }
        if tolerated.is_vrm {
            notes.push("of this VRM, skeleton with its map of bones, skin, base colours and clips are used; expressions, spring bones, colliders and toon shading are not".to_owned());
        }
        if tolerated.still_morphs > 0 {
            notes.push("its clips move morph targets, which stand still here".to_owned());
        }
        notes.extend(
            faults
                .iter()
                .filter(|fault| fault.0 > 0)
                .map(|(count, what)| format!("tolerated {count} {what}")),
        );
        Self { avatar, notes }
    }
}

/// Has clothes leave alone whoever else is in a character's file, and says so.
fn set_others_aside(avatar: &mut Avatar) -> Option<String> {
    let is_others = other_characters(avatar)?;
    avatar.set_aside(|ix| is_others[ix]);
    let triangle_count = is_others.iter().filter(|is_others| **is_others).count();
    Some(format!(
        "the file has more than one character: the one with the most triangles is dressed, and the others' {triangle_count} are drawn; \
         give each a file of its own"
    ))
}

/// Has clothes leave alone what a character holds or has hanging on it, and says so.
fn set_carried_aside(avatar: &mut Avatar) -> Option<String> {
    let carried = carried(avatar)?;
    avatar.set_aside(|ix| carried.is_carried[ix]);
    let triangle_count = carried.is_carried.iter().filter(|is| **is).count();
    let joints: Vec<_> = carried.joints.iter().map(|name| printable(name)).collect();
    Some(format!(
        "what it holds or has hanging on it is drawn, and cloth does not meet it: {triangle_count} triangles on {}",
        joints.join(", ")
    ))
}

/// For people whose bind pose does not stand up: files that were exported with Z up, mostly.
fn lying_note(avatar: &Avatar) -> Option<String> {
    let up = upright_axis(avatar).filter(|up| *up != Vec3::Y)?;
    let axis = ["X", "Y", "Z"][up.abs().max_position()];
    let sign = if up.element_sum() > 0.0 { '+' } else { '-' };
    Some(format!(
        "{} stands along {sign}{axis} and so lies: gravity pulls along -Y; export it with +Y up",
        avatar.name
    ))
}

fn looks_like_file(name: &str) -> bool {
    name.contains(['/', '\\', '.'])
}
