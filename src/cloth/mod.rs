//! Cloth: garments, their constraints, and the solver on the GPU.

#[cfg(feature = "reference")]
mod brush;
pub mod constraints;
pub mod contacts;
mod detail;
pub mod garment;
mod layers;
mod long_range;
pub mod motion;
pub mod patches;
mod settings;
mod sleep;
mod solver;
#[cfg(feature = "reference")]
pub mod twin;

pub use crate::collide::MAX_SUB_STEPS;
pub use detail::Detail;
pub use layers::layer;
pub use motion::MotionConstraint;
pub use settings::{ClothSettings, GarmentSettings, Ground, Material};
pub use sleep::{GarmentRest, Sleep};
pub(crate) use sleep::{SleepInputs, SleepPipelines, Sleepers};
pub use solver::{
    Cloth, ClothBuilder, ClothPipelines, GpuConstraint, GpuGarment, GpuPatch, GpuTether, Grab,
    Particle, StepOfCloth, SubStepTiming, TETHERS_PER_PARTICLE, Worn,
};
