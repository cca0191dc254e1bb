//! A host may record where and how it likes.

use std::sync::Arc;

use ash::vk;
use glam::Vec3;
use radial_fields::engine::Device;
use radial_fields::gpu::{Buffer, BufferDesc, Memory};
use radial_fields::{BodyDef, BodyStep, FrameInput, GarmentDef, HostSkin, StepInput, WorldDef};

use crate::edits::Swaying;
use crate::fixture::{Rig, STEP_SECONDS, open_device, with_device};

const STEPS: usize = 8;

pub fn rig(device: &Arc<Device>, one: &Swaying) -> Rig {
    let bodies = [BodyDef::new(&one.avatar)];
    let garments = [GarmentDef::new(&one.garment, 0)];
    let def = WorldDef {
        bodies: &bodies,
        garments: &garments,
        ..WorldDef::default()
    };
    Rig::new(device, &def)
}

/// Runs `frame` with the bodies of each step.
pub fn run(one: &Swaying, mut frame: impl FnMut(&FrameInput)) {
    for step in 0..STEPS {
        let palette = one.palette(step);
        frame(&FrameInput {
            steps: &[StepInput {
                bodies: &[BodyStep::moved(&palette)],
                ..Default::default()
            }],
            step_seconds: STEP_SECONDS,
        });
    }
}

/// The bits of everything, which is what a state hash is made of.
pub fn bits(rig: &mut Rig) -> Vec<u32> {
    let mut floats: Vec<f32> = rig.skin().iter().flat_map(|p| p.to_array()).collect();
    floats.extend(rig.cells());
    for values in [
        rig.cloth(|world| world.cloth().positions()),
        rig.cloth(|world| world.cloth().normals()),
    ] {
        floats.extend(values.iter().flat_map(|value| value.to_array()));
    }
    floats.into_iter().map(f32::to_bits).collect()
}

pub fn alone(device: &Arc<Device>, one: &Swaying) -> Vec<u32> {
    let mut rig = rig(device, one);
    run(one, |input| rig.frame(input));
    bits(&mut rig)
}

#[test]
fn two_worlds_on_one_device_are_as_each_alone() {
    with_device(|device| {
        let (one, other) = (Swaying::at(Vec3::ZERO), Swaying::at(Vec3::X));
        let (mut first, mut second) = (rig(device, &one), rig(device, &other));
        let mut step = 0;
        run(&one, |input| {
            first.frame(input);
            second.step(&[&other.palette(step)], false);
            step += 1;
        });
        assert!(bits(&mut first) == alone(device, &one));
        assert!(bits(&mut second) == alone(device, &other));
    });
}

#[test]
fn two_worlds_in_one_command_buffer_are_as_each_alone() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let (mut first, mut second) = (rig(device, &one), rig(device, &one));
        run(&one, |input| {
            // SAFETY: the rig's frames submit each command buffer once and in order; both rigs see the same fences.
            first.frame_with(|world, cmd| unsafe {
                world.record(cmd, input).expect("it fits");
                second.world.record(cmd, input).expect("it fits");
            });
        });
        assert!(bits(&mut first) == alone(device, &one));
        assert!(bits(&mut second) == bits(&mut first));
    });
}

#[test]
fn worlds_on_two_devices_are_alike() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let second_device = open_device().expect("these tests need a device and the layer");
        let (mut first, mut second) = (rig(device, &one), rig(&second_device, &one));
        run(&one, |input| {
            first.frame(input);
            second.frame(input);
        });
        let expected = alone(device, &one);
        assert!(bits(&mut first) == expected);
        assert!(bits(&mut second) == expected);
        drop(second);
        let counts = second_device.instance.validation_counts();
        assert_eq!((counts.errors, counts.warnings), (0, 0));
    });
}

#[test]
fn another_thread_may_record() {
    fn is_send<T: Send>(_: &T) {}
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &one);
        is_send(&rig.world);
        run(&one, |input| {
            rig.frame_with(|world, cmd| {
                std::thread::scope(|scope| {
                    // SAFETY: the command buffer is this thread's meanwhile, and submitted once and in order.
                    let recording = scope.spawn(|| unsafe { world.record(cmd, input) });
                    let recorded = recording.join().expect("recording does not panic");
                    recorded.expect("it fits");
                });
            });
        });
        assert!(bits(&mut rig) == alone(device, &one));
    });
}

#[test]
fn a_secondary_command_buffer_will_do_and_labels_nest() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &one);
        let functions = ash::ext::debug_utils::Device::new(&device.instance.handle, &device.handle);
        let pool_info =
            vk::CommandPoolCreateInfo::default().queue_family_index(device.queue_family_ix);
        // SAFETY: the device is open.
        let pool = unsafe { device.handle.create_command_pool(&pool_info, None) }
            .expect("there is room for a pool");
        run(&one, |input| {
            rig.frame_with(|world, cmd| {
                let info = vk::CommandBufferAllocateInfo::default()
                    .command_pool(pool)
                    .level(vk::CommandBufferLevel::SECONDARY)
                    .command_buffer_count(1);
                let inheritance = vk::CommandBufferInheritanceInfo::default();
                let begin = vk::CommandBufferBeginInfo::default()
                    .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT)
                    .inheritance_info(&inheritance);
                let label = vk::DebugUtilsLabelEXT::default().label_name(c"the host's own");
                // SAFETY: the secondary command buffer lives until the pool goes, after the device was idle.
                unsafe {
                    let secondary = device
                        .handle
                        .allocate_command_buffers(&info)
                        .expect("there is room for a command buffer")[0];
                    device
                        .handle
                        .begin_command_buffer(secondary, &begin)
                        .expect("it can be recorded");
                    functions.cmd_begin_debug_utils_label(secondary, &label);
                    world.record(secondary, input).expect("it fits");
                    functions.cmd_end_debug_utils_label(secondary);
                    device
                        .handle
                        .end_command_buffer(secondary)
                        .expect("it was recorded");
                    device.handle.cmd_execute_commands(cmd, &[secondary]);
                }
            });
        });
        assert!(bits(&mut rig) == alone(device, &one));
        // SAFETY: `bits` has waited for the device.
        unsafe { device.handle.destroy_command_pool(pool, None) };
    });
}

/// Skins as we do, into vertices with other things between the positions.
pub struct HostBuffer {
    buffer: Buffer,
    vertex_count: usize,
}

pub const STRIDE: usize = 32;
pub const OFFSET: usize = 20;

impl HostBuffer {
    pub fn new(rig: &Rig, vertex_count: usize) -> Self {
        let desc = BufferDesc {
            label: "the host's skin",
            bytes: (OFFSET + STRIDE * vertex_count) as u64,
            memory: Memory::Upload,
        };
        Self {
            buffer: Buffer::new(rig.world.gpu(), &desc).expect("there is room"),
            vertex_count,
        }
    }

    fn write(&mut self, positions: &[Vec3]) {
        for (ix, position) in positions.iter().enumerate() {
            let offset = (OFFSET + STRIDE * ix) as u64;
            self.buffer.write(offset, &position.to_array());
        }
    }

    pub fn skin(&self) -> HostSkin {
        HostSkin {
            buffer: self.buffer.handle(),
            offset: OFFSET as u64,
            bytes: (STRIDE * self.vertex_count) as u64,
            stride: STRIDE as u64,
        }
    }
}

#[test]
fn a_skin_that_the_host_hands_in_is_taken_as_it_is() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let (mut ours, mut theirs) = (rig(device, &one), rig(device, &one));
        let vertex_count = one.avatar.skin.positions.len();
        let mut buffer = HostBuffer::new(&theirs, vertex_count);
        for step in 0..STEPS {
            let palette = one.palette(step);
            ours.step(&[&palette], false);
            // Reading waits for the device, so the buffer may be written again.
            let skin = ours.skin();
            theirs.skin();
            buffer.write(&skin[..vertex_count]);
            theirs.frame(&FrameInput {
                steps: &[StepInput {
                    bodies: &[BodyStep {
                        skin: Some(buffer.skin()),
                        ..BodyStep::moved(&palette)
                    }],
                    ..Default::default()
                }],
                step_seconds: STEP_SECONDS,
            });
        }
        assert!(bits(&mut theirs) == bits(&mut ours));
        // Swapped vertices are noticed: it is the host's skin that counts.
        let mut turned = ours.skin();
        turned[..vertex_count].reverse();
        theirs.skin();
        buffer.write(&turned[..vertex_count]);
        let palette = one.palette(STEPS);
        theirs.frame(&FrameInput {
            steps: &[StepInput {
                bodies: &[BodyStep {
                    skin: Some(buffer.skin()),
                    ..BodyStep::moved(&palette)
                }],
                ..Default::default()
            }],
            step_seconds: STEP_SECONDS,
        });
        assert_eq!(theirs.skin()[..vertex_count], turned[..vertex_count]);
    });
}

/// Whole buffers may be named as such; and each of two bodies that point at one place reads it from its first vertex on.
#[test]
fn bodies_may_share_a_skin_in_a_buffer_whose_size_nobody_says() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let bodies = [BodyDef::new(&one.avatar); 2];
        let def = WorldDef {
            bodies: &bodies,
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        let bind = &one.avatar.skin.positions;
        let mut buffer = HostBuffer::new(&rig, bind.len());
        buffer.write(bind);
        let palette = one.palette(0);
        let body = BodyStep {
            skin: Some(HostSkin {
                bytes: vk::WHOLE_SIZE,
                ..buffer.skin()
            }),
            ..BodyStep::moved(&palette)
        };
        rig.frame(&FrameInput {
            steps: &[StepInput {
                bodies: &[body; 2],
                ..Default::default()
            }],
            step_seconds: STEP_SECONDS,
        });
        let skin = rig.skin();
        assert_eq!(skin[..bind.len()], bind[..]);
        assert_eq!(skin[bind.len()..2 * bind.len()], bind[..]);
    });
}
