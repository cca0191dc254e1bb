//! A bounding volume hierarchy with eight children per node, searched in one dispatch by eight threads per particle.
//!
//! The tree is that of [`bvh`](super::bvh): by clusters, up to eight children per node, a tree per body below levels that join them, refitted
//! every step in one dispatch. Instead of going down it level by level through queues, a particle's threads test the children of a node
//! at once and go on with the nearest; the others wait on a stack, from which those are dropped that what was found meanwhile excludes
//! (wide nodes: Wald, Benthin and Boulos, "Getting rid of packets", 2008). As in the other hierarchies the triangle that was nearest in the
//! collision before, wherever it is now, bounds the search from the start, and none is looked for further off than
//! [`search_radius`](crate::collide::CollideSettings::search_radius). Nothing is written between threads but in memory of the workgroup, and no
//! list can be full.
//!
//! It is discrete: a particle that crosses the skin by more than the search radius in one sub-step is lost, and so is one that
//! crosses a limb thinner than twice its way.

use crate::collide::Technique;
use crate::collide::box_tree::searched::{Search, SearchPipelines, SearchPush, SearchedTree};
use crate::collide::box_tree::{BOXES, BoxTree, eight_way};
use crate::collide::detector::{Equipped, TechniqueInfo};
use crate::collide::skin_triangles::BindSkin;
use crate::gpu::{Bind, ComputePipeline, Recorder, Shader, shaders};

/// The tree and its pipelines.
pub(super) type WideBvhDetector = Equipped<WideBvh, SearchPipelines>;

/// The tree over all bodies of a world.
pub type WideBvh = SearchedTree<Wide>;

/// By name.
pub(super) const TECHNIQUE: TechniqueInfo = TechniqueInfo {
    name: "wide_bvh",
    label: "wide tree",
    c_name: c"wide_bvh",
    about: "boxes round boxes, eight by eight, searched by eight threads per particle",
    overflow: None,
    draws: false,
    lays_fields: false,
    debug_shaders: &[BOXES],
};

/// `PARTICLES` of glsl/wide_bvh/collide.comp: that many share a workgroup.
const GROUP_PARTICLES: u32 = 4;

/// Eight by eight, by as many threads per particle.
pub struct Wide;

impl Search for Wide {
    const TECHNIQUE: Technique = Technique::WideBvh;
    const SHADER: &'static Shader = &shaders::WIDE_BVH_COLLIDE_COMP;

    fn build(skin: &mut BindSkin) -> BoxTree {
        eight_way::build(skin)
    }

    /// Its stacks are as long as the tree needs.
    fn constants(level_count: u32) -> Vec<u32> {
        vec![level_count]
    }

    fn dispatch(
        recorder: &mut Recorder,
        shader: &ComputePipeline,
        bindings: &[Bind],
        push: &SearchPush,
        particle_count: u32,
    ) {
        let groups = particle_count.div_ceil(GROUP_PARTICLES);
        recorder.dispatch_groups(shader, bindings, push, groups);
    }
}
