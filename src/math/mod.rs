//! Pure mathematics: spaces, cylinder coordinates, closest points, solid angles. No Vulkan, no avatar.

mod affine;
pub mod cylinder;
mod dipole;
pub mod raster;
pub mod solid_angle;
#[cfg(test)]
mod test_meshes;
pub mod triangle_tree;

pub use affine::{Affine, Motion};
