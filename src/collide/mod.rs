//! Collision of particles with a skinned body: one folder a technique, and the response they share.
//!
//! A technique is filled from the skinned body once a step and corrects predicted positions once a sub-step. It knows the
//! particles only as positions, and the cloth knows the technique only by the two calls of [`Collider`].

pub mod radial;
pub mod response;
