//! What a user may change of the cloth while it runs.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Settings of one garment; `GarmentSettings` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub struct GarmentSettings {
    /// m/N for stretch, shear and bend constraints: 0 is stiff. Bend usually 1e-3 (canvas) to 1 (silk).
    pub compliance: [f32; 3],
    /// 1/s. Usually 0.2 to 2; much more and the cloth moves as through honey.
    pub damping: f32,
    /// How strongly air carries the cloth along its normals, 1/s. Usually 0.5 to 5.
    pub drag: f32,
    /// Coefficient of friction with the skin. Usually 0.3 to 0.6.
    pub friction: f32,
    /// Metres kept between particle and skin. Usually 0.003 to 0.008; less than 0.002 lets skin show through between
    /// particles.
    pub thickness: f32,
    /// 1: particles are kept within the length of the cloth from where it is attached. 0: cloth may stretch as far as the
    /// solver lets it.
    pub tethered: u32,
}

impl Default for GarmentSettings {
    fn default() -> Self {
        Self {
            compliance: [0.0, 1e-4, 2e-2],
            damping: 0.6,
            drag: 1.5,
            friction: 0.4,
            thickness: 0.005,
            tethered: 1,
        }
    }
}

/// Settings of the solver, for all garments of a world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClothSettings {
    /// How many parts a step has; usually 4. More make the cloth stiffer and catch faster limbs, at a proportional cost.
    /// At most [`MAX_SUB_STEPS`].
    pub sub_steps: u32,
    /// How often the constraints are projected in a sub-step; usually 6. Fewer make it stretch.
    pub passes: u32,
    /// m/s².
    pub gravity: Vec3,
    /// m/s.
    pub wind: Vec3,
}

/// The most sub-steps of a step: room for their field transforms is taken beforehand.
pub const MAX_SUB_STEPS: u32 = 8;

impl Default for ClothSettings {
    fn default() -> Self {
        Self {
            sub_steps: 4,
            passes: 6,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            wind: Vec3::ZERO,
        }
    }
}
