//! What is left of a collision that another twin makes: the twin of what glsl/shared/particles.glsl says of paths over several sub-steps.

use glam::Vec3;

use super::Twin;
use crate::collide::response::Particle;

impl Twin {
    /// Has `collide`, which gets the particle's index too, put every particle outside, on its path over the last [`since`](Self::since)
    /// sub-steps.
    pub fn collide(&mut self, collide: impl Fn(usize, Particle) -> Particle) {
        for ix in 0..self.predicted.len() {
            let start = match self.since {
                1 => self.current[ix],
                _ => self.path_starts[ix],
            };
            let path = Particle {
                current: start,
                predicted: self.predicted[ix],
            };
            let collided = collide(ix, path);
            let moved = collided.predicted - path.predicted;
            self.current[ix] += current_shift(moved, collided.current - start, self.since);
            self.predicted[ix] = collided.predicted;
        }
    }
}

/// How far the current position goes along with a predicted one that has been moved by `moved`, of which `shift` gives no speed.
fn current_shift(moved: Vec3, shift: Vec3, since: u32) -> Vec3 {
    shift + (moved - shift) * (1.0 - 1.0 / since as f32)
}
