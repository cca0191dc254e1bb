//! How finely the characters' cloth is simulated.

use glam::Vec3;
use radial_fields::cloth::Detail;
use radial_fields::render::Camera;
use radial_fields::scenes::Show;

/// What `--detail` asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DetailChoice {
    /// Everybody's alike.
    All(Detail),
    /// Each as coarse as a pixel of the picture hides.
    Auto,
}

impl DetailChoice {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::All(Detail::Full),
        Self::All(Detail::Half),
        Self::All(Detail::Quarter),
        Self::All(Detail::Skinned),
    ];

    /// As flag, setup and panel have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::All(detail) => detail.name(),
        }
    }

    /// As the flag has it.
    ///
    /// # Errors
    /// When it names nothing.
    pub fn parse(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|choice| choice.name() == text);
        named.ok_or_else(|| format!("give {}", Self::ALL.map(Self::name).join(", ")))
    }

    /// Sets it for the show's next steps, as it is seen by a camera in a picture that is so many pixels high.
    pub fn apply(self, show: &mut Show, camera: &Camera, height: f32) {
        let pixel = 2.0 * (0.5 * camera.fov_y).tan() / height.max(1.0);
        let size = show.avatar.size();
        for ix in 0..show.details.len() {
            show.details[ix] = match self {
                Self::All(detail) => detail,
                Self::Auto => Detail::within(pixel * distance(show, ix, camera.eye()), size),
            };
        }
    }
}

/// Metres from a point to the nearest bone of a character.
fn distance(show: &Show, character_ix: usize, eye: Vec3) -> f32 {
    let bones = &show.performances()[character_ix].palette().world_from_bone;
    let distances = bones
        .iter()
        .map(|bone| bone.w_axis.truncate().distance(eye));
    distances.fold(f32::INFINITY, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_levels_or_auto() {
        assert_eq!(DetailChoice::parse("auto"), Ok(DetailChoice::Auto));
        let half = DetailChoice::All(Detail::Half);
        assert_eq!(DetailChoice::parse("half"), Ok(half));
        let refused = DetailChoice::parse("twice").expect_err("it names nothing");
        assert!(refused.contains("auto, full, half"), "{refused}");
    }
}
