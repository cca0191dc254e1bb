//! What a world says it will take is what it takes.

use std::sync::{Arc, Mutex};

use glam::Vec3;
use gpu_allocator::vulkan::{Allocator, AllocatorCreateDesc};
use radial_fields::avatar::builtin;
use radial_fields::cloth::garment::sheet_over;
use radial_fields::engine::Device;
use radial_fields::{BodyDef, GarmentDef, Host, Technique, World, WorldDef};

use crate::edits::Swaying;
use crate::figures::column;
use crate::fixture::{Rig, with_device};

fn promised_is_taken(device: &Arc<Device>, host: &Host, def: &WorldDef) {
    // SAFETY: the host is an open device's.
    let promised = unsafe { World::requirements(host, def) }.expect("the world can be built");
    let mut rig = Rig::with_host(device, def, host);
    let taken = rig.world.memory_use();
    assert_eq!(taken.bytes, promised.bytes + promised.staging_bytes);
    assert_eq!(taken.allocation_count, promised.allocation_count);
    assert_eq!(rig.world.memory(), promised.memory);
    for _ in 0..=host.frames_in_flight {
        rig.frame(&radial_fields::FrameInput {
            steps: &[],
            step_seconds: 1.0,
        });
    }
    assert_eq!(rig.world.memory_use().bytes, promised.bytes);
}

#[test]
fn a_world_takes_what_it_promised() {
    with_device(|device| {
        let (one, other) = (Swaying::at(Vec3::ZERO), builtin::load_mannequin());
        let cover = sheet_over(&other, 400);
        let bodies = [BodyDef::new(&one.avatar), BodyDef::new(&other)];
        let garments = [GarmentDef::new(&one.garment, 0), GarmentDef::new(&cover, 1)];
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            ..WorldDef::default()
        };
        promised_is_taken(device, &device.host(2), &def);
        promised_is_taken(device, &device.host(2), &WorldDef::default());
        // Two limbs that differ have what any bodies have, and are made sooner than a mannequin.
        let stump = column(1);
        let limbs = [BodyDef::new(&one.avatar), BodyDef::new(&stump)];
        let cover = sheet_over(&stump, 400);
        let garments = [GarmentDef::new(&one.garment, 0), GarmentDef::new(&cover, 1)];
        let of_limbs = |technique| WorldDef {
            bodies: &limbs,
            garments: &garments,
            technique,
            ..WorldDef::default()
        };
        for frames_in_flight in [1, 3] {
            let def = of_limbs(WorldDef::default().technique);
            promised_is_taken(device, &device.host(frames_in_flight), &def);
        }
        for technique in Technique::ALL {
            promised_is_taken(device, &device.host(2), &of_limbs(technique));
        }
    });
}

#[test]
fn a_hosts_allocator_is_asked_for_what_was_promised_and_gets_it_all_back() {
    with_device(|device| {
        let desc = AllocatorCreateDesc {
            instance: device.instance.handle.clone(),
            device: device.handle.clone(),
            physical_device: device.physical_device,
            debug_settings: Default::default(),
            buffer_device_address: false,
            allocation_sizes: Default::default(),
        };
        let allocator = Arc::new(Mutex::new(
            Allocator::new(&desc).expect("there is room for an allocator"),
        ));
        let allocated = || {
            let allocator = allocator.lock().expect("nobody panicked with it");
            allocator.generate_report().total_allocated_bytes
        };
        let host = Host {
            allocator: Some(Arc::clone(&allocator)),
            ..device.host(2)
        };
        let one = Swaying::at(Vec3::ZERO);
        let bodies = [BodyDef::new(&one.avatar)];
        let def = WorldDef {
            bodies: &bodies,
            ..WorldDef::default()
        };
        // SAFETY: the host is an open device's.
        let promised = unsafe { World::requirements(&host, &def) }.expect("the world can be built");
        assert_eq!(allocated(), 0, "asking takes nothing");
        // SAFETY: as above; the world goes before the device.
        let world = unsafe { World::new(&host, &def) }.expect("the world can be built");
        // The allocator counts the gaps that it leaves for alignment.
        let gaps = allocated() - (promised.bytes + promised.staging_bytes);
        assert!(
            gaps < 256 * promised.allocation_count,
            "{gaps} bytes of gaps"
        );
        drop(world);
        assert_eq!(allocated(), 0);
    });
}
