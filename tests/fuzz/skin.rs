//! Skinning on the CPU.

#[path = "../../src/skin/twin.rs"]
pub mod twin;
