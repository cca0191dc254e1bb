//! A device without push descriptors does the same, makes no pools once it runs, and keeps nothing.

use std::sync::Arc;

use glam::Vec3;
use radial_fields::cloth::ClothSettings;
use radial_fields::engine::{Device, ValidationCounts};
use radial_fields::render::{Camera, ViewOptions};
use radial_fields::{BodyDef, GarmentDef, RecordError, Technique, WorldDef};

use crate::edits::Swaying;
use crate::faults::{
    NO_MEMORY, assert_nothing_is_left, assert_one_line, each_fails, gpu_error, renderer_of,
    world_of,
};
use crate::faulty::{Fault, FaultyDevice};
use crate::fixture::{Rig, assert_silent, open_bare_device, record_step, with_device};
use crate::golden::{EXTENT, Scene, whole};

/// So many that a step's dispatches do not fit one pool of descriptor sets, which has 256.
const MANY_ITERATIONS: u32 = 150;

fn rig_of(device: &Arc<Device>, one: &Swaying, technique: Technique, iterations: u32) -> Rig {
    let def = WorldDef {
        bodies: &[BodyDef::new(&one.avatar)],
        garments: &[GarmentDef::new(&one.garment, 0)],
        cloth: ClothSettings {
            iterations,
            ..ClothSettings::default()
        },
        technique,
        ..WorldDef::default()
    };
    Rig::new(device, &def)
}

/// The bits of cloth and skin after some steps, and a picture of them.
fn run(device: &Arc<Device>, technique: Technique, iterations: u32) -> (Vec<u32>, Vec<u8>) {
    let one = Swaying::at(Vec3::ZERO);
    let mut rig = rig_of(device, &one, technique, iterations);
    for step in 0..5 {
        rig.step(&[&one.palette(step)], step == 0);
    }
    let has_many = rig.world.launches().dispatches > 256;
    assert_eq!(has_many, iterations == MANY_ITERATIONS, "{technique:?}");
    let skin = rig.skin();
    let mut floats: Vec<f32> = skin.iter().flat_map(|at| at.to_array()).collect();
    for values in [
        rig.cloth(|world| world.cloth().positions()),
        rig.cloth(|world| world.cloth().normals()),
        rig.cloth(|world| world.cloth().contacts()),
    ] {
        floats.extend(values.iter().flat_map(|value| value.to_array()));
    }
    let mut camera = Camera::default();
    let bounds = rig.world.body_bounds().expect("it has been in a step");
    camera.frame(bounds, EXTENT.width as f32 / EXTENT.height as f32);
    let scene = Scene {
        avatar: one.avatar,
        garments: vec![one.garment],
    };
    let view = ViewOptions::default();
    let picture = scene.draw(device, &rig, view, &[(whole(), camera)]);
    (
        floats.into_iter().map(f32::to_bits).collect(),
        picture.into_raw(),
    )
}

#[test]
fn the_same_bits_and_pictures_with_and_without_push_descriptors() {
    with_device(|device| {
        let bare = open_bare_device().expect("the device can be opened twice");
        let usual_iterations = ClothSettings::default().iterations;
        let runs = Technique::ALL.map(|technique| (technique, usual_iterations));
        for (technique, iterations) in runs
            .into_iter()
            .chain([(Technique::Radial, MANY_ITERATIONS)])
        {
            let (with, with_picture) = run(device, technique, iterations);
            let (without, without_picture) = run(&bare, technique, iterations);
            assert!(with == without, "{technique:?}: the states differ");
            assert!(
                with_picture == without_picture,
                "{technique:?}: the pictures differ"
            );
            assert!(with_picture.iter().any(|&value| value != with_picture[0]));
        }
        let one = Swaying::at(Vec3::ZERO);
        let pushes = |device| {
            let rig = rig_of(device, &one, Technique::Radial, 1);
            rig.world.gpu().has_push_descriptors()
        };
        assert!(!pushes(&bare));
        if !pushes(device) {
            let name = &device.info.name;
            eprintln!(
                "{name} has no push descriptors: descriptor sets were compared with themselves"
            );
        }
        let instance = Arc::clone(&bare.instance);
        drop(bare);
        assert_silent(&instance, ValidationCounts::default());
    });
}

/// What recording another step comes to.
fn record(rig: &mut Rig, one: &Swaying, step: usize) -> Result<(), RecordError> {
    let palette = one.palette(step);
    let mut recorded = Ok(());
    // SAFETY: the rig's frames hand out command buffers whose earlier use is over, and submit them in order.
    rig.frame_with(|world, cmd| recorded = unsafe { record_step(world, cmd, &palette) });
    recorded
}

#[test]
fn no_pool_is_made_once_frames_are_alike_and_want_of_memory_for_one_is_said() {
    with_device(|_| {
        let one = Swaying::at(Vec3::ZERO);
        let faulty = FaultyDevice::open_bare();
        let mut rig = rig_of(&faulty.device, &one, Technique::Radial, MANY_ITERATIONS);
        for step in 0..4 {
            record(&mut rig, &one, step).expect("there is memory");
        }
        let no_pool = Fault {
            call: "create_descriptor_pool",
            after: 0,
            count: u32::MAX,
            error: NO_MEMORY,
        };
        let (recorded, has_failed) = faulty.with(no_pool, || {
            (4..12).try_for_each(|step| record(&mut rig, &one, step))
        });
        assert_eq!((recorded, has_failed), (Ok(()), false));
        rig.world.settings_mut().cloth.iterations = 2 * MANY_ITERATIONS;
        let (recorded, has_failed) = faulty.with(no_pool, || record(&mut rig, &one, 12));
        let error = recorded.expect_err("it needs another pool");
        assert_one_line(&error);
        assert_eq!((error, has_failed), (RecordError::NoDescriptorSets, true));
        drop(rig);
        assert_nothing_is_left(faulty);
    });
}

#[test]
fn a_world_without_push_descriptors_that_finds_no_memory_leaves_nothing() {
    with_device(|_| {
        let one = Swaying::at(Vec3::ZERO);
        let faulty = FaultyDevice::open_bare();
        let host = faulty.device.host(2);
        let call = "create_descriptor_pool";
        let failed_count = each_fails(&faulty, call, || {
            let made = world_of(&one, &host, Technique::Radial);
            made.map(drop).map_err(gpu_error)
        });
        assert_eq!(failed_count, 2, "a pool for each frame in flight");
        let world = world_of(&one, &host, Technique::Radial).expect("there is memory");
        let no_pool = Fault {
            call,
            after: 1,
            count: 1,
            error: NO_MEMORY,
        };
        let (made, has_failed) = faulty.with(no_pool, || renderer_of(&one, &world).map(drop));
        assert!(made.is_err() && has_failed);
        let mut rig = rig_of(&faulty.device, &one, Technique::Radial, 1);
        let no_set = Fault {
            call: "allocate_descriptor_sets",
            after: 7,
            ..no_pool
        };
        let (recorded, has_failed) = faulty.with(no_set, || record(&mut rig, &one, 0));
        assert_eq!(
            (recorded, has_failed),
            (Err(RecordError::NoDescriptorSets), true)
        );
        drop((rig, world));
        assert_nothing_is_left(faulty);
    });
}
