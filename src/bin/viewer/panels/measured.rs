//! The GPU times of what is shown, as the panels have them.

use radial_fields::gpu::StageTimes;
use radial_fields::overlay::{PassCost, StageColumn, Times, join};

/// Frames over which the times of single passes are smoothed, so that they can be read.
const SMOOTHED_FRAMES: f32 = 16.0;

/// What was measured of one world in its last frames.
#[derive(Default)]
pub struct Measured {
    pub times: Times,
    /// Dispatches and draws by shader; none unless each is timed on its own.
    pub passes: Vec<PassCost>,
    /// The newest frames whose times were taken: of the simulation, of the picture, of the panels.
    taken: [Option<u64>; 3],
}

impl Measured {
    /// Takes in the times that came in since the last call: of the simulation, of the picture, and of the panels if they count here.
    /// `see` looks at each of them.
    pub fn take(&mut self, sources: [Option<&StageTimes>; 3], mut see: impl FnMut(&StageTimes)) {
        let mut column = StageColumn::default();
        for (times, taken) in sources.into_iter().zip(&mut self.taken) {
            let Some(times) = times else { continue };
            if times.spans.is_empty() || taken.replace(times.frame_ix) == Some(times.frame_ix) {
                continue; // Not measured yet, or not anew.
            }
            take_passes(&mut self.passes, times);
            column = join(&[&column, &times.stages]);
            see(times);
        }
        if column.iter().any(Option::is_some) {
            self.times.stages.push(column);
        }
    }
}

/// Takes in what single passes took in a frame.
fn take_passes(passes: &mut Vec<PassCost>, times: &StageTimes) {
    let mut known: Vec<PassCost> = Vec::new();
    for pass in &times.passes {
        let ix = known.iter().position(|known| known.name == pass.name);
        let ix = ix.unwrap_or_else(|| {
            known.push(PassCost {
                name: pass.name,
                per_frame: 0,
                ms: 0.0,
                bound_bytes: 0,
            });
            known.len() - 1
        });
        let cost = &mut known[ix];
        cost.per_frame += 1;
        cost.bound_bytes += pass.bound_bytes;
        cost.ms += pass.end_ns.saturating_sub(pass.begin_ns) as f32 * 1e-6;
    }
    for cost in known {
        match passes.iter_mut().find(|old| old.name == cost.name) {
            Some(old) => {
                let ms = old.ms + (cost.ms - old.ms) / SMOOTHED_FRAMES;
                *old = PassCost { ms, ..cost };
            }
            None => passes.push(cost),
        }
    }
}
