//! Rigid things as a user puts them, in a panel or a setup.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::SolidShape;

/// m, turns/s: beyond this, numbers are slips.
const MOST: f32 = 1e3;

/// A rigid thing and where it is, as a user puts it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlacedProp {
    pub shape: PropShape,
    /// Its middle, metres, world space; of what goes round, from the ground below the character.
    pub at: Vec3,
    /// Round the character; 0: it stands.
    pub turns_per_second: f32,
}

/// Its shape, lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PropShape {
    Sphere { radius: f32 },
    Capsule { half_length: f32, radius: f32 },
    Box { size: Vec3 },
    Torus { radius: f32, tube_radius: f32 },
}

impl Default for PlacedProp {
    fn default() -> Self {
        Self {
            shape: PropShape::USUAL[0].1,
            at: Vec3::new(0.0, 0.6, 0.5),
            turns_per_second: 0.0,
        }
    }
}

impl PropShape {
    /// One of each kind, with its name.
    pub const USUAL: [(&'static str, Self); 4] = [
        ("ball", Self::Sphere { radius: 0.15 }),
        (
            "post",
            Self::Capsule {
                half_length: 0.5,
                radius: 0.06,
            },
        ),
        (
            "box",
            Self::Box {
                size: Vec3::splat(0.3),
            },
        ),
        (
            "ring",
            Self::Torus {
                radius: 0.3,
                tube_radius: 0.05,
            },
        ),
    ];

    /// As cloth meets it.
    pub fn solid(self) -> SolidShape {
        match self {
            Self::Sphere { radius } => SolidShape::Sphere { radius },
            Self::Capsule {
                half_length,
                radius,
            } => SolidShape::Capsule {
                half_length,
                radius,
            },
            Self::Box { size } => SolidShape::cuboid(size),
            Self::Torus {
                radius,
                tube_radius,
            } => SolidShape::Torus {
                radius,
                tube_radius,
            },
        }
    }

    /// Its place in [`PropShape::USUAL`].
    pub fn kind(self) -> usize {
        match self {
            Self::Sphere { .. } => 0,
            Self::Capsule { .. } => 1,
            Self::Box { .. } => 2,
            Self::Torus { .. } => 3,
        }
    }
}

impl PlacedProp {
    /// Whether it can be put there.
    ///
    /// # Errors
    /// In words.
    pub fn check(&self) -> Result<(), String> {
        self.shape
            .solid()
            .check()
            .map_err(|fault| fault.to_string())?;
        let numbers = [self.at.x, self.at.y, self.at.z, self.turns_per_second];
        match numbers
            .into_iter()
            .find(|number| !(-MOST..=MOST).contains(number))
        {
            Some(number) => Err(format!("{number} is out of reach: give -{MOST} to {MOST}")),
            None => Ok(()),
        }
    }
}
