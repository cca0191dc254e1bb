//! The skins of a file merged into one skeleton, and each mesh's way into the common bind space.
//!
//! A file may store each mesh in a space of its own (Z up, centimetres, another origin) and have the inverse bind
//! matrices undo it. Here all meshes are brought into one bind space that stands like the world: +Y up, in the
//! file's world units. Skinned positions do not change by it.

use glam::{Mat3, Mat4, Vec3};
use gltf::json::{Index, Root, Skin};

use super::ImportFault;
use super::accessor::Reader;
use super::tree::{Tree, dangling};
use crate::avatar::transform::inverse;
use crate::avatar::{Joint, Node, Skeleton};

/// How much the entries of two matrices may differ, relative to their size, to be taken for the same.
/// Exporters' single precision inverses differ by about 1e-6; poses that really differ do by 1e-2 and more.
const SAME_MATRIX: f32 = 1e-4;

/// One skeleton for all skins of a file.
pub(super) struct Bindings {
    pub skeleton: Skeleton,
    /// Index into the skeleton's nodes for each node of the file; None for nodes that no joint depends on.
    pub skeleton_node: Vec<Option<usize>>,
    /// For each node of the skeleton, its joints: one, or more where skins bind it differently.
    joints_of_node: Vec<Vec<u16>>,
    skins: Vec<Option<SkinBinding>>,
}

/// One skin of the file.
#[derive(Clone)]
pub(super) struct SkinBinding {
    /// For each joint of the skin, the skeleton's.
    pub joints: Vec<u16>,
    /// Common bind space from the space that meshes with this skin are stored in.
    pub bind_from_mesh: Mat4,
}

impl Bindings {
    /// Merges all skins that shown mesh nodes use.
    pub fn read(reader: &Reader, tree: &Tree) -> Result<Self, ImportFault> {
        let root = reader.root;
        let skins = used_skins(root, tree)?;
        let (nodes, skeleton_node) = gather_nodes(&skins, tree)?;
        let mut bindings = Self {
            joints_of_node: vec![Vec::new(); nodes.len()],
            skeleton: Skeleton {
                nodes,
                joints: Vec::new(),
            },
            skeleton_node,
            skins: vec![None; root.skins.len()],
        };
        for (skin_ix, skin) in skins {
            bindings.skins[skin_ix] = Some(bindings.bind(reader, tree, skin_ix, skin)?);
        }
        Ok(bindings)
    }

    pub fn skin(&self, ix: Index<Skin>) -> Option<&SkinBinding> {
        self.skins.get(ix.value())?.as_ref()
    }

    /// The first joint of a node of the file.
    pub fn joint_of(&self, file_node_ix: usize) -> Option<u16> {
        self.joints_of_node[self.skeleton_node[file_node_ix]?]
            .first()
            .copied()
    }

    fn bind(
        &mut self,
        reader: &Reader,
        tree: &Tree,
        skin_ix: usize,
        skin: &Skin,
    ) -> Result<SkinBinding, ImportFault> {
        let joints = skin_joints(
            skin,
            tree,
            &self.skeleton_node,
            &inverse_binds(reader, tree, skin_ix, skin)?,
        );
        let bind_from_mesh = self
            .shared_space(&joints)
            .unwrap_or_else(|| upright_space(&joints));
        let mesh_from_bind = inverse(bind_from_mesh).unwrap_or(Mat4::IDENTITY);
        let mut merged = Vec::with_capacity(joints.len());
        for joint in &joints {
            let bone_from_bind = match bind_from_mesh == Mat4::IDENTITY {
                true => joint.bone_from_mesh,
                false => joint.bone_from_mesh * mesh_from_bind,
            };
            merged.push(self.merge(Joint {
                node_ix: joint.node_ix,
                bone_from_bind,
            })?);
        }
        Ok(SkinBinding {
            joints: merged,
            bind_from_mesh,
        })
    }

    /// The joint with this node and bind matrix, made if there is none yet.
    fn merge(&mut self, joint: Joint) -> Result<u16, ImportFault> {
        let known = &mut self.joints_of_node[joint.node_ix];
        let joints = &mut self.skeleton.joints;
        let same = |ix: &&u16| {
            is_same(
                joints[usize::from(**ix)].bone_from_bind,
                joint.bone_from_bind,
            )
        };
        if let Some(&joint_ix) = known.iter().find(same) {
            return Ok(joint_ix);
        }
        let joint_ix = u16::try_from(joints.len())
            .ok()
            .filter(|&ix| ix < u16::MAX)
            .ok_or(ImportFault::TooManyJoints)?;
        joints.push(joint);
        known.push(joint_ix);
        Ok(joint_ix)
    }

    /// Where an earlier skin has bound one of these joints, its bind space.
    fn shared_space(&self, joints: &[MeshJoint]) -> Option<Mat4> {
        joints.iter().find_map(|joint| {
            let known =
                &self.skeleton.joints[usize::from(*self.joints_of_node[joint.node_ix].first()?)];
            inverse(joint.bone_from_mesh)?;
            Some(snap_to_identity(
                inverse(known.bone_from_bind)? * joint.bone_from_mesh,
            ))
        })
    }
}

/// A joint of one skin, as the file has it.
struct MeshJoint {
    /// Index into the skeleton's nodes.
    node_ix: usize,
    bone_from_mesh: Mat4,
    world_from_bone_at_rest: Mat4,
}

fn used_skins<'a>(root: &'a Root, tree: &Tree) -> Result<Vec<(usize, &'a Skin)>, ImportFault> {
    let mut used = vec![false; root.skins.len()];
    for (node, placed) in root.nodes.iter().zip(&tree.nodes) {
        let Some(skin) = node.skin.filter(|_| node.mesh.is_some() && placed.shown) else {
            continue;
        };
        let place = || format!("node {:?}", placed.name);
        *used
            .get_mut(skin.value())
            .ok_or_else(|| dangling(place(), "skin", skin.value()))? = true;
    }
    Ok(root
        .skins
        .iter()
        .enumerate()
        .filter(|(ix, _)| used[*ix])
        .collect())
}

/// The joints of the skins and all their ancestors, parents first; and for each node of the file its index therein.
fn gather_nodes(
    skins: &[(usize, &Skin)],
    tree: &Tree,
) -> Result<(Vec<Node>, Vec<Option<usize>>), ImportFault> {
    let mut needed = vec![false; tree.nodes.len()];
    for (skin_ix, skin) in skins {
        for joint in skin.joints.iter().map(|joint| joint.value()) {
            let place = || format!("skin {skin_ix}");
            *needed
                .get_mut(joint)
                .ok_or_else(|| dangling(place(), "joint node", joint))? = true;
        }
    }
    for &ix in tree.order.iter().rev() {
        if let (true, Some(parent)) = (needed[ix], tree.nodes[ix].parent) {
            needed[parent] = true;
        }
    }
    let mut nodes = Vec::new();
    let mut skeleton_node = vec![None; tree.nodes.len()];
    for &ix in tree.order.iter().filter(|&&ix| needed[ix]) {
        let node = &tree.nodes[ix];
        skeleton_node[ix] = Some(nodes.len());
        let parent = node.parent.and_then(|parent| skeleton_node[parent]);
        nodes.push(Node {
            name: node.name.clone(),
            parent,
            rest: node.rest,
        });
    }
    Ok((nodes, skeleton_node))
}

/// The skin's inverse bind matrices, one per joint. A skin without any means identities.
fn inverse_binds(
    reader: &Reader,
    tree: &Tree,
    skin_ix: usize,
    skin: &Skin,
) -> Result<Vec<Mat4>, ImportFault> {
    let Some(accessor) = skin.inverse_bind_matrices else {
        return Ok(vec![Mat4::IDENTITY; skin.joints.len()]);
    };
    let matrices: Vec<Mat4> = reader
        .floats::<16>(accessor)?
        .iter()
        .map(Mat4::from_cols_array)
        .collect();
    if matrices.len() < skin.joints.len() {
        return Err(dangling(
            format!("skin {skin_ix}"),
            "inverse bind matrix",
            matrices.len(),
        ));
    }
    match skin
        .joints
        .iter()
        .zip(&matrices)
        .find(|(_, matrix)| !matrix.is_finite())
    {
        Some((joint, _)) => Err(ImportFault::BindNotFinite {
            node: tree.nodes[joint.value()].name.clone(),
        }),
        None => Ok(matrices),
    }
}

fn skin_joints(
    skin: &Skin,
    tree: &Tree,
    skeleton_node: &[Option<usize>],
    inverse_binds: &[Mat4],
) -> Vec<MeshJoint> {
    let joints = skin.joints.iter().zip(inverse_binds);
    let placed = joints.filter_map(|(joint, &bone_from_mesh)| {
        let world_from_bone_at_rest = tree.nodes[joint.value()].world_from_node;
        Some(MeshJoint {
            node_ix: skeleton_node[joint.value()]?,
            bone_from_mesh,
            world_from_bone_at_rest,
        })
    });
    placed.collect()
}

/// A bind space that stands like the world. Where the rest pose is the bind pose, every joint gives the same answer.
/// Where it is not, the top joint's is taken to the nearest right angle, without moving the mesh: enough to turn
/// Z up into Y up, whatever the pose.
fn upright_space(joints: &[MeshJoint]) -> Mat4 {
    let usable = |joint: &&MeshJoint| {
        inverse(joint.bone_from_mesh).is_some() && inverse(joint.world_from_mesh()).is_some()
    };
    let Some(top) = joints
        .iter()
        .filter(usable)
        .min_by_key(|joint| joint.node_ix)
    else {
        return Mat4::IDENTITY;
    };
    let world_from_mesh = top.world_from_mesh();
    if joints
        .iter()
        .filter(usable)
        .all(|joint| is_same(joint.world_from_mesh(), world_from_mesh))
    {
        return snap_to_identity(world_from_mesh);
    }
    right_angled(world_from_mesh)
}

impl MeshJoint {
    /// At rest.
    fn world_from_mesh(&self) -> Mat4 {
        self.world_from_bone_at_rest * self.bone_from_mesh
    }
}

/// The nearest product of right angles, one uniform scale and a mirror where there is one; scales within 1 % of one become one.
fn right_angled(matrix: Mat4) -> Mat4 {
    let determinant = Mat3::from_mat4(matrix).determinant();
    let scale = determinant.abs().cbrt();
    let scale = if (scale - 1.0).abs() < 0.01 {
        1.0
    } else {
        scale
    };
    let x = nearest_axis(matrix.x_axis.truncate(), Vec3::ZERO);
    let y = nearest_axis(matrix.y_axis.truncate(), x);
    // A mirrored character stays one: its triangles are turned round with it.
    let z = x.cross(y) * determinant.signum();
    Mat4::from_mat3(Mat3::from_cols(x, y, z) * scale)
}

/// The coordinate axis, or its opposite, nearest to a direction and square to `taken`.
fn nearest_axis(direction: Vec3, taken: Vec3) -> Vec3 {
    let axes = Vec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let free = axes.filter(|axis| axis.dot(taken) == 0.0);
    free.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)))
        .unwrap_or(Vec3::X)
}

fn snap_to_identity(matrix: Mat4) -> Mat4 {
    if is_same(matrix, Mat4::IDENTITY) {
        Mat4::IDENTITY
    } else {
        matrix
    }
}

fn is_same(a: Mat4, b: Mat4) -> bool {
    let linear = |m: Mat4| Mat3::from_mat4(m);
    let size = linear(a)
        .to_cols_array()
        .iter()
        .fold(0.0_f32, |size, entry| size.max(entry.abs()));
    let reach = a.w_axis.truncate().length().max(size);
    linear(a).abs_diff_eq(linear(b), SAME_MATRIX * size)
        && a.w_axis
            .truncate()
            .abs_diff_eq(b.w_axis.truncate(), SAME_MATRIX * reach)
}
