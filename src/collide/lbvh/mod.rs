//! A linear bounding volume hierarchy: a current implementation, beside the paper's.
//!
//! Triangles are sorted along a space-filling curve in the bind pose and halved where the curve's highest bit changes
//! (Lauterbach et al. 2009, Karras 2012), each body on its own: above the bodies' trees bodies are halved in the order in which the
//! world lists them. The order is not recomputed: triangles that are neighbours in the bind pose stay
//! neighbours, and sorting would cost more than all the rest. Every step one dispatch refits the boxes; every sub-step one
//! thread per particle searches for its nearest triangle, no further than
//! [`search_radius`](crate::collide::CollideSettings::search_radius), the nearer child first, starting from the bound
//! set by the triangle that was nearest in the collision before, wherever it is now, and resolves its contact with the one found.
//!
//! It is discrete: a particle that crosses the skin by more than the search radius in one sub-step is lost, and so is one that
//! crosses a limb thinner than twice its way.

pub mod build;

use crate::collide::Technique;
use crate::collide::box_tree::searched::{Search, SearchPipelines, SearchPush, SearchedTree};
use crate::collide::box_tree::{BOXES, BoxTree};
use crate::collide::detector::{Equipped, TechniqueInfo};
use crate::collide::skin_triangles::BindSkin;
use crate::gpu::{Bind, ComputePipeline, Recorder, Shader, shaders};

/// The tree and its pipelines.
pub(super) type LbvhDetector = Equipped<Lbvh, SearchPipelines>;

/// The tree over all bodies of a world.
pub type Lbvh = SearchedTree<Linear>;

/// By name.
pub(super) const TECHNIQUE: TechniqueInfo = TechniqueInfo {
    name: "lbvh",
    label: "linear tree",
    c_name: c"lbvh",
    about: "boxes round boxes, two by two, searched by one thread per particle",
    overflow: None,
    draws: false,
    lays_fields: false,
    debug_shaders: &[BOXES],
};

/// Two by two, by one thread per particle.
pub struct Linear;

impl Search for Linear {
    const TECHNIQUE: Technique = Technique::Lbvh;
    const SHADER: &'static Shader = &shaders::LBVH_COLLIDE_COMP;

    fn build(skin: &mut BindSkin) -> BoxTree {
        build::build(skin)
    }

    fn dispatch(
        recorder: &mut Recorder,
        shader: &ComputePipeline,
        bindings: &[Bind],
        push: &SearchPush,
        particle_count: u32,
    ) {
        recorder.dispatch(shader, bindings, push, particle_count);
    }
}
