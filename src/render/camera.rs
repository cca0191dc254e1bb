//! The camera: it looks at a point from a distance, and goes round it.

use ash::vk;
use glam::camera::rh::proj::directx::perspective_infinite_reverse;
use glam::camera::rh::view::look_at_mat4;
use glam::{Mat4, Vec2, Vec3, Vec4Swizzles};
use serde::{Deserialize, Serialize};

use crate::math::Bounds;

/// Metres in front of the eye where the picture begins. Nearer loses depth precision, further cuts into close-ups.
const NEAR: f32 = 0.03;
/// The picture begins no later than at this part of the way to the target: what is a hand's breadth tall is looked at from nearby.
const NEAR_PART: f32 = 0.1;

/// How far up or down the camera may look, radians: straight down it would not know where up is.
pub const STEEPEST: f32 = 1.53;

/// A camera that orbits round a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Camera {
    /// What it looks at, world space.
    pub target: Vec3,
    /// Radians round +Y: 0 stands before a character that faces +Z, a quarter turn at its left side.
    pub yaw: f32,
    /// Radians above the horizon; at most [`STEEPEST`] either way.
    pub pitch: f32,
    /// Metres from the target.
    pub distance: f32,
    /// Radians from the lower to the upper edge of the picture. Usually 0.4 (portrait) to 0.8.
    pub fov_y: f32,
    /// How far right of and below the middle of the picture the target appears, in halves of its width and height: not zero
    /// where panels cover a side of it. The perspective stays.
    pub shift: Vec2,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            target: Vec3::new(0.0, 0.9, 0.0),
            yaw: 0.45,
            pitch: 0.12,
            distance: 3.8,
            fov_y: 0.6,
            shift: Vec2::ZERO,
        }
    }
}

/// A half line in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub origin: Vec3,
    /// Unit length.
    pub direction: Vec3,
}

impl Camera {
    /// Where the eye is, world space.
    pub fn eye(&self) -> Vec3 {
        let pitch = self.pitch.clamp(-STEEPEST, STEEPEST);
        let level = Vec3::new(self.yaw.sin(), 0.0, self.yaw.cos());
        self.target + self.distance * (level * pitch.cos() + Vec3::Y * pitch.sin())
    }

    /// Looks at the same point from another, which must be another. From straight above or below it stands [`STEEPEST`] aside.
    pub fn seen_from(self, eye: Vec3) -> Self {
        let offset = eye - self.target;
        Self {
            yaw: offset.x.atan2(offset.z),
            pitch: offset
                .y
                .atan2(offset.x.hypot(offset.z))
                .clamp(-STEEPEST, STEEPEST),
            distance: offset.length(),
            ..self
        }
    }

    fn near(&self) -> f32 {
        NEAR.min(NEAR_PART * self.distance)
    }

    /// World to view: the eye at the origin, looking along -Z, +Y up.
    pub fn view_from_world(&self) -> Mat4 {
        look_at_mat4(self.eye(), self.target, Vec3::Y)
    }

    /// View to clip in Vulkan's convention, y down; depth is 1 at the near plane and 0 infinitely far.
    ///
    /// `aspect`: width over height.
    pub fn clip_from_view(&self, aspect: f32) -> Mat4 {
        let y_down = Mat4::from_scale(Vec3::new(1.0, -1.0, 1.0));
        Mat4::from_translation(self.shift.extend(0.0))
            * y_down
            * perspective_infinite_reverse(self.fov_y, aspect, self.near())
    }

    /// Both in one.
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        self.clip_from_view(aspect) * self.view_from_world()
    }

    /// The ray through a point of the picture.
    ///
    /// `pixel`: from the upper left corner; pixel centres lie at halves.
    pub fn ray(&self, pixel: Vec2, extent: vk::Extent2D) -> Ray {
        let size = Vec2::new(extent.width.max(1) as f32, extent.height.max(1) as f32);
        let at = (pixel / size * 2.0 - 1.0 - self.shift) * Vec2::new(1.0, -1.0);
        let half_height = (0.5 * self.fov_y).tan();
        let in_view = Vec3::new(
            at.x * half_height * size.x / size.y,
            at.y * half_height,
            -1.0,
        );
        let world_from_view = self.view_from_world().inverse();
        Ray {
            origin: self.eye(),
            direction: world_from_view.transform_vector3(in_view).normalize(),
        }
    }

    /// Where a point of the world appears, in pixels from the upper left corner; `None` behind the eye.
    pub fn pixel_of(&self, point: Vec3, extent: vk::Extent2D) -> Option<Vec2> {
        let size = Vec2::new(extent.width as f32, extent.height.max(1) as f32);
        let clip = self.clip_from_world(size.x / size.y) * point.extend(1.0);
        (clip.w > self.near()).then(|| (clip.xy() / clip.w + 1.0) * 0.5 * size)
    }

    /// Steps back, or forth, until a box fits the picture, and looks at its middle.
    pub fn frame(&mut self, bounds: Bounds, aspect: f32) {
        if !bounds.is_some() {
            return;
        }
        let half_height = (0.5 * self.fov_y).tan();
        let half = 0.5 * bounds.size();
        let across = half.x.hypot(half.z);
        let for_height = half.y / half_height;
        let for_width = across / (half_height * aspect.max(1e-3));
        self.target = bounds.centre();
        self.distance = MARGIN * for_height.max(for_width) + across;
    }

    /// Steps back, or forth, to the least distance from which all of some boxes are in the picture, looking where it looks. Nothing changes
    /// without boxes.
    ///
    /// `aspect`: width over height.
    pub fn step_back(&mut self, boxes: &[Bounds], aspect: f32) {
        let view_from_world = self.view_from_world();
        let half_height = (0.5 * self.fov_y).tan();
        let half_width = half_height * aspect.max(1e-3);
        // A corner that is `at` from the target needs |at.x| <= half_width * (distance - at.z), and the same for its height.
        let needed = boxes
            .iter()
            .flat_map(|bounds| bounds.corners())
            .map(|corner| {
                let at = view_from_world.transform_vector3(corner - self.target);
                at.z + MARGIN * (at.x.abs() / half_width).max(at.y.abs() / half_height)
            });
        if let Some(distance) = needed.reduce(f32::max) {
            self.distance = distance.max(MIN_DISTANCE);
        }
    }
}

/// Metres: nearer than this a camera has no direction.
const MIN_DISTANCE: f32 = 1e-4;

/// Room left round what is framed.
const MARGIN: f32 = 1.08;

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: vk::Extent2D = vk::Extent2D {
        width: 640,
        height: 360,
    };

    #[test]
    fn what_it_looks_at_is_in_the_middle() {
        let camera = Camera::default();
        let pixel = camera.pixel_of(camera.target, EXTENT);
        assert!(pixel.is_some_and(|pixel| pixel.abs_diff_eq(Vec2::new(320.0, 180.0), 1e-2)));
    }

    #[test]
    fn up_is_up_and_left_of_a_facing_character_is_right() {
        let camera = Camera {
            yaw: 0.0,
            ..Camera::default()
        };
        let head = camera.pixel_of(camera.target + Vec3::Y, EXTENT);
        let left_hand = camera.pixel_of(camera.target + Vec3::X, EXTENT);
        assert!(head.is_some_and(|pixel| pixel.y < 100.0));
        assert!(left_hand.is_some_and(|pixel| pixel.x > 400.0));
    }

    #[test]
    fn a_ray_meets_the_point_its_pixel_shows() {
        let point = Vec3::new(0.3, 1.4, 0.2);
        for shift in [Vec2::ZERO, Vec2::new(0.4, -0.2)] {
            let camera = Camera {
                shift,
                ..Camera::default()
            };
            let pixel = camera.pixel_of(point, EXTENT).unwrap_or_default();
            let ray = camera.ray(pixel, EXTENT);
            let along = (point - ray.origin).dot(ray.direction);
            assert!((ray.origin + along * ray.direction).distance(point) < 1e-4);
        }
    }

    #[test]
    fn a_shifted_picture_has_its_target_aside() {
        let camera = Camera {
            shift: Vec2::new(0.5, 0.0),
            ..Camera::default()
        };
        let pixel = camera.pixel_of(camera.target, EXTENT);
        assert!(pixel.is_some_and(|pixel| pixel.abs_diff_eq(Vec2::new(480.0, 180.0), 1e-2)));
    }

    #[test]
    fn nearer_is_deeper_in_reverse() {
        let camera = Camera::default();
        let depth = |point: Vec3| {
            let clip = camera.clip_from_world(1.6) * point.extend(1.0);
            clip.z / clip.w
        };
        let towards = (camera.eye() - camera.target).normalize();
        assert!(depth(camera.target + towards) > depth(camera.target));
        assert!(depth(camera.target - 1e6 * towards) > 0.0);
    }

    #[test]
    fn a_framed_box_is_in_the_picture() {
        let mut camera = Camera::default();
        let bounds = Bounds {
            low: Vec3::new(-1.0, 0.0, -0.5),
            high: Vec3::new(1.0, 2.0, 0.5),
        };
        camera.frame(bounds, 16.0 / 9.0);
        for corner in bounds.corners() {
            let pixel = camera.pixel_of(corner, EXTENT);
            let inside =
                |pixel: Vec2| pixel.cmpge(Vec2::ZERO).all() && pixel.x <= 640.0 && pixel.y <= 360.0;
            assert!(pixel.is_some_and(inside), "{pixel:?}");
        }
    }

    #[test]
    fn boxes_just_fit_wherever_it_looks_from() {
        let at = |low: f32, high: f32| Bounds {
            low: Vec3::splat(low),
            high: Vec3::splat(high),
        };
        for scale in [0.01, 1.0, 50.0] {
            for (yaw, pitch) in [(0.0, 0.0), (0.45, 0.12), (2.5, -1.2)] {
                let boxes = [at(-scale, 0.0), at(0.5 * scale, 2.0 * scale)];
                let mut camera = Camera {
                    yaw,
                    pitch,
                    target: Vec3::splat(0.5 * scale),
                    ..Camera::default()
                };
                camera.step_back(&boxes, 16.0 / 9.0);
                let corners = boxes.into_iter().flat_map(Bounds::corners);
                let pixels: Vec<_> = corners
                    .map(|corner| camera.pixel_of(corner, EXTENT))
                    .collect();
                let from_edge = |pixel: &Option<Vec2>| {
                    let pixel = pixel.expect("it is before the eye");
                    pixel.min(Vec2::new(640.0, 360.0) - pixel).min_element()
                };
                let nearest = pixels.iter().map(from_edge).fold(f32::INFINITY, f32::min);
                assert!(
                    (0.0..40.0).contains(&nearest),
                    "{nearest} at {scale}, {yaw}, {pitch}"
                );
            }
        }
    }

    #[test]
    fn it_stands_where_it_is_put() {
        let (target, eye) = (Vec3::new(0.1, 1.0, -2.0), Vec3::new(-3.0, 2.0, 4.0));
        let camera = Camera {
            target,
            ..Camera::default()
        };
        let camera = camera.seen_from(eye);
        assert!(camera.eye().distance(eye) < 1e-5, "{}", camera.eye());
        assert!(camera.seen_from(target + Vec3::Y).eye().is_finite());
    }
}
