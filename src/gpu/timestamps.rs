//! How long each stage took on the GPU: a ring of query pools, one per frame in flight, read without waiting.

use std::sync::Arc;

use ash::vk;

use super::{Gpu, GpuError};
use crate::stage::Stage;

/// The most spans one frame may hold; later ones are counted as lost rather than timed.
const MAX_SPANS: usize = 512;
/// The most dispatches and draws of a frame that are timed on their own. Usually some hundred; later ones are left out.
const MAX_PASSES: usize = 2048;

/// What of a frame is timed. Before each timestamp the GPU comes to the end of what runs: a step of one character takes a tenth longer with its
/// stages timed than without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timing {
    /// The frame from its first command to its last, and nothing in it.
    Frame,
    /// Each of its stages.
    #[default]
    Stages,
    /// Each dispatch and draw as well. What is timed so waits for what runs before it: its sum is more than the stage takes.
    Passes,
}

/// The GPU times of one finished frame.
#[derive(Clone, Debug)]
pub struct StageTimes {
    /// Milliseconds a stage, all its spans together; `None` for one that did not run, and for all where frames alone are timed.
    pub stages: [Option<f32>; Stage::COUNT],
    /// Begin and end of every span in GPU ticks converted to nanoseconds, for traces.
    pub spans: Vec<(Stage, u64, u64)>,
    /// Every dispatch and draw on its own, in order; empty unless they are timed: [`Timing::Passes`].
    pub passes: Vec<PassSpan>,
    /// From the first begin to the last end, in milliseconds; from its first command to its last where frames alone are timed.
    pub total_ms: f32,
    /// The number of the frame that took them, counting from 0.
    pub frame_ix: u64,
}

/// A dispatch or a draw that was timed on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSpan {
    /// That it is part of.
    pub stage: Stage,
    /// Its shader's path in glsl/, the vertex shader's of a draw.
    pub name: &'static str,
    /// Of all buffers that it was given. What it moves is less where it reads a part of them, and more where it reads them again.
    pub bound_bytes: u64,
    /// As [`StageTimes::spans`] has them.
    pub begin_ns: u64,
    pub end_ns: u64,
}

/// Timestamp queries of a host's, which a frame's spans are written into as well: the `i`-th span begins at query
/// `first + 2 * i` and ends at the one behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostQueries {
    /// Of type `TIMESTAMP`.
    pub pool: vk::QueryPool,
    pub first: u32,
    /// How many may be written, from the first on.
    pub count: u32,
}

/// A span that is open: its number among ours, and its number in the frame if the host times it too.
#[must_use]
pub struct Span {
    ours: Option<u32>,
    hosts: Option<u32>,
}

struct FrameQueries {
    pool: vk::QueryPool,
    /// Two queries hold all of the frame, and none its stages.
    is_whole: bool,
    stages: Vec<Stage>,
    /// Null until passes are timed.
    pass_pool: vk::QueryPool,
    /// Times are filled in when they are read.
    passes: Vec<PassSpan>,
    frame_ix: Option<u64>,
}

/// Timestamp queries of the frames in flight.
pub struct Timestamps {
    gpu: Arc<Gpu>,
    ring: Vec<FrameQueries>,
    slot: usize,
    next_frame_ix: u64,
    latest: Option<StageTimes>,
    raw: Vec<u64>,
    lost_spans: u64,
    supported: bool,
    /// From the next frame on.
    timing: Timing,
    /// That is being recorded.
    stage: Option<Stage>,
    /// For the frame that is being recorded.
    host: Option<HostQueries>,
    /// What the host's queries hold, span by span.
    host_spans: Vec<Stage>,
}

impl Timestamps {
    /// Makes the query pools for `frames_in_flight` frames; `valid_bits` are those of the queue family, 0 meaning that it
    /// cannot measure, in which case every call is a no-op.
    ///
    /// # Errors
    /// When the pools cannot be made.
    pub fn new(gpu: &Arc<Gpu>, frames_in_flight: usize, valid_bits: u32) -> Result<Self, GpuError> {
        let mut timestamps = Self {
            gpu: Arc::clone(gpu),
            ring: Vec::new(),
            slot: 0,
            next_frame_ix: 0,
            latest: Some(StageTimes {
                stages: [None; Stage::COUNT],
                spans: Vec::with_capacity(MAX_SPANS),
                passes: Vec::new(),
                total_ms: 0.0,
                frame_ix: 0,
            }),
            raw: vec![0; MAX_SPANS * 2],
            lost_spans: 0,
            supported: valid_bits > 0,
            timing: Timing::default(),
            stage: None,
            host: None,
            host_spans: Vec::with_capacity(MAX_SPANS),
        };
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::TIMESTAMP)
            .query_count(2 * MAX_SPANS as u32);
        for slot in 0..frames_in_flight {
            // SAFETY: the device outlives the Gpu.
            let pool = unsafe { gpu.device.create_query_pool(&info, None) }
                .map_err(GpuError::from_vk("timestamps"))?;
            gpu.name(pool, &format!("timestamps[{slot}]"));
            timestamps.ring.push(FrameQueries {
                pool,
                is_whole: false,
                stages: Vec::with_capacity(MAX_SPANS),
                pass_pool: vk::QueryPool::null(),
                passes: Vec::new(),
                frame_ix: None,
            });
        }
        Ok(timestamps)
    }

    /// Times so much from the next frame on.
    ///
    /// # Errors
    /// When the queries cannot be made; then nothing changes.
    pub fn time(&mut self, timing: Timing) -> Result<(), GpuError> {
        if timing == Timing::Passes {
            self.make_pass_pools()?;
        }
        self.timing = timing;
        Ok(())
    }

    fn make_pass_pools(&mut self) -> Result<(), GpuError> {
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::TIMESTAMP)
            .query_count(2 * MAX_PASSES as u32);
        let lacking = |queries: &&mut FrameQueries| queries.pass_pool == vk::QueryPool::null();
        for queries in self.ring.iter_mut().filter(lacking) {
            // SAFETY: the device outlives the Gpu.
            queries.pass_pool = unsafe { self.gpu.device.create_query_pool(&info, None) }
                .map_err(GpuError::from_vk("timestamps of passes"))?;
            self.gpu.name(queries.pass_pool, "timestamps.passes");
            queries.passes.reserve(MAX_PASSES);
        }
        Ok(())
    }

    fn times_passes(&self) -> bool {
        self.supported && self.timing == Timing::Passes
    }

    /// Reads what was measured by the frame whose slot the next one takes; its fence has been waited for. Skipped, its times are lost.
    ///
    /// Apart from recording, because some drivers (Mesa's in software) wait for all of the GPU's work here.
    pub fn collect(&mut self) {
        self.slot = (self.next_frame_ix % self.ring.len() as u64) as usize;
        self.read_slot();
    }

    /// Whether the queue has timestamps at all.
    pub fn is_supported(&self) -> bool {
        self.supported
    }

    /// Has the frame that was begun write its spans into the host's queries too, which are reset and enough.
    pub(crate) fn also_into(&mut self, host: Option<HostQueries>) {
        self.host = host;
    }

    /// Starts the next frame: resets its queries.
    ///
    /// Must be called outside a render pass, once per frame, before any stage.
    pub fn begin_frame(&mut self, cmd: vk::CommandBuffer) {
        self.host = None;
        self.host_spans.clear();
        self.slot = (self.next_frame_ix % self.ring.len() as u64) as usize;
        let queries = &mut self.ring[self.slot];
        queries.stages.clear();
        queries.passes.clear();
        self.stage = None;
        queries.frame_ix = Some(self.next_frame_ix);
        queries.is_whole = self.supported && self.timing == Timing::Frame;
        let (pool, pass_pool) = (queries.pool, queries.pass_pool);
        self.next_frame_ix += 1;
        if self.supported {
            // SAFETY: the frame that last used this pool is done, as the caller's frames in flight promise.
            unsafe {
                self.gpu
                    .device
                    .cmd_reset_query_pool(cmd, pool, 0, 2 * MAX_SPANS as u32);
                if self.times_passes() {
                    let count = 2 * MAX_PASSES as u32;
                    let device = &self.gpu.device;
                    device.cmd_reset_query_pool(cmd, pass_pool, 0, count);
                }
            };
        }
        self.write_whole(cmd, 0);
    }

    /// Ends the frame, on the command buffer that it was begun on.
    pub fn end_frame(&self, cmd: vk::CommandBuffer) {
        self.write_whole(cmd, 1);
    }

    /// `end`: 0 for the frame's begin, 1 for its end.
    fn write_whole(&self, cmd: vk::CommandBuffer, end: u32) {
        let queries = &self.ring[self.slot];
        if queries.is_whole {
            self.write_query(cmd, queries.pool, end);
        }
    }

    /// The newest finished frame's times; all `None` until there is one.
    pub fn latest(&self) -> &StageTimes {
        self.latest
            .as_ref()
            .expect("it is only taken out while it is refilled")
    }

    /// The stages of the spans that the last frame wrote into the host's queries, in order; none without such queries.
    pub fn host_spans(&self) -> &[Stage] {
        &self.host_spans
    }

    /// Spans that found no room since the start. Not zero means [`MAX_SPANS`] is too small for this scene.
    pub fn lost_spans(&self) -> u64 {
        self.lost_spans
    }

    pub(super) fn begin(&mut self, cmd: vk::CommandBuffer, stage: Stage) -> Span {
        let span = Span {
            ours: self.push_ours(stage),
            hosts: self.push_hosts(stage),
        };
        self.stage = Some(stage);
        self.write(cmd, &span, 0);
        span
    }

    /// Begins to time a dispatch or a draw of the stage that is open, if they are timed. Returns its number.
    pub(super) fn begin_pass(
        &mut self,
        cmd: vk::CommandBuffer,
        name: &'static str,
        bound_bytes: u64,
    ) -> Option<u32> {
        let stage = self.stage.filter(|_| self.times_passes())?;
        let queries = &mut self.ring[self.slot];
        if queries.passes.len() == MAX_PASSES {
            return None;
        }
        let pass_ix = queries.passes.len() as u32;
        queries.passes.push(PassSpan {
            stage,
            name,
            bound_bytes,
            begin_ns: 0,
            end_ns: 0,
        });
        self.write_query(cmd, self.ring[self.slot].pass_pool, 2 * pass_ix);
        Some(pass_ix)
    }

    pub(super) fn end_pass(&self, cmd: vk::CommandBuffer, pass_ix: u32) {
        self.write_query(cmd, self.ring[self.slot].pass_pool, 2 * pass_ix + 1);
    }

    pub(super) fn end(&mut self, cmd: vk::CommandBuffer, span: &Span) {
        self.stage = None;
        self.write(cmd, span, 1);
    }

    fn push_ours(&mut self, stage: Stage) -> Option<u32> {
        let queries = &mut self.ring[self.slot];
        if !self.supported || queries.is_whole {
            return None;
        }
        let stages = &mut queries.stages;
        if stages.len() == MAX_SPANS {
            self.lost_spans += 1;
            return None;
        }
        stages.push(stage);
        Some(stages.len() as u32 - 1)
    }

    fn push_hosts(&mut self, stage: Stage) -> Option<u32> {
        let host = self.host?;
        debug_assert!(
            2 * self.host_spans.len() as u32 + 2 <= host.count,
            "more spans than were announced"
        );
        self.host_spans.push(stage);
        Some(self.host_spans.len() as u32 - 1)
    }

    /// `end`: 0 for a span's begin, 1 for its end.
    fn write(&self, cmd: vk::CommandBuffer, span: &Span, end: u32) {
        if let Some(span_ix) = span.ours {
            self.write_query(cmd, self.ring[self.slot].pool, 2 * span_ix + end);
        }
        if let (Some(span_ix), Some(host)) = (span.hosts, self.host) {
            self.write_query(cmd, host.pool, host.first + 2 * span_ix + end);
        }
    }

    fn write_query(&self, cmd: vk::CommandBuffer, pool: vk::QueryPool, query: u32) {
        // SAFETY: the query was reset before, ours at the start of the frame and the host's as it guarantees, and is written once.
        unsafe {
            self.gpu.device.cmd_write_timestamp2(
                cmd,
                vk::PipelineStageFlags2::BOTTOM_OF_PIPE,
                pool,
                query,
            );
        };
    }

    fn read_slot(&mut self) {
        let queries = &self.ring[self.slot];
        let span_count = queries.stages.len() + usize::from(queries.is_whole);
        let (Some(frame_ix), 1..) = (queries.frame_ix, span_count) else {
            return;
        };
        let raw = &mut self.raw[..2 * span_count];
        // SAFETY: the pool holds at least that many queries.
        let read = unsafe {
            self.gpu.device.get_query_pool_results(
                queries.pool,
                0,
                raw,
                vk::QueryResultFlags::TYPE_64,
            )
        };
        if read.is_err() {
            return; // Not ready: the frame was never submitted. The newest times stand.
        }
        let Some(mut times) = self.latest.take() else {
            return;
        };
        times.refill(
            &queries.stages,
            raw,
            f64::from(self.gpu.limits.timestamp_period),
        );
        times.frame_ix = frame_ix;
        times.passes.clear();
        self.read_passes(&mut times.passes);
        self.latest = Some(times);
    }

    /// Of the slot's frame, whose stages have come in.
    fn read_passes(&self, passes: &mut Vec<PassSpan>) {
        let queries = &self.ring[self.slot];
        if queries.passes.is_empty() {
            return;
        }
        let mut ticks = vec![[0_u64; 2]; queries.passes.len()];
        let flags = vk::QueryResultFlags::TYPE_64;
        let raw = ticks.as_flattened_mut();
        // SAFETY: the pool holds at least that many queries.
        let read = unsafe {
            let device = &self.gpu.device;
            device.get_query_pool_results(queries.pass_pool, 0, raw, flags)
        };
        if read.is_err() {
            return;
        }
        let ns_per_tick = f64::from(self.gpu.limits.timestamp_period);
        let timed = queries.passes.iter().zip(ticks);
        passes.extend(timed.map(|(pass, ticks)| {
            let [begin_ns, end_ns] = ticks.map(|ticks| ticks_to_ns(ticks, ns_per_tick));
            PassSpan {
                begin_ns,
                end_ns,
                ..*pass
            }
        }));
    }
}

impl StageTimes {
    fn refill(&mut self, stages: &[Stage], ticks: &[u64], ns_per_tick: f64) {
        self.stages = [None; Stage::COUNT];
        self.spans.clear();
        for (stage, span) in stages.iter().zip(ticks.chunks_exact(2)) {
            let ms = (span[1].saturating_sub(span[0]) as f64 * ns_per_tick * 1e-6) as f32;
            *self.stages[stage.ix()].get_or_insert(0.0) += ms;
            let [begin, end] = [span[0], span[1]].map(|ticks| ticks_to_ns(ticks, ns_per_tick));
            self.spans.push((*stage, begin, end));
        }
        let first = ticks.iter().copied().min().unwrap_or(0);
        let last = ticks.iter().copied().max().unwrap_or(0);
        self.total_ms = ((last - first) as f64 * ns_per_tick * 1e-6) as f32;
    }
}

/// Ticks of the device's clock in nanoseconds, to the nanosecond however long the device has been on.
pub fn ticks_to_ns(ticks: u64, ns_per_tick: f64) -> u64 {
    const FRACTION_BITS: u32 = 24;
    let factor = (ns_per_tick * f64::from(1_u32 << FRACTION_BITS)).round() as u128;
    ((u128::from(ticks) * factor) >> FRACTION_BITS) as u64
}

impl Drop for Timestamps {
    fn drop(&mut self) {
        for queries in &self.ring {
            // SAFETY: the owner keeps them until the GPU is done with the frames that use them.
            unsafe {
                self.gpu.device.destroy_query_pool(queries.pool, None);
                self.gpu.device.destroy_query_pool(queries.pass_pool, None);
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ticks_to_ns;

    #[test]
    fn long_running_clocks_keep_their_nanoseconds() {
        let years = 1_700_000_000_123_456_789;
        assert_eq!(ticks_to_ns(years, 1.0), years);
        assert_eq!(ticks_to_ns(1_000_000_000_001, 32.0), 32_000_000_000_032);
        assert_eq!(ticks_to_ns(12, 83.25), 999);
    }
}
