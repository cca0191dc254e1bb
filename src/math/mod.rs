//! Pure mathematics: spaces, cylinder coordinates, closest points, solid angles. No Vulkan, no avatar.

mod affine;
mod bounds;
pub mod cylinder;
pub mod raster;
pub mod solid_angle;

pub use affine::{Affine, Motion};
pub use bounds::Bounds;
