//! Geometry without Vulkan: pure functions over plain numbers, each tested against a known answer.

pub mod solid_angle;
