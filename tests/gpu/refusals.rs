//! Hosts and input that do not fit: what is wrong is said, with what to change, and nothing is done.

use ash::vk;
use glam::Vec3;
use radial_fields::engine::{Instance, InstanceDesc, Validation};
use radial_fields::host::{Features, HostError, enable_features};
use radial_fields::pose::Palette;
use radial_fields::{
    BodyStep, FrameInput, Host, HostSkin, RecordError, StepInput, World, WorldDef, WorldError,
};

use crate::edits::Swaying;
use crate::embedding::{HostBuffer, OFFSET, STRIDE, alone, bits, rig, run};
use crate::figures::column;
use crate::fixture::{Rig, with_device};

fn record(rig: &mut Rig, steps: &[&[BodyStep]], step_seconds: f32) -> Result<(), RecordError> {
    let steps: Vec<_> = steps
        .iter()
        .map(|&bodies| StepInput { bodies, grab: None })
        .collect();
    let input = FrameInput {
        steps: &steps,
        step_seconds,
    };
    let mut result = Ok(());
    rig.frame_with(|world, cmd| {
        // SAFETY: the rig submits each command buffer once and in order.
        result = unsafe { world.record(cmd, &input) };
    });
    result
}

#[test]
fn steps_that_do_not_fit_the_world_are_refused() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &one);
        let (palette, other) = (one.palette(0), Palette::bind(&column(2).skeleton));
        let body = BodyStep::moved(&palette);
        let mut refuse = |steps: &[&[BodyStep]], seconds, expected| {
            assert_eq!(record(&mut rig, steps, seconds), Err(expected));
        };
        refuse(
            &[&[body][..]; 5],
            0.1,
            RecordError::TooManySteps { step_count: 5 },
        );
        for seconds in [0.0, -0.1, f32::INFINITY] {
            refuse(&[&[body]], seconds, RecordError::StepSeconds { seconds });
        }
        let count = |step_ix, found| RecordError::BodyCount {
            step_ix,
            expected: 1,
            found,
        };
        refuse(&[&[]], 0.1, count(0, 0));
        refuse(&[&[body], &[body, body]], 0.1, count(1, 2));
        let joints = RecordError::JointCount {
            step_ix: 0,
            body_ix: 0,
            expected: 3,
            found: 2,
        };
        refuse(&[&[BodyStep::moved(&other)]], 0.1, joints);
        // The world has not noticed.
        run(&one, |input| rig.frame(input));
        assert!(bits(&mut rig) == alone(device, &one));
    });
}

#[test]
fn a_skin_that_is_too_small_or_lies_askew_is_refused() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &one);
        let skin = HostBuffer::new(&rig, 4).skin();
        let palette = one.palette(0);
        let mut refuse = |skin, expected| {
            let body = BodyStep {
                skin: Some(skin),
                ..BodyStep::moved(&palette)
            };
            assert_eq!(record(&mut rig, &[&[body]], 0.1), Err(expected));
        };
        let vertex_count = one.avatar.skin.positions.len() as u64;
        let small = RecordError::SkinTooSmall {
            body_ix: 0,
            bytes: 4 * STRIDE as u64,
            needed: (vertex_count - 1) * STRIDE as u64 + 12,
        };
        refuse(skin, small);
        let layout = |offset, stride| RecordError::SkinLayout {
            body_ix: 0,
            offset,
            stride,
        };
        let offset = OFFSET as u64;
        refuse(HostSkin { stride: 13, ..skin }, layout(offset, 13));
        refuse(HostSkin { stride: 8, ..skin }, layout(offset, 8));
        refuse(HostSkin { offset: 2, ..skin }, layout(2, STRIDE as u64));
        let buffer = vk::Buffer::null();
        refuse(HostSkin { buffer, ..skin }, layout(offset, STRIDE as u64));
    });
}

#[test]
fn settings_of_other_garments_and_no_command_buffer_are_refused() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &one);
        let input = FrameInput {
            steps: &[],
            step_seconds: 0.1,
        };
        // SAFETY: nothing is recorded into no command buffer.
        let nowhere = unsafe { rig.world.record(vk::CommandBuffer::null(), &input) };
        assert_eq!(nowhere, Err(RecordError::NullCommandBuffer));
        rig.world.settings_mut().garments.clear();
        let settings = RecordError::GarmentSettings {
            expected: 1,
            found: 0,
        };
        assert_eq!(record(&mut rig, &[], 0.1), Err(settings));
    });
}

fn refusal(host: &Host) -> HostError {
    // SAFETY: what is wrong with the host is found before it is used.
    let worlds = unsafe {
        [
            World::new(host, &WorldDef::default()).map(drop),
            World::requirements(host, &WorldDef::default()).map(drop),
        ]
    };
    let [made, measured] = worlds.map(|world| match world {
        Err(WorldError::Host(error)) => error,
        Err(error) => panic!("another error: {error}"),
        Ok(()) => panic!("the host was taken"),
    });
    assert_eq!(made, measured);
    made
}

#[test]
fn a_bad_host_is_told_what_to_change() {
    with_device(|device| {
        let good = || device.host(2);
        let nulls = ash::Device::from_parts_1_3(
            vk::Device::null(),
            device.handle.fp_v1_0().clone(),
            device.handle.fp_v1_1().clone(),
            device.handle.fp_v1_2().clone(),
            device.handle.fp_v1_3().clone(),
        );
        let null = |what| HostError::NullHandle { what };
        assert_eq!(
            refusal(&Host {
                device: &nulls,
                ..good()
            }),
            null("device")
        );
        let physical_device = vk::PhysicalDevice::null();
        assert_eq!(
            refusal(&Host {
                physical_device,
                ..good()
            }),
            null("physical device")
        );
        assert_eq!(
            refusal(&Host {
                frames_in_flight: 0,
                ..good()
            }),
            HostError::NoFramesInFlight
        );
        let queue_family_ix = 99;
        let found = refusal(&Host {
            queue_family_ix,
            ..good()
        });
        assert!(matches!(
            found,
            HostError::NoSuchQueueFamily {
                queue_family_ix: 99,
                ..
            }
        ));
    });
}

#[test]
fn a_feature_that_is_off_is_named() {
    with_device(|device| {
        let good = || device.host(2);
        let mut features = Features::default();
        enable_features(&mut features);
        features.v13.synchronization2 = vk::FALSE;
        let error = refusal(&Host {
            features: Some(&features),
            ..good()
        });
        assert_eq!(
            error,
            HostError::FeatureOff {
                missing: "the feature synchronization2"
            }
        );
        assert!(error.to_string().contains("enable_features"), "{error}");
        features.v13.synchronization2 = vk::TRUE;
        // SAFETY: the host is an open device's.
        let taken = unsafe {
            World::new(
                &Host {
                    features: Some(&features),
                    ..good()
                },
                &WorldDef::default(),
            )
        };
        assert!(taken.is_ok());
    });
}

#[test]
fn a_device_without_the_extension_is_found_out() {
    with_device(|device| {
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(device.queue_family_ix)
            .queue_priorities(&[1.0])];
        let mut features = Features::default();
        enable_features(&mut features);
        let mut core = vk::PhysicalDeviceFeatures2::default().features(features.core);
        let info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .push_next(&mut core)
            .push_next(&mut features.v12)
            .push_next(&mut features.v13);
        // SAFETY: the features are there; the device is destroyed below.
        unsafe {
            let instance = &device.instance.handle;
            let bare = instance
                .create_device(device.physical_device, &info, None)
                .expect("the device can be opened twice");
            let error = refusal(&Host {
                device: &bare,
                ..device.host(2)
            });
            let missing = "the extension VK_KHR_push_descriptor";
            assert_eq!(error, HostError::ExtensionOff { missing });
            bare.destroy_device(None);
        }
    });
}

#[test]
fn a_physical_device_of_another_instance_is_found_out() {
    with_device(|device| {
        let desc = InstanceDesc {
            application: c"another",
            validation: Validation::On,
            extensions: &[],
        };
        let other = Instance::new(&desc).expect("there is room for two instances");
        // SAFETY: the instance is alive.
        let theirs =
            unsafe { other.handle.enumerate_physical_devices() }.expect("devices can be listed");
        let host = Host {
            physical_device: theirs[0],
            ..device.host(2)
        };
        assert_eq!(refusal(&host), HostError::ForeignPhysicalDevice);
        let host = Host {
            instance: &other.handle,
            ..device.host(2)
        };
        assert_eq!(refusal(&host), HostError::ForeignPhysicalDevice);
    });
}
