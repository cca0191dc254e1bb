//! Level of detail: how much a body's cloth is simulated, which the host decides anew for every step.

use serde::{Deserialize, Serialize};

use crate::collide::SubStep;

/// How much the cloth of a body is simulated in a step.
///
/// It may change from step to step: cloth goes on from where it is, as fast as it is. What each costs and how far its cloth lies from
/// fully simulated cloth is in `tools/bench_results/detail.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// Every sub-step.
    #[default]
    Full,
    /// Half as many sub-steps, twice as long.
    Half,
    /// A quarter of them.
    Quarter,
    /// None: cloth follows the body where skinning puts it, and collides with nothing. It glides there within a quarter of a second.
    Skinned,
}

impl Detail {
    /// All of them, from the finest on.
    pub const ALL: [Self; 4] = [Self::Full, Self::Half, Self::Quarter, Self::Skinned];

    /// The name in flags and panels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Half => "half",
            Self::Quarter => "quarter",
            Self::Skinned => "skinned",
        }
    }

    /// The level of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|detail| detail.name() == name)
    }

    /// All names, for messages.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// Sub-steps of the step that one of the cloth's own takes; 0: it has none.
    pub(crate) const fn stride(self) -> u32 {
        match self {
            Self::Full => 1,
            Self::Half => 2,
            Self::Quarter => 4,
            Self::Skinned => 0,
        }
    }

    /// A bit for each stride of which an own sub-step ends with that one.
    pub(crate) fn own_strides(sub_step: SubStep) -> u32 {
        let strides = Self::ALL.map(Self::stride).into_iter();
        let own = strides.filter(|&stride| sub_step.own_span(stride) > 0);
        own.map(|stride| 1 << stride).sum()
    }

    /// Metres on a person: how much further the cloth lies from the surface of fully simulated cloth than does cloth whose fields differ by
    /// roundings, which folds elsewhere too; 95 % of the particles in the median frame of a clip of running and tumbling (`bench detail`).
    pub const fn error(self) -> f32 {
        match self {
            Self::Full => 0.0,
            Self::Half => 0.011,
            Self::Quarter => 0.025,
            Self::Skinned => 0.037,
        }
    }

    /// The coarsest whose [`error`](Self::error) is no more than so many metres, such as what a pixel of the picture covers at the body.
    /// `size`: of the body against a person of 1.75 m ([`Avatar::size`](crate::avatar::Avatar::size)).
    pub fn within(metres: f32, size: f32) -> Self {
        let coarsest = Self::ALL.into_iter().rev();
        coarsest
            .into_iter()
            .find(|detail| detail.error() * size <= metres)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_away_is_coarser() {
        assert_eq!(Detail::within(0.0, 1.0), Detail::Full);
        assert_eq!(Detail::within(f32::NAN, 1.0), Detail::Full);
        assert_eq!(Detail::within(1.0, 1.0), Detail::Skinned);
        assert_eq!(Detail::within(0.2, 1.0), Detail::Skinned);
        assert!(Detail::within(0.1, 4.0) < Detail::Skinned);
        let nearer: Vec<_> = (0..100)
            .map(|mm| Detail::within(mm as f32 * 1e-3, 1.0))
            .collect();
        assert!(nearer.is_sorted());
    }
}
