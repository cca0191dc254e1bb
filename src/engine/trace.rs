//! What CPU and GPU did when, as a trace that Perfetto and Chrome open.
//!
//! The form is that of Chrome's [trace events](https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU):
//! complete events (`X`) with their begin `ts` and length `dur` in microseconds, on two rows per run.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::ClockReading;
use crate::gpu::PassSpan;
use crate::stage::Stage;

/// Rows of a run: its threads, in the trace's words.
const CPU_ROW: u32 = 1;
const GPU_ROW: u32 = 2;
/// Of dispatches and draws, where they are timed.
const PASS_ROW: u32 = 3;
/// Runs are numbered from here on, above all rows: viewers take a row with its run's number for the main thread.
const FIRST_PID: u32 = 100;

/// How GPU times were brought onto the CPU's clock.
#[derive(Clone, Copy, Debug)]
pub enum Alignment {
    /// By both clocks at two moments, between which they went evenly.
    Calibrated(ClockReading, ClockReading),
    /// By a frame whose work is taken to have begun the moment it was submitted: GPU rows may lie too early, by as long as
    /// the quickest frame waited.
    AtSubmission { cpu: Instant, gpu_ns: u64 },
}

impl Alignment {
    /// Places the GPU's clock so that no frame begins before it was submitted.
    ///
    /// `frames`: when each was submitted, and when its first span began. None without frames.
    pub fn at_submission(frames: &[(Instant, u64)]) -> Option<Self> {
        let &(first_cpu, first_gpu) = frames.first()?;
        let lag = |&(cpu, gpu_ns): &(Instant, u64)| {
            let cpu_ns = cpu.duration_since(first_cpu).as_nanos() as i128;
            cpu_ns - (i128::from(gpu_ns) - i128::from(first_gpu))
        };
        let shift = frames.iter().map(lag).max().unwrap_or(0).max(0);
        Some(Self::AtSubmission {
            cpu: first_cpu + Duration::from_nanos(shift as u64),
            gpu_ns: first_gpu,
        })
    }

    /// What a report says of it.
    pub fn describe(&self) -> String {
        match self {
            Self::Calibrated(first, last) => format!(
                "calibrated timestamps, to {:.1} us",
                first.uncertainty.max(last.uncertainty).as_secs_f64() * 1e6
            ),
            Self::AtSubmission { .. } => {
                "aligned at submission: the device has no calibrated timestamps".to_owned()
            }
        }
    }

    /// Microseconds of a GPU time since `origin`.
    fn micros(&self, origin: Instant, gpu_ns: u64) -> f64 {
        let (cpu, base_ns, rate) = match self {
            Self::AtSubmission { cpu, gpu_ns } => (*cpu, *gpu_ns, 1.0),
            Self::Calibrated(first, last) => (first.cpu, first.gpu_ns, rate(first, last)),
        };
        let since_base = gpu_ns.wrapping_sub(base_ns).cast_signed() as f64 * 1e-3;
        micros_since(origin, cpu) + since_base * rate
    }
}

/// How much faster the CPU's clock goes. Too short a time between the readings says nothing.
fn rate(first: &ClockReading, last: &ClockReading) -> f64 {
    let gpu = last.gpu_ns.saturating_sub(first.gpu_ns) as f64;
    let cpu = last.cpu.saturating_duration_since(first.cpu).as_nanos() as f64;
    let uncertain = (first.uncertainty + last.uncertainty).as_nanos() as f64;
    if gpu > 1e3 * uncertain && cpu > 0.0 {
        cpu / gpu
    } else {
        1.0
    }
}

fn micros_since(origin: Instant, moment: Instant) -> f64 {
    let after = moment.saturating_duration_since(origin);
    let before = origin.saturating_duration_since(moment);
    (after.as_nanos() as f64 - before.as_nanos() as f64) * 1e-3
}

/// A trace in the making.
#[derive(Default)]
pub struct Trace {
    events: Vec<Event>,
    run_count: u32,
    /// The run whose row of passes was named last.
    named_passes: u32,
}

/// One that has a row for the CPU and one for the GPU.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// A process, in the trace's words.
    pid: u32,
    /// What stands at zero.
    origin: Instant,
}

#[derive(Serialize)]
struct Event {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cat: Option<&'static str>,
    ph: &'static str,
    ts: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'static str>,
    /// How far a mark reaches: its row.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'static str>,
    pid: u32,
    tid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<serde_json::Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    display_time_unit: &'static str,
    trace_events: Vec<&'a Event>,
}

impl Trace {
    /// Adds the two rows of a run, below those of earlier ones. Its `origin` stands at zero: runs of the same origin share a
    /// clock, others lie beneath each other to be compared.
    pub fn begin_run(&mut self, name: &str, origin: Instant) -> Run {
        self.run_count += 1;
        let run = Run {
            pid: FIRST_PID + self.run_count,
            origin,
        };
        let order = serde_json::json!({ "sort_index": run.pid });
        self.tell("process_sort_index", run, 0, order);
        self.name("process_name", run, 0, name);
        self.name("thread_name", run, CPU_ROW, "CPU");
        run
    }

    /// Adds what the CPU did in a frame.
    pub fn cpu(&mut self, run: Run, name: &str, span: [Instant; 2], frame_ix: u64) {
        let ts = span.map(|moment| micros_since(run.origin, moment));
        self.complete(run, CPU_ROW, name, ts, frame_ix);
    }

    /// Says how a run's GPU times were aligned, on the name of its row.
    pub fn name_gpu(&mut self, run: Run, alignment: &Alignment) {
        let name = format!("GPU ({})", alignment.describe());
        self.name("thread_name", run, GPU_ROW, &name);
    }

    /// Adds what the GPU did in a frame, `span_ns` on its own clock.
    pub fn gpu(
        &mut self,
        run: Run,
        alignment: &Alignment,
        stage: Stage,
        span_ns: [u64; 2],
        frame_ix: u64,
    ) {
        let ts = span_ns.map(|ns| alignment.micros(run.origin, ns));
        self.complete(run, GPU_ROW, stage.name(), ts, frame_ix);
    }

    /// Adds a dispatch or a draw, below the stages.
    pub fn pass(&mut self, run: Run, alignment: &Alignment, pass: &PassSpan, frame_ix: u64) {
        if std::mem::replace(&mut self.named_passes, run.pid) != run.pid {
            self.name("thread_name", run, PASS_ROW, "GPU, pass by pass");
        }
        let ts = [pass.begin_ns, pass.end_ns].map(|ns| alignment.micros(run.origin, ns));
        self.complete(run, PASS_ROW, pass.name, ts, frame_ix);
        if let Some(event) = self.events.last_mut() {
            event.args = Some(serde_json::json!({
                "frame": frame_ix,
                "stage": pass.stage.name(),
                "bound_bytes": pass.bound_bytes,
            }));
        }
    }

    /// Adds values at a moment, drawn as curves.
    pub fn counters(&mut self, run: Run, name: &str, at: Instant, values: &[(&str, f64)]) {
        self.count(run, name, micros_since(run.origin, at), values);
    }

    /// The same at a moment of the GPU's clock.
    pub fn gpu_counters(
        &mut self,
        run: Run,
        alignment: &Alignment,
        name: &str,
        at_ns: u64,
        values: &[(&str, f64)],
    ) {
        let ts = alignment.micros(run.origin, at_ns);
        self.count(run, name, ts, values);
    }

    fn count(&mut self, run: Run, name: &str, ts: f64, values: &[(&str, f64)]) {
        let args: serde_json::Map<_, _> = values
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.into()))
            .collect();
        let event = self.event("C", run, (0, name), ts);
        event.args = Some(args.into());
    }

    /// Marks a moment on the CPU's row.
    pub fn mark(&mut self, run: Run, name: &str, at: Instant) {
        let ts = micros_since(run.origin, at);
        self.event("i", run, (CPU_ROW, name), ts).s = Some("t");
    }

    /// Adds an arrow from the CPU's submission to the first work of the GPU's that came of it, which may begin before it returns.
    pub fn flow(
        &mut self,
        run: Run,
        alignment: &Alignment,
        submission: [Instant; 2],
        to_ns: u64,
        frame_ix: u64,
    ) {
        let [begin, end] = submission.map(|moment| micros_since(run.origin, moment));
        // An arrow begins and ends in the events that lie there: a nanosecond after their begin.
        let to = alignment.micros(run.origin, to_ns).max(begin) + 1e-3;
        let from = (0.5 * (begin + end)).min(to).max(begin);
        let id = u64::from(run.pid) << 32 | frame_ix;
        self.event("s", run, (CPU_ROW, "frame"), from).id = Some(id);
        let end = self.event("f", run, (GPU_ROW, "frame"), to);
        (end.id, end.bp) = (Some(id), Some("e"));
    }

    fn event(
        &mut self,
        ph: &'static str,
        run: Run,
        (tid, name): (u32, &str),
        ts: f64,
    ) -> &mut Event {
        self.events.push(Event {
            name: name.to_owned(),
            cat: Some("frame"),
            ph,
            ts,
            dur: None,
            id: None,
            bp: None,
            s: None,
            pid: run.pid,
            tid,
            args: None,
        });
        self.events.last_mut().expect("it was added just now")
    }

    /// The file's text. Events are in the order of time.
    ///
    /// # Errors
    /// Never, for what this type holds; it is the writer's.
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut events: Vec<&Event> = self.events.iter().collect();
        events.sort_by(|a, b| a.ts.total_cmp(&b.ts));
        serde_json::to_vec(&File {
            display_time_unit: "ms",
            trace_events: events,
        })
    }

    fn complete(&mut self, run: Run, tid: u32, name: &str, [begin, end]: [f64; 2], frame_ix: u64) {
        let event = self.event("X", run, (tid, name), begin);
        event.cat = Some(if tid == CPU_ROW { "cpu" } else { "gpu" });
        event.dur = Some((end - begin).max(0.0));
        event.args = Some(serde_json::json!({ "frame": frame_ix }));
    }

    fn name(&mut self, kind: &str, run: Run, tid: u32, name: &str) {
        self.tell(kind, run, tid, serde_json::json!({ "name": name }));
    }

    /// A metadata event.
    fn tell(&mut self, kind: &str, run: Run, tid: u32, args: serde_json::Value) {
        let event = self.event("M", run, (tid, kind), 0.0);
        (event.cat, event.args) = (None, Some(args));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(cpu: Instant, gpu_ns: u64) -> ClockReading {
        ClockReading {
            cpu,
            gpu_ns,
            uncertainty: Duration::from_nanos(100),
        }
    }

    #[test]
    fn a_faster_gpu_clock_is_slowed_down() {
        let origin = Instant::now();
        let later = origin + Duration::from_millis(10);
        let alignment = Alignment::Calibrated(reading(origin, 5_000), reading(later, 11_005_000));
        assert!((alignment.micros(origin, 5_000)).abs() < 1e-6);
        assert!((alignment.micros(origin, 11_005_000) - 10_000.0).abs() < 1e-3);
    }

    #[test]
    fn no_frame_begins_before_it_was_submitted() {
        let origin = Instant::now();
        let at = |micros| origin + Duration::from_micros(micros);
        let frames = [
            (at(100), 1_000_000),
            (at(250), 1_120_000),
            (at(300), 1_300_000),
        ];
        let alignment = Alignment::at_submission(&frames).expect("there are frames");
        for (cpu, gpu_ns) in frames {
            let (begins, submitted) = (alignment.micros(origin, gpu_ns), micros_since(origin, cpu));
            assert!(begins >= submitted - 1e-6, "{begins} before {submitted}");
        }
        assert!((alignment.micros(origin, 1_120_000) - 250.0).abs() < 1e-6);
        assert!(Alignment::at_submission(&[]).is_none());
    }
}
