//! The CPU twin of glsl/cloth/predict.comp, solve.comp and finish.comp: the same steps in the same `f32`, written for
//! reading.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::solver::{ClothBuilder, NONE, SubStepTiming, TETHERS_PER_PARTICLE};
use super::{ClothSettings, GarmentSettings};

/// Metres a second; `MAX_SPEED` of glsl/cloth/predict.comp.
const MAX_SPEED: f32 = 40.0;

/// What a sub-step is given.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    pub settings: &'a ClothSettings,
    /// One a garment.
    pub garments: &'a [GarmentSettings],
    /// World-space positions of all skinned vertices at the end of the step.
    pub targets: &'a [Vec3],
    /// The same at its beginning.
    pub previous_targets: &'a [Vec3],
    pub timing: SubStepTiming,
}

/// Particles of all garments of a world, stepped on the CPU. Positions are in world space, in metres.
pub struct Twin {
    lists: ClothBuilder,
    /// Where the particles were when the sub-step began.
    pub current: Vec<Vec3>,
    /// Where they are, or will be at its end.
    pub predicted: Vec<Vec3>,
    /// Unit length; zero before the first step.
    pub normals: Vec<Vec3>,
    /// What is drawn.
    pub shown: Vec<Vec3>,
    /// One a constraint.
    multipliers: Vec<f32>,
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
            shown: zeros,
            multipliers: vec![0.0; lists.constraints.len()],
            lists,
        }
    }

    /// Starts a sub-step: moves each particle by its last motion, gravity and wind.
    pub fn predict(&mut self, inputs: &Inputs) {
        for particle_ix in 0..self.predicted.len() {
            let (current, predicted) = self.predict_one(inputs, particle_ix);
            self.current[particle_ix] = current;
            self.predicted[particle_ix] = predicted;
        }
    }

    fn predict_one(&self, inputs: &Inputs, particle_ix: usize) -> (Vec3, Vec3) {
        let particle = self.lists.particles[particle_ix];
        let timing = &inputs.timing;
        if timing.teleported {
            let start = inputs.targets[particle.target_ix as usize];
            return (start, start);
        }
        let position = self.predicted[particle_ix];
        if let Some(target) = self.held(inputs, particle_ix) {
            return (position, target);
        }
        let garment = &inputs.garments[particle.garment_ix as usize];
        let moved = (position - self.current[particle_ix]) / timing.last_seconds;
        let velocity = push_by_air(
            moved,
            self.normals[particle_ix],
            inputs.settings.wind,
            garment.drag * timing.seconds,
        );
        let velocity = (velocity + inputs.settings.gravity * timing.seconds)
            / (1.0 + garment.damping * timing.seconds);
        let velocity = velocity * (MAX_SPEED / velocity.length().max(1e-6)).min(1.0);
        (position, position + velocity * timing.seconds)
    }

    /// Where a hand holds the particle, if one does.
    fn held(&self, inputs: &Inputs, particle_ix: usize) -> Option<Vec3> {
        let grab = inputs.timing.grab?;
        (grab.particle_ix as usize == particle_ix).then_some(grab.target)
    }

    /// One pass of the constraints; all particles see the positions of the pass before.
    pub fn solve(&mut self, inputs: &Inputs, pass_ix: u32) {
        if pass_ix == 0 {
            self.multipliers.fill(0.0);
        }
        let before = self.predicted.clone();
        for particle_ix in 0..before.len() {
            let mut position = before[particle_ix] + self.correction(inputs, &before, particle_ix);
            position = self.within_tethers(inputs, particle_ix, position);
            position = self.towards_attachment(inputs, particle_ix, position);
            self.predicted[particle_ix] = self.held(inputs, particle_ix).unwrap_or(position);
        }
    }

    /// What all constraints of a particle together move it by (XPBD), updating their multipliers.
    fn correction(&mut self, inputs: &Inputs, before: &[Vec3], particle_ix: usize) -> Vec3 {
        let lists = &self.lists;
        let particle = lists.particles[particle_ix];
        let garment = &inputs.garments[particle.garment_ix as usize];
        let per_step = 1.0 / (inputs.timing.seconds * inputs.timing.seconds);
        let range = range(&lists.constraint_offsets, particle_ix);
        let mut correction = Vec3::ZERO;
        for (constraint, multiplier) in lists.constraints[range.clone()]
            .iter()
            .zip(&mut self.multipliers[range])
        {
            let other_ix = constraint.other_ix as usize;
            let apart = before[particle_ix] - before[other_ix];
            let distance = apart.length();
            if distance == 0.0 {
                continue;
            }
            let compliance = garment.compliance[constraint.kind as usize] * per_step;
            let inverse_masses = particle.inverse_mass + lists.particles[other_ix].inverse_mass;
            let missing = constraint.rest_length - distance - compliance * *multiplier;
            let change = constraint.relaxation * missing / (inverse_masses + compliance);
            *multiplier += change;
            correction += apart * (particle.inverse_mass * change / distance);
        }
        correction
    }

    /// No further from its anchors than the cloth between them is long.
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
            position = anchor + apart * (tether.max_length / apart.length().max(1e-6)).min(1.0);
        }
        position
    }

    fn towards_attachment(&self, inputs: &Inputs, particle_ix: usize, position: Vec3) -> Vec3 {
        let particle = self.lists.particles[particle_ix];
        if particle.attachment_compliance < 0.0 {
            return position;
        }
        let seconds = inputs.timing.seconds;
        let compliance = particle.attachment_compliance / (seconds * seconds);
        let share = particle.inverse_mass / (particle.inverse_mass + compliance);
        position.lerp(self.target_of(inputs, particle_ix), share)
    }

    /// Where the body carries a particle at the end of the sub-step.
    fn target_of(&self, inputs: &Inputs, particle_ix: usize) -> Vec3 {
        let target_ix = self.lists.particles[particle_ix].target_ix as usize;
        inputs.previous_targets[target_ix]
            .lerp(inputs.targets[target_ix], inputs.timing.target_time)
    }

    /// Ends a step: what is drawn, and its normals.
    pub fn finish(&mut self) {
        self.shown.clone_from(&self.predicted);
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

    /// Takes over a state that was read back: `current`, `predicted` and `normals`, four floats a particle.
    pub fn restore(&mut self, [current, predicted, normals]: [&[Vec4]; 3]) {
        let xyz = |values: &[Vec4]| values.iter().map(|value| value.xyz()).collect();
        (self.current, self.predicted, self.normals) = (xyz(current), xyz(predicted), xyz(normals));
    }
}

/// Air carries the cloth along its normal: implicit, so that strong wind stays stable.
fn push_by_air(velocity: Vec3, normal: Vec3, wind: Vec3, drag: f32) -> Vec3 {
    let against = normal * normal.dot(wind - velocity);
    velocity + against * (drag / (1.0 + drag))
}

fn range(offsets: &[u32], particle_ix: usize) -> std::ops::Range<usize> {
    offsets[particle_ix] as usize..offsets[particle_ix + 1] as usize
}
