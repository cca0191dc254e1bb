//! Many changes of a world at once, through the C interface.

use std::mem::zeroed;
use std::ptr::{null, null_mut};

use radial_fields::capi::*;

use crate::capi::{Tube, fails, host, mesh_of, works};
use crate::fixture::with_device;

const BODIES: u32 = 6;

/// Held now, bytes.
unsafe fn memory_of(world: *const RfWorld) -> u64 {
    // SAFETY: guaranteed by the caller; all zero is an empty struct.
    unsafe {
        let mut memory: RfMemory = zeroed();
        memory.struct_size = size_of::<RfMemory>() as u32;
        works(rf_world_memory(world, &raw mut memory));
        memory.bytes
    }
}

unsafe fn settings_of(world: *const RfWorld, garment_index: u32) -> RfGarmentSettings {
    // SAFETY: as above.
    unsafe {
        let mut settings: RfGarmentSettings = zeroed();
        settings.struct_size = size_of::<RfGarmentSettings>() as u32;
        works(rf_world_garment_settings(
            world,
            garment_index,
            &raw mut settings,
        ));
        settings
    }
}

unsafe fn add_all(world: *mut RfWorld, avatar: *const RfAvatar, garment: *const RfGarment) {
    for wanted in 0..BODIES {
        let mut body = 99;
        // SAFETY: guaranteed by the caller.
        unsafe {
            works(rf_world_add_body(world, avatar, &raw mut body));
            works(rf_world_add_garment(
                world,
                garment,
                body,
                null(),
                null_mut(),
            ));
        }
        assert_eq!(body, wanted);
    }
}

#[test]
fn what_is_changed_in_an_edit_takes_its_memory_once_and_all_or_nothing() {
    with_device(|device| {
        let (tube, normals, indices) = Tube::new();
        let (mesh, good) = (mesh_of(&tube, &normals, &indices), host(device));
        let (mut avatar, mut garment) = (null_mut(), null_mut());
        let [mut slowly, mut at_once] = [null_mut(); 2];
        // SAFETY: pointers are valid, and all is given back once.
        unsafe {
            works(rf_avatar_from_mesh(&raw const mesh, &raw mut avatar));
            works(rf_garment_from_mesh(
                &raw const mesh,
                null(),
                0,
                &raw mut garment,
            ));
            for world in [&mut slowly, &mut at_once] {
                works(rf_world_create(&raw const good, null(), world));
            }
            let empty = memory_of(at_once);
            add_all(slowly, avatar, garment);
            works(rf_world_begin_edit(at_once));
            let again = rf_world_begin_edit(at_once);
            fails(again, RfResult::InvalidArgument, "has begun already");
            add_all(at_once, avatar, garment);
            let nobody = rf_world_add_garment(at_once, garment, BODIES, null(), null_mut());
            fails(nobody, RfResult::InvalidArgument, "no body 6");
            works(rf_world_remove_body(at_once, 0));
            assert_eq!(memory_of(at_once), empty, "nothing is made yet");
            works(rf_world_end_edit(at_once));
            let (one_by_one, together) = (memory_of(slowly), memory_of(at_once));
            println!("{one_by_one} bytes one by one, {together} at once");
            assert!(2 * together < one_by_one);
            let none = rf_world_end_edit(at_once);
            fails(none, RfResult::InvalidArgument, "no edit has begun");
            let mut first = 0;
            works(rf_world_first_vertex(at_once, BODIES - 2, &raw mut first));
            let gone = rf_world_first_vertex(at_once, BODIES - 1, &raw mut first);
            fails(gone, RfResult::InvalidArgument, "no body 5");

            // What is set meanwhile stays.
            works(rf_world_begin_edit(at_once));
            works(rf_world_add_garment(
                at_once,
                garment,
                0,
                null(),
                null_mut(),
            ));
            let mut settings = settings_of(at_once, 1);
            settings.density = 0.375;
            works(rf_world_set_garment_settings(
                at_once,
                1,
                &raw const settings,
            ));
            works(rf_world_end_edit(at_once));
            assert_eq!(settings_of(at_once, 1).density, 0.375);
            settings_of(at_once, BODIES - 1);

            rf_world_destroy(slowly);
            rf_world_destroy(at_once);
            rf_garment_destroy(garment);
            rf_avatar_destroy(avatar);
        }
    });
}
