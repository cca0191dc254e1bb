//! glTF 2.0 files as avatars.
//!
//! Nothing a file says is believed: every index, count and offset is checked where it is first used, so that a
//! damaged or hostile file ends in an [`ImportError`], never in a panic or in gigabytes. The `gltf` crate parses the
//! JSON; its typed readers are not used, because they trust offsets and indices. Names and texts are made [`printable`] as they are read.
//!
//! Morph targets stand still, at the weights the file gives them. Of a VRM the skeleton (its nodes
//! called by the bones that they are), the skin, the base colours and the clips are read.
//!
//! Nodes that are marked as rigid solids become [`NamedSolid`]s and no part of the body.
//!
//! Not read: cameras, lights, materials beyond base colour, Draco compression, Basis textures, more than one scene. Shear in a node's
//! matrix is lost.

mod accessor;
mod bindings;
mod clip;
mod container;
mod doubled;
mod drape;
mod error;
mod influences;
mod material;
mod mesh;
mod meshopt;
mod morph;
mod normals;
mod orient;
mod solid;
mod tree;
mod triangles;
mod units;
mod uv;
mod vrm;
mod weights;

use std::path::{Path, PathBuf};

use glam::Mat4;
use gltf::json::{Extras, Mesh, Node, Root, Value, deserialize};

use self::accessor::Reader;
use self::bindings::Bindings;
use self::container::{Container, Files};
use self::material::Materials;
use self::mesh::{Following, LoadedMesh, MeshNode, Run};
use self::solid::{Marked, Marker, Round};
use self::tree::{Tree, dangling};
use super::transform::inverse;
use super::{Avatar, NamedSkin, NamedSolid, SkinMesh, Tolerated, printable};

pub use self::error::{ImportError, ImportFault};
pub use self::units::unit_warning;

/// Extensions a file may require because a character comes out right, or nearly so, without them or with them.
const HARMLESS_EXTENSIONS: [&str; 11] = [
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    solid::RIGID_BODIES,
    solid::SHAPES[0],
    solid::SHAPES[1],
];
/// Looks of materials: the base colour stays. What makes a VRM: it moves and draws like any other character.
const HARMLESS_EXTENSION_PREFIXES: [&str; 2] = ["KHR_materials_", "VRM"];
/// Geometry that is nowhere else in the file.
const DRACO: &str = "KHR_draco_mesh_compression";

/// Choices of the user.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// Metres per unit of the file; None for 1, what glTF demands. Usual: 0.01 for files in centimetres.
    pub scale: Option<f32>,
}

/// Reads a .glb, or a .gltf with the files beside it.
pub fn load(path: &Path, options: &ImportOptions) -> Result<Avatar, ImportError> {
    let in_file = |fault| ImportError {
        path: path.to_owned(),
        fault,
    };
    let bytes = container::read_file(path).map_err(in_file)?;
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let mut avatar = read(&bytes, Some(folder), options).map_err(in_file)?;
    if avatar.name.is_empty() {
        avatar.name = path
            .file_stem()
            .map(|stem| printable(&stem.to_string_lossy()))
            .unwrap_or_default();
    }
    Ok(avatar)
}

/// Reads the bytes of a .glb, or of a .gltf that needs no other files.
pub fn from_slice(bytes: &[u8], options: &ImportOptions) -> Result<Avatar, ImportError> {
    read(bytes, None, options).map_err(|fault| ImportError {
        path: PathBuf::from("(memory)"),
        fault,
    })
}

fn read(
    bytes: &[u8],
    folder: Option<PathBuf>,
    options: &ImportOptions,
) -> Result<Avatar, ImportFault> {
    let scale = options.scale.unwrap_or(1.0);
    if !(scale.is_finite() && scale > 0.0) {
        return Err(ImportFault::BadScale(scale));
    }
    let Container {
        root,
        buffers,
        mut files,
    } = Container::parse(bytes, folder)?;
    check_extensions(&root)?;
    let unpacked = meshopt::unpack_views(&root, &buffers)?;
    let reader = Reader::new(&root, &buffers, &unpacked);
    let mut avatar = Import::new(&reader)?.run(&mut files)?;
    if scale != 1.0 {
        units::rescale(&mut avatar, scale);
        let moved = &mut avatar.tolerated.moved_metres;
        *moved = (*moved as f32 * scale).ceil() as u32;
    }
    avatar
        .validate()
        .map_err(|invalid| ImportFault::Overflow(invalid.to_string()))?;
    Ok(avatar)
}

fn check_extensions(root: &Root) -> Result<(), ImportFault> {
    let is_harmless = |name: &str| {
        HARMLESS_EXTENSIONS.contains(&name)
            || HARMLESS_EXTENSION_PREFIXES
                .iter()
                .any(|prefix| name.starts_with(prefix))
    };
    match root
        .extensions_required
        .iter()
        .find(|name| !is_harmless(name))
    {
        Some(name) => Err(ImportFault::UnsupportedExtension {
            name: printable(name),
        }),
        None => Ok(()),
    }
}

/// One file on its way to an avatar.
struct Import<'a> {
    reader: &'a Reader<'a>,
    tree: Tree,
    bindings: Bindings,
    body: LoadedMesh,
    garments: Vec<Garment>,
    solids: Vec<NamedSolid>,
    tolerated: Tolerated,
}

struct Garment {
    skin: NamedSkin,
    /// Has no weights of its own: takes the body's, and stands in the world until then.
    draped: bool,
    runs: Vec<Run>,
}

/// How a mesh node hangs on the skeleton.
enum Placement<'a> {
    Follows {
        following: Following<'a>,
        bind_from_mesh: Mat4,
    },
    Loose,
}

impl<'a> Import<'a> {
    fn new(reader: &'a Reader<'a>) -> Result<Self, ImportFault> {
        let tree = Tree::read(reader.root)?;
        let bindings = Bindings::read(reader, &tree)?;
        if bindings.skeleton.joints.is_empty() {
            return Err(ImportFault::NoSkin);
        }
        let (body, garments, tolerated) = (LoadedMesh::default(), Vec::new(), Tolerated::default());
        Ok(Self {
            reader,
            tree,
            bindings,
            body,
            garments,
            solids: Vec::new(),
            tolerated,
        })
    }

    fn run(mut self, files: &mut Files) -> Result<Avatar, ImportFault> {
        for (node_ix, node) in self.reader.root.nodes.iter().enumerate() {
            if self.tree.nodes[node_ix].shown {
                self.read_node(node_ix, node)?;
            }
        }
        if self.body.mesh.triangles.is_empty() {
            return Err(ImportFault::NoTriangles);
        }
        let mut materials = Materials::default();
        let parts = materials.parts(self.reader, files, &self.body.runs);
        for garment in &mut self.garments {
            if garment.runs.iter().any(|run| run.material_ix.is_some()) {
                garment.skin.parts = materials.parts(self.reader, files, &garment.runs);
            }
        }
        let clips = clip::read_all(self.reader, &self.bindings.skeleton_node)?;
        self.tolerated.still_morphs = morph::animated_count(self.reader.root);
        self.tolerated.moved_metres = self.tree.moved.round() as u32;
        self.tolerated.is_vrm = vrm::is_vrm(self.reader.root);
        let mut avatar = Avatar {
            skin: std::mem::take(&mut self.body.mesh),
            parts,
            ..Avatar::default()
        };
        self.tolerated.doubled_triangles = doubled::set_backs_aside(&mut avatar);
        self.body.mesh = avatar.skin;
        self.finish_meshes();
        self.tolerated.collapsed_joints = self.collapsed_joint_count();
        self.tolerated.unread_textures = materials.unread;
        Ok(Avatar {
            name: scene_name(self.reader.root),
            skeleton: self.bindings.skeleton,
            skin: self.body.mesh,
            ornaments: avatar.ornaments,
            parts: avatar.parts,
            textures: materials.textures,
            clips,
            garments: self
                .garments
                .into_iter()
                .map(|garment| garment.skin)
                .collect(),
            solids: self.solids,
            tolerated: self.tolerated,
        })
    }

    fn read_node(&mut self, node_ix: usize, node: &Node) -> Result<(), ImportFault> {
        let name = self.tree.nodes[node_ix].name.clone();
        // A skinned mesh bends: it is none.
        if node.skin.is_none()
            && let Some(marked) = solid::marked(self.reader.root, node, &name)?
        {
            return self.read_solid(node_ix, node, marked);
        }
        let Some(mesh_ix) = node.mesh.map(|mesh| mesh.value()) else {
            return Ok(());
        };
        let mesh = self.mesh(mesh_ix, &name)?;
        let is_cloth = is_cloth(&node.extras) || is_cloth(&mesh.extras);
        let morph_weights = node.weights.as_ref().or(mesh.weights.as_ref());
        let of_node = MeshNode {
            mesh,
            name: &name,
            morph_weights: morph_weights.map_or(&[], Vec::as_slice),
        };
        match self.placement(node_ix, node) {
            Placement::Follows {
                following,
                bind_from_mesh,
            } if node.skin.is_some() || !is_cloth => {
                let mut loaded = mesh::read(self.reader, &of_node, &following)?;
                loaded.transform(bind_from_mesh);
                self.tolerated.zero_weight_vertices += loaded.zero_weight_vertices;
                match is_cloth {
                    true => self.garments.push(garment(name, loaded, false)),
                    false => self.append_to_body(loaded),
                }
            }
            _ if is_cloth => {
                let mut loaded = mesh::read(self.reader, &of_node, &Following::Joint(0))?;
                loaded.transform(self.tree.nodes[node_ix].world_from_node);
                self.garments.push(garment(name, loaded, true));
            }
            _ => self.tolerated.skipped_meshes += 1,
        }
        Ok(())
    }

    fn mesh(&self, mesh_ix: usize, name: &str) -> Result<&'a Mesh, ImportFault> {
        let mesh = self.reader.root.meshes.get(mesh_ix);
        mesh.ok_or_else(|| dangling(format!("node {name:?}"), "mesh", mesh_ix))
    }

    fn read_solid(
        &mut self,
        node_ix: usize,
        node: &Node,
        marked: Marked,
    ) -> Result<(), ImportFault> {
        let name = self.tree.nodes[node_ix].name.clone();
        let (node_from_solid, form) = match marked.shape {
            Marker::Shape(form) => (Mat4::IDENTITY, form),
            Marker::Mesh(mesh_ix) => {
                solid::round(self.mesh_of_solid(node, mesh_ix, &name)?, Round::Itself)
            }
            Marker::Own(round) => {
                // A mark without a mesh marks nothing.
                let Some(mesh) = node.mesh else {
                    return Ok(());
                };
                solid::round(self.mesh_of_solid(node, mesh.value(), &name)?, round)
            }
        };
        let world_from_node = self.tree.nodes[node_ix].world_from_node;
        let (world_from_solid, form) =
            solid::settled(world_from_node * node_from_solid, form, &name)?;
        let bone = self.tree.ancestry(node_ix).find_map(|ix| {
            let bone_from_world = inverse(self.tree.nodes[ix].world_from_node)?;
            Some((self.bindings.joint_of(ix)?, bone_from_world))
        });
        let frame_from_world = bone.map_or(Mat4::IDENTITY, |(_, bone_from_world)| bone_from_world);
        self.solids.push(NamedSolid {
            name,
            joint_ix: bone.map(|(joint_ix, _)| usize::from(joint_ix)),
            frame_from_solid: frame_from_world * world_from_solid,
            form,
            friction: marked.friction,
            restitution: marked.restitution,
        });
        Ok(())
    }

    fn mesh_of_solid(
        &self,
        node: &Node,
        mesh_ix: usize,
        name: &str,
    ) -> Result<SkinMesh, ImportFault> {
        let mesh = self.mesh(mesh_ix, name)?;
        let morph_weights = node.weights.as_ref().or(mesh.weights.as_ref());
        let of_node = MeshNode {
            mesh,
            name,
            morph_weights: morph_weights.map_or(&[], Vec::as_slice),
        };
        let loaded = mesh::read(self.reader, &of_node, &Following::Joint(0))?;
        match loaded.mesh.triangles.is_empty() {
            true => Err(ImportFault::Collider {
                node: name.to_owned(),
                fault: "its collider has no triangles".to_owned(),
            }),
            false => Ok(loaded.mesh),
        }
    }

    /// By its skin; without one, rigidly with the joint it hangs under.
    fn placement(&self, node_ix: usize, node: &Node) -> Placement<'_> {
        if let Some(skin) = node.skin.and_then(|skin| self.bindings.skin(skin)) {
            return Placement::Follows {
                following: Following::Weights(&skin.joints),
                bind_from_mesh: skin.bind_from_mesh,
            };
        }
        let rigid = self
            .tree
            .ancestry(node_ix)
            .find_map(|ix| Some((ix, self.bindings.joint_of(ix)?)));
        rigid
            .and_then(|(bone_ix, joint_ix)| self.rigid_placement(node_ix, bone_ix, joint_ix))
            .unwrap_or(Placement::Loose)
    }

    fn rigid_placement(
        &self,
        node_ix: usize,
        bone_ix: usize,
        joint_ix: u16,
    ) -> Option<Placement<'_>> {
        let bind_from_bone =
            inverse(self.bindings.skeleton.joints[usize::from(joint_ix)].bone_from_bind)?;
        let bone_from_world = inverse(self.tree.nodes[bone_ix].world_from_node)?;
        let bind_from_mesh =
            bind_from_bone * bone_from_world * self.tree.nodes[node_ix].world_from_node;
        Some(Placement::Follows {
            following: Following::Joint(joint_ix),
            bind_from_mesh,
        })
    }

    fn append_to_body(&mut self, loaded: LoadedMesh) {
        self.body.runs.extend(loaded.runs);
        self.body.mesh.append(loaded.mesh);
    }

    /// Which way triangles face, then normals, then weights of garments: a garment's place depends on the whole body.
    fn finish_meshes(&mut self) {
        let body = &mut self.body.mesh;
        let mut turned = vec![orient::settle(body)];
        let mut rebuilt_normals = normals::settle(body);
        let mut zero_area_triangles = body.zero_area_triangle_count();
        for garment in &mut self.garments {
            let mesh = &mut garment.skin.mesh;
            if garment.draped {
                drape::drape(mesh, body, &self.bindings.skeleton);
            }
            turned.push(orient::settle(mesh));
            rebuilt_normals += normals::settle(mesh);
            zero_area_triangles += mesh.zero_area_triangle_count();
        }
        self.tolerated.rebuilt_normals = rebuilt_normals;
        self.tolerated.turned_triangles = turned.iter().map(|turned| turned.triangles).sum();
        self.tolerated.turned_normals = turned.iter().map(|turned| turned.normals).sum();
        self.tolerated.zero_area_triangles = zero_area_triangles as u32;
    }

    fn collapsed_joint_count(&self) -> u32 {
        let mut world_of = vec![Mat4::IDENTITY; self.bindings.skeleton.nodes.len()];
        for (node, skeleton_ix) in self.tree.nodes.iter().zip(&self.bindings.skeleton_node) {
            if let Some(ix) = *skeleton_ix {
                world_of[ix] = node.world_from_node;
            }
        }
        let joints = self.bindings.skeleton.joints.iter();
        let collapsed = joints.filter(|joint| {
            [joint.bone_from_bind, world_of[joint.node_ix]]
                .map(inverse)
                .contains(&None)
        });
        collapsed.count() as u32
    }
}

fn garment(name: String, loaded: LoadedMesh, draped: bool) -> Garment {
    let LoadedMesh {
        mesh,
        runs,
        mut motion,
        ..
    } = loaded;
    if motion
        .iter()
        .all(|lengths| *lengths == [f32::INFINITY, 0.0, 0.0])
    {
        motion.clear();
    }
    Garment {
        skin: NamedSkin {
            name,
            mesh,
            motion,
            parts: Vec::new(),
        },
        draped,
        runs,
    }
}

/// Extras with `"cloth": true`; exporters that know no booleans write 1.
fn is_cloth(extras: &Extras) -> bool {
    let Some(extras) = extras else { return false };
    let value: Value = deserialize::from_str(extras.get()).unwrap_or_default();
    let mark = value.get("cloth");
    mark.is_some_and(|mark| {
        mark.as_bool() == Some(true) || mark.as_f64().is_some_and(|number| number != 0.0)
    })
}

/// What exporters call every scene.
const PLAIN_SCENES: [&str; 4] = ["Scene", "Root Scene", "Sketchfab_Scene", "AuxScene"];

/// Empty where the file does not name its scene, or as exporters name every one.
fn scene_name(root: &Root) -> String {
    let scene = root.scenes.get(root.scene.map_or(0, |scene| scene.value()));
    scene
        .and_then(|scene| scene.name.as_deref())
        .filter(|name| !PLAIN_SCENES.contains(name))
        .map(printable)
        .unwrap_or_default()
}
