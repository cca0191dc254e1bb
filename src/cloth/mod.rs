//! Cloth: garments, their constraints, and the solver on the GPU.

pub mod constraints;
pub mod garment;
mod layers;
mod settings;
mod solver;

pub use layers::layer;
pub use settings::{ClothSettings, GarmentSettings, MAX_SUB_STEPS};
pub use solver::{
    Cloth, ClothBuilder, ClothPipelines, GpuConstraint, GpuTether, Grab, Particle, SubStepTiming,
    TETHERS_PER_PARTICLE,
};
