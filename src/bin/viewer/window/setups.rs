//! Saving, opening and taking back what is set.

use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use radial_fields::engine::output::write_whole;
use radial_fields::overlay::{PlayedFrames, Severity};
use radial_fields::render::Follow;
use radial_fields::scenes::SCENES;
use radial_fields::solid::PlacedProp;
use serde_json::Value;

use super::actions::{with_character, with_garment_file};
use super::notifications::{LOADING, SETUP};
use super::viewer::Viewer;
use crate::cli::Cli;
use crate::props::{placed_of, prop_of};
use crate::setup::{Setup, Tuned, garment_of, laid_over, value_of};

impl Viewer {
    /// All that is set now, but for the camera, which is moved all the time.
    fn setup(&self) -> anyhow::Result<Setup> {
        let Some(playing) = self.shown_worlds.first() else {
            anyhow::bail!("nothing is shown yet");
        };
        let settings = playing.show.world.settings();
        let own = self.names.garments.len().min(settings.garments.len());
        let garments = settings.garments[..own].iter().map(value_of);
        let props = self.desc.iter().flat_map(|desc| &desc.props);
        let tuned = Tuned {
            cloth: Some(value_of(&settings.cloth)?),
            collide: Some(value_of(&settings.collide)?),
            garments: garments.collect::<anyhow::Result<Vec<Value>>>()?,
            view: Some(value_of(&self.view)?),
            props: props.map(placed_of).collect(),
            ..Tuned::default()
        };
        let mut cli = self.cli.clone();
        cli.scene = Some(SCENES[self.names.scene_ix].name.to_owned());
        let [first, beside] = self
            .techniques()
            .map(|found| Some(found?.name().to_owned()));
        (cli.technique, cli.beside) = (first, beside);
        cli.follow = Some(self.orbit.follows());
        Ok(Setup::of(&cli, tuned))
    }

    /// Remembers what is set, once the hand is off what it changed and nothing is being made.
    pub(super) fn note_setup(&mut self) {
        let is_busy =
            self.loading().is_some() || self.gui.is_held() || self.shown_worlds.is_empty();
        if is_busy || !self.past.is_touched() {
            return;
        }
        if let Ok(setup) = self.setup() {
            self.past.take(setup);
        }
    }

    pub(super) fn save_setup(&mut self, file: &Path) {
        let write = || {
            let mut setup = self.setup()?;
            setup.tuned.camera = Some(value_of(&self.orbit.own_camera())?);
            Ok::<_, anyhow::Error>(write_whole(file, &setup.to_json()?)?)
        };
        match write() {
            Ok(()) => {
                let text = format!("saved {}: --setup takes it", file.display());
                self.notifications.post_passing(SETUP, text, Instant::now());
            }
            Err(error) => self.complain(&error),
        }
    }

    pub(super) fn open_setup(&mut self, file: &Path) {
        let run = Cli {
            setup: Some(file.to_owned()),
            ..self.cli.without_setup()
        };
        match run.with_setup() {
            Ok(wanted) => {
                self.notifications.clear(SETUP);
                self.loader.start(wanted);
            }
            Err(error) => self.complain(&error),
        }
    }

    /// The scene as it comes.
    pub(super) fn show_defaults(&mut self) {
        self.loader.start(Cli {
            scene: Some(SCENES[self.names.scene_ix].name.to_owned()),
            tuned: Some(Tuned::default()),
            ..self.cli.without_setup()
        });
    }

    pub(super) fn undo(&mut self) {
        if let Some(setup) = self.past.undo() {
            self.go_to(&setup);
        }
    }

    pub(super) fn redo(&mut self) {
        if let Some(setup) = self.past.redo() {
            self.go_to(&setup);
        }
    }

    /// Shows a setup of before. Only what differs is made anew.
    fn go_to(&mut self, setup: &Setup) {
        let gone = self.setup().and_then(|now| {
            let wanted = setup.clone().under(self.cli.without_setup());
            if now.made() != setup.made() {
                self.loader.start(wanted);
                return Ok(());
            }
            self.change_to(&setup.tuned)?;
            self.go_on_as(&wanted);
            Ok(())
        });
        if let Err(error) = gone {
            self.complain(&error);
        }
    }

    /// Settings, view and things about.
    fn change_to(&mut self, tuned: &Tuned) -> anyhow::Result<()> {
        let playing = self.shown_worlds.first().context("nothing is shown")?;
        let mut settings = playing.show.world.settings().clone();
        settings.cloth = laid_over(&settings.cloth, &tuned.cloth)?;
        settings.collide = laid_over(&settings.collide, &tuned.collide)?;
        for (garment, patch) in settings.garments.iter_mut().zip(&tuned.garments) {
            *garment = garment_of(garment, patch)?;
        }
        self.change(settings);
        self.view = laid_over(&self.view, &tuned.view)?;
        if let Some(props) = &tuned.props {
            self.set_props(props);
        }
        Ok(())
    }

    /// Clip, its part, techniques, and how the camera goes along.
    fn go_on_as(&mut self, wanted: &Cli) {
        self.follow(wanted.follow.unwrap_or_default());
        self.show_difference(wanted.difference);
        let clip = |cli: &Cli| {
            let mut clips = self.names.clips.iter();
            let name = cli.clip.as_ref();
            clips
                .position(|clip| Some(clip) == name)
                .unwrap_or_default()
        };
        let (clip_ix, technique, beside) = (
            clip(wanted),
            wanted.technique.clone(),
            wanted.beside.clone(),
        );
        if self.names.clip_ix.is_some_and(|shown| shown != clip_ix) {
            self.choose_clip(clip_ix);
        }
        self.meet_cloth(
            wanted
                .cloth_contacts
                .unwrap_or(self.names.usually_meets_cloth),
        );
        self.cli.cloth_contacts = wanted.cloth_contacts;
        self.cli.detail = wanted.detail;
        self.play_frames(PlayedFrames {
            first: wanted.start_frame.unwrap_or_default(),
            round: wanted.clip_frames.map(|(from, to)| [from, to]),
        });
        (self.cli.start_frame, self.cli.clip_frames) = (wanted.start_frame, wanted.clip_frames);
        let find = |name: Option<&str>| name.and_then(radial_fields::collide::Technique::find);
        let technique = find(technique.as_deref()).or(self.techniques()[0]);
        let techniques = [technique, find(beside.as_deref())];
        if self.techniques() != techniques {
            self.begin_switch(techniques);
        }
    }

    /// Plays those frames of the clip.
    pub(super) fn play_frames(&mut self, played: PlayedFrames) {
        self.cli.start_frame = (played.first > 0).then_some(played.first);
        self.cli.clip_frames = played.round.map(|[from, to]| (from, to));
        let part = self.cli.clip_part();
        for playing in &mut self.shown_worlds {
            playing.show.set_part(part);
        }
    }

    /// Other things about, or the same elsewhere. For other shapes the world is made anew.
    pub(super) fn set_props(&mut self, placed: &[PlacedProp]) {
        let Some(desc) = &mut self.desc else { return };
        let props: Vec<_> = placed.iter().map(prop_of).collect();
        let shapes = |placed: &mut dyn Iterator<Item = Option<PlacedProp>>| -> Vec<_> {
            placed
                .map(|placed| placed.map(|placed| placed.shape))
                .collect()
        };
        let before = shapes(&mut desc.props.iter().map(placed_of));
        let after = shapes(&mut placed.iter().copied().map(Some));
        desc.props.clone_from(&props);
        if before != after {
            self.begin_rebuild("other things");
            return;
        }
        for playing in &mut self.shown_worlds {
            playing.show.props_mut().clone_from_slice(&props);
        }
        self.clock.show_now();
    }

    /// The view, which a setup says and no flag.
    pub(super) fn take_tuned(&mut self, wanted: &Cli) {
        if let (Some(_), Ok(view)) = (&wanted.tuned, wanted.view()) {
            self.view = view;
        }
    }

    /// Shows where two worlds differ, or both beside each other.
    pub(super) fn show_difference(&mut self, shows: bool) {
        if self.cli.difference != shows {
            self.cli.difference = shows;
            self.frame_character();
        }
    }

    /// Has the camera go along in that way.
    pub(super) fn follow(&mut self, follow: Follow) {
        let room = self.room();
        self.orbit.set_follow(follow, room);
        self.cli.follow = Some(follow);
    }

    /// A setup, clothes or a character, by the file's ending.
    pub(super) fn take_dropped(&mut self, file: &Path) {
        let ending = file.extension().unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            Some("json") => self.open_setup(file),
            Some("obj") => self
                .loader
                .start(with_garment_file(&self.cli, file.to_owned())),
            _ => self.loader.start(with_character(&self.cli, file.into())),
        }
    }

    fn complain(&mut self, error: &anyhow::Error) {
        self.notifications.clear(LOADING);
        self.notifications
            .post(Severity::Fault, SETUP, format!("{error:#}"));
    }
}
