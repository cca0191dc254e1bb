//! A short calibration: which of several techniques a device runs a show quickest with.

use std::sync::Arc;

use super::{Show, ShowDesc, ShowError, Spread};
use crate::collide::Technique;
use crate::engine::{Device, Frames, Submission};
use crate::gpu::StageTimes;
use crate::stage::Stage;

/// Frames before the first that counts: clocks rise and caches fill.
const WARM_UP_FRAMES: usize = 20;
/// Frames that count. Their median is steady to a few percent.
const TIMED_FRAMES: usize = 40;
const FRAMES_IN_FLIGHT: usize = 2;

/// The technique with which updates and collisions of a frame take least, of `among`, which is not empty. The same results
/// are not promised of different techniques: name one if results must be the same from run to run.
///
/// Where nothing can be timed, as on software devices, it is the first.
///
/// # Errors
/// When there is no room for the show or the device is lost.
pub fn quickest(
    device: &Arc<Device>,
    desc: &ShowDesc,
    among: &[Technique],
) -> Result<Technique, ShowError> {
    let can_time = device.info.is_gpu && device.timestamp_valid_bits() > 0;
    let mut best = (f32::INFINITY, among[0]);
    for &technique in among.iter().filter(|_| can_time) {
        let desc = ShowDesc {
            technique,
            ..desc.clone()
        };
        let ms = median_ms(device, &desc, &COLLISION)?;
        tracing::info!(technique = technique.name(), ms, "calibration");
        if ms < best.0 {
            best = (ms, technique);
        }
    }
    Ok(best.1)
}

/// The stages that differ between techniques.
const COLLISION: [Stage; 3] = [Stage::CollideClear, Stage::CollideUpdate, Stage::Collide];

/// Milliseconds that some stages of a show's frames take together, the median.
pub(super) fn median_ms(
    device: &Arc<Device>,
    desc: &ShowDesc,
    stages: &[Stage],
) -> Result<f32, ShowError> {
    let desc = ShowDesc {
        props: Vec::new(),
        frames_in_flight: FRAMES_IN_FLIGHT,
        ..desc.clone()
    };
    let mut show = Show::new(device, desc)?;
    // Dropped before the show, and waits for the GPU then.
    let mut frames = Frames::new(device, FRAMES_IN_FLIGHT)?;
    let mut samples = Vec::with_capacity(TIMED_FRAMES);
    for frame_ix in 0..WARM_UP_FRAMES + TIMED_FRAMES {
        let cmd = frames.begin()?;
        show.record(cmd, 1, None)?;
        frames.submit(Submission::default())?;
        if frame_ix >= WARM_UP_FRAMES {
            samples.push(sum_ms(show.world.stage_times(), stages));
        }
    }
    Ok(Spread::of(&samples).median)
}

fn sum_ms(times: &StageTimes, stages: &[Stage]) -> f32 {
    let ms = |stage: &Stage| times.stages[stage.ix()];
    stages.iter().filter_map(ms).sum()
}
