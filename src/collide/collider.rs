//! The chosen technique: its state and its pipelines, and the calls that all techniques answer.

use std::sync::Arc;

use serde::Serialize;

use super::radial::field::FieldSet;
use super::radial::fit::{FitError, FitSettings, fit};
use super::radial::{BodyFields, FilledBy, RadialFields, RadialPipelines, RadialVariant};
use super::{
    Bodies, BoneAttachment, CollideSettings, Particles, SubStep, Technique, collide_lanes,
};
#[cfg(feature = "rivals")]
use super::{rival::Rival, spatial_hash::SpatialHashDef};
use crate::avatar::Avatar;
use crate::gpu::{Buffer, Gpu, GpuError, Recorder, Uploads};

/// What a technique is made for.
#[derive(Clone, Copy)]
pub struct ColliderDef<'a> {
    pub technique: Technique,
    #[cfg(feature = "rivals")]
    pub spatial_hash: SpatialHashDef,
    /// Particles of all garments.
    pub particle_count: u32,
    pub bodies: &'a [ColliderBody<'a>],
}

/// A body, and where its vertices and joints lie among the world's.
#[derive(Clone, Copy)]
pub struct ColliderBody<'a> {
    pub avatar: &'a Avatar,
    pub fit: FitSettings,
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

/// A technique's buffers in one world, and its pipelines. Only the latter change with a reload.
pub struct Equipped<S, P> {
    pub state: S,
    /// Those of an earlier collider go on in the one that takes its place.
    pub(super) pipelines: Arc<P>,
}

/// The technique that a world collides by. Dispatch is static: every call is one match.
#[cfg_attr(
    feature = "rivals",
    expect(
        clippy::large_enum_variant,
        reason = "a world has one, which stays where it is"
    )
)]
pub enum Collider {
    Radial(Equipped<RadialFields, RadialPipelines>),
    #[cfg(feature = "rivals")]
    Rival(Rival),
}

impl Collider {
    /// Lays out and uploads the technique's structure; with the pipelines of `earlier`, if that is of the same technique.
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
        #[cfg(feature = "rivals")]
        if !Technique::RADIAL.contains(&def.technique) {
            return Ok(Self::Rival(Rival::new(gpu, uploads, def, earlier)?));
        }
        let variant = variant_of(def)?;
        Ok(Self::Radial(Equipped {
            state: build_radial(gpu, uploads, def)?,
            pipelines: match earlier {
                Some(Self::Radial(radial)) if radial.pipelines.variant() == variant => {
                    Arc::clone(&radial.pipelines)
                }
                _ => Arc::new(RadialPipelines::new(gpu, variant)?),
            },
        }))
    }

    /// Whether it has room for so many particles.
    pub fn serves(&self, particle_count: u32) -> bool {
        let capacity = match self {
            Self::Radial(_) => u32::MAX,
            #[cfg(feature = "rivals")]
            Self::Rival(rival) => rival.particle_capacity(),
        };
        particle_count <= capacity
    }

    /// Builds the pipelines again.
    ///
    /// # Errors
    /// When the driver refuses a shader; the old pipelines stay.
    pub fn reload_pipelines(&mut self, gpu: &Arc<Gpu>) -> Result<(), GpuError> {
        match self {
            Self::Radial(radial) => {
                let variant = radial.pipelines.variant();
                radial.pipelines = Arc::new(RadialPipelines::new(gpu, variant)?);
            }
            #[cfg(feature = "rivals")]
            Self::Rival(rival) => rival.reload_pipelines(gpu)?,
        }
        Ok(())
    }

    /// Which one it is.
    pub fn technique(&self) -> Technique {
        match self {
            Self::Radial(radial) => match radial.state.filled_by() {
                FilledBy::Drawing => Technique::Radial,
                FilledBy::Compute => Technique::RadialCompute,
            },
            #[cfg(feature = "rivals")]
            Self::Rival(rival) => rival.technique(),
        }
    }

    /// The radial fields, if it is they: for debug views and tests.
    pub fn radial(&self) -> Option<&RadialFields> {
        match self {
            Self::Radial(radial) => Some(&radial.state),
            #[cfg(feature = "rivals")]
            Self::Rival(_) => None,
        }
    }

    /// The rival, if it is one: for debug views and tests.
    #[cfg(feature = "rivals")]
    pub fn rival(&self) -> Option<&Rival> {
        match self {
            Self::Radial(_) => None,
            Self::Rival(rival) => Some(rival),
        }
    }

    /// How many entries had no room in a list of fixed size, since the technique was made, as one word; `None` where none can
    /// overflow. [`Technique::overflow`] says what anything but 0 means.
    pub fn overflow_count(&self) -> Option<&Buffer> {
        match self {
            Self::Radial(_) => None,
            #[cfg(feature = "rivals")]
            Self::Rival(rival) => rival.overflow_count(),
        }
    }

    /// Device memory.
    pub fn memory(&self) -> CollideMemory {
        match self {
            Self::Radial(radial) => CollideMemory {
                structure_bytes: radial.state.cell_bytes(),
                total_bytes: radial.state.bytes(),
            },
            #[cfg(feature = "rivals")]
            Self::Rival(rival) => rival.memory(),
        }
    }

    /// What its fields are attached to; nothing for a technique in world space.
    pub fn bone_attachments(&self) -> Vec<BoneAttachment> {
        match self {
            Self::Radial(radial) => radial.state.bone_attachments().collect(),
            #[cfg(feature = "rivals")]
            Self::Rival(rival) => rival.bone_attachments(),
        }
    }

    /// How often it is filled.
    pub fn updates(&self) -> Updates {
        match self {
            Self::Radial(_) => Updates::Step,
            #[cfg(feature = "rivals")]
            Self::Rival(rival) => rival.updates(),
        }
    }

    /// Clears the structure, once per step, by transfers or in compute. It must not be in use any more.
    pub fn record_clear(&mut self, recorder: &mut Recorder) {
        match self {
            Self::Radial(radial) => radial.state.record_clear(recorder),
            #[cfg(feature = "rivals")]
            Self::Rival(rival) => rival.record_clear(recorder),
        }
    }

    /// Fills the structure from the skin, in compute or by drawing, as often as [`Collider::updates`] says. The skin is
    /// baked and the structure cleared; the caller records barriers before and after, for compute and fragment atomics.
    ///
    /// `time`: the part of the step, 1 at its end, at which a technique that is filled for every sub-step sees the skin.
    pub fn record_update(&mut self, recorder: &mut Recorder, bodies: &Bodies, time: f32) {
        debug_assert!((0.0..=1.0).contains(&time), "a part of the step");
        match self {
            Self::Radial(radial) => radial
                .state
                .record_update(recorder, &radial.pipelines, bodies),
            #[cfg(feature = "rivals")]
            Self::Rival(rival) => rival.record_update(recorder, bodies, time),
        }
    }

    /// Finds what the particles may meet during a step of so many sub-steps, in compute, before the first collision; whether there was
    /// anything to record. The caller records barriers before and after, for compute.
    pub fn record_find_candidates(
        &mut self,
        recorder: &mut Recorder,
        particles: &Particles,
        sub_steps: u32,
    ) -> bool {
        match self {
            Self::Radial(Equipped { state, pipelines }) => {
                state.record_find_candidates(recorder, pipelines, particles, sub_steps);
                true
            }
            #[cfg(feature = "rivals")]
            Self::Rival(rival) => rival.record_find_candidates(recorder, particles, sub_steps),
        }
    }

    /// Collides the particles, in compute. The caller records barriers before and after, for compute.
    pub fn record_collide(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        particles: &Particles,
        settings: &CollideSettings,
        sub_step: SubStep,
    ) {
        match self {
            Self::Radial(Equipped { state, pipelines }) => {
                state.record_collide(recorder, pipelines, bodies, particles, settings, sub_step);
            }
            #[cfg(feature = "rivals")]
            Self::Rival(rival) => {
                rival.record_collide(recorder, bodies, particles, settings, sub_step);
            }
        }
    }

    /// Whether it can collide the midpoints of edges.
    pub fn collides_edges(&self) -> bool {
        match self {
            Self::Radial(_) => true,
            #[cfg(feature = "rivals")]
            Self::Rival(_) => false,
        }
    }

    /// Collides the midpoints of edges, in compute: reads the predicted positions, writes `corrected`. Only for a
    /// technique that [does so](Collider::collides_edges).
    pub fn record_collide_edges(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        particles: &Particles,
        corrected: &Buffer,
        sub_step: SubStep,
    ) {
        match self {
            Self::Radial(Equipped { state, pipelines }) => {
                state.record_collide_edges(
                    recorder, pipelines, bodies, particles, corrected, sub_step,
                );
            }
            #[cfg(feature = "rivals")]
            Self::Rival(_) => unreachable!("asked for edges without collides_edges()"),
        }
    }
}

/// The state that all techniques with bone attachments need.
fn check_fits(bodies: &[ColliderBody]) -> Result<(), CollideError> {
    for (body_ix, body) in bodies.iter().enumerate() {
        let checked = body.fit.check(body.avatar);
        checked.map_err(|error| CollideError::Fit { body_ix, error })?;
    }
    Ok(())
}

fn filled_by(technique: Technique) -> FilledBy {
    match technique.draws() {
        true => FilledBy::Drawing,
        false => FilledBy::Compute,
    }
}

/// What radial fields' pipelines are to be compiled for.
fn variant_of(def: &ColliderDef) -> Result<RadialVariant, CollideError> {
    let mut rules = def.bodies.iter().map(|body| body.fit.rules);
    let first = rules.next().unwrap_or_default();
    match rules.position(|rules| rules != first) {
        Some(ix) => Err(CollideError::MixedRules { body_ix: ix + 1 }),
        None => Ok(RadialVariant {
            filled_by: filled_by(def.technique),
            lanes: collide_lanes(def.particle_count),
            rules: first,
        }),
    }
}

/// The fields of each body; copies of one character share them.
fn fits(bodies: &[ColliderBody]) -> Vec<Arc<FieldSet>> {
    let mut sets: Vec<Arc<FieldSet>> = Vec::with_capacity(bodies.len());
    for (body_ix, body) in bodies.iter().enumerate() {
        let is_copy =
            |other: &ColliderBody| std::ptr::eq(other.avatar, body.avatar) && other.fit == body.fit;
        let set = match bodies[..body_ix].iter().position(is_copy) {
            Some(other_ix) => Arc::clone(&sets[other_ix]),
            None => Arc::new(fit(body.avatar, &body.fit)),
        };
        sets.push(set);
    }
    sets
}

fn build_radial(
    gpu: &Arc<Gpu>,
    uploads: &mut Uploads,
    def: &ColliderDef,
) -> Result<RadialFields, CollideError> {
    let bodies = def.bodies;
    let sets = fits(bodies);
    let cell_count = sets.iter().map(|set| u64::from(set.cell_count)).sum();
    if cell_count >= u64::from(u32::MAX) {
        return Err(CollideError::TooManyCells { cell_count });
    }
    if let Some(body_ix) = sets.iter().position(|set| set.fields.is_empty()) {
        return Err(CollideError::NoFields { body_ix });
    }
    let fields: Vec<_> = sets
        .iter()
        .zip(bodies)
        .map(|(fields, body)| BodyFields {
            fields,
            first_vertex: body.first_vertex,
            first_joint: body.first_joint,
        })
        .collect();
    Ok(RadialFields::new(
        gpu,
        uploads,
        &fields,
        filled_by(def.technique),
    )?)
}
