//! Shows what was loaded.

use std::time::Instant;

use anyhow::Context as _;
use ash::vk;
use radial_fields::Settings;
use radial_fields::overlay::Severity;
use radial_fields::scenes::{SCENES, ShowDesc};

use super::loader::Loaded;
use super::notifications::{CHARACTER, LOADING, QUALITY, TRACE};
use super::observer::Observer;
use super::playing::Playing;
use super::viewer::Viewer;
use crate::cli::Cli;
use crate::framing::{Track, Wanted};
use crate::panels::names::Names;
use crate::preload::{Preloaded, wear};
use crate::room::Room;

impl Viewer {
    /// Changes to what has just been loaded. What cannot be loaded is said, and what is shown stays; with nothing
    /// shown it ends the run.
    pub(super) fn take_loaded(&mut self, format: vk::Format) -> anyhow::Result<()> {
        let Some(Loaded { wanted, preloaded }) = self.loader.poll() else {
            return Ok(());
        };
        let shown = preloaded.and_then(|preloaded| self.show_preloaded(preloaded, &wanted, format));
        match shown {
            Ok(()) => {
                self.take_tuned(&wanted);
                self.cli = Cli {
                    // What has been switched meanwhile, what is asked for once, and what the panels show from now on.
                    oracle: self.cli.oracle,
                    trace: None,
                    tuned: None,
                    ..wanted
                };
                self.notifications.clear(LOADING);
                self.past.touch();
            }
            Err(error) if self.shown_worlds.is_empty() => return Err(error),
            Err(error) => self
                .notifications
                .post(Severity::Fault, LOADING, format!("{error:#}")),
        }
        Ok(())
    }

    fn show_preloaded(
        &mut self,
        mut preloaded: Preloaded,
        wanted: &Cli,
        format: vk::Format,
    ) -> anyhow::Result<()> {
        self.device.wait_idle()?;
        if wanted.tuned.is_none() {
            self.keep_settings(&mut preloaded);
        }
        let settings = std::mem::take(&mut preloaded.garment_settings);
        preloaded.adapt_to(&self.device)?;
        let (notes, source) = (preloaded.notes.join("\n"), preloaded.refusal());
        let names = Names::of(&preloaded);
        let beside = preloaded.beside.map(|technique| ShowDesc {
            technique,
            ..preloaded.desc.clone()
        });
        let desc = preloaded.desc.clone();
        let mut next = Vec::new();
        for desc in [preloaded.desc].into_iter().chain(beside) {
            let playing = Playing::new(&self.device, desc, format, &self.shaders);
            let mut playing = playing.with_context(|| source.clone())?;
            wear(&mut playing.show.world, &settings);
            playing.show.set_part(wanted.clip_part());
            if !preloaded.scene.begins_at_once {
                playing.show.preroll(&mut self.frames)?;
            }
            next.push(playing);
        }
        // The GPU is to be done with the last ones before they go.
        self.device.wait_idle()?;
        (self.shown_worlds, self.names) = (next, names);
        self.notifications.post(Severity::Note, CHARACTER, notes);
        self.desc = Some(desc);
        self.forget_shown();
        if let Some(file) = self.cli.trace.take() {
            self.begin_trace(file, self.cli.trace_over);
        }
        self.measure_quality(self.cli.oracle);
        self.watch_shown();
        self.frame_character();
        self.put_camera(wanted);
        self.last_frame = Instant::now();
        Ok(())
    }

    /// Lets go of what was shown: a hand on its cloth, a trace of its frames.
    pub(super) fn forget_shown(&mut self) {
        self.hand.start(Default::default());
        if self.shown_worlds.len() < 2 {
            self.edited_ix = None;
        }
        if self.times_passes {
            self.time_passes_of_shown();
        }
        if self.tracing.take().is_some() {
            let text = "what was traced is no longer shown: no trace".to_owned();
            self.notifications.post(Severity::Fault, TRACE, text);
        }
    }

    /// Moves the camera to where all of the character is seen between the panels.
    pub(super) fn frame_character(&mut self) {
        self.orbit.frame();
        let (seconds, room) = (self.clip_seconds(), self.room());
        self.orbit.arrive(seconds, room);
    }

    /// Has the camera follow what is shown.
    pub(super) fn watch_shown(&mut self) {
        if let Some(playing) = self.shown_worlds.first() {
            let clip_ix = self.names.clip_ix;
            self.orbit.watch(Track::new(&playing.show, clip_ix));
        }
    }

    /// The time of the clip that is shown.
    pub(super) fn clip_seconds(&self) -> f32 {
        let first = self.shown_worlds.first();
        first.map_or(0.0, |playing| playing.show.performance().begun_time())
    }

    /// What the panels leave free of each picture.
    pub(super) fn room(&self) -> Room {
        let [width, height] = self.points();
        let ([left, right], middle) = (self.free_points(), 0.5 * width);
        let free_width = match self.is_halved() {
            true => (middle - left).min(right - middle),
            false => right - left,
        };
        Room::new([width, height], free_width, self.covered_points())
    }

    /// Puts the camera where the flags want it.
    fn put_camera(&mut self, wanted: &Cli) {
        let (wanted, room) = (Wanted::of(wanted), self.room());
        if wanted.is_somewhere() {
            let camera = wanted.put(self.orbit.camera);
            self.orbit.put(camera, wanted.follow(), room);
        } else if let Some(follow) = wanted.follow {
            self.orbit.set_follow(follow, room);
        }
    }

    /// What the user has set stays where it fits what is loaded.
    fn keep_settings(&self, preloaded: &mut Preloaded) {
        let (Some(playing), Some(desc)) = (self.shown_worlds.first(), &self.desc) else {
            return;
        };
        let Settings {
            cloth,
            collide,
            garments,
        } = playing.show.world.settings();
        let own_ground = preloaded.desc.cloth.ground;
        (preloaded.desc.cloth, preloaded.desc.collide) = (*cloth, *collide);
        if cloth.ground == desc.cloth.ground {
            // Nobody put it there but the character's soles.
            preloaded.desc.cloth.ground = own_ground;
        }
        let names = preloaded.desc.garments.iter().map(|garment| &garment.name);
        if names.eq(&self.names.garments) {
            preloaded.garment_settings = garments[..self.names.garments.len()].to_vec();
        }
        if preloaded.scene.name == SCENES[self.names.scene_ix].name {
            preloaded.desc.props.clone_from(&desc.props);
        }
    }

    /// Begins to measure quality anew, or stops.
    pub(super) fn measure_quality(&mut self, measures: bool) {
        self.cli.oracle = measures;
        self.observer = None;
        let tolerances = self.shown_worlds.first().map(|first| first.tolerances);
        if let (true, Some(tolerances)) = (measures, tolerances) {
            let shown_worlds = self.shown_worlds.iter_mut();
            let mut shows: Vec<_> = shown_worlds.map(|playing| &mut playing.show).collect();
            match Observer::new(&mut shows, tolerances) {
                Ok(observer) => self.observer = Some(observer),
                Err(error) => {
                    self.cli.oracle = false;
                    let text = format!("{error:#}");
                    self.notifications.post(Severity::Fault, QUALITY, text);
                }
            }
        }
    }
}
