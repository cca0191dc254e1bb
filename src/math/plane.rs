//! Planes.

use glam::Vec3;

/// A plane through a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    pub origin: Vec3,
    /// Unit length, out of what has the surface.
    pub normal: Vec3,
}

impl Plane {
    /// Metres above the plane; negative inside.
    pub fn height(&self, point: Vec3) -> f32 {
        self.normal.dot(point - self.origin)
    }
}
