//! Cloth: garments, their constraints, and the solver on the GPU.

#[cfg(feature = "reference")]
mod brush;
pub mod constraints;
pub mod contacts;
pub mod garment;
mod layers;
pub mod motion;
pub mod patches;
mod settings;
mod solver;
#[cfg(feature = "reference")]
pub mod twin;

pub use layers::layer;
pub use motion::MotionConstraint;
pub use settings::{ClothSettings, GarmentSettings, Ground, MAX_SUB_STEPS, Material};
pub use solver::{
    Cloth, ClothBuilder, ClothPipelines, GpuConstraint, GpuPatch, GpuTether, Grab, Particle,
    SubStepTiming, TETHERS_PER_PARTICLE, Worn,
};
