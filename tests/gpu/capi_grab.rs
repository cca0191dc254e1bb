//! Cloth that is dragged, through the C interface.

use std::mem::zeroed;
use std::ptr::null;

use ash::vk;
use glam::Vec3;
use radial_fields::WorldDef;
use radial_fields::capi::*;
use radial_fields::gpu::Memory;

use crate::capi::{fails, works};
use crate::capi_bones::{PARTICLES, buffer, copy_cloth, dressed_tube, record_standing};
use crate::fixture::{Rig, with_device};

fn grab(particle_index: u32, target: Vec3) -> RfGrab {
    RfGrab {
        struct_size: size_of::<RfGrab>() as u32,
        particle_index,
        target: target.to_array(),
        radius: 0.1,
    }
}

/// A step of a world whose body stands still.
unsafe fn record(world: *mut RfWorld, cmd: vk::CommandBuffer, grab: *const RfGrab) -> RfResult {
    // SAFETY: all zero is what null pointers are; the rest is guaranteed by the caller.
    unsafe {
        let step = RfStep { grab, ..zeroed() };
        record_standing(world, cmd, step)
    }
}

#[test]
fn a_particle_goes_where_it_is_dragged() {
    with_device(|device| {
        let mut rig = Rig::new(device, &WorldDef::default());
        let copy = buffer(&rig, 16 * PARTICLES, Memory::Readback);
        const DRAGGED: u32 = 40;
        // SAFETY: pointers are valid; the world goes when the device is idle.
        unsafe {
            let world = dressed_tube(device);
            let mut place_after = |step_count: usize, grab: *const RfGrab| {
                for _ in 0..step_count {
                    rig.frame_with(|_, cmd| {
                        works(record(world, cmd, grab));
                        copy_cloth(device, cmd, world, &copy);
                    });
                }
                device.wait_idle().expect("the device is not lost");
                let places: Vec<[f32; 4]> = copy.read(0, PARTICLES);
                Vec3::from_slice(&places[DRAGGED as usize][..3])
            };
            let before = place_after(1, null());
            let target = before + Vec3::new(0.05, 0.2, 0.0);
            let dragged = place_after(20, &grab(DRAGGED, target));
            assert!(dragged.distance(target) < 0.02, "{dragged} for {target}");
            let freed = place_after(20, null());
            assert!(freed.y < target.y - 0.05, "{freed} is still held");
            // What is no particle drags none.
            let other = place_after(20, &grab(u32::MAX, target));
            assert!(other.distance(target) > 0.05, "{other}");
            let lost = grab(DRAGGED, Vec3::NAN);
            let mut refused = RfResult::Ok;
            rig.frame_with(|_, cmd| refused = record(world, cmd, &raw const lost));
            fails(
                refused,
                RfResult::InvalidArgument,
                "step 0 drags a particle",
            );
            device.wait_idle().expect("the device is not lost");
            rf_world_destroy(world);
        }
    });
}
