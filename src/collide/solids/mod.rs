//! Rigid solids among what particles collide with: [shapes](SolidShape) that ride on moving frames of their own.
//!
//! They follow the technique's fields in every list of what is attached to moving frames, so that a particle between a thigh and a
//! chair meets both in one search and one kernel. A technique that finds skin in another way gets that kernel behind it, for solids alone.

#[cfg(feature = "reference")]
pub mod twin;

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

use super::candidates::FieldBounds;
use super::{Bodies, BoneAttachment, Collision, THREADS_PER_EDGES};
use crate::gpu::{
    Access, Bind, Buffer, ComputePipeline, Gpu, GpuError, Recorder, Uploads, shaders,
};
use crate::solid::{FieldHeader, SolidField, SolidMaterial, SolidShape};

/// The solids of a world on the device.
pub struct Solids {
    solids: Buffer,
    /// Those of the sampled ones' fields.
    words: Buffer,
    count: u32,
    /// Among the moving frames.
    first_frame: u32,
}

/// A solid's field as its users know it apart from others: by its address.
type FieldAddress = *const SolidField;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct BoundPush {
    transform_stride: u32,
    sub_steps: u32,
    first_solid: u32,
}

impl Solids {
    /// Has the shapes copied to the device; each field once. Their frames follow `first_frame`, in this order.
    ///
    /// # Errors
    /// When memory runs out, or the fields together are more than the device binds.
    pub fn new(
        uploads: &mut Uploads,
        shapes: &[(&SolidShape, SolidMaterial)],
        first_frame: u32,
    ) -> Result<Self, GpuError> {
        let mut words: Vec<u32> = Vec::new();
        let mut known: Vec<(FieldAddress, FieldHeader)> = Vec::new();
        let mut header_of = |field: &Arc<SolidField>| {
            let address = Arc::as_ptr(field);
            let is_it = |(other, _): &&(FieldAddress, FieldHeader)| *other == address;
            if let Some(&(_, header)) = known.iter().find(is_it) {
                return header;
            }
            let header = FieldHeader::append(field, &mut words);
            known.push((address, header));
            header
        };
        let solids: Vec<_> = shapes
            .iter()
            .map(|(shape, material)| {
                let header = match shape {
                    SolidShape::Field(field) => header_of(field),
                    _ => FieldHeader::zeroed(),
                };
                shape.to_gpu(header, *material)
            })
            .collect();
        Ok(Self {
            solids: uploads.buffer("solids.shapes", &solids)?,
            words: uploads.buffer("solids.words", &words)?,
            count: shapes.len() as u32,
            first_frame,
        })
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        self.solids.bytes() + self.words.bytes()
    }

    /// For the bindings SOLIDS and SOLID_WORDS, in this order.
    pub fn bindings(&self) -> [Bind; 2] {
        [(&self.solids).into(), (&self.words).into()]
    }

    /// What they are attached to: a moving frame each.
    pub fn attachments(&self) -> impl Iterator<Item = BoneAttachment> {
        let frames = self.first_frame..self.first_frame + self.count;
        frames.map(|frame_ix| BoneAttachment {
            frame_ix,
            bone_from_field: Mat4::IDENTITY,
            axis_lengths: Vec3::ONE,
        })
    }
}

/// The pipelines of the solids.
pub struct SolidPipelines {
    bound: ComputePipeline,
    /// For a technique that has no kernel which meets them.
    collide: Option<ComputePipeline>,
    collide_edges: ComputePipeline,
}

impl SolidPipelines {
    /// `collide`: the constants of the kernel of their own, if they need one.
    ///
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>, collide: Option<[u32; 2]>) -> Result<Self, GpuError> {
        let kernel = |constants: [u32; 2]| {
            ComputePipeline::new(gpu, &shaders::SOLID_COLLIDE_COMP, &constants)
        };
        Ok(Self {
            bound: ComputePipeline::new(gpu, &shaders::SOLID_BOUND_COMP, &[])?,
            collide: collide.map(kernel).transpose()?,
            collide_edges: ComputePipeline::new(
                gpu,
                &shaders::SOLID_COLLIDE_EDGES_COMP,
                &[THREADS_PER_EDGES],
            )?,
        })
    }

    /// Finds the boxes that they sweep during a step.
    pub(super) fn record_bound(
        &self,
        recorder: &mut Recorder,
        solids: &Solids,
        bodies: &Bodies,
        bounds: &FieldBounds,
    ) {
        let field_count = bodies.transforms.field_count;
        let push = BoundPush {
            transform_stride: field_count,
            sub_steps: bodies.transforms.sub_steps,
            first_solid: field_count - solids.count,
        };
        let [shapes, words] = solids.bindings();
        let [boxes, bodies_of_fields, body_boxes] = bounds.written();
        let bindings: [Bind; 6] = [
            shapes,
            words,
            bodies.transforms.buffer.into(),
            boxes,
            bodies_of_fields,
            body_boxes,
        ];
        recorder.dispatch_groups(&self.bound, &bindings, &push, solids.count);
    }

    /// Collides the particles with them alone, behind the technique, if its kernel does not.
    pub(super) fn record_collide(
        &self,
        recorder: &mut Recorder,
        collision: &Collision,
        lanes: u32,
    ) {
        let Some(pipeline) = &self.collide else {
            return;
        };
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        let bindings: [Bind; 11] = collision.attached_bindings([]);
        let threads = collision.particles.threads(lanes);
        recorder.dispatch(pipeline, &bindings, &collision.push_behind(), threads);
    }

    /// Collides the middles of edges and points within triangles: reads current and predicted positions, and writes both `corrected`.
    pub(super) fn record_collide_edges(
        &self,
        recorder: &mut Recorder,
        collision: &Collision,
        corrected: [&Buffer; 2],
    ) {
        let [shapes, words] = collision.solids.bindings();
        let own = [
            shapes,
            words,
            collision.particles.corner_offsets.into(),
            collision.particles.corners.into(),
        ];
        let bindings: [Bind; 15] = collision.edges_bindings(corrected, own);
        let threads = collision.particles.threads(THREADS_PER_EDGES);
        let push = collision.edges_push();
        recorder.dispatch(&self.collide_edges, &bindings, &push, threads);
    }
}
