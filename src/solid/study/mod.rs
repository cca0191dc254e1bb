//! How good a field is: the surface it describes beside the mesh, its signs, and how many points the paper's filler examines.

mod bust;
mod examined;
mod hausdorff;
mod reconstruct;
mod signs;
mod triangulated;

pub use bust::bust;
pub use examined::examined_points;
pub use hausdorff::{Deviation, deviation};
pub use reconstruct::reconstruct;
pub use signs::{WrongSigns, wrong_signs};
pub use triangulated::triangulated;
