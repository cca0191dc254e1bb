//! The twin of glsl/cloth/limit_strain.comp.

use glam::Vec3;

use super::project::{keep_in_front, keep_within};
use super::{Inputs, Twin, span};
use crate::cloth::constraints::Kind;

/// `SWEEPS` of glsl/cloth/limit_strain.comp.
const SWEEPS: u32 = 8;
/// Metres of a person; `MAX_MOVE` of glsl/cloth/limit_strain.comp.
const MAX_MOVE: f32 = 0.004;

impl Twin {
    /// Shortens edges that are longer by more than that part of their length, and than their garment's strain limit. `inputs`: of the step's
    /// last sub-step. Returns how many particles it would have moved further than it may.
    pub fn limit_strain(&mut self, inputs: &Inputs, limit: f32) -> usize {
        let before = self.predicted.clone();
        let mut held_back = 0;
        for patch in self.lists.patches.clone() {
            let particles = span(patch.first_particle, patch.particle_count);
            let particles = self.lists.patch_particles[particles].to_vec();
            let mut local = self.load(inputs, &before, &patch, &particles);
            let planes = self.planes(&before, &patch, &particles, &local);
            let limit = limit.max(inputs.garments[patch.garment_ix as usize].strain_limit);
            let places = self.places_of(&patch, Kind::Stretch);
            for _ in 0..SWEEPS {
                for &ix in &places {
                    keep_within(&self.lists.constraints[ix], limit, &mut local);
                }
                keep_in_front(&planes, &mut local);
            }
            let owned = particles.iter().zip(local).take(patch.owned as usize);
            for (&particle_ix, (to, inverse_mass)) in owned {
                let (ix, is_free) = (particle_ix as usize, inverse_mass > 0.0);
                let moved = if is_free { to - before[ix] } else { Vec3::ZERO };
                let most = MAX_MOVE * self.lists.particles[ix].size;
                held_back += usize::from(moved.length() > most);
                self.predicted[ix] =
                    before[ix] + moved * (most / moved.length().max(1e-9)).min(1.0);
            }
        }
        held_back
    }
}
