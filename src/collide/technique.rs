//! The list of techniques. To add one: a folder here, one of the same name below `glsl/`, a `mod` line, and its entry in this list.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::detector::{DebugShader, Detector, TechniqueInfo};
use super::{CollideError, ColliderDef};
use crate::gpu::{Gpu, Uploads};

/// Makes the names of the techniques, what holds one of them, and the calls into it, from a list: each detector with the techniques that
/// it stands for. `$d` is a dollar sign, for the macro within.
macro_rules! techniques {
    ($d:tt $(#[cfg($gate:meta)] $detector:ident($type:ty) { $($(#[$attribute:meta])* $technique:ident: $info:expr,)+ })+) => {
        /// A way to find out where cloth meets skin. Chosen when a world is made.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Technique {
            $($($(#[$attribute])* #[cfg($gate)] $technique,)+)+
        }

        impl Technique {
            /// All of them, the default first. The rivals need the feature `rivals`.
            pub const ALL: [Self; Self::COUNT] = [$($(#[cfg($gate)] Self::$technique,)+)+];

            const COUNT: usize = {
                let all: &[Self] = &[$($(#[cfg($gate)] Self::$technique,)+)+];
                all.len()
            };

            /// What its folder says of it.
            const fn info(self) -> TechniqueInfo {
                match self {
                    $($(#[cfg($gate)] Self::$technique => $info,)+)+
                }
            }
        }

        /// The technique that a world collides by. Dispatch is static: every call is one match.
        #[cfg_attr(
            feature = "rivals",
            expect(
                clippy::large_enum_variant,
                reason = "a world has one, which stays where it is"
            )
        )]
        pub(super) enum SkinDetector {
            $(#[cfg($gate)] $detector($type),)+
        }

        impl SkinDetector {
            /// The one that a technique asks for; see [`Detector::new`].
            pub fn new(
                gpu: &Arc<Gpu>,
                uploads: &mut Uploads,
                def: &ColliderDef,
                earlier: Option<&Self>,
            ) -> Result<Self, CollideError> {
                match def.technique {
                    $(#[cfg($gate)] $(Technique::$technique)|+ => {
                        let earlier = match earlier {
                            Some(Self::$detector(detector)) => Some(detector),
                            _ => None,
                        };
                        Ok(Self::$detector(<$type>::new(gpu, uploads, def, earlier)?))
                    })+
                }
            }
        }

        /// Calls into whichever technique it is.
        macro_rules! with_detector {
            ($d any:expr, $d detector:ident => $d call:expr) => {
                match $d any {
                    $(#[cfg($gate)] SkinDetector::$detector($d detector) => $d call,)+
                }
            };
        }
    };
}

techniques! { $
    #[cfg(all())]
    Radial(super::radial::RadialDetector) {
        /// One cylindrical distance field per bone: this project's own.
        #[default]
        Radial: super::radial::DRAWN,
        /// The same, filled in compute instead of by the raster units: faster where a device has few of them.
        RadialCompute: super::radial::COMPUTED,
    }
    #[cfg(feature = "rivals")]
    SpatialHash(super::spatial_hash::SpatialHashDetector) {
        /// Cells that list the triangles in them, in a table of fixed size.
        SpatialHash: super::spatial_hash::TECHNIQUE,
    }
    #[cfg(feature = "rivals")]
    Bvh(super::bvh::BvhDetector) {
        /// A tree of boxes with eight children per node, traversed level by level through work queues.
        Bvh: super::bvh::TECHNIQUE,
    }
    #[cfg(feature = "rivals")]
    Lbvh(super::lbvh::LbvhDetector) {
        /// A tree of boxes with two children per node, traversed by each particle on its own.
        Lbvh: super::lbvh::TECHNIQUE,
    }
    #[cfg(feature = "rivals")]
    WideBvh(super::wide_bvh::WideBvhDetector) {
        /// The tree of eight children per node, traversed in one dispatch by eight threads per particle.
        WideBvh: super::wide_bvh::TECHNIQUE,
    }
    #[cfg(feature = "rivals")]
    DistanceField(super::distance_field::DistanceFieldDetector) {
        /// One Cartesian grid of signed distances per bone.
        DistanceField: super::distance_field::TECHNIQUE,
    }
}

pub(super) use with_detector;

impl Technique {
    /// The ways to fill radial fields: alike in quality, each the quicker one on some devices.
    pub const RADIAL: [Self; 2] = [Self::Radial, Self::RadialCompute];

    /// The name in flags and reports.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// The name in panels.
    pub const fn label(self) -> &'static str {
        self.info().label
    }

    /// The same name for C.
    #[cfg(feature = "capi")]
    pub(crate) const fn c_name(self) -> &'static std::ffi::CStr {
        self.info().c_name
    }

    /// What it does, in a line.
    pub const fn about(self) -> &'static str {
        self.info().about
    }

    /// What it means when a list of fixed size is full, after the number of what found no room; none where no list can be.
    pub const fn overflow(self) -> Option<&'static str> {
        self.info().overflow
    }

    /// Whether it needs a queue that draws; otherwise one that computes will do.
    pub const fn draws(self) -> bool {
        self.info().draws
    }

    /// Whether it lays fields round bones, which [`FitSettings::check`](super::radial::fit::FitSettings::check) may refuse.
    pub const fn lays_fields(self) -> bool {
        self.info().lays_fields
    }

    /// Whether it is [radial fields](Self::RADIAL), in whatever way they are filled.
    pub fn is_radial(self) -> bool {
        Self::RADIAL.contains(&self)
    }

    /// What the debug views of all techniques are drawn with, each once.
    pub fn debug_shaders() -> Vec<DebugShader> {
        let mut shaders: Vec<DebugShader> = Vec::new();
        for shader in Self::ALL
            .iter()
            .flat_map(|technique| technique.info().debug_shaders)
        {
            let is_new = |known: &DebugShader| known.vertex.name != shader.vertex.name;
            if shaders.iter().all(is_new) {
                shaders.push(*shader);
            }
        }
        shaders
    }

    /// By its name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|technique| technique.name() == name)
    }
}
