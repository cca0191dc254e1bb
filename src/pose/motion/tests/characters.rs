//! Rigs of very different proportions.

use crate::avatar::{Node, Skeleton, Transform};
use glam::Vec3;

/// Joints of the left side and the middle in the bind pose: name, carrier, position.
pub(super) type Joints = Vec<(&'static str, &'static str, [f32; 3])>;

pub(super) fn adult() -> Joints {
    vec![
        ("Root", "", [0.0, 0.0, 0.0]),
        ("pelvis", "Root", [0.0, 0.940, 0.0]),
        ("spine_01", "pelvis", [0.0, 1.028, -0.032]),
        ("spine_02", "spine_01", [0.0, 1.098, -0.023]),
        ("spine_03", "spine_02", [0.0, 1.160, -0.031]),
        ("neck_01", "spine_03", [0.0, 1.506, 0.008]),
        ("head", "neck_01", [0.0, 1.603, 0.040]),
        ("clavicle_l", "spine_03", [0.023, 1.431, 0.020]),
        ("upperarm_l", "clavicle_l", [0.188, 1.401, 0.015]),
        ("lowerarm_l", "upperarm_l", [0.356, 1.209, 0.012]),
        ("hand_l", "lowerarm_l", [0.489, 1.083, 0.200]),
        ("index_01_l", "hand_l", [0.520, 1.042, 0.307]),
        ("index_02_l", "index_01_l", [0.523, 1.026, 0.330]),
        ("index_03_l", "index_02_l", [0.523, 1.009, 0.349]),
        ("middle_01_l", "hand_l", [0.538, 1.030, 0.288]),
        ("pinky_01_l", "hand_l", [0.548, 1.010, 0.248]),
        ("thigh_l", "pelvis", [0.110, 0.934, -0.011]),
        ("calf_l", "thigh_l", [0.153, 0.508, 0.024]),
        ("foot_l", "calf_l", [0.197, 0.072, 0.012]),
        ("ball_l", "foot_l", [0.199, 0.008, 0.140]),
    ]
}

/// 4 m, hunched, with short legs and arms down to the knees.
pub(super) fn ogre() -> Joints {
    vec![
        ("Root", "", [0.0, 0.0, 0.0]),
        ("pelvis", "Root", [0.0, 1.58, -0.05]),
        ("spine_01", "pelvis", [0.0, 1.85, -0.06]),
        ("spine_02", "spine_01", [0.0, 2.28, -0.10]),
        ("spine_03", "spine_02", [0.0, 2.75, -0.12]),
        ("neck_01", "spine_03", [0.0, 3.32, 0.08]),
        ("head", "neck_01", [0.0, 3.53, 0.33]),
        ("clavicle_l", "spine_03", [0.12, 3.16, 0.08]),
        ("upperarm_l", "clavicle_l", [0.80, 3.10, -0.02]),
        ("lowerarm_l", "upperarm_l", [1.40, 2.49, -0.05]),
        ("hand_l", "lowerarm_l", [1.93, 1.90, 0.08]),
        ("thigh_l", "pelvis", [0.34, 1.42, -0.04]),
        ("calf_l", "thigh_l", [0.45, 0.82, 0.06]),
        ("foot_l", "calf_l", [0.50, 0.22, -0.12]),
        ("ball_l", "foot_l", [0.50, 0.085, 0.23]),
    ]
}

/// Legs and arms dead straight in the bind pose.
fn stiff() -> Joints {
    adult()
        .into_iter()
        .map(|(name, carrier, pos)| match name {
            "lowerarm_l" => (name, carrier, [0.368, 1.221, 0.015]),
            "hand_l" => (name, carrier, [0.548, 1.041, 0.015]),
            "calf_l" => (name, carrier, [0.110, 0.508, -0.011]),
            "foot_l" => (name, carrier, [0.110, 0.072, -0.011]),
            "ball_l" => (name, carrier, [0.110, 0.010, 0.120]),
            _ => (name, carrier, pos),
        })
        .filter(|(name, ..)| {
            !name.starts_with("index") && !name.starts_with("middle") && !name.starts_with("pinky")
        })
        .collect()
}

fn scaled(joints: Joints, scale: f32) -> Joints {
    joints
        .into_iter()
        .map(|(name, carrier, pos)| (name, carrier, pos.map(|x| scale * x)))
        .collect()
}

pub(super) fn skeleton(joints: &Joints) -> Skeleton {
    let mut placed: Vec<(String, String, Vec3)> = Vec::new();
    for &(name, carrier, pos) in joints {
        placed.push((name.to_owned(), carrier.to_owned(), Vec3::from(pos)));
        if let Some(stem) = name.strip_suffix("_l") {
            let carrier = carrier
                .strip_suffix("_l")
                .map_or(carrier.to_owned(), |c| format!("{c}_r"));
            placed.push((
                format!("{stem}_r"),
                carrier,
                Vec3::from(pos) * Vec3::new(-1.0, 1.0, 1.0),
            ));
        }
    }
    let node = |(name, carrier, pos): &(String, String, Vec3)| {
        let parent = placed.iter().position(|p| p.0 == *carrier);
        let from = parent.map_or(Vec3::ZERO, |ix| placed[ix].2);
        Node {
            name: name.clone(),
            parent,
            rest: Transform::from_translation(pos - from),
        }
    };
    Skeleton {
        nodes: placed.iter().map(node).collect(),
        joints: Vec::new(),
    }
}

pub(super) fn characters() -> [(&'static str, Skeleton); 4] {
    [
        ("adult", skeleton(&adult())),
        ("small adult", skeleton(&scaled(adult(), 0.94))),
        ("ogre", skeleton(&ogre())),
        ("stiff", skeleton(&stiff())),
    ]
}
