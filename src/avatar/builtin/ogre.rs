//! An ogre: 4 m, hunched, barrel and belly, arms down to its knees, a small head with brow, jaw and tusks.

use super::figure::Figure;
use super::foot::Foot;
use super::hand::Hand;
use super::rig::Joints;
use super::sculpture::{Limb, Sculpture};
use super::shape::{Frame, Section, Shape};
use super::surface::Bounds;
use super::weigh::Ramps;
use glam::{Vec3, vec3};

pub(super) const HEIGHT: f32 = 4.0;

/// Indices of the materials; skin is 0.
const LEATHER: usize = 1;
const BONE: usize = 2;
const EYE: usize = 3;

const COLOURS: [[f32; 4]; 4] = [
    [0.165, 0.190, 0.118, 1.0],
    [0.055, 0.033, 0.02, 1.0],
    [0.55, 0.47, 0.32, 1.0],
    [0.75, 0.42, 0.05, 1.0],
];

const HAND_LENGTH: f32 = 0.60;
const FOOT_LENGTH: f32 = 0.74;

const RAMPS: Ramps = Ramps {
    spine: 0.22,
    neck: 0.14,
    head: 0.10,
    clavicle: 0.22,
    shoulder: 0.24,
    elbow: 0.15,
    wrist: 0.11,
    knuckle: 0.035,
    hip: 0.22,
    knee: 0.16,
    ankle: 0.12,
    ball: 0.07,
    crotch: 0.07,
    armpit: 0.14,
};

pub(super) fn figure() -> Figure {
    let joints = joints();
    Figure {
        name: "ogre",
        sculpture: sculpture(&joints),
        joints,
        ramps: RAMPS,
        head_normal: vec3(0.0, 0.6, 0.8),
        bounds: Bounds {
            width: 2.6,
            back: -0.75,
            front: 1.05,
        },
        colours: COLOURS.to_vec(),
    }
}

fn joints() -> Joints {
    let upperarm = vec3(0.80, 3.10, -0.02);
    let lowerarm = upperarm + vec3(0.70, -0.712, -0.04).normalize() * 0.86;
    let hand = lowerarm + vec3(0.66, -0.74, 0.17).normalize() * 0.80;
    let foot = vec3(0.50, 0.22, -0.12);
    Joints {
        pelvis: vec3(0.0, 1.58, -0.05),
        spine: [
            vec3(0.0, 1.85, -0.06),
            vec3(0.0, 2.28, -0.10),
            vec3(0.0, 2.75, -0.12),
        ],
        neck: vec3(0.0, 3.32, 0.08),
        head: vec3(0.0, 3.53, 0.33),
        clavicle: vec3(0.12, 3.16, 0.08),
        upperarm,
        lowerarm,
        hand,
        fingers: palm(lowerarm, hand).finger_joints(),
        thigh: vec3(0.32, 1.42, -0.04),
        calf: vec3(0.45, 0.82, 0.06),
        foot,
        ball: sole(foot).ball(),
    }
}

fn palm(lowerarm: Vec3, hand: Vec3) -> Hand {
    let frame = Frame::looking(hand, hand - lowerarm, vec3(-0.1, 0.0, 1.0));
    Hand {
        frame,
        length: HAND_LENGTH,
        thickness: 1.5,
        breadth: 1.5,
        curl: 1.5,
    }
}

fn sole(ankle: Vec3) -> Foot {
    Foot {
        ankle,
        length: FOOT_LENGTH,
        breadth: 1.45,
        thickness: 1.15,
    }
}

fn sculpture(joints: &Joints) -> Sculpture {
    let mut figure = Sculpture::new(HEIGHT);
    sculpt_trunk(&mut figure);
    sculpt_head(&mut figure);
    sculpt_arm(&mut figure, joints);
    palm(joints.lowerarm, joints.hand).sculpt(&mut figure, 0.12);
    sculpt_leg(&mut figure, joints);
    sole(joints.foot).sculpt(&mut figure, 0.16);
    dress(&mut figure, joints);
    figure
}

fn sculpt_trunk(figure: &mut Sculpture) {
    figure.set_limb(Limb::Trunk);
    // Downwards from the nape: side, front, back, how far forward the middle is.
    let sections = vec![
        Section::even(0.00, 0.40, 0.24, 0.30, -0.02),
        Section::even(0.15, 0.62, 0.36, 0.44, -0.03),
        Section::even(0.35, 0.74, 0.45, 0.47, -0.03),
        Section::even(0.60, 0.72, 0.46, 0.44, -0.02),
        Section::even(0.90, 0.64, 0.46, 0.41, 0.00),
        Section::even(1.15, 0.59, 0.46, 0.37, 0.02),
        Section::even(1.40, 0.60, 0.44, 0.36, 0.02),
        Section::even(1.60, 0.60, 0.40, 0.37, 0.00),
        Section::even(1.80, 0.52, 0.34, 0.37, -0.02),
        Section::even(1.98, 0.34, 0.24, 0.28, -0.03),
    ];
    figure.add(
        0.0,
        Shape::loft(Frame::upright(vec3(0.0, 3.35, 0.0)), sections, 0.12, 0.10),
    );
    let belly = Frame::upright(vec3(0.0, 1.98, 0.20));
    figure.add(0.20, Shape::ellipsoid(belly, vec3(0.56, 0.46, 0.48)));
    figure.carve(0.07, Shape::ball(vec3(0.0, 1.98, 0.70), 0.055));
    let chest = Frame::looking(vec3(0.33, 2.84, 0.30), vec3(0.30, -1.0, 0.12), Vec3::Z);
    figure.add_pair(0.14, 0.08, Shape::ellipsoid(chest, vec3(0.34, 0.17, 0.25)));
    let hump = Frame::looking(vec3(0.0, 3.20, -0.26), vec3(0.0, -1.0, -0.35), Vec3::Z);
    figure.add(0.30, Shape::ellipsoid(hump, vec3(0.56, 0.32, 0.44)));
    figure.add_pair(
        0.20,
        0.15,
        Shape::round_cone(vec3(0.16, 3.44, -0.04), vec3(0.72, 3.24, -0.06), 0.19, 0.22),
    );
    let shoulder_blade =
        Frame::looking(vec3(0.36, 2.96, -0.37), vec3(0.25, -1.0, 0.05), Vec3::NEG_Z);
    figure.add_pair(
        0.34,
        0.10,
        Shape::ellipsoid(shoulder_blade, vec3(0.24, 0.10, 0.34)),
    );
    let seat = Frame::looking(vec3(0.27, 1.42, -0.26), vec3(0.1, -1.0, 0.1), Vec3::NEG_Z);
    figure.add_pair(0.16, 0.06, Shape::ellipsoid(seat, vec3(0.29, 0.24, 0.30)));
}

fn sculpt_head(figure: &mut Sculpture) {
    figure.set_limb(Limb::Head);
    figure.add(
        0.22,
        Shape::round_cone(vec3(0.0, 3.22, -0.04), vec3(0.0, 3.58, 0.30), 0.30, 0.24),
    );
    let skull = Frame::looking(vec3(0.0, 3.735, 0.38), vec3(0.0, -1.0, 0.25), Vec3::Z);
    figure.add(0.08, Shape::ellipsoid(skull, vec3(0.215, 0.27, 0.265)));
    let jaw = Frame::upright(vec3(0.0, 3.545, 0.50));
    figure.add(0.08, Shape::ellipsoid(jaw, vec3(0.235, 0.235, 0.155)));
    let chin = Frame::looking(vec3(0.0, 3.475, 0.655), vec3(1.0, 0.0, 0.0), Vec3::Z);
    figure.add(0.08, Shape::ellipsoid(chin, vec3(0.075, 0.085, 0.150)));
    let cheek = Frame::looking(vec3(0.165, 3.625, 0.545), vec3(0.6, 0.0, -0.8), Vec3::Y);
    figure.add_pair(0.06, 0.02, Shape::ellipsoid(cheek, vec3(0.06, 0.055, 0.10)));
    sculpt_features(figure);
    let ear = Frame::looking(
        vec3(0.285, 3.705, 0.335),
        vec3(0.9, 0.35, -0.5),
        vec3(0.3, 0.0, 1.0),
    );
    figure.add(0.03, Shape::ellipsoid(ear, vec3(0.075, 0.032, 0.17)));
    let shell = Frame {
        origin: ear.point(0.0, 0.034, 0.02),
        ..ear
    };
    figure.carve(0.02, Shape::ellipsoid(shell, vec3(0.045, 0.024, 0.105)));
}

fn sculpt_features(figure: &mut Sculpture) {
    let socket = Frame::looking(vec3(0.105, 3.672, 0.655), vec3(0.35, 0.0, 1.0), Vec3::Y);
    figure.carve(0.05, Shape::ellipsoid(socket, vec3(0.072, 0.048, 0.075)));
    figure.add_pair(
        0.04,
        0.04,
        Shape::round_cone(
            vec3(0.03, 3.738, 0.655),
            vec3(0.19, 3.752, 0.56),
            0.048,
            0.042,
        ),
    );
    figure.add(
        0.05,
        Shape::round_cone(
            vec3(0.0, 3.715, 0.635),
            vec3(0.0, 3.625, 0.695),
            0.040,
            0.058,
        ),
    );
    figure.add_pair(0.03, 0.02, Shape::ball(vec3(0.058, 3.608, 0.665), 0.040));
    let mouth = Frame::looking(vec3(0.0, 3.540, 0.705), vec3(0.0, -1.0, 0.2), Vec3::Z);
    figure.carve(0.03, Shape::ellipsoid(mouth, vec3(0.165, 0.085, 0.014)));
    figure.add(
        0.03,
        Shape::round_cone(
            vec3(-0.09, 3.508, 0.700),
            vec3(0.09, 3.508, 0.700),
            0.030,
            0.030,
        ),
    );
    figure.set_part(EYE);
    figure.add(0.0, Shape::ball(vec3(0.104, 3.670, 0.588), 0.040));
    figure.set_part(BONE);
    figure.add(
        0.0,
        Shape::round_cone(
            vec3(0.118, 3.495, 0.680),
            vec3(0.135, 3.635, 0.725),
            0.030,
            0.008,
        ),
    );
    figure.set_part(0);
}

fn sculpt_arm(figure: &mut Sculpture, joints: &Joints) {
    figure.set_limb(Limb::Arm);
    let shoulder = joints.upperarm;
    let frame = Frame::looking(shoulder, joints.lowerarm - shoulder, Vec3::Z);
    let upper = vec![
        Section::four(0.00, [0.23, 0.23, 0.24, 0.24]),
        Section::four(0.20, [0.23, 0.23, 0.25, 0.24]),
        Section::four(0.42, [0.20, 0.21, 0.24, 0.22]),
        Section::four(0.68, [0.16, 0.16, 0.175, 0.17]),
        Section::four(0.86, [0.15, 0.15, 0.150, 0.155]),
    ];
    figure.add(0.16, Shape::loft(frame, upper, 0.18, 0.10));
    let cap = Frame::looking(
        shoulder + vec3(0.05, 0.0, 0.0),
        vec3(0.62, -0.78, 0.0),
        Vec3::Z,
    );
    figure.add(0.18, Shape::ellipsoid(cap, vec3(0.26, 0.30, 0.36)));
    let frame = Frame::looking(joints.lowerarm, joints.hand - joints.lowerarm, Vec3::Z);
    let lower = vec![
        Section::four(-0.05, [0.145, 0.145, 0.145, 0.150]),
        Section::four(0.08, [0.175, 0.165, 0.170, 0.165]),
        Section::four(0.26, [0.200, 0.185, 0.200, 0.185]),
        Section::four(0.48, [0.165, 0.160, 0.175, 0.165]),
        Section::four(0.68, [0.120, 0.120, 0.145, 0.140]),
        Section::four(0.80, [0.105, 0.105, 0.135, 0.130]),
    ];
    figure.add(0.08, Shape::loft(frame, lower, 0.10, 0.05));
}

fn sculpt_leg(figure: &mut Sculpture, joints: &Joints) {
    figure.set_limb(Limb::Leg);
    let frame = Frame::looking(joints.thigh, joints.calf - joints.thigh, Vec3::Z);
    let thigh = vec![
        Section::four(0.00, [0.20, 0.25, 0.25, 0.25]),
        Section::four(0.14, [0.26, 0.31, 0.31, 0.29]),
        Section::four(0.30, [0.26, 0.27, 0.31, 0.28]),
        Section::four(0.50, [0.21, 0.21, 0.24, 0.22]),
        Section::four(0.62, [0.19, 0.19, 0.20, 0.20]),
    ];
    figure.add(0.24, Shape::loft(frame, thigh, 0.20, 0.12));
    let frame = Frame::looking(joints.calf, joints.foot - joints.calf, Vec3::Z);
    let shin = vec![
        Section::four(-0.08, [0.185, 0.185, 0.19, 0.19]),
        Section::four(0.05, [0.190, 0.185, 0.18, 0.20]),
        Section::four(0.20, [0.215, 0.205, 0.18, 0.25]),
        Section::four(0.38, [0.180, 0.175, 0.165, 0.20]),
        Section::four(0.54, [0.145, 0.140, 0.15, 0.15]),
        Section::four(0.63, [0.145, 0.140, 0.15, 0.16]),
    ];
    figure.add(0.08, Shape::loft(frame, shin, 0.12, 0.10));
    let knee = Frame::upright(joints.calf + vec3(0.0, 0.02, 0.14));
    figure.add(0.10, Shape::ellipsoid(knee, vec3(0.11, 0.07, 0.13)));
}

/// Leather on hips and wrists, and nails.
fn dress(figure: &mut Sculpture, joints: &Joints) {
    figure.paint(
        LEATHER,
        Shape::band(Frame::upright(vec3(0.0, 1.36, 0.0)), 0.31, 1.1),
    );
    let forearm = joints.hand - joints.lowerarm;
    let cuff = Frame::looking(joints.lowerarm + 0.80 * forearm, forearm, Vec3::Z);
    figure.paint(LEATHER, Shape::band(cuff, 0.11, 0.35));
    for [.., last, tip] in joints.fingers {
        let along = (tip - last).normalize();
        let back = palm(joints.lowerarm, joints.hand).frame.side;
        let nail = Frame::looking(tip + 0.024 * back - 0.018 * along, along, back);
        figure.paint(BONE, Shape::ellipsoid(nail, vec3(0.024, 0.024, 0.036)));
    }
    for tip in sole(joints.foot).toe_tips() {
        figure.paint(BONE, Shape::ball(tip + vec3(0.0, 0.045, 0.0), 0.036));
    }
}
