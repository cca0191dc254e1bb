//! Radial fields: one cylindrical distance field per bone.

mod atlas;
pub mod field;
pub mod fit;
#[cfg(feature = "engine")]
pub mod study;
pub mod twin;
