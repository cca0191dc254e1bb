//! The CPU twin of radial fields: the same steps as the shaders, written for reading, in the same `f32`.

pub mod collide;
pub mod edges;
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
