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
    /// None where the bind pose will do.
    pub fn of(body: &Body) -> Option<Self> {
        if body.is_of_pieces {
            return None;
        }
        let humanoid = &body.humanoid;
        let spread = spread(body);
        let raises = [Side::Left, Side::Right].map(|side| raise(humanoid, side, &body.poses));
        if spread == 0.0 && raises == [0.0; 2] {
            return None;
        }
        Some(Self::turning(humanoid, raises, spread))
    }

    /// With arms and legs turned so far outwards, radians.
    fn turning(humanoid: &Humanoid, arms: [f32; 2], legs: f32) -> Self {
        let turns = [0, 1].map(|side| {
            let about = |pivot: Vec3, angle: f32| {
                turned(humanoid.tailor_from_bind, pivot, [angle, -angle][side])
            };
            let (arm, leg) = (humanoid.arms[side].root, humanoid.legs[side].root);
            (about(arm, arms[side]), about(leg, legs))
        });
        let of_joint = |&(part, side): &(Part, Side)| match part {
            part if part.is_arm() => turns[side as usize].0,
            part if part.is_leg() => turns[side as usize].1,
            _ => Mat4::IDENTITY,
        };
        Self {
            stance_from_bind: humanoid.part_of_joint.iter().map(of_joint).collect(),
        }
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

    /// Puts a garment that was cut in the stance where skinning it there puts it into the stance. One that no turned limb moves is there already.
    pub fn bring_back(&self, garment: &mut Garment) {
        let is_turned = |&joint: &u16| self.stance_from_bind[usize::from(joint)] != Mat4::IDENTITY;
        let weights = garment.mesh.weights.as_flattened().iter();
        let mut influences = garment.mesh.joints.as_flattened().iter().zip(weights);
        if !influences.any(|(joint, &weight)| weight > 0.0 && is_turned(joint)) {
            return;
        }
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

#[cfg(test)]
mod tests {
    use super::super::{GarmentKind, make, make_for_clips};
    use super::*;
    use crate::avatar::builtin::load_mannequin;
    use crate::cloth::garment::surface::Surface;

    /// The mannequin as if it had been bound with arms and legs turned so far outwards, radians.
    fn bound(arms: f32, legs: f32) -> Avatar {
        let avatar = load_mannequin();
        let humanoid = Humanoid::find(&avatar).expect("it is a person");
        Stance::turning(&humanoid, [arms; 2], legs).posed(&avatar)
    }

    fn clothes(avatar: &Avatar) -> [Garment; 2] {
        let made = make(GarmentKind::TrousersAndTop, avatar, 1500);
        let made = made.expect("it is a person");
        made.try_into().expect("trousers and a top")
    }

    /// Ends of legs and sleeves, waist and collar.
    fn openings(garment: &Garment) -> usize {
        let surface = Surface {
            positions: garment.rest_shape().to_vec(),
            triangles: garment.mesh.triangles.clone(),
        };
        surface.border_loops().len()
    }

    #[test]
    fn who_stands_as_people_do_is_dressed_in_the_bind_pose() {
        for garment in clothes(&bound(0.0, 0.0)) {
            assert!(garment.rest_positions.is_empty());
            assert_eq!(garment.rest_shape(), &garment.mesh.positions[..]);
        }
        // A T-pose, of which nobody says where the arms go.
        let [_, top] = clothes(&bound(0.75, 0.0));
        assert!(top.rest_positions.is_empty());
        assert_eq!(openings(&top), 4);
    }

    /// Hanging arms, legs that cross, arms that clips lower: each garment has the openings that it should have, and what skinning makes of it in the stance is
    /// what was cut.
    #[test]
    fn who_leaves_cloth_no_room_is_dressed_in_another_stance() {
        let usual = bound(0.0, 0.0);
        let [usual_trousers, usual_top] = clothes(&usual);
        for (arms, legs) in [(-0.7, 0.0), (0.0, -0.14), (-0.7, -0.14)] {
            let avatar = bound(arms, legs);
            let [trousers, top] = clothes(&avatar);
            assert_eq!(openings(&trousers), 3, "{arms}, {legs}: trousers");
            assert_eq!(openings(&top), 4, "{arms}, {legs}: top");
            let trousers_are_moved = legs != 0.0;
            assert_eq!(trousers.rest_positions.is_empty(), !trousers_are_moved);
            assert!(!top.rest_positions.is_empty());
            for (garment, usual) in [(&trousers, &usual_trousers), (&top, &usual_top)] {
                let area = |garment: &Garment| {
                    let corners = |t: &[u32; 3]| t.map(|ix| garment.rest_shape()[ix as usize]);
                    let areas = garment.mesh.triangles.iter().map(corners);
                    let areas = areas.map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length());
                    areas.sum::<f32>()
                };
                let ratio = area(garment) / area(usual);
                assert!((0.9..1.1).contains(&ratio), "{arms}, {legs}: {ratio}");
            }
        }
    }

    #[test]
    fn arms_that_clips_lower_are_lowered_from_a_t_pose() {
        let avatar = bound(0.75, 0.0);
        let made = make_for_clips(GarmentKind::TrousersAndTop, &avatar, &[0], 1500);
        let [trousers, top] = &made.expect("it is a person")[..] else {
            panic!("trousers and a top");
        };
        assert!(!top.rest_positions.is_empty() && trousers.rest_positions.is_empty());
        assert_eq!(openings(top), 4, "it has sleeves");
    }

    #[test]
    fn what_is_brought_back_is_cut_again_by_skinning() {
        let avatar = bound(-0.7, -0.14);
        let body = Body::new(&avatar, Humanoid::find(&avatar).expect("a person"));
        let stance = Stance::of(&body).expect("arms hang and legs touch");
        let posed = stance.posed(&avatar);
        // The skin's own vertices stand for cloth.
        let mut garment = clothes(&avatar)[0].clone();
        garment.mesh = posed.skin.clone();
        stance.bring_back(&mut garment);
        let skins = garment.mesh.positions.iter().zip(&avatar.skin.positions);
        for (brought, bind) in skins {
            assert!(brought.distance(*bind) < 1e-4, "{brought}, {bind}");
        }
        assert_eq!(garment.rest_positions, posed.skin.positions);
    }
}
