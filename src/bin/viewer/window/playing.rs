//! A show with its pictures, and what it is made of by name.

use anyhow::Context as _;
use ash::vk;
use radial_fields::cloth::Grab;
use radial_fields::collide::Technique;
use radial_fields::engine::{Device, Watch};
use radial_fields::gpu::{PipelineExecutable, StageTimes};
use radial_fields::oracle::Tolerances;
use radial_fields::overlay::{Cost, PassCost, StageColumn, Times, join};
use radial_fields::render::{RenderInput, Renderer, RendererDesc};
use radial_fields::scenes::{Outfit, SCENES, Show, ShowDesc};

use super::clock::Ticks;
use super::reload::ShaderWatch;
use crate::preload::{FRAMES_IN_FLIGHT, Preloaded, tolerances_of};
use crate::tracing::Tracing;

/// What is shown. Drop it only when the GPU is done with its frames.
pub struct Playing {
    renderer: Renderer,
    pub show: Show,
    pub technique: Technique,
    /// Of whoever judges it.
    pub tolerances: Tolerances,
    pub times: Times,
    pub passes: Vec<PassCost>,
    /// What the driver made of its shaders, if it tells.
    pub pipelines: Option<Vec<PipelineExecutable>>,
    format: vk::Format,
    /// Counts what the technique's lists had no room for.
    overflow: Watch,
    /// The newest frames whose times were taken: of the simulation, of the picture, of the panels.
    taken: [Option<u64>; 3],
}

/// Where the names of what is shown stand in their lists.
#[derive(Default)]
pub struct Names {
    /// The character's, or its file's.
    pub character: String,
    pub scene_ix: usize,
    /// What the character can wear.
    pub outfits: Vec<Outfit>,
    pub outfit_ix: usize,
    pub clip_ix: Option<usize>,
    pub clips: Vec<String>,
    pub garments: Vec<String>,
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
            times: Times::default(),
            passes: Vec::new(),
            format,
            taken: [None; 3],
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
        self.show.record(cmd, ticks.step_count, grab);
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
        let simulation = self.show.world.stage_times();
        let sources = [Some(simulation), Some(self.renderer.stage_times()), panels];
        let mut column = StageColumn::default();
        for (times, taken) in sources.into_iter().zip(&mut self.taken) {
            let Some(times) = times else { continue };
            if times.spans.is_empty() || taken.replace(times.frame_ix) == Some(times.frame_ix) {
                continue; // Not measured yet, or not anew.
            }
            Self::take_passes(&mut self.passes, times);
            column = join(&[&column, &times.stages]);
            if let Some(tracing) = &mut tracing {
                tracing.take_gpu(world_ix, times);
            }
        }
        if column.iter().any(Option::is_some) {
            self.times.stages.push(column);
        }
        if let Some(&ms) = self.show.record_cpu_ms.last() {
            self.times.recording.push(ms);
        }
    }

    /// Times every dispatch and draw on its own, or no longer.
    pub fn time_passes(&mut self, wanted: bool) -> anyhow::Result<()> {
        self.show.world.time_passes(wanted)?;
        self.renderer.time_passes(wanted)?;
        self.passes.clear();
        Ok(())
    }

    /// Takes in what single passes took in a frame.
    fn take_passes(passes: &mut Vec<PassCost>, times: &StageTimes) {
        let mut known: Vec<PassCost> = Vec::new();
        for pass in &times.passes {
            let ix = known.iter().position(|known| known.name == pass.name);
            let ix = ix.unwrap_or_else(|| {
                known.push(PassCost {
                    name: pass.name,
                    per_frame: 0,
                    ms: 0.0,
                    bound_bytes: 0,
                });
                known.len() - 1
            });
            let cost = &mut known[ix];
            cost.per_frame += 1;
            cost.bound_bytes += pass.bound_bytes;
            cost.ms += pass.end_ns.saturating_sub(pass.begin_ns) as f32 * 1e-6;
        }
        for cost in known {
            match passes.iter_mut().find(|old| old.name == cost.name) {
                Some(old) => {
                    let ms = old.ms + (cost.ms - old.ms) / SMOOTHED_FRAMES;
                    *old = PassCost { ms, ..cost };
                }
                None => passes.push(cost),
            }
        }
    }

    /// What it asks of the device.
    pub fn cost(&self) -> Cost {
        Cost {
            memory: self.show.world.memory(),
            overflow_count: self.overflow.newest(),
            total_bytes: self.renderer.memory_use().bytes,
            simulation: self.show.world.launches(),
            picture: self.renderer.launches(),
        }
    }
}

/// Frames over which the times of single passes are smoothed, so that they can be read.
const SMOOTHED_FRAMES: f32 = 16.0;

impl Names {
    pub fn of(preloaded: &Preloaded) -> Self {
        let avatar = &preloaded.desc.avatar;
        let position = |found: Option<usize>| found.unwrap_or_default();
        let outfits = Outfit::possible_for(avatar);
        Self {
            character: preloaded.source.clone(),
            scene_ix: position(
                SCENES
                    .iter()
                    .position(|scene| scene.name == preloaded.scene.name),
            ),
            outfit_ix: position(
                outfits
                    .iter()
                    .position(|&outfit| outfit == preloaded.outfit),
            ),
            outfits,
            clip_ix: preloaded.desc.clip_ix,
            clips: avatar.clips.iter().map(|clip| clip.name.clone()).collect(),
            garments: preloaded
                .desc
                .garments
                .iter()
                .map(|garment| garment.name.clone())
                .collect(),
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
