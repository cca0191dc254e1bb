//! The CPU twin of glsl/cloth/predict.glsl, solve.comp, limit_strain.comp and finish.comp: the same steps in the same `f32`, written for
//! reading.

mod collide;
mod inputs;
mod limit_strain;
mod project;

use std::ops::Range;

use glam::{Vec3, Vec4, Vec4Swizzles};

pub use self::inputs::{Inputs, Timing};
use self::project::{keep_in_front, keep_within, project};
use super::brush::SkinnedPlace;
use super::constraints::Kind;
use super::motion::{MotionConstraint, above_ground, contact_plane, in_front_of_contact};
use super::solver::{ClothBuilder, GpuPatch, Grab, NONE, TETHERS_PER_PARTICLE};
use super::{GarmentSettings, Ground};

/// Metres per second; `MAX_SPEED` of glsl/cloth/predict.glsl.
const MAX_SPEED: f32 = 40.0;
/// Metres; `FARTHEST_AWAY` of glsl/cloth/predict.glsl.
const FARTHEST_AWAY: f32 = 1e9;
/// Metres of a person; `ASTRAY` and `BACK` of glsl/cloth/predict.glsl.
const ASTRAY: f32 = 0.03;
const BACK: f32 = 0.001;
/// `TETHER_SHARE` of glsl/cloth/solve.comp.
const TETHER_SHARE: f32 = 0.25;
/// Metres of a person or a smaller body per second; `HOMING_SPEED` of glsl/cloth/predict.glsl.
const HOMING_SPEED: f32 = 2.0;
/// How far beyond its greatest distance a particle is shown, as a factor.
const SHOWN_BEYOND: f32 = 1.05;

/// What is a number and no further away.
fn is_somewhere(at: Vec3) -> bool {
    at.length_squared() < FARTHEST_AWAY * FARTHEST_AWAY
}

/// Particles of all garments of a world, stepped on the CPU. Positions are in world space, in metres.
pub struct Twin {
    pub(super) lists: ClothBuilder,
    /// Where the particles were when the sub-step began.
    pub current: Vec<Vec3>,
    /// Where they are, or will be at its end.
    pub predicted: Vec<Vec3>,
    /// Unit length; zero before the first step.
    pub normals: Vec<Vec3>,
    /// Where they were when the sub-steps began that the next collision is for.
    path_starts: Vec<Vec3>,
    /// How many those are; of use where there are several.
    pub since: u32,
    /// What is drawn.
    pub shown: Vec<Vec3>,
    /// Whether they are going home: see glsl/cloth/predict.glsl.
    pub is_astray: Vec<bool>,
    /// The contact in which collision left each particle, as [`pack_contact`](crate::math::direction::pack_contact) packs it, 0 for
    /// none. It is set by the collision of the twin's particles; the next solve keeps to it and clears it.
    pub contacts: Vec<f32>,
    /// One per constraint.
    multipliers: Vec<f32>,
    /// One per particle.
    attachment_multipliers: Vec<Vec3>,
}

impl Twin {
    /// The particles that the same builder would put on the GPU. The first step must be a teleport, which gives them
    /// their positions.
    pub fn new(mut lists: ClothBuilder) -> Self {
        lists.end_lists();
        let zeros = vec![Vec3::ZERO; lists.particles.len()];
        Self {
            current: zeros.clone(),
            predicted: zeros.clone(),
            normals: zeros.clone(),
            path_starts: zeros.clone(),
            since: 1,
            attachment_multipliers: zeros.clone(),
            is_astray: vec![false; zeros.len()],
            contacts: vec![0.0; zeros.len()],
            shown: zeros,
            multipliers: vec![0.0; lists.constraints.len()],
            lists,
        }
    }

    /// Starts a sub-step: moves each particle by its last motion, gravity and wind, and those astray towards home.
    pub fn predict(&mut self, inputs: &Inputs) {
        for particle_ix in 0..self.predicted.len() {
            if inputs.starts || !is_somewhere(self.normals[particle_ix]) {
                let target_ix = self.lists.particles[particle_ix].target_ix;
                self.normals[particle_ix] = inputs.target_normals[target_ix as usize];
            }
            let (current, predicted, is_astray) = self.predict_one(inputs, particle_ix);
            self.current[particle_ix] = current;
            self.predicted[particle_ix] = predicted;
            self.is_astray[particle_ix] = is_astray;
        }
        if inputs.timing.begins_path {
            self.path_starts.clone_from(&self.current);
        }
        self.contacts.fill(0.0);
    }

    fn predict_one(&self, inputs: &Inputs, particle_ix: usize) -> (Vec3, Vec3, bool) {
        let particle = self.lists.particles[particle_ix];
        let timing = &inputs.timing;
        let position = self.predicted[particle_ix];
        if inputs.starts || !is_somewhere(position) {
            let start = inputs.targets[particle.target_ix as usize];
            return (start, start, false);
        }
        let (wanted, firmness) = self.hold(inputs, particle_ix, timing.target_time);
        if firmness >= 1.0 {
            return (position, wanted, false);
        }
        let target = self.target_at(inputs, particle_ix, timing.time_before);
        let (motion, scale, normal) = self.motion_of(inputs, particle_ix);
        let allowed = motion.allowed_place(scale, target, normal, position);
        let beyond = allowed.distance(position);
        let size = particle.size;
        let is_astray = match self.is_astray[particle_ix] {
            true => beyond > BACK * size.max(1.0),
            false => beyond > ASTRAY * size || motion.is_through(scale, target, normal, position),
        };
        if is_astray && firmness == 0.0 {
            let target_shift = self.target_at(inputs, particle_ix, timing.target_time) - target;
            let speed = HOMING_SPEED * size.max(1.0);
            let displacement = (allowed - position) * (speed * timing.seconds / beyond).min(1.0);
            return (position, position + target_shift + displacement, true);
        }
        let from = match firmness {
            0.0 => allowed,
            _ => position,
        };
        let moved = (position - self.current[particle_ix]) / timing.last_seconds;
        let next = from + self.velocity(inputs, particle_ix, moved) * timing.seconds;
        let next = self.above_ground(inputs, particle_ix, from, next);
        (from, next.lerp(wanted, firmness), false)
    }

    /// The velocity at the end of a sub-step that begins with `moved`, metres per second.
    fn velocity(&self, inputs: &Inputs, particle_ix: usize, moved: Vec3) -> Vec3 {
        let seconds = inputs.timing.seconds;
        let garment = self.garment_of(inputs, particle_ix);
        let (normal, wind) = (self.normals[particle_ix], inputs.settings.wind);
        let velocity = push_by_air(moved, normal, wind, garment.drag * seconds);
        let velocity =
            (velocity + inputs.settings.gravity * seconds) / (1.0 + garment.damping * seconds);
        velocity * (MAX_SPEED / velocity.length().max(1e-6)).min(1.0)
    }

    pub(super) fn garment_of<'a>(
        &self,
        inputs: &Inputs<'a>,
        particle_ix: usize,
    ) -> &'a GarmentSettings {
        &inputs.garments[self.lists.particles[particle_ix].garment_ix as usize]
    }

    /// A particle's motion constraint, the scale of its distance, and its skinned normal.
    fn motion_of(&self, inputs: &Inputs, particle_ix: usize) -> (MotionConstraint, f32, Vec3) {
        let particle = self.lists.particles[particle_ix];
        let motion = MotionConstraint {
            max_distance: particle.max_distance,
            backstop_distance: particle.backstop_distance,
            backstop_radius: particle.backstop_radius,
        };
        let scale = self.garment_of(inputs, particle_ix).motion_scale;
        (
            motion,
            scale,
            inputs.target_normals[particle.target_ix as usize],
        )
    }

    fn allowed_place(
        &self,
        inputs: &Inputs,
        particle_ix: usize,
        target: Vec3,
        position: Vec3,
    ) -> Vec3 {
        let (motion, scale, normal) = self.motion_of(inputs, particle_ix);
        motion.allowed_place(scale, target, normal, position)
    }

    fn above_ground(&self, inputs: &Inputs, particle_ix: usize, from: Vec3, to: Vec3) -> Vec3 {
        let GarmentSettings {
            thickness,
            friction,
            ..
        } = *self.garment_of(inputs, particle_ix);
        above_ground(
            Ground::words(inputs.settings.ground),
            thickness,
            friction,
            from,
            to,
        )
    }

    /// Where a hand wants the particle at a part of the step, and how firmly: 0 for one that no hand holds.
    fn hold(&self, inputs: &Inputs, particle_ix: usize, time: f32) -> (Vec3, f32) {
        let particles = &self.lists.particles;
        let is_there = |grab: &Grab| (grab.particle_ix as usize) < particles.len();
        let Some(grab) = inputs.timing.grab.filter(is_there) else {
            return (Vec3::ZERO, 0.0);
        };
        let grabbed_ix = grab.particle_ix as usize;
        if grabbed_ix == particle_ix {
            return (grab.target, 1.0);
        }
        let is_same = particles[grabbed_ix].garment_ix == particles[particle_ix].garment_ix;
        if grab.radius <= 0.0 || !is_same {
            return (Vec3::ZERO, 0.0);
        }
        let place = |ix: usize| SkinnedPlace {
            position: self.target_at(inputs, ix, time),
            normal: inputs.target_normals[particles[ix].target_ix as usize],
        };
        grab.brushed(place(particle_ix), place(grabbed_ix))
    }

    /// One solve of every patch; all start from the same positions.
    pub fn solve(&mut self, inputs: &Inputs, iteration_ix: u32) {
        let before = self.predicted.clone();
        for patch_ix in 0..self.lists.patches.len() {
            let patch = self.lists.patches[patch_ix];
            let particles = span(patch.first_particle, patch.particle_count);
            let particles = self.lists.patch_particles[particles].to_vec();
            let mut local = self.load(inputs, &before, &patch, &particles);
            let owned = particles.iter().zip(&mut local).take(patch.owned as usize);
            for (&particle_ix, (position, inverse_mass)) in owned {
                *position = self.towards_attachment(
                    inputs,
                    particle_ix as usize,
                    *position,
                    *inverse_mass,
                    iteration_ix,
                );
            }
            if inputs.timing.bend_seconds > 0.0 {
                self.sweep(inputs, &patch, &mut local, Kind::Bend, iteration_ix == 0);
            }
            self.carry_tension(inputs, &patch, &mut local);
            let planes = self.planes(&before, &patch, &particles, &local);
            for sweep in 0..inputs.settings.sweeps {
                let is_first = iteration_ix == 0 && sweep == 0;
                self.sweep(inputs, &patch, &mut local, Kind::Stretch, is_first);
                keep_in_front(&planes, &mut local);
            }
            for (&particle_ix, placed) in particles.iter().zip(local).take(patch.owned as usize) {
                let particle_ix = particle_ix as usize;
                let found = before[particle_ix];
                self.predicted[particle_ix] =
                    self.constrain_particle(inputs, particle_ix, found, placed);
            }
        }
        self.contacts.fill(0.0);
    }

    /// Positions of a patch's particles, and their inverse masses: negative for those that take no part.
    fn load(
        &self,
        inputs: &Inputs,
        before: &[Vec3],
        patch: &GpuPatch,
        particles: &[u32],
    ) -> Vec<(Vec3, f32)> {
        let placed = |(local_ix, &particle_ix): (usize, &u32)| {
            let particle_ix = particle_ix as usize;
            if self.is_astray[particle_ix] {
                return (before[particle_ix], -1.0);
            }
            let (wanted, firmness) = self.hold(inputs, particle_ix, inputs.timing.target_time);
            if firmness >= 1.0 {
                return (wanted, 0.0);
            }
            let density = self.garment_of(inputs, particle_ix).density;
            let inverse_mass = 1.0 / (self.lists.particles[particle_ix].area * density);
            let is_free = local_ix < patch.free as usize;
            let inverse_mass = if is_free { inverse_mass } else { 0.0 };
            (before[particle_ix], inverse_mass * (1.0 - firmness))
        };
        particles.iter().enumerate().map(placed).collect()
    }

    /// Projects the patch's constraints of a kind colour by colour: within one no two touch the same particle, so their order
    /// does not matter.
    fn sweep(
        &mut self,
        inputs: &Inputs,
        patch: &GpuPatch,
        local: &mut [(Vec3, f32)],
        kind: Kind,
        is_first: bool,
    ) {
        let garment = &inputs.garments[patch.garment_ix as usize];
        let seconds_squared = match kind {
            Kind::Bend => inputs.timing.seconds * inputs.timing.bend_seconds,
            _ => inputs.timing.seconds * inputs.timing.seconds,
        };
        for ix in self.places_of(patch, kind) {
            let constraint = &self.lists.constraints[ix];
            let multiplier = if is_first { 0.0 } else { self.multipliers[ix] };
            let change = project(constraint, garment, seconds_squared, multiplier, local);
            self.multipliers[ix] = multiplier + change;
        }
    }

    /// Brings the ends of the patch's long-range constraints no further apart than the cloth between them is long, colour by colour.
    fn carry_tension(&self, inputs: &Inputs, patch: &GpuPatch, local: &mut [(Vec3, f32)]) {
        let max_strain = inputs.garments[patch.garment_ix as usize].strain_limit;
        for ix in self.places_of(patch, Kind::LongRange) {
            let constraint = &self.lists.constraints[ix];
            keep_within(constraint, max_strain, local);
        }
    }

    /// Where a patch's constraints of a kind lie.
    fn places_of(&self, patch: &GpuPatch, kind: Kind) -> Vec<usize> {
        let stretch = patch.stretch_colours;
        let bend = stretch + patch.bend_colours;
        let (before, count) = match kind {
            Kind::Stretch => (0, stretch),
            Kind::Bend => (stretch, patch.bend_colours),
            Kind::LongRange => (bend, patch.long_range_colours),
        };
        let first = patch.first_constraint + before * patch.colour_size;
        let places = span(first, count * patch.colour_size);
        let is_taken = |ix: &usize| self.lists.constraints[*ix].ends != NONE;
        places.filter(is_taken).collect()
    }

    /// The planes that a patch's particles keep in front of during its sweeps: unit normal, and metres along it from the world's
    /// origin; zeros where there is none. Those that cannot move have none.
    fn planes(
        &self,
        before: &[Vec3],
        patch: &GpuPatch,
        particles: &[u32],
        local: &[(Vec3, f32)],
    ) -> Vec<Vec4> {
        let free = particles.iter().zip(local).take(patch.free as usize);
        free.map(|(&particle_ix, &(_, inverse_mass))| {
            let contact = self.contacts[particle_ix as usize];
            match contact != 0.0 && inverse_mass > 0.0 {
                true => contact_plane(contact, before[particle_ix as usize]),
                false => Vec4::ZERO,
            }
        })
        .collect()
    }

    /// The constraints that concern one particle alone. `found`: where the solve found it.
    fn constrain_particle(
        &self,
        inputs: &Inputs,
        particle_ix: usize,
        found: Vec3,
        (position, inverse_mass): (Vec3, f32),
    ) -> Vec3 {
        let (wanted, firmness) = self.hold(inputs, particle_ix, inputs.timing.target_time);
        if inverse_mass < 0.0 || firmness >= 1.0 {
            return position;
        }
        let position = self.within_tethers(inputs, particle_ix, position);
        let position = in_front_of_contact(self.contacts[particle_ix], found, position);
        let target = self.target_of(inputs, particle_ix);
        let position = self.allowed_place(inputs, particle_ix, target, position);
        let from = self.current[particle_ix];
        let position = self.above_ground(inputs, particle_ix, from, position);
        position.lerp(wanted, firmness)
    }

    /// Towards where it is no further from its anchors than the cloth between them is long.
    fn within_tethers(&self, inputs: &Inputs, particle_ix: usize, mut position: Vec3) -> Vec3 {
        let garment_ix = self.lists.particles[particle_ix].garment_ix as usize;
        if inputs.garments[garment_ix].tethered == 0 {
            return position;
        }
        let tethers = &self.lists.tethers[particle_ix * TETHERS_PER_PARTICLE..];
        for tether in tethers[..TETHERS_PER_PARTICLE]
            .iter()
            .take_while(|tether| tether.anchor_ix != NONE)
        {
            let anchor = self.target_of(inputs, tether.anchor_ix as usize);
            let apart = position - anchor;
            let beyond = (tether.max_length / apart.length().max(1e-6) - 1.0).min(0.0);
            position += TETHER_SHARE * apart * beyond;
        }
        position
    }

    fn towards_attachment(
        &mut self,
        inputs: &Inputs,
        particle_ix: usize,
        position: Vec3,
        inverse_mass: f32,
        iteration_ix: u32,
    ) -> Vec3 {
        let particle = self.lists.particles[particle_ix];
        if particle.attachment_compliance < 0.0 || inverse_mass <= 0.0 {
            return position;
        }
        let seconds = inputs.timing.seconds;
        let compliance = particle.attachment_compliance / (seconds * seconds);
        let known = &mut self.attachment_multipliers[particle_ix];
        let multiplier = if iteration_ix == 0 {
            Vec3::ZERO
        } else {
            *known
        };
        let target = inputs.target(&particle, inputs.timing.target_time);
        let change = (target - position - multiplier * compliance) / (inverse_mass + compliance);
        *known = multiplier + change;
        position + change * inverse_mass
    }

    /// Where skinning puts a particle at the end of the sub-step.
    fn target_of(&self, inputs: &Inputs, particle_ix: usize) -> Vec3 {
        self.target_at(inputs, particle_ix, inputs.timing.target_time)
    }

    fn target_at(&self, inputs: &Inputs, particle_ix: usize, time: f32) -> Vec3 {
        inputs.target(&self.lists.particles[particle_ix], time)
    }

    /// Ends a step: the shown positions and their normals. `inputs` are those of its last sub-step.
    pub fn finish(&mut self, inputs: &Inputs) {
        for particle_ix in 0..self.predicted.len() {
            self.shown[particle_ix] = self.final_place(inputs, particle_ix);
        }
        self.find_normals();
    }

    fn final_place(&self, inputs: &Inputs, particle_ix: usize) -> Vec3 {
        let position = self.predicted[particle_ix];
        if self.is_astray[particle_ix] || self.hold(inputs, particle_ix, 1.0).1 > 0.0 {
            return position;
        }
        let target = self.target_at(inputs, particle_ix, 1.0);
        let (motion, scale, normal) = self.motion_of(inputs, particle_ix);
        let position = motion.allowed_place(SHOWN_BEYOND * scale, target, normal, position);
        above_ground(
            Ground::words(inputs.settings.ground),
            0.0,
            0.0,
            position,
            position,
        )
    }

    /// The normals of the triangles round each particle, weighted by area.
    pub fn find_normals(&mut self) {
        for particle_ix in 0..self.predicted.len() {
            let at = |ix: u32| self.predicted[ix as usize] - self.predicted[particle_ix];
            let corners = &self.lists.corners[range(&self.lists.corner_offsets, particle_ix)];
            let sum = corners
                .iter()
                .fold(Vec3::ZERO, |sum, &[a, b]| sum + at(a).cross(at(b)));
            // A particle whose triangles have collapsed keeps its last normal.
            let size = sum.length();
            if size > 0.0 {
                self.normals[particle_ix] = sum / size;
            }
        }
    }

    /// Takes over a state that was read back: `current`, `predicted` and `normals`, four floats per particle.
    pub fn restore(&mut self, [current, predicted, normals]: [&[Vec4]; 3]) {
        let xyz = |values: &[Vec4]| values.iter().map(|value| value.xyz()).collect();
        self.is_astray = current.iter().map(|value| value.w != 0.0).collect();
        self.contacts = predicted.iter().map(|value| value.w).collect();
        (self.current, self.predicted, self.normals) = (xyz(current), xyz(predicted), xyz(normals));
    }
}

fn span(first: u32, count: u32) -> Range<usize> {
    first as usize..(first + count) as usize
}

/// Air drags the cloth along its normal: implicit, so that strong wind stays stable.
fn push_by_air(velocity: Vec3, normal: Vec3, wind: Vec3, drag: f32) -> Vec3 {
    let against = normal * normal.dot(wind - velocity);
    velocity + against * (drag / (1.0 + drag))
}

fn range(offsets: &[u32], particle_ix: usize) -> Range<usize> {
    offsets[particle_ix] as usize..offsets[particle_ix + 1] as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::SkinMesh;
    use crate::cloth::ClothSettings;
    use crate::cloth::Worn;
    use crate::cloth::constraints::ConstraintGraph;
    use crate::cloth::garment::Garment;
    use crate::cloth::motion::MotionConstraint;

    /// Whether a particle so many metres from where skinning puts it, which is all that its constraint allows, is astray on a body of
    /// that size; and how far it goes home in 0.01 s.
    fn strays(metres: f32, size: f32) -> (bool, f32) {
        let positions = vec![Vec3::ZERO, Vec3::X * size, Vec3::Z * size];
        let garment = Garment {
            name: String::new(),
            mesh: SkinMesh {
                positions: positions.clone(),
                triangles: vec![[0, 1, 2]],
                ..SkinMesh::default()
            },
            attachments: Vec::new(),
            rest_positions: Vec::new(),
            clearances: Vec::new(),
            layered: Default::default(),
            motion: vec![
                MotionConstraint {
                    max_distance: 0.0,
                    ..MotionConstraint::default()
                };
                3
            ],
            drawn: None,
            base_colour: [1.0; 4],
        };
        let mut builder = ClothBuilder::default();
        let worn = Worn {
            garment_ix: 0,
            first_target: 0,
            size,
        };
        builder.add(&garment, &ConstraintGraph::build(&garment), worn);
        let mut twin = Twin::new(builder);
        let mut inputs = Inputs {
            settings: &ClothSettings::default(),
            garments: &[GarmentSettings::default()],
            targets: &positions,
            previous_targets: &positions,
            target_normals: &[Vec3::Y; 3],
            timing: Timing {
                seconds: 0.01,
                last_seconds: 0.01,
                bend_seconds: 0.01,
                time_before: 0.0,
                target_time: 1.0,
                begins_path: false,
                grab: None,
            },
            starts: true,
        };
        twin.predict(&inputs);
        inputs.starts = false;
        twin.predicted[1] += Vec3::Y * metres;
        twin.predict(&inputs);
        let home = twin.current[1].distance(twin.predicted[1]);
        (twin.is_astray[1], home)
    }

    #[test]
    fn cloth_strays_in_proportion_to_who_wears_it() {
        for size in [0.12, 1.0, 5.7] {
            assert!(!strays(0.025 * size, size).0, "{size}");
            let (is_astray, home) = strays(0.035 * size, size);
            assert!(is_astray, "{size}");
            let expected = 0.02 * size.max(1.0);
            assert!(
                (home - expected.min(0.035 * size)).abs() < 1e-4,
                "{home} m at {size}"
            );
        }
    }
}
