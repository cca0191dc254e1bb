//! The game rig as the motion sees it: a trunk, two arms, two legs and curling fingers, measured in the bind pose.

use super::MotionError;
use super::limb::{Hinge, Limb};
use crate::avatar::Skeleton;
use glam::{Quat, Vec3};

const CORE: [&str; 6] = [
    "pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head",
];
const ARM: [&str; 4] = ["clavicle", "upperarm", "lowerarm", "hand"];
const LEG: [&str; 4] = ["thigh", "calf", "foot", "ball"];
const FINGERS: [&str; 4] = ["index", "middle", "ring", "pinky"];
const SIDE_SUFFIX: [&str; 2] = ["l", "r"];

/// Index of the chest, which carries arms and neck, in the core.
pub(super) const CHEST: usize = 3;
pub(super) const NECK: usize = 4;
pub(super) const HEAD: usize = 5;

/// Sides of the body; a side is also an index into arms and legs.
pub(super) const LEFT: usize = 0;
pub(super) const RIGHT: usize = 1;

/// 1 for the left side, which is at +X, -1 for the right.
pub(super) fn sign(side: usize) -> f32 {
    if side == LEFT { 1.0 } else { -1.0 }
}

/// How far a joint may be turned or scaled in its rest pose before it is no joint of this rig.
const REST_TOLERANCE: f32 = 1e-3;

/// Masses of the parts of a body as fractions of the whole (Winter, Biomechanics, 2009, rounded).
mod mass {
    /// Pelvis to chest, by joint of the core below which the part lies; the last is the head.
    pub(super) const CORE: [f32; 6] = [0.14, 0.10, 0.10, 0.16, 0.02, 0.06];
    /// Upper arm, forearm, hand.
    pub(super) const ARM: [f32; 3] = [0.028, 0.016, 0.006];
    /// Thigh, calf, foot.
    pub(super) const LEG: [f32; 3] = [0.10, 0.0465, 0.0135];
}

/// One joint of the rig.
#[derive(Clone, Copy, Debug)]
pub(super) struct RigJoint {
    /// Index into [`Skeleton::nodes`].
    pub(super) node_ix: usize,
    pub(super) pos_in_bind: Vec3,
}

/// A joint of a finger and the axis about which it curls into the palm.
#[derive(Clone, Copy, Debug)]
pub(super) struct FingerJoint {
    pub(super) node_ix: usize,
    pub(super) curl_axis: Vec3,
}

/// A character's rig, measured.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    pub(super) core: [RigJoint; 6],
    /// Clavicle, upper arm, lower arm, hand.
    pub(super) arms: [[RigJoint; 4]; 2],
    /// Thigh, calf, foot, ball.
    pub(super) legs: [[RigJoint; 4]; 2],
    pub(super) fingers: Vec<FingerJoint>,
    pub(super) arm_limbs: [Limb; 2],
    pub(super) leg_limbs: [Limb; 2],
    /// Where the hand's fingers point and where the palm faces in the bind pose, unit length.
    pub(super) hand_axes: [(Vec3, Vec3); 2],
    /// From the wrist to the knuckles, metres, in the bind pose.
    pub(super) knuckles: [Vec3; 2],
    /// World position of the pelvis' parent, which does not move.
    pub(super) pelvis_parent: Vec3,
}

/// Rotations of all driven joints, local (bind = identity), and the pelvis' place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub(super) pelvis: Vec3,
    /// The first is the pelvis' rotation in the world.
    pub(super) core: [Quat; 6],
    pub(super) arms: [[Quat; 4]; 2],
    pub(super) legs: [[Quat; 4]; 2],
    /// Curl of every finger joint, radians.
    pub(super) grip: f32,
}

/// World position and rotation of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) pos: Vec3,
    pub(super) rotation: Quat,
}

impl Placed {
    /// `to`, which this joint, `from`, carries.
    fn child(self, from: RigJoint, to: RigJoint, local: Quat) -> Self {
        Self {
            pos: self.pos + self.rotation * (to.pos_in_bind - from.pos_in_bind),
            rotation: self.rotation * local,
        }
    }
}

/// The joints of a limb below the joint that carries it.
pub(super) fn below(
    root: Placed,
    root_joint: RigJoint,
    joints: &[RigJoint; 4],
    locals: &[Quat; 4],
) -> [Placed; 4] {
    let mut placed = [root.child(root_joint, joints[0], locals[0]); 4];
    for i in 1..4 {
        placed[i] = placed[i - 1].child(joints[i - 1], joints[i], locals[i]);
    }
    placed
}

/// All driven joints in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedBody {
    pub(super) core: [Placed; 6],
    pub(super) arms: [[Placed; 4]; 2],
    pub(super) legs: [[Placed; 4]; 2],
}

impl Rig {
    /// Finds and measures the rig.
    ///
    /// # Errors
    /// A joint that is missing, turned or scaled in its rest pose, or not below the joint that should carry it.
    pub(super) fn from_skeleton(skeleton: &Skeleton) -> Result<Self, MotionError> {
        let finder = Finder {
            skeleton,
            world: rest_positions(skeleton),
        };
        let mut core = [finder.joint(CORE[0], None)?; 6];
        for i in 1..6 {
            let parent = if i == 4 { CHEST } else { i - 1 };
            core[i] = finder.joint(CORE[i], Some(core[parent]))?;
        }
        let arms = [
            finder.chain(ARM, LEFT, core[CHEST])?,
            finder.chain(ARM, RIGHT, core[CHEST])?,
        ];
        let legs = [
            finder.chain(LEG, LEFT, core[0])?,
            finder.chain(LEG, RIGHT, core[0])?,
        ];
        let limb = |chain: &[RigJoint], hinge| {
            let p = |i: usize| chain[i].pos_in_bind;
            Limb::new(p(1) - p(0), p(2) - p(1), hinge)
        };
        let pelvis_parent = skeleton.nodes[core[0].node_ix]
            .parent
            .map_or(Vec3::ZERO, |ix| finder.world[ix]);
        Ok(Self {
            fingers: finder.fingers(),
            arm_limbs: [
                limb(&arms[LEFT][1..], Hinge::Elbow),
                limb(&arms[RIGHT][1..], Hinge::Elbow),
            ],
            leg_limbs: [
                limb(&legs[LEFT], Hinge::Knee),
                limb(&legs[RIGHT], Hinge::Knee),
            ],
            hand_axes: [
                finder.hand_axes(LEFT, &arms),
                finder.hand_axes(RIGHT, &arms),
            ],
            knuckles: [finder.knuckles(LEFT, &arms), finder.knuckles(RIGHT, &arms)],
            core,
            arms,
            legs,
            pelvis_parent,
        })
    }

    /// The height of the hip joint over the floor: the unit that steps are measured in, metres.
    pub(super) fn leg_length(&self) -> f32 {
        0.5 * (self.legs[LEFT][0].pos_in_bind.y + self.legs[RIGHT][0].pos_in_bind.y)
    }

    /// Height of the wrist when the palm is flat on the floor, metres: 7 cm for an adult, more for an ogre's paws.
    pub(super) fn wrist_height(&self) -> f32 {
        0.13 * self.arm_limbs[LEFT].length()
    }

    /// The bind pose.
    pub(super) fn bind_pose(&self) -> Pose {
        let limbs = [[Quat::IDENTITY; 4]; 2];
        Pose {
            pelvis: self.core[0].pos_in_bind,
            core: [Quat::IDENTITY; 6],
            arms: limbs,
            legs: limbs,
            grip: 0.0,
        }
    }

    /// Forward kinematics.
    pub(super) fn place(&self, pose: &Pose) -> PlacedBody {
        let mut core = [Placed {
            pos: pose.pelvis,
            rotation: pose.core[0],
        }; 6];
        for i in 1..6 {
            core[i] = core[i - 1].child(self.core[i - 1], self.core[i], pose.core[i]);
        }
        let arm = |s: usize| below(core[CHEST], self.core[CHEST], &self.arms[s], &pose.arms[s]);
        let leg = |s: usize| below(core[0], self.core[0], &self.legs[s], &pose.legs[s]);
        PlacedBody {
            core,
            arms: [arm(LEFT), arm(RIGHT)],
            legs: [leg(LEFT), leg(RIGHT)],
        }
    }

    /// The centre of mass in the world, metres, from masses of body parts that are the same for everyone.
    pub(super) fn centre_of_mass(&self, body: &PlacedBody) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for i in 0..5 {
            sum += mass::CORE[i] * 0.5 * (body.core[i].pos + body.core[i + 1].pos);
        }
        sum += mass::CORE[HEAD] * body.core[HEAD].pos;
        for s in [LEFT, RIGHT] {
            for i in 0..3 {
                let end = (i + 2).min(3);
                sum += mass::ARM[i] * body.arms[s][i + 1].pos.lerp(body.arms[s][end].pos, 0.45);
                sum += mass::LEG[i] * body.legs[s][i].pos.lerp(body.legs[s][i + 1].pos, 0.45);
            }
        }
        let total = mass::CORE.iter().sum::<f32>()
            + 2.0 * (mass::ARM.iter().sum::<f32>() + mass::LEG.iter().sum::<f32>());
        sum / total
    }
}

struct Finder<'a> {
    skeleton: &'a Skeleton,
    /// World position of every node at rest, if none is turned or scaled.
    world: Vec<Vec3>,
}

fn rest_positions(skeleton: &Skeleton) -> Vec<Vec3> {
    let mut world: Vec<Vec3> = Vec::with_capacity(skeleton.nodes.len());
    for node in &skeleton.nodes {
        let parent = node
            .parent
            .and_then(|ix| world.get(ix).copied())
            .unwrap_or(Vec3::ZERO);
        world.push(parent + node.rest.translation);
    }
    world
}

impl Finder<'_> {
    fn node_ix(&self, name: &str) -> Result<usize, MotionError> {
        let found = self.skeleton.nodes.iter().position(|n| n.name == name);
        found.ok_or_else(|| MotionError::MissingJoint {
            joint: name.to_owned(),
        })
    }

    /// Finds a joint that must lie below `carrier`, with nothing turned or scaled on the way up to the root.
    fn joint(&self, name: &str, carrier: Option<RigJoint>) -> Result<RigJoint, MotionError> {
        let node_ix = self.node_ix(name)?;
        let mut carried = carrier.is_none();
        let mut up = Some(node_ix);
        while let Some(ix) = up {
            let node = &self.skeleton.nodes[ix];
            let scaled = (node.rest.scale - Vec3::ONE).abs().max_element() > REST_TOLERANCE;
            if scaled
                || node.rest.rotation.xyz().length() > REST_TOLERANCE
                || !node.rest.translation.is_finite()
            {
                return Err(MotionError::RestNotAligned {
                    node: node.name.clone(),
                });
            }
            carried |= carrier.is_some_and(|c| c.node_ix == ix) && ix != node_ix;
            up = node.parent;
        }
        let pos_in_bind = self.world[node_ix];
        let apart = carrier.is_none_or(|c| c.pos_in_bind.distance(pos_in_bind) > 1e-5);
        if !carried || !apart {
            return Err(MotionError::Misplaced {
                joint: name.to_owned(),
            });
        }
        Ok(RigJoint {
            node_ix,
            pos_in_bind,
        })
    }

    fn chain(
        &self,
        names: [&str; 4],
        side: usize,
        root: RigJoint,
    ) -> Result<[RigJoint; 4], MotionError> {
        let mut carrier = root;
        let mut chain = [root; 4];
        for (joint, name) in chain.iter_mut().zip(names) {
            *joint = self.joint(&format!("{name}_{}", SIDE_SUFFIX[side]), Some(carrier))?;
            carrier = *joint;
        }
        Ok(chain)
    }

    fn finger_node(&self, finger: &str, phalanx: usize, side: usize) -> Option<usize> {
        self.node_ix(&format!("{finger}_0{phalanx}_{}", SIDE_SUFFIX[side]))
            .ok()
    }

    /// From the wrist to the middle knuckle; a third of the forearm where there are no fingers.
    fn knuckles(&self, side: usize, arms: &[[RigJoint; 4]; 2]) -> Vec3 {
        let wrist = arms[side][3].pos_in_bind;
        let guess = (wrist - arms[side][2].pos_in_bind) / 3.0;
        self.finger_node("middle", 1, side)
            .map_or(guess, |ix| self.world[ix] - wrist)
    }

    /// Where the fingers point and where the palm faces; a guess from the forearm where there are no fingers.
    fn hand_axes(&self, side: usize, arms: &[[RigJoint; 4]; 2]) -> (Vec3, Vec3) {
        let wrist = arms[side][3].pos_in_bind;
        let forearm = (wrist - arms[side][2].pos_in_bind).normalize();
        let knuckle = |finger| self.finger_node(finger, 1, side).map(|ix| self.world[ix]);
        let (Some(middle), Some(index), Some(pinky)) =
            (knuckle("middle"), knuckle("index"), knuckle("pinky"))
        else {
            return (
                forearm,
                Vec3::NEG_Y
                    .reject_from_normalized(forearm)
                    .normalize_or(Vec3::NEG_Y),
            );
        };
        let along = (middle - wrist).normalize_or(forearm);
        // Hanging arms have the little finger behind and the palm towards the body.
        let across = (index - pinky)
            .reject_from_normalized(along)
            .normalize_or(Vec3::Z);
        (along, -sign(side) * across.cross(along))
    }

    /// Fingers of both hands that are there; fingers are optional.
    fn fingers(&self) -> Vec<FingerJoint> {
        let mut fingers = Vec::new();
        for side in [LEFT, RIGHT] {
            let knuckles = (
                self.finger_node("index", 1, side),
                self.finger_node("pinky", 1, side),
            );
            let (Some(index), Some(pinky)) = knuckles else {
                continue;
            };
            for finger in FINGERS {
                let nodes = [1, 2, 3].map(|phalanx| self.finger_node(finger, phalanx, side));
                let [Some(first), Some(second), Some(third)] = nodes else {
                    continue;
                };
                let along = (self.world[second] - self.world[first]).normalize_or(Vec3::NEG_Y);
                let across = (self.world[index] - self.world[pinky]).reject_from_normalized(along);
                let curl_axis = sign(side) * -across.normalize_or(Vec3::Z);
                fingers.extend(
                    [first, second, third].map(|node_ix| FingerJoint { node_ix, curl_axis }),
                );
            }
        }
        fingers
    }
}
