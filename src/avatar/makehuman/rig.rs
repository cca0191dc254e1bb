//! The rig: where each joint is, computed from the shaped mesh, and what hangs under what.

use super::MakeHumanError;
use super::obj::BaseMesh;
use crate::avatar::{Joint, Node, Skeleton, Transform};
use glam::{Mat4, Vec3};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The rig file: bones by name.
pub type Rig = BTreeMap<String, Bone>;

/// One bone, of which we need its head, the joint.
#[derive(Clone, Debug, Deserialize)]
pub struct Bone {
    /// Empty for the root.
    pub parent: String,
    pub head: Anchor,
}

/// How a point follows the mesh.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "strategy")]
pub enum Anchor {
    /// The middle of a small helper cube, a group of its own in the base mesh.
    #[serde(rename = "CUBE")]
    Cube { cube_name: String },
    /// One vertex.
    #[serde(rename = "VERTEX")]
    Vertex { vertex_index: u32 },
    /// The middle of some vertices.
    #[serde(rename = "MEAN")]
    Mean { vertex_indices: Vec<u32> },
}

impl Anchor {
    /// The point on a mesh whose vertices are at `positions`.
    ///
    /// # Errors
    /// [`MakeHumanError::NoGroup`] or [`MakeHumanError::NoVertex`] when the mesh lacks what the anchor refers to.
    pub fn point(&self, base: &BaseMesh, positions: &[Vec3]) -> Result<Vec3, MakeHumanError> {
        let vertices = match self {
            Self::Cube { cube_name } => base.vertices(cube_name)?,
            Self::Vertex { vertex_index } => vec![*vertex_index],
            Self::Mean { vertex_indices } => vertex_indices.clone(),
        };
        let mut sum = Vec3::ZERO;
        for &ix in &vertices {
            sum += *positions
                .get(ix as usize)
                .ok_or(MakeHumanError::NoVertex { ix })?;
        }
        Ok(sum / (vertices.len().max(1)) as f32)
    }
}

/// The skeleton with its joints at the rig's anchors, parents before children, siblings by name. Joint frames are
/// aligned with the world in the bind pose: a node's rest is the offset from its parent, and bind to bone is the
/// translation that takes the joint to the origin.
///
/// # Errors
/// [`MakeHumanError::NoParent`] when a bone's parent does not exist or bones form a ring; see also [`Anchor::point`].
pub fn skeleton(
    rig: &Rig,
    base: &BaseMesh,
    positions: &[Vec3],
) -> Result<Skeleton, MakeHumanError> {
    let mut skeleton = Skeleton::default();
    let mut places = Vec::new();
    for name in in_order(rig)? {
        let bone = &rig[name];
        let parent = skeleton
            .nodes
            .iter()
            .position(|node| node.name == bone.parent);
        let place = bone.head.point(base, positions)?;
        let offset = place - parent.map_or(Vec3::ZERO, |ix| places[ix]);
        let node_ix = skeleton.nodes.len();
        skeleton.nodes.push(Node {
            name: name.to_owned(),
            parent,
            rest: Transform::from_translation(offset),
        });
        skeleton.joints.push(Joint {
            node_ix,
            bone_from_bind: Mat4::from_translation(-place),
        });
        places.push(place);
    }
    Ok(skeleton)
}

/// The bones' names, parents first, depth first.
fn in_order(rig: &Rig) -> Result<Vec<&str>, MakeHumanError> {
    let mut order: Vec<&str> = Vec::new();
    let mut pending: Vec<&str> = children_of(rig, "");
    while let Some(name) = pending.pop() {
        order.push(name);
        pending.extend(children_of(rig, name));
    }
    match rig.keys().find(|name| !order.contains(&name.as_str())) {
        Some(lost) => Err(MakeHumanError::NoParent { bone: lost.clone() }),
        None => Ok(order),
    }
}

/// In descending order, for a stack.
fn children_of<'a>(rig: &'a Rig, parent: &str) -> Vec<&'a str> {
    rig.iter()
        .rev()
        .filter(|(_, bone)| bone.parent == parent)
        .map(|(name, _)| name.as_str())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIG: &str = r#"{
        "foot": {"parent": "hip", "head": {"strategy": "VERTEX", "vertex_index": 1}},
        "arm":  {"parent": "hip", "head": {"strategy": "MEAN", "vertex_indices": [0, 1]}},
        "hip":  {"parent": "", "head": {"strategy": "CUBE", "cube_name": "joint-hip", "default_position": [0, 0, 0]}}
    }"#;

    fn base() -> BaseMesh {
        BaseMesh::parse("v 0 0 0\nv 3 0 0\nv 0 3 0\ng joint-hip\nf 1 2 3\n").unwrap()
    }

    #[test]
    fn every_strategy_finds_its_point() {
        let (rig, base): (Rig, _) = (serde_json::from_str(RIG).unwrap(), base());
        let point = |name: &str| rig[name].head.point(&base, &base.positions).unwrap();
        assert_eq!(point("hip"), Vec3::new(1.0, 1.0, 0.0));
        assert_eq!(point("foot"), Vec3::new(3.0, 0.0, 0.0));
        assert_eq!(point("arm"), Vec3::new(1.5, 0.0, 0.0));
    }

    #[test]
    fn parents_come_first_and_frames_are_aligned_with_the_world() {
        let base = base();
        let skeleton =
            skeleton(&serde_json::from_str(RIG).unwrap(), &base, &base.positions).unwrap();
        let names: Vec<&str> = skeleton
            .nodes
            .iter()
            .map(|node| node.name.as_str())
            .collect();
        assert_eq!(names, ["hip", "arm", "foot"]);
        assert_eq!(
            skeleton.nodes[2].rest,
            Transform::from_translation(Vec3::new(2.0, -1.0, 0.0))
        );
        assert_eq!(
            skeleton.joints[2].bone_from_bind,
            Mat4::from_translation(Vec3::new(-3.0, 0.0, 0.0))
        );
    }

    #[test]
    fn a_ring_of_bones_is_refused() {
        let ring = RIG.replace(r#""parent": """#, r#""parent": "arm""#);
        let base = base();
        assert!(
            skeleton(
                &serde_json::from_str(&ring).unwrap(),
                &base,
                &base.positions
            )
            .is_err()
        );
    }

    #[test]
    fn a_vertex_that_is_not_there_is_refused() {
        let base = base();
        assert!(
            Anchor::Vertex { vertex_index: 3 }
                .point(&base, &base.positions)
                .is_err()
        );
    }
}
