//! A dressed character on a device, stepped frame by frame: what viewer, bench and tests drive.

use std::time::Instant;

use glam::Vec3;

use super::{CharacterError, Performance, WardrobeError};
use crate::avatar::{Avatar, Clip};
use crate::cloth::garment::Garment;
use crate::cloth::{ClothSettings, GarmentSettings, Grab};
use crate::collide::radial::fit::FitSettings;
use crate::collide::spatial_hash::SpatialHashDef;
use crate::collide::{CollideSettings, Technique};
use crate::engine::{Device, EngineError, Frames, Readback, Submission};
use crate::pose::Palette;
use crate::skin::bake::bake;
use crate::world::{
    BodyDef, BodyStep, FrameInput, GarmentDef, MAX_STEPS, SolidDef, StepInput, World, WorldDef,
    WorldError, WorldMemory,
};

/// The description of a show.
#[derive(Clone)]
pub struct ShowDesc {
    pub avatar: Avatar,
    pub garments: Vec<Garment>,
    /// Rigid things that stand about, where they are; those that the scene moves, at its beginning.
    pub solids: Vec<SolidDef>,
    /// Index into the avatar's clips, or `None` to stand still.
    pub clip_ix: Option<usize>,
    pub cloth: ClothSettings,
    pub collide: CollideSettings,
    pub technique: Technique,
    pub spatial_hash: SpatialHashDef,
    pub garment: GarmentSettings,
    pub fit: FitSettings,
    pub frames_in_flight: usize,
}

impl ShowDesc {
    /// The world of so many copies of the character, each in its clothes, body by body.
    pub(super) fn world(&self, device: &Device, copies: usize) -> Result<World, WorldError> {
        // SAFETY: the device is open, has what the library asks for, and outlives the world by its owner's care.
        self.defined(copies, |def| unsafe {
            World::new(&device.host(self.frames_in_flight), def)
        })
    }

    /// Device memory by purpose that a world of it would take. Takes none.
    ///
    /// # Errors
    /// When the device could not have such a world.
    pub fn memory(&self, device: &Device) -> Result<WorldMemory, WorldError> {
        // SAFETY: the device is open and has what the library asks for.
        let required = self.defined(1, |def| unsafe {
            World::requirements(&device.host(self.frames_in_flight), def)
        });
        Ok(required?.memory)
    }

    fn defined<T>(&self, copies: usize, make: impl FnOnce(&WorldDef) -> T) -> T {
        let body = BodyDef {
            avatar: &self.avatar,
            fit: self.fit,
        };
        let bodies = vec![body; copies];
        let clothes = |body_ix| {
            self.garments.iter().map(move |garment| GarmentDef {
                garment,
                body_ix,
                settings: self.garment,
            })
        };
        let garments: Vec<_> = (0..copies).flat_map(clothes).collect();
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            solids: &self.solids,
            cloth: self.cloth,
            collide: self.collide,
            technique: self.technique,
            spatial_hash: self.spatial_hash,
        };
        make(&def)
    }

    /// The clip that is played.
    pub(super) fn clip(&self) -> Option<&Clip> {
        self.clip_ix
            .and_then(|clip_ix| self.avatar.clips.get(clip_ix))
    }
}

/// Why a show could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error(transparent)]
    Character(#[from] CharacterError),
    #[error(transparent)]
    Wardrobe(#[from] WardrobeError),
    #[error(transparent)]
    World(#[from] WorldError),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Seconds of a simulation step.
pub const STEP_SECONDS: f32 = 1.0 / 60.0;

/// A dressed character on a device.
pub struct Show {
    pub world: World,
    pub performance: Performance,
    pub avatar: Avatar,
    pub garments: Vec<Garment>,
    /// Milliseconds the CPU took to record the simulation of each frame, newest last.
    pub record_cpu_ms: Vec<f32>,
    readback: Readback,
    /// The palettes of a frame's steps.
    palettes: [Palette; MAX_STEPS],
    /// The first step teleports the cloth onto the body.
    starts: bool,
}

/// Frames whose recording time is kept; the newest always is.
const MAX_TIMES: usize = 1 << 16;

impl Show {
    /// Builds the world.
    ///
    /// # Errors
    /// When the device has no room for it.
    pub fn new(device: &Device, desc: ShowDesc) -> Result<Self, ShowError> {
        let world = desc.world(device, 1)?;
        let performance = Performance::new(&desc.avatar.skeleton, desc.clip());
        Ok(Self {
            palettes: std::array::from_fn(|_| Palette::bind(&desc.avatar.skeleton)),
            performance,
            readback: Readback::new(world.gpu()),
            world,
            avatar: desc.avatar,
            garments: desc.garments,
            record_cpu_ms: Vec::with_capacity(MAX_TIMES),
            starts: true,
        })
    }

    /// Records `step_count` steps, at most [`MAX_STEPS`], into a command buffer of [`Frames::begin`].
    pub fn record(&mut self, cmd: ash::vk::CommandBuffer, step_count: usize, grab: Option<Grab>) {
        let step_count = step_count.min(MAX_STEPS);
        let mut teleported = [false; MAX_STEPS];
        for (palette, teleported) in self
            .palettes
            .iter_mut()
            .zip(&mut teleported)
            .take(step_count)
        {
            *teleported =
                self.performance.advance(STEP_SECONDS) || std::mem::take(&mut self.starts);
            palette.clone_from(self.performance.palette());
        }
        let bodies: [_; MAX_STEPS] = std::array::from_fn(|ix| {
            [BodyStep {
                bones: (&self.palettes[ix]).into(),
                teleported: teleported[ix],
                skin: None,
            }]
        });
        let steps: [_; MAX_STEPS] = std::array::from_fn(|ix| StepInput {
            bodies: &bodies[ix],
            solids: &[],
            grab,
        });
        let input = FrameInput {
            steps: &steps[..step_count],
            step_seconds: STEP_SECONDS,
        };
        self.world.collect_times();
        let started = Instant::now();
        // SAFETY: the frames hand out command buffers whose earlier use is over, and submit them in order.
        let recorded = unsafe { self.world.record(cmd, &input) };
        recorded.expect("the show poses the body that it made");
        self.record_cpu_ms.truncate(MAX_TIMES - 1);
        self.record_cpu_ms
            .push(started.elapsed().as_secs_f32() * 1e3);
    }

    /// Simulates until the clip starts, without drawing.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn preroll(&mut self, frames: &mut Frames) -> Result<(), EngineError> {
        self.preroll_watched(frames, || {})
    }

    /// The same; `stepped` is called after each of the [`Performance::preroll_steps`].
    ///
    /// # Errors
    /// When the device is lost.
    pub fn preroll_watched(
        &mut self,
        frames: &mut Frames,
        mut stepped: impl FnMut(),
    ) -> Result<(), EngineError> {
        for _ in 0..Performance::preroll_steps(STEP_SECONDS) {
            let cmd = frames.begin()?;
            self.record(cmd, 1, None);
            frames.submit(Submission::default())?;
            stepped();
        }
        // A later step may fail; then all of this is dropped.
        frames.wait_idle()
    }

    /// Teleports the character to the start, with the cloth on it.
    pub fn restart(&mut self) {
        self.performance.restart();
        self.starts = true;
    }

    /// What the technique's lists had no room for so far; 0 for one without lists. Waits for the GPU.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn overflow_count(
        &mut self,
        device: &Device,
        frames: &mut Frames,
    ) -> Result<u32, EngineError> {
        let Some(overflow_count) = self.world.collider().overflow_count() else {
            return Ok(0);
        };
        let words: Vec<u32> = self.readback.read(device, frames, overflow_count, 1)?;
        Ok(words[0])
    }

    /// World-space positions of all particles after the last submitted frame. Waits for the GPU.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn particles(
        &mut self,
        device: &Device,
        frames: &mut Frames,
    ) -> Result<Vec<Vec3>, EngineError> {
        let count = self.world.cloth().particle_count() as usize;
        let positions = self.world.cloth().positions();
        let values = self.readback.read(device, frames, positions, count)?;
        Ok(without_fourth(&values))
    }

    /// World-space positions of all particles as the collision of the last sub-step of the last submitted frame found them, and as it
    /// left them, if the world keeps them. Waits for the GPU.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn last_collision(
        &mut self,
        device: &Device,
        frames: &mut Frames,
    ) -> Result<Option<[Vec<Vec3>; 2]>, EngineError> {
        let Some(kept) = self.world.last_collision() else {
            return Ok(None);
        };
        let count = self.world.cloth().particle_count() as usize;
        let values = self.readback.read(device, frames, kept, 2 * count)?;
        let (before, behind) = values.split_at(count);
        Ok(Some([before, behind].map(without_fourth)))
    }

    /// Height of the ground, metres: what the cloth rests on and what is drawn.
    pub fn ground_height(&self) -> f32 {
        let ground = self.world.settings().cloth.ground;
        ground.map_or(0.0, |ground| ground.height)
    }

    /// The exact body of this step, baked on the CPU.
    pub fn exact_body(&self) -> Vec<Vec3> {
        bake(&self.avatar.skin, self.performance.palette()).positions
    }
}

fn without_fourth(values: &[[f32; 4]]) -> Vec<Vec3> {
    values
        .iter()
        .map(|&[x, y, z, _]| Vec3::new(x, y, z))
        .collect()
}
