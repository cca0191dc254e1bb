//! Moving the camera by hand, and along with the character.

use glam::{Vec2, Vec3};
use radial_fields::render::{Camera, Follow, STEEPEST};

use crate::framing::{Path, Place, Track, beside};
use crate::room::Room;

/// Radians for a drag across the height of the picture.
const TURN: f32 = 3.6;
/// Factor on the distance for one notch of the wheel.
const ZOOM: f32 = 0.88;
/// Seconds in which most of a jump of the camera's way is made up for.
const CATCH_UP_SECONDS: f32 = 0.2;
/// Seconds of the clip between two pictures that count as a jump: time that was gone to, or a clip that begins anew.
const JUMP_SECONDS: f32 = 0.25;
/// Of what the camera's way was found for, how much may differ before it is found anew.
const SAME_VIEW: f32 = 1e-4;

/// A camera in a hand.
pub struct Orbit {
    pub camera: Camera,
    follow: Follow,
    track: Option<Track>,
    path: Option<KnownPath>,
    /// From where the way leads to where the hand has moved it.
    offset: Vec3,
    /// Times the way's distance.
    zoom: f32,
    /// What is left of a jump of the way: metres, and radians of its turn.
    behind: (Vec3, f32),
    /// Radians of the camera's yaw that are not the hand's: how far it has turned with the character.
    turn: f32,
    /// Of the clip, in the last picture.
    last_seconds: f32,
}

/// The way for a view.
struct KnownPath {
    path: Path,
    follow: Follow,
    /// The hand's yaw, pitch, aspect, part of the height.
    view: [f32; 4],
}

impl Orbit {
    pub fn new() -> Self {
        Self {
            camera: Camera::default(),
            follow: Follow::Whole,
            track: None,
            path: None,
            offset: Vec3::ZERO,
            zoom: 1.0,
            behind: (Vec3::ZERO, 0.0),
            turn: 0.0,
            last_seconds: 0.0,
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
        let shift = metres * (up * drag.y - right * drag.x);
        self.camera.target += shift;
        self.offset += shift;
    }

    /// Goes nearer for positive `notches` of the wheel.
    pub fn zoom(&mut self, notches: f32) {
        let height = self.track.as_ref().map_or(0.0, Track::height).max(1e-3);
        let before = self.camera.distance;
        let distance = before * ZOOM.powf(notches);
        self.camera.distance = distance.clamp(0.15 * height, 30.0 * height);
        self.zoom *= self.camera.distance / before;
    }

    /// Sees a wider or narrower part of the world from further or nearer, so that what it looks at stays as large.
    pub fn set_field_of_view(&mut self, fov_y: f32) {
        let fov_y = fov_y.clamp(0.05, 2.5);
        let half = |fov_y: f32| (0.5 * fov_y).tan();
        self.camera.distance *= half(self.camera.fov_y) / half(fov_y);
        self.camera.fov_y = fov_y;
        // The way was found for another angle.
        self.path = None;
    }

    /// Has the camera go along with somebody else, or with other things that they do. It stays where it is until it is told to frame
    /// them.
    pub fn watch(&mut self, track: Track) {
        self.track = Some(track);
        self.path = None;
    }

    /// Looks at all of the character from the usual side.
    pub fn frame(&mut self) {
        let usual = self.track.as_ref().map(Track::first_camera);
        let Camera { yaw, pitch, .. } = usual.unwrap_or_default();
        self.look_from(yaw, pitch);
        (self.offset, self.zoom) = (Vec3::ZERO, 1.0);
        self.behind = (Vec3::ZERO, 0.0);
    }

    /// Looks from another side. `yaw`: from the front of the character where it turns with it.
    pub fn look_from(&mut self, yaw: f32, pitch: f32) {
        (self.camera.yaw, self.camera.pitch) = (yaw + self.turn, pitch);
    }

    /// How it goes along.
    pub fn follows(&self) -> Follow {
        self.follow
    }

    /// The camera without what it has turned with the character.
    pub fn own_camera(&self) -> Camera {
        Camera {
            yaw: self.camera.yaw - self.turn,
            ..self.camera
        }
    }

    /// Puts the camera somewhere, from where it goes along. Its yaw is from the front of a character that it turns with.
    pub fn put(&mut self, camera: Camera, follow: Follow, room: Room) {
        self.camera = camera;
        (self.follow, self.turn) = (Follow::Stay, 0.0);
        self.set_follow(follow, room);
        self.look_from(camera.yaw, camera.pitch);
    }

    /// Goes along in another way, or stays and sees all go from here.
    pub fn set_follow(&mut self, follow: Follow, room: Room) {
        let before = std::mem::replace(&mut self.follow, follow);
        if before == follow {
            return;
        }
        // What it has turned is the hand's from now on, until the new way says how much of it is not.
        self.turn = 0.0;
        let Some(place) = self.place(room, self.last_seconds) else {
            return;
        };
        self.turn = place.turn;
        if before == Follow::Stay {
            self.offset = self.camera.target - place.target;
            self.zoom = self.camera.distance / place.distance.max(1e-6);
        }
        self.behind = (self.camera.target - place.target - self.offset, 0.0);
    }

    /// Goes along with the character to a time of the clip. `passed`: seconds since the last picture.
    pub fn follow(&mut self, clip_seconds: f32, passed: f32, room: Room) {
        let jumps = (clip_seconds - self.last_seconds).abs() > JUMP_SECONDS;
        self.last_seconds = clip_seconds;
        self.camera.shift.y = room.shift();
        if self.follow == Follow::Stay {
            return;
        }
        let Some(place) = self.place(room, clip_seconds) else {
            return;
        };
        let target = place.target + self.offset;
        if jumps {
            let behind = self.camera.target - target;
            let is_near = behind.length() < self.track.as_ref().map_or(0.0, Track::height);
            self.behind = match is_near {
                true => (behind, beside(self.turn, place.turn) - place.turn),
                false => (Vec3::ZERO, 0.0),
            };
        }
        let left = (-passed / CATCH_UP_SECONDS).exp();
        self.behind.0 *= left;
        self.behind.1 *= left;
        self.camera.target = target + self.behind.0;
        self.camera.distance = place.distance * self.zoom;
        self.turn_to(place.turn + self.behind.1);
    }

    fn turn_to(&mut self, turn: f32) {
        self.camera.yaw += turn - self.turn;
        self.turn = turn;
    }

    /// Where its way leads. Goes there at once.
    pub fn arrive(&mut self, clip_seconds: f32, room: Room) {
        (self.behind, self.last_seconds) = ((Vec3::ZERO, 0.0), clip_seconds);
        self.camera.shift.y = room.shift();
        if let Some(place) = self.place(room, clip_seconds) {
            self.camera.target = place.target + self.offset;
            self.camera.distance = place.distance * self.zoom;
            self.turn_to(place.turn);
        }
    }

    /// Where the way for the present view leads to.
    fn place(&mut self, room: Room, clip_seconds: f32) -> Option<Place> {
        let track = self.track.as_ref()?;
        let Camera { yaw, pitch, .. } = self.own_camera();
        let (view, follow) = ([yaw, pitch, room.aspect, room.height_part], self.follow);
        let is_same = |known: &KnownPath| {
            let mut pairs = known.view.iter().zip(view);
            known.follow == follow && pairs.all(|(a, b)| (a - b).abs() < SAME_VIEW)
        };
        if !self.path.as_ref().is_some_and(is_same) {
            let camera = room.camera(self.own_camera());
            let path = track.path(&camera, room.aspect, follow);
            self.path = Some(KnownPath { path, follow, view });
        }
        Some(self.path.as_ref()?.path.at(clip_seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_camera_cannot_turn_over() {
        let mut orbit = Orbit::new();
        orbit.turn(Vec2::new(30.0, 1e6), 600.0);
        assert!(orbit.camera.pitch <= STEEPEST);
        orbit.zoom(1e3);
        assert!(orbit.camera.distance > 0.0);
    }

    #[test]
    fn another_angle_leaves_what_is_looked_at_as_large() {
        let mut orbit = walking();
        let size = |orbit: &Orbit| {
            let extent = ash::vk::Extent2D {
                width: 600,
                height: 600,
            };
            let up = orbit.camera.target + 0.5 * Vec3::Y;
            let [from, to] = [orbit.camera.target, up]
                .map(|at| orbit.camera.pixel_of(at, extent).unwrap_or_default());
            from.distance(to)
        };
        let before = (orbit.camera, size(&orbit));
        orbit.set_field_of_view(1.2);
        assert!(orbit.camera.distance < before.0.distance);
        assert!(
            (size(&orbit) / before.1 - 1.0).abs() < 0.1,
            "{}",
            size(&orbit)
        );
        orbit.follow(0.01, 0.016, ROOM);
        assert_eq!(orbit.camera.fov_y, 1.2, "also while it follows");
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

    /// A second at 1.5 m/s along X.
    fn walking() -> Orbit {
        let mut orbit = Orbit::new();
        orbit.watch(Track::of_a_walk(1.5, 1.0));
        orbit.frame();
        orbit.arrive(0.0, ROOM);
        orbit
    }

    const ROOM: Room = Room {
        aspect: 1.0,
        height_part: 0.9,
    };

    #[test]
    fn it_goes_along_with_a_walk_and_stays_when_told() {
        let mut orbit = walking();
        let start = orbit.camera.target;
        (0..=60).for_each(|frame| orbit.follow(frame as f32 / 60.0, 0.016, ROOM));
        let end = orbit.camera.target;
        assert!((end.x - start.x - 1.5).abs() < 0.1, "{start} to {end}");
        orbit.set_follow(Follow::Stay, ROOM);
        orbit.follow(0.5, 0.016, ROOM);
        assert_eq!(orbit.camera.target, end);
        orbit.set_follow(Follow::Whole, ROOM);
        assert_eq!(orbit.camera.target, end, "it goes on from where it stands");
    }

    #[test]
    fn it_turns_with_the_character_by_what_that_turns_and_no_more() {
        let mut orbit = walking();
        let before = orbit.camera;
        orbit.set_follow(Follow::Turn, ROOM);
        orbit.follow(0.01, 0.016, ROOM);
        assert!((orbit.camera.yaw - before.yaw).abs() < 1e-3, "no jump");
        orbit.look_from(0.0, 0.1);
        // It walks along X: its front is seen from there.
        assert!((orbit.camera.yaw - std::f32::consts::FRAC_PI_2).abs() < 1e-3);
        let saved = orbit.own_camera();
        orbit.set_follow(Follow::Stay, ROOM);
        let still = orbit.camera;
        orbit.follow(0.5, 0.016, ROOM);
        assert_eq!(orbit.camera, still);
        orbit.put(saved, Follow::Turn, ROOM);
        assert!(
            (orbit.camera.yaw - still.yaw).abs() < 1e-3,
            "as it was saved"
        );
    }

    #[test]
    fn another_way_of_going_along_is_gone_over_to_smoothly() {
        let mut orbit = walking();
        let before = orbit.camera;
        orbit.set_follow(Follow::Pelvis, ROOM);
        orbit.follow(0.01, 0.001, ROOM);
        assert!(orbit.camera.target.distance(before.target) < 0.05);
        (0..90).for_each(|_| orbit.follow(0.01, 0.016, ROOM));
        assert!(
            (orbit.camera.target.y - 1.0).abs() < 0.02,
            "{}",
            orbit.camera.target
        );
    }

    #[test]
    fn what_the_hand_did_stays_while_it_follows() {
        let mut orbit = walking();
        orbit.zoom(2.0);
        orbit.slide(Vec2::new(0.0, 30.0), 600.0);
        let before = orbit.camera;
        orbit.follow(0.01, 0.016, ROOM);
        let camera = orbit.camera;
        assert!(camera.target.distance(before.target) < 0.1);
        assert!((camera.distance / before.distance - 1.0).abs() < 0.05);
        orbit.frame();
        orbit.arrive(0.01, ROOM);
        assert!(orbit.camera.distance > before.distance);
    }

    #[test]
    fn a_clip_that_begins_anew_is_caught_up_with_smoothly() {
        let mut orbit = walking();
        (0..=60).for_each(|frame| orbit.follow(frame as f32 / 60.0, 0.016, ROOM));
        let before = orbit.camera.target;
        orbit.follow(0.0, 0.016, ROOM);
        assert!(orbit.camera.target.distance(before) < 0.3);
        (0..90).for_each(|_| orbit.follow(0.0, 0.016, ROOM));
        assert!(orbit.camera.target.distance(before) > 0.8);
    }
}
