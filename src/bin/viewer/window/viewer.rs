//! The viewer: a window, a device, and what is shown. It opens, handles events, and closes.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use ash::vk;
use glam::Vec2;
use radial_fields::engine::{Device, Frames, Instance, InstanceDesc, Validation, ValidationCounts};
use radial_fields::gpu::{DescriptorSets, Gpu, GpuDesc, Timestamps};
use radial_fields::overlay::{Layout, Painter, Summary as Spread, Times};
use radial_fields::render::{Difference, ViewOptions};
use radial_fields::scenes::ShowDesc;
use radial_fields::{remark, say};
use raw_window_handle::HasDisplayHandle as _;
use winit::dpi::LogicalSize;
use winit::event::{KeyEvent, MouseButton, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::clock::Clock;
use super::gui::{Fonts, Gui};
use super::hand::{Drag, Hand, Press, notches};
use super::keys::command_of;
use super::loader::Loader;
use super::notifications::Notifications;
use super::observer::Observer;
use super::orbit::Orbit;
use super::parts::{Part, divide};
use super::past::Past;
use super::pick::{Held, Scene};
use super::playing::Playing;
use super::reload::ShaderWatch;
use super::screen::Screen;
use super::surface::Surface;
use super::switch::Switch;
use crate::cli::Cli;
use crate::panels::facts_of::Lists;
use crate::panels::names::Names;
use crate::preload::FRAMES_IN_FLIGHT;
use crate::tracing::Tracing;

/// Whether the run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Goes,
    Ends,
}

/// Everything between the window and the GPU. The fields are dropped from the first to the last: what is made on the
/// device before it, the surface before the window.
pub struct Viewer {
    /// None while the first world is loaded, two for two techniques beside each other.
    pub(super) shown_worlds: Vec<Playing>,
    /// While it is shown where two worlds differ.
    pub(super) difference: Option<Difference>,
    pub(super) painter: Option<Painter>,
    pub(super) timestamps: Timestamps,
    /// For the panels.
    pub(super) sets: DescriptorSets,
    pub(super) frames: Frames,
    pub(super) screen: Screen,
    /// Panels and screenshots live on it; a world brings its own.
    pub(super) gpu: Arc<Gpu>,
    pub(super) device: Arc<Device>,
    pub(super) gui: Gui,
    pub(super) window: Arc<Window>,

    /// The flags that lead to what is shown.
    pub(super) cli: Cli,
    pub(super) loader: Loader,
    /// Of what is shown.
    pub(super) desc: Option<ShowDesc>,
    /// Other techniques that are wished for.
    pub(super) switch: Option<Switch>,
    pub(super) past: Past,
    pub(super) shaders: ShaderWatch,
    pub(super) clock: Clock,
    pub(super) orbit: Orbit,
    pub(super) hand: Hand,
    pub(super) view: ViewOptions,
    /// Of two worlds the one whose settings are changed; none: both.
    pub(super) edited_ix: Option<usize>,
    pub(super) notifications: Notifications,
    pub(super) lists: Lists,
    /// Of what is shown.
    pub(super) names: Names,
    /// Judges what is shown, when quality is measured.
    pub(super) observer: Option<Observer>,
    pub(super) tracing: Option<Tracing>,
    /// Where the next picture is to be saved as well.
    pub(super) screenshot: Option<PathBuf>,
    pub(super) validation: (ValidationCounts, Vec<String>),
    pub(super) last_frame: Instant,
    pub(super) last_step_count: usize,
    /// Every dispatch and draw is timed on its own.
    pub(super) times_passes: bool,
    pub(super) drawn_count: u32,
    pub(super) can_draw: bool,
}

/// The outcome of a run.
pub struct Summary {
    pub validation: ValidationCounts,
    texts: Vec<String>,
    validates: bool,
    device: String,
    drawn_count: u32,
    frame_ms: Option<Spread>,
    gpu_ms: Option<Spread>,
}

impl Viewer {
    /// Opens a window and the device that shows pictures on it, and starts to load what the flags ask for.
    pub fn open(event_loop: &ActiveEventLoop, cli: &Cli) -> anyhow::Result<Self> {
        let view = cli.view()?;
        let attributes = Window::default_attributes()
            .with_title("Radial Fields")
            .with_inner_size(LogicalSize::new(cli.size().0, cli.size().1));
        let window = event_loop
            .create_window(attributes)
            .context("no window can be opened: add --headless")?;
        let window = Arc::new(window);
        let instance = make_instance(&window, cli)?;
        let surface = Surface::new(&instance, &window)?;
        let on = Some((&surface.functions, surface.handle));
        let device = Device::open(&instance, cli.gpu.as_deref(), on)?;
        let gpu = make_gpu(&device)?;
        let mut loader = Loader::default();
        loader.start(cli.clone());
        Ok(Self {
            shown_worlds: Vec::new(),
            difference: None,
            painter: None,
            timestamps: Timestamps::new(&gpu, FRAMES_IN_FLIGHT, device.timestamp_valid_bits())?,
            sets: DescriptorSets::new(&gpu, FRAMES_IN_FLIGHT)?,
            frames: Frames::new(&device, FRAMES_IN_FLIGHT)?,
            screen: Screen::new(&device, surface, FRAMES_IN_FLIGHT)?,
            gpu,
            device,
            gui: Gui::new(&window, !cli.no_overlay),
            window,
            cli: cli.clone(),
            loader,
            desc: None,
            switch: None,
            past: Past::default(),
            shaders: ShaderWatch::new(),
            clock: Clock::new(),
            orbit: Orbit::new(),
            hand: Hand::default(),
            view,
            edited_ix: None,
            notifications: Notifications::default(),
            lists: Lists::new(),
            names: Names::default(),
            observer: None,
            tracing: None,
            screenshot: None,
            validation: Default::default(),
            last_frame: Instant::now(),
            last_step_count: 0,
            times_passes: false,
            drawn_count: 0,
            can_draw: true,
        })
    }

    /// Whether the window has pixels at the moment.
    pub fn can_draw(&self) -> bool {
        self.can_draw
    }

    pub fn request_frame(&self) {
        self.window.request_redraw();
    }

    /// Takes up what happened to the window, and draws when it is time to.
    pub fn hear(&mut self, event: &WindowEvent) -> anyhow::Result<Flow> {
        if self.gui.hear(&self.window, event) == Fonts::Changed {
            self.reload_fonts()?;
        }
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => return Ok(Flow::Ends),
            WindowEvent::RedrawRequested => return self.frame(),
            WindowEvent::Resized(_) => self.screen.resized(),
            WindowEvent::ModifiersChanged(modifiers) => self.hand.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event, .. } => return Ok(self.key(event)),
            WindowEvent::DroppedFile(file) => self.take_dropped(file),
            event => self.mouse(event)?,
        }
        Ok(Flow::Goes)
    }

    fn key(&mut self, event: &KeyEvent) -> Flow {
        let Some(command) = command_of(&event.logical_key, self.hand.modifiers) else {
            return Flow::Goes;
        };
        let is_meant = !self.gui.wants_text() || command.is_no_text();
        let is_new = !event.repeat || command.repeats();
        if event.state.is_pressed() && is_meant && is_new {
            return self.execute(command);
        }
        Flow::Goes
    }

    fn mouse(&mut self, event: &WindowEvent) -> anyhow::Result<()> {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                let height = self.window.inner_size().height as f32;
                let pixel = Vec2::new(position.x as f32, position.y as f32);
                self.hand.moved(pixel, height, &mut self.orbit);
            }
            WindowEvent::MouseInput { state, button, .. } => {
                self.hand.button(*state);
                if state.is_pressed() && !self.gui.wants_mouse() {
                    self.press(*button)?;
                }
            }
            WindowEvent::MouseWheel { delta, .. } if !self.gui.wants_mouse() => {
                self.hand.wheel(notches(*delta), &mut self.orbit);
            }
            _ => {}
        }
        Ok(())
    }

    fn press(&mut self, button: MouseButton) -> anyhow::Result<()> {
        let drag = match self.hand.press(button) {
            Some(Press::ClothOrTurn) => self.held()?.unwrap_or(Drag::Turn),
            Some(Press::Turn) => Drag::Turn,
            Some(Press::Slide) => Drag::Slide,
            None => return Ok(()),
        };
        self.hand.start(drag);
        Ok(())
    }

    /// Taking hold of the cloth under the mouse. Waits for the GPU, once per click.
    fn held(&mut self) -> anyhow::Result<Option<Drag>> {
        let (pixel, parts) = (self.hand.pixel, self.parts(self.extent()));
        let Some(part_ix) = parts.iter().position(|part| part.holds(pixel)) else {
            return Ok(None);
        };
        let (part, playing) = (&parts[part_ix], &mut self.shown_worlds[part_ix]);
        let particles = playing.show.particles(&self.device, &mut self.frames)?;
        let scene = Scene {
            particles: &particles,
            body_positions: &playing.show.exact_bodies(),
            body_triangles: &playing.show.body_triangles(),
        };
        let held = Held::take(&scene, part, pixel, self.gui.scale());
        Ok(held.map(|held| Drag::Cloth { held, part_ix }))
    }

    /// Where each world shown is drawn in a picture of that size, which may lag behind the window's.
    pub(super) fn parts(&self, extent: vk::Extent2D) -> Vec<Part> {
        let count = self.shown_worlds.len();
        let width = self.points()[0].max(1.0);
        let free = self.free_points().map(|point| point / width);
        if self.shows_difference() {
            let whole = divide(extent, 1, self.orbit.camera, free);
            return whole.repeat(count);
        }
        divide(extent, count, self.orbit.camera, free)
    }

    /// Whether two worlds are shown beside each other.
    pub(super) fn is_halved(&self) -> bool {
        self.shown_worlds.len() == 2 && !self.cli.difference
    }

    /// Whether it is shown where two worlds differ.
    pub(super) fn shows_difference(&self) -> bool {
        self.cli.difference && self.shown_worlds.len() == 2
    }

    /// Size of the window in points.
    pub(super) fn points(&self) -> [f32; 2] {
        let extent = self.extent();
        [extent.width, extent.height].map(|pixels| pixels as f32 / self.gui.scale())
    }

    /// From where to where the panels leave the window's width free, points.
    pub(super) fn free_points(&self) -> [f32; 2] {
        if self.gui.shows_panels {
            // Two halves have their places, whichever panel is open.
            let open = match self.is_halved() {
                true => [true; 2],
                false => self.gui.panels.are_open(),
            };
            Layout::new(self.points()).free(open)
        } else {
            [0.0, self.points()[0]]
        }
    }

    /// Points of the window's height that a line of help covers.
    pub(super) fn covered_points(&self) -> f32 {
        if self.gui.shows_panels {
            Layout::HELP_LINE
        } else {
            0.0
        }
    }

    /// Pixels of the window.
    pub(super) fn extent(&self) -> vk::Extent2D {
        let size = self.window.inner_size();
        vk::Extent2D {
            width: size.width,
            height: size.height,
        }
    }

    fn reload_fonts(&mut self) -> anyhow::Result<()> {
        if let Some(painter) = &mut self.painter {
            self.device.wait_idle()?;
            painter.reload_fonts(&mut self.gui.context)?;
        }
        Ok(())
    }

    /// Ends everything in order and says what it came to, messages of the end included.
    pub fn close(mut self) -> Summary {
        if let Some(Err(error)) = self
            .tracing
            .take()
            .map(|tracing| tracing.save(&self.device))
        {
            remark!("viewer: the trace is not saved: {error:#}");
        }
        // A lost device is idle too.
        let _ = self.device.wait_idle();
        let instance = Arc::clone(&self.device.instance);
        let times = self
            .shown_worlds
            .first()
            .map(|playing| &playing.measured.times);
        let mut summary = Summary {
            validation: ValidationCounts::default(),
            texts: Vec::new(),
            validates: self.cli.validate,
            device: self.device.info.name.clone(),
            drawn_count: self.drawn_count,
            frame_ms: times.and_then(|times| Spread::of(times.frames.iter())),
            gpu_ms: times.and_then(Times::gpu),
        };
        drop(self);
        summary.validation = instance.validation_counts();
        summary.texts = instance.validation_texts();
        summary
    }
}

fn make_instance(window: &Window, cli: &Cli) -> anyhow::Result<Arc<Instance>> {
    let display = window
        .display_handle()
        .context("the window has no display")?;
    let extensions = ash_window::enumerate_required_extensions(display.as_raw())
        .context("Vulkan cannot show pictures on this kind of display: add --headless")?;
    Ok(Instance::new(&InstanceDesc {
        application: c"viewer",
        validation: Validation::wanted(cli.validate),
        extensions,
    })?)
}

fn make_gpu(device: &Device) -> anyhow::Result<Arc<Gpu>> {
    // SAFETY: the handles are the device's, which is dropped after everything made over it.
    let gpu = unsafe {
        Gpu::new(&GpuDesc {
            instance: &device.instance.handle,
            physical_device: device.physical_device,
            device: &device.handle,
            allocator: None,
            pipeline_cache: device.pipeline_cache,
            pipeline_executables: device.has_pipeline_executables,
            debug_utils: device.instance.has_debug_utils(),
            queue_families: &[device.queue_family_ix],
        })
    };
    Ok(gpu?)
}

impl Summary {
    /// One line, and validation's messages if there were any.
    pub fn print(&self) {
        for text in &self.texts {
            remark!("viewer: validation {text}");
        }
        let frame = self.frame_ms.unwrap_or_default();
        let gpu = self.gpu_ms.unwrap_or_default();
        let validation = if self.validates {
            let ValidationCounts { errors, warnings } = self.validation;
            format!("validation: {errors} errors, {warnings} warnings")
        } else {
            "validation off".to_owned()
        };
        say!(
            "{} frames on {}: {:.2} ms per frame (p95 {:.2}), {:.2} ms on the GPU (p95 {:.2}); {validation}",
            self.drawn_count,
            self.device,
            frame.median,
            frame.p95,
            gpu.median,
            gpu.p95
        );
    }
}
