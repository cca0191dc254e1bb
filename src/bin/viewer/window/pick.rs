//! Which particle a hand takes hold of, and where it pulls it.

use glam::{Vec2, Vec3};
use radial_fields::cloth::Grab;
use radial_fields::math::triangle_tree::TriangleTree;
use radial_fields::render::{Camera, Ray};

use super::parts::Part;

/// Pixels, on a screen of scale 1, between mouse and particle: less and coarse cloth slips through the fingers, more and
/// the camera can't be turned beside it.
const REACH_POINTS: f32 = 16.0;
/// Metres that cloth may seem to lie under the skin it covers and still be taken: about its thickness and a cell.
const UNDER_SKIN: f64 = 0.03;
/// Metres of depth within which the particle nearest to the mouse counts, not the one in front.
const SAME_LAYER: f32 = 0.03;
/// Metres in depth for a notch of the wheel: a fist's width, so that a dozen bring cloth over a table.
const DEPTH_PER_NOTCH: f32 = 0.05;
/// Metres from the eye: held cloth comes no nearer.
const LEAST_DEPTH: f32 = 0.1;

/// What a click sees.
pub struct Scene<'a> {
    pub particles: &'a [Vec3],
    pub body_positions: &'a [Vec3],
    pub body_triangles: &'a [[u32; 3]],
}

/// A particle in a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    particle_ix: u32,
    /// Metres from the eye along the view: the plane it is dragged in.
    depth: f32,
}

impl Held {
    /// Takes the frontmost visible particle near the mouse, if there is one.
    ///
    /// `pixel`: where the mouse is in the window; `scale`: pixels per point.
    pub fn take(scene: &Scene, part: &Part, pixel: Vec2, scale: f32) -> Option<Self> {
        let (camera, extent, pixel) = (&part.camera, part.area.extent, part.local(pixel));
        let skin = skin_distance(scene, &camera.ray(pixel, extent));
        let eye = camera.eye();
        let near = scene
            .particles
            .iter()
            .enumerate()
            .filter_map(|(ix, &position)| {
                let apart = camera.pixel_of(position, extent)?.distance(pixel);
                let is_hidden = f64::from(eye.distance(position)) > skin + UNDER_SKIN;
                (apart < REACH_POINTS * scale && !is_hidden).then(|| Candidate {
                    ix,
                    apart,
                    depth: (position - eye).dot(forward(camera)),
                })
            });
        let near: Vec<_> = near.collect();
        let front = near
            .iter()
            .map(|candidate| candidate.depth)
            .reduce(f32::min)?;
        let in_front = near
            .iter()
            .filter(|candidate| candidate.depth <= front + SAME_LAYER);
        let taken = in_front.min_by(|a, b| a.apart.total_cmp(&b.apart))?;
        Some(Self {
            particle_ix: taken.ix as u32,
            depth: taken.depth,
        })
    }

    /// Pushes it away from the eye for positive notches of the wheel, and pulls it nearer for others.
    pub fn push(&mut self, notches: f32) {
        self.depth = (self.depth + DEPTH_PER_NOTCH * notches).max(LEAST_DEPTH);
    }

    /// Where the hand is now: under the mouse, in the plane it took the particle in or was pushed to.
    ///
    /// `radius`: metres round it that go along.
    pub fn grab(&self, part: &Part, pixel: Vec2, radius: f32) -> Grab {
        let camera = &part.camera;
        let ray = camera.ray(part.local(pixel), part.area.extent);
        let along = self.depth / ray.direction.dot(forward(camera)).max(1e-3);
        Grab {
            particle_ix: self.particle_ix,
            target: ray.origin + along * ray.direction,
            radius,
        }
    }
}

struct Candidate {
    ix: usize,
    /// Pixels from the mouse.
    apart: f32,
    depth: f32,
}

fn forward(camera: &Camera) -> Vec3 {
    (camera.target - camera.eye()).normalize_or(Vec3::NEG_Z)
}

/// Metres to the skin along the ray.
fn skin_distance(scene: &Scene, ray: &Ray) -> f64 {
    const FAR: f64 = 1e3;
    if scene.body_triangles.is_empty() {
        return FAR;
    }
    let tree = TriangleTree::new(scene.body_positions, scene.body_triangles);
    let hit = tree.first_hit(ray.origin.as_dvec3(), ray.direction.as_dvec3(), FAR);
    hit.map_or(FAR, |hit| hit.distance)
}

#[cfg(test)]
mod tests {
    use ash::vk;

    use super::*;

    /// The right half of a window.
    fn half(camera: Camera) -> Part {
        let area = vk::Rect2D {
            offset: vk::Offset2D { x: 800, y: 0 },
            extent: vk::Extent2D {
                width: 800,
                height: 600,
            },
        };
        Part { area, camera }
    }

    /// Where a point is shown in the window.
    fn pixel_of(part: &Part, at: Vec3) -> Vec2 {
        let local = part.camera.pixel_of(at, part.area.extent);
        local.unwrap_or_default() + Vec2::new(800.0, 0.0)
    }

    fn take(scene: &Scene, at: Vec3) -> Option<Held> {
        let part = half(Camera {
            yaw: 0.0,
            pitch: 0.0,
            ..Camera::default()
        });
        Held::take(scene, &part, pixel_of(&part, at), 1.0)
    }

    fn cloth(particles: &[Vec3]) -> Scene<'_> {
        Scene {
            particles,
            body_positions: &[],
            body_triangles: &[],
        }
    }

    #[test]
    fn the_layer_in_front_is_taken() {
        let centre = Camera::default().target;
        let particles = [
            centre - Vec3::Z,
            centre + Vec3::new(0.01, 0.0, 0.0),
            centre + Vec3::X,
        ];
        let held = take(&cloth(&particles), centre);
        assert_eq!(held.map(|held| held.particle_ix), Some(1));
    }

    #[test]
    fn nothing_is_taken_beside_the_cloth() {
        let centre = Camera::default().target;
        assert_eq!(take(&cloth(&[centre]), centre + 0.5 * Vec3::X), None);
        assert_eq!(take(&cloth(&[]), centre), None);
    }

    #[test]
    fn cloth_behind_skin_stays_where_it_is() {
        let centre = Camera::default().target;
        let wall = [
            Vec3::new(-1.0, -1.0, 0.5),
            Vec3::new(1.0, -1.0, 0.5),
            Vec3::new(0.0, 2.0, 0.5),
        ];
        let wall = wall.map(|corner| corner + centre);
        let scene = Scene {
            particles: &[centre],
            body_positions: &wall,
            body_triangles: &[[0, 1, 2]],
        };
        assert_eq!(take(&scene, centre), None);
    }

    #[test]
    fn the_hand_stays_under_the_mouse_at_its_depth() {
        let camera = Camera::default();
        let mut held = Held {
            particle_ix: 3,
            depth: 1.9,
        };
        held.push(2.0);
        for pixel in [Vec2::new(1200.0, 300.0), Vec2::new(820.0, 580.0)] {
            let part = half(camera);
            let grab = held.grab(&part, pixel, 0.1);
            let shown = pixel_of(&part, grab.target);
            assert!(shown.distance(pixel) < 0.1, "{shown} {pixel}");
            assert!(((grab.target - camera.eye()).dot(forward(&camera)) - 2.0).abs() < 1e-4);
        }
        held.push(-1000.0);
        assert_eq!(held.depth, LEAST_DEPTH);
    }
}
