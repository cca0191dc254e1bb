//! A wgpu application that dresses its character: it opens its device with what the library needs, hands over the handles
//! beneath wgpu where the cloth is simulated, and draws with wgpu alone.
//!
//!     cargo run -p host_wgpu -- --frames 300 --out wgpu.png --validate

mod complaints;
mod device;
mod draw;
#[path = "../../show/mod.rs"]
mod show;

use std::collections::VecDeque;
use std::error::Error;

use clap::Parser;
use radial_fields::{BodyStep, FrameInput, StepInput, World};
use wgpu::hal::api::Vulkan;

use device::{FRAMES_IN_FLIGHT, Gpu};
use draw::Picture;
use show::{Arguments, STEP_SECONDS, Show};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    complaints::listen()?;
    let mut show = Show::new(arguments.frames)?;
    let gpu = Gpu::open(arguments.validate)?;
    // SAFETY: the handles belong together, the device was opened with what the library asks for and outlives the world.
    let mut world = gpu.with_host(|host| Ok(unsafe { show.world(host)? }))?;
    let picture = Picture::new(&gpu, &show.triangles());
    let played = play(&gpu, &mut world, &mut show, &picture, arguments.frames);
    // Whatever came of it, the GPU may still be at work on the world.
    gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
    played?;
    picture.save(&gpu, &arguments.out)?;
    drop(world);
    drop(gpu);
    match complaints::count() {
        0 => Ok(()),
        count => Err(format!("validation said {count} things").into()),
    }
}

fn play(
    gpu: &Gpu,
    world: &mut World,
    show: &mut Show,
    picture: &Picture,
    frames: u32,
) -> Result<()> {
    let mut in_flight = VecDeque::new();
    for frame_ix in 0..frames {
        // The library is told how many frames are in flight, so the application keeps to it.
        if in_flight.len() == FRAMES_IN_FLIGHT {
            gpu.device.poll(wgpu::PollType::Wait {
                submission_index: in_flight.pop_front(),
                timeout: None,
            })?;
        }
        show.change(world, frame_ix)?;
        let palettes = show.palettes(frame_ix);
        let bodies = [0, 1].map(|ix| BodyStep::moved(&palettes[ix]));
        let bodies = &bodies[..world.body_count()];
        let simulation = simulate(gpu, world, bodies)?;
        let drawing = picture.draw(gpu, world, show);
        in_flight.push_back(gpu.queue.submit([simulation, drawing]));
    }
    Ok(())
}

/// Records a step into a command buffer of wgpu's, which has nothing else in it: wgpu may not look on meanwhile.
fn simulate(gpu: &Gpu, world: &mut World, bodies: &[BodyStep]) -> Result<wgpu::CommandBuffer> {
    let input = FrameInput {
        steps: &[StepInput {
            bodies,
            ..Default::default()
        }],
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
