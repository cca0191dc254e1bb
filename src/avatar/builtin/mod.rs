//! Characters of our own, generated from code and free of rights (CC0): the mannequin and the ogre.
//!
//! A figure is modelled as a signed distance (`shape`, `sculpture`, and with them `hand`, `foot`, `mannequin`,
//! `ogre`), meshed (`surface`), cut along the borders of its materials (`cut`), brought down to its triangle budget
//! (`math::simplify`), mirrored and skinned (`rig`, `weigh`); `figure` does these in order. Meshes are closed
//! manifolds of genus zero, mirror images of themselves to the last bit. Nothing here uses a function that differs
//! between machines but the simplifier, whose C++ may be compiled to fused multiply-adds where the target has them: there other edges may
//! collapse, which the test of the files in `assets` would say.
//!
//! Generating takes seconds; [`load_mannequin`] and [`load_ogre`] read what `tools/make_assets` has generated.

mod cut;
mod figure;
mod foot;
mod hand;
mod mannequin;
mod ogre;
mod rig;
mod sculpture;
mod shape;
mod surface;
mod weigh;

#[cfg(test)]
mod tests;

use super::{Avatar, ImportOptions, from_slice};

/// The ogre's budget, the paper's.
const OGRE_TRIANGLE_COUNT: usize = 17_211;

/// Edge of the cells that the ogre is meshed with before it is simplified, metres.
const OGRE_CELL: f32 = 0.011;

/// How finely the mannequin is meshed: the paper's three budgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// 10,827 triangles.
    Low,
    /// 37,744 triangles.
    Med,
    /// 64,176 triangles.
    High,
}

impl Detail {
    /// Triangles of the mannequin; what is generated has up to three fewer.
    pub fn triangle_count(self) -> usize {
        match self {
            Self::Low => 10_827,
            Self::Med => 37_744,
            Self::High => 64_176,
        }
    }

    /// Edge of the cells that it is meshed with before it is simplified, metres.
    fn cell(self) -> f32 {
        match self {
            Self::Low => 0.0035,
            Self::Med | Self::High => 0.003,
        }
    }
}

/// A shop-window mannequin, 1.75 m tall, in an A-pose on y = 0, facing +Z. Takes seconds.
///
/// It has the 53 joints of MakeHuman's game rig, their frames aligned with the world in the bind pose, at most four
/// influences per vertex, no texture coordinates and no clips.
pub fn mannequin(detail: Detail) -> Avatar {
    figure::build(&mannequin::figure(), detail.triangle_count(), detail.cell())
}

/// An ogre, 4 m tall, with the mannequin's joints. Takes seconds.
pub fn ogre() -> Avatar {
    figure::build(&ogre::figure(), OGRE_TRIANGLE_COUNT, OGRE_CELL)
}

/// The mannequin in low detail, with its motion, as `tools/make_assets` wrote it into this library.
pub fn load_mannequin() -> Avatar {
    embedded("mannequin", include_bytes!("../../../assets/mannequin.glb"))
}

/// The ogre with its motion, as `tools/make_assets` wrote it into this library.
pub fn load_ogre() -> Avatar {
    embedded("ogre", include_bytes!("../../../assets/ogre.glb"))
}

fn embedded(name: &str, glb: &[u8]) -> Avatar {
    let avatar = from_slice(glb, &ImportOptions::default()).expect("a file of our own is sound");
    Avatar {
        name: name.to_owned(),
        ..avatar
    }
}
