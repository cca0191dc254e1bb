//! What was loaded comes on stage; shaders that were compiled come into use.

use std::time::Instant;

use ash::vk;
use radial_fields::gpu::Gpu;
use radial_fields::overlay::{Layout, Severity};

use super::bulletin::{CHARACTER, LOADING, SHADERS};
use super::loader::Loaded;
use super::playing::Playing;
use super::viewer::Viewer;
use crate::stage_of::Staged;

impl Viewer {
    /// Changes to what has just been loaded. What cannot be loaded is said, and what is on stage stays; with nothing on
    /// stage it ends the run.
    pub(super) fn take_loaded(&mut self, format: vk::Format) -> anyhow::Result<()> {
        let Some(Loaded { wanted, staged }) = self.loader.poll() else {
            return Ok(());
        };
        match staged.and_then(|staged| self.put_on_stage(staged, format)) {
            Ok(()) => {
                self.cli = wanted;
                self.bulletin.clear(LOADING);
            }
            Err(error) if self.playing.is_none() => return Err(error),
            Err(error) => self
                .bulletin
                .post(Severity::Fault, LOADING, format!("{error:#}")),
        }
        Ok(())
    }

    fn put_on_stage(&mut self, mut staged: Staged, format: vk::Format) -> anyhow::Result<()> {
        self.device.wait_idle()?;
        if let Some(playing) = &self.playing {
            let settings = playing.show.world.settings();
            (staged.desc.cloth, staged.desc.collide) = (settings.cloth, settings.collide);
        }
        let notes = staged.notes.join("\n");
        let next = Playing::new(
            &self.device,
            &mut self.frames,
            staged,
            format,
            &self.shaders,
        )?;
        // The GPU is to be done with the last one before it goes.
        self.device.wait_idle()?;
        self.playing = Some(next);
        self.bulletin.post(Severity::Note, CHARACTER, notes);
        self.hand.start(Default::default());
        self.times.stages.clear();
        self.times.frames.clear();
        self.times.recording.clear();
        self.frame_character();
        self.last_frame = Instant::now();
        Ok(())
    }

    /// Moves the camera to where all of the character is seen between the panels.
    pub(super) fn frame_character(&mut self) {
        let extent = self.extent();
        let points = [extent.width, extent.height].map(|pixels| pixels as f32 / self.gui.scale());
        let layout = Layout::new(points);
        let width = if self.gui.shows_panels {
            layout.free_width()
        } else {
            points[0]
        };
        if let Some(playing) = &self.playing {
            let bones = &playing.show.performance.palette().world_from_bone;
            let body = playing.show.exact_body();
            self.orbit.frame(&body, bones, width / points[1].max(1.0));
        }
    }

    /// Brings shaders into use that were compiled, and says what is wrong with the others.
    pub(super) fn take_shaders(&mut self) -> anyhow::Result<()> {
        let Some(mut reload) = self.shaders.poll() else {
            return Ok(());
        };
        if reload.fresh_count > 0 {
            self.device.wait_idle()?;
            for gpu in gpus_of(&self.gpu, self.playing.as_ref()) {
                self.shaders.apply(gpu);
            }
            if let Err(error) = self.reload_pipelines() {
                reload.faults.push(format!("{error:#}"));
                let gpus = gpus_of(&self.gpu, self.playing.as_ref());
                self.shaders.undo(&reload, &gpus);
                self.reload_pipelines()?;
            }
        }
        if reload.faults.is_empty() {
            let text = format!("shaders compiled anew: {}", reload.fresh_count);
            self.bulletin.post_passing(SHADERS, text, Instant::now());
        } else {
            self.bulletin
                .post(Severity::Fault, SHADERS, reload.faults.join("\n"));
        }
        Ok(())
    }

    fn reload_pipelines(&mut self) -> anyhow::Result<()> {
        if let Some(playing) = &mut self.playing {
            playing.reload_pipelines()?;
        }
        if let Some(painter) = &mut self.painter {
            painter.reload_pipelines()?;
        }
        Ok(())
    }
}

/// The viewer's own, and that of the world on stage.
fn gpus_of<'a>(own: &'a Gpu, playing: Option<&'a Playing>) -> Vec<&'a Gpu> {
    let worlds = playing.map(|playing| playing.show.world.gpu().as_ref());
    [own].into_iter().chain(worlds).collect()
}
