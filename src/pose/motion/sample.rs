//! From a plan to a clip: the plan solved at an even rate, every driven joint a track.

use super::curve::min_jerk;
use super::rig::{LEFT, Pose, RIGHT, Rig};
use super::score::Plan;
use super::solve::Solver;
use crate::avatar::{Clip, Interpolation, Track, TrackValues};
use glam::{Quat, Vec3};

/// Keys a second. At 60 linear keys stray from the motion by 2° at its sharpest, where hands push off.
pub(super) const KEYS_PER_SECOND: f32 = 60.0;
/// Seconds over which the body comes down to where a limb on the floor is within reach, and up again.
const EASE_DOWN: f32 = 0.14;
/// Seconds before which the body is not yet lowered: the bind pose is met exactly.
const FROM_BIND: f32 = 0.12;
/// A rotation that never leaves the bind pose by more than this, radians, gets no track.
const STILL: f32 = 1e-5;

/// The poses of a plan, `KEYS_PER_SECOND` a second.
pub(super) fn sample_poses(rig: &Rig, plan: &Plan) -> Vec<Pose> {
    let count = (plan.duration * KEYS_PER_SECOND).round() as usize + 1;
    let time = |ix: usize| ix as f32 / KEYS_PER_SECOND;
    let mut solver = Solver::new(rig, plan);
    let mut drops = vec![0.0; count];
    // Lowering the body bends what it stands on, which moves the centre of mass: the second round mends the first.
    for _ in 0..2 {
        let lookup = |t: f32| interpolate(&drops, t * KEYS_PER_SECOND);
        solver.find_edges(&lookup);
        solver.find_edges(&lookup);
        let needed: Vec<f32> = (0..count)
            .map(|ix| {
                solver
                    .shortfall(time(ix), &solver.pose(time(ix), drops[ix]))
                    .max(0.0)
            })
            .collect();
        for (ix, more) in ease_up_to(&needed).into_iter().enumerate() {
            drops[ix] += more * min_jerk(time(ix) / FROM_BIND);
        }
    }
    let lookup = |t: f32| interpolate(&drops, t * KEYS_PER_SECOND);
    solver.find_edges(&lookup);
    solver.find_edges(&lookup);
    (0..count)
        .map(|ix| solver.pose(time(ix), drops[ix]))
        .collect()
}

fn interpolate(values: &[f32], at: f32) -> f32 {
    let ix = (at.max(0.0) as usize).min(values.len() - 1);
    let next_ix = (ix + 1).min(values.len() - 1);
    values[ix] + (at - ix as f32).clamp(0.0, 1.0) * (values[next_ix] - values[ix])
}

/// A smooth curve that is nowhere less than `needed`: the highest value near, then averaged over as wide a window.
fn ease_up_to(needed: &[f32]) -> Vec<f32> {
    let half = (0.5 * EASE_DOWN * KEYS_PER_SECOND).round() as usize;
    let window =
        |ix: usize, radius: usize| ix.saturating_sub(radius)..(ix + radius + 1).min(needed.len());
    let highest: Vec<f32> = (0..needed.len())
        .map(|ix| {
            needed[window(ix, 2 * half)]
                .iter()
                .fold(0.0, |a: f32, b| a.max(*b))
        })
        .collect();
    let mean = |values: &[f32]| -> Vec<f32> {
        (0..values.len())
            .map(|ix| {
                window(ix, half).map(|k| values[k]).sum::<f32>() / window(ix, half).len() as f32
            })
            .collect()
    };
    mean(&mean(&highest))
}

/// The clip of these poses, with tracks for the joints that move.
pub(super) fn clip_of(rig: &Rig, name: &str, poses: &[Pose]) -> Clip {
    let times: Vec<f32> = (0..poses.len())
        .map(|ix| ix as f32 / KEYS_PER_SECOND)
        .collect();
    let duration = times.last().copied().unwrap_or(0.0);
    let track = |node_ix, values| Track {
        node_ix,
        interpolation: Interpolation::Linear,
        times: times.clone(),
        values,
    };
    let travel: Vec<Vec3> = poses.iter().map(|p| p.pelvis - rig.pelvis_parent).collect();
    let mut tracks = vec![track(rig.core[0].node_ix, TrackValues::Translation(travel))];
    for (node_ix, rotation) in driven_joints(rig) {
        let mut values: Vec<Quat> = poses.iter().map(|p| rotation(p).normalize()).collect();
        keep_to_one_hemisphere(&mut values);
        if values.iter().any(|q| q.xyz().length() > STILL) {
            tracks.push(track(node_ix, TrackValues::Rotation(values)));
        }
    }
    tracks.sort_by_key(|t| (t.node_ix, matches!(t.values, TrackValues::Rotation(_))));
    Clip {
        name: name.to_owned(),
        duration,
        tracks,
    }
}

type RotationOf = Box<dyn Fn(&Pose) -> Quat>;

/// Every node that a pose turns, and how to read its rotation.
fn driven_joints(rig: &Rig) -> Vec<(usize, RotationOf)> {
    let mut joints: Vec<(usize, RotationOf)> = Vec::new();
    for (i, joint) in rig.core.iter().enumerate() {
        joints.push((joint.node_ix, Box::new(move |p| p.core[i])));
    }
    for side in [LEFT, RIGHT] {
        for i in 0..4 {
            joints.push((
                rig.arms[side][i].node_ix,
                Box::new(move |p| p.arms[side][i]),
            ));
            joints.push((
                rig.legs[side][i].node_ix,
                Box::new(move |p| p.legs[side][i]),
            ));
        }
    }
    for finger in &rig.fingers {
        let axis = finger.curl_axis;
        joints.push((
            finger.node_ix,
            Box::new(move |p| Quat::from_axis_angle(axis, p.grip)),
        ));
    }
    joints
}

/// q and -q turn alike; neighbours on the same side keep linear interpolation on the short way.
fn keep_to_one_hemisphere(rotations: &mut [Quat]) {
    for ix in 1..rotations.len() {
        if rotations[ix].dot(rotations[ix - 1]) < 0.0 {
            rotations[ix] = -rotations[ix];
        }
    }
}
