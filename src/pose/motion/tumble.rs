//! A round-off and a back somersault.

use super::contact::Gap;
use super::gait::walking_swing;
use super::piece::{BALL_AHEAD, Piece};
use super::posture::{Arm, Leg, Posture};
use super::rig::{LEFT, RIGHT, sign};
use super::score::{Score, Station};
use std::f32::consts::{PI, TAU};

/// How far a round-off and a somersault lead, leg lengths, for an adult's trunk and arms.
const LANDS_AT: f32 = 3.42;

/// A round-off into a tucked back somersault, all in the direction of travel.
pub(super) fn tumble(score: &mut Score, from: Station) -> Station {
    let mut piece = Piece { score, from };
    round_off_contacts(&mut piece);
    round_off_com(&mut piece);
    round_off_onto_hands(&mut piece);
    round_off_onto_feet(&mut piece);
    somersault_poses(&mut piece);
    let leg = piece.score.leg;
    Station {
        t: from.t + 2.87,
        pos: from.at((LANDS_AT + piece.score.farther) * leg, 0.0),
        yaw: from.yaw,
        tumble: from.tumble + 2.0 * TAU,
        twist: from.twist - PI,
    }
}

fn round_off_contacts(piece: &mut Piece) {
    // The left foot lunges ahead and turns in, for the body will turn over it; the right kicks up.
    piece.leave(LEFT, 0.12, -0.5, 0.12);
    let lunge = piece.contact(0.42, 0.82 - 0.3 * piece.score.stout, 0.07, -0.5);
    let step = Gap::Swing(walking_swing(piece.score, false));
    piece.score.land(LEFT, step, lunge.landing(0.12, 0.10));
    piece.leave(RIGHT, 0.52, -0.8, 0.24);
    piece.leave(
        LEFT,
        0.72 - 0.25 * piece.score.farther.min(0.6),
        -0.75,
        0.24,
    );
    let (farther, stout) = (piece.score.farther, piece.score.stout);
    piece.plant_hand(LEFT, 0.79, 1.06, 1.42 + farther - 0.15 * stout, (0.3, 1.0));
    piece.plant_hand(
        RIGHT,
        1.01 - 0.2 * farther.min(0.6),
        1.20,
        1.72 + farther + 0.40 * stout,
        (-0.3, 1.0),
    );
    // Both feet land together, facing back; off again into the somersault; and land.
    for (on, off, forward) in [(1.50, Some(1.72), 2.62), (2.34, None, LANDS_AT)] {
        for side in [LEFT, RIGHT] {
            // Facing back, the left foot is on the right of the way.
            let wide = -sign(side) * (piece.landing_width() - 0.02);
            let contact = piece.contact(on, forward + farther, wide, -PI + sign(side) * 0.08);
            piece
                .score
                .land(side, Gap::Free, contact.landing(-0.40, 0.08));
            if let Some(off) = off {
                piece.leave(side, off, -0.75, 0.13);
            }
        }
    }
}

fn round_off_com(piece: &mut Piece) {
    piece.com(0.20, 0.16, 0.0, -0.03);
    piece.com(0.42, 0.46, 0.02, -0.08);
    piece.com(0.52, 0.65, 0.02, -0.11 - 0.3 * piece.score.top_heavy);
    let handstand = piece.score.handstand;
    let farther = piece.score.farther;
    let low = piece.score.top_heavy;
    piece.com(0.65, 1.00, 0.02, -0.03 - 0.6 * low);
    piece.com(0.79, 1.19 + 0.3 * farther, 0.02, -0.06 - 0.15 * low);
    piece.com(
        0.90,
        1.28 + 0.6 * farther,
        0.0,
        0.5 * (handstand - 0.18) - 0.3 * low,
    );
    piece.com(1.09, 1.58 + farther, 0.0, handstand);
    piece.com(1.25, 1.86 + farther, 0.0, handstand + 0.01);
    piece.com(1.50, 2.28 + farther, 0.0, -0.17);
    piece.take_off(1.72, 2.60 + farther, 0.03);
    piece.com(2.34, 3.16 + farther, 0.0, -0.18);
    piece.com(2.54, 3.40 + farther, 0.0, -0.20);
    piece.com(2.87, LANDS_AT + farther + BALL_AHEAD, 0.0, -0.08);
}

/// Arms reach for the floor overhead.
const OVERHEAD: [Arm; 2] = [Arm::new(2.6, 0.30, 0.0, 0.15); 2];

/// Head over heels and about its length, the head free.
fn turned(up: Posture, tumble: f32, twist: f32) -> Posture {
    Posture {
        tumble: up.tumble + tumble,
        twist: up.twist + twist,
        gaze: 0.0,
        ..up
    }
}

fn round_off_onto_hands(piece: &mut Piece) {
    let up = piece.upright();
    let turned = |tumble, twist| turned(up, tumble, twist);
    piece.pose(
        0.20,
        Posture {
            lean: 0.05,
            arms: [Arm::new(1.8, 0.25, 0.0, 0.3); 2],
            ..up
        },
    );
    piece.pose(
        0.42,
        Posture {
            lean: 0.20,
            spine_bend: 0.05,
            arms: [Arm::new(2.7, 0.15, 0.0, 0.2); 2],
            gaze: 0.6,
            ..up
        },
    );
    piece.pose(
        0.65,
        Posture {
            spine_bend: 0.28,
            spine_twist: -0.2,
            nod: -0.3,
            grip: -0.25,
            arms: OVERHEAD,
            legs: [
                Leg::new(0.3, 0.2, 0.4, 0.2),
                Leg::new(-0.25, 0.12, 0.15, 0.7),
            ],
            ..turned(0.80, -1.0)
        },
    );
    piece.pose(
        0.88,
        Posture {
            spine_bend: 0.15,
            grip: -0.25,
            nod: -0.4,
            arms: OVERHEAD,
            legs: [
                Leg::new(0.35, 0.35, 0.6, 0.8),
                Leg::new(-0.35, 0.45, 0.1, 0.8),
            ],
            ..turned(2.25, -1.5)
        },
    );
}

fn round_off_onto_feet(piece: &mut Piece) {
    let up = piece.upright();
    let turned = |tumble, twist| turned(up, tumble, twist);
    piece.pose(
        1.09,
        Posture {
            nod: -0.4,
            grip: -0.25,
            arms: OVERHEAD,
            legs: [
                Leg::new(0.1, 0.45, 0.05, 0.9),
                Leg::new(0.0, 0.45, 0.05, 0.9),
            ],
            ..turned(3.25, -1.75)
        },
    );
    piece.pose(
        1.25,
        Posture {
            spine_bend: 0.15,
            nod: -0.1,
            arms: OVERHEAD,
            legs: [
                Leg::new(0.35, 0.12, 0.05, 0.8),
                Leg::new(0.35, 0.12, 0.05, 0.8),
            ],
            ..turned(4.00, -2.45)
        },
    );
    piece.pose(
        1.50,
        Posture {
            spine_bend: 0.30,
            arms: [Arm::new(2.5, 0.2, 0.0, 0.2); 2],
            legs: [Leg::new(0.55, 0.10, 0.45, 0.1); 2],
            ..turned(5.65, -PI)
        },
    );
    piece.pose(
        1.72,
        Posture {
            spine_bend: -0.15,
            nod: -0.1,
            arms: [Arm::new(2.9, 0.15, 0.0, 0.1); 2],
            legs: [Leg::new(-0.05, 0.08, 0.1, 0.8); 2],
            ..turned(TAU + 0.08, -PI)
        },
    );
}

fn somersault_poses(piece: &mut Piece) {
    let up = piece.upright();
    let turned = |tumble| turned(up, TAU + tumble, -PI);
    let tuck = [Leg::new(1.3, 0.20, 1.50, 0.7); 2];
    let shins = [Arm::new(1.05, 0.30, 0.1, 0.8); 2];
    piece.pose(
        1.90,
        Posture {
            spine_bend: 0.15,
            arms: shins,
            legs: tuck,
            ..turned(1.10)
        },
    );
    piece.pose(
        2.12,
        Posture {
            spine_bend: 0.20,
            arms: shins,
            legs: tuck,
            ..turned(3.75)
        },
    );
    piece.pose(
        2.26,
        Posture {
            spine_bend: 0.25,
            arms: [Arm::new(0.9, 0.5, 0.1, 0.5); 2],
            legs: [Leg::new(1.0, 0.14, 0.9, 0.4); 2],
            ..turned(5.20)
        },
    );
    piece.pose(
        2.34,
        Posture {
            spine_bend: 0.25,
            arms: [Arm::new(1.0, 0.5, 0.1, 0.4); 2],
            legs: [Leg::new(0.55, 0.14, 0.55, 0.2); 2],
            ..turned(5.75)
        },
    );
    piece.pose(
        2.54,
        Posture {
            lean: 0.29,
            spine_bend: 0.20,
            arms: [Arm::new(1.4, 0.35, 0.1, 0.2); 2],
            gaze: 0.7,
            ..turned(TAU - 0.10)
        },
    );
    piece.pose(
        2.87,
        Posture {
            lean: 0.12,
            arms: [Arm::new(0.7, 0.5, 0.1, 0.3); 2],
            gaze: 1.0,
            ..turned(TAU)
        },
    );
}
