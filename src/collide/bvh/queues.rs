//! Work queues: jobs, and how many of them each level has.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use crate::gpu::{
    Access, Buffer, BufferDesc, BufferSlice, Gpu, GpuError, Memory, Recorder, Uploads,
};

/// `QueueState` of glsl/shared/structs.glsl: the jobs of a level, and the arguments of the dispatch over them.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct QueueState {
    pub group_count_x: u32,
    pub group_count_y: u32,
    pub group_count_z: u32,
    /// Jobs appended, with those that found no room.
    pub wanted: u32,
}

impl QueueState {
    const EMPTY: Self = Self {
        group_count_x: 0,
        group_count_y: 1,
        group_count_z: 1,
        wanted: 0,
    };
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LevelPush {
    pub level: u32,
    pub capacity: u32,
}

/// Room for jobs in a level, a particle, in the mean over all. Usually a handful are needed; the first search after a start,
/// which has no bound from a previous search, needs more, and so do particles with much skin equally far away: with 128 none of the
/// paper's conditions runs out of room, with 32 some frames do and take 30 times as long. 24 bytes each.
const JOBS_PER_PARTICLE: u32 = 128;
/// Particles together never have less room than this.
const MIN_JOBS: u32 = 1 << 12;

/// A queue has no more room than one dispatch has threads: every device takes 65,535 groups.
const MAX_JOBS: u32 = 65_535 * 64;

/// Work queues: two lists of jobs that levels take turns with.
pub(super) struct Queues {
    pub states: Buffer,
    pub jobs: [Buffer; 2],
    pub found: Buffer,
    pub nearest: Buffer,
    /// 1 for a particle one of whose jobs found no room.
    pub spilled: Buffer,
    pub counters: Buffer,
    pub capacity: u32,
}

impl Queues {
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        level_count: usize,
        particle_count: u32,
    ) -> Result<Self, GpuError> {
        let capacity = particle_count
            .saturating_mul(JOBS_PER_PARTICLE)
            .clamp(MIN_JOBS, MAX_JOBS);
        let words = |label: &str, count: u32, per: u64| {
            let desc = BufferDesc {
                label,
                bytes: 4 * per * u64::from(count),
                memory: Memory::Device,
            };
            Buffer::new(gpu, &desc)
        };
        Ok(Self {
            states: uploads.buffer("bvh.queue_states", &vec![QueueState::EMPTY; level_count])?,
            jobs: [
                words("bvh.jobs[0]", capacity, 2)?,
                words("bvh.jobs[1]", capacity, 2)?,
            ],
            found: words("bvh.found", capacity, 2)?,
            nearest: words("bvh.nearest", particle_count, 1)?,
            spilled: words("bvh.spilled", particle_count, 1)?,
            counters: uploads.buffer("bvh.counters", &[0u32; 2])?,
            capacity,
        })
    }

    pub fn bytes(&self) -> u64 {
        let buffers = [
            &self.states,
            &self.jobs[0],
            &self.jobs[1],
            &self.found,
            &self.nearest,
            &self.spilled,
            &self.counters,
        ];
        buffers.iter().map(|buffer| buffer.bytes()).sum()
    }

    pub fn of_level(&self, level: u32) -> LevelPush {
        LevelPush {
            level,
            capacity: self.capacity,
        }
    }

    pub fn arguments(&self, level: u32) -> BufferSlice {
        let bytes = size_of::<QueueState>() as u64;
        self.states.slice(u64::from(level) * bytes, bytes)
    }
}

/// Between two passes over queues.
pub(super) fn queue_barrier(recorder: &mut Recorder) {
    recorder.barrier(
        &[Access::ComputeReadWrite, Access::IndirectRead],
        &[Access::ComputeReadWrite, Access::IndirectRead],
    );
}
