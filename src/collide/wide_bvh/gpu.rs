//! The tree on the GPU.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use crate::collide::box_tree::eight_way::build;
use crate::collide::box_tree::{BoxTree, BoxTreeBuffers, RefitPipeline};
use crate::collide::skin_triangles::{BindSkin, NearestTriangles, SkinTopology, SkinTriangles};
use crate::collide::{Bodies, ColliderBody, Collision, ResponsePush};
use crate::gpu::{Bind, ComputePipeline, Gpu, GpuError, Recorder, Uploads, shaders};

/// The pipelines of the wide hierarchy.
pub struct WideBvhPipelines {
    refit: RefitPipeline,
    collide: ComputePipeline,
}

impl WideBvhPipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        Ok(Self {
            refit: RefitPipeline::new(gpu)?,
            collide: ComputePipeline::new(gpu, &shaders::WIDE_BVH_COLLIDE_COMP, &[])?,
        })
    }
}

/// `PARTICLES` of glsl/wide_bvh/collide.comp: that many share a workgroup.
const GROUP_PARTICLES: u32 = 4;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct CollidePush {
    response: ResponsePush,
    search_radius: f32,
}

/// The tree over all bodies of a world, and what was nearest to its particles.
pub struct WideBvh {
    triangles: SkinTriangles,
    boxes: BoxTreeBuffers,
    nearest: NearestTriangles,
    topology: SkinTopology,
    tree: BoxTree,
}

impl WideBvh {
    /// Builds the tree.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        uploads: &mut Uploads,
        bodies: &[ColliderBody],
        particle_count: u32,
    ) -> Result<Self, GpuError> {
        let mut skin = BindSkin::of(bodies);
        let tree = build(&mut skin);
        let topology = SkinTopology::of(&skin);
        Ok(Self {
            triangles: SkinTriangles::new(uploads, &topology)?,
            boxes: BoxTreeBuffers::new(uploads, &tree)?,
            nearest: NearestTriangles::new(uploads, particle_count)?,
            topology,
            tree,
        })
    }

    /// The most particles there is room for.
    pub fn particle_capacity(&self) -> u32 {
        self.nearest.particle_capacity()
    }

    /// The triangles, in the order of the leaves.
    pub fn topology(&self) -> &SkinTopology {
        &self.topology
    }

    /// The tree's shape; its boxes are on the device.
    pub fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// The boxes.
    pub fn boxes(&self) -> &BoxTreeBuffers {
        &self.boxes
    }

    /// Device memory of everything.
    pub fn bytes(&self) -> u64 {
        self.boxes.bytes() + self.triangles.bytes() + self.nearest.buffer().bytes()
    }

    /// Fits the boxes round the step.
    pub fn record_update(
        &self,
        recorder: &mut Recorder,
        pipelines: &WideBvhPipelines,
        bodies: &Bodies,
    ) {
        self.boxes
            .record_refit(recorder, &pipelines.refit, &self.triangles, bodies);
    }

    /// Collides the particles.
    pub(super) fn record_collide(
        &self,
        recorder: &mut Recorder,
        pipelines: &WideBvhPipelines,
        collision: &Collision,
    ) {
        let push = CollidePush {
            response: collision.response_push(),
            search_radius: collision.settings.search_radius,
        };
        let own = [
            self.boxes.nodes().into(),
            self.nearest.buffer().into(),
            collision.particles.path_starts.into(),
        ];
        let bindings: [Bind; 13] =
            self.triangles
                .collide_bindings(collision.particles, collision.bodies.skin, own);
        let groups = collision.particles.count.div_ceil(GROUP_PARTICLES);
        recorder.dispatch_groups(&pipelines.collide, &bindings, &push, groups);
    }
}
