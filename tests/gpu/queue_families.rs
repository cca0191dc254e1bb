//! Worlds on queues that compute and do not draw, and beside a queue that does.

use std::sync::Arc;

use ash::vk;
use ash::vk::PipelineStageFlags2 as S;
use glam::{Vec3, Vec4};
use radial_fields::collide::spatial_hash::SpatialHashDef;
use radial_fields::engine::{Device, Instance, InstanceDesc, Validation};
use radial_fields::gpu::{Buffer, BufferDesc, Memory};
use radial_fields::host::{Features, enable_features, supported_extensions};
use radial_fields::{BodyDef, FrameInput, GarmentDef, Host, Technique, World, WorldDef};

use crate::compile_once;
use crate::edits::Swaying;
use crate::embedding::run;
use crate::fixture::{Rig, assert_silent, with_device};
use crate::spy::{seen, watched, with_families};

/// What a queue without graphics knows: Vulkan 1.3, table "Supported pipeline stage flags".
fn computing() -> S {
    S::COMPUTE_SHADER | S::DRAW_INDIRECT | S::TRANSFER | S::HOST
}

fn with_def<T>(one: &Swaying, technique: Technique, test: impl FnOnce(&WorldDef) -> T) -> T {
    test(&WorldDef {
        bodies: &[BodyDef::new(&one.avatar)],
        garments: &[GarmentDef::new(&one.garment, 0)],
        technique,
        spatial_hash: SpatialHashDef {
            entry_count: 100_003,
            ..SpatialHashDef::default()
        },
        ..WorldDef::default()
    })
}

/// The bits of what a host draws.
fn drawn(rig: &mut Rig) -> Vec<u32> {
    let cloth = [
        rig.cloth(|world| world.cloth().positions()),
        rig.cloth(|world| world.cloth().normals()),
    ];
    let skin = rig.skin();
    let cloth = cloth.iter().flatten().flat_map(|value| value.to_array());
    cloth
        .chain(skin.iter().flat_map(|position| position.to_array()))
        .map(f32::to_bits)
        .collect()
}

fn drawn_on_a_graphics_queue(
    device: &Arc<Device>,
    one: &Swaying,
    technique: Technique,
) -> Vec<u32> {
    with_def(one, technique, |def| {
        let mut rig = Rig::new(device, def);
        run(one, |input| rig.frame(input));
        drawn(&mut rig)
    })
}

#[test]
fn a_compute_queue_is_asked_for_nothing_that_draws() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        for technique in Technique::ALL.into_iter().filter(|each| !each.draws()) {
            let flags = vk::QueueFlags::COMPUTE | vk::QueueFlags::TRANSFER;
            let instance = with_families(&device.instance.handle, &[(flags, 64)]);
            let handle = watched(&device.handle);
            let host = Host {
                instance: &instance,
                device: &handle,
                queue_family_ix: 0,
                ..device.host(2)
            };
            let found = with_def(&one, technique, |def| {
                let mut rig = Rig::with_host(device, def, &host);
                if device.has_pipeline_statistics {
                    // SAFETY: the device has them, and no other query is open.
                    unsafe { rig.world.count_invocations() }.expect("there is room");
                }
                run(&one, |input| rig.frame(input));
                if let Some(counted) = rig.world.stage_invocations() {
                    let bake = counted.stages[radial_fields::stage::Stage::Bake.ix()];
                    let bake = bake.expect("it ran");
                    assert!(bake.compute > 0 && bake.vertices == 0, "{bake:?}");
                }
                drawn(&mut rig)
            });
            let seen = seen();
            assert!(seen.barriers > 0 && !seen.draws, "{technique:?}: {seen:?}");
            assert!(computing().contains(seen.stages), "{technique:?}: {seen:?}");
            let expected = drawn_on_a_graphics_queue(device, &one, technique);
            assert!(found == expected, "{technique:?}");
        }
    });
}

#[test]
fn the_watch_sees_what_a_graphics_queue_is_asked_for() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let handle = watched(&device.handle);
        let host = Host {
            device: &handle,
            ..device.host(2)
        };
        with_def(&one, Technique::Radial, |def| {
            let mut rig = Rig::with_host(device, def, &host);
            run(&one, |input| rig.frame(input));
        });
        let seen = seen();
        assert!(seen.draws && seen.stages.contains(S::FRAGMENT_SHADER | S::VERTEX_SHADER));
        assert!(!computing().contains(seen.stages));
    });
}

/// A device with a queue that simulates and one that draws, as far apart as the hardware offers.
struct TwoQueues {
    /// Its own queue is the one that simulates.
    device: Arc<Device>,
    drawing: vk::Queue,
    drawing_family_ix: u32,
    /// For the log: what the hardware had.
    kind: &'static str,
}

impl TwoQueues {
    fn open() -> Self {
        let desc = InstanceDesc {
            application: c"two queues",
            validation: Validation::On,
            extensions: &[],
        };
        let instance = Instance::new(&desc).expect("these tests need the validation layer");
        let usual = Device::open(&instance, None, None).expect("these tests need a device");
        // SAFETY: the device is the instance's.
        let families = unsafe {
            instance
                .handle
                .get_physical_device_queue_family_properties(usual.physical_device)
        };
        let drawing_family_ix = usual.queue_family_ix;
        let compute_only = families.iter().position(|family| {
            family.queue_flags.contains(vk::QueueFlags::COMPUTE)
                && !family.queue_flags.contains(vk::QueueFlags::GRAPHICS)
        });
        let queue_count = families[drawing_family_ix as usize].queue_count.min(2);
        let (family_ix, queue_ix, kind) = match (compute_only, queue_count) {
            (Some(family_ix), _) => (family_ix as u32, 0, "a family with compute alone"),
            (None, 2) => (drawing_family_ix, 1, "two queues of one family"),
            (None, _) => (drawing_family_ix, 0, "one queue, which is all there is"),
        };
        let handle = create(&instance, &usual, (drawing_family_ix, family_ix, queue_ix));
        // SAFETY: the device was made with these queues, and the cache goes when the device goes.
        let (queue, drawing, pipeline_cache) = unsafe {
            (
                handle.get_device_queue(family_ix, queue_ix),
                handle.get_device_queue(drawing_family_ix, 0),
                handle
                    .create_pipeline_cache(&vk::PipelineCacheCreateInfo::default(), None)
                    .expect("there is room for a cache"),
            )
        };
        let device = Device {
            instance,
            physical_device: usual.physical_device,
            handle,
            queue,
            queue_family_ix: family_ix,
            info: usual.info.clone(),
            pipeline_cache,
            has_calibrated_timestamps: false,
            has_pipeline_statistics: false,
            has_pipeline_executables: false,
        };
        Self {
            device: Arc::new(device),
            drawing,
            drawing_family_ix,
            kind,
        }
    }

    fn pool(&self, family_ix: u32) -> vk::CommandPool {
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(family_ix);
        // SAFETY: the device has the family.
        unsafe { self.device.handle.create_command_pool(&info, None) }.expect("there is room")
    }

    /// Records and submits once, after the semaphore has `wait_for`, giving it `signal`.
    fn submit(
        &self,
        (pool, queue, semaphore): (vk::CommandPool, vk::Queue, vk::Semaphore),
        (wait_for, signal): (u64, u64),
        record: impl FnOnce(vk::CommandBuffer),
    ) {
        let device = &self.device.handle;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .command_buffer_count(1);
        let begin = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        let at = |value| {
            [vk::SemaphoreSubmitInfo::default()
                .semaphore(semaphore)
                .value(value)
                .stage_mask(S::COMPUTE_SHADER | S::TRANSFER)]
        };
        let (waits, signals) = (at(wait_for), at(signal));
        // SAFETY: the command buffer is the pool's until that goes, after the device was idle.
        unsafe {
            let cmd = device.allocate_command_buffers(&info).expect("room")[0];
            device.begin_command_buffer(cmd, &begin).expect("room");
            record(cmd);
            device.end_command_buffer(cmd).expect("it was recorded");
            let cmds = [vk::CommandBufferSubmitInfo::default().command_buffer(cmd)];
            let submit = [vk::SubmitInfo2::default()
                .wait_semaphore_infos(&waits)
                .command_buffer_infos(&cmds)
                .signal_semaphore_infos(&signals)];
            device
                .queue_submit2(queue, &submit, vk::Fence::null())
                .expect("the device is not lost");
        }
    }
}

/// `queues`: the drawing family, the simulating family and the index of its queue.
fn create(instance: &Instance, usual: &Device, queues: (u32, u32, u32)) -> ash::Device {
    let (drawing_family_ix, family_ix, queue_ix) = queues;
    let priorities = [1.0; 2];
    let queue = |family_ix, count| {
        vk::DeviceQueueCreateInfo::default()
            .queue_family_index(family_ix)
            .queue_priorities(&priorities[..count])
    };
    let infos = match family_ix == drawing_family_ix {
        true => vec![queue(family_ix, queue_ix as usize + 1)],
        false => vec![queue(drawing_family_ix, 1), queue(family_ix, 1)],
    };
    // SAFETY: the physical device is the instance's.
    let names = unsafe { supported_extensions(&instance.handle, usual.physical_device) };
    let names: Vec<_> = names.iter().map(|it| it.as_ptr()).collect();
    let mut features = Features::default();
    features.v12.timeline_semaphore = vk::TRUE;
    enable_features(&mut features, Technique::Radial);
    let mut core = vk::PhysicalDeviceFeatures2::default().features(features.core);
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&infos)
        .enabled_extension_names(&names)
        .push_next(&mut core)
        .push_next(&mut features.v12)
        .push_next(&mut features.v13);
    // SAFETY: Vulkan 1.2 has timeline semaphores, and the usual device was opened with the rest.
    let made = unsafe {
        instance
            .handle
            .create_device(usual.physical_device, &info, None)
    };
    let mut made = made.expect("the device can be opened with two queues");
    compile_once::install(&mut made);
    made
}

/// Simulates on one queue and, as a draw would, reads on the other: the cloth's positions of every frame.
fn beside(two: &TwoQueues, one: &Swaying, world: &mut World) -> Vec<Vec4> {
    let device = &two.device.handle;
    let particle_count = world.cloth().particle_count() as usize;
    let frame_bytes = (size_of::<Vec4>() * particle_count) as u64;
    let desc = BufferDesc {
        label: "what the host drew",
        bytes: 8 * frame_bytes,
        memory: Memory::Readback,
    };
    let seen = Buffer::new(world.gpu(), &desc).expect("there is room");
    let mut timeline = vk::SemaphoreTypeCreateInfo::default()
        .semaphore_type(vk::SemaphoreType::TIMELINE)
        .initial_value(0);
    let info = vk::SemaphoreCreateInfo::default().push_next(&mut timeline);
    // SAFETY: the device has timeline semaphores.
    let semaphore = unsafe { device.create_semaphore(&info, None) }.expect("there is room");
    let simulating = (
        two.pool(two.device.queue_family_ix),
        two.device.queue,
        semaphore,
    );
    let drawing = (two.pool(two.drawing_family_ix), two.drawing, semaphore);
    let mut frame_ix = 0;
    run(one, |input| {
        // Frame n is simulated when the semaphore has 2n + 1, and drawn when it has 2n + 2.
        let drawn_before = [2 * frame_ix.max(1) - 2_u64];
        let semaphores = [semaphore];
        let wait = vk::SemaphoreWaitInfo::default()
            .semaphores(&semaphores)
            .values(&drawn_before);
        // SAFETY: two frames are in flight, and the one before the last is over; the rest as in `submit`.
        unsafe { device.wait_semaphores(&wait, u64::MAX) }.expect("the device is not lost");
        let (start, simulated, drawn) = (2 * frame_ix, 2 * frame_ix + 1, 2 * frame_ix + 2);
        two.submit(simulating, (start, simulated), |cmd| {
            // SAFETY: as above.
            unsafe { world.record(cmd, input) }.expect("it fits");
        });
        two.submit(drawing, (simulated, drawn), |cmd| {
            let region = [vk::BufferCopy {
                src_offset: 0,
                dst_offset: frame_ix * frame_bytes,
                size: frame_bytes,
            }];
            let positions = world.cloth().positions().handle();
            // SAFETY: the semaphore has made the positions visible; both buffers are that long.
            unsafe { device.cmd_copy_buffer(cmd, positions, seen.handle(), &region) };
        });
        frame_ix += 1;
    });
    two.device.wait_idle().expect("the device is not lost");
    // SAFETY: the GPU is idle.
    unsafe {
        device.destroy_command_pool(simulating.0, None);
        device.destroy_command_pool(drawing.0, None);
        device.destroy_semaphore(semaphore, None);
    }
    seen.read(0, 8 * particle_count)
}

#[test]
fn cloth_is_simulated_beside_what_is_drawn() {
    let two = TwoQueues::open();
    let before = two.device.instance.validation_counts();
    println!("on {}: {}", two.device.info.name, two.kind);
    let one = Swaying::at(Vec3::ZERO);
    let families = [two.drawing_family_ix];
    for technique in Technique::ALL.into_iter().filter(|each| !each.draws()) {
        let host = Host {
            shared_with: &families,
            ..two.device.host(2)
        };
        let found = with_def(&one, technique, |def| {
            // SAFETY: the host is an open device's.
            let mut world = unsafe { World::new(&host, def) }.expect("the world can be built");
            beside(&two, &one, &mut world)
        });
        let mut expected = Vec::new();
        with_def(&one, technique, |def| {
            let mut rig = Rig::with_host(&two.device, def, &host);
            run(&one, |input: &FrameInput| {
                rig.frame(input);
                expected.extend(rig.cloth(|world| world.cloth().positions()));
            });
        });
        assert_eq!(found.len(), expected.len());
        assert!(found == expected, "{technique:?}");
    }
    assert_silent(&two.device.instance, before);
}
