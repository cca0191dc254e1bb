//! Draws one moment of a scene from several sides into PNG files, without a window.
//!
//!     cargo run --example picture -- --scene skirt --frames 60 --out target/pictures --yaw 0.5 --yaw 3.6 --contacts

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use ash::vk;
use clap::Parser;
use radial_fields::cloth::garment::Garment;
use radial_fields::engine::{
    Device, Frames, Instance, InstanceDesc, OFFSCREEN_FORMAT, Offscreen, Validation,
};
use radial_fields::gpu::{self, shader_compiler};
use radial_fields::render::{
    Camera, ClothColours, FieldSurface, KeyLight, RenderInput, Renderer, RendererDesc, Target,
    ViewOptions,
};
use radial_fields::scenes::{self, Character, Show, ShowDesc};

const FRAMES_IN_FLIGHT: usize = 2;

#[derive(Parser)]
struct Flags {
    #[arg(long, default_value = "mannequin")]
    scene: String,
    /// A character of another name or file than the scene's.
    #[arg(long)]
    avatar: Option<String>,
    #[arg(long)]
    particles: Option<usize>,
    /// Steps simulated before the picture.
    #[arg(long, default_value_t = 60)]
    frames: u32,
    #[arg(long, default_value_t = 640)]
    width: u32,
    #[arg(long, default_value_t = 360)]
    height: u32,
    #[arg(long, default_value = "target/pictures")]
    out: PathBuf,
    #[arg(long, default_value = "picture")]
    name: String,
    /// Radians; one picture each.
    #[arg(long, default_values_t = [0.45])]
    yaw: Vec<f32>,
    #[arg(long, default_value_t = 0.12)]
    pitch: f32,
    /// Part of the framing distance.
    #[arg(long, default_value_t = 1.0)]
    near: f32,
    /// Metres above the middle of the character.
    #[arg(long, default_value_t = 0.0)]
    lift: f32,
    #[arg(long)]
    hide_body: bool,
    #[arg(long)]
    hide_cloth: bool,
    #[arg(long)]
    body_wireframe: bool,
    #[arg(long)]
    cloth_wireframe: bool,
    #[arg(long)]
    contacts: bool,
    #[arg(long)]
    cylinders: bool,
    #[arg(long)]
    penetration: bool,
    /// `distance` or `field`.
    #[arg(long)]
    cells: Option<String>,
    /// Take the shaders from this folder instead of those built in.
    #[arg(long)]
    shaders: Option<PathBuf>,
    #[arg(long)]
    validate: bool,
    /// Part of the way from the previous step to the last one.
    #[arg(long, default_value_t = 1.0)]
    alpha: f32,
    /// Take further pictures of the same moment: one a line of standard input, which holds flags.
    #[arg(long)]
    interactive: bool,
}

fn main() -> anyhow::Result<()> {
    let flags = Flags::parse();
    let instance = Instance::new(&InstanceDesc {
        application: c"picture",
        validation: if flags.validate {
            Validation::On
        } else {
            Validation::Off
        },
        extensions: &[],
    })?;
    let device = Device::open(&instance, None, None)?;
    let mut frames = Frames::new(&device, FRAMES_IN_FLIGHT)?;
    let mut show = Show::new(&device, desc(&flags)?)?;
    show.preroll(&mut frames)?;
    for _ in 0..flags.frames {
        let cmd = frames.begin()?;
        show.record(cmd, 1, None);
        frames.submit(Default::default())?;
    }
    let garments: Vec<&Garment> = show.garments.iter().collect();
    let mut studio = Studio {
        renderer: Renderer::new(&show.world, &RENDERER, &[&show.avatar], &garments)?,
        show: &show,
        device: &device,
        frames,
    };
    studio.take_pictures(&flags)?;
    if flags.interactive {
        for line in std::io::stdin().lines() {
            let words = std::iter::once("picture".to_owned());
            let flags = Flags::parse_from(words.chain(line?.split_whitespace().map(str::to_owned)));
            if let Err(error) = studio.take_pictures(&flags) {
                println!("{error:#}");
            }
        }
    }
    device.wait_idle()?;
    for text in instance.validation_texts() {
        println!("{text}");
    }
    Ok(())
}

const RENDERER: RendererDesc = RendererDesc {
    colour_format: OFFSCREEN_FORMAT,
    samples: vk::SampleCountFlags::TYPE_4,
    frames_in_flight: FRAMES_IN_FLIGHT,
    timestamp_valid_bits: 64,
};

struct Studio<'a> {
    show: &'a Show,
    renderer: Renderer,
    device: &'a Arc<Device>,
    frames: Frames,
}

impl Studio<'_> {
    fn take_pictures(&mut self, flags: &Flags) -> anyhow::Result<()> {
        let gpu = self.show.world.gpu();
        if let Some(folder) = &flags.shaders {
            replace_shaders(gpu, folder)?;
            self.device.wait_idle()?;
            self.renderer.reload_pipelines()?;
        }
        let extent = vk::Extent2D {
            width: flags.width,
            height: flags.height,
        };
        let offscreen = Offscreen::new(self.device, gpu, extent)?;
        self.renderer.resize(extent)?;
        std::fs::create_dir_all(&flags.out)?;
        for (ix, &yaw) in flags.yaw.iter().enumerate() {
            let file = flags.out.join(format!("{}_{ix}.png", flags.name));
            self.take(flags, yaw, &offscreen)?.save(&file)?;
            println!("{} {:?}", file.display(), self.renderer.launches());
        }
        println!("{:?} ms", self.renderer.stage_times().stages);
        Ok(())
    }

    fn take(
        &mut self,
        flags: &Flags,
        yaw: f32,
        offscreen: &Offscreen,
    ) -> anyhow::Result<image::RgbaImage> {
        let extent = offscreen.extent();
        let input = RenderInput {
            camera: self.camera(flags, yaw, extent),
            key_light: KeyLight::default(),
            alpha: flags.alpha,
            view: options(flags),
            target: Target {
                view: offscreen.view(),
                area: extent.into(),
            },
        };
        let cmd = self.frames.begin()?;
        offscreen.record_begin(cmd);
        // SAFETY: the frames hand out command buffers whose earlier use is over, and submit them in order.
        unsafe { self.renderer.record(cmd, &self.show.world, &input) };
        offscreen.record_end(cmd);
        let pixels = offscreen.submit_and_read(&mut self.frames)?;
        image::RgbaImage::from_raw(extent.width, extent.height, pixels)
            .context("the picture has as many pixels as its extent says")
    }

    fn camera(&self, flags: &Flags, yaw: f32, extent: vk::Extent2D) -> Camera {
        let mut camera = Camera {
            yaw,
            pitch: flags.pitch,
            ..Camera::default()
        };
        if let Some(bounds) = self.show.world.body_bounds() {
            camera.frame(bounds, extent.width as f32 / extent.height as f32);
        }
        camera.distance *= flags.near;
        camera.target.y += flags.lift;
        camera
    }
}

fn desc(flags: &Flags) -> anyhow::Result<ShowDesc> {
    let scene = scenes::find(&flags.scene).with_context(|| scenes::names())?;
    let character = Character::load(flags.avatar.as_deref().unwrap_or(scene.character), None)?;
    let count = flags.particles.unwrap_or(scene.particle_count);
    Ok(ShowDesc {
        garments: scene.outfit.make(&character.avatar, count)?,
        clip_ix: (!character.avatar.clips.is_empty()).then_some(0),
        avatar: character.avatar,
        cloth: Default::default(),
        collide: Default::default(),
        garment: Default::default(),
        fit: Default::default(),
        frames_in_flight: FRAMES_IN_FLIGHT,
    })
}

fn options(flags: &Flags) -> ViewOptions {
    ViewOptions {
        show_body: !flags.hide_body,
        show_cloth: !flags.hide_cloth,
        body_wireframe: flags.body_wireframe,
        cloth_wireframe: flags.cloth_wireframe,
        contacts: flags.contacts,
        field_cylinders: flags.cylinders,
        cloth_colours: if flags.penetration {
            ClothColours::Penetration
        } else {
            ClothColours::Fabric
        },
        field_surface: match flags.cells.as_deref() {
            Some("field") => FieldSurface::ByField,
            Some(_) => FieldSurface::ByDistance,
            None => FieldSurface::Hidden,
        },
        ..ViewOptions::default()
    }
}

fn replace_shaders(gpu: &gpu::Gpu, folder: &std::path::Path) -> anyhow::Result<()> {
    for shader in gpu::shaders::ALL {
        let shown = shader.name.starts_with("render/") || shader.name.contains("/show_");
        if shown {
            let compiled = shader_compiler::compile(folder, &folder.join(shader.name))
                .map_err(anyhow::Error::msg)?;
            gpu.replace_shader(shader, Some(compiled.spirv));
        }
    }
    Ok(())
}
