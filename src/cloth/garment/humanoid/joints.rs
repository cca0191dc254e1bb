//! The joint tree of a character, as the search for limbs needs it.

use crate::avatar::Avatar;
use glam::Vec3;

use super::names::{self, Meaning};

/// Joints with their parent joint, place and meaning.
pub(super) struct JointTree {
    /// Nearest ancestor that is a joint, by joint.
    pub parents: Vec<Option<usize>>,
    /// Where each joint is in bind space, metres.
    pub positions: Vec<Vec3>,
    pub meanings: Vec<Meaning>,
    /// Whether a joint is the parent of none.
    is_leaf: Vec<bool>,
    /// Steps from the top of the tree.
    pub depths: Vec<usize>,
    /// Whether a joint moves skin.
    pub moves_skin: Vec<bool>,
    /// Whether a joint, or one that hangs under it, moves skin.
    pub holds_skin: Vec<bool>,
    /// Whether any joint of the tree that a joint is in moves skin, where any does: other characters' do not once their skin is set aside.
    is_in_body: Vec<bool>,
}

/// Weight from which a vertex counts as moved by a joint: exporters leave crumbs on the handles of a rig.
const MOVED: f32 = 0.1;

impl JointTree {
    pub fn of(avatar: &Avatar) -> Self {
        let skeleton = &avatar.skeleton;
        let mut joint_of_node = vec![None; skeleton.nodes.len()];
        for (joint_ix, joint) in skeleton.joints.iter().enumerate() {
            joint_of_node[joint.node_ix] = Some(joint_ix);
        }
        let parent_joint = |node_ix: usize| {
            let ancestors = std::iter::successors(skeleton.nodes[node_ix].parent, |&ix| {
                skeleton.nodes[ix].parent
            });
            ancestors
                .take(skeleton.nodes.len())
                .find_map(|ix| joint_of_node[ix])
        };
        let parents: Vec<_> = skeleton
            .joints
            .iter()
            .map(|joint| parent_joint(joint.node_ix))
            .collect();
        let mut is_leaf = vec![true; parents.len()];
        for &parent in parents.iter().flatten() {
            is_leaf[parent] = false;
        }
        let positions = skeleton.joints.iter().map(|joint| {
            let bind_from_bone = joint.bone_from_bind.inverse();
            // A collapsed bone has no place; the origin keeps the search going and the plausibility check judges it.
            if bind_from_bone.is_finite() {
                bind_from_bone.w_axis.truncate()
            } else {
                Vec3::ZERO
            }
        });
        let positions = positions.collect();
        let names = skeleton.joints.iter();
        let prefix = names::common_prefix(names.map(|joint| &*skeleton.nodes[joint.node_ix].name));
        let meanings = skeleton
            .joints
            .iter()
            .map(|joint| names::read(&skeleton.nodes[joint.node_ix].name, &prefix))
            .collect();
        let depths = (0..parents.len())
            .map(|ix| ancestors(&parents, ix).count())
            .collect();
        let moves_skin = moves_skin(avatar);
        let mut holds_skin = moves_skin.clone();
        for joint_ix in (0..parents.len()).filter(|&ix| moves_skin[ix]) {
            ancestors(&parents, joint_ix).for_each(|ix| holds_skin[ix] = true);
        }
        let top = |joint_ix: usize| ancestors(&parents, joint_ix).last().unwrap_or(joint_ix);
        let is_bare = !moves_skin.contains(&true);
        let is_in_body = (0..parents.len()).map(|ix| is_bare || holds_skin[top(ix)]);
        let is_in_body = is_in_body.collect();
        Self {
            parents,
            positions,
            meanings,
            is_leaf,
            depths,
            moves_skin,
            holds_skin,
            is_in_body,
        }
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The joints from `top` (exclusive) down to `leaf` (inclusive).
    pub fn chain(&self, top: Option<usize>, leaf: usize) -> Vec<usize> {
        let mut chain: Vec<usize> = std::iter::once(leaf)
            .chain(ancestors(&self.parents, leaf))
            .collect();
        if let Some(end) = chain.iter().position(|&ix| Some(ix) == top) {
            chain.truncate(end);
        }
        chain.reverse();
        chain
    }

    /// The deepest joint that both hang under (or are).
    pub fn common_ancestor(&self, a: usize, b: usize) -> Option<usize> {
        let above_a: Vec<usize> = std::iter::once(a)
            .chain(ancestors(&self.parents, a))
            .collect();
        std::iter::once(b)
            .chain(ancestors(&self.parents, b))
            .find(|ix| above_a.contains(ix))
    }

    pub fn is_leaf(&self, joint_ix: usize) -> bool {
        self.is_leaf[joint_ix]
    }

    /// Whether a joint hangs under another one, at any depth.
    pub fn is_under(&self, joint_ix: usize, top: usize) -> bool {
        ancestors(&self.parents, joint_ix).any(|ix| ix == top)
    }

    /// Of the joints that `fits`, the one nearest the top of the tree; the first of several. What holds skin comes before
    /// what holds none; a handle that holds none never does.
    pub fn shallowest(&self, fits: impl Fn(usize) -> bool) -> Option<usize> {
        (0..self.len())
            .filter(|&ix| self.is_body(ix) && fits(ix))
            .min_by_key(|&ix| {
                let is_handle = self.meanings[ix].is_control;
                (is_handle, !self.holds_skin[ix], self.depths[ix])
            })
    }

    /// Neither a handle that an animator pulls at nor of somebody else.
    pub fn is_body(&self, joint_ix: usize) -> bool {
        let is_handle = self.meanings[joint_ix].is_control && !self.holds_skin[joint_ix];
        self.is_in_body[joint_ix] && !is_handle
    }

    /// Whether a joint ends a bone that moves skin, which its own name or weight need not tell.
    pub fn ends_skin(&self, joint_ix: usize) -> bool {
        self.moves_skin[joint_ix]
            || self.parents[joint_ix].is_some_and(|parent| self.moves_skin[parent])
    }
}

fn moves_skin(avatar: &Avatar) -> Vec<bool> {
    let mut moves_skin = vec![false; avatar.skeleton.joints.len()];
    let skin = &avatar.skin;
    for vertex_ix in skin.triangles.iter().flatten().map(|&ix| ix as usize) {
        let influences = skin.joints[vertex_ix].iter().zip(&skin.weights[vertex_ix]);
        for (&joint_ix, _) in influences.filter(|(_, w)| **w >= MOVED) {
            moves_skin[usize::from(joint_ix)] = true;
        }
    }
    moves_skin
}

fn ancestors(parents: &[Option<usize>], joint_ix: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(parents[joint_ix], |&ix| parents[ix]).take(parents.len())
}
