//! Fills a field on the GPU, in slices that a running engine can afford.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::SolidFields;
use super::jobs::{Job, Pass, jobs};
use crate::gpu::{
    Access, Bind, Buffer, BufferDesc, ComputePipeline, Gpu, GpuError, Memory, Recorder, Uploads,
    shaders,
};
use crate::solid::fill::Filler;
use crate::solid::grid::BRICK_SAMPLES;
use crate::solid::{FieldHeader, SignRule};

/// How samples get their distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FillMethod {
    /// Each sample looks up its nearest triangle in a tree. Quickest for large meshes: time grows with the samples.
    Search,
    /// The paper's Algorithm 1: each triangle is written into all samples near it. Time grows with triangles times the band's volume.
    Splat(Envelope),
}

/// Round which part of space a triangle is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Envelope {
    /// All within the band: the same field as [`FillMethod::Search`].
    Ball,
    /// The paper's: the prism between the triangle moved along its normal both ways. Beyond sharp convex edges samples stay out of it,
    /// and count as beyond the band.
    Prism,
}

/// How a field is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FillSettings {
    pub method: FillMethod,
    /// Device memory for the samples that are being filled, 8 bytes each; usual 64 MiB. Where a field has more, one batch of bricks is
    /// filled after the other, for each of which the splat goes through all triangles again.
    pub scratch_bytes: u64,
}

impl FillSettings {
    /// With the usual scratch.
    pub fn new(method: FillMethod) -> Self {
        Self {
            method,
            scratch_bytes: 64 << 20,
        }
    }

    /// Bricks of a batch, of so many in all.
    fn batch_bricks(&self, brick_count: usize) -> u32 {
        let fitting = self.scratch_bytes / (8 * u64::from(BRICK_SAMPLES));
        fitting.clamp(1, (brick_count as u64).max(1)) as u32
    }
}

/// The pipelines that fill fields.
pub struct FillPipelines {
    corners: ComputePipeline,
    search: ComputePipeline,
    splat: [ComputePipeline; 2],
    finish: ComputePipeline,
}

impl FillPipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        let splat =
            |finds_owners| ComputePipeline::new(gpu, &shaders::SOLID_SPLAT_COMP, &[finds_owners]);
        Ok(Self {
            corners: ComputePipeline::new(gpu, &shaders::SOLID_CORNERS_COMP, &[])?,
            search: ComputePipeline::new(gpu, &shaders::SOLID_SEARCH_COMP, &[])?,
            splat: [splat(0)?, splat(1)?],
            finish: ComputePipeline::new(gpu, &shaders::SOLID_FINISH_COMP, &[])?,
        })
    }
}

/// `Push` of glsl/solid/fill.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct FillPush {
    first: u32,
    count: u32,
    first_number: u32,
    number_count: u32,
    bricks: [u32; 3],
    first_brick: u32,
    first_corner: u32,
    first_sample: u32,
    node_count: u32,
    brick_count: u32,
    vertex_count: u32,
    cell_size: f32,
    rule: u32,
    envelope: u32,
}

/// A field while it is filled on the GPU. Holds what the passes need; drop it when [`FieldFill::is_done`] and the GPU is done.
pub struct FieldFill {
    positions: Buffer,
    triangles: Buffer,
    nodes: Buffer,
    numbers: Buffer,
    normals: Buffer,
    sides: Buffer,
    places: Buffer,
    distances: Buffer,
    owners: Buffer,
    push: FillPush,
    jobs: Vec<Job>,
    done: usize,
}

impl FieldFill {
    /// Prepares to fill the field of that number in [`SolidFields`], which was uploaded as [`Filler::unfilled`].
    ///
    /// # Errors
    /// When memory runs out, or the mesh is larger than the device binds.
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        filler: &Filler,
        header: FieldHeader,
        settings: FillSettings,
    ) -> Result<Self, GpuError> {
        let nodes = filler.mesh.tree.flat_nodes();
        let sides = filler.sides.as_ref().map_or(&[][..], |sides| &sides.words);
        let places: Vec<_> = filler
            .bricks
            .places
            .iter()
            .map(|place| place.to_array())
            .collect();
        let batch_bricks = settings.batch_bricks(places.len());
        let scratch = |label| {
            let desc = BufferDesc {
                label,
                bytes: 4 * u64::from(batch_bricks * BRICK_SAMPLES),
                memory: Memory::Device,
            };
            Buffer::new(gpu, &desc)
        };
        Ok(Self {
            positions: uploads.buffer("solid.fill.positions", &filler.mesh.positions)?,
            triangles: uploads.buffer("solid.fill.triangles", &filler.mesh.triangles)?,
            nodes: uploads.buffer("solid.fill.nodes", &nodes)?,
            numbers: uploads.buffer("solid.fill.numbers", filler.mesh.tree.numbers())?,
            normals: uploads.buffer("solid.fill.normals", &normals_of(filler))?,
            sides: uploads.buffer("solid.fill.sides", sides)?,
            places: uploads.buffer("solid.fill.places", &places)?,
            distances: scratch("solid.fill.distances")?,
            owners: scratch("solid.fill.owners")?,
            push: FillPush::new(filler, header, nodes.len() as u32, settings.method),
            jobs: jobs(filler, settings.method, batch_bricks),
            done: 0,
        })
    }

    /// Records the next jobs, of at most `budget` samples and tree searches together, but one at least. Nothing once all are.
    ///
    /// Every write of the last slice is made visible to compute and copies that come after it.
    pub fn record_slice(
        &mut self,
        recorder: &mut Recorder,
        pipelines: &FillPipelines,
        fields: &SolidFields,
        budget: u64,
    ) {
        recorder.begin_label(c"solid.fill");
        let (first, mut spent) = (self.done, 0);
        let both = [Access::ComputeReadWrite, Access::TransferWrite];
        while let Some(&job) = self.jobs.get(self.done) {
            spent += job.cost();
            if self.done > first && spent > budget {
                break;
            }
            recorder.barrier(&both, &both);
            self.record_job(recorder, pipelines, fields.words(), job);
            self.done += 1;
        }
        let read = [
            Access::ComputeReadWrite,
            Access::TransferRead,
            Access::TransferWrite,
        ];
        recorder.barrier(&both, &read);
        recorder.end_label();
    }

    /// Whether all has been recorded.
    pub fn is_done(&self) -> bool {
        self.done == self.jobs.len()
    }

    /// How much has been recorded, 0 to 1.
    pub fn progress(&self) -> f32 {
        let cost = |jobs: &[Job]| jobs.iter().map(Job::cost).sum::<u64>() as f32;
        cost(&self.jobs[..self.done]) / cost(&self.jobs).max(1.0)
    }

    /// Device memory, the field itself not counted.
    pub fn bytes(&self) -> u64 {
        let inputs = [
            &self.positions,
            &self.triangles,
            &self.nodes,
            &self.numbers,
            &self.normals,
        ];
        let others = [&self.sides, &self.places, &self.distances, &self.owners];
        inputs
            .iter()
            .chain(&others)
            .map(|buffer| buffer.bytes())
            .sum()
    }

    fn record_job(
        &self,
        recorder: &mut Recorder,
        pipelines: &FillPipelines,
        words: &Buffer,
        job: Job,
    ) {
        let push = FillPush {
            first: job.first,
            count: job.count,
            first_number: job.batch[0],
            number_count: job.batch[1],
            ..self.push
        };
        let [p, t]: [Bind; 2] = [(&self.positions).into(), (&self.triangles).into()];
        let [nodes, numbers]: [Bind; 2] = [(&self.nodes).into(), (&self.numbers).into()];
        let [normals, sides]: [Bind; 2] = [(&self.normals).into(), (&self.sides).into()];
        let [places, d, o] = [&self.places, &self.distances, &self.owners].map(Bind::from);
        let w = Bind::from(words);
        match job.pass {
            Pass::Clear => {
                recorder.fill(self.distances.all(), u32::MAX);
                recorder.fill(self.owners.all(), u32::MAX);
            }
            Pass::Corners => {
                let bindings = [p, t, nodes, numbers, normals, sides, w];
                recorder.dispatch(&pipelines.corners, &bindings, &push, job.count);
            }
            Pass::Search => {
                let bindings = [p, t, nodes, numbers, places, d, o];
                let threads = job.count * BRICK_SAMPLES;
                recorder.dispatch(&pipelines.search, &bindings, &push, threads);
            }
            Pass::SplatDistances | Pass::SplatOwners => {
                let pipeline = &pipelines.splat[usize::from(job.pass == Pass::SplatOwners)];
                recorder.dispatch_groups(pipeline, &[p, t, w, d, o], &push, job.count);
            }
            Pass::Finish => {
                let bindings = [p, t, normals, sides, places, d, o, w];
                recorder.dispatch_groups(&pipelines.finish, &bindings, &push, job.count);
            }
        }
    }
}

impl FillPush {
    fn new(filler: &Filler, header: FieldHeader, node_count: u32, method: FillMethod) -> Self {
        Self {
            bricks: header.bricks,
            first_brick: header.first_brick,
            first_corner: header.first_corner,
            first_sample: header.first_sample,
            node_count,
            brick_count: filler.bricks.places.len() as u32,
            vertex_count: filler.mesh.positions.len() as u32,
            cell_size: header.cell_size,
            rule: match filler.rule {
                SignRule::Face => 0,
                SignRule::Pseudonormal => 1,
                SignRule::Robust => 2,
            },
            envelope: u32::from(method == FillMethod::Splat(Envelope::Prism)),
            ..Self::zeroed()
        }
    }
}

/// Of vertices, then three a triangle of its edges.
fn normals_of(filler: &Filler) -> Vec<Vec3> {
    let normals = &filler.mesh.normals;
    let edges = normals.edges.iter().flatten();
    normals.vertices.iter().chain(edges).copied().collect()
}
