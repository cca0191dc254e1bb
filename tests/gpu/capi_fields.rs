//! Fields that are fitted ahead of time, through the C interface.

use std::ptr::{null, null_mut};

use radial_fields::capi::*;
use radial_fields::engine::Device;

use crate::capi::{Tube, fails, host, mesh_of, works};
use crate::fixture::with_device;

/// A tube, `width` times as wide as usual.
fn tube(width: f32) -> *mut RfAvatar {
    let (mut tube, normals, indices) = Tube::new();
    tube.widen(width);
    let (mesh, mut avatar) = (mesh_of(&tube, &normals, &indices), null_mut());
    // SAFETY: the pointers are valid.
    unsafe { works(rf_avatar_from_mesh(&raw const mesh, &raw mut avatar)) };
    avatar
}

fn world(device: &Device) -> *mut RfWorld {
    let (host, mut world) = (host(device), null_mut());
    // SAFETY: the pointers are valid.
    unsafe { works(rf_world_create(&raw const host, null(), &raw mut world)) };
    world
}

/// What is kept in a file.
fn fitted_bytes(avatar: *const RfAvatar) -> Vec<u8> {
    let (mut fields, mut bytes, mut count) = (null_mut(), null(), 0);
    // SAFETY: the pointers are valid; the bytes are copied before the fields go.
    unsafe {
        works(rf_fields_fit(avatar, &raw mut fields));
        works(rf_fields_bytes(fields, &raw mut bytes, &raw mut count));
        let kept = std::slice::from_raw_parts(bytes, count).to_vec();
        rf_fields_destroy(fields);
        kept
    }
}

fn fields_of(bytes: &[u8]) -> *mut RfFields {
    let mut fields = null_mut();
    // SAFETY: the pointers are valid.
    unsafe {
        works(rf_fields_from_bytes(
            bytes.as_ptr(),
            bytes.len(),
            &raw mut fields,
        ));
    }
    fields
}

unsafe fn bytes_held(world: *const RfWorld) -> u64 {
    let mut memory = RfMemory {
        struct_size: size_of::<RfMemory>() as u32,
        allocation_count: 0,
        bytes: 0,
        staging_bytes: 0,
    };
    // SAFETY: guaranteed by the caller.
    unsafe { works(rf_world_memory(world, &raw mut memory)) };
    memory.bytes
}

#[test]
fn fields_out_of_a_file_are_those_that_the_world_would_fit() {
    with_device(|device| {
        let avatar = tube(1.0);
        let bytes = fitted_bytes(avatar);
        assert_eq!(bytes, fitted_bytes(avatar), "the same file each time");
        let fields = fields_of(&bytes);
        let (usual, given) = (world(device), world(device));
        let mut body_ix = 9;
        // SAFETY: the pointers are valid, and worlds go before the device.
        unsafe {
            for _ in 0..2 {
                works(rf_world_add_body(usual, avatar, null_mut()));
                works(rf_world_add_fitted_body(
                    given,
                    avatar,
                    fields,
                    &raw mut body_ix,
                ));
            }
            assert_eq!(body_ix, 1);
            rf_fields_destroy(fields);
            rf_fields_destroy(null_mut());
            rf_avatar_destroy(avatar);
            assert_eq!(bytes_held(usual), bytes_held(given));
            rf_world_destroy(usual);
            rf_world_destroy(given);
        }
    });
}

#[test]
fn fields_of_somebody_else_are_refused_and_nothing_is_added() {
    with_device(|device| {
        let (avatar, other, world) = (tube(1.0), tube(1.01), world(device));
        let fields = fields_of(&fitted_bytes(other));
        // SAFETY: the pointers are null or valid, and the world goes before the device.
        unsafe {
            let (invalid, out) = (RfResult::InvalidArgument, null_mut());
            let refused = rf_world_add_fitted_body(world, avatar, fields, out);
            fails(refused, invalid, "fitted to another skin");
            let none = rf_world_add_fitted_body(world, avatar, null(), out);
            fails(none, invalid, "fields is null");
            let mut first = 0;
            let nobody = rf_world_first_vertex(world, 0, &raw mut first);
            fails(nobody, invalid, "no body 0 of 0");
            rf_fields_destroy(fields);
            rf_world_destroy(world);
            rf_avatar_destroy(avatar);
            rf_avatar_destroy(other);
        }
    });
}

#[test]
fn bytes_that_are_no_fields_are_told_apart_and_refused() {
    let avatar = tube(1.0);
    let bytes = fitted_bytes(avatar);
    let refused = |bytes: &[u8], message: &str| {
        let mut fields = null_mut();
        // SAFETY: the pointers are valid.
        unsafe {
            let result = rf_fields_from_bytes(bytes.as_ptr(), bytes.len(), &raw mut fields);
            fails(result, RfResult::UnusableFile, message);
        }
        assert!(fields.is_null());
    };
    for (byte_ix, message) in [
        (0, "no fields"),
        (4, "another version"),
        (8, "damaged"),
        (16, "damaged"),
        (bytes.len() / 2, "damaged"),
        (bytes.len() - 1, "damaged"),
    ] {
        let mut changed = bytes.clone();
        changed[byte_ix] ^= 4;
        refused(&changed, message);
    }
    refused(&[], "no fields: fit them again with rf_fields_fit");
    refused(&bytes[..15], "no fields");
    refused(&bytes[..bytes.len() - 1], "damaged");
    refused(&[bytes.as_slice(), &[0]].concat(), "damaged");
    // SAFETY: the pointers are null or valid.
    unsafe {
        let (invalid, mut fields) = (RfResult::InvalidArgument, null_mut());
        fails(
            rf_fields_fit(null(), &raw mut fields),
            invalid,
            "avatar is null",
        );
        fails(rf_fields_fit(avatar, null_mut()), invalid, "out is null");
        let (bytes, mut count) = (null_mut(), 0);
        let nothing = rf_fields_bytes(null(), bytes, &raw mut count);
        fails(nothing, invalid, "fields is null");
        rf_avatar_destroy(avatar);
    }
}
