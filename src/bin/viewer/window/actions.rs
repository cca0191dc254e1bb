//! Doing what the user asks for, by panel or by key.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use radial_fields::Settings;
use radial_fields::collide::Technique;
use radial_fields::engine::Identity;
use radial_fields::engine::output::write_whole;
use radial_fields::overlay::{Action, SLOWEST, Severity};
use radial_fields::scenes::{CHARACTERS, Outfit, SCENES};

use super::keys::Command;
use super::notifications::{LOADING, SCREENSHOT, TIMES, TRACE};
use super::screenshot::free_name;
use super::viewer::{Flow, Viewer};
use crate::cli::Cli;
use crate::detail::DetailChoice;
use crate::tracing::{TraceDesc, Tracing};

/// Of a table of stage times.
const TIMES_SCHEMA: (&str, u32) = ("radial_fields.viewer.stage_times", 1);

impl Viewer {
    /// The flags for what is to be loaded or made anew; none for what changes at once.
    fn wanted_by(&self, action: &Action) -> Option<Cli> {
        let cli = &self.cli;
        Some(match action {
            Action::ChooseScene(ix) => with_scene(cli, *ix),
            Action::ChooseCharacter(ix) => {
                let name = CHARACTERS.get(*ix).copied().unwrap_or_default();
                with_character(cli, name.into())
            }
            Action::OpenCharacter(file) => with_character(cli, file.into()),
            Action::ChooseOutfit(ix) => with_outfit(cli, self.names.outfits.get(*ix).copied()),
            Action::OpenGarment(file) => with_garment_file(cli, file.into()),
            Action::ChooseCount(count) => Cli {
                characters: Some(*count),
                ..cli.clone()
            },
            Action::ChooseParticles(count) => Cli {
                particles: Some(*count),
                ..cli.clone()
            },
            Action::ChooseCellSize(metres) => Cli {
                cell_size: Some(1e3 * metres),
                ..cli.clone()
            },
            _ => return None,
        })
    }

    /// Does what a panel asks for.
    pub(super) fn apply(&mut self, action: Action) {
        if !matches!(action, Action::Undo | Action::Redo) {
            self.past.touch();
        }
        if let Some(wanted) = self.wanted_by(&action) {
            self.loader.start(wanted);
            return;
        }
        match action {
            Action::ChooseScene(_)
            | Action::ChooseCharacter(_)
            | Action::OpenCharacter(_)
            | Action::ChooseOutfit(_)
            | Action::OpenGarment(_)
            | Action::ChooseCount(_)
            | Action::ChooseParticles(_)
            | Action::ChooseCellSize(_) => {}
            Action::ChooseTechnique(ix) => {
                let beside = self.techniques()[1];
                self.begin_switch([Technique::ALL.get(ix).copied(), beside]);
            }
            Action::ChooseBeside(ix) => {
                let beside = ix.and_then(|ix| Technique::ALL.get(ix).copied());
                self.begin_switch([self.techniques()[0], beside]);
            }
            Action::SetProps(props) => self.set_props(&props),
            Action::SetPart(played) => self.play_frames(played),
            Action::SaveSetup(file) => self.save_setup(Path::new(&file)),
            Action::OpenSetup(file) => self.open_setup(Path::new(&file)),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Defaults => self.show_defaults(),
            Action::ChooseClip(clip_ix) => self.choose_clip(clip_ix),
            Action::Pause(is_paused) => self.clock.is_paused = is_paused,
            Action::SetSpeed(speed) => self.clock.speed = speed.clamp(SLOWEST, 1.0),
            Action::Step => self.clock.step_once(),
            Action::Seek(seconds) => self.seek(seconds),
            Action::Reset => self.reset(),
            Action::MeetCloth(meets) => self.meet_cloth(meets),
            Action::ChooseDetail(ix) => self.cli.detail = Some(DetailChoice::ALL[ix]),
            Action::Change(settings) => self.change(settings),
            Action::Edit(world_ix) => self.edited_ix = world_ix,
            Action::LookFrom(yaw, pitch) => self.orbit.look_from(yaw, pitch),
            Action::SetFieldOfView(radians) => self.orbit.set_field_of_view(radians),
            Action::Show(view) => self.view = view,
            Action::ShowDifference(shows) => self.show_difference(shows),
            Action::Follow(follow) => self.follow(follow),
            Action::SetBrush(radius) => self.hand.brush_radius = radius.max(0.0),
            Action::FrameCharacter => self.frame_character(),
            Action::Screenshot => self.take_screenshot(),
            Action::Trace => self.take_trace(None),
            Action::TraceOver(ms) => self.take_trace(Some(ms)),
            Action::StopTrace => self.tracing = None,
            Action::SaveTimes(table) => self.save_times(&table),
            Action::TimePasses(wanted) => self.time_passes(wanted),
            Action::MeasureQuality(measures) => self.measure_quality(measures),
            Action::Dismiss(topic) => self.notifications.clear(topic),
        }
    }

    /// Executes the command of a key.
    pub(super) fn execute(&mut self, command: Command) -> Flow {
        match command {
            Command::TogglePause => self.clock.is_paused = !self.clock.is_paused,
            Command::Step => self.clock.step_once(),
            Command::Reset => self.reset(),
            Command::FrameCharacter => self.frame_character(),
            Command::TogglePanels => self.gui.shows_panels = !self.gui.shows_panels,
            Command::ToggleHelp => {
                self.gui.panels.shows_help = !self.gui.shows_help();
                self.gui.shows_panels = true;
            }
            Command::Screenshot => self.take_screenshot(),
            Command::Trace => self.take_trace(None),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Save => {
                let file = self.gui.panels.setup_file().to_owned();
                self.save_setup(Path::new(&file));
            }
            Command::Back if self.gui.shows_help() => self.gui.panels.shows_help = false,
            Command::Back => return Flow::Ends,
        }
        Flow::Goes
    }

    /// Simulates with other settings from now on.
    pub(super) fn change(&mut self, mut settings: Settings) {
        // What the first of a crowd wears, all wear.
        let own = self.names.garments.len().max(1);
        for ix in own..settings.garments.len() {
            settings.garments[ix] = settings.garments[ix % own];
        }
        let edited_ix = self.edited_ix;
        let shown_worlds = self.shown_worlds.iter_mut().enumerate();
        for (_, playing) in shown_worlds.filter(|(ix, _)| edited_ix.is_none_or(|one| one == *ix)) {
            playing.show.world.settings_mut().clone_from(&settings);
        }
        self.measure_quality(self.cli.oracle);
    }

    /// Keeps cloth apart from cloth from now on, or no longer.
    pub(super) fn meet_cloth(&mut self, meets: bool) {
        let mut shown = self.shown_worlds.iter();
        if shown.all(|playing| playing.show.world.cloth_contacts().is_some() == meets) {
            return;
        }
        let mut shown = self.shown_worlds.iter_mut();
        let switched = shown.try_for_each(|playing| playing.show.world.set_cloth_contacts(meets));
        if let Err(error) = switched {
            let text = error.to_string();
            self.notifications.post(Severity::Fault, LOADING, text);
            return;
        }
        self.cli.cloth_contacts = Some(meets);
        if let Some(desc) = &mut self.desc {
            desc.cloth_contacts = meets;
        }
        self.measure_quality(self.cli.oracle);
    }

    pub(super) fn choose_clip(&mut self, clip_ix: usize) {
        for playing in &mut self.shown_worlds {
            playing.show.choose_clip(Some(clip_ix));
        }
        self.names.clip_ix = Some(clip_ix);
        self.cli.clip = self.names.clips.get(clip_ix).cloned();
        (self.cli.start_frame, self.cli.clip_frames) = (None, None);
        self.watch_shown();
        self.measure_quality(self.cli.oracle);
    }

    fn seek(&mut self, seconds: f32) {
        for playing in &mut self.shown_worlds {
            playing.show.seek(seconds);
        }
        self.clock.show_now();
    }

    fn reset(&mut self) {
        for playing in &mut self.shown_worlds {
            playing.show.restart();
        }
        self.measure_quality(self.cli.oracle);
    }

    fn take_screenshot(&mut self) {
        self.screenshot = self.free_name("png", SCREENSHOT);
    }

    fn take_trace(&mut self, over_ms: Option<f32>) {
        if self.shown_worlds.is_empty() {
            return;
        }
        if let Some(file) = self.free_name("json", TRACE) {
            self.begin_trace(file, over_ms);
        }
    }

    /// Saves what a panel shows of the stages' times, with who made it.
    fn save_times(&mut self, table: &str) {
        let Some(file) = self.free_name("csv", TIMES) else {
            return;
        };
        let size = self.extent();
        let size = Some((size.width, size.height));
        let identity = Identity::new(TIMES_SCHEMA, "viewer", &self.device.info, size);
        let text = identity.comment() + table;
        match write_whole(&file, text.as_bytes()) {
            Ok(()) => {
                let text = format!("saved {}", file.display());
                self.notifications.post_passing(TIMES, text, Instant::now());
            }
            Err(error) => {
                let text = error.to_string();
                self.notifications.post(Severity::Fault, TIMES, text);
            }
        }
    }

    fn time_passes(&mut self, wanted: bool) {
        self.times_passes = wanted;
        self.time_passes_of_shown();
    }

    /// Has what is shown time its passes, if that is wanted.
    pub(super) fn time_passes_of_shown(&mut self) {
        let wanted = self.times_passes;
        let mut shown_worlds = self.shown_worlds.iter_mut();
        let timed = shown_worlds.try_for_each(|playing| playing.time_passes(wanted));
        if let Err(error) = timed {
            let text = format!("{error:#}");
            self.notifications.post(Severity::Fault, TRACE, text);
        }
    }

    /// Has the next frames traced, or those round one that takes longer than so many milliseconds.
    pub(super) fn begin_trace(&mut self, file: PathBuf, over_ms: Option<f32>) {
        let techniques = self
            .shown_worlds
            .iter()
            .map(|playing| playing.technique.name());
        let names: Vec<_> = techniques.collect();
        let desc = TraceDesc {
            file,
            frame_count: self.cli.trace_frames(),
            over_ms,
        };
        self.tracing = Some(Tracing::new(&self.device, desc, &names));
    }

    /// A file of our own where the viewer was started; without one, the user is told.
    fn free_name(&mut self, ending: &str, topic: &'static str) -> Option<PathBuf> {
        match free_name(Path::new(""), ending) {
            Ok(file) => Some(file),
            Err(error) => {
                let text = format!("{error:#}");
                self.notifications.post(Severity::Fault, topic, text);
                None
            }
        }
    }
}

/// The flags with a scene, which brings its own character and clothes.
fn with_scene(cli: &Cli, scene_ix: usize) -> Cli {
    Cli {
        scene: SCENES.get(scene_ix).map(|scene| scene.name.to_owned()),
        avatar: None,
        garment: None,
        garment_file: None,
        clip: None,
        start_frame: None,
        clip_frames: None,
        scale: None,
        characters: None,
        cloth_contacts: None,
        ..cli.clone()
    }
}

fn with_outfit(cli: &Cli, outfit: Option<Outfit>) -> Cli {
    Cli {
        garment_file: None,
        garment: outfit.map(|outfit| outfit.name().to_owned()),
        ..cli.clone()
    }
}

/// The flags with clothes out of a file.
pub(super) fn with_garment_file(cli: &Cli, file: PathBuf) -> Cli {
    Cli {
        garment: None,
        garment_file: Some(file),
        ..cli.clone()
    }
}

/// The flags with another character, by name or file.
pub(super) fn with_character(cli: &Cli, name: OsString) -> Cli {
    let mut wanted = cli.clone();
    (wanted.avatar, wanted.clip, wanted.scale) = (Some(name), None, None);
    (wanted.start_frame, wanted.clip_frames) = (None, None);
    // What came with one character, or was cut for it, does not fit another.
    wanted.garment_file = None;
    wanted.garment = wanted
        .garment
        .filter(|garment| garment != Outfit::Own.name());
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    fn cli(flags: &[&str]) -> Cli {
        Cli::parse_from([&["viewer"], flags].concat())
    }

    #[test]
    fn a_scene_brings_its_own_character_and_clothes() {
        let before = cli(&[
            "--avatar",
            "ogre",
            "--garment",
            "cape",
            "--clip",
            "walk",
            "--cloth-contacts=false",
        ]);
        let wanted = with_scene(&before, 1);
        assert_eq!(wanted.cloth_contacts, None);
        assert_eq!(wanted.scene.as_deref(), Some(SCENES[1].name));
        assert_eq!(
            (wanted.avatar, wanted.garment, wanted.clip),
            (None, None, None)
        );
    }

    #[test]
    fn a_character_keeps_what_it_is_told_to_wear_but_not_anothers_own() {
        let change = |garment| {
            let before = cli(&["--garment", garment]);
            with_character(&before, "ogre".into()).garment
        };
        assert_eq!(change("skirt").as_deref(), Some("skirt"));
        assert_eq!(change("own"), None);
    }

    #[test]
    fn a_garment_leaves_the_character() {
        let before = cli(&["--avatar", "ogre", "--clip", "walk"]);
        let wanted = with_outfit(&before, Some(Outfit::Cape));
        assert_eq!(wanted.garment.as_deref(), Some(Outfit::Cape.name()));
        assert_eq!((wanted.avatar, wanted.clip), (before.avatar, before.clip));
    }
}
