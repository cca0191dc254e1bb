//! A hand: palm, ball of the thumb and five relaxed fingers.

use super::sculpture::{Limb, Sculpture};
use super::shape::{Frame, Section, Shape};
use glam::Vec3;

/// Proportions of a hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hand {
    /// At the wrist; along = towards the fingers, front = towards the thumb, side = out of the hand's back.
    pub frame: Frame,
    /// Wrist to the tip of the middle finger, metres.
    pub length: f32,
    /// Thickness of the fingers and the palm; 1 = slender.
    pub thickness: f32,
    /// Width across the knuckles; 1 = slender.
    pub breadth: f32,
    /// How far the fingers are bent at rest; 1 = relaxed.
    pub curl: f32,
}

/// One finger, in hand lengths.
struct Finger {
    /// The knuckle: towards the back of the hand, the thumb and the fingers.
    knuckle: [f32; 3],
    /// Lengths of the three phalanges.
    bones: [f32; 3],
    /// Towards the thumb, for a step of one along the hand.
    splay: f32,
    /// Towards the palm, for a step of one along the finger: at each of the three joints.
    curl: [f32; 3],
    /// Radius at the knuckle.
    radius: f32,
}

const FINGERS: [Finger; 5] = [
    Finger {
        knuckle: [-0.085, 0.13, 0.14],
        bones: [0.235, 0.165, 0.15],
        splay: 0.85,
        curl: [0.22, 0.12, 0.10],
        radius: 0.062,
    },
    Finger {
        knuckle: [0.0, 0.155, 0.525],
        bones: [0.225, 0.135, 0.110],
        splay: 0.11,
        curl: [0.10, 0.20, 0.14],
        radius: 0.051,
    },
    Finger {
        knuckle: [0.01, 0.045, 0.54],
        bones: [0.245, 0.150, 0.115],
        splay: 0.02,
        curl: [0.14, 0.24, 0.16],
        radius: 0.052,
    },
    Finger {
        knuckle: [0.005, -0.062, 0.52],
        bones: [0.230, 0.140, 0.115],
        splay: -0.07,
        curl: [0.18, 0.28, 0.18],
        radius: 0.050,
    },
    Finger {
        knuckle: [-0.01, -0.158, 0.475],
        bones: [0.180, 0.108, 0.10],
        splay: -0.17,
        curl: [0.20, 0.30, 0.20],
        radius: 0.044,
    },
];

impl Hand {
    fn point(&self, [back, thumb, along]: [f32; 3]) -> Vec3 {
        self.frame.point(
            back * self.length,
            thumb * self.breadth * self.length,
            along * self.length,
        )
    }

    /// Three joints and the tip of each finger, thumb first.
    pub fn finger_joints(&self) -> [[Vec3; 4]; 5] {
        FINGERS.each_ref().map(|finger| self.bend(finger))
    }

    fn bend(&self, finger: &Finger) -> [Vec3; 4] {
        let Frame {
            side: back,
            front: thumb,
            along,
            ..
        } = self.frame;
        let mut direction = (along + thumb * finger.splay).normalize();
        let mut joints = [self.point(finger.knuckle); 4];
        for k in 0..3 {
            // Each joint turns about the hinge across the finger, so the bend lies in one plane.
            let towards_palm = -(back - direction * back.dot(direction)).normalize();
            direction = (direction + towards_palm * (finger.curl[k] * self.curl)).normalize();
            joints[k + 1] = joints[k] + direction * (finger.bones[k] * self.length);
        }
        joints
    }

    /// Adds the hand to the figure. The arm must be there already.
    pub fn sculpt(&self, figure: &mut Sculpture, wrist_blend: f32) {
        for (ix, finger) in FINGERS.iter().enumerate() {
            figure.set_limb(Limb::Finger(ix));
            self.sculpt_finger(figure, finger);
        }
        figure.set_limb(Limb::Palm);
        self.sculpt_palm(figure, wrist_blend);
    }

    fn sculpt_finger(&self, figure: &mut Sculpture, finger: &Finger) {
        let joints = self.bend(finger);
        let radius = finger.radius * self.length * self.thickness;
        let taper = [1.0, 0.90, 0.80, 0.64];
        let blend = 0.35 * radius;
        for k in 0..3 {
            let (from, to) = (radius * taper[k], radius * taper[k + 1]);
            // The tip's ball ends where the finger does.
            let end = if k == 2 {
                joints[2].lerp(joints[3], 1.0 - to / joints[2].distance(joints[3]))
            } else {
                joints[k + 1]
            };
            figure.add(blend, Shape::round_cone(joints[k], end, from, to));
        }
        let knuckle = Shape::ball(joints[1], radius * 0.95);
        figure.add(blend, knuckle);
    }

    fn sculpt_palm(&self, figure: &mut Sculpture, wrist_blend: f32) {
        let l = self.length;
        let (t, b) = (self.thickness, self.breadth);
        let section = |along: f32, back: f32, palm: f32, thumb: f32, little: f32| {
            Section::four(
                along * l,
                [back * l * t, palm * l * t, thumb * b * l, little * b * l],
            )
            .square(0.35)
        };
        let sections = vec![
            section(0.0, 0.100, 0.100, 0.150, 0.145),
            section(0.14, 0.085, 0.105, 0.150, 0.160),
            section(0.30, 0.072, 0.090, 0.180, 0.188),
            section(0.44, 0.062, 0.075, 0.198, 0.198),
            section(0.53, 0.050, 0.060, 0.190, 0.180),
        ];
        figure.add(
            wrist_blend,
            Shape::loft(self.frame, sections, 0.06 * l, 0.05 * l),
        );
        let [root, knuckle, ..] = self.bend(&FINGERS[0]);
        figure.add(
            0.10 * l,
            Shape::round_cone(root, root.lerp(knuckle, 0.85), 0.088 * l * t, 0.062 * l * t),
        );
        let heel = [
            self.point([-0.055, -0.10, 0.16]),
            self.point([-0.045, -0.13, 0.36]),
        ];
        figure.add(
            0.10 * l,
            Shape::round_cone(heel[0], heel[1], 0.062 * l * t, 0.050 * l * t),
        );
    }
}
