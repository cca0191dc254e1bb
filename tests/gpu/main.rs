//! The GPU held against the CPU twins, on whatever device there is; software Vulkan will do.
//!
//! Every test runs under core, synchronization and best-practices validation and fails when that says anything. A
//! missing device or layer is a failure too.

mod bake;
mod behaviour;
#[cfg(feature = "capi")]
mod capi;
mod cloth;
mod collide;
mod compare;
mod determinism;
mod edits;
mod embedding;
mod figures;
mod fixture;
mod launches;
mod layout;
mod lifetime;
mod memory;
mod refusals;
mod slope;
mod update;
