//! What a clip promises, on rigs of very different proportions.

use super::contact::{FootState, HandState};
use super::rig::{LEFT, Pose, RIGHT, Rig};
use super::sample::{KEYS_PER_SECOND, sample_poses};
use super::score::GRAVITY;
use super::*;
use crate::avatar::{Node, Track, TrackValues, Transform};
use glam::{Quat, Vec3};

/// Joints of the left side and the middle in the bind pose: name, carrier, position.
type Joints = Vec<(&'static str, &'static str, [f32; 3])>;

fn adult() -> Joints {
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
fn ogre() -> Joints {
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

fn skeleton(joints: Joints) -> Skeleton {
    let mut placed: Vec<(String, String, Vec3)> = Vec::new();
    for &(name, carrier, pos) in &joints {
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

fn characters() -> [(&'static str, Skeleton); 4] {
    [
        ("adult", skeleton(adult())),
        ("small adult", skeleton(scaled(adult(), 0.94))),
        ("ogre", skeleton(ogre())),
        ("stiff", skeleton(stiff())),
    ]
}

fn time(frame_ix: usize) -> f32 {
    frame_ix as f32 / KEYS_PER_SECOND
}

/// Every character in every routine.
fn for_all(check: impl Fn(&str, &Rig, &score::Plan, &[Pose])) {
    for (name, skeleton) in characters() {
        let rig = Rig::from_skeleton(&skeleton).expect("a game rig");
        for routine in Routine::ALL {
            let plan = routine::plan(&rig, routine);
            check(
                &format!("{name}, {}", routine.name()),
                &rig,
                &plan,
                &sample_poses(&rig, &plan),
            );
        }
    }
}

fn rotations(track: &Track) -> &[Quat] {
    match &track.values {
        TrackValues::Rotation(values) => values,
        _ => &[],
    }
}

#[test]
fn planted_feet_and_hands_stay_where_they_are() {
    for_all(|name, rig, plan, poses| {
        let placed: Vec<_> = poses.iter().map(|p| rig.place(p)).collect();
        let scale = rig.leg_length() / 0.93;
        for ix in 1..poses.len() {
            for side in [LEFT, RIGHT] {
                let planted = |ix: usize| match plan.feet[side].state(time(ix)) {
                    FootState::Planted(place) => Some(place),
                    _ => None,
                };
                let speed = |joint: usize| {
                    placed[ix].legs[side][joint]
                        .pos
                        .distance(placed[ix - 1].legs[side][joint].pos)
                        * KEYS_PER_SECOND
                };
                if let (Some(a), Some(b)) = (planted(ix - 1), planted(ix)) {
                    // Rolling over the heel moves the ball, and rolling over the ball the ankle.
                    let same = (a.ankle - b.ankle).length() < 0.05 * scale;
                    if same && a.pitch <= 0.0 && b.pitch <= 0.0 {
                        assert!(
                            speed(3) < 0.01 * scale,
                            "{name}: ball {side} slides {} m/s at {}",
                            speed(3),
                            time(ix)
                        );
                    }
                    if same && a.pitch == 0.0 && b.pitch == 0.0 {
                        assert!(
                            speed(2) < 0.01 * scale,
                            "{name}: ankle {side} slides {} m/s at {}",
                            speed(2),
                            time(ix)
                        );
                    }
                }
                let held =
                    |ix: usize| matches!(plan.hands[side].state(time(ix)), HandState::Planted(_));
                if held(ix - 1) && held(ix) {
                    let wrists = [ix - 1, ix].map(|ix| placed[ix].arms[side][3].pos);
                    let slide = wrists[0].distance(wrists[1]) * KEYS_PER_SECOND;
                    assert!(
                        slide < 0.15 * scale,
                        "{name}: hand {side} slides {slide} m/s at {}",
                        time(ix)
                    );
                }
            }
        }
    });
}

#[test]
fn no_sole_goes_through_the_floor() {
    for_all(|name, rig, plan, poses| {
        for (ix, pose) in poses.iter().enumerate() {
            let body = rig.place(pose);
            for side in [LEFT, RIGHT] {
                let foot = body.legs[side][2];
                let depth =
                    plan.feet[side]
                        .shape
                        .depth(foot.pos, foot.rotation, pose.legs[side][3]);
                assert!(
                    depth < 0.004 * rig.leg_length(),
                    "{name}: foot {side} {depth} m deep at {}",
                    time(ix)
                );
            }
            for joint in body.core.iter().chain(body.arms.iter().flatten()) {
                assert!(
                    joint.pos.y > 0.0,
                    "{name}: a joint is {} m high at {}",
                    joint.pos.y,
                    time(ix)
                );
            }
        }
    });
}

#[test]
fn motion_is_continuous_and_no_faster_than_people() {
    for (name, skeleton) in characters() {
        for routine in Routine::ALL {
            let clip = author_named(&skeleton, routine).expect("a game rig");
            for track in &clip.tracks {
                let joint = &skeleton.nodes[track.node_ix].name;
                for (ix, pair) in rotations(track).windows(2).enumerate() {
                    assert!(pair[1].is_finite() && pair[1].is_normalized());
                    let rate = pair[0].angle_between(pair[1]) * KEYS_PER_SECOND;
                    assert!(
                        rate < 38.0,
                        "{name}, {}: {joint} turns {rate} rad/s at {}",
                        clip.name,
                        time(ix)
                    );
                }
            }
        }
    }
}

#[test]
fn knees_bend_one_way() {
    for_all(|name, rig, _, poses| {
        for (ix, pose) in poses.iter().enumerate() {
            for side in [LEFT, RIGHT] {
                let [hip, knee, ankle, _] = rig.place(pose).legs[side];
                let axis = hip.rotation * rig.leg_limbs[side].axis();
                let (thigh, calf) = (knee.pos - hip.pos, ankle.pos - knee.pos);
                let bend = thigh.cross(calf).dot(axis).atan2(thigh.dot(calf));
                assert!(
                    (-0.02..2.75).contains(&bend),
                    "{name}: knee {side} bent {bend} at {}",
                    time(ix)
                );
            }
        }
    });
}

#[test]
fn the_centre_of_mass_falls_freely_in_flight() {
    for_all(|name, rig, plan, poses| {
        for &(off, on) in &plan.flights {
            let (first, last) = (
                (off * KEYS_PER_SECOND).ceil() as usize,
                (on * KEYS_PER_SECOND) as usize,
            );
            for ix in first + 1..last {
                let height = |ix: usize| rig.centre_of_mass(&rig.place(&poses[ix])).y;
                let acceleration =
                    (height(ix + 1) - 2.0 * height(ix) + height(ix - 1)) * KEYS_PER_SECOND.powi(2);
                // A body lowered to reach the floor is raised again in the air: that much is not free fall.
                let allowed = if on - off > 0.2 { 4.0 } else { 14.0 } * rig.leg_length();
                assert!(
                    (acceleration + GRAVITY).abs() < allowed,
                    "{name}: {acceleration} m/s² at {}",
                    time(ix)
                );
            }
        }
    });
}

#[test]
fn a_clip_starts_in_the_bind_pose_and_ends_upright_and_still() {
    for (name, skeleton) in characters() {
        for routine in Routine::ALL {
            let clip = author_named(&skeleton, routine).expect("a game rig");
            for track in &clip.tracks {
                assert_eq!(
                    track.times.len(),
                    (clip.duration * KEYS_PER_SECOND).round() as usize + 1
                );
                match &track.values {
                    TrackValues::Rotation(q) => {
                        assert!(q[0].xyz().length() < 2e-3, "{name}: {:?}", q[0])
                    }
                    TrackValues::Translation(p) => {
                        let rest = skeleton.nodes[track.node_ix].rest.translation;
                        assert!(p[0].distance(rest) < 2e-3, "{name}: {} {rest}", p[0]);
                        let last = p[p.len() - 1].distance(p[p.len() - 2]) * KEYS_PER_SECOND;
                        assert!(last < 0.05, "{name}: ends at {last} m/s");
                    }
                    TrackValues::Scale(_) => panic!("nothing is scaled"),
                }
            }
            let rig = Rig::from_skeleton(&skeleton).expect("a game rig");
            let last = sample_poses(&rig, &routine::plan(&rig, routine))
                .pop()
                .expect("poses");
            let body = rig.place(&last);
            assert!(
                (body.core[5].rotation * Vec3::Y).y > 0.99,
                "{name}, {}: the head is upright",
                clip.name
            );
        }
    }
}

#[test]
fn the_show_takes_about_ten_seconds_and_stays_near() {
    let skeleton = skeleton(adult());
    let clip = author(&skeleton).expect("a game rig");
    assert!((9.5..11.0).contains(&clip.duration), "{}", clip.duration);
    assert_eq!(clip.name, "gymnastics");
    for track in &clip.tracks {
        if let TrackValues::Translation(values) = &track.values {
            let farthest = values
                .iter()
                .fold(0.0_f32, |far, p| far.max(p.x.abs()).max(p.z.abs()));
            assert!(farthest < 4.6, "{farthest}");
        }
    }
}

#[test]
fn the_same_skeleton_gets_the_same_clip() {
    let skeleton = skeleton(adult());
    let (a, b) = (
        author(&skeleton).expect("a game rig"),
        author(&skeleton).expect("a game rig"),
    );
    assert_eq!(format!("{a:?}"), format!("{b:?}"));
}

#[test]
fn fingers_are_curled_where_there_are_any() {
    let (with, without) = (skeleton(adult()), skeleton(ogre()));
    let curled = |s: &Skeleton| {
        let clip = author_named(s, Routine::Walk).expect("a game rig");
        clip.tracks
            .iter()
            .filter(|t| s.nodes[t.node_ix].name.starts_with("index"))
            .count()
    };
    assert_eq!((curled(&with), curled(&without)), (6, 0));
}

#[test]
fn other_rigs_get_a_reason() {
    let reason = |change: &dyn Fn(&mut Skeleton)| {
        let mut skeleton = skeleton(adult());
        change(&mut skeleton);
        author(&skeleton).expect_err("not the game rig")
    };
    let find = |s: &Skeleton, name: &str| {
        s.nodes
            .iter()
            .position(|n| n.name == name)
            .expect("a joint")
    };
    assert_eq!(
        reason(&|s| {
            let ix = find(s, "calf_r");
            s.nodes[ix].name = "shin".to_owned();
        }),
        MotionError::MissingJoint {
            joint: "calf_r".to_owned()
        }
    );
    assert_eq!(
        reason(&|s| {
            let ix = find(s, "spine_02");
            s.nodes[ix].rest.rotation = Quat::from_rotation_x(0.3);
        }),
        MotionError::RestNotAligned {
            node: "spine_02".to_owned()
        }
    );
    assert_eq!(
        reason(&|s| {
            let ix = find(s, "lowerarm_l");
            s.nodes[ix].rest.translation = Vec3::ZERO;
        }),
        MotionError::Misplaced {
            joint: "lowerarm_l".to_owned()
        }
    );
    assert_eq!(
        reason(&|s| s.nodes.clear()),
        MotionError::MissingJoint {
            joint: "pelvis".to_owned()
        }
    );
    assert!(matches!(
        reason(&|s| {
            let ix = find(s, "foot_l");
            s.nodes[ix].rest.translation.y = f32::NAN;
        }),
        MotionError::RestNotAligned { .. }
    ));
}
