//! The CPU twin of glsl/cloth/brush.glsl: how firmly a hand holds the cloth round the particle between its fingers.

use glam::Vec3;

use super::Grab;

/// `WIDENING` and `WIDEST` of glsl/cloth/brush.glsl.
const WIDENING: f32 = 1.25;
const WIDEST: f32 = 3.0;

/// Where skinning puts a particle, world space, with its unit normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct SkinnedPlace {
    pub position: Vec3,
    pub normal: Vec3,
}

impl Grab {
    /// Where the hand wants a particle of its garment, and how firmly: 0 for not at all, 1 for what is between its fingers.
    pub(super) fn brushed(&self, place: SkinnedPlace, grabbed: SkinnedPlace) -> (Vec3, f32) {
        let pull = self.target - grabbed.position;
        let apart = place.position - grabbed.position;
        let reach = (WIDENING * pull.length()).clamp(self.radius, WIDEST * self.radius);
        let nearness = (1.0 - apart.dot(apart) / (reach * reach)).max(0.0);
        let alignment = place.normal.dot(grabbed.normal);
        let firmness = nearness * nearness * (2.0 * alignment).clamp(0.0, 1.0);
        (place.position + pull * firmness, firmness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn firmness(apart: Vec3, normal: Vec3, pull: f32) -> f32 {
        let at = |position, normal| SkinnedPlace { position, normal };
        let grab = Grab {
            particle_ix: 0,
            target: pull * Vec3::Z,
            radius: 0.1,
        };
        grab.brushed(at(apart, normal), at(Vec3::ZERO, Vec3::Z)).1
    }

    #[test]
    fn the_hold_falls_off_to_nothing_at_the_radius_and_behind_the_limb() {
        let along = |metres: f32| firmness(metres * Vec3::X, Vec3::Z, 0.0);
        assert_eq!(along(0.0), 1.0);
        let falling: Vec<f32> = (0..=11).map(|ix| along(0.01 * ix as f32)).collect();
        assert!(
            falling.windows(2).all(|pair| pair[1] <= pair[0]),
            "{falling:?}"
        );
        assert_eq!(along(0.11), 0.0);
        assert_eq!(firmness(0.01 * Vec3::X, -Vec3::Z, 0.0), 0.0);
    }

    #[test]
    fn a_brush_that_pulls_far_takes_more_along_but_not_everything() {
        assert!(firmness(0.15 * Vec3::X, Vec3::Z, 0.2) > 0.1);
        assert_eq!(firmness(0.31 * Vec3::X, Vec3::Z, 9.0), 0.0);
    }
}
