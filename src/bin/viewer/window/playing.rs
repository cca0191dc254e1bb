//! A show with its pictures.

use anyhow::Context as _;
use ash::vk;
use radial_fields::cloth::Grab;
use radial_fields::collide::Technique;
use radial_fields::engine::{Device, Watch};
use radial_fields::gpu::{PipelineExecutable, StageTimes, Timing};
use radial_fields::oracle::Tolerances;
use radial_fields::overlay::QualityFigures;
use radial_fields::render::{RenderInput, Renderer, RendererDesc};
use radial_fields::scenes::{Show, ShowDesc};

use super::clock::Ticks;
use super::reload::ShaderWatch;
use crate::panels::facts_of::{Shown, cost};
use crate::panels::measured::Measured;
use crate::preload::{FRAMES_IN_FLIGHT, tolerances_of};
use crate::tracing::Tracing;

/// What is shown. Drop it only when the GPU is done with its frames.
pub struct Playing {
    renderer: Renderer,
    pub show: Show,
    pub technique: Technique,
    /// Of whoever judges it.
    pub tolerances: Tolerances,
    pub measured: Measured,
    /// What the driver made of its shaders, if it tells.
    pub pipelines: Option<Vec<PipelineExecutable>>,
    format: vk::Format,
    /// Counts what the technique's lists had no room for.
    overflow: Watch,
}

impl Playing {
    /// Builds the world.
    pub fn new(
        device: &Device,
        desc: ShowDesc,
        format: vk::Format,
        shaders: &ShaderWatch,
    ) -> anyhow::Result<Self> {
        let (technique, tolerances) = (desc.technique, tolerances_of(&desc));
        let mut show = Show::new(device, desc)?;
        if shaders.apply(show.world.gpu()) {
            show.world.reload_pipelines()?;
        }
        let renderer = make_renderer(device, &show, format)?;
        Ok(Self {
            renderer,
            pipelines: show.world.gpu().pipeline_executables(),
            overflow: Watch::new(show.world.gpu(), FRAMES_IN_FLIGHT)?,
            show,
            technique,
            tolerances,
            measured: Measured::default(),
            format,
        })
    }

    /// Draws for pictures of another format. Waits for the GPU if it has to.
    pub fn set_format(&mut self, device: &Device, format: vk::Format) -> anyhow::Result<()> {
        if self.format != format {
            device.wait_idle()?;
            self.renderer = make_renderer(device, &self.show, format)?;
            self.format = format;
        }
        Ok(())
    }

    /// Records simulation and picture, in a part of a target of that `extent`.
    pub fn record(
        &mut self,
        cmd: vk::CommandBuffer,
        ticks: Ticks,
        grab: Option<Grab>,
        input: &RenderInput,
        extent: vk::Extent2D,
    ) -> anyhow::Result<()> {
        self.renderer.resize(extent)?;
        self.renderer.collect_times();
        self.show.record(cmd, ticks.step_count, grab)?;
        if let Some(overflow_count) = self.show.world.collider().overflow_count() {
            // SAFETY: as below; the world leaves its buffers visible to transfers, and goes when the GPU is done with it.
            unsafe { self.overflow.record(cmd, overflow_count) };
        }
        // SAFETY: the command buffer is recording, of this device and submitted in order by the viewer's frames; the
        // target was acquired and is in the layout for attachments.
        unsafe { self.renderer.record(cmd, &self.show.world, input)? };
        Ok(())
    }

    /// Builds all pipelines again. The caller waits for the GPU first.
    #[cfg(feature = "shader_compiler")]
    pub fn reload_pipelines(&mut self) -> anyhow::Result<()> {
        self.show.world.reload_pipelines()?;
        self.renderer.reload_pipelines()?;
        self.pipelines = self.show.world.gpu().pipeline_executables();
        Ok(())
    }

    /// Takes in the times that came in since the last call, its own and those of the panels if they count here.
    ///
    /// `world_ix`: of this world, for the trace.
    pub fn take_times(
        &mut self,
        world_ix: usize,
        panels: Option<&StageTimes>,
        mut tracing: Option<&mut Tracing>,
    ) {
        let (simulation, picture) = (self.show.world.stage_times(), self.renderer.stage_times());
        self.measured
            .take([Some(simulation), Some(picture), panels], |times| {
                if let Some(tracing) = &mut tracing {
                    tracing.take_gpu(world_ix, times);
                }
            });
        if let Some(&ms) = self.show.record_cpu_ms.last() {
            self.measured.times.recording.push(ms);
        }
    }

    /// Times every dispatch and draw on its own, or no longer.
    pub fn time_passes(&mut self, wanted: bool) -> anyhow::Result<()> {
        let timing = if wanted {
            Timing::Passes
        } else {
            Timing::Stages
        };
        self.show.world.time(timing)?;
        self.renderer.time(timing)?;
        self.measured.passes.clear();
        Ok(())
    }

    /// It as the panels show it.
    pub fn shown(&self, quality: Option<QualityFigures>) -> Shown<'_> {
        Shown {
            show: &self.show,
            technique: self.technique,
            measured: &self.measured,
            pipelines: self.pipelines.as_deref(),
            cost: cost(&self.show, &self.renderer, self.overflow.newest()),
            quality,
        }
    }
}

fn make_renderer(device: &Device, show: &Show, format: vk::Format) -> anyhow::Result<Renderer> {
    let desc = RendererDesc {
        colour_format: format,
        samples: vk::SampleCountFlags::TYPE_4,
        frames_in_flight: FRAMES_IN_FLIGHT,
        timestamp_valid_bits: device.timestamp_valid_bits(),
    };
    let (bodies, garments) = show.drawn();
    let sources = show.solid_sources();
    Renderer::with_sources(&show.world, &desc, &bodies, &garments, &sources)
        .context("no pictures can be drawn")
}
