//! Broad phase of the techniques whose fields are attached to bones (paper, section 6.1): once a step each group of particles finds the fields that it
//! may meet, by bodies and then by fields, and all sub-steps read that list.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::{Particles, SubStep};
use crate::gpu::{
    Bind, Buffer, BufferDesc, ComputePipeline, Gpu, GpuError, Memory, Recorder, Uploads, shaders,
};

/// Threads that share out a particle's edges while its group's candidates are searched: `LANES` of glsl/shared/find_candidates.comp.
const THREADS_PER_PARTICLE: u32 = 4;

/// The most particles that share a list: `GROUP_PARTICLES` of glsl/shared/candidates.glsl. As many as a workgroup of
/// glsl/shared/find_candidates.comp has.
pub(super) const GROUP_PARTICLES: u32 = 64 / THREADS_PER_PARTICLE;

/// The most fields of a list, as glsl/shared/structs.glsl has it. Usually 20 are needed, 70 between the fingers of two hands; a group
/// that needs more is given every field of the bodies nearby in every collision.
pub const MAX_CANDIDATES: usize = 102;

/// The most runs of fields of the bodies near a group, as glsl/shared/structs.glsl has it. Usually one or two are needed; a group that has more
/// is given every field of the world where its list does not hold.
pub const MAX_RANGES: usize = 8;

/// `Bounds` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GpuBounds {
    pub low: [f32; 3],
    pub high: [f32; 3],
}

/// `BodyBounds` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct BodyBounds {
    pub low: [u32; 3],
    pub high: [u32; 3],
}

/// `CandidateGroup` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct CandidateGroup {
    pub low: [f32; 3],
    pub count: u32,
    pub high: [f32; 3],
    pub first_particle: u32,
    pub end_particle: u32,
    pub range_count: u32,
    pub ranges: [u32; 2 * MAX_RANGES],
    pub fields: [u32; MAX_CANDIDATES],
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FindPush {
    field_count: u32,
    body_count: u32,
    sub_step_ix: u32,
    sub_steps: u32,
    first_layer: u32,
    end_layer: u32,
    first_layer_field: u32,
    first_solid: u32,
}

/// What the passes that write the boxes push: `Push` of the techniques' `bound.comp`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct BoundPush {
    /// Workgroups that there is work for: the technique's own fields, or portions of them.
    pub task_count: u32,
    /// Fields of all kinds.
    pub transform_stride: u32,
    pub sub_steps: u32,
}

/// Where everything that is attached to moving frames is during a step, by bodies: those of characters, garments that others are worn over, and
/// then each solid as one of its own. The lists of candidates lie with the particles.
pub(crate) struct FieldBounds {
    fields: Buffer,
    bodies: Buffer,
    bodies_of_fields: Buffer,
    /// Of each body, and one past the last.
    first_fields: Buffer,
    field_count: u32,
    body_count: u32,
    /// Which of the bodies are garments that others are worn over, and which of the fields are theirs.
    layers: Range<u32>,
    layer_fields: Range<u32>,
}

impl FieldBounds {
    /// Of bodies that have so many fields each, one body's after the other's; then of garments that others are worn over; then of solids.
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        bodies: &[u32],
        layers: &[u32],
        solid_count: usize,
    ) -> Result<Self, GpuError> {
        let mut first_fields = vec![0];
        let mut bodies_of_fields: Vec<u32> = Vec::new();
        let each_solid = std::iter::repeat_n(&1, solid_count);
        let counts = bodies.iter().chain(layers).chain(each_solid);
        for (body_ix, &count) in counts.enumerate() {
            bodies_of_fields.extend(std::iter::repeat_n(body_ix as u32, count as usize));
            first_fields.push(bodies_of_fields.len() as u32);
        }
        let (field_count, body_count) = (bodies_of_fields.len(), first_fields.len() - 1);
        let of_device = |label, bytes: usize| {
            let desc = BufferDesc {
                label,
                bytes: bytes as u64,
                memory: Memory::Device,
            };
            Buffer::new(gpu, &desc)
        };
        let body_bytes = body_count * size_of::<BodyBounds>();
        let first_layer_field = bodies.iter().sum::<u32>();
        Ok(Self {
            fields: of_device(
                "candidates.field_bounds",
                field_count * size_of::<GpuBounds>(),
            )?,
            bodies: of_device("candidates.body_bounds", body_bytes)?,
            bodies_of_fields: uploads.buffer("candidates.bodies_of_fields", &bodies_of_fields)?,
            first_fields: uploads.buffer("candidates.first_fields", &first_fields)?,
            field_count: field_count as u32,
            body_count: body_count as u32,
            layers: bodies.len() as u32..(bodies.len() + layers.len()) as u32,
            layer_fields: first_layer_field..first_layer_field + layers.iter().sum::<u32>(),
        })
    }

    /// A [`GpuBounds`] per field, for the collision.
    pub(super) fn fields(&self) -> &Buffer {
        &self.fields
    }

    /// How many fields and solids there are, and how many bodies, garments that others are worn over and solids.
    pub(crate) const fn counts(&self) -> [u32; 2] {
        [self.field_count, self.body_count]
    }

    /// The first field of a garment that others are worn over, which those of bodies come before.
    pub(super) const fn first_layer_field(&self) -> u32 {
        self.layer_fields.start
    }

    /// Device memory.
    pub(super) fn bytes(&self) -> u64 {
        let buffers = [
            &self.fields,
            &self.bodies,
            &self.bodies_of_fields,
            &self.first_fields,
        ];
        buffers.iter().map(|buffer| buffer.bytes()).sum()
    }

    /// Empties the bodies' boxes, once a step.
    pub(super) fn record_clear(&self, recorder: &mut Recorder) {
        if self.body_count == 0 {
            return;
        }
        recorder.fill(self.bodies.all(), BodyBounds::NOWHERE);
    }

    /// What the pass that writes the boxes binds after its own: boxes of fields, bodies of fields, boxes of bodies.
    pub(crate) fn written(&self) -> [Bind; 3] {
        [
            (&self.fields).into(),
            (&self.bodies_of_fields).into(),
            (&self.bodies).into(),
        ]
    }
}

impl BodyBounds {
    /// Each word of a box with nothing in it.
    pub(crate) const NOWHERE: u32 = u32::MAX;
}

/// The pipeline of the search.
pub(super) struct CandidatePipeline(ComputePipeline);

impl CandidatePipeline {
    /// # Errors
    /// When the driver refuses the shader.
    pub(super) fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        let pipeline = ComputePipeline::new(gpu, &shaders::SHARED_FIND_CANDIDATES_COMP, &[])?;
        Ok(Self(pipeline))
    }

    /// Finds each group's candidates for a step, from the motion of its first sub-step; whether there can be any.
    pub(super) fn record_find(
        &self,
        recorder: &mut Recorder,
        bounds: &FieldBounds,
        particles: &Particles,
        SubStep { ix, count }: SubStep,
    ) -> bool {
        if bounds.field_count == 0 {
            return false;
        }
        let push = FindPush {
            field_count: bounds.field_count,
            body_count: bounds.body_count,
            sub_step_ix: ix,
            sub_steps: count,
            first_layer: bounds.layers.start,
            end_layer: bounds.layers.end,
            first_layer_field: bounds.layer_fields.start,
            first_solid: bounds.layer_fields.end,
        };
        let bindings: [Bind; 10] = [
            particles.particles.into(),
            particles.garments.into(),
            particles.current.into(),
            particles.predicted.into(),
            particles.neighbour_offsets.into(),
            particles.neighbours.into(),
            (&bounds.fields).into(),
            (&bounds.first_fields).into(),
            (&bounds.bodies).into(),
            particles.candidates.into(),
        ];
        let threads = particles.threads(THREADS_PER_PARTICLE);
        recorder.dispatch(&self.0, &bindings, &push, threads);
        true
    }
}

impl CandidateGroup {
    /// The most particles of a group.
    pub(crate) const PARTICLES: u32 = GROUP_PARTICLES;

    /// The groups of a garment's particles: none has particles of two garments, which may be far apart.
    pub(crate) fn of_garment(particles: Range<u32>) -> impl Iterator<Item = Self> {
        let end_particle = particles.end;
        particles
            .step_by(GROUP_PARTICLES as usize)
            .map(move |first_particle| Self {
                first_particle,
                end_particle: end_particle.min(first_particle + GROUP_PARTICLES),
                ..Self::zeroed()
            })
    }
}
