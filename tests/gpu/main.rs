//! The GPU held against the CPU twins, on whatever device there is; software Vulkan will do.
//!
//! Every test runs under core, synchronization and best-practices validation and fails when that says anything. A
//! missing device or layer is a failure too.

mod bake;
mod behaviour;
mod cloth;
mod cloud;
mod collide;
mod compare;
mod determinism;
mod edges;
mod figures;
mod fixture;
mod launches;
mod layout;
mod lifetime;
#[cfg(feature = "viewer")]
mod mutations;
mod rest;
mod slope;
mod tunnelling;
mod update;
