//! The linear hierarchy as a technique.

use std::sync::Arc;

use super::{Lbvh, LbvhPipelines};
use crate::collide::box_tree::{BOXES, show_boxes};
use crate::collide::detector::{
    CollideMemory, DebugDraw, Detector, Equipped, Inspection, TechniqueInfo, Update,
};
use crate::collide::{CollideError, ColliderDef, Collision, Technique};
use crate::gpu::{Gpu, GpuError, Recorder, Uploads};

/// The tree and its pipelines.
pub type LbvhDetector = Equipped<Lbvh, LbvhPipelines>;

/// By name.
pub const TECHNIQUE: TechniqueInfo = TechniqueInfo {
    name: "lbvh",
    label: "linear tree",
    c_name: c"lbvh",
    about: "boxes round boxes, two by two, searched by one thread per particle",
    overflow: None,
    draws: false,
    lays_fields: false,
    debug_shaders: &[BOXES],
};

impl Detector for LbvhDetector {
    fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        def: &ColliderDef,
        earlier: Option<&Self>,
    ) -> Result<Self, CollideError> {
        Ok(Self {
            state: Lbvh::new(uploads, def.bodies, def.particle_count)?,
            pipelines: match earlier {
                Some(tree) => Arc::clone(&tree.pipelines),
                None => Arc::new(LbvhPipelines::new(gpu)?),
            },
        })
    }

    fn reload_pipelines(&mut self, gpu: &Arc<Gpu>) -> Result<(), GpuError> {
        self.pipelines = Arc::new(LbvhPipelines::new(gpu)?);
        Ok(())
    }

    fn technique(&self) -> Technique {
        Technique::Lbvh
    }

    fn memory(&self) -> CollideMemory {
        CollideMemory {
            structure_bytes: self.state.skin_tree().boxes().bytes(),
            total_bytes: self.state.skin_tree().bytes(),
        }
    }

    fn inspect(&self, _inspection: &Inspection) -> Vec<DebugDraw> {
        vec![show_boxes(self.state.skin_tree())]
    }

    fn particle_capacity(&self) -> u32 {
        self.state.skin_tree().particle_capacity()
    }

    fn record_update(&mut self, recorder: &mut Recorder, update: &Update) {
        self.state
            .record_update(recorder, &self.pipelines, update.bodies);
    }

    fn record_collide(&mut self, recorder: &mut Recorder, collision: &Collision) {
        self.state
            .record_collide(recorder, &self.pipelines, collision);
    }
}
