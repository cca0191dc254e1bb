//! A character playing a clip, step by step: out of the bind pose, through the clip, and round again.

use glam::{Mat4, Vec3};

use crate::avatar::{Avatar, Clip, Skeleton};
use crate::pose::{Palette, Pose, bind_pose};
use crate::skin::bake::bake;

/// Seconds from the bind pose, which clothes are made in, until the clip starts, where nobody says. Usually 1 to 2; less throws the cloth about.
pub const PREROLL_SECONDS: f32 = 1.5;
/// Share of them in which the character goes to the clip's first pose; in the rest the cloth comes to hang.
const EASE_IN: f32 = 2.0 / 3.0;
/// Metres a joint may jump at the end of a clip for it to count as a loop.
const LOOP_GAP: f32 = 0.1;

/// Seconds before a clip, from text.
///
/// # Errors
/// What to give instead.
pub fn parse_preroll(text: &str) -> Result<f32, String> {
    match text.trim().parse::<f32>() {
        Ok(seconds) if (0.1..=60.0).contains(&seconds) => Ok(seconds),
        _ => Err("give seconds from 0.1 to 60: usually 1 to 2".to_owned()),
    }
}

/// What is played of a clip, in seconds of the clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClipPart {
    /// Where it begins.
    pub first: f32,
    /// From where to where it is played round and round; all of it when not given. What lies before, where it begins, is played once.
    pub round: Option<[f32; 2]>,
}

/// Where a character is in its clip.
#[derive(Clone)]
pub struct Performance {
    skeleton: Skeleton,
    clip: Option<Clip>,
    bind: Pose,
    start: Pose,
    pose: Pose,
    palette: Palette,
    part: ClipPart,
    loops: bool,
    world_from_root: Mat4,
    /// Seconds from the bind pose until the clip starts.
    preroll: f32,
    /// Seconds of the clip; negative before it starts.
    time: f32,
    /// Seconds after the part's first moment that it begins at, of those that begin amid the clip.
    phase: Option<f32>,
}

impl Performance {
    /// Begins in the bind pose, [`PREROLL_SECONDS`] before the clip starts. Without a clip the character stays there.
    pub fn new(skeleton: &Skeleton, clip: Option<&Clip>) -> Self {
        let bind = bind_pose(skeleton);
        let start = clip.map_or_else(|| bind.clone(), |clip| Pose::sample(clip, skeleton, 0.0));
        let loops = clip.is_some_and(|clip| closes(skeleton, clip, [0.0, clip.duration]));
        let palette = Palette::new(skeleton, &bind, Mat4::IDENTITY);
        Self {
            skeleton: skeleton.clone(),
            clip: clip.cloned(),
            pose: bind.clone(),
            bind,
            start,
            palette,
            part: ClipPart::default(),
            loops,
            world_from_root: Mat4::IDENTITY,
            preroll: PREROLL_SECONDS,
            time: -PREROLL_SECONDS,
            phase: None,
        }
    }

    /// The same somewhere else, `seconds` into the clip: it begins there and not in the bind pose.
    pub fn placed(mut self, world_from_root: Mat4, seconds: f32) -> Self {
        self.world_from_root = world_from_root;
        self.phase = Some(seconds);
        self.restart();
        self
    }

    /// The same, that many seconds before the clip starts.
    pub fn with_preroll(mut self, seconds: f32) -> Self {
        self.preroll = seconds;
        self.restart();
        self
    }

    /// Plays a part of the clip from now on; what the clip has not is left out. Who has not begun yet goes from the bind pose to the part's
    /// first pose.
    pub fn set_part(&mut self, part: ClipPart) {
        let Some(clip) = &self.clip else { return };
        let inside = |seconds: f32| seconds.clamp(0.0, clip.duration);
        let round = part.round.map(|ends| ends.map(inside));
        self.part = ClipPart {
            first: inside(part.first),
            round: round.filter(|[from, to]| from < to),
        };
        self.start = Pose::sample(clip, &self.skeleton, self.part.first);
        let ends = self.part.round.unwrap_or([0.0, clip.duration]);
        self.loops = closes(&self.skeleton, clip, ends);
        if self.phase.is_some() && self.part.first > 0.0 {
            self.restart();
        }
    }

    /// What is played of the clip.
    pub fn part(&self) -> ClipPart {
        self.part
    }

    /// From where to where it goes round, seconds of the clip.
    fn round(&self) -> [f32; 2] {
        self.part.round.unwrap_or([0.0, self.duration()])
    }

    /// Seconds before the clip starts: all of them, or those in which the cloth comes to hang for who begins amid the clip.
    pub fn preroll(&self) -> f32 {
        match self.phase {
            None => self.preroll,
            Some(_) => (1.0 - EASE_IN) * self.preroll,
        }
    }

    /// Goes on by a step. Returns whether the character was put somewhere else instead of moving there.
    ///
    /// Allocates nothing once the clip plays.
    pub fn advance(&mut self, seconds: f32) -> bool {
        let before = self.time;
        self.time += seconds;
        let [from, to] = self.round();
        let Some(clip) = &self.clip else { return false };
        if before < 0.0 && self.time >= 0.0 {
            self.time += self.part.first;
        }
        let wrapped = to > from && self.time > to;
        if wrapped {
            self.time = from + (self.time - to) % (to - from);
        }
        if self.time < 0.0 {
            let eased = smooth(((self.time + self.preroll) / (EASE_IN * self.preroll)).min(1.0));
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
        if let Some(phase) = self.phase {
            self.go_to(self.part.first + phase);
        } else {
            self.time = -self.preroll;
            self.palette
                .update(&self.skeleton, &self.bind, self.world_from_root);
        }
    }

    /// Goes to that many seconds of the clip, and as much further as it was placed in it.
    pub fn seek(&mut self, seconds: f32) {
        self.go_to(seconds.max(0.0) + self.phase.unwrap_or_default());
    }

    /// Goes to a time of the clip, which is played round and round.
    fn go_to(&mut self, seconds: f32) {
        let [from, to] = self.round();
        self.time = if seconds > to && to > from {
            from + (seconds - to) % (to - from)
        } else {
            seconds
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

    /// Seconds of the clip that it is at or, before the clip starts, about to begin at: where the character is once it plays.
    pub fn begun_time(&self) -> f32 {
        if self.time < 0.0 && self.part.first > 0.0 {
            self.part.first
        } else {
            self.time
        }
    }

    /// Seconds of the clip, zero without one.
    pub fn duration(&self) -> f32 {
        self.clip.as_ref().map_or(0.0, |clip| clip.duration)
    }
}

/// Where a character's vertices are at so many seconds of a clip, the character at the origin.
pub(super) fn skin_at(avatar: &Avatar, clip: &Clip, seconds: f32) -> Vec<Vec3> {
    let pose = Pose::sample(clip, &avatar.skeleton, seconds);
    let palette = Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY);
    bake(&avatar.skin, &palette).positions
}

/// From 0 to 1, evenly begun and ended.
pub(super) fn smooth(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// Whether the character is at the second of two times where it was at the first.
fn closes(skeleton: &Skeleton, clip: &Clip, [from, to]: [f32; 2]) -> bool {
    let joints = |seconds| {
        let pose = Pose::sample(clip, skeleton, seconds);
        Palette::new(skeleton, &pose, Mat4::IDENTITY).world_from_bone
    };
    let pairs = joints(from).into_iter().zip(joints(to));
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

    /// Steps of a sixtieth of a second; whether any of them was a jump.
    fn play(performance: &mut Performance, steps: usize) -> bool {
        let jumps = (0..steps).filter(|_| performance.advance(1.0 / 60.0));
        jumps.count() > 0
    }

    #[test]
    fn a_short_preroll_comes_to_the_same_pose_of_the_clip_sooner() {
        let avatar = builtin::load_mannequin();
        let usual = Performance::new(&avatar.skeleton, avatar.clips.first());
        let mut hasty = usual.clone().with_preroll(0.2);
        assert_eq!((usual.preroll(), hasty.preroll()), (PREROLL_SECONDS, 0.2));
        let bones = |performance: &Performance| performance.palette().world_from_bone.clone();
        assert_eq!(bones(&usual), bones(&hasty), "both begin in the bind pose");
        let mut came_there = usual;
        came_there.seek(0.0);
        for _ in 0..20 {
            hasty.advance(0.01);
        }
        assert!(hasty.time().abs() < 1e-5);
        for (a, b) in bones(&hasty).iter().zip(bones(&came_there)) {
            assert!(a.abs_diff_eq(b, 1e-3), "{a} and {b}");
        }
        hasty.restart();
        assert_eq!(hasty.time(), -0.2);
        let amid = hasty.placed(Mat4::IDENTITY, 0.4);
        assert!(
            (amid.preroll() - 0.2 / 3.0).abs() < 1e-6,
            "its cloth is to hang"
        );
    }

    #[test]
    fn it_begins_at_the_first_moment_of_its_part_and_goes_round_in_it() {
        let avatar = builtin::load_mannequin();
        let mut performance = Performance::new(&avatar.skeleton, avatar.clips.first());
        performance.set_part(ClipPart {
            first: 2.0,
            round: Some([3.0, 3.5]),
        });
        while performance.time() < 0.0 {
            performance.advance(1.0 / 60.0);
        }
        assert!((performance.time() - 2.0).abs() < 0.02);
        let eased = performance.palette().world_from_bone.clone();
        let mut sought = performance.clone();
        sought.seek(performance.time());
        assert_eq!(eased, sought.palette().world_from_bone);
        assert!(!play(&mut performance, 85));
        assert!((performance.time() - 3.42).abs() < 0.03);
        // It walks: the end of the part is somewhere else than its beginning.
        assert!(play(&mut performance, 10));
        assert!((3.0..3.2).contains(&performance.time()));
        for _ in 0..200 {
            performance.advance(1.0 / 60.0);
            assert!((3.0..=3.5).contains(&performance.time()));
        }
    }

    #[test]
    fn a_part_that_the_clip_has_not_is_left_out() {
        let avatar = builtin::load_mannequin();
        let clip = &avatar.clips[0];
        let mut performance = Performance::new(&avatar.skeleton, Some(clip));
        performance.set_part(ClipPart {
            first: 1e6,
            round: Some([1e6, 2e6]),
        });
        assert_eq!(performance.part().first, clip.duration);
        assert_eq!(performance.part().round, None);
    }

    #[test]
    fn those_that_begin_amid_the_clip_begin_amid_its_part() {
        let avatar = builtin::load_mannequin();
        let mut late =
            Performance::new(&avatar.skeleton, avatar.clips.first()).placed(Mat4::IDENTITY, 0.4);
        late.set_part(ClipPart {
            first: 2.0,
            round: Some([2.0, 2.3]),
        });
        assert!((late.time() - 2.1).abs() < 1e-4, "{}", late.time());
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
