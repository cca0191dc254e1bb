//! What a user may change of the collision while it runs.

use serde::{Deserialize, Serialize};

/// How friction is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u32)]
pub enum FrictionModel {
    /// Static and sliding friction bounded by the push out of the surface: holds at rest. The default.
    Coulomb = 0,
    /// The paper's equations 8 to 10: a constant share of the motion along the surface.
    Paper = 1,
}

/// Settings of the collision, shared by all techniques.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CollideSettings {
    /// Points tested on each particle's path in a sub-step (the paper's n). Usually 4; with 1 only the end is tested, and fast
    /// limbs pass through.
    pub path_samples: u32,
    pub friction_model: FrictionModel,
    /// Metres within which the techniques that test triangles look for the nearest one: a particle deeper inside than this is
    /// lost to them. Usually 0.03, what a limb at 7 m/s moves in a quarter of a sixtieth of a second; more costs time, and less
    /// loses cloth on fast limbs. Must be more than any garment's thickness. Radial fields know their inside without it.
    pub reach: f32,
    /// Whether the middle of every edge is kept outside too. Coarse cloth then shows no skin between its particles, at twice
    /// the cost; now and then a particle that is pushed for its edge's sake ends up inside for a frame. Off by default, and
    /// for radial fields alone.
    pub edge_midpoints: bool,
}

impl Default for CollideSettings {
    fn default() -> Self {
        Self {
            path_samples: 4,
            friction_model: FrictionModel::Coulomb,
            reach: 0.03,
            edge_midpoints: false,
        }
    }
}
