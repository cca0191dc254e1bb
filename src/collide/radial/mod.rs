//! Radial fields: one cylindrical distance field per bone.

mod atlas;
pub mod cell;
mod detector;
pub mod field;
pub mod fit;
mod gpu;
mod pipelines;
pub mod rules;
#[cfg(feature = "reference")]
pub mod study;
pub mod surface;
#[cfg(feature = "reference")]
pub mod twin;
pub mod update;

pub(super) use detector::{COMPUTED, DRAWN, RadialDetector};
pub use gpu::{BodyFields, DrawnTriangles, FilledBy, GpuField, RadialFields};
pub use pipelines::RadialPipelines;
pub(crate) use pipelines::RadialVariant;
pub use rules::FieldRules;
