//! Values of a clip between its keys.

use std::ops::{Add, Mul};

use glam::{Quat, Vec3};

use crate::avatar::{Clip, Interpolation, Track, TrackValues, Transform};

/// Writes what a clip says at a time over the transforms of the nodes it moves. Before the first key and after the
/// last the nearest key holds.
pub(super) fn apply(clip: &Clip, locals: &mut [Transform], seconds: f32) {
    for track in &clip.tracks {
        let span = Span::find(&track.times, seconds);
        let local = &mut locals[track.node_ix];
        match &track.values {
            TrackValues::Translation(values) => local.translation = vector(track, values, &span),
            TrackValues::Scale(values) => local.scale = vector(track, values, &span),
            TrackValues::Rotation(values) => local.rotation = rotation(track, values, &span),
        }
    }
}

/// Two neighbouring keys and the way between them.
struct Span {
    from: usize,
    to: usize,
    /// 0 at `from`, 1 at `to`.
    fraction: f32,
    /// Seconds between the keys.
    duration: f32,
}

impl Span {
    /// A time that is not a number counts as before the first key.
    fn find(times: &[f32], seconds: f32) -> Self {
        let last = times.len() - 1;
        let next = times.partition_point(|&time| time <= seconds);
        if next == 0 || next > last {
            let held = next.min(last);
            return Self {
                from: held,
                to: held,
                fraction: 0.0,
                duration: 0.0,
            };
        }
        let duration = times[next] - times[next - 1];
        Self {
            from: next - 1,
            to: next,
            fraction: (seconds - times[next - 1]) / duration,
            duration,
        }
    }
}

fn vector(track: &Track, values: &[Vec3], span: &Span) -> Vec3 {
    match track.interpolation {
        Interpolation::Step => values[span.from],
        Interpolation::Linear => values[span.from].lerp(values[span.to], span.fraction),
        Interpolation::Cubic => hermite(values, span),
    }
}

fn rotation(track: &Track, values: &[Quat], span: &Span) -> Quat {
    let rotation = match track.interpolation {
        Interpolation::Step => values[span.from],
        Interpolation::Linear => values[span.from].slerp(values[span.to], span.fraction),
        Interpolation::Cubic => hermite(values, span),
    };
    // A cubic through opposite rotations may pass through zero, and one whose tangents are huge may overflow.
    let size = rotation.length_squared();
    if size > f32::MIN_POSITIVE && size.is_finite() {
        rotation.normalize()
    } else {
        Quat::IDENTITY
    }
}

/// glTF's cubic spline: in-tangent, value and out-tangent a key, tangents per second.
fn hermite<T: Copy + Add<Output = T> + Mul<f32, Output = T>>(values: &[T], span: &Span) -> T {
    let (t, t2, t3) = (span.fraction, span.fraction.powi(2), span.fraction.powi(3));
    let (start, out_tangent) = (values[3 * span.from + 1], values[3 * span.from + 2]);
    let (in_tangent, end) = (values[3 * span.to], values[3 * span.to + 1]);
    start * (2.0 * t3 - 3.0 * t2 + 1.0)
        + out_tangent * (span.duration * (t3 - 2.0 * t2 + t))
        + end * (3.0 * t2 - 2.0 * t3)
        + in_tangent * (span.duration * (t3 - t2))
}
