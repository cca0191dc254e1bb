//! The synchronisation table of the host, under synchronization validation: a host that records no barrier of its own between us and
//! its reads is told nothing, and where one of ours is missing the layer says so.

use std::cell::RefCell;
use std::sync::Arc;

use ash::vk;
use ash::vk::PipelineStageFlags2 as S;
use glam::{Vec3, Vec4};
use radial_fields::engine::Device;
use radial_fields::gpu::{
    Access, Bind, Binding, BindingKind, Buffer, BufferDesc, BufferSlice, ComputePipeline,
    DepthTest, DescriptorSets, Gpu, GraphicsDesc, GraphicsPipeline, Memory, Recorder, Shader,
    Timestamps,
};
use radial_fields::{BodyDef, GarmentDef, Host, World, WorldDef};

use crate::edits::Swaying;
use crate::embedding::rig;
use crate::fixture::{Rig, open_device, record_step, with_device};
use crate::spy::{Bent, bent};

/// Where a host reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    Vertex,
    Fragment,
    Compute,
    Transfer,
}

impl Reader {
    const ALL: [Self; 4] = [Self::Vertex, Self::Fragment, Self::Compute, Self::Transfer];

    fn stage(self) -> S {
        match self {
            Self::Vertex => S::VERTEX_SHADER,
            Self::Fragment => S::FRAGMENT_SHADER,
            Self::Compute => S::COMPUTE_SHADER,
            Self::Transfer => S::TRANSFER,
        }
    }
}

/// Threads of a group of the host's compute shader.
const GROUP: u32 = 64;

const HEAD: &str = "#version 460
    layout(set = 0, binding = 0, std430) readonly buffer From { vec4 values[]; };
    layout(push_constant) uniform Push { uint count; };";
const TO: &str = "layout(set = 0, binding = 1, std430) writeonly buffer To { vec4 copies[]; };";
/// One pixel a value: the vertex shader brings it along.
const CARRY: &str = "layout(location = 0) flat out vec4 value;
    void main() {
        value = values[gl_VertexIndex];
        gl_PointSize = 1.0;
        gl_Position = vec4((2.0 * gl_VertexIndex + 1.0) / count - 1.0, 0.0, 0.0, 1.0);
    }";
const PUT: &str = "layout(location = 0) flat in vec4 value;
    void main() { copies[uint(gl_FragCoord.x)] = value; }";
/// The same pixels, and the fragment shader looks for itself.
const POINT: &str = "void main() {
        gl_PointSize = 1.0;
        gl_Position = vec4((2.0 * gl_VertexIndex + 1.0) / count - 1.0, 0.0, 0.0, 1.0);
    }";
const LOOK: &str = "void main() { copies[uint(gl_FragCoord.x)] = values[uint(gl_FragCoord.x)]; }";
const COPY: &str = "layout(local_size_x = 64) in;
    void main() {
        if (gl_GlobalInvocationID.x < count) copies[gl_GlobalInvocationID.x] = values[gl_GlobalInvocationID.x];
    }";

/// A shader of the host, kept to the end of the tests.
fn shader(parts: &[&str], kind: shaderc::ShaderKind) -> Shader {
    let compiler = shaderc::Compiler::new().expect("the compiler starts");
    let mut options = shaderc::CompileOptions::new().expect("the compiler starts");
    options.set_target_env(
        shaderc::TargetEnv::Vulkan,
        shaderc::EnvVersion::Vulkan1_3 as u32,
    );
    let spirv = compiler
        .compile_into_spirv(&parts.join("\n"), kind, "host", "main", Some(&options))
        .expect("it is GLSL");
    let binding = |number, name, kind| Binding { number, name, kind };
    let from = binding(0, "From", BindingKind::StorageRead);
    let to = binding(1, "To", BindingKind::StorageWrite);
    let bindings = match parts.contains(&TO) {
        true => vec![from, to],
        false => vec![from],
    };
    Shader {
        name: "host",
        spirv: spirv.as_binary_u8().to_vec().leak(),
        bindings: bindings.leak(),
        push_constant_bytes: 4,
        local_size: [GROUP, 1, 1],
        shared_bytes: 0,
        structs: &[],
    }
}

/// Shaders of a host that reads the cloth, and where it writes what it read.
struct HostReads {
    device: Arc<Device>,
    gpu: Arc<Gpu>,
    vertex: GraphicsPipeline,
    fragment: GraphicsPipeline,
    compute: ComputePipeline,
    copies: Buffer,
    /// Never begun anew: there are few frames.
    sets: RefCell<DescriptorSets>,
    count: u32,
}

impl HostReads {
    fn new(device: &Arc<Device>, world: &World) -> Self {
        use shaderc::ShaderKind as K;
        let gpu = world.gpu();
        let draw = |vertex: &[&str], fragment: &[&str]| {
            let desc = GraphicsDesc {
                label: "host",
                vertex: &shader(vertex, K::Vertex),
                fragment: Some(&shader(fragment, K::Fragment)),
                topology: vk::PrimitiveTopology::POINT_LIST,
                cull: vk::CullModeFlags::NONE,
                colour_format: None,
                depth_format: None,
                depth: DepthTest::None,
                samples: vk::SampleCountFlags::TYPE_1,
                blend: false,
                depth_bias: None,
                constants: &[],
            };
            GraphicsPipeline::new(gpu, &desc).expect("the driver takes the shaders")
        };
        let count = world.cloth().particle_count();
        let desc = BufferDesc {
            label: "what the host read",
            bytes: u64::from(count) * size_of::<Vec4>() as u64,
            memory: Memory::Readback,
        };
        let copy = shader(&[HEAD, TO, COPY], K::Compute);
        Self {
            device: Arc::clone(device),
            vertex: draw(&[HEAD, CARRY], &[HEAD, TO, PUT]),
            fragment: draw(&[HEAD, POINT], &[HEAD, TO, LOOK]),
            compute: ComputePipeline::new(gpu, &copy, &[]).expect("the driver takes the shader"),
            copies: Buffer::new(gpu, &desc).expect("there is room"),
            sets: RefCell::new(DescriptorSets::new(gpu, 1).expect("there is room")),
            gpu: Arc::clone(gpu),
            count,
        }
    }

    /// Reads `from` without any barrier.
    fn record(&self, cmd: vk::CommandBuffer, reader: Reader, from: BufferSlice) {
        let mut timestamps = Timestamps::new(&self.gpu, 1, 0).expect("there is room");
        let mut sets = self.sets.borrow_mut();
        let mut recorder = Recorder::new(&self.gpu, cmd, &mut timestamps).with_sets(&mut sets);
        let bindings: [Bind; 2] = [from.into(), (&self.copies).into()];
        let draw = |recorder: &mut Recorder, pipeline| {
            let extent = vk::Extent2D {
                width: self.count,
                height: 1,
            };
            let info = vk::RenderingInfo::default()
                .render_area(extent.into())
                .layer_count(1);
            recorder.rendering(&info, |recorder| {
                recorder.viewport(extent);
                recorder.draw(pipeline, &bindings, &self.count, 0..self.count, 1);
            });
        };
        match reader {
            Reader::Vertex => draw(&mut recorder, &self.vertex),
            Reader::Fragment => draw(&mut recorder, &self.fragment),
            Reader::Compute => {
                recorder.dispatch(&self.compute, &bindings, &self.count, self.count);
            }
            Reader::Transfer => recorder.copy(from, self.copies.all()),
        }
    }

    /// Leaves what was read to the CPU. Not at once: the barrier would stand in for ours.
    fn record_end(&self, cmd: vk::CommandBuffer) {
        let mut timestamps = Timestamps::new(&self.gpu, 1, 0).expect("there is room");
        let wrote = [
            Access::ComputeWrite,
            Access::FragmentAtomicWrite,
            Access::TransferWrite,
        ];
        Recorder::new(&self.gpu, cmd, &mut timestamps).barrier(&wrote, &[Access::HostRead]);
    }
}

impl Drop for HostReads {
    fn drop(&mut self) {
        // A lost device is idle too.
        let _ = self.device.wait_idle();
    }
}

type Of = fn(&World) -> &Buffer;
const RESULTS: [Of; 2] = [
    |world| world.cloth().positions(),
    |world| world.cloth().normals(),
];

/// Frames in pairs: one is recorded, read and followed by the next in one command buffer, with nothing of the host's in
/// between. Then one more is read, and what was read is right.
fn read_between(rig: &mut Rig, one: &Swaying, reads: &HostReads, reader: Reader, of: Of) {
    for pair in 0..3 {
        rig.frame_with(|world, cmd| {
            record(world, cmd, one, 2 * pair);
            reads.record(cmd, reader, of(world).all());
            record(world, cmd, one, 2 * pair + 1);
            reads.record_end(cmd);
        });
        rig.skin(); // Waits, since both frames that may be in flight are in this command buffer.
    }
    rig.frame_with(|world, cmd| {
        record(world, cmd, one, 6);
        reads.record(cmd, reader, of(world).all());
        reads.record_end(cmd);
    });
    let expected = rig.cloth(of);
    let read: Vec<Vec4> = reads.copies.read(0, reads.count as usize);
    assert!(read == expected, "{reader:?}");
}

fn record(world: &mut World, cmd: vk::CommandBuffer, one: &Swaying, step: usize) {
    let palette = one.palette(step);
    // SAFETY: the rig submits each command buffer once and in order, and the frames before the last are waited for.
    unsafe { record_step(world, cmd, &palette) }.expect("it fits");
}

#[test]
fn a_host_reads_what_is_left_visible_without_barriers_of_its_own() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        for reader in Reader::ALL {
            for of in RESULTS {
                let mut rig = rig(device, &one);
                let reads = HostReads::new(device, &rig.world);
                read_between(&mut rig, &one, &reads, reader, of);
            }
        }
    });
}

/// What validation has to say of a reader when our barriers lack something.
fn said_of(device: &Arc<Device>, reader: Reader, of: Of, left_out: Bent) -> String {
    let one = Swaying::at(Vec3::ZERO);
    let handle = bent(&device.handle, left_out);
    let host = Host {
        device: &handle,
        ..device.host(2)
    };
    let def = WorldDef {
        bodies: &[BodyDef::new(&one.avatar)],
        garments: &[GarmentDef::new(&one.garment, 0)],
        ..WorldDef::default()
    };
    let known = device.instance.validation_texts().len();
    let mut rig = Rig::with_host(device, &def, &host);
    let reads = HostReads::new(device, &rig.world);
    rig.frame_with(|world, cmd| record(world, cmd, &one, 0));
    rig.skin();
    rig.frame_with(|world, cmd| {
        record(world, cmd, &one, 1);
        reads.record(cmd, reader, of(world).all());
        record(world, cmd, &one, 2);
        reads.record_end(cmd);
    });
    rig.skin();
    device.instance.validation_texts()[known..].join("\n")
}

#[test]
fn a_missing_barrier_would_be_reported() {
    let device = open_device().expect("these tests need a device and the layer");
    let none = Bent {
        before: S::empty(),
        after: S::empty(),
    };
    // The last that a frame writes, and nearly the first that the next one does; each has one buffer.
    let last: Of = |world| world.cloth().normals();
    let first: Of = |world| world.skin().normals();
    for reader in Reader::ALL {
        for of in [last, first] {
            assert_eq!(said_of(&device, reader, of, none), "", "{reader:?}");
        }
        let after = reader.stage();
        let said = said_of(&device, reader, last, Bent { after, ..none });
        let hazard = "SYNC-HAZARD-READ-AFTER-WRITE";
        assert!(said.contains(hazard), "{reader:?} after us: {said}");
        // Who waits for a stage waits for those before it in the pipeline, so vertex shaders hide behind fragment shaders.
        // Of compute shaders our own are in the way.
        let before = match reader {
            Reader::Vertex => S::VERTEX_SHADER | S::FRAGMENT_SHADER,
            Reader::Fragment | Reader::Transfer => reader.stage(),
            Reader::Compute => continue,
        };
        let said = said_of(&device, reader, first, Bent { before, ..none });
        let hazard = "SYNC-HAZARD-WRITE-AFTER-READ";
        assert!(said.contains(hazard), "{reader:?} before us: {said}");
    }
}
