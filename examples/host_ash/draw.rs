//! The engine's own draw: one pipeline, a body and its clothes, a picture in a file.

use std::path::Path;

use ash::vk;
use glam::{Mat4, Vec3};
use image::imageops::{FilterType, resize};
use radial_fields::gpu::Buffer;
use radial_fields::{Avatar, Garment, World};

use crate::engine::{Engine, Result, range};

/// Drawn at twice the size of the file, which is what smooths its edges.
const EXTENT: vk::Extent2D = vk::Extent2D {
    width: 960,
    height: 1200,
};
const COLOUR: vk::Format = vk::Format::R8G8B8A8_SRGB;
const DEPTH: vk::Format = vk::Format::D32_SFLOAT;

/// Triangles of one colour.
struct Part {
    indices: std::ops::Range<u32>,
    colour: [f32; 4],
}

/// What is drawn, and on what.
pub struct Picture {
    device: ash::Device,
    colour: (vk::Image, vk::ImageView),
    depth: (vk::Image, vk::ImageView),
    pixels: (vk::Buffer, *mut u8),
    indices: vk::Buffer,
    skin: Vec<Part>,
    garments: Vec<Part>,
    layout: vk::PipelineLayout,
    pipeline: vk::Pipeline,
}

impl Picture {
    pub fn new(engine: &mut Engine, avatar: &Avatar, garments: &[Garment]) -> Result<Self> {
        let mut triangles = avatar.skin.triangles.clone();
        let skin = avatar.parts.iter().map(|part| Part {
            indices: 3 * part.triangles.start..3 * part.triangles.end,
            colour: part.base_colour,
        });
        let mut parts = Vec::new();
        for garment in garments {
            let first = 3 * triangles.len() as u32;
            triangles.extend_from_slice(&garment.mesh.triangles);
            parts.push(Part {
                indices: first..3 * triangles.len() as u32,
                colour: garment.base_colour,
            });
        }
        let bytes: &[u8] = bytemuck::cast_slice(&triangles);
        let (indices, mapped) =
            engine.buffer(bytes.len() as u64, vk::BufferUsageFlags::INDEX_BUFFER)?;
        // SAFETY: the buffer was made this long just now and the GPU does not know it yet.
        unsafe { mapped.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        let pixel_bytes = 4 * u64::from(EXTENT.width) * u64::from(EXTENT.height);
        let on = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
        let layout = make_layout(&engine.device)?;
        Ok(Self {
            colour: engine.image(EXTENT, COLOUR, on)?,
            depth: engine.image(EXTENT, DEPTH, vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT)?,
            pixels: engine.buffer(pixel_bytes, vk::BufferUsageFlags::TRANSFER_DST)?,
            device: engine.device.clone(),
            indices,
            skin: skin.collect(),
            garments: parts,
            pipeline: make_pipeline(&engine.device, layout)?,
            layout,
        })
    }

    /// Draws the world, whose garments are those of the wardrobe that `worn` says, as the frame's simulation leaves it, and copies the picture to where the CPU finds it.
    pub fn draw(&self, engine: &Engine, cmd: vk::CommandBuffer, world: &World, worn: &[usize]) {
        use vk::{AccessFlags2 as A, ImageLayout as L, PipelineStageFlags2 as S};
        let device = &engine.device;
        let drawn = (
            S::COLOR_ATTACHMENT_OUTPUT,
            A::COLOR_ATTACHMENT_WRITE,
            L::COLOR_ATTACHMENT_OPTIMAL,
        );
        let copied = (S::COPY, A::TRANSFER_READ, L::TRANSFER_SRC_OPTIMAL);
        let tested = S::EARLY_FRAGMENT_TESTS | S::LATE_FRAGMENT_TESTS;
        let depth = (
            tested,
            A::DEPTH_STENCIL_ATTACHMENT_WRITE,
            L::DEPTH_ATTACHMENT_OPTIMAL,
        );
        // What the frame before left is thrown away, once it is done with it.
        self.transition(
            cmd,
            COLOUR,
            self.colour.0,
            (S::COPY, A::NONE, L::UNDEFINED),
            drawn,
        );
        self.transition(
            cmd,
            DEPTH,
            self.depth.0,
            (tested, A::DEPTH_STENCIL_ATTACHMENT_WRITE, L::UNDEFINED),
            depth,
        );
        let attachment = |view, layout, value| {
            vk::RenderingAttachmentInfo::default()
                .image_view(view)
                .image_layout(layout)
                .load_op(vk::AttachmentLoadOp::CLEAR)
                .store_op(vk::AttachmentStoreOp::STORE)
                .clear_value(value)
        };
        let backdrop = vk::ClearValue {
            color: vk::ClearColorValue {
                float32: [0.62, 0.65, 0.68, 1.0],
            },
        };
        let far = vk::ClearValue {
            depth_stencil: vk::ClearDepthStencilValue {
                depth: 1.0,
                stencil: 0,
            },
        };
        let colours = [attachment(self.colour.1, drawn.2, backdrop)];
        let depths = attachment(self.depth.1, depth.2, far);
        let info = vk::RenderingInfo::default()
            .render_area(EXTENT.into())
            .layer_count(1)
            .color_attachments(&colours)
            .depth_attachment(&depths);
        // SAFETY: the command buffer is recording; all that is bound lives until the engine has waited.
        unsafe {
            device.cmd_begin_rendering(cmd, &info);
            self.draw_parts(cmd, world, worn);
            device.cmd_end_rendering(cmd);
        }
        self.transition(cmd, COLOUR, self.colour.0, drawn, copied);
        let region = [vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                layer_count: 1,
                ..Default::default()
            })
            .image_extent(EXTENT.into())];
        let wrote = [vk::MemoryBarrier2::default()
            .src_stage_mask(S::COPY)
            .src_access_mask(A::TRANSFER_WRITE)
            .dst_stage_mask(S::COPY | S::HOST)
            .dst_access_mask(A::TRANSFER_WRITE | A::HOST_READ)];
        // SAFETY: as above; the buffer holds every pixel.
        unsafe {
            device.cmd_copy_image_to_buffer(cmd, self.colour.0, copied.2, self.pixels.0, &region);
            device
                .cmd_pipeline_barrier2(cmd, &vk::DependencyInfo::default().memory_barriers(&wrote));
        }
    }

    unsafe fn draw_parts(&self, cmd: vk::CommandBuffer, world: &World, worn: &[usize]) {
        let device = &self.device;
        let (width, height) = (EXTENT.width as f32, EXTENT.height as f32);
        let viewport = [vk::Viewport {
            x: 0.0,
            y: height,
            width,
            height: -height,
            min_depth: 0.0,
            max_depth: 1.0,
        }];
        // The camera goes along.
        let at = world
            .body_bounds()
            .map_or(Vec3::Y, |bounds| bounds.centre());
        let view = Mat4::look_at_rh(at + Vec3::new(1.6, 0.9, 5.2), at, Vec3::Y);
        let clip_from_world = Mat4::perspective_rh(0.6, width / height, 0.1, 20.0) * view;
        // SAFETY: the caller's promise.
        unsafe {
            device.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, self.pipeline);
            device.cmd_set_viewport(cmd, 0, &viewport);
            device.cmd_set_scissor(cmd, 0, &[EXTENT.into()]);
            device.cmd_bind_index_buffer(cmd, self.indices, 0, vk::IndexType::UINT32);
            self.push(cmd, 0, &clip_from_world.to_cols_array());
            // The skin has three floats a vertex, the cloth four.
            self.bind(cmd, world.skin().positions(), world.skin().normals(), 12);
            for body_ix in 0..world.body_count() {
                for part in &self.skin {
                    self.draw_part(cmd, part, world.body_vertices(body_ix).start);
                }
            }
            self.bind(cmd, world.cloth().positions(), world.cloth().normals(), 16);
            for (garment_ix, &which) in worn.iter().enumerate() {
                let first = world.garment_particles(garment_ix).start;
                self.draw_part(cmd, &self.garments[which], first);
            }
        }
    }

    unsafe fn push(&self, cmd: vk::CommandBuffer, offset: u32, values: &[f32]) {
        let (stages, bytes) = (
            vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT,
            bytemuck::cast_slice(values),
        );
        // SAFETY: the caller's promise; the layout has room for a matrix and a colour.
        unsafe {
            self.device
                .cmd_push_constants(cmd, self.layout, stages, offset, bytes);
        };
    }

    unsafe fn bind(
        &self,
        cmd: vk::CommandBuffer,
        positions: &Buffer,
        normals: &Buffer,
        stride: u64,
    ) {
        let buffers = [positions.handle(), normals.handle()];
        // SAFETY: the caller's promise.
        unsafe {
            self.device.cmd_bind_vertex_buffers2(
                cmd,
                0,
                &buffers,
                &[0; 2],
                None,
                Some(&[stride; 2]),
            );
        };
    }

    unsafe fn draw_part(&self, cmd: vk::CommandBuffer, part: &Part, first_vertex: u32) {
        let (first, count) = (part.indices.start, part.indices.len() as u32);
        // SAFETY: the caller's promise; the indices stay within what begins at the first vertex.
        unsafe {
            self.push(cmd, 64, &part.colour);
            self.device
                .cmd_draw_indexed(cmd, count, 1, first, first_vertex as i32, 0);
        }
    }

    fn transition(
        &self,
        cmd: vk::CommandBuffer,
        format: vk::Format,
        image: vk::Image,
        before: (vk::PipelineStageFlags2, vk::AccessFlags2, vk::ImageLayout),
        after: (vk::PipelineStageFlags2, vk::AccessFlags2, vk::ImageLayout),
    ) {
        let barrier = [vk::ImageMemoryBarrier2::default()
            .src_stage_mask(before.0)
            .src_access_mask(before.1)
            .old_layout(before.2)
            .dst_stage_mask(after.0)
            .dst_access_mask(after.1)
            .new_layout(after.2)
            .image(image)
            .subresource_range(range(format))];
        let info = vk::DependencyInfo::default().image_memory_barriers(&barrier);
        // SAFETY: the command buffer is recording outside a render pass.
        unsafe { self.device.cmd_pipeline_barrier2(cmd, &info) };
    }

    /// Writes the picture; the GPU must be idle.
    pub fn save(&self, path: &Path) -> Result<()> {
        let byte_count = 4 * EXTENT.width as usize * EXTENT.height as usize;
        // SAFETY: the buffer is that long and mapped, and the GPU is done with it.
        let rgba = unsafe { std::slice::from_raw_parts(self.pixels.1, byte_count) }.to_vec();
        let large = image::RgbaImage::from_raw(EXTENT.width, EXTENT.height, rgba)
            .ok_or("a picture of another size")?;
        resize(
            &large,
            EXTENT.width / 2,
            EXTENT.height / 2,
            FilterType::Triangle,
        )
        .save(path)?;
        Ok(())
    }

    /// Gives the pipeline back; the GPU must be idle. The rest is the engine's.
    pub fn destroy(self, engine: &Engine) {
        // SAFETY: the GPU is idle by the caller's word.
        unsafe {
            engine.device.destroy_pipeline(self.pipeline, None);
            engine.device.destroy_pipeline_layout(self.layout, None);
        }
    }
}

fn make_layout(device: &ash::Device) -> Result<vk::PipelineLayout> {
    let push = [vk::PushConstantRange {
        stage_flags: vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT,
        offset: 0,
        size: 80,
    }];
    let info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
    // SAFETY: the info is complete.
    Ok(unsafe { device.create_pipeline_layout(&info, None) }?)
}

fn make_pipeline(device: &ash::Device, layout: vk::PipelineLayout) -> Result<vk::Pipeline> {
    let modules = [
        compile(
            device,
            include_str!("shade.vert"),
            shaderc::ShaderKind::Vertex,
        )?,
        compile(
            device,
            include_str!("shade.frag"),
            shaderc::ShaderKind::Fragment,
        )?,
    ];
    let stage = |stage, module| {
        vk::PipelineShaderStageCreateInfo::default()
            .stage(stage)
            .module(module)
            .name(c"main")
    };
    let stages = [
        stage(vk::ShaderStageFlags::VERTEX, modules[0]),
        stage(vk::ShaderStageFlags::FRAGMENT, modules[1]),
    ];
    let (bindings, attributes) = ([0, 1].map(binding), [0, 1].map(attribute));
    let vertices = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
        .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
    let viewports = vk::PipelineViewportStateCreateInfo::default()
        .viewport_count(1)
        .scissor_count(1);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .front_face(vk::FrontFace::COUNTER_CLOCKWISE)
        .line_width(1.0);
    let samples = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let depth = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(true)
        .depth_write_enable(true)
        .depth_compare_op(vk::CompareOp::LESS);
    let blend = [vk::PipelineColorBlendAttachmentState::default()
        .color_write_mask(vk::ColorComponentFlags::RGBA)];
    let blending = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blend);
    let dynamic = [
        vk::DynamicState::VIEWPORT,
        vk::DynamicState::SCISSOR,
        vk::DynamicState::VERTEX_INPUT_BINDING_STRIDE,
    ];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&dynamic);
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&[COLOUR])
        .depth_attachment_format(DEPTH);
    // SAFETY: the infos are complete and outlive the calls.
    unsafe {
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&vertices)
            .input_assembly_state(&assembly)
            .viewport_state(&viewports)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .color_blend_state(&blending)
            .dynamic_state(&dynamic)
            .layout(layout)
            .push_next(&mut rendering);
        let pipeline = device
            .create_graphics_pipelines(vk::PipelineCache::null(), &[info], None)
            .map_err(|(_, result)| result)?[0];
        for module in modules {
            device.destroy_shader_module(module, None);
        }
        Ok(pipeline)
    }
}

/// Positions and normals lie in a buffer each; how far apart is said when they are bound.
fn binding(ix: u32) -> vk::VertexInputBindingDescription {
    vk::VertexInputBindingDescription {
        binding: ix,
        stride: 0,
        input_rate: vk::VertexInputRate::VERTEX,
    }
}

fn attribute(ix: u32) -> vk::VertexInputAttributeDescription {
    vk::VertexInputAttributeDescription {
        location: ix,
        binding: ix,
        format: vk::Format::R32G32B32_SFLOAT,
        offset: 0,
    }
}

fn compile(
    device: &ash::Device,
    glsl: &str,
    kind: shaderc::ShaderKind,
) -> Result<vk::ShaderModule> {
    let compiler = shaderc::Compiler::new().ok_or("no shader compiler")?;
    let spirv = compiler.compile_into_spirv(glsl, kind, "shade", "main", None)?;
    let info = vk::ShaderModuleCreateInfo::default().code(spirv.as_binary());
    // SAFETY: the words are SPIR-V, fresh from the compiler.
    Ok(unsafe { device.create_shader_module(&info, None) }?)
}
