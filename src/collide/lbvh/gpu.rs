//! The tree on the GPU.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::build::build;
use crate::collide::box_tree::{RefitPipeline, SkinTree};
use crate::collide::{Bodies, ColliderBody, Collision, ResponsePush};
use crate::gpu::{Bind, ComputePipeline, Gpu, GpuError, Recorder, Uploads, shaders};

/// The pipelines of the linear hierarchy.
pub struct LbvhPipelines {
    refit: RefitPipeline,
    collide: ComputePipeline,
}

impl LbvhPipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        Ok(Self {
            refit: RefitPipeline::new(gpu)?,
            collide: ComputePipeline::new(gpu, &shaders::LBVH_COLLIDE_COMP, &[])?,
        })
    }
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct CollidePush {
    response: ResponsePush,
    search_radius: f32,
}

/// The tree over all bodies of a world.
pub struct Lbvh(SkinTree);

impl Lbvh {
    /// Builds the tree, with room for so many particles.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        uploads: &mut Uploads,
        bodies: &[ColliderBody],
        particle_count: u32,
    ) -> Result<Self, GpuError> {
        let tree = SkinTree::new(uploads, bodies, particle_count, build)?;
        Ok(Self(tree))
    }

    /// The tree.
    pub fn skin_tree(&self) -> &SkinTree {
        &self.0
    }

    /// Fits the boxes round the step.
    pub fn record_update(
        &self,
        recorder: &mut Recorder,
        pipelines: &LbvhPipelines,
        bodies: &Bodies,
    ) {
        self.0.record_refit(recorder, &pipelines.refit, bodies);
    }

    /// Collides the particles.
    pub(super) fn record_collide(
        &self,
        recorder: &mut Recorder,
        pipelines: &LbvhPipelines,
        collision: &Collision,
    ) {
        let push = CollidePush {
            response: collision.response_push(),
            search_radius: collision.settings.search_radius,
        };
        let own = [
            self.0.boxes().nodes().into(),
            self.0.nearest_triangles().into(),
            collision.particles.path_starts.into(),
        ];
        let bindings: [Bind; 13] =
            self.0
                .triangles()
                .collide_bindings(collision.particles, collision.bodies.skin, own);
        recorder.dispatch(
            &pipelines.collide,
            &bindings,
            &push,
            collision.particles.count,
        );
    }
}
