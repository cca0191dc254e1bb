//! The twin of glsl/cloth/limit_strain.comp.

use glam::{Vec3, Vec4};

use super::project::{keep_in_front, keep_within};
use super::{Inputs, Twin, span};
use crate::cloth::constraints::Kind;

/// `SWEEPS`, `LAST_SWEEPS` and `MUCH` of glsl/cloth/limit_strain.comp.
const SWEEPS: u32 = 12;
const LAST_SWEEPS: u32 = 4;
const MUCH: f32 = 4.0;
/// Metres of a person; `MAX_MOVE` of glsl/cloth/limit_strain.comp.
const MAX_MOVE: f32 = 0.008;

/// Where a particle was, and how far from there it may go, metres: 0 for one that nothing moves.
struct Ball {
    centre: Vec3,
    radius: f32,
}

impl Ball {
    fn nearest(&self, to: Vec3) -> Vec3 {
        let moved = to - self.centre;
        self.centre + moved * (self.radius / moved.length().max(1e-9)).min(1.0)
    }
}

impl Twin {
    /// Shortens edges that are longer by more than that part of their length, and than their garment's strain limit. `inputs`: of the step's
    /// last sub-step. Returns how many particles have moved as far as they may.
    pub fn limit_strain(&mut self, inputs: &Inputs, limit: f32) -> usize {
        let before = self.predicted.clone();
        let mut held_back = 0;
        for patch in self.lists.patches.clone() {
            let particles = span(patch.first_particle, patch.particle_count);
            let particles = self.lists.patch_particles[particles].to_vec();
            let mut local = self.load(inputs, &before, &patch, &particles);
            let planes = self.planes(&before, &patch, &particles, &local);
            let balls = self.balls(&particles, &local);
            let own_limit = inputs.garments[patch.garment_ix as usize].strain_limit;
            let places = self.places_of(&patch, Kind::Stretch);
            for sweep in 0..SWEEPS {
                let limit = match sweep < SWEEPS - LAST_SWEEPS {
                    true => limit,
                    false => MUCH * limit,
                };
                for &ix in &places {
                    keep_within(
                        &self.lists.constraints[ix],
                        limit.max(own_limit),
                        &mut local,
                    );
                }
                keep_close(&planes, &balls, &mut local);
            }
            let owned = particles.iter().zip(local.iter().zip(&balls));
            for (&particle_ix, ((to, _), ball)) in owned.take(patch.owned as usize) {
                if ball.radius > 0.0 {
                    self.predicted[particle_ix as usize] = *to;
                    held_back += usize::from(to.distance(ball.centre) > 0.99 * ball.radius);
                }
            }
        }
        held_back
    }

    fn balls(&self, particles: &[u32], local: &[(Vec3, f32)]) -> Vec<Ball> {
        let ball = |(&particle_ix, &(centre, inverse_mass)): (&u32, &(Vec3, f32))| Ball {
            centre,
            radius: match inverse_mass > 0.0 {
                true => MAX_MOVE * self.lists.particles[particle_ix as usize].size,
                false => 0.0,
            },
        };
        particles.iter().zip(local).map(ball).collect()
    }
}

/// In front of their contacts, and near to where they were.
fn keep_close(planes: &[Vec4], balls: &[Ball], local: &mut [(Vec3, f32)]) {
    keep_in_front(planes, local);
    for (ball, (position, _)) in balls.iter().zip(local) {
        if ball.radius > 0.0 {
            *position = ball.nearest(*position);
        }
    }
}
