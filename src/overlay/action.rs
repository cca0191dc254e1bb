//! What a user asks for through the panels.

use crate::Settings;
use crate::render::ViewOptions;

/// One action. The panels change nothing themselves.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Load a scene, by its place in the list.
    ChooseScene(usize),
    /// Load a character of those that need no file, by its place in the list.
    ChooseCharacter(usize),
    /// Load a character's file.
    OpenCharacter(String),
    /// Show so many copies of the character.
    ChooseCount(u32),
    /// Dress the character, by the outfit's place in the list.
    ChooseOutfit(usize),
    ChooseClip(usize),
    /// Collide by another technique from here on, with the same cloth and settings.
    ChooseTechnique(usize),
    /// Show another technique beside it, or none.
    ChooseBeside(Option<usize>),
    Pause(bool),
    /// Of 1 for real time.
    SetSpeed(f32),
    /// Simulate one step while paused.
    Step,
    /// Go to that many seconds of the clip, and the cloth with the character.
    Seek(f32),
    /// Put the character back to the start, and the cloth on it.
    Reset,
    Change(Settings),
    Show(ViewOptions),
    Follow(bool),
    /// Metres round the particle that the hand takes in which cloth goes along.
    SetBrush(f32),
    /// Move the camera back to where all of the character is seen.
    FrameCharacter,
    Screenshot,
    /// Save what CPU and GPU do in the next frames as a trace.
    Trace,
    /// Measure quality, or stop.
    MeasureQuality(bool),
    /// Forget the message on that topic.
    Dismiss(&'static str),
}
