//! The application's own draw, all of it wgpu: a body and its clothes, a picture in a file.

use std::ops::Range;
use std::path::Path;

use radial_fields::glam::{Mat4, Vec3};
use radial_fields::{Avatar, Garment, World};
use wgpu::util::DeviceExt;

use crate::Result;
use crate::device::Gpu;

const SIZE: wgpu::Extent3d = wgpu::Extent3d {
    width: 512,
    height: 640,
    depth_or_array_layers: 1,
};
const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
const SAMPLES: u32 = 4;

/// Triangles of one colour.
struct Part {
    indices: Range<u32>,
    colour: [f32; 4],
}

/// What is drawn, and on what.
pub struct Picture {
    picture: wgpu::Texture,
    samples: wgpu::TextureView,
    depth: wgpu::TextureView,
    indices: wgpu::Buffer,
    skin: wgpu::RenderPipeline,
    cloth: wgpu::RenderPipeline,
    skin_parts: Vec<Part>,
    cloth_parts: Vec<Part>,
}

impl Picture {
    pub fn new(gpu: &Gpu, avatar: &Avatar, garments: &[Garment]) -> Self {
        let mut triangles = avatar.skin.triangles.clone();
        let skin_part = |part: &radial_fields::avatar::Part| Part {
            indices: 3 * part.triangles.start..3 * part.triangles.end,
            colour: part.base_colour,
        };
        let mut cloth_parts = Vec::new();
        for garment in garments {
            let first = 3 * triangles.len() as u32;
            triangles.extend_from_slice(&garment.mesh.triangles);
            cloth_parts.push(Part {
                indices: first..3 * triangles.len() as u32,
                colour: garment.base_colour,
            });
        }
        let view = |texture: wgpu::Texture| texture.create_view(&Default::default());
        Self {
            picture: image(gpu, COLOUR, 1),
            samples: view(image(gpu, COLOUR, SAMPLES)),
            depth: view(image(gpu, DEPTH, SAMPLES)),
            indices: gpu
                .device
                .create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: None,
                    contents: bytemuck::cast_slice(&triangles),
                    usage: wgpu::BufferUsages::INDEX,
                }),
            // The skin has three floats a vertex, the cloth four.
            skin: pipeline(gpu, 12),
            cloth: pipeline(gpu, 16),
            skin_parts: avatar.parts.iter().map(skin_part).collect(),
            cloth_parts,
        }
    }

    /// Draws the world, whose garments are those of the wardrobe that `worn` says, as the simulation before it leaves it.
    pub fn draw(&self, gpu: &Gpu, world: &World, worn: &[usize]) -> wgpu::CommandBuffer {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let picture = self.picture.create_view(&Default::default());
        let backdrop = wgpu::Color {
            r: 0.62,
            g: 0.65,
            b: 0.68,
            a: 1.0,
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.samples,
                depth_slice: None,
                resolve_target: Some(&picture),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(backdrop),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        // The camera goes along.
        let at = world
            .body_bounds()
            .map_or(Vec3::Y, |bounds| bounds.centre());
        let view = Mat4::look_at_rh(at + Vec3::new(1.6, 0.9, 5.2), at, Vec3::Y);
        let clip_from_world = Mat4::perspective_rh(0.6, 0.8, 0.1, 20.0) * view;
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        let matrix = clip_from_world.to_cols_array();
        let bind = |pass: &mut wgpu::RenderPass, pipeline, positions, normals| {
            pass.set_pipeline(pipeline);
            pass.set_immediates(0, bytemuck::bytes_of(&matrix));
            pass.set_vertex_buffer(0, gpu.borrow(positions).slice(..));
            pass.set_vertex_buffer(1, gpu.borrow(normals).slice(..));
        };
        let draw = |pass: &mut wgpu::RenderPass, part: &Part, first_vertex: u32| {
            pass.set_immediates(64, bytemuck::bytes_of(&part.colour));
            pass.draw_indexed(part.indices.clone(), first_vertex as i32, 0..1);
        };
        let (skin, cloth) = (world.skin(), world.cloth());
        bind(&mut pass, &self.skin, skin.positions(), skin.normals());
        for body_ix in 0..world.body_count() {
            for part in &self.skin_parts {
                draw(&mut pass, part, world.body_vertices(body_ix).start);
            }
        }
        bind(&mut pass, &self.cloth, cloth.positions(), cloth.normals());
        for (garment_ix, &which) in worn.iter().enumerate() {
            let first = world.garment_particles(garment_ix).start;
            draw(&mut pass, &self.cloth_parts[which], first);
        }
        drop(pass);
        encoder.finish()
    }

    /// Writes the picture, waiting for it.
    pub fn save(&self, gpu: &Gpu, path: &Path) -> Result<()> {
        let pixels = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 4 * u64::from(SIZE.width) * u64::from(SIZE.height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let target = wgpu::TexelCopyBufferInfo {
            buffer: &pixels,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * SIZE.width),
                rows_per_image: None,
            },
        };
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(self.picture.as_image_copy(), target, SIZE);
        gpu.queue.submit([encoder.finish()]);
        pixels.map_async(wgpu::MapMode::Read, .., |_| ());
        gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        let rgba = pixels.get_mapped_range(..)?.to_vec();
        let image = image::RgbaImage::from_raw(SIZE.width, SIZE.height, rgba);
        Ok(image.ok_or("a picture of another size")?.save(path)?)
    }
}

fn image(gpu: &Gpu, format: wgpu::TextureFormat, sample_count: u32) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: SIZE,
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: match sample_count {
            1 => wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            _ => wgpu::TextureUsages::RENDER_ATTACHMENT,
        },
        view_formats: &[],
    })
}

/// Draws positions and normals that lie `stride` bytes apart, in a buffer each.
fn pipeline(gpu: &Gpu, stride: u64) -> wgpu::RenderPipeline {
    let module = gpu
        .device
        .create_shader_module(wgpu::include_wgsl!("shade.wgsl"));
    let layout = gpu
        .device
        .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            immediate_size: 80,
            ..wgpu::PipelineLayoutDescriptor::default()
        });
    let positions = wgpu::vertex_attr_array![0 => Float32x3];
    let normals = wgpu::vertex_attr_array![1 => Float32x3];
    let buffer = |attributes| {
        Some(wgpu::VertexBufferLayout {
            array_stride: stride,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes,
        })
    };
    gpu.device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("place"),
                compilation_options: Default::default(),
                buffers: &[buffer(&positions), buffer(&normals)],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: SAMPLES,
                ..wgpu::MultisampleState::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("shade"),
                compilation_options: Default::default(),
                targets: &[Some(COLOUR.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
}
