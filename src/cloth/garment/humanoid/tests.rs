//! Rigs with joints in unusual places.

use super::*;
use crate::avatar::{Joint, Node, Transform};
use crate::cloth::garment::figure::capsule_person;
use glam::Mat4;

fn joint(avatar: &Avatar, name: &str) -> usize {
    let joints = &avatar.skeleton.joints;
    let is_it = |joint: &Joint| avatar.skeleton.nodes[joint.node_ix].name == name;
    joints.iter().position(is_it).expect("the rig has it")
}

fn add_joint(avatar: &mut Avatar, name: &str, parent: Option<usize>, place: Vec3) {
    let skeleton = &mut avatar.skeleton;
    skeleton.nodes.push(Node {
        name: name.to_owned(),
        parent,
        rest: Transform::IDENTITY,
    });
    skeleton.joints.push(Joint {
        node_ix: skeleton.nodes.len() - 1,
        bone_from_bind: Mat4::from_translation(-place),
    });
}

fn rename(avatar: &mut Avatar, from: &str, to: &str) {
    let node_ix = avatar.skeleton.joints[joint(avatar, from)].node_ix;
    avatar.skeleton.nodes[node_ix].name = to.to_owned();
}

/// Takes a joint out: its skin goes to its parent, its node stays without a name.
fn remove(avatar: &mut Avatar, name: &str, parent: &str) {
    let (from, to) = (joint(avatar, name) as u16, joint(avatar, parent) as u16);
    let held = avatar.skin.joints.iter_mut().flatten();
    held.filter(|ix| **ix == from).for_each(|ix| *ix = to);
    rename(avatar, name, "unnamed");
}

fn assert_found_as(changed: &Avatar, plain: &Humanoid) {
    let found = Humanoid::find(changed).expect("it is a person");
    for (limb, expected) in found.legs.iter().zip(&plain.legs) {
        assert!(limb.root.abs_diff_eq(expected.root, 1e-5), "{limb:?}");
        assert!(limb.mid.abs_diff_eq(expected.mid, 1e-5), "{limb:?}");
        assert!(limb.end.abs_diff_eq(expected.end, 1e-5), "{limb:?}");
    }
    let count = plain.part_of_joint.len();
    assert_eq!(found.part_of_joint[..count], plain.part_of_joint);
}

#[test]
fn handles_beside_the_skeleton_are_not_taken_for_its_joints() {
    let plain = Humanoid::find(&capsule_person()).expect("it is a person");
    let mut person = capsule_person();
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let at = |x: f32, y: f32, z: f32| Vec3::new(sign * x, y, z);
        let names = [
            (format!("control-foot-roll.{side}"), at(0.14, 0.0, 0.3)),
            (format!("kneeIK.{side}"), at(0.12, 0.5, 0.6)),
            (format!("handIK.{side}"), at(0.9, 1.2, 0.0)),
            (format!("elbowIK.{side}"), at(0.4, 1.2, -0.6)),
            (format!("thighCtrl.{side}"), at(0.1, 1.0, 0.4)),
        ];
        for (name, place) in names {
            add_joint(&mut person, &name, None, place);
        }
    }
    assert_found_as(&person, &plain);
}

#[test]
fn joints_that_move_nothing_are_passed_by_though_their_names_are_plain() {
    let plain = Humanoid::find(&capsule_person()).expect("it is a person");
    let mut person = capsule_person();
    for (side, x) in [("l", 0.14), ("r", -0.14)] {
        add_joint(
            &mut person,
            &format!("foot.{side}"),
            None,
            Vec3::new(x, 0.0, 0.4),
        );
        add_joint(
            &mut person,
            &format!("calf.{side}"),
            None,
            Vec3::new(x, 0.5, 0.4),
        );
    }
    assert_found_as(&person, &plain);
}

#[test]
fn feet_under_the_root_are_found_by_place() {
    let plain = Humanoid::find(&capsule_person()).expect("it is a person");
    let mut person = capsule_person();
    for name in ["foot_l", "foot_r"] {
        let node_ix = person.skeleton.joints[joint(&person, name)].node_ix;
        person.skeleton.nodes[node_ix].parent = None;
    }
    assert_found_as(&person, &plain);
}

#[test]
fn limbs_without_a_last_joint_end_where_their_skin_does() {
    let plain = Humanoid::find(&capsule_person()).expect("it is a person");
    let mut person = capsule_person();
    for side in ["l", "r"] {
        remove(
            &mut person,
            &format!("hand_{side}"),
            &format!("lowerarm_{side}"),
        );
        remove(
            &mut person,
            &format!("foot_{side}"),
            &format!("calf_{side}"),
        );
    }
    let found = Humanoid::find(&person).expect("it is a person");
    for (limbs, expected) in [(&found.arms, &plain.arms), (&found.legs, &plain.legs)] {
        for (limb, expected) in limbs.iter().zip(expected) {
            // Hands and feet now count as limb: it ends at their tips.
            assert!(limb.end.distance(expected.end) < 0.2, "{limb:?}");
            assert!(limb.end.distance(limb.mid) > 0.9 * expected.end.distance(expected.mid));
        }
    }
}

#[test]
fn hips_and_shoulders_may_name_the_roots_of_limbs() {
    let plain = Humanoid::find(&capsule_person()).expect("it is a person");
    for names in [
        ["Hip", "Knee", "Ankle", "Shoulder", "Elbow", "Wrist"],
        ["leg", "knee", "foot", "arm", "elbow", "hand"],
        [
            "leg_upper",
            "leg_lower",
            "foot",
            "arm_upper",
            "arm_lower",
            "hand",
        ],
    ] {
        let mut person = capsule_person();
        for side in ["l", "r"] {
            let parts = ["thigh", "calf", "foot", "upperarm", "lowerarm", "hand"];
            for (from, to) in parts.into_iter().zip(names) {
                rename(
                    &mut person,
                    &format!("{from}_{side}"),
                    &format!("{side}_{to}"),
                );
            }
        }
        assert_found_as(&person, &plain);
    }
}

#[test]
fn whoever_is_turned_by_any_angle_is_measured_as_if_he_faced_along_an_axis() {
    let plain = Humanoid::find(&capsule_person()).expect("it is a person");
    for degrees in [25.0_f32, 45.0, -70.0, 90.0, 180.0] {
        let turn = Mat4::from_rotation_y(degrees.to_radians());
        let mut person = capsule_person();
        for position in &mut person.skin.positions {
            *position = turn.transform_point3(*position);
        }
        for joint in &mut person.skeleton.joints {
            joint.bone_from_bind *= turn.inverse();
        }
        assert_found_as(&person, &plain);
    }
}

#[test]
fn left_is_where_the_feet_have_it_whatever_it_is_called() {
    let plain = Humanoid::find(&capsule_person()).expect("it is a person");
    let mut person = capsule_person();
    for node in &mut person.skeleton.nodes {
        let other = match node.name.strip_suffix("_l") {
            Some(name) => Some(format!("{name}_r")),
            None => node.name.strip_suffix("_r").map(|name| format!("{name}_l")),
        };
        node.name = other.unwrap_or_else(|| node.name.clone());
    }
    assert_found_as(&person, &plain);
}

/// As rigs have them that twist a limb along its length.
#[test]
fn joints_in_a_row_that_bend_an_upper_limb_are_not_its_root() {
    let plain = Humanoid::find(&capsule_person()).expect("it is a person");
    let mut person = capsule_person();
    for side in ["l", "r"] {
        let names = [
            ("thigh", "Hip"),
            ("calf", "Knee"),
            ("foot", "Ankle"),
            ("clavicle", "Scapula"),
            ("upperarm", "Shoulder"),
            ("lowerarm", "Elbow"),
            ("hand", "Wrist"),
        ];
        for (from, to) in names {
            let [from, to] = [from, to].map(|name| format!("{name}_{side}"));
            rename(&mut person, &from, &to);
        }
        for (root, mid) in [("Hip", "Knee"), ("Shoulder", "Elbow")] {
            let [top, bottom] = [root, mid].map(|name| joint(&person, &format!("{name}_{side}")));
            let joints = &person.skeleton.joints;
            let [mut above, below] = [top, bottom].map(|ix| joints[ix].node_ix);
            let [from, to] =
                [top, bottom].map(|ix| joints[ix].bone_from_bind.inverse().w_axis.truncate());
            for part in 1..=2 {
                let place = from.lerp(to, part as f32 / 3.0);
                let name = format!("{root}Part{part}_{side}");
                add_joint(&mut person, &name, Some(above), place);
                above = person.skeleton.nodes.len() - 1;
            }
            person.skeleton.nodes[below].parent = Some(above);
        }
        // A hip's own joint, in the middle: as far from the knee as the ankle is.
        let hip = joint(&person, &format!("Hip_{side}"));
        let hip_node = person.skeleton.joints[hip].node_ix;
        let parent = person.skeleton.nodes[hip_node].parent;
        let name = format!("Pelvis_{side}");
        add_joint(&mut person, &name, parent, Vec3::new(0.0, 0.9, 0.0));
        person.skeleton.nodes[hip_node].parent = Some(person.skeleton.nodes.len() - 1);
    }
    assert_found_as(&person, &plain);
}

#[test]
fn palms_and_thumbs_beside_each_other_are_all_of_the_hand() {
    let mut person = capsule_person();
    for side in ["l", "r"] {
        rename(
            &mut person,
            &format!("hand_{side}"),
            &format!("Palm2.{side}"),
        );
        let parent = person.skeleton.joints[joint(&person, &format!("lowerarm_{side}"))].node_ix;
        let place = person.skeleton.joints[joint(&person, &format!("Palm2.{side}"))]
            .bone_from_bind
            .inverse()
            .w_axis
            .truncate();
        for name in ["Palm1", "Thumb"] {
            add_joint(&mut person, &format!("{name}.{side}"), Some(parent), place);
        }
    }
    let found = Humanoid::find(&person).expect("it is a person");
    for (name, side) in [("Thumb.l", Side::Left), ("Palm1.r", Side::Right)] {
        assert_eq!(
            found.part_of_joint[joint(&person, name)],
            (Part::Hand, side)
        );
    }
}

#[test]
fn whoever_sits_in_the_bind_pose_has_no_legs_to_dress() {
    let mut sitting = capsule_person();
    // Thighs forward, calves down.
    for (name, place) in [
        ("calf", Vec3::new(0.12, 0.86, 0.41)),
        ("foot", Vec3::new(0.14, 0.45, 0.4)),
    ] {
        for (side, sign) in [("l", 1.0), ("r", -1.0)] {
            let joint_ix = joint(&sitting, &format!("{name}_{side}"));
            let place = place * Vec3::new(sign, 1.0, 1.0);
            sitting.skeleton.joints[joint_ix].bone_from_bind = Mat4::from_translation(-place);
        }
    }
    let found = Humanoid::find(&sitting).map(|_| ());
    assert!(
        format!("{found:?}").contains("two legs it stands on"),
        "{found:?}"
    );
}
