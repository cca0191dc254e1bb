//! One frame: the ordered list of stages. Start reading here.

use ash::vk;
use glam::Mat4;

use crate::cloth::{MAX_SUB_STEPS, SubStepTiming};
use crate::collide::{Bodies, FieldMoments, SubStep, Updates};
use crate::gpu::{Access, BufferSlice, Recorder};
use crate::math::Affine;
use crate::stage::Stage;
use crate::world::{FrameInput, MAX_STEPS, Simulation, StepInput, World};

/// What an earlier frame, ours or the host's draws of it, may still be doing to our buffers.
const EARLIER: &[Access] = &[
    Access::ComputeReadWrite,
    Access::VertexRead,
    Access::VertexFetch,
    Access::FragmentAtomicWrite,
    Access::TransferRead,
    Access::TransferWrite,
];
/// What a step does first.
const STEP_BEGINS: &[Access] = &[Access::ComputeReadWrite, Access::TransferWrite];
/// What may read the result.
const AFTERWARDS: &[Access] = &[
    Access::VertexRead,
    Access::VertexFetch,
    Access::FragmentRead,
    Access::ComputeRead,
    Access::TransferRead,
];

/// What this step uploads.
struct StepUploads {
    palette: BufferSlice,
    moments: FieldMoments,
    garments: BufferSlice,
}

impl World {
    /// Records the frame's simulation into `cmd`: everything from the bones to cloth that can be drawn.
    ///
    /// # Safety
    /// `cmd` must be in the recording state, outside a render pass, from the queue family of the host; the frame recorded
    /// `frames_in_flight` calls ago must have finished on the GPU; and the command buffer must be submitted once, in order
    /// with those of other frames.
    ///
    /// # Panics
    /// When a step's palettes are not one a body with that body's joints, or there are more than [`MAX_STEPS`] steps.
    pub unsafe fn record(&mut self, cmd: vk::CommandBuffer, input: &FrameInput) {
        assert!(
            input.steps.len() <= MAX_STEPS,
            "{} steps in one frame",
            input.steps.len()
        );
        self.timestamps.begin_frame(cmd);
        let mut recorder = Recorder::new(&self.gpu, cmd, &mut self.timestamps);
        // Copies of what was made since the last frame.
        self.uploads.retire(self.frame_ix, self.frames_in_flight);
        if self.uploads.is_waiting() {
            recorder.stage(Stage::Upload, |recorder| {
                self.uploads.record(recorder, self.frame_ix);
            });
        }
        self.simulation.record(&mut recorder, input);
        self.launches = recorder.launches();
        self.frame_ix += 1;
    }
}

impl Simulation {
    fn record(&mut self, recorder: &mut Recorder, input: &FrameInput) {
        self.transient.begin_frame();
        let garments = self.transient.push(&self.settings.garments);
        for step in input.steps {
            self.record_step(recorder, step, garments, input.step_seconds);
        }
        if input.steps.is_empty() {
            self.keep_field_moments();
        }
    }

    /// A frame without a step: the buffer that held the fields' transforms comes round again, so they are written anew.
    fn keep_field_moments(&mut self) {
        if let Some(moments) = &mut self.field_moments {
            moments.transforms = self.transient.push(&self.scratch.transforms);
        }
    }

    /// One step of the simulation, from the bones to the cloth.
    fn record_step(
        &mut self,
        recorder: &mut Recorder,
        step: &StepInput,
        garments: BufferSlice,
        step_seconds: f32,
    ) {
        let sub_steps = self.settings.cloth.sub_steps.clamp(1, MAX_SUB_STEPS);
        let uploads = self.upload_step(step, garments, sub_steps);
        recorder.barrier(EARLIER, STEP_BEGINS);
        // Skin and garment targets follow the bones.
        recorder.stage(Stage::Bake, |recorder| {
            self.skin.record_bake(
                recorder,
                &self.pipelines.skin,
                uploads.palette,
                step.teleported,
            );
        });
        // The collision structure is emptied meanwhile.
        recorder.stage(Stage::CollideClear, |recorder| {
            self.collider.record_clear(recorder);
        });
        recorder.barrier(
            &[Access::ComputeWrite, Access::TransferWrite],
            &[
                Access::VertexRead,
                Access::FragmentAtomicWrite,
                Access::ComputeReadWrite,
            ],
        );
        // It is filled from the skin; the cloth's first passes run meanwhile.
        if self.collider.updates() == Updates::Step {
            self.record_update(recorder, uploads.moments, 1.0);
        }
        for ix in 0..sub_steps {
            self.record_sub_step(
                recorder,
                step,
                &uploads,
                SubStep {
                    ix,
                    count: sub_steps,
                },
                step_seconds,
            );
        }
        // What is drawn: positions of this step and the last, and normals.
        recorder.stage(Stage::ClothFinish, |recorder| {
            self.cloth
                .record_finish(recorder, &self.pipelines.cloth, step.teleported);
        });
        recorder.barrier(
            &[Access::ComputeWrite, Access::FragmentAtomicWrite],
            AFTERWARDS,
        );
    }

    /// Fills the collision structure with the skin as it is at a part of the step, 1 for its end.
    fn record_update(&mut self, recorder: &mut Recorder, moments: FieldMoments, time: f32) {
        let bodies = Bodies {
            skin: &self.skin,
            moments,
        };
        recorder.stage(Stage::CollideUpdate, |recorder| {
            self.collider.record_update(recorder, &bodies, time);
        });
    }

    /// One part of a step: predict, project the constraints, collide last.
    fn record_sub_step(
        &mut self,
        recorder: &mut Recorder,
        step: &StepInput,
        uploads: &StepUploads,
        sub_step: SubStep,
        step_seconds: f32,
    ) {
        let timing = self.timing(step, sub_step, step_seconds);
        if self.collider.updates() == Updates::SubStep {
            self.record_update(recorder, uploads.moments, timing.target_time);
        }
        let pipelines = &self.pipelines.cloth;
        recorder.stage(Stage::ClothPredict, |recorder| {
            let settings = &self.settings.cloth;
            self.cloth.record_predict(
                recorder,
                pipelines,
                &self.skin,
                uploads.garments,
                settings,
                &timing,
            );
        });
        recorder.stage(Stage::ClothSolve, |recorder| {
            for pass_ix in 0..self.settings.cloth.passes {
                recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
                self.cloth.record_solve(
                    recorder,
                    pipelines,
                    &self.skin,
                    uploads.garments,
                    &timing,
                    pass_ix,
                );
            }
        });
        // Collision has the last word.
        recorder.barrier(
            &[Access::ComputeReadWrite, Access::FragmentAtomicWrite],
            &[Access::ComputeReadWrite],
        );
        recorder.stage(Stage::Collide, |recorder| {
            self.record_collide(recorder, uploads, sub_step);
        });
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
    }

    /// Edges first, particles last: whatever an edge does to its ends, no particle is left inside.
    fn record_collide(
        &mut self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        sub_step: SubStep,
    ) {
        let settings = &self.settings.collide;
        let bodies = Bodies {
            skin: &self.skin,
            moments: uploads.moments,
        };
        if settings.edge_midpoints && self.collider.collides_edges() {
            let particles = self.cloth.as_particles(uploads.garments);
            let spare = self.cloth.spare();
            self.collider
                .record_collide_edges(recorder, &bodies, &particles, spare, sub_step);
            self.cloth.swap();
            recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        }
        let particles = self.cloth.as_particles(uploads.garments);
        self.collider
            .record_collide(recorder, &bodies, &particles, settings, sub_step);
    }

    fn timing(&mut self, step: &StepInput, sub_step: SubStep, step_seconds: f32) -> SubStepTiming {
        let seconds = step_seconds / sub_step.count as f32;
        let last_seconds = self.last_sub_step.replace(seconds).unwrap_or(seconds);
        SubStepTiming {
            seconds,
            last_seconds,
            target_time: (sub_step.ix + 1) as f32 / sub_step.count as f32,
            teleported: step.teleported && sub_step.ix == 0,
            grab: step.grab,
        }
    }

    /// Writes the palette and where the fields are, if there are any, where the GPU reads them; no allocation after the first step.
    fn upload_step(
        &mut self,
        step: &StepInput,
        garments: BufferSlice,
        sub_steps: u32,
    ) -> StepUploads {
        assert_eq!(step.palettes.len(), self.bodies.len(), "one palette a body");
        let first_ever = self.scratch.frames.is_empty();
        let scratch = &mut self.scratch;
        scratch.palette.clear();
        let mut joint_ix = 0;
        for (palette, body) in step.palettes.iter().zip(&self.bodies) {
            assert_eq!(
                palette.world_from_bone.len(),
                body.joint_count,
                "a palette has its body's joints"
            );
            scratch.palette.extend(
                palette
                    .world_from_bind
                    .iter()
                    .map(|&matrix| Affine::from_mat4(matrix)),
            );
            for &world_from_bone in &palette.world_from_bone {
                advance(
                    &mut scratch.frames,
                    joint_ix,
                    world_from_bone,
                    first_ever || step.teleported,
                );
                joint_ix += 1;
            }
        }
        scratch.transforms.clear();
        self.collider
            .append_moments(&scratch.frames, sub_steps, &mut scratch.transforms);
        let moments = FieldMoments {
            transforms: self.transient.push(&scratch.transforms),
            field_count: self.collider.rider_count() as u32,
            sub_steps,
        };
        self.field_moments = Some(moments);
        StepUploads {
            palette: self.transient.push(&scratch.palette),
            moments,
            garments,
        }
    }
}

/// What was after becomes before.
fn advance(
    frames: &mut Vec<(Mat4, Mat4)>,
    joint_ix: usize,
    world_from_bone: Mat4,
    teleported: bool,
) {
    match frames.get_mut(joint_ix) {
        Some(frame) => {
            *frame = (
                if teleported { world_from_bone } else { frame.1 },
                world_from_bone,
            );
        }
        None => frames.push((world_from_bone, world_from_bone)),
    }
}
