//! What the keys do.

use winit::keyboard::{Key, ModifiersState, NamedKey};

/// An action by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    TogglePause,
    Step,
    Reset,
    FrameCharacter,
    TogglePanels,
    ToggleHelp,
    Screenshot,
    Trace,
    Undo,
    Redo,
    Save,
    /// Closes what lies over the picture; with nothing there it quits.
    Back,
}

/// The command of a key with those that are held down, if it has one.
pub fn command_of(key: &Key, held: ModifiersState) -> Option<Command> {
    if held.control_key() || held.super_key() {
        let Key::Character(letter) = key else {
            return None;
        };
        return match letter.to_lowercase().as_str() {
            "z" if held.shift_key() => Some(Command::Redo),
            "z" => Some(Command::Undo),
            "y" => Some(Command::Redo),
            "s" => Some(Command::Save),
            _ => None,
        };
    }
    match key {
        Key::Named(NamedKey::Space) => Some(Command::TogglePause),
        Key::Named(NamedKey::Tab) => Some(Command::TogglePanels),
        Key::Named(NamedKey::F1) => Some(Command::ToggleHelp),
        Key::Named(NamedKey::F12) => Some(Command::Screenshot),
        Key::Named(NamedKey::Escape) => Some(Command::Back),
        Key::Character(letter) => match letter.to_lowercase().as_str() {
            "n" => Some(Command::Step),
            "r" => Some(Command::Reset),
            "f" => Some(Command::FrameCharacter),
            "h" => Some(Command::ToggleHelp),
            "t" => Some(Command::Trace),
            " " => Some(Command::TogglePause),
            _ => None,
        },
        _ => None,
    }
}

impl Command {
    /// Whether holding the key down asks for it again and again.
    pub fn repeats(self) -> bool {
        self == Self::Step
    }

    /// Whether it is meant even while text is being entered.
    pub fn is_no_text(self) -> bool {
        matches!(self, Self::Screenshot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_count_in_either_case() {
        for letter in ["r", "R"] {
            let key = Key::Character(letter.into());
            let command = command_of(&key, ModifiersState::empty());
            assert_eq!(command, Some(Command::Reset));
        }
        let unknown = Key::Character("q".into());
        assert_eq!(command_of(&unknown, ModifiersState::empty()), None);
    }

    #[test]
    fn with_control_letters_change_what_was_done() {
        let of = |letter: &str, held| command_of(&Key::Character(letter.into()), held);
        let control = ModifiersState::CONTROL;
        assert_eq!(of("z", control), Some(Command::Undo));
        assert_eq!(
            of("Z", control | ModifiersState::SHIFT),
            Some(Command::Redo)
        );
        assert_eq!(of("y", control), Some(Command::Redo));
        assert_eq!(of("r", control), None, "a reset is not meant");
    }
}
