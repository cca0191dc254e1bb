//! A world leaves nothing behind on its device.

use std::sync::Arc;

use glam::Vec3;
use radial_fields::engine::ValidationCounts;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::figures::{column, sheet};
use crate::fixture::{Rig, assert_silent, open_device, with_device};

#[test]
fn a_world_goes_before_its_device_and_leaves_nothing() {
    let device = open_device().expect("these tests need a device and the validation layer");
    let avatar = column(2);
    let garment = sheet(7, 5, 0.03, Vec3::Y);
    let bodies = [BodyDef::new(&avatar)];
    let garments = [GarmentDef::new(&garment, 0)];
    let def = WorldDef {
        bodies: &bodies,
        garments: &garments,
        ..WorldDef::default()
    };
    let mut rig = Rig::new(&device, &def);
    let palette = Palette::bind(&avatar.skeleton);
    rig.step(&[&palette], true);
    device.wait_idle().expect("the device is not lost");
    rig.world
        .reload_pipelines()
        .expect("the shaders were accepted before");
    rig.step(&[&palette], false);
    assert_eq!(rig.particles().len(), 35);
    drop(rig);
    let instance = Arc::clone(&device.instance);
    drop(device);
    assert_silent(&instance, ValidationCounts::default());
}

#[test]
fn a_world_without_garments_or_steps_runs() {
    with_device(|device| {
        let avatar = column(1);
        let bodies = [BodyDef::new(&avatar)];
        let mut rig = Rig::new(
            device,
            &WorldDef {
                bodies: &bodies,
                ..WorldDef::default()
            },
        );
        rig.frame(&radial_fields::FrameInput {
            steps: &[],
            step_seconds: 1.0 / 60.0,
        });
        rig.step(&[&Palette::bind(&avatar.skeleton)], false);
        assert_eq!(rig.skin().len(), avatar.skin.positions.len());
    });
}

#[test]
fn what_is_left_behind_is_heard() {
    with_device(|_| {
        let device = open_device().expect("these tests need a device and the validation layer");
        let info = ash::vk::SemaphoreCreateInfo::default();
        // SAFETY: the device is open. That the semaphore is never destroyed is what validation is to say.
        unsafe { device.handle.create_semaphore(&info, None) }.expect("there is room for one");
        let instance = Arc::clone(&device.instance);
        drop(device);
        assert_eq!(instance.validation_counts().errors, 1);
        assert_eq!(instance.validation_texts().len(), 1);
    });
}
