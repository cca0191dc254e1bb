//! The C interface as a caller meets it, mistakes included.

use std::ffi::CStr;
use std::mem::offset_of;
use std::ptr::{null, null_mut};

use ash::vk;
use ash::vk::Handle;
use radial_fields::Technique;
use radial_fields::capi::*;
use radial_fields::cloth::Sleep;

pub use crate::c_host::host;
use crate::capi_bones::dressed_tube;
use crate::fixture::with_device;

fn last_error() -> String {
    // SAFETY: the message is this thread's, and nothing fails meanwhile.
    let message = unsafe { CStr::from_ptr(rf_last_error()) };
    message.to_string_lossy().into_owned()
}

pub fn fails(result: RfResult, expected: RfResult, message: &str) {
    assert_eq!(result, expected, "{}", last_error());
    assert!(last_error().contains(message), "{}", last_error());
}

#[track_caller]
pub fn works(result: RfResult) {
    assert_eq!(result, RfResult::Ok, "{}", last_error());
}

#[test]
fn what_is_wrong_comes_back_as_a_result_with_a_message() {
    with_device(|device| {
        use RfResult::{InvalidArgument, NewerHeader, UnsupportedHost};
        let (good, mut world) = (host(device), null_mut());
        // SAFETY: pointers are null or valid.
        unsafe {
            fails(
                rf_world_create(null(), null(), &raw mut world),
                InvalidArgument,
                "host is null",
            );
            fails(
                rf_world_create(&raw const good, null(), null_mut()),
                InvalidArgument,
                "out is null",
            );
            let bad = RfHost {
                struct_size: 0,
                ..good
            };
            fails(
                rf_world_create(&raw const bad, null(), &raw mut world),
                InvalidArgument,
                "struct_size",
            );
            let bad = RfHost {
                device: vk::Device::null(),
                ..good
            };
            fails(
                rf_world_create(&raw const bad, null(), &raw mut world),
                InvalidArgument,
                "device is null",
            );
            let bad = RfHost {
                physical_device: vk::PhysicalDevice::from_raw(1),
                ..good
            };
            fails(
                rf_world_create(&raw const bad, null(), &raw mut world),
                UnsupportedHost,
                "not one of the instance's",
            );
            let bad = RfHost {
                queue_family_index: 9,
                ..good
            };
            fails(
                rf_world_create(&raw const bad, null(), &raw mut world),
                UnsupportedHost,
                "no queue family 9",
            );
            fails(
                rf_world_create(&raw const good, c"rigid".as_ptr(), &raw mut world),
                InvalidArgument,
                "there are radial, radial_compute",
            );
            let families = [0, 9];
            let bad = RfHost {
                shared_with_count: 2,
                shared_with: families.as_ptr(),
                ..good
            };
            fails(
                rf_world_create(&raw const bad, null(), &raw mut world),
                UnsupportedHost,
                "no queue family 9",
            );
            let longer = [RfHost {
                struct_size: 2 * size_of::<RfHost>() as u32,
                ..good
            }; 2];
            fails(
                rf_world_create(longer.as_ptr(), null(), &raw mut world),
                NewerHeader,
                "more than this version",
            );
            assert!(world.is_null());
        }
    });
}

#[test]
fn characters_and_clothes_that_cannot_be_had_are_refused() {
    with_device(|_| {
        use RfResult::{InvalidArgument, UnusableFile};
        let mut avatar = null_mut();
        // SAFETY: pointers are null or valid.
        unsafe {
            let noise = [1u8, 2, 3];
            fails(
                rf_avatar_from_gltf(noise.as_ptr(), 3, 0.0, &raw mut avatar),
                UnusableFile,
                "",
            );
            works(rf_avatar_mannequin(&raw mut avatar));
            let mut count = 1;
            let mut garments = [null_mut(); 1];
            let too_few = rf_garment_make(avatar, 0, 900, garments.as_mut_ptr(), &raw mut count);
            fails(too_few, InvalidArgument, "2 are needed");
            let unknown = rf_garment_make(avatar, 77, 900, garments.as_mut_ptr(), &raw mut count);
            fails(unknown, InvalidArgument, "kind of garment 77");
            fails(
                rf_avatar_pose(avatar, 9, 0.0, 1.0, null(), null_mut(), 0),
                InvalidArgument,
                "no clip 9",
            );
            rf_avatar_destroy(avatar);
            rf_avatar_destroy(null_mut());
        }
    });
}

/// A tube on two bones, one above the other.
pub struct Tube {
    positions: Vec<f32>,
    joints: Vec<u16>,
    weights: Vec<f32>,
    bind: Vec<f32>,
}

impl Tube {
    /// A tube round +Y: 12 corners on each of 9 rings, 0.1 m across and along.
    pub fn new() -> (Self, Vec<f32>, Vec<u32>) {
        let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        let (mut joints, mut weights) = (Vec::new(), Vec::new());
        for ring in 0..9u32 {
            for corner in 0..12u32 {
                let (sin, cos) = (corner as f32 * std::f32::consts::TAU / 12.0).sin_cos();
                positions.extend([0.1 * cos, 0.1 * ring as f32, 0.1 * sin]);
                normals.extend([cos, 0.0, sin]);
                let upper = ring as f32 / 8.0;
                // Weakest first, and not summing to one: the library sets that right.
                joints.extend([0, 1, 0, 0, 0, 0, 0, 0]);
                weights.extend([
                    2.0 * (1.0 - upper),
                    2.0 * upper,
                    0.0,
                    0.0,
                    0.0,
                    0.0,
                    0.0,
                    0.0,
                ]);
                let (here, next) = (12 * ring + corner, 12 * ring + (corner + 1) % 12);
                if ring > 0 {
                    indices.extend([here, next - 12, here - 12, here, next, next - 12]);
                }
            }
        }
        let at = |y: f32| {
            [
                1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., -y, 0., 1.,
            ]
        };
        let bind = [at(0.0), at(0.4)].concat();
        (
            Self {
                positions,
                joints,
                weights,
                bind,
            },
            normals,
            indices,
        )
    }

    /// Across its axis, by a factor.
    pub fn widen(&mut self, factor: f32) {
        for corner in self.positions.chunks_exact_mut(3) {
            corner[0] *= factor;
            corner[2] *= factor;
        }
    }
}

/// For as long as the lists live.
pub fn mesh_of(tube: &Tube, normals: &[f32], indices: &[u32]) -> RfMesh {
    const PARENTS: [i32; 2] = [-1, 0];
    RfMesh {
        struct_size: size_of::<RfMesh>() as u32,
        vertex_count: 108,
        positions: tube.positions.as_ptr(),
        normals: normals.as_ptr(),
        joints: tube.joints.as_ptr(),
        weights: tube.weights.as_ptr(),
        indices: indices.as_ptr(),
        triangle_count: indices.len() as u32 / 3,
        joint_count: 2,
        bone_from_bind: tube.bind.as_ptr(),
        parents: (const { &PARENTS }).as_ptr(),
        names: null(),
        uvs: null(),
    }
}

/// What a world will take grows with all that it holds.
unsafe fn asks_for_memory(host: &RfHost, avatar: *const RfAvatar, garment: *const RfGarment) {
    let (bodies, garments) = ([avatar; 2], [garment; 2]);
    // SAFETY: guaranteed by the caller; all zero is an empty struct.
    unsafe {
        let mut solid: RfSolid = std::mem::zeroed();
        solid.struct_size = size_of::<RfSolid>() as u32;
        works(rf_solid_default(&raw mut solid));
        let ask = |contents: RfContents, memory: &mut RfMemory| {
            rf_world_requirements(host, null(), &raw const contents, memory)
        };
        let mut memory: RfMemory = std::mem::zeroed();
        memory.struct_size = size_of::<RfMemory>() as u32;
        let mut contents: RfContents = std::mem::zeroed();
        contents.struct_size = size_of::<RfContents>() as u32;
        let more: [fn(&mut RfContents); 6] = [
            |_| (),
            |contents| contents.body_count = 1,
            |contents| contents.garment_count = 1,
            |contents| contents.cloth_contacts = 1,
            |contents| (contents.body_count, contents.garment_count) = (2, 2),
            |contents| contents.solid_count = 1,
        ];
        (contents.bodies, contents.garments) = (bodies.as_ptr(), garments.as_ptr());
        let on = [0, 1];
        contents.garment_bodies = on.as_ptr();
        contents.solids = &raw const solid;
        let mut before = 0;
        for add in more {
            add(&mut contents);
            works(ask(contents, &mut memory));
            assert!(memory.bytes > before && memory.staging_bytes > 0);
            before = memory.bytes;
        }
        let on = [0, 2];
        contents.garment_bodies = on.as_ptr();
        let refused = ask(contents, &mut memory);
        fails(refused, RfResult::InvalidArgument, "there is no body 2");
    }
}

#[test]
fn a_hosts_own_mesh_is_dressed_and_handles_go_in_any_order() {
    with_device(|device| {
        let (tube, normals, indices) = Tube::new();
        let mesh = mesh_of(&tube, &normals, &indices);
        let good = host(device);
        // SAFETY: pointers are valid, and the world goes before the device.
        unsafe {
            let (mut avatar, mut world, mut garment, mut count) =
                (null_mut(), null_mut(), null_mut(), 1);
            let bad = RfMesh {
                parents: [0, 0].as_ptr(),
                ..mesh
            };
            let refused = rf_avatar_from_mesh(&raw const bad, &raw mut avatar);
            fails(
                refused,
                RfResult::InvalidArgument,
                "does not come before it",
            );
            works(rf_avatar_from_mesh(&raw const mesh, &raw mut avatar));
            let sheet = RfGarmentKind::Sheet as u32;
            works(rf_garment_make(
                avatar,
                sheet,
                300,
                &raw mut garment,
                &raw mut count,
            ));
            asks_for_memory(&good, avatar, garment);
            works(rf_world_create(&raw const good, null(), &raw mut world));
            works(rf_world_add_body(world, avatar, null_mut()));
            let mut ix = 7;
            works(rf_world_add_garment(world, garment, 0, null(), &raw mut ix));
            assert_eq!(ix, 0);
            rf_avatar_destroy(avatar);
            rf_garment_destroy(garment);
            fails(
                rf_world_remove_body(world, 1),
                RfResult::InvalidArgument,
                "no body 1",
            );
            let step = RfStep {
                struct_size: size_of::<RfStep>() as u32,
                body_count: 0,
                bodies: null(),
                solid_count: 0,
                reserved: 0,
                solids: null(),
                grab: null(),
            };
            let wrong = rf_world_record(
                world,
                vk::CommandBuffer::from_raw(8),
                &raw const step,
                1,
                0.1,
            );
            fails(
                wrong,
                RfResult::InvalidArgument,
                "poses 0 bodies; the world has 1",
            );
            let nowhere = rf_world_record(world, vk::CommandBuffer::null(), null(), 0, 0.1);
            fails(nowhere, RfResult::InvalidArgument, "command buffer is null");
            asks_for_times(world);
            rf_world_destroy(world);
        }
    });
}

#[test]
fn the_solvers_settings_are_those_that_were_set() {
    with_device(|device| {
        let (host, mut world) = (host(device), null_mut());
        // SAFETY: pointers are valid, and the world is destroyed once.
        unsafe {
            works(rf_world_create(&raw const host, null(), &raw mut world));
            let mut settings: RfClothSettings = std::mem::zeroed();
            settings.struct_size = size_of::<RfClothSettings>() as u32;
            works(rf_world_cloth_settings(world, &raw mut settings));
            assert_eq!((settings.sub_steps, settings.collision_stride), (8, 2));
            assert!(settings.sleep_seconds < 0.0, "nothing sleeps");
            (settings.sub_steps, settings.collision_stride) = (12, 3);
            (settings.sleep_seconds, settings.sleep_motion) = (0.25, 0.002);
            works(rf_world_set_cloth_settings(world, &raw const settings));
            // What a caller's header does not have yet stays as it is.
            settings.sub_steps = 10;
            settings.struct_size = offset_of!(RfClothSettings, collision_stride) as u32;
            works(rf_world_set_cloth_settings(world, &raw const settings));
            settings.struct_size = size_of::<RfClothSettings>() as u32;
            works(rf_world_cloth_settings(world, &raw mut settings));
            assert_eq!((settings.sub_steps, settings.collision_stride), (10, 3));
            let sleep = (
                settings.sleep_seconds,
                settings.sleep_motion,
                settings.sleep_speed,
            );
            assert_eq!(sleep, (0.25, 0.002, Sleep::default().speed));
            settings.sleep_seconds = -1.0;
            works(rf_world_set_cloth_settings(world, &raw const settings));
            works(rf_world_cloth_settings(world, &raw mut settings));
            assert!(settings.sleep_seconds < 0.0, "nothing sleeps any more");
            rf_world_destroy(world);
        }
    });
}

/// What would divide by zero, or keep the device busy for ever, is refused where it is set, and nothing changes.
#[test]
fn settings_that_no_step_can_be_made_with_come_back_with_their_names() {
    with_device(|device| {
        // SAFETY: pointers are valid, and the world is destroyed once.
        unsafe {
            let world = dressed_tube(device);
            let mut cloth: RfClothSettings = std::mem::zeroed();
            cloth.struct_size = size_of::<RfClothSettings>() as u32;
            works(rf_world_cloth_settings(world, &raw mut cloth));
            let good = cloth;
            let refuse = |cloth: RfClothSettings, message| {
                let refused = rf_world_set_cloth_settings(world, &raw const cloth);
                fails(refused, RfResult::InvalidArgument, message);
            };
            let sweeps = u32::MAX;
            refuse(RfClothSettings { sweeps, ..good }, "cloth.sweeps is");
            let collision_stride = 99;
            refuse(
                RfClothSettings {
                    sub_steps: 4,
                    collision_stride,
                    ..good
                },
                "collide.stride is 99: give 1 to 16",
            );
            works(rf_world_cloth_settings(world, &raw mut cloth));
            assert_eq!(
                (cloth.sub_steps, cloth.collision_stride),
                (good.sub_steps, good.collision_stride)
            );
            let mut garment: RfGarmentSettings = std::mem::zeroed();
            garment.struct_size = size_of::<RfGarmentSettings>() as u32;
            let refused = rf_world_set_garment_settings(world, 0, &raw const garment);
            fails(refused, RfResult::InvalidArgument, "density is 0");
            works(rf_garment_settings_default(&raw mut garment));
            garment.density = 0.375;
            works(rf_world_set_garment_settings(world, 0, &raw const garment));
            garment.density = 0.0;
            works(rf_world_garment_settings(world, 0, &raw mut garment));
            assert_eq!(garment.density, 0.375);
            let refused = rf_world_garment_settings(world, 1, &raw mut garment);
            fails(refused, RfResult::InvalidArgument, "no garment 1 of 1");
            rf_world_destroy(world);
            let (mut avatar, mut made, mut count) = (null_mut(), null_mut(), 1);
            works(rf_avatar_mannequin(&raw mut avatar));
            let sheet = RfGarmentKind::Sheet as u32;
            let refused = rf_garment_make(avatar, sheet, u32::MAX, &raw mut made, &raw mut count);
            fails(refused, RfResult::InvalidArgument, "give at most 500000");
            rf_avatar_destroy(avatar);
        }
    });
}

#[test]
fn a_hosts_own_garment_is_worn() {
    with_device(|device| {
        let (tube, normals, indices) = Tube::new();
        let mesh = mesh_of(&tube, &normals, &indices);
        let good = host(device);
        let hold = |particle_index| RfAttachment {
            particle_index,
            compliance: 0.01,
        };
        // SAFETY: pointers are valid, and the world goes before the device.
        unsafe {
            let (mut avatar, mut world, mut garment) = (null_mut(), null_mut(), null_mut());
            works(rf_avatar_from_mesh(&raw const mesh, &raw mut avatar));
            works(rf_world_create(&raw const good, null(), &raw mut world));
            works(rf_world_add_body(world, avatar, null_mut()));
            let make = |hold: &[RfAttachment], garment| {
                works(rf_garment_from_mesh(
                    &raw const mesh,
                    hold.as_ptr(),
                    hold.len(),
                    garment,
                ));
            };
            make(&[hold(108)], &raw mut garment);
            let refused = rf_world_add_garment(world, garment, 0, null(), null_mut());
            fails(
                refused,
                RfResult::InvalidArgument,
                "holds a particle that does not exist",
            );
            rf_garment_destroy(garment);
            make(&[hold(0), hold(107)], &raw mut garment);
            let mut info = RfGarmentInfo {
                struct_size: size_of::<RfGarmentInfo>() as u32,
                particle_count: 0,
                triangle_count: 0,
                base_colour: [0.0; 4],
            };
            works(rf_garment_info(garment, &raw mut info));
            assert_eq!(
                (info.particle_count, info.triangle_count),
                (108, mesh.triangle_count)
            );
            works(rf_world_add_garment(world, garment, 0, null(), null_mut()));
            rf_garment_destroy(garment);
            rf_avatar_destroy(avatar);
            rf_world_destroy(world);
        }
    });
}

/// In queries that are too few, which are for one frame alone.
unsafe fn asks_for_times(world: *mut RfWorld) {
    let (mut needed, cmd) = (0, vk::CommandBuffer::from_raw(8));
    // SAFETY: the caller's promise; nothing is recorded.
    unsafe {
        works(rf_world_queries_needed(world, 0, &raw mut needed));
        let pool = vk::QueryPool::from_raw(8);
        works(rf_world_time_into(world, pool, 0, needed - 1));
        let untimed = rf_world_record(world, cmd, null(), 0, 0.1);
        fails(untimed, RfResult::InvalidArgument, "queries for timestamps");
        let no_span = rf_world_timed_stage(world, 0, &raw mut needed);
        fails(no_span, RfResult::InvalidArgument, "no timed span 0 of 0");
    }
}

#[test]
fn a_host_of_the_first_header_shares_with_nobody() {
    with_device(|device| {
        let first = RfHost {
            struct_size: std::mem::offset_of!(RfHost, shared_with_count) as u32,
            // What lies behind the struct in the caller's memory.
            shared_with_count: 9,
            ..host(device)
        };
        let mut world = null_mut();
        // SAFETY: the struct is as long as it says, and the world goes before the device.
        unsafe {
            works(rf_world_create(&raw const first, null(), &raw mut world));
            rf_world_destroy(world);
        }
    });
}

#[test]
fn techniques_have_the_names_that_they_go_by() {
    let names = (0..).map_while(|ix| {
        let name = rf_technique_name(ix);
        // SAFETY: names live as long as the library.
        (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) })
    });
    let known = Technique::ALL.map(|technique| technique.name());
    assert!(
        names
            .map(|name| name.to_string_lossy().into_owned())
            .eq(known)
    );
}
