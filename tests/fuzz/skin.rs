//! Skinning on the CPU.

#[path = "../../src/skin/bake.rs"]
pub mod bake;
