//! Another technique in the place of the one shown, or beside it: the same motion goes on, with the same cloth and settings.

use anyhow::Context as _;
use ash::vk;
use radial_fields::collide::Technique;
use radial_fields::overlay::Severity;
use radial_fields::scenes::ShowDesc;

use super::notifications::LOADING;
use super::playing::Playing;
use super::viewer::Viewer;

/// Pictures from the wish to the work, so that what takes a second or two is announced in one of them.
const ANNOUNCED: u32 = 2;

/// What is wished for: a technique, and perhaps one beside it.
pub struct Switch {
    techniques: [Option<Technique>; 2],
    what: String,
    /// What is shown is made anew, whatever its technique.
    is_rebuild: bool,
    /// How many pictures had been drawn then.
    asked_at: u32,
}

impl Viewer {
    /// The technique shown, and the one beside it.
    pub(super) fn techniques(&self) -> [Option<Technique>; 2] {
        [0, 1].map(|ix| Some(self.shown_worlds.get(ix)?.technique))
    }

    /// Announces other techniques.
    pub(super) fn begin_switch(&mut self, techniques: [Option<Technique>; 2]) {
        let is_new = |technique: &Technique| !self.techniques().contains(&Some(*technique));
        let new = techniques.into_iter().flatten().find(is_new);
        self.switch = Some(Switch {
            techniques,
            what: new.map_or("", Technique::label).to_owned(),
            is_rebuild: false,
            asked_at: self.drawn_count,
        });
    }

    /// Announces the same techniques in a world made anew, because of other things in it.
    pub(super) fn begin_rebuild(&mut self, what: &str) {
        self.switch = Some(Switch {
            techniques: self.techniques(),
            what: what.to_owned(),
            is_rebuild: true,
            asked_at: self.drawn_count,
        });
    }

    /// What is being loaded or fitted, if anything is.
    pub(super) fn loading(&self) -> Option<&str> {
        let switch = self.switch.as_ref().map(|switch| switch.what.as_str());
        self.loader.loading().or(switch)
    }

    /// Changes to the techniques that have been announced. What cannot be made is said, and what is shown stays.
    pub(super) fn take_switch(&mut self, format: vk::Format) -> anyhow::Result<()> {
        let drawn_count = self.drawn_count;
        let is_due = |switch: &mut Switch| drawn_count >= switch.asked_at + ANNOUNCED;
        let Some(switch) = self.switch.take_if(is_due) else {
            return Ok(());
        };
        self.device.wait_idle()?;
        match self.make_others(&switch, format) {
            Ok(made) => self.show_others(&switch, made)?,
            Err(error) => {
                let text = format!("{error:#}");
                self.notifications.post(Severity::Fault, LOADING, text);
            }
        }
        Ok(())
    }

    /// Worlds for the techniques that are not shown in their places yet, with those places.
    fn make_others(
        &mut self,
        switch: &Switch,
        format: vk::Format,
    ) -> anyhow::Result<Vec<(usize, Playing)>> {
        let mut made = Vec::new();
        for (ix, technique) in switch.techniques.into_iter().flatten().enumerate() {
            let (Some(first), Some(desc)) = (self.shown_worlds.first(), &self.desc) else {
                break;
            };
            let shown = self.shown_worlds.get(ix);
            if shown.is_some_and(|shown| shown.technique == technique) && !switch.is_rebuild {
                continue;
            }
            let desc = ShowDesc {
                technique,
                ..desc.clone()
            };
            let mut playing = Playing::new(&self.device, desc, format, &self.shaders)
                .with_context(|| technique.label())?;
            let (device, frames) = (&self.device, &mut self.frames);
            playing.show.take_over(&first.show, device, frames)?;
            made.push((ix, playing));
        }
        Ok(made)
    }

    fn show_others(&mut self, switch: &Switch, made: Vec<(usize, Playing)>) -> anyhow::Result<()> {
        // The GPU is to be done with the last ones before they go.
        self.device.wait_idle()?;
        let count = self.shown_worlds.len();
        self.shown_worlds
            .truncate(switch.techniques.iter().flatten().count());
        for (ix, playing) in made {
            match self.shown_worlds.get_mut(ix) {
                Some(place) => *place = playing,
                None => self.shown_worlds.push(playing),
            }
        }
        let [first, beside] = switch.techniques;
        if let Some(first) = first {
            self.cli.technique = Some(first.name().to_owned());
        }
        self.cli.beside = beside.map(|technique| technique.name().to_owned());
        self.forget_shown();
        self.measure_quality(self.cli.oracle);
        if self.shown_worlds.len() != count {
            self.frame_character();
        }
        self.notifications.clear(LOADING);
        Ok(())
    }
}
