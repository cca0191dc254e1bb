//! How long the stages of a frame take.

use std::ffi::c_char;

use ash::vk::QueryPool as VkQueryPool;

use super::border::{Failure, RfResult, given, given_mut, guard, room};
use super::world::RfWorld;
use crate::gpu::HostQueries;
use crate::stage::Stage;

/// The name of a stage, for indices from 0 on; NULL past the last.
#[unsafe(no_mangle)]
pub extern "C" fn rf_stage_name(stage_index: u32) -> *const c_char {
    Stage::ALL
        .get(stage_index as usize)
        .map_or(std::ptr::null(), |stage| stage.label().as_ptr())
}

/// Takes in the GPU times of the frame that was recorded `frames_in_flight` calls ago, and copies them: milliseconds for each
/// stage, less than 0 for one that did not run, into room for `capacity` of them. Does not wait. Called before a frame is
/// recorded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_stage_ms(
    world: *mut RfWorld,
    out: *mut f32,
    capacity: usize,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (world, out) = unsafe {
            (
                &mut given_mut(world, "world")?.world,
                room(out, capacity, Stage::COUNT, "out")?,
            )
        };
        world.collect_times();
        for (out, ms) in out.iter_mut().zip(world.stage_times().stages) {
            *out = ms.unwrap_or(-1.0);
        }
        Ok(())
    })
}

/// How many queries rf_world_time_into takes for a frame of `step_count` steps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_queries_needed(
    world: *const RfWorld,
    step_count: u32,
    out: *mut u32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (world, out) = unsafe { (&given(world, "world")?.world, given_mut(out, "out")?) };
        *out = world.queries_needed(step_count as usize);
        Ok(())
    })
}

/// Has the next recorded frame, and none after it, write its timestamps into `count` queries of the caller's as well, two for
/// each span of a stage: the i-th begins at query `first + 2 * i` and ends at the one behind it. The caller resets them before
/// the frame runs on the GPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_time_into(
    world: *mut RfWorld,
    pool: VkQueryPool,
    first: u32,
    count: u32,
) -> RfResult {
    guard(|| {
        let queries = HostQueries { pool, first, count };
        // SAFETY: guaranteed by the caller.
        unsafe { given_mut(world, "world")?.world.time_into(queries) };
        Ok(())
    })
}

/// The index of the stage that a span of the last recorded frame is of, as rf_stage_name counts. Fails past the last span, and
/// when the frame was not timed into queries of the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_timed_stage(
    world: *const RfWorld,
    span_index: u32,
    out: *mut u32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (world, out) = unsafe { (&given(world, "world")?.world, given_mut(out, "out")?) };
        let spans = world.timed_spans();
        let Some(stage) = spans.get(span_index as usize) else {
            let count = spans.len();
            let message = format!("there is no timed span {span_index} of {count}");
            return Err(Failure::invalid(message));
        };
        *out = stage.ix() as u32;
        Ok(())
    })
}
