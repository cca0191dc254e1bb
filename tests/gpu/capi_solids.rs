//! Rigid solids through the C interface.

use std::mem::zeroed;
use std::ptr::{null, null_mut};

use ash::vk;
use glam::{Mat4, Vec3};
use radial_fields::WorldDef;
use radial_fields::capi::*;
use radial_fields::engine::Device;
use radial_fields::gpu::{Buffer, Memory};

use crate::capi::{fails, works};
use crate::capi_bones::{PARTICLES, buffer, copy_cloth, dressed_tube, record_standing};
use crate::fixture::{Rig, with_device};

/// A ball of that radius there.
fn ball(radius: f32, at: Vec3) -> RfSolid {
    // SAFETY: all zero is a struct that is to be filled.
    unsafe {
        let mut solid: RfSolid = zeroed();
        solid.struct_size = size_of::<RfSolid>() as u32;
        works(rf_solid_default(&raw mut solid));
        solid.size[0] = radius;
        solid.world_from_solid = Mat4::from_translation(at).to_cols_array();
        solid
    }
}

fn moved(at: Vec3) -> RfSolidStep {
    RfSolidStep {
        struct_size: size_of::<RfSolidStep>() as u32,
        is_teleported: 0,
        world_from_solid: Mat4::from_translation(at).to_cols_array(),
    }
}

/// Some solids in one step of a world whose body stands still.
unsafe fn record(world: *mut RfWorld, cmd: vk::CommandBuffer, solids: &[RfSolidStep]) -> RfResult {
    // SAFETY: all zero is what null pointers are; the rest is guaranteed by the caller.
    unsafe {
        let step = RfStep {
            solid_count: solids.len() as u32,
            solids: solids.as_ptr(),
            ..zeroed()
        };
        record_standing(world, cmd, step)
    }
}

/// A world among others, and what is read of its cloth.
struct Watched<'a> {
    device: &'a Device,
    rig: Rig,
    copy: Buffer,
    world: *mut RfWorld,
}

impl Watched<'_> {
    /// How many particles are within some distance of a point after a step with such solids.
    unsafe fn near(&mut self, solids: &[RfSolidStep], middle: Vec3, within: f32) -> usize {
        let (device, world, copy) = (self.device, self.world, &self.copy);
        // SAFETY: guaranteed by the caller.
        self.rig.frame_with(|_, cmd| unsafe {
            works(record(world, cmd, solids));
            copy_cloth(device, cmd, world, copy);
        });
        self.device.wait_idle().expect("the device is not lost");
        let places: Vec<[f32; 4]> = self.copy.read(0, PARTICLES);
        let near = |place: &&[f32; 4]| Vec3::from_slice(&place[..3]).distance(middle) < within;
        places.iter().filter(near).count()
    }
}

#[test]
fn solids_are_added_moved_changed_and_taken_away() {
    with_device(|device| {
        let rig = Rig::new(device, &WorldDef::default());
        let copy = buffer(&rig, 16 * PARTICLES, Memory::Readback);
        // SAFETY: pointers are valid; the world goes when the device is idle.
        unsafe {
            let world = dressed_tube(device);
            let mut watched = Watched {
                device,
                rig,
                copy,
                world,
            };
            // The sheet's middle lies over the tube's upper end.
            let (middle, far) = (Vec3::Y * 0.85, Vec3::X * 50.0);
            assert!(watched.near(&[], middle, 0.3) > 0, "the sheet is elsewhere");
            let mut ix = 7;
            works(rf_world_add_solid(world, &ball(0.1, far), null_mut()));
            works(rf_world_add_solid(world, &ball(0.3, middle), &raw mut ix));
            assert_eq!(ix, 1);
            assert_eq!(watched.near(&[], middle, 0.299), 0);
            // A larger one, and then it moves up, and takes the cloth along.
            works(rf_world_set_solid(world, 1, &ball(0.35, middle)));
            assert_eq!(watched.near(&[], middle, 0.349), 0);
            let up = middle + 0.1 * Vec3::Y;
            assert_eq!(watched.near(&[moved(far), moved(up)], up, 0.349), 0);
            works(rf_world_remove_solid(world, 0));
            assert_eq!(watched.near(&[moved(up)], up, 0.349), 0);
            works(rf_world_remove_solid(world, 0));
            rf_world_destroy(world);
        }
    });
}

#[test]
fn meshes_become_fields_that_outlive_their_handles() {
    with_device(|device| {
        let rig = Rig::new(device, &WorldDef::default());
        let copy = buffer(&rig, 16 * PARTICLES, Memory::Readback);
        // An octahedron.
        let corners = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| [0.3 * axis, -0.3 * axis]);
        let positions: Vec<f32> = corners
            .as_flattened()
            .iter()
            .flat_map(Vec3::to_array)
            .collect();
        let upper = [[0, 2, 4], [4, 2, 1], [1, 2, 5], [5, 2, 0u32]];
        let lower = [[4, 3, 0], [1, 3, 4], [5, 3, 1], [0, 3, 5u32]];
        let indices = [upper, lower].concat().concat();
        let (positions, indices) = (positions.as_ptr(), indices.as_ptr());
        // SAFETY: pointers are valid; the world goes when the device is idle.
        unsafe {
            let mut field = null_mut();
            let make = |cell_size, field| {
                rf_solid_field_from_mesh(positions, 6, indices, 8, cell_size, field)
            };
            let refused = make(0.0, &raw mut field);
            fails(refused, RfResult::InvalidArgument, "cells of 0 m");
            works(make(0.02, &raw mut field));
            let world = dressed_tube(device);
            let mut watched = Watched {
                device,
                rig,
                copy,
                world,
            };
            let middle = Vec3::Y * 0.85;
            assert!(
                watched.near(&[], middle, 0.15) > 0,
                "the sheet is elsewhere"
            );
            let solid = RfSolid {
                shape: RfSolidShape::Field as u32,
                field,
                ..ball(0.1, middle)
            };
            works(rf_world_add_solid(world, &raw const solid, null_mut()));
            rf_solid_field_destroy(field);
            // A face is 0.3 / sqrt(3) m away.
            assert_eq!(watched.near(&[], middle, 0.17), 0);
            rf_world_destroy(world);
        }
    });
}

#[test]
fn solids_that_are_none_come_back_as_results_with_messages() {
    use RfResult::InvalidArgument;
    with_device(|device| {
        let good = ball(0.1, Vec3::X);
        let cases = [
            (RfSolid { shape: 9, ..good }, "no shape 9"),
            (ball(-0.1, Vec3::X), "a length of -0.1 m"),
            (ball(0.1, Vec3::NAN), "its place is no finite matrix"),
            (RfSolid { shape: 5, ..good }, "field is null"),
            (
                RfSolid {
                    friction: f32::NAN,
                    ..good
                },
                "a friction of NaN",
            ),
            (
                RfSolid {
                    restitution: 2.0,
                    ..good
                },
                "a restitution of 2",
            ),
            (
                RfSolid {
                    struct_size: 4,
                    ..good
                },
                "struct_size is 4",
            ),
        ];
        // SAFETY: pointers are null or valid, and the world goes before the device.
        unsafe {
            let world = dressed_tube(device);
            for (bad, message) in &cases {
                let refused = rf_world_add_solid(world, bad, null_mut());
                fails(refused, InvalidArgument, message);
            }
            let refused = rf_world_add_solid(world, null(), null_mut());
            fails(refused, InvalidArgument, "solid is null");
            for refused in [
                rf_world_set_solid(world, 0, &raw const good),
                rf_world_remove_solid(world, 0),
            ] {
                fails(refused, InvalidArgument, "there is no solid 0");
            }
            let cmd = <vk::CommandBuffer as vk::Handle>::from_raw(8);
            let refused = record(world, cmd, &[moved(Vec3::X)]);
            fails(
                refused,
                InvalidArgument,
                "step 0 moves 1 solids; the world has 0",
            );
            rf_world_destroy(world);
        }
    });
}
