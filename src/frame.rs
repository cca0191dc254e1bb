//! One frame: the ordered list of stages. Start reading here.

use std::ops::Range;

use ash::vk;

use crate::cloth::contacts::{ClothContacts, ContactPipelines};
use crate::cloth::{ClothSettings, MAX_SUB_STEPS, StepOfCloth, SubStepTiming};
use crate::collide::{
    Bodies, CollideSettings, EdgePass, Kept, SubStep, SubStepTransforms, Updates,
};
use crate::gpu::{Access, BufferSlice, Recorder};
use crate::stage::Stage;
use crate::world::last_collision::Snapshot;
use crate::world::runs::each_run;
use crate::world::{
    FrameInput, HostSkin, PaletteIn, RecordError, Simulation, StepBones, StepInput, World,
};

/// Accesses of an earlier frame, the library's or the host's draws, that may still be under way.
const EARLIER: &[Access] = &[
    Access::ComputeReadWrite,
    Access::VertexRead,
    Access::VertexFetch,
    Access::FragmentAtomicWrite,
    Access::TransferRead,
    Access::TransferWrite,
];
/// The first accesses of a step.
const STEP_BEGINS: &[Access] = &[Access::ComputeReadWrite, Access::TransferWrite];
/// The accesses that may read the result.
const AFTERWARDS: &[Access] = &[
    Access::VertexRead,
    Access::VertexFetch,
    Access::FragmentRead,
    Access::ComputeRead,
    Access::TransferRead,
];

/// What the passes of a step read besides the simulation's own buffers.
struct StepUploads {
    transforms: SubStepTransforms,
    /// Their settings, and which sub-steps are their own.
    garments: BufferSlice,
    /// Which garments start in this step.
    starts: BufferSlice,
}

impl StepUploads {
    fn of_cloth<'a>(&self, settings: &'a ClothSettings) -> StepOfCloth<'a> {
        StepOfCloth {
            garments: self.garments,
            starts: self.starts,
            settings,
        }
    }
}

/// What a sub-step searches for all of a step.
#[derive(Clone, Copy)]
struct Searches {
    /// What cloth may meet other cloth.
    cloth: bool,
    /// Which fields and solids particles may meet.
    bodies: bool,
}

impl Searches {
    const NONE: Self = Self {
        cloth: false,
        bodies: false,
    };
}

/// How some vertices get where they are.
#[derive(PartialEq)]
enum Skinning {
    /// Whether they start, whatever their body does.
    Baked(PaletteIn, bool),
    /// Of which body, so that each is taken over by itself, and whether it was teleported.
    TakenOver(HostSkin, usize, bool),
}

impl World {
    /// Records the frame's simulation into `cmd`: everything from the bones to cloth that can be drawn.
    ///
    /// Secondary command buffers will do too. Times are read with [`World::collect_times`], or written into queries of the
    /// host's with [`World::time_into`].
    ///
    /// # Errors
    /// When the input does not fit the world: nothing is recorded then. [`RecordError::NoDescriptorSets`] differs, and says so.
    ///
    /// # Safety
    /// `cmd` must be in the recording state, outside a render pass, from the queue family of the host; the frame recorded
    /// `frames_in_flight` calls ago must have finished on the GPU; and the command buffer must be submitted once, in order
    /// with those of other frames.
    pub unsafe fn record(
        &mut self,
        cmd: vk::CommandBuffer,
        input: &FrameInput,
    ) -> Result<(), RecordError> {
        if cmd == vk::CommandBuffer::null() {
            return Err(RecordError::NullCommandBuffer);
        }
        input.check(&self.simulation, &self.gpu)?;
        let host_queries = self.take_host_queries(input.steps.len())?;
        self.uploads.retire(self.frame_ix, self.frames_in_flight);
        self.drop_retired();
        self.timestamps.begin_frame(cmd);
        self.timestamps.also_into(host_queries);
        self.sets.begin_frame();
        if let Some(statistics) = &mut self.statistics {
            statistics.begin_frame(cmd);
        }
        let mut recorder = Recorder::new(&self.gpu, cmd, &mut self.timestamps)
            .counting(self.statistics.as_mut())
            .with_sets(&mut self.sets)
            .on(self.queue);
        recorder.begin_label(LABEL);
        // Uploads since the last frame, and the migration of state after an edit.
        if self.uploads.is_waiting() || !self.migrations.is_empty() {
            recorder.stage(Stage::Upload, |recorder| {
                self.uploads.record(recorder, self.frame_ix);
                record_migrations(recorder, &mut self.migrations);
            });
        }
        self.simulation.record(&mut recorder, input);
        recorder.end_label();
        let finished = recorder.finish();
        self.timestamps.end_frame(cmd);
        self.frame_ix += 1;
        self.launches = finished.map_err(|_| RecordError::NoDescriptorSets)?;
        Ok(())
    }
}

/// The label round all of the library's labels, so that they lie together within the host's.
const LABEL: &std::ffi::CStr = c"radial_fields";

/// Copies that may overwrite earlier results, and that later copies may read.
fn record_migrations(recorder: &mut Recorder, migrations: &mut Vec<(BufferSlice, BufferSlice)>) {
    for (from, to) in migrations.drain(..).filter(|(from, _)| from.bytes > 0) {
        // After two edits the second copies what the first has copied. Edits are rare, so each waits for the one before.
        recorder.barrier(
            &[Access::TransferWrite],
            &[Access::TransferRead, Access::TransferWrite],
        );
        recorder.copy(from, to);
    }
    recorder.barrier(&[Access::TransferWrite], AFTERWARDS);
}

impl Simulation {
    fn record(&mut self, recorder: &mut Recorder, input: &FrameInput) {
        self.transient.begin_frame();
        for step in input.steps {
            self.record_step(recorder, step, input.step_seconds);
        }
    }

    /// How many sub-steps a step has.
    pub(crate) fn sub_steps(&self) -> u32 {
        self.settings.cloth.sub_steps.clamp(1, MAX_SUB_STEPS)
    }

    /// Sub-steps from one collision to the next.
    pub(crate) fn collision_stride(&self) -> u32 {
        self.settings.collide.stride.clamp(1, MAX_SUB_STEPS)
    }

    /// One step of the simulation, from the bones to the cloth.
    fn record_step(&mut self, recorder: &mut Recorder, step: &StepInput, step_seconds: f32) {
        let sub_steps = self.sub_steps();
        self.cloth.set_meets_cloth(self.cloth_contacts.is_some());
        let bones = self.upload_bones(step);
        let starts = self.upload_starts(step);
        let garments = self.upload_garments(step, sub_steps, step_seconds);
        recorder.barrier(EARLIER, STEP_BEGINS);
        // Skin, garment targets and fields follow the bones.
        let transforms = recorder.stage(Stage::Bake, |recorder| {
            self.record_host_bones(recorder, step, &bones);
            self.record_skins(recorder, step, &bones);
            self.record_transforms(recorder, &bones, sub_steps)
        });
        // The collision structure is cleared at the same time.
        recorder.stage(Stage::CollideClear, |recorder| {
            self.collider.record_clear(recorder);
            if let Some(contacts) = &mut self.cloth_contacts {
                contacts.record_clear(recorder);
            }
            if self.sleep().is_some() {
                self.sleepers.record_clear(recorder);
            }
        });
        recorder.barrier(
            &[Access::ComputeWrite, Access::TransferWrite],
            &[
                Access::IndirectRead,
                Access::VertexRead,
                Access::FragmentAtomicWrite,
                Access::ComputeReadWrite,
            ],
        );
        self.record_worn_skin(recorder, starts);
        // It is filled from the skin, while the cloth is predicted.
        if self.collider.updates() == Updates::Step {
            self.record_update(recorder, transforms, 1.0);
        }
        let uploads = StepUploads {
            transforms,
            garments: self.record_sleep(recorder, step, garments, transforms, step_seconds),
            starts,
        };
        self.record_sub_steps(recorder, &uploads, step, step_seconds);
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        // The positions of this step and the last, and normals, for drawing.
        recorder.stage(Stage::ClothFinish, |recorder| {
            self.cloth.begin_finish();
            self.cloth.record_finish(
                recorder,
                &self.pipelines.cloth,
                &self.skin,
                &uploads.of_cloth(&self.settings.cloth),
                step.grab,
            );
            self.record_measure_rest(recorder, step_seconds);
        });
        recorder.barrier(
            &[Access::ComputeWrite, Access::FragmentAtomicWrite],
            AFTERWARDS,
        );
        self.begin_no_more();
    }

    /// All has taken part in a step.
    fn begin_no_more(&mut self) {
        self.bodies.iter_mut().for_each(|body| body.starts = false);
        self.solids
            .iter_mut()
            .for_each(|solid| solid.starts = false);
        self.garments
            .iter_mut()
            .for_each(|garment| garment.starts = false);
    }

    /// The sub-steps that are any garment's own, one after the other.
    fn record_sub_steps(
        &mut self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        step: &StepInput,
        step_seconds: f32,
    ) {
        let sub_steps = self.sub_steps();
        let (mut begins_ix, mut has_collided) = (0, false);
        while let Some(sub_step) = self.own_from(begins_ix, sub_steps) {
            let timing = SubStepTiming {
                sub_step,
                seconds: step_seconds / sub_steps as f32,
                collision_stride: self.collision_stride(),
                is_resolved: false,
                grab: step.grab,
            };
            let collides = self.collides(sub_step);
            let searches = Searches {
                cloth: begins_ix == 0,
                bodies: collides && !has_collided,
            };
            if begins_ix == 0 {
                self.record_predict(recorder, uploads, &timing, begins_ix);
            } else if self.settings.cloth.iterations == 0 {
                recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
                self.record_predict(recorder, uploads, &timing, begins_ix);
            }
            self.record_sub_step(recorder, uploads, &timing, collides, searches);
            begins_ix = sub_step.ix + 1;
            has_collided |= collides;
        }
    }

    /// Skins bodies and the garments' targets, each contiguous range in one dispatch; usually all.
    fn record_skins(&mut self, recorder: &mut Recorder, step: &StepInput, bones: &StepBones) {
        self.skin.begin_step();
        let bodies = self.bodies.iter().zip(step.bodies).enumerate();
        let bodies = bodies.map(|(body_ix, (body, input))| {
            let skinning = match input.skin {
                None => Skinning::Baked(PaletteIn::of(input.bones), body.starts),
                Some(skin) => {
                    let is_teleported = body.is_teleported(input.teleported);
                    Skinning::TakenOver(skin, body_ix, is_teleported)
                }
            };
            (body.vertices.clone(), skinning)
        });
        let garments = self.garments.iter().map(|garment| {
            let palette = PaletteIn::of(step.bodies[garment.body_ix].bones);
            let skinning = Skinning::Baked(palette, garment.starts);
            (garment.targets.clone(), skinning)
        });
        let (ours, pipelines) = (&self.skin, &self.pipelines.skin);
        let mut is_first = true;
        each_run(bodies.chain(garments), |vertices, skinning| {
            if !std::mem::replace(&mut is_first, false) {
                // Disjoint ranges of the same buffers, which synchronization validation takes for one.
                recorder.barrier(&[Access::ComputeWrite], &[Access::ComputeWrite]);
            }
            match skinning {
                Skinning::Baked(palette, starts) => {
                    let palette = self.palette(bones, palette);
                    ours.record_bake(recorder, pipelines, palette, vertices, starts);
                }
                Skinning::TakenOver(skin, _, is_teleported) => {
                    let skin = skin.foreign(vertices.len() as u32);
                    ours.record_adopt(recorder, pipelines, skin, vertices, is_teleported);
                }
            }
        });
    }

    /// Fills the collision structure with the skin as it is at a part of the step, 1 for its end.
    fn record_update(&mut self, recorder: &mut Recorder, transforms: SubStepTransforms, time: f32) {
        let bodies = Bodies {
            skin: &self.skin,
            transforms,
        };
        recorder.stage(Stage::CollideUpdate, |recorder| {
            self.collider.record_update(recorder, &bodies, time);
        });
    }

    /// Moves the cloth by inertia through sub-steps that begin; the last solve of a sub-step does so for those that follow.
    fn record_predict(
        &self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        timing: &SubStepTiming,
        begins_ix: u32,
    ) {
        recorder.stage(Stage::ClothPredict, |recorder| {
            let inputs = uploads.of_cloth(&self.settings.cloth);
            let (cloth, pipelines) = (&self.cloth, &self.pipelines.cloth);
            cloth.record_predict(recorder, pipelines, &self.skin, &inputs, timing, begins_ix);
        });
    }

    /// One part of a step, once it has been predicted: all solves but one, collide if it `collides`, and the last solve.
    fn record_sub_step(
        &mut self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        timing: &SubStepTiming,
        collides: bool,
        searches: Searches,
    ) {
        let sub_step = timing.sub_step;
        if collides && self.collider.updates() == Updates::SubStep {
            self.record_update(recorder, uploads.transforms, sub_step.ends());
        }
        if searches.cloth {
            self.record_find_contacts(recorder, uploads, sub_step);
        }
        // Collision comes before the last solve, which lets cloth slide along what it meets and keep its length.
        let iterations = self.settings.cloth.iterations;
        let last = iterations.saturating_sub(1);
        self.record_solves(recorder, uploads, timing, 0..last);
        if collides {
            recorder.barrier(
                &[Access::ComputeReadWrite, Access::FragmentAtomicWrite],
                &[Access::ComputeReadWrite],
            );
            let snapshots = [Snapshot::BeforeCollision, Snapshot::BehindCollision];
            self.record_collide(recorder, uploads, timing, searches, snapshots);
        } else if self.cloth_contacts.is_some() {
            recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
            self.record_resolve_contacts(recorder, timing);
        }
        self.record_solves(recorder, uploads, timing, last..iterations);
        // The positions that are drawn have been collided after the last solve.
        if iterations > 0 && sub_step.is_last() {
            let timing = SubStepTiming {
                collision_stride: 1,
                is_resolved: true,
                ..*timing
            };
            recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
            let snapshots = [Snapshot::BeforeFinal, Snapshot::BehindFinal];
            self.record_collide(recorder, uploads, &timing, Searches::NONE, snapshots);
            self.record_end(recorder, uploads, &timing);
        }
    }

    /// What a step ends with: no edge is much too long that the last collision has stretched, and nothing that is shortened for that is drawn
    /// into the skin.
    fn record_end(
        &mut self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        timing: &SubStepTiming,
    ) {
        let Some(limit) = self.settings.cloth.end_strain_limit else {
            return;
        };
        self.record_limit_strain(recorder, uploads, timing, limit);
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        self.record_last_collision(recorder, timing.sub_step, Snapshot::BeforeEnd);
        recorder.stage(Stage::Collide, |recorder| {
            if self.settings.collide.edge_midpoints {
                let sub_step = timing.sub_step;
                self.record_collide_edges(recorder, uploads, sub_step, Kept::Reduced);
            }
            self.record_collide_particles(recorder, uploads, timing, Kept::Reduced);
        });
        self.record_last_collision(recorder, timing.sub_step, Snapshot::BehindEnd);
    }

    fn record_limit_strain(
        &mut self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        timing: &SubStepTiming,
        limit: f32,
    ) {
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        recorder.stage(Stage::ClothSolve, |recorder| {
            let inputs = uploads.of_cloth(&self.settings.cloth);
            let (pipelines, skin) = (&self.pipelines.cloth, &self.skin);
            self.cloth
                .record_limit_strain(recorder, pipelines, skin, &inputs, timing, limit);
        });
    }

    fn record_solves(
        &mut self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        timing: &SubStepTiming,
        iterations: Range<u32>,
    ) {
        if iterations.is_empty() {
            return;
        }
        recorder.stage(Stage::ClothSolve, |recorder| {
            for iteration_ix in iterations {
                recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
                self.cloth.record_solve(
                    recorder,
                    &self.pipelines.cloth,
                    &self.skin,
                    &uploads.of_cloth(&self.settings.cloth),
                    timing,
                    iteration_ix,
                );
            }
        });
    }

    /// If cloth meets cloth, what that takes.
    fn contacts(&self) -> Option<(&ClothContacts, &ContactPipelines)> {
        (self.cloth_contacts.as_ref()).zip(self.pipelines.cloth_contacts.as_ref())
    }

    /// Finds what cloth may meet other cloth during the step, if cloth meets cloth.
    fn record_find_contacts(
        &self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        sub_step: SubStep,
    ) {
        let Some((contacts, pipelines)) = self.contacts() else {
            return;
        };
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        recorder.stage(Stage::ClothContact, |recorder| {
            let (cloth, garments) = (&self.cloth, uploads.garments);
            contacts.record_find(recorder, pipelines, cloth, &self.skin, garments, sub_step);
        });
    }

    /// Keeps cloth apart from cloth, if cloth meets cloth; what follows may read and write the particles.
    fn record_resolve_contacts(&self, recorder: &mut Recorder, timing: &SubStepTiming) {
        let Some((contacts, pipelines)) = self.contacts() else {
            return;
        };
        recorder.stage(Stage::ClothContact, |recorder| {
            let gravity = self.settings.cloth.gravity;
            contacts.record_resolve(recorder, pipelines, &self.cloth, gravity, timing);
        });
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
    }

    /// Edges, in a step's last collision; cloth with cloth, which they have pushed; and then particles, so that none is left inside by
    /// either.
    fn record_collide(
        &mut self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        timing: &SubStepTiming,
        searches: Searches,
        [before, behind]: [Snapshot; 2],
    ) {
        let sub_step = timing.sub_step;
        let is_last = match self.settings.cloth.iterations {
            0 => sub_step.is_last(),
            _ => matches!(before, Snapshot::BeforeFinal),
        };
        let meets_edges = is_last && self.settings.collide.edge_midpoints;
        let meets_cloth = self.cloth_contacts.is_some();
        self.record_last_collision(recorder, sub_step, before);
        let begin = |frame: &mut Self, recorder: &mut Recorder| {
            if searches.bodies {
                frame.record_find_candidates(recorder, uploads, sub_step);
            }
            if meets_edges {
                frame.record_collide_edges(recorder, uploads, sub_step, Kept::Thickness);
            }
        };
        if meets_cloth && (searches.bodies || meets_edges) {
            recorder.stage(Stage::Collide, |recorder| begin(self, recorder));
        }
        self.record_resolve_contacts(recorder, timing);
        recorder.stage(Stage::Collide, |recorder| {
            if !meets_cloth {
                begin(self, recorder);
            }
            let kept = match timing.is_resolved {
                true => Kept::ThicknessAgain,
                false => Kept::Thickness,
            };
            self.record_collide_particles(recorder, uploads, timing, kept);
        });
        self.record_last_collision(recorder, sub_step, behind);
    }

    fn record_collide_particles(
        &mut self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        timing: &SubStepTiming,
        kept: Kept,
    ) {
        let bodies = Bodies {
            skin: &self.skin,
            transforms: uploads.transforms,
        };
        let particles = self.cloth.as_particles(uploads.garments);
        let settings = CollideSettings {
            stride: timing.collision_stride,
            ..self.settings.collide
        };
        let sub_step = timing.sub_step;
        self.collider
            .record_collide(recorder, &bodies, &particles, &settings, sub_step, kept);
    }

    fn record_collide_edges(
        &mut self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        sub_step: SubStep,
        kept: Kept,
    ) {
        for ix in 0..self.collider.edge_passes() {
            let bodies = Bodies {
                skin: &self.skin,
                transforms: uploads.transforms,
            };
            let particles = self.cloth.as_particles(uploads.garments);
            let corrected = self.cloth.spares();
            let pass = EdgePass {
                ix,
                kept,
                corrected,
            };
            let settings = &self.settings.collide;
            self.collider
                .record_collide_edges(recorder, &bodies, &particles, settings, sub_step, pass);
            self.cloth.swap();
            recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        }
    }

    fn record_find_candidates(
        &mut self,
        recorder: &mut Recorder,
        uploads: &StepUploads,
        sub_step: SubStep,
    ) {
        let particles = self.cloth.as_particles(uploads.garments);
        if self
            .collider
            .record_find_candidates(recorder, &particles, sub_step)
        {
            recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        }
    }
}
