//! What keeps a world's cloth out of things: the chosen technique for skin, the rigid solids, and the broad phase that both share.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::candidates::{CandidatePipeline, FieldBounds};
use super::detector::{CollideMemory, DebugDraw, Detector, Inspection, Update, Updates};
use super::radial::field::FieldSet;
use super::radial::fit::{FitError, FitSettings};
use super::radial::{BodyFields, RadialFields};
use super::solids::{SolidPipelines, Solids};
#[cfg(feature = "rivals")]
use super::spatial_hash::SpatialHashDef;
use super::technique::{SkinDetector, with_detector};
use super::{
    Bodies, BoneAttachment, CollideSettings, Collision, Kept, Kernel, Particles, SubStep,
    Technique, collide_lanes,
};
use crate::avatar::Avatar;
use crate::gpu::{Access, Buffer, Gpu, GpuError, Recorder, Uploads};
use crate::solid::{SolidMaterial, SolidShape};

/// What a technique is made for.
#[derive(Clone, Copy)]
pub struct ColliderDef<'a> {
    pub technique: Technique,
    #[cfg(feature = "rivals")]
    pub spatial_hash: SpatialHashDef,
    /// Particles of all garments.
    pub particle_count: u32,
    pub bodies: &'a [ColliderBody<'a>],
    /// The fields of garments that others are worn over; none for techniques that are no radial fields.
    pub layers: &'a [BodyFields<'a>],
    pub solids: &'a [(&'a SolidShape, SolidMaterial)],
    /// Where the solids' frames begin among the moving frames.
    pub first_solid_frame: u32,
}

/// A body, and where its vertices and joints lie among the world's.
#[derive(Clone, Copy)]
pub struct ColliderBody<'a> {
    pub avatar: &'a Avatar,
    pub fit: FitSettings,
    /// The radial fields of all copies of the character, once they have been laid.
    pub fields: &'a OnceLock<Arc<FieldSet>>,
    pub first_vertex: u32,
    pub first_joint: u32,
}

/// Why a technique cannot be made for some bodies.
#[derive(Debug, thiserror::Error)]
pub enum CollideError {
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// Fields cannot be laid as the settings say.
    #[error("body {body_ix}: {error}")]
    Fit { body_ix: usize, error: FitError },
    /// Cells are counted in 32 bits.
    #[error(
        "the fields of all bodies have {cell_count} cells, and 4,294,967,295 at most fit one world: use coarser cells"
    )]
    TooManyCells { cell_count: u64 },
    /// A body without anything to collide with.
    #[error("body {body_ix} has no joint that owns skin: check its weights")]
    NoFields { body_ix: usize },
    /// Shaders are compiled for one set of rules.
    #[error(
        "the fields of body {body_ix} follow other rules than those of body 0: give all bodies of a world the same FitSettings::rules"
    )]
    MixedRules { body_ix: usize },
    /// Grids take memory by their volume.
    #[cfg(feature = "rivals")]
    #[error(
        "distance fields with cells of {cell_size} m have more than the {max_cells} that fit one buffer of this device: choose \
         larger cells"
    )]
    TooManyGridCells { cell_size: f32, max_cells: u64 },
}

impl ColliderDef<'_> {
    /// What the shared kernel is to be compiled for.
    pub(super) fn kernel(&self) -> Kernel {
        Kernel {
            lanes: collide_lanes(self.particle_count),
            has_solids: !self.solids.is_empty(),
        }
    }
}

/// How often points between particles are collided with solids, at the end of a step. Usually 2: each time a particle moves with the deepest
/// of its points alone, and with 1 others of taut cloth stay in a solid.
const SOLID_EDGE_PASSES: u32 = 2;

/// One of [`Collider::edge_passes`]: it reads current and predicted positions.
#[derive(Clone, Copy)]
pub struct EdgePass<'a> {
    pub ix: u32,
    pub kept: Kept,
    /// Where it writes them.
    pub corrected: [&'a Buffer; 2],
}

/// What the particles of a world collide with.
pub struct Collider {
    skin: SkinDetector,
    solids: Solids,
    /// Where what is attached to moving frames is during a step: the technique's fields, then the solids.
    bounds: FieldBounds,
    candidates: Arc<CandidatePipeline>,
    solid_pipelines: Option<Arc<SolidPipelines>>,
    kernel: Kernel,
}

impl Collider {
    /// Lays out and uploads the technique's structure, and the solids; with the pipelines of `earlier` where they will do.
    ///
    /// # Errors
    /// When memory runs out, the driver refuses a shader, or a body has nothing to collide with.
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        def: &ColliderDef,
        earlier: Option<&Self>,
    ) -> Result<Self, CollideError> {
        if def.technique.lays_fields() {
            check_fits(def.bodies)?;
        }
        let skin = SkinDetector::new(gpu, uploads, def, earlier.map(|earlier| &earlier.skin))?;
        let fields_per_body = with_detector!(&skin, detector => detector.fields_per_body());
        let (bodies, layers) = fields_per_body.split_at(fields_per_body.len() - def.layers.len());
        let bounds = FieldBounds::new(gpu, uploads, bodies, layers, def.solids.len())?;
        Ok(Self {
            solids: Solids::new(uploads, def.solids, def.first_solid_frame)?,
            candidates: match earlier {
                Some(earlier) => Arc::clone(&earlier.candidates),
                None => Arc::new(CandidatePipeline::new(gpu)?),
            },
            solid_pipelines: match earlier {
                Some(earlier) if earlier.kernel == def.kernel() => earlier.solid_pipelines.clone(),
                _ => solid_pipelines(gpu, &skin, def.kernel())?,
            },
            kernel: def.kernel(),
            bounds,
            skin,
        })
    }

    /// Whether it has room for so many particles, and as many threads for each as they take.
    pub fn serves(&self, particle_count: u32) -> bool {
        let capacity = with_detector!(&self.skin, detector => detector.particle_capacity());
        particle_count <= capacity && self.kernel.lanes == collide_lanes(particle_count)
    }

    /// Builds the pipelines again.
    ///
    /// # Errors
    /// When the driver refuses a shader; the old pipelines stay.
    pub fn reload_pipelines(&mut self, gpu: &Arc<Gpu>) -> Result<(), GpuError> {
        let candidates = Arc::new(CandidatePipeline::new(gpu)?);
        let solid_pipelines = solid_pipelines(gpu, &self.skin, self.kernel)?;
        with_detector!(&mut self.skin, detector => detector.reload_pipelines(gpu))?;
        self.candidates = candidates;
        self.solid_pipelines = solid_pipelines;
        Ok(())
    }

    /// Which technique it is.
    pub fn technique(&self) -> Technique {
        with_detector!(&self.skin, detector => detector.technique())
    }

    /// The radial fields, if it is they.
    pub fn radial(&self) -> Option<&RadialFields> {
        self.state()
    }

    /// The technique's structure by its type, such as [`RadialFields`], if it is that: for hosts' own debug views, and for tests.
    pub fn state<S: 'static>(&self) -> Option<&S> {
        with_detector!(&self.skin, detector => (&detector.state as &dyn Any).downcast_ref())
    }

    /// The rigid solids.
    pub fn solids(&self) -> &Solids {
        &self.solids
    }

    /// How many entries had no room in a list of fixed size, since the technique was made, as one word; `None` where none can
    /// overflow. [`Technique::overflow`] says what anything but 0 means.
    pub fn overflow_count(&self) -> Option<&Buffer> {
        with_detector!(&self.skin, detector => detector.overflow_count())
    }

    /// Device memory.
    pub fn memory(&self) -> CollideMemory {
        let CollideMemory {
            structure_bytes,
            total_bytes,
        } = with_detector!(&self.skin, detector => detector.memory());
        CollideMemory {
            structure_bytes,
            total_bytes: total_bytes + self.bounds.bytes() + self.solids.bytes(),
        }
    }

    /// What its fields and solids are attached to, in this order.
    pub fn bone_attachments(&self) -> Vec<BoneAttachment> {
        let mut attachments = with_detector!(&self.skin, detector => detector.bone_attachments());
        attachments.extend(self.solids.attachments());
        attachments
    }

    /// How often it is filled.
    pub fn updates(&self) -> Updates {
        with_detector!(&self.skin, detector => detector.updates())
    }

    /// Whether cloth may take several sub-steps at once, as [`Detail`](crate::cloth::Detail) has it: what moves with bones is met on the
    /// way from one time to any other.
    pub fn takes_detail(&self) -> bool {
        with_detector!(&self.skin, detector => detector.has_shared_kernel())
    }

    /// Whether cloth may sleep: it is known before a step where all is that cloth could meet in it.
    pub(crate) fn lets_sleep(&self) -> bool {
        self.takes_detail() && self.updates() == Updates::Step
    }

    /// Where its fields and solids are in a step, once it has been filled.
    pub(crate) fn bounds(&self) -> &FieldBounds {
        &self.bounds
    }

    /// What the debug views draw of the technique's structure.
    pub fn inspect(&self, inspection: &Inspection) -> Vec<DebugDraw> {
        with_detector!(&self.skin, detector => detector.inspect(inspection))
    }

    /// Clears the structure, once per step, by transfers or in compute. It must not be in use any more.
    pub fn record_clear(&mut self, recorder: &mut Recorder) {
        with_detector!(&mut self.skin, detector => detector.record_clear(recorder));
        self.bounds.record_clear(recorder);
    }

    /// Fills the structure from the skin, in compute or by drawing, as often as [`Collider::updates`] says. The skin is
    /// baked and the structure cleared; the caller records barriers before and after, for compute and fragment atomics.
    ///
    /// `time`: the part of the step, 1 at its end, at which a technique that is filled anew for each collision sees the skin.
    pub fn record_update(&mut self, recorder: &mut Recorder, bodies: &Bodies, time: f32) {
        debug_assert!((0.0..=1.0).contains(&time), "a part of the step");
        let update = Update {
            bodies,
            time,
            bounds: &self.bounds,
        };
        if let Some(pipelines) = &self.solid_pipelines {
            pipelines.record_bound(recorder, &self.solids, bodies, &self.bounds);
            let waits = with_detector!(&self.skin, detector => detector.waits_before_bounds());
            if !waits {
                // Both write boxes of fields, and widen those of bodies, in the same buffers.
                let widen = [Access::ComputeReadWrite];
                recorder.barrier(&widen, &widen);
            }
        }
        with_detector!(&mut self.skin, detector => detector.record_update(recorder, &update));
    }

    /// Finds what the particles may meet during a step, in compute, before the first collision, which is that of `sub_step`; whether there
    /// was anything to record. The caller records barriers before and after, for compute.
    pub fn record_find_candidates(
        &self,
        recorder: &mut Recorder,
        particles: &Particles,
        sub_step: SubStep,
    ) -> bool {
        self.candidates
            .record_find(recorder, &self.bounds, particles, sub_step)
    }

    /// Collides the particles, in compute, with technique and solids. The caller records barriers before and after, for compute.
    pub fn record_collide(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        particles: &Particles,
        settings: &CollideSettings,
        sub_step: SubStep,
        kept: Kept,
    ) {
        let lanes = self.kernel.lanes;
        let (skin, solids, collision) = self.parts(bodies, particles, settings, sub_step);
        let collision = Collision { kept, ..collision };
        with_detector!(&mut *skin, detector => detector.record_collide(recorder, &collision));
        if let Some(pipelines) = solids {
            pipelines.record_collide(recorder, &collision, lanes);
        }
    }

    /// How many passes collide points between particles: the technique's own, which not every technique has, and then those of the solids.
    pub fn edge_passes(&self) -> u32 {
        let solids = match self.solid_pipelines {
            Some(_) => SOLID_EDGE_PASSES,
            None => 0,
        };
        self.own_edge_passes() + solids
    }

    fn own_edge_passes(&self) -> u32 {
        u32::from(with_detector!(&self.skin, detector => detector.collides_edges()))
    }

    /// Records one of them, in compute.
    pub fn record_collide_edges(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        particles: &Particles,
        settings: &CollideSettings,
        sub_step: SubStep,
        pass: EdgePass,
    ) {
        let is_own = pass.ix < self.own_edge_passes();
        let (skin, solids, collision) = self.parts(bodies, particles, settings, sub_step);
        let collision = Collision {
            kept: pass.kept,
            ..collision
        };
        match solids {
            Some(pipelines) if !is_own => {
                pipelines.record_collide_edges(recorder, &collision, pass.corrected);
            }
            _ => with_detector!(
                &mut *skin,
                detector => detector.record_collide_edges(recorder, &collision, pass.corrected)
            ),
        }
    }

    /// The technique, the solids' pipelines, and what both are given to collide.
    fn parts<'a>(
        &'a mut self,
        bodies: &'a Bodies,
        particles: &'a Particles,
        settings: &'a CollideSettings,
        sub_step: SubStep,
    ) -> (
        &'a mut SkinDetector,
        Option<&'a SolidPipelines>,
        Collision<'a>,
    ) {
        let collision = Collision {
            bodies,
            particles,
            settings,
            sub_step,
            kept: Kept::Thickness,
            bounds: &self.bounds,
            solids: &self.solids,
        };
        (&mut self.skin, self.solid_pipelines.as_deref(), collision)
    }
}

/// Those of the solids, if there are any; with a kernel of their own where the technique's meets none.
fn solid_pipelines(
    gpu: &Arc<Gpu>,
    skin: &SkinDetector,
    kernel: Kernel,
) -> Result<Option<Arc<SolidPipelines>>, GpuError> {
    let has_shared_kernel = with_detector!(skin, detector => detector.has_shared_kernel());
    let own_kernel = (!has_shared_kernel).then(|| kernel.constants());
    let pipelines = || SolidPipelines::new(gpu, own_kernel).map(Arc::new);
    kernel.has_solids.then(pipelines).transpose()
}

/// The state that all techniques with bone attachments need.
fn check_fits(bodies: &[ColliderBody]) -> Result<(), CollideError> {
    for (body_ix, body) in bodies.iter().enumerate() {
        let checked = body.fit.check(body.avatar);
        checked.map_err(|error| CollideError::Fit { body_ix, error })?;
    }
    Ok(())
}
