//! Radial fields on the GPU: their buffers, the update through the graphics pipeline, and the collision.

use std::sync::Arc;

use ash::vk;
use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use super::atlas;
use super::cell::EMPTY_KEY;
use super::field::{FieldDef, FieldSet};
use super::pipelines::{RadialPipelines, Rasterise};
use crate::collide::candidates::{BoundPush, FieldBounds};
use crate::collide::{Bodies, BoneAttachment, Collision};
use crate::gpu::{
    Access, Bind, Buffer, BufferDesc, Gpu, GpuError, GraphicsPipeline, Memory, Recorder, Uploads,
};

/// Triangles of a workgroup of glsl/radial/rasterise.comp: its `SCAN_SIZE`.
const GROUP_TRIANGLES: u32 = 32;

/// Triangles among which neighbours are dealt to different workgroups, see [`dealt`]. Usually 2,048; with all of a crowd's the corners that a workgroup
/// loads lie in as many bodies, and a hundred characters' update takes 3 % longer; with 32, which is none, the ogre's takes 12 % longer.
const DEALT_TRIANGLES: usize = 2048;

/// How the skin is written into the cells; the cells come out the same but for roundings at triangles' edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilledBy {
    /// The graphics pipeline, as in the paper.
    #[default]
    Drawing,
    /// Compute shaders. Most triangles are smaller than a cell, where raster units are at their worst.
    Compute,
}

/// `Field` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GpuField {
    pub cell_offset: u32,
    pub width: u32,
    pub height: u32,
    pub pixel_x: u32,
    pub pixel_y: u32,
    pub axis_length: f32,
    pub caps: u32,
}

/// Cells of a portion, rounded down to whole rows. Usual fields of people are one portion; with larger ones the device waits for a few workgroups that
/// bound large fields.
const PORTION_CELLS: u32 = 4096;

/// `FARTHEST` of glsl/radial/cell.glsl.
const FARTHEST: f32 = 1e30;

/// `DrawnTriangles` of glsl/shared/structs.glsl, the arguments of an indirect draw.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct DrawnTriangles {
    pub vertex_count: u32,
    pub instance_count: u32,
    pub first_vertex: u32,
    pub first_instance: u32,
}

/// `Portion` of glsl/radial/bound.comp.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Portion {
    field_ix: u32,
    first_cell: u32,
    width: u32,
    first_row: u32,
    end_row: u32,
    first_open: u32,
    end_open: u32,
    count: u32,
    rows_offset: u32,
    least: f32,
}

impl Portion {
    /// The rows of all fields but for their caps, at least one portion of each; and how many rows fields of several portions have together.
    fn of_all(defs: &[FieldDef]) -> (Vec<Self>, u32) {
        let mut rows_offset = 0;
        let mut portions = Vec::new();
        for (field_ix, def) in (0..).zip(defs) {
            let first = portions.len();
            portions.extend(Self::of(field_ix, def, rows_offset));
            if portions.len() > first + 1 {
                rows_offset += def.height;
            }
        }
        (portions, rows_offset)
    }

    fn of(field_ix: u32, def: &FieldDef, rows_offset: u32) -> impl Iterator<Item = Self> {
        let open = def.open_rows();
        let rows = (PORTION_CELLS / def.width).max(1);
        let count = (open.end - open.start).div_ceil(rows).max(1);
        let is_closed = def.first_row_is_cap || def.last_row_is_cap;
        let (first_cell, width) = (def.cell_offset, def.width);
        (0..count).map(move |ix| Self {
            field_ix,
            first_cell,
            width,
            first_row: open.start + ix * rows,
            end_row: (open.start + (ix + 1) * rows).min(open.end),
            first_open: open.start,
            end_open: open.end,
            count,
            rows_offset,
            least: if is_closed { 0.0 } else { -FARTHEST },
        })
    }
}

/// Words of `Row` of glsl/radial/bound.comp.
const ROW_WORDS: usize = 2;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct RasterisePush {
    pixels: Vec2,
    transform_offset: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FillPush {
    triangle_count: u32,
    transform_offset: u32,
}

/// One body's fields and where its vertices and joints lie among the world's.
#[derive(Clone, Copy)]
pub struct BodyFields<'a> {
    pub fields: &'a FieldSet,
    pub first_vertex: u32,
    pub first_joint: u32,
}

/// The fields of all bodies of a world.
pub struct RadialFields {
    fields: Buffer,
    triangles: Buffer,
    /// [`DrawnTriangles`] and their indices: of all, until a pass that computes small ones lists the others.
    drawing: Buffer,
    cells: Buffer,
    radii: Buffer,
    portions: Buffer,
    portion_count: u32,
    portions_done: Buffer,
    rows_of_fields: Buffer,
    fields_per_body: Vec<u32>,
    defs: Vec<FieldDef>,
    triangle_count: u32,
    cell_count: u32,
    viewport: vk::Extent2D,
    filled_by: FilledBy,
}

impl RadialFields {
    /// Lays out and uploads the fields.
    ///
    /// # Errors
    /// When memory runs out, or the fields are more than the device can draw to.
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        bodies: &[BodyFields],
        filled_by: FilledBy,
    ) -> Result<Self, GpuError> {
        let (defs, mut triangles) = concatenate(bodies);
        let sizes: Vec<_> = defs.iter().map(|def| (def.width, def.height)).collect();
        let (places, viewport) = atlas::pack(&sizes, gpu.limits.max_framebuffer_width);
        let viewport = vk::Extent2D {
            width: viewport.0,
            height: viewport.1,
        };
        let triangle_count = triangles.len() as u32;
        match filled_by {
            FilledBy::Drawing => {
                Gpu::check_extent("radial.viewport", viewport, max_pixels(&gpu.limits))?;
            }
            FilledBy::Compute => {
                triangles = triangles.chunks(DEALT_TRIANGLES).flat_map(dealt).collect();
            }
        }
        let fields: Vec<_> = defs
            .iter()
            .zip(&places)
            .map(|(def, place)| GpuField::new(def, *place))
            .collect();
        let drawing = drawing(match filled_by {
            FilledBy::Drawing => triangle_count,
            FilledBy::Compute => 0,
        });
        // Until the first step computes them.
        let radii: Vec<f32> = defs.iter().map(|def| def.radius).collect();
        let (portions, row_count) = Portion::of_all(&defs);
        let row_words = (row_count as usize).max(1) * ROW_WORDS;
        let cell_count = defs.iter().map(FieldDef::cell_count).sum::<u32>();
        let cells = BufferDesc {
            label: "radial.cells",
            bytes: 4 * u64::from(cell_count),
            memory: Memory::Device,
        };
        Ok(Self {
            fields: uploads.buffer("radial.fields", &fields)?,
            triangles: uploads.buffer("radial.triangles", &triangles)?,
            drawing: uploads.buffer("radial.drawing", &drawing)?,
            cells: Buffer::new(gpu, &cells)?,
            radii: uploads.buffer("radial.radii", &radii)?,
            portions: uploads.buffer("radial.portions", &portions)?,
            portion_count: portions.len() as u32,
            portions_done: uploads.buffer("radial.portions_done", &vec![0u32; defs.len()])?,
            rows_of_fields: uploads.buffer("radial.rows_of_fields", &vec![0u32; row_words])?,
            fields_per_body: bodies
                .iter()
                .map(|body| body.fields.fields.len() as u32)
                .collect(),
            triangle_count,
            cell_count,
            filled_by,
            defs,
            viewport,
        })
    }

    /// How the skin is written into the cells.
    pub fn filled_by(&self) -> FilledBy {
        self.filled_by
    }

    /// Fields of all bodies, and of garments that others are worn over.
    pub fn field_count(&self) -> u32 {
        self.defs.len() as u32
    }

    /// Fields of each body, which lie one body's after the other's; then of each garment that others are worn over, where cloth meets cloth.
    pub fn fields_per_body(&self) -> &[u32] {
        &self.fields_per_body
    }

    /// The fields, their joints and cells counted over all bodies.
    pub fn defs(&self) -> &[FieldDef] {
        &self.defs
    }

    /// One `GpuField` per field.
    pub fn fields(&self) -> &Buffer {
        &self.fields
    }

    /// One key per cell: see [`super::cell`].
    pub fn cells(&self) -> &Buffer {
        &self.cells
    }

    /// One `f32` per field: metres of the bind pose from its axis to the furthest skin in its cells, negative for none.
    pub fn radii(&self) -> &Buffer {
        &self.radii
    }

    /// Cells of all fields.
    pub fn cell_count(&self) -> u32 {
        self.cell_count
    }

    /// Device memory of the cells alone: "memory" in the paper's table.
    pub fn cell_bytes(&self) -> u64 {
        4 * u64::from(self.cell_count)
    }

    /// Device memory of everything.
    pub fn bytes(&self) -> u64 {
        let buffers = [
            &self.fields,
            &self.triangles,
            &self.drawing,
            &self.cells,
            &self.radii,
            &self.portions,
            &self.portions_done,
            &self.rows_of_fields,
        ];
        buffers.map(Buffer::bytes).iter().sum()
    }

    /// The bone attachment of each field.
    pub fn bone_attachments(&self) -> impl ExactSizeIterator<Item = BoneAttachment> {
        self.defs.iter().map(|def| BoneAttachment {
            frame_ix: def.joint_ix,
            bone_from_field: def.bone_from_field,
            axis_lengths: def.axis_lengths(),
        })
    }

    /// Clears the cells, and the list of triangles to draw if there is one of each step. Needs a barrier after it, before atomics of fragments and
    /// compute shaders.
    pub(super) fn record_clear(&self, recorder: &mut Recorder, pipelines: &RadialPipelines) {
        recorder.fill(self.cells.all(), EMPTY_KEY);
        if let Rasterise::Drawing { small: Some(_), .. } = pipelines.rasterise {
            recorder.fill(self.drawing.slice(0, 4), 0);
        }
    }

    /// Draws the skin into the cells, all fields of all bodies in one draw or one dispatch, and computes the fields' radii.
    pub(super) fn record_update(
        &self,
        recorder: &mut Recorder,
        pipelines: &RadialPipelines,
        bodies: &Bodies,
        bounds: &FieldBounds,
    ) {
        self.record_fill(recorder, pipelines, bodies);
        recorder.barrier(
            &[Access::FragmentAtomicWrite, Access::ComputeReadWrite],
            &[Access::ComputeReadWrite],
        );
        let push = BoundPush {
            task_count: self.portion_count,
            transform_stride: bodies.transforms.field_count,
            sub_steps: bodies.transforms.sub_steps,
        };
        let [boxes, bodies_of_fields, body_boxes] = bounds.written();
        let bindings: [Bind; 9] = [
            (&self.portions).into(),
            (&self.cells).into(),
            (&self.radii).into(),
            bodies.transforms.buffer.into(),
            boxes,
            bodies_of_fields,
            body_boxes,
            (&self.portions_done).into(),
            (&self.rows_of_fields).into(),
        ];
        recorder.dispatch_groups(&pipelines.bound, &bindings, &push, self.portion_count);
    }

    fn record_fill(&self, recorder: &mut Recorder, pipelines: &RadialPipelines, bodies: &Bodies) {
        if self.triangle_count == 0 {
            return; // Nothing can be drawn on nothing.
        }
        let transform_offset = bodies.transforms.sub_steps * bodies.transforms.field_count;
        let bindings: [Bind; 6] = [
            bodies.skin.positions().into(),
            (&self.triangles).into(),
            (&self.fields).into(),
            bodies.transforms.buffer.into(),
            (&self.cells).into(),
            (&self.drawing).into(),
        ];
        let compute = |recorder: &mut Recorder, pipeline| {
            let push = FillPush {
                triangle_count: self.triangle_count,
                transform_offset,
            };
            let groups = self.triangle_count.div_ceil(GROUP_TRIANGLES);
            recorder.dispatch_rows(pipeline, &bindings, &push, groups);
        };
        match &pipelines.rasterise {
            Rasterise::Compute(pipeline) => compute(recorder, pipeline),
            Rasterise::Drawing { small, listed } => {
                if let Some(small) = small {
                    compute(recorder, small);
                    let drawing = [
                        Access::IndirectRead,
                        Access::VertexRead,
                        Access::FragmentAtomicWrite,
                    ];
                    recorder.barrier(&[Access::ComputeReadWrite], &drawing);
                }
                self.draw(recorder, listed, &bindings, transform_offset);
            }
        }
    }

    fn draw(
        &self,
        recorder: &mut Recorder,
        pipeline: &GraphicsPipeline,
        bindings: &[Bind],
        transform_offset: u32,
    ) {
        let push = RasterisePush {
            pixels: Vec2::new(self.viewport.width as f32, self.viewport.height as f32),
            transform_offset,
        };
        let area = vk::Rect2D {
            offset: vk::Offset2D::default(),
            extent: self.viewport,
        };
        let info = vk::RenderingInfo::default()
            .render_area(area)
            .layer_count(1);
        recorder.rendering(&info, |recorder| {
            recorder.viewport(self.viewport);
            recorder.draw_indirect(pipeline, bindings, &push, self.drawing.all());
        });
    }

    /// Collides the particles, with solids too.
    pub(super) fn record_collide(
        &self,
        recorder: &mut Recorder,
        pipelines: &RadialPipelines,
        collision: &Collision,
    ) {
        let own = [
            (&self.fields).into(),
            (&self.cells).into(),
            (&self.radii).into(),
        ];
        let bindings: [Bind; 14] = collision.attached_bindings(own);
        let pipeline = &pipelines.collide[collision.settings.detection as usize];
        let threads = collision
            .particles
            .threads(pipelines.variant().kernel.lanes);
        recorder.dispatch(pipeline, &bindings, &collision.push(), threads);
    }

    /// Collides the midpoints of edges: reads current and predicted positions, and writes both `corrected`.
    pub(super) fn record_collide_edges(
        &self,
        recorder: &mut Recorder,
        pipelines: &RadialPipelines,
        collision: &Collision,
        corrected: [&Buffer; 2],
    ) {
        let own = [
            (&self.fields).into(),
            (&self.cells).into(),
            (&self.radii).into(),
        ];
        let bindings: [Bind; 14] = collision.edges_bindings(corrected, own);
        let threads = collision
            .particles
            .threads(pipelines.variant().edge_lanes());
        let push = collision.edges_push();
        recorder.dispatch(&pipelines.collide_edges, &bindings, &push, threads);
    }
}

/// The most pixels each way that a draw without attachments may cover.
fn max_pixels(limits: &vk::PhysicalDeviceLimits) -> u32 {
    let [width, height] = limits.max_viewport_dimensions;
    limits
        .max_framebuffer_width
        .min(limits.max_framebuffer_height)
        .min(width)
        .min(height)
}

impl GpuField {
    fn new(def: &FieldDef, (pixel_x, pixel_y): (u32, u32)) -> Self {
        Self {
            cell_offset: def.cell_offset,
            width: def.width,
            height: def.height,
            pixel_x,
            pixel_y,
            axis_length: def.length,
            caps: u32::from(def.first_row_is_cap) | u32::from(def.last_row_is_cap) << 1,
        }
    }
}

/// All bodies' fields and triangles, with indices among the world's vertices, joints and cells.
fn concatenate(bodies: &[BodyFields]) -> (Vec<FieldDef>, Vec<[u32; 4]>) {
    let mut defs = Vec::new();
    let mut triangles = Vec::new();
    let mut first_cell = 0;
    for body in bodies {
        let first_field = defs.len() as u32;
        defs.extend(body.fields.fields.iter().map(|def| FieldDef {
            joint_ix: def.joint_ix + body.first_joint,
            cell_offset: def.cell_offset + first_cell,
            ..def.clone()
        }));
        triangles.extend(body.fields.triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.vertices.map(|vertex| vertex + body.first_vertex);
            let ranked = (triangle.rank as u32) << 30 | (triangle.field_ix + first_field);
            [a, b, c, ranked]
        }));
        first_cell += body.fields.cell_count;
    }
    (defs, triangles)
}

/// The arguments of a draw of the first triangles, so many, and their list.
fn drawing(triangle_count: u32) -> Vec<u32> {
    let arguments = DrawnTriangles {
        vertex_count: 3 * triangle_count,
        instance_count: 1,
        first_vertex: 0,
        first_instance: 0,
    };
    let mut words: Vec<u32> = bytemuck::cast_slice(&[arguments]).to_vec();
    // A list of nothing has a word all the same: shaders bind it.
    words.extend(0..triangle_count.max(1));
    words
}

/// Neighbours go to different workgroups of glsl/radial/rasterise.comp. Those near an axis have many cells each, and all wait for
/// a workgroup that has several.
fn dealt<T: Copy>(triangles: &[T]) -> Vec<T> {
    let groups = triangles.len().div_ceil(GROUP_TRIANGLES as usize);
    let hand = |group| triangles.iter().skip(group).step_by(groups);
    (0..groups).flat_map(hand).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_triangle_is_dealt_once_and_neighbours_apart() {
        assert!(dealt::<u32>(&[]).is_empty());
        let triangles: Vec<u32> = (0..100).collect();
        let mut dealt = dealt(&triangles);
        assert_eq!(dealt[..4], [0, 4, 8, 12]);
        dealt.sort_unstable();
        assert_eq!(dealt, triangles);
    }
}
