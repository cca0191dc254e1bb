//! Radial Fields: real-time collision between clothing and an animated character, for Vulkan engines.

pub mod avatar;
pub mod cloth;
pub mod collide;
pub mod gpu;
pub mod math;
#[cfg(feature = "engine")]
pub mod oracle;
pub mod skin;
pub mod stage;
