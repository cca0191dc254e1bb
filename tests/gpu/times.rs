//! Stage times as a host reads them: from the library, or out of its own query pool.

use std::sync::Arc;

use ash::vk;
use glam::Vec3;
use radial_fields::cloth::{Detail, Sleep};
use radial_fields::engine::Device;
use radial_fields::gpu::{HostQueries, Timing};
use radial_fields::stage::Stage;
use radial_fields::{
    BodyDef, BodyStep, FrameInput, GarmentDef, RecordError, StepInput, Technique, WorldDef,
};

use crate::edits::Swaying;
use crate::embedding::{alone, bits, rig, run};
use crate::fixture::{Rig, STEP_SECONDS, with_device};
use crate::spy::with_families;

const STEPS: u64 = 8;
/// Queries before ours in the host's pool.
const BEFORE: u32 = 5;

#[test]
fn the_host_reads_times_of_every_stage_without_waiting() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &one);
        run(&one, |input| rig.frame(input));
        let times = rig.world.stage_times();
        assert_eq!(times.frame_ix, STEPS - 3, "as old as the frames in flight");
        for stage in [
            Stage::Bake,
            Stage::CollideUpdate,
            Stage::ClothSolve,
            Stage::Collide,
        ] {
            assert!(
                times.stages[stage.ix()].is_some_and(|ms| ms > 0.0),
                "{stage:?}"
            );
        }
        assert_eq!(
            times.stages[Stage::Draw.ix()],
            None,
            "the host's own business"
        );
    });
}

/// Dispatches and draws are named by their shaders, lie in their stages, and change no bit.
#[test]
fn every_dispatch_is_timed_on_its_own_when_that_is_wanted() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let [mut plain, mut timed] = [rig(device, &one), rig(device, &one)];
        run(&one, |input| plain.frame(input));
        assert!(plain.world.stage_times().passes.is_empty());
        timed.world.time(Timing::Passes).unwrap();
        run(&one, |input| timed.frame(input));
        assert_eq!(bits(&mut plain), bits(&mut timed));
        let launches = timed.world.launches();
        let times = timed.world.stage_times();
        let count = (launches.dispatches + launches.draws) as usize;
        assert_eq!(times.passes.len(), count, "{:?}", times.passes);
        for pass in &times.passes {
            assert!(
                pass.begin_ns <= pass.end_ns && pass.bound_bytes > 0,
                "{pass:?}"
            );
            let within = times.spans.iter().any(|&(stage, begin, end)| {
                stage == pass.stage && begin <= pass.begin_ns && pass.end_ns <= end
            });
            assert!(within, "{pass:?} of {:?}", times.spans);
        }
        let names: Vec<_> = times.passes.iter().map(|pass| pass.name).collect();
        for name in ["skin/bake.comp", "cloth/predict.comp", "cloth/solve.comp"] {
            assert!(names.contains(&name), "{name} of {names:?}");
        }
        timed.world.time(Timing::Stages).unwrap();
        run(&one, |input| timed.frame(input));
        assert!(timed.world.stage_times().passes.is_empty());
    });
}

/// A query pool of the host, with its own queries round those it passes to the library.
struct HostPool {
    device: Arc<Device>,
    pool: vk::QueryPool,
    count: u32,
}

impl HostPool {
    fn new(device: &Arc<Device>, count: u32) -> Self {
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::TIMESTAMP)
            .query_count(BEFORE + count);
        // SAFETY: the device is open, and kept until the pool is gone.
        let pool = unsafe { device.handle.create_query_pool(&info, None) };
        Self {
            device: Arc::clone(device),
            pool: pool.expect("there is room for a pool"),
            count,
        }
    }

    fn queries(&self) -> HostQueries {
        HostQueries {
            pool: self.pool,
            first: BEFORE,
            count: self.count,
        }
    }

    fn record_reset(&self, cmd: vk::CommandBuffer) {
        let device = &self.device.handle;
        // SAFETY: the command buffer is recording; the frames before it are over, since the tests wait for each.
        unsafe { device.cmd_reset_query_pool(cmd, self.pool, 0, BEFORE + self.count) };
    }

    /// The ticks of the first `count` queries that were lent; `None` when one was not written.
    fn ticks(&self, count: usize) -> Option<Vec<u64>> {
        let mut ticks = vec![0_u64; count];
        let flags = vk::QueryResultFlags::TYPE_64;
        let device = &self.device.handle;
        // SAFETY: the pool holds that many.
        unsafe { device.get_query_pool_results(self.pool, BEFORE, &mut ticks, flags) }
            .is_ok()
            .then_some(ticks)
    }
}

impl Drop for HostPool {
    fn drop(&mut self) {
        // SAFETY: the tests have waited for the GPU.
        unsafe { self.device.handle.destroy_query_pool(self.pool, None) };
    }
}

fn record_timed(rig: &mut Rig, pool: &HostPool, input: &FrameInput) -> Result<(), RecordError> {
    let mut result = Ok(());
    rig.frame_with(|world, cmd| {
        pool.record_reset(cmd);
        // SAFETY: the queries are reset just before; the rig submits each command buffer once and in order.
        unsafe {
            world.time_into(pool.queries());
            result = world.record(cmd, input);
        }
    });
    rig.skin(); // Waits for the GPU.
    result
}

/// Without timestamps between stages a frame has its time all the same, from before its first span to after its last; the host's queries have
/// them all.
#[test]
fn frames_are_timed_alone_when_that_is_wanted() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &one);
        let pool = HostPool::new(device, rig.world.queries_needed(1));
        rig.world.time(Timing::Frame).unwrap();
        let mut spans = Vec::new();
        run(&one, |input| {
            record_timed(&mut rig, &pool, input).expect("there are queries enough");
            let count = 2 * rig.world.timed_spans().len();
            let ticks = pool.ticks(count).expect("all were written");
            spans.push(ticks[count - 1] - ticks[0]);
        });
        assert!(bits(&mut rig) == alone(device, &one));
        rig.world.collect_times();
        let times = rig.world.stage_times();
        assert!(times.spans.is_empty());
        assert_eq!(times.stages, [None; Stage::COUNT]);
        let total_ns = f64::from(times.total_ms) * 1e6;
        let span_ns = spans[times.frame_ix as usize] as f64 * ns_per_tick(device);
        assert!(total_ns >= 0.999_999 * span_ns, "{total_ns} of {span_ns}");
        rig.world.time(Timing::Stages).unwrap();
        run(&one, |input| rig.frame(input));
        let stages = rig.world.stage_times().stages;
        assert!(stages.iter().flatten().count() > 3, "{stages:?}");
    });
}

fn ns_per_tick(device: &Device) -> f64 {
    let instance = &device.instance.handle;
    // SAFETY: the instance is the device's.
    let properties = unsafe { instance.get_physical_device_properties(device.physical_device) };
    f64::from(properties.limits.timestamp_period)
}

#[test]
fn a_hosts_own_queries_hold_every_span_and_ours_stay_as_they_are() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &one);
        let pool = HostPool::new(device, rig.world.queries_needed(1));
        let mut frame_ix = 0;
        run(&one, |input| {
            record_timed(&mut rig, &pool, input).expect("there are queries enough");
            let spans = rig.world.timed_spans().to_vec();
            let ticks = pool.ticks(2 * spans.len()).expect("all were written");
            assert!(ticks.is_sorted(), "spans follow each other: {ticks:?}");
            assert!(ticks[0] < ticks[ticks.len() - 1], "time goes by");
            for stage in Stage::ALL {
                let expected = match stage {
                    Stage::Upload => frame_ix == 0,
                    Stage::ClothContact => false, // this cloth meets no cloth
                    _ => stage.is_simulation(),
                };
                assert_eq!(spans.contains(&stage), expected, "{stage:?}");
            }
            assert_eq!(
                2 * spans.len() as u32 + if frame_ix == 0 { 0 } else { 2 },
                pool.count,
                "what is needed is what a frame with uploads takes"
            );
            frame_ix += 1;
        });
        assert!(bits(&mut rig) == alone(device, &one));
        // Ours were taken beside them: the same stages, a few ticks earlier.
        rig.world.collect_times();
        let ours = &rig.world.stage_times().stages;
        assert!(ours[Stage::Collide.ix()].is_some_and(|ms| ms > 0.0));
        // A frame that was not asked to leaves the host's queries alone.
        rig.frame(&FrameInput {
            steps: &[],
            step_seconds: STEP_SECONDS,
        });
        assert_eq!(rig.world.timed_spans(), []);
    });
}

#[test]
fn the_queries_that_a_technique_needs_are_those_it_writes() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let bodies = [BodyDef::new(&one.avatar)];
        let garments = [GarmentDef::new(&one.garment, 0)];
        let both = |technique| [false, true].map(|meets_cloth| (technique, meets_cloth));
        for (technique, cloth_contacts) in Technique::ALL.into_iter().flat_map(both) {
            let def = WorldDef {
                bodies: &bodies,
                garments: &garments,
                cloth_contacts,
                technique,
                ..WorldDef::default()
            };
            let mut rig = Rig::new(device, &def);
            rig.world.settings_mut().cloth.sub_steps = 3;
            let pool = HostPool::new(device, rig.world.queries_needed(2));
            let palette = one.palette(0);
            let step = StepInput {
                bodies: &[BodyStep::moved(&palette)],
                solids: &[],
                grab: None,
            };
            let input = FrameInput {
                steps: &[step, step],
                step_seconds: STEP_SECONDS,
            };
            record_timed(&mut rig, &pool, &input).expect("there are queries enough");
            let written = 2 * rig.world.timed_spans().len();
            assert_eq!(
                written as u32, pool.count,
                "{technique:?}, {cloth_contacts}"
            );
            assert!(pool.ticks(written).is_some(), "{technique:?}");
        }
    });
}

/// As many as the worst details of bodies take, and the decision which cloth sleeps: a frame with uploads fits.
#[test]
fn queries_suffice_for_sleep_and_for_bodies_of_different_detail() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let bodies = [BodyDef::new(&one.avatar); 3];
        let garments = [0, 1, 2].map(|body_ix| GarmentDef::new(&one.garment, body_ix));
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            ..WorldDef::default()
        };
        let palette = one.palette(0);
        let details = [Detail::Full, Detail::Half, Detail::Quarter];
        for (stride, sleep) in [(2, Some(Sleep::default())), (3, None), (5, None)] {
            let mut rig = Rig::new(device, &def);
            let settings = rig.world.settings_mut();
            (settings.collide.stride, settings.cloth.sleep) = (stride, sleep);
            let pool = HostPool::new(device, rig.world.queries_needed(2));
            let bodies = details.map(|detail| BodyStep {
                detail,
                ..BodyStep::moved(&palette)
            });
            let step = StepInput {
                bodies: &bodies,
                ..StepInput::default()
            };
            let input = FrameInput {
                steps: &[step, step],
                step_seconds: STEP_SECONDS,
            };
            record_timed(&mut rig, &pool, &input).expect("there are queries enough");
            let written = 2 * rig.world.timed_spans().len() as u32;
            assert_eq!(written, pool.count, "stride {stride}");
        }
    });
}

#[test]
fn queries_that_will_not_do_are_refused() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &one);
        let palette = one.palette(0);
        let input = FrameInput {
            steps: &[StepInput {
                bodies: &[BodyStep::moved(&palette)],
                solids: &[],
                grab: None,
            }],
            step_seconds: STEP_SECONDS,
        };
        let needed = rig.world.queries_needed(1);
        let pool = HostPool::new(device, needed - 1);
        let found = needed - 1;
        let too_few = RecordError::TooFewQueries { found, needed };
        assert_eq!(record_timed(&mut rig, &pool, &input), Err(too_few));
        assert_eq!(pool.ticks(1), None, "nothing was written");
        // The queries were for that frame alone.
        rig.frame(&input);
        // A queue that cannot measure.
        let families = [(vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE, 0)];
        let instance = with_families(&device.instance.handle, &families);
        let host = radial_fields::Host {
            instance: &instance,
            queue_family_ix: 0,
            ..device.host(2)
        };
        let bodies = [BodyDef::new(&one.avatar)];
        let def = WorldDef {
            bodies: &bodies,
            ..WorldDef::default()
        };
        let mut rig = Rig::with_host(device, &def, &host);
        let pool = HostPool::new(device, needed);
        let refused = record_timed(&mut rig, &pool, &input);
        assert_eq!(refused, Err(RecordError::NoTimestamps));
        rig.frame(&input);
        assert_eq!(rig.world.stage_times().stages, [None; Stage::COUNT]);
    });
}
