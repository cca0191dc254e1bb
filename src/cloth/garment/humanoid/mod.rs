//! Finds the parts of a humanoid in a skeleton: by joint names where they say enough, else by the shape of the tree.

mod joints;
mod limbs;
mod names;
#[cfg(test)]
mod tests;

use crate::avatar::{Avatar, SkinMesh};
use glam::{Mat3, Vec3};

use super::GarmentError;
use joints::JointTree;
use limbs::Chain;
use names::LimbKind;

/// A part of the body that garments tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// Pelvis, spine and shoulder girdle.
    Torso,
    Neck,
    Head,
    UpperArm,
    LowerArm,
    /// With the fingers.
    Hand,
    Thigh,
    Calf,
    /// With the toes.
    Foot,
}

impl Part {
    pub const COUNT: usize = 9;

    pub fn is_arm(self) -> bool {
        matches!(self, Self::UpperArm | Self::LowerArm | Self::Hand)
    }

    pub fn is_leg(self) -> bool {
        matches!(self, Self::Thigh | Self::Calf | Self::Foot)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Left,
    Right,
}

/// Three joints of an arm (shoulder, elbow, wrist) or leg (hip, knee, ankle), in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limb {
    pub root: Vec3,
    pub mid: Vec3,
    pub end: Vec3,
}

impl Limb {
    /// The point `fraction` of the way from the middle joint to the last.
    pub fn along_lower(&self, fraction: f32) -> Vec3 {
        self.mid.lerp(self.end, fraction)
    }

    /// The point `fraction` of the way from the first joint to the middle one.
    pub fn along_upper(&self, fraction: f32) -> Vec3 {
        self.root.lerp(self.mid, fraction)
    }

    /// The point at a part of both: 0 at the first joint, 1 at the middle one, 2 at the last.
    pub fn along(&self, part: f32) -> Vec3 {
        match part < 1.0 {
            true => self.along_upper(part),
            false => self.along_lower(part - 1.0),
        }
    }

    /// At which part of both a point is, of 0 to 2.
    pub fn part_at(&self, point: Vec3) -> f32 {
        let nearest = |from: Vec3, to: Vec3| {
            let way = to - from;
            let part = (point - from).dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
            let part = part.clamp(0.0, 1.0);
            (part, point.distance_squared(from + part * way))
        };
        let (upper, lower) = (nearest(self.root, self.mid), nearest(self.mid, self.end));
        if upper.1 < lower.1 {
            upper.0
        } else {
            1.0 + lower.0
        }
    }
}

/// Where the parts of a humanoid are. Positions are in *tailor space*: bind space turned so that +Y is up, +Z is
/// where the character faces and +X is its left.
#[derive(Clone, Debug)]
pub(super) struct Humanoid {
    /// A rotation; by quarter turns for whoever faces along an axis.
    pub tailor_from_bind: Mat3,
    /// The part each joint moves, with the side for limbs (left for the rest).
    pub part_of_joint: Vec<(Part, Side)>,
    /// Base of the neck and a joint above it, metres.
    pub neck: Vec3,
    pub head: Vec3,
    /// Left, right.
    pub arms: [Limb; 2],
    pub legs: [Limb; 2],
    /// Of each arm the joint that moves the upper arm and the one that it hangs from, if there is one, else itself.
    pub shoulders: [[usize; 2]; 2],
    /// Size against a person 1.75 m tall: all ease and clearance grows with it.
    pub scale: f32,
}

/// Of a thigh's length, how far its knee is below its hip at least. Usually 0.5: the legs of whoever sits or crouches in the bind pose have no trousers'
/// shape, and what is made on them is rags.
const MIN_HANG: f32 = 0.5;
/// From the base of the neck to the ankles of a person 1.75 m tall, metres.
const NECK_TO_ANKLE: f32 = 1.40;

impl Humanoid {
    /// # Errors
    /// [`GarmentError::NotHumanoid`] when no two arms, two legs and a neck can be made out.
    pub fn find(avatar: &Avatar) -> Result<Self, GarmentError> {
        let tree = JointTree::of(avatar);
        let not_humanoid = |missing| GarmentError::NotHumanoid {
            avatar: avatar.name.clone(),
            missing,
        };
        let pair = |kind| limbs::pair(&tree, &avatar.skin, kind);
        let mut legs = pair(LimbKind::Leg).ok_or_else(|| not_humanoid("two legs"))?;
        let mut arms = pair(LimbKind::Arm).ok_or_else(|| not_humanoid("two arms"))?;
        let (neck, head) =
            limbs::neck_and_head(&tree, &arms).ok_or_else(|| not_humanoid("a neck or a head"))?;

        let mut tailor_from_bind = tailor_from_bind(&tree, &arms, &legs);
        if points_backwards(&tree, &avatar.skin, &legs, tailor_from_bind.row(2)) {
            legs.reverse();
            arms.reverse();
            tailor_from_bind = self::tailor_from_bind(&tree, &arms, &legs);
        }
        let place = |joint_ix: usize| tailor_from_bind * tree.positions[joint_ix];
        let limb = |chain: Chain| Limb {
            root: place(chain.root),
            mid: place(chain.mid),
            end: tailor_from_bind * chain.end_place,
        };
        let arm_places = arms.map(limb);
        let leg_places = legs.map(limb);
        let ankle_y = 0.5 * (leg_places[0].end.y + leg_places[1].end.y);
        let neck_place = place(neck);
        let found = Self {
            tailor_from_bind,
            part_of_joint: parts_of_joints(&tree, &arms, &legs, neck, head),
            neck: neck_place,
            head: if head == neck {
                neck_place + Vec3::Y * 0.1 * (neck_place.y - ankle_y)
            } else {
                place(head)
            },
            arms: arm_places,
            legs: leg_places,
            shoulders: arms.map(|arm| [arm.root, tree.parents[arm.root].unwrap_or(arm.root)]),
            scale: (neck_place.y - ankle_y) / NECK_TO_ANKLE,
        };
        found.check_plausible().map_err(not_humanoid)?;
        Ok(found)
    }

    /// A four-legged animal can carry the joint names of a person; clothes would not fit it.
    fn check_plausible(&self) -> Result<(), &'static str> {
        let [left, right] = self.legs;
        let [left_arm, right_arm] = self.arms;
        let leg_length = self.hip_y() - 0.5 * (left.end.y + right.end.y);
        let shoulder_y = 0.5 * (left_arm.root.y + right_arm.root.y);
        if !(self.scale > 0.0 && self.scale.is_finite()) {
            return Err("a neck above its ankles");
        }
        let hangs = |leg: &Limb| leg.root.y - leg.mid.y > MIN_HANG * leg.root.distance(leg.mid);
        if leg_length < 0.2 * NECK_TO_ANKLE * self.scale
            || !self.legs.iter().all(hangs)
            || left.root.x <= right.root.x
        {
            return Err("two legs it stands on");
        }
        if shoulder_y < self.hip_y() + 0.1 * NECK_TO_ANKLE * self.scale
            || left_arm.root.x <= right_arm.root.x
        {
            return Err("two shoulders above its hips");
        }
        Ok(())
    }

    /// Height of the hip joints.
    pub fn hip_y(&self) -> f32 {
        0.5 * (self.legs[0].root.y + self.legs[1].root.y)
    }

    pub fn shoulder_y(&self) -> f32 {
        0.5 * (self.arms[0].root.y + self.arms[1].root.y)
    }

    /// The plane of symmetry.
    pub fn mid_x(&self) -> f32 {
        0.5 * (self.legs[0].root.x + self.legs[1].root.x)
    }

    /// A height on the trunk: 0 at the hip joints, 1 at the base of the neck.
    pub fn trunk_y(&self, fraction: f32) -> f32 {
        self.hip_y() + fraction * (self.neck.y - self.hip_y())
    }

    /// A height on the lower legs: 0 at the knees, 1 at the ankles.
    pub fn lower_leg_y(&self, fraction: f32) -> f32 {
        0.5 * (self.legs[0].along_lower(fraction).y + self.legs[1].along_lower(fraction).y)
    }
}

/// Cosine of the angle between left and the nearest axis up to which a character counts as facing along one: 8 degrees, more than shoulders and hips of
/// anyone who faces along an axis are turned.
const ALONG_AXIS: f32 = 0.99;
/// How far behind its ankles the skin of the feet is in the mean, as a part of the calves' length, of whoever is turned round. Usually it is 0.1 to 0.2 in
/// front of them.
const BEHIND: f32 = 0.05;

/// Whether the feet point against `front`: left and right are named as a spectator sees them, or the rig is mirrored.
fn points_backwards(tree: &JointTree, skin: &SkinMesh, legs: &[Chain; 2], front: Vec3) -> bool {
    let ahead = legs.iter().map(|leg| {
        let Some(end) = leg.end else { return 0.0 };
        let is_foot = |joint_ix: u16| {
            let joint_ix = usize::from(joint_ix);
            joint_ix == end || tree.is_under(joint_ix, end)
        };
        let strongest = skin.positions.iter().zip(&skin.joints);
        let foot = strongest.filter(|(_, joints)| is_foot(joints[0]));
        let ahead: Vec<f32> = foot
            .map(|(&at, _)| (at - leg.end_place).dot(front))
            .collect();
        let calf = tree.positions[leg.mid].distance(leg.end_place);
        ahead.iter().sum::<f32>() / (ahead.len().max(1) as f32 * calf)
    });
    ahead.sum::<f32>() < -2.0 * BEHIND
}

/// The rotation that takes shoulders above ankles and the left shoulder to +X: by quarter turns for whoever faces along an axis.
fn tailor_from_bind(tree: &JointTree, arms: &[Chain; 2], legs: &[Chain; 2]) -> Mat3 {
    let shoulders = 0.5 * (tree.positions[arms[0].root] + tree.positions[arms[1].root]);
    let ankles = 0.5 * (legs[0].end_place + legs[1].end_place);
    let up = nearest_axis(shoulders - ankles, Vec3::ZERO);
    let across = |pair: &[Chain; 2]| tree.positions[pair[0].root] - tree.positions[pair[1].root];
    let across = (across(arms) + across(legs)).reject_from_normalized(up);
    let mut left = nearest_axis(across, up);
    if across.dot(left) < ALONG_AXIS * across.length() {
        left = across.normalize();
    }
    Mat3::from_cols(left, up, left.cross(up)).transpose()
}

fn nearest_axis(direction: Vec3, forbidden: Vec3) -> Vec3 {
    let axes = [Vec3::Y, Vec3::X, Vec3::Z];
    let free = axes
        .into_iter()
        .filter(|axis| axis.dot(forbidden).abs() < 0.5);
    let axis = free.fold(Vec3::ZERO, |best, axis| {
        if best == Vec3::ZERO || direction.dot(axis).abs() > direction.dot(best).abs() {
            axis
        } else {
            best
        }
    });
    if direction.dot(axis) < 0.0 {
        -axis
    } else {
        axis
    }
}

fn parts_of_joints(
    tree: &JointTree,
    arms: &[Chain; 2],
    legs: &[Chain; 2],
    neck: usize,
    head: usize,
) -> Vec<(Part, Side)> {
    let mut known = vec![None; tree.len()];
    known[neck] = Some((Part::Neck, Side::Left));
    // A single joint for both moves the head, which is the larger by far.
    known[head] = Some((Part::Head, Side::Left));
    for (pair, kind) in [(arms, LimbKind::Arm), (legs, LimbKind::Leg)] {
        for (chain, side) in pair.iter().zip([Side::Left, Side::Right]) {
            for (joint_ix, part) in chain.parts(kind) {
                known[joint_ix] = Some((part, side));
            }
            let tip = limbs::parts_of(kind)[2];
            for joint_ix in limbs::digits(tree, chain, tip) {
                known[joint_ix].get_or_insert((tip, side));
            }
        }
    }
    let inherit = |joint_ix: usize| {
        let line = std::iter::successors(Some(joint_ix), |&ix| tree.parents[ix]).take(tree.len());
        line.into_iter()
            .find_map(|ix| known[ix])
            .unwrap_or((Part::Torso, Side::Left))
    };
    (0..tree.len()).map(inherit).collect()
}
