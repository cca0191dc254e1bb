//! Pure mathematics: spaces, cylinder coordinates, closest points, solid angles. No Vulkan, no avatar.

mod affine;
mod bounds;
pub mod closest;
pub mod connected;
#[cfg(feature = "authoring")]
pub mod cut;
pub mod cylinder;
mod dipole;
pub mod direction;
mod fnv;
pub mod isosurface;
#[cfg(feature = "reference")]
mod motion;
mod plane;
pub mod range;
pub mod raster;
#[cfg(feature = "authoring")]
pub mod simplify;
pub mod solid_angle;
pub mod triangle_tree;
pub mod weld;

#[cfg(test)]
pub(crate) mod test_meshes;

pub use affine::{Affine, AffineRows};
pub use bounds::Bounds;
pub use fnv::Fnv;
#[cfg(feature = "reference")]
pub use motion::{COLLAPSED, Motion};
pub use plane::Plane;
