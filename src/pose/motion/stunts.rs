//! Jumping and tumbling as key poses. Times are in seconds from the start of a piece; lengths in leg lengths.

use super::contact::{Contact, Gap, HandContact};
use super::gait::Waypoint;
use super::posture::{Arm, Leg, Posture};
use super::rig::{LEFT, RIGHT, sign};
use super::score::{Score, Station, WRIST_HEIGHT};
use glam::{Vec2, Vec3};
use std::f32::consts::{PI, TAU};

/// Half the distance between the feet in a landing, leg lengths.
const LANDING_WIDTH: f32 = 0.14;
/// The ball of the foot is this far ahead of the centre of mass in a stand, leg lengths.
const BALL_AHEAD: f32 = 0.07;

/// Writes key poses and places of one piece.
struct Piece<'s, 'a> {
    score: &'s mut Score<'a>,
    from: Station,
}

impl Piece<'_, '_> {
    /// The upright posture that poses of this piece start from.
    fn upright(&self) -> Posture {
        Posture { yaw: self.from.yaw, tumble: self.from.tumble, twist: self.from.twist, ..self.score.relaxed() }
    }

    fn pose(&mut self, t: f32, posture: Posture) {
        self.score.posture(self.from.t + t, posture);
    }

    /// A place `forward` and `left` leg lengths off, at `height` leg lengths above where the centre of mass is in a stand.
    fn place(&self, forward: f32, left: f32, height: f32) -> Vec3 {
        let leg = self.score.leg;
        let floor = self.from.at(forward * leg, left * leg);
        Vec3::new(floor.x, self.score.standing + height * leg, floor.y)
    }

    fn com(&mut self, t: f32, forward: f32, left: f32, height: f32) {
        self.score.com(self.from.t + t, self.place(forward, left, height));
    }

    fn take_off(&mut self, t: f32, forward: f32, height: f32) {
        self.score.take_off(self.from.t + t, self.place(forward, 0.0, height));
    }

    fn leave(&mut self, side: usize, t: f32, pitch: f32, roll: f32) {
        self.score.leave(side, self.from.t + t, pitch, roll);
    }

    fn contact(&self, t: f32, forward: f32, left: f32, turned: f32) -> Contact {
        let leg = self.score.leg;
        Contact::flat(self.from.t + t, f32::INFINITY, self.from.at(forward * leg, left * leg), self.from.yaw + turned)
    }

    fn plant_hand(&mut self, side: usize, on: f32, off: f32, forward: f32, fingers: (f32, f32)) {
        let leg = self.score.leg;
        let floor = self.from.at(forward * leg, 0.0);
        let way = (self.from.at(fingers.0, fingers.1) - self.from.pos).normalize();
        self.score.plant_hand(side, HandContact {
            on: self.from.t + on,
            off: self.from.t + off,
            wrist: Vec3::new(floor.x, WRIST_HEIGHT * leg, floor.y),
            fingers: Vec3::new(way.x, 0.0, way.y),
        });
    }
}

/// A leap off the foot that stands, `end` being where the run has come to, landing on both feet and sinking into a crouch.
pub(super) fn leap(score: &mut Score, end: Waypoint, t: f32) -> Station {
    const FLIGHT: f32 = 0.56;
    let leg = score.leg;
    let com = score.last_com();
    let from = Station { t, pos: end.pos, yaw: end.yaw, tumble: 0.0, twist: 0.0 };
    let far = (end.speed * FLIGHT * 0.92) / leg;
    debug_assert!((com.x - end.pos.x).abs() + (com.z - end.pos.y).abs() < 10.0 * leg);
    let mut piece = Piece { score, from };
    piece.take_off(0.0, 0.0, 0.03);
    piece.com(FLIGHT, far, 0.0, -0.14);
    let feet_at = far + 0.40;
    for side in [LEFT, RIGHT] {
        let wide = sign(side) * LANDING_WIDTH;
        let contact = piece.contact(FLIGHT, feet_at, wide, sign(side) * 0.10);
        piece.score.land(side, Gap::Free, contact.landing(0.12, 0.07));
    }
    piece.com(FLIGHT + 0.20, feet_at - 0.10, 0.0, -0.36);
    leap_poses(&mut piece, FLIGHT);
    let pos = from.at(feet_at * leg, 0.0);
    Station { t: t + FLIGHT + 0.45, pos, ..from }
}

fn leap_poses(piece: &mut Piece, flight: f32) {
    let up = piece.upright();
    piece.pose(0.0, Posture {
        lean: 0.06,
        spine_bend: -0.05,
        arms: [Arm::new(0.2, 0.5, 0.1, 0.6), Arm::new(1.5, 0.4, 0.2, 0.9)],
        legs: [Leg::new(-0.45, 0.06, 0.2, 0.6), Leg::new(1.35, 0.08, 1.4, 0.3)],
        ..up
    });
    piece.pose(0.42 * flight, Posture {
        lean: 0.12,
        spine_bend: 0.05,
        arms: [Arm::new(1.2, 0.9, 0.1, 0.3), Arm::new(1.6, 0.8, 0.1, 0.3)],
        legs: [Leg::new(-0.3, 0.10, 0.75, 0.6), Leg::new(1.45, 0.12, 0.55, 0.4)],
        ..up
    });
    piece.pose(0.80 * flight, Posture {
        lean: 0.05,
        spine_bend: 0.18,
        arms: [Arm::new(1.2, 0.6, 0.1, 0.4); 2],
        legs: [Leg::new(0.75, 0.12, 0.65, 0.05), Leg::new(0.95, 0.12, 0.45, 0.0)],
        ..up
    });
    piece.pose(flight, Posture { lean: 0.12, spine_bend: 0.22, arms: [Arm::new(0.9, 0.5, 0.1, 0.5); 2], ..up });
    piece.pose(flight + 0.20, Posture {
        lean: 0.55,
        spine_bend: 0.40,
        nod: 0.1,
        arms: [Arm::new(-0.35, 0.45, 0.1, 0.5); 2],
        ..up
    });
    piece.pose(flight + 0.45, Posture {
        lean: 0.20,
        spine_bend: 0.15,
        arms: [Arm::new(0.9, 0.4, 0.1, 0.4); 2],
        ..up
    });
}

/// A jump on the spot and a little forward, off both feet: dip, spring, reach up, land, rise.
pub(super) fn jump(score: &mut Score, from: Station) -> Station {
    let mut piece = Piece { score, from };
    let up = piece.upright();
    let (dip, off, on) = (0.50, 0.85, 1.43);
    let ahead = 0.75;
    piece.com(dip, -BALL_AHEAD, 0.0, -0.34);
    piece.take_off(off, 0.02, 0.06);
    piece.com(on, ahead - 0.12, 0.0, -0.12);
    piece.com(on + 0.20, ahead - 0.08, 0.0, -0.36);
    piece.com(on + 0.65, ahead - BALL_AHEAD, 0.0, -0.02);
    for side in [LEFT, RIGHT] {
        piece.leave(side, off, -0.85, 0.20);
        let contact = piece.contact(on, ahead, sign(side) * LANDING_WIDTH, sign(side) * 0.10);
        piece.score.land(side, Gap::Free, contact.landing(-0.45, 0.09));
    }
    let crouch = Posture { lean: 0.65, spine_bend: 0.45, arms: [Arm::new(-0.8, 0.35, 0.1, 0.3); 2], ..up };
    piece.pose(dip, crouch);
    piece.pose(off, Posture {
        spine_bend: -0.1,
        arms: [Arm::new(2.0, 0.30, 0.0, 0.3); 2],
        legs: [Leg::new(0.0, 0.1, 0.1, 0.8); 2],
        ..up
    });
    piece.pose(0.5 * (off + on), Posture {
        arms: [Arm::new(2.7, 0.35, 0.0, 0.2); 2],
        legs: [Leg::new(0.7, 0.12, 1.2, 0.6); 2],
        ..up
    });
    piece.pose(on, Posture { lean: 0.2, arms: [Arm::new(1.3, 0.5, 0.1, 0.4); 2], legs: [Leg::new(0.4, 0.14, 0.5, 0.3); 2], ..up });
    piece.pose(on + 0.20, Posture { arms: [Arm::new(0.3, 0.5, 0.1, 0.5); 2], ..crouch });
    piece.pose(on + 0.65, up);
    let leg = piece.score.leg;
    Station { t: from.t + on + 0.65, pos: from.at(ahead * leg, 0.0), ..from }
}

/// A round-off into a tucked back somersault, all in the direction of travel.
pub(super) fn tumble(score: &mut Score, from: Station) -> Station {
    let mut piece = Piece { score, from };
    round_off_contacts(&mut piece);
    round_off_com(&mut piece);
    round_off_poses(&mut piece);
    somersault_poses(&mut piece);
    let leg = piece.score.leg;
    Station {
        t: from.t + 2.75,
        pos: from.at(3.42 * leg, 0.0),
        yaw: from.yaw,
        tumble: from.tumble + 2.0 * TAU,
        twist: from.twist - PI,
    }
}

fn round_off_contacts(piece: &mut Piece) {
    // The left foot lunges ahead and turns in, for the body will turn over it; the right kicks up.
    piece.leave(LEFT, 0.12, -0.5, 0.12);
    let lunge = piece.contact(0.42, 0.85, 0.07, -0.5);
    let step = Gap::Swing(super::gait::walking_swing(piece.score.leg, false));
    piece.score.land(LEFT, step, lunge.landing(0.12, 0.10));
    piece.leave(RIGHT, 0.52, -0.8, 0.24);
    piece.leave(LEFT, 0.82, -0.75, 0.22);
    piece.plant_hand(LEFT, 0.76, 1.08, 1.42, (0.3, 1.0));
    piece.plant_hand(RIGHT, 0.93, 1.18, 1.72, (-0.3, 1.0));
    // Both feet land together, facing back; off again into the somersault; and land.
    for (on, off, forward) in [(1.38, Some(1.60), 2.62), (2.22, None, 3.42)] {
        for side in [LEFT, RIGHT] {
            // Facing back, the left foot is on the right of the way.
            let wide = -sign(side) * (LANDING_WIDTH - 0.02);
            let contact = piece.contact(on, forward, wide, -PI + sign(side) * 0.08);
            piece.score.land(side, Gap::Free, contact.landing(-0.40, 0.08));
            if let Some(off) = off {
                piece.leave(side, off, -0.75, 0.13);
            }
        }
    }
}

fn round_off_com(piece: &mut Piece) {
    piece.com(0.20, 0.16, 0.0, -0.03);
    piece.com(0.42, 0.46, 0.02, -0.08);
    piece.com(0.52, 0.65, 0.02, -0.13);
    let handstand = piece.score.handstand;
    piece.com(0.64, 0.94, 0.02, -0.20);
    piece.com(0.76, 1.12, 0.02, -0.21);
    piece.com(0.86, 1.28, 0.0, 0.5 * (handstand - 0.18));
    piece.com(1.02, 1.58, 0.0, handstand);
    piece.com(1.16, 1.86, 0.0, handstand + 0.01);
    piece.com(1.38, 2.28, 0.0, -0.17);
    piece.take_off(1.60, 2.60, 0.03);
    piece.com(2.22, 3.16, 0.0, -0.18);
    piece.com(2.42, 3.40, 0.0, -0.40);
    piece.com(2.75, 3.42 + BALL_AHEAD, 0.0, -0.08);
}

fn round_off_poses(piece: &mut Piece) {
    let up = piece.upright();
    let turned = |tumble: f32, twist: f32| Posture { tumble: up.tumble + tumble, twist: up.twist + twist, gaze: 0.0, ..up };
    let overhead = [Arm::new(2.85, 0.10, 0.0, 0.15); 2];
    piece.pose(0.20, Posture { lean: 0.05, arms: [Arm::new(1.8, 0.25, 0.0, 0.3); 2], ..up });
    piece.pose(0.42, Posture { lean: 0.20, spine_bend: 0.05, arms: [Arm::new(2.7, 0.15, 0.0, 0.2); 2], gaze: 0.6, ..up });
    piece.pose(0.64, Posture {
        spine_bend: 0.55,
        spine_twist: -0.2,
        nod: -0.3,
        grip: 0.0,
        arms: overhead,
        legs: [Leg::new(0.6, 0.1, 0.5, 0.2), Leg::new(-0.25, 0.12, 0.15, 0.7)],
        ..turned(1.30, -0.45)
    });
    piece.pose(0.84, Posture {
        spine_bend: 0.30,
        grip: 0.0,
        nod: -0.4,
        arms: overhead,
        legs: [Leg::new(0.6, 0.25, 0.8, 0.8), Leg::new(-0.35, 0.45, 0.1, 0.8)],
        ..turned(2.25, -1.15)
    });
    piece.pose(1.02, Posture {
        nod: -0.4,
        grip: 0.0,
        arms: overhead,
        legs: [Leg::new(0.1, 0.45, 0.05, 0.9), Leg::new(0.0, 0.45, 0.05, 0.9)],
        ..turned(3.25, -1.75)
    });
    piece.pose(1.16, Posture {
        spine_bend: 0.15,
        nod: -0.1,
        arms: overhead,
        legs: [Leg::new(0.35, 0.12, 0.05, 0.8), Leg::new(0.35, 0.12, 0.05, 0.8)],
        ..turned(4.00, -2.45)
    });
    piece.pose(1.38, Posture {
        spine_bend: 0.30,
        arms: [Arm::new(2.5, 0.2, 0.0, 0.2); 2],
        legs: [Leg::new(0.55, 0.10, 0.45, 0.1); 2],
        ..turned(5.65, -PI)
    });
    piece.pose(1.60, Posture {
        spine_bend: -0.15,
        nod: -0.1,
        arms: [Arm::new(2.9, 0.15, 0.0, 0.1); 2],
        legs: [Leg::new(-0.05, 0.08, 0.1, 0.8); 2],
        ..turned(TAU + 0.08, -PI)
    });
}

fn somersault_poses(piece: &mut Piece) {
    let up = piece.upright();
    let turned = |tumble: f32| Posture { tumble: up.tumble + TAU + tumble, twist: up.twist - PI, gaze: 0.0, ..up };
    let tuck = [Leg::new(2.0, 0.12, 2.2, 0.7); 2];
    let shins = [Arm::new(1.05, 0.30, 0.1, 0.8); 2];
    piece.pose(1.78, Posture { spine_bend: 0.35, arms: shins, legs: tuck, ..turned(1.10) });
    piece.pose(2.00, Posture { spine_bend: 0.45, arms: shins, legs: tuck, ..turned(3.75) });
    piece.pose(2.14, Posture {
        spine_bend: 0.25,
        arms: [Arm::new(0.9, 0.5, 0.1, 0.5); 2],
        legs: [Leg::new(1.0, 0.14, 0.9, 0.4); 2],
        ..turned(5.20)
    });
    piece.pose(2.22, Posture {
        spine_bend: 0.25,
        arms: [Arm::new(1.0, 0.5, 0.1, 0.4); 2],
        legs: [Leg::new(0.55, 0.14, 0.55, 0.2); 2],
        ..turned(5.75)
    });
    piece.pose(2.42, Posture {
        lean: 0.45,
        spine_bend: 0.45,
        arms: [Arm::new(1.4, 0.35, 0.1, 0.2); 2],
        gaze: 0.7,
        ..turned(TAU - 0.10)
    });
    piece.pose(2.75, Posture { lean: 0.12, arms: [Arm::new(0.7, 0.5, 0.1, 0.3); 2], gaze: 1.0, ..turned(TAU) });
}

/// Both arms swing round, then a high kick with the right leg.
pub(super) fn kick(score: &mut Score, from: Station) -> Station {
    let mut piece = Piece { score, from };
    let up = piece.upright();
    // The station may face against its heading: ahead is where the body faces.
    let facing = if up.twist.cos() < 0.0 { -1.0 } else { 1.0 };
    let stand = piece.score.standing_on(RIGHT);
    piece.leave(RIGHT, 0.30, -0.6, 0.22);
    let again = Contact { on: from.t + 1.15, ..stand };
    piece.score.land(RIGHT, Gap::Free, again.landing(-0.25, 0.12));
    let com = |piece: &mut Piece, t: f32, ahead: f32, left: f32, height: f32| {
        piece.com(t, facing * (ahead - BALL_AHEAD), facing * left, height);
    };
    com(&mut piece, 0.28, 0.0, 0.085, -0.03);
    com(&mut piece, 0.70, -0.04, 0.105, 0.03);
    com(&mut piece, 1.15, 0.0, 0.07, -0.05);
    com(&mut piece, 1.55, 0.0, 0.0, -0.02);
    let guard = [Arm::new(0.9, 0.45, 0.2, 1.6), Arm::new(0.7, 0.45, 0.2, 1.6)];
    piece.pose(0.28, Posture { arms: guard, legs: [Leg::default(), Leg::new(-0.1, 0.05, 0.3, 0.2)], ..up });
    piece.pose(0.50, Posture {
        lean: -0.05,
        arms: guard,
        legs: [Leg::default(), Leg::new(1.35, 0.08, 1.6, 0.2)],
        ..up
    });
    piece.pose(0.70, Posture {
        lean: -0.22,
        spine_bend: 0.15,
        turn: 0.25,
        spine_twist: -0.1,
        arms: [Arm::new(0.9, 0.5, 0.2, 1.2), Arm::new(-0.3, 0.8, 0.1, 0.5)],
        legs: [Leg::default(), Leg::new(2.10, 0.12, 0.15, 0.5)],
        ..up
    });
    piece.pose(0.92, Posture { arms: guard, legs: [Leg::default(), Leg::new(0.9, 0.08, 1.1, 0.3)], ..up });
    piece.pose(1.05, Posture { arms: guard, legs: [Leg::default(), Leg::new(0.5, 0.08, 0.85, 0.0)], ..up });
    piece.pose(1.15, Posture { arms: [Arm::new(0.4, 0.4, 0.2, 0.9); 2], legs: [Leg::default(), Leg::new(0.2, 0.08, 0.35, 0.1)], ..up });
    piece.pose(1.55, up);
    Station { t: from.t + 1.55, ..from }
}

/// Stands still for `duration` seconds, relaxed.
pub(super) fn settle(score: &mut Score, from: Station, duration: f32) -> Station {
    let mut piece = Piece { score, from };
    let up = piece.upright();
    let facing = if up.twist.cos() < 0.0 { -1.0 } else { 1.0 };
    piece.com(duration, -facing * BALL_AHEAD, 0.0, -0.01);
    piece.pose(duration, up);
    Station { t: from.t + duration, ..from }
}

/// The station of a character that has just been put there in its bind pose.
pub(super) fn start(score: &Score) -> Station {
    let balls = [LEFT, RIGHT].map(|side| score.standing_on(side).ball);
    Station { t: 0.0, pos: Vec2::midpoint(balls[0], balls[1]), yaw: 0.0, tumble: 0.0, twist: 0.0 }
}
