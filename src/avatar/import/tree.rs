//! The node tree of a file: who is whose parent, where everything stands at rest.

use glam::{Mat4, Quat, Vec3};
use gltf::json::{Node, Root};

use super::ImportFault;
use crate::avatar::{Transform, printable};

/// All nodes of a file, indexed as in the file.
pub(super) struct Tree {
    pub nodes: Vec<TreeNode>,
    /// Every node once, parents before children, otherwise in the file's order.
    pub order: Vec<usize>,
}

pub(super) struct TreeNode {
    pub name: String,
    pub parent: Option<usize>,
    pub rest: Transform,
    /// World from node at rest.
    pub world_from_node: Mat4,
    /// Belongs to the scene to show, or the file has no scenes.
    pub shown: bool,
}

impl Tree {
    pub fn read(root: &Root) -> Result<Self, ImportFault> {
        let names: Vec<String> = root
            .nodes
            .iter()
            .enumerate()
            .map(|(ix, node)| name_of(node, ix))
            .collect();
        let parents = read_parents(root, &names)?;
        let order = order_parents_first(root, &parents);
        if order.len() < names.len() {
            // What no walk from a root reaches hangs in a ring.
            let mut reached = vec![false; names.len()];
            order.iter().for_each(|&ix| reached[ix] = true);
            let lost = reached
                .iter()
                .position(|reached| !reached)
                .unwrap_or_default();
            return Err(ImportFault::NotATree {
                node: names[lost].clone(),
            });
        }
        let mut nodes = Vec::with_capacity(names.len());
        for ((name, node), parent) in names.into_iter().zip(&root.nodes).zip(parents) {
            let Some(rest) = rest_of(node) else {
                return Err(ImportFault::RestNotFinite { node: name });
            };
            nodes.push(TreeNode {
                name,
                parent,
                rest,
                world_from_node: rest.to_mat4(),
                shown: root.scenes.is_empty(),
            });
        }
        let mut tree = Self { nodes, order };
        tree.show_scene(root)?;
        tree.place()?;
        Ok(tree)
    }

    /// The node itself, its parent, and so on to a root.
    pub fn ancestry(&self, ix: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(ix), |&ix| self.nodes[ix].parent)
    }

    fn show_scene(&mut self, root: &Root) -> Result<(), ImportFault> {
        let scene_ix = root.scene.map_or(0, |scene| scene.value());
        let Some(scene) = root.scenes.get(scene_ix) else {
            return match root.scene {
                Some(_) => Err(dangling("the file".to_owned(), "scene", scene_ix)),
                None => Ok(()),
            };
        };
        for node in &scene.nodes {
            let place = || format!("scene {scene_ix}");
            let top = self
                .nodes
                .get_mut(node.value())
                .ok_or_else(|| dangling(place(), "node", node.value()))?;
            top.shown = true;
        }
        for &ix in &self.order {
            self.nodes[ix].shown |= self.nodes[ix]
                .parent
                .is_some_and(|parent| self.nodes[parent].shown);
        }
        Ok(())
    }

    fn place(&mut self) -> Result<(), ImportFault> {
        for &ix in &self.order {
            if let Some(parent) = self.nodes[ix].parent {
                self.nodes[ix].world_from_node =
                    self.nodes[parent].world_from_node * self.nodes[ix].world_from_node;
            }
            if !self.nodes[ix].world_from_node.is_finite() {
                return Err(ImportFault::RestNotFinite {
                    node: self.nodes[ix].name.clone(),
                });
            }
        }
        Ok(())
    }
}

pub(super) fn dangling(place: String, what: &'static str, index: usize) -> ImportFault {
    ImportFault::Dangling { place, what, index }
}

fn name_of(node: &Node, ix: usize) -> String {
    let name = node.name.as_deref().map(printable);
    name.unwrap_or_else(|| format!("node {ix}"))
}

fn read_parents(root: &Root, names: &[String]) -> Result<Vec<Option<usize>>, ImportFault> {
    let mut parents = vec![None; names.len()];
    for (ix, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten().map(|child| child.value()) {
            let place = || format!("node {:?}", names[ix]);
            let parent = parents
                .get_mut(child)
                .ok_or_else(|| dangling(place(), "child node", child))?;
            if parent.replace(ix).is_some() {
                return Err(ImportFault::NotATree {
                    node: names[child].clone(),
                });
            }
        }
    }
    Ok(parents)
}

/// Depth first from every root, with a stack of its own: a hostile file may nest a million nodes.
fn order_parents_first(root: &Root, parents: &[Option<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(parents.len());
    let mut pending: Vec<usize> = (0..parents.len())
        .rev()
        .filter(|&ix| parents[ix].is_none())
        .collect();
    while let Some(ix) = pending.pop() {
        order.push(ix);
        pending.extend(
            root.nodes[ix]
                .children
                .iter()
                .flatten()
                .rev()
                .map(|child| child.value()),
        );
    }
    order
}

/// A node's own transform; None if it is not finite.
fn rest_of(node: &Node) -> Option<Transform> {
    let rest = match &node.matrix {
        Some(matrix) => Transform::from_mat4(Mat4::from_cols_array(matrix)),
        None => Transform {
            translation: node.translation.map_or(Vec3::ZERO, Vec3::from),
            rotation: node.rotation.map_or(Some(Quat::IDENTITY), |rotation| {
                unit(Quat::from_array(rotation.0))
            })?,
            scale: node.scale.map_or(Vec3::ONE, Vec3::from),
        },
    };
    (rest.translation.is_finite() && rest.rotation.is_finite() && rest.scale.is_finite())
        .then_some(rest)
}

/// A rotation of unit length: as it is if it has that already (so that files survive a round trip to the bit), no
/// rotation for one of length zero, None if it is not finite.
pub(super) fn unit(rotation: Quat) -> Option<Quat> {
    let length_squared = rotation.as_dquat().length_squared();
    match length_squared {
        _ if !length_squared.is_finite() => None,
        _ if (length_squared - 1.0).abs() < 1e-6 => Some(rotation),
        0.0 => Some(Quat::IDENTITY),
        _ => Some(rotation.as_dquat().normalize().as_quat()),
    }
}
