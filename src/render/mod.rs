//! Pictures of the clothed avatar: a small studio with one key light, soft shadows and a ground, and the debug views.
//!
//! A [`Renderer`] draws one [`World`] after its simulation has been recorded into the same command buffer or an earlier
//! one. It reads the world's buffers in vertex shaders, owns the images it draws on the way, and never submits or waits.
//!
//! The order within a frame is `World::record`, [`Renderer::record`], then whatever the host draws over the picture.
//! [`Renderer::record`] clobbers the same bound state as the simulation; the target's layout is the host's business.
//!
//! Not done: reflections, translucent textures, level of detail.

mod camera;
mod covered;
mod debug;
mod difference;
mod follow;
mod light;
mod meshes;
mod named;
mod passes;
mod pipelines;
mod solids;
mod surface;
mod targets;
mod texture;
mod view;

use std::sync::Arc;

use ash::vk;
use glam::Vec2;

pub use camera::{Camera, Ray, STEEPEST};
pub use difference::Difference;
pub use follow::Follow;
pub use light::KeyLight;
pub use view::{
    BodyColours, ClothColours, RenderInput, ShownStructure, SolidColours, Target, ViewOptions,
};

use crate::World;
use crate::avatar::Avatar;
use crate::cloth::garment::Garment;
use crate::gpu::{
    Access, DescriptorSets, Gpu, GpuError, Launches, MemoryUse, Recorder, Sampler, SamplerDesc,
    StageTimes, Timestamps, Timing, Transient, Uploads,
};
use crate::math::Bounds;
use crate::solid::SolidMesh;
use crate::stage::Stage;
use light::{MapFit, ViewData, caster_bounds};
use meshes::Meshes;
use passes::Draws;
use pipelines::RenderPipelines;
use targets::{KEY_TEXELS, SKY_TEXELS, ShadowMaps, Targets};

/// What a renderer is made for.
#[derive(Clone, Copy, Debug)]
pub struct RendererDesc {
    /// Of the target: an 8-bit sRGB format, or an 8-bit UNORM one, which gets sRGB values written into it.
    pub colour_format: vk::Format,
    /// Samples a pixel; usually 4, which every device can do.
    pub samples: vk::SampleCountFlags,
    /// How many frames the host lets the GPU fall behind; as the world was told.
    pub frames_in_flight: usize,
    /// Of the queue family's timestamps; 0 when it has none.
    pub timestamp_valid_bits: u32,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The renderer was given other characters or clothes than the world.
    #[error(
        "the renderer got {given} {what} and the world has {expected}: hand both the same bodies and garments in the same order"
    )]
    NotTheWorlds {
        what: &'static str,
        given: usize,
        expected: usize,
    },
    /// What a garment is drawn with does not fit its particles or its body's textures.
    #[error(
        "garment {garment_ix}: what it is drawn with names vertices, particles or textures that do not exist; was it made for another character?"
    )]
    BrokenGarment { garment_ix: usize },
    /// A window that is folded away has no pixels.
    #[error("a picture of {width}x{height} pixels cannot be drawn: wait until the window is shown")]
    EmptyTarget { width: u32, height: u32 },
    /// More pixels than the device can draw.
    #[error(
        "a picture of {width}x{height} pixels is too large: this device draws up to {max} each way"
    )]
    TargetTooLarge { width: u32, height: u32, max: u32 },
}

/// Draws one world. Drop it only when the GPU is done with its frames.
pub struct Renderer {
    studio: Studio,
    targets: Option<Targets>,
    /// Targets of another size that frames in flight may still use, with the first frame that does not.
    retired: Vec<(u64, Targets)>,
    uploads: Uploads,
    timestamps: Timestamps,
    sets: DescriptorSets,
    transient: Transient,
    launches: Launches,
    frame_ix: u64,
    desc: RendererDesc,
    gpu: Arc<Gpu>,
}

/// What stays from picture to picture.
struct Studio {
    pipelines: RenderPipelines,
    meshes: Meshes,
    maps: ShadowMaps,
    texture_sampler: Sampler,
}

impl Renderer {
    /// Makes pipelines and stages the meshes, which the first recorded picture uploads. [`Renderer::resize`] comes next.
    ///
    /// `bodies`, `garments`: those the world was made of, in its order.
    ///
    /// # Errors
    /// When they are not, memory runs out or the driver refuses a shader.
    pub fn new(
        world: &World,
        desc: &RendererDesc,
        bodies: &[&Avatar],
        garments: &[&Garment],
    ) -> Result<Self, RenderError> {
        Self::with_sources(world, desc, bodies, garments, &[])
    }

    /// The same, with what the world's sampled solids were made of, as far as it is known, in the world's order: for
    /// [`SolidColours::Error`]. Takes some milliseconds a thousand triangles.
    ///
    /// # Errors
    /// As [`Renderer::new`].
    pub fn with_sources(
        world: &World,
        desc: &RendererDesc,
        bodies: &[&Avatar],
        garments: &[&Garment],
        sources: &[Option<&SolidMesh>],
    ) -> Result<Self, RenderError> {
        let gpu = world.gpu();
        let mut uploads = Uploads::new(gpu);
        let texture_sampler = SamplerDesc {
            label: "render.texture_sampler",
            filter: vk::Filter::LINEAR,
            address: vk::SamplerAddressMode::REPEAT,
            compare: None,
        };
        let capacity = Transient::padded::<ViewData>(1);
        Ok(Self {
            studio: Studio {
                pipelines: RenderPipelines::new(gpu, desc)?,
                meshes: Meshes::new(world, &mut uploads, bodies, garments, sources)?,
                maps: ShadowMaps::new(gpu)?,
                texture_sampler: Sampler::new(gpu, &texture_sampler)?,
            },
            targets: None,
            retired: Vec::new(),
            uploads,
            timestamps: Timestamps::new(gpu, desc.frames_in_flight, desc.timestamp_valid_bits)?,
            sets: DescriptorSets::new(gpu, desc.frames_in_flight)?,
            transient: Transient::new(gpu, "render.transient", capacity, desc.frames_in_flight)?,
            launches: Launches::default(),
            frame_ix: 0,
            desc: *desc,
            gpu: Arc::clone(gpu),
        })
    }

    /// Makes room for targets of up to `extent`. Frames in flight keep what they use.
    ///
    /// # Errors
    /// [`RenderError::EmptyTarget`] for no pixels at all, [`RenderError::TargetTooLarge`], or when memory runs out; what
    /// was there stays.
    pub fn resize(&mut self, extent: vk::Extent2D) -> Result<(), RenderError> {
        let vk::Extent2D { width, height } = extent;
        let max = self.gpu.limits.max_image_dimension2_d;
        if width == 0 || height == 0 {
            return Err(RenderError::EmptyTarget { width, height });
        }
        if width.max(height) > max {
            return Err(RenderError::TargetTooLarge { width, height, max });
        }
        if self.targets.as_ref().map(Targets::extent) != Some(extent) {
            let targets = Targets::new(&self.gpu, &self.desc, extent)?;
            let old = self.targets.replace(targets);
            self.retired.extend(old.map(|old| (self.frame_ix, old)));
        }
        Ok(())
    }

    /// Records the picture of the world as its last recorded step left it.
    ///
    /// # Errors
    /// When no memory is left for descriptor sets, on a device that cannot push them: parts of the picture are missing.
    ///
    /// # Safety
    /// `cmd` must be in the recording state, outside a render pass, from the queue family of the world's host, and be
    /// submitted once, in order with the world's; the frame recorded `frames_in_flight` calls ago must have finished on
    /// the GPU; the target must be as [`Target`] says.
    ///
    /// # Panics
    /// When the target's area does not lie within the extent given to [`Renderer::resize`].
    pub unsafe fn record(
        &mut self,
        cmd: vk::CommandBuffer,
        world: &World,
        input: &RenderInput,
    ) -> Result<(), GpuError> {
        self.retire();
        self.timestamps.begin_frame(cmd);
        self.transient.begin_frame();
        self.sets.begin_frame();
        let bounds = world.body_bounds().map(|bodies| with_solids(world, bodies));
        let view = self.transient.push(&[view_data(input, bounds)]);
        let targets = self.targets.as_ref().expect("resize comes before record");
        assert!(
            holds(targets.extent(), input.target.area),
            "the area lies within the extent"
        );
        let mut recorder =
            Recorder::new(&self.gpu, cmd, &mut self.timestamps).with_sets(&mut self.sets);
        if self.uploads.is_waiting() {
            recorder.stage(Stage::Upload, |recorder| {
                self.uploads.record(recorder, self.frame_ix);
                let after = [Access::VertexRead, Access::FragmentRead];
                recorder.barrier(&[Access::TransferWrite], &after);
            });
        }
        let draws = Draws {
            world,
            pipelines: &self.studio.pipelines,
            meshes: &self.studio.meshes,
            maps: &self.studio.maps,
            texture_sampler: &self.studio.texture_sampler,
            view,
            simulated: world.is_simulated(),
        };
        recorder.stage(Stage::Shadow, |recorder| {
            draws.record_shadows(recorder, &input.view);
        });
        recorder.stage(Stage::Draw, |recorder| {
            draws.record_picture(recorder, targets, input);
        });
        let finished = recorder.finish();
        self.timestamps.end_frame(cmd);
        self.frame_ix += 1;
        self.launches = finished?;
        Ok(())
    }

    /// Frees what no frame in flight uses any more.
    fn retire(&mut self) {
        let in_flight = self.desc.frames_in_flight;
        self.uploads.retire(self.frame_ix, in_flight);
        self.retired
            .retain(|(since, _)| since + in_flight as u64 > self.frame_ix);
    }

    /// Takes in the GPU times of the picture that was recorded `frames_in_flight` ago, as
    /// [`World::collect_times`](crate::World::collect_times) does.
    pub fn collect_times(&mut self) {
        self.timestamps.collect();
    }

    /// Times so much of pictures from the next one on; stages at first.
    ///
    /// # Errors
    /// When the queries cannot be made; then nothing changes.
    pub fn time(&mut self, timing: Timing) -> Result<(), GpuError> {
        self.timestamps.time(timing)
    }

    /// GPU times of the newest picture that was collected.
    pub fn stage_times(&self) -> &StageTimes {
        self.timestamps.latest()
    }

    /// What the last recorded picture asked of the GPU.
    pub fn launches(&self) -> Launches {
        self.launches
    }

    /// Device memory of the meshes.
    pub fn mesh_bytes(&self) -> u64 {
        self.studio.meshes.bytes()
    }

    /// All memory held on the device, the world's included.
    pub fn memory_use(&self) -> MemoryUse {
        self.gpu.memory_use()
    }

    /// Builds the pipelines again, from shaders replaced through [`Gpu::replace_shaders`]. The caller waits for the GPU
    /// first.
    ///
    /// # Errors
    /// When the driver refuses one; the old pipelines stay.
    pub fn reload_pipelines(&mut self) -> Result<(), GpuError> {
        self.studio.pipelines = RenderPipelines::new(&self.gpu, &self.desc)?;
        Ok(())
    }
}

/// The frame's data for the shaders.
fn view_data(input: &RenderInput, bounds: Option<Bounds>) -> ViewData {
    let options = &input.view;
    let vk::Rect2D { offset, extent } = input.target.area;
    let pixels = Vec2::new(extent.width.max(1) as f32, extent.height.max(1) as f32);
    let bodies = bounds.unwrap_or(Bounds::of_ball(input.camera.target, 1.0));
    let casters = caster_bounds(bodies);
    let to_key = input.key_light.direction();
    let key = MapFit::for_key(casters, to_key, KEY_TEXELS);
    let sky = MapFit::for_sky(casters, options.ground_height, SKY_TEXELS);
    ViewData {
        key_from_world: key.map_from_world,
        sky_from_world: sky.map_from_world,
        alpha: input.alpha.clamp(0.0, 1.0),
        to_key,
        exposure: options.exposure,
        ground_height: options.ground_height,
        key_size: key.size,
        key_texel: key.size.x / KEY_TEXELS as f32,
        sky_size: sky.size,
        pixel_offset: Vec2::new(offset.x as f32, offset.y as f32),
        ..ViewData::of_camera(&input.camera, pixels)
    }
}

/// Metres from the bodies within which a solid's shadow matters: further ones would make the maps coarse.
const SHADOW_REACH: f32 = 1.0;

/// The bodies and what stands beside them.
fn with_solids(world: &World, bodies: Bounds) -> Bounds {
    let near = bodies.widened(SHADOW_REACH);
    let solids = (0..world.solid_count()).map(|solid_ix| world.solid_bounds(solid_ix));
    let beside =
        solids.filter(|solid| solid.low.cmpge(near.low).all() && solid.high.cmple(near.high).all());
    beside.fold(bodies, Bounds::union)
}

fn holds(extent: vk::Extent2D, area: vk::Rect2D) -> bool {
    let within = |offset: i32, size: u32, max: u32| {
        offset >= 0 && size > 0 && i64::from(offset) + i64::from(size) <= i64::from(max)
    };
    within(area.offset.x, area.extent.width, extent.width)
        && within(area.offset.y, area.extent.height, extent.height)
}
