//! Collision of particles with a skinned body: one folder per technique, behind one narrow interface.
//!
//! A technique's structure is filled from the skinned body, and it corrects predicted positions once per sub-step. It sees the particles
//! only as [`Particles`] and the body only as [`Bodies`], and the cloth is independent of the technique. The response is
//! shared by all: techniques differ in how they find a contact, not in the response to it.
//!
//! Techniques are independent of each other. To add one: a folder here and one of the same name below `glsl/`, a variant of
//! [`Technique`], and an arm in each match of [`Rival`].

#[cfg(feature = "rivals")]
pub mod box_tree;
#[cfg(feature = "rivals")]
pub mod bvh;
mod candidates;
mod collider;
#[cfg(feature = "rivals")]
pub mod distance_field;
#[cfg(feature = "reference")]
pub mod iterations;
#[cfg(feature = "rivals")]
pub mod lbvh;
pub mod radial;
#[cfg(feature = "reference")]
pub mod response;
#[cfg(feature = "rivals")]
mod rival;
mod settings;
#[cfg(feature = "rivals")]
pub mod skin_triangles;
#[cfg(feature = "rivals")]
pub mod spatial_hash;
mod sub_step_transforms;
#[cfg(feature = "reference")]
mod sub_step_twin;
mod technique;
#[cfg(feature = "reference")]
pub mod triangle_contact;

use bytemuck::{Pod, Zeroable};

use crate::gpu::{Bind, Buffer, BufferSlice};
use crate::skin::SkinnedBody;

pub use candidates::{BodyBounds, CandidateGroup, GpuBounds};
pub use collider::{CollideError, CollideMemory, Collider, ColliderBody, ColliderDef, Updates};
#[cfg(feature = "rivals")]
pub use rival::Rival;
pub use settings::{CollideSettings, Detection, FrictionModel};
pub use sub_step_transforms::{
    Attachments, BoneAttachment, FieldTransform, GpuAttachment, SubStepTransforms,
};
#[cfg(feature = "reference")]
pub use sub_step_twin::append_sub_step_transforms;
#[cfg(feature = "reference")]
pub(crate) use sub_step_twin::max_scale;
pub use technique::Technique;

/// Particles up to which a large GPU has threads to spare. Usually 20,000, four dressed characters on an NVIDIA H200; with more the threads
/// that share a particle begin to repeat each other's work.
const FEW_PARTICLES: u32 = 20_000;

/// Particles from which threads are short. Usually 50,000; with fewer, threads that have a particle to themselves wait longer than they
/// work.
const MANY_PARTICLES: u32 = 50_000;

/// Threads per particle for the collision with fields that are attached to bones: `LANES` of glsl/shared/collide.glsl. The result is the
/// same with any.
pub(crate) fn collide_lanes(particle_count: u32) -> u32 {
    if particle_count <= FEW_PARTICLES {
        8
    } else if particle_count < MANY_PARTICLES {
        4
    } else {
        2
    }
}

/// Threads that work on one particle's edges, the most for each particle of any pass: a power of two, and most particles have six edges.
pub(crate) const THREADS_PER_EDGES: u32 = 8;

/// The particles a technique is given: all of a world's.
///
/// Positions are four floats per particle. The fourth of the current ones is not 0 for a particle that is astray, that of the predicted
/// ones the normal of its last contact, packed.
#[derive(Clone, Copy)]
pub struct Particles<'a> {
    pub count: u32,
    /// The constant data: `Particle` of glsl/shared/structs.glsl.
    pub particles: &'a Buffer,
    /// `GarmentSettings` of this frame.
    pub garments: BufferSlice,
    /// Where the particles were when the sub-step began.
    pub current: &'a Buffer,
    /// Where they would be without a body; corrected in place.
    pub predicted: &'a Buffer,
    /// Normal and deepest push of the step, four floats per particle.
    pub contacts: &'a Buffer,
    /// First neighbour of each particle, and one past the last.
    pub neighbour_offsets: &'a Buffer,
    /// The particles at the other end of each particle's edges.
    pub neighbours: &'a Buffer,
    /// [`CandidateGroup`]s: whose particles they have, and room for their lists.
    pub candidates: &'a Buffer,
    pub group_count: u32,
}

/// The bodies a technique is given: all of a world's, during one step.
#[derive(Clone, Copy)]
pub struct Bodies<'a> {
    /// Before and after the step.
    pub skin: &'a SkinnedBody,
    /// Sub-step transforms of the technique's bone attachments: at the beginning of every sub-step and at the end of the last.
    pub transforms: SubStepTransforms,
}

impl Particles<'_> {
    /// Threads of the passes that work on groups with so many threads per particle.
    fn threads(&self, threads_per_particle: u32) -> u32 {
        self.group_count * candidates::GROUP_PARTICLES * threads_per_particle
    }

    /// Bindings 0 to 4 of glsl/shared/particles.glsl.
    pub fn bindings(&self) -> [Bind; 5] {
        [
            self.particles.into(),
            self.garments.into(),
            self.current.into(),
            self.predicted.into(),
            self.contacts.into(),
        ]
    }

    /// The same, and then a technique's `own`.
    pub fn with<const OWN: usize, const ALL: usize>(&self, own: [Bind; OWN]) -> [Bind; ALL] {
        const { assert!(ALL == OWN + 5, "five are the particles'") };
        let shared = self.bindings();
        std::array::from_fn(|ix| match ix.checked_sub(shared.len()) {
            Some(own_ix) => own[own_ix],
            None => shared[ix],
        })
    }
}

/// What the techniques whose fields are attached to bones push to their collision: `Push` of glsl/shared/collide.glsl.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct PathPush {
    field_count: u32,
    transform_offset: u32,
    path_samples: u32,
    friction_model: u32,
    first_sub_step: u32,
}

impl PathPush {
    fn new(field_count: u32, settings: &CollideSettings, sub_step: SubStep) -> Self {
        Self {
            field_count,
            transform_offset: sub_step.ix * field_count,
            path_samples: settings.path_samples.max(1),
            friction_model: settings.friction_model as u32,
            first_sub_step: u32::from(sub_step.ix == 0),
        }
    }
}

/// Which part of a step is collided.
#[derive(Clone, Copy, Debug)]
pub struct SubStep {
    /// Counts from 0.
    pub ix: u32,
    pub count: u32,
}

impl SubStep {
    /// The part of the step at which it begins.
    pub fn begins(self) -> f32 {
        self.ix as f32 / self.count as f32
    }

    /// The part of the step at which it ends: exactly 1 for the last.
    pub fn ends(self) -> f32 {
        (self.ix + 1) as f32 / self.count as f32
    }
}
