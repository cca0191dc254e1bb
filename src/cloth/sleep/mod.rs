//! Sleep: cloth that is at rest is not simulated until something stirs it.
//!
//! A garment is at rest when hardly any of its particles moves against the skin, and nothing near it has moved: no limb of its own body or another's, no
//! solid, no cloth, and when neither its settings nor gravity or wind have changed. After some time at rest it falls asleep: it rides on the skin as it lies,
//! has no sub-steps, meets nothing, and is to other cloth something that does not give. What stirs it wakes it in the same step, before anything is
//! simulated; other cloth does so in the step after.
//!
//! The GPU decides, garment by garment: nothing is read back, and bones may be the host's own GPU buffer.

mod gpu;

use serde::{Deserialize, Serialize};

pub use gpu::GarmentRest;
pub(crate) use gpu::{SleepInputs, SleepPipelines, Sleepers};

/// When cloth sleeps. A value that is not a number lets nothing sleep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sleep {
    /// m/s against the skin up to which a particle is at rest. Usually 0.05; with 0.03 a shirt whose armpits tremble never sleeps, with 0.2 slow
    /// swinging stops in the air.
    pub speed: f32,
    /// How far limbs and solids near a garment may move before they wake it, in metres. Usually 0.01: breathing wakes nothing then. They may be that far
    /// inside sleeping cloth.
    pub motion: f32,
    /// Seconds at rest after which a garment sleeps. Usually 0.5; with less, what swings sleeps where it turns round.
    pub seconds: f32,
}

impl Default for Sleep {
    fn default() -> Self {
        Self {
            speed: 0.05,
            motion: 0.01,
            seconds: 0.5,
        }
    }
}
