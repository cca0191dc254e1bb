//! Once it runs, a frame takes no memory: neither of the host nor of the device.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::collide::spatial_hash::SpatialHashDef;
use radial_fields::gpu::{Buffer, BufferDesc, Memory};
use radial_fields::pose::Palette;
use radial_fields::{
    BodyDef, BodyStep, FrameInput, GarmentDef, HostBones, StepInput, Technique, WorldDef,
};

#[cfg(feature = "capi")]
#[path = "gpu/c_host.rs"]
mod c_host;
#[path = "gpu/compile_once.rs"]
mod compile_once;
#[path = "gpu/figures.rs"]
#[expect(dead_code, reason = "each test binary uses its own part")]
mod figures;
#[path = "gpu/fitted.rs"]
mod fitted;
#[path = "gpu/fixture.rs"]
#[expect(dead_code, reason = "each test binary uses its own part")]
mod fixture;

use figures::{bent, column, hang, sheet};
use fixture::{Rig, STEP_SECONDS, open_bare_device, with_device};
use radial_fields::engine::Device;

thread_local! {
    /// Allocations of this thread while it is watched. Drivers and test runner have threads of their own.
    static COUNT: Cell<Option<u32>> = const { Cell::new(None) };
}

struct Counting;

// SAFETY: everything is handed to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: guaranteed by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        count();
        // SAFETY: guaranteed by the caller.
        unsafe { System.realloc(pointer, layout, bytes) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count() {
    // A thread that ends has no counter any more.
    let _ = COUNT.try_with(|count| count.set(count.get().map(|n| n + 1)));
}

/// How often `work` allocates on this thread.
fn allocations(work: impl FnOnce()) -> u32 {
    COUNT.set(Some(0));
    work();
    COUNT.take().unwrap_or_default()
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(7)))), 1);
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1; 9]))), 1);
    assert_eq!(allocations(|| ()), 0);
}

/// Records a frame and returns how often that allocated.
fn record(rig: &mut Rig, bodies: &[BodyStep], step_count: usize) -> u32 {
    let step = StepInput {
        bodies,
        ..Default::default()
    };
    let input = FrameInput {
        steps: &[step; 4][..step_count],
        step_seconds: STEP_SECONDS,
    };
    let mut count = 0;
    rig.frame_with(|world, cmd| {
        // SAFETY: the rig's frames hand out command buffers whose earlier use is over, and submit them in order.
        count = allocations(|| unsafe {
            world.record(cmd, &input).expect("the input fits the world");
        });
    });
    count
}

#[test]
fn frames_take_no_memory_once_the_world_runs() {
    with_device(|device| {
        for technique in Technique::ALL {
            frames_take_no_memory(device, technique);
        }
    });
}

#[test]
fn frames_take_no_memory_without_push_descriptors_either() {
    with_device(|_| {
        let bare = open_bare_device().expect("the device can be opened twice");
        for technique in [Technique::Radial, Technique::RadialCompute] {
            frames_take_no_memory(&bare, technique);
        }
    });
}

/// The bones of a palette in a buffer of the host's.
struct Bones {
    buffer: Buffer,
    bytes: u64,
}

impl Bones {
    fn new(rig: &Rig, palette: &Palette) -> Self {
        let bytes = size_of_val(palette.world_from_bone.as_slice()) as u64;
        let desc = BufferDesc {
            label: "the host's bones",
            bytes,
            memory: Memory::Shared,
        };
        let mut buffer = Buffer::new(rig.world.gpu(), &desc).expect("there is room");
        buffer.write(0, &palette.world_from_bone);
        Self { buffer, bytes }
    }

    fn all(&self) -> HostBones {
        HostBones {
            buffer: self.buffer.handle(),
            offset: 0,
            bytes: self.bytes,
            stride: size_of::<Mat4>() as u64,
        }
    }
}

fn frames_take_no_memory(device: &Arc<Device>, technique: Technique) {
    let avatar = column(3);
    let garment = hang(sheet(13, 11, 0.03, Vec3::Y), 13);
    let bodies = [BodyDef::new(&avatar); 2];
    let garments = [GarmentDef::new(&garment, 1)];
    let def = WorldDef {
        bodies: &bodies,
        garments: &garments,
        technique,
        spatial_hash: SpatialHashDef {
            entry_count: 10_007,
            ..SpatialHashDef::default()
        },
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    let palette = bent(&avatar, Quat::from_rotation_x(0.1), Mat4::IDENTITY);
    let bones = Bones::new(&rig, &palette);
    let bodies = [BodyStep::moved(&palette), BodyStep::moved(bones.all())];
    let mut warm_memory = None;
    for frame_ix in 0..30 {
        // Frames of 0 to 4 steps.
        let count = record(&mut rig, &bodies, frame_ix % 5);
        if frame_ix < 10 {
            continue;
        }
        let memory = rig.world.memory_use();
        assert_eq!(
            count, 0,
            "{technique:?}: frame {frame_ix} allocates on the host"
        );
        assert_eq!(
            *warm_memory.get_or_insert(memory.allocation_count),
            memory.allocation_count
        );
    }
    device.wait_idle().expect("the device is not lost"); // The bones go first.
}

#[cfg(feature = "capi")]
mod c_interface {
    use std::mem::zeroed;
    use std::ptr::{null, null_mut};

    use glam::Mat4;
    use radial_fields::WorldDef;
    use radial_fields::capi::*;
    use radial_fields::engine::Device;

    use super::fixture::{Rig, with_device};
    use super::{allocations, c_host};

    #[test]
    fn frames_of_the_c_interface_take_no_memory_either() {
        with_device(|device| {
            // SAFETY: pointers are null or valid, all zero is what null handles are, and the world goes when the device is idle.
            unsafe {
                let mut rig = Rig::new(device, &WorldDef::default());
                let (world, joint_count) = c_world(device);
                let bones = vec![Mat4::IDENTITY; joint_count as usize];
                let mut body: RfBodyStep = zeroed();
                body.struct_size = size_of::<RfBodyStep>() as u32;
                body.joint_count = joint_count;
                body.world_from_bone = bones.as_ptr().cast();
                let bodies = [body; 2];
                let mut solid: RfSolidStep = zeroed();
                solid.struct_size = size_of::<RfSolidStep>() as u32;
                solid.world_from_solid = Mat4::IDENTITY.to_cols_array();
                let step = RfStep {
                    struct_size: size_of::<RfStep>() as u32,
                    body_count: 2,
                    bodies: bodies.as_ptr(),
                    solid_count: 1,
                    reserved: 0,
                    solids: &raw const solid,
                    grab: null(),
                };
                for frame_ix in 0..30 {
                    let mut count = 0;
                    rig.frame_with(|_, cmd| {
                        count = allocations(|| {
                            let steps = [step; 4];
                            let result =
                                rf_world_record(world, cmd, steps.as_ptr(), frame_ix % 5, 0.01);
                            assert_eq!(result, RfResult::Ok);
                        });
                    });
                    assert!(frame_ix < 10 || count == 0, "frame {frame_ix} allocates");
                }
                device.wait_idle().expect("the device is not lost");
                rf_world_destroy(world);
            }
        });
    }

    /// Two mannequins, a sheet over one of them, and a solid; and how many joints each has.
    unsafe fn c_world(device: &Device) -> (*mut RfWorld, u32) {
        let host = c_host::host(device);
        let (mut avatar, mut garment, mut world, mut count) =
            (null_mut(), null_mut(), null_mut(), 1);
        // SAFETY: as its caller says.
        unsafe {
            let mut info: RfAvatarInfo = zeroed();
            info.struct_size = size_of::<RfAvatarInfo>() as u32;
            let mut solid: RfSolid = zeroed();
            solid.struct_size = size_of::<RfSolid>() as u32;
            let sheet = RfGarmentKind::Sheet as u32;
            // Trees need no fit.
            let technique = c"wide_bvh".as_ptr();
            let results = [
                rf_avatar_mannequin(&raw mut avatar),
                rf_avatar_info(avatar, &raw mut info),
                rf_garment_make(avatar, sheet, 100, &raw mut garment, &raw mut count),
                rf_world_create(&raw const host, technique, &raw mut world),
                rf_world_add_body(world, avatar, null_mut()),
                rf_world_add_body(world, avatar, null_mut()),
                rf_world_add_garment(world, garment, 0, null(), null_mut()),
                rf_solid_default(&raw mut solid),
                rf_world_add_solid(world, &raw const solid, null_mut()),
            ];
            assert_eq!(results, [RfResult::Ok; 9]);
            rf_garment_destroy(garment);
            rf_avatar_destroy(avatar);
            (world, info.joint_count)
        }
    }
}
