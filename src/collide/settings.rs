//! The settings of the collision, which may change between frames.

use serde::{Deserialize, Serialize};

use super::sub_step::{MAX_REPEATS, MAX_SUB_STEPS};
use crate::math::range::{OutOfRange, within};

/// How friction is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u32)]
pub enum FrictionModel {
    /// Static and sliding friction bounded by the push out of the surface, as with real things: holds at rest. The default.
    Coulomb = 0,
    /// The paper's equations 7 to 10: a constant share of the motion along the surface, relative to the body. Slows, never holds.
    Paper = 1,
    /// The simple friction of Fuhrmann, Sobottka and Gross, equations 2 and 3: a constant share of the whole motion along the surface, however
    /// little presses. Slows, never holds; cloth creeps down walls that it only touches.
    Simple = 2,
    /// Their enhanced friction, equations 5 and 6: as much as the motion into the surface, times the coefficient. Holds at rest as
    /// Coulomb's does; what comes from afar is slowed by all of its way in, not by the part below the surface.
    Enhanced = 3,
}

impl FrictionModel {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Coulomb, Self::Paper, Self::Simple, Self::Enhanced];
}

/// How a particle's path through a sub-step is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum Detection {
    /// At [`path_samples`](CollideSettings::path_samples) points of it, the paper's pseudo-continuous detection: whatever is
    /// thinner than the distance between two of them can be missed. The default.
    Samples = 0,
    /// In every cell that it passes, so that no particle is too fast. Costs little more where paths are shorter than a cell.
    March = 1,
}

impl Detection {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Samples, Self::March];

    /// The name in flags and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::March => "march",
        }
    }
}

/// Settings of the collision, shared by all techniques.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CollideSettings {
    /// Sub-steps from one collision to the next; a step ends with one in any case. Usually 2: with 1 collisions take nearly twice as long and find
    /// little more, with 4 knees come through trousers in every twentieth frame. Paths are tested from one collision to the next, so
    /// that nothing slips through between them. At most [`MAX_SUB_STEPS`](crate::cloth::MAX_SUB_STEPS).
    pub stride: u32,
    pub detection: Detection,
    /// Points tested on each particle's path in a sub-step (the paper's n). Usually 4; with 1 only the end is tested, and fast
    /// limbs pass through. The march ignores it.
    pub path_samples: u32,
    pub friction_model: FrictionModel,
    /// Metres within which the techniques that test triangles search for the nearest one: a particle deeper inside than this stays
    /// inside. Usually 0.06, what a limb at 14 m/s moves in a quarter of a sixtieth of a second; more costs time, and less
    /// loses cloth on fast limbs: with 0.03 four times as many particles of a tumbling human. Must be more than any garment's
    /// thickness. Radial fields need no search.
    pub search_radius: f32,
    /// Whether a step's last collision collides the midpoint of every edge too, and with rigid solids points within every triangle. Usually
    /// true; without it coarse cloth shows the skin of heels and knees between its particles, and corners of solids stand through it. Skin
    /// is met so by radial fields alone, which it costs as much as one more sub-step's collision, solids whatever the technique, in two
    /// passes. In every collision of a step it would cost six times that and show nothing better.
    pub edge_midpoints: bool,
}

impl CollideSettings {
    /// Whether a step can be made with it.
    ///
    /// # Errors
    /// With the first number that is out of its range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        let [stride, samples] = [self.stride, self.path_samples].map(|count| count as f32);
        within("collide.stride", stride, 1.0..=MAX_SUB_STEPS as f32)?;
        within("collide.path_samples", samples, 1.0..=MAX_REPEATS as f32)?;
        within("collide.search_radius", self.search_radius, 1e-4..=10.0)
    }
}

impl Default for CollideSettings {
    fn default() -> Self {
        Self {
            stride: 2,
            detection: Detection::Samples,
            path_samples: 4,
            friction_model: FrictionModel::Coulomb,
            search_radius: 0.06,
            edge_midpoints: true,
        }
    }
}
