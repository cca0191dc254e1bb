//! The tree and its work queues on the GPU.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::queues::{LevelPush, Queues, queue_barrier};
use crate::collide::box_tree::eight_way::build;
use crate::collide::box_tree::{BoxTree, BoxTreeBuffers, RefitPipeline};
use crate::collide::skin_triangles::{BindSkin, SkinTopology, SkinTriangles};
use crate::collide::{Bodies, ColliderBody, Collision, Particles, ResponsePush, SubStep};
use crate::gpu::{Bind, Buffer, ComputePipeline, Gpu, GpuError, Recorder, Uploads, shaders};

/// The pipelines of the hierarchy.
pub struct BvhPipelines {
    refit: RefitPipeline,
    seed: ComputePipeline,
    descend: ComputePipeline,
    leaves: ComputePipeline,
    select: ComputePipeline,
    respond: ComputePipeline,
}

impl BvhPipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        Ok(Self {
            refit: RefitPipeline::new(gpu)?,
            seed: ComputePipeline::new(gpu, &shaders::BVH_SEED_COMP, &[])?,
            descend: ComputePipeline::new(gpu, &shaders::BVH_DESCEND_COMP, &[])?,
            leaves: ComputePipeline::new(gpu, &shaders::BVH_LEAVES_COMP, &[])?,
            select: ComputePipeline::new(gpu, &shaders::BVH_SELECT_COMP, &[])?,
            respond: ComputePipeline::new(gpu, &shaders::BVH_RESPOND_COMP, &[])?,
        })
    }
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct SeedPush {
    particle_count: u32,
    capacity: u32,
    search_radius: f32,
    part_after: f32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct LeavesPush {
    level: LevelPush,
    part_after: f32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct RespondPush {
    response: ResponsePush,
    level_count: u32,
    capacity: u32,
    search_radius: f32,
}

/// The tree over all bodies of a world, and the queues of all its particles.
pub struct Bvh {
    triangles: SkinTriangles,
    boxes: BoxTreeBuffers,
    topology: SkinTopology,
    tree: BoxTree,
    queues: Queues,
}

impl Bvh {
    /// Builds the tree.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        gpu: &Arc<Gpu>,
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
            queues: Queues::new(gpu, uploads, tree.levels.len(), particle_count)?,
            topology,
            tree,
        })
    }

    /// The most particles there is room for.
    pub fn particle_capacity(&self) -> u32 {
        self.queues.nearest_triangles.particle_capacity()
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

    /// Two words: jobs that found no room since the world was made, and the most that a level wanted. Their particles were
    /// searched for by one thread each, which takes longer and finds the same.
    pub fn counters(&self) -> &Buffer {
        &self.queues.counters
    }

    /// Device memory of everything.
    pub fn bytes(&self) -> u64 {
        self.boxes.bytes() + self.triangles.bytes() + self.queues.bytes()
    }

    /// Fits the boxes round the step.
    pub fn record_update(
        &self,
        recorder: &mut Recorder,
        pipelines: &BvhPipelines,
        bodies: &Bodies,
    ) {
        self.boxes
            .record_refit(recorder, &pipelines.refit, &self.triangles, bodies);
    }

    /// Collides the particles.
    pub(super) fn record_collide(
        &self,
        recorder: &mut Recorder,
        pipelines: &BvhPipelines,
        collision: &Collision,
    ) {
        let Collision {
            bodies,
            particles,
            settings,
            sub_step,
            ..
        } = *collision;
        if particles.count == 0 {
            return;
        }
        self.record_seed(
            recorder,
            pipelines,
            bodies,
            particles,
            settings.search_radius,
            sub_step,
        );
        let last_level = self.tree.levels.len() as u32 - 1;
        for level in 0..last_level {
            queue_barrier(recorder);
            self.record_descend(recorder, pipelines, particles, level);
        }
        queue_barrier(recorder);
        self.record_leaves(recorder, pipelines, bodies, particles, sub_step);
        queue_barrier(recorder);
        self.record_select(recorder, pipelines, last_level);
        queue_barrier(recorder);
        self.record_respond(recorder, pipelines, collision);
    }

    fn record_seed(
        &self,
        recorder: &mut Recorder,
        pipelines: &BvhPipelines,
        bodies: &Bodies,
        particles: &Particles,
        search_radius: f32,
        sub_step: SubStep,
    ) {
        let push = SeedPush {
            particle_count: particles.count,
            capacity: self.queues.capacity,
            search_radius,
            part_after: sub_step.ends(),
        };
        let own = [
            self.boxes.nodes().into(),
            (&self.queues.states).into(),
            (&self.queues.jobs[0]).into(),
            (&self.queues.nearest).into(),
            self.queues.nearest_triangles.buffer().into(),
            (&self.queues.spilled).into(),
        ];
        let bindings: [Bind; 16] = self.triangles.collide_bindings(particles, bodies.skin, own);
        recorder.dispatch(&pipelines.seed, &bindings, &push, particles.count);
    }

    fn record_descend(
        &self,
        recorder: &mut Recorder,
        pipelines: &BvhPipelines,
        particles: &Particles,
        level: u32,
    ) {
        let parity = level as usize % 2;
        let bindings: [Bind; 7] = [
            particles.predicted.into(),
            self.boxes.nodes().into(),
            (&self.queues.states).into(),
            (&self.queues.jobs[parity]).into(),
            (&self.queues.jobs[1 - parity]).into(),
            (&self.queues.nearest).into(),
            (&self.queues.spilled).into(),
        ];
        let push = self.queues.of_level(level);
        let arguments = self.queues.arguments(level);
        recorder.dispatch_indirect(&pipelines.descend, &bindings, &push, arguments);
    }

    fn record_leaves(
        &self,
        recorder: &mut Recorder,
        pipelines: &BvhPipelines,
        bodies: &Bodies,
        particles: &Particles,
        sub_step: SubStep,
    ) {
        let level = self.tree.levels.len() as u32 - 1;
        let push = LeavesPush {
            level: self.queues.of_level(level),
            part_after: sub_step.ends(),
        };
        let own = [
            self.boxes.nodes().into(),
            (&self.queues.states).into(),
            (&self.queues.jobs[level as usize % 2]).into(),
            (&self.queues.found).into(),
            (&self.queues.nearest).into(),
        ];
        let bindings: [Bind; 15] = self.triangles.collide_bindings(particles, bodies.skin, own);
        let arguments = self.queues.arguments(level);
        recorder.dispatch_indirect(&pipelines.leaves, &bindings, &push, arguments);
    }

    fn record_select(&self, recorder: &mut Recorder, pipelines: &BvhPipelines, level: u32) {
        let bindings: [Bind; 5] = [
            (&self.queues.states).into(),
            (&self.queues.jobs[level as usize % 2]).into(),
            (&self.queues.found).into(),
            (&self.queues.nearest).into(),
            self.queues.nearest_triangles.buffer().into(),
        ];
        let push = self.queues.of_level(level);
        let arguments = self.queues.arguments(level);
        recorder.dispatch_indirect(&pipelines.select, &bindings, &push, arguments);
    }

    fn record_respond(
        &self,
        recorder: &mut Recorder,
        pipelines: &BvhPipelines,
        collision: &Collision,
    ) {
        let push = RespondPush {
            response: collision.response_push(),
            level_count: self.tree.levels.len() as u32,
            capacity: self.queues.capacity,
            search_radius: collision.settings.search_radius,
        };
        let own = [
            self.queues.nearest_triangles.buffer().into(),
            (&self.queues.states).into(),
            (&self.queues.counters).into(),
            self.boxes.nodes().into(),
            (&self.queues.nearest).into(),
            (&self.queues.spilled).into(),
            collision.particles.path_starts.into(),
        ];
        let bindings: [Bind; 17] =
            self.triangles
                .collide_bindings(collision.particles, collision.bodies.skin, own);
        recorder.dispatch(
            &pipelines.respond,
            &bindings,
            &push,
            collision.particles.count,
        );
    }
}
