//! What fails below us, memory, handles or the device itself, ends in a typed error of one line, and nothing is left behind.

use std::fmt::Display;
use std::sync::Arc;

use ash::vk;
use glam::Vec3;
use radial_fields::collide::CollideError;
use radial_fields::engine::{
    Device, EngineError, Frames, Offscreen, Readback, Submission, ValidationCounts,
};
use radial_fields::gpu::GpuError;
use radial_fields::render::{
    Camera, KeyLight, RenderError, RenderInput, Renderer, RendererDesc, Target, ViewOptions,
};
use radial_fields::{BodyDef, BodyStep, FrameInput, GarmentDef, Host, StepInput, Technique, World};
use radial_fields::{WorldDef, WorldError};

use crate::edits::Swaying;
use crate::faulty::{Fault, FaultyDevice, Limits, modest_instance};
use crate::figures::{column, sheet};
use crate::fitted::with_fields;
use crate::fixture::{Rig, assert_silent, with_device};

pub const NO_MEMORY: vk::Result = vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;

/// What making a world or a renderer calls.
const MAKING: &[&str] = &[
    "create_buffer",
    "bind_buffer_memory",
    "allocate_memory",
    "map_memory",
    "create_image",
    "bind_image_memory",
    "create_image_view",
    "create_sampler",
    "create_shader_module",
    "create_descriptor_set_layout",
    "create_pipeline_layout",
    "create_compute_pipelines",
    "create_graphics_pipelines",
    "create_query_pool",
];

pub fn assert_one_line(error: &impl Display) {
    let text = error.to_string();
    assert!(!text.is_empty() && text.lines().count() == 1, "{text:?}");
}

/// Whether an error says that memory or handles ran out.
fn is_for_want_of_room(error: &GpuError) -> bool {
    assert_one_line(error);
    matches!(
        error,
        GpuError::NoRoom { .. } | GpuError::OutOfMemory { .. }
    )
}

pub fn gpu_error(error: WorldError) -> GpuError {
    match error {
        WorldError::Gpu(error) | WorldError::Collide(CollideError::Gpu(error)) => error,
        error => panic!("another error: {error}"),
    }
}

/// Lets every call of a kind fail in turn, the first, the second and so on, until `make` has none left to fail. Returns how
/// many did.
pub fn each_fails(
    faulty: &FaultyDevice,
    call: &'static str,
    mut make: impl FnMut() -> Result<(), GpuError>,
) -> u32 {
    for after in 0.. {
        let fault = Fault {
            call,
            after,
            // An allocator may try again elsewhere: there is no memory anywhere.
            count: u32::MAX,
            error: NO_MEMORY,
        };
        let (made, has_failed) = faulty.with(fault, &mut make);
        match made {
            Ok(()) if !has_failed => return after,
            Ok(()) => panic!("{fault:?} was not noticed"),
            Err(error) => assert!(is_for_want_of_room(&error), "{fault:?}: {error}"),
        }
    }
    unreachable!("nothing makes four thousand million calls")
}

/// The device goes, and validation has heard of nothing that was left on it.
pub fn assert_nothing_is_left(faulty: FaultyDevice) {
    let instance = Arc::clone(&faulty.device.instance);
    drop(faulty);
    assert_silent(&instance, ValidationCounts::default());
}

/// A world of one column with a cloth.
pub fn world_of(one: &Swaying, host: &Host, technique: Technique) -> Result<World, WorldError> {
    let garments = [GarmentDef::new(&one.garment, 0)];
    let def = WorldDef {
        bodies: &[BodyDef::new(&one.avatar)],
        garments: &garments,
        technique,
        ..WorldDef::default()
    };
    // SAFETY: the host is an open device's, which its test keeps.
    with_fields(&def, |def| unsafe { World::new(host, def) })
}

pub fn renderer_of(one: &Swaying, world: &World) -> Result<Renderer, RenderError> {
    let desc = RendererDesc {
        colour_format: Offscreen::FORMAT,
        samples: vk::SampleCountFlags::TYPE_4,
        frames_in_flight: 2,
        timestamp_valid_bits: 0,
    };
    Renderer::new(world, &desc, &[&one.avatar], &[&one.garment])
}

fn square(pixels: u32) -> vk::Extent2D {
    vk::Extent2D {
        width: pixels,
        height: pixels,
    }
}

#[test]
fn a_world_that_finds_no_memory_leaves_nothing() {
    with_device(|_| {
        let one = Swaying::stiff(Vec3::ZERO);
        for technique in Technique::ALL {
            let faulty = FaultyDevice::open();
            let device = &faulty.device;
            let mut failed_count = 0;
            for call in MAKING {
                failed_count += each_fails(&faulty, call, || {
                    world_of(&one, &device.host(2), technique)
                        .map(drop)
                        .map_err(gpu_error)
                });
            }
            assert!(
                failed_count > 60,
                "{technique:?}: only {failed_count} calls"
            );
            assert_nothing_is_left(faulty);
        }
    });
}

#[test]
fn a_renderer_that_finds_no_memory_leaves_nothing() {
    with_device(|_| {
        let one = Swaying::at(Vec3::ZERO);
        let faulty = FaultyDevice::open();
        let world = world_of(&one, &faulty.device.host(2), Technique::Radial)
            .expect("there is memory still");
        let mut failed_count = 0;
        for call in MAKING {
            failed_count += each_fails(&faulty, call, || {
                let made = renderer_of(&one, &world).and_then(|mut r| r.resize(square(64)));
                let offscreen = || Offscreen::new(world.gpu(), square(64)).map(drop);
                match made {
                    Err(RenderError::Gpu(error)) => Err(error),
                    Err(error) => panic!("another error: {error}"),
                    Ok(()) => match offscreen() {
                        Err(EngineError::Gpu(error)) => Err(error),
                        Err(error) => panic!("another error: {error}"),
                        Ok(()) => Ok(()),
                    },
                }
            });
        }
        assert!(failed_count > 60, "only {failed_count} calls");
        drop(world);
        assert_nothing_is_left(faulty);
    });
}

#[test]
fn a_running_world_outlives_an_edit_that_finds_no_memory() {
    with_device(|_| {
        let [one, other] = [0.0, 5.0].map(|x| Swaying::at(Vec3::X * x));
        let faulty = FaultyDevice::open();
        let device = &faulty.device;
        let bodies = [BodyDef::new(&one.avatar)];
        let garments = [GarmentDef::new(&one.garment, 0)];
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            ..WorldDef::default()
        };
        let run = |fails: bool| {
            let mut rig = Rig::new(device, &def);
            for step in 0..6 {
                if fails {
                    let fault = Fault {
                        call: "create_buffer",
                        after: 5 * step,
                        count: u32::MAX,
                        error: NO_MEMORY,
                    };
                    let (edited, has_failed) = faulty.with(fault, || {
                        let more = BodyDef::new(&other.avatar);
                        rig.world
                            .edit(|contents| contents.add_body(&more).map(drop))
                    });
                    let error = edited.expect_err("there was no memory");
                    assert!(has_failed && is_for_want_of_room(&gpu_error(error)));
                }
                rig.step(&[&one.palette(step as usize)], false);
            }
            rig.particles()
        };
        assert_eq!(run(true), run(false));
        assert_nothing_is_left(faulty);
    });
}

#[test]
fn frames_that_cannot_be_made_leave_nothing() {
    with_device(|_| {
        let faulty = FaultyDevice::open();
        for call in [
            "create_command_pool",
            "allocate_command_buffers",
            "create_fence",
        ] {
            for after in 0..3 {
                let fault = Fault {
                    call,
                    after,
                    count: 1,
                    error: NO_MEMORY,
                };
                let (made, has_failed) = faulty.with(fault, || Frames::new(&faulty.device, 3));
                let error = made.map(drop).expect_err("there was no memory");
                assert_one_line(&error);
                assert!(has_failed && matches!(error, EngineError::NoRoom { .. }));
            }
        }
        assert_nothing_is_left(faulty);
    });
}

/// Steps a world on a device that one call says is lost; returns the first error.
fn step_until_lost(device: &Arc<Device>, one: &Swaying) -> Result<(), EngineError> {
    let mut world = world_of(one, &device.host(2), Technique::Radial).expect("there is memory");
    let mut frames = Frames::new(device, 2)?;
    let mut readback = Readback::new(world.gpu());
    for step in 0..4 {
        let cmd = frames.begin()?;
        world.collect_times();
        let palette = one.palette(step);
        let body = BodyStep::moved(&palette);
        let input = FrameInput {
            steps: &[StepInput {
                bodies: &[body],
                solids: &[],
                grab: None,
            }],
            step_seconds: 1.0 / 60.0,
        };
        // SAFETY: the frames hand out command buffers whose earlier use is over, and submit them in order.
        unsafe { world.record(cmd, &input) }.expect("the input fits the world");
        frames.submit(Submission::default())?;
    }
    let positions = world.cloth().positions();
    readback.read::<f32>(device, &mut frames, positions, 4)?;
    Ok(())
}

#[test]
fn a_lost_device_is_said_to_be_lost_and_everything_can_go() {
    with_device(|_| {
        let one = Swaying::at(Vec3::ZERO);
        let faulty = FaultyDevice::open();
        for (call, most) in [
            ("queue_submit2", 5),
            ("wait_for_fences", 3),
            ("device_wait_idle", 1),
        ] {
            for after in 0..most {
                let fault = Fault {
                    call,
                    after,
                    // Once lost it stays lost.
                    count: u32::MAX,
                    error: vk::Result::ERROR_DEVICE_LOST,
                };
                let (ran, has_failed) =
                    faulty.with(fault, || step_until_lost(&faulty.device, &one));
                let error = ran.expect_err("the device was lost");
                assert_one_line(&error);
                assert!(
                    has_failed && matches!(error, EngineError::DeviceLost),
                    "{fault:?}: {error}"
                );
                assert!(error.to_string().contains("device lost"), "{error}");
            }
        }
        assert_nothing_is_left(faulty);
    });
}

#[test]
fn times_that_cannot_be_read_are_left_out() {
    with_device(|_| {
        let one = Swaying::at(Vec3::ZERO);
        let faulty = FaultyDevice::open();
        let fault = Fault {
            call: "get_query_pool_results",
            after: 0,
            count: u32::MAX,
            error: vk::Result::ERROR_DEVICE_LOST,
        };
        let (ran, has_failed) = faulty.with(fault, || step_until_lost(&faulty.device, &one));
        assert!(ran.is_ok() && has_failed);
        assert_nothing_is_left(faulty);
    });
}

#[test]
fn a_frame_that_could_not_be_submitted_is_not_waited_for() {
    with_device(|_| {
        let faulty = FaultyDevice::open();
        let mut frames = Frames::new(&faulty.device, 1).expect("there is room");
        let fault = Fault {
            call: "queue_submit2",
            after: 0,
            count: 1,
            error: NO_MEMORY,
        };
        let mut frame = || {
            frames.begin()?;
            frames.submit(Submission::default())
        };
        let (submitted, _) = faulty.with(fault, &mut frame);
        assert!(matches!(submitted, Err(EngineError::NoRoom { .. })));
        // Were it waited for, this would take for ever.
        assert!(frame().is_ok() && frame().is_ok());
        drop(frames);
        assert_nothing_is_left(faulty);
    });
}

/// What a device that takes so little says to a world.
fn refusal(device: &Device, one: &Swaying, limits: Limits, technique: Technique) -> GpuError {
    let instance = modest_instance(device, limits);
    let host = Host {
        instance: &instance,
        ..device.host(2)
    };
    let error = world_of(one, &host, technique).map(drop);
    let error = gpu_error(error.expect_err("it is too large"));
    assert_one_line(&error);
    error
}

#[test]
fn what_is_too_large_for_the_device_is_refused_by_name() {
    with_device(|device| {
        let mut one = Swaying::at(Vec3::ZERO);
        let little = Limits {
            bytes: 1 << 12,
            pixels: 1 << 14,
            groups: 65_535,
            buffers: 64,
        };
        let is_too_large = |error: &GpuError, limits: Limits| {
            matches!(error, GpuError::TooLarge { bytes, max, .. }
                if bytes > max && *max == u64::from(limits.bytes))
        };
        for technique in Technique::ALL {
            let error = refusal(device, &one, little, technique);
            assert!(is_too_large(&error, little), "{technique:?}: {error}");
        }
        let narrow = Limits {
            bytes: 1 << 27,
            pixels: 32,
            groups: 65_535,
            buffers: 64,
        };
        let error = refusal(device, &one, narrow, Technique::Radial);
        assert!(
            matches!(error, GpuError::BadExtent { width, max: 32, .. } if width > 32),
            "{error}"
        );
        let one_group = Limits {
            bytes: 1 << 27,
            groups: 1,
            ..little
        };
        let error = refusal(device, &one, one_group, Technique::Lbvh);
        assert!(
            matches!(error, GpuError::TooMany { count, max: 64, .. } if count > 64),
            "{error}"
        );
        one.garment = sheet(80, 80, 0.01, Vec3::Y);
        let ample = Limits {
            bytes: 1 << 16,
            ..little
        };
        let error = refusal(device, &one, ample, Technique::Radial);
        assert!(is_too_large(&error, ample), "{error}");
    });
}

/// As the README has it: half a million particles where a dispatch has 65,535 workgroups, 350,000 where cloth meets cloth. Here it has a hundredth
/// of them, and cloth one of the particles; with a tenth more contacts are refused.
#[test]
fn a_world_holds_the_particles_that_the_readme_says() {
    with_device(|device| {
        let few_groups = Limits {
            bytes: 1 << 27,
            pixels: 1 << 14,
            groups: 655,
            buffers: 64,
        };
        let instance = modest_instance(device, few_groups);
        let host = Host {
            instance: &instance,
            ..device.host(2)
        };
        let avatar = column(1);
        let takes = |rows: u32, cloth_contacts: bool| {
            let cloth = sheet(50, rows, 0.01, Vec3::Y);
            let def = WorldDef {
                bodies: &[BodyDef::new(&avatar)],
                garments: &[GarmentDef::new(&cloth, 0)],
                cloth_contacts,
                ..WorldDef::default()
            };
            // SAFETY: the host is an open device's, which outlives the call.
            unsafe { World::requirements(&host, &def) }.map(drop)
        };
        assert!(takes(100, false).is_ok(), "half a million");
        assert!(takes(70, true).is_ok(), "350,000 that meet each other");
        let error = gpu_error(takes(77, true).expect_err("a tenth more"));
        assert!(matches!(error, GpuError::TooMany { .. }), "{error}");
        assert_one_line(&error);
    });
}

#[test]
fn a_device_whose_shaders_take_few_buffers_is_refused_by_its_limit() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let few = Limits {
            bytes: 1 << 27,
            pixels: 1 << 14,
            groups: 65_535,
            buffers: 4,
        };
        for technique in Technique::ALL {
            let error = refusal(device, &one, few, technique);
            assert!(
                matches!(error, GpuError::TooManyBindings { count, max: 4, .. } if count > 4),
                "{technique:?}: {error}"
            );
            assert!(
                error
                    .to_string()
                    .contains("maxPerStageDescriptorStorageBuffers")
            );
        }
    });
}

#[test]
fn pictures_without_pixels_and_with_too_many_are_refused() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let world = world_of(&one, &device.host(2), Technique::Radial).expect("it fits");
        let mut renderer = renderer_of(&one, &world).expect("it is the world's");
        renderer.resize(square(16)).expect("it has pixels");
        let max = world.gpu().limits.max_image_dimension2_d;
        for extent in [(0, 0), (0, 16), (16, 0), (max + 1, 16)] {
            let extent = vk::Extent2D {
                width: extent.0,
                height: extent.1,
            };
            let error = renderer.resize(extent).expect_err("it cannot be drawn");
            assert_one_line(&error);
            let error = Offscreen::new(world.gpu(), extent).map(drop);
            let error = error.expect_err("it cannot be made");
            assert_one_line(&error);
            assert!(matches!(
                error,
                EngineError::Gpu(GpuError::BadExtent { .. })
            ));
        }
        renderer.resize(square(32)).expect("it has pixels again");
        let pixels = draw(device, &world, &mut renderer).expect("the device is not lost");
        assert_eq!(pixels.len(), 4 * 32 * 32);
        assert!(pixels.iter().any(|&value| value != pixels[0]));
        device.wait_idle().expect("the device is not lost");
    });
}

/// A picture of 32 pixels each way.
fn draw(
    device: &Arc<Device>,
    world: &World,
    renderer: &mut Renderer,
) -> Result<Vec<u8>, EngineError> {
    let mut offscreen = Offscreen::new(world.gpu(), square(32))?;
    let input = RenderInput {
        camera: Camera::default(),
        key_light: KeyLight::default(),
        alpha: 1.0,
        view: ViewOptions::default(),
        target: Target {
            view: offscreen.view(),
            area: square(32).into(),
        },
    };
    let mut frames = Frames::new(device, 2)?;
    offscreen.render(device, &mut frames, |cmd| {
        // SAFETY: the command buffer is recording, and the target is the offscreen's own.
        unsafe { renderer.record(cmd, world, &input) }.expect("there is memory for sets");
    })
}
