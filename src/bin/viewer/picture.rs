//! Pictures of a show without a window.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use ash::vk;
use glam::Vec3;
use radial_fields::engine::output::write_whole;
use radial_fields::engine::{Device, Frames, Offscreen};
use radial_fields::gpu::StageTimes;
use radial_fields::render::{
    Camera, KeyLight, RenderInput, Renderer, RendererDesc, Target, ViewOptions,
};
use radial_fields::scenes::Show;

use crate::cli::Cli;
use crate::stage_of::FRAMES_IN_FLIGHT;

/// How much of the picture's height the character takes up.
const FILL: f32 = 0.75;

/// A renderer with somewhere to draw.
pub struct Picture {
    renderer: Renderer,
    offscreen: Offscreen,
    view: ViewOptions,
    camera: Camera,
}

impl Picture {
    /// Makes what is needed to draw a show in the size that the flags ask for.
    pub fn new(device: &Device, show: &Show, cli: &Cli) -> anyhow::Result<Self> {
        let extent = vk::Extent2D {
            width: cli.size.0,
            height: cli.size.1,
        };
        let desc = RendererDesc {
            colour_format: Offscreen::FORMAT,
            samples: vk::SampleCountFlags::TYPE_4,
            frames_in_flight: FRAMES_IN_FLIGHT,
            timestamp_valid_bits: device.timestamp_valid_bits(),
        };
        let garments: Vec<_> = show.garments.iter().collect();
        let mut renderer = Renderer::new(&show.world, &desc, &[&show.avatar], &garments)?;
        renderer.resize(extent)?;
        let offscreen = Offscreen::new(show.world.gpu(), extent)?;
        Ok(Self {
            renderer,
            offscreen,
            view: ViewOptions {
                ground_height: show.ground_height(),
                ..view_of(&cli.view)?
            },
            camera: camera_for(show.avatar.bind_height()),
        })
    }

    /// Draws the show as it stands, and writes a PNG.
    pub fn save(
        &mut self,
        device: &Device,
        frames: &mut Frames,
        show: &Show,
        file: &Path,
    ) -> anyhow::Result<()> {
        self.follow(show);
        let area = vk::Rect2D {
            offset: vk::Offset2D::default(),
            extent: self.offscreen.extent(),
        };
        let input = RenderInput {
            camera: self.camera,
            key_light: KeyLight::default(),
            alpha: 1.0,
            view: self.view,
            target: Target {
                view: self.offscreen.view(),
                area,
            },
        };
        let renderer = &mut self.renderer;
        renderer.collect_times();
        let pixels = self.offscreen.render(device, frames, |cmd| {
            // SAFETY: the offscreen hands out a recording command buffer of this device, and the target is its own.
            unsafe { renderer.record(cmd, &show.world, &input) };
        })?;
        let image = image::RgbaImage::from_raw(area.extent.width, area.extent.height, pixels)
            .ok_or_else(|| anyhow!("the picture has the wrong size"))?;
        write_whole(file, |partial| {
            image.save_with_format(partial, image::ImageFormat::Png)
        })?;
        Ok(())
    }

    /// GPU times of the last picture.
    pub fn stage_times(&self) -> &StageTimes {
        self.renderer.stage_times()
    }

    /// Keeps the character in the middle.
    fn follow(&mut self, show: &Show) {
        let bones = &show.performance.palette().world_from_bone;
        let sum: Vec3 = bones.iter().map(|bone| bone.w_axis.truncate()).sum();
        let middle = sum / bones.len().max(1) as f32;
        self.camera.target = Vec3::new(middle.x, self.camera.target.y, middle.z);
    }
}

fn camera_for(height: f32) -> Camera {
    let camera = Camera::default();
    let distance = height / FILL / (2.0 * (camera.fov_y * 0.5).tan());
    Camera {
        target: Vec3::new(0.0, 0.5 * height, 0.0),
        distance,
        ..camera
    }
}

/// What `--view` names.
pub fn view_of(name: &str) -> anyhow::Result<ViewOptions> {
    ViewOptions::named(name).with_context(|| {
        let known = ViewOptions::NAMED.map(|(name, _)| name).join(", ");
        format!("there is no view {name:?}: choose one of {known}")
    })
}
