//! The techniques by name.

use serde::{Deserialize, Serialize};

/// A way to find out where cloth meets skin. Chosen when a world is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Technique {
    /// One cylindrical distance field per bone: this project's own.
    #[default]
    Radial,
    /// The same, filled in compute instead of by the raster units: faster where a device has few of them.
    RadialCompute,
    /// Cells that list the triangles in them, in a table of fixed size.
    #[cfg(feature = "rivals")]
    SpatialHash,
    /// A tree of boxes with eight children per node, traversed level by level through work queues.
    #[cfg(feature = "rivals")]
    Bvh,
    /// A tree of boxes with two children per node, traversed by each particle on its own.
    #[cfg(feature = "rivals")]
    Lbvh,
    /// One Cartesian grid of signed distances per bone.
    #[cfg(feature = "rivals")]
    DistanceField,
}

const COUNT: usize = if cfg!(feature = "rivals") { 6 } else { 2 };

impl Technique {
    /// All of them, the default first. The rivals need the feature `rivals`.
    pub const ALL: [Self; COUNT] = [
        Self::Radial,
        Self::RadialCompute,
        #[cfg(feature = "rivals")]
        Self::SpatialHash,
        #[cfg(feature = "rivals")]
        Self::Bvh,
        #[cfg(feature = "rivals")]
        Self::Lbvh,
        #[cfg(feature = "rivals")]
        Self::DistanceField,
    ];

    /// The ways to fill radial fields: alike in quality, each the quicker one on some devices.
    pub const RADIAL: [Self; 2] = [Self::Radial, Self::RadialCompute];

    /// The name in flags and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Radial => "radial",
            Self::RadialCompute => "radial_compute",
            #[cfg(feature = "rivals")]
            Self::DistanceField => "distance_field",
            #[cfg(feature = "rivals")]
            Self::SpatialHash => "spatial_hash",
            #[cfg(feature = "rivals")]
            Self::Bvh => "bvh",
            #[cfg(feature = "rivals")]
            Self::Lbvh => "lbvh",
        }
    }

    /// The same name for C.
    #[cfg(feature = "capi")]
    pub(crate) const fn c_name(self) -> &'static std::ffi::CStr {
        match self {
            Self::Radial => c"radial",
            Self::RadialCompute => c"radial_compute",
            #[cfg(feature = "rivals")]
            Self::DistanceField => c"distance_field",
            #[cfg(feature = "rivals")]
            Self::SpatialHash => c"spatial_hash",
            #[cfg(feature = "rivals")]
            Self::Bvh => c"bvh",
            #[cfg(feature = "rivals")]
            Self::Lbvh => c"lbvh",
        }
    }

    /// What it does, in a line.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Radial => "a cylindrical distance field per bone, drawn anew every step",
            Self::RadialCompute => "the same fields, filled in compute",
            #[cfg(feature = "rivals")]
            Self::DistanceField => {
                "a grid of distances per bone, filled anew round the skin every step"
            }
            #[cfg(feature = "rivals")]
            Self::SpatialHash => "triangles listed by the cells they touch, every sub-step",
            #[cfg(feature = "rivals")]
            Self::Bvh => "boxes round boxes, eight by eight, searched through work queues",
            #[cfg(feature = "rivals")]
            Self::Lbvh => "boxes round boxes, two by two, searched by one thread per particle",
        }
    }

    /// What it means when a list of fixed size is full, after the number of what found no room; none where no list can be.
    pub const fn overflow(self) -> Option<&'static str> {
        match self {
            #[cfg(feature = "rivals")]
            Self::SpatialHash => Some("listings found no room: collisions may be missed"),
            #[cfg(feature = "rivals")]
            Self::Bvh => {
                Some("jobs found no room: their particles took longer, and none is missed")
            }
            _ => None,
        }
    }

    /// Whether it needs a queue that draws; otherwise one that computes will do.
    pub const fn draws(self) -> bool {
        matches!(self, Self::Radial)
    }

    /// Whether it lays fields round bones, which [`FitSettings::check`](super::radial::fit::FitSettings::check) may refuse.
    pub const fn lays_fields(self) -> bool {
        match self {
            Self::Radial | Self::RadialCompute => true,
            #[cfg(feature = "rivals")]
            Self::DistanceField => true,
            #[cfg(feature = "rivals")]
            Self::SpatialHash | Self::Bvh | Self::Lbvh => false,
        }
    }

    /// By its name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|technique| technique.name() == name)
    }
}
