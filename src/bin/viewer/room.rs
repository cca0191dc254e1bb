//! The part of a picture in which the character is to be seen.

use radial_fields::render::Camera;

/// The part of the picture that panels leave free, in which the character is to be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// Width over height.
    pub aspect: f32,
    /// Of the picture's height, from its upper edge.
    pub height_part: f32,
}

impl Room {
    /// `covered`: of the picture's height, from its lower edge, in the unit of its size.
    pub fn new([width, height]: [f32; 2], free_width: f32, covered: f32) -> Self {
        let free_height = (height - covered).max(1.0);
        Self {
            aspect: free_width.min(width) / free_height,
            height_part: free_height / height.max(1.0),
        }
    }

    /// A camera for it alone: it is a picture of its own, with less of an angle.
    pub fn camera(self, camera: Camera) -> Camera {
        let half_height = (0.5 * camera.fov_y).tan() * self.height_part;
        Camera {
            fov_y: 2.0 * half_height.atan(),
            ..camera
        }
    }

    /// How far a camera's picture is moved up to have its middle in that of the room, as [`Camera::shift`] has it.
    pub fn shift(self) -> f32 {
        self.height_part - 1.0
    }
}
