//! A trace of the next frames or of those round a slow one, for Perfetto: from a button, a key or a flag.

use std::path::PathBuf;
use std::time::Instant;

use radial_fields::engine::output::write_whole;
use radial_fields::engine::trace::Trace;
use radial_fields::engine::traced::{CpuFrame, TracedFrames};
use radial_fields::engine::{ClockReading, Device};
use radial_fields::gpu::StageTimes;
use radial_fields::remark;

use crate::preload::FRAMES_IN_FLIGHT;

/// The most frames before a slow one that are kept: what led to it is in the last few.
const MOST_BEFORE: usize = 10;

/// What is to be traced.
pub struct TraceDesc {
    pub file: PathBuf,
    pub frame_count: usize,
    /// Wait for a frame that takes more milliseconds than this, and have those before it too.
    pub over_ms: Option<f32>,
}

/// A trace in the making.
pub struct Tracing {
    desc: TraceDesc,
    /// One per world shown: its name, and what it took. The first has the CPU's times as well.
    runs: Vec<(String, TracedFrames)>,
    /// Frames since it began.
    frame_ix: u64,
    /// Whether no frame was slow yet, of a trace that waits for one.
    is_waiting: bool,
    began: Option<ClockReading>,
}

impl Tracing {
    /// Begins with the next frame. `names`: of the worlds shown.
    pub fn new(device: &Device, desc: TraceDesc, names: &[&str]) -> Self {
        let run = |name: &&str| ((*name).to_owned(), TracedFrames::new(desc.frame_count));
        Self {
            runs: names.iter().map(run).collect(),
            frame_ix: 0,
            is_waiting: desc.over_ms.is_some(),
            desc,
            began: device.read_clocks(),
        }
    }

    /// Whether it waits for a slow frame still.
    #[cfg(feature = "viewer")]
    pub fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    /// Takes GPU times that have just come in: those of the frame that many frames ago as are in flight.
    pub fn take_gpu(&mut self, run_ix: usize, times: &StageTimes) {
        let measured_ix = self.measured_ix();
        if let (Some((_, frames)), Some(frame_ix)) = (self.runs.get_mut(run_ix), measured_ix) {
            frames.take_gpu(frame_ix, times);
        }
    }

    /// Takes what the CPU did, and ends the frame.
    pub fn take_cpu(&mut self, cpu: CpuFrame) {
        if let Some((_, frames)) = self.runs.first_mut() {
            frames.take_cpu(self.frame_ix, cpu);
        }
        if let (true, Some(over_ms)) = (self.is_waiting, self.desc.over_ms) {
            match self.slow_ix(cpu, over_ms) {
                Some(slow_ix) => self.begin_at(slow_ix),
                None => self.forget(),
            }
        }
        self.frame_ix += 1;
    }

    /// The frame whose GPU times come in now.
    fn measured_ix(&self) -> Option<u64> {
        self.frame_ix.checked_sub(FRAMES_IN_FLIGHT as u64)
    }

    /// The frame that was slow: this one on the CPU, or the one measured now on the GPU.
    fn slow_ix(&self, cpu: CpuFrame, over_ms: f32) -> Option<u64> {
        let cpu_ms = cpu.submitted.duration_since(cpu.began).as_secs_f32() * 1e3;
        let of_gpu = self.measured_ix().filter(|&ix| self.gpu_ms(ix) > over_ms);
        of_gpu.or((cpu_ms > over_ms).then_some(self.frame_ix))
    }

    /// All worlds together.
    fn gpu_ms(&self, frame_ix: u64) -> f32 {
        let spans = self
            .runs
            .iter()
            .filter_map(|(_, frames)| frames.gpu_span_ns(frame_ix));
        let all = spans.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        all.map_or(0.0, |[begin, end]| end.saturating_sub(begin) as f32 * 1e-6)
    }

    fn begin_at(&mut self, slow_ix: u64) {
        self.is_waiting = false;
        if let Some((_, frames)) = self.runs.first_mut() {
            frames.mark_slow(slow_ix);
        }
    }

    /// Makes room for the next frame. Those are kept that the next one may be slow after, and those whose GPU times are to come.
    fn forget(&mut self) {
        let before = MOST_BEFORE.min(self.desc.frame_count / 2) + FRAMES_IN_FLIGHT;
        let first_ix = (self.frame_ix + 1).saturating_sub(before as u64);
        for (_, frames) in &mut self.runs {
            frames.go_on_from(first_ix);
        }
    }

    /// Whether the GPU times of all its frames have come in.
    pub fn is_complete(&self) -> bool {
        let first_ix = self.runs.first().map_or(0, |(_, frames)| frames.first_ix());
        let end = first_ix + (self.desc.frame_count + FRAMES_IN_FLIGHT) as u64;
        !self.is_waiting && self.frame_ix >= end
    }

    /// Writes the file and returns its name; says so and returns none when it waited for a slow frame that never came.
    pub fn save(self, device: &Device) -> anyhow::Result<Option<PathBuf>> {
        if let (true, Some(over_ms)) = (self.is_waiting, self.desc.over_ms) {
            remark!("viewer: no frame took longer than {over_ms} ms: no trace");
            return Ok(None);
        }
        let readings = [self.began, device.read_clocks()];
        let first = self.runs.first();
        let alignment = first.and_then(|(_, frames)| frames.align(readings));
        let mut trace = Trace::default();
        let began = first.and_then(|(_, frames)| frames.began());
        let origin = began.unwrap_or_else(Instant::now);
        for (name, frames) in &self.runs {
            frames.write(&mut trace, name, origin, alignment.as_ref());
        }
        let json = trace.to_json()?;
        write_whole(&self.desc.file, &json)?;
        Ok(Some(self.desc.file))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use radial_fields::stage::Stage;

    use super::*;

    const DESC: TraceDesc = TraceDesc {
        file: PathBuf::new(),
        frame_count: 6,
        over_ms: Some(5.0),
    };

    /// Frames of a millisecond, and one of nine on the GPU. Returns those that are kept.
    fn kept(slow_ix: u64) -> Vec<u64> {
        let mut tracing = Tracing {
            desc: DESC,
            runs: vec![(String::new(), TracedFrames::new(DESC.frame_count))],
            frame_ix: 0,
            is_waiting: true,
            began: None,
        };
        for frame_ix in 0..40 {
            if let Some(measured_ix) = tracing.measured_ix() {
                let end_ns = if measured_ix == slow_ix {
                    9_000_000
                } else {
                    1_000_000
                };
                let times = StageTimes {
                    stages: [None; Stage::COUNT],
                    spans: vec![(Stage::Bake, 0, end_ns)],
                    passes: Vec::new(),
                    total_ms: 0.0,
                    frame_ix: measured_ix,
                };
                tracing.take_gpu(0, &times);
            }
            let began = Instant::now();
            let end = began + Duration::from_millis(1);
            tracing.take_cpu(CpuFrame {
                began,
                waited: end,
                recorded: end,
                submitted: end,
            });
            if tracing.is_complete() {
                break;
            }
            assert!(frame_ix < 39 || tracing.is_waiting, "it ends");
        }
        assert_eq!(tracing.is_waiting, slow_ix > 40);
        let (_, frames) = &tracing.runs[0];
        (0..40)
            .filter(|&ix| frames.gpu_span_ns(ix).is_some())
            .collect()
    }

    #[test]
    fn a_slow_frame_is_kept_with_those_before_and_after_it() {
        assert_eq!(kept(20), [17, 18, 19, 20, 21, 22]);
        assert_eq!(kept(0), [0, 1, 2, 3, 4, 5], "the first has none before it");
    }

    #[test]
    fn without_a_slow_frame_it_waits_on() {
        assert!(kept(1000).len() <= DESC.frame_count);
    }
}
