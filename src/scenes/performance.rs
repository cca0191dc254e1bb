//! A character playing a clip, step by step: out of the bind pose, through the clip, and round again.

use glam::Mat4;

use crate::avatar::{Clip, Skeleton};
use crate::pose::{Palette, Pose, bind_pose};

/// Seconds in which the character goes from the bind pose, which its clothes were made in, to the clip's first pose.
const EASE_IN: f32 = 1.0;
/// Seconds in which the cloth comes to hang before the clip starts.
const SETTLE: f32 = 0.5;
/// Metres a joint may jump at the end of a clip for it to count as a loop.
const LOOP_GAP: f32 = 0.1;

/// Where a character is in its clip.
#[derive(Clone)]
pub struct Performance {
    skeleton: Skeleton,
    clip: Option<Clip>,
    bind: Pose,
    start: Pose,
    pose: Pose,
    palette: Palette,
    loops: bool,
    world_from_root: Mat4,
    /// Seconds since the clip started; negative before.
    time: f32,
    /// What the time begins with.
    start_time: f32,
}

impl Performance {
    /// Begins in the bind pose. Without a clip the character stays there.
    pub fn new(skeleton: &Skeleton, clip: Option<&Clip>) -> Self {
        let bind = bind_pose(skeleton);
        let start = clip.map_or_else(|| bind.clone(), |clip| Pose::sample(clip, skeleton, 0.0));
        let loops = clip.is_some_and(|clip| closes(skeleton, clip));
        let palette = Palette::new(skeleton, &bind, Mat4::IDENTITY);
        let time = -(EASE_IN + SETTLE);
        Self {
            skeleton: skeleton.clone(),
            clip: clip.cloned(),
            pose: bind.clone(),
            bind,
            start,
            palette,
            loops,
            world_from_root: Mat4::IDENTITY,
            time,
            start_time: time,
        }
    }

    /// The same somewhere else, `seconds` into the clip: it begins there and not in the bind pose.
    pub fn placed(mut self, world_from_root: Mat4, seconds: f32) -> Self {
        self.world_from_root = world_from_root;
        self.start_time = seconds;
        self.restart();
        self
    }

    /// Steps until the clip starts.
    pub fn preroll_steps(step_seconds: f32) -> u32 {
        ((EASE_IN + SETTLE) / step_seconds).round() as u32
    }

    /// Steps in which cloth comes to hang.
    pub fn settle_steps(step_seconds: f32) -> u32 {
        (SETTLE / step_seconds).round() as u32
    }

    /// Goes on by a step. Returns whether the character was put somewhere else instead of moving there.
    ///
    /// Allocates nothing once the clip plays.
    pub fn advance(&mut self, seconds: f32) -> bool {
        let before = self.time;
        self.time += seconds;
        let Some(clip) = &self.clip else { return false };
        let wrapped = clip.duration > 0.0 && self.time > clip.duration;
        if wrapped {
            self.time %= clip.duration;
        }
        if self.time < 0.0 {
            let eased = smooth(((self.time + SETTLE + EASE_IN) / EASE_IN).min(1.0));
            self.pose = Pose::blend(&self.bind, &self.start, eased);
        } else {
            self.pose.resample(clip, &self.skeleton, self.time);
        }
        self.palette
            .update(&self.skeleton, &self.pose, self.world_from_root);
        wrapped && before > 0.0 && !self.loops
    }

    /// Begins anew: in the bind pose, or where it was placed in the clip.
    pub fn restart(&mut self) {
        if self.start_time < 0.0 {
            self.time = self.start_time;
            self.palette
                .update(&self.skeleton, &self.bind, self.world_from_root);
        } else {
            self.go_to(self.start_time);
        }
    }

    /// Goes to that many seconds of the clip, and as much further as it was placed in it.
    pub fn seek(&mut self, seconds: f32) {
        self.go_to(seconds.max(0.0) + self.start_time.max(0.0));
    }

    /// Goes to a time of the clip, which is played round and round.
    fn go_to(&mut self, seconds: f32) {
        self.time = match self.duration() {
            duration if seconds > duration && duration > 0.0 => seconds % duration,
            _ => seconds,
        };
        if let Some(clip) = &self.clip {
            self.pose.resample(clip, &self.skeleton, self.time);
        }
        self.palette
            .update(&self.skeleton, &self.pose, self.world_from_root);
    }

    /// Where the bones are.
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// Where the character was placed.
    pub fn world_from_root(&self) -> Mat4 {
        self.world_from_root
    }

    /// Seconds since the clip started; negative before.
    pub fn time(&self) -> f32 {
        self.time
    }

    /// Seconds of the clip, zero without one.
    pub fn duration(&self) -> f32 {
        self.clip.as_ref().map_or(0.0, |clip| clip.duration)
    }
}

fn smooth(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// Whether the clip ends where it began.
fn closes(skeleton: &Skeleton, clip: &Clip) -> bool {
    let joints = |seconds| {
        let pose = Pose::sample(clip, skeleton, seconds);
        Palette::new(skeleton, &pose, Mat4::IDENTITY).world_from_bone
    };
    let pairs = joints(0.0).into_iter().zip(joints(clip.duration));
    pairs
        .into_iter()
        .all(|(a, b)| a.w_axis.distance(b.w_axis) < LOOP_GAP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin;

    #[test]
    fn seeking_shows_the_pose_that_playing_comes_to() {
        let avatar = builtin::load_mannequin();
        let clip = &avatar.clips[0];
        let mut played = Performance::new(&avatar.skeleton, Some(clip));
        while played.time() < 1.0 {
            played.advance(1.0 / 60.0);
        }
        let mut sought = Performance::new(&avatar.skeleton, Some(clip));
        sought.seek(played.time());
        let bones = |performance: &Performance| performance.palette().world_from_bone.clone();
        assert_eq!(bones(&sought), bones(&played));
        sought.restart();
        assert!(sought.time() < 0.0, "it begins before the clip again");
        sought.seek(-3.0);
        assert_eq!(sought.time(), 0.0);
    }

    #[test]
    fn who_has_no_clip_stands_still() {
        let avatar = builtin::load_mannequin();
        let mut performance = Performance::new(&avatar.skeleton, None);
        let before = performance.palette().world_from_bone.clone();
        performance.seek(2.0);
        performance.advance(0.5);
        assert_eq!(performance.palette().world_from_bone, before);
    }
}
