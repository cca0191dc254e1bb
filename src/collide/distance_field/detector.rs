//! Distance fields as a technique.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable, bytes_of};

use super::fit::GridDef;
use super::{BAND_CELLS, DistanceFieldPipelines, DistanceFields};
use crate::collide::detector::{
    CollideMemory, DebugDraw, DebugLayer, DebugShader, DebugStyle, Detector, Equipped, Inspection,
    TechniqueInfo, Update,
};
use crate::collide::{BoneAttachment, CollideError, ColliderDef, Collision, Technique};
use crate::gpu::{Gpu, GpuError, Recorder, Uploads, shaders};

/// Distance fields and their pipelines.
pub type DistanceFieldDetector = Equipped<DistanceFields, DistanceFieldPipelines>;

/// By name.
pub const TECHNIQUE: TechniqueInfo = TechniqueInfo {
    name: "distance_field",
    label: "distance fields",
    c_name: c"distance_field",
    about: "a grid of distances per bone, filled anew round the skin every step",
    overflow: None,
    draws: false,
    lays_fields: true,
    debug_shaders: &[SLICE],
};

const SLICE: DebugShader = DebugShader {
    vertex: &shaders::DISTANCE_FIELD_SHOW_SLICE_VERT,
    style: DebugStyle::Solid,
};

/// Two triangles.
const VERTICES_PER_QUAD: u32 = 6;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct SlicePush {
    transform_stride: u32,
    sub_steps: u32,
    grid_ix: u32,
    across: u32,
    band: f32,
}

impl Detector for DistanceFieldDetector {
    fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        def: &ColliderDef,
        earlier: Option<&Self>,
    ) -> Result<Self, CollideError> {
        let kernel = def.kernel();
        Ok(Self {
            state: DistanceFields::new(gpu, uploads, def.bodies)?,
            pipelines: match earlier {
                Some(grids) if grids.pipelines.kernel() == kernel => Arc::clone(&grids.pipelines),
                _ => Arc::new(DistanceFieldPipelines::new(gpu, kernel)?),
            },
        })
    }

    fn reload_pipelines(&mut self, gpu: &Arc<Gpu>) -> Result<(), GpuError> {
        let kernel = self.pipelines.kernel();
        self.pipelines = Arc::new(DistanceFieldPipelines::new(gpu, kernel)?);
        Ok(())
    }

    fn technique(&self) -> Technique {
        Technique::DistanceField
    }

    fn memory(&self) -> CollideMemory {
        CollideMemory {
            structure_bytes: self.state.cell_bytes(),
            total_bytes: self.state.bytes(),
        }
    }

    /// A slice through the middle of each grid.
    fn inspect(&self, inspection: &Inspection) -> Vec<DebugDraw> {
        let grids = self.state.set().grids.iter().zip(0..);
        grids
            .map(|(grid, grid_ix)| self.slice(inspection, grid, grid_ix))
            .collect()
    }

    fn bone_attachments(&self) -> Vec<BoneAttachment> {
        self.state.bone_attachments().collect()
    }

    fn fields_per_body(&self) -> &[u32] {
        self.state.fields_per_body()
    }

    fn has_shared_kernel(&self) -> bool {
        true
    }

    fn record_clear(&mut self, recorder: &mut Recorder) {
        self.state.record_clear(recorder);
    }

    fn record_update(&mut self, recorder: &mut Recorder, update: &Update) {
        self.state
            .record_update(recorder, &self.pipelines, update.bodies, update.bounds);
    }

    fn record_collide(&mut self, recorder: &mut Recorder, collision: &Collision) {
        self.state
            .record_collide(recorder, &self.pipelines, collision);
    }
}

impl DistanceFieldDetector {
    /// Across its shortest side a grid shows most of its bone.
    fn slice(&self, inspection: &Inspection, grid: &GridDef, grid_ix: u32) -> DebugDraw {
        let shortest = (0..3).min_by_key(|&axis| grid.size[axis]);
        let across = shortest.unwrap_or_default();
        let transforms = inspection.transforms;
        let push = SlicePush {
            transform_stride: transforms.field_count,
            sub_steps: transforms.sub_steps,
            grid_ix,
            across: across as u32,
            band: BAND_CELLS * grid.cell_size,
        };
        let quads_along = |axis: usize| grid.size[(across + axis) % 3] - 1;
        DebugDraw {
            layer: DebugLayer::Structure,
            shader: SLICE,
            bindings: vec![
                self.state.grids().into(),
                transforms.buffer.into(),
                self.state.cells().into(),
            ],
            push: bytes_of(&push).to_vec(),
            vertex_count: VERTICES_PER_QUAD * quads_along(1) * quads_along(2),
            instance_count: 1,
        }
    }
}
