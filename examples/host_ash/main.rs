//! A bare engine over ash that dresses its character: its own device, memory, frame loop and draw, and the library only
//! where the cloth is simulated.
//!
//!     cargo run --example host_ash --no-default-features -- --frames 300 --out ash.png --validate

mod draw;
mod engine;

use std::path::PathBuf;

use ash::vk;
use glam::{Mat4, Vec3};
use radial_fields::avatar::builtin;
use radial_fields::cloth::garment::make;
use radial_fields::pose::bind_pose;
use radial_fields::{
    Avatar, BodyDef, BodyStep, FrameInput, Garment, GarmentDef, GarmentKind, Host, Palette, Pose,
    StepInput, World, WorldDef,
};

use draw::Picture;
use engine::{Engine, FRAMES_IN_FLIGHT, Result};

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
    let avatar = builtin::load_mannequin();
    let mut wardrobe = make(GarmentKind::Skirt, &avatar, 1500)?;
    wardrobe.extend(make(GarmentKind::TrousersAndTop, &avatar, 2500)?);
    wardrobe.extend(make(GarmentKind::Cape, &avatar, 1000)?);
    let mut worn = vec![SKIRT];
    let mut engine = Engine::open(arguments.validate)?;
    let mut world = dress(&engine, &avatar, &wardrobe[SKIRT])?;
    let picture = Picture::new(&mut engine, &avatar, &wardrobe)?;
    for frame_ix in 0..arguments.frames {
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
        let input = FrameInput {
            steps: &[StepInput {
                bodies: &bodies[..world.body_count()],
                grab: None,
            }],
            step_seconds: STEP_SECONDS,
        };
        engine.frame(|engine, cmd| {
            // SAFETY: the command buffer is recording, and the engine submits each once and in order.
            unsafe { world.record(cmd, &input)? };
            picture.draw(engine, cmd, &world, &worn);
            Ok(())
        })?;
    }
    engine.wait()?;
    picture.save(&arguments.out)?;
    drop(world);
    picture.destroy(&engine);
    match engine.message_count() {
        0 => Ok(()),
        count => Err(format!("validation said {count} things").into()),
    }
}

/// Puts a garment on the character. What follows is all the library needs to know of the engine.
fn dress(engine: &Engine, avatar: &Avatar, garment: &Garment) -> Result<World> {
    let host = Host {
        instance: &engine.instance,
        physical_device: engine.physical_device,
        device: &engine.device,
        queue_family_ix: engine.queue_family_ix,
        shared_with: &[],
        allocator: None,
        pipeline_cache: vk::PipelineCache::null(),
        frames_in_flight: FRAMES_IN_FLIGHT,
        debug_utils: engine.validates,
        features: Some(&engine.features),
    };
    let (bodies, garments) = ([BodyDef::new(avatar)], [GarmentDef::new(garment, 0)]);
    let def = WorldDef {
        bodies: &bodies,
        garments: &garments,
        ..WorldDef::default()
    };
    // SAFETY: the engine's handles belong together, its device has what the library asks for and outlives the world.
    Ok(unsafe { World::new(&host, &def)? })
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

fn arguments() -> Result<Arguments> {
    let mut arguments = Arguments {
        frames: 120,
        out: "host_ash.png".into(),
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
