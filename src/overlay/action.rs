//! What a user asks for through the panels.

use super::facts::PlayedFrames;
use crate::Settings;
use crate::render::{Follow, ViewOptions};
use crate::solid::PlacedProp;

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
    /// Dress the character in the meshes of a file.
    OpenGarment(String),
    /// Make the outfit of so many particles.
    ChooseParticles(u32),
    /// Metres of a field's cells.
    ChooseCellSize(f32),
    /// Put other rigid things about, or elsewhere.
    SetProps(Vec<PlacedProp>),
    ChooseClip(usize),
    /// Play that of the clip.
    SetPart(PlayedFrames),
    /// Save all that is set.
    SaveSetup(String),
    /// Show what a file says.
    OpenSetup(String),
    Undo,
    Redo,
    /// The scene as it comes.
    Defaults,
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
    /// Keep cloth apart from cloth, or no longer.
    MeetCloth(bool),
    /// Simulate cloth so finely, by the place in the list.
    ChooseDetail(usize),
    Change(Settings),
    /// Change those of one of two worlds from now on, by its place, or of both.
    Edit(Option<usize>),
    /// Look from there: radians, as the camera's yaw and pitch.
    LookFrom(f32, f32),
    /// Radians from the lower to the upper edge of the picture.
    SetFieldOfView(f32),
    Show(ViewOptions),
    /// Show where the pictures of two worlds differ, or both beside each other.
    ShowDifference(bool),
    /// Have the camera go along in that way.
    Follow(Follow),
    /// Metres round the particle that the hand takes in which cloth goes along.
    SetBrush(f32),
    /// Move the camera back to where all of the character is seen.
    FrameCharacter,
    Screenshot,
    /// Save what CPU and GPU do in the next frames as a trace.
    Trace,
    /// Do so round the next frame that takes more than so many milliseconds.
    TraceOver(f32),
    /// Wait for a slow frame no longer.
    StopTrace,
    /// Save a table of stage times.
    SaveTimes(String),
    /// Time every dispatch and draw on its own, or no longer.
    TimePasses(bool),
    /// Measure quality, or stop.
    MeasureQuality(bool),
    /// Forget the message on that topic.
    Dismiss(&'static str),
}
