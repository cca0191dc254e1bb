//! Where the camera of pictures stands: it goes along with the character through its clip, as near as all of it is seen, head and
//! hands too, or stands where the flags put it.

use std::f32::consts::{PI, TAU};

use glam::{Mat4, Vec3};
use radial_fields::avatar::{Joint, Skeleton, SkinMesh};
use radial_fields::math::Bounds;
use radial_fields::render::{Camera, Follow};
use radial_fields::scenes::{self, Performance, Show};

use crate::cli::Cli;
use crate::room::Room;
use crate::setup::over;

/// Looks at a clip, a second. Usually 30: arms and legs go less than a hand's breadth meanwhile.
const LOOKS_PER_SECOND: f32 = 30.0;
/// Looks at a clip of any length: a longer one is looked at less often.
const MAX_LOOKS: f32 = 600.0;
/// Seconds before and after a moment over which the camera's way is made even. Less and it shakes with every step; more and it is
/// far off where a tumble turns.
const EVEN_SECONDS: f32 = 0.3;
/// The same for turning with the character: a head that follows every step of the hips makes people seasick.
const TURN_SECONDS: f32 = 0.5;
/// Room left round what is looked at, as a factor on its size.
const ROOM: f32 = 1.05;
/// Metres: nearer than this a camera has no direction.
const NEAREST: f32 = 1e-3;
/// Radians above the horizon for a crowd, so that those in front do not hide the others.
const CROWD_PITCH: f32 = 0.5;

/// What the flags say of the camera. World space, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wanted {
    eye: Option<Vec3>,
    target: Option<Vec3>,
    /// A setup's.
    camera: Option<Camera>,
    pub follow: Option<Follow>,
}

impl Wanted {
    pub fn of(cli: &Cli) -> Self {
        let tuned = cli.tuned.as_ref();
        // It was checked when it was read.
        let camera = tuned.and_then(|tuned| over(&Some(tuned.camera.clone()?)).ok());
        let scene = cli.scene.as_deref().and_then(scenes::find);
        let usual = scene.and_then(|scene| scene.camera);
        Self {
            eye: cli.camera.or(usual.map(|[eye, _]| eye)),
            target: cli.look_at.or(usual.map(|[_, target]| target)),
            camera,
            follow: cli.follow,
        }
    }

    /// Whether it says anything.
    #[cfg(feature = "viewer")]
    pub fn is_somewhere(self) -> bool {
        self.eye.is_some() || self.target.is_some() || self.camera.is_some()
    }

    /// How the camera goes along from where it is put: where flags put it, it stays unless they say more.
    #[cfg(feature = "viewer")]
    pub fn follow(self) -> Follow {
        let is_put = self.eye.is_some() || self.target.is_some();
        let usual = if is_put { Follow::Stay } else { Follow::Whole };
        self.follow.unwrap_or(usual)
    }

    /// The camera where it is wanted; what is not wanted stays.
    pub fn put(self, camera: Camera) -> Camera {
        let camera = self.camera.unwrap_or(camera);
        let camera = Camera {
            target: self.target.unwrap_or(camera.target),
            ..camera
        };
        self.eye.map_or(camera, |eye| camera.seen_from(eye))
    }
}

/// The camera of pictures without a window.
pub struct Framing {
    camera: Camera,
    wanted: Wanted,
    path: Path,
    /// Of a camera that stays: where it was first.
    first: Option<Place>,
}

impl Framing {
    pub fn new(show: &Show, clip_ix: Option<usize>, wanted: Wanted, room: Room) -> Self {
        let track = Track::new(show, clip_ix);
        let mut camera = track.first_camera();
        let mut wanted = wanted;
        let follow = wanted.follow.unwrap_or_default();
        if let (Some(seen), true) = (wanted.camera, follow != Follow::Stay) {
            // Along with the character, from that side and as wide.
            (camera.yaw, camera.pitch, camera.fov_y) = (seen.yaw, seen.pitch, seen.fov_y);
            wanted.camera = None;
        }
        let path = track.path(&room.camera(camera), room.aspect, follow);
        camera.shift.y = room.shift();
        Self {
            path,
            camera,
            wanted,
            first: None,
        }
    }

    /// The camera for the show as it stands.
    pub fn camera(&mut self, show: &Show) -> Camera {
        let mut place = self.path.at(show.performance().begun_time());
        if self.wanted.follow == Some(Follow::Stay) {
            place = *self.first.get_or_insert(place);
        }
        self.wanted.put(Camera {
            target: place.target,
            distance: place.distance,
            yaw: self.camera.yaw + place.turn,
            ..self.camera
        })
    }
}

/// Where skin and clothes are all through the clip, and on the way into it.
pub struct Track {
    /// A list of points a look, world space, between which all of them lie.
    looks: Vec<Vec<Vec3>>,
    /// Where the pelvis is at each look.
    pelvises: Vec<Vec3>,
    /// How far round +Y the character has turned since it was made, at each look: radians, without jumps.
    headings: Vec<f32>,
    /// Of the first look, in the clip's time.
    first_seconds: f32,
    /// From one look to the next.
    look_seconds: f32,
    is_crowd: bool,
}

/// Where the camera is to look and from how far, at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub target: Vec3,
    pub distance: f32,
    /// Radians round +Y, on top of the camera's own yaw.
    pub turn: f32,
}

/// The camera's way along a [`Track`].
pub struct Path {
    places: Vec<Place>,
    first_seconds: f32,
    look_seconds: f32,
}

impl Track {
    pub fn new(show: &Show, clip_ix: Option<usize>) -> Self {
        let avatar = &show.avatar;
        let clip = clip_ix.and_then(|ix| avatar.clips.get(ix));
        let mut performance = Performance::new(&avatar.skeleton, clip);
        let (first_seconds, last_seconds) = (performance.time(), performance.duration());
        let all_seconds = last_seconds - first_seconds;
        let look_seconds = (1.0 / LOOKS_PER_SECOND).max(all_seconds / MAX_LOOKS);
        let joints = joint_bounds(show);
        let pelvis_ix = topmost(&avatar.skeleton, &joints);
        let (mut looks, mut pelvises, mut headings) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let palette = performance.palette();
            looks.push(corners(&joints, &palette.world_from_bone));
            pelvises.push(palette.world_from_bone[pelvis_ix].w_axis.truncate());
            let heading = heading(palette.world_from_bind[pelvis_ix]);
            headings.push(beside(heading, headings.last().copied().unwrap_or(0.0)));
            if clip.is_none() || performance.time() + look_seconds > last_seconds {
                break;
            }
            performance.advance(look_seconds);
        }
        let is_crowd = show.performances().len() > 1;
        if is_crowd {
            let before_clip = (-first_seconds / look_seconds).round() as usize;
            looks = everybody(show, &looks, before_clip, look_seconds);
        }
        Self {
            looks,
            pelvises,
            headings,
            first_seconds,
            look_seconds,
            is_crowd,
        }
    }

    /// A camera that looks from the usual side.
    pub fn first_camera(&self) -> Camera {
        let usual = Camera::default();
        Camera {
            pitch: if self.is_crowd {
                CROWD_PITCH
            } else {
                usual.pitch
            },
            ..usual
        }
    }

    /// From the lowest to the highest point at the beginning, metres.
    #[cfg(feature = "viewer")]
    pub fn height(&self) -> f32 {
        let all = self
            .looks
            .first()
            .map_or(Bounds::EMPTY, |points| around(points));
        if all.is_some() { all.size().y } else { 0.0 }
    }

    /// The way of a camera that looks as this one does. `aspect`: width over height of the picture. A crowd has no pelvis and no front.
    pub fn path(&self, camera: &Camera, aspect: f32, follow: Follow) -> Path {
        let follow = if self.is_crowd { Follow::Whole } else { follow };
        let targets = match follow {
            Follow::Pelvis => self.pelvises.clone(),
            _ => self.middles(),
        };
        let turns = match follow {
            Follow::Turn => balanced(&self.headings, self.looks_in(TURN_SECONDS), mean),
            _ => vec![0.0; self.looks.len()],
        };
        let places = targets.into_iter().zip(turns).zip(&self.looks);
        let mut places: Vec<_> = places
            .map(|((target, turn), points)| {
                let camera = Camera {
                    target,
                    yaw: camera.yaw + turn,
                    ..*camera
                };
                Place {
                    target,
                    distance: distance_to_see(points, &camera, aspect),
                    turn,
                }
            })
            .collect();
        let needed: Vec<f32> = places.iter().map(|place| place.distance).collect();
        let distances = match follow {
            Follow::Pelvis => vec![most(&needed); needed.len()],
            // The mean of what is enough for the time around is enough, and does not jump.
            _ => {
                let reach = self.looks_in(EVEN_SECONDS);
                windows(&windows(&needed, reach, most), reach, mean)
            }
        };
        for (place, distance) in places.iter_mut().zip(distances) {
            place.distance = distance;
        }
        Path {
            places,
            first_seconds: self.first_seconds,
            look_seconds: self.look_seconds,
        }
    }

    /// The middle of all points at each look, evened out.
    fn middles(&self) -> Vec<Vec3> {
        let centres: Vec<_> = self.looks.iter().map(|points| centre(points)).collect();
        let mean = |window: &[Vec3]| window.iter().sum::<Vec3>() / window.len() as f32;
        balanced(&centres, self.looks_in(EVEN_SECONDS), mean)
    }

    fn looks_in(&self, seconds: f32) -> usize {
        (seconds / self.look_seconds).round() as usize
    }
}

fn most(window: &[f32]) -> f32 {
    window.iter().copied().fold(0.0, f32::max)
}

fn mean(window: &[f32]) -> f32 {
    window.iter().sum::<f32>() / window.len() as f32
}

impl Path {
    /// At a time of the clip.
    pub fn at(&self, seconds: f32) -> Place {
        let last = self.places.len() - 1;
        let look = ((seconds - self.first_seconds) / self.look_seconds).clamp(0.0, last as f32);
        let (before, part) = (look as usize, look.fract());
        let (a, b) = (self.places[before], self.places[last.min(before + 1)]);
        Place {
            target: a.target.lerp(b.target, part),
            distance: a.distance + part * (b.distance - a.distance),
            turn: a.turn + part * (b.turn - a.turn),
        }
    }
}

/// The joint that moves something and has the fewest others above it: a person's pelvis.
fn topmost(skeleton: &Skeleton, bounds: &[Bounds]) -> usize {
    let above = |node_ix: usize| {
        let parent = |&node_ix: &usize| skeleton.nodes[node_ix].parent;
        std::iter::successors(Some(node_ix), parent).count()
    };
    let moving = (0..skeleton.joints.len()).filter(|&ix| bounds[ix].is_some());
    let topmost = moving.min_by_key(|&ix| above(skeleton.joints[ix].node_ix));
    topmost.unwrap_or_default()
}

/// How far a bone has turned round +Y, radians: the twist of its rotation, which a somersault leaves as it is.
fn heading(world_from_bind: Mat4) -> f32 {
    let (_, turned, _) = world_from_bind.to_scale_rotation_translation();
    2.0 * turned.y.atan2(turned.w)
}

/// The same angle within half a turn of another, radians.
pub fn beside(angle: f32, other: f32) -> f32 {
    let difference = (angle - other + PI).rem_euclid(TAU) - PI;
    other + difference
}

/// How far skin and clothes reach from each joint that moves them, in bone space; empty for one that moves nothing.
fn joint_bounds(show: &Show) -> Vec<Bounds> {
    let joints = &show.avatar.skeleton.joints;
    let garments = show.garments.iter().map(|garment| &garment.mesh);
    let mut bounds = vec![Bounds::EMPTY; joints.len()];
    for mesh in std::iter::once(&show.avatar.skin).chain(garments) {
        widen(&mut bounds, mesh, joints);
    }
    bounds
}

fn widen(bounds: &mut [Bounds], mesh: &SkinMesh, joints: &[Joint]) {
    for (sum, own) in bounds.iter_mut().zip(mesh.joint_bounds(joints)) {
        *sum = sum.union(own);
    }
}

/// The corners of the joints' boxes, where the bones have them.
fn corners(joints: &[Bounds], world_from_bone: &[Mat4]) -> Vec<Vec3> {
    let bones = joints.iter().zip(world_from_bone);
    let boxes = bones.filter(|(bounds, _)| bounds.is_some());
    let points = boxes.flat_map(|(bounds, bone)| {
        let corners = bounds.corners().into_iter();
        corners.map(|corner| bone.transform_point3(corner))
    });
    points.filter(|point| point.is_finite()).collect()
}

/// What the looks at one are of a crowd: the corners of a box a character, where it stands and as far in the clip as it is.
fn everybody(
    show: &Show,
    looks: &[Vec<Vec3>],
    before_clip: usize,
    look_seconds: f32,
) -> Vec<Vec<Vec3>> {
    let crowd = show.performances();
    let boxes: Vec<_> = looks.iter().map(|points| around(points)).collect();
    let roots: Vec<_> = crowd.iter().map(Performance::world_from_root).collect();
    let clip = &boxes[before_clip.min(boxes.len() - 1)..];
    let ahead = |performance: &Performance| {
        let seconds = performance.time() - crowd[0].time();
        (seconds.rem_euclid(performance.duration()) / look_seconds).round() as usize
    };
    let ahead: Vec<usize> = crowd.iter().map(ahead).collect();
    let at = |look: usize| {
        let now = look.saturating_sub(before_clip);
        let boxes = ahead.iter().map(|ahead| clip[(now + ahead) % clip.len()]);
        corners(&boxes.collect::<Vec<_>>(), &roots)
    };
    (0..looks.len()).map(at).collect()
}

/// From how far a camera that looks as this one does sees all of the points, metres.
fn distance_to_see(points: &[Vec3], camera: &Camera, aspect: f32) -> f32 {
    let view_from_world = camera.view_from_world();
    let half_height = (0.5 * camera.fov_y).tan();
    let half_width = half_height * aspect.max(1e-3);
    let needed = points.iter().map(|point| {
        let at = view_from_world.transform_vector3(point - camera.target);
        at.z + ROOM * (at.x.abs() / half_width).max(at.y.abs() / half_height)
    });
    needed.fold(NEAREST, f32::max)
}

fn around(points: &[Vec3]) -> Bounds {
    let points = points.iter().map(|&point| Bounds::of_ball(point, 0.0));
    points.fold(Bounds::EMPTY, Bounds::union)
}

fn centre(points: &[Vec3]) -> Vec3 {
    let all = around(points);
    if all.is_some() {
        all.centre()
    } else {
        Vec3::ZERO
    }
}

/// What `sum` makes of the values round each one, as many before as after, up to `reach` of them: it leaves even motion as it is.
fn balanced<T>(values: &[T], reach: usize, sum: impl Fn(&[T]) -> T) -> Vec<T> {
    let window = |ix: usize| {
        let reach = reach.min(ix).min(values.len() - 1 - ix);
        sum(&values[ix - reach..=ix + reach])
    };
    (0..values.len()).map(window).collect()
}

/// What `sum` makes of the values round each one, up to `reach` of them either way.
fn windows<T>(values: &[T], reach: usize, sum: impl Fn(&[T]) -> T) -> Vec<T> {
    let window = |ix: usize| {
        let end = (ix + reach + 1).min(values.len());
        sum(&values[ix.saturating_sub(reach)..end])
    };
    (0..values.len()).map(window).collect()
}

#[cfg(test)]
#[cfg(feature = "viewer")]
impl Track {
    /// Of a box as large as a person that goes along X at that speed, m/s, for some seconds.
    pub fn of_a_walk(speed: f32, seconds: f32) -> Self {
        let looks = (seconds * LOOKS_PER_SECOND) as usize;
        let body = |ix: usize| {
            let at = Vec3::X * (speed * ix as f32 / LOOKS_PER_SECOND);
            let body = Bounds {
                low: at - Vec3::new(0.3, 0.0, 0.2),
                high: at + Vec3::new(0.3, 1.8, 0.2),
            };
            body.corners().to_vec()
        };
        // It faces where it goes.
        let at = |ix: usize| Vec3::new(speed * ix as f32 / LOOKS_PER_SECOND, 1.0, 0.0);
        Self {
            looks: (0..=looks).map(body).collect(),
            pelvises: (0..=looks).map(at).collect(),
            headings: vec![PI / 2.0; looks + 1],
            first_seconds: 0.0,
            look_seconds: 1.0 / LOOKS_PER_SECOND,
            is_crowd: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    /// Looks at the track below, a second.
    const LOOKS: f32 = 15.0;

    /// A box of a metre that goes along X by 3 m/s, and a tall one for a moment.
    fn track() -> Track {
        let look = |ix: usize| {
            let at = Vec3::new(0.2 * ix as f32, 0.5, 0.0);
            let tall = if (40..43).contains(&ix) { 1.0 } else { 0.0 };
            let body = Bounds {
                low: at - Vec3::splat(0.5),
                high: at + Vec3::new(0.5, 0.5 + tall, 0.5),
            };
            body.corners().to_vec()
        };
        Track {
            looks: (0..90).map(look).collect(),
            pelvises: (0..90).map(|ix| Vec3::X * (0.2 * ix as f32)).collect(),
            headings: (0..90).map(|ix| 0.1 * ix as f32).collect(),
            first_seconds: -1.0,
            look_seconds: 1.0 / LOOKS,
            is_crowd: false,
        }
    }

    const EXTENT: ash::vk::Extent2D = ash::vk::Extent2D {
        width: 600,
        height: 400,
    };

    #[test]
    fn all_of_it_is_in_the_picture_all_the_time_and_fills_it() {
        let track = track();
        let camera = track.first_camera();
        let path = track.path(&camera, 1.5, Follow::Whole);
        for (ix, points) in track.looks.iter().enumerate() {
            let camera = seen(&camera, path.at(-1.0 + ix as f32 / LOOKS));
            let pixel = |&at: &Vec3| camera.pixel_of(at, EXTENT).unwrap_or_default();
            let pixels: Vec<_> = points.iter().map(pixel).collect();
            let (low, high) = pixels
                .iter()
                .fold((pixels[0], pixels[0]), |(low, high), &at| {
                    (low.min(at), high.max(at))
                });
            assert!(low.min_element() >= 0.0, "{ix}: {low}");
            assert!(high.x <= 600.0 && high.y <= 400.0, "{ix}: {high}");
            let is_quiet = !(20..63).contains(&ix);
            assert!(!is_quiet || high.y - low.y > 250.0, "{ix}: {low} to {high}");
        }
    }

    #[test]
    fn the_camera_moves_evenly() {
        let track = track();
        let path = track.path(&track.first_camera(), 1.5, Follow::Whole);
        let at = |frame: usize| path.at(-1.0 + frame as f32 / 60.0);
        for frame in 0..350 {
            let (a, b) = (at(frame), at(frame + 1));
            assert!(
                (a.distance - b.distance).abs() < 0.1,
                "{frame}: {a:?} to {b:?}"
            );
            assert!(a.target.distance(b.target) < 0.1, "{frame}: {a:?} to {b:?}");
        }
        assert_eq!(path.at(-9.0), path.at(-1.0));
        assert_eq!(path.at(1e3), path.at(900.0));
    }

    fn seen(camera: &Camera, place: Place) -> Camera {
        let Place {
            target,
            distance,
            turn,
        } = place;
        Camera {
            target,
            distance,
            yaw: camera.yaw + turn,
            ..*camera
        }
    }

    #[test]
    fn the_pelvis_stays_in_the_middle_and_as_far_away() {
        let track = track();
        let camera = track.first_camera();
        let path = track.path(&camera, 1.5, Follow::Pelvis);
        let first = path.at(-1.0).distance;
        for (ix, &pelvis) in track.pelvises.iter().enumerate() {
            let place = path.at(-1.0 + ix as f32 / LOOKS);
            assert!(place.target.distance(pelvis) < 1e-3, "{ix}: {place:?}");
            assert_eq!((place.distance, place.turn), (first, 0.0));
        }
        let all_is_seen = |points: &Vec<Vec3>, at: &Vec3| {
            let camera = Camera {
                target: *at,
                ..camera
            };
            distance_to_see(points, &camera, 1.5) <= first
        };
        assert!(
            (track.looks.iter().zip(&track.pelvises)).all(|(points, at)| all_is_seen(points, at))
        );
    }

    #[test]
    fn it_turns_with_the_character_and_sees_all_of_it() {
        let track = track();
        let camera = track.first_camera();
        let path = track.path(&camera, 1.5, Follow::Turn);
        for (ix, &heading) in track.headings.iter().enumerate() {
            let place = path.at(-1.0 + ix as f32 / LOOKS);
            assert!((place.turn - heading).abs() < 1e-3, "{ix}: {place:?}");
            let needed = distance_to_see(&track.looks[ix], &seen(&camera, place), 1.5);
            assert!(place.distance >= needed - 1e-3, "{ix}: {place:?}");
        }
    }

    #[test]
    fn a_heading_goes_on_past_half_a_turn_and_over_a_somersault() {
        let mut last = 0.0;
        for step in 0..100 {
            let round = 0.1 * step as f32;
            let somersault = Quat::from_rotation_x(0.37 * step as f32);
            let turned = Mat4::from_quat(Quat::from_rotation_y(round) * somersault);
            last = beside(heading(turned), last);
            assert!((last - round).abs() < 1e-2, "{step}: {last} for {round}");
        }
    }
}
