//! The key light, the maps of what it and the sky see, and the frame's data for the shaders.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::Camera;
use crate::math::{Affine, Bounds};

/// Where the key light stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeyLight {
    /// Radians round +Y, as [`Camera::yaw`].
    pub yaw: f32,
    /// Radians above the horizon. Below about 0.3 shadows leave the picture.
    pub pitch: f32,
}

impl Default for KeyLight {
    fn default() -> Self {
        Self {
            yaw: -0.65,
            pitch: 0.85,
        }
    }
}

impl KeyLight {
    /// Unit vector from the scene towards the light.
    pub fn direction(&self) -> Vec3 {
        let level = Vec3::new(self.yaw.sin(), 0.0, self.yaw.cos());
        level * self.pitch.cos() + Vec3::Y * self.pitch.sin()
    }
}

/// How a map seen along parallel rays lies in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapFit {
    /// World to u, v from 0 to 1 and depth, 1 nearest to the light.
    pub map_from_world: Affine,
    /// Metres that 1 in u, v and depth stands for.
    pub size: Vec3,
}

/// Metres that clothes may stand off the body's fields, in parts of the body's height: a cape in the wind.
const CLOTH_REACH: f32 = 0.25;

/// Widths of the key light's map go up in steps of this factor, so that it does not shimmer as the figure moves.
const WIDTH_STEP: f32 = 1.25;

/// A box round the bodies and their clothes.
pub fn caster_bounds(bodies: Bounds) -> Bounds {
    bodies.widened(CLOTH_REACH * bodies.size().y)
}

impl MapFit {
    /// The key light's map round everything that casts shadows; it moves by whole texels.
    pub fn for_key(casters: Bounds, to_key: Vec3, texels: u32) -> Self {
        let right = Vec3::Y.cross(to_key).try_normalize().unwrap_or(Vec3::X);
        let axes = [right, to_key.cross(right), to_key];
        let diameter = casters.size().length().max(0.1);
        let width = WIDTH_STEP.powf((diameter.ln() / WIDTH_STEP.ln()).ceil());
        let texel = width / texels as f32;
        let snap = |axis: Vec3| (casters.centre().dot(axis) / texel).round() * texel;
        Self::new(axes, axes.map(snap).into(), Vec3::splat(width))
    }

    /// The map from above: as wide as it must be, from the ground to the highest point.
    pub fn for_sky(casters: Bounds, ground_height: f32, texels: u32) -> Self {
        let across = casters.size().x.max(casters.size().z).max(0.1);
        let width = WIDTH_STEP.powf((across.ln() / WIDTH_STEP.ln()).ceil());
        let texel = width / texels as f32;
        let snap = |at: f32| (at / texel).round() * texel;
        let bottom = casters.low.y.min(ground_height);
        let height = (casters.high.y - bottom).max(0.1);
        let centre = casters.centre();
        let middle = Vec3::new(snap(centre.x), snap(centre.z), bottom + 0.5 * height);
        Self::new(
            [Vec3::X, Vec3::Z, Vec3::Y],
            middle,
            Vec3::new(width, width, height),
        )
    }

    /// `axes`: unit vectors of u, v and depth; `middle`: the middle of the map along each; `size`: metres along each.
    fn new(axes: [Vec3; 3], middle: Vec3, size: Vec3) -> Self {
        let column = |axis: usize| Vec3::from(axes.map(|a| a[axis])) / size;
        Self {
            map_from_world: Affine {
                columns: [column(0), column(1), column(2), 0.5 - middle / size],
            },
            size,
        }
    }
}

/// `View` of glsl/shared/view.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct ViewData {
    pub clip_from_world: [[f32; 4]; 4],
    pub key_from_world: Affine,
    pub sky_from_world: Affine,
    pub eye: Vec3,
    pub alpha: f32,
    pub to_key: Vec3,
    pub exposure: f32,
    pub right: Vec3,
    pub ground_height: f32,
    pub target: Vec3,
    pub ground_fade: f32,
    pub key_size: Vec3,
    pub key_texel: f32,
    pub sky_size: Vec3,
    pub unused: f32,
    pub pixels: Vec2,
    pub pixel_offset: Vec2,
}

/// The ground fades away over this many times the camera's distance.
const GROUND_REACH: f32 = 4.0;

impl ViewData {
    /// What the camera determines; the caller fills in the rest.
    pub fn of_camera(camera: &Camera, pixels: Vec2) -> Self {
        let view_from_world = camera.view_from_world();
        let clip_from_world = camera.clip_from_world(pixels.x / pixels.y);
        Self {
            clip_from_world: clip_from_world.to_cols_array_2d(),
            eye: camera.eye(),
            right: view_from_world.row(0).truncate(),
            target: camera.target,
            ground_fade: GROUND_REACH * camera.distance.max(1.0),
            pixels,
            ..Self::zeroed()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::shaders;

    fn figure() -> Bounds {
        Bounds {
            low: Vec3::new(-0.6, 0.0, -0.3),
            high: Vec3::new(0.7, 1.8, 0.4),
        }
    }

    #[test]
    fn the_layout_is_the_shaders() {
        let layout = shaders::RENDER_BODY_FRAG
            .structs
            .iter()
            .find(|s| s.name == "View");
        let members = layout.map(|layout| layout.members).unwrap_or_default();
        let offset_of = |name: &str| {
            members
                .iter()
                .find(|(member, _)| *member == name)
                .map(|m| m.1 as usize)
        };
        assert_eq!(
            offset_of("sky_from_world"),
            Some(std::mem::offset_of!(ViewData, sky_from_world))
        );
        assert_eq!(
            offset_of("alpha"),
            Some(std::mem::offset_of!(ViewData, alpha))
        );
        assert_eq!(
            offset_of("target"),
            Some(std::mem::offset_of!(ViewData, target))
        );
        assert_eq!(
            offset_of("key_texel"),
            Some(std::mem::offset_of!(ViewData, key_texel))
        );
        assert_eq!(
            offset_of("pixel_offset"),
            Some(std::mem::offset_of!(ViewData, pixel_offset))
        );
    }

    #[test]
    fn every_caster_is_on_both_maps() {
        let casters = caster_bounds(figure());
        let key = MapFit::for_key(casters, KeyLight::default().direction(), 2048);
        let sky = MapFit::for_sky(casters, 0.0, 512);
        for corner in 0..8 {
            let pick = |axis: usize| [casters.low, casters.high][corner >> axis & 1][axis];
            let point = Vec3::new(pick(0), pick(1), pick(2));
            for fit in [key, sky] {
                let at = fit.map_from_world.transform_point(point);
                assert!(
                    at.min_element() >= -1e-3 && at.max_element() <= 1.001,
                    "{at}"
                );
            }
        }
    }

    #[test]
    fn nearer_to_the_light_is_deeper() {
        let to_key = KeyLight::default().direction();
        let fit = MapFit::for_key(figure(), to_key, 2048);
        let depth = |point: Vec3| fit.map_from_world.transform_point(point).z;
        let gained = (depth(to_key) - depth(Vec3::ZERO)) * fit.size.z;
        assert!((gained - 1.0).abs() < 1e-4);
    }

    #[test]
    fn a_small_step_moves_the_map_by_whole_texels() {
        let to_key = KeyLight::default().direction();
        let place = |step: f32| {
            let moved = Bounds {
                low: figure().low + step,
                high: figure().high + step,
            };
            let fit = MapFit::for_key(moved, to_key, 2048);
            fit.map_from_world.transform_point(Vec3::ZERO).truncate() * 2048.0
        };
        let moved = place(0.0131) - place(0.0);
        assert!(
            (moved - moved.round()).abs().max_element() < 0.02,
            "{moved}"
        );
    }
}
