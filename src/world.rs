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
use crate::collide::radial::RadialFields;
use crate::collide::radial::fit::FitSettings;
use crate::collide::spatial_hash::SpatialHashDef;
use crate::collide::{
    CollideError, CollideSettings, Collider, ColliderBody, ColliderDef, FieldMoments,
    FieldTransform, Technique,
};
use crate::gpu::{
    Gpu, GpuDesc, GpuError, Launches, MemoryUse, StageTimes, Timestamps, Transient, Uploads,
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
    /// How the cloth is kept out of the bodies.
    pub technique: Technique,
    /// Used by that technique alone.
    pub spatial_hash: SpatialHashDef,
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
    #[error(transparent)]
    Collide(#[from] CollideError),
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

/// Pipelines of skin and cloth, whatever the technique: immutable, replaced as a whole by hot reload.
pub struct Pipelines {
    pub(crate) skin: SkinPipelines,
    pub(crate) cloth: ClothPipelines,
}

impl Pipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        Ok(Self {
            skin: SkinPipelines::new(gpu)?,
            cloth: ClothPipelines::new(gpu)?,
        })
    }
}

/// Device memory by what it is for, in bytes.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub struct WorldMemory {
    pub skin_bytes: u64,
    /// Whose the next two are.
    pub technique: Technique,
    /// Its cells, table or tree alone: what the paper's table calls memory.
    pub structure_bytes: u64,
    /// Everything of it.
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

/// What the stages of a frame work on.
pub(crate) struct Simulation {
    pub pipelines: Pipelines,
    pub skin: SkinnedBody,
    pub collider: Collider,
    /// What each joint's skin reaches, in bone space.
    pub joint_bounds: Vec<Bounds>,
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
        let collider = build_collider(&gpu, &mut uploads, def, &bodies, &first_joints)?;
        let mut cloth = ClothBuilder::default();
        let mut garments = Vec::new();
        for (garment_ix, garment) in def.garments.iter().enumerate() {
            let targets = skin.add(&garment.garment.mesh, first_joints[garment.body_ix]);
            let graph = ConstraintGraph::build(garment.garment);
            garments.push(cloth.add(garment.garment, &graph, garment_ix as u32, targets.start));
        }
        let capacity = transient_capacity(joint_count, collider.rider_count(), def.garments.len());
        let simulation = Simulation {
            pipelines: Pipelines::new(&gpu)?,
            skin: skin.build(&gpu, &mut uploads)?,
            field_moments: None,
            scratch: Scratch::with_capacity(joint_count, collider.rider_count()),
            collider,
            joint_bounds: joint_bounds(def),
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

    /// The technique's structure, for debug views.
    pub fn collider(&self) -> &Collider {
        &self.simulation.collider
    }

    /// The radial fields, if the world collides by them.
    pub fn radial(&self) -> Option<&RadialFields> {
        self.simulation.collider.radial()
    }

    /// Where the fields are, for debug views that are drawn after this frame's simulation. `None` before the first step.
    pub fn field_moments(&self) -> Option<FieldMoments> {
        self.simulation.field_moments
    }

    /// A box round the bodies after the last recorded step, clothes not counted. `None` before the first step.
    pub fn body_bounds(&self) -> Option<Bounds> {
        let Simulation {
            joint_bounds,
            scratch,
            ..
        } = &self.simulation;
        let boxes = joint_bounds
            .iter()
            .zip(&scratch.frames)
            .filter(|(bounds, _)| bounds.is_some())
            .map(|(bounds, &(_, world_from_bone))| bounds.transformed(world_from_bone));
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
        let collide = self.simulation.collider.memory();
        WorldMemory {
            skin_bytes: self.simulation.skin.bytes(),
            technique: self.simulation.collider.technique(),
            structure_bytes: collide.structure_bytes,
            collide_bytes: collide.total_bytes,
            cloth_bytes: self.simulation.cloth.bytes(),
            transient_bytes: self.simulation.transient.bytes(),
        }
    }

    /// Builds the pipelines again, from shaders replaced through [`Gpu::replace_shader`]. The caller waits for the GPU first.
    ///
    /// # Errors
    /// When the driver refuses one; the old pipelines stay.
    pub fn reload_pipelines(&mut self) -> Result<(), GpuError> {
        let pipelines = Pipelines::new(&self.gpu)?;
        self.simulation.collider.reload_pipelines(&self.gpu)?;
        self.simulation.pipelines = pipelines;
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

fn build_collider(
    gpu: &Arc<Gpu>,
    uploads: &mut Uploads,
    def: &WorldDef,
    bodies: &[Body],
    first_joints: &[u32],
) -> Result<Collider, CollideError> {
    let bodies: Vec<_> = def
        .bodies
        .iter()
        .zip(bodies.iter().zip(first_joints))
        .map(|(def, (body, &first_joint))| ColliderBody {
            avatar: def.avatar,
            fit: def.fit,
            first_vertex: body.vertices.start,
            first_joint,
        })
        .collect();
    let def = ColliderDef {
        technique: def.technique,
        spatial_hash: def.spatial_hash,
        particle_count: particle_count(def),
        bodies: &bodies,
    };
    Collider::new(gpu, uploads, &def)
}

fn particle_count(def: &WorldDef) -> u32 {
    let of_garment = |garment: &GarmentDef| garment.garment.mesh.positions.len() as u32;
    def.garments.iter().map(of_garment).sum()
}

/// What the skin of each joint of all bodies reaches, in bone space: nothing for a joint without skin.
fn joint_bounds(def: &WorldDef) -> Vec<Bounds> {
    let of_body = |body: &BodyDef| {
        let joints = &body.avatar.skeleton.joints;
        body.avatar.skin.joint_bounds(joints)
    };
    def.bodies.iter().flat_map(of_body).collect()
}

fn transient_capacity(joint_count: usize, field_count: usize, garment_count: usize) -> u64 {
    let moments = field_count * (MAX_SUB_STEPS as usize + 1);
    let step =
        Transient::padded::<Affine>(joint_count) + Transient::padded::<FieldTransform>(moments);
    step * MAX_STEPS as u64 + Transient::padded::<GarmentSettings>(garment_count.max(1))
}
