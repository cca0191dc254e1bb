//! Cloth that meets cloth: folds of one garment, garments worn over each other, those of several characters.
//!
//! Once per step, every vertex finds the triangles that it may meet and every edge the edges, through boxes round neighbours, and on which side of
//! each other they belong: as they lie; or, for garments of one body, as they are worn; or, where cloth has gone through cloth, as they
//! lay before. In each sub-step the pairs are kept apart as constraints between both sides, and crossings are pushed back out. The
//! corrections are summed up in whole numbers, so that the result does not depend on the order of threads.

mod surface;
#[cfg(feature = "reference")]
pub mod twin;

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

pub use self::surface::{ClothEdge, ClothSurface, ClothVertex, NOTHING};
use super::solver::{Cloth, NONE, SubStepTiming};
use crate::collide::SubStep;
use crate::gpu::{
    Access, Bind, Buffer, BufferDesc, BufferSlice, ComputePipeline, Gpu, GpuError, Memory,
    Recorder, Uploads, shaders,
};
use crate::skin::SkinnedBody;

/// The most that a vertex or an edge may meet: `MAX_NEAR` of glsl/cloth/contact_lists.glsl.
pub const MAX_NEAR: usize = 12;
/// Threads that share out one list: `SHARES` of glsl/cloth/contact_lists.glsl.
const SHARES: usize = 4;
/// The most workgroups that share out one search: `MAX_SLICES` of the same file.
const MAX_SLICES: u32 = 2;
/// Vertices and edges up to which searches are shared out. Usually 400,000, twenty dressed characters on an NVIDIA H100; with more, what all workgroups of
/// one search do alike takes longer than they save.
const MANY_SEARCHERS: usize = 400_000;
/// The most triangles that an edge may cross, for each share: `MAX_CROSSINGS` of the same file.
const MAX_CROSSINGS: usize = 3;
/// Words of a list, which begins with how many it has.
pub const NEAR_WORDS: usize = MAX_NEAR + 1;
/// Words of an edge's crossings: a list for each share, which begins with how many it has.
pub const CROSSING_WORDS: usize = SHARES * (MAX_CROSSINGS + 1);
/// `SLICE_WORDS` of glsl/cloth/contact_lists.glsl.
const SLICE_WORDS: usize = 1 + 2 * MAX_NEAR;
/// Bytes of what a slice of the search finds for one vertex or edge.
const FOUND_BYTES: usize = 4 * SLICE_WORDS;
/// Words of a particle's sums: `SUM_WORDS` of glsl/cloth/contact_sums.glsl.
const SUM_WORDS: usize = 7;

/// Triangles or edges of a tile, tiles of a block, threads of a workgroup: `TILE` of glsl/cloth/contact_tiles.glsl.
const TILE: u32 = surface::TILE as u32;
/// Threads that search together: `HELPERS` of glsl/cloth/contact_search.glsl.
const HELPERS: u32 = 8;
/// Threads of a workgroup of glsl/cloth/contact_resolve.comp.
const RESOLVE_THREADS: u32 = 64;
/// `Ball` of glsl/cloth/contact_tiles.glsl.
const BALL_BYTES: usize = 64;
/// `MovingBounds` of glsl/cloth/contact_tiles.glsl.
const BOX_BYTES: usize = 64;
/// `ContactParticle` of glsl/cloth/contact_surface.glsl.
const PARTICLE_BYTES: usize = 48;

/// The pipelines of the contacts between cloth and cloth.
pub struct ContactPipelines {
    bound: ComputePipeline,
    bound_blocks: ComputePipeline,
    bound_regions: ComputePipeline,
    crossings: ComputePipeline,
    near_triangles: ComputePipeline,
    near_edges: ComputePipeline,
    merge: ComputePipeline,
    resolve: ComputePipeline,
    apply: ComputePipeline,
}

impl ContactPipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        let new = |shader| ComputePipeline::new(gpu, shader, &[]);
        let near = |of_vertices: bool| {
            let shader = &shaders::CLOTH_CONTACT_FIND_COMP;
            ComputePipeline::new(gpu, shader, &[u32::from(of_vertices)])
        };
        let bound = |of_regions: bool| {
            let shader = &shaders::CLOTH_CONTACT_BOUND_BLOCKS_COMP;
            ComputePipeline::new(gpu, shader, &[u32::from(of_regions)])
        };
        Ok(Self {
            bound: new(&shaders::CLOTH_CONTACT_BOUND_COMP)?,
            bound_blocks: bound(false)?,
            bound_regions: bound(true)?,
            crossings: new(&shaders::CLOTH_CONTACT_CROSSINGS_COMP)?,
            near_triangles: near(true)?,
            near_edges: near(false)?,
            merge: new(&shaders::CLOTH_CONTACT_MERGE_COMP)?,
            resolve: new(&shaders::CLOTH_CONTACT_RESOLVE_COMP)?,
            apply: new(&shaders::CLOTH_CONTACT_APPLY_COMP)?,
        })
    }
}

/// `Push` of glsl/cloth/contact_surface.glsl.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Push {
    particle_count: u32,
    triangle_count: u32,
    edge_count: u32,
    order_count: u32,
    sub_step_ix: u32,
    sub_steps: u32,
    slice_count: u32,
    grab_ix: u32,
    up: Vec3,
}

impl Push {
    /// Tiles altogether, of triangles, edges and vertices; blocks of tiles, which triangles and edges have; and regions of those, which have boxes
    /// where either has more than one.
    fn box_counts(&self) -> [u32; 3] {
        let tiles = [self.triangle_count, self.edge_count, self.order_count]
            .map(|count| count.div_ceil(TILE));
        let blocks = [tiles[0], tiles[1]].map(|count| count.div_ceil(TILE));
        let regions = match blocks.iter().any(|&count| count > TILE) {
            true => blocks.map(|count| count.div_ceil(TILE)),
            false => [0; 2],
        };
        [
            tiles.iter().sum(),
            blocks.iter().sum(),
            regions.iter().sum(),
        ]
    }
}

/// What cloth needs to meet cloth, on the GPU.
pub struct ClothContacts {
    push: Push,
    vertices: Buffer,
    edges: Buffer,
    triangles: Buffer,
    order: Buffer,
    particles: Buffer,
    balls: Buffer,
    tiles: Buffer,
    overflow: Buffer,
    tangled: Buffer,
    crossings: Buffer,
    slices: Buffer,
    near: Buffer,
    sums: Buffer,
}

impl ClothContacts {
    /// # Errors
    /// When memory runs out, or there is more cloth than one dispatch takes.
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        surface: &ClothSurface,
    ) -> Result<Self, GpuError> {
        let [particles, edges, triangles] = [
            surface.vertices.len(),
            surface.edges.len(),
            surface.triangles.len(),
        ];
        let searching = surface.order.len() + edges;
        let slice_count = slice_count(searching);
        // A workgroup per tile. Searches that are shared out have fewer than any device takes.
        gpu.check_count("cloth.contacts", (triangles + searching) as u32, 64 / TILE)?;
        let push = Push {
            particle_count: particles as u32,
            triangle_count: triangles as u32,
            edge_count: edges as u32,
            order_count: surface.order.len() as u32,
            sub_step_ix: 0,
            sub_steps: 1,
            slice_count,
            grab_ix: NONE,
            up: Vec3::ZERO,
        };
        let [tile_count, block_count, region_count] = push.box_counts();
        let box_bytes = |count: u32| count as usize * BOX_BYTES;
        let ball_bytes = (tile_count * TILE) as usize * BALL_BYTES;
        let of_device = |label, bytes: usize| {
            let desc = BufferDesc {
                label,
                bytes: bytes as u64,
                memory: Memory::Device,
            };
            Buffer::new(gpu, &desc)
        };
        let lists = (particles + edges) * NEAR_WORDS;
        let slice_bytes = searching * slice_count as usize * FOUND_BYTES;
        let mut zeros = |label, words: usize| uploads.buffer(label, &vec![0u32; words.max(1)]);
        let near = zeros("cloth.contacts.near", lists)?;
        let sums = zeros("cloth.contacts.sums", particles * SUM_WORDS)?;
        let overflow = zeros("cloth.contacts.overflow", 1)?;
        Ok(Self {
            push,
            vertices: uploads.buffer("cloth.contacts.vertices", &surface.vertices)?,
            edges: uploads.buffer("cloth.contacts.edges", &surface.edges)?,
            triangles: uploads.buffer("cloth.contacts.triangles", &surface.triangles)?,
            order: uploads.buffer("cloth.contacts.order", &surface.order)?,
            particles: of_device("cloth.contacts.particles", particles * PARTICLE_BYTES)?,
            balls: of_device("cloth.contacts.balls", ball_bytes)?,
            tiles: of_device(
                "cloth.contacts.tiles",
                box_bytes(tile_count + block_count + region_count),
            )?,
            overflow,
            tangled: of_device("cloth.contacts.tangled", 4 * particles)?,
            crossings: of_device("cloth.contacts.crossings", 4 * edges * CROSSING_WORDS)?,
            slices: of_device("cloth.contacts.slices", slice_bytes)?,
            near,
            sums,
        })
    }

    /// Forgets what was tangled, once per step, before [`record_find`](Self::record_find).
    pub fn record_clear(&self, recorder: &mut Recorder) {
        recorder.fill(self.tangled.all(), 0);
    }

    /// Finds what cloth may meet during a step, from where its first sub-step, which is `sub_step`, would take it.
    pub fn record_find(
        &self,
        recorder: &mut Recorder,
        pipelines: &ContactPipelines,
        cloth: &Cloth,
        body: &SkinnedBody,
        garments: BufferSlice,
        sub_step: SubStep,
    ) {
        let push = Push {
            sub_step_ix: sub_step.ix,
            sub_steps: sub_step.count,
            ..self.push
        };
        let next = [Access::ComputeReadWrite];
        self.record_bounds(recorder, pipelines, cloth, body, garments, &push);
        recorder.barrier(&next, &next);
        self.record_crossings(recorder, pipelines, cloth, &push);
        recorder.barrier(&next, &next);
        self.record_near(recorder, pipelines, cloth, &push);
        recorder.barrier(&next, &next);
        let bindings: [Bind; 4] = [
            (&self.slices).into(),
            (&self.near).into(),
            (&self.overflow).into(),
            (&self.order).into(),
        ];
        let threads = (push.order_count + push.edge_count) * MAX_SLICES;
        let push = [
            push.particle_count,
            push.order_count,
            push.edge_count,
            push.slice_count,
        ];
        recorder.dispatch(&pipelines.merge, &bindings, &push, threads);
    }

    /// Balls and boxes round what moves.
    fn record_bounds(
        &self,
        recorder: &mut Recorder,
        pipelines: &ContactPipelines,
        cloth: &Cloth,
        body: &SkinnedBody,
        garments: BufferSlice,
        push: &Push,
    ) {
        let surface = self.surface(cloth);
        let [tile_count, block_count, region_count] = push.box_counts();
        let bounded = [
            body.positions().into(),
            body.previous_positions().into(),
            (&self.vertices).into(),
            (&self.order).into(),
            cloth.as_particles(garments).particles.into(),
            garments.into(),
        ];
        let bindings: [Bind; 13] = Bind::joined(&[&surface, &bounded]);
        recorder.dispatch(&pipelines.bound, &bindings, push, tile_count * TILE);
        let next = [Access::ComputeReadWrite];
        recorder.barrier(&next, &next);
        recorder.dispatch(&pipelines.bound_blocks, &surface, push, block_count * TILE);
        if region_count > 0 {
            recorder.barrier(&next, &next);
            recorder.dispatch(
                &pipelines.bound_regions,
                &surface,
                push,
                region_count * TILE,
            );
        }
    }

    fn record_crossings(
        &self,
        recorder: &mut Recorder,
        pipelines: &ContactPipelines,
        cloth: &Cloth,
        push: &Push,
    ) {
        let crossings = [
            (&self.overflow).into(),
            (&self.tangled).into(),
            (&self.crossings).into(),
            (&self.vertices).into(),
        ];
        let bindings: [Bind; 11] = Bind::joined(&[&self.surface(cloth), &crossings]);
        let threads = push.edge_count * push.slice_count * HELPERS;
        recorder.dispatch(&pipelines.crossings, &bindings, push, threads);
    }

    /// Triangles near vertices and edges near edges, at the same time: each search writes a part of the slices of its own.
    fn record_near(
        &self,
        recorder: &mut Recorder,
        pipelines: &ContactPipelines,
        cloth: &Cloth,
        push: &Push,
    ) {
        let slice_bytes =
            |searchers: u32| FOUND_BYTES as u64 * u64::from(searchers * push.slice_count);
        let of_vertices = self.slices.slice(0, slice_bytes(push.order_count));
        let of_edges = self
            .slices
            .slice(of_vertices.bytes, slice_bytes(push.edge_count));
        for (pipeline, slices, searchers) in [
            (&pipelines.near_triangles, of_vertices, push.order_count),
            (&pipelines.near_edges, of_edges, push.edge_count),
        ] {
            let found = [
                (&self.tangled).into(),
                (&self.vertices).into(),
                cloth.normals().into(),
                (&self.near).into(),
                slices.into(),
                (&self.order).into(),
            ];
            let bindings: [Bind; 13] = Bind::joined(&[&self.surface(cloth), &found]);
            let threads = searchers * push.slice_count * HELPERS;
            recorder.dispatch(pipeline, &bindings, push, threads);
        }
    }

    /// Keeps apart what was found.
    pub fn record_resolve(
        &self,
        recorder: &mut Recorder,
        pipelines: &ContactPipelines,
        cloth: &Cloth,
        gravity: Vec3,
        timing: &SubStepTiming,
    ) {
        let push = Push {
            up: -gravity.normalize_or_zero(),
            grab_ix: timing.grab.map_or(NONE, |grab| grab.particle_ix),
            ..self.push
        };
        let shared = self.shared(cloth);
        let lists: [Bind; 3] = [
            (&self.near).into(),
            (&self.crossings).into(),
            (&self.sums).into(),
        ];
        let bindings: [Bind; 8] = Bind::joined(&[&shared, &lists]);
        let lists = push.particle_count + push.edge_count;
        let groups = (lists * SHARES as u32).div_ceil(RESOLVE_THREADS);
        recorder.dispatch_rows(&pipelines.resolve, &bindings, &push, groups);
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        let bindings: [Bind; 3] = [
            cloth.predicted().into(),
            (&self.sums).into(),
            cloth.current().into(),
        ];
        recorder.dispatch(
            &pipelines.apply,
            &bindings,
            &push.particle_count,
            push.particle_count,
        );
    }

    /// What all searches bind first.
    fn surface(&self, cloth: &Cloth) -> [Bind; 7] {
        let boxes = [(&self.balls).into(), (&self.tiles).into()];
        Bind::joined(&[&self.shared(cloth), &boxes])
    }

    /// What all passes bind first.
    fn shared(&self, cloth: &Cloth) -> [Bind; 5] {
        [
            (&self.particles).into(),
            cloth.current().into(),
            cloth.predicted().into(),
            (&self.triangles).into(),
            (&self.edges).into(),
        ]
    }

    /// The lists of the last step: of each particle, then of each edge, [`NEAR_WORDS`] words: how many, then triangles and edges.
    pub fn near(&self) -> &Buffer {
        &self.near
    }

    /// The triangles that each edge crossed when the last step began: lists of four words, how many and their indices, that make up
    /// [`CROSSING_WORDS`] words per edge.
    pub fn crossings(&self) -> &Buffer {
        &self.crossings
    }

    /// A word: how many pairs found no room in the lists since the world was made.
    pub fn overflow(&self) -> &Buffer {
        &self.overflow
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        let buffers = [
            &self.vertices,
            &self.edges,
            &self.triangles,
            &self.order,
            &self.particles,
            &self.balls,
            &self.tiles,
            &self.overflow,
            &self.tangled,
            &self.crossings,
            &self.slices,
            &self.near,
            &self.sums,
        ];
        buffers.iter().map(|buffer| buffer.bytes()).sum()
    }
}

/// How many workgroups share out each search, of so many vertices and edges that search.
fn slice_count(searching: usize) -> u32 {
    if searching < MANY_SEARCHERS {
        MAX_SLICES
    } else {
        1
    }
}
