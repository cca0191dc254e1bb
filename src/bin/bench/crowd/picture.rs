//! A picture of a crowd.

use std::path::Path;

use anyhow::anyhow;
use ash::vk;
use radial_fields::engine::output::write_png;
use radial_fields::engine::{Device, Frames, Offscreen};
use radial_fields::render::{
    Camera, KeyLight, RenderInput, Renderer, RendererDesc, Target, ViewOptions,
};
use radial_fields::scenes::Show;

/// Pixels.
const EXTENT: vk::Extent2D = vk::Extent2D {
    width: 1920,
    height: 1080,
};

/// Draws all of a crowd as it stands, and writes a PNG. Waits for the GPU.
pub fn save(device: &Device, frames: &mut Frames, crowd: &Show, file: &Path) -> anyhow::Result<()> {
    let renderer_desc = RendererDesc {
        colour_format: Offscreen::FORMAT,
        samples: vk::SampleCountFlags::TYPE_4,
        frames_in_flight: frames.count(),
        timestamp_valid_bits: device.timestamp_valid_bits(),
    };
    let (bodies, garments) = crowd.drawn();
    let mut renderer = Renderer::new(&crowd.world, &renderer_desc, &bodies, &garments)?;
    renderer.resize(EXTENT)?;
    let mut offscreen = Offscreen::new(crowd.world.gpu(), EXTENT)?;
    let input = RenderInput {
        camera: camera(crowd),
        key_light: KeyLight::default(),
        alpha: 1.0,
        view: ViewOptions::default(),
        target: Target {
            view: offscreen.view(),
            area: vk::Rect2D {
                offset: vk::Offset2D::default(),
                extent: EXTENT,
            },
        },
    };
    let mut drawn = Ok(());
    let pixels = offscreen.render(device, frames, |cmd| {
        // SAFETY: the offscreen hands out a recording command buffer of this device, and the target is its own.
        drawn = unsafe { renderer.record(cmd, &crowd.world, &input) };
    })?;
    drawn?;
    let image = image::RgbaImage::from_raw(EXTENT.width, EXTENT.height, pixels)
        .ok_or_else(|| anyhow!("the picture has the wrong size"))?;
    Ok(write_png(file, &image.into())?)
}

/// On all of them, from above, so that those in front do not hide the others.
fn camera(crowd: &Show) -> Camera {
    let camera = Camera {
        pitch: 0.5,
        ..Camera::default()
    };
    let Some(bounds) = crowd.world.body_bounds() else {
        return camera;
    };
    let mut camera = Camera {
        target: bounds.centre(),
        ..camera
    };
    camera.step_back(&[bounds], EXTENT.width as f32 / EXTENT.height as f32);
    camera
}
