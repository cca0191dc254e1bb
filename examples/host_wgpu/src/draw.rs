//! The application's own draw, all of it wgpu: a body and its clothes, a picture in a file.

use std::path::Path;

use radial_fields::World;
use radial_fields::gpu::Buffer;
use wgpu::util::DeviceExt;

use crate::Result;
use crate::device::Gpu;
use crate::show::{Part, Show, clip_from_world};

const SIZE: wgpu::Extent3d = wgpu::Extent3d {
    width: 512,
    height: 640,
    depth_or_array_layers: 1,
};
const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
const SAMPLES: u32 = 4;

/// What is drawn, and on what.
pub struct Picture {
    picture: wgpu::Texture,
    samples: wgpu::TextureView,
    depth: wgpu::TextureView,
    indices: wgpu::Buffer,
    skin: wgpu::RenderPipeline,
    cloth: wgpu::RenderPipeline,
}

impl Picture {
    pub fn new(gpu: &Gpu, triangles: &[[u32; 3]]) -> Self {
        let view = |texture: wgpu::Texture| texture.create_view(&Default::default());
        Self {
            picture: image(gpu, COLOUR, 1),
            samples: view(image(gpu, COLOUR, SAMPLES)),
            depth: view(image(gpu, DEPTH, SAMPLES)),
            indices: gpu
                .device
                .create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: None,
                    contents: bytemuck::cast_slice(triangles),
                    usage: wgpu::BufferUsages::INDEX,
                }),
            // The skin has three floats per vertex, the cloth four.
            skin: pipeline(gpu, 12),
            cloth: pipeline(gpu, 16),
        }
    }

    /// Draws the world as the simulation before it leaves it.
    pub fn draw(&self, gpu: &Gpu, world: &World, show: &Show) -> wgpu::CommandBuffer {
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
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        let matrix = clip_from_world(world).to_cols_array();
        let mut draw = |pipeline, positions: &Buffer, normals: &Buffer, parts: &[Part]| {
            pass.set_pipeline(pipeline);
            pass.set_immediates(0, bytemuck::bytes_of(&matrix));
            pass.set_vertex_buffer(0, gpu.borrow(positions).slice(..));
            pass.set_vertex_buffer(1, gpu.borrow(normals).slice(..));
            for part in parts {
                pass.set_immediates(64, bytemuck::bytes_of(&part.colour));
                pass.draw_indexed(part.indices.clone(), part.first_vertex as i32, 0..1);
            }
        };
        let (skin, cloth) = (world.skin(), world.cloth());
        draw(
            &self.skin,
            skin.positions(),
            skin.normals(),
            &show.skin(world),
        );
        draw(
            &self.cloth,
            cloth.positions(),
            cloth.normals(),
            &show.cloth(world),
        );
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
