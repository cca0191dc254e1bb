//! Doing what the user asks for, by panel or by key.

use radial_fields::collide::Technique;
use radial_fields::overlay::{Action, SLOWEST, Severity};
use radial_fields::scenes::{Outfit, SCENES};

use super::bulletin::SCREENSHOT;
use super::keys::Command;
use super::screenshot::free_name;
use super::viewer::{Flow, Viewer};
use crate::cli::Cli;

impl Viewer {
    /// Does what a panel asks for.
    pub(super) fn grant(&mut self, wish: Action) {
        match wish {
            Action::ChooseScene(_)
            | Action::ChooseCharacter(_)
            | Action::ChooseOutfit(_)
            | Action::ChooseTechnique(_) => {
                let wanted = wanted(&self.cli, wish);
                self.loader.start(wanted);
            }
            Action::ChooseClip(clip_ix) => self.choose_clip(clip_ix),
            Action::Pause(is_paused) => self.clock.is_paused = is_paused,
            Action::SetSpeed(speed) => self.clock.speed = speed.clamp(SLOWEST, 1.0),
            Action::Step => self.clock.step_once(),
            Action::Reset => self.reset(),
            Action::Change(settings) => {
                if let Some(playing) = &mut self.playing {
                    *playing.show.world.settings_mut() = settings;
                }
            }
            Action::Show(view) => self.view = view,
            Action::Follow(follows) => self.orbit.follows = follows,
            Action::FrameCharacter => self.frame_character(),
            Action::Screenshot => self.take_screenshot(),
            Action::Dismiss(topic) => self.bulletin.clear(topic),
        }
    }

    /// Does what a key stands for.
    pub(super) fn obey(&mut self, command: Command) -> Flow {
        match command {
            Command::TogglePause => self.clock.is_paused = !self.clock.is_paused,
            Command::Step => self.clock.step_once(),
            Command::Reset => self.reset(),
            Command::FrameCharacter => self.frame_character(),
            Command::TogglePanels => self.gui.shows_panels = !self.gui.shows_panels,
            Command::ToggleHelp => {
                let panels = &mut self.gui.panels;
                panels.shows_help = !(panels.shows_help && self.gui.shows_panels);
                self.gui.shows_panels = true;
            }
            Command::Screenshot => self.take_screenshot(),
            Command::Quit => return Flow::Ends,
        }
        Flow::Goes
    }

    fn choose_clip(&mut self, clip_ix: usize) {
        if let Some(playing) = &mut self.playing {
            playing.choose_clip(clip_ix);
            self.cli.clip = playing.names.clips.get(clip_ix).cloned();
        }
    }

    fn reset(&mut self) {
        if let Some(playing) = &mut self.playing {
            playing.show.restart();
        }
    }

    fn take_screenshot(&mut self) {
        match free_name(std::path::Path::new("")) {
            Ok(file) => self.screenshot = Some(file),
            Err(error) => self
                .bulletin
                .post(Severity::Fault, SCREENSHOT, format!("{error:#}")),
        }
    }
}

/// The flags that would have led to what is on stage, with the wish granted.
fn wanted(cli: &Cli, wish: Action) -> Cli {
    let mut wanted = cli.clone();
    match wish {
        Action::ChooseScene(ix) => {
            wanted.scene = SCENES.get(ix).map(|scene| scene.name.to_owned());
            (wanted.avatar, wanted.garment, wanted.clip, wanted.scale) = (None, None, None, None);
        }
        Action::ChooseCharacter(name) => {
            (wanted.avatar, wanted.clip, wanted.scale) = (Some(name), None, None);
            // What came with one character does not fit another.
            wanted.garment = wanted
                .garment
                .filter(|garment| garment != Outfit::Own.name());
        }
        Action::ChooseOutfit(ix) => {
            wanted.garment = Outfit::ALL.get(ix).map(|outfit| outfit.name().to_owned());
        }
        Action::ChooseTechnique(ix) => {
            if let Some(technique) = Technique::ALL.get(ix) {
                technique.name().clone_into(&mut wanted.technique);
            }
        }
        _ => {}
    }
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
        let before = cli(&["--avatar", "ogre", "--garment", "cape", "--clip", "walk"]);
        let wanted = wanted(&before, Action::ChooseScene(1));
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
            wanted(&before, Action::ChooseCharacter("ogre".to_owned())).garment
        };
        assert_eq!(change("skirt").as_deref(), Some("skirt"));
        assert_eq!(change("own"), None);
    }

    #[test]
    fn a_garment_leaves_the_character() {
        let before = cli(&["--avatar", "ogre", "--clip", "walk"]);
        let wanted = wanted(&before, Action::ChooseOutfit(0));
        assert_eq!(wanted.garment.as_deref(), Some(Outfit::ALL[0].name()));
        assert_eq!((wanted.avatar, wanted.clip), (before.avatar, before.clip));
    }
}
