//! The CPU twin of distance fields: what `glsl/distance_field/` does, in plain code.

pub mod collide;
pub mod surface;
pub mod update;
