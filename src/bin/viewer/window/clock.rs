//! Time in fixed steps: how many a frame simulates, and how far the picture is between two of them.

use radial_fields::MAX_STEPS;
use radial_fields::scenes::STEP_SECONDS;

/// What one frame is to simulate and show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ticks {
    pub step_count: usize,
    /// Part of a step that has passed since the newest one, 0 to 1.
    pub alpha: f32,
}

/// Turns time as it passes into steps.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub is_paused: bool,
    /// Of 1 for real time.
    pub speed: f32,
    /// Seconds that have passed and are not simulated yet.
    waiting: f32,
    /// Steps asked for while paused.
    single_steps: usize,
    /// The next frame simulates a step, whatever time has passed.
    is_due: bool,
}

impl Clock {
    pub fn new() -> Self {
        Self {
            is_paused: false,
            speed: 1.0,
            waiting: 0.0,
            single_steps: 0,
            is_due: false,
        }
    }

    /// Has the next frame simulate one step and holds time after it.
    pub fn step_once(&mut self) {
        self.is_paused = true;
        self.single_steps += 1;
    }

    /// Has the next frame simulate one step at least, also while time is held: something is to be seen that was not.
    pub fn show_now(&mut self) {
        self.is_due = true;
    }

    /// Advances by `seconds` of wall-clock time.
    ///
    /// What [`MAX_STEPS`] cannot catch up with is forgotten: the simulation slows down rather than falling ever further
    /// behind.
    pub fn advance(&mut self, seconds: f32) -> Ticks {
        let least = usize::from(std::mem::take(&mut self.is_due));
        if self.is_paused {
            self.single_steps = self.single_steps.max(least);
            let step_count = self.single_steps.min(MAX_STEPS);
            self.single_steps -= step_count;
            return self.ticks(step_count);
        }
        self.waiting += seconds.max(0.0) * self.speed;
        let due = (self.waiting / STEP_SECONDS) as usize;
        let step_count = due.min(MAX_STEPS).max(least);
        self.waiting = if due > MAX_STEPS {
            0.0
        } else {
            (self.waiting - step_count as f32 * STEP_SECONDS).max(0.0)
        };
        self.ticks(step_count)
    }

    fn ticks(&self, step_count: usize) -> Ticks {
        Ticks {
            step_count,
            alpha: (self.waiting / STEP_SECONDS).clamp(0.0, 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(clock: &mut Clock, frame_seconds: f32, frame_count: usize) -> usize {
        (0..frame_count)
            .map(|_| clock.advance(frame_seconds).step_count)
            .sum()
    }

    #[test]
    fn a_second_has_as_many_steps_at_any_frame_rate() {
        for rate in [30, 60, 75, 144, 240] {
            let count = steps(&mut Clock::new(), 1.0 / rate as f32, rate);
            assert!(
                (59..=60).contains(&count),
                "{rate} frames per second: {count} steps"
            );
        }
    }

    #[test]
    fn slow_motion_has_fewer_steps_and_finer_parts() {
        let mut clock = Clock::new();
        clock.speed = 0.25;
        let alphas: Vec<_> = (0..4).map(|_| clock.advance(STEP_SECONDS).alpha).collect();
        assert!(
            (alphas[0] - 0.25).abs() < 1e-3 && (alphas[2] - 0.75).abs() < 1e-3,
            "{alphas:?}"
        );
        assert!((59..=60).contains(&steps(&mut clock, STEP_SECONDS, 240)));
    }

    #[test]
    fn a_long_frame_is_not_caught_up_with() {
        let mut clock = Clock::new();
        assert_eq!(clock.advance(10.0).step_count, MAX_STEPS);
        assert_eq!(clock.advance(0.0).step_count, 0);
    }

    #[test]
    fn what_is_to_be_seen_at_once_takes_one_step_also_while_paused() {
        let mut clock = Clock::new();
        clock.show_now();
        assert_eq!(clock.advance(0.0).step_count, 1);
        assert_eq!(clock.advance(0.0).step_count, 0);
        clock.is_paused = true;
        clock.show_now();
        assert_eq!(clock.advance(1.0).step_count, 1);
        assert_eq!(clock.advance(1.0).step_count, 0);
    }

    #[test]
    fn paused_time_goes_on_by_single_steps_alone() {
        let mut clock = Clock::new();
        clock.advance(0.5 * STEP_SECONDS);
        clock.step_once();
        assert_eq!(
            clock.advance(1.0),
            Ticks {
                step_count: 1,
                alpha: 0.5
            }
        );
        assert_eq!(
            clock.advance(1.0),
            Ticks {
                step_count: 0,
                alpha: 0.5
            }
        );
        assert!(clock.is_paused);
    }
}
