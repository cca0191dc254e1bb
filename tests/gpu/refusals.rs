//! Hosts and input that do not fit: what is wrong is said, with what to change, and nothing is done.

use std::sync::Arc;

use ash::vk;
use glam::Vec3;
use radial_fields::collide::radial::FieldRules;
use radial_fields::collide::radial::field::FieldSet;
use radial_fields::collide::radial::fit::{FitSettings, fit};
use radial_fields::engine::{Device, Instance, InstanceDesc, Validation};
use radial_fields::host::{Features, HostError, enable_features, supported_extensions};
use radial_fields::pose::Palette;
use radial_fields::{
    Avatar, BodyDef, BodyStep, FrameInput, Host, HostSkin, RecordError, StepInput, Technique,
    World, WorldDef, WorldError,
};

use crate::compile_once;
use crate::edits::Swaying;
use crate::embedding::{HostBuffer, OFFSET, STRIDE, alone, bits, rig, run};
use crate::figures::column;
use crate::fixture::{Rig, open_device, with_device};
use crate::spy::{null_instance, with_families};

pub fn record(rig: &mut Rig, steps: &[&[BodyStep]], step_seconds: f32) -> Result<(), RecordError> {
    let steps: Vec<_> = steps
        .iter()
        .map(|&bodies| StepInput {
            bodies,
            ..Default::default()
        })
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
fn bodies_whose_fields_follow_different_rules_are_refused_in_one_world() {
    with_device(|device| {
        let avatar = column(2);
        let usual = BodyDef::new(&avatar);
        let mut papers = usual;
        papers.fit.rules = FieldRules::PAPER;
        let bodies = [usual, usual, papers];
        let def = WorldDef {
            bodies: &bodies,
            ..WorldDef::default()
        };
        // SAFETY: the device is open and has what the library asks for.
        let refused = unsafe { World::new(&device.host(2), &def) };
        let text = refused.err().expect("shaders know one set").to_string();
        for part in ["body 2", "body 0", "FitSettings::rules"] {
            assert!(text.contains(part), "{text}");
        }
    });
}

/// What is wrong with a body whose fields were fitted elsewhere.
fn refused(device: &Device, avatar: &Avatar, fields: FieldSet) -> String {
    let fields = Arc::new(fields);
    let body = BodyDef {
        fields: Some(&fields),
        ..BodyDef::new(avatar)
    };
    let def = WorldDef {
        bodies: &[body],
        ..WorldDef::default()
    };
    // SAFETY: the device is open and has what the library asks for.
    let world = unsafe { World::new(&device.host(2), &def) };
    world.err().expect("they do not fit it").to_string()
}

#[test]
fn fields_that_were_fitted_before_are_taken_where_they_fit_the_character() {
    with_device(|device| {
        let avatar = column(2);
        let coarse = FitSettings {
            cell_size: 0.03,
            ..FitSettings::default()
        };
        let fields = Arc::new(fit(&avatar, &coarse));
        let body = BodyDef {
            fields: Some(&fields),
            ..BodyDef::new(&avatar)
        };
        let def = WorldDef {
            bodies: &[body],
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        assert_eq!(rig.cells().len(), fields.cell_count as usize);

        let changed = |change: &dyn Fn(&mut FieldSet)| {
            let mut fields = FieldSet::clone(&fields);
            change(&mut fields);
            fields
        };
        let papers = FitSettings {
            rules: FieldRules::PAPER,
            ..coarse
        };
        let all = [
            (fit(&column(3), &coarse), "joint that does not exist"),
            (fit(&avatar, &papers), "other rules than its own"),
            (changed(&|set| set.fitted_to ^= 1), "another skin"),
            (
                changed(&|set| set.triangles[0].vertices[1] = 1 << 20),
                "vertex or a field",
            ),
            (
                changed(&|set| set.triangles[0].field_ix = 9),
                "vertex or a field",
            ),
            (changed(&|set| set.cell_count += 1), "places or cells"),
            (
                changed(&|set| set.fields[1].cell_offset = 0),
                "places or cells",
            ),
            (
                changed(&|set| set.fields[0].width = u32::MAX - 1),
                "places or cells",
            ),
            (changed(&|set| set.fields[0].height = 0), "places or cells"),
            (changed(&|set| set.fields[0].height = 1), "places or cells"),
            (
                changed(&|set| set.fields[0].length = f32::NAN),
                "places or cells",
            ),
        ];
        for (fields, words) in all {
            let text = refused(device, &avatar, fields);
            assert!(text.contains("body 0") && text.contains(words), "{text}");
            assert!(text.contains("fit its fields anew"), "{text}");
        }
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
        let max = u64::from(rig.world.gpu().limits.max_storage_buffer_range);
        let far = RecordError::SkinOutOfReach {
            body_ix: 0,
            end: max / 4 * 4 + (vertex_count - 1) * STRIDE as u64 + 12,
            max,
        };
        let bytes = vk::WHOLE_SIZE;
        let offset = max / 4 * 4;
        let body = BodyStep {
            skin: Some(HostSkin {
                offset,
                bytes,
                ..skin
            }),
            ..BodyStep::moved(&palette)
        };
        assert_eq!(record(&mut rig, &[&[body]], 0.1), Err(far));
    });
}

fn refusal(host: &Host) -> HostError {
    refusal_of(host, Technique::default())
}

fn refusal_of(host: &Host, technique: Technique) -> HostError {
    let def = WorldDef {
        technique,
        ..WorldDef::default()
    };
    // SAFETY: what is wrong with the host is found before it is used.
    let worlds = unsafe {
        [
            World::new(host, &def).map(drop),
            World::requirements(host, &def).map(drop),
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
        let nowhere = null_instance(&device.instance.handle);
        assert_eq!(
            refusal(&Host {
                instance: &nowhere,
                ..good()
            }),
            null("instance")
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
fn a_queue_family_that_will_not_do_is_told_from_one_that_does() {
    use vk::QueueFlags as Q;
    with_device(|device| {
        let families = [
            (Q::GRAPHICS | Q::COMPUTE | Q::TRANSFER, 64),
            (Q::TRANSFER, 64),
            (Q::COMPUTE | Q::TRANSFER, 64),
            (Q::GRAPHICS, 64),
        ];
        let instance = with_families(&device.instance.handle, &families);
        let host = |queue_family_ix| Host {
            instance: &instance,
            queue_family_ix,
            ..device.host(2)
        };
        for technique in Technique::ALL {
            for queue_family_ix in [1, 3] {
                assert_eq!(
                    refusal_of(&host(queue_family_ix), technique),
                    HostError::WrongQueueFamily { queue_family_ix }
                );
            }
            let of_none = HostError::NoSuchQueueFamily {
                queue_family_ix: 4,
                family_count: 4,
            };
            assert_eq!(refusal_of(&host(4), technique), of_none);
            let shared = Host {
                shared_with: &[0, 4],
                ..host(2)
            };
            assert_eq!(refusal_of(&shared, technique), of_none);
        }
        let (queue_family_ix, technique) = (2, Technique::Radial);
        let refused = refusal_of(&host(2), technique);
        let expected = HostError::NoGraphics {
            queue_family_ix,
            technique,
        };
        assert_eq!(refused, expected);
        assert!(refused.to_string().contains("radial_compute"), "{refused}");
        for (queue_family_ix, technique) in [(0, Technique::Radial), (2, Technique::RadialCompute)]
        {
            let def = WorldDef {
                technique,
                ..WorldDef::default()
            };
            // SAFETY: the host is an open device's.
            let taken = unsafe { World::new(&host(queue_family_ix), &def) };
            assert!(taken.is_ok(), "{technique:?}");
        }
    });
}

/// Mistakes that only the validation layer sees; `record` makes one.
fn layer_hears(record: impl FnOnce(&Device, &mut World, &FrameInput, vk::CommandBuffer)) -> String {
    let device = open_device().expect("these tests need a device and the layer");
    let one = Swaying::at(Vec3::ZERO);
    let mut rig = rig(&device, &one);
    rig.step(&[&one.palette(0)], false);
    rig.skin();
    assert_eq!(device.instance.validation_texts(), [""; 0]);
    let palette = one.palette(1);
    let step = StepInput {
        bodies: &[BodyStep::moved(&palette)],
        solids: &[],
        grab: None,
    };
    let input = FrameInput {
        steps: &[step],
        step_seconds: 0.1,
    };
    let info = vk::CommandPoolCreateInfo::default().queue_family_index(device.queue_family_ix);
    // SAFETY: the command buffer is never submitted, and goes with its pool.
    unsafe {
        let pool = device.handle.create_command_pool(&info, None);
        let pool = pool.expect("there is room for a pool");
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .command_buffer_count(1);
        let cmds = device.handle.allocate_command_buffers(&info);
        let cmd = cmds.expect("there is room for a command buffer")[0];
        record(&device, &mut rig.world, &input, cmd);
        device.handle.destroy_command_pool(pool, None);
    }
    device.instance.validation_texts().join("\n")
}

#[test]
fn recording_inside_a_render_pass_is_heard_by_the_layer() {
    let said = layer_hears(|device, world, input, cmd| {
        let extent = vk::Extent2D {
            width: 4,
            height: 4,
        };
        let info = vk::RenderingInfo::default()
            .render_area(extent.into())
            .layer_count(1);
        // SAFETY: on purpose it is not: this is what the layer is to hear.
        unsafe {
            let begin = vk::CommandBufferBeginInfo::default();
            let begun = device.handle.begin_command_buffer(cmd, &begin);
            begun.expect("it can be recorded");
            device.handle.cmd_begin_rendering(cmd, &info);
            world.record(cmd, input).expect("the input fits the world");
        }
    });
    // One rule, by its name in older layers and in newer ones.
    let names = [
        "VUID-vkCmdDispatch-renderpass",
        "VUID-vkCmdDispatch-None-10672",
    ];
    assert!(names.iter().any(|name| said.contains(name)), "{said}");
}

#[test]
fn a_feature_that_is_off_is_named() {
    with_device(|device| {
        let good = || device.host(2);
        let mut features = Features::default();
        enable_features(&mut features, Technique::Radial);
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

/// A device that was made for one technique, and what it can do.
unsafe fn made_for(device: &Device, technique: Technique) -> (ash::Device, Features) {
    let queues = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(device.queue_family_ix)
        .queue_priorities(&[1.0])];
    // SAFETY: the device is open.
    let names = unsafe { supported_extensions(&device.instance.handle, device.physical_device) };
    let names: Vec<_> = names.iter().map(|it| it.as_ptr()).collect();
    let mut features = Features::default();
    enable_features(&mut features, technique);
    let made_with = features;
    let mut core = vk::PhysicalDeviceFeatures2::default().features(features.core);
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&names)
        .push_next(&mut core)
        .push_next(&mut features.v12)
        .push_next(&mut features.v13);
    let instance = &device.instance.handle;
    // SAFETY: the usual device has the features and more; the caller destroys this one.
    let made = unsafe { instance.create_device(device.physical_device, &info, None) };
    let mut made = made.expect("the device can be opened twice");
    compile_once::install(&mut made);
    (made, made_with)
}

#[test]
fn only_a_technique_that_draws_asks_for_fragments_that_write() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        // SAFETY: handles are valid; worlds go before their device, which is destroyed below.
        unsafe {
            let (bare, features) = made_for(device, Technique::RadialCompute);
            assert_eq!(features.core.fragment_stores_and_atomics, vk::FALSE);
            let host = Host {
                device: &bare,
                features: Some(&features),
                pipeline_cache: vk::PipelineCache::null(),
                ..device.host(2)
            };
            let error = refusal(&host);
            assert!(matches!(error, HostError::FeatureOff { .. }), "{error}");
            for technique in Technique::ALL {
                let def = WorldDef {
                    bodies: &[BodyDef::new(&one.avatar)],
                    technique,
                    ..WorldDef::default()
                };
                // The layer reports pipelines that need a feature that is off.
                assert_eq!(World::new(&host, &def).is_ok(), !technique.draws());
            }
            bare.destroy_device(None);
        }
    });
}

/// As an engine does that takes what it needs of Vulkan 1.3 from extensions.
#[test]
fn an_instance_for_an_older_vulkan_is_found_out() {
    with_device(|device| {
        // SAFETY: the loader is there, or no test would run.
        let entry = unsafe { ash::Entry::load() }.expect("Vulkan is there");
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_2);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: handles are made here, and destroyed below in reverse order.
        unsafe {
            let instance = entry.create_instance(&info, None).expect("1.2 is there");
            let physical_devices = instance.enumerate_physical_devices();
            let physical_device = physical_devices.expect("devices can be listed")[0];
            let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
            let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
            let old = instance.create_device(physical_device, &info, None);
            let old = old.expect("the device can be made");
            let host = Host {
                instance: &instance,
                physical_device,
                device: &old,
                queue_family_ix: 0,
                ..device.host(2)
            };
            let refused = refusal(&host);
            assert!(
                matches!(refused, HostError::OldInstance { .. }),
                "{refused}"
            );
            assert!(refused.to_string().contains("apiVersion"), "{refused}");
            old.destroy_device(None);
            instance.destroy_instance(None);
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
