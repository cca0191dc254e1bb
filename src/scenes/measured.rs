//! What a run measures, summed up.

use serde::Serialize;

use crate::gpu::StageTimes;
use crate::stage::Stage;

/// GPU time of a stage.
#[derive(Serialize)]
pub struct StageReport {
    pub name: Stage,
    pub gpu_ms: Spread,
}

/// How values spread over frames.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Spread {
    pub min: f32,
    pub median: f32,
    pub p95: f32,
    pub max: f32,
}

impl Spread {
    /// Of the values; zeros for none.
    pub fn of(values: &[f32]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f32::total_cmp);
        let Some(last) = sorted.len().checked_sub(1) else {
            return Self::default();
        };
        let at = |part: f32| sorted[(last as f32 * part).round() as usize];
        Self {
            min: sorted[0],
            median: at(0.5),
            p95: at(0.95),
            max: sorted[last],
        }
    }
}

/// Collects the stages' times frame by frame.
#[derive(Default)]
pub struct StageSamples {
    samples: [Vec<f32>; Stage::COUNT],
}

impl StageSamples {
    /// Takes a frame's times, milliseconds.
    pub fn take(&mut self, times: &StageTimes) {
        for (samples, ms) in self.samples.iter_mut().zip(times.stages) {
            samples.extend(ms);
        }
    }

    /// One row per stage that ran.
    pub fn report(&self) -> Vec<StageReport> {
        let rows = Stage::ALL
            .into_iter()
            .zip(&self.samples)
            .filter(|(_, samples)| !samples.is_empty());
        rows.map(|(name, samples)| StageReport {
            name,
            gpu_ms: Spread::of(samples),
        })
        .collect()
    }
}

/// A 64-bit FNV-1a hash of bytes, as hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let hash = bytes.iter().fold(OFFSET, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    });
    format!("{hash:016x}")
}
