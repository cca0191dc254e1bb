//! A trace of the next frames, for Perfetto: from a button, a key or a flag.

use std::path::PathBuf;
use std::time::Instant;

use radial_fields::engine::output::write_whole;
use radial_fields::engine::trace::Trace;
use radial_fields::engine::traced::{CpuFrame, TracedFrames};
use radial_fields::engine::{ClockReading, Device};
use radial_fields::gpu::StageTimes;

use crate::preload::FRAMES_IN_FLIGHT;

/// A trace in the making.
pub struct Tracing {
    file: PathBuf,
    /// One per world shown: its name, and what it took. The first has the CPU's times as well.
    runs: Vec<(String, TracedFrames)>,
    /// Frames since it began.
    frame_ix: u64,
    frame_count: usize,
    began: Option<ClockReading>,
}

impl Tracing {
    /// Begins with the next frame. `names`: of the worlds shown.
    pub fn new(device: &Device, file: PathBuf, names: &[&str], frame_count: usize) -> Self {
        let run = |name: &&str| ((*name).to_owned(), TracedFrames::new(frame_count));
        Self {
            file,
            runs: names.iter().map(run).collect(),
            frame_ix: 0,
            frame_count,
            began: device.read_clocks(),
        }
    }

    /// Takes GPU times that have just come in: those of the frame that many frames ago as are in flight.
    pub fn take_gpu(&mut self, run_ix: usize, times: &StageTimes) {
        let measured_ix = self.frame_ix.checked_sub(FRAMES_IN_FLIGHT as u64);
        if let (Some((_, frames)), Some(frame_ix)) = (self.runs.get_mut(run_ix), measured_ix) {
            frames.take_gpu(frame_ix, times);
        }
    }

    /// Takes what the CPU did, and ends the frame.
    pub fn take_cpu(&mut self, cpu: CpuFrame) {
        if let Some((_, frames)) = self.runs.first_mut() {
            frames.take_cpu(self.frame_ix, cpu);
        }
        self.frame_ix += 1;
    }

    /// Whether the GPU times of all its frames have come in.
    pub fn is_complete(&self) -> bool {
        self.frame_ix >= (self.frame_count + FRAMES_IN_FLIGHT) as u64
    }

    /// Writes the file and returns its name.
    pub fn save(self, device: &Device) -> anyhow::Result<PathBuf> {
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
        write_whole(&self.file, &json)?;
        Ok(self.file)
    }
}
