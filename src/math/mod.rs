//! Pure mathematics: spaces, cylinder coordinates, closest points, solid angles.

mod affine;

pub use affine::Affine;
