//! What was loaded comes on stage.

use std::time::Instant;

use anyhow::Context as _;
use ash::vk;
use radial_fields::overlay::Severity;
use radial_fields::scenes::ShowDesc;

use super::bulletin::{CHARACTER, LOADING, QUALITY, TRACE};
use super::loader::Loaded;
use super::observer::Observer;
use super::playing::{Names, Playing};
use super::viewer::Viewer;
use crate::cli::Cli;
use crate::framing::Wanted;
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
                self.cli = Cli {
                    // What has been switched meanwhile, and what is asked for once.
                    oracle: self.cli.oracle,
                    trace: None,
                    ..wanted
                };
                self.bulletin.clear(LOADING);
            }
            Err(error) if self.on_stage.is_empty() => return Err(error),
            Err(error) => self
                .bulletin
                .post(Severity::Fault, LOADING, format!("{error:#}")),
        }
        Ok(())
    }

    fn put_on_stage(&mut self, mut staged: Staged, format: vk::Format) -> anyhow::Result<()> {
        self.device.wait_idle()?;
        if let Some(playing) = self.on_stage.first() {
            let settings = playing.show.world.settings();
            (staged.desc.cloth, staged.desc.collide) = (settings.cloth, settings.collide);
        }
        staged.calibrate(&self.device)?;
        let (notes, source) = (staged.notes.join("\n"), staged.source.clone());
        let names = Names::of(&staged);
        let beside = staged.beside.map(|technique| ShowDesc {
            technique,
            ..staged.desc.clone()
        });
        let mut next = Vec::new();
        for desc in [staged.desc].into_iter().chain(beside) {
            let (device, frames) = (&self.device, &mut self.frames);
            let playing = Playing::new(device, frames, desc, format, &self.shaders);
            next.push(playing.with_context(|| source.clone())?);
        }
        // The GPU is to be done with the last ones before they go.
        self.device.wait_idle()?;
        (self.on_stage, self.names) = (next, names);
        self.bulletin.post(Severity::Note, CHARACTER, notes);
        self.hand.start(Default::default());
        if self.tracing.take().is_some() {
            let text = "what was traced has left the stage: no trace".to_owned();
            self.bulletin.post(Severity::Fault, TRACE, text);
        }
        if let Some(file) = self.cli.trace.take() {
            self.begin_trace(file);
        }
        self.judge(self.cli.oracle);
        self.frame_character();
        self.put_camera();
        self.last_frame = Instant::now();
        Ok(())
    }

    /// Moves the camera to where all of the character is seen between the panels.
    pub(super) fn frame_character(&mut self) {
        let width = self.free_points() / self.on_stage.len().max(1) as f32;
        let height = self.points()[1].max(1.0);
        if let Some(playing) = self.on_stage.first() {
            let bones = &playing.show.performance.palette().world_from_bone;
            let body = playing.show.exact_body();
            self.orbit.frame(&body, bones, width / height);
        }
    }

    /// Puts the camera where the flags want it; it stays there.
    fn put_camera(&mut self) {
        let wanted = Wanted::of(&self.cli);
        if wanted != Wanted::default() {
            self.orbit.camera = wanted.put(self.orbit.camera);
            self.orbit.follows = false;
        }
    }

    /// Begins to measure quality anew, or stops.
    pub(super) fn judge(&mut self, judges: bool) {
        self.cli.oracle = judges;
        self.observer = None;
        let tolerances = self.on_stage.first().map(|first| first.tolerances);
        if let (true, Some(tolerances)) = (judges, tolerances) {
            let on_stage = self.on_stage.iter_mut();
            let mut shows: Vec<_> = on_stage.map(|playing| &mut playing.show).collect();
            match Observer::new(&mut shows, tolerances) {
                Ok(observer) => self.observer = Some(observer),
                Err(error) => {
                    self.cli.oracle = false;
                    let text = format!("{error:#}");
                    self.bulletin.post(Severity::Fault, QUALITY, text);
                }
            }
        }
    }
}
