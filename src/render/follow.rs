//! What a camera does while the character moves.

use serde::{Deserialize, Serialize};

/// How a camera goes along with a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Follow {
    /// It keeps all of the character in sight, as near as that takes at the time.
    #[default]
    Whole,
    /// The pelvis stays where it is in the picture, and the camera as far away: what moves are the limbs.
    Pelvis,
    /// As the first, and it turns with the character: who is seen from the front stays so.
    Turn,
    /// It stays where it is.
    Stay,
}

impl Follow {
    /// All, as they are listed.
    pub const ALL: [Self; 4] = [Self::Whole, Self::Pelvis, Self::Turn, Self::Stay];

    /// As flags and setups call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Pelvis => "pelvis",
            Self::Turn => "turn",
            Self::Stay => "stay",
        }
    }

    /// The one of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|follow| follow.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setup_calls_them_as_a_flag_does() {
        for follow in Follow::ALL {
            assert_eq!(serde_json::json!(follow), follow.name());
            assert_eq!(Follow::find(follow.name()), Some(follow));
        }
    }
}
