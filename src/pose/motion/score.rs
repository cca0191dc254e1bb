//! The plan of a routine: what is where at what time. Pieces of motion write into it one after another, as into a score.

use super::contact::{Contact, FootTrack, Gap, HandContact, HandTrack};
use super::curve::Curve;
use super::posture::{Fold, Posture, PostureTrack};
use super::rig::{LEFT, RIGHT, Rig};
use glam::{Vec2, Vec3};

/// Metres per second squared, downward.
pub(super) const GRAVITY: f32 = 9.81;

/// A time at which the centre of mass is somewhere.
#[derive(Clone, Copy, Debug)]
struct Knot {
    t: f32,
    com: Vec3,
    /// Free fall until the next knot.
    flies: bool,
}

/// Where the character is between two pieces: standing, both feet down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station {
    /// Seconds.
    pub(super) t: f32,
    /// Halfway between the balls of the feet, world x and z.
    pub(super) pos: Vec2,
    /// The way it faces.
    pub(super) yaw: f32,
    /// What tumbling and twisting came before: the upright posture carries on from there.
    pub(super) tumble: f32,
    pub(super) twist: f32,
}

/// A plan being written.
pub(super) struct Score<'a> {
    pub(super) rig: &'a Rig,
    /// Leg length, metres: the unit of all horizontal lengths.
    pub(super) leg: f32,
    /// Height of the centre of mass in an upright stand, metres.
    pub(super) standing: f32,
    /// How much higher the centre of mass is in a handstand than in an upright stand, leg lengths.
    pub(super) handstand: f32,
    /// How much higher above the hips than an adult's the centre of mass is, leg lengths: it comes down when the trunk does.
    pub(super) top_heavy: f32,
    /// How much farther ahead than an adult's hands come down, for a long trunk and long arms, leg lengths.
    pub(super) farther: f32,
    /// How far relaxed arms hang off the body, radians.
    pub(super) arm_abduct: f32,
    /// How thick limbs are for their length: 0 for people, 1 for an ogre, whose thighs and calves meet at half the angle.
    pub(super) stout: f32,
    /// How far free limbs fold.
    fold: Fold,
    postures: Vec<(f32, Posture)>,
    knots: Vec<Knot>,
    contacts: [Vec<Contact>; 2],
    gaps: [Vec<Gap>; 2],
    hands: [Vec<HandContact>; 2],
}

/// A finished plan.
pub(super) struct Plan {
    pub(super) duration: f32,
    pub(super) postures: PostureTrack,
    pub(super) com: Curve<3>,
    pub(super) feet: [FootTrack; 2],
    pub(super) hands: [HandTrack; 2],
    /// Free falls, from and to, seconds.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "tests hold the motion against it")
    )]
    pub(super) flights: Vec<(f32, f32)>,
}

impl Station {
    /// A point `forward` and `left` of the station.
    pub(super) fn at(&self, forward: f32, left: f32) -> Vec2 {
        let (sin, cos) = self.yaw.sin_cos();
        self.pos + forward * Vec2::new(sin, cos) + left * Vec2::new(cos, -sin)
    }
}

impl<'a> Score<'a> {
    /// A plan in which the character stands in its bind pose at time 0.
    pub(super) fn new(rig: &'a Rig) -> Self {
        let com = rig.centre_of_mass(&rig.place(&rig.bind_pose()));
        let mut score = Self {
            rig,
            leg: rig.leg_length(),
            standing: com.y,
            handstand: handstand(rig, com),
            top_heavy: ((com.y - rig.leg_length()) / rig.leg_length() - 0.06).max(0.0),
            farther: farther(rig, com),
            arm_abduct: relaxed_arm_abduct(rig),
            stout: stout(rig),
            fold: Fold::PEOPLE.toward(Fold::STOUT, stout(rig)),
            postures: Vec::new(),
            knots: Vec::new(),
            contacts: [Vec::new(), Vec::new()],
            gaps: [Vec::new(), Vec::new()],
            hands: [Vec::new(), Vec::new()],
        };
        score.com(0.0, com);
        for side in [LEFT, RIGHT] {
            let ball = rig.legs[side][3].pos_in_bind;
            score.contacts[side].push(Contact::flat(
                -1.0,
                f32::INFINITY,
                Vec2::new(ball.x, ball.z),
                0.0,
            ));
        }
        score
    }

    pub(super) fn relaxed(&self) -> Posture {
        Posture::relaxed(self.arm_abduct)
    }

    pub(super) fn posture(&mut self, t: f32, posture: Posture) {
        self.postures.push((t, posture.folded_within(&self.fold)));
    }

    /// The centre of mass is here at `t`.
    pub(super) fn com(&mut self, t: f32, com: Vec3) {
        self.knots.push(Knot {
            t,
            com,
            flies: false,
        });
    }

    /// The centre of mass is here at `t` and then falls freely to the next place.
    pub(super) fn take_off(&mut self, t: f32, com: Vec3) {
        self.knots.push(Knot {
            t,
            com,
            flies: true,
        });
    }

    /// Where the last knot is.
    pub(super) fn last_com(&self) -> Vec3 {
        self.knots.last().map_or(Vec3::ZERO, |k| k.com)
    }

    /// Where a foot stands now.
    pub(super) fn standing_on(&self, side: usize) -> Contact {
        self.contacts[side][self.contacts[side].len() - 1]
    }

    /// The foot that stands leaves the floor at `off` with its heel up by `-pitch`, having rolled for `roll` seconds.
    pub(super) fn leave(&mut self, side: usize, off: f32, pitch: f32, roll: f32) {
        if let Some(last) = self.contacts[side].last_mut() {
            *last = Contact {
                off,
                ..last.leaving(pitch, roll)
            };
        }
    }

    /// The foot that left comes down again.
    pub(super) fn land(&mut self, side: usize, gap: Gap, contact: Contact) {
        self.gaps[side].push(gap);
        self.contacts[side].push(Contact {
            off: f32::INFINITY,
            ..contact
        });
    }

    pub(super) fn plant_hand(&mut self, side: usize, contact: HandContact) {
        self.hands[side].push(contact);
    }

    /// Ends the writing.
    pub(super) fn finish(self, duration: f32) -> Plan {
        let [left, right] = self.contacts;
        let [left_hand, right_hand] = self.hands;
        Plan {
            duration,
            postures: PostureTrack::new(self.postures),
            com: com_curve(&self.knots),
            feet: [
                FootTrack::new(self.rig, LEFT, left, &self.gaps[LEFT]),
                FootTrack::new(self.rig, RIGHT, right, &self.gaps[RIGHT]),
            ],
            hands: [HandTrack(left_hand), HandTrack(right_hand)],
            flights: self
                .knots
                .windows(2)
                .filter(|k| k[0].flies)
                .map(|k| (k[0].t, k[1].t))
                .collect(),
        }
    }
}

/// A cubic through the knots; one with the right slopes at both ends of a free fall is that fall's parabola.
fn com_curve(knots: &[Knot]) -> Curve<3> {
    let mut curve = Curve::rounded(knots.iter().map(|k| (k.t, k.com.to_array())).collect());
    for (ix, pair) in knots
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0].flies)
    {
        let duration = pair[1].t - pair[0].t;
        let mean = (pair[1].com - pair[0].com) / duration;
        let half_fall = Vec3::Y * (0.5 * GRAVITY * duration);
        curve.set_slope(ix, (mean + half_fall).to_array());
        curve.set_slope(ix + 1, (mean - half_fall).to_array());
    }
    curve
}

/// From the wrists up: arms nearly straight, then from shoulder to centre of mass, which raised arms draw nearer.
fn handstand(rig: &Rig, com: Vec3) -> f32 {
    let leg = rig.leg_length();
    let shoulder = rig.arms[LEFT][1].pos_in_bind.y;
    let height =
        rig.wrist_height() + 0.94 * rig.arm_limbs[LEFT].length() + (shoulder - com.y) - 0.05 * leg;
    (height - com.y) / leg
}

/// By the trunk's and the arms' lengths over an adult's.
fn farther(rig: &Rig, com: Vec3) -> f32 {
    let leg = rig.leg_length();
    let trunk = (rig.arms[LEFT][1].pos_in_bind.y - com.y) / leg - 0.45;
    let arm = rig.arm_limbs[LEFT].length() / leg - 0.55;
    (0.84 * trunk + 0.5 * arm).max(0.0)
}

/// By how far apart the hips are for the thighs' length: bones do not say how thick limbs are, but thick ones stand wide.
fn stout(rig: &Rig) -> f32 {
    let [hip, knee, ..] = rig.legs[LEFT].map(|joint| joint.pos_in_bind);
    ((hip.x / hip.distance(knee) - 0.30) / 0.25).clamp(0.0, 1.0)
}

/// Arms must clear the hips: hands hang outside them by a hand's width, more for broad hips or long arms, in radians. And
/// the armpits: nearer to the body than 14°, or 25° for thick arms, the upper arm's skin is inside the chest's.
fn relaxed_arm_abduct(rig: &Rig) -> f32 {
    let shoulder = rig.arms[LEFT][1].pos_in_bind.x;
    let hip = rig.legs[LEFT][0].pos_in_bind.x;
    let hand_at = hip + 0.23 * rig.leg_length();
    ((hand_at - shoulder) / rig.arm_limbs[LEFT].length())
        .clamp(0.0, 0.6)
        .asin()
        .max(0.25 + 0.19 * stout(rig))
}
