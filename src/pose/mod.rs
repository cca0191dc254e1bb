//! Poses: clips sampled, blended, and turned into the matrices that skinning needs.

#[cfg(feature = "authoring")]
pub mod motion;
mod palette;
mod sample;

use glam::Mat4;

pub use self::palette::Palette;
use crate::avatar::transform::inverse;
use crate::avatar::{Clip, Skeleton, Transform};

/// How every node of one skeleton stands in its parent, in the order of [`Skeleton::nodes`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// Parent from node.
    pub locals: Vec<Transform>,
}

impl Pose {
    /// How the nodes stand when no clip moves them. Not always the bind pose: see [`bind_pose`].
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self {
            locals: skeleton.nodes.iter().map(|node| node.rest).collect(),
        }
    }

    /// A clip at a time; `seconds` outside the clip hold its first or last key. Nodes it does not move rest.
    pub fn sample(clip: &Clip, skeleton: &Skeleton, seconds: f32) -> Self {
        let mut pose = Self::default();
        pose.resample(clip, skeleton, seconds);
        pose
    }

    /// As [`Pose::sample`], in place. Allocates nothing after the first time.
    pub fn resample(&mut self, clip: &Clip, skeleton: &Skeleton, seconds: f32) {
        self.locals.clear();
        self.locals
            .extend(skeleton.nodes.iter().map(|node| node.rest));
        sample::apply(clip, &mut self.locals, seconds);
    }

    /// Between two poses of one skeleton: `a` at 0, `b` at 1, each node going straight and turning the short way.
    pub fn blend(a: &Self, b: &Self, t: f32) -> Self {
        let pairs = a.locals.iter().zip(&b.locals);
        Self {
            locals: pairs.map(|(a, b)| a.blend(*b, t)).collect(),
        }
    }
}

/// The pose in which skinning leaves every vertex where it is: what to blend a clip in from, because garments are
/// made for it and clips need not start there. Nodes that are no joints rest, as do joints whose bind matrix cannot
/// be inverted. Exact unless the bind matrices shear.
pub fn bind_pose(skeleton: &Skeleton) -> Pose {
    let mut world_from_bone: Vec<Option<Mat4>> = vec![None; skeleton.nodes.len()];
    for joint in &skeleton.joints {
        let bone = &mut world_from_bone[joint.node_ix];
        *bone = bone.or_else(|| inverse(joint.bone_from_bind));
    }
    let mut pose = Pose::rest(skeleton);
    let mut world_from_node: Vec<Mat4> = Vec::with_capacity(skeleton.nodes.len());
    for (node_ix, node) in skeleton.nodes.iter().enumerate() {
        let world_from_parent = node
            .parent
            .map_or(Mat4::IDENTITY, |parent| world_from_node[parent]);
        if let (Some(bone), Some(parent_from_world)) =
            (world_from_bone[node_ix], inverse(world_from_parent))
        {
            pose.locals[node_ix] = Transform::from_mat4(parent_from_world * bone);
        }
        world_from_node.push(world_from_parent * pose.locals[node_ix].to_mat4());
    }
    pose
}

/// Where every node stands in the world; `world_from_root` places the whole skeleton.
pub fn world_from_nodes(skeleton: &Skeleton, pose: &Pose, world_from_root: Mat4) -> Vec<Mat4> {
    let mut world_from_node = Vec::new();
    world_from_nodes_into(&mut world_from_node, skeleton, pose, world_from_root);
    world_from_node
}

fn world_from_nodes_into(
    world_from_node: &mut Vec<Mat4>,
    skeleton: &Skeleton,
    pose: &Pose,
    world_from_root: Mat4,
) {
    world_from_node.clear();
    for (node, local) in skeleton.nodes.iter().zip(&pose.locals) {
        let world_from_parent = node
            .parent
            .map_or(world_from_root, |parent| world_from_node[parent]);
        world_from_node.push(world_from_parent * local.to_mat4());
    }
}

#[cfg(test)]
mod tests;
