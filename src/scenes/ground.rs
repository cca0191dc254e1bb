//! Where the ground is that a character stands on.

use super::performance::skin_at;
use crate::avatar::Avatar;
use crate::cloth::Ground;

/// Looks at a clip, a second. Usually 10: feet stay on the ground for longer.
const SAMPLES_PER_SECOND: f32 = 10.0;

/// Part of the character's height that soles may lie under the origin; what reaches deeper does not stand on the ground.
const DEEPEST_SOLE: f32 = 0.03;

/// A level ground at the origin, or as far below it as the clip's soles go: clothes that reach under the feet must not be pushed through
/// them.
pub fn ground_under(avatar: &Avatar, clip_ix: Option<usize>) -> Ground {
    let lowest = clip_ix.map_or(0.0, |clip_ix| lowest_skin(avatar, clip_ix));
    let is_sole = lowest < 0.0 && lowest >= -DEEPEST_SOLE * avatar.bind_height();
    Ground::level(if is_sole { lowest } else { 0.0 })
}

/// Metres over the origin of the lowest vertex in any of the poses looked at.
fn lowest_skin(avatar: &Avatar, clip_ix: usize) -> f32 {
    let clip = &avatar.clips[clip_ix];
    let looks = (clip.duration * SAMPLES_PER_SECOND).ceil() as u32;
    let lowest_at = |look: u32| {
        let positions = skin_at(avatar, clip, look as f32 / SAMPLES_PER_SECOND);
        positions
            .iter()
            .map(|position| position.y)
            .fold(f32::INFINITY, f32::min)
    };
    (0..=looks).map(lowest_at).fold(f32::INFINITY, f32::min)
}
