//! Walking and running: a path over the floor, footsteps along it, and what the rest of the body does in step.

use super::contact::{Contact, Gap, Via};
use super::curve::{Curve, smoothstep};
use super::posture::{Arm, Leg, Posture};
use super::rig::{LEFT, sign};
use super::score::{GRAVITY, Score, Station};
use glam::{Vec2, Vec3};
use std::f32::consts::PI;

/// One step: a foot's stay on the floor, seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) side: usize,
    pub(super) on: f32,
    /// Infinite if the foot stays.
    pub(super) off: f32,
}

/// A stretch of walking and running. Times are in seconds from its start, lengths in leg lengths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gait<'a> {
    /// When the feet that stand at the start leave, left and right.
    pub(super) first_off: [f32; 2],
    /// The steps after that, in order.
    pub(super) steps: &'a [Step],
    /// Speed, leg lengths per second.
    pub(super) speeds: &'a [(f32, f32)],
    /// Heading against that at the start, radians, positive turns left.
    pub(super) headings: &'a [(f32, f32)],
    /// From when to when walking becomes running.
    pub(super) run: (f32, f32),
    /// From when to when the stepping dies away.
    pub(super) halt: (f32, f32),
    pub(super) duration: f32,
    /// How long before the end the posture is left to what comes next, seconds.
    pub(super) handover: f32,
}

/// Seconds between key poses made from the cycle of steps.
const KEY_SPACING: f32 = 0.04;
/// Half the distance between the tracks of the feet, leg lengths: 9 cm for an adult.
const HALF_TRACK: f32 = 0.10;
/// The same in a run: 14 cm for an adult, so that thighs pass each other in the turn with cloth on both.
const HALF_TRACK_RUNNING: f32 = 0.16;
/// The ball of the foot is this far ahead of the centre of mass in mid-stance, leg lengths.
const BALL_AHEAD: f32 = 0.07;
/// The same in a run, where a foot that lands far ahead jars.
const BALL_AHEAD_RUNNING: f32 = 0.03;
/// How far the centre of mass moves over the standing foot in a walk, leg lengths: 3 cm for an adult.
const SWAY: f32 = 0.03;
/// A longer stay on the floor than this is a walking step, with heel strike, seconds.
const WALKING_STANCE: f32 = 0.45;

/// Where the path is at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waypoint {
    pub(super) pos: Vec2,
    pub(super) yaw: f32,
    /// Metres per second.
    pub(super) speed: f32,
    /// Acceleration to the left over gravity: the tangent of the lean into a turn.
    pub(super) lean: f32,
}

impl Waypoint {
    /// World place `forward`, `left` and at height `y`.
    pub(super) fn at(&self, forward: f32, left: f32, y: f32) -> Vec3 {
        let (sin, cos) = self.yaw.sin_cos();
        Vec3::new(
            self.pos.x + forward * sin + left * cos,
            y,
            self.pos.y + forward * cos - left * sin,
        )
    }
}

/// The way over the floor, integrated from speed and heading.
struct Path {
    speed: Curve<1>,
    heading: Curve<1>,
    leg: f32,
    /// Positions every `Path::DT`.
    positions: Vec<Vec2>,
}

impl Path {
    const DT: f32 = 1.0 / 480.0;

    fn new(gait: &Gait, start: Vec2, yaw: f32, leg: f32) -> Self {
        let speed =
            Curve::without_overshoot(gait.speeds.iter().map(|&(t, v)| (t, [v * leg])).collect());
        let heading =
            Curve::without_overshoot(gait.headings.iter().map(|&(t, h)| (t, [yaw + h])).collect());
        let mut positions = vec![start];
        let mut pos = start;
        for ix in 0..(gait.duration / Self::DT).ceil() as usize + 1 {
            let t = (ix as f32 + 0.5) * Self::DT;
            let (sin, cos) = heading.sample(t)[0].sin_cos();
            pos += Self::DT * speed.sample(t)[0] * Vec2::new(sin, cos);
            positions.push(pos);
        }
        Self {
            speed,
            heading,
            leg,
            positions,
        }
    }

    fn at(&self, t: f32) -> Waypoint {
        let at = (t.max(0.0) / Self::DT).min((self.positions.len() - 2) as f32);
        let ix = at as usize;
        let turning = (self.heading.sample(t + 0.05)[0] - self.heading.sample(t - 0.05)[0]) / 0.1;
        let speed = self.speed.sample(t)[0];
        Waypoint {
            pos: self.positions[ix].lerp(self.positions[ix + 1], at - ix as f32),
            yaw: self.heading.sample(t)[0],
            speed,
            // An ogre at an adult's cadence would lie flat: lean as an adult of that many leg lengths would.
            lean: speed * turning / GRAVITY * (0.93 / self.leg).min(1.0),
        }
    }
}

/// Writes a stretch of gait, and returns where the path ends.
pub(super) fn write(score: &mut Score, station: Station, gait: &Gait) -> Waypoint {
    let com = score.last_com();
    let path = Path::new(gait, Vec2::new(com.x, com.z), station.yaw, score.leg);
    for side in [0, 1] {
        let roll = 0.3_f32.min(0.4 * gait.first_off[side]);
        score.leave(side, station.t + gait.first_off[side], -0.7, roll);
    }
    for (ix, step) in gait.steps.iter().enumerate() {
        write_step(score, station, gait, &path, ix, *step);
    }
    write_com(score, station, gait, &path);
    write_postures(score, station, gait, &path);
    path.at(gait.duration)
}

fn write_step(
    score: &mut Score,
    station: Station,
    gait: &Gait,
    path: &Path,
    ix: usize,
    step: Step,
) {
    let middle = path.at(if step.off.is_finite() {
        0.5 * (step.on + step.off)
    } else {
        gait.duration
    });
    let out = -middle.lean * score.standing;
    let runs = is_running(gait, step);
    let (ahead, half_track) = if runs {
        (BALL_AHEAD_RUNNING, HALF_TRACK_RUNNING)
    } else {
        (BALL_AHEAD, HALF_TRACK)
    };
    let track = (half_track + 0.10 * score.stout) * score.leg;
    let place = middle.at(ahead * score.leg, sign(step.side) * track + out, 0.0);
    let contact = Contact::flat(
        station.t + step.on,
        f32::INFINITY,
        Vec2::new(place.x, place.z),
        middle.yaw,
    );
    let last_step_back = gait.steps[..ix].iter().rev().find(|s| s.side == step.side);
    let left_at = last_step_back.map_or(gait.first_off[step.side], |s| s.off);
    let slow = !runs && (step.on < gait.steps[0].on + 0.1 || !step.off.is_finite());
    let (pitch_on, roll_in) = if runs {
        (0.06, 0.05)
    } else if slow {
        (0.14, 0.12)
    } else {
        (0.30, 0.13)
    };
    let gap = Gap::Swing(if runs {
        running_swing(score, step.on - left_at, sign(step.side) * middle.lean)
    } else {
        walking_swing(score, slow)
    });
    score.land(step.side, gap, contact.landing(pitch_on, roll_in));
    if step.off.is_finite() {
        let stay = step.off - step.on;
        let (pitch, part) = if runs { (-0.95, 0.62) } else { (-0.80, 0.48) };
        score.leave(
            step.side,
            station.t + step.off,
            pitch * (1.0 - 0.6 * score.stout),
            part * stay,
        );
    }
}

fn is_running(gait: &Gait, step: Step) -> bool {
    step.off - step.on < WALKING_STANCE && step.on > gait.run.0 + 0.25
}

pub(super) fn walking_swing(score: &Score, slow: bool) -> Vec<Via> {
    let less = if slow { 0.6 } else { 1.0 } * (1.0 - 0.6 * score.stout);
    let leg = score.leg;
    vec![
        Via {
            at: 0.25,
            share: 0.20,
            lift: 0.155 * leg * less,
            pitch: -0.85 * less,
        },
        Via {
            at: 0.62,
            share: 0.66,
            lift: 0.075 * leg * less,
            pitch: -0.02,
        },
    ]
}

/// `inward` is the lean towards the swinging foot's side: in a turn the body comes down on the inner foot.
fn running_swing(score: &Score, duration: f32, inward: f32) -> Vec<Via> {
    // A hurried foot flies lower.
    let high = (duration / 0.43).min(1.0).powi(2)
        * (1.0 - 0.75 * score.stout)
        * (1.0 - inward.clamp(0.0, 0.5));
    let flat = 1.0 - 0.8 * score.stout;
    let leg = score.leg;
    vec![
        Via {
            at: 0.28,
            share: 0.20,
            lift: 0.24 * leg * high,
            pitch: -flat,
        },
        Via {
            at: 0.62,
            share: 0.66,
            lift: 0.19 * leg * high,
            pitch: -0.45 * flat,
        },
    ]
}

fn write_com(score: &mut Score, station: Station, gait: &Gait, path: &Path) {
    let (leg, standing) = (score.leg, score.standing);
    // Leaning into a turn brings the body down.
    let over = |t: f32, left: f32, higher: f32| {
        let waypoint = path.at(t);
        waypoint.at(
            0.0,
            left,
            standing * waypoint.lean.atan().cos() + higher * leg,
        )
    };
    let first = gait.steps[0];
    let sway = |side: usize, amount: f32| sign(side) * amount * leg;
    let support = 1 - first.side;
    let shifted = gait.first_off[first.side];
    score.com(
        station.t + shifted,
        over(shifted, sway(support, 2.2 * SWAY), -0.015),
    );
    let pairs = gait
        .steps
        .windows(2)
        .map(|s| (s[0], Some(s[1])))
        .chain(gait.steps.last().map(|s| (*s, None)));
    let mut left_before = gait.first_off[support];
    for (step, next) in pairs {
        let runs = is_running(gait, step);
        if left_before > step.on {
            // A foot that stays is passed by the one that joins it.
            let t = 0.5 * (step.on + left_before.min(step.on + 0.12));
            score.com(station.t + t, over(t, 0.0, -0.035));
        } else {
            score.com(station.t + step.on, over(step.on, 0.0, -0.035));
        }
        let Some(next) = next else { break };
        if next.on > step.off {
            score.take_off(station.t + step.off, over(step.off, 0.0, -0.035));
        } else if !runs {
            let t = 0.5 * (left_before + next.on);
            score.com(station.t + t, over(t, sway(step.side, SWAY), -0.01));
        }
        left_before = step.off;
    }
}

fn write_postures(score: &mut Score, station: Station, gait: &Gait, path: &Path) {
    let cycle = cycle_of(gait);
    let key_count = ((gait.duration - gait.handover) / KEY_SPACING).floor() as usize;
    for ix in 0..=key_count {
        let t = ix as f32 * KEY_SPACING;
        let stepping = smoothstep((t - 0.45) / 0.75)
            * (1.0 - smoothstep((t - gait.halt.0) / (gait.halt.1 - gait.halt.0)));
        let running = smoothstep((t - gait.run.0) / (gait.run.1 - gait.run.0)) * stepping;
        let waypoint = path.at(t);
        let accelerating =
            (path.at(t + 0.1).speed - path.at(t - 0.1).speed) / 0.2 / GRAVITY * (0.93 / score.leg);
        let mut posture = step_posture(score, cycle.sample(t)[0], stepping, running);
        posture.yaw = waypoint.yaw;
        posture.tumble = station.tumble;
        posture.twist = station.twist;
        posture.roll -= (waypoint.lean * 0.9).atan();
        posture.lean += (0.5 * accelerating).clamp(-0.12, 0.2);
        score.posture(station.t + t, posture);
    }
}

/// The phase of the cycle: a multiple of 2π when the right foot comes down, π more when the left does.
fn cycle_of(gait: &Gait) -> Curve<1> {
    let start = if gait.steps[0].side == LEFT { 0.0 } else { PI };
    let mut keys = vec![(gait.first_off[gait.steps[0].side] - 0.15, [start])];
    keys.extend(
        gait.steps
            .iter()
            .enumerate()
            .map(|(ix, step)| (step.on, [start + PI * (ix + 1) as f32])),
    );
    Curve::rounded(keys)
}

/// The body at one phase of the cycle; `stepping` and `running` in 0..=1.
fn step_posture(score: &Score, phase: f32, stepping: f32, running: f32) -> Posture {
    let mix = |walk: f32, run: f32| stepping * (walk + running * (run - walk));
    let (sin, cos) = phase.sin_cos();
    let mut posture = score.relaxed();
    posture.turn = mix(0.09, 0.12) * cos;
    posture.roll = mix(-0.05, -0.06) * sin;
    posture.spine_side = mix(0.06, 0.06) * sin;
    posture.spine_twist = mix(-0.19, -0.42) * cos;
    posture.lean = mix(0.02, 0.10);
    posture.spine_bend = mix(0.03, 0.10);
    posture.nod = mix(0.03, 0.02);
    posture.grip = 0.32 + mix(0.0, 0.45);
    // What a foot does that a leap takes from the floor for good.
    posture.legs = [Leg::new(0.30, 0.08, 0.3 + mix(0.0, 1.2), 0.3); 2];
    for (side, arm) in posture.arms.iter_mut().enumerate() {
        // The arm goes with the other leg, and a little late, as a pendulum does.
        let forward = sign(side) * (phase - 0.25).cos();
        let rest = *arm;
        *arm = Arm {
            flex: rest.flex + mix(0.36, 0.72) * forward + mix(0.0, -0.12),
            abduct: rest.abduct + mix(0.0, 0.08),
            twist: rest.twist + mix(0.02, 0.12),
            elbow: rest.elbow + mix(0.12, 0.75) + mix(0.18, 0.20) * forward,
        };
    }
    posture
}
