//! Many copies of a dressed character in one world, each somewhere else in the clip.

use std::time::Instant;

use ash::vk;
use glam::{Mat4, Vec3};

use super::{Performance, STEP_SECONDS, ShowDesc};
use crate::engine::Device;
use crate::world::{BodyStep, FrameInput, StepInput, World, WorldError};

/// Metres between neighbours: no arm reaches that far.
const SPACING: f32 = 3.0;
/// Seconds of the clip between neighbours: not a part of any clip's length, so that no two move alike.
const PHASE: f32 = 0.371;

/// A crowd on a device.
pub struct Crowd {
    pub world: World,
    performances: Vec<Performance>,
    starts: bool,
}

impl Crowd {
    /// Builds the world: characters in a square, the first at the origin.
    ///
    /// # Errors
    /// When the device has no room for it.
    pub fn new(
        device: &Device,
        desc: &ShowDesc,
        character_count: usize,
    ) -> Result<Self, WorldError> {
        Ok(Self {
            world: desc.world(device, character_count)?,
            performances: performances(desc, character_count),
            starts: true,
        })
    }

    /// Records a step into a command buffer of [`Frames::begin`](crate::engine::Frames::begin); returns the milliseconds that
    /// [`World::record`] took of the CPU.
    pub fn record(&mut self, cmd: vk::CommandBuffer) -> f32 {
        let starts = std::mem::take(&mut self.starts);
        let jumped: Vec<_> = self
            .performances
            .iter_mut()
            .map(|performance| performance.advance(STEP_SECONDS) || starts)
            .collect();
        let bodies: Vec<_> = self
            .performances
            .iter()
            .zip(jumped)
            .map(|(performance, teleported)| BodyStep {
                bones: performance.palette().into(),
                teleported,
                skin: None,
            })
            .collect();
        let step = StepInput {
            bodies: &bodies,
            solids: &[],
            grab: None,
        };
        let input = FrameInput {
            steps: &[step],
            step_seconds: STEP_SECONDS,
        };
        self.world.collect_times();
        let started = Instant::now();
        // SAFETY: the frames hand out command buffers whose earlier use is over, and submit them in order.
        let recorded = unsafe { self.world.record(cmd, &input) };
        recorded.expect("the crowd poses the bodies that it made");
        started.elapsed().as_secs_f32() * 1e3
    }
}

fn performances(desc: &ShowDesc, character_count: usize) -> Vec<Performance> {
    let columns = (character_count as f32).sqrt().ceil().max(1.0) as usize;
    (0..character_count)
        .map(|ix| {
            let place = SPACING * Vec3::new((ix % columns) as f32, 0.0, (ix / columns) as f32);
            Performance::new(&desc.avatar.skeleton, desc.clip())
                .placed(Mat4::from_translation(place), PHASE * ix as f32)
        })
        .collect()
}
