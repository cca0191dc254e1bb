//! How often shaders ran in each stage: a ring of pipeline statistics queries, one per frame in flight, read without waiting.

use std::sync::Arc;

use ash::vk;
use serde::Serialize;

use super::{Gpu, GpuError, QueueKind};
use crate::stage::Stage;

/// The most spans one frame may hold; later ones are not counted.
const MAX_SPANS: usize = 512;

/// How often shaders ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Invocations {
    pub vertices: u64,
    pub fragments: u64,
    pub compute: u64,
}

impl Invocations {
    /// `counts`: in the order of the bits asked for.
    fn add(&mut self, counts: &[u64]) {
        if let [drawn @ .., compute] = counts {
            self.compute += compute;
            if let [vertices, fragments] = drawn {
                self.vertices += vertices;
                self.fragments += fragments;
            }
        }
    }
}

/// The invocations of one finished frame.
#[derive(Clone, Debug, Default)]
pub struct StageInvocations {
    /// A stage's spans together; `None` for one that did not run.
    pub stages: [Option<Invocations>; Stage::COUNT],
}

struct FrameQueries {
    pool: vk::QueryPool,
    stages: Vec<Stage>,
}

/// Pipeline statistics queries of the frames in flight.
pub struct PipelineStatistics {
    gpu: Arc<Gpu>,
    ring: Vec<FrameQueries>,
    slot: usize,
    latest: Option<StageInvocations>,
    /// How many values a query has.
    width: usize,
    raw: Vec<u64>,
}

impl PipelineStatistics {
    /// Makes the query pools for `frames_in_flight` frames on a queue of this kind.
    ///
    /// # Errors
    /// When the pools cannot be made.
    ///
    /// # Safety
    /// The device was made with `pipelineStatisticsQuery`.
    pub unsafe fn new(
        gpu: &Arc<Gpu>,
        frames_in_flight: usize,
        queue: QueueKind,
    ) -> Result<Self, GpuError> {
        let counted = queue.statistics();
        let width = counted.as_raw().count_ones() as usize;
        let mut statistics = Self {
            gpu: Arc::clone(gpu),
            ring: Vec::new(),
            slot: 0,
            latest: None,
            width,
            raw: vec![0; width * MAX_SPANS],
        };
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::PIPELINE_STATISTICS)
            .pipeline_statistics(counted)
            .query_count(MAX_SPANS as u32);
        for slot in 0..frames_in_flight {
            // SAFETY: the device outlives the Gpu, and has the feature as the caller guarantees.
            let pool = unsafe { gpu.device.create_query_pool(&info, None) }
                .map_err(GpuError::from_vk("pipeline statistics"))?;
            gpu.name(pool, &format!("pipeline_statistics[{slot}]"));
            statistics.ring.push(FrameQueries {
                pool,
                stages: Vec::with_capacity(MAX_SPANS),
            });
        }
        Ok(statistics)
    }

    /// Reads what was counted by the frame whose slot the next one takes; its fence has been waited for.
    pub fn collect(&mut self) {
        let queries = &self.ring[(self.slot + 1) % self.ring.len()];
        if queries.stages.is_empty() {
            return;
        }
        let raw = &mut self.raw[..self.width * queries.stages.len()];
        // SAFETY: the pool holds at least that many queries, each of `width` values, which there is room for.
        let read = unsafe {
            (self.gpu.device.fp_v1_0().get_query_pool_results)(
                self.gpu.device.handle(),
                queries.pool,
                0,
                queries.stages.len() as u32,
                size_of_val(raw),
                raw.as_mut_ptr().cast(),
                (self.width * size_of::<u64>()) as u64,
                vk::QueryResultFlags::TYPE_64,
            )
        };
        if read != vk::Result::SUCCESS {
            return; // Not ready: the frame was never submitted. The newest counts stand.
        }
        let mut latest = StageInvocations::default();
        for (stage, counts) in queries.stages.iter().zip(raw.chunks_exact(self.width)) {
            latest.stages[stage.ix()]
                .get_or_insert_default()
                .add(counts);
        }
        self.latest = Some(latest);
    }

    /// Starts the next frame: resets its queries. Outside a render pass, once per frame, before any stage.
    pub fn begin_frame(&mut self, cmd: vk::CommandBuffer) {
        self.slot = (self.slot + 1) % self.ring.len();
        let queries = &mut self.ring[self.slot];
        queries.stages.clear();
        // SAFETY: the frame that last used this pool is done, as the caller's frames in flight promise.
        unsafe {
            self.gpu
                .device
                .cmd_reset_query_pool(cmd, queries.pool, 0, MAX_SPANS as u32);
        };
    }

    /// The newest finished frame's counts; none until there is one.
    pub fn latest(&self) -> Option<&StageInvocations> {
        self.latest.as_ref()
    }

    /// Opens a query, if there is one left.
    pub(super) fn begin(&mut self, cmd: vk::CommandBuffer, stage: Stage) -> Option<u32> {
        let queries = &mut self.ring[self.slot];
        if queries.stages.len() == MAX_SPANS {
            return None;
        }
        let query = queries.stages.len() as u32;
        queries.stages.push(stage);
        // SAFETY: the query was reset at the start of the frame; no other of its kind is open.
        unsafe {
            self.gpu.device.cmd_begin_query(
                cmd,
                queries.pool,
                query,
                vk::QueryControlFlags::empty(),
            );
        };
        Some(query)
    }

    pub(super) fn end(&self, cmd: vk::CommandBuffer, query: u32) {
        // SAFETY: the query was opened in this command buffer.
        unsafe {
            self.gpu
                .device
                .cmd_end_query(cmd, self.ring[self.slot].pool, query);
        };
    }
}

impl Drop for PipelineStatistics {
    fn drop(&mut self) {
        for queries in &self.ring {
            // SAFETY: the owner keeps them until the GPU is done with the frames that use them.
            unsafe { self.gpu.device.destroy_query_pool(queries.pool, None) };
        }
    }
}
