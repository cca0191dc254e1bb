//! Where feet and hands stand, from when to when, and how a foot travels between.

use super::curve::Curve;
use super::rig::{Rig, RigJoint};
use glam::{Quat, Vec2, Vec3};

/// A foot's place in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootPlace {
    pub(super) ankle: Vec3,
    pub(super) yaw: f32,
    /// Toes up is positive.
    pub(super) pitch: f32,
    /// Pitch of the toes against the foot, positive bends them down.
    pub(super) toe: f32,
}

impl FootPlace {
    pub(super) fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch)
    }

    fn channels(&self) -> [f32; 6] {
        [
            self.ankle.x,
            self.ankle.y,
            self.ankle.z,
            self.yaw,
            self.pitch,
            self.toe,
        ]
    }

    fn from_channels(c: [f32; 6]) -> Self {
        Self {
            ankle: Vec3::new(c[0], c[1], c[2]),
            yaw: c[3],
            pitch: c[4],
            toe: c[5],
        }
    }
}

/// The parts of a foot that meet the floor, from the ankle, in the bind pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootShape {
    /// The joint the toes bend at.
    pub(super) ball: Vec3,
    /// The lowest point of the heel.
    pub(super) heel: Vec3,
    /// The lowest point of the longest toe.
    pub(super) toe_tip: Vec3,
}

impl FootShape {
    /// Guessed from two joints: the heel sticks out behind the ankle by 0.42, the toes beyond the ball by 0.56 of what lies
    /// between ankle and ball.
    pub(super) fn measure(foot: RigJoint, ball: RigJoint) -> Self {
        let ball_from_ankle = ball.pos_in_bind - foot.pos_in_bind;
        let floor = -foot.pos_in_bind.y;
        Self {
            ball: ball_from_ankle,
            heel: Vec3::new(0.0, floor, -0.42 * ball_from_ankle.z),
            toe_tip: Vec3::new(ball_from_ankle.x, floor, 1.56 * ball_from_ankle.z),
        }
    }
}

impl FootShape {
    /// How far the lowest part of a foot is below the floor, metres; negative above.
    pub(super) fn depth(&self, ankle: Vec3, rotation: Quat, toe: Quat) -> f32 {
        let sole = Vec3::new(self.ball.x, self.heel.y, self.ball.z);
        let toe_tip = self.ball + toe * (self.toe_tip - self.ball);
        let lowest = [self.heel, sole, toe_tip].map(|p| ankle.y + (rotation * p).y);
        -lowest.into_iter().fold(f32::INFINITY, f32::min)
    }
}

/// A foot on the floor. It comes down on heel or toes, stands, and rolls off over the ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// Seconds; the foot touches from here…
    pub(super) on: f32,
    /// …to here.
    pub(super) off: f32,
    /// Where the ball of the foot stands, world x and z.
    pub(super) ball: Vec2,
    pub(super) yaw: f32,
    /// Pitch on touching down: positive lands on the heel, negative on the ball.
    pub(super) pitch_on: f32,
    /// How long it takes from there to standing flat, seconds.
    pub(super) roll_in: f32,
    /// Pitch on leaving, not positive: the heel is up.
    pub(super) pitch_off: f32,
    /// How long it takes from flat to there, seconds.
    pub(super) roll_out: f32,
}

impl Contact {
    /// A foot that stands flat all the time.
    pub(super) fn flat(on: f32, off: f32, ball: Vec2, yaw: f32) -> Self {
        Self {
            on,
            off,
            ball,
            yaw,
            pitch_on: 0.0,
            roll_in: 0.05,
            pitch_off: 0.0,
            roll_out: 0.05,
        }
    }

    pub(super) fn landing(self, pitch_on: f32, roll_in: f32) -> Self {
        Self {
            pitch_on,
            roll_in,
            ..self
        }
    }

    pub(super) fn leaving(self, pitch_off: f32, roll_out: f32) -> Self {
        Self {
            pitch_off,
            roll_out,
            ..self
        }
    }

    fn pitch(&self, t: f32) -> f32 {
        let to_flat = 1.0 - ((t - self.on) / self.roll_in).clamp(0.0, 1.0);
        let from_flat = 1.0 - ((self.off - t) / self.roll_out).clamp(0.0, 1.0);
        self.pitch_on * to_flat * to_flat + self.pitch_off * from_flat * from_flat
    }

    fn place(&self, shape: &FootShape, ball_height: f32, t: f32) -> FootPlace {
        let pitch = self.pitch(t);
        let heading = Quat::from_rotation_y(self.yaw);
        let turned = heading * Quat::from_rotation_x(-pitch);
        let ball = Vec3::new(self.ball.x, ball_height, self.ball.y);
        let ankle = if pitch > 0.0 {
            ball + heading * (shape.heel - shape.ball) - turned * shape.heel
        } else {
            ball - turned * shape.ball
        };
        FootPlace {
            ankle,
            yaw: self.yaw,
            pitch,
            toe: pitch.min(0.0),
        }
    }
}

/// What a foot does between two contacts.
#[derive(Clone, Debug)]
pub(super) enum Gap {
    /// It follows a path in the world through these places on the way.
    Swing(Vec<Via>),
    /// It goes along with the body as the posture says.
    Free,
}

/// A place that a swinging foot passes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Via {
    /// Part of the time of the swing, in 0..1.
    pub(super) at: f32,
    /// Part of the way over the floor from the ankle's place at the start to that at the end.
    pub(super) share: f32,
    /// How far the ankle is above where it is when the foot stands flat, metres.
    pub(super) lift: f32,
    pub(super) pitch: f32,
}

/// What a limb's end does at one time.
#[derive(Clone, Copy, Debug)]
pub(super) enum FootState {
    /// On the floor.
    Planted(FootPlace),
    /// In the air on a path of its own.
    Swinging(FootPlace),
    /// In the air with the body.
    Free(Between),
}

/// A time between two holds of a limb.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between {
    /// The hold before and how long ago it ended, seconds.
    pub(super) before: Option<(usize, f32)>,
    /// The hold after and how long until it begins, seconds.
    pub(super) after: Option<(usize, f32)>,
}

/// All a foot does.
pub(super) struct FootTrack {
    pub(super) shape: FootShape,
    ball_height: f32,
    contacts: Vec<Contact>,
    /// One fewer than contacts; the curve of a swing.
    swings: Vec<Option<Curve<6>>>,
}

impl FootTrack {
    /// `gaps` has one less than `contacts`, whose times must increase.
    pub(super) fn new(rig: &Rig, side: usize, contacts: Vec<Contact>, gaps: &[Gap]) -> Self {
        assert_eq!(
            contacts.len(),
            gaps.len() + 1,
            "a gap between any two contacts"
        );
        let [_, _, foot, ball] = rig.legs[side];
        let mut track = Self {
            shape: FootShape::measure(foot, ball),
            ball_height: ball.pos_in_bind.y,
            contacts,
            swings: Vec::with_capacity(gaps.len()),
        };
        for (ix, gap) in gaps.iter().enumerate() {
            let swing = match gap {
                Gap::Swing(vias) => Some(track.swing(ix, vias, foot.pos_in_bind.y)),
                Gap::Free => None,
            };
            track.swings.push(swing);
        }
        track
    }

    pub(super) fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    fn contact_place(&self, ix: usize, t: f32) -> FootPlace {
        self.contacts[ix].place(&self.shape, self.ball_height, t)
    }

    /// The path from contact `ix` to the next, leaving and arriving as fast as the contacts roll.
    fn swing(&self, ix: usize, vias: &[Via], standing_height: f32) -> Curve<6> {
        const DT: f32 = 1e-3;
        let (t0, t1) = (self.contacts[ix].off, self.contacts[ix + 1].on);
        let (from, to) = (self.contact_place(ix, t0), self.contact_place(ix + 1, t1));
        // In a turn the foot follows the arc: a chord would take it through the other leg.
        let chord = to.ankle - from.ankle;
        let bow = (to.yaw - from.yaw) / 8.0 * Vec3::new(chord.z, 0.0, -chord.x);
        let mut keys = vec![(t0, from.channels())];
        for via in vias {
            let mut ankle = from.ankle.lerp(to.ankle, via.share);
            ankle -= 4.0 * via.share * (1.0 - via.share) * bow;
            ankle.y = standing_height + via.lift;
            let yaw = from.yaw + via.share * (to.yaw - from.yaw);
            let place = FootPlace {
                ankle,
                yaw,
                pitch: via.pitch,
                toe: from.toe * (1.0 - via.at).powi(3),
            };
            keys.push((t0 + via.at * (t1 - t0), place.channels()));
        }
        keys.push((t1, to.channels()));
        let mut curve = Curve::rounded(keys);
        let slope = |a: FootPlace, b: FootPlace| {
            let (a, b) = (a.channels(), b.channels());
            std::array::from_fn(|c| (b[c] - a[c]) / DT)
        };
        curve.set_slope(0, slope(self.contact_place(ix, t0 - DT), from));
        curve.set_last_slope(slope(to, self.contact_place(ix + 1, t1 + DT)));
        curve
    }

    pub(super) fn state(&self, t: f32) -> FootState {
        let begun = self.contacts.partition_point(|c| c.on <= t);
        let ix = begun.saturating_sub(1);
        if begun == 0 || t <= self.contacts[ix].off || begun == self.contacts.len() {
            return FootState::Planted(self.contact_place(ix, t));
        }
        match &self.swings[ix] {
            Some(curve) => FootState::Swinging(FootPlace::from_channels(curve.sample(t))),
            None => FootState::Free(Between {
                before: Some((ix, t - self.contacts[ix].off)),
                after: Some((ix + 1, self.contacts[ix + 1].on - t)),
            }),
        }
    }
}

/// A hand on the floor.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandContact {
    pub(super) on: f32,
    pub(super) off: f32,
    pub(super) wrist: Vec3,
    /// World direction of the fingers, level, unit length; the palm faces down.
    pub(super) fingers: Vec3,
}

/// What a hand does at one time.
#[derive(Clone, Copy, Debug)]
pub(super) enum HandState {
    Planted(HandContact),
    Free(Between),
}

/// The holds of a hand, in order of time.
pub(super) struct HandTrack(pub(super) Vec<HandContact>);

impl HandTrack {
    pub(super) fn state(&self, t: f32) -> HandState {
        let begun = self.0.partition_point(|c| c.on <= t);
        if begun > 0 && t <= self.0[begun - 1].off {
            return HandState::Planted(self.0[begun - 1]);
        }
        HandState::Free(Between {
            before: begun.checked_sub(1).map(|ix| (ix, t - self.0[ix].off)),
            after: self.0.get(begun).map(|c| (begun, c.on - t)),
        })
    }
}
