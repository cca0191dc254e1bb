//! What a piece of motion is written with. Times are in seconds from the start of the piece; lengths in leg lengths.

use super::contact::{Contact, HandContact};
use super::posture::Posture;
use super::rig::{LEFT, RIGHT};
use super::score::{Score, Station};
use glam::{Vec2, Vec3};

/// Half the distance between people's feet in a landing, leg lengths.
const LANDING_WIDTH: f32 = 0.14;
/// The ball of the foot is this far ahead of the centre of mass in a stand, leg lengths.
pub(super) const BALL_AHEAD: f32 = 0.07;

/// Writes key poses and places of one piece.
pub(super) struct Piece<'s, 'a> {
    pub(super) score: &'s mut Score<'a>,
    pub(super) from: Station,
}

impl Piece<'_, '_> {
    /// The upright posture that poses of this piece start from.
    pub(super) fn upright(&self) -> Posture {
        Posture {
            yaw: self.from.yaw,
            tumble: self.from.tumble,
            twist: self.from.twist,
            ..self.score.relaxed()
        }
    }

    /// Half the distance between the feet in a landing, leg lengths.
    pub(super) fn landing_width(&self) -> f32 {
        LANDING_WIDTH + 0.12 * self.score.stout
    }

    pub(super) fn pose(&mut self, t: f32, posture: Posture) {
        self.score.posture(self.from.t + t, posture);
    }

    /// A place `forward` and `left` leg lengths off, at `height` leg lengths above where the centre of mass is in a stand.
    pub(super) fn place(&self, forward: f32, left: f32, height: f32) -> Vec3 {
        let leg = self.score.leg;
        let floor = self.from.at(forward * leg, left * leg);
        // Thick legs crouch less.
        let height = height.max(height * (1.0 - 0.5 * self.score.stout));
        Vec3::new(floor.x, self.score.standing + height * leg, floor.y)
    }

    pub(super) fn com(&mut self, t: f32, forward: f32, left: f32, height: f32) {
        self.score
            .com(self.from.t + t, self.place(forward, left, height));
    }

    pub(super) fn take_off(&mut self, t: f32, forward: f32, height: f32) {
        self.score
            .take_off(self.from.t + t, self.place(forward, 0.0, height));
    }

    pub(super) fn leave(&mut self, side: usize, t: f32, pitch: f32, roll: f32) {
        self.score.leave(side, self.from.t + t, pitch, roll);
    }

    pub(super) fn contact(&self, t: f32, forward: f32, left: f32, turned: f32) -> Contact {
        let leg = self.score.leg;
        Contact::flat(
            self.from.t + t,
            f32::INFINITY,
            self.from.at(forward * leg, left * leg),
            self.from.yaw + turned,
        )
    }

    pub(super) fn plant_hand(
        &mut self,
        side: usize,
        on: f32,
        off: f32,
        forward: f32,
        fingers: (f32, f32),
    ) {
        let leg = self.score.leg;
        let floor = self.from.at(forward * leg, 0.0);
        let offset = (self.from.at(fingers.0, fingers.1) - self.from.pos).normalize();
        self.score.plant_hand(
            side,
            HandContact {
                on: self.from.t + on,
                off: self.from.t + off,
                wrist: Vec3::new(floor.x, self.score.rig.wrist_height(), floor.y),
                fingers: Vec3::new(offset.x, 0.0, offset.y),
            },
        );
    }
}

/// Stands still for `duration` seconds, relaxed.
pub(super) fn settle(score: &mut Score, from: Station, duration: f32) -> Station {
    let mut piece = Piece { score, from };
    let up = piece.upright();
    let facing = if up.twist.cos() < 0.0 { -1.0 } else { 1.0 };
    piece.com(duration, -facing * BALL_AHEAD, 0.0, -0.01);
    piece.pose(duration, up);
    Station {
        t: from.t + duration,
        ..from
    }
}

/// The station of a character that has just been put there in its bind pose.
pub(super) fn start(score: &Score) -> Station {
    let balls = [LEFT, RIGHT].map(|side| score.standing_on(side).ball);
    Station {
        t: 0.0,
        pos: Vec2::midpoint(balls[0], balls[1]),
        yaw: 0.0,
        tumble: 0.0,
        twist: 0.0,
    }
}
