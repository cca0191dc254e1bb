//! What it takes to draw the model on screen, to be compared with drawing it into its fields.

use std::sync::Arc;

use ash::vk;
use radial_fields::engine::{Device, Frames, Offscreen};
use radial_fields::render::{
    Camera, KeyLight, RenderInput, Renderer, RendererDesc, Target, ViewOptions,
};
use radial_fields::scenes::{Show, ShowDesc, Spread};
use radial_fields::stage::Stage;

/// Pixels.
const EXTENT: vk::Extent2D = vk::Extent2D {
    width: 1920,
    height: 1080,
};

/// Frames before the first that counts.
const WARM_UP_FRAMES: u32 = 10;

/// A show with somewhere to be drawn, without clothes and ground.
pub struct Studio {
    // Before the show and the device whose handles it has.
    renderer: Renderer,
    offscreen: Offscreen,
    show: Show,
    frames: Frames,
    device: Arc<Device>,
}

impl Studio {
    pub fn new(device: &Arc<Device>, desc: ShowDesc) -> anyhow::Result<Self> {
        let renderer_desc = RendererDesc {
            colour_format: Offscreen::FORMAT,
            samples: vk::SampleCountFlags::TYPE_4,
            frames_in_flight: desc.frames_in_flight,
            timestamp_valid_bits: device.timestamp_valid_bits(),
        };
        let mut frames = Frames::new(device, desc.frames_in_flight)?;
        let mut show = Show::new(device, desc)?;
        show.preroll(&mut frames)?;
        let garments: Vec<_> = show.garments.iter().collect();
        let mut renderer = Renderer::new(&show.world, &renderer_desc, &[&show.avatar], &garments)?;
        renderer.resize(EXTENT)?;
        Ok(Self {
            offscreen: Offscreen::new(show.world.gpu(), EXTENT)?,
            renderer,
            show,
            frames,
            device: Arc::clone(device),
        })
    }

    /// Milliseconds of the picture by GPU timestamps, with the model filling it from top to bottom, or without anything in it.
    pub fn draw_ms(&mut self, show_body: bool, frame_count: u32) -> anyhow::Result<Spread> {
        let view = ViewOptions {
            show_body,
            show_cloth: false,
            show_ground: false,
            ..ViewOptions::default()
        };
        let mut times = Vec::new();
        for frame_ix in 0..WARM_UP_FRAMES + frame_count {
            self.draw(view)?;
            self.renderer.collect_times();
            let ms = self.renderer.stage_times().stages[Stage::Draw.ix()];
            times.extend(ms.filter(|_| frame_ix >= WARM_UP_FRAMES));
        }
        Ok(Spread::of(&times))
    }

    fn draw(&mut self, view: ViewOptions) -> anyhow::Result<()> {
        let input = RenderInput {
            camera: self.camera(),
            key_light: KeyLight::default(),
            alpha: 1.0,
            view,
            target: Target {
                view: self.offscreen.view(),
                area: EXTENT.into(),
            },
        };
        let (renderer, world) = (&mut self.renderer, &self.show.world);
        let mut drawn = Ok(());
        self.offscreen
            .render(&self.device, &mut self.frames, |cmd| {
                // SAFETY: the offscreen hands out a recording command buffer of this device, and the target is its own.
                drawn = unsafe { renderer.record(cmd, world, &input) };
            })?;
        Ok(drawn?)
    }

    fn camera(&self) -> Camera {
        let mut camera = Camera::default();
        if let Some(bounds) = self.show.world.body_bounds() {
            camera.target = bounds.centre();
            camera.step_back(&[bounds], EXTENT.width as f32 / EXTENT.height as f32);
        }
        camera
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        // What is drawn may only go when the GPU is done with it; a lost device is done.
        let _ = self.device.wait_idle();
    }
}
