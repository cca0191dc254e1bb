//! A validated device for every test, and a world that can be stepped and read back.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ash::vk;
use bytemuck::Pod;
use glam::{Vec3, Vec4, Vec4Swizzles};
use radial_fields::cloth::constraints::ConstraintGraph;
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::twin::Twin;
use radial_fields::cloth::{ClothBuilder, Grab, Worn};
use radial_fields::collide::radial::RadialFields;
use radial_fields::collide::radial::cell::distance;
use radial_fields::engine::{
    Device, Frames, Instance, InstanceDesc, Readback, Submission, Validation, ValidationCounts,
};
use radial_fields::gpu::{Buffer, Gpu, ShaderSource};
use radial_fields::pose::Palette;
use radial_fields::{
    BodyStep, FrameInput, Host, RecordError, SolidStep, StepInput, World, WorldDef,
};

use crate::compile_once;
use crate::fitted::with_fields;

/// Seconds of a step.
pub const STEP_SECONDS: f32 = 1.0 / 60.0;

thread_local! {
    /// Where rigs made on this thread have shaders from, instead of the library's own.
    static SOURCE: RefCell<Option<Arc<ShaderSource>>> = const { RefCell::new(None) };
}

/// Runs `test` with worlds whose pipelines have other shaders.
#[cfg(feature = "shader_compiler")]
pub fn with_shaders<T>(source: Arc<ShaderSource>, test: impl FnOnce() -> T) -> T {
    SOURCE.set(Some(source));
    let outcome = test();
    SOURCE.set(None);
    outcome
}

/// Has pipelines that are made from now on run what stands in for the library's own shaders; false where nothing does.
pub fn replace_shaders(gpu: &Gpu) -> bool {
    let source = SOURCE.with_borrow(Clone::clone);
    let is_replaced = source.is_some();
    gpu.replace_shaders(source);
    is_replaced
}

/// Devices that no test has at the moment: opening one takes longer than most tests.
static IDLE: Mutex<Vec<Arc<Device>>> = Mutex::new(Vec::new());

fn idle_devices() -> MutexGuard<'static, Vec<Arc<Device>>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a test on a device with validation that it has for itself. The test fails without a device or without the layer, and when
/// validation says anything.
pub fn with_device(test: impl FnOnce(&Arc<Device>)) {
    let idle = idle_devices().pop();
    let device = match idle.map_or_else(open_device, Ok) {
        Ok(device) => device,
        Err(error) => panic!("these tests need a Vulkan device and its validation layer: {error}"),
    };
    let before = device.instance.validation_counts();
    test(&device);
    device.wait_idle().expect("the device is not lost");
    assert_silent(&device.instance, before);
    idle_devices().push(device);
}

/// A device of one's own, with core, synchronization and best-practices validation. With `RADIAL_FIELDS_BARE_DEVICE` in the
/// environment it is that of [`open_bare_device`], so that any test can be run on such a one.
pub fn open_device() -> Result<Arc<Device>, String> {
    if std::env::var_os("RADIAL_FIELDS_BARE_DEVICE").is_some() {
        return open_bare_device();
    }
    let device = Device::open(&validated_instance()?, None, None);
    device
        .map(compiling_once)
        .map_err(|error| error.to_string())
}

/// As [`open_device`], without any extension that the library can do without: it has no push descriptors.
pub fn open_bare_device() -> Result<Arc<Device>, String> {
    let device = Device::open_bare(&validated_instance()?, None);
    device
        .map(compiling_once)
        .map_err(|error| error.to_string())
}

fn compiling_once(mut device: Arc<Device>) -> Arc<Device> {
    let whole = Arc::get_mut(&mut device).expect("nobody else has it yet");
    compile_once::install(&mut whole.handle);
    device
}

fn validated_instance() -> Result<Arc<Instance>, String> {
    let desc = InstanceDesc {
        application: c"radial_fields tests",
        validation: Validation::On,
        extensions: &[],
    };
    Instance::new(&desc).map_err(|error| error.to_string())
}

/// Validation has said nothing since the counts were taken.
pub fn assert_silent(instance: &Instance, before: ValidationCounts) {
    assert_eq!(
        instance.validation_counts(),
        before,
        "validation spoke: {:#?}",
        instance.validation_texts()
    );
}

/// A world and what it takes to step it.
pub struct Rig {
    // First, so that it is dropped while the device is idle and whole.
    pub world: World,
    /// Where the next steps move the world's solids; none: they stay.
    pub solids: Vec<SolidStep>,
    /// Of a step.
    pub step_seconds: f32,
    frames: Frames,
    readback: Readback,
    device: Arc<Device>,
}

impl Rig {
    pub fn new(device: &Arc<Device>, def: &WorldDef) -> Self {
        Self::with_host(device, def, &device.host(2))
    }

    pub fn with_host(device: &Arc<Device>, def: &WorldDef, host: &Host) -> Self {
        // SAFETY: the host is an open device's, which the rig keeps alive.
        let mut world = with_fields(def, |def| unsafe { World::new(host, def) })
            .expect("the world can be built");
        if replace_shaders(world.gpu()) {
            world
                .reload_pipelines()
                .expect("the driver takes the shaders");
        }
        Self {
            solids: Vec::new(),
            step_seconds: STEP_SECONDS,
            readback: Readback::new(world.gpu()),
            frames: Frames::new(device, host.frames_in_flight).expect("there is room for frames"),
            device: Arc::clone(device),
            world,
        }
    }

    /// A frame of one step, submitted but not waited for.
    pub fn step(&mut self, palettes: &[&Palette], teleported: bool) {
        self.step_grabbing(palettes, teleported, None);
    }

    /// As [`Rig::step`], with a hand that holds a particle.
    pub fn step_grabbing(&mut self, palettes: &[&Palette], teleported: bool, grab: Option<Grab>) {
        let bodies: Vec<_> = palettes
            .iter()
            .map(|&palette| BodyStep {
                teleported,
                ..BodyStep::moved(palette)
            })
            .collect();
        let input = FrameInput {
            steps: &[StepInput {
                bodies: &bodies,
                solids: &self.solids.clone(),
                grab,
            }],
            step_seconds: self.step_seconds,
        };
        self.frame(&input);
    }

    /// A frame, submitted but not waited for.
    pub fn frame(&mut self, input: &FrameInput) {
        // SAFETY: the frames hand out command buffers whose earlier use is over, and submit them in order.
        self.frame_with(|world, cmd| unsafe {
            world.record(cmd, input).expect("the input fits the world");
        });
    }

    /// A frame that `record` fills.
    pub fn frame_with(&mut self, record: impl FnOnce(&mut World, vk::CommandBuffer)) {
        let cmd = self.frames.begin().expect("the device is not lost");
        self.world.collect_times();
        record(&mut self.world, cmd);
        self.frames
            .submit(Submission::default())
            .expect("the device is not lost");
    }

    /// The first `count` values of one of the world's buffers.
    pub fn read<T: Pod>(&mut self, count: usize, buffer: impl Fn(&World) -> &Buffer) -> Vec<T> {
        let source = buffer(&self.world);
        self.readback
            .read(&self.device, &mut self.frames, source, count)
            .expect("the device is not lost")
    }

    /// World-space positions of all skinned vertices.
    pub fn skin(&mut self) -> Vec<Vec3> {
        let count = self.world.skin().vertex_count() as usize;
        self.read(count, |world| world.skin().positions())
    }

    /// World-space unit normals of all skinned vertices.
    pub fn skin_normals(&mut self) -> Vec<Vec3> {
        let count = self.world.skin().vertex_count() as usize;
        self.read(count, |world| world.skin().normals())
    }

    /// One float a cell.
    pub fn cells(&mut self) -> Vec<f32> {
        let count = radial_of(&self.world).cell_count() as usize;
        let keys: Vec<u32> = self.read(count, |world| radial_of(world).cells());
        keys.into_iter().map(distance).collect()
    }

    /// One float per field: metres from its axis to the furthest skin in its cells, negative for none.
    pub fn radii(&mut self) -> Vec<f32> {
        let count = radial_of(&self.world).field_count() as usize;
        self.read(count, |world| radial_of(world).radii())
    }

    /// One of the cloth's buffers of four floats per particle.
    pub fn cloth(&mut self, buffer: impl Fn(&World) -> &Buffer) -> Vec<Vec4> {
        let count = self.world.cloth().particle_count() as usize;
        self.read(count, buffer)
    }

    /// World-space positions of the particles.
    pub fn particles(&mut self) -> Vec<Vec3> {
        xyz(&self.cloth(|world| world.cloth().positions()))
    }

    /// Where the particles were when the last sub-step began.
    pub fn current(&mut self) -> Vec<Vec4> {
        self.cloth(|world| {
            let cloth = world.cloth();
            cloth.as_particles(cloth.positions().all()).current
        })
    }
}

/// Records a frame of one step.
///
/// # Safety
/// As [`World::record`].
pub unsafe fn record_step(
    world: &mut World,
    cmd: vk::CommandBuffer,
    palette: &Palette,
) -> Result<(), RecordError> {
    let input = FrameInput {
        steps: &[StepInput {
            bodies: &[BodyStep::moved(palette)],
            solids: &[],
            grab: None,
        }],
        step_seconds: STEP_SECONDS,
    };
    // SAFETY: the caller's promise.
    unsafe { world.record(cmd, &input) }
}

/// The fields of a world that collides by them.
pub fn radial_of(world: &World) -> &RadialFields {
    world.radial().expect("the world collides by radial fields")
}

impl Drop for Rig {
    fn drop(&mut self) {
        // A lost device is idle too.
        let _ = self.device.wait_idle();
    }
}

pub fn xyz(values: &[Vec4]) -> Vec<Vec3> {
    values.iter().map(|value| value.xyz()).collect()
}

/// The twin of a world's only garment, whose skinned vertices start at `first_target`, on a body of that size.
pub fn twin_of(garment: &Garment, first_target: u32, size: f32) -> Twin {
    let mut builder = ClothBuilder::default();
    let worn = Worn {
        garment_ix: 0,
        first_target,
        size,
    };
    builder.add(garment, &ConstraintGraph::build(garment), worn);
    Twin::new(builder)
}
