//! A dressed character on a device, stepped frame by frame: what viewer, bench and tests drive.

use std::sync::Arc;
use std::time::Instant;

use ash::vk;
use glam::Vec3;

use super::{CharacterError, ClipPart, Formation, Performance, Prop, WardrobeError, crowd};
use crate::avatar::Avatar;
use crate::cloth::contacts::OVERFLOW_WORDS;
use crate::cloth::garment::Garment;
use crate::cloth::{ClothSettings, Detail, GarmentSettings, GpuGarment, Grab};
use crate::collide::radial::fit::FitSettings;
use crate::collide::spatial_hash::SpatialHashDef;
use crate::collide::{CollideSettings, Technique};
use crate::engine::{Device, EngineError, Frames, Readback, Submission};
use crate::gpu::{Access, Recorder, Timestamps};
use crate::pose::Palette;
use crate::skin::bake::bake;
use crate::solid::SolidMesh;
use crate::world::{
    BodyDef, BodyStep, FrameInput, GarmentDef, MAX_STEPS, SolidStep, StepInput, World, WorldDef,
    WorldError, WorldMemory,
};

/// The description of a show.
#[derive(Clone)]
pub struct ShowDesc {
    pub avatar: Avatar,
    pub garments: Vec<Garment>,
    /// Rigid things that stand about or move.
    pub props: Vec<Prop>,
    /// Index into the avatar's clips, or `None` to stand still.
    pub clip_ix: Option<usize>,
    /// Seconds from the bind pose until the clip starts, above 0; usually [`PREROLL_SECONDS`](super::PREROLL_SECONDS).
    pub preroll_seconds: f32,
    pub cloth: ClothSettings,
    /// Whether cloth meets cloth.
    pub cloth_contacts: bool,
    /// Whether garments meet what lies beneath them by fields, too, where cloth meets cloth.
    pub layer_fields: bool,
    pub collide: CollideSettings,
    pub technique: Technique,
    pub spatial_hash: SpatialHashDef,
    pub garment: GarmentSettings,
    pub fit: FitSettings,
    pub frames_in_flight: usize,
    /// One, or so many copies, each in its clothes; at least 1.
    pub character_count: usize,
    pub formation: Formation,
}

impl ShowDesc {
    /// The world of so many copies of the character, each in its clothes, body by body.
    fn world(&self, device: &Device, copies: usize) -> Result<World, WorldError> {
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
            fit: self.fit,
            ..BodyDef::new(&self.avatar)
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
        let palette = Palette::bind(&self.avatar.skeleton);
        let solids: Vec<_> = self.props.iter().map(|prop| prop.def(&palette)).collect();
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            solids: &solids,
            cloth: self.cloth,
            cloth_contacts: self.cloth_contacts,
            layer_fields: self.layer_fields,
            collide: self.collide,
            technique: self.technique,
            spatial_hash: self.spatial_hash,
        };
        make(&def)
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

/// Dressed characters on a device: one, or a crowd of copies.
pub struct Show {
    pub world: World,
    pub avatar: Avatar,
    /// One character's.
    pub garments: Vec<Garment>,
    /// Milliseconds the CPU took to record the simulation of each frame, newest last.
    pub record_cpu_ms: Vec<f32>,
    /// How much each character's cloth is simulated from the next frame on; fully where nobody says otherwise.
    pub details: Vec<Detail>,
    /// One per character.
    performances: Vec<Performance>,
    preroll_seconds: f32,
    formation: Formation,
    readback: Readback,
    /// Of a frame's steps, character by character.
    palettes: Vec<Palette>,
    /// Of each character before its newest step; where it was put instead of moving there, the same as after it.
    previous: Vec<Palette>,
    props: Vec<Prop>,
    /// Since the beginning, which a restart goes back to.
    seconds: f32,
    /// The first step teleports the cloth onto the bodies.
    starts: bool,
}

/// The ground below the middle of all joints.
fn below(palette: &Palette) -> Vec3 {
    let joints = &palette.world_from_bone;
    let sum: Vec3 = joints.iter().map(|joint| joint.w_axis.truncate()).sum();
    (sum / joints.len().max(1) as f32).with_y(0.0)
}

/// Frames whose recording time is kept; the newest always is.
const MAX_TIMES: usize = 1 << 16;

impl Show {
    /// Builds the world.
    ///
    /// # Errors
    /// When the device has no room for it.
    pub fn new(device: &Device, desc: ShowDesc) -> Result<Self, ShowError> {
        let world = desc.world(device, desc.character_count)?;
        let performances = crowd::performances(
            &desc.avatar,
            desc.clip_ix,
            desc.preroll_seconds,
            desc.character_count,
            desc.formation,
        );
        let palette_count = MAX_STEPS * performances.len();
        Ok(Self {
            palettes: vec![Palette::bind(&desc.avatar.skeleton); palette_count],
            details: vec![Detail::Full; performances.len()],
            previous: vec![Palette::bind(&desc.avatar.skeleton); performances.len()],
            performances,
            readback: Readback::new(world.gpu()),
            world,
            avatar: desc.avatar,
            props: desc.props,
            seconds: 0.0,
            garments: desc.garments,
            preroll_seconds: desc.preroll_seconds,
            formation: desc.formation,
            record_cpu_ms: Vec::with_capacity(MAX_TIMES),
            starts: true,
        })
    }

    /// Records `step_count` steps, at most [`MAX_STEPS`], into a command buffer of [`Frames::begin`].
    ///
    /// # Errors
    /// When the world's settings will not do, or memory runs out.
    pub fn record(
        &mut self,
        cmd: vk::CommandBuffer,
        step_count: usize,
        grab: Option<Grab>,
    ) -> Result<(), EngineError> {
        let step_count = step_count.min(MAX_STEPS);
        let mut teleported = Vec::with_capacity(step_count * self.performances.len());
        for _ in 0..step_count {
            let starts = std::mem::take(&mut self.starts);
            for (performance, previous) in self.performances.iter_mut().zip(&mut self.previous) {
                previous.clone_from(performance.palette());
                let jumps = performance.advance(STEP_SECONDS) || starts;
                if jumps {
                    previous.clone_from(performance.palette());
                }
                self.palettes[teleported.len()].clone_from(performance.palette());
                teleported.push(jumps);
            }
        }
        self.record_steps(cmd, &teleported, grab)
    }

    /// Records the steps whose palettes are there. `teleported`: for each of them, step by step and character by character.
    fn record_steps(
        &mut self,
        cmd: vk::CommandBuffer,
        teleported: &[bool],
        grab: Option<Grab>,
    ) -> Result<(), EngineError> {
        let details = self.details.iter().cycle();
        let bodies: Vec<_> = (self.palettes.iter().zip(teleported).zip(details))
            .map(|((palette, &teleported), &detail)| BodyStep {
                bones: palette.into(),
                teleported,
                skin: None,
                detail,
            })
            .collect();
        let props: Vec<Vec<SolidStep>> = (bodies.chunks(self.performances.len()))
            .zip(self.palettes.chunks(self.performances.len()))
            .map(|(bodies, palettes)| {
                self.seconds += STEP_SECONDS;
                let on_ground = below(&palettes[0]);
                let places = self.props.iter();
                // What is put somewhere else sweeps nothing on its way.
                let places = places.map(|prop| SolidStep {
                    teleported: bodies[0].teleported,
                    ..prop.step(self.seconds, on_ground, &palettes[0])
                });
                places.collect()
            })
            .collect();
        let steps = bodies.chunks(self.performances.len()).zip(&props);
        let steps: Vec<_> = steps
            .map(|(bodies, solids)| StepInput {
                bodies,
                solids,
                grab,
            })
            .collect();
        let input = FrameInput {
            steps: &steps,
            step_seconds: STEP_SECONDS,
        };
        self.world.collect_times();
        let started = Instant::now();
        // SAFETY: the frames hand out command buffers whose earlier use is over, and submit them in order.
        unsafe { self.world.record(cmd, &input)? };
        self.record_cpu_ms.truncate(MAX_TIMES - 1);
        self.record_cpu_ms
            .push(started.elapsed().as_secs_f32() * 1e3);
        Ok(())
    }

    /// Goes on where another show of the same characters in the same clothes is: at its time of the clip, with its settings, and
    /// with the cloth as it hangs there. Both must be idle; waits for the GPU.
    ///
    /// # Errors
    /// When memory runs out or the device is lost.
    pub fn take_over(
        &mut self,
        other: &Self,
        device: &Device,
        frames: &mut Frames,
    ) -> Result<(), EngineError> {
        self.performances.clone_from(&other.performances);
        self.world.settings_mut().clone_from(other.world.settings());
        self.previous.clone_from(&other.previous);
        // The newest step once more, after which everything but the cloth is where it belongs.
        let now = self.performances.iter().map(Performance::palette);
        let steps = self.previous.iter().chain(now);
        for (palette, step) in self.palettes.iter_mut().zip(steps) {
            palette.clone_from(step);
        }
        let count = self.performances.len();
        let teleported: Vec<_> = (0..2 * count).map(|ix| ix < count).collect();
        let cmd = frames.begin()?;
        self.record_steps(cmd, &teleported, None)?;
        self.starts = other.starts;
        let gpu = Arc::clone(self.world.gpu());
        let mut timestamps = Timestamps::new(&gpu, 1, device.timestamp_valid_bits())?;
        timestamps.begin_frame(cmd);
        let mut recorder = Recorder::new(&gpu, cmd, &mut timestamps);
        let before = [Access::ComputeReadWrite, Access::TransferWrite];
        recorder.barrier(&before, &[Access::TransferRead, Access::TransferWrite]);
        let particles = 0..other.world.cloth().particle_count();
        let (from, to) = (other.world.cloth(), self.world.cloth());
        for (from, to) in from.state(&particles).into_iter().zip(to.state(&particles)) {
            if from.bytes > 0 {
                recorder.copy(from, to);
            }
        }
        let after = [
            Access::VertexRead,
            Access::ComputeReadWrite,
            Access::TransferRead,
        ];
        recorder.barrier(&[Access::TransferWrite], &after);
        recorder.finish()?;
        frames.submit(Submission::default())?;
        frames.wait_idle()
    }

    /// Rigid things about.
    pub fn props(&self) -> &[Prop] {
        &self.props
    }

    /// What the sampled ones of the rigid things were made of, one per solid of the world.
    pub fn solid_sources(&self) -> Vec<Option<&SolidMesh>> {
        self.props.iter().map(|prop| prop.mesh.as_deref()).collect()
    }

    /// The first character, playing.
    pub fn performance(&self) -> &Performance {
        &self.performances[0]
    }

    /// The rigid things about; those that stand may be put elsewhere, and are there in the next step.
    pub fn props_mut(&mut self) -> &mut [Prop] {
        &mut self.props
    }

    /// All characters, playing.
    pub fn performances(&self) -> &[Performance] {
        &self.performances
    }

    /// Plays a part of the clip from now on, and begins there when it begins anew.
    pub fn set_part(&mut self, part: ClipPart) {
        for performance in &mut self.performances {
            performance.set_part(part);
        }
    }

    /// Plays another clip from its start, or stands still.
    pub fn choose_clip(&mut self, clip_ix: Option<usize>) {
        let count = self.performances.len();
        let (preroll, formation) = (self.preroll_seconds, self.formation);
        self.performances = crowd::performances(&self.avatar, clip_ix, preroll, count, formation);
        self.starts = true;
    }

    /// Goes to that many seconds of the clip, with the cloth where skinning puts it; the others of a crowd keep their distance in time.
    pub fn seek(&mut self, seconds: f32) {
        for performance in &mut self.performances {
            performance.seek(seconds);
        }
        self.starts = true;
    }

    /// Steps until the clip starts; of a crowd, which is amid its clip at once, until the cloth hangs.
    pub fn preroll_steps(&self) -> u32 {
        (self.performance().preroll() / STEP_SECONDS).round() as u32
    }

    /// Simulates until the clip starts, without drawing.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn preroll(&mut self, frames: &mut Frames) -> Result<(), EngineError> {
        self.preroll_watched(frames, || {})
    }

    /// The same; `stepped` is called after each of the [`Show::preroll_steps`].
    ///
    /// # Errors
    /// When the device is lost.
    pub fn preroll_watched(
        &mut self,
        frames: &mut Frames,
        mut stepped: impl FnMut(),
    ) -> Result<(), EngineError> {
        for _ in 0..self.preroll_steps() {
            let cmd = frames.begin()?;
            self.record(cmd, 1, None)?;
            frames.submit(Submission::default())?;
            stepped();
        }
        // A later step may fail; then all of this is dropped.
        frames.wait_idle()
    }

    /// Teleports the characters to the start, with the cloth on them.
    pub fn restart(&mut self) {
        self.performances.iter_mut().for_each(Performance::restart);
        self.seconds = 0.0;
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

    /// Pairs of cloth that found no room in the lists of what may meet so far; `None` where cloth does not meet cloth. Waits for the GPU.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn contacts_left_out(
        &mut self,
        device: &Device,
        frames: &mut Frames,
    ) -> Result<Option<u32>, EngineError> {
        let Some(contacts) = self.world.cloth_contacts() else {
            return Ok(None);
        };
        let overflow = contacts.overflow();
        let words: Vec<u32> = (self.readback).read(device, frames, overflow, OVERFLOW_WORDS)?;
        Ok(Some(words.into_iter().sum()))
    }

    /// How many garments slept in the last submitted frame; `None` where none may. Waits for the GPU.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn garments_asleep(
        &mut self,
        device: &Device,
        frames: &mut Frames,
    ) -> Result<Option<usize>, EngineError> {
        let Some(garments) = self.world.garments_of_last_step() else {
            return Ok(None);
        };
        let count = self.world.garment_count();
        let garments: Vec<GpuGarment> = self.readback.read(device, frames, garments, count)?;
        let asleep = garments.iter().filter(|garment| garment.is_asleep != 0);
        Ok(Some(asleep.count()))
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

    /// What a renderer draws: a character for each body of the world, and a garment for each of its garments.
    pub fn drawn(&self) -> (Vec<&Avatar>, Vec<&Garment>) {
        let bodies = vec![&self.avatar; self.performances.len()];
        let garments = bodies.iter().flat_map(|_| &self.garments).collect();
        (bodies, garments)
    }

    /// The exact body of the first character in this step, baked on the CPU.
    pub fn exact_body(&self) -> Vec<Vec3> {
        bake(&self.avatar.skin, self.performance().palette()).positions
    }

    /// The exact bodies of all characters in this step, one after the other, baked on the CPU.
    pub fn exact_bodies(&self) -> Vec<Vec3> {
        let bodies = self.performances.iter();
        let bake = |performance: &Performance| bake(&self.avatar.skin, performance.palette());
        bodies.flat_map(|body| bake(body).positions).collect()
    }

    /// The triangles of [`Show::exact_bodies`].
    pub fn body_triangles(&self) -> Vec<[u32; 3]> {
        let skin = &self.avatar.skin;
        let first = |ix: usize| (ix * skin.positions.len()) as u32;
        let bodies = 0..self.performances.len();
        let moved = |ix| {
            let triangles = skin.triangles.iter();
            triangles.map(move |triangle| triangle.map(|vertex| vertex + first(ix)))
        };
        bodies.flat_map(moved).collect()
    }
}

fn without_fourth(values: &[[f32; 4]]) -> Vec<Vec3> {
    values
        .iter()
        .map(|&[x, y, z, _]| Vec3::new(x, y, z))
        .collect()
}
