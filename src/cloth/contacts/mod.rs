//! Cloth that meets cloth: folds of one garment, garments worn over each other, those of several characters.
//!
//! Once per step, every vertex finds the triangles that it may meet and every edge the edges, and on which side of each other they belong: as they lie;
//! or, for garments of one body, as they are worn; or, where cloth has gone through cloth, as they lay before. Boxes round 32 neighbours tell which of
//! those may meet, balls which of two such tiles, and each pair is then tested by a thread of its own; so that no thread waits for another that has more to
//! do. In each sub-step the pairs are kept apart as constraints between both sides, and crossings are pushed back out. The
//! corrections are summed up in whole numbers, so that the result does not depend on the order of threads. And what is listed and apart stays so: where
//! two would come through each other, neither goes beyond a plane between them (a bound on motion, as Chen and others have one in "Offset Geometric
//! Contact", 2025, but by a plane for each pair, so that cloth slides freely).

mod detection;
mod searches;
mod surface;
#[cfg(feature = "reference")]
pub mod twin;

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use self::detection::{Detection, turn_threads};
use self::searches::{ALIGNMENT, Search, Searches};
pub use self::surface::{ClothEdge, ClothSurface, ClothVertex, NOTHING};
use super::detail::Detail;
use super::solver::{Cloth, NONE, SubStepTiming};
use crate::collide::SubStep;
use crate::gpu::{
    Access, Bind, Buffer, BufferDesc, BufferSlice, ComputePipeline, Gpu, GpuError, Memory,
    Recorder, Uploads, shaders,
};
use crate::skin::SkinnedBody;

/// The most that a vertex or an edge may meet: `MAX_NEAR` of glsl/cloth/contact_lists.glsl.
pub const MAX_NEAR: usize = 12;
/// Threads that share out one list: `SHARES` of the same file.
const SHARES: u32 = 4;
/// Words of a list, which begins with how many it has.
pub const NEAR_WORDS: usize = MAX_NEAR + 1;
/// What of a listed word is an index, of a triangle or an edge: `INDEX` of the same file. The two bits above say on which side they belong.
pub const INDEX: u32 = 0x3FFF_FFFF;
/// The lists of edges begin at a multiple of so many: `LISTS_ALIGNMENT` of the same file.
const LISTS_ALIGNMENT: usize = 64;
/// Words of [`ClothContacts::overflow`], a part of a buffer for each search.
pub const OVERFLOW_WORDS: usize = Search::ALL.len() * ALIGNMENT as usize / 4;
/// Words of a particle's sums: `SUM_WORDS` of glsl/cloth/contact_sums.glsl.
const SUM_WORDS: usize = 7;

/// Triangles or edges of a tile, tiles of a block: `TILE` of glsl/cloth/contact_tiles.glsl.
const TILE: u32 = surface::TILE as u32;
/// Pairs of tiles for which there is room, for each tile that searches. Usually 32, of which clothes use 7 to 14; with more, tiles are searched for one by
/// one.
const TILE_PAIRS: u32 = 32;
/// Below so many vertices and edges [`PAIR_THREADS`] for each take contact pairs in turn as they are resolved, from it on one. Usually 100,000: a pile of ten
/// sheets has 21,000, with lists that are full, and takes a third longer with one; the pairs of a hundred characters take half as long.
const FEW_LISTS: usize = 100_000;
/// No more than [`MAX_NEAR`].
const PAIR_THREADS: u32 = 4;
/// Threads of a workgroup of glsl/cloth/contact_resolve.comp.
const RESOLVE_THREADS: u32 = 64;
/// `Ball` of glsl/cloth/contact_tiles.glsl.
const BALL_BYTES: usize = 64;
/// `MovingBounds` of glsl/cloth/contact_tiles.glsl.
const BOX_BYTES: usize = 64;
/// `ContactParticle` of glsl/cloth/contact_surface.glsl.
const PARTICLE_BYTES: usize = 64;

/// The pipelines of the contacts between cloth and cloth.
pub struct ContactPipelines {
    bound: ComputePipeline,
    bound_blocks: ComputePipeline,
    bound_regions: ComputePipeline,
    tile_pairs: [ComputePipeline; 3],
    pairs: [ComputePipeline; 3],
    test: [ComputePipeline; 3],
    list: [ComputePipeline; 3],
    find: [ComputePipeline; 3],
    resolve: ComputePipeline,
    limit: ComputePipeline,
    apply: ComputePipeline,
}

impl ContactPipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        let new = |shader| ComputePipeline::new(gpu, shader, &[]);
        let searches = |shader| -> Result<[ComputePipeline; 3], GpuError> {
            let search = |ix| ComputePipeline::new(gpu, shader, &[ix]);
            let [triangles, edges, crossed] = Search::ALL.map(|of| search(of as u32));
            Ok([triangles?, edges?, crossed?])
        };
        let bound = |of_regions: bool| {
            let shader = &shaders::CLOTH_CONTACT_BOUND_BLOCKS_COMP;
            ComputePipeline::new(gpu, shader, &[u32::from(of_regions)])
        };
        Ok(Self {
            bound: new(&shaders::CLOTH_CONTACT_BOUND_COMP)?,
            bound_blocks: bound(false)?,
            bound_regions: bound(true)?,
            tile_pairs: searches(&shaders::CLOTH_CONTACT_TILE_PAIRS_COMP)?,
            pairs: searches(&shaders::CLOTH_CONTACT_PAIRS_COMP)?,
            test: searches(&shaders::CLOTH_CONTACT_TEST_COMP)?,
            list: searches(&shaders::CLOTH_CONTACT_LIST_COMP)?,
            find: searches(&shaders::CLOTH_CONTACT_FIND_COMP)?,
            resolve: new(&shaders::CLOTH_CONTACT_RESOLVE_COMP)?,
            limit: new(&shaders::CLOTH_CONTACT_LIMIT_COMP)?,
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
    pair_threads: u32,
    grab_ix: u32,
    up: Vec3,
    is_resolved: u32,
    own_strides: u32,
    sub_step: f32,
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

    /// Workgroups of those threads that take the contact pairs of some searches.
    fn pair_groups(&self, searches: &[Search]) -> u32 {
        let threads = searches.iter().map(|search| search.searchers(self));
        (threads.sum::<u32>() * self.pair_threads).div_ceil(RESOLVE_THREADS)
    }
}

/// For each vertex and edge of so many altogether. A CPU that stands in for a device begins a thread as slowly as it goes on with one.
fn pair_threads(gpu: &Gpu, searching: usize) -> u32 {
    match gpu.is_cpu || searching >= FEW_LISTS {
        true => 1,
        false => PAIR_THREADS,
    }
}

/// The first list of an edge, behind those of so many vertices; between them there may be some empty ones.
pub const fn first_edge_list(vertex_count: usize) -> usize {
    vertex_count.next_multiple_of(LISTS_ALIGNMENT)
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
    /// The lists of the step, and those of the step before.
    near: [Buffer; 2],
    searches: Searches,
    sums: Buffer,
    limits: Buffer,
    turn_threads: u32,
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
        // A workgroup per tile of 32, and SHARES threads per list.
        gpu.check_count("cloth.contacts", (triangles + searching) as u32, 64 / TILE)?;
        let most = edges.max(surface.order.len()) as u32;
        gpu.check_count("cloth.contacts", most, SHARES)?;
        let push = Push {
            particle_count: particles as u32,
            triangle_count: triangles as u32,
            edge_count: edges as u32,
            order_count: surface.order.len() as u32,
            sub_step_ix: 0,
            sub_steps: 1,
            pair_threads: pair_threads(gpu, particles + edges),
            grab_ix: NONE,
            up: Vec3::ZERO,
            is_resolved: 0,
            own_strides: 0,
            sub_step: 0.0,
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
        // At least one list of each kind, so that there is something to bind.
        let lists = (first_edge_list(particles.max(1)) + edges.max(1)) * NEAR_WORDS;
        let whole_ways = vec![1.0f32; particles.max(1)];
        let limits = uploads.buffer("cloth.contacts.limits", &whole_ways)?;
        let mut zeros = |label, words: usize| uploads.buffer(label, &vec![0u32; words.max(1)]);
        let near = [
            zeros("cloth.contacts.near", lists)?,
            zeros("cloth.contacts.near_before", lists)?,
        ];
        let sums = zeros("cloth.contacts.sums", particles * SUM_WORDS)?;
        let overflow = zeros("cloth.contacts.overflow", OVERFLOW_WORDS)?;
        let crossings = zeros("cloth.contacts.crossings", edges.max(1) * NEAR_WORDS)?;
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
            crossings,
            near,
            searches: Searches::new(gpu, &push)?,
            sums,
            limits,
            turn_threads: turn_threads(gpu),
        })
    }

    /// Forgets what was tangled, once per step, before [`record_find`](Self::record_find); the lists become those of the step before.
    pub fn record_clear(&mut self, recorder: &mut Recorder) {
        self.near.reverse();
        recorder.fill(self.searches.state.all(), 0);
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
        let detection = Detection {
            contacts: self,
            pipelines,
            cloth,
            push,
        };
        detection.record(recorder, body, garments);
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
            is_resolved: u32::from(timing.is_resolved),
            own_strides: Detail::own_strides(timing.sub_step),
            sub_step: timing.seconds,
            sub_step_ix: timing.sub_step.ix,
            sub_steps: timing.sub_step.count,
            ..self.push
        };
        let shared = self.shared(cloth);
        let found = Search::ALL.map(|search| self.searches.of(&self.push, search));
        let pairs = found.each_ref().map(|found| found.contact_pairs.into());
        let counts = found.each_ref().map(|found| found.counts.into());
        let bindings: [Bind; 12] =
            Bind::joined(&[&shared, &pairs, &counts, &[(&self.sums).into()]]);
        let groups = push.pair_groups(&Search::ALL);
        recorder.dispatch_rows(&pipelines.resolve, &bindings, &push, groups);
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        let corrections: [Bind; 2] = [(&self.sums).into(), (&self.limits).into()];
        let bindings: [Bind; 13] = Bind::joined(&[&shared, &pairs, &counts, &corrections]);
        let groups = push.pair_groups(&[Search::NearTriangles, Search::NearEdges]);
        recorder.dispatch_rows(&pipelines.limit, &bindings, &push, groups);
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        let bindings: [Bind; 7] = Bind::joined(&[&shared, &corrections]);
        recorder.dispatch(&pipelines.apply, &bindings, &push, push.particle_count);
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

    /// The lists of the last step: of each particle, and from [`first_edge_list`] on of each edge, [`NEAR_WORDS`] words: how many, then triangles and edges.
    pub fn near(&self) -> &Buffer {
        &self.near[0]
    }

    /// The triangles that each edge crossed when the last step began: [`NEAR_WORDS`] words per edge, how many and their indices ([`INDEX`]).
    pub fn crossings(&self) -> &Buffer {
        &self.crossings
    }

    /// [`OVERFLOW_WORDS`], whose sum is how many pairs found no room in the lists since the world was made.
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
            &self.near[0],
            &self.near[1],
            &self.sums,
            &self.limits,
        ];
        let bytes: u64 = buffers.iter().map(|buffer| buffer.bytes()).sum();
        bytes + self.searches.bytes()
    }
}
