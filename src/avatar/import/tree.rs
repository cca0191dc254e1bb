//! The node tree of a file: who is whose parent, where everything stands at rest.

use glam::{Mat4, Quat, Vec3};
use gltf::json::{Node, Root};

use super::{ImportFault, vrm};
use crate::avatar::{Transform, printable};

/// From this many times its own size a character stands far from the origin. Usual: scenes place people within 20 m. At 50 times
/// a person's size single precision still tells 10 µm apart, at a kilometre only 0.1 mm.
const FAR: f32 = 50.0;

/// All nodes of a file, indexed as in the file; behind them one that brings them to the origin, where they stood far from it.
pub(super) struct Tree {
    pub nodes: Vec<TreeNode>,
    /// Every node once, parents before children, otherwise in the file's order.
    pub order: Vec<usize>,
    /// How far everything was moved, towards the origin, in the file's units.
    pub moved: f32,
}

pub(super) struct TreeNode {
    pub name: String,
    pub parent: Option<usize>,
    pub rest: Transform,
    /// `rest` as a matrix.
    rest_matrix: Mat4,
    /// World from node at rest.
    pub world_from_node: Mat4,
    /// Belongs to the scene to show, or the file has no scenes.
    pub shown: bool,
}

impl Tree {
    pub fn read(root: &Root) -> Result<Self, ImportFault> {
        let names = names_of(root);
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
                rest_matrix: rest.to_mat4(),
                world_from_node: Mat4::IDENTITY,
                shown: root.scenes.is_empty(),
            });
        }
        let mut tree = Self {
            nodes,
            order,
            moved: 0.0,
        };
        tree.show_scene(root)?;
        tree.place()?;
        if let Some(offset) = tree.far_offset(root) {
            tree.move_by(-offset);
            tree.place()?;
        }
        Ok(tree)
    }

    /// Where the joints stand at rest, if that is so far from the origin that single precision gets coarse.
    fn far_offset(&self, root: &Root) -> Option<Vec3> {
        let joints = root.skins.iter().flat_map(|skin| &skin.joints);
        let places: Vec<Vec3> = joints
            .filter_map(|joint| self.nodes.get(joint.value()))
            .map(|node| node.world_from_node.w_axis.truncate())
            .collect();
        let first = *places.first()?;
        let (low, high) = places.iter().fold((first, first), |(low, high), &place| {
            (low.min(place), high.max(place))
        });
        let limit = FAR * (high - low).max_element();
        let middle = 0.5 * (low + high);
        let is_far = limit > 0.0 && middle.is_finite() && middle.abs().max_element() > limit;
        // Its feet come to the ground, unless that is about where they are.
        let y = if middle.y.abs() > limit { low.y } else { 0.0 };
        is_far.then(|| Vec3::new(middle.x, y, middle.z))
    }

    /// Hangs everything under a node of its own, the last one.
    fn move_by(&mut self, offset: Vec3) {
        let top = self.nodes.len();
        let roots = self.nodes.iter_mut().filter(|node| node.parent.is_none());
        roots.for_each(|node| node.parent = Some(top));
        let rest = Transform::from_translation(offset);
        self.nodes.push(TreeNode {
            name: "origin".to_owned(),
            parent: None,
            rest,
            rest_matrix: rest.to_mat4(),
            world_from_node: Mat4::IDENTITY,
            shown: true,
        });
        self.order.insert(0, top);
        self.moved = offset.length();
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
            let own = self.nodes[ix].rest_matrix;
            self.nodes[ix].world_from_node = match self.nodes[ix].parent {
                Some(parent) => self.nodes[parent].world_from_node * own,
                None => own,
            };
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

/// As the file names them; the bones of a VRM by what they are.
fn names_of(root: &Root) -> Vec<String> {
    let nodes = root.nodes.iter().enumerate();
    let mut names: Vec<String> = nodes
        .map(|(ix, node)| {
            let name = node.name.as_deref().map(printable);
            name.unwrap_or_else(|| format!("node {ix}"))
        })
        .collect();
    for (ix, bone) in vrm::bones(root) {
        if let Some(name) = names.get_mut(ix) {
            *name = printable(&bone);
        }
    }
    names
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
