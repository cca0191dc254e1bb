//! The CPU twin of radial fields: the same steps as the shaders, written for reading, in the same `f32`.
//!
//! `update` and `surface` are in every build: the fit tests its fields on the CPU.

#[cfg(feature = "reference")]
pub mod collide;
#[cfg(feature = "reference")]
pub mod edges;
#[cfg(feature = "reference")]
pub mod march;
pub mod surface;
pub mod update;

#[cfg(test)]
mod bounds;
#[cfg(test)]
mod crossings;
#[cfg(test)]
mod properties;
#[cfg(test)]
pub(super) mod shapes;
#[cfg(test)]
mod tests;
