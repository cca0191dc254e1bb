//! A high kick.

use super::contact::{Contact, Gap};
use super::piece::{BALL_AHEAD, Piece};
use super::posture::{Arm, Leg, Posture};
use super::rig::RIGHT;
use super::score::{Score, Station};

/// The guard comes up, then a high kick with the right leg, and down to a relaxed stand.
pub(super) fn kick(score: &mut Score, from: Station) -> Station {
    let mut piece = Piece { score, from };
    let up = piece.upright();
    // The station may face against its heading: ahead is where the body faces.
    let facing = if up.twist.cos() < 0.0 { -1.0 } else { 1.0 };
    let stand = piece.score.standing_on(RIGHT);
    piece.leave(RIGHT, 0.30, -0.6, 0.22);
    let again = Contact {
        on: from.t + 1.15,
        ..stand
    };
    piece
        .score
        .land(RIGHT, Gap::Free, again.landing(-0.25, 0.12));
    let com = |piece: &mut Piece, t: f32, ahead: f32, left: f32, height: f32| {
        piece.com(t, facing * (ahead - BALL_AHEAD), facing * left, height);
    };
    com(&mut piece, 0.28, 0.0, 0.085, -0.03);
    com(&mut piece, 0.70, -0.04, 0.105, 0.03);
    com(&mut piece, 1.15, 0.0, 0.07, -0.05);
    com(&mut piece, 1.55, 0.0, 0.0, -0.02);
    kick_poses(&mut piece);
    Station {
        t: from.t + 1.55,
        ..from
    }
}

fn kick_poses(piece: &mut Piece) {
    let up = piece.upright();
    let guard = [
        Arm::new(0.9, 0.45, 0.2, 1.35),
        Arm::new(0.7, 0.45, 0.2, 1.35),
    ];
    piece.pose(
        0.28,
        Posture {
            arms: guard,
            legs: [Leg::default(), Leg::new(-0.1, 0.05, 0.3, 0.2)],
            ..up
        },
    );
    piece.pose(
        0.50,
        Posture {
            lean: -0.05,
            arms: guard,
            legs: [Leg::default(), Leg::new(1.25, 0.08, 1.5, 0.2)],
            ..up
        },
    );
    piece.pose(
        0.70,
        Posture {
            lean: -0.26,
            spine_bend: 0.0,
            turn: 0.25,
            spine_twist: -0.1,
            arms: [Arm::new(0.9, 0.5, 0.2, 1.2), Arm::new(-0.3, 0.8, 0.1, 0.5)],
            legs: [Leg::default(), Leg::new(1.38, 0.16, 0.15, 0.5)],
            ..up
        },
    );
    piece.pose(
        0.92,
        Posture {
            arms: guard,
            legs: [Leg::default(), Leg::new(0.9, 0.08, 1.1, 0.3)],
            ..up
        },
    );
    piece.pose(
        1.05,
        Posture {
            arms: guard,
            legs: [Leg::default(), Leg::new(0.5, 0.08, 0.85, 0.0)],
            ..up
        },
    );
    piece.pose(
        1.15,
        Posture {
            arms: [Arm::new(0.4, 0.4, 0.2, 0.9); 2],
            legs: [Leg::default(), Leg::new(0.2, 0.08, 0.35, 0.1)],
            ..up
        },
    );
    piece.pose(1.55, up);
}
