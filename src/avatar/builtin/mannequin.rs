//! A shop-window mannequin: 1.75 m, eight heads, arms half way down, ivory with walnut rings at its joints.

use super::figure::Figure;
use super::foot::Foot;
use super::hand::Hand;
use super::rig::Joints;
use super::sculpture::{Limb, Sculpture};
use super::shape::{Frame, Section, Shape};
use super::surface::Bounds;
use super::weigh::Ramps;
use glam::{Vec3, vec3};

pub(super) const HEIGHT: f32 = 1.75;

/// Index of the material of the rings.
const RING: usize = 1;

const IVORY: [f32; 4] = [0.76, 0.69, 0.58, 1.0];
const WALNUT: [f32; 4] = [0.16, 0.085, 0.045, 1.0];

const HAND_LENGTH: f32 = 0.183;
const FOOT_LENGTH: f32 = 0.252;

const RAMPS: Ramps = Ramps {
    spine: 0.065,
    neck: 0.035,
    head: 0.03,
    clavicle: 0.06,
    shoulder: 0.055,
    elbow: 0.032,
    wrist: 0.026,
    knuckle: 0.0075,
    hip: 0.07,
    knee: 0.045,
    ankle: 0.032,
    ball: 0.022,
    crotch: 0.02,
    armpit: 0.035,
};

pub(super) fn figure() -> Figure {
    let joints = joints();
    Figure {
        name: "mannequin",
        sculpture: sculpture(&joints),
        joints,
        ramps: RAMPS,
        head_normal: vec3(0.0, 0.8, 0.5),
        bounds: Bounds {
            width: 0.75,
            back: -0.22,
            front: 0.26,
        },
        colours: vec![IVORY, WALNUT],
    }
}

fn joints() -> Joints {
    let upperarm = vec3(0.176, 1.408, -0.022);
    let lowerarm = upperarm + vec3(0.70, -0.712, -0.03).normalize() * 0.282;
    let hand = lowerarm + vec3(0.69, -0.72, 0.10).normalize() * 0.252;
    let foot = vec3(0.128, 0.083, -0.035);
    Joints {
        pelvis: vec3(0.0, 0.955, -0.005),
        spine: [
            vec3(0.0, 1.045, 0.0),
            vec3(0.0, 1.15, -0.005),
            vec3(0.0, 1.27, -0.02),
        ],
        neck: vec3(0.0, 1.455, -0.03),
        head: vec3(0.0, 1.548, -0.012),
        clavicle: vec3(0.022, 1.425, 0.0),
        upperarm,
        lowerarm,
        hand,
        fingers: palm(lowerarm, hand).finger_joints(),
        thigh: vec3(0.092, 0.908, -0.005),
        calf: vec3(0.113, 0.488, 0.0),
        foot,
        ball: sole(foot).ball(),
    }
}

fn palm(lowerarm: Vec3, hand: Vec3) -> Hand {
    let frame = Frame::looking(hand, hand - lowerarm, vec3(-0.1, 0.0, 1.0));
    Hand {
        frame,
        length: HAND_LENGTH,
        thickness: 1.0,
        breadth: 1.0,
        curl: 1.0,
    }
}

fn sole(ankle: Vec3) -> Foot {
    Foot {
        ankle,
        length: FOOT_LENGTH,
        breadth: 1.0,
        thickness: 1.0,
    }
}

fn sculpture(joints: &Joints) -> Sculpture {
    let mut figure = Sculpture::new(HEIGHT);
    sculpt_trunk(&mut figure);
    sculpt_head(&mut figure);
    sculpt_arm(&mut figure, joints);
    palm(joints.lowerarm, joints.hand).sculpt(&mut figure, 0.03);
    sculpt_leg(&mut figure, joints);
    sole(joints.foot).sculpt(&mut figure, 0.045);
    add_rings(&mut figure, joints);
    figure
}

fn sculpt_trunk(figure: &mut Sculpture) {
    figure.set_limb(Limb::Trunk);
    // Downwards from the pit of the neck: side, front, back, how far forward the middle is.
    let sections = vec![
        Section::even(0.00, 0.060, 0.045, 0.050, -0.025),
        Section::even(0.025, 0.100, 0.062, 0.068, -0.025),
        Section::even(0.07, 0.142, 0.086, 0.088, -0.022),
        Section::even(0.13, 0.156, 0.108, 0.098, -0.018),
        Section::even(0.19, 0.153, 0.112, 0.098, -0.014),
        Section::even(0.27, 0.141, 0.102, 0.088, -0.006),
        Section::even(0.35, 0.128, 0.092, 0.076, 0.002),
        Section::even(0.40, 0.126, 0.088, 0.076, 0.004),
        Section::even(0.46, 0.134, 0.088, 0.086, 0.000),
        Section::even(0.52, 0.146, 0.088, 0.094, -0.004),
        Section::even(0.565, 0.142, 0.082, 0.090, -0.006),
        Section::even(0.60, 0.110, 0.066, 0.072, -0.004),
    ];
    let frame = Frame::upright(vec3(0.0, 1.455, 0.0));
    let sections = sections.into_iter().map(|s| s.square(0.25)).collect();
    figure.add(0.0, Shape::loft(frame, sections, 0.03, 0.035));
    sculpt_chest(figure);
    sculpt_seat(figure);
}

fn sculpt_chest(figure: &mut Sculpture) {
    let chest = Frame::looking(vec3(0.066, 1.325, 0.056), vec3(0.35, -1.0, 0.10), Vec3::Z);
    figure.add_pair(
        0.06,
        0.02,
        Shape::ellipsoid(chest, vec3(0.074, 0.034, 0.060)),
    );
    let shoulder_blade = Frame::looking(
        vec3(0.078, 1.335, -0.085),
        vec3(0.25, -1.0, 0.05),
        Vec3::NEG_Z,
    );
    figure.add_pair(
        0.05,
        0.03,
        Shape::ellipsoid(shoulder_blade, vec3(0.045, 0.028, 0.07)),
    );
    // Trapezius and the ridge of the collar bone.
    figure.add_pair(
        0.05,
        0.04,
        Shape::round_cone(
            vec3(0.025, 1.475, -0.038),
            vec3(0.155, 1.428, -0.03),
            0.034,
            0.030,
        ),
    );
    figure.add_pair(
        0.03,
        0.015,
        Shape::round_cone(
            vec3(0.020, 1.428, 0.030),
            vec3(0.150, 1.444, -0.004),
            0.008,
            0.010,
        ),
    );
}

fn sculpt_seat(figure: &mut Sculpture) {
    let seat = Frame::looking(
        vec3(0.076, 0.905, -0.062),
        vec3(0.1, -1.0, 0.1),
        Vec3::NEG_Z,
    );
    figure.add_pair(
        0.05,
        0.02,
        Shape::ellipsoid(seat, vec3(0.074, 0.062, 0.082)),
    );
}

fn sculpt_head(figure: &mut Sculpture) {
    figure.set_limb(Limb::Head);
    let neck = vec![
        Section::even(0.0, 0.060, 0.054, 0.056, 0.0),
        Section::even(0.04, 0.050, 0.048, 0.049, 0.0),
        Section::even(0.09, 0.047, 0.046, 0.048, 0.0),
        Section::even(0.15, 0.050, 0.048, 0.052, 0.0),
    ];
    let frame = Frame::looking(vec3(0.0, 1.435, -0.034), vec3(0.0, 1.0, 0.16), Vec3::Z);
    figure.add(0.05, Shape::loft(frame, neck, 0.03, 0.03));
    let tendon = Shape::round_cone(
        vec3(0.050, 1.588, -0.03),
        vec3(0.014, 1.44, 0.018),
        0.011,
        0.009,
    );
    figure.add_pair(0.03, 0.01, tendon);
    sculpt_skull(figure);
    sculpt_face(figure);
}

fn sculpt_skull(figure: &mut Sculpture) {
    let cranium = Frame::upright(vec3(0.0, 1.657, -0.021));
    figure.add(0.02, Shape::ellipsoid(cranium, vec3(0.072, 0.091, 0.0925)));
    // Downwards from the hair line: side, front, back, how far forward the middle is.
    let face = vec![
        Section::even(0.00, 0.056, 0.066, 0.07, 0.000),
        Section::even(0.03, 0.063, 0.080, 0.07, 0.000),
        Section::even(0.065, 0.062, 0.080, 0.07, 0.000),
        Section::even(0.095, 0.056, 0.078, 0.06, 0.002),
        Section::even(0.125, 0.044, 0.063, 0.04, 0.016),
        Section::even(0.145, 0.029, 0.037, 0.03, 0.042),
    ];
    figure.add(
        0.04,
        Shape::loft(Frame::upright(vec3(0.0, 1.690, 0.0)), face, 0.04, 0.012),
    );
    figure.add_pair(
        0.03,
        0.01,
        Shape::round_cone(
            vec3(0.053, 1.592, -0.002),
            vec3(0.018, 1.548, 0.058),
            0.013,
            0.012,
        ),
    );
}

/// An abstract face: sockets without eyes, the ridge of the nose, a hint of lips.
fn sculpt_face(figure: &mut Sculpture) {
    let socket = Frame::looking(vec3(0.036, 1.6475, 0.0935), vec3(0.50, 0.0, 1.0), Vec3::Y);
    figure.carve(0.030, Shape::ellipsoid(socket, vec3(0.025, 0.017, 0.019)));
    figure.add(
        0.014,
        Shape::round_cone(
            vec3(0.0, 1.668, 0.074),
            vec3(0.0, 1.617, 0.0915),
            0.006,
            0.0095,
        ),
    );
    figure.add_pair(0.012, 0.006, Shape::ball(vec3(0.009, 1.611, 0.084), 0.0065));
    let muzzle = Frame::upright(vec3(0.0, 1.580, 0.056));
    figure.add(0.030, Shape::ellipsoid(muzzle, vec3(0.030, 0.021, 0.030)));
    let upper_lip = Frame::upright(vec3(0.0, 1.5865, 0.0775));
    figure.add(
        0.006,
        Shape::ellipsoid(upper_lip, vec3(0.022, 0.0100, 0.0060)),
    );
    let lower_lip = Frame::upright(vec3(0.0, 1.5735, 0.0765));
    figure.add(
        0.005,
        Shape::ellipsoid(lower_lip, vec3(0.018, 0.0100, 0.0065)),
    );
    figure.add(0.025, Shape::ball(vec3(0.0, 1.547, 0.064), 0.015));
    let ear = Frame::looking(
        vec3(0.0725, 1.630, -0.018),
        vec3(0.08, -1.0, 0.2),
        vec3(0.45, 0.0, 1.0),
    );
    figure.add(0.008, Shape::ellipsoid(ear, vec3(0.0070, 0.016, 0.028)));
}

fn sculpt_arm(figure: &mut Sculpture, joints: &Joints) {
    figure.set_limb(Limb::Arm);
    let shoulder = joints.upperarm;
    let frame = Frame::looking(shoulder, joints.lowerarm - shoulder, Vec3::Z);
    let upper = vec![
        Section::four(0.00, [0.044, 0.044, 0.045, 0.047]),
        Section::four(0.06, [0.047, 0.045, 0.046, 0.047]),
        Section::four(0.13, [0.042, 0.043, 0.046, 0.044]),
        Section::four(0.21, [0.037, 0.037, 0.039, 0.039]),
        Section::four(0.282, [0.034, 0.034, 0.033, 0.034]),
    ];
    figure.add(0.045, Shape::loft(frame, upper, 0.035, 0.02));
    let cap = Frame::looking(
        shoulder + vec3(0.012, -0.008, 0.0),
        vec3(0.62, -0.78, 0.0),
        Vec3::Z,
    );
    figure.add(0.05, Shape::ellipsoid(cap, vec3(0.047, 0.056, 0.072)));
    let frame = Frame::looking(joints.lowerarm, joints.hand - joints.lowerarm, Vec3::Z);
    let lower = vec![
        Section::four(-0.02, [0.033, 0.032, 0.032, 0.033]),
        Section::four(0.02, [0.037, 0.035, 0.036, 0.035]),
        Section::four(0.07, [0.039, 0.036, 0.038, 0.035]),
        Section::four(0.14, [0.032, 0.030, 0.033, 0.031]),
        Section::four(0.20, [0.023, 0.023, 0.028, 0.027]),
        Section::four(0.252, [0.0195, 0.0195, 0.0275, 0.0265]),
    ];
    figure.add(0.02, Shape::loft(frame, lower, 0.02, 0.01));
}

fn sculpt_leg(figure: &mut Sculpture, joints: &Joints) {
    figure.set_limb(Limb::Leg);
    let frame = Frame::looking(joints.thigh, joints.calf - joints.thigh, Vec3::Z);
    let thigh = vec![
        Section::four(0.00, [0.062, 0.066, 0.066, 0.066]),
        Section::four(0.06, [0.073, 0.081, 0.082, 0.082]),
        Section::four(0.14, [0.073, 0.075, 0.083, 0.080]),
        Section::four(0.26, [0.063, 0.061, 0.071, 0.067]),
        Section::four(0.36, [0.052, 0.051, 0.057, 0.055]),
        Section::four(0.42, [0.047, 0.047, 0.050, 0.049]),
    ];
    figure.add(0.06, Shape::loft(frame, thigh, 0.06, 0.03));
    let frame = Frame::looking(joints.calf, joints.foot - joints.calf, Vec3::Z);
    let shin = vec![
        Section::four(-0.04, [0.046, 0.046, 0.049, 0.047]),
        Section::four(0.01, [0.046, 0.045, 0.047, 0.048]),
        Section::four(0.06, [0.052, 0.047, 0.045, 0.058]),
        Section::four(0.12, [0.055, 0.052, 0.044, 0.066]),
        Section::four(0.19, [0.047, 0.046, 0.041, 0.057]),
        Section::four(0.29, [0.034, 0.032, 0.035, 0.038]),
        Section::four(0.36, [0.029, 0.028, 0.032, 0.033]),
        Section::four(0.405, [0.030, 0.029, 0.033, 0.036]),
    ];
    figure.add(0.02, Shape::loft(frame, shin, 0.03, 0.02));
    let knee = Frame::upright(joints.calf + vec3(0.0, 0.005, 0.036));
    figure.add(0.025, Shape::ellipsoid(knee, vec3(0.026, 0.017, 0.032)));
    let ankle = joints.foot;
    figure.add(
        0.025,
        Shape::ball(ankle + vec3(0.0225, -0.006, -0.004), 0.012),
    );
    figure.add(
        0.025,
        Shape::ball(ankle + vec3(-0.0225, 0.004, 0.004), 0.012),
    );
}

/// Grooves with a ring of wood in them, where a real one is put together.
fn add_rings(figure: &mut Sculpture, joints: &Joints) {
    let rings = [
        (vec3(0.0, 1.504, -0.026), vec3(0.0, 1.0, 0.22), 0.08),
        (
            joints.upperarm.lerp(joints.lowerarm, 0.42),
            joints.lowerarm - joints.upperarm,
            0.07,
        ),
        (
            joints.lowerarm.lerp(joints.hand, 0.93),
            joints.hand - joints.lowerarm,
            0.05,
        ),
        (vec3(0.0, 1.06, 0.0), Vec3::Y, 0.16),
        (
            joints.calf.lerp(joints.foot, 0.93),
            joints.foot - joints.calf,
            0.06,
        ),
    ];
    for (origin, along, radius) in rings {
        figure.paint(
            RING,
            Shape::band(Frame::looking(origin, along, Vec3::Z), 0.003, radius),
        );
    }
}
