use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::{Quat, Vec3};

use super::*;
use crate::avatar::{Interpolation, Joint, Node, Track, TrackValues};

/// A turned stand that is no joint, and two joints on it whose rest pose is not their bind pose.
fn skeleton() -> Skeleton {
    let stand = Transform {
        rotation: Quat::from_rotation_x(-FRAC_PI_2),
        scale: Vec3::splat(0.5),
        ..Transform::IDENTITY
    };
    let bent = Transform {
        translation: Vec3::Y,
        rotation: Quat::from_rotation_z(0.4),
        scale: Vec3::ONE,
    };
    let node = |name: &str, parent, rest| Node {
        name: name.into(),
        parent,
        rest,
    };
    let bind = |bone: Mat4, node_ix| Joint {
        node_ix,
        bone_from_bind: bone.inverse(),
    };
    let hip = Mat4::from_rotation_translation(Quat::from_rotation_y(0.3), Vec3::Y);
    Skeleton {
        nodes: vec![
            node("stand", None, stand),
            node("hip", Some(0), bent),
            node("knee", Some(1), bent),
        ],
        joints: vec![
            bind(hip, 1),
            bind(hip * Mat4::from_translation(Vec3::NEG_Y * 0.4), 2),
        ],
    }
}

fn clip(interpolation: Interpolation, times: &[f32], values: TrackValues) -> Clip {
    let track = Track {
        node_ix: 1,
        interpolation,
        times: times.to_vec(),
        values,
    };
    Clip {
        name: "test".into(),
        duration: *times.last().unwrap(),
        tracks: vec![track],
    }
}

fn local_at(clip: &Clip, seconds: f32) -> Transform {
    Pose::sample(clip, &skeleton(), seconds).locals[1]
}

#[test]
fn steps_hold_and_lines_run_and_both_clamp() {
    let values = || TrackValues::Translation(vec![Vec3::ZERO, Vec3::X, Vec3::Y]);
    let step = clip(Interpolation::Step, &[1.0, 2.0, 4.0], values());
    let linear = clip(Interpolation::Linear, &[1.0, 2.0, 4.0], values());
    for (seconds, stepped, ran) in [
        (f32::NEG_INFINITY, Vec3::ZERO, Vec3::ZERO),
        (0.0, Vec3::ZERO, Vec3::ZERO),
        (1.0, Vec3::ZERO, Vec3::ZERO),
        (1.25, Vec3::ZERO, Vec3::X * 0.25),
        (2.0, Vec3::X, Vec3::X),
        (3.0, Vec3::X, Vec3::new(0.5, 0.5, 0.0)),
        (4.0, Vec3::Y, Vec3::Y),
        (9.0, Vec3::Y, Vec3::Y),
        (f32::NAN, Vec3::ZERO, Vec3::ZERO),
    ] {
        assert_eq!(
            local_at(&step, seconds).translation,
            stepped,
            "step at {seconds}"
        );
        assert_eq!(
            local_at(&linear, seconds).translation,
            ran,
            "linear at {seconds}"
        );
    }
}

#[test]
fn cubics_meet_keys_and_tangents() {
    // x = t³ - t, whose derivative is 3t² - 1, between 0 and 2.
    let key = |t: f32| {
        [
            Vec3::X * (3.0 * t * t - 1.0),
            Vec3::X * (t.powi(3) - t),
            Vec3::X * (3.0 * t * t - 1.0),
        ]
    };
    let cubic = clip(
        Interpolation::Cubic,
        &[0.0, 2.0],
        TrackValues::Translation([key(0.0), key(2.0)].concat()),
    );
    for seconds in [0.0_f32, 0.3, 1.0, 1.7, 2.0] {
        assert!(
            (local_at(&cubic, seconds).translation.x - (seconds.powi(3) - seconds)).abs() < 1e-5,
            "{seconds}"
        );
    }
    assert_eq!(local_at(&cubic, 5.0).translation.x, 6.0);
}

#[test]
fn rotations_go_the_short_way_and_stay_unit() {
    let (from, to) = (Quat::from_rotation_y(0.2), -Quat::from_rotation_y(1.2));
    let linear = clip(
        Interpolation::Linear,
        &[0.0, 1.0],
        TrackValues::Rotation(vec![from, to]),
    );
    assert!(
        local_at(&linear, 0.5)
            .rotation
            .angle_between(Quat::from_rotation_y(0.7))
            < 1e-3
    );
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let through_zero = vec![zero, from, zero, zero, -from, zero];
    let cubic = clip(
        Interpolation::Cubic,
        &[0.0, 1.0],
        TrackValues::Rotation(through_zero),
    );
    for seconds in [0.0, 0.2, 0.5, 0.8, 1.0] {
        assert!(
            local_at(&cubic, seconds).rotation.is_normalized(),
            "{seconds}"
        );
        assert!(
            local_at(&linear, seconds).rotation.is_normalized(),
            "{seconds}"
        );
    }
}

#[test]
fn untouched_nodes_rest() {
    let twice = clip(
        Interpolation::Step,
        &[0.0],
        TrackValues::Scale(vec![Vec3::ONE * 2.0]),
    );
    let (pose, rest) = (
        Pose::sample(&twice, &skeleton(), 0.0),
        Pose::rest(&skeleton()),
    );
    assert_eq!(
        (pose.locals[0], pose.locals[2]),
        (rest.locals[0], rest.locals[2])
    );
    assert_eq!(
        pose.locals[1],
        Transform {
            scale: Vec3::ONE * 2.0,
            ..rest.locals[1]
        }
    );
}

#[test]
fn blending_meets_both_ends() {
    let skeleton = skeleton();
    let (a, b) = (bind_pose(&skeleton), Pose::rest(&skeleton));
    for (t, end) in [(0.0, &a), (1.0, &b)] {
        for (blended, end) in Pose::blend(&a, &b, t).locals.iter().zip(&end.locals) {
            assert!(blended.to_mat4().abs_diff_eq(end.to_mat4(), 1e-5), "{t}");
        }
    }
    let turned = Transform {
        rotation: Quat::from_rotation_z(FRAC_PI_2),
        ..Transform::IDENTITY
    };
    let half = Transform::IDENTITY.blend(turned, 0.5);
    assert!(
        half.rotation
            .angle_between(Quat::from_rotation_z(FRAC_PI_4))
            < 1e-3
    );
}

#[test]
fn bind_pose_leaves_vertices_where_they_are() {
    let skeleton = skeleton();
    let palette = Palette::new(&skeleton, &bind_pose(&skeleton), Mat4::IDENTITY);
    let bound = Palette::bind(&skeleton);
    for joint_ix in 0..2 {
        assert!(palette.world_from_bind[joint_ix].abs_diff_eq(Mat4::IDENTITY, 1e-5));
        assert!(
            palette.world_from_bone[joint_ix].abs_diff_eq(bound.world_from_bone[joint_ix], 1e-5)
        );
    }
    let resting = Palette::new(&skeleton, &Pose::rest(&skeleton), Mat4::IDENTITY);
    assert!(
        !resting.world_from_bind[1].abs_diff_eq(Mat4::IDENTITY, 1e-2),
        "the skeleton rests in its bind pose"
    );
}

#[test]
fn bind_pose_survives_collapsed_joints() {
    let mut skeleton = skeleton();
    skeleton.joints[0].bone_from_bind = Mat4::ZERO;
    skeleton.nodes[0].rest.scale = Vec3::ZERO;
    assert!(
        bind_pose(&skeleton)
            .locals
            .iter()
            .all(|local| local.to_mat4().is_finite())
    );
    assert_eq!(Palette::bind(&skeleton).world_from_bind[0], Mat4::IDENTITY);
}

#[test]
fn update_agrees_with_new_and_keeps_its_buffers() {
    let skeleton = skeleton();
    let mut palette = Palette::new(&skeleton, &Pose::rest(&skeleton), Mat4::IDENTITY);
    let buffers = (
        palette.world_from_bone.as_ptr(),
        palette.world_from_bind.as_ptr(),
    );
    let (pose, root) = (bind_pose(&skeleton), Mat4::from_translation(Vec3::Z * 3.0));
    palette.update(&skeleton, &pose, root);
    assert_eq!(palette, Palette::new(&skeleton, &pose, root));
    assert_eq!(
        buffers,
        (
            palette.world_from_bone.as_ptr(),
            palette.world_from_bind.as_ptr()
        )
    );
}
