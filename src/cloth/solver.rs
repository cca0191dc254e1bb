//! The cloth on the GPU: prediction, constraints, and the results for drawing.

mod builder;

pub use builder::{ClothBuilder, Worn};

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::constraints::{Constraint, Kind};
use super::patches::{FEW_COLOURS, MAX_COLOURS, PatchConstraint};
use super::settings::{ClothSettings, GarmentSettings, Ground};
use crate::collide::{Particles, SubStep};
use crate::gpu::{Bind, Buffer, BufferSlice, ComputePipeline, Gpu, GpuError, Recorder, shaders};
use crate::skin::SkinnedBody;

/// Threads of a patch's workgroup; `LANES` of glsl/cloth/patch.glsl.
const PATCH_LANES: u32 = 128;

/// The pipelines of the cloth.
pub struct ClothPipelines {
    predict: ComputePipeline,
    /// For cloth of [`FEW_COLOURS`], and for all other, which takes a hundred dressed characters a thirtieth longer.
    solve: [ComputePipeline; 2],
    limit_strain: ComputePipeline,
    finish: ComputePipeline,
}

impl ClothPipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        let solve = |colours: usize| {
            ComputePipeline::new(gpu, &shaders::CLOTH_SOLVE_COMP, &[colours as u32])
        };
        Ok(Self {
            predict: ComputePipeline::new(gpu, &shaders::CLOTH_PREDICT_COMP, &[])?,
            solve: [solve(FEW_COLOURS)?, solve(MAX_COLOURS)?],
            limit_strain: ComputePipeline::new(gpu, &shaders::CLOTH_LIMIT_STRAIN_COMP, &[])?,
            finish: ComputePipeline::new(gpu, &shaders::CLOTH_FINISH_COMP, &[])?,
        })
    }
}

/// `Particle` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Particle {
    pub area: f32,
    pub attachment_compliance: f32,
    pub garment_ix: u32,
    pub clearance: f32,
    pub target_ix: u32,
    pub max_distance: f32,
    pub backstop_distance: f32,
    pub backstop_radius: f32,
    pub size: f32,
}

/// `GarmentSettings` of glsl/shared/structs.glsl: a garment in one step.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GpuGarment {
    pub settings: GarmentSettings,
    /// Sub-steps of the step that one of its own takes; 0: it follows the skin.
    pub stride: u32,
    /// Seconds of its last own sub-step before this step.
    pub last_sub_step: f32,
    /// 0 as the host writes it; 1 once the GPU has let it sleep.
    pub is_asleep: u32,
    /// The garments worn beneath that it meets by their fields, among the bodies, from the first to one past the last.
    pub first_beneath: u32,
    pub end_beneath: u32,
}

/// `Patch` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GpuPatch {
    pub first_particle: u32,
    pub owned: u32,
    pub free: u32,
    pub particle_count: u32,
    pub first_constraint: u32,
    pub colour_size: u32,
    pub stretch_colours: u32,
    pub bend_colours: u32,
    pub long_range_colours: u32,
    pub garment_ix: u32,
}

impl GpuPatch {
    /// The most of stretch constraints or of bend constraints.
    fn colours(&self) -> u32 {
        self.stretch_colours.max(self.bend_colours)
    }
}

/// `Constraint` of glsl/cloth/patch.glsl, which reads it as four words.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GpuConstraint {
    pub ends: u32,
    pub rest_length: f32,
    pub scale: f32,
    /// Negative for a bend constraint; means nothing for a long-range one.
    pub along_warp: f32,
}

impl GpuConstraint {
    /// An empty place.
    const NONE: Self = Self {
        ends: NONE,
        rest_length: 0.0,
        scale: 0.0,
        along_warp: 0.0,
    };

    fn new(PatchConstraint { ends, constraint }: &PatchConstraint) -> Self {
        let Constraint {
            rest_length,
            kind,
            scale,
            along_warp,
            ..
        } = *constraint;
        Self {
            ends: u32::from(ends[0]) | u32::from(ends[1]) << 16,
            rest_length,
            scale,
            along_warp: if kind == Kind::Bend { -1.0 } else { along_warp },
        }
    }
}

/// `Tether` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GpuTether {
    pub anchor_ix: u32,
    pub max_length: f32,
}

/// `Push` of glsl/cloth/sub_step.glsl.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct SubStepPush {
    ground: [f32; 4],
    gravity: Vec3,
    particle_count: u32,
    wind: Vec3,
    sub_step: f32,
    grab_target: Vec3,
    grab_ix: u32,
    grab_radius: f32,
    sub_steps: u32,
    collision_stride: u32,
    begins_ix: u32,
    sub_step_ix: u32,
    target_time: f32,
    first_iteration: u32,
    last_iteration: u32,
    sweeps: u32,
    end_strain_limit: f32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FinishPush {
    ground: [f32; 4],
    particle_count: u32,
    grab_ix: u32,
    grab_target: Vec3,
    grab_radius: f32,
}

/// A particle that the user drags, and the cloth round it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grab {
    /// Counted over all garments of the world; none is dragged by one past the last.
    pub particle_ix: u32,
    /// Where the particle is dragged to, world space.
    pub target: Vec3,
    /// Metres round it, measured between the places where skinning puts the particles of its garment, that go along, the less the
    /// further away; a brush that pulls far gets up to three times as wide. Usually 0.1 for a person; with 0 it goes alone, and
    /// draws the cloth out to a needle.
    pub radius: f32,
}

/// No particle.
pub(super) const NONE: u32 = u32::MAX;

/// Tethers a particle may have; `TETHERS_PER_PARTICLE` of glsl/cloth/solve.comp.
pub const TETHERS_PER_PARTICLE: usize = 2;

/// When and how a sub-step happens.
#[derive(Clone, Copy, Debug)]
pub struct SubStepTiming {
    pub sub_step: SubStep,
    /// Of this sub-step.
    pub seconds: f32,
    /// Sub-steps from one collision to the next.
    pub collision_stride: u32,
    /// Whether cloth has been kept apart from cloth in this sub-step before.
    pub is_resolved: bool,
    pub grab: Option<Grab>,
}

/// What the passes of a step are given.
pub struct StepOfCloth<'a> {
    /// The garments: a [`GpuGarment`] each.
    pub garments: BufferSlice,
    /// A word per garment, 1 for one that starts in this step.
    pub starts: BufferSlice,
    pub settings: &'a ClothSettings,
}

/// The particles of all garments of a world.
pub struct Cloth {
    particle_count: u32,
    particles: Buffer,
    /// The same where cloth meets cloth, if any covers other cloth.
    meeting_particles: Option<Buffer>,
    meets_cloth: bool,
    current: [Buffer; 2],
    /// Which of `current` counts.
    newest_current: usize,
    predicted: [Buffer; 2],
    /// Which of `predicted` holds the newest positions.
    newest: usize,
    shown: [Buffer; 2],
    shown_current: usize,
    normals: Buffer,
    contacts: Buffer,
    path_starts: Buffer,
    candidates: Buffer,
    group_count: u32,
    neighbour_offsets: Buffer,
    neighbours: Buffer,
    patch_count: u32,
    /// The most colours of a kind that a patch has.
    colours: usize,
    patches: Buffer,
    patch_particles: Buffer,
    constraints: Buffer,
    multipliers: Buffer,
    attachment_multipliers: Buffer,
    tethers: Buffer,
    corner_offsets: Buffer,
    corners: Buffer,
}

impl Cloth {
    /// Moves the particles by inertia and external forces through their own sub-steps that begin with sub-step `begins_ix`; those of garments that start
    /// in this step begin at rest on the body.
    pub fn record_predict(
        &self,
        recorder: &mut Recorder,
        pipelines: &ClothPipelines,
        body: &SkinnedBody,
        inputs: &StepOfCloth,
        timing: &SubStepTiming,
        begins_ix: u32,
    ) {
        let push = SubStepPush {
            begins_ix,
            ..self.push(inputs, timing)
        };
        let own = [self.current().into(), self.predicted().into()];
        let bindings: [Bind; 10] = Bind::joined(&[&self.shared(body, inputs), &own]);
        recorder.dispatch(&pipelines.predict, &bindings, &push, self.particle_count);
    }

    /// Solves every patch once, for the `iteration_ix`-th time in the sub-step; after the last time it moves the particles on as
    /// [`Cloth::record_predict`] does, where a sub-step follows.
    pub fn record_solve(
        &mut self,
        recorder: &mut Recorder,
        pipelines: &ClothPipelines,
        body: &SkinnedBody,
        inputs: &StepOfCloth,
        timing: &SubStepTiming,
        iteration_ix: u32,
    ) {
        let is_last = iteration_ix + 1 == inputs.settings.iterations;
        let sub_step = timing.sub_step;
        let goes_on = is_last && !sub_step.is_last();
        let push = SubStepPush {
            begins_ix: if goes_on {
                sub_step.ix + 1
            } else {
                sub_step.count
            },
            first_iteration: u32::from(iteration_ix == 0),
            last_iteration: u32::from(is_last),
            ..self.push(inputs, timing)
        };
        let [current_after, after] = self.spares();
        let own = [
            current_after.into(),
            (&self.multipliers).into(),
            (&self.attachment_multipliers).into(),
            (&self.tethers).into(),
        ];
        let bindings: [Bind; 18] =
            Bind::joined(&[&self.shared(body, inputs), &self.patched(after), &own]);
        let threads = self.patch_count * PATCH_LANES;
        let pipeline = &pipelines.solve[usize::from(self.colours > FEW_COLOURS)];
        recorder.dispatch(pipeline, &bindings, &push, threads);
        self.newest = 1 - self.newest;
        if goes_on {
            self.newest_current = 1 - self.newest_current;
        }
    }

    /// Shortens what a step's last collision has stretched by more than that part of its length, and more than its garment's strain limit.
    pub fn record_limit_strain(
        &mut self,
        recorder: &mut Recorder,
        pipelines: &ClothPipelines,
        body: &SkinnedBody,
        inputs: &StepOfCloth,
        timing: &SubStepTiming,
        limit: f32,
    ) {
        let push = SubStepPush {
            end_strain_limit: limit,
            ..self.push(inputs, timing)
        };
        let [_, after] = self.spares();
        let bindings: [Bind; 14] =
            Bind::joined(&[&self.shared(body, inputs), &self.patched(after)]);
        let threads = self.patch_count * PATCH_LANES;
        recorder.dispatch(&pipelines.limit_strain, &bindings, &push, threads);
        self.newest = 1 - self.newest;
    }

    /// What a sub-step's passes are told alike.
    fn push(&self, inputs: &StepOfCloth, timing: &SubStepTiming) -> SubStepPush {
        let (settings, grab) = (inputs.settings, self.grab_words(timing.grab));
        SubStepPush {
            ground: Ground::words(settings.ground).to_array(),
            gravity: settings.gravity,
            particle_count: self.particle_count,
            wind: settings.wind,
            sub_step: timing.seconds,
            grab_target: grab.target,
            grab_ix: grab.particle_ix,
            grab_radius: grab.radius,
            sub_steps: timing.sub_step.count,
            collision_stride: timing.collision_stride,
            sub_step_ix: timing.sub_step.ix,
            target_time: timing.sub_step.ends(),
            sweeps: settings.sweeps,
            ..SubStepPush::zeroed()
        }
    }

    /// What passes over patches bind alike, after what all of a sub-step's do: those of glsl/cloth/patch.glsl. `after`: what they write.
    fn patched(&self, after: &Buffer) -> [Bind; 6] {
        [
            self.predicted().into(),
            after.into(),
            self.current().into(),
            (&self.patches).into(),
            (&self.patch_particles).into(),
            (&self.constraints).into(),
        ]
    }

    /// What a sub-step's passes bind alike.
    fn shared(&self, body: &SkinnedBody, inputs: &StepOfCloth) -> [Bind; 8] {
        [
            self.particles().into(),
            inputs.garments.into(),
            body.positions().into(),
            body.previous_positions().into(),
            body.normals().into(),
            (&self.normals).into(),
            inputs.starts.into(),
            (&self.path_starts).into(),
        ]
    }

    /// Begins to store a step's result: the shown positions become the previous ones.
    pub fn begin_finish(&mut self) {
        self.shown_current = 1 - self.shown_current;
    }

    /// Stores the step's result for drawing.
    pub fn record_finish(
        &self,
        recorder: &mut Recorder,
        pipelines: &ClothPipelines,
        body: &SkinnedBody,
        inputs: &StepOfCloth,
        grab: Option<Grab>,
    ) {
        let grab = self.grab_words(grab);
        let push = FinishPush {
            ground: Ground::words(inputs.settings.ground).to_array(),
            particle_count: self.particle_count,
            grab_ix: grab.particle_ix,
            grab_target: grab.target,
            grab_radius: grab.radius,
        };
        let bindings: [Bind; 12] = [
            (&self.predicted[self.newest]).into(),
            (&self.corner_offsets).into(),
            (&self.corners).into(),
            self.positions().into(),
            self.previous_positions().into(),
            (&self.normals).into(),
            self.particles().into(),
            inputs.garments.into(),
            self.current().into(),
            body.positions().into(),
            body.normals().into(),
            inputs.starts.into(),
        ];
        recorder.dispatch(&pipelines.finish, &bindings, &push, self.particle_count);
    }

    /// The state of a range of particles that the next step and the next draw read.
    pub fn state(&self, particles: &Range<u32>) -> [BufferSlice; 6] {
        let stride = size_of::<[f32; 4]>() as u64;
        let (first, count) = (u64::from(particles.start), particles.len() as u64);
        [
            self.current(),
            &self.predicted[self.newest],
            self.positions(),
            self.previous_positions(),
            &self.normals,
            &self.contacts,
        ]
        .map(|buffer| buffer.slice(first * stride, count * stride))
    }

    /// The particles as a collision technique sees them.
    pub fn as_particles(&self, garments: BufferSlice) -> Particles<'_> {
        Particles {
            count: self.particle_count,
            particles: self.particles(),
            garments,
            current: self.current(),
            predicted: &self.predicted[self.newest],
            contacts: &self.contacts,
            path_starts: &self.path_starts,
            neighbour_offsets: &self.neighbour_offsets,
            neighbours: &self.neighbours,
            corner_offsets: &self.corner_offsets,
            corners: &self.corners,
            candidates: &self.candidates,
            group_count: self.group_count,
        }
    }

    /// World-space positions as the sub-step has them so far: four floats per particle, the last unused.
    pub fn predicted(&self) -> &Buffer {
        &self.predicted[self.newest]
    }

    /// The buffers of current and of predicted positions that are free to be written.
    pub fn spares(&self) -> [&Buffer; 2] {
        [
            &self.current[1 - self.newest_current],
            &self.predicted[1 - self.newest],
        ]
    }

    /// The spare buffers hold the newest positions now.
    pub fn swap(&mut self) {
        self.newest_current = 1 - self.newest_current;
        self.newest = 1 - self.newest;
    }

    /// Has particles that others cover held by them, or not, since cloth meets cloth.
    pub(crate) fn set_meets_cloth(&mut self, meets_cloth: bool) {
        self.meets_cloth = meets_cloth;
    }

    /// A [`Particle`] each.
    pub fn particles(&self) -> &Buffer {
        let meeting = self.meeting_particles.as_ref();
        meeting
            .filter(|_| self.meets_cloth)
            .unwrap_or(&self.particles)
    }

    /// World-space positions at the sub-step's beginning.
    pub(super) fn current(&self) -> &Buffer {
        &self.current[self.newest_current]
    }

    /// Particles of all garments.
    pub fn particle_count(&self) -> u32 {
        self.particle_count
    }

    /// World-space positions after the last step: four floats per particle, the last 1. All four are 0 until the particle's garment has taken
    /// part in a step, so that nothing of it is drawn.
    pub fn positions(&self) -> &Buffer {
        &self.shown[self.shown_current]
    }

    /// World-space positions after the step before it.
    pub fn previous_positions(&self) -> &Buffer {
        &self.shown[1 - self.shown_current]
    }

    /// World-space unit normals after the last step: four floats per particle, the last unused.
    pub fn normals(&self) -> &Buffer {
        &self.normals
    }

    /// Normal and deepest push of the last step: four floats per particle.
    pub fn contacts(&self) -> &Buffer {
        &self.contacts
    }

    /// As the shaders take it: a particle that there is not is not held.
    fn grab_words(&self, grab: Option<Grab>) -> Grab {
        let is_there = |grab: &Grab| grab.particle_ix < self.particle_count;
        grab.filter(is_there).unwrap_or(NO_GRAB)
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        let buffers = [
            &self.particles,
            &self.current[0],
            &self.current[1],
            &self.predicted[0],
            &self.predicted[1],
            &self.shown[0],
            &self.shown[1],
            &self.normals,
            &self.contacts,
            &self.path_starts,
            &self.candidates,
            &self.neighbour_offsets,
            &self.neighbours,
            &self.patches,
            &self.patch_particles,
            &self.constraints,
            &self.multipliers,
            &self.attachment_multipliers,
            &self.tethers,
            &self.corner_offsets,
            &self.corners,
        ];
        let buffers = buffers.into_iter().chain(&self.meeting_particles);
        buffers.map(Buffer::bytes).sum()
    }
}

/// What a hand holds that holds nothing.
const NO_GRAB: Grab = Grab {
    particle_ix: NONE,
    target: Vec3::ZERO,
    radius: 0.0,
};
