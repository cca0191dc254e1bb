//! Moving the camera by hand, and along with the character.

use glam::{Mat4, Vec2, Vec3};
use radial_fields::math::Bounds;
use radial_fields::render::{Camera, STEEPEST};

/// Radians for a drag across the height of the picture.
const TURN: f32 = 3.6;
/// Factor on the distance for one notch of the wheel.
const ZOOM: f32 = 0.88;
/// Seconds in which the camera catches up with most of the way the character went.
const FOLLOW_SECONDS: f32 = 0.2;
/// Room round the character for what it does, in parts of its height.
const ROOM: f32 = 0.08;

/// A camera in a hand.
pub struct Orbit {
    pub camera: Camera,
    pub follows: bool,
    /// Where the character was when the camera last went along, on the ground.
    anchor: Option<Vec3>,
    /// The character's height, metres.
    height: f32,
}

impl Orbit {
    pub fn new() -> Self {
        Self {
            camera: Camera::default(),
            follows: true,
            anchor: None,
            height: 1.75,
        }
    }

    /// Turns round what it looks at. `drag`: pixels; `height`: of the picture.
    pub fn turn(&mut self, drag: Vec2, height: f32) {
        let angles = drag / height.max(1.0) * TURN;
        self.camera.yaw = (self.camera.yaw - angles.x) % std::f32::consts::TAU;
        self.camera.pitch = (self.camera.pitch + angles.y).clamp(-STEEPEST, STEEPEST);
    }

    /// Moves sideways and up, so that what is looked at stays under the mouse.
    pub fn slide(&mut self, drag: Vec2, height: f32) {
        let view_from_world = self.camera.view_from_world();
        let right = view_from_world.row(0).truncate();
        let up = view_from_world.row(1).truncate();
        let metres = 2.0 * self.camera.distance * (0.5 * self.camera.fov_y).tan() / height.max(1.0);
        self.camera.target += metres * (up * drag.y - right * drag.x);
    }

    /// Goes nearer for positive `notches` of the wheel.
    pub fn zoom(&mut self, notches: f32) {
        let nearest = 0.15 * self.height;
        let furthest = 30.0 * self.height;
        let distance = self.camera.distance * ZOOM.powf(notches);
        self.camera.distance = distance.clamp(nearest, furthest);
    }

    /// Goes along with the character over the ground. `bones`: world from bone.
    pub fn follow(&mut self, bones: &[Mat4], seconds: f32) {
        let Some(now) = middle_on_ground(bones) else {
            return;
        };
        let anchor = *self.anchor.get_or_insert(now);
        let is_jump = anchor.distance(now) > self.height;
        let part = if is_jump {
            1.0
        } else {
            1.0 - (-seconds / FOLLOW_SECONDS).exp()
        };
        let offset = part * (now - anchor);
        self.anchor = Some(anchor + offset);
        if self.follows {
            self.camera.target += offset;
        }
    }

    /// Looks at all of the character from the front, at its side.
    ///
    /// `aspect`: width over height of the room there is for it.
    pub fn frame(&mut self, body: &[Vec3], bones: &[Mat4], aspect: f32) {
        let bounds = body.iter().fold(Bounds::EMPTY, |bounds, &at| {
            bounds.union(Bounds::of_ball(at, 0.0))
        });
        if !bounds.is_some() {
            return;
        }
        self.height = bounds.size().y.max(1e-3);
        let usual = Camera::default();
        self.camera = Camera {
            yaw: usual.yaw,
            pitch: usual.pitch,
            ..self.camera
        };
        self.camera
            .frame(bounds.widened(ROOM * self.height), aspect);
        self.anchor = middle_on_ground(bones);
    }
}

/// The mean of the bones, which hardly sways with arms and legs.
fn middle_on_ground(bones: &[Mat4]) -> Option<Vec3> {
    let sum: Vec3 = bones.iter().map(|bone| bone.w_axis.truncate()).sum();
    let middle = sum / bones.len().max(1) as f32;
    (!bones.is_empty() && middle.is_finite()).then_some(Vec3::new(middle.x, 0.0, middle.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing_at(x: f32) -> [Mat4; 2] {
        [Mat4::from_translation(Vec3::new(x, 1.0, 0.0)); 2]
    }

    #[test]
    fn the_camera_cannot_turn_over() {
        let mut orbit = Orbit::new();
        orbit.turn(Vec2::new(30.0, 1e6), 600.0);
        assert!(orbit.camera.pitch <= STEEPEST);
        orbit.zoom(1e3);
        assert!(orbit.camera.distance > 0.0);
    }

    #[test]
    fn sliding_keeps_what_is_looked_at_under_the_mouse() {
        let mut orbit = Orbit::new();
        let extent = ash::vk::Extent2D {
            width: 800,
            height: 600,
        };
        let point = orbit.camera.target;
        orbit.slide(Vec2::new(50.0, -20.0), 600.0);
        let pixel = orbit.camera.pixel_of(point, extent).unwrap_or_default();
        assert!(pixel.abs_diff_eq(Vec2::new(450.0, 280.0), 0.1), "{pixel}");
    }

    #[test]
    fn it_catches_up_with_a_walk_and_stays_when_told() {
        let mut orbit = Orbit::new();
        let start = orbit.camera.target;
        orbit.follow(&standing_at(0.0), 0.016);
        (0..200).for_each(|_| orbit.follow(&standing_at(1.0), 0.016));
        assert!(orbit.camera.target.distance(start + Vec3::X) < 1e-2);
        orbit.follows = false;
        (0..200).for_each(|_| orbit.follow(&standing_at(2.0), 0.016));
        assert!(orbit.camera.target.distance(start + Vec3::X) < 1e-2);
    }
}
