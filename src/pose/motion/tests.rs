//! What a clip promises, on rigs of very different proportions.

mod characters;

use super::contact::{FootState, HandState};
use super::rig::{LEFT, Pose, RIGHT, Rig};
use super::sample::{KEYS_PER_SECOND, sample_poses};
use super::score::GRAVITY;
use super::*;
use crate::avatar::{Track, TrackValues, builtin};
use characters::{adult, characters, ogre, skeleton};
use glam::{Quat, Vec3};

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
                            speed(3) < 0.001 * scale,
                            "{name}: ball {side} slides {} m/s at {}",
                            speed(3),
                            time(ix)
                        );
                    }
                    if same && a.pitch == 0.0 && b.pitch == 0.0 {
                        assert!(
                            speed(2) < 0.001 * scale,
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
                        slide < 0.001 * scale,
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
                    depth < 1e-4,
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
                    // An ogre's arms turn out while they leave the floor.
                    let most = if name == "ogre" { 45.0 } else { 38.0 };
                    assert!(
                        rate < most,
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
                let allowed = if on - off > 0.2 { 0.1 } else { 14.0 } * rig.leg_length();
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
                        assert!(q[0].xyz().length() < 2e-3, "{name}: {:?}", q[0]);
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
    let skeleton = skeleton(&adult());
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
    let skeleton = skeleton(&adult());
    let (a, b) = (
        author(&skeleton).expect("a game rig"),
        author(&skeleton).expect("a game rig"),
    );
    assert_eq!(format!("{a:?}"), format!("{b:?}"));
}

#[test]
fn fingers_are_curled_where_there_are_any() {
    let (with, without) = (skeleton(&adult()), skeleton(&ogre()));
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
        let mut skeleton = skeleton(&adult());
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

/// After a change of the motion, run `tools/make_assets` too.
#[test]
fn the_clips_in_the_assets_are_those_that_are_authored_now() {
    for avatar in [builtin::load_mannequin(), builtin::load_ogre()] {
        let authored = author(&avatar.skeleton).expect("the game rig");
        let stored = &avatar.clips[0];
        for step in 0..60 {
            let seconds = authored.duration * step as f32 / 60.0;
            let pose = |clip| crate::pose::Pose::sample(clip, &avatar.skeleton, seconds);
            let pairs = pose(&authored).locals.into_iter().zip(pose(stored).locals);
            let turned = pairs.map(|(a, b)| a.rotation.angle_between(b.rotation));
            let most = turned.fold(0.0, f32::max);
            assert!(most < 2e-3, "{}: {most} rad at {seconds} s", avatar.name);
        }
    }
}
