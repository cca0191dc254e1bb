//! Spatial hashing as a technique.

use std::sync::Arc;

use bytemuck::bytes_of;

use super::{SpatialHash, SpatialHashPipelines};
use crate::collide::detector::{
    CollideMemory, DebugDraw, DebugLayer, DebugShader, DebugStyle, Detector, Equipped, Inspection,
    TechniqueInfo, Update, Updates,
};
use crate::collide::{CollideError, ColliderDef, Collision, Technique};
use crate::gpu::{Buffer, Gpu, GpuError, Recorder, Uploads, shaders};

/// The table and its pipelines.
pub type SpatialHashDetector = Equipped<SpatialHash, SpatialHashPipelines>;

/// By name.
pub const TECHNIQUE: TechniqueInfo = TechniqueInfo {
    name: "spatial_hash",
    label: "spatial hash",
    c_name: c"spatial_hash",
    about: "triangles listed by the cells they touch, every sub-step",
    overflow: Some("listings found no room: collisions may be missed"),
    draws: false,
    lays_fields: false,
    debug_shaders: &[CELLS],
};

const CELLS: DebugShader = DebugShader {
    vertex: &shaders::SPATIAL_HASH_SHOW_CELLS_VERT,
    style: DebugStyle::Solid,
};

/// Cells of one triangle that are drawn: those it is the first of are seldom more, but for large triangles.
const CELLS_PER_TRIANGLE: u32 = 40;

/// Six sides of two triangles.
const VERTICES_PER_CUBE: u32 = 36;

impl Detector for SpatialHashDetector {
    fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        def: &ColliderDef,
        earlier: Option<&Self>,
    ) -> Result<Self, CollideError> {
        let half_list = def.spatial_hash.half_list();
        Ok(Self {
            state: SpatialHash::new(gpu, uploads, def.bodies, def.spatial_hash)?,
            pipelines: match earlier {
                Some(hash) if hash.pipelines.half_list() == half_list => {
                    Arc::clone(&hash.pipelines)
                }
                _ => Arc::new(SpatialHashPipelines::new(gpu, half_list)?),
            },
        })
    }

    fn reload_pipelines(&mut self, gpu: &Arc<Gpu>) -> Result<(), GpuError> {
        let half_list = self.pipelines.half_list();
        self.pipelines = Arc::new(SpatialHashPipelines::new(gpu, half_list)?);
        Ok(())
    }

    fn technique(&self) -> Technique {
        Technique::SpatialHash
    }

    fn memory(&self) -> CollideMemory {
        CollideMemory {
            structure_bytes: self.state.table_bytes(),
            total_bytes: self.state.bytes(),
        }
    }

    /// The occupied cells.
    fn inspect(&self, inspection: &Inspection) -> Vec<DebugDraw> {
        let [low, high] = self.state.lists();
        vec![DebugDraw {
            layer: DebugLayer::Structure,
            shader: CELLS,
            bindings: vec![
                self.state.triangles().triangles().into(),
                inspection.skin.positions().into(),
                low.into(),
                high.into(),
            ],
            push: bytes_of(&self.state.table_push()).to_vec(),
            vertex_count: VERTICES_PER_CUBE * CELLS_PER_TRIANGLE,
            instance_count: self.state.triangles().count(),
        }]
    }

    fn updates(&self) -> Updates {
        Updates::SubStep
    }

    fn overflow_count(&self) -> Option<&Buffer> {
        Some(self.state.overflow_count())
    }

    fn record_clear(&mut self, recorder: &mut Recorder) {
        self.state.record_clear(recorder);
    }

    fn record_update(&mut self, recorder: &mut Recorder, update: &Update) {
        self.state
            .record_update(recorder, &self.pipelines, update.bodies, update.time);
    }

    fn record_collide(&mut self, recorder: &mut Recorder, collision: &Collision) {
        self.state
            .record_collide(recorder, &self.pipelines, collision);
    }
}
