//! Bones on the device, through the C interface.

use std::mem::zeroed;
use std::ptr::{null, null_mut};

use ash::vk;
use glam::{Mat4, Vec3};
use radial_fields::WorldDef;
use radial_fields::capi::*;
use radial_fields::engine::Device;
use radial_fields::gpu::{Buffer, BufferDesc, Memory};

use crate::capi::{Tube, fails, host, mesh_of, works};
use crate::fixture::{Rig, with_device};

const STEPS: usize = 5;
/// Of the two bones of a step.
const BONES_BYTES: usize = 128;
/// Of the cloth that are compared: fewer than it has.
pub const PARTICLES: usize = 100;

/// Two bones, the upper one turning, in the given step.
pub fn bones_at(step: usize) -> Vec<f32> {
    let along = 0.02 * step as f32;
    let turn = Mat4::from_rotation_z(0.1 * step as f32);
    let bones = [
        Mat4::from_translation(Vec3::X * along),
        Mat4::from_translation(Vec3::new(along, 0.4, 0.0)) * turn,
    ];
    bones.iter().flat_map(|bone| bone.to_cols_array()).collect()
}

pub fn buffer(rig: &Rig, bytes: usize, memory: Memory) -> Buffer {
    let desc = BufferDesc {
        label: "a buffer of the host's",
        bytes: bytes as u64,
        memory,
    };
    Buffer::new(rig.world.gpu(), &desc).expect("there is room")
}

unsafe fn record(world: *mut RfWorld, cmd: vk::CommandBuffer, body: &RfBodyStep) -> RfResult {
    let step = RfStep {
        struct_size: size_of::<RfStep>() as u32,
        body_count: 1,
        bodies: body,
        solid_count: 0,
        reserved: 0,
        solids: null(),
        grab: null(),
    };
    // SAFETY: guaranteed by the caller.
    unsafe { rf_world_record(world, cmd, &raw const step, 1, 1.0 / 60.0) }
}

/// A step with what is in it besides, of a world whose body stands still.
pub unsafe fn record_standing(
    world: *mut RfWorld,
    cmd: vk::CommandBuffer,
    step: RfStep,
) -> RfResult {
    let bones = bones_at(0);
    // SAFETY: all zero is what null handles and pointers are; the rest is guaranteed by the caller.
    unsafe {
        let mut body: RfBodyStep = zeroed();
        body.struct_size = size_of::<RfBodyStep>() as u32;
        body.joint_count = 2;
        body.world_from_bone = bones.as_ptr();
        let step = RfStep {
            struct_size: size_of::<RfStep>() as u32,
            body_count: 1,
            bodies: &raw const body,
            ..step
        };
        rf_world_record(world, cmd, &raw const step, 1, 1.0 / 60.0)
    }
}

/// A tube under a sheet.
pub unsafe fn dressed_tube(device: &Device) -> *mut RfWorld {
    let (tube, normals, indices) = Tube::new();
    let (mesh, host) = (mesh_of(&tube, &normals, &indices), host(device));
    let (mut avatar, mut garment, mut world, mut count) = (null_mut(), null_mut(), null_mut(), 1);
    let sheet = RfGarmentKind::Sheet as u32;
    // SAFETY: the pointers are valid; the caller destroys the world.
    unsafe {
        works(rf_avatar_from_mesh(&raw const mesh, &raw mut avatar));
        let (garments, count) = (&raw mut garment, &raw mut count);
        works(rf_garment_make(avatar, sheet, 200, garments, count));
        works(rf_world_create(&raw const host, null(), &raw mut world));
        works(rf_world_add_body(world, avatar, null_mut()));
        works(rf_world_add_garment(world, garment, 0, null(), null_mut()));
        rf_garment_destroy(garment);
        rf_avatar_destroy(avatar);
    }
    world
}

/// The cloth of a world, copied behind what was recorded.
pub unsafe fn copy_cloth(
    device: &Device,
    cmd: vk::CommandBuffer,
    world: *mut RfWorld,
    to: &Buffer,
) {
    // SAFETY: all zero is what null handles are; the rest is guaranteed by the caller.
    unsafe {
        let mut buffers: RfBuffers = zeroed();
        buffers.struct_size = size_of::<RfBuffers>() as u32;
        works(rf_world_buffers(world, &raw mut buffers));
        assert!(buffers.particle_count as usize > PARTICLES);
        let region = vk::BufferCopy::default().size(to.bytes());
        let from = buffers.cloth_positions;
        let device = &device.handle;
        device.cmd_copy_buffer(cmd, from, to.handle(), &[region]);
    }
}

unsafe fn bounds(world: *const RfWorld) -> [[f32; 3]; 2] {
    let [mut low, mut high] = [[0.0; 3]; 2];
    // SAFETY: guaranteed by the caller.
    unsafe {
        let (low, high) = (low.as_mut_ptr(), high.as_mut_ptr());
        works(rf_world_bounds(world, low, high));
    }
    [low, high]
}

/// The same bones in memory and on the device, in one step of a world each.
unsafe fn step(
    cmd: vk::CommandBuffer,
    [ours, theirs]: [*mut RfWorld; 2],
    given: &[f32],
    bones: vk::Buffer,
    offset: usize,
) {
    // SAFETY: all zero is what null handles and pointers are; the rest is guaranteed by the caller.
    unsafe {
        let mut body: RfBodyStep = zeroed();
        body.struct_size = size_of::<RfBodyStep>() as u32;
        body.joint_count = 2;
        let world_from_bone = given.as_ptr();
        let in_memory = RfBodyStep {
            world_from_bone,
            ..body
        };
        let on_device = RfBodyStep {
            bones,
            bones_offset: offset as u64,
            bones_bytes: BONES_BYTES as u64,
            bones_stride: 64,
            ..body
        };
        let mut wrong = on_device;
        wrong.joint_count = 1;
        let refused = record(theirs, cmd, &wrong);
        fails(refused, RfResult::InvalidArgument, "2 joints");
        wrong = on_device;
        wrong.bones_bytes -= 1;
        let refused = record(theirs, cmd, &wrong);
        fails(refused, RfResult::InvalidArgument, "need 128");
        wrong = on_device;
        wrong.detail = 4;
        let refused = record(theirs, cmd, &wrong);
        fails(refused, RfResult::InvalidArgument, "4 is no RfDetail");
        works(record(ours, cmd, &in_memory));
        works(record(theirs, cmd, &on_device));
    }
}

#[test]
fn bones_on_the_device_move_a_world_as_those_in_memory_do() {
    with_device(|device| {
        let mut rig = Rig::new(device, &WorldDef::default());
        let mut bones = buffer(&rig, STEPS * BONES_BYTES, Memory::Shared);
        let copies = [(); 2].map(|()| buffer(&rig, 16 * PARTICLES, Memory::Readback));
        // SAFETY: command buffers are submitted once and in order, and waited for; so the worlds go when the device is idle.
        unsafe {
            let worlds = [(); 2].map(|()| dressed_tube(device));
            for step_ix in 0..STEPS {
                let (given, offset) = (bones_at(step_ix), step_ix * BONES_BYTES);
                bones.write(offset as u64, &given);
                rig.frame_with(|_, cmd| {
                    step(cmd, worlds, &given, bones.handle(), offset);
                    for (&world, copy) in worlds.iter().zip(&copies) {
                        copy_cloth(device, cmd, world, copy);
                    }
                });
                device.wait_idle().expect("the device is not lost");
            }
            let [ours, theirs] = copies
                .each_ref()
                .map(|copy| copy.read::<u32>(0, 4 * PARTICLES));
            assert!(ours == theirs && ours.iter().any(|&word| word != 0));
            let [low, high] = bounds(worlds[0]);
            assert!(low.iter().zip(high).all(|(low, high)| *low < high));
            assert_eq!(
                bounds(worlds[1]),
                [[0.0; 3]; 2],
                "nobody here saw the bones"
            );
            worlds.into_iter().for_each(|world| rf_world_destroy(world));
        }
    });
}

/// What lies behind the struct of an older header is not looked at.
#[test]
fn a_body_of_the_first_header_has_its_bones_in_memory() {
    with_device(|device| {
        let mut rig = Rig::new(device, &WorldDef::default());
        let given = bones_at(1);
        // SAFETY: the struct is as long as it says; the world goes when the device is idle.
        unsafe {
            let world = dressed_tube(device);
            let mut body: RfBodyStep = zeroed();
            body.struct_size = std::mem::offset_of!(RfBodyStep, bones) as u32;
            body.joint_count = 2;
            body.world_from_bone = given.as_ptr();
            body.bones_stride = 9;
            rig.frame_with(|_, cmd| works(record(world, cmd, &body)));
            device.wait_idle().expect("the device is not lost");
            rf_world_destroy(world);
        }
    });
}
