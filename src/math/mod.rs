//! Geometry without Vulkan: pure functions over plain numbers, each tested against a known answer.

mod dipole;
pub mod solid_angle;
pub mod triangle_tree;

#[cfg(test)]
pub(crate) mod test_meshes;
