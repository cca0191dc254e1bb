//! Sitting down on what stands behind, and standing up.

use super::piece::{BALL_AHEAD, Piece};
use super::posture::{Arm, Posture};
use super::score::{Score, Station};

/// Seconds from the beginning of the piece until the weight is on the seat, and until it leaves it again.
pub(super) const SEATED: [f32; 2] = [1.7, 4.2];
/// Where the centre of mass is then, leg lengths from the balls of the feet and from its height in a stand: thighs level, shins upright.
const SEAT: [f32; 2] = [-0.50, -0.35];

/// Bends forward, goes down on a seat without a hand, sits upright, and comes up again the same way. Both feet stand all the time.
pub(super) fn sit(score: &mut Score, from: Station) -> Station {
    let [down, up] = SEATED;
    let [behind, below] = SEAT;
    let mut piece = Piece { score, from };
    piece.com(0.45, -BALL_AHEAD - 0.02, 0.0, -0.05);
    piece.com(down - 0.35, 0.72 * behind, 0.0, below + 0.06);
    piece.com(down, behind, 0.0, below);
    piece.com(up, behind, 0.0, below);
    piece.com(up + 0.5, 0.62 * behind, 0.0, below + 0.07);
    piece.com(up + 1.2, -BALL_AHEAD - 0.02, 0.0, -0.04);
    piece.com(up + 1.6, -BALL_AHEAD, 0.0, -0.01);
    poses(&mut piece, SEATED);
    Station {
        t: from.t + up + 1.6,
        ..from
    }
}

fn poses(piece: &mut Piece, [down, up]: [f32; 2]) {
    let upright = piece.upright();
    // Arms before the body, clear of the thighs.
    let bent = Posture {
        lean: 0.45,
        spine_bend: 0.2,
        arms: [Arm::new(0.75, 0.42, 0.1, 0.5); 2],
        ..upright
    };
    let seated = Posture {
        lean: -0.05,
        spine_bend: 0.08,
        arms: [Arm::new(0.55, 0.45, 0.1, 0.85); 2],
        ..upright
    };
    piece.pose(0.15, upright);
    piece.pose(0.85, bent);
    piece.pose(down - 0.2, bent);
    piece.pose(down + 0.4, seated);
    piece.pose(up - 0.3, seated);
    piece.pose(up + 0.2, bent);
    piece.pose(up + 0.6, bent);
    piece.pose(up + 1.6, upright);
}
