//! The modules of the library that read files and pose what they hold, without those that need a GPU.

#![allow(dead_code, reason = "what only the modules with a GPU use of these")]

#[path = "../../src/avatar/mod.rs"]
pub mod avatar;
#[path = "../../src/math/mod.rs"]
pub mod math;
#[path = "../../src/pose/mod.rs"]
pub mod pose;
pub mod skin;

pub use glam;
