//! Joint positions in the bind pose, and each joint's parent.

use crate::avatar::Skeleton;
use glam::Vec3;

/// Each joint's parent joint, skipping nodes that are not joints.
pub struct Kinship {
    /// The nearest joint above each one.
    pub parents: Vec<Option<usize>>,
    /// The joints whose parent it is, in order.
    pub children: Vec<Vec<usize>>,
    /// Joints from the top down to each one, itself counted.
    pub depths: Vec<usize>,
}

impl Kinship {
    pub fn new(skeleton: &Skeleton) -> Self {
        // Of several joints at one node the first.
        let mut joint_of_node = vec![None; skeleton.nodes.len()];
        for (joint_ix, joint) in skeleton.joints.iter().enumerate().rev() {
            joint_of_node[joint.node_ix] = Some(joint_ix);
        }
        // Parents come before their children.
        let mut above: Vec<(Option<usize>, usize)> = Vec::with_capacity(skeleton.nodes.len());
        for node in &skeleton.nodes {
            above.push(node.parent.map_or((None, 0), |parent| {
                let (joint_above, count) = above[parent];
                match joint_of_node[parent] {
                    Some(joint_ix) => (Some(joint_ix), count + 1),
                    None => (joint_above, count),
                }
            }));
        }
        let joints = skeleton.joints.iter();
        let (parents, depths): (Vec<_>, Vec<_>) = joints
            .map(|joint| above[joint.node_ix])
            .map(|(parent, count)| (parent, count + 1))
            .unzip();
        Self::of_parents(parents, depths)
    }

    /// Each joint's parent and its depth in the tree.
    pub fn of_parents(parents: Vec<Option<usize>>, depths: Vec<usize>) -> Self {
        let mut children = vec![Vec::new(); parents.len()];
        for (joint_ix, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent {
                children[parent].push(joint_ix);
            }
        }
        Self {
            parents,
            children,
            depths,
        }
    }
}

/// In bind space.
pub fn position(skeleton: &Skeleton, joint_ix: usize) -> Vec3 {
    skeleton.joints[joint_ix]
        .bone_from_bind
        .inverse()
        .w_axis
        .truncate()
}
