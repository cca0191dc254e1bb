//! Arms and legs as two bones with a hinge between: forward from angles, and inverse from where the end must be.
//!
//! The bind pose is hardly ever a straight limb (an A-pose with bent elbows), so each limb carries a *canonical*
//! frame, in which it hangs straight down, -Y, with its hinge along ±X: angles of key poses mean the same on every rig.

use super::curve::smoothstep;
use glam::{Mat3, Quat, Vec3};

/// Which joint in the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hinge {
    /// Bends the forearm forward: the axis is -X when the arm hangs.
    Elbow,
    /// Bends the calf backward: the axis is +X when the leg hangs.
    Knee,
}

/// Beyond this part of its length a limb gives way softly, so that it never snaps straight. Above 0.995 knees pop at
/// toe-off, below 0.97 everyone walks crouched.
const COMFORTABLE_REACH: f32 = 0.983;
/// The part of its length that a limb approaches and never reaches.
const UTMOST_REACH: f32 = 0.9985;

/// The geometry of one limb in the bind pose, where all joint frames are aligned with the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limb {
    /// From the upper joint (shoulder, hip) to the hinge.
    upper: Vec3,
    /// From the hinge to the end joint (wrist, ankle).
    lower: Vec3,
    /// The hinge's axis, unit length; positive angles bend.
    axis: Vec3,
    /// How far the hinge is bent in the bind pose, radians.
    bend_in_bind: f32,
    bind_from_canonical: Quat,
    canonical_axis: Vec3,
}

/// Angles of a limb relative to its parent, radians; 0 hangs straight down.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimbAngles {
    /// Raised forward, up to π straight up.
    pub(super) flex: f32,
    /// Raised away from the body's middle.
    pub(super) abduct: f32,
    /// Turned about its own length, positive turns the front inward.
    pub(super) twist: f32,
    /// Bent at the hinge, 0 is straight.
    pub(super) bend: f32,
}

/// Local rotations of the upper joint and the hinge, bind pose = identity.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimbRotations {
    pub(super) upper: Quat,
    pub(super) hinge: Quat,
}

impl Limb {
    pub(super) fn new(upper: Vec3, lower: Vec3, hinge: Hinge) -> Self {
        let along = upper.normalize();
        let axis = match hinge {
            // Arms are bent in the bind pose, and that plane is the elbow's; a straight one bends forward.
            Hinge::Elbow => {
                let bent = along.cross(lower.normalize());
                let straight = along.cross(Vec3::Z);
                if bent.length() > 0.1 && bent.dot(straight) > 0.0 {
                    bent
                } else {
                    straight
                }
            }
            // Legs are nearly straight, in a plane that says little: bend in the plane of walking.
            Hinge::Knee => Vec3::X.reject_from_normalized(along),
        }
        .normalize();
        let flat_upper = upper.reject_from_normalized(axis);
        let flat_lower = lower.reject_from_normalized(axis);
        let bend_in_bind = flat_upper
            .cross(flat_lower)
            .dot(axis)
            .atan2(flat_upper.dot(flat_lower));
        let canonical_axis = match hinge {
            Hinge::Elbow => Vec3::NEG_X,
            Hinge::Knee => Vec3::X,
        };
        let bind_from_canonical = frame(along, axis) * frame(Vec3::NEG_Y, canonical_axis).inverse();
        Self {
            upper,
            lower,
            axis,
            bend_in_bind,
            bind_from_canonical,
            canonical_axis,
        }
    }

    /// Length when straight, metres.
    pub(super) fn length(&self) -> f32 {
        self.upper.length() + self.lower.length()
    }

    /// The hinge's axis in the bind pose, unit length.
    pub(super) fn axis(&self) -> Vec3 {
        self.axis
    }

    /// How far the limb reaches without straining, metres; `begun` goes from 0 for the bind pose, which may well be
    /// straight and is met exactly, to 1.
    pub(super) fn comfortable_reach(&self, begun: f32) -> f32 {
        let in_bind = (self.upper + self.lower).length();
        let comfortable = COMFORTABLE_REACH * self.length();
        in_bind.max(comfortable) + begun * (comfortable - in_bind.max(comfortable))
    }

    /// Rotations that put the limb at these angles. `side` is 1 for left, -1 for right.
    pub(super) fn at_angles(&self, angles: LimbAngles, side: f32) -> LimbRotations {
        let swing = swing(angles, side);
        LimbRotations {
            upper: swing * self.bind_from_canonical.inverse(),
            hinge: Quat::from_axis_angle(self.axis, angles.bend - self.bend_in_bind),
        }
    }

    /// The hinge's axis, in the parent's frame, at these angles: the way elbow or knee should point.
    pub(super) fn axis_at(&self, angles: LimbAngles, side: f32) -> Vec3 {
        swing(angles, side) * self.canonical_axis
    }

    /// A hinge rotation, bent no further back than nearly straight; `begun` as for [`Limb::comfortable_reach`].
    pub(super) fn not_overextended(&self, hinge: Quat, begun: f32) -> Quat {
        const MIN_BEND: f32 = 0.04;
        let in_bind = self.bend_in_bind.min(MIN_BEND);
        let least = in_bind + begun * (MIN_BEND - in_bind);
        let bend = 2.0 * hinge.xyz().dot(self.axis).atan2(hinge.w) + self.bend_in_bind;
        Quat::from_axis_angle(self.axis, (least - bend).max(0.0)) * hinge
    }

    /// Rotations that bring the end joint to `target`, given from the upper joint in the parent's frame, with the hinge's
    /// axis as near `axis` as that allows. A target farther than `comfortable` metres is approached, softly.
    pub(super) fn reach(&self, target: Vec3, axis: Vec3, comfortable: f32) -> LimbRotations {
        let distance = soften(target.length(), comfortable, self.length());
        // |upper + hinge(δ) lower|² = distance², split along and across the axis, which the hinge leaves alone.
        let (u_along, l_along) = (self.upper.dot(self.axis), self.lower.dot(self.axis));
        let u_across = self.upper.reject_from_normalized(self.axis).length();
        let l_across = self.lower.reject_from_normalized(self.axis).length();
        let squares = self.upper.length_squared() + self.lower.length_squared();
        let cos_bend =
            (distance * distance - squares - 2.0 * u_along * l_along) / (2.0 * u_across * l_across);
        let bend = cos_bend.clamp(-1.0, 1.0).acos();
        let hinge = Quat::from_axis_angle(self.axis, bend - self.bend_in_bind);
        let chain = self.upper + hinge * self.lower;
        let upper = frame(target.normalize_or(Vec3::NEG_Y), axis)
            * frame(chain.normalize(), self.axis).inverse();
        LimbRotations { upper, hinge }
    }
}

fn swing(angles: LimbAngles, side: f32) -> Quat {
    Quat::from_rotation_x(-angles.flex)
        * Quat::from_rotation_z(side * angles.abduct)
        * Quat::from_rotation_y(-side * angles.twist)
}

/// A rotation that takes +Y to `along` and +X as near `axis` as that allows.
fn frame(along: Vec3, axis: Vec3) -> Quat {
    let x = axis
        .reject_from_normalized(along)
        .normalize_or(along.any_orthonormal_vector());
    Quat::from_mat3(&Mat3::from_cols(x, along, x.cross(along)))
}

/// The distance a limb of this length spans when asked for `distance`: the same while comfortable, then ever less.
fn soften(distance: f32, comfortable: f32, length: f32) -> f32 {
    let room = (UTMOST_REACH * length - comfortable).max(1e-6 * length);
    if distance <= comfortable {
        distance
    } else {
        comfortable + room * (1.0 - (-(distance - comfortable) / room).exp())
    }
}

/// Between two rotations, weighted by an eased `u` in 0..=1.
pub(super) fn ease_between(from: Quat, to: Quat, u: f32) -> Quat {
    from.slerp(to, smoothstep(u))
}

#[cfg(test)]
mod tests {
    use super::super::posture::Arm;
    use super::*;

    fn leg() -> Limb {
        Limb::new(
            Vec3::new(0.041, -0.42, 0.03),
            Vec3::new(0.04, -0.43, -0.012),
            Hinge::Knee,
        )
    }

    fn arm() -> Limb {
        Limb::new(
            Vec3::new(0.17, -0.19, 0.0),
            Vec3::new(0.13, -0.127, 0.19),
            Hinge::Elbow,
        )
    }

    fn end(limb: &Limb, r: LimbRotations) -> Vec3 {
        r.upper * (limb.upper + r.hinge * limb.lower)
    }

    #[test]
    fn reaching_for_the_bind_pose_gives_the_bind_pose() {
        for limb in [leg(), arm()] {
            let r = limb.reach(
                limb.upper + limb.lower,
                limb.axis,
                limb.comfortable_reach(0.0),
            );
            assert!(r.upper.angle_between(Quat::IDENTITY) < 2e-3, "{r:?}");
            assert!(r.hinge.angle_between(Quat::IDENTITY) < 2e-3, "{r:?}");
        }
    }

    #[test]
    fn the_end_arrives_where_it_should() {
        for limb in [leg(), arm()] {
            for target in [
                Vec3::new(0.1, -0.4, 0.2),
                Vec3::new(0.2, 0.3, 0.1),
                Vec3::new(0.0, -0.2, -0.3),
            ] {
                let r = limb.reach(
                    target,
                    Vec3::new(0.9, 0.1, -0.3),
                    limb.comfortable_reach(1.0),
                );
                assert!((end(&limb, r) - target).length() < 1e-4);
            }
        }
    }

    #[test]
    fn a_target_out_of_reach_is_approached_without_a_pop() {
        let limb = leg();
        let mut last = 0.0;
        for i in 0..100 {
            let target = Vec3::NEG_Y * (0.7 + i as f32 * 0.005);
            let reached = end(
                &limb,
                limb.reach(target, Vec3::X, limb.comfortable_reach(1.0)),
            )
            .length();
            assert!(
                reached > last - 1e-5 && reached < limb.length(),
                "{reached}"
            );
            last = reached;
        }
    }

    #[test]
    fn a_raised_arm_does_not_wring_its_shoulder() {
        let limb = arm();
        let along = limb.upper.normalize();
        for flex in [0.0, 0.6, 1.2, 1.8, 2.2, 2.6] {
            let raised = Arm::new(flex, 0.3, 0.0, 0.2).angles();
            let upper = limb.at_angles(raised, 1.0).upper;
            let twist = 2.0 * upper.xyz().dot(along).atan2(upper.w);
            assert!(twist.abs() < 1.0, "raised by {flex}: twisted by {twist}");
        }
    }

    #[test]
    fn angles_mean_the_same_on_every_limb() {
        let straight = |flex, abduct| LimbAngles {
            flex,
            abduct,
            twist: 0.0,
            bend: 0.0,
        };
        for limb in [leg(), arm()] {
            let at = |a| (end(&limb, limb.at_angles(a, 1.0))).normalize();
            assert!(at(straight(0.0, 0.0)).dot(Vec3::NEG_Y) > 0.99);
            assert!(at(straight(1.57, 0.0)).dot(Vec3::Z) > 0.99);
            assert!(at(straight(0.0, 1.57)).dot(Vec3::X) > 0.99);
        }
        let bent = |limb: Limb| {
            end(
                &limb,
                limb.at_angles(
                    LimbAngles {
                        bend: 1.5,
                        ..straight(0.0, 0.0)
                    },
                    1.0,
                ),
            )
            .z
        };
        assert!(bent(arm()) > 0.1, "elbows bend forward");
        assert!(bent(leg()) < -0.1, "knees bend backward");
    }
}
