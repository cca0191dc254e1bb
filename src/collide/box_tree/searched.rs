//! The techniques that search a tree in one dispatch: what they share is all but how the tree is built and what searches it.

use std::marker::PhantomData;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::{BoxTree, RefitPipeline, SkinTree, show_boxes};
use crate::collide::detector::{CollideMemory, DebugDraw, Detector, Equipped, Inspection, Update};
use crate::collide::skin_triangles::BindSkin;
use crate::collide::{CollideError, ColliderDef, Collision, ResponsePush, Technique};
use crate::gpu::{Bind, ComputePipeline, Gpu, GpuError, Recorder, Shader, Uploads};

/// How a tree is built, and searched in one dispatch.
pub trait Search: Send + Sync + 'static {
    /// Whose tree it is.
    const TECHNIQUE: Technique;
    /// Its bindings are those of `SkinTriangles::collide_bindings`, and then boxes, nearest triangles and path starts; it is pushed a
    /// [`SearchPush`].
    const SHADER: &'static Shader;

    /// The tree, for which it sorts the triangles.
    fn build(skin: &mut BindSkin) -> BoxTree;

    /// The shader's constants for a tree of so many levels.
    fn constants(_level_count: u32) -> Vec<u32> {
        Vec::new()
    }

    /// Dispatches the shader for so many particles.
    fn dispatch(
        recorder: &mut Recorder,
        shader: &ComputePipeline,
        bindings: &[Bind],
        push: &SearchPush,
        particle_count: u32,
    );
}

/// What searches are pushed.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct SearchPush {
    response: ResponsePush,
    search_radius: f32,
}

/// The pipelines of such a technique.
pub struct SearchPipelines {
    /// What the search was compiled with.
    constants: Vec<u32>,
    refit: RefitPipeline,
    collide: ComputePipeline,
}

impl SearchPipelines {
    /// # Errors
    /// When the driver refuses a shader.
    fn new(gpu: &Arc<Gpu>, shader: &'static Shader, constants: Vec<u32>) -> Result<Self, GpuError> {
        Ok(Self {
            refit: RefitPipeline::new(gpu)?,
            collide: ComputePipeline::new(gpu, shader, &constants)?,
            constants,
        })
    }
}

/// The tree over all bodies of a world.
pub struct SearchedTree<S> {
    tree: SkinTree,
    search: PhantomData<S>,
}

impl<S> SearchedTree<S> {
    /// The tree.
    pub fn skin_tree(&self) -> &SkinTree {
        &self.tree
    }
}

impl<S: Search> Detector for Equipped<SearchedTree<S>, SearchPipelines> {
    fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        def: &ColliderDef,
        earlier: Option<&Self>,
    ) -> Result<Self, CollideError> {
        let tree = SkinTree::new(uploads, def.bodies, def.particle_count, S::build)?;
        let constants = S::constants(tree.boxes().level_count());
        let earlier = earlier.map(|earlier| &earlier.pipelines);
        let pipelines = match earlier.filter(|earlier| earlier.constants == constants) {
            Some(pipelines) => Arc::clone(pipelines),
            None => Arc::new(SearchPipelines::new(gpu, S::SHADER, constants)?),
        };
        let search = PhantomData;
        Ok(Self {
            state: SearchedTree { tree, search },
            pipelines,
        })
    }

    fn reload_pipelines(&mut self, gpu: &Arc<Gpu>) -> Result<(), GpuError> {
        let constants = self.pipelines.constants.clone();
        self.pipelines = Arc::new(SearchPipelines::new(gpu, S::SHADER, constants)?);
        Ok(())
    }

    fn technique(&self) -> Technique {
        S::TECHNIQUE
    }

    fn memory(&self) -> CollideMemory {
        CollideMemory {
            structure_bytes: self.state.tree.boxes().bytes(),
            total_bytes: self.state.tree.bytes(),
        }
    }

    fn inspect(&self, _inspection: &Inspection) -> Vec<DebugDraw> {
        vec![show_boxes(&self.state.tree)]
    }

    fn particle_capacity(&self) -> u32 {
        self.state.tree.particle_capacity()
    }

    fn record_update(&mut self, recorder: &mut Recorder, update: &Update) {
        let tree = &self.state.tree;
        tree.record_refit(recorder, &self.pipelines.refit, update.bodies);
    }

    fn record_collide(&mut self, recorder: &mut Recorder, collision: &Collision) {
        let tree = &self.state.tree;
        let push = SearchPush {
            response: collision.response_push(),
            search_radius: collision.settings.search_radius,
        };
        let own = [
            tree.boxes().nodes().into(),
            tree.nearest_triangles().into(),
            collision.particles.path_starts.into(),
        ];
        let bindings: [Bind; 13] =
            tree.triangles()
                .collide_bindings(collision.particles, collision.bodies.skin, own);
        let count = collision.particles.count;
        S::dispatch(recorder, &self.pipelines.collide, &bindings, &push, count);
    }
}
