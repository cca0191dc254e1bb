//! A wgpu application that dresses its character: it opens its device with what the library needs, hands over the handles
//! beneath wgpu where the cloth is simulated, and draws with wgpu alone.
//!
//!     cargo run -p host_wgpu -- --frames 300 --out wgpu.png --validate

mod device;
mod draw;

use std::collections::VecDeque;
use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use radial_fields::avatar::builtin;
use radial_fields::cloth::garment::make;
use radial_fields::glam::{Mat4, Vec3};
use radial_fields::pose::bind_pose;
use radial_fields::{
    Avatar, BodyDef, BodyStep, FrameInput, Garment, GarmentDef, GarmentKind, Palette, Pose,
    StepInput, World, WorldDef,
};
use wgpu::hal::api::Vulkan;

use device::{FRAMES_IN_FLIGHT, Gpu};
use draw::Picture;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Seconds of a simulation step.
const STEP_SECONDS: f32 = 1.0 / 60.0;
/// Seconds from the pose the clothes were made in to the first of the clip.
const EASE_IN: f32 = 1.0;
/// Metres from the character to the friend who comes along.
const ASIDE: f32 = 1.1;
/// Where in the wardrobe garments are.
const SKIRT: usize = 0;
const TROUSERS_AND_TOP: [usize; 2] = [1, 2];
const CAPE: [usize; 1] = [3];

struct Arguments {
    frames: u32,
    out: PathBuf,
    validate: bool,
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    log::set_logger(&COMPLAINTS).map(|()| log::set_max_level(log::LevelFilter::Warn))?;
    let avatar = builtin::load_mannequin();
    let mut wardrobe = make(GarmentKind::Skirt, &avatar, 1500)?;
    wardrobe.extend(make(GarmentKind::TrousersAndTop, &avatar, 2500)?);
    wardrobe.extend(make(GarmentKind::Cape, &avatar, 1000)?);
    let mut worn = vec![SKIRT];
    let gpu = Gpu::open(arguments.validate)?;
    let mut world = dress(&gpu, &avatar, &wardrobe[SKIRT])?;
    let picture = Picture::new(&gpu, &avatar, &wardrobe);
    let mut in_flight = VecDeque::new();
    for frame_ix in 0..arguments.frames {
        // The library is told how many frames are in flight, so the application keeps to it.
        if in_flight.len() == FRAMES_IN_FLIGHT {
            gpu.device.poll(wgpu::PollType::Wait {
                submission_index: in_flight.pop_front(),
                timeout: None,
            })?;
        }
        guests(
            &mut world,
            &avatar,
            &wardrobe,
            &mut worn,
            (frame_ix, arguments.frames),
        )?;
        let seconds = frame_ix as f32 * STEP_SECONDS;
        let palettes = [0.0, ASIDE].map(|aside| palette_at(&avatar, seconds, aside));
        let bodies = [0, 1].map(|ix| BodyStep::moved(&palettes[ix]));
        let bodies = &bodies[..world.body_count()];
        let simulation = simulate(&gpu, &mut world, bodies)?;
        let drawing = picture.draw(&gpu, &world, &worn);
        in_flight.push_back(gpu.queue.submit([simulation, drawing]));
    }
    picture.save(&gpu, &arguments.out)?;
    drop(world);
    drop(gpu);
    match COMPLAINTS.count.load(Ordering::Relaxed) {
        0 => Ok(()),
        count => Err(format!("validation said {count} things").into()),
    }
}

/// Puts a garment on the character.
fn dress(gpu: &Gpu, avatar: &Avatar, garment: &Garment) -> Result<World> {
    let (bodies, garments) = ([BodyDef::new(avatar)], [GarmentDef::new(garment, 0)]);
    let def = WorldDef {
        bodies: &bodies,
        garments: &garments,
        ..WorldDef::default()
    };
    // SAFETY: the handles belong together, the device was opened with what the library asks for and outlives the world.
    gpu.with_host(|host| Ok(unsafe { World::new(host, &def)? }))
}

/// Records a step into a command buffer of wgpu's, which has nothing else in it: wgpu may not look on meanwhile.
fn simulate(gpu: &Gpu, world: &mut World, bodies: &[BodyStep]) -> Result<wgpu::CommandBuffer> {
    let input = FrameInput {
        steps: &[StepInput { bodies, grab: None }],
        step_seconds: STEP_SECONDS,
    };
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    // SAFETY: the command buffer is recording, outside a pass, and is submitted once and in order.
    unsafe {
        encoder.as_hal_mut::<Vulkan, _, _>(|encoder| {
            let encoder = encoder.ok_or("wgpu does not run on Vulkan")?;
            Ok::<_, Box<dyn Error>>(world.record(encoder.raw_handle(), &input)?)
        })?;
    }
    Ok(encoder.finish())
}

/// A friend comes along in trousers and a top, goes, and comes back in a cape. `worn`: which of the wardrobe the world's
/// garments are.
fn guests(
    world: &mut World,
    avatar: &Avatar,
    wardrobe: &[Garment],
    worn: &mut Vec<usize>,
    (frame_ix, frames): (u32, u32),
) -> Result<()> {
    let outfit: &[usize] = match frame_ix {
        ix if ix == frames / 4 => &TROUSERS_AND_TOP,
        ix if ix == frames / 2 => {
            world.edit(|cast| cast.remove_body(1))?;
            worn.truncate(1);
            return Ok(());
        }
        ix if ix == frames / 4 * 3 => &CAPE,
        _ => return Ok(()),
    };
    world.edit(|cast| {
        let body_ix = cast.add_body(&BodyDef::new(avatar))?;
        for &garment_ix in outfit {
            cast.add_garment(&GarmentDef::new(&wardrobe[garment_ix], body_ix))?;
        }
        Ok(())
    })?;
    worn.extend_from_slice(outfit);
    Ok(())
}

/// Where the bones are: out of the pose the clothes were made in, then through the character's own clip.
fn palette_at(avatar: &Avatar, seconds: f32, aside: f32) -> Palette {
    let clip = &avatar.clips[0];
    let pose = Pose::sample(clip, &avatar.skeleton, (seconds - EASE_IN).max(0.0));
    let eased = (seconds / EASE_IN).min(1.0);
    let pose = Pose::blend(&bind_pose(&avatar.skeleton), &pose, eased);
    Palette::new(
        &avatar.skeleton,
        &pose,
        Mat4::from_translation(aside * Vec3::X),
    )
}

/// Validation layer 1.3.239 does not know WGSL, which wgpu's debug information names as the language of its shaders
/// (UNASSIGNED-CoreValidation-Shader-InconsistentSpirv); later ones do:
/// <https://github.com/KhronosGroup/SPIRV-Headers/pull/358>.
const SUPPRESSED: &str = "Invalid source language operand: 10";

/// What wgpu, and Vulkan's validation through it, had to say.
struct Complaints {
    count: AtomicU32,
}

static COMPLAINTS: Complaints = Complaints {
    count: AtomicU32::new(0),
};

impl log::Log for Complaints {
    fn enabled(&self, metadata: &log::Metadata) -> bool {
        metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &log::Record) {
        let text = record.args().to_string();
        // Lines that go on with a message begin so.
        if text.starts_with('\t') || text.contains(SUPPRESSED) {
            return;
        }
        eprintln!("{}: {text}", record.target());
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    fn flush(&self) {}
}

fn arguments() -> Result<Arguments> {
    let mut arguments = Arguments {
        frames: 120,
        out: "host_wgpu.png".into(),
        validate: false,
    };
    let mut given = std::env::args().skip(1);
    while let Some(flag) = given.next() {
        let mut value = || given.next().ok_or(format!("{flag} wants a value"));
        match flag.as_str() {
            "--frames" => arguments.frames = value()?.parse()?,
            "--out" => arguments.out = value()?.into(),
            "--validate" => arguments.validate = true,
            _ => {
                return Err(format!("{flag}: there are --frames N, --out FILE, --validate").into());
            }
        }
    }
    Ok(arguments)
}
