//! What radial fields are worth, measured on the CPU twins against the exact mesh.

mod coverage;
pub mod tunnelling;

pub use coverage::{Coverage, Judged, coverage, judge};
