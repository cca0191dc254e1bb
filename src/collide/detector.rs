//! What a technique answers: how it finds where particles meet skin.

use std::sync::Arc;

use serde::Serialize;

use super::candidates::FieldBounds;
use super::{
    Bodies, BoneAttachment, CollideError, ColliderDef, Collision, SubStepTransforms, Technique,
};
use crate::gpu::{Bind, Buffer, Gpu, GpuError, Recorder, Shader, Uploads};
use crate::skin::SkinnedBody;

/// A technique by name.
#[derive(Clone, Copy)]
pub struct TechniqueInfo {
    /// In flags and reports.
    pub name: &'static str,
    /// In panels.
    pub label: &'static str,
    /// The same name for C.
    pub c_name: &'static std::ffi::CStr,
    /// What it does, in a line.
    pub about: &'static str,
    /// What it means when a list of fixed size is full, after the number of what found no room; none where no list can be.
    pub overflow: Option<&'static str>,
    /// Whether it needs a queue that draws; otherwise one that computes will do.
    pub draws: bool,
    /// Whether it lays fields round bones, which [`FitSettings::check`](super::radial::fit::FitSettings::check) may refuse.
    pub lays_fields: bool,
    /// What its [`DebugDraw`]s are drawn with.
    pub debug_shaders: &'static [DebugShader],
}

/// Device memory of a technique, in bytes.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct CollideMemory {
    /// "Memory" in the paper's table: cells, table or tree.
    pub structure_bytes: u64,
    /// With definitions, lists and queues.
    pub total_bytes: u64,
}

/// How often a technique is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Updates {
    /// Once per step: its content can be moved with the bones, or covers the whole motion.
    Step,
    /// Before every collision: it represents the skin at one time only.
    SubStep,
}

/// What a technique is filled from.
pub(super) struct Update<'a> {
    pub bodies: &'a Bodies<'a>,
    /// The part of the step, 1 at its end, at which a technique that is filled anew for each collision sees the skin.
    #[cfg_attr(
        not(feature = "rivals"),
        expect(dead_code, reason = "rivals alone are filled so often")
    )]
    pub time: f32,
    /// Where a technique whose fields are attached to bones writes the boxes round them.
    pub bounds: &'a FieldBounds,
}

/// Which debug view something belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugLayer {
    /// The structure itself: the surface of fields, cells of a table, slices through grids, boxes of a tree.
    Structure,
    /// What is searched first.
    BroadPhase,
}

/// How it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugStyle {
    /// Triangles, lit, as `glsl/render/show_surface.frag` takes them.
    Solid,
    /// Lines as quads, as `glsl/render/flat.frag` takes them.
    Lines,
}

/// A vertex shader of a debug view. Binding 0 is the view's.
#[derive(Clone, Copy)]
pub struct DebugShader {
    pub vertex: &'static Shader,
    pub style: DebugStyle,
}

/// A draw of a debug view. Whoever draws it knows no technique.
pub struct DebugDraw {
    pub layer: DebugLayer,
    pub shader: DebugShader,
    /// From binding 1 on.
    pub bindings: Vec<Bind>,
    /// Push constants.
    pub push: Vec<u8>,
    pub vertex_count: u32,
    pub instance_count: u32,
}

/// How something is coloured in a debug view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColouredBy {
    Distance,
    Field,
}

/// What debug views are drawn from.
#[derive(Clone, Copy)]
pub struct Inspection<'a> {
    pub skin: &'a SkinnedBody,
    /// Of the newest step.
    pub transforms: SubStepTransforms,
    pub coloured_by: ColouredBy,
}

/// A technique's buffers in one world, and its pipelines. Only the latter change with a reload.
pub struct Equipped<S, P> {
    pub state: S,
    /// Those of an earlier collider go on in the one that takes its place.
    pub(super) pipelines: Arc<P>,
}

/// A technique: its structure is filled from the skin, and it corrects predicted positions.
pub(super) trait Detector: Sized {
    /// Lays out and uploads the structure; with the pipelines of `earlier`, if they will do.
    ///
    /// # Errors
    /// When memory runs out, the driver refuses a shader, or a body has nothing to collide with.
    fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        def: &ColliderDef,
        earlier: Option<&Self>,
    ) -> Result<Self, CollideError>;

    /// Builds the pipelines again.
    ///
    /// # Errors
    /// When the driver refuses a shader; the old pipelines stay.
    fn reload_pipelines(&mut self, gpu: &Arc<Gpu>) -> Result<(), GpuError>;

    fn technique(&self) -> Technique;

    fn memory(&self) -> CollideMemory;

    /// Draws of the debug views.
    fn inspect(&self, inspection: &Inspection) -> Vec<DebugDraw>;

    fn updates(&self) -> Updates {
        Updates::Step
    }

    /// How many particles it has room for.
    fn particle_capacity(&self) -> u32 {
        u32::MAX
    }

    /// One word: entries that had no room in a list of fixed size, since the technique was made.
    fn overflow_count(&self) -> Option<&Buffer> {
        None
    }

    /// What its fields are attached to; nothing for a technique in world space.
    fn bone_attachments(&self) -> Vec<BoneAttachment> {
        Vec::new()
    }

    /// How many of them each body has, one body's after the other's.
    fn fields_per_body(&self) -> &[u32] {
        &[]
    }

    /// Whether its kernel is that of glsl/shared/collide.glsl, which meets solids too, and lets each garment take sub-steps of its own.
    fn has_shared_kernel(&self) -> bool {
        false
    }

    /// Whether its update writes boxes of fields only behind a barrier of its own, so that what others write before needs no other.
    fn waits_before_bounds(&self) -> bool {
        false
    }

    /// Clears the structure, once per step. It must not be in use any more.
    fn record_clear(&mut self, _recorder: &mut Recorder) {}

    /// Fills the structure from the skin, as often as [`Detector::updates`] says.
    fn record_update(&mut self, recorder: &mut Recorder, update: &Update);

    /// Collides the particles.
    fn record_collide(&mut self, recorder: &mut Recorder, collision: &Collision);

    /// Whether it collides the midpoints of edges too.
    fn collides_edges(&self) -> bool {
        false
    }

    /// Collides them, if it does so: reads current and predicted positions, writes them `corrected`.
    fn record_collide_edges(
        &mut self,
        _recorder: &mut Recorder,
        _collision: &Collision,
        _corrected: [&Buffer; 2],
    ) {
    }
}
