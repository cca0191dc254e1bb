//! What imgui made of the panels, drawn on the device: one atlas of letters, vertices pulled from buffers.

use std::sync::Arc;

use ash::vk;
use bytemuck::{Pod, Zeroable};
use imgui::{Context, DrawCmd, DrawData, DrawList};

use crate::gpu::{
    Access, Bind, Buffer, BufferDesc, Gpu, GpuError, GraphicsDesc, GraphicsPipeline, Image,
    ImageDesc, Memory, Recorder, Sampler, SamplerDesc, Uploads, is_srgb, shaders,
};

/// What a painter is made for.
#[derive(Clone, Copy, Debug)]
pub struct PainterDesc {
    /// Of the picture that the panels go over.
    pub colour_format: vk::Format,
    /// How many frames the host lets the GPU fall behind.
    pub frames_in_flight: usize,
}

/// Draws panels over a picture. Drop it only when the GPU is done with its frames.
pub struct Painter {
    gpu: Arc<Gpu>,
    desc: PainterDesc,
    pipeline: GraphicsPipeline,
    atlas: Image,
    sampler: Sampler,
    uploads: Uploads,
    /// One per frame in flight.
    meshes: Vec<Mesh>,
    frame_ix: u64,
}

/// The triangles of one frame's panels.
struct Mesh {
    indices: Buffer,
    vertices: Buffer,
}

/// `PanelVertex` of glsl/overlay/panels.vert.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct PanelVertex {
    position: [f32; 2],
    at_atlas: [f32; 2],
    colour: [u8; 4],
}

/// `Push` of glsl/overlay/panels.vert.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Push {
    corner: [f32; 2],
    clip_from_points: [f32; 2],
    first_vertex: u32,
}

/// Room for this many vertices and indices is taken at first, enough for the usual panels; more is taken when needed.
const FIRST_VERTEX_COUNT: usize = 1 << 15;
const FIRST_INDEX_COUNT: usize = 3 << 14;

impl Painter {
    /// Makes the pipeline and stages the atlas of the context's fonts.
    ///
    /// # Errors
    /// When memory runs out or the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>, desc: PainterDesc, context: &mut Context) -> Result<Self, GpuError> {
        let mut uploads = Uploads::new(gpu);
        let sampler = SamplerDesc {
            label: "overlay.sampler",
            filter: vk::Filter::LINEAR,
            address: vk::SamplerAddressMode::CLAMP_TO_EDGE,
            compare: None,
        };
        let meshes = (0..desc.frames_in_flight)
            .map(|_| Mesh::new(gpu, FIRST_INDEX_COUNT, FIRST_VERTEX_COUNT))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            gpu: Arc::clone(gpu),
            desc,
            pipeline: make_pipeline(gpu, desc.colour_format)?,
            atlas: make_atlas(gpu, &mut uploads, context)?,
            sampler: Sampler::new(gpu, &sampler)?,
            uploads,
            meshes,
            frame_ix: 0,
        })
    }

    /// Takes the context's fonts anew. The caller waits for the GPU first.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn reload_fonts(&mut self, context: &mut Context) -> Result<(), GpuError> {
        self.uploads = Uploads::new(&self.gpu);
        self.atlas = make_atlas(&self.gpu, &mut self.uploads, context)?;
        Ok(())
    }

    /// Draws for attachments of another format. The caller waits for the GPU first.
    ///
    /// # Errors
    /// When the driver refuses a shader.
    pub fn set_format(&mut self, colour_format: vk::Format) -> Result<(), GpuError> {
        if self.desc.colour_format != colour_format {
            self.pipeline = make_pipeline(&self.gpu, colour_format)?;
            self.desc.colour_format = colour_format;
        }
        Ok(())
    }

    /// Builds the pipeline again, from shaders replaced through [`Gpu::replace_shaders`]. The caller waits for the GPU
    /// first.
    ///
    /// # Errors
    /// When the driver refuses one; the old pipeline stays.
    pub fn reload_pipelines(&mut self) -> Result<(), GpuError> {
        self.pipeline = make_pipeline(&self.gpu, self.desc.colour_format)?;
        Ok(())
    }

    /// Records the panels over what `target` holds, outside a render pass. `target` is in `COLOR_ATTACHMENT_OPTIMAL`
    /// before and after; what was drawn on it before is visible.
    ///
    /// The frame recorded `frames_in_flight` calls ago must have finished on the GPU.
    ///
    /// # Errors
    /// When there is no memory for more panels than ever before.
    pub fn record(
        &mut self,
        recorder: &mut Recorder,
        target: vk::ImageView,
        extent: vk::Extent2D,
        data: &DrawData,
    ) -> Result<(), GpuError> {
        let slot = (self.frame_ix % self.meshes.len() as u64) as usize;
        self.uploads
            .retire(self.frame_ix, self.desc.frames_in_flight);
        if self.uploads.is_waiting() {
            self.uploads.record(recorder, self.frame_ix);
        }
        self.frame_ix += 1;
        // imgui's lists may not even be looked at when there are none.
        if data.total_vtx_count <= 0 {
            return Ok(());
        }
        self.meshes[slot].fill(&self.gpu, data)?;
        let attachments = [vk::RenderingAttachmentInfo::default()
            .image_view(target)
            .image_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)
            .load_op(vk::AttachmentLoadOp::LOAD)
            .store_op(vk::AttachmentStoreOp::STORE)];
        let info = vk::RenderingInfo::default()
            .render_area(extent.into())
            .layer_count(1)
            .color_attachments(&attachments);
        recorder.barrier(&[Access::ColourAttachment], &[Access::ColourAttachment]);
        recorder.rendering(&info, |recorder| {
            recorder.viewport(extent);
            self.record_lists(recorder, &self.meshes[slot], extent, data);
        });
        Ok(())
    }

    fn record_lists(
        &self,
        recorder: &mut Recorder,
        mesh: &Mesh,
        extent: vk::Extent2D,
        data: &DrawData,
    ) {
        let (mut first_index, mut first_vertex) = (0, 0);
        for list in data.draw_lists() {
            for command in list.commands() {
                // No panel asks for callbacks, and every draw sets all its state.
                let DrawCmd::Elements { count, cmd_params } = command else {
                    continue;
                };
                let Some(scissor) = scissor_of(cmd_params.clip_rect, data, extent) else {
                    continue;
                };
                // SAFETY: the recorder's command buffer is recording, and the scissor lies within the attachment.
                unsafe {
                    self.gpu
                        .device
                        .cmd_set_scissor(recorder.cmd(), 0, &[scissor]);
                };
                let start = first_index + cmd_params.idx_offset as u32;
                let push = push_for(data, first_vertex + cmd_params.vtx_offset as u32);
                recorder.draw(
                    &self.pipeline,
                    &[
                        Bind::Buffer(mesh.indices.all()),
                        Bind::Buffer(mesh.vertices.all()),
                        Bind::Image {
                            view: self.atlas.view(),
                            sampler: self.sampler.handle(),
                        },
                    ],
                    &push,
                    start..start + count as u32,
                    1,
                );
            }
            first_index += list.idx_buffer().len() as u32;
            first_vertex += list.vtx_buffer().len() as u32;
        }
    }
}

impl Mesh {
    fn new(gpu: &Arc<Gpu>, index_count: usize, vertex_count: usize) -> Result<Self, GpuError> {
        let upload = |label, bytes: usize| {
            let desc = BufferDesc {
                label,
                bytes: bytes as u64,
                memory: Memory::Shared,
            };
            Buffer::new(gpu, &desc)
        };
        Ok(Self {
            indices: upload("overlay.indices", index_count * size_of::<u32>())?,
            vertices: upload("overlay.vertices", vertex_count * size_of::<PanelVertex>())?,
        })
    }

    /// Takes the lists one after the other; makes more room when there is too little.
    fn fill(&mut self, gpu: &Arc<Gpu>, data: &DrawData) -> Result<(), GpuError> {
        let index_count = data.total_idx_count.max(0) as usize;
        let vertex_count = data.total_vtx_count.max(0) as usize;
        let fits = |buffer: &Buffer, bytes: usize| buffer.bytes() >= bytes as u64;
        if !fits(&self.indices, index_count * size_of::<u32>())
            || !fits(&self.vertices, vertex_count * size_of::<PanelVertex>())
        {
            *self = Self::new(
                gpu,
                index_count.next_power_of_two(),
                vertex_count.next_power_of_two(),
            )?;
        }
        let (mut index_bytes, mut vertex_bytes) = (0, 0);
        for list in data.draw_lists() {
            let indices: Vec<u32> = list.idx_buffer().iter().map(|&ix| u32::from(ix)).collect();
            let vertices = vertices_of(list);
            self.indices.write(index_bytes, &indices);
            self.vertices.write(vertex_bytes, &vertices);
            index_bytes += size_of_val(indices.as_slice()) as u64;
            vertex_bytes += size_of_val(vertices.as_slice()) as u64;
        }
        Ok(())
    }
}

fn vertices_of(list: &DrawList) -> Vec<PanelVertex> {
    let vertices = list.vtx_buffer().iter();
    vertices
        .map(|vertex| PanelVertex {
            position: vertex.pos,
            at_atlas: vertex.uv,
            colour: vertex.col,
        })
        .collect()
}

fn push_for(data: &DrawData, first_vertex: u32) -> Push {
    Push {
        corner: data.display_pos,
        clip_from_points: data.display_size.map(|points| 2.0 / points.max(1.0)),
        first_vertex,
    }
}

/// A clip rectangle, in points, as pixels within the picture; `None` when nothing of it is there.
fn scissor_of(clip: [f32; 4], data: &DrawData, extent: vk::Extent2D) -> Option<vk::Rect2D> {
    let most = [extent.width as f32, extent.height as f32];
    let pixel = |ix: usize| {
        let axis = ix % 2;
        let pixels = (clip[ix] - data.display_pos[axis]) * data.framebuffer_scale[axis];
        pixels.clamp(0.0, most[axis])
    };
    let (left, top) = (pixel(0).floor(), pixel(1).floor());
    let (right, bottom) = (pixel(2).ceil(), pixel(3).ceil());
    (right > left && bottom > top).then_some(vk::Rect2D {
        offset: vk::Offset2D {
            x: left as i32,
            y: top as i32,
        },
        extent: vk::Extent2D {
            width: (right - left) as u32,
            height: (bottom - top) as u32,
        },
    })
}

fn make_pipeline(gpu: &Arc<Gpu>, format: vk::Format) -> Result<GraphicsPipeline, GpuError> {
    let shaders = [&shaders::OVERLAY_PANELS_VERT, &shaders::OVERLAY_PANELS_FRAG];
    let desc = GraphicsDesc {
        blend: true,
        constants: &[u32::from(is_srgb(format))],
        ..GraphicsDesc::over_picture("overlay.panels", shaders, format)
    };
    GraphicsPipeline::new(gpu, &desc)
}

fn make_atlas(
    gpu: &Arc<Gpu>,
    uploads: &mut Uploads,
    context: &mut Context,
) -> Result<Image, GpuError> {
    let coverage = context.fonts().build_alpha8_texture();
    let image = Image::new(
        gpu,
        &ImageDesc {
            label: "overlay.atlas",
            extent: vk::Extent2D {
                width: coverage.width,
                height: coverage.height,
            },
            format: vk::Format::R8_UNORM,
            usage: vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::SAMPLED,
            samples: vk::SampleCountFlags::TYPE_1,
            aspect: vk::ImageAspectFlags::COLOR,
        },
    )?;
    uploads.stage_image(&image, &[coverage.data.to_vec()])?;
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    fn offsets(name: &str) -> Vec<(&'static str, u32)> {
        let structs = shaders::OVERLAY_PANELS_VERT.structs;
        let found = structs.iter().find(|layout| layout.name == name);
        found
            .map(|layout| layout.members.to_vec())
            .unwrap_or_default()
    }

    #[test]
    fn the_layouts_are_the_shaders() {
        let vertex = [
            ("position", offset_of!(PanelVertex, position) as u32),
            ("at_atlas", offset_of!(PanelVertex, at_atlas) as u32),
            ("colour", offset_of!(PanelVertex, colour) as u32),
        ];
        assert_eq!(offsets("PanelVertex"), vertex);
        let push = [
            ("corner", offset_of!(Push, corner) as u32),
            (
                "clip_from_points",
                offset_of!(Push, clip_from_points) as u32,
            ),
            ("first_vertex", offset_of!(Push, first_vertex) as u32),
        ];
        assert_eq!(offsets("Push"), push);
        let bytes = shaders::OVERLAY_PANELS_VERT.push_constant_bytes as usize;
        assert_eq!(bytes, size_of::<Push>());
    }
}
