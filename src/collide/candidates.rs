//! Broad phase of the techniques whose fields are attached to bones (paper, section 6.1): once a step each group of particles finds the fields that it
//! may meet, by bodies and then by fields, and all sub-steps read that list.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::{Particles, THREADS_PER_PARTICLE};
use crate::gpu::{
    Access, Bind, Buffer, BufferDesc, ComputePipeline, Gpu, GpuError, Memory, Recorder, Uploads,
    shaders,
};

/// Particles that share a list: `GROUP_PARTICLES` of glsl/shared/candidates.glsl.
const GROUP_PARTICLES: u32 = 64 / THREADS_PER_PARTICLE;

/// The most fields of a list, as glsl/shared/structs.glsl has it. Usually 20 are needed, 70 between the fingers of two hands; a group
/// that needs more is given every field in every sub-step.
pub const MAX_CANDIDATES: usize = 120;

/// `Bounds` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GpuBounds {
    pub low: [f32; 3],
    pub high: [f32; 3],
}

/// `CandidateGroup` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CandidateGroup {
    pub low: [f32; 3],
    pub count: u32,
    pub high: [f32; 3],
    pub unused: u32,
    pub fields: [u32; MAX_CANDIDATES],
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FindPush {
    particle_count: u32,
    field_count: u32,
    body_count: u32,
    sub_steps: u32,
}

/// The passes of the broad phase.
pub(super) struct CandidatePipelines {
    bound_bodies: ComputePipeline,
    find: ComputePipeline,
}

impl CandidatePipelines {
    pub(super) fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        Ok(Self {
            bound_bodies: ComputePipeline::new(gpu, &shaders::SHARED_BOUND_BODIES_COMP, &[])?,
            find: ComputePipeline::new(gpu, &shaders::SHARED_FIND_CANDIDATES_COMP, &[])?,
        })
    }
}

/// Where the fields of a world and its bodies are during a step. The lists lie with the particles.
pub(super) struct FieldBounds {
    fields: Buffer,
    bodies: Buffer,
    /// Of each body, and one past the last.
    first_fields: Buffer,
    field_count: u32,
    body_count: u32,
}

impl FieldBounds {
    /// Of bodies that have so many fields each, one body's after the other's.
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        fields_per_body: impl Iterator<Item = u32>,
    ) -> Result<Self, GpuError> {
        let mut first_fields = vec![0];
        let mut field_count = 0;
        first_fields.extend(fields_per_body.map(|count| {
            field_count += count;
            field_count
        }));
        let body_count = first_fields.len() as u32 - 1;
        let bounds = |label, count| {
            let desc = BufferDesc {
                label,
                bytes: u64::from(count) * size_of::<GpuBounds>() as u64,
                memory: Memory::Device,
            };
            Buffer::new(gpu, &desc)
        };
        Ok(Self {
            fields: bounds("candidates.field_bounds", field_count)?,
            bodies: bounds("candidates.body_bounds", body_count)?,
            first_fields: uploads.buffer("candidates.first_fields", &first_fields)?,
            field_count,
            body_count,
        })
    }

    /// A [`GpuBounds`] per field: what the technique writes once a step, and the collision reads.
    pub(super) fn fields(&self) -> &Buffer {
        &self.fields
    }

    /// Device memory.
    pub(super) fn bytes(&self) -> u64 {
        self.fields.bytes() + self.bodies.bytes() + self.first_fields.bytes()
    }

    /// Unites the fields' boxes by bodies, behind a barrier of its own.
    pub(super) fn record_bound_bodies(
        &self,
        recorder: &mut Recorder,
        pipelines: &CandidatePipelines,
    ) {
        if self.body_count == 1 {
            return; // Its fields' boxes say as much.
        }
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        let bindings: [Bind; 3] = [
            (&self.fields).into(),
            (&self.first_fields).into(),
            (&self.bodies).into(),
        ];
        recorder.dispatch_groups(
            &pipelines.bound_bodies,
            &bindings,
            &self.body_count,
            self.body_count,
        );
    }

    /// Finds each group's candidates for a step of so many sub-steps, from the motion of the first one.
    pub(super) fn record_find(
        &self,
        recorder: &mut Recorder,
        pipelines: &CandidatePipelines,
        particles: &Particles,
        sub_steps: u32,
    ) {
        let push = FindPush {
            particle_count: particles.count,
            field_count: self.field_count,
            body_count: self.body_count,
            sub_steps,
        };
        let bindings: [Bind; 10] = [
            particles.particles.into(),
            particles.garments.into(),
            particles.current.into(),
            particles.predicted.into(),
            particles.neighbour_offsets.into(),
            particles.neighbours.into(),
            (&self.fields).into(),
            (&self.first_fields).into(),
            (&self.bodies).into(),
            particles.candidates.into(),
        ];
        recorder.dispatch(&pipelines.find, &bindings, &push, particles.threads());
    }
}

/// Bytes of the lists of so many particles.
pub(crate) fn candidate_bytes(particle_count: u32) -> u64 {
    u64::from(particle_count.div_ceil(GROUP_PARTICLES)) * size_of::<CandidateGroup>() as u64
}
