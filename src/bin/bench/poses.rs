//! Poses evenly over a clip, for figures that are found without playing it.

use glam::Mat4;
use radial_fields::avatar::Avatar;
use radial_fields::pose::{Palette, Pose};

/// The pose in the middle of that one of `count` equal parts of the first clip; without a clip the bind pose.
pub fn pose(avatar: &Avatar, ix: usize, count: usize) -> Palette {
    let Some(clip) = avatar.clips.first() else {
        return Palette::bind(&avatar.skeleton);
    };
    let seconds = clip.duration * (ix as f32 + 0.5) / count as f32;
    let pose = Pose::sample(clip, &avatar.skeleton, seconds);
    Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY)
}
