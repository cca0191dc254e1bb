//! How long the stages of a frame took on the GPU, in our queries or in the host's, and how often shaders ran.

use ash::vk::Handle;

use super::{MAX_STEPS, RecordError, World};
use crate::collide::Updates;
use crate::gpu::{GpuError, HostQueries, PipelineStatistics, StageInvocations, StageTimes, Timing};
use crate::stage::Stage;

impl World {
    /// Takes in the GPU times of the frame that was recorded `frames_in_flight` ago. Called before each frame is recorded, by
    /// hosts that want times; does not wait.
    pub fn collect_times(&mut self) {
        self.timestamps.collect();
        if let Some(statistics) = &mut self.statistics {
            statistics.collect();
        }
    }

    /// GPU times of the newest frame that was collected.
    pub fn stage_times(&self) -> &StageTimes {
        self.timestamps.latest()
    }

    /// Times so much of frames from the next one on; stages at first.
    ///
    /// # Errors
    /// When the queries cannot be made; then nothing changes.
    pub fn time(&mut self, timing: Timing) -> Result<(), GpuError> {
        self.timestamps.time(timing)
    }

    /// Counts the shader invocations of every stage from the next frame on, which costs time of its own.
    ///
    /// # Errors
    /// When the queries cannot be made.
    ///
    /// # Safety
    /// The device was made with `pipelineStatisticsQuery`, and no pipeline statistics query of the host is open in the
    /// command buffers that [`World::record`] is given.
    pub unsafe fn count_invocations(&mut self) -> Result<(), GpuError> {
        // SAFETY: guaranteed by the caller.
        let statistics =
            unsafe { PipelineStatistics::new(&self.gpu, self.frames_in_flight, self.queue)? };
        self.statistics = Some(statistics);
        Ok(())
    }

    /// Shader invocations of the newest frame that was collected since they are counted.
    pub fn stage_invocations(&self) -> Option<&StageInvocations> {
        self.statistics.as_ref()?.latest()
    }

    /// How many queries [`World::time_into`] takes for a frame of so many steps, [`MAX_STEPS`] at most, with the settings as they
    /// are and whatever the [`Detail`](crate::Detail) of its bodies.
    pub fn queries_needed(&self, step_count: usize) -> u32 {
        let sub_steps = self.simulation.sub_steps();
        let collisions = self.simulation.most_collisions();
        let (of_step, of_collision) = match self.simulation.collider.updates() {
            Updates::Step => (4, 1),
            Updates::SubStep => (3, 2),
        };
        // Which garments sleep is decided once.
        let of_step = of_step + u32::from(self.simulation.sleep().is_some());
        // Solves before a sub-step's collision and the one after it, which predicts the next sub-step.
        let iterations = self.simulation.settings.cloth.iterations;
        let predicted = if iterations == 0 { sub_steps } else { 1 };
        let of_sub_steps = predicted + iterations.min(2) * sub_steps + of_collision * collisions;
        // The step's last collision, after its last solve, what shortens edges after that, and what puts those outside.
        let of_last = u32::from(iterations > 0);
        let of_end =
            2 * of_last * u32::from(self.simulation.settings.cloth.end_strain_limit.is_some());
        let of_contacts = match self.simulation.cloth_contacts {
            // They are found once and resolved in each sub-step and that collision.
            Some(_) => 1 + sub_steps + of_last + self.stages_before_contacts(collisions + of_last),
            None => 0,
        };
        // The one is for uploads, which most frames have none of.
        let step_count = step_count.min(MAX_STEPS) as u32;
        2 * (1 + step_count * (of_step + of_last + of_end + of_sub_steps + of_contacts))
    }

    /// Where cloth meets cloth, what else comes before that is a stage of its own: the search for what particles may meet, in the first of
    /// a step's `collisions`, and edges in the last.
    fn stages_before_contacts(&self, collisions: u32) -> u32 {
        let meets_edges = self.simulation.settings.collide.edge_midpoints;
        1 + u32::from(meets_edges && collisions > 1)
    }

    /// Has the next recorded frame, and none after it, write its timestamps into the host's queries as well, two for each
    /// span of a stage. [`World::timed_spans`] then says which is whose. Our own times are taken all the same.
    ///
    /// A span's timestamps are written at the bottom of the pipe. What the host makes of them, and when it reads them, is its
    /// own business.
    ///
    /// # Safety
    /// The pool holds timestamps and those queries, which the host resets before the frame runs on the GPU.
    pub unsafe fn time_into(&mut self, queries: HostQueries) {
        self.host_queries = Some(queries);
    }

    /// The stages of the last recorded frame's spans, in the order of the host's queries: the `i`-th began at query
    /// `first + 2 * i` and ended at the one behind it. A stage comes as often as the steps and sub-steps have it. Empty when
    /// the frame had no queries of the host's.
    pub fn timed_spans(&self) -> &[Stage] {
        self.timestamps.host_spans()
    }

    /// Takes the host's queries for a frame of so many steps.
    pub(crate) fn take_host_queries(
        &mut self,
        step_count: usize,
    ) -> Result<Option<HostQueries>, RecordError> {
        let Some(queries) = self.host_queries.take() else {
            return Ok(None);
        };
        let (found, needed) = (queries.count, self.queries_needed(step_count));
        if !self.timestamps.is_supported() {
            return Err(RecordError::NoTimestamps);
        }
        if queries.pool.is_null() || found < needed {
            return Err(RecordError::TooFewQueries { found, needed });
        }
        Ok(Some(queries))
    }
}
