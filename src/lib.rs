//! Real-time collision between clothing and animated characters, for engines that own a Vulkan device.
//!
//! Hand over a device once and, every frame, a command buffer and where the bones are; get back cloth that stays outside
//! the moving skin, in vertex buffers that your own draw binds. The library never creates a device, submits, waits or
//! makes a queue, and takes no memory once it runs.
//!
//! # A host in thirty lines
//!
//! ```no_run
//! use ash::vk;
//! use radial_fields::{Avatar, BodyDef, BodyStep, FrameInput, Garment, GarmentDef, Host, Palette, RecordError, StepInput};
//! use radial_fields::{World, WorldDef, WorldError};
//!
//! /// Once. The device was made with `host::supported_extensions` and the features of `host::enable_features`.
//! unsafe fn dress(host: &Host, avatar: &Avatar, garments: &[Garment]) -> Result<World, WorldError> {
//!     let bodies = [BodyDef::new(avatar)];
//!     let garments: Vec<_> = garments.iter().map(|garment| GarmentDef::new(garment, 0)).collect();
//!     let def = WorldDef { bodies: &bodies, garments: &garments, ..Default::default() };
//!     unsafe { World::new(host, &def) }
//! }
//!
//! /// Every frame, into a command buffer of yours, outside a render pass.
//! unsafe fn simulate(world: &mut World, cmd: vk::CommandBuffer, bones: &Palette) -> Result<(), RecordError> {
//!     let step = StepInput { bodies: &[BodyStep::moved(bones)], ..Default::default() };
//!     unsafe { world.record(cmd, &FrameInput { steps: &[step], step_seconds: 1.0 / 60.0 }) }
//! }
//!
//! /// Later in the same command buffer, in your own draw: the triangles of `Garment::mesh` index these vertices.
//! unsafe fn bind_cloth(device: &ash::Device, world: &World, cmd: vk::CommandBuffer) {
//!     let buffers = [world.cloth().positions().handle(), world.cloth().normals().handle()];
//!     unsafe { device.cmd_bind_vertex_buffers2(cmd, 0, &buffers, &[0, 0], None, Some(&[16, 16])) };
//! }
//! ```
//!
//! A character comes from a glTF file ([`avatar::load`]), from the mannequin and the ogre in [`avatar::builtin`], or is
//! filled in by the host: [`Avatar`] is plain data. Garments are made to its shape by [`cloth::garment::make`], laid over
//! it by [`cloth::garment::sheet_over`], or taken from a mesh of the host as it is ([`Garment`] is plain data too).
//!
//! # Where to read on
//!
//! - [`host`]: what the device must have, and who waits for whom.
//! - [`World`]: what lives on the device. [`Settings`] is what may change between frames, [`World::edit`] is how bodies and
//!   garments come and go, [`World::requirements`] is how much memory they take.
//! - [`World::collect_times`] and [`World::time_into`]: what the stages cost, in our queries or in the host's.
//! - [`BodyStep`]: how a character is posed, put somewhere else, or handed in as the host has skinned it.
//! - [`Detail`]: how finely a character's cloth is simulated, step by step: less for those that are far away.
//! - [`SolidDef`] and [`SolidStep`]: rigid things that cloth collides with, and where they go.
//! - [`pose`]: clips and poses, for hosts that have no animation of their own. Others fill in a [`Palette`], or say where on the device
//!   their bones are ([`HostBones`]).
//! - [`glossary`]: the words used in names and comments, each defined once.
//! - `examples/host_ash`, `examples/host_wgpu` and `examples/host_cpp`: small engines that draw a dressed character with
//!   renderers of their own. The last one uses the C interface, `capi`.
//!
//! # Features
//!
//! `default-features = false` is the library for engines: they fill in [`Avatar`] and [`Garment`]. `import` reads and writes glTF;
//! `authoring` makes characters, motion and garments; `capi` adds the interface for C. `rivals` and `reference` have what the library is
//! measured against; `engine`, `viewer` and `bench` bring the programs of this package and the host they share. All of these are
//! on by default so that `cargo run` finds the programs. `shader_compiler` is for those who edit shaders.
//!
//! The crates that appear in the API are exported, so that a host can name the same versions: [`ash`], [`glam`],
//! [`gpu_allocator`].

pub mod avatar;
#[cfg(feature = "capi")]
pub mod capi;
pub mod cloth;
pub mod collide;
#[cfg(feature = "engine")]
pub mod engine;
mod frame;
pub mod glossary;
pub mod gpu;
pub mod host;
pub mod math;
#[cfg(feature = "engine")]
pub mod oracle;
#[cfg(feature = "viewer")]
pub mod overlay;
pub mod pose;
#[cfg(feature = "engine")]
pub mod render;
#[cfg(feature = "engine")]
pub mod scenes;
pub mod skin;
pub mod solid;
pub mod stage;
mod world;

pub use ash;
pub use glam;
pub use gpu_allocator;

pub use avatar::Avatar;
pub use cloth::garment::Garment;
#[cfg(feature = "authoring")]
pub use cloth::garment::GarmentKind;
pub use cloth::{ClothSettings, Detail, GarmentSettings};
pub use collide::{CollideSettings, SubStepTransforms, Technique};
pub use host::Host;
pub use math::range::OutOfRange;
pub use pose::{Palette, Pose};
pub use solid::{SolidMaterial, SolidShape};
pub use world::{
    BodyDef, BodyStep, Bones, FrameInput, GarmentDef, HostBones, HostSkin, MAX_STEPS, Pipelines,
    RecordError, Requirements, Settings, SolidDef, SolidStep, StepInput, Surface, World,
    WorldContents, WorldDef, WorldError, WorldMemory,
};
