//! The CPU twin of radial fields: the same steps as the shaders, written for reading, in the same `f32`.

pub mod surface;
pub mod update;
