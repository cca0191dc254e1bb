//! The routines: which pieces, one after another.

use super::gait::{self, Gait, Step};
use super::rig::{LEFT, RIGHT, Rig};
use super::score::{Plan, Score, Station};
use super::{jump, kick, piece, sit, tumble};

/// A piece of motion that can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Routine {
    /// Six steps and a halt.
    Walk,
    /// Into a run, and to a halt.
    Run,
    /// A jump off both feet.
    Jump,
    /// A round-off, a back somersault and a high kick.
    Tumble,
    /// Sits down on a seat that stands behind, as high as its knees, and stands up again.
    Sit,
    /// Everything: walk, run, leap, round-off, back somersault, high kick; about 10 s.
    #[default]
    All,
}

impl Routine {
    /// Every routine, the default last.
    pub const ALL: [Self; 6] = [
        Self::Walk,
        Self::Run,
        Self::Jump,
        Self::Tumble,
        Self::Sit,
        Self::All,
    ];

    /// Of [`Routine::Sit`], the seconds of the clip from when to when the weight is on the seat.
    pub const SEATED: [f32; 2] = [READY + sit::SEATED[0], READY + sit::SEATED[1]];

    /// The name of its clip.
    pub fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Run => "run",
            Self::Jump => "jump",
            Self::Tumble => "tumble",
            Self::Sit => "sit",
            Self::All => "gymnastics",
        }
    }

    /// The routine whose clip has this name; "all" is the default one.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "all" {
            Some(Self::All)
        } else {
            Self::ALL.into_iter().find(|r| r.name() == name)
        }
    }
}

const NEVER: f32 = f32::INFINITY;

const fn step(side: usize, on: f32, off: f32) -> Step {
    Step { side, on, off }
}

/// Four walking steps, six running ones, three quarters of a circle to the left: what comes next leads back past the start.
const WALK_AND_RUN: Gait = Gait {
    first_off: [1.22, 0.74],
    steps: &[
        step(RIGHT, 1.10, 1.73),
        step(LEFT, 1.62, 2.25),
        step(RIGHT, 2.14, 2.73),
        step(LEFT, 2.62, 3.02),
        step(RIGHT, 3.10, 3.34),
        step(LEFT, 3.43, 3.66),
        step(RIGHT, 3.75, 3.98),
        step(LEFT, 4.07, 4.30),
        step(RIGHT, 4.39, 4.62),
        step(LEFT, 4.71, 4.95),
    ],
    speeds: &[
        (0.55, 0.0),
        (1.15, 1.1),
        (1.7, 1.45),
        (2.6, 1.5),
        (3.1, 2.2),
        (3.6, 2.55),
        (4.95, 2.6),
    ],
    headings: &[
        (0.6, 0.0),
        (1.1, 0.3),
        (1.7, 0.9),
        (2.6, 1.75),
        (3.6, 3.12),
        (4.5, 4.3),
        (4.8, 4.4),
    ],
    run: (2.55, 3.25),
    halt: (98.0, 99.0),
    duration: 4.95,
    handover: 0.16,
};

const WALK: Gait = Gait {
    first_off: [1.22, 0.74],
    steps: &[
        step(RIGHT, 1.10, 1.73),
        step(LEFT, 1.62, 2.25),
        step(RIGHT, 2.14, 2.77),
        step(LEFT, 2.66, 3.30),
        step(RIGHT, 3.18, NEVER),
        step(LEFT, 3.72, NEVER),
    ],
    speeds: &[
        (0.55, 0.0),
        (1.15, 1.1),
        (1.7, 1.45),
        (2.9, 1.4),
        (3.9, 0.0),
    ],
    headings: &[(0.7, 0.0), (3.5, 0.0)],
    run: (98.0, 99.0),
    halt: (3.0, 3.9),
    duration: 4.0,
    handover: 0.0,
};

const RUN: Gait = Gait {
    first_off: [1.05, 0.70],
    steps: &[
        step(RIGHT, 0.98, 1.40),
        step(LEFT, 1.48, 1.74),
        step(RIGHT, 1.83, 2.07),
        step(LEFT, 2.16, 2.39),
        step(RIGHT, 2.48, 2.72),
        step(LEFT, 2.81, 3.28),
        step(RIGHT, 3.20, NEVER),
        step(LEFT, 3.62, NEVER),
    ],
    speeds: &[
        (0.5, 0.0),
        (1.2, 1.6),
        (1.9, 2.7),
        (2.6, 2.8),
        (3.1, 1.6),
        (3.8, 0.0),
    ],
    headings: &[(0.7, 0.0), (3.5, 0.0)],
    run: (0.9, 1.6),
    halt: (2.7, 3.8),
    duration: 3.9,
    handover: 0.0,
};

/// Writes a routine's plan for a rig.
pub(super) fn plan(rig: &Rig, routine: Routine) -> Plan {
    let mut score = Score::new(rig);
    let start = piece::start(&score);
    let end = match routine {
        Routine::Walk => halted(&mut score, start, &WALK),
        Routine::Run => halted(&mut score, start, &RUN),
        Routine::Jump => {
            let ready = ready(&mut score, start);
            jump::jump(&mut score, ready)
        }
        Routine::Tumble => {
            let ready = ready(&mut score, start);
            let done = tumble::tumble(&mut score, ready);
            kick::kick(&mut score, done)
        }
        Routine::Sit => {
            let ready = ready(&mut score, start);
            sit::sit(&mut score, ready)
        }
        Routine::All => {
            let end = gait::write(&mut score, start, &WALK_AND_RUN);
            let landed = jump::leap(&mut score, end, WALK_AND_RUN.duration);
            let done = tumble::tumble(&mut score, landed);
            kick::kick(&mut score, done)
        }
    };
    let end = piece::settle(&mut score, end, 0.4);
    score.finish(end.t)
}

fn halted(score: &mut Score, start: Station, gait: &Gait) -> Station {
    let end = gait::write(score, start, gait);
    let balls = [LEFT, RIGHT].map(|side| score.standing_on(side).ball);
    Station {
        t: start.t + gait.duration,
        pos: 0.5 * (balls[0] + balls[1]),
        yaw: end.yaw,
        ..start
    }
}

/// Seconds from the bind pose to a relaxed stand.
const READY: f32 = 0.6;

/// From the bind pose to a relaxed stand.
fn ready(score: &mut Score, start: Station) -> Station {
    let relaxed = score.relaxed();
    score.posture(0.0, relaxed);
    piece::settle(score, start, READY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_routines() {
        for routine in Routine::ALL {
            assert_eq!(Routine::from_name(routine.name()), Some(routine));
        }
        assert_eq!(Routine::from_name("all"), Some(Routine::All));
        assert_eq!(Routine::from_name("moonwalk"), None);
    }
}
