//! The last frames' times, and what they come to.

use crate::stage::Stage;

/// Frames that are remembered: four seconds at 60 per second. Fewer make the 95th percentile jump about.
pub const FRAME_COUNT: usize = 240;

/// The statistics of a set of times, milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// The newest one.
    pub current: f32,
    pub median: f32,
    /// 95 in 100 are at most this.
    pub p95: f32,
    pub max: f32,
}

/// The GPU times of one frame, milliseconds per stage; `None` for a stage that did not run.
pub type StageColumn = [Option<f32>; Stage::COUNT];

/// A ring of the last [`FRAME_COUNT`] values.
#[derive(Clone, Debug)]
pub struct Ring<T> {
    values: Vec<T>,
    /// Where the next value goes once the ring is full.
    next: usize,
}

/// Frame times and stage times of the last frames.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// Milliseconds from one picture to the next, in wall-clock time.
    pub frames: Ring<f32>,
    /// Milliseconds on the CPU to record a frame's simulation.
    pub recording: Ring<f32>,
    /// On the GPU, stage by stage.
    pub stages: Ring<StageColumn>,
}

impl<T> Default for Ring<T> {
    fn default() -> Self {
        Self {
            values: Vec::with_capacity(FRAME_COUNT),
            next: 0,
        }
    }
}

impl<T: Copy> Ring<T> {
    /// Adds a value; the oldest one goes when there is no room.
    pub fn push(&mut self, value: T) {
        if self.values.len() < FRAME_COUNT {
            self.values.push(value);
        } else {
            self.values[self.next] = value;
            self.next = (self.next + 1) % FRAME_COUNT;
        }
    }

    /// How many there are; at most [`FRAME_COUNT`].
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// From the oldest to the newest.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        let (newer, older) = self.values.split_at(self.next);
        older.iter().chain(newer).copied()
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.values.clear();
        self.next = 0;
    }
}

impl Summary {
    /// Of values from the oldest to the newest; `None` when there are none.
    pub fn of(values: impl Iterator<Item = f32>) -> Option<Self> {
        let mut values: Vec<f32> = values.collect();
        let current = *values.last()?;
        values.sort_by(f32::total_cmp);
        let last = values.len() - 1;
        let at = |part: f32| values[(last as f32 * part).round() as usize];
        Some(Self {
            current,
            median: at(0.5),
            p95: at(0.95),
            max: values[last],
        })
    }
}

impl Times {
    /// What a stage's times come to, over the frames in which it ran.
    pub fn stage(&self, stage: Stage) -> Option<Summary> {
        Summary::of(self.stages.iter().filter_map(|column| column[stage.ix()]))
    }

    /// What all stages together come to.
    pub fn gpu(&self) -> Option<Summary> {
        Summary::of(self.stages.iter().map(|column| total(&column)))
    }

    /// What the simulation's stages together come to, over the frames in which it ran.
    pub fn simulation(&self) -> Option<Summary> {
        let ran = |column: StageColumn| {
            let stages = Stage::ALL.into_iter().filter(|stage| stage.is_simulation());
            let times = stages.filter_map(|stage| column[stage.ix()]);
            times.reduce(|sum, ms| sum + ms)
        };
        Summary::of(self.stages.iter().filter_map(ran))
    }
}

/// A row a frame and world, from the oldest to the newest that is remembered: the sum and every stage that ran in one of them, in
/// milliseconds of the GPU; empty where a stage did not run. `worlds`: what each is called, and its times.
pub fn csv(worlds: &[(&str, &Times)]) -> String {
    let ran = |stage: &Stage| {
        worlds
            .iter()
            .any(|(_, times)| times.stage(*stage).is_some())
    };
    let stages: Vec<Stage> = Stage::ALL.into_iter().filter(ran).collect();
    let mut text = "world,frame,sum_ms".to_owned();
    for stage in &stages {
        text.push_str(&format!(",{}_ms", stage.name()));
    }
    text.push('\n');
    for (name, times) in worlds {
        for (frame_ix, column) in times.stages.iter().enumerate() {
            text.push_str(&format!("{name},{frame_ix},{:.6}", total(&column)));
            for stage in &stages {
                let ms = column[stage.ix()].map(|ms| format!("{ms:.6}"));
                text.push(',');
                text.push_str(&ms.unwrap_or_default());
            }
            text.push('\n');
        }
    }
    text
}

/// How many of some times lie in each of so many equal parts between two, milliseconds; the last part holds its upper end.
pub fn histogram(times: &[f32], [low, high]: [f32; 2], bin_count: usize) -> Vec<u32> {
    let mut bins = vec![0; bin_count];
    for ms in times {
        let part = (ms - low) / (high - low).max(f32::MIN_POSITIVE);
        let bin = (part * bin_count as f32).max(0.0) as usize;
        bins[bin.min(bin_count - 1)] += 1;
    }
    bins
}

/// All stages of a frame together, milliseconds.
pub fn total(column: &StageColumn) -> f32 {
    column.iter().flatten().sum()
}

/// Puts the times of several recorders of one frame together: a stage that ran in both took both.
pub fn join(columns: &[&StageColumn]) -> StageColumn {
    std::array::from_fn(|ix| {
        let ran = columns.iter().filter_map(|column| column[ix]);
        ran.reduce(|sum, ms| sum + ms)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_ring_forgets_the_oldest() {
        let mut ring = Ring::default();
        (0..FRAME_COUNT + 7).for_each(|value| ring.push(value));
        let values: Vec<_> = ring.iter().collect();
        assert_eq!(values.len(), FRAME_COUNT);
        assert_eq!((values[0], values[FRAME_COUNT - 1]), (7, FRAME_COUNT + 6));
        assert!(values.windows(2).all(|pair| pair[0] + 1 == pair[1]));
    }

    #[test]
    fn a_cleared_ring_starts_anew() {
        let mut ring = Ring::default();
        (0..FRAME_COUNT + 7).for_each(|value| ring.push(value));
        ring.clear();
        ring.push(1);
        assert_eq!(ring.iter().collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn median_and_percentile_are_values_that_occurred() {
        let values = (1..=101).rev().map(|value| value as f32);
        let summary = Summary::of(values);
        let expected = Summary {
            current: 1.0,
            median: 51.0,
            p95: 96.0,
            max: 101.0,
        };
        assert_eq!(summary, Some(expected));
        assert_eq!(Summary::of(std::iter::empty()), None);
    }

    #[test]
    fn one_value_is_all_of_its_summary() {
        let summary = Summary::of([3.5].into_iter()).unwrap_or_default();
        assert_eq!(
            [summary.current, summary.median, summary.p95, summary.max],
            [3.5; 4]
        );
    }

    #[test]
    fn frames_in_which_a_stage_did_not_run_do_not_count() {
        let mut times = Times::default();
        for frame in 0..10 {
            let mut column = StageColumn::default();
            column[Stage::Draw.ix()] = Some(2.0);
            column[Stage::Bake.ix()] = (frame % 2 == 0).then_some(1.0);
            times.stages.push(column);
        }
        assert_eq!(times.stage(Stage::Bake).map(|ms| ms.median), Some(1.0));
        assert_eq!(times.stage(Stage::Shadow), None);
        assert_eq!(times.gpu().map(|ms| (ms.current, ms.max)), Some((2.0, 3.0)));
        assert_eq!(times.simulation().map(|ms| ms.max), Some(1.0));
    }

    #[test]
    fn a_table_has_a_row_a_frame_and_a_column_a_stage_that_ran() {
        let mut column = StageColumn::default();
        let (mut a, mut b) = (Times::default(), Times::default());
        (column[Stage::Bake.ix()], column[Stage::Collide.ix()]) = (Some(1.0), Some(0.5));
        a.stages.push(column);
        column[Stage::Collide.ix()] = None;
        a.stages.push(column);
        b.stages.push(column);
        let expected = "world,frame,sum_ms,bake_ms,collide_ms\n\
                        A,0,1.500000,1.000000,0.500000\n\
                        A,1,1.000000,1.000000,\n\
                        B,0,1.000000,1.000000,\n";
        assert_eq!(csv(&[("A", &a), ("B", &b)]), expected);
    }

    #[test]
    fn every_time_is_in_one_part_of_a_histogram() {
        assert_eq!(histogram(&[1.0, 1.4, 1.5, 2.0], [1.0, 2.0], 2), [2, 2]);
        assert_eq!(histogram(&[3.0; 5], [3.0, 3.0], 4).iter().sum::<u32>(), 5);
    }

    #[test]
    fn a_stage_of_two_recorders_took_both_their_times() {
        let (mut a, mut b) = (StageColumn::default(), StageColumn::default());
        (a[0], b[0], b[1]) = (Some(1.0), Some(2.0), Some(4.0));
        let joined = join(&[&a, &b]);
        assert_eq!(joined[..3], [Some(3.0), Some(4.0), None]);
    }
}
