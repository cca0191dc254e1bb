//! The 53 joints of MakeHuman's game rig: names, tree and where a figure has them.
//!
//! Joint frames are aligned with the world in the bind pose, so a node's rest is a translation alone.

use crate::avatar::{Joint, Node, Skeleton, Transform};
use glam::{Mat4, Vec3};

/// Names of the fingers, thumb first.
pub(super) const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "pinky"];

/// Where the joints are, metres in bind space: those of the middle and of the left side.
#[derive(Clone, Debug)]
pub(super) struct Joints {
    pub pelvis: Vec3,
    pub spine: [Vec3; 3],
    pub neck: Vec3,
    pub head: Vec3,
    pub clavicle: Vec3,
    pub upperarm: Vec3,
    pub lowerarm: Vec3,
    pub hand: Vec3,
    /// Three joints and the tip, thumb first.
    pub fingers: [[Vec3; 4]; 5],
    pub thigh: Vec3,
    pub calf: Vec3,
    pub foot: Vec3,
    pub ball: Vec3,
}

/// A joint by its name without the side, its parent likewise, and its place on the left.
#[derive(Clone, Debug)]
pub(super) struct NamedJoint {
    pub name: String,
    /// Index into the same list.
    pub parent: Option<usize>,
    pub position: Vec3,
}

impl Joints {
    /// All joints of the tree, parents before children, with `_l` and `_r` where there are two.
    pub fn tree(&self) -> Vec<NamedJoint> {
        let mut tree = Vec::with_capacity(53);
        let [spine_01, spine_02, spine_03] = self.spine;
        let root = push(&mut tree, None, "Root", Vec3::ZERO);
        let pelvis = push(&mut tree, Some(root), "pelvis", self.pelvis);
        let spine_01 = push(&mut tree, Some(pelvis), "spine_01", spine_01);
        let spine_02 = push(&mut tree, Some(spine_01), "spine_02", spine_02);
        let spine_03 = push(&mut tree, Some(spine_02), "spine_03", spine_03);
        let neck = push(&mut tree, Some(spine_03), "neck_01", self.neck);
        push(&mut tree, Some(neck), "head", self.head);
        for side in [Side::Left, Side::Right] {
            self.push_arm(&mut tree, spine_03, side);
        }
        for side in [Side::Left, Side::Right] {
            self.push_leg(&mut tree, pelvis, side);
        }
        tree
    }

    fn push_arm(&self, tree: &mut Vec<NamedJoint>, spine: usize, side: Side) {
        let chain = [
            ("clavicle", self.clavicle),
            ("upperarm", self.upperarm),
            ("lowerarm", self.lowerarm),
            ("hand", self.hand),
        ];
        let hand = push_chain(tree, spine, side, &chain);
        for (finger, joints) in FINGERS.iter().zip(&self.fingers) {
            let names = [1, 2, 3].map(|number| format!("{finger}_{number:02}"));
            let chain = [
                (&*names[0], joints[0]),
                (&*names[1], joints[1]),
                (&*names[2], joints[2]),
            ];
            push_chain(tree, hand, side, &chain);
        }
    }

    fn push_leg(&self, tree: &mut Vec<NamedJoint>, pelvis: usize, side: Side) {
        let chain = [
            ("thigh", self.thigh),
            ("calf", self.calf),
            ("foot", self.foot),
            ("ball", self.ball),
        ];
        push_chain(tree, pelvis, side, &chain);
    }

    pub fn skeleton(&self) -> Skeleton {
        let tree = self.tree();
        let node = |joint: &NamedJoint| Node {
            name: joint.name.clone(),
            parent: joint.parent,
            rest: Transform::from_translation(
                joint.position
                    - joint
                        .parent
                        .map_or(Vec3::ZERO, |parent| tree[parent].position),
            ),
        };
        let joint = |(node_ix, joint): (usize, &NamedJoint)| Joint {
            node_ix,
            bone_from_bind: Mat4::from_translation(-joint.position),
        };
        Skeleton {
            nodes: tree.iter().map(node).collect(),
            joints: tree.iter().enumerate().map(joint).collect(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Left,
    Right,
}

fn push(tree: &mut Vec<NamedJoint>, parent: Option<usize>, name: &str, position: Vec3) -> usize {
    tree.push(NamedJoint {
        name: name.to_owned(),
        parent,
        position,
    });
    tree.len() - 1
}

/// Appends a chain of joints of one side and returns the last one's index.
fn push_chain(
    tree: &mut Vec<NamedJoint>,
    parent: usize,
    side: Side,
    chain: &[(&str, Vec3)],
) -> usize {
    chain
        .iter()
        .fold(parent, |parent, &(name, left)| match side {
            Side::Left => push(tree, Some(parent), &format!("{name}_l"), left),
            Side::Right => push(
                tree,
                Some(parent),
                &format!("{name}_r"),
                Vec3::new(-left.x, left.y, left.z),
            ),
        })
}
