//! Frames on their way into a trace: CPU times are known immediately, GPU times some frames later.

use std::collections::VecDeque;
use std::time::Instant;

use super::ClockReading;
use super::trace::{Alignment, Run, Trace};
use crate::gpu::{PassSpan, StageTimes};
use crate::stage::Stage;

/// What the CPU did in a frame: the ends of waiting, recording and submitting.
#[derive(Clone, Copy, Debug)]
pub struct CpuFrame {
    pub began: Instant,
    pub waited: Instant,
    pub recorded: Instant,
    pub submitted: Instant,
}

/// Some frames of one run, gathered until their GPU times have come in: the first ones, unless others have taken their room.
#[derive(Clone, Debug)]
pub struct TracedFrames {
    /// The number of the first.
    first_ix: u64,
    frames: VecDeque<Frame>,
    /// That for whose sake they are traced.
    slow_ix: Option<u64>,
}

#[derive(Clone, Debug, Default)]
struct Frame {
    cpu: Option<CpuFrame>,
    /// Begin and end on the GPU's clock, nanoseconds.
    spans: Vec<(Stage, u64, u64)>,
    passes: Vec<PassSpan>,
}

impl TracedFrames {
    /// Room for `count` frames, numbered from 0; others are ignored.
    pub fn new(count: usize) -> Self {
        Self {
            first_ix: 0,
            frames: vec![Frame::default(); count].into(),
            slow_ix: None,
        }
    }

    /// The number of the first one.
    pub fn first_ix(&self) -> u64 {
        self.first_ix
    }

    /// Forgets those before that one, and has as much room for later ones.
    pub fn go_on_from(&mut self, first_ix: u64) {
        while self.first_ix < first_ix {
            self.frames.pop_front();
            self.frames.push_back(Frame::default());
            self.first_ix += 1;
        }
    }

    /// Says in the trace that this frame is the slow one.
    pub fn mark_slow(&mut self, frame_ix: u64) {
        self.slow_ix = Some(frame_ix);
    }

    /// When the first work of a frame began and the last ended, on the GPU's clock.
    pub fn gpu_span_ns(&self, frame_ix: u64) -> Option<[u64; 2]> {
        let ix = usize::try_from(frame_ix.checked_sub(self.first_ix)?).ok()?;
        let spans = || {
            self.frames
                .get(ix)
                .into_iter()
                .flat_map(|frame| &frame.spans)
        };
        let begin = spans().map(|span| span.1).min()?;
        Some([begin, spans().map(|span| span.2).max()?])
    }

    /// How many there is room for.
    pub fn count(&self) -> u64 {
        self.frames.len() as u64
    }

    /// Takes what the CPU did.
    pub fn take_cpu(&mut self, frame_ix: u64, cpu: CpuFrame) {
        if let Some(frame) = self.frame(frame_ix) {
            frame.cpu = Some(cpu);
        }
    }

    /// Takes what the GPU did, as one of the recorders of the frame measured it.
    pub fn take_gpu(&mut self, frame_ix: u64, times: &StageTimes) {
        if let Some(frame) = self.frame(frame_ix) {
            frame.spans.extend_from_slice(&times.spans);
            frame.passes.extend_from_slice(&times.passes);
        }
    }

    fn frame(&mut self, frame_ix: u64) -> Option<&mut Frame> {
        let ix = frame_ix.checked_sub(self.first_ix)?;
        self.frames.get_mut(usize::try_from(ix).ok()?)
    }

    /// Brings the GPU's clock onto the CPU's: by readings of both from before and after the frames, or by the frames
    /// themselves. None where nothing was measured.
    pub fn align(&self, readings: [Option<ClockReading>; 2]) -> Option<Alignment> {
        if let [Some(first), Some(last)] = readings {
            return Some(Alignment::Calibrated(first, last));
        }
        let beginning = |frame: &Frame| {
            let first_span = frame.spans.iter().map(|span| span.1).min()?;
            Some((frame.cpu?.recorded, first_span))
        };
        Alignment::at_submission(&self.frames.iter().filter_map(beginning).collect::<Vec<_>>())
    }

    /// When the first frame began on the CPU, if it was taken.
    pub fn began(&self) -> Option<Instant> {
        Some(self.frames.front()?.cpu?.began)
    }

    /// Adds the frames to a trace, as a run of its own, in which `origin` stands at zero.
    pub fn write(
        &self,
        trace: &mut Trace,
        name: &str,
        origin: Instant,
        alignment: Option<&Alignment>,
    ) {
        let run = trace.begin_run(name, origin);
        if let Some(alignment) = alignment {
            trace.name_gpu(run, alignment);
        }
        for (frame_ix, frame) in (self.first_ix..).zip(&self.frames) {
            if let Some(cpu) = frame.cpu {
                if self.slow_ix == Some(frame_ix) {
                    trace.mark(run, "slow frame", cpu.began);
                }
                trace.cpu(run, "wait", [cpu.began, cpu.waited], frame_ix);
                trace.cpu(run, "record", [cpu.waited, cpu.recorded], frame_ix);
                trace.cpu(run, "submit", [cpu.recorded, cpu.submitted], frame_ix);
                let recording = cpu.recorded.duration_since(cpu.waited);
                let values = [("record ms", recording.as_secs_f64() * 1e3)];
                trace.counters(run, "CPU", cpu.submitted, &values);
            }
            let Some(alignment) = alignment else { continue };
            frame.write_gpu(trace, run, alignment, frame_ix);
        }
    }
}

impl Frame {
    fn write_gpu(&self, trace: &mut Trace, run: Run, alignment: &Alignment, frame_ix: u64) {
        for &(stage, begin_ns, end_ns) in &self.spans {
            trace.gpu(run, alignment, stage, [begin_ns, end_ns], frame_ix);
        }
        for pass in &self.passes {
            trace.pass(run, alignment, pass, frame_ix);
        }
        let first = self.spans.iter().map(|span| span.1).min();
        let Some(first_ns) = first else { return };
        let busy_ns: u64 = self
            .spans
            .iter()
            .map(|span| span.2 - span.1.min(span.2))
            .sum();
        let busy = [("busy ms", busy_ns as f64 * 1e-6)];
        trace.gpu_counters(run, alignment, "GPU", first_ns, &busy);
        if let Some(cpu) = self.cpu {
            let submission = [cpu.recorded, cpu.submitted];
            trace.flow(run, alignment, submission, first_ns, frame_ix);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn cpu_at(began: Instant) -> CpuFrame {
        let after = |millis| began + Duration::from_millis(millis);
        CpuFrame {
            began,
            waited: after(1),
            recorded: after(2),
            submitted: after(3),
        }
    }

    fn times(begin_ns: u64) -> StageTimes {
        StageTimes {
            stages: [None; Stage::COUNT],
            spans: vec![(Stage::Bake, begin_ns, begin_ns + 1000)],
            passes: vec![PassSpan {
                stage: Stage::Bake,
                name: "skin/bake.comp",
                bound_bytes: 4096,
                begin_ns,
                end_ns: begin_ns + 900,
            }],
            total_ms: 0.0,
            frame_ix: 0,
        }
    }

    #[test]
    fn a_frame_has_its_cpu_and_all_its_recorders_on_the_gpu() {
        let mut traced = TracedFrames::new(1);
        let began = Instant::now();
        traced.take_cpu(0, cpu_at(began));
        traced.take_gpu(0, &times(5_000));
        traced.take_gpu(0, &times(9_000));
        traced.take_gpu(1, &times(20_000));
        let mut trace = Trace::default();
        let alignment = traced.align([None; 2]);
        traced.write(&mut trace, "run", began, alignment.as_ref());
        let json = trace.to_json().expect("it is plain");
        let text = String::from_utf8_lossy(&json);
        assert_eq!(text.matches("\"name\":\"bake\"").count(), 2, "{text}");
        for name in ["wait", "\"record\"", "\"submit\"", "aligned at submission"] {
            assert_eq!(text.matches(name).count(), 1, "{name} in {text}");
        }
        let place = |kind: &str| text.find(&format!("\"ph\":\"{kind}\""));
        assert!(place("s") < place("f"), "an arrow goes forth: {text}");
        // Each pass on a row of its own, a counter of either side, and an arrow from the one to the other.
        assert_eq!(text.matches("skin/bake.comp").count(), 2, "{text}");
        for (kind, count) in [("\"C\"", 2), ("\"s\"", 1), ("\"f\"", 1)] {
            let ph = format!("\"ph\":{kind}");
            assert_eq!(text.matches(&ph).count(), count, "{ph} in {text}");
        }
    }

    #[test]
    fn later_frames_take_the_room_of_earlier_ones() {
        let mut traced = TracedFrames::new(2);
        traced.take_gpu(1, &times(5_000));
        traced.go_on_from(1);
        traced.take_gpu(2, &times(9_000));
        traced.take_gpu(2, &times(11_000));
        for ignored in [0, 3] {
            traced.take_gpu(ignored, &times(0));
            assert_eq!(traced.gpu_span_ns(ignored), None);
        }
        assert_eq!(traced.gpu_span_ns(1), Some([5_000, 6_000]));
        assert_eq!(traced.gpu_span_ns(2), Some([9_000, 12_000]));
    }

    #[test]
    fn frames_that_were_not_measured_have_no_alignment() {
        let mut traced = TracedFrames::new(2);
        traced.take_cpu(0, cpu_at(Instant::now()));
        assert!(traced.align([None; 2]).is_none());
    }
}
