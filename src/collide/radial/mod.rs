//! Radial fields: one cylindrical distance field per bone.

pub mod field;
pub mod fit;
pub mod twin;
#[cfg(feature = "engine")]
pub mod study;
