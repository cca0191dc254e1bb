//! Colour by region: where hair, brows and underwear end, and what colour each region has.
//!
//! Each line is the zero of a level function over bind space: positive inside the region, in metres, about the
//! distance to the line. The mesh is cut there, so that lines are smooth whatever the triangles do.
//! All sizes are for a stature of 1.75 m and scale with it.

use super::seal::Eyeball;
use super::shape::Gender;
use super::surface::Region;
use glam::{Vec2, Vec3};

/// How far hair and brows go beyond their outlines, into skin that their pictures show: there they end hair by hair.
const HAIR_FRINGE: f32 = 0.012;
const BROW_FRINGE: f32 = 0.003;
/// How much of its thickness hair stands off more in one tuft than in another.
const TUFTS: f32 = 0.7;
/// The hair's outline over the azimuth round the head (degrees from the face, either side): height over the eyes.
const HAIRLINE: [(f32, f32); 10] = [
    (0.0, 0.070),
    (18.0, 0.073),
    (36.0, 0.070),
    (60.0, 0.028),
    (67.0, 0.022),
    (76.0, -0.012),
    (86.0, -0.018),
    (115.0, -0.028),
    (145.0, -0.060),
    (180.0, -0.070),
];

/// Points of a character that its regions are measured from, in metres.
pub struct Landmarks {
    pub gender: Gender,
    pub stature: f32,
    pub eyes: [Eyeball; 2],
    pub head: Vec3,
    pub pelvis: Vec3,
    pub chest: Vec3,
    /// Left thigh and left upper arm; the right ones mirror them.
    pub thigh: Vec3,
    pub upperarm: Vec3,
}

/// The regions to cut in, in order, with the region each is cut out of.
pub const CUTS: [(Region, Region); 3] = [
    (Region::Brow, Region::Skin),
    (Region::Hair, Region::Skin),
    (Region::Cloth, Region::Skin),
];

impl Landmarks {
    /// The level function of a region that [`CUTS`] lists.
    pub fn level(&self, region: Region, p: Vec3) -> f32 {
        match region {
            Region::Brow => self.brow(p) + BROW_FRINGE,
            Region::Hair => self.hair(p) + HAIR_FRINGE * self.unit(),
            _ => self.cloth(p),
        }
    }

    /// Of a person of 1.75 m.
    pub fn unit(&self) -> f32 {
        self.stature / 1.75
    }

    /// An arch over each eye, thinning outwards.
    fn brow(&self, p: Vec3) -> f32 {
        let eye = self.eyes[0].centre;
        if p.z < eye.z {
            return -0.01;
        }
        self.brow_level(Vec2::new(p.x.abs() - eye.x, p.y - eye.y) / self.unit())
    }

    /// The same of a point beside and over the middle of the left eye.
    pub fn brow_level(&self, side: Vec2) -> f32 {
        let along = ((side.x + 0.016) / 0.043).clamp(0.0, 1.0);
        let arch = Vec2::new(
            -0.016 + 0.043 * along,
            0.0195 + 0.0055 * (along * 2.8).sin() - 0.003 * along,
        );
        let half_width = match self.gender {
            Gender::Male => 0.0038,
            Gender::Female => 0.0030,
        } * (1.0 - 0.55 * along * along);
        half_width - side.distance(arch)
    }

    /// Metres over the hairline.
    pub fn hair(&self, p: Vec3) -> f32 {
        let unit = self.unit();
        let eye = self.eyes[0].centre;
        let from_axis = (p - Vec3::new(0.0, eye.y, self.head.z)) / unit;
        let azimuth = from_axis.x.abs().atan2(from_axis.z).to_degrees();
        let over_line = from_axis.y - interpolated(&HAIRLINE, azimuth);
        over_line.min(self.beyond_ear(from_axis))
    }

    /// Distance outside an ellipsoid round each ear; `from_axis` is relative to the head's axis at eye height.
    fn beyond_ear(&self, from_axis: Vec3) -> f32 {
        let offset = Vec3::new(
            from_axis.x.abs() - 0.085,
            from_axis.y + 0.022,
            from_axis.z + 0.002,
        );
        ((offset / Vec3::new(0.022, 0.042, 0.027)).length() - 1.0) * 0.027
    }

    /// How far hair stands off the scalp, from 0 at its line; the woman wears a bun.
    pub fn hair_thickness(&self, p: Vec3) -> f32 {
        let unit = self.unit();
        let height = ((p.y - self.eyes[0].centre.y) / unit / 0.12).clamp(0.0, 1.0);
        let (side, top) = match self.gender {
            Gender::Male => (0.004, 0.015),
            Gender::Female => (0.005, 0.012),
        };
        let rise = smooth_step(self.hair(p) / unit / 0.016);
        let tufts = 1.0 + TUFTS * (self.tuft(p) - 0.5);
        (side + (top - side) * height) * unit * rise * tufts + self.bun(p)
    }

    fn bun(&self, p: Vec3) -> f32 {
        if self.gender == Gender::Male {
            return 0.0;
        }
        let middle = Vec3::new(0.0, self.eyes[0].centre.y, self.head.z)
            + Vec3::new(0.0, 0.066, -0.085) * self.unit();
        let distance = p.distance(middle) / (0.048 * self.unit());
        0.038 * self.unit() * (1.0 - distance * distance).max(0.0)
    }

    /// Shorts for both, a crop top for the woman.
    fn cloth(&self, p: Vec3) -> f32 {
        let shorts = self.shorts(p);
        match self.gender {
            Gender::Male => shorts,
            Gender::Female => shorts.max(self.top(p)),
        }
    }

    fn shorts(&self, p: Vec3) -> f32 {
        let unit = self.unit();
        let below_waist = self.pelvis.y + 0.055 * unit - p.y;
        let above_hem = p.y - (self.thigh.y - 0.15 * unit);
        let off_hands = 0.26 * unit - p.x.abs();
        below_waist.min(above_hem).min(off_hands)
    }

    fn top(&self, p: Vec3) -> f32 {
        let unit = self.unit();
        let above_hem = p.y - (self.chest.y - 0.045 * unit);
        let below_neckline = self.upperarm.y - 0.035 * unit - p.y;
        let strap = 0.017 * unit - (p.x.abs() - 0.085 * unit).abs();
        let off_arm = Vec2::new(
            p.x.abs() - self.upperarm.x - 0.01 * unit,
            (p.y - self.upperarm.y) * 0.62,
        )
        .length()
            - 0.072 * unit;
        let inside_arm = self.upperarm.x - 0.012 * unit - p.x.abs();
        let below_neck = self.upperarm.y + 0.09 * unit - p.y;
        above_hem
            .min(below_neckline.max(strap))
            .min(off_arm)
            .min(inside_arm)
            .min(below_neck)
    }
}

/// 0 below 0, 1 above 1, level at both.
fn smooth_step(at: f32) -> f32 {
    let at = at.clamp(0.0, 1.0);
    at * at * (3.0 - 2.0 * at)
}

/// A smooth function through its (argument, value) knots, level at each and beyond them.
fn interpolated(knots: &[(f32, f32)], at: f32) -> f32 {
    let after = knots
        .iter()
        .position(|&(x, _)| x > at)
        .unwrap_or(knots.len());
    match (after.checked_sub(1).map(|ix| knots[ix]), knots.get(after)) {
        (Some((x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * (at - x0) / (x1 - x0),
        (Some((_, y)), None) | (None, Some(&(_, y))) => y,
        (None, None) => 0.0,
    }
}

/// Linear RGBA. The skin is between the lightest and the darkest there is, as the ancestries are blended.
pub fn colour(region: Region, gender: Gender) -> [f32; 4] {
    let [r, g, b] = match (region, gender) {
        (Region::Skin, _) => [0.482, 0.262, 0.165],
        (Region::Lips, Gender::Male) => [0.361, 0.143, 0.102],
        (Region::Lips, Gender::Female) => [0.366, 0.107, 0.089],
        (Region::Lash, _) => [0.012, 0.009, 0.008],
        (Region::EyeWhite, _) => [0.70, 0.66, 0.62],
        (Region::Brow, _) => [0.050, 0.028, 0.018],
        (Region::Hair, _) => [0.040, 0.024, 0.016],
        (Region::Cloth, _) => [0.042, 0.048, 0.060],
    };
    [r, g, b, 1.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knots_are_met_and_ends_are_held() {
        let knots = [(0.0, 1.0), (2.0, 3.0)];
        assert_eq!(
            [-1.0, 0.0, 1.0, 2.0, 9.0].map(|at| interpolated(&knots, at)),
            [1.0, 1.0, 2.0, 3.0, 3.0]
        );
    }
}
