//! Pure geometry: cylinder coordinates, closest points, solid angles. No Vulkan, no avatar.

pub mod cylinder;
pub mod raster;
