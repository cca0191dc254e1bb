//! A character as plain validated data: skeleton, skin, materials, clips and the garments it brings.
//!
//! Nothing here knows Vulkan. An [`Avatar`] comes from a glTF file ([`load`]) or from a generator of our own
//! ([`builtin`]); both yield the same type, and everything right of this module relies on what its
//! fields promise: indices are in range, floats are finite, weights sum to one.
//!
//! Spaces: *bind* is the space the vertices are stored in; *bone* is the space of one joint; *node* is the space of
//! one node of the tree; *world* is where the character stands, +Y up, facing +Z, its left side at +X, in metres.

#[cfg(feature = "authoring")]
pub mod builtin;
#[cfg(feature = "engine")]
pub mod cache;
#[cfg(feature = "import")]
pub mod export;
#[cfg(feature = "import")]
pub mod import;
#[cfg(feature = "engine")]
pub mod makehuman;
mod ornaments;
#[cfg(feature = "authoring")]
pub mod resample;
mod size;
mod solid;
mod text;
pub mod transform;
mod validate;

use glam::{Mat4, Quat, Vec2, Vec3};

use crate::math::Bounds;

#[cfg(feature = "import")]
pub use self::export::to_glb;
#[cfg(feature = "import")]
pub use self::import::{ImportError, ImportFault, ImportOptions, from_slice, load, unit_warning};
pub use self::size::PERSON_HEIGHT;
pub use self::solid::{NamedSolid, SolidForm};
pub use self::text::printable;
pub use self::validate::Invalid;
pub(crate) use self::validate::validate_weights;

/// The most joints that may move one vertex: glTF's `JOINTS_0` and `JOINTS_1`.
pub const MAX_INFLUENCES: usize = 8;

/// A skinned character.
#[derive(Clone, Debug, Default)]
pub struct Avatar {
    /// What the file or the generator calls it.
    pub name: String,
    /// The tree of nodes and which of them are joints.
    pub skeleton: Skeleton,
    /// The body, all its meshes and primitives in one.
    pub skin: SkinMesh,
    /// Triangles over the same vertices that are drawn and that cloth never meets: swords, shields, capes. See
    /// [`Avatar::set_aside`].
    pub ornaments: Vec<[u32; 3]>,
    /// Ranges of the body's triangles, followed by its ornaments, that share a material, in order, together covering all of them.
    pub parts: Vec<Part>,
    /// Textures the parts refer to.
    pub textures: Vec<Texture>,
    /// Motion, in the file's order.
    pub clips: Vec<Clip>,
    /// Meshes marked as cloth (`extras {"cloth": true}`), in the bind pose, skinned like the body.
    pub garments: Vec<NamedSkin>,
    /// Rigid things that the file brings along, in its order: nodes with extras `{"solid": true}` or `{"collider": "box"}` (mesh, sphere,
    /// capsule, plane), or with a collider of `KHR_physics_rigid_bodies`.
    pub solids: Vec<NamedSolid>,
    /// What the importer met and tolerated.
    pub tolerated: Tolerated,
}

/// The node tree of a character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    /// All nodes a joint depends on, parents before children.
    pub nodes: Vec<Node>,
    /// The joints, in the order that vertices index them.
    pub joints: Vec<Joint>,
}

/// One node: a joint, or something a joint hangs under.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub name: String,
    /// Index into [`Skeleton::nodes`], smaller than this node's own.
    pub parent: Option<usize>,
    /// Parent from node, when no clip moves it.
    pub rest: Transform,
}

/// A node that moves vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Index into [`Skeleton::nodes`].
    pub node_ix: usize,
    /// The inverse bind matrix.
    pub bone_from_bind: Mat4,
}

/// Translation, rotation and scale, applied scale first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    pub translation: Vec3,
    /// Unit length.
    pub rotation: Quat,
    pub scale: Vec3,
}

impl Transform {
    /// Leaves everything where it is.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    /// A shift alone.
    pub fn from_translation(translation: Vec3) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// The same as a matrix.
    pub fn to_mat4(self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// A triangle mesh whose vertices follow joints. All per-vertex lists have equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinMesh {
    /// Metres, in bind space.
    pub positions: Vec<Vec3>,
    /// Unit length, in bind space.
    pub normals: Vec<Vec3>,
    /// Zero where the file has none.
    pub uvs: Vec<Vec2>,
    /// Indices into [`Skeleton::joints`]; unused influences are 0 with weight 0.
    pub joints: Vec<[u16; MAX_INFLUENCES]>,
    /// Not negative, summing to one, strongest first.
    pub weights: Vec<[f32; MAX_INFLUENCES]>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Weight below which a joint hardly moves a vertex: what it holds so weakly does not widen its bounds.
const MIN_HOLD: f32 = 0.05;

impl SkinMesh {
    /// The box round the vertices that each joint moves, in bone space: [`Bounds::EMPTY`] for a joint without any.
    pub fn joint_bounds(&self, joints: &[Joint]) -> Vec<Bounds> {
        let mut bounds = vec![Bounds::EMPTY; joints.len()];
        let influences = self.joints.iter().zip(&self.weights);
        for (&position, (held_by, weights)) in self.positions.iter().zip(influences) {
            for (&joint_ix, _) in held_by.iter().zip(weights).filter(|(_, w)| **w > MIN_HOLD) {
                let joint_ix = usize::from(joint_ix);
                let pos_in_bone = joints[joint_ix].bone_from_bind.transform_point3(position);
                bounds[joint_ix] = bounds[joint_ix].union(Bounds::of_ball(pos_in_bone, 0.0));
            }
        }
        bounds
    }
}

/// A skinned mesh with a name: a garment that came with the character.
#[derive(Clone, Debug)]
pub struct NamedSkin {
    pub name: String,
    pub mesh: SkinMesh,
    /// What the file holds each vertex to, as artists painted it: the vertex attributes `_MAX_DISTANCE`, `_BACKSTOP_DISTANCE` and
    /// `_BACKSTOP_RADIUS`, in metres; infinite, 0 and 0 for what it leaves out. Empty where it has none of them.
    pub motion: Vec<[f32; 3]>,
    /// Its materials, as [`Avatar::parts`] has the body's; empty where the file names none.
    pub parts: Vec<Part>,
}

/// A run of triangles with one material.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Range of [`SkinMesh::triangles`], of a body followed by its ornaments.
    pub triangles: std::ops::Range<u32>,
    /// Linear RGBA, multiplied with the texture.
    pub base_colour: [f32; 4],
    /// Index into [`Avatar::textures`].
    pub texture_ix: Option<usize>,
    /// Where colour and texture are less opaque than this nothing is drawn; 0 draws all. Usual: 0.5 for hair and lashes.
    pub alpha_cutoff: f32,
}

/// An 8-bit sRGB image.
#[derive(Clone, Debug)]
pub struct Texture {
    pub width: u32,
    pub height: u32,
    /// RGBA, rows from the top, `4 * width * height` bytes.
    pub rgba: Vec<u8>,
}

/// Motion of some nodes over time.
#[derive(Clone, Debug)]
pub struct Clip {
    pub name: String,
    /// Seconds; a clip repeats after it where the user asks for it to.
    pub duration: f32,
    pub tracks: Vec<Track>,
}

/// How one property of one node changes.
#[derive(Clone, Debug)]
pub struct Track {
    /// Index into [`Skeleton::nodes`].
    pub node_ix: usize,
    pub interpolation: Interpolation,
    /// Seconds, strictly increasing, at least one.
    pub times: Vec<f32>,
    pub values: TrackValues,
}

/// Key values: one per key, or for [`Interpolation::Cubic`] three (in-tangent, value, out-tangent).
#[derive(Clone, Debug)]
pub enum TrackValues {
    Translation(Vec<Vec3>),
    Rotation(Vec<Quat>),
    Scale(Vec<Vec3>),
}

/// glTF's three ways to interpolate between keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    Step,
    Linear,
    Cubic,
}

/// Faults of a file that do not stop it from being used, counted so that a user can see them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tolerated {
    /// Triangles without area; kept in the mesh, skipped by the fields.
    pub zero_area_triangles: u32,
    /// Vertices whose weights were all zero; given to the first joint.
    pub zero_weight_vertices: u32,
    /// Joints whose bind or rest matrix cannot be inverted; they get no field.
    pub collapsed_joints: u32,
    /// Vertices whose normal was missing or zero; computed from the triangles.
    pub rebuilt_normals: u32,
    /// Triangles that ran clockwise seen from outside, as normals and volume of their part say; turned round.
    pub turned_triangles: u32,
    /// Vertices whose normal pointed into the body; turned round.
    pub turned_normals: u32,
    /// Triangles that are others the other way round, where the skin has two sides throughout; drawn, and no part of the body.
    pub doubled_triangles: u32,
    /// Images that could not be read; drawn with the base colour alone.
    pub unread_textures: u32,
    /// Meshes without a skin that hang under no joint: scenery, left out.
    pub skipped_meshes: u32,
    /// How far from the origin the character stood, metres, before it was moved there: far off, single precision is too coarse. 0 for
    /// one that stands where its file says.
    pub moved_metres: u32,
    /// Tracks that move morph targets; they stand still at the file's own weights.
    pub still_morphs: u32,
    /// The file is a VRM: its expressions, spring bones, colliders and toon shading are not used.
    pub is_vrm: bool,
}
