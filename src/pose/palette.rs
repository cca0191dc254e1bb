//! The matrices that skinning needs, one per joint.

use glam::Mat4;

use super::{Pose, world_from_nodes_into};
use crate::avatar::Skeleton;
use crate::avatar::transform::inverse;

/// Where every joint of one character stands, in the order of [`Skeleton::joints`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Palette {
    pub world_from_bone: Vec<Mat4>,
    /// `world_from_bone * bone_from_bind`: what moves vertices.
    pub world_from_bind: Vec<Mat4>,
    /// Scratch, kept so that an update allocates nothing.
    world_from_node: Vec<Mat4>,
}

impl Palette {
    /// The palette of a pose; `world_from_root` places the character.
    pub fn new(skeleton: &Skeleton, pose: &Pose, world_from_root: Mat4) -> Self {
        let mut palette = Self::default();
        palette.update(skeleton, pose, world_from_root);
        palette
    }

    /// The palette that leaves every vertex where it is. A joint whose bind matrix cannot be inverted gets a bone
    /// at the origin.
    pub fn bind(skeleton: &Skeleton) -> Self {
        let bones = skeleton
            .joints
            .iter()
            .map(|joint| inverse(joint.bone_from_bind).unwrap_or(Mat4::IDENTITY));
        Self {
            world_from_bone: bones.collect(),
            world_from_bind: vec![Mat4::IDENTITY; skeleton.joints.len()],
            world_from_node: Vec::new(),
        }
    }

    /// Takes bones as the host's own animation has them, in the order of [`Skeleton::joints`]. Allocates nothing after the
    /// first time. Bones that are too many or too few are noticed where the palette is used.
    pub fn set_bones(
        &mut self,
        skeleton: &Skeleton,
        world_from_bone: impl IntoIterator<Item = Mat4>,
    ) {
        self.world_from_bone.clear();
        self.world_from_bone.extend(world_from_bone);
        self.world_from_bind.clear();
        let pairs = self.world_from_bone.iter().zip(&skeleton.joints);
        self.world_from_bind
            .extend(pairs.map(|(&world_from_bone, joint)| world_from_bone * joint.bone_from_bind));
    }

    /// Takes another pose of the same skeleton. Allocates nothing after the first time.
    pub fn update(&mut self, skeleton: &Skeleton, pose: &Pose, world_from_root: Mat4) {
        world_from_nodes_into(&mut self.world_from_node, skeleton, pose, world_from_root);
        self.world_from_bone.clear();
        self.world_from_bind.clear();
        for joint in &skeleton.joints {
            let world_from_bone = self.world_from_node[joint.node_ix];
            self.world_from_bone.push(world_from_bone);
            self.world_from_bind
                .push(world_from_bone * joint.bone_from_bind);
        }
    }
}
