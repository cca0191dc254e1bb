//! Skeleton, weights and posing.

use super::*;
use glam::{Mat4, Quat};

#[test]
fn weights_are_four_sorted_and_sum_to_one() {
    for avatar in both() {
        for (joints, weights) in avatar.skin.joints.iter().zip(&avatar.skin.weights) {
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(weights.is_sorted_by(|a, b| a >= b));
            assert!(weights[4..].iter().all(|&w| w == 0.0));
            assert!(
                joints
                    .iter()
                    .all(|&j| usize::from(j) < avatar.skeleton.joints.len())
            );
        }
    }
}

fn parent_name(skeleton: &Skeleton, name: &str) -> Option<String> {
    let node = skeleton.nodes.iter().find(|node| node.name == name)?;
    node.parent
        .map(|parent| skeleton.nodes[parent].name.clone())
}

#[test]
fn the_skeleton_is_the_game_rig() {
    let middle = [
        ("pelvis", "Root"),
        ("spine_01", "pelvis"),
        ("spine_02", "spine_01"),
        ("spine_03", "spine_02"),
        ("neck_01", "spine_03"),
        ("head", "neck_01"),
    ];
    let side = [
        ("clavicle", "spine_03"),
        ("upperarm", "clavicle"),
        ("lowerarm", "upperarm"),
        ("hand", "lowerarm"),
        ("thigh", "pelvis"),
        ("calf", "thigh"),
        ("foot", "calf"),
        ("ball", "foot"),
    ];
    let sided = |name: &str, side: &str| match name {
        "spine_03" | "pelvis" => name.to_owned(),
        _ => format!("{name}_{side}"),
    };
    for avatar in both() {
        let skeleton = &avatar.skeleton;
        assert_eq!((skeleton.nodes.len(), skeleton.joints.len()), (53, 53));
        for (child, parent) in middle {
            assert_eq!(parent_name(skeleton, child).as_deref(), Some(parent));
        }
        for s in ["l", "r"] {
            for (child, parent) in side {
                assert_eq!(
                    parent_name(skeleton, &sided(child, s)),
                    Some(sided(parent, s))
                );
            }
            for finger in ["thumb", "index", "middle", "ring", "pinky"] {
                let joints = [1, 2, 3].map(|k| format!("{finger}_0{k}_{s}"));
                assert_eq!(parent_name(skeleton, &joints[0]), Some(format!("hand_{s}")));
                assert_eq!(parent_name(skeleton, &joints[1]).as_ref(), Some(&joints[0]));
                assert_eq!(parent_name(skeleton, &joints[2]).as_ref(), Some(&joints[1]));
            }
        }
    }
}

/// World from bone for each joint, with some of them turned about world axes.
fn pose(skeleton: &Skeleton, turns: &[(&str, Vec3, f32)]) -> Vec<Mat4> {
    let mut world_from_node: Vec<Mat4> = Vec::new();
    for node in &skeleton.nodes {
        let turn = turns.iter().find(|turn| turn.0 == node.name);
        let rotation = turn.map_or(Quat::IDENTITY, |&(_, axis, degrees)| {
            Quat::from_axis_angle(axis.normalize(), degrees.to_radians())
        });
        let parent = node
            .parent
            .map_or(Mat4::IDENTITY, |parent| world_from_node[parent]);
        world_from_node.push(parent * node.rest.to_mat4() * Mat4::from_quat(rotation));
    }
    skeleton
        .joints
        .iter()
        .map(|joint| world_from_node[joint.node_ix])
        .collect()
}

fn posed(avatar: &Avatar, turns: &[(&str, Vec3, f32)]) -> Vec<Vec3> {
    let bones = pose(&avatar.skeleton, turns);
    let world_from_bind: Vec<Mat4> = bones
        .iter()
        .zip(&avatar.skeleton.joints)
        .map(|(bone, joint)| *bone * joint.bone_from_bind)
        .collect();
    let skin = &avatar.skin;
    (0..skin.positions.len())
        .map(|v| {
            let influences = skin.joints[v].iter().zip(&skin.weights[v]);
            influences
                .map(|(&j, &w)| {
                    w * world_from_bind[usize::from(j)].transform_point3(skin.positions[v])
                })
                .sum()
        })
        .collect()
}

#[test]
fn the_rest_pose_is_the_bind_pose() {
    for avatar in both() {
        for (rest, bind) in posed(avatar, &[]).iter().zip(&avatar.skin.positions) {
            assert!(rest.distance(*bind) < 1e-5 * 4.0);
        }
    }
}

#[test]
fn the_left_side_is_at_plus_x_and_toes_point_to_plus_z() {
    for avatar in both() {
        for name in [
            "clavicle", "upperarm", "lowerarm", "hand", "index_02", "thigh", "calf", "foot", "ball",
        ] {
            let left = joint_position(&avatar.skeleton, &format!("{name}_l"));
            let right = joint_position(&avatar.skeleton, &format!("{name}_r"));
            assert!(
                left.x > 0.0 && left == Vec3::new(-right.x, right.y, right.z),
                "{name}"
            );
        }
        let at = |name| joint_position(&avatar.skeleton, name);
        assert!(at("ball_l").z > at("foot_l").z && at("thumb_02_l").z > at("pinky_01_l").z);
    }
}

#[test]
fn the_right_half_mirrors_the_left_with_its_weights() {
    let key = |p: Vec3| [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits());
    for avatar in both() {
        let SkinMesh {
            positions,
            joints,
            weights,
            ..
        } = &avatar.skin;
        let at: BTreeMap<_, _> = positions
            .iter()
            .enumerate()
            .map(|(v, p)| (key(*p), v))
            .collect();
        let name =
            |j: u16| &*avatar.skeleton.nodes[avatar.skeleton.joints[usize::from(j)].node_ix].name;
        for (v, p) in positions.iter().enumerate() {
            let twin = at[&key(Vec3::new(-p.x, p.y, p.z))];
            let swapped = |n: &str| match (n.strip_suffix("_l"), n.strip_suffix("_r")) {
                (Some(base), _) => format!("{base}_r"),
                (_, Some(base)) => format!("{base}_l"),
                _ => n.to_owned(),
            };
            for (&j, &w) in joints[v].iter().zip(&weights[v]).filter(|(_, w)| **w > 0.0) {
                let there = joints[twin]
                    .iter()
                    .position(|&k| name(k) == swapped(name(j)));
                let same = there.is_some_and(|slot| (weights[twin][slot] - w).abs() < 1e-6);
                assert!(same, "{} at {p}", name(j));
            }
        }
    }
}

/// The weight that a vertex has on joints whose names satisfy a condition.
fn weight_on(avatar: &Avatar, vertex: usize, wanted: impl Fn(&str) -> bool) -> f32 {
    let influences = avatar.skin.joints[vertex]
        .iter()
        .zip(&avatar.skin.weights[vertex]);
    let name =
        |j: u16| &*avatar.skeleton.nodes[avatar.skeleton.joints[usize::from(j)].node_ix].name;
    influences
        .filter(|&(&j, &w)| w > 0.0 && wanted(name(j)))
        .map(|(_, w)| w)
        .sum()
}

#[test]
fn skin_does_not_bleed_between_limbs() {
    for avatar in both() {
        let at = |name: &str| joint_position(&avatar.skeleton, name);
        let (knee, elbow) = (at("calf_l").y, at("lowerarm_l"));
        for (v, p) in avatar.skin.positions.iter().enumerate() {
            if p.y < knee && p.x > 0.0 {
                let own = weight_on(avatar, v, |n| n.ends_with("_l"));
                assert!(own > 0.999, "{}: leg at {p} has {own}", avatar.name);
            }
            let head = at("head");
            if p.y > 1.07 * head.y && p.z > head.z - 0.08 * head.y {
                let own = weight_on(avatar, v, |n| matches!(n, "head" | "neck_01"));
                assert!(own > 0.999, "{}: head at {p} has {own}", avatar.name);
            }
            if p.x > elbow.x && p.y < elbow.y {
                let fingers = ["thumb", "index", "middle", "ring", "pinky"];
                let is_arm =
                    |n: &str| n.ends_with("_l") && (n.contains("arm") || n.contains("hand"));
                let own = weight_on(avatar, v, |n| {
                    is_arm(n) || fingers.iter().any(|f| n.starts_with(f))
                });
                assert!(own > 0.999, "{}: arm at {p} has {own}", avatar.name);
            }
        }
    }
}

#[test]
fn finger_tips_belong_to_one_finger() {
    for avatar in both() {
        for finger in ["thumb", "index", "middle", "ring", "pinky"] {
            let [middle, last] =
                [2, 3].map(|k| joint_position(&avatar.skeleton, &format!("{finger}_0{k}_l")));
            // Half way down the last bone, which is about as long as the one before it.
            let tip = last + 0.6 * (last - middle);
            let by_distance = |v: &usize| avatar.skin.positions[*v].distance(tip);
            let near = (0..avatar.skin.positions.len())
                .min_by(|a, b| by_distance(a).total_cmp(&by_distance(b)));
            let own = weight_on(avatar, near.expect("there are vertices"), |n| {
                n.starts_with(finger)
            });
            assert!(own > 0.98, "{}: {finger} has {own}", avatar.name);
        }
    }
}

#[test]
fn bent_limbs_keep_their_volume() {
    let poses: [&[(&str, Vec3, f32)]; 5] = [
        &[
            ("clavicle_l", Vec3::Z, 20.0),
            ("upperarm_l", Vec3::Z, 105.0),
        ],
        &[
            ("lowerarm_l", Vec3::new(1.0, 1.0, 0.0), -130.0),
            ("hand_l", Vec3::X, 60.0),
        ],
        &[("calf_l", Vec3::X, 120.0)],
        &[("thigh_l", Vec3::X, -90.0), ("thigh_r", Vec3::X, 30.0)],
        &[("head", Vec3::Y, 60.0)],
    ];
    for avatar in both() {
        let at_rest = volume(&avatar.skin.positions, &avatar.skin.triangles);
        for turns in poses {
            let bent = volume(&posed(avatar, turns), &avatar.skin.triangles);
            assert!(
                (bent / at_rest - 1.0).abs() < 0.03,
                "{}: {turns:?} {}",
                avatar.name,
                bent / at_rest
            );
        }
    }
}

#[test]
fn posing_tears_nothing() {
    let turns = [
        ("lowerarm_l", Vec3::new(1.0, 1.0, 0.0), -130.0),
        ("calf_l", Vec3::X, 120.0),
        ("thigh_l", Vec3::X, -90.0),
    ];
    for avatar in both() {
        let bent = posed(avatar, &turns);
        for [a, b] in directed_edges(&avatar.skin.triangles).into_keys() {
            let [a, b] = [a as usize, b as usize];
            let rest = avatar.skin.positions[a].distance(avatar.skin.positions[b]);
            let longest = 4.0 * rest + 0.01 * avatar.skin.positions[a].y.max(1.0);
            assert!(
                bent[a].distance(bent[b]) < longest,
                "{}: {}",
                avatar.name,
                avatar.skin.positions[a]
            );
        }
    }
}
