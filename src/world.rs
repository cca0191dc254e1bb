//! A world: bodies and the garments that collide with them, on one device.

use std::ops::Range;
use std::sync::Arc;

use glam::Mat4;

use crate::avatar::Avatar;
use crate::cloth::constraints::ConstraintGraph;
use crate::cloth::garment::Garment;
use crate::cloth::{
    Cloth, ClothBuilder, ClothPipelines, ClothSettings, GarmentSettings, Grab, MAX_SUB_STEPS,
};
use crate::collide::radial::fit::{FitSettings, fit};
use crate::collide::radial::{BodyFields, FieldTransform, RadialFields};
use crate::collide::{CollidePipelines, CollideSettings};
use crate::gpu::{
    BufferSlice, Gpu, GpuDesc, GpuError, Launches, MemoryUse, StageTimes, Timestamps, Transient,
    Uploads,
};
use crate::host::Host;
use crate::math::{Affine, Bounds};
use crate::pose::Palette;
use crate::skin::{SkinBuilder, SkinPipelines, SkinnedBody};

/// The most steps one frame may hold: room for their transforms is taken beforehand.
pub const MAX_STEPS: usize = 4;

/// What a world is made of.
#[derive(Clone, Copy, Default)]
pub struct WorldDef<'a> {
    pub bodies: &'a [BodyDef<'a>],
    pub garments: &'a [GarmentDef<'a>],
    pub cloth: ClothSettings,
    pub collide: CollideSettings,
}

/// A character to collide with.
#[derive(Clone, Copy)]
pub struct BodyDef<'a> {
    pub avatar: &'a Avatar,
    pub fit: FitSettings,
}

/// A garment on one of the bodies; it collides with all of them.
#[derive(Clone, Copy)]
pub struct GarmentDef<'a> {
    pub garment: &'a Garment,
    /// Index into [`WorldDef::bodies`]: whose joints it was skinned to.
    pub body_ix: usize,
    pub settings: GarmentSettings,
}

/// What cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A definition refers to something that is not there.
    #[error("garment {garment_ix} is on body {body_ix}, but there are {body_count} bodies")]
    NoSuchBody {
        garment_ix: usize,
        body_ix: usize,
        body_count: usize,
    },
    /// Joints are stored in 16 bits.
    #[error(
        "the bodies have {joint_count} joints together; at most 65,536 fit one world: make several worlds"
    )]
    TooManyJoints { joint_count: usize },
    /// A body without anything to collide with.
    #[error("body {body_ix} has no joint that owns skin: check its weights")]
    NoFields { body_ix: usize },
}

/// The poses of one step.
#[derive(Clone, Copy)]
pub struct StepInput<'a> {
    /// One palette a body, in the order of [`WorldDef::bodies`].
    pub palettes: &'a [&'a Palette],
    /// The bodies did not move here but were put here: cloth starts anew on them.
    pub teleported: bool,
    /// A particle held by a hand.
    pub grab: Option<Grab>,
}

/// What one frame simulates.
#[derive(Clone, Copy)]
pub struct FrameInput<'a> {
    /// None at all, one, or up to [`MAX_STEPS`] steps of equal length.
    pub steps: &'a [StepInput<'a>],
    /// Seconds of each step; usually 1/60.
    pub step_seconds: f32,
}

/// Pipelines of the simulation: immutable, replaced as a whole by hot reload.
pub struct Pipelines {
    pub(crate) skin: SkinPipelines,
    pub(crate) collide: CollidePipelines,
    pub(crate) cloth: ClothPipelines,
}

impl Pipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        Ok(Self {
            skin: SkinPipelines::new(gpu)?,
            collide: CollidePipelines::new(gpu)?,
            cloth: ClothPipelines::new(gpu)?,
        })
    }
}

/// Device memory by what it is for, in bytes.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub struct WorldMemory {
    pub skin_bytes: u64,
    /// The cells of the fields alone: what the paper's table calls memory.
    pub field_cells_bytes: u64,
    /// Everything of the collision technique, cells included.
    pub collide_bytes: u64,
    pub cloth_bytes: u64,
    pub transient_bytes: u64,
}

/// What may be changed between frames.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Settings {
    pub cloth: ClothSettings,
    pub collide: CollideSettings,
    /// One a garment.
    pub garments: Vec<GarmentSettings>,
}

/// Bodies and garments on one device. Drop it only when the GPU is done with its frames.
pub struct World {
    pub(crate) simulation: Simulation,
    pub(crate) uploads: Uploads,
    pub(crate) timestamps: Timestamps,
    pub(crate) frame_ix: u64,
    pub(crate) frames_in_flight: usize,
    pub(crate) launches: Launches,
    pub(crate) gpu: Arc<Gpu>,
}

/// Where the fields were during the last step: `sub_steps + 1` moments of `field_count` `FieldTransform`s each.
#[derive(Clone, Copy)]
pub struct FieldMoments {
    /// Lives until the frame that comes `frames_in_flight` later is recorded.
    pub transforms: BufferSlice,
    pub field_count: u32,
    pub sub_steps: u32,
}

/// What the stages of a frame work on.
pub(crate) struct Simulation {
    pub pipelines: Pipelines,
    pub skin: SkinnedBody,
    pub radial: RadialFields,
    pub cloth: Cloth,
    pub bodies: Vec<Body>,
    pub garments: Vec<Range<u32>>,
    pub transient: Transient,
    pub scratch: Scratch,
    /// The fields' transforms as this frame uploaded them.
    pub field_moments: Option<FieldMoments>,
    /// Seconds of the sub-step before; none before the first.
    pub last_sub_step: Option<f32>,
    pub settings: Settings,
}

/// Where a body's things lie among the world's.
pub(crate) struct Body {
    pub vertices: Range<u32>,
    pub joint_count: usize,
}

/// Lists that are refilled every step and never grow after the first.
#[derive(Default)]
pub(crate) struct Scratch {
    /// World from bone before and after the step, joint by joint of all bodies.
    pub frames: Vec<(Mat4, Mat4)>,
    pub palette: Vec<Affine>,
    pub transforms: Vec<FieldTransform>,
}

impl World {
    /// Builds everything and stages the uploads, which the first recorded frame carries out.
    ///
    /// # Errors
    /// When the definition does not hold together, memory runs out or the driver refuses a shader.
    ///
    /// # Safety
    /// The host's handles must be valid, belong together, and outlive the world; the device must have what
    /// [`check_support`](crate::host::check_support) asks for switched on.
    pub unsafe fn new(host: &Host, def: &WorldDef) -> Result<Self, WorldError> {
        // SAFETY: the caller's promise.
        let gpu = unsafe {
            Gpu::new(&GpuDesc {
                instance: host.instance,
                physical_device: host.physical_device,
                device: host.device,
                allocator: host.allocator.clone(),
                pipeline_cache: host.pipeline_cache,
                debug_utils: host.debug_utils,
            })?
        };
        // SAFETY: the caller's promise.
        let families = unsafe {
            host.instance
                .get_physical_device_queue_family_properties(host.physical_device)
        };
        let valid_bits = families
            .get(host.queue_family_ix as usize)
            .map_or(0, |family| family.timestamp_valid_bits);
        let timestamps = Timestamps::new(&gpu, host.frames_in_flight, valid_bits)?;
        Self::build(gpu, timestamps, def, host.frames_in_flight)
    }

    fn build(
        gpu: Arc<Gpu>,
        timestamps: Timestamps,
        def: &WorldDef,
        frames_in_flight: usize,
    ) -> Result<Self, WorldError> {
        check(def)?;
        let mut uploads = Uploads::new(&gpu);
        let mut skin = SkinBuilder::default();
        let mut first_joints = Vec::new();
        let mut bodies = Vec::new();
        let mut joint_count = 0;
        for body in def.bodies {
            first_joints.push(joint_count as u32);
            let vertices = skin.add(&body.avatar.skin, joint_count as u32);
            bodies.push(Body {
                vertices,
                joint_count: body.avatar.skeleton.joints.len(),
            });
            joint_count += body.avatar.skeleton.joints.len();
        }
        let radial = build_fields(&gpu, &mut uploads, def, &bodies, &first_joints)?;
        let mut cloth = ClothBuilder::default();
        let mut garments = Vec::new();
        for (garment_ix, garment) in def.garments.iter().enumerate() {
            let targets = skin.add(&garment.garment.mesh, first_joints[garment.body_ix]);
            let graph = ConstraintGraph::build(garment.garment);
            garments.push(cloth.add(garment.garment, &graph, garment_ix as u32, targets.start));
        }
        let capacity = transient_capacity(
            joint_count,
            radial.field_count() as usize,
            def.garments.len(),
        );
        let simulation = Simulation {
            pipelines: Pipelines::new(&gpu)?,
            skin: skin.build(&gpu, &mut uploads)?,
            field_moments: None,
            scratch: Scratch::with_capacity(joint_count, radial.field_count() as usize),
            radial,
            cloth: cloth.build(&gpu, &mut uploads)?,
            bodies,
            garments,
            transient: Transient::new(&gpu, "world.transient", capacity, frames_in_flight)?,
            last_sub_step: None,
            settings: Settings {
                cloth: def.cloth,
                collide: def.collide,
                garments: def
                    .garments
                    .iter()
                    .map(|garment| garment.settings)
                    .collect(),
            },
        };
        Ok(Self {
            simulation,
            uploads,
            timestamps,
            frame_ix: 0,
            frames_in_flight,
            launches: Launches::default(),
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

    /// The skinned vertices: bodies first, then garments where the body would carry them.
    pub fn skin(&self) -> &SkinnedBody {
        &self.simulation.skin
    }

    /// The particles of all garments.
    pub fn cloth(&self) -> &Cloth {
        &self.simulation.cloth
    }

    /// The fields, for debug views.
    pub fn radial(&self) -> &RadialFields {
        &self.simulation.radial
    }

    /// Where the fields are, for debug views that are drawn after this frame's simulation. `None` before the first step.
    pub fn field_moments(&self) -> Option<FieldMoments> {
        self.simulation.field_moments
    }

    /// A box round the bodies after the last recorded step, clothes not counted. `None` before the first step.
    pub fn body_bounds(&self) -> Option<Bounds> {
        let defs = self.simulation.radial.defs();
        let moments = &self.simulation.scratch.transforms;
        let now = moments.len().checked_sub(defs.len())?;
        let boxes = defs.iter().zip(&moments[now..]).map(|(def, moment)| {
            let [across, _, axis, start] = moment.world_from_field.columns;
            let radius = def.radius * across.length();
            Bounds::of_ball(start, radius).union(Bounds::of_ball(start + axis, radius))
        });
        let bounds = boxes.fold(Bounds::EMPTY, Bounds::union);
        bounds.is_some().then_some(bounds)
    }

    /// How many bodies there are.
    pub fn body_count(&self) -> usize {
        self.simulation.bodies.len()
    }

    /// How many garments there are.
    pub fn garment_count(&self) -> usize {
        self.simulation.garments.len()
    }

    /// Where each body's vertices lie among the skinned ones.
    pub fn body_vertices(&self, body_ix: usize) -> Range<u32> {
        self.simulation.bodies[body_ix].vertices.clone()
    }

    /// Where each garment's particles lie.
    pub fn garment_particles(&self, garment_ix: usize) -> Range<u32> {
        self.simulation.garments[garment_ix].clone()
    }

    /// Takes in the GPU times of the frame that was recorded `frames_in_flight` ago. Called before each frame is recorded, by
    /// hosts that want times; does not wait.
    pub fn collect_times(&mut self) {
        self.timestamps.collect();
    }

    /// GPU times of the newest frame that was collected.
    pub fn stage_times(&self) -> &StageTimes {
        self.timestamps.latest()
    }

    /// What the last recorded frame asked of the GPU.
    pub fn launches(&self) -> Launches {
        self.launches
    }

    /// All memory held, and how often more was asked for.
    pub fn memory_use(&self) -> MemoryUse {
        self.gpu.memory_use()
    }

    /// Memory by what it is for.
    pub fn memory(&self) -> WorldMemory {
        WorldMemory {
            skin_bytes: self.simulation.skin.bytes(),
            field_cells_bytes: self.simulation.radial.cell_bytes(),
            collide_bytes: self.simulation.radial.bytes(),
            cloth_bytes: self.simulation.cloth.bytes(),
            transient_bytes: self.simulation.transient.bytes(),
        }
    }

    /// Builds the pipelines again, from shaders replaced through [`Gpu::replace_shader`]. The caller waits for the GPU first.
    ///
    /// # Errors
    /// When the driver refuses one; the old pipelines stay.
    pub fn reload_pipelines(&mut self) -> Result<(), GpuError> {
        self.simulation.pipelines = Pipelines::new(&self.gpu)?;
        Ok(())
    }
}

impl Scratch {
    fn with_capacity(joint_count: usize, field_count: usize) -> Self {
        Self {
            frames: Vec::with_capacity(joint_count),
            palette: Vec::with_capacity(joint_count),
            transforms: Vec::with_capacity(field_count * (MAX_SUB_STEPS as usize + 1)),
        }
    }
}

fn check(def: &WorldDef) -> Result<(), WorldError> {
    let body_count = def.bodies.len();
    let joint_count = def
        .bodies
        .iter()
        .map(|body| body.avatar.skeleton.joints.len())
        .sum();
    if joint_count > 1 << 16 {
        return Err(WorldError::TooManyJoints { joint_count });
    }
    let misplaced = def
        .garments
        .iter()
        .enumerate()
        .find(|(_, garment)| garment.body_ix >= body_count);
    match misplaced {
        Some((garment_ix, garment)) => Err(WorldError::NoSuchBody {
            garment_ix,
            body_ix: garment.body_ix,
            body_count,
        }),
        None => Ok(()),
    }
}

fn build_fields(
    gpu: &Arc<Gpu>,
    uploads: &mut Uploads,
    def: &WorldDef,
    bodies: &[Body],
    first_joints: &[u32],
) -> Result<RadialFields, WorldError> {
    let sets: Vec<_> = def
        .bodies
        .iter()
        .map(|body| fit(body.avatar, &body.fit))
        .collect();
    if let Some(body_ix) = sets.iter().position(|set| set.fields.is_empty()) {
        return Err(WorldError::NoFields { body_ix });
    }
    let fields: Vec<_> = sets
        .iter()
        .zip(bodies.iter().zip(first_joints))
        .map(|(fields, (body, &first_joint))| BodyFields {
            fields,
            first_vertex: body.vertices.start,
            first_joint,
        })
        .collect();
    Ok(RadialFields::new(gpu, uploads, &fields)?)
}

fn transient_capacity(joint_count: usize, field_count: usize, garment_count: usize) -> u64 {
    let moments = field_count * (MAX_SUB_STEPS as usize + 1);
    let step =
        Transient::padded::<Affine>(joint_count) + Transient::padded::<FieldTransform>(moments);
    step * MAX_STEPS as u64 + Transient::padded::<GarmentSettings>(garment_count.max(1))
}
