//! The engine's own draw: bodies and their clothes, a picture in a file.

use std::path::Path;

use ash::vk;
use ash::vk::{AccessFlags2 as A, ImageLayout, PipelineStageFlags2 as S};
use image::imageops::{FilterType, resize};
use radial_fields::World;
use radial_fields::gpu::Buffer;

use crate::engine::{Engine, Result, range};
use crate::pipeline::{self, COLOUR_OFFSET, STAGES};
use crate::show::{Part, Show, clip_from_world};

/// Drawn at twice the size of the file, which is what smooths its edges.
const EXTENT: vk::Extent2D = vk::Extent2D {
    width: 960,
    height: 1200,
};
const COLOUR: vk::Format = vk::Format::R8G8B8A8_SRGB;
const DEPTH: vk::Format = vk::Format::D32_SFLOAT;
const DRAWN: ImageLayout = ImageLayout::ATTACHMENT_OPTIMAL;
const COPIED: ImageLayout = ImageLayout::TRANSFER_SRC_OPTIMAL;
/// Linear.
const BACKDROP: [f32; 4] = [0.62, 0.65, 0.68, 1.0];

/// What is drawn with, and on what.
pub struct Picture {
    device: ash::Device,
    colour: (vk::Image, vk::ImageView),
    depth: (vk::Image, vk::ImageView),
    pixels: (vk::Buffer, *mut u8),
    indices: vk::Buffer,
    layout: vk::PipelineLayout,
    pipeline: vk::Pipeline,
}

impl Picture {
    pub fn new(engine: &mut Engine, triangles: &[[u32; 3]]) -> Result<Self> {
        use vk::{BufferUsageFlags as B, ImageUsageFlags as I};
        let bytes: &[u8] = bytemuck::cast_slice(triangles);
        let (indices, mapped) = engine.buffer(bytes.len() as u64, B::INDEX_BUFFER)?;
        // SAFETY: the buffer was made this long just now and the GPU does not know it yet.
        unsafe { mapped.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        let pixel_bytes = 4 * u64::from(EXTENT.width) * u64::from(EXTENT.height);
        let (layout, pipeline) = pipeline::make(engine, (COLOUR, DEPTH))?;
        Ok(Self {
            colour: engine.image(EXTENT, COLOUR, I::COLOR_ATTACHMENT | I::TRANSFER_SRC)?,
            depth: engine.image(EXTENT, DEPTH, I::DEPTH_STENCIL_ATTACHMENT)?,
            pixels: engine.buffer(pixel_bytes, B::TRANSFER_DST)?,
            device: engine.device.clone(),
            indices,
            layout,
            pipeline,
        })
    }

    /// Draws the world as the frame's simulation leaves it, and copies the picture to where the CPU finds it.
    pub fn draw(&self, cmd: vk::CommandBuffer, world: &World, show: &Show) {
        // What the frame before left is thrown away.
        let (colour, depth) = (self.colour.0, self.depth.0);
        self.turn(cmd, (colour, COLOUR), (ImageLayout::UNDEFINED, DRAWN));
        self.turn(cmd, (depth, DEPTH), (ImageLayout::UNDEFINED, DRAWN));
        let attachment = |view, value| {
            vk::RenderingAttachmentInfo::default()
                .image_view(view)
                .image_layout(DRAWN)
                .load_op(vk::AttachmentLoadOp::CLEAR)
                .clear_value(value)
        };
        let color = vk::ClearColorValue { float32: BACKDROP };
        let far = vk::ClearDepthStencilValue {
            depth: 1.0,
            stencil: 0,
        };
        let colours = [attachment(self.colour.1, vk::ClearValue { color })];
        let depth_stencil = attachment(self.depth.1, vk::ClearValue { depth_stencil: far });
        let info = vk::RenderingInfo::default()
            .render_area(EXTENT.into())
            .layer_count(1)
            .color_attachments(&colours)
            .depth_attachment(&depth_stencil);
        // SAFETY: the command buffer is recording; all that is bound lives until the engine has waited.
        unsafe {
            self.device.cmd_begin_rendering(cmd, &info);
            self.draw_world(cmd, world, show);
            self.device.cmd_end_rendering(cmd);
        }
        self.turn(cmd, (colour, COLOUR), (DRAWN, COPIED));
        self.copy(cmd);
    }

    unsafe fn draw_world(&self, cmd: vk::CommandBuffer, world: &World, show: &Show) {
        let device = &self.device;
        let viewport = [vk::Viewport {
            x: 0.0,
            y: EXTENT.height as f32,
            width: EXTENT.width as f32,
            height: -(EXTENT.height as f32),
            min_depth: 0.0,
            max_depth: 1.0,
        }];
        let (skin, cloth) = (world.skin(), world.cloth());
        // SAFETY: guaranteed by the caller.
        unsafe {
            device.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, self.pipeline);
            device.cmd_set_viewport(cmd, 0, &viewport);
            device.cmd_set_scissor(cmd, 0, &[EXTENT.into()]);
            device.cmd_bind_index_buffer(cmd, self.indices, 0, vk::IndexType::UINT32);
            self.push(cmd, 0, &clip_from_world(world).to_cols_array());
            // The skin has three floats per vertex, the cloth four.
            let (positions, normals) = (skin.positions(), skin.normals());
            self.draw_parts(cmd, (positions, normals, 12), &show.skin(world));
            let (positions, normals) = (cloth.positions(), cloth.normals());
            self.draw_parts(cmd, (positions, normals, 16), &show.cloth(world));
        }
    }

    unsafe fn draw_parts(
        &self,
        cmd: vk::CommandBuffer,
        (positions, normals, stride): (&Buffer, &Buffer, u64),
        parts: &[Part],
    ) {
        let device = &self.device;
        let (buffers, strides) = ([positions.handle(), normals.handle()], [stride; 2]);
        // SAFETY: the caller's promise; the indices stay within what begins at the first vertex.
        unsafe {
            device.cmd_bind_vertex_buffers2(cmd, 0, &buffers, &[0; 2], None, Some(&strides));
            for part in parts {
                self.push(cmd, COLOUR_OFFSET, &part.colour);
                let (first, count) = (part.indices.start, part.indices.len() as u32);
                device.cmd_draw_indexed(cmd, count, 1, first, part.first_vertex as i32, 0);
            }
        }
    }

    unsafe fn push(&self, cmd: vk::CommandBuffer, offset: u32, values: &[f32]) {
        let (device, bytes) = (&self.device, bytemuck::cast_slice(values));
        // SAFETY: the caller's promise; the layout has room for a matrix and a colour.
        unsafe { device.cmd_push_constants(cmd, self.layout, STAGES, offset, bytes) };
    }

    /// Copies the picture to where the CPU finds it after it has waited.
    fn copy(&self, cmd: vk::CommandBuffer) {
        let layers = vk::ImageSubresourceLayers::default()
            .aspect_mask(vk::ImageAspectFlags::COLOR)
            .layer_count(1);
        let region = [vk::BufferImageCopy::default()
            .image_subresource(layers)
            .image_extent(EXTENT.into())];
        let wrote = [vk::MemoryBarrier2::default()
            .src_stage_mask(S::COPY)
            .src_access_mask(A::TRANSFER_WRITE)
            .dst_stage_mask(S::COPY | S::HOST)
            .dst_access_mask(A::TRANSFER_WRITE | A::HOST_READ)];
        let info = vk::DependencyInfo::default().memory_barriers(&wrote);
        let (device, image, pixels) = (&self.device, self.colour.0, self.pixels.0);
        // SAFETY: the command buffer is recording; the buffer holds every pixel.
        unsafe {
            device.cmd_copy_image_to_buffer(cmd, image, COPIED, pixels, &region);
            device.cmd_pipeline_barrier2(cmd, &info);
        }
    }

    /// Turns an image into another layout. The engine is in no hurry: what follows waits for everything before.
    fn turn(
        &self,
        cmd: vk::CommandBuffer,
        (image, format): (vk::Image, vk::Format),
        (from, to): (ImageLayout, ImageLayout),
    ) {
        let barrier = [vk::ImageMemoryBarrier2::default()
            .src_stage_mask(S::ALL_COMMANDS)
            .src_access_mask(A::MEMORY_WRITE)
            .old_layout(from)
            .dst_stage_mask(S::ALL_COMMANDS)
            .dst_access_mask(A::MEMORY_READ | A::MEMORY_WRITE)
            .new_layout(to)
            .image(image)
            .subresource_range(range(format))];
        let info = vk::DependencyInfo::default().image_memory_barriers(&barrier);
        // SAFETY: the command buffer is recording outside a render pass.
        unsafe { self.device.cmd_pipeline_barrier2(cmd, &info) };
    }

    /// Writes the picture; the GPU must be idle.
    pub fn save(&self, path: &Path) -> Result<()> {
        let (width, height) = (EXTENT.width, EXTENT.height);
        // SAFETY: the buffer is that long and mapped, and the GPU is done with it.
        let rgba =
            unsafe { std::slice::from_raw_parts(self.pixels.1, (4 * width * height) as usize) };
        let large = image::RgbaImage::from_raw(width, height, rgba.to_vec());
        let large = large.ok_or("a picture of another size")?;
        resize(&large, width / 2, height / 2, FilterType::Triangle).save(path)?;
        Ok(())
    }
}
