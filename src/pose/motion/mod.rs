//! Motion of our own for the game rig: walking, running, jumping and tumbling, authored as key poses and footsteps.
//!
//! The plan is in proportion to the character: steps in leg lengths, the centre of mass on its parabola while nothing
//! touches the floor, feet and hands held where they stand by inverse kinematics. So one authored routine fits a human, a
//! mannequin and an ogre, and no foot slides. Data flows
//!
//! ```text
//! rig (measured) → gait, jump, tumble, kick, sit (write) → score (plan) → solve (one instant) → sample (clip)
//! ```
//!
//! The rig is MakeHuman's game rig by joint names, in any proportions, +Y up, facing +Z, soles on y = 0, its rest pose the
//! bind pose and every joint frame aligned with the world; fingers may be missing. Other rigs get a [`MotionError`].
//!
//! A clip starts in the bind pose and leaves it within 0.65 s, so that cloth made to the bind pose can start with it; it
//! ends in a relaxed stand. It does not loop.

mod contact;
mod curve;
mod gait;
mod jump;
mod kick;
mod limb;
mod piece;
mod posture;
mod rig;
mod routine;
mod sample;
mod score;
mod sit;
mod solve;
#[cfg(test)]
mod tests;
mod tumble;

pub use routine::Routine;

use crate::avatar::{Clip, Skeleton};
use rig::Rig;

/// Why there is no motion for a skeleton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MotionError {
    #[error(
        "the skeleton has no joint named {joint:?}: built-in motion needs the game rig; play a clip of the file instead"
    )]
    MissingJoint { joint: String },
    #[error(
        "node {node:?} is turned or scaled in its rest pose: built-in motion needs joint frames aligned with the world; play a clip of the file instead"
    )]
    RestNotAligned { node: String },
    #[error(
        "joint {joint:?} is not below the joint that carries it in the game rig, or lies on top of it; play a clip of the file instead"
    )]
    Misplaced { joint: String },
}

/// The whole show, about 10 s: walk, run, leap, round-off, back somersault, high kick.
///
/// # Errors
/// A skeleton that is not the game rig.
pub fn author(skeleton: &Skeleton) -> Result<Clip, MotionError> {
    author_named(skeleton, Routine::All)
}

/// One routine as a clip of linear keys, 60 per second: rotations of the joints that move and the pelvis' translation,
/// metres. The same skeleton always gets the same clip, bit for bit.
///
/// # Errors
/// A skeleton that is not the game rig.
pub fn author_named(skeleton: &Skeleton, routine: Routine) -> Result<Clip, MotionError> {
    let rig = Rig::from_skeleton(skeleton)?;
    let plan = routine::plan(&rig, routine);
    Ok(sample::clip_of(
        &rig,
        routine.name(),
        &sample::sample_poses(&rig, &plan),
    ))
}
