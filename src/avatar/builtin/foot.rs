//! A foot flat on the floor: heel, arch, ball and five toes, pointing along +Z.

use super::sculpture::{Limb, Sculpture};
use super::shape::{Frame, Section, Shape};
use glam::Vec3;

/// Proportions of a foot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// The ankle joint, metres.
    pub ankle: Vec3,
    /// Heel to toe, metres.
    pub length: f32,
    /// Breadth; 1 = slender.
    pub breadth: f32,
    /// Height of the instep and the toes; 1 = slender.
    pub thickness: f32,
}

/// Toes from the big one outwards, in foot lengths: root and tip (outwards, forwards from the ankle) and radius.
const TOES: [([f32; 2], [f32; 2], f32); 5] = [
    ([-0.110, 0.52], [-0.118, 0.715], 0.053),
    ([-0.030, 0.53], [-0.030, 0.735], 0.038),
    ([0.036, 0.51], [0.038, 0.695], 0.036),
    ([0.096, 0.48], [0.096, 0.645], 0.034),
    ([0.148, 0.43], [0.142, 0.585], 0.034),
];

impl Foot {
    /// Where the toes bend.
    pub fn ball(&self) -> Vec3 {
        Vec3::new(
            self.ankle.x,
            0.10 * self.length * self.thickness,
            self.ankle.z + 0.47 * self.length,
        )
    }

    fn point(&self, outwards: f32, up: f32, forwards: f32) -> Vec3 {
        let l = self.length;
        let (breadth, thickness) = (self.breadth, self.thickness);
        Vec3::new(
            self.ankle.x + outwards * l * breadth,
            up * l * thickness,
            self.ankle.z + forwards * l,
        )
    }

    /// Foremost points of the toes, the big one first.
    pub fn toe_tips(&self) -> [Vec3; 5] {
        TOES.map(|(_, tip, radius)| self.point(tip[0], radius * 0.85, tip[1]))
    }

    /// Adds the foot to the figure. The shin must be there already.
    pub fn sculpt(&self, figure: &mut Sculpture, ankle_blend: f32) {
        figure.set_limb(Limb::Leg);
        let l = self.length;
        for (root, tip, radius) in TOES {
            let (r, up) = (radius * l * self.breadth, radius * 0.85);
            let root = self.point(root[0], up + 0.05, root[1]);
            let tip = self.point(tip[0], up, tip[1] - radius);
            figure.add(0.012 * l, Shape::round_cone(root, tip, r, r));
        }
        figure.add(ankle_blend, self.body());
        let arch = Frame::looking(self.point(-0.26, -0.02, 0.22), Vec3::Z, Vec3::Y);
        figure.carve(
            0.12 * l,
            Shape::ellipsoid(arch, Vec3::new(0.13 * l, 0.06 * l, 0.20 * l)),
        );
    }

    fn body(&self) -> Shape {
        let l = self.length;
        let section = |along: f32, out: f32, inn: f32, up: f32, centre: f32| {
            let (b, t) = (self.breadth, self.thickness);
            let radii = [out * l * b, inn * l * b, up * l * t, 0.2 * l * t];
            Section::four(along * l, radii)
                .at(0.0, centre * l * t)
                .square(0.25)
        };
        let sections = vec![
            section(-0.150, 0.092, 0.092, 0.12, 0.10),
            section(-0.06, 0.120, 0.120, 0.23, 0.10),
            section(0.04, 0.125, 0.130, 0.26, 0.10),
            section(0.16, 0.130, 0.140, 0.185, 0.08),
            section(0.32, 0.160, 0.160, 0.115, 0.06),
            section(0.46, 0.185, 0.172, 0.080, 0.045),
            section(0.56, 0.165, 0.160, 0.055, 0.03),
        ];
        let frame = Frame::looking(self.point(0.0, 0.0, 0.0), Vec3::Z, Vec3::Y);
        Shape::loft(frame, sections, 0.075 * l, 0.06 * l)
    }
}
