//! What radial fields are worth, measured on the CPU twins against the exact mesh.

mod coverage;
mod deviation;
mod holes;
mod rays;
mod skin;
pub mod tunnelling;

pub use coverage::{Coverage, Judged, coverage, judge};
pub use deviation::{Deviation, Spread, deviation};
pub use holes::{EmptyCells, empty_cells};
pub use rays::{CellCounts, check_cells};
