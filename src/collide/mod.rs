//! Collision of particles with a skinned body: one folder per technique, behind one narrow interface.
//!
//! A technique's structure is filled from the skinned body, and it corrects predicted positions once per sub-step. It sees the particles
//! only as [`Particles`] and the body only as [`Bodies`], and the cloth is independent of the technique. The response is
//! shared by all: techniques differ in how they find a contact, not in the response to it.
//!
//! Techniques are independent of each other. To add one: a folder here with what implements `Detector`, one of the same name below
//! `glsl/`, a `mod` line below, and its entry in the list of `technique.rs`: [`adding_a_technique`] shows a whole one. Rigid [solids] are met
//! whatever the technique.

#[doc = include_str!("adding_a_technique.md")]
pub mod adding_a_technique {}
#[cfg(feature = "rivals")]
pub mod box_tree;
#[cfg(feature = "rivals")]
pub mod bvh;
mod candidates;
mod collider;
pub mod detector;
#[cfg(feature = "rivals")]
pub mod distance_field;
#[cfg(feature = "reference")]
mod edges;
#[cfg(feature = "reference")]
pub mod iterations;
#[cfg(feature = "rivals")]
pub mod lbvh;
pub mod radial;
#[cfg(feature = "reference")]
pub mod response;
mod settings;
#[cfg(feature = "rivals")]
pub mod skin_triangles;
pub mod solids;
#[cfg(feature = "rivals")]
pub mod spatial_hash;
mod sub_step;
mod sub_step_transforms;
#[cfg(feature = "reference")]
mod sub_step_twin;
mod technique;
#[cfg(feature = "reference")]
pub mod triangle_contact;
#[cfg(feature = "rivals")]
pub mod wide_bvh;

use bytemuck::{Pod, Zeroable};

pub(crate) use self::candidates::FieldBounds;
use self::solids::Solids;
use crate::gpu::{Bind, Buffer, BufferSlice};
use crate::skin::SkinnedBody;

pub use candidates::{BodyBounds, CandidateGroup, GpuBounds};
pub use collider::{CollideError, Collider, ColliderBody, ColliderDef, EdgePass};
pub use detector::{CollideMemory, Updates};
pub use settings::{CollideSettings, Detection, FrictionModel};
pub(crate) use sub_step::MAX_REPEATS;
pub use sub_step::{MAX_SUB_STEPS, SubStep};
pub use sub_step_transforms::{
    Attachments, BoneAttachment, FieldTransform, GpuAttachment, SubStepTransforms,
};
#[cfg(feature = "reference")]
pub use sub_step_twin::append_sub_step_transforms;
#[cfg(feature = "reference")]
pub(crate) use sub_step_twin::max_scale;
pub use technique::Technique;

/// Particles up to which a large GPU has threads to spare. Usually 8,000, one dressed character on an NVIDIA H200; with more the threads
/// that share a particle begin to repeat each other's work: two characters take 4 % longer.
const FEW_PARTICLES: u32 = 8_000;

/// Particles from which threads are short. Usually 400,000, eighty characters: with four threads per particle a hundred take 2 % longer, with two
/// sixteen take 5 % longer.
const MANY_PARTICLES: u32 = 400_000;

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

/// What the kernel that techniques with bone attachments share is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kernel {
    /// Threads per particle.
    pub lanes: u32,
    /// Whether there are solids to meet: nothing is paid for those that are not there.
    pub has_solids: bool,
}

impl Kernel {
    /// Specialisation constants 0 and 1 of shaders that include glsl/shared/collide.glsl.
    pub fn constants(self) -> [u32; 2] {
        [self.lanes, u32::from(self.has_solids)]
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
    /// Where the particles were when the sub-steps began that the next collision is for, the fourth float unused; of use where those are
    /// several.
    pub path_starts: &'a Buffer,
    /// First neighbour of each particle, and one past the last.
    pub neighbour_offsets: &'a Buffer,
    /// The particles at the other end of each particle's edges.
    pub neighbours: &'a Buffer,
    /// First triangle round each particle, and one past the last.
    pub corner_offsets: &'a Buffer,
    /// The other two corners of each of them.
    pub corners: &'a Buffer,
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
    sub_step_ix: u32,
    sub_steps: u32,
    path_samples: u32,
    friction_model: u32,
    goes_on: u32,
    is_reduced: u32,
    first_solid: u32,
    collision_stride: u32,
    first_layer_field: u32,
}

/// What the techniques that test triangles push to their response first.
#[cfg(feature = "rivals")]
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ResponsePush {
    particle_count: u32,
    friction_model: u32,
    /// 0 or 1: of the step.
    first_collision: u32,
    /// 0 or 1.
    is_reduced: u32,
    /// Sub-steps since the last collision.
    since: u32,
    /// The parts of the step at which they begin and end.
    part_before: f32,
    part_after: f32,
}

/// What the passes that collide points between particles push: `Push` of glsl/shared/edges.glsl.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct EdgesPush {
    field_count: u32,
    sub_step_ix: u32,
    sub_steps: u32,
    first_solid: u32,
    friction_model: u32,
    is_reduced: u32,
    first_layer_field: u32,
}

/// How far off what it meets a collision puts the particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Their garment's thickness, or their clearance where that is more.
    Thickness,
    /// The same after a step's last solve: what the collision before it has found still counts.
    ThicknessAgain,
    /// What is kept where there is no room for that, by particles and edges that are inside: what is outside stays where it is.
    Reduced,
}

/// One collision of a step: what techniques are given to record it.
#[derive(Clone, Copy)]
pub struct Collision<'a> {
    pub bodies: &'a Bodies<'a>,
    pub particles: &'a Particles<'a>,
    pub settings: &'a CollideSettings,
    pub sub_step: SubStep,
    pub kept: Kept,
    /// Where everything that is attached to moving frames is during the step.
    bounds: &'a FieldBounds,
    solids: &'a Solids,
}

impl Collision<'_> {
    /// Everything that is attached to moving frames: a technique's fields, and then solids.
    fn field_count(&self) -> u32 {
        self.bodies.transforms.field_count
    }

    fn first_solid(&self) -> u32 {
        self.field_count() - self.solids.count()
    }

    fn is_reduced(&self) -> bool {
        self.kept == Kept::Reduced
    }

    /// Whether what collisions before it in this step have found still counts.
    fn goes_on(&self) -> bool {
        self.kept != Kept::Thickness
    }

    fn push(&self) -> PathPush {
        PathPush {
            field_count: self.field_count(),
            sub_step_ix: self.sub_step.ix,
            sub_steps: self.sub_step.count,
            path_samples: self.settings.path_samples.max(1),
            friction_model: self.settings.friction_model as u32,
            goes_on: u32::from(self.goes_on()),
            is_reduced: u32::from(self.is_reduced()),
            first_solid: self.first_solid(),
            collision_stride: self.settings.stride,
            first_layer_field: self.bounds.first_layer_field(),
        }
    }

    /// The same for a kernel that goes on where another technique's ended.
    fn push_behind(&self) -> PathPush {
        PathPush {
            goes_on: 1,
            ..self.push()
        }
    }

    /// For techniques whose cloth is always of full detail.
    #[cfg(feature = "rivals")]
    fn response_push(&self) -> ResponsePush {
        let SubStep { ix, count } = self.sub_step;
        let since = self.sub_step.collision_span(1, self.settings.stride);
        ResponsePush {
            particle_count: self.particles.count,
            friction_model: self.settings.friction_model as u32,
            first_collision: u32::from(since > ix && !self.goes_on()),
            is_reduced: u32::from(self.is_reduced()),
            since,
            part_before: (ix + 1 - since) as f32 / count as f32,
            part_after: self.sub_step.ends(),
        }
    }

    fn edges_push(&self) -> EdgesPush {
        EdgesPush {
            field_count: self.field_count(),
            sub_step_ix: self.sub_step.ix,
            sub_steps: self.sub_step.count,
            first_solid: self.first_solid(),
            friction_model: self.settings.friction_model as u32,
            is_reduced: u32::from(self.is_reduced()),
            first_layer_field: self.bounds.first_layer_field(),
        }
    }

    /// Bindings 0 to 10 of glsl/shared/edges.glsl, and then a pass's `own`; `corrected`: where current and predicted positions go.
    fn edges_bindings<const OWN: usize, const ALL: usize>(
        &self,
        [current_after, after]: [&Buffer; 2],
        own: [Bind; OWN],
    ) -> [Bind; ALL] {
        const { assert!(ALL == OWN + 11, "eleven are shared") };
        let particles = self.particles;
        let shared: [Bind; 11] = [
            particles.particles.into(),
            particles.garments.into(),
            particles.predicted.into(),
            after.into(),
            particles.current.into(),
            current_after.into(),
            particles.neighbour_offsets.into(),
            particles.neighbours.into(),
            self.bodies.transforms.buffer.into(),
            self.bounds.fields().into(),
            particles.candidates.into(),
        ];
        std::array::from_fn(|ix| match ix.checked_sub(shared.len()) {
            Some(own_ix) => own[own_ix],
            None => shared[ix],
        })
    }

    /// Bindings 0 to 9 of glsl/shared/collide.glsl, and then a technique's `own`.
    fn attached_bindings<const OWN: usize, const ALL: usize>(
        &self,
        own: [Bind; OWN],
    ) -> [Bind; ALL] {
        const { assert!(ALL == OWN + 11, "eleven are shared") };
        let [particles, garments, current, predicted, contacts] = self.particles.bindings();
        let [shapes, words] = self.solids.bindings();
        let shared = [
            particles,
            garments,
            current,
            predicted,
            contacts,
            self.bodies.transforms.buffer.into(),
            self.bounds.fields().into(),
            self.particles.candidates.into(),
            shapes,
            words,
            self.particles.path_starts.into(),
        ];
        std::array::from_fn(|ix| match ix.checked_sub(shared.len()) {
            Some(own_ix) => own[own_ix],
            None => shared[ix],
        })
    }
}
