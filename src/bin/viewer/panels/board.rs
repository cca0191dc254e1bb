//! The window's panels over pictures that are drawn without one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ash::vk;
use radial_fields::engine::Device;
use radial_fields::gpu::{DescriptorSets, Gpu, PipelineExecutable, Recorder, Timestamps};
use radial_fields::overlay::{FRAME_COUNT, Layout, Painter, PainterDesc, Panels, TraceState};
use radial_fields::render::{Renderer, ViewOptions};
use radial_fields::scenes::{STEP_SECONDS, Show, ShowDesc};
use radial_fields::stage::Stage;

use super::facts_of::{Lists, Shown, Sources, cost, quality_figures};
use super::make_context;
use super::measured::Measured;
use super::names::Names;
use crate::cli::Cli;
use crate::picture::Judged;
use crate::preload::{FRAMES_IN_FLIGHT, Preloaded};
use crate::room::Room;

/// Frames that the panels show.
pub const PANEL_FRAMES: u32 = FRAME_COUNT as u32;

/// Panels that nobody uses. Drop it only when the GPU is done with its frames.
pub struct Board {
    lists: Lists,
    desc: BoardDesc,
    measured: Measured,
    pipelines: Option<Vec<PipelineExecutable>>,
    painter: Painter,
    panels: Panels,
    context: imgui::Context,
    timestamps: Timestamps,
    sets: DescriptorSets,
    gpu: Arc<Gpu>,
    /// None before the first picture.
    last_picture: Option<Instant>,
}

/// What is known of a show before it is made.
pub struct BoardDesc {
    cli: Cli,
    names: Names,
    show: ShowDesc,
}

/// What a picture's panels are drawn from.
pub struct Seen<'a> {
    pub device: &'a Device,
    pub show: &'a Show,
    pub renderer: &'a Renderer,
    pub view: ViewOptions,
    /// Radians from the lower to the upper edge of the picture.
    pub field_of_view: f32,
    pub size: (u32, u32),
    /// What the technique's lists had no room for; none where no list can be full.
    pub overflow_count: Option<u32>,
    pub judged: Option<&'a Judged>,
}

impl BoardDesc {
    pub fn of(cli: &Cli, preloaded: &Preloaded) -> Self {
        Self {
            cli: cli.clone(),
            names: Names::of(preloaded),
            show: preloaded.desc.clone(),
        }
    }
}

/// The part of a picture of that size that the panels leave free: in its middle, above the line of help.
pub fn room((width, height): (u32, u32)) -> Room {
    let size = [width as f32, height as f32];
    let [left, right] = Layout::new(size).free([true; 2]);
    Room::new(size, right - left, Layout::HELP_LINE)
}

impl Board {
    /// For pictures of that size and format.
    pub fn new(
        device: &Device,
        gpu: &Arc<Gpu>,
        desc: BoardDesc,
        (width, height): (u32, u32),
        colour_format: vk::Format,
    ) -> anyhow::Result<Self> {
        let (mut context, fonts) = make_context(1.0);
        context.io_mut().display_size = [width as f32, height as f32];
        let painter = PainterDesc {
            colour_format,
            frames_in_flight: FRAMES_IN_FLIGHT,
        };
        Ok(Self {
            lists: Lists::new(),
            desc,
            measured: Measured::default(),
            pipelines: gpu.pipeline_executables(),
            painter: Painter::new(gpu, painter, &mut context)?,
            panels: Panels::new(fonts),
            context,
            timestamps: Timestamps::new(gpu, FRAMES_IN_FLIGHT, device.timestamp_valid_bits())?,
            sets: DescriptorSets::new(gpu, FRAMES_IN_FLIGHT)?,
            gpu: Arc::clone(gpu),
            last_picture: None,
        })
    }

    /// Takes in what was measured since the last picture, and has the panels show it.
    pub fn draw(&mut self, seen: &Seen) {
        self.timestamps.collect();
        self.measure(seen);
        if self.last_picture.replace(Instant::now()).is_none() {
            // Panels know how large they are once they have been drawn.
            self.draw_panels(seen);
            self.context.render();
        }
        self.draw_panels(seen);
    }

    fn measure(&mut self, seen: &Seen) {
        let sources = [
            seen.show.world.stage_times(),
            seen.renderer.stage_times(),
            self.timestamps.latest(),
        ];
        self.measured.take(sources.map(Some), |_| {});
        let times = &mut self.measured.times;
        if let Some(last) = self.last_picture {
            times.frames.push(last.elapsed().as_secs_f32() * 1e3);
        }
        if let Some(&ms) = seen.show.record_cpu_ms.last() {
            times.recording.push(ms);
        }
    }

    fn draw_panels(&mut self, seen: &Seen) {
        let BoardDesc { cli, names, show } = &self.desc;
        let shown = Shown {
            show: seen.show,
            technique: show.technique,
            measured: &self.measured,
            pipelines: self.pipelines.as_deref(),
            cost: cost(seen.show, seen.renderer, seen.overflow_count),
            quality: seen
                .judged
                .map(|judged| quality_figures(&judged.quality, &judged.seen)),
        };
        let instance = &seen.device.instance;
        let sources = Sources {
            cli,
            desc: Some(show),
            can_undo_redo: [false; 2],
            device: seen.device,
            size: seen.size,
            shown_worlds: &[shown],
            names,
            measures_quality: cli.oracle,
            is_paused: false,
            speed: 1.0,
            step_count: 1,
            times_passes: cli.passes,
            trace: TraceState::None,
            loading: None,
            view: seen.view,
            shows_difference: false,
            edited_ix: None,
            field_of_view: seen.field_of_view,
            follow: cli.follow.unwrap_or_default(),
            brush_radius: 0.0,
            counts: instance.validation_counts(),
            texts: &instance.validation_texts(),
            messages: &[],
        };
        let io = self.context.io_mut();
        io.update_delta_time(Duration::from_secs_f32(STEP_SECONDS));
        let (ui, panels) = (self.context.new_frame(), &mut self.panels);
        // Nobody asks for anything.
        let _ = self.lists.facts(&sources, |facts| panels.draw(ui, facts));
    }

    /// Records what [`Self::draw`] drew over `target`, which is in `COLOR_ATTACHMENT_OPTIMAL` before and after.
    pub fn record(
        &mut self,
        cmd: vk::CommandBuffer,
        target: vk::ImageView,
        extent: vk::Extent2D,
    ) -> anyhow::Result<()> {
        self.timestamps.begin_frame(cmd);
        self.sets.begin_frame();
        let mut recorder =
            Recorder::new(&self.gpu, cmd, &mut self.timestamps).with_sets(&mut self.sets);
        let (painter, data) = (&mut self.painter, self.context.render());
        recorder.stage(Stage::Overlay, |recorder| {
            painter.record(recorder, target, extent, data)
        })?;
        recorder.finish()?;
        Ok(())
    }
}
