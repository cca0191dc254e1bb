//! Collision of particles with a skinned body: one folder a technique, and the response they share.

pub mod radial;
pub mod response;
