//! The CPU twin of distance fields: the algorithm of `glsl/distance_field/`.

pub mod collide;
pub mod surface;
pub mod update;
