//! What a run measures, summed up.

use serde::Serialize;

use crate::gpu::{PassSpan, StageTimes};
use crate::math::Fnv;
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
    /// How many values there are.
    pub count: usize,
    pub min: f32,
    pub median: f32,
    pub p95: f32,
    pub p99: f32,
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
            count: sorted.len(),
            min: sorted[0],
            median: at(0.5),
            p95: at(0.95),
            p99: at(0.99),
            max: sorted[last],
        }
    }
}

/// What one frame took on the GPU, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameSample {
    /// The world's number of the frame.
    pub frame_ix: u64,
    pub stages: [Option<f32>; Stage::COUNT],
    /// All stages together; all of the frame where it alone was timed.
    pub sum_ms: f32,
    /// Between the first begin and the last end, when no stage ran: barriers, and what the GPU waits for.
    pub gaps_ms: f32,
}

/// How a frame's whole time spreads: of the frames, not of their stages, whose slowest may lie in different frames.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct FrameReport {
    /// All stages of a frame together.
    pub sum_ms: Spread,
    /// Between them.
    pub gaps_ms: Spread,
}

impl FrameSample {
    /// Of a frame that was timed.
    pub fn of(times: &StageTimes) -> Self {
        Self {
            frame_ix: times.frame_ix,
            stages: times.stages,
            sum_ms: match times.spans.is_empty() {
                true => times.total_ms,
                false => times.stages.iter().flatten().sum(),
            },
            gaps_ms: gaps_ns(&times.spans) as f32 * 1e-6,
        }
    }
}

/// Nanoseconds between spans that lie in the order in which they began.
fn gaps_ns(spans: &[(Stage, u64, u64)]) -> u64 {
    let mut end = spans.first().map_or(0, |span| span.1);
    let mut gaps = 0;
    for &(_, began, ended) in spans {
        gaps += began.saturating_sub(end);
        end = end.max(ended);
    }
    gaps
}

/// GPU time of all dispatches or draws of a frame with one shader in one stage.
#[derive(Clone, Debug, Serialize)]
pub struct PassReport {
    pub stage: Stage,
    /// The shader's path in glsl/.
    pub name: &'static str,
    pub per_frame: usize,
    /// Of a frame's together. Each waited for the one before it, so that all sum up to more than the stage.
    pub gpu_ms: Spread,
    /// Of the buffers that a frame's were given, all together.
    pub bound_mb: f64,
    /// What they would move in the median time, if they touched every bound byte once.
    pub gb_per_s: f64,
}

/// Collects single passes' times frame by frame.
#[derive(Default)]
pub struct PassSamples {
    /// In the order in which the first frame had them.
    rows: Vec<PassRow>,
    last_frame: Option<u64>,
}

struct PassRow {
    stage: Stage,
    name: &'static str,
    per_frame: usize,
    bound_bytes: u64,
    ms: Vec<f32>,
}

impl PassSamples {
    /// Takes a frame's, unless they are those of the frame taken last.
    pub fn take_frame(&mut self, times: &StageTimes) {
        if times.passes.is_empty()
            || self.last_frame.replace(times.frame_ix) == Some(times.frame_ix)
        {
            return;
        }
        for row in &mut self.rows {
            (row.per_frame, row.bound_bytes) = (0, 0);
        }
        for pass in &times.passes {
            let row = self.row(pass);
            if row.per_frame == 0 {
                row.ms.push(0.0);
            }
            row.per_frame += 1;
            row.bound_bytes += pass.bound_bytes;
            let ms = pass.end_ns.saturating_sub(pass.begin_ns) as f32 * 1e-6;
            *row.ms.last_mut().expect("it was pushed for the first") += ms;
        }
    }

    fn row(&mut self, pass: &PassSpan) -> &mut PassRow {
        let is_same = |row: &PassRow| (row.stage, row.name) == (pass.stage, pass.name);
        let ix = self.rows.iter().position(is_same).unwrap_or_else(|| {
            self.rows.push(PassRow {
                stage: pass.stage,
                name: pass.name,
                per_frame: 0,
                bound_bytes: 0,
                ms: Vec::new(),
            });
            self.rows.len() - 1
        });
        &mut self.rows[ix]
    }

    /// A row for each stage and shader.
    pub fn report(&self) -> Vec<PassReport> {
        let rows = self.rows.iter();
        rows.map(|row| {
            let gpu_ms = Spread::of(&row.ms);
            let bound_mb = row.bound_bytes as f64 * 1e-6;
            PassReport {
                stage: row.stage,
                name: row.name,
                per_frame: row.per_frame,
                gpu_ms,
                bound_mb,
                gb_per_s: bound_mb / f64::from(gpu_ms.median.max(1e-6)),
            }
        })
        .collect()
    }
}

/// Collects the stages' times frame by frame.
#[derive(Default)]
pub struct StageSamples {
    samples: [Vec<f32>; Stage::COUNT],
    frames: Vec<FrameSample>,
}

impl StageSamples {
    /// Takes times that count as no frame of their own, milliseconds.
    pub fn take(&mut self, times: &StageTimes) {
        for (samples, ms) in self.samples.iter_mut().zip(times.stages) {
            samples.extend(ms);
        }
    }

    /// Takes a frame's times, unless they are those of the frame taken last: not all that is timed arrives.
    pub fn take_frame(&mut self, times: &StageTimes) {
        let last = self.frames.last().map(|frame| frame.frame_ix);
        let is_timed = !times.spans.is_empty() || times.total_ms > 0.0;
        if !is_timed || last == Some(times.frame_ix) {
            return;
        }
        self.frames.push(FrameSample::of(times));
        self.take(times);
    }

    /// Those of [`StageSamples::take_frame`].
    pub fn frames(&self) -> &[FrameSample] {
        &self.frames
    }

    /// How the frames spread.
    pub fn frame_report(&self) -> FrameReport {
        let of = |value: fn(&FrameSample) -> f32| {
            Spread::of(&self.frames.iter().map(value).collect::<Vec<_>>())
        };
        FrameReport {
            sum_ms: of(|frame| frame.sum_ms),
            gaps_ms: of(|frame| frame.gaps_ms),
        }
    }

    /// A row a frame, with a column for each stage that ran in any; empty where it did not.
    pub fn csv(&self) -> String {
        let ran = |stage: &Stage| {
            self.frames
                .iter()
                .any(|frame| frame.stages[stage.ix()].is_some())
        };
        let stages: Vec<_> = Stage::ALL.into_iter().filter(ran).collect();
        let names = stages.iter().map(|stage| format!(",{}_ms", stage.name()));
        let mut text = format!("frame,sum_ms,gaps_ms{}\n", names.collect::<String>());
        for frame in &self.frames {
            let cell =
                |stage: &Stage| frame.stages[stage.ix()].map_or(String::new(), |ms| ms.to_string());
            let cells = stages.iter().map(|stage| format!(",{}", cell(stage)));
            let FrameSample {
                frame_ix,
                sum_ms,
                gaps_ms,
                ..
            } = frame;
            text += &format!(
                "{frame_ix},{sum_ms},{gaps_ms}{}\n",
                cells.collect::<String>()
            );
        }
        text
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
    format!("{:016x}", Fnv::default().and(bytes).value())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two stages in three spans, with 1 ms and 2 ms between them.
    fn times(frame_ix: u64, ms: u64) -> StageTimes {
        const MS: u64 = 1_000_000;
        let mut stages = [None; Stage::COUNT];
        stages[Stage::Bake.ix()] = Some(ms as f32);
        stages[Stage::Collide.ix()] = Some(5.0);
        let collide = |from: u64, to: u64| (Stage::Collide, from * MS, to * MS);
        StageTimes {
            stages,
            spans: vec![
                (Stage::Bake, 0, ms * MS),
                collide(ms + 1, ms + 4),
                collide(ms + 6, ms + 8),
            ],
            passes: [0, 2]
                .map(|begin| PassSpan {
                    stage: Stage::Collide,
                    name: "radial/collide.comp",
                    bound_bytes: 1_000_000,
                    begin_ns: begin * MS,
                    end_ns: (begin + ms) * MS,
                })
                .to_vec(),
            total_ms: ms as f32 + 8.0,
            frame_ix,
        }
    }

    #[test]
    fn what_lies_between_the_stages_of_a_frame_is_summed() {
        let sample = FrameSample::of(&times(3, 7));
        assert_eq!((sample.sum_ms, sample.gaps_ms), (12.0, 3.0));
        // A span within another leaves no gap before the next.
        assert_eq!(
            gaps_ns(&[
                (Stage::Bake, 0, 9),
                (Stage::Draw, 2, 4),
                (Stage::Draw, 9, 10)
            ]),
            0
        );
        assert_eq!(gaps_ns(&[]), 0);
    }

    #[test]
    fn a_frame_whose_times_did_not_arrive_is_not_counted_twice() {
        let mut samples = StageSamples::default();
        for frame_ix in [1, 1, 2, 3, 3] {
            samples.take_frame(&times(frame_ix, frame_ix));
        }
        let report = samples.frame_report();
        assert_eq!((report.sum_ms.count, report.sum_ms.max), (3, 8.0));
        assert_eq!(report.gaps_ms.median, 3.0);
        assert_eq!(samples.report()[0].gpu_ms.count, 3);
    }

    #[test]
    fn passes_of_one_shader_are_counted_and_summed_up_in_each_frame() {
        let mut samples = PassSamples::default();
        for frame_ix in [1, 1, 2, 3] {
            samples.take_frame(&times(frame_ix, frame_ix));
        }
        let report = samples.report();
        assert_eq!(report.len(), 1);
        let PassReport {
            per_frame,
            gpu_ms,
            bound_mb,
            gb_per_s,
            ..
        } = report[0];
        assert_eq!((per_frame, bound_mb), (2, 2.0));
        assert_eq!((gpu_ms.count, gpu_ms.min, gpu_ms.median), (3, 2.0, 4.0));
        assert!((gb_per_s - 0.5).abs() < 1e-9, "2 MB in 4 ms");
    }

    #[test]
    fn the_table_has_a_row_a_frame_and_a_column_a_stage_that_ran() {
        let mut samples = StageSamples::default();
        samples.take_frame(&times(4, 2));
        samples.take_frame(&times(5, 1));
        let expected = "frame,sum_ms,gaps_ms,bake_ms,collide_ms\n4,7,3,2,5\n5,6,3,1,5\n";
        assert_eq!(samples.csv(), expected);
    }

    #[test]
    fn one_in_a_hundred_is_beyond_the_99th_percentile() {
        let values: Vec<f32> = (0..=100).map(|value| value as f32).collect();
        let spread = Spread::of(&values);
        assert_eq!(
            (spread.count, spread.p95, spread.p99, spread.max),
            (101, 95.0, 99.0, 100.0)
        );
    }
}
