//! Trials one after the other, several times: in another order each time, so that none always comes first, when a device is cool.

use std::mem;
use std::time::Instant;

use radial_fields::engine::trace::Trace;
use radial_fields::remark;

use crate::results::{RunMedians, Trial};
use crate::trial::{self, TrialDesc};

/// The most frames of the trial that warms the device up, and does not count.
const WARM_UP_FRAMES: u32 = 60;

/// Plays each trial `runs` times, in orders of their own; one that fails does not take the others with it. What is returned for each is its
/// middle run by [`Trial::both_ms`], with the medians of all. The oracle looks in the first run.
pub fn play(
    descs: &[TrialDesc],
    runs: u32,
    mut trace: Option<&mut Trace>,
) -> Vec<anyhow::Result<Trial>> {
    warm_up(descs);
    let mut played: Vec<anyhow::Result<Vec<Trial>>> =
        descs.iter().map(|_| Ok(Vec::new())).collect();
    for run_ix in 0..runs {
        for ix in order(run_ix, descs.len()) {
            let Ok(trials) = &mut played[ix] else {
                continue;
            };
            let desc = TrialDesc {
                oracle_every: descs[ix].oracle_every.filter(|_| run_ix == 0),
                ..descs[ix]
            };
            let began = Instant::now();
            let trace = trace.as_deref_mut().filter(|_| run_ix == 0);
            match trial::run(&desc, trace) {
                Ok(trial) => trials.push(trial),
                Err(error) => played[ix] = Err(error),
            }
            let seconds = began.elapsed().as_secs_f32();
            remark!("bench:   {}: {seconds:.1} s", desc.name());
        }
    }
    played
        .into_iter()
        .map(|trials| Ok(middle(trials?)))
        .collect()
}

/// What goes wrong here goes wrong again, and is told then. A software device has no clocks to raise.
fn warm_up(descs: &[TrialDesc]) {
    if let Some(first) = descs.first().filter(|desc| desc.device.info.is_gpu) {
        let desc = TrialDesc {
            frames: first.frames.min(WARM_UP_FRAMES),
            oracle_every: None,
            ..*first
        };
        let _ = trial::run(&desc, None);
    }
}

/// The trials of one run, each once: in the order given, then in others.
pub fn order(run_ix: u32, count: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..count).collect();
    if run_ix == 0 {
        return left;
    }
    // Knuth's multiplicative hash: the same orders every time, and unlike one another.
    let mut state = run_ix;
    let mut ordered = Vec::with_capacity(count);
    while !left.is_empty() {
        state = state.wrapping_mul(2_654_435_761).wrapping_add(1);
        ordered.push(left.remove((state >> 16) as usize % left.len()));
    }
    ordered
}

/// # Panics
/// Without any trial.
fn middle(mut trials: Vec<Trial>) -> Trial {
    let runs: Vec<_> = trials.iter().map(RunMedians::of).collect();
    let first = &mut trials[0];
    let judged = (
        first.quality,
        first.seen.take(),
        mem::take(&mut first.positions),
    );
    trials.sort_by(|a, b| a.both_ms.median.total_cmp(&b.both_ms.median));
    let mut middle = trials.swap_remove((trials.len() - 1) / 2);
    (middle.quality, middle.seen, middle.positions) = judged;
    middle.runs = runs;
    middle
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn every_run_has_every_trial_once_and_an_order_of_its_own() {
        let orders: Vec<_> = (0..4).map(|run_ix| order(run_ix, 6)).collect();
        for (ix, found) in orders.iter().enumerate() {
            let mut sorted = found.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
            assert!(!orders[..ix].contains(found), "{orders:?}");
        }
        assert_eq!(order(0, 3), [0, 1, 2]);
        assert!(order(5, 0).is_empty());
    }
}
