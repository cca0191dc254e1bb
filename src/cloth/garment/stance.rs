//! The pose that clothes are cut in where the bind pose leaves cloth no room: arms that hang at the flanks are raised, and legs that touch are
//! spread, as a tailor asks whom he measures. What is cut so is brought back to the bind pose by the inverse of skinning; its lengths stay
//! those it was cut with.

use crate::avatar::{Avatar, SkinMesh};
use glam::{Mat3, Mat4, Quat, Vec3};

use super::Garment;
use super::body::Body;
use super::humanoid::{Humanoid, Part, Side};
use crate::pose::Palette;

/// Upper arms that are nearer to straight down than this are raised, radians. Usually 0.6; arms of people whose clothes need no stance are at 0.7 to 1.6,
/// and from 0.45 on downwards tops are open in the flanks.
const HANGING: f32 = 0.6;
/// Raised so far, radians: between hanging and level, so that cloth of the armpit is creased in neither.
const RAISED: f32 = 0.8;
/// Arms held higher than this in the bind pose, radians, are lowered as far where clips have them lower than [`LOWERED`] on the average: sleeves cut for level
/// arms lie in the flanks then. Usually 1.3; a T-pose has 1.5.
const LEVEL: f32 = 1.3;
const LOWERED: f32 = 1.1;
/// Legs with less air between them somewhere are spread, metres for a person of 1.75 m. Usually 0.042: what stands as people do has 0.046 to 0.06 at the
/// narrowest place; trousers of legs with 0.026 are joined down to the knees by what bridges them ([`super::canvas`]).
const TOO_NEAR: f32 = 0.042;
/// Until they have so much, metres for a person of 1.75 m.
const BETWEEN_LEGS: f32 = 0.06;
/// Parts of the way from hip to ankle between which that is looked at. Above, thighs of many touch, and trousers are joined there.
const LOOKED_AT: std::ops::Range<f32> = 0.2..1.0;
/// Legs are spread by no more than this each, radians.
const MOST_SPREAD: f32 = 0.35;
/// Heights at which gaps are looked at.
const RING_COUNT: usize = 24;

/// A stance other than the bind pose.
pub(super) struct Stance {
    /// By joint, bind space.
    stance_from_bind: Vec<Mat4>,
}

impl Stance {
    /// For clips that have such poses; none where the bind pose will do.
    pub fn of(body: &Body, poses: &[Palette]) -> Option<Self> {
        if body.is_of_pieces {
            return None;
        }
        let humanoid = &body.humanoid;
        let spread = spread(body);
        let raises = [Side::Left, Side::Right].map(|side| raise(humanoid, side, poses));
        if spread == 0.0 && raises == [0.0; 2] {
            return None;
        }
        let turns = [0, 1].map(|side| {
            let about = |pivot: Vec3, angle: f32| {
                turned(humanoid.tailor_from_bind, pivot, [angle, -angle][side])
            };
            let (arm, leg) = (humanoid.arms[side].root, humanoid.legs[side].root);
            (about(arm, raises[side]), about(leg, spread))
        });
        let of_joint = |&(part, side): &(Part, Side)| match part {
            part if part.is_arm() => turns[side as usize].0,
            part if part.is_leg() => turns[side as usize].1,
            _ => Mat4::IDENTITY,
        };
        Some(Self {
            stance_from_bind: humanoid.part_of_joint.iter().map(of_joint).collect(),
        })
    }

    /// The avatar as if it had been bound in the stance.
    pub fn posed(&self, avatar: &Avatar) -> Avatar {
        let mut posed = avatar.clone();
        for ix in 0..posed.skin.positions.len() {
            let stance_from_bind = self.at(&avatar.skin, ix);
            let skin = &mut posed.skin;
            skin.positions[ix] = stance_from_bind.transform_point3(skin.positions[ix]);
            skin.normals[ix] = turned_normal(stance_from_bind, skin.normals[ix]);
        }
        for (joint, stance_from_bind) in
            posed.skeleton.joints.iter_mut().zip(&self.stance_from_bind)
        {
            joint.bone_from_bind *= stance_from_bind.inverse();
        }
        posed
    }

    /// Puts a garment that was cut in the stance where skinning it there puts it into the stance.
    pub fn bring_back(&self, garment: &mut Garment) {
        garment.rest_positions.clone_from(&garment.mesh.positions);
        for ix in 0..garment.mesh.positions.len() {
            let bind_from_stance = self.at(&garment.mesh, ix).inverse();
            let mesh = &mut garment.mesh;
            mesh.positions[ix] = bind_from_stance.transform_point3(mesh.positions[ix]);
            mesh.normals[ix] = turned_normal(bind_from_stance, mesh.normals[ix]);
        }
    }

    /// What skinning does to a vertex.
    fn at(&self, mesh: &SkinMesh, vertex_ix: usize) -> Mat4 {
        let influences = mesh.joints[vertex_ix].iter().zip(&mesh.weights[vertex_ix]);
        influences
            .map(|(&joint, &weight)| self.stance_from_bind[usize::from(joint)] * weight)
            .fold(Mat4::ZERO, |sum, matrix| sum + matrix)
    }
}

/// A turn about the axis along which the character looks.
fn turned(tailor_from_bind: Mat3, pivot: Vec3, angle: f32) -> Mat4 {
    let bind_from_tailor = tailor_from_bind.transpose();
    let (axis, pivot) = (bind_from_tailor * Vec3::Z, bind_from_tailor * pivot);
    let turn = Mat4::from_quat(Quat::from_axis_angle(axis, angle));
    Mat4::from_translation(pivot) * turn * Mat4::from_translation(-pivot)
}

fn turned_normal(matrix: Mat4, normal: Vec3) -> Vec3 {
    let turned = Mat3::from_mat4(matrix).inverse().transpose() * normal;
    turned.try_normalize().unwrap_or(normal)
}

/// Radians by which an arm is raised.
fn raise(humanoid: &Humanoid, side: Side, poses: &[Palette]) -> f32 {
    let arm = &humanoid.arms[side as usize];
    let along = (arm.mid - arm.root).normalize_or_zero();
    let out = [1.0, -1.0][side as usize];
    let from_down = (out * along.x).atan2(-along.y);
    let is_hanging = off_down(along) < HANGING;
    let is_level = || from_down > LEVEL && mean_off_down(humanoid, side, poses) < LOWERED;
    if is_hanging || is_level() {
        RAISED - from_down
    } else {
        0.0
    }
}

/// Radians between a direction and straight down.
fn off_down(along: Vec3) -> f32 {
    (-along.y).clamp(-1.0, 1.0).acos()
}

/// How far an upper arm is off straight down along the trunk in poses, on the average; infinite where there are none.
fn mean_off_down(humanoid: &Humanoid, side: Side, poses: &[Palette]) -> f32 {
    let arm = &humanoid.arms[side as usize];
    let [upper, girdle] = humanoid.shoulders[side as usize];
    let turn = Mat4::from_mat3(humanoid.tailor_from_bind);
    let in_pose = |palette: &Palette| {
        let [upper, girdle] = [upper, girdle].map(|ix| palette.world_from_bind[ix]);
        let moved = turn * girdle.inverse() * upper * turn.transpose();
        off_down(
            moved
                .transform_vector3(arm.mid - arm.root)
                .normalize_or_zero(),
        )
    };
    match poses {
        [] => f32::INFINITY,
        poses => poses.iter().map(in_pose).sum::<f32>() / poses.len() as f32,
    }
}

/// Radians by which each leg is spread.
fn spread(body: &Body) -> f32 {
    let humanoid = &body.humanoid;
    let (scale, mid_x) = (humanoid.scale, humanoid.mid_x());
    // How far either leg reaches over the middle, by height.
    let mut inner = [[f32::NEG_INFINITY; 2]; RING_COUNT];
    for side in [Side::Left, Side::Right] {
        let leg = &humanoid.legs[side as usize];
        let (length, out) = (leg.root.y - leg.end.y, [1.0, -1.0][side as usize]);
        let skin =
            |(part, at): (Part, Side)| at == side && matches!(part, Part::Thigh | Part::Calf);
        for at in body.samples(0.02 * scale, skin) {
            let part = (leg.root.y - at.y) / length;
            if LOOKED_AT.contains(&part) {
                let reach = &mut inner[(part * RING_COUNT as f32) as usize][side as usize];
                *reach = reach.max(out * (mid_x - at.x));
            }
        }
    }
    let depth = |ring_ix: usize| {
        let leg = &humanoid.legs[0];
        (ring_ix as f32 + 0.5) / RING_COUNT as f32 * (leg.root.y - leg.end.y)
    };
    let gaps = inner.iter().map(|[left, right]| -(left + right));
    let gaps: Vec<_> = gaps
        .enumerate()
        .filter(|(_, gap)| gap.is_finite())
        .collect();
    if gaps.iter().all(|&(_, gap)| gap > TOO_NEAR * scale) {
        return 0.0;
    }
    let needed = gaps
        .iter()
        .map(|&(ix, gap)| (BETWEEN_LEGS * scale - gap) / (2.0 * depth(ix)));
    needed.fold(0.0, f32::max).min(MOST_SPREAD)
}
