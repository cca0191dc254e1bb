//! Radial Fields: real-time collision between clothing and an animated character, for Vulkan engines.

pub mod avatar;
pub mod cloth;
pub mod collide;
#[cfg(feature = "engine")]
pub mod engine;
mod frame;
pub mod gpu;
pub mod host;
pub mod math;
#[cfg(feature = "engine")]
pub mod oracle;
#[cfg(feature = "viewer")]
pub mod overlay;
pub mod pose;
pub mod render;
#[cfg(feature = "engine")]
pub mod scenes;
pub mod skin;
pub mod stage;
mod world;

pub use collide::{FieldMoments, Technique};
pub use host::Host;
pub use world::{
    BodyDef, FrameInput, GarmentDef, MAX_STEPS, Pipelines, Settings, StepInput, World, WorldDef,
    WorldError, WorldMemory,
};
