//! Jumps: a leap out of a run, and one off both feet.

use super::contact::Gap;
use super::gait::Waypoint;
use super::piece::{BALL_AHEAD, Piece};
use super::posture::{Arm, Leg, Posture};
use super::rig::{LEFT, RIGHT, sign};
use super::score::{Score, Station};

/// A leap off the foot that stands, `end` being where the run has come to, landing on both feet and sinking into a crouch.
pub(super) fn leap(score: &mut Score, end: Waypoint, t: f32) -> Station {
    const FLIGHT: f32 = 0.56;
    let leg = score.leg;
    let from = Station {
        t,
        pos: end.pos,
        yaw: end.yaw,
        tumble: 0.0,
        twist: 0.0,
    };
    let far = (end.speed * FLIGHT * 0.92) / leg;
    let mut piece = Piece { score, from };
    piece.take_off(0.0, 0.0, 0.03);
    piece.com(FLIGHT, far, 0.0, -0.14);
    let feet_at = far + 0.40;
    for side in [LEFT, RIGHT] {
        let wide = sign(side) * piece.landing_width();
        let contact = piece.contact(FLIGHT, feet_at, wide, sign(side) * 0.10);
        piece
            .score
            .land(side, Gap::Free, contact.landing(0.12, 0.07));
    }
    piece.com(FLIGHT + 0.20, feet_at - 0.10, 0.0, -0.19);
    leap_poses(&mut piece, FLIGHT);
    let pos = from.at(feet_at * leg, 0.0);
    Station {
        t: t + FLIGHT + 0.45,
        pos,
        ..from
    }
}

fn leap_poses(piece: &mut Piece, flight: f32) {
    let up = piece.upright();
    piece.pose(
        0.0,
        Posture {
            lean: 0.06,
            spine_bend: -0.05,
            arms: [Arm::new(0.2, 0.5, 0.1, 0.6), Arm::new(1.5, 0.4, 0.2, 0.9)],
            legs: [
                Leg::new(-0.45, 0.06, 0.2, 0.6),
                Leg::new(1.2, 0.08, 1.4, 0.3),
            ],
            ..up
        },
    );
    piece.pose(
        0.42 * flight,
        Posture {
            lean: 0.12,
            spine_bend: 0.05,
            arms: [Arm::new(1.2, 0.9, 0.1, 0.3), Arm::new(1.6, 0.8, 0.1, 0.3)],
            legs: [
                Leg::new(-0.3, 0.10, 0.75, 0.6),
                Leg::new(1.2, 0.12, 0.55, 0.4),
            ],
            ..up
        },
    );
    piece.pose(
        0.80 * flight,
        Posture {
            lean: 0.05,
            spine_bend: 0.18,
            arms: [Arm::new(1.2, 0.6, 0.1, 0.4); 2],
            legs: [
                Leg::new(0.75, 0.12, 0.65, 0.05),
                Leg::new(0.95, 0.12, 0.45, 0.0),
            ],
            ..up
        },
    );
    piece.pose(
        flight,
        Posture {
            lean: 0.12,
            spine_bend: 0.22,
            arms: [Arm::new(0.9, 0.5, 0.1, 0.5); 2],
            ..up
        },
    );
    piece.pose(
        flight + 0.20,
        Posture {
            lean: 0.30,
            spine_bend: 0.20,
            nod: 0.1,
            arms: [Arm::new(-0.35, 0.45, 0.1, 0.5); 2],
            ..up
        },
    );
    piece.pose(
        flight + 0.45,
        Posture {
            lean: 0.20,
            spine_bend: 0.15,
            arms: [Arm::new(0.9, 0.4, 0.1, 0.4); 2],
            ..up
        },
    );
}

/// A jump on the spot and a little forward, off both feet: dip, spring, reach up, land, rise.
pub(super) fn jump(score: &mut Score, from: Station) -> Station {
    let mut piece = Piece { score, from };
    let (dip, off, on) = (0.50, 0.85, 1.43);
    let ahead = 0.75;
    piece.com(dip, -BALL_AHEAD, 0.0, -0.24);
    piece.take_off(off, 0.02, 0.06);
    piece.com(on, ahead - 0.12, 0.0, -0.12);
    piece.com(on + 0.20, ahead - 0.08, 0.0, -0.24);
    piece.com(on + 0.65, ahead - BALL_AHEAD, 0.0, -0.02);
    for side in [LEFT, RIGHT] {
        piece.leave(side, off, -0.85, 0.20);
        let contact = piece.contact(
            on,
            ahead,
            sign(side) * piece.landing_width(),
            sign(side) * 0.10,
        );
        piece
            .score
            .land(side, Gap::Free, contact.landing(-0.45, 0.09));
    }
    jump_poses(&mut piece, dip, off, on);
    let leg = piece.score.leg;
    Station {
        t: from.t + on + 0.65,
        pos: from.at(ahead * leg, 0.0),
        ..from
    }
}

fn jump_poses(piece: &mut Piece, dip: f32, off: f32, on: f32) {
    let up = piece.upright();
    let crouch = Posture {
        lean: 0.42,
        spine_bend: 0.25,
        arms: [Arm::new(-0.8, 0.35, 0.1, 0.3); 2],
        ..up
    };
    piece.pose(dip, crouch);
    piece.pose(
        off,
        Posture {
            spine_bend: -0.1,
            arms: [Arm::new(2.0, 0.30, 0.0, 0.3); 2],
            legs: [Leg::new(0.0, 0.1, 0.1, 0.8); 2],
            ..up
        },
    );
    piece.pose(
        0.5 * (off + on),
        Posture {
            arms: [Arm::new(2.7, 0.35, 0.0, 0.2); 2],
            legs: [Leg::new(0.7, 0.12, 1.2, 0.6); 2],
            ..up
        },
    );
    piece.pose(
        on,
        Posture {
            lean: 0.2,
            arms: [Arm::new(1.3, 0.5, 0.1, 0.4); 2],
            legs: [Leg::new(0.4, 0.14, 0.5, 0.3); 2],
            ..up
        },
    );
    piece.pose(
        on + 0.20,
        Posture {
            arms: [Arm::new(0.3, 0.5, 0.1, 0.5); 2],
            ..crouch
        },
    );
    piece.pose(on + 0.65, up);
}
