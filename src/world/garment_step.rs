//! What a step is told of its garments, and which of them sleep.

use super::{Simulation, StepInput, World};
use crate::cloth::{Detail, GpuGarment, Sleep, SleepInputs};
use crate::collide::{SubStep, SubStepTransforms};
use crate::gpu::{Access, Buffer, BufferSlice, Recorder};
use crate::stage::Stage;

impl World {
    /// The garments of the last step: a [`GpuGarment`] each, of which `is_asleep` says whether it slept. `None` where none may sleep: see
    /// [`ClothSettings::sleep`](crate::cloth::ClothSettings::sleep).
    pub fn garments_of_last_step(&self) -> Option<&Buffer> {
        let sleep = self.simulation.sleep();
        sleep.map(|_| self.simulation.sleepers.garments())
    }
}

impl Simulation {
    /// Writes where the GPU reads it which garments start anew, on their own or with their bodies: a word each.
    pub(crate) fn upload_starts(&mut self, step: &StepInput) -> BufferSlice {
        let Self {
            scratch,
            bodies,
            garments,
            ..
        } = self;
        scratch.starts.clear();
        scratch.starts.extend(garments.iter().map(|garment| {
            let body_ix = garment.body_ix;
            let body_is_teleported = bodies[body_ix].is_teleported(step.bodies[body_ix].teleported);
            u32::from(garment.is_teleported(body_is_teleported))
        }));
        self.transient.push(&scratch.starts)
    }

    /// Writes where the GPU reads it what the garments are like and which sub-steps of the step are their own.
    pub(crate) fn upload_garments(
        &mut self,
        step: &StepInput,
        sub_steps: u32,
        step_seconds: f32,
    ) -> BufferSlice {
        // Other techniques know where the skin is in one sub-step, not over several.
        let is_paced = self.collider.takes_detail();
        let settings = self.settings.garments.iter();
        self.scratch.garments.clear();
        for (garment, &settings) in self.garments.iter_mut().zip(settings) {
            let detail = match is_paced {
                true => step.bodies[garment.body_ix].detail,
                false => Detail::Full,
            };
            let own_sub_steps = match detail.stride() {
                0 => sub_steps,
                stride => stride.min(sub_steps),
            };
            let seconds = step_seconds / sub_steps as f32 * own_sub_steps as f32;
            self.scratch.garments.push(GpuGarment {
                settings,
                stride: detail.stride(),
                last_sub_step: garment.last_sub_step.replace(seconds).unwrap_or(seconds),
                is_asleep: 0,
                first_beneath: garment.beneath.start,
                end_beneath: garment.beneath.end,
            });
        }
        self.transient.push(&self.scratch.garments)
    }

    /// The first sub-step of a step that is any garment's own, of those from `first` on.
    pub(crate) fn own_from(&self, first: u32, count: u32) -> Option<SubStep> {
        let mut sub_steps = (first..count).map(|ix| SubStep { ix, count });
        sub_steps.find(|&sub_step| self.has_own(sub_step))
    }

    /// Whether a sub-step of any garment's own ends with that one of the step.
    fn has_own(&self, sub_step: SubStep) -> bool {
        let mut garments = self.scratch.garments.iter();
        sub_step.is_last() || garments.any(|garment| sub_step.own_span(garment.stride) > 0)
    }

    /// Whether any garment collides in that sub-step, before its last solve.
    pub(crate) fn collides(&self, sub_step: SubStep) -> bool {
        let stride = self.collision_stride();
        let mut garments = self.scratch.garments.iter();
        let is_met = |garment: &GpuGarment| sub_step.collision_span(garment.stride, stride) > 0;
        sub_step.is_last() || garments.any(is_met)
    }

    /// The most collisions that a step can have before its last solves, whatever the detail of its bodies.
    pub(crate) fn most_collisions(&self) -> u32 {
        let (count, stride) = (self.sub_steps(), self.collision_stride());
        let details = match self.collider.takes_detail() {
            true => Detail::ALL.as_slice(),
            false => &[Detail::Full],
        };
        let collides = |sub_step: &SubStep| {
            let mut details = details.iter();
            details.any(|detail| sub_step.collision_span(detail.stride(), stride) > 0)
        };
        let sub_steps = (0..count).map(|ix| SubStep { ix, count });
        sub_steps.filter(collides).count() as u32
    }

    /// When cloth sleeps, if it does.
    pub(crate) fn sleep(&self) -> Option<Sleep> {
        let sleep = self.settings.cloth.sleep;
        sleep.filter(|_| self.collider.lets_sleep() && !self.garments.is_empty())
    }

    /// Writes where the GPU reads it which garments may not sleep in a step, because the host has changed something: a word each.
    fn upload_stirred(&mut self, step: &StepInput) -> BufferSlice {
        let Self {
            scratch,
            garments,
            settings,
            cloth_contacts,
            ..
        } = self;
        let shared = (settings.cloth, settings.collide, cloth_contacts.is_some());
        let is_changed = scratch.last_shared.replace(shared) != Some(shared);
        scratch.stirred.clear();
        for (ix, garment) in garments.iter_mut().enumerate() {
            let own = settings.garments[ix];
            let is_held =
                (step.grab).is_some_and(|grab| garment.particles.contains(&grab.particle_ix));
            let is_stirred = garment.last_settings.replace(own) != Some(own)
                || is_changed
                || is_held
                || scratch.starts[ix] != 0
                || scratch.garments[ix].stride == 0;
            scratch.stirred.push(u32::from(is_stirred));
        }
        self.transient.push(&scratch.stirred)
    }

    /// Decides which garments sleep in a step, if any may: their settings then. The collision structure is being filled, and the cloth not yet predicted.
    pub(crate) fn record_sleep(
        &mut self,
        recorder: &mut Recorder,
        step: &StepInput,
        garments: BufferSlice,
        transforms: SubStepTransforms,
        step_seconds: f32,
    ) -> BufferSlice {
        let Some(sleep) = self.sleep() else {
            // What happens until cloth may sleep again stirs it.
            self.scratch.last_shared = None;
            return garments;
        };
        let inputs = SleepInputs {
            garments,
            stirred: self.upload_stirred(step),
            step_seconds,
            meets_cloth: self.cloth_contacts.is_some(),
            transforms,
        };
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        let decided = recorder.stage(Stage::ClothPredict, |recorder| {
            let (pipelines, bounds) = (&self.pipelines.sleep, self.collider.bounds());
            self.sleepers
                .record_decide(recorder, pipelines, bounds, &sleep, &inputs)
        });
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        decided
    }

    /// Measures how the garments lie after a step, if any may sleep.
    pub(crate) fn record_measure_rest(&self, recorder: &mut Recorder, step_seconds: f32) {
        let Some(sleep) = self.sleep() else {
            return;
        };
        recorder.barrier(&[Access::ComputeWrite], &[Access::ComputeReadWrite]);
        let lying = (&self.cloth, &self.skin);
        let pipelines = &self.pipelines.sleep;
        self.sleepers
            .record_measure(recorder, pipelines, lying, &sleep, step_seconds);
    }
}
