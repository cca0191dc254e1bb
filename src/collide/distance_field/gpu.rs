//! The grids on the GPU: their buffers, the update and the collision.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::BAND_CELLS;
use super::cell::EMPTY_KEY;
use super::fit::{GridDef, GridSet};
use crate::collide::candidates::{BoundPush, FieldBounds};
use crate::collide::skin_triangles::{BindSkin, SkinTopology, SkinTriangles};
use crate::collide::{Bodies, BoneAttachment, CollideError, ColliderBody, Collision, Kernel};
use crate::gpu::{
    Bind, Buffer, BufferDesc, ComputePipeline, Gpu, GpuError, Memory, Recorder, Uploads, shaders,
};

/// The pipelines of distance fields.
pub struct DistanceFieldPipelines {
    update: ComputePipeline,
    bound: ComputePipeline,
    collide: ComputePipeline,
    kernel: Kernel,
}

impl DistanceFieldPipelines {
    /// `kernel`: of the collision.
    ///
    /// # Errors
    /// When the driver refuses a shader.
    pub(crate) fn new(gpu: &Arc<Gpu>, kernel: Kernel) -> Result<Self, GpuError> {
        Ok(Self {
            kernel,
            update: ComputePipeline::new(gpu, &shaders::DISTANCE_FIELD_UPDATE_COMP, &[])?,
            bound: ComputePipeline::new(gpu, &shaders::DISTANCE_FIELD_BOUND_COMP, &[])?,
            collide: ComputePipeline::new(
                gpu,
                &shaders::DISTANCE_FIELD_COLLIDE_COMP,
                &kernel.constants(),
            )?,
        })
    }

    /// What the collision is compiled for.
    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel
    }
}

/// `Grid` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GpuGrid {
    pub first_cell: u32,
    pub size: [u32; 3],
    pub cell_size: f32,
}

/// Pairs that a workgroup places at once, as in glsl/distance_field/update.comp.
const PAIRS_PER_GROUP: u32 = 8;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct UpdatePush {
    pair_count: u32,
    transform_offset: u32,
    band: f32,
}

/// The grids of all bodies of a world.
pub struct DistanceFields {
    set: GridSet,
    topology: SkinTopology,
    triangles: SkinTriangles,
    grids: Buffer,
    fields_per_body: Vec<u32>,
    /// Of each pair.
    pair_triangles: Buffer,
    pair_grids: Buffer,
    cells: Buffer,
}

impl DistanceFields {
    /// Lays out and uploads the grids.
    ///
    /// # Errors
    /// When a body has nothing to collide with, the cells are more than a shader can reach, or memory runs out.
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        bodies: &[ColliderBody],
    ) -> Result<Self, CollideError> {
        let skin = BindSkin::of(bodies);
        let max_cells = u64::from(gpu.limits.max_storage_buffer_range) / 4;
        let set = GridSet::fit(bodies, &skin, max_cells)?;
        let topology = SkinTopology::of(&skin);
        let grids: Vec<_> = set.grids.iter().map(GpuGrid::new).collect();
        let grids_per_body = bodies.iter().map(|body| {
            let joints =
                body.first_joint..body.first_joint + body.avatar.skeleton.joints.len() as u32;
            let own = set
                .grids
                .iter()
                .filter(|grid| joints.contains(&grid.joint_ix));
            own.count() as u32
        });
        let (pair_triangles, pair_grids): (Vec<u32>, Vec<u32>) = set
            .pairs
            .iter()
            .map(|&[triangle, grid]| (triangle, grid))
            .unzip();
        let cells = BufferDesc {
            label: "distance_field.cells",
            bytes: 4 * u64::from(set.cell_count),
            memory: Memory::Device,
        };
        Ok(Self {
            triangles: SkinTriangles::new(uploads, &topology)?,
            grids: uploads.buffer("distance_field.grids", &grids)?,
            fields_per_body: grids_per_body.collect(),
            pair_triangles: uploads.buffer("distance_field.pair_triangles", &pair_triangles)?,
            pair_grids: uploads.buffer("distance_field.pair_grids", &pair_grids)?,
            cells: Buffer::new(gpu, &cells)?,
            topology,
            set,
        })
    }

    /// The grids, and which triangles are written into which.
    pub fn set(&self) -> &GridSet {
        &self.set
    }

    /// The triangles and their neighbours.
    pub fn topology(&self) -> &SkinTopology {
        &self.topology
    }

    /// One [`GpuGrid`] a grid.
    pub fn grids(&self) -> &Buffer {
        &self.grids
    }

    /// One key per cell: see [`super::cell`].
    pub fn cells(&self) -> &Buffer {
        &self.cells
    }

    /// Device memory of the cells alone: "memory" in the paper's table.
    pub fn cell_bytes(&self) -> u64 {
        4 * u64::from(self.set.cell_count)
    }

    /// Device memory of everything.
    pub fn bytes(&self) -> u64 {
        self.triangles.bytes()
            + self.grids.bytes()
            + self.pair_triangles.bytes()
            + self.pair_grids.bytes()
            + self.cells.bytes()
    }

    /// The bone attachment of each grid.
    pub fn bone_attachments(&self) -> impl ExactSizeIterator<Item = BoneAttachment> {
        self.set.grids.iter().map(|grid| BoneAttachment {
            frame_ix: grid.joint_ix,
            bone_from_field: grid.bone_from_field,
            axis_lengths: Vec3::ONE,
        })
    }

    /// Grids of each body, which lie one body's after the other's.
    pub fn fields_per_body(&self) -> &[u32] {
        &self.fields_per_body
    }

    fn grid_count(&self) -> u32 {
        self.set.grids.len() as u32
    }

    /// Empties the cells.
    pub fn record_clear(&self, recorder: &mut Recorder) {
        recorder.fill(self.cells.all(), EMPTY_KEY);
    }

    /// Writes the skin at the end of the step into the cells.
    pub(super) fn record_update(
        &self,
        recorder: &mut Recorder,
        pipelines: &DistanceFieldPipelines,
        bodies: &Bodies,
        bounds: &FieldBounds,
    ) {
        let push = UpdatePush {
            pair_count: self.set.pairs.len() as u32,
            transform_offset: bodies.transforms.sub_steps * bodies.transforms.field_count,
            band: BAND_CELLS,
        };
        let [t, before, after, rings, corners] = self.triangles.bindings(bodies.skin);
        let bindings: [Bind; 10] = [
            (&self.pair_triangles).into(),
            (&self.grids).into(),
            bodies.transforms.buffer.into(),
            (&self.cells).into(),
            (&self.pair_grids).into(),
            t,
            before,
            after,
            rings,
            corners,
        ];
        let groups = push.pair_count.div_ceil(PAIRS_PER_GROUP);
        recorder.dispatch_groups(&pipelines.update, &bindings, &push, groups);
        self.record_bound(recorder, pipelines, bodies, bounds);
    }

    fn record_bound(
        &self,
        recorder: &mut Recorder,
        pipelines: &DistanceFieldPipelines,
        bodies: &Bodies,
        bounds: &FieldBounds,
    ) {
        let push = BoundPush {
            task_count: self.grid_count(),
            transform_stride: bodies.transforms.field_count,
            sub_steps: bodies.transforms.sub_steps,
        };
        let [boxes, bodies_of_grids, body_boxes] = bounds.written();
        let bindings: [Bind; 5] = [
            (&self.grids).into(),
            bodies.transforms.buffer.into(),
            boxes,
            bodies_of_grids,
            body_boxes,
        ];
        recorder.dispatch_groups(&pipelines.bound, &bindings, &push, self.grid_count());
    }

    /// Collides the particles, with solids too.
    pub(super) fn record_collide(
        &self,
        recorder: &mut Recorder,
        pipelines: &DistanceFieldPipelines,
        collision: &Collision,
    ) {
        let own = [(&self.grids).into(), (&self.cells).into()];
        let bindings: [Bind; 13] = collision.attached_bindings(own);
        let threads = collision.particles.threads(pipelines.kernel().lanes);
        recorder.dispatch(&pipelines.collide, &bindings, &collision.push(), threads);
    }
}

impl GpuGrid {
    fn new(def: &GridDef) -> Self {
        Self {
            first_cell: def.first_cell,
            size: def.size,
            cell_size: def.cell_size,
        }
    }
}
