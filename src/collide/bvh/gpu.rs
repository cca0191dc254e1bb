//! The tree and its work queues on the GPU.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::queues::{LevelPush, Queues, queue_barrier};
use crate::collide::box_tree::eight_way::build;
use crate::collide::box_tree::{RefitPipeline, SkinTree};
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
    tree: SkinTree,
    queues: Queues,
}

impl Bvh {
    /// Builds the tree, with room for so many particles.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        bodies: &[ColliderBody],
        particle_count: u32,
    ) -> Result<Self, GpuError> {
        let tree = SkinTree::new(uploads, bodies, particle_count, build)?;
        let level_count = tree.tree().levels.len();
        Ok(Self {
            tree,
            queues: Queues::new(gpu, uploads, level_count, particle_count)?,
        })
    }

    /// The tree.
    pub fn skin_tree(&self) -> &SkinTree {
        &self.tree
    }

    fn level_count(&self) -> u32 {
        self.tree.tree().levels.len() as u32
    }

    /// Two words: jobs that found no room since the world was made, and the most that a level wanted. Their particles were
    /// searched for by one thread each, which takes longer and finds the same.
    pub fn counters(&self) -> &Buffer {
        &self.queues.counters
    }

    /// Device memory of everything.
    pub fn bytes(&self) -> u64 {
        self.tree.bytes() + self.queues.bytes()
    }

    /// Fits the boxes round the step.
    pub fn record_update(
        &self,
        recorder: &mut Recorder,
        pipelines: &BvhPipelines,
        bodies: &Bodies,
    ) {
        self.tree.record_refit(recorder, &pipelines.refit, bodies);
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
        let last_level = self.level_count() - 1;
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
            self.tree.boxes().nodes().into(),
            (&self.queues.states).into(),
            (&self.queues.jobs[0]).into(),
            (&self.queues.nearest).into(),
            self.tree.nearest_triangles().into(),
            (&self.queues.spilled).into(),
        ];
        let bindings: [Bind; 16] =
            self.tree
                .triangles()
                .collide_bindings(particles, bodies.skin, own);
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
            self.tree.boxes().nodes().into(),
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
        let level = self.level_count() - 1;
        let push = LeavesPush {
            level: self.queues.of_level(level),
            part_after: sub_step.ends(),
        };
        let own = [
            self.tree.boxes().nodes().into(),
            (&self.queues.states).into(),
            (&self.queues.jobs[level as usize % 2]).into(),
            (&self.queues.found).into(),
            (&self.queues.nearest).into(),
        ];
        let bindings: [Bind; 15] =
            self.tree
                .triangles()
                .collide_bindings(particles, bodies.skin, own);
        let arguments = self.queues.arguments(level);
        recorder.dispatch_indirect(&pipelines.leaves, &bindings, &push, arguments);
    }

    fn record_select(&self, recorder: &mut Recorder, pipelines: &BvhPipelines, level: u32) {
        let bindings: [Bind; 5] = [
            (&self.queues.states).into(),
            (&self.queues.jobs[level as usize % 2]).into(),
            (&self.queues.found).into(),
            (&self.queues.nearest).into(),
            self.tree.nearest_triangles().into(),
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
            level_count: self.level_count(),
            capacity: self.queues.capacity,
            search_radius: collision.settings.search_radius,
        };
        let own = [
            self.tree.nearest_triangles().into(),
            (&self.queues.states).into(),
            (&self.queues.counters).into(),
            self.tree.boxes().nodes().into(),
            (&self.queues.nearest).into(),
            (&self.queues.spilled).into(),
            collision.particles.path_starts.into(),
        ];
        let bindings: [Bind; 17] =
            self.tree
                .triangles()
                .collide_bindings(collision.particles, collision.bodies.skin, own);
        recorder.dispatch(
            &pipelines.respond,
            &bindings,
            &push,
            collision.particles.count,
        );
    }
}
