//! A bare engine over ash that dresses its character: its own device, memory, frame loop and draw, and the library only
//! where the cloth is simulated.
//!
//!     cargo run --example host_ash --no-default-features -- --frames 300 --out ash.png --validate

mod draw;
mod engine;

use std::path::PathBuf;

use ash::vk;
use glam::Mat4;
use radial_fields::avatar::builtin;
use radial_fields::cloth::garment::make;
use radial_fields::pose::bind_pose;
use radial_fields::{
    Avatar, BodyDef, FrameInput, Garment, GarmentDef, GarmentKind, Host, Palette, Pose, StepInput,
    World, WorldDef,
};

use draw::Picture;
use engine::{Engine, FRAMES_IN_FLIGHT, Result};

/// Seconds of a simulation step.
const STEP_SECONDS: f32 = 1.0 / 60.0;
/// Seconds from the pose the clothes were made in to the first of the clip.
const EASE_IN: f32 = 1.0;

struct Arguments {
    frames: u32,
    out: PathBuf,
    validate: bool,
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    let avatar = builtin::load_mannequin();
    let garments = make(GarmentKind::Skirt, &avatar, 1500)?;
    let mut engine = Engine::open(arguments.validate)?;
    let mut world = dress(&engine, &avatar, &garments)?;
    let picture = Picture::new(&mut engine, &avatar, &garments)?;
    for frame_ix in 0..arguments.frames {
        let palette = palette_at(&avatar, frame_ix as f32 * STEP_SECONDS);
        let palettes = [&palette];
        let step = StepInput {
            palettes: &palettes,
            teleported: frame_ix == 0,
            grab: None,
        };
        let input = FrameInput {
            steps: &[step],
            step_seconds: STEP_SECONDS,
        };
        engine.frame(|engine, cmd| {
            // SAFETY: the command buffer is recording, and the engine submits each once and in order.
            unsafe { world.record(cmd, &input) };
            picture.draw(engine, cmd, &world);
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

/// Puts the garments on the character. What follows is all the library needs to know of the engine.
fn dress(engine: &Engine, avatar: &Avatar, garments: &[Garment]) -> Result<World> {
    let host = Host {
        instance: &engine.instance,
        physical_device: engine.physical_device,
        device: &engine.device,
        queue_family_ix: engine.queue_family_ix,
        allocator: None,
        pipeline_cache: vk::PipelineCache::null(),
        frames_in_flight: FRAMES_IN_FLIGHT,
        debug_utils: engine.validates,
    };
    let bodies = [BodyDef {
        avatar,
        fit: Default::default(),
    }];
    let worn: Vec<_> = garments
        .iter()
        .map(|garment| GarmentDef {
            garment,
            body_ix: 0,
            settings: Default::default(),
        })
        .collect();
    let def = WorldDef {
        bodies: &bodies,
        garments: &worn,
        ..WorldDef::default()
    };
    // SAFETY: the engine's handles belong together, its device has what the library asks for and outlives the world.
    Ok(unsafe { World::new(&host, &def)? })
}

/// Where the bones are: out of the pose the clothes were made in, then through the character's own clip.
fn palette_at(avatar: &Avatar, seconds: f32) -> Palette {
    let clip = &avatar.clips[0];
    let pose = Pose::sample(clip, &avatar.skeleton, (seconds - EASE_IN).max(0.0));
    let eased = (seconds / EASE_IN).min(1.0);
    let pose = Pose::blend(&bind_pose(&avatar.skeleton), &pose, eased);
    Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY)
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
