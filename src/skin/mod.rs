//! The bake: every vertex of every body follows its bones, once per step, in one dispatch. The bones themselves are [`MovingFrames`].
//!
//! Garments are baked too: where skinning puts a particle of theirs is what its attachment pulls it to, and where it
//! starts from after a teleport.

pub mod bake;
mod frames;
mod worn;

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::avatar::{MAX_INFLUENCES, SkinMesh};
use crate::gpu::{
    Access, Bind, Buffer, BufferSlice, ComputePipeline, Gpu, GpuError, Recorder, Uploads, shaders,
};

pub use frames::{FrameSource, MovingFrames};
pub use worn::{ClothState, WornSkin};

/// The bake pass, those that take a skin or bones over from the host, and the one that makes cloth skin.
pub struct SkinPipelines {
    bake: ComputePipeline,
    adopt: ComputePipeline,
    adopt_bones: ComputePipeline,
    wear: ComputePipeline,
}

impl SkinPipelines {
    /// # Errors
    /// When the driver refuses the shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        Ok(Self {
            bake: ComputePipeline::new(gpu, &shaders::SKIN_BAKE_COMP, &[])?,
            adopt: ComputePipeline::new(gpu, &shaders::SKIN_ADOPT_COMP, &[])?,
            adopt_bones: ComputePipeline::new(gpu, &shaders::SKIN_ADOPT_BONES_COMP, &[])?,
            wear: ComputePipeline::new(gpu, &shaders::SKIN_WEAR_COMP, &[])?,
        })
    }
}

/// `SkinVertex` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct SkinVertex {
    pub position: Vec3,
    pub normal: Vec3,
    pub joints: [u32; 4],
    pub weights: [f32; MAX_INFLUENCES],
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct BakePush {
    first_vertex: u32,
    end_vertex: u32,
    starts: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct AdoptPush {
    first_vertex: u32,
    end_vertex: u32,
    first_float: u32,
    stride_floats: u32,
    teleported: u32,
}

/// Positions that somebody else has skinned.
#[derive(Clone, Copy)]
pub struct ForeignSkin {
    /// From the start of the buffer, so that the first position need not be aligned for binding.
    pub buffer: BufferSlice,
    /// Where the first vertex's x is, in floats.
    pub first_float: u32,
    /// From one vertex to the next, in floats.
    pub stride_floats: u32,
}

/// The skinned vertices of all bodies and garments of a world.
pub struct SkinnedBody {
    vertices: Buffer,
    positions: [Buffer; 2],
    normals: Buffer,
    vertex_count: u32,
    current: usize,
}

/// Gathers meshes into one list of vertices.
#[derive(Default)]
pub struct SkinBuilder {
    vertices: Vec<SkinVertex>,
}

impl SkinBuilder {
    /// Appends a mesh whose joints start at `first_joint` of the palette; returns where its vertices lie.
    pub fn add(&mut self, mesh: &SkinMesh, first_joint: u32) -> Range<u32> {
        let start = self.vertices.len() as u32;
        self.vertices
            .extend((0..mesh.positions.len()).map(|vertex_ix| pack(mesh, vertex_ix, first_joint)));
        start..self.vertices.len() as u32
    }

    /// Uploads the gathered lists.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn build(self, gpu: &Arc<Gpu>, uploads: &mut Uploads) -> Result<SkinnedBody, GpuError> {
        gpu.check_count("skin.vertices", self.vertices.len() as u32, 1)?;
        let bytes = (self.vertices.len() * size_of::<Vec3>()) as u64;
        Ok(SkinnedBody {
            vertex_count: self.vertices.len() as u32,
            vertices: uploads.buffer("skin.vertices", &self.vertices)?,
            positions: [
                uploads.zeros("skin.positions[0]", bytes)?,
                uploads.zeros("skin.positions[1]", bytes)?,
            ],
            normals: uploads.zeros("skin.normals", bytes)?,
            current: 0,
        })
    }
}

fn pack(mesh: &SkinMesh, vertex_ix: usize, first_joint: u32) -> SkinVertex {
    let joint = |i: usize| u32::from(mesh.joints[vertex_ix][i]) + first_joint;
    SkinVertex {
        position: mesh.positions[vertex_ix],
        normal: mesh.normals[vertex_ix],
        joints: std::array::from_fn(|pair| joint(2 * pair) | joint(2 * pair + 1) << 16),
        weights: mesh.weights[vertex_ix],
    }
}

impl SkinnedBody {
    /// Begins the next step: what was current becomes previous.
    pub fn begin_step(&mut self) {
        self.current = 1 - self.current;
    }

    /// Bakes some vertices of the step by a palette of `Mat4`s. Where they start, and where `sources` (a [`FrameSource`] per joint) say that
    /// their body was teleported, their previous positions and the current ones are the same.
    ///
    /// Reads and writes in compute; needs a barrier behind it.
    pub fn record_bake(
        &self,
        recorder: &mut Recorder,
        pipelines: &SkinPipelines,
        [palette, sources]: [BufferSlice; 2],
        vertices: Range<u32>,
        starts: bool,
    ) {
        let push = BakePush {
            first_vertex: vertices.start,
            end_vertex: vertices.end,
            starts: u32::from(starts),
        };
        let bindings: [Bind; 6] = [
            (&self.vertices).into(),
            palette.into(),
            self.positions().into(),
            self.previous_positions().into(),
            (&self.normals).into(),
            sources.into(),
        ];
        recorder.dispatch(&pipelines.bake, &bindings, &push, vertices.len() as u32);
    }

    /// Takes some vertices' positions over from the host, instead of baking them. Normals stay what they were.
    ///
    /// Reads and writes in compute; needs a barrier behind it.
    pub fn record_adopt(
        &self,
        recorder: &mut Recorder,
        pipelines: &SkinPipelines,
        skin: ForeignSkin,
        vertices: Range<u32>,
        teleported: bool,
    ) {
        let push = AdoptPush {
            first_vertex: vertices.start,
            end_vertex: vertices.end,
            first_float: skin.first_float,
            stride_floats: skin.stride_floats,
            teleported: u32::from(teleported),
        };
        let bindings: [Bind; 3] = [
            skin.buffer.into(),
            self.positions().into(),
            self.previous_positions().into(),
        ];
        recorder.dispatch(&pipelines.adopt, &bindings, &push, vertices.len() as u32);
    }

    /// The state of a range of vertices that the next step and the next draw read.
    pub fn state(&self, vertices: &Range<u32>) -> [BufferSlice; 3] {
        let stride = size_of::<Vec3>() as u64;
        let (first, count) = (u64::from(vertices.start), vertices.len() as u64);
        [self.positions(), self.previous_positions(), &self.normals]
            .map(|buffer| buffer.slice(first * stride, count * stride))
    }

    /// World-space positions of this step, three packed floats per vertex; zero until the first one.
    pub fn positions(&self) -> &Buffer {
        &self.positions[self.current]
    }

    /// World-space positions of the step before.
    pub fn previous_positions(&self) -> &Buffer {
        &self.positions[1 - self.current]
    }

    /// World-space unit normals of this step, three packed floats per vertex.
    pub fn normals(&self) -> &Buffer {
        &self.normals
    }

    /// Vertices of all bodies and garments.
    pub fn vertex_count(&self) -> u32 {
        self.vertex_count
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        self.vertices.bytes() + 2 * self.positions[0].bytes() + self.normals.bytes()
    }

    /// What the bake leaves for the passes after it.
    pub const BAKED: Access = Access::ComputeWrite;
}
