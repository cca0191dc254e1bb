//! A world: bodies and the garments that collide with them, on one device.

mod bones;
mod build;
mod contents;
mod edit;
mod error;
mod garment_step;
mod input;
pub(crate) mod last_collision;
mod layers;
mod memory;
mod requirements;
pub(crate) mod runs;
mod times;

use std::ops::Range;
use std::sync::Arc;

use glam::Mat4;

use self::build::WorldBuffers;
use self::edit::{MigrationCopy, Retired};
use crate::avatar::Avatar;
use crate::cloth::contacts::{ClothContacts, ContactPipelines};
use crate::cloth::garment::Garment;
use crate::cloth::{
    Cloth, ClothPipelines, ClothSettings, GarmentSettings, GpuGarment, SleepPipelines, Sleepers,
};
use crate::collide::radial::RadialFields;
use crate::collide::radial::field::FieldSet;
use crate::collide::radial::fit::FitSettings;
#[cfg(feature = "rivals")]
use crate::collide::spatial_hash::SpatialHashDef;
use crate::collide::{Attachments, CollideSettings, Collider, SubStepTransforms, Technique};
use crate::gpu::{
    Buffer, ComputePipeline, DescriptorSets, Gpu, GpuError, HostQueries, Launches, MemoryUse,
    PipelineStatistics, QueueKind, Timestamps, Transient, Uploads, shaders,
};
use crate::host::Host;
use crate::math::Bounds;
use crate::skin::{FrameSource, MovingFrames, SkinPipelines, SkinnedBody, WornSkin};
use crate::solid::{SolidMaterial, SolidShape};

pub(crate) use self::bones::{PaletteIn, StepBones};
pub use self::contents::WorldContents;
pub use self::error::{RecordError, WorldError};
pub use self::input::{
    BodyStep, Bones, FrameInput, HostBones, HostSkin, MAX_STEPS, SolidStep, StepInput,
};
pub use self::memory::WorldMemory;
pub use self::requirements::Requirements;

/// What a world is made of.
#[derive(Clone, Copy)]
pub struct WorldDef<'a> {
    pub bodies: &'a [BodyDef<'a>],
    pub garments: &'a [GarmentDef<'a>],
    /// Rigid things: props, furniture, what a character carries.
    pub solids: &'a [SolidDef],
    pub cloth: ClothSettings,
    /// Whether cloth meets cloth; see [`World::set_cloth_contacts`].
    pub cloth_contacts: bool,
    /// Whether garments that lie over others ([`Garment::lies_over`](crate::cloth::garment::Garment::lies_over)) meet those by radial fields, too,
    /// where cloth meets cloth and the technique is radial fields. Usually they do: they cross a third as often.
    pub layer_fields: bool,
    pub collide: CollideSettings,
    /// How the cloth is kept out of the bodies.
    pub technique: Technique,
    /// Used by that technique alone.
    #[cfg(feature = "rivals")]
    pub spatial_hash: SpatialHashDef,
}

impl Default for WorldDef<'_> {
    fn default() -> Self {
        Self {
            bodies: &[],
            garments: &[],
            solids: &[],
            cloth: ClothSettings::default(),
            cloth_contacts: false,
            layer_fields: true,
            collide: CollideSettings::default(),
            technique: Technique::default(),
            #[cfg(feature = "rivals")]
            spatial_hash: SpatialHashDef::default(),
        }
    }
}

/// A character to collide with.
#[derive(Clone, Copy)]
pub struct BodyDef<'a> {
    pub avatar: &'a Avatar,
    pub fit: FitSettings,
    /// What [`fit`](crate::collide::radial::fit::fit) made of the avatar by these settings, say while the game was built: then the world fits
    /// nothing, which takes longer than all else of making it. Usually none: fields are fitted where a technique asks for them.
    pub fields: Option<&'a Arc<FieldSet>>,
}

impl<'a> BodyDef<'a> {
    /// With the usual fit.
    pub fn new(avatar: &'a Avatar) -> Self {
        Self {
            avatar,
            fit: FitSettings::default(),
            fields: None,
        }
    }
}

/// A garment on one of the bodies; it collides with all of them.
#[derive(Clone, Copy)]
pub struct GarmentDef<'a> {
    pub garment: &'a Garment,
    /// Index into [`WorldDef::bodies`]: whose joints it was skinned to.
    pub body_ix: usize,
    pub settings: GarmentSettings,
}

impl<'a> GarmentDef<'a> {
    /// With the usual settings.
    pub fn new(garment: &'a Garment, body_ix: usize) -> Self {
        Self {
            garment,
            body_ix,
            settings: GarmentSettings::default(),
        }
    }
}

/// A rigid solid that all cloth collides with.
#[derive(Clone, Debug)]
pub struct SolidDef {
    pub shape: SolidShape,
    /// Where it is until a step moves it. May scale, evenly; distances are then scaled with it.
    pub world_from_solid: Mat4,
    pub material: SolidMaterial,
}

impl SolidDef {
    /// Of the usual material.
    pub fn new(shape: SolidShape, world_from_solid: Mat4) -> Self {
        Self {
            shape,
            world_from_solid,
            material: SolidMaterial::default(),
        }
    }
}

/// What cloth can meet in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The skin of a body, which the technique detects.
    Body { body_ix: usize },
    /// A rigid solid, which its distance field or formula detects.
    Solid { solid_ix: usize },
    /// The plane of [`ClothSettings::ground`], which is part of the constraints: nothing is searched for it.
    Ground,
}

/// The part of a definition that an edit needs again.
pub(crate) struct TechniqueDesc {
    technique: Technique,
    layer_fields: bool,
    #[cfg(feature = "rivals")]
    spatial_hash: SpatialHashDef,
}

impl TechniqueDesc {
    fn of(def: &WorldDef) -> Self {
        Self {
            technique: def.technique,
            layer_fields: def.layer_fields,
            #[cfg(feature = "rivals")]
            spatial_hash: def.spatial_hash,
        }
    }
}

/// Pipelines of skin, fields' transforms and cloth, whatever the technique: immutable, replaced as a whole by hot reload.
pub struct Pipelines {
    pub(crate) skin: SkinPipelines,
    pub(crate) sub_step_transforms: ComputePipeline,
    pub(crate) cloth: ClothPipelines,
    /// From the first time on that cloth meets cloth: a third to a half of what drivers have to compile.
    pub(crate) cloth_contacts: Option<ContactPipelines>,
    pub(crate) sleep: SleepPipelines,
}

impl Pipelines {
    /// `cloth_contacts`: with those too.
    ///
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>, cloth_contacts: bool) -> Result<Self, GpuError> {
        let contacts = cloth_contacts.then(|| ContactPipelines::new(gpu));
        Ok(Self {
            skin: SkinPipelines::new(gpu)?,
            sub_step_transforms: ComputePipeline::new(
                gpu,
                &shaders::SHARED_SUB_STEP_TRANSFORMS_COMP,
                &[],
            )?,
            cloth: ClothPipelines::new(gpu)?,
            cloth_contacts: contacts.transpose()?,
            sleep: SleepPipelines::new(gpu)?,
        })
    }
}

/// What may be changed between frames.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Settings {
    pub cloth: ClothSettings,
    pub collide: CollideSettings,
    /// One per garment.
    pub garments: Vec<GarmentSettings>,
}

impl Settings {
    /// Whether a step can be made with them.
    pub(crate) fn check(&self) -> Result<(), RecordError> {
        let shared = self.cloth.check().and_then(|()| self.collide.check());
        shared.map_err(RecordError::OutOfRange)?;
        let mut garments = self.garments.iter().enumerate();
        garments.try_for_each(|(garment_ix, garment)| {
            let fault = garment.check();
            fault.map_err(|fault| RecordError::GarmentOutOfRange { garment_ix, fault })
        })
    }
}

/// Bodies and garments on one device. Drop it only when the GPU is done with its frames.
pub struct World {
    pub(crate) simulation: Simulation,
    pub(crate) uploads: Uploads,
    pub(crate) timestamps: Timestamps,
    pub(crate) sets: DescriptorSets,
    /// For the next frame.
    pub(crate) host_queries: Option<HostQueries>,
    /// Only when asked for.
    pub(crate) statistics: Option<PipelineStatistics>,
    pub(crate) queue: QueueKind,
    pub(crate) frame_ix: u64,
    pub(crate) frames_in_flight: usize,
    pub(crate) launches: Launches,
    /// Copies that the next frame makes, in this order, to migrate state after an edit.
    pub(crate) migrations: Vec<MigrationCopy>,
    contents: WorldContents,
    technique_desc: TechniqueDesc,
    retired: Vec<Retired>,
    pub(crate) gpu: Arc<Gpu>,
}

/// What the stages of a frame work on.
pub(crate) struct Simulation {
    pub pipelines: Pipelines,
    pub skin: SkinnedBody,
    /// What other garments are worn over, where cloth meets cloth.
    pub worn_skin: Option<WornSkin>,
    /// Joints of all bodies, then the solids.
    pub frames: MovingFrames,
    pub collider: Collider,
    /// What the technique's fields are attached to.
    pub attachments: Attachments,
    /// Bounds of each joint's skin, in bone space.
    pub joint_bounds: Vec<Bounds>,
    pub cloth: Cloth,
    /// Only where cloth meets cloth.
    pub cloth_contacts: Option<ClothContacts>,
    pub sleepers: Sleepers,
    pub bodies: Vec<Body>,
    pub solids: Vec<RigidSolid>,
    pub garments: Vec<WornGarment>,
    pub transient: Transient,
    pub scratch: Scratch,
    /// The fields' transforms as the newest step wrote them.
    pub sub_step_transforms: Option<SubStepTransforms>,
    pub settings: Settings,
    /// Only when asked for.
    pub last_collision: Option<Buffer>,
}

/// The ranges of a body in the world's buffers.
pub(crate) struct Body {
    pub vertices: Range<u32>,
    pub joints: Range<usize>,
    /// It has not taken part in a step yet, so it has no previous position.
    pub starts: bool,
    /// The newest step's bones came as a palette, so that the CPU has them.
    pub bones_are_known: bool,
}

/// A solid during the world's steps.
#[derive(Clone, Copy)]
pub(crate) struct RigidSolid {
    /// After the newest step.
    pub world_from_solid: Mat4,
    /// It has not taken part in a step yet.
    pub starts: bool,
}

/// The ranges of a garment in the world's buffers.
pub(crate) struct WornGarment {
    pub particles: Range<u32>,
    /// Among the skinned vertices: its targets.
    pub targets: Range<u32>,
    pub body_ix: usize,
    /// It has not been in a step yet.
    pub starts: bool,
    /// The garments worn beneath that it meets by their fields, counted with the bodies, whose first they follow.
    pub beneath: Range<u32>,
    /// Seconds of the last sub-step of its own; none before the first.
    pub last_sub_step: Option<f32>,
    /// Of the last step; none before the first.
    pub last_settings: Option<GarmentSettings>,
}

/// Lists that are refilled every step and allocate nothing after the first.
#[derive(Default)]
pub(crate) struct Scratch {
    /// World from frame after the step, joint by joint of all bodies, then solids; out of date where bones came in a buffer of the host's.
    pub frames: Vec<Mat4>,
    /// One per frame.
    pub sources: Vec<FrameSource>,
    /// One per garment: 1 if it starts anew.
    pub starts: Vec<u32>,
    /// One per garment.
    pub garments: Vec<GpuGarment>,
    /// One per garment: 1 if it may not sleep.
    pub stirred: Vec<u32>,
    /// Of the last step, with whether cloth met cloth; none before the first in which cloth may sleep.
    pub last_shared: Option<(ClothSettings, CollideSettings, bool)>,
}

impl World {
    /// Builds everything and stages the uploads, which the first recorded frame carries out.
    ///
    /// # Errors
    /// When the host or the definition is inconsistent, memory runs out or the driver refuses a shader.
    ///
    /// # Safety
    /// The host's handles must be valid, belong together, and outlive the world; the device must have what
    /// [`check_support`](crate::host::check_support) asks for switched on.
    pub unsafe fn new(host: &Host, def: &WorldDef) -> Result<Self, WorldError> {
        // SAFETY: guaranteed by the caller.
        let queue = unsafe { host.check(def.technique)? };
        let contents = WorldContents::new(def)?;
        // SAFETY: guaranteed by the caller.
        let gpu = unsafe { Gpu::new(&host.gpu_desc(&host.queue_families()))? };
        let technique_desc = TechniqueDesc::of(def);
        let mut uploads = Uploads::new(&gpu);
        let layers = technique_desc.layers(&contents, def.cloth_contacts);
        let buffers = WorldBuffers::new(&gpu, &mut uploads, &contents, layers)?;
        let collider = buffers.collider(&gpu, &mut uploads, &contents, &technique_desc, None)?;
        let attachments = buffers.attachments(&gpu, &mut uploads, &collider)?;
        let sleepers = buffers.sleepers(&gpu, &mut uploads, &collider)?;
        let cloth_contacts = match def.cloth_contacts {
            true => Some(contents.cloth_contacts(&gpu, &mut uploads)?),
            false => None,
        };
        Ok(Self {
            simulation: Simulation {
                pipelines: Pipelines::new(&gpu, def.cloth_contacts)?,
                transient: buffers.transient(&gpu, host.frames_in_flight)?,
                scratch: buffers.scratch(),
                joint_bounds: joint_bounds(&contents),
                sub_step_transforms: None,
                settings: Settings {
                    cloth: def.cloth,
                    collide: def.collide,
                    garments: contents.garments.iter().map(|g| g.settings).collect(),
                },
                skin: buffers.skin,
                worn_skin: buffers.worn_skin,
                frames: buffers.frames,
                collider,
                attachments,
                cloth: buffers.cloth,
                cloth_contacts,
                sleepers,
                bodies: buffers.bodies,
                solids: buffers.solids,
                garments: buffers.garments,
                last_collision: None,
            },
            uploads,
            timestamps: Timestamps::new(&gpu, host.frames_in_flight, queue.timestamp_valid_bits)?,
            sets: DescriptorSets::new(&gpu, host.frames_in_flight)?,
            host_queries: None,
            statistics: None,
            queue: queue.kind,
            frame_ix: 0,
            frames_in_flight: host.frames_in_flight,
            launches: Launches::default(),
            migrations: Vec::new(),
            contents,
            technique_desc,
            retired: Vec::new(),
            gpu,
        })
    }

    /// What may be changed between frames.
    pub fn settings(&self) -> &Settings {
        &self.simulation.settings
    }

    /// What may be changed between frames. The garments stay as many as they are.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.simulation.settings
    }

    /// The device and memory the world lives on.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// The skinned vertices: bodies first, then garments that others are worn over as these meet them, then garments where skinning puts them.
    pub fn skin(&self) -> &SkinnedBody {
        &self.simulation.skin
    }

    /// The particles of all garments.
    pub fn cloth(&self) -> &Cloth {
        &self.simulation.cloth
    }

    /// Where cloth meets cloth; `None` unless it does.
    pub fn cloth_contacts(&self) -> Option<&ClothContacts> {
        self.simulation.cloth_contacts.as_ref()
    }

    /// The technique's structure, for debug views.
    pub fn collider(&self) -> &Collider {
        &self.simulation.collider
    }

    /// The radial fields, if the world collides by them.
    pub fn radial(&self) -> Option<&RadialFields> {
        self.simulation.collider.radial()
    }

    /// What the fields are attached to.
    pub fn attachments(&self) -> &Attachments {
        &self.simulation.attachments
    }

    /// Where the fields are, for debug views that are drawn after this frame's simulation. `None` before the first step.
    pub fn sub_step_transforms(&self) -> Option<SubStepTransforms> {
        self.simulation.sub_step_transforms
    }

    /// A box round the bodies after the last recorded step, clothes not counted. `None` before the first step, and when the bones of
    /// a body came in a buffer of the host's ([`HostBones`]), which the CPU does not see.
    pub fn body_bounds(&self) -> Option<Bounds> {
        let simulation = &self.simulation;
        let stepped = simulation.bodies.iter().filter(|body| !body.starts);
        if !stepped.clone().all(|body| body.bones_are_known) {
            return None;
        }
        let boxes = stepped
            .flat_map(|body| body.joints.clone())
            .filter(|&joint_ix| simulation.joint_bounds[joint_ix].is_some())
            .map(|joint_ix| {
                let world_from_bone = simulation.scratch.frames[joint_ix];
                simulation.joint_bounds[joint_ix].transformed(world_from_bone)
            });
        let bounds = boxes.fold(Bounds::EMPTY, Bounds::union);
        bounds.is_some().then_some(bounds)
    }

    /// Whether any body has taken part in a step. Before, positions and normals are zero.
    pub fn is_simulated(&self) -> bool {
        self.simulation.bodies.iter().any(|body| !body.starts)
    }

    /// How many bodies there are.
    pub fn body_count(&self) -> usize {
        self.simulation.bodies.len()
    }

    /// How many rigid solids there are.
    pub fn solid_count(&self) -> usize {
        self.simulation.solids.len()
    }

    /// Where a solid is after the last recorded step.
    ///
    /// # Panics
    /// When there is no such solid.
    pub fn solid_place(&self, solid_ix: usize) -> Mat4 {
        self.simulation.solids[solid_ix].world_from_solid
    }

    /// The shape of a solid.
    ///
    /// # Panics
    /// When there is no such solid.
    pub fn solid_shape(&self, solid_ix: usize) -> &SolidShape {
        self.contents.solid_shape(solid_ix)
    }

    /// A box round a solid after the last recorded step; endless for a half-space.
    ///
    /// # Panics
    /// When there is no such solid.
    pub fn solid_bounds(&self, solid_ix: usize) -> Bounds {
        let shape = self.solid_shape(solid_ix);
        match shape {
            SolidShape::HalfSpace => shape.bounds(),
            _ => shape.bounds().transformed(self.solid_place(solid_ix)),
        }
    }

    /// All that cloth can meet, the bodies first.
    pub fn surfaces(&self) -> impl Iterator<Item = Surface> {
        let bodies = (0..self.body_count()).map(|body_ix| Surface::Body { body_ix });
        let solids = (0..self.solid_count()).map(|solid_ix| Surface::Solid { solid_ix });
        let ground = self.settings().cloth.ground.map(|_| Surface::Ground);
        bodies.chain(solids).chain(ground)
    }

    /// How many garments there are.
    pub fn garment_count(&self) -> usize {
        self.simulation.garments.len()
    }

    /// Where each body's vertices lie among the skinned ones: bodies in order, from 0 on.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn body_vertices(&self, body_ix: usize) -> Range<u32> {
        self.simulation.bodies[body_ix].vertices.clone()
    }

    /// Where each garment's particles lie: garments in order, from 0 on.
    ///
    /// # Panics
    /// When there is no such garment.
    pub fn garment_particles(&self, garment_ix: usize) -> Range<u32> {
        self.simulation.garments[garment_ix].particles.clone()
    }

    /// Which body wears a garment.
    ///
    /// # Panics
    /// When there is no such garment.
    pub fn garment_body(&self, garment_ix: usize) -> usize {
        self.simulation.garments[garment_ix].body_ix
    }

    /// The GPU commands of the last recorded frame.
    pub fn launches(&self) -> Launches {
        self.launches
    }

    /// All memory held, and the number of allocations.
    pub fn memory_use(&self) -> MemoryUse {
        self.gpu.memory_use()
    }

    /// Builds the pipelines again, from shaders replaced through [`Gpu::replace_shaders`]. The caller waits for the GPU first.
    ///
    /// # Errors
    /// When the driver refuses one; the old pipelines stay.
    pub fn reload_pipelines(&mut self) -> Result<(), GpuError> {
        let has_contacts = self.simulation.pipelines.cloth_contacts.is_some();
        let pipelines = Pipelines::new(&self.gpu, has_contacts)?;
        self.simulation.collider.reload_pipelines(&self.gpu)?;
        self.simulation.pipelines = pipelines;
        Ok(())
    }
}

impl Scratch {
    fn with_capacity(frame_count: usize, garment_count: usize) -> Self {
        Self {
            frames: vec![Mat4::IDENTITY; frame_count],
            sources: Vec::with_capacity(frame_count),
            starts: Vec::with_capacity(garment_count),
            garments: Vec::with_capacity(garment_count),
            stirred: Vec::with_capacity(garment_count),
            last_shared: None,
        }
    }
}

/// Bounds of the skin of each joint of all bodies, in bone space: empty for a joint without skin.
fn joint_bounds(contents: &WorldContents) -> Vec<Bounds> {
    let bounds = contents.bodies.iter().map(|body| &body.figure.joint_bounds);
    bounds.flatten().copied().collect()
}
