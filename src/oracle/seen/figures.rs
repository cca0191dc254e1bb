//! What the frames come to.

use serde::Serialize;

use super::stretch::StretchFigures;

/// A frame is torn when more triangles than this are deep, or than [`TORN_PART`] of the garment's.
const TORN_COUNT: usize = 5;
const TORN_PART: f64 = 0.001;

/// What one frame of a garment shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameFigures {
    /// Cloth triangles that skin passes through and stands more than 3 mm above.
    pub deep: usize,
    /// Those where that skin is not inside another part of the body.
    pub deep_seen: usize,
    /// Skin that the garment covers as made and does not now, of all that it covers as made.
    pub bare_percent: f64,
    /// That part of it from which a line leads out of the body and all of its clothes.
    pub bare_seen_percent: f64,
    /// [`bare_percent`](Self::bare_percent) as an area.
    pub bare_cm2: f64,
    /// Edge length over rest length that 99 % of the edges stay below.
    pub stretch_p99: f64,
    /// The longest edge over its rest length.
    pub stretch_max: f64,
    /// Triangles that pass through others of the same garment that they share no corner with.
    pub self_crossings: usize,
    /// Triangles that pass through another garment.
    pub garment_crossings: usize,
    /// Particles more than 1 mm under the ground.
    pub underground: usize,
}

/// How a figure spreads over the frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    pub median: f64,
    /// The most of any frame.
    pub worst: f64,
    /// The first frame with the most, counted from 0.
    pub worst_frame: usize,
    /// The median of the last half second: one frame in which the cloth is put anew says nothing.
    pub end: f64,
}

impl Summary {
    /// Of values frame by frame; zeros for none.
    pub fn of(values: &[f64], frame_seconds: f64) -> Self {
        let worst = values.iter().copied().fold(0.0, f64::max);
        Self {
            median: median(values),
            worst,
            worst_frame: values.iter().position(|&v| v == worst).unwrap_or_default(),
            end: median(last(values, frame_seconds)),
        }
    }
}

/// Seconds that count as the end.
const END_SECONDS: f64 = 0.5;

/// The frames of the end: one at least, if there is one.
fn last<T>(frames: &[T], frame_seconds: f64) -> &[T] {
    let count = (END_SECONDS / frame_seconds).round().max(1.0) as usize;
    &frames[frames.len() - count.min(frames.len())..]
}

/// The lower of the two in the middle; zero for no values.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len().saturating_sub(1) / 2;
    sorted.get(middle).copied().unwrap_or_default()
}

/// For how long a garment is torn: skin stands through more than 5 of its triangles, or more than 0.1 % of them where that
/// is more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Torn {
    pub frames: usize,
    /// Of the frames judged, in percent.
    pub percent: f64,
    /// The longest that it is torn without a break.
    pub longest_seconds: f64,
    /// Whether most frames of the last half second are.
    pub at_end: bool,
}

impl Torn {
    /// `deep`: deep triangles frame by frame.
    pub fn of(deep: &[usize], triangle_count: usize, frame_seconds: f64) -> Self {
        let limit = (TORN_COUNT as f64).max(TORN_PART * triangle_count as f64);
        let is_torn = |&count: &usize| count as f64 > limit;
        let frames = deep.iter().filter(|count| is_torn(count)).count();
        let longest = deep
            .split(|count| !is_torn(count))
            .map(<[usize]>::len)
            .max()
            .unwrap_or_default();
        let end = last(deep, frame_seconds);
        Self {
            frames,
            percent: 100.0 * frames as f64 / deep.len().max(1) as f64,
            longest_seconds: longest as f64 * frame_seconds,
            at_end: 2 * end.iter().filter(|count| is_torn(count)).count() > end.len(),
        }
    }
}

/// Millimetres between the skin and the particles that touch it or nearly so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StandOff {
    pub median_mm: f64,
    pub p95_mm: f64,
}

/// What a person sees of a garment over all frames judged.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GarmentFigures {
    pub name: String,
    pub particles: usize,
    pub triangles: usize,
    pub frames: usize,
    /// Cloth triangles that a skin edge passes through whose end on the cloth's outer side stands more than 3 mm above.
    pub deep: Summary,
    /// Those where that end is not inside another part of the body, where no cloth could be right.
    pub deep_seen: Summary,
    pub torn: Torn,
    /// By `deep_seen`.
    pub torn_seen: Torn,
    /// Skin covered by the garment as made, away from its hems, and not covered in the frame: percent of its area.
    pub bare_percent: Summary,
    /// That part of it from which a line leads out of the body and all of its clothes.
    pub bare_seen_percent: Summary,
    pub bare_cm2: Summary,
    pub stretch: StretchFigures,
    /// Of particles within 20 mm of the skin, on either side.
    pub stand_off: StandOff,
    /// Triangles that pass through others of the same garment.
    pub self_crossings: Summary,
    /// Triangles that pass through another garment.
    pub garment_crossings: Summary,
    /// Particles more than 1 mm under the ground.
    pub underground: Summary,
    pub series: Series,
}

/// Figures frame by frame, for plots.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Series {
    pub deep: Vec<usize>,
    pub deep_seen: Vec<usize>,
    pub bare_percent: Vec<f64>,
    pub bare_seen_percent: Vec<f64>,
    pub stretch_p99: Vec<f64>,
    pub stretch_max: Vec<f64>,
    pub self_crossings: Vec<usize>,
    pub garment_crossings: Vec<usize>,
    pub underground: Vec<usize>,
}

impl Series {
    pub(super) fn of(frames: &[FrameFigures]) -> Self {
        let counts = |of: fn(&FrameFigures) -> usize| frames.iter().map(of).collect();
        let values = |of: fn(&FrameFigures) -> f64| frames.iter().map(of).collect();
        Self {
            deep: counts(|frame| frame.deep),
            deep_seen: counts(|frame| frame.deep_seen),
            bare_percent: values(|frame| frame.bare_percent),
            bare_seen_percent: values(|frame| frame.bare_seen_percent),
            stretch_p99: values(|frame| frame.stretch_p99),
            stretch_max: values(|frame| frame.stretch_max),
            self_crossings: counts(|frame| frame.self_crossings),
            garment_crossings: counts(|frame| frame.garment_crossings),
            underground: counts(|frame| frame.underground),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_has_the_middle_the_most_and_the_last() {
        let summary = Summary::of(&[5.0, 1.0, 9.0, 9.0, 2.0], 0.5);
        let expected = Summary {
            median: 5.0,
            worst: 9.0,
            worst_frame: 2,
            end: 2.0,
        };
        assert_eq!(summary, expected);
        assert_eq!(Summary::of(&[], 0.5), Summary::default());
    }

    #[test]
    fn one_last_frame_of_many_does_not_make_the_end() {
        let frames = [5.0, 5.0, 5.0, 7.0, 7.0, 7.0, 7.0, 0.0];
        assert_eq!(Summary::of(&frames, 0.1).end, 7.0);
        let deep = frames.map(|count| count as usize);
        assert!(Torn::of(&deep, 100, 0.1).at_end);
        assert!(!Torn::of(&deep, 100, 0.5).at_end);
    }

    #[test]
    fn a_frame_is_torn_above_five_or_one_in_a_thousand() {
        let torn = Torn::of(&[6, 5, 6, 6, 0], 100, 0.5);
        assert_eq!((torn.frames, torn.percent), (3, 60.0));
        assert_eq!((torn.longest_seconds, torn.at_end), (1.0, false));
        // Of 9,000 triangles one in a thousand is nine.
        let finer = Torn::of(&[6, 9, 10], 9000, 0.5);
        assert_eq!((finer.frames, finer.at_end), (1, true));
        assert_eq!(Torn::of(&[], 100, 0.5), Torn::default());
    }
}
