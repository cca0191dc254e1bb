//! Radial fields: one cylindrical distance field per bone.

mod atlas;
pub mod field;
pub mod fit;
mod gpu;
pub mod twin;

pub use gpu::{BodyFields, FieldTransform, GpuField, RadialFields, RadialPipelines};
