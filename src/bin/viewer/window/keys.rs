//! What the keys do.

use winit::keyboard::{Key, NamedKey};

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
    /// Closes what lies over the picture; with nothing there it quits.
    Back,
}

/// The command of a key, if it has one.
pub fn command_of(key: &Key) -> Option<Command> {
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
            assert_eq!(
                command_of(&Key::Character(letter.into())),
                Some(Command::Reset)
            );
        }
        assert_eq!(command_of(&Key::Character("q".into())), None);
    }
}
