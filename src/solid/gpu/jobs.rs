//! The work of filling a field, cut into jobs: the smallest parts that a slice can have.

use super::fill::FillMethod;
use crate::solid::fill::Filler;
use crate::solid::grid::BRICK_SAMPLES;

/// The most tasks of a job. More let a slice overrun its budget by more, fewer take more launches.
const JOB_TRIANGLES: u32 = 16_384;
const JOB_BRICKS: u32 = 2048;
const JOB_CORNERS: u32 = 65_536;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Corners,
    Clear,
    Search,
    SplatDistances,
    SplatOwners,
    Finish,
}

/// A part of a pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub pass: Pass,
    /// Of the pass's tasks.
    pub first: u32,
    pub count: u32,
    /// The bricks that have room in the scratch.
    pub batch: [u32; 2],
}

impl Job {
    /// Roughly how many samples or tree searches it takes.
    pub fn cost(&self) -> u64 {
        let each = match self.pass {
            Pass::Corners => 4,
            Pass::Clear => 8,
            Pass::Search | Pass::SplatDistances | Pass::SplatOwners => BRICK_SAMPLES,
            Pass::Finish => BRICK_SAMPLES / 4,
        };
        u64::from(self.count) * u64::from(each)
    }
}

/// All jobs of a field, in order.
pub(super) fn jobs(filler: &Filler, method: FillMethod, batch_bricks: u32) -> Vec<Job> {
    let [bricks, triangles] = [filler.bricks.places.len(), filler.mesh.triangles.len()];
    let mut jobs = Vec::new();
    add_jobs(
        &mut jobs,
        Pass::Corners,
        [0, filler.grid.corner_count() as u32],
        JOB_CORNERS,
        [0; 2],
    );
    for first in (0..bricks as u32).step_by(batch_bricks as usize) {
        let batch = [first, batch_bricks.min(bricks as u32 - first)];
        match method {
            FillMethod::Search => add_jobs(&mut jobs, Pass::Search, batch, JOB_BRICKS, batch),
            FillMethod::Splat(_) => {
                add_jobs(&mut jobs, Pass::Clear, batch, batch_bricks, batch);
                for pass in [Pass::SplatDistances, Pass::SplatOwners] {
                    add_jobs(&mut jobs, pass, [0, triangles as u32], JOB_TRIANGLES, batch);
                }
            }
        }
        add_jobs(&mut jobs, Pass::Finish, batch, JOB_BRICKS, batch);
    }
    jobs
}

/// Cuts so many tasks of a pass, from the first on, into jobs of `most` at most.
fn add_jobs(jobs: &mut Vec<Job>, pass: Pass, [first, count]: [u32; 2], most: u32, batch: [u32; 2]) {
    for skipped in (0..count).step_by(most as usize) {
        jobs.push(Job {
            pass,
            first: first + skipped,
            count: most.min(count - skipped),
            batch,
        });
    }
}
