//! The CPU twin of radial fields: the same steps as the shaders, written for reading, in the same `f32`.
//!
//! What the fit needs as well stands outside: [`update`](super::update) and [`surface`](super::surface).

pub mod collide;
pub mod edges;
pub mod march;

#[cfg(test)]
mod bounds;
#[cfg(test)]
mod crossings;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod rules;
#[cfg(test)]
pub(super) mod shapes;
#[cfg(test)]
mod tests;
