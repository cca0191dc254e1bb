//! A bare engine over ash that dresses its character: its own device, memory, frame loop and draw, and the library only
//! where the cloth is simulated.
//!
//!     cargo run --example host_ash --no-default-features --features authoring -- --frames 300 --out ash.png --validate

mod draw;
mod engine;
mod pipeline;
#[path = "../show/mod.rs"]
mod show;

use ash::vk;
use clap::Parser;
use radial_fields::{BodyStep, FrameInput, Host, StepInput, World};

use draw::Picture;
use engine::{Engine, FRAMES_IN_FLIGHT, Result};
use show::{Arguments, STEP_SECONDS, Show};

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let mut show = Show::new(arguments.frames)?;
    let mut engine = Engine::open(arguments.validate)?;
    let mut world = dress(&engine, &show)?;
    let picture = Picture::new(&mut engine, &show.triangles())?;
    let played = play(
        &mut engine,
        &mut world,
        &mut show,
        &picture,
        arguments.frames,
    );
    // Whatever came of it, the GPU may still be at work on the world.
    engine.wait()?;
    played?;
    picture.save(&arguments.out)?;
    drop(world);
    match engine.message_count() {
        0 => Ok(()),
        count => Err(format!("validation said {count} things").into()),
    }
}

fn play(
    engine: &mut Engine,
    world: &mut World,
    show: &mut Show,
    picture: &Picture,
    frames: u32,
) -> Result<()> {
    for frame_ix in 0..frames {
        show.change(world, frame_ix)?;
        let palettes = show.palettes(frame_ix);
        let bodies = [0, 1].map(|ix| BodyStep::moved(&palettes[ix]));
        let step = StepInput {
            bodies: &bodies[..world.body_count()],
            ..Default::default()
        };
        let input = FrameInput {
            steps: &[step],
            step_seconds: STEP_SECONDS,
        };
        engine.frame(|cmd| {
            // SAFETY: the command buffer is recording, and the engine submits each once and in order.
            unsafe { world.record(cmd, &input)? };
            picture.draw(cmd, world, show);
            Ok(())
        })?;
    }
    Ok(())
}

/// All that the library needs to know of the engine.
fn dress(engine: &Engine, show: &Show) -> Result<World> {
    let host = Host {
        instance: &engine.instance,
        physical_device: engine.physical_device,
        device: &engine.device,
        queue_family_ix: engine.queue_family_ix,
        shared_with: &[],
        allocator: None,
        pipeline_cache: vk::PipelineCache::null(),
        frames_in_flight: FRAMES_IN_FLIGHT,
        debug_utils: engine.validates(),
        pipeline_executables: false,
        features: Some(&engine.features),
    };
    // SAFETY: the engine's handles belong together, its device has what the library asks for and outlives the world.
    Ok(unsafe { show.world(&host)? })
}
