//! The GPU held against the CPU twins, on whatever device there is; software Vulkan will do.
//!
//! Every test runs under core, synchronization and best-practices validation and fails when that says anything. A
//! missing device or layer is a failure too.

mod bake;
mod banner;
mod behaviour;
mod bones;
mod boxes;
#[cfg(feature = "capi")]
mod c_host;
mod calibration;
#[cfg(feature = "capi")]
mod capi;
#[cfg(feature = "capi")]
mod capi_bones;
#[cfg(feature = "capi")]
mod capi_edit;
#[cfg(feature = "capi")]
mod capi_fields;
#[cfg(feature = "capi")]
mod capi_grab;
#[cfg(feature = "capi")]
mod capi_solids;
mod cloth;
mod cloth_contacts;
mod cloud;
mod collide;
mod compare;
mod compile_once;
mod contact_candidates;
mod contact_crossings;
mod crowd;
mod detail;
mod determinism;
mod difference;
mod distance_field;
mod drawn;
mod edges;
mod edits;
mod embedding;
mod end_of_step;
mod executables;
mod falling;
mod faults;
mod faulty;
mod figures;
mod fitted;
mod fixture;
mod golden;
mod hash_table;
mod hems;
mod hold;
mod last_collision;
mod launches;
mod layer_fields;
mod layers;
mod layout;
mod lifetime;
mod memory;
#[cfg(feature = "shader_compiler")]
mod mutations;
mod properties;
mod push_descriptors;
mod queue_families;
mod queues;
mod refusals;
mod refused_settings;
mod rest;
mod shows;
mod sleep;
mod slope;
mod solid;
mod solid_corners;
mod solid_response;
mod solids;
mod spy;
#[cfg(feature = "shader_compiler")]
mod synchronisation;
mod times;
mod transforms;
mod triangles;
mod tunnelling;
mod update;
