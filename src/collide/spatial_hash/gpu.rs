//! The table on the GPU: its buffers, the voxelisation that fills it and the search.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::SpatialHashDef;
use crate::collide::skin_triangles::{BindSkin, SkinTopology, SkinTriangles};
use crate::collide::{Bodies, ColliderBody, Collision, ResponsePush};
use crate::gpu::{
    Bind, Buffer, BufferDesc, ComputePipeline, Gpu, GpuError, Memory, Recorder, Uploads, shaders,
};

/// The pipelines of spatial hashing.
pub struct SpatialHashPipelines {
    voxelise: ComputePipeline,
    collide: ComputePipeline,
    half_list: u32,
}

impl SpatialHashPipelines {
    /// For tables with [half a list](SpatialHashDef::half_list) of so many triangles.
    ///
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>, half_list: u32) -> Result<Self, GpuError> {
        let constants = [half_list];
        let compile = |shader| ComputePipeline::new(gpu, shader, &constants);
        Ok(Self {
            voxelise: compile(&shaders::SPATIAL_HASH_VOXELISE_COMP)?,
            collide: compile(&shaders::SPATIAL_HASH_COLLIDE_COMP)?,
            half_list,
        })
    }

    /// What they were compiled for.
    pub fn half_list(&self) -> u32 {
        self.half_list
    }
}

/// Generations that one step may use up: more than it has sub-steps.
const SPARE_GENERATIONS: u32 = 64;

/// Cells of a block of four each way, as in glsl/spatial_hash/table.glsl.
const CELLS_PER_BLOCK: u64 = 64;

/// Cells that a search goes outwards at most, whatever the search radius: 35,937 cells are as many as a frame can bear.
const MAX_SHELLS: f32 = 16.0;

/// Threads dispatched for each triangle: 64 by `SCAN_SIZE` of glsl/spatial_hash/voxelise.comp.
const THREADS_PER_TRIANGLE: u32 = 8;

/// What every pass knows of the table.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct TablePush {
    cell_size: f32,
    entry_count: u32,
    row: u32,
    column: u32,
    generation: u32,
    triangle_bits: u32,
    half_list: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct VoxelisePush {
    triangle_count: u32,
    part: f32,
    table: TablePush,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct CollidePush {
    response: ResponsePush,
    search_radius: f32,
    table: TablePush,
}

/// The table of all bodies of a world.
pub struct SpatialHash {
    def: SpatialHashDef,
    triangles: SkinTriangles,
    topology: SkinTopology,
    /// The generation that last listed something in each entry.
    stamps: Buffer,
    /// The same for blocks of cells.
    block_stamps: Buffer,
    /// The first and the second half of all lists.
    lists: [Buffer; 2],
    overflow_count: Buffer,
    triangle_bits: u32,
    /// Of the newest update: counts down from one below the first.
    generation: Option<u32>,
}

impl SpatialHash {
    /// Makes the table.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        bodies: &[ColliderBody],
        def: SpatialHashDef,
    ) -> Result<Self, GpuError> {
        let topology = SkinTopology::of(&BindSkin::of(bodies));
        let triangle_count = topology.triangles.len() as u32;
        gpu.check_count(
            "spatial_hash.triangles",
            triangle_count,
            THREADS_PER_TRIANGLE,
        )?;
        let entry_count = u64::from(def.entry_count);
        let words = |label: &str, count: u64| {
            let desc = BufferDesc {
                label,
                bytes: 4 * count,
                memory: Memory::Device,
            };
            Buffer::new(gpu, &desc)
        };
        let half = u64::from(def.half_list());
        Ok(Self {
            triangles: SkinTriangles::new(uploads, &topology)?,
            stamps: words("spatial_hash.stamps", entry_count)?,
            block_stamps: words(
                "spatial_hash.block_stamps",
                entry_count / CELLS_PER_BLOCK + 1,
            )?,
            lists: [
                words("spatial_hash.lists[0]", half * entry_count)?,
                words("spatial_hash.lists[1]", half * entry_count)?,
            ],
            overflow_count: uploads.buffer("spatial_hash.overflow_count", &[0u32])?,
            triangle_bits: u32::BITS - (topology.triangles.len() as u32).leading_zeros(),
            generation: None,
            topology,
            def,
        })
    }

    /// What it was made like.
    pub fn def(&self) -> SpatialHashDef {
        self.def
    }

    /// The triangles on the device.
    pub fn triangles(&self) -> &SkinTriangles {
        &self.triangles
    }

    /// The triangles that are listed.
    pub fn topology(&self) -> &SkinTopology {
        &self.topology
    }

    /// One word an entry: the generation that last listed something there.
    pub fn stamps(&self) -> &Buffer {
        &self.stamps
    }

    /// [Half a list](SpatialHashDef::half_list) of words an entry in each: generation and triangle.
    pub fn lists(&self) -> [&Buffer; 2] {
        [&self.lists[0], &self.lists[1]]
    }

    /// One word: listings that found no room, since the world was made.
    pub fn overflow_count(&self) -> &Buffer {
        &self.overflow_count
    }

    /// Of the newest update, and by how many bits listings are shifted to hold it. `None` before the first.
    pub fn generation(&self) -> Option<(u32, u32)> {
        self.generation
            .map(|generation| (generation, self.triangle_bits))
    }

    /// Device memory of the table alone.
    pub fn table_bytes(&self) -> u64 {
        self.stamps.bytes()
            + self.block_stamps.bytes()
            + self.lists[0].bytes()
            + self.lists[1].bytes()
    }

    /// Device memory of everything.
    pub fn bytes(&self) -> u64 {
        self.table_bytes() + self.triangles.bytes() + self.overflow_count.bytes()
    }

    /// The fill value of a list before its first entry: a generation that no update has.
    const NEVER: u32 = u32::MAX;

    /// Clears the table, but only when it is new or the generations run out: with 40,000 triangles after 65,534 updates.
    pub fn record_clear(&mut self, recorder: &mut Recorder) {
        if self
            .generation
            .is_some_and(|last| last >= SPARE_GENERATIONS)
        {
            return;
        }
        recorder.fill(self.stamps.all(), Self::NEVER);
        recorder.fill(self.block_stamps.all(), Self::NEVER);
        for list in &self.lists {
            recorder.fill(list.all(), Self::NEVER);
        }
        self.generation = Some(Self::NEVER >> self.triangle_bits);
    }

    /// Lists the skin at a part of the step.
    pub fn record_update(
        &mut self,
        recorder: &mut Recorder,
        pipelines: &SpatialHashPipelines,
        bodies: &Bodies,
        part: f32,
    ) {
        self.generation = self.generation.map(|last| last - 1);
        let push = VoxelisePush {
            triangle_count: self.triangles.count(),
            part,
            table: self.table_push(),
        };
        let bindings: [Bind; 8] = [
            self.triangles.triangles().into(),
            bodies.skin.previous_positions().into(),
            bodies.skin.positions().into(),
            (&self.stamps).into(),
            (&self.lists[0]).into(),
            (&self.lists[1]).into(),
            (&self.block_stamps).into(),
            (&self.overflow_count).into(),
        ];
        recorder.dispatch(
            &pipelines.voxelise,
            &bindings,
            &push,
            self.triangles.count() * THREADS_PER_TRIANGLE,
        );
    }

    /// Collides the particles.
    pub(super) fn record_collide(
        &self,
        recorder: &mut Recorder,
        pipelines: &SpatialHashPipelines,
        collision: &Collision,
    ) {
        let push = CollidePush {
            response: collision.response_push(),
            search_radius: collision
                .settings
                .search_radius
                .min(MAX_SHELLS * self.def.cell_size),
            table: self.table_push(),
        };
        let own = [
            (&self.stamps).into(),
            (&self.lists[0]).into(),
            (&self.lists[1]).into(),
            (&self.block_stamps).into(),
            collision.particles.path_starts.into(),
        ];
        let bindings: [Bind; 15] =
            self.triangles
                .collide_bindings(collision.particles, collision.bodies.skin, own);
        recorder.dispatch_groups(
            &pipelines.collide,
            &bindings,
            &push,
            collision.particles.count,
        );
    }

    /// What shaders must know of the table.
    pub fn table_push(&self) -> TablePush {
        TablePush {
            cell_size: self.def.cell_size,
            entry_count: self.def.entry_count,
            row: self.def.row(),
            column: self.def.column(),
            generation: self.generation.unwrap_or(Self::NEVER),
            triangle_bits: self.triangle_bits,
            half_list: self.def.half_list(),
        }
    }
}
