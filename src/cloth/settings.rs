//! The settings of the cloth, which may change between frames.

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::sleep::Sleep;
use crate::collide::{MAX_REPEATS, MAX_SUB_STEPS};
use crate::math::range::{OutOfRange, within};

/// Settings of one garment; `GarmentSettings` of glsl/shared/structs.glsl.
///
/// [`Material`] has those of usual fabrics.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub struct GarmentSettings {
    /// Of the cloth, whatever its mesh: m/N along warp and weft and in shear (the inverse of stiffness in N per metre of width),
    /// 1/(N·m) in bending (the inverse of flexural rigidity). 0 is stiff.
    pub compliance: [f32; 4],
    /// kg/m². Usually 0.07 (silk) to 0.4 (denim).
    pub density: f32,
    /// Part of its length beyond which an edge does not stretch, whatever its compliance. Usually 0.01; 0 makes all cloth stiff, and
    /// beyond 0.1 it looks like rubber.
    pub strain_limit: f32,
    /// 1/s. Usually 0.2 to 2; much more and the cloth moves as through honey.
    pub damping: f32,
    /// How strongly air drags the cloth along its normals, 1/s. Usually 0.5 to 5.
    pub drag: f32,
    /// Coefficient of friction with skin and ground. Usually 0.3 to 0.6.
    pub friction: f32,
    /// Metres kept between particle and skin. Usually 0.003 to 0.008; less than 0.002 lets skin show through between
    /// particles.
    pub thickness: f32,
    /// 1: particles are kept within the length of the cloth from where it is attached. 0: cloth may stretch as far as the
    /// solver lets it.
    pub tethered: u32,
    /// What the maximum distances of the garment's motion constraints are multiplied by: 1 as they were made, 0 switches motion
    /// constraints off, backstops too.
    pub motion_scale: f32,
}

impl Default for GarmentSettings {
    fn default() -> Self {
        Self::of(Material::Cotton)
    }
}

/// Fabrics by name: usual values of the Kawabata evaluation system's tensile, shear and bending tests (Kawabata, "The
/// standardization and analysis of hand evaluation", 1980), in SI units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Material {
    /// Plain-woven shirting.
    Cotton,
    Denim,
    Silk,
    /// Knitted: gives along both threads.
    Jersey,
}

impl Material {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Cotton, Self::Denim, Self::Silk, Self::Jersey];

    /// The name in flags and panels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cotton => "cotton",
            Self::Denim => "denim",
            Self::Silk => "silk",
            Self::Jersey => "jersey",
        }
    }

    /// The material of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|material| material.name() == name)
    }
}

impl GarmentSettings {
    /// The same of another fabric: what does not depend on the fabric stays.
    pub fn made_of(self, material: Material) -> Self {
        let Self {
            compliance,
            density,
            strain_limit,
            ..
        } = Self::of(material);
        Self {
            compliance,
            density,
            strain_limit,
            ..self
        }
    }

    /// The fabric that it is as stiff as, if it is one of those.
    pub fn material(&self) -> Option<Material> {
        let is_alike = |known: &Material| {
            let pairs = Self::of(*known).compliance.into_iter().zip(self.compliance);
            pairs
                .into_iter()
                .all(|(a, b)| (a - b).abs() <= 1e-3 * a.abs())
        };
        Material::ALL.into_iter().find(is_alike)
    }

    /// Whether cloth can be simulated with it.
    ///
    /// # Errors
    /// With the first number that is out of its range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        let Self {
            compliance,
            density,
            strain_limit,
            damping,
            drag,
            friction,
            thickness,
            tethered,
            motion_scale,
        } = *self;
        for compliance in compliance {
            within("compliance", compliance, 0.0..=1e12)?;
        }
        within("density", density, 1e-3..=100.0)?;
        within("strain_limit", strain_limit, 0.0..=MOST)?;
        within("damping", damping, 0.0..=MOST)?;
        within("drag", drag, 0.0..=MOST)?;
        within("friction", friction, 0.0..=MOST)?;
        within("thickness", thickness, 0.0..=10.0)?;
        within("tethered", tethered as f32, 0.0..=1.0)?;
        within("motion_scale", motion_scale, 0.0..=MOST)
    }

    /// Of a fabric; settings that do not depend on the fabric have their defaults.
    pub fn of(material: Material) -> Self {
        // N/m along warp, weft and in shear; N·m; kg/m².
        let (stiffness, density) = match material {
            Material::Cotton => ([3000.0, 2000.0, 45.0, 6e-6], 0.15),
            Material::Denim => ([8000.0, 5000.0, 140.0, 8e-5], 0.4),
            Material::Silk => ([2500.0, 1500.0, 17.0, 3e-6], 0.07),
            Material::Jersey => ([200.0, 120.0, 34.0, 1.5e-6], 0.18),
        };
        Self {
            compliance: stiffness.map(|stiffness: f32| stiffness.recip()),
            density,
            strain_limit: if material == Material::Jersey {
                0.08
            } else {
                0.01
            },
            damping: 0.6,
            drag: 1.5,
            friction: 0.4,
            thickness: 0.005,
            tethered: 1,
            motion_scale: 1.0,
        }
    }
}

/// A plane that cloth rests on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ground {
    /// Unit, world space: up.
    pub normal: Vec3,
    /// Metres along the normal from the world's origin.
    pub height: f32,
}

impl Ground {
    /// A level ground, +Y up.
    pub const fn level(height: f32) -> Self {
        Self {
            normal: Vec3::Y,
            height,
        }
    }

    /// Normal and height; a height of minus infinity where there is none.
    pub(super) fn words(ground: Option<Self>) -> Vec4 {
        ground.map_or(Vec4::new(0.0, 1.0, 0.0, f32::NEG_INFINITY), |ground| {
            ground.normal.normalize_or(Vec3::Y).extend(ground.height)
        })
    }
}

/// Settings of the solver, for all garments of a world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClothSettings {
    /// How many sub-steps a step has; usually 8. More make the cloth stiffer and catch faster limbs, at a proportional cost: 16 for a
    /// close look. At most [`MAX_SUB_STEPS`].
    pub sub_steps: u32,
    /// How often the patches of a garment are solved in a sub-step, one dispatch each; usually 1. With more, fewer sub-steps will do;
    /// only the last keeps to what the sub-step's collision found.
    pub iterations: u32,
    /// Sweeps over a patch's constraints in an iteration; usually 4. Fewer leave patches unsettled, more settle them against neighbours that
    /// have not moved yet.
    pub sweeps: u32,
    /// Part of its length beyond which edges are shortened when a step ends, which its last collision has stretched; a garment's own
    /// [`strain_limit`](GarmentSettings::strain_limit) where that is more. Usually 0.04: what is then yet longer by a fifth lies in folds that limbs
    /// pinch. What that draws into the skin is put outside again. With 0.035 and less what lies in a fold slips to and fro, and a box's corner may stand through cloth; `None` saves an eighth of a character's step, and single edges of calm cloth
    /// are 1.4 times as long.
    pub end_strain_limit: Option<f32>,
    /// m/s².
    pub gravity: Vec3,
    /// m/s.
    pub wind: Vec3,
    /// The ground that cloth rests on; none by default.
    pub ground: Option<Ground>,
    /// When cloth at rest is no longer simulated; never by default. Nothing sleeps with techniques whose fields are not attached to bones: they do not know before
    /// a step what moves in it.
    pub sleep: Option<Sleep>,
}

/// m/s, m/s², metres and what has no unit: beyond this, numbers are slips. Usually 10,000; with much more, single precision moves nothing by millimetres.
const MOST: f32 = 1e4;

impl ClothSettings {
    /// Whether a step can be made with it.
    ///
    /// # Errors
    /// With the first number that is out of its range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        let Self {
            sub_steps,
            iterations,
            sweeps,
            end_strain_limit,
            gravity,
            wind,
            ground,
            sleep,
        } = *self;
        let repeats = MAX_REPEATS as f32;
        within(
            "cloth.sub_steps",
            sub_steps as f32,
            1.0..=MAX_SUB_STEPS as f32,
        )?;
        within("cloth.iterations", iterations as f32, 0.0..=repeats)?;
        within("cloth.sweeps", sweeps as f32, 0.0..=repeats)?;
        within(
            "cloth.end_strain_limit",
            end_strain_limit.unwrap_or(0.0),
            0.0..=MOST,
        )?;
        within("cloth.gravity's length", gravity.length(), 0.0..=MOST)?;
        within("cloth.wind's length", wind.length(), 0.0..=MOST)?;
        if let Some(Ground { normal, height }) = ground {
            within("cloth.ground.height", height, -MOST..=MOST)?;
            within("cloth.ground.normal's length", normal.length(), 0.99..=1.01)?;
        }
        let Some(Sleep {
            speed,
            motion,
            seconds,
        }) = sleep
        else {
            return Ok(());
        };
        within("cloth.sleep.speed", speed, 0.0..=MOST)?;
        within("cloth.sleep.motion", motion, 0.0..=MOST)?;
        within("cloth.sleep.seconds", seconds, 0.0..=MOST)
    }
}

impl Default for ClothSettings {
    fn default() -> Self {
        Self {
            sub_steps: 8,
            iterations: 1,
            sweeps: 4,
            end_strain_limit: Some(0.04),
            gravity: Vec3::new(0.0, -9.81, 0.0),
            wind: Vec3::ZERO,
            ground: None,
            sleep: None,
        }
    }
}
