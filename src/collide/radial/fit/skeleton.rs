//! Where joints are in the bind pose and which hangs on which.

use crate::avatar::Skeleton;
use glam::Vec3;

/// The nearest joint above, past nodes that are no joints.
pub fn parent(skeleton: &Skeleton, joint_ix: usize) -> Option<usize> {
    let mut node = skeleton.nodes[skeleton.joints[joint_ix].node_ix].parent;
    while let Some(node_ix) = node {
        if let Some(parent) = skeleton
            .joints
            .iter()
            .position(|joint| joint.node_ix == node_ix)
        {
            return Some(parent);
        }
        node = skeleton.nodes[node_ix].parent;
    }
    None
}

/// The joints whose parent is `joint_ix`.
pub fn children(skeleton: &Skeleton, joint_ix: usize) -> Vec<usize> {
    (0..skeleton.joints.len())
        .filter(|&other| parent(skeleton, other) == Some(joint_ix))
        .collect()
}

/// In bind space.
pub fn position(skeleton: &Skeleton, joint_ix: usize) -> Vec3 {
    skeleton.joints[joint_ix]
        .bone_from_bind
        .inverse()
        .w_axis
        .truncate()
}
