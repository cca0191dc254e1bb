//! Why a file cannot become an avatar.

use std::path::PathBuf;

use crate::avatar::printable;

/// A file that cannot become an [`Avatar`](crate::avatar::Avatar). Prints as one line: the file, the fault, the way out.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", printable(&path.to_string_lossy()))]
pub struct ImportError {
    /// The file, or `(memory)` for bytes that came from none.
    pub path: PathBuf,
    pub fault: ImportFault,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportFault {
    #[error("no such file; check the path")]
    Missing,
    #[error("cannot be read ({0}); give a readable .glb or .gltf file")]
    Unreadable(String),
    #[error("the file ends too early ({0}); copy or export it again")]
    Truncated(String),
    #[error("this is not glTF; give a .glb or .gltf file")]
    NotGltf,
    #[error("this is glTF {0}, but only version 2 can be read; export it again as glTF 2.0")]
    Version(String),
    #[error("its JSON is not valid glTF 2.0 ({0}); export it again")]
    Json(String),
    #[error(
        "needs the extension {name}, which is not supported; export it without {}",
        plain_name(name)
    )]
    UnsupportedExtension { name: String },
    #[error(
        "buffer {buffer_ix} cannot be read from {uri:?} ({reason}); put the file beside the .gltf or export as .glb"
    )]
    Buffer {
        buffer_ix: usize,
        uri: String,
        reason: String,
    },
    #[error(
        "buffer view {view_ix} is compressed with meshoptimizer and cannot be unpacked: {reason}; export the file again"
    )]
    Compression {
        view_ix: usize,
        reason: &'static str,
    },
    #[error("it has no skinned mesh; export the character with its armature and skin weights")]
    NoSkin,
    #[error("its skinned meshes have no triangles; export the character's body with its faces")]
    NoTriangles,
    #[error("{place} refers to {what} {index}, which does not exist; export the file again")]
    Dangling {
        place: String,
        what: &'static str,
        index: usize,
    },
    #[error(
        "mesh {mesh:?}: a vertex refers to joint {joint_ix}, but its skin has {joint_count}; export the file again"
    )]
    JointOutOfRange {
        mesh: String,
        joint_ix: u32,
        joint_count: usize,
    },
    #[error(
        "mesh {mesh:?}: a triangle refers to vertex {vertex_ix} of {vertex_count}; export the file again"
    )]
    VertexOutOfRange {
        mesh: String,
        vertex_ix: u32,
        vertex_count: usize,
    },
    #[error(
        "mesh {mesh:?}: a position is infinite or not a number; repair the mesh and export it again"
    )]
    PositionNotFinite { mesh: String },
    #[error(
        "mesh {mesh:?}: {attribute} has {count} values for {vertex_count} vertices; export the file again"
    )]
    AttributeLength {
        mesh: String,
        attribute: &'static str,
        count: usize,
        vertex_count: usize,
    },
    #[error(
        "joint {node:?}: its inverse bind matrix is infinite or not a number; reset the bind pose and export again"
    )]
    BindNotFinite { node: String },
    #[error("node {node:?}: its transform is infinite or not a number; reset it and export again")]
    RestNotFinite { node: String },
    #[error(
        "node {node:?} is its own ancestor or has two parents; repair the node tree and export it again"
    )]
    NotATree { node: String },
    #[error("clip {clip:?}: {fault}; repair or remove the clip and export again")]
    Clip { clip: String, fault: String },
    #[error("accessor {accessor_ix} reaches past the end of its data; export the file again")]
    AccessorOutOfBounds { accessor_ix: usize },
    #[error("accessor {accessor_ix} {fault}; export the file again")]
    Accessor {
        accessor_ix: usize,
        fault: &'static str,
    },
    #[error(
        "node {node:?}: {fault}; mend it, or mark it \"collider\": \"mesh\", which takes any scale"
    )]
    Collider { node: String, fault: String },
    #[error("its skins have more than 65,535 joints; remove the unused ones")]
    TooManyJoints,
    #[error("it unpacks to more data than a character needs; split or simplify it")]
    TooLarge,
    #[error(
        "a scale of {0} makes no sense; give a number above zero, such as 0.01 for a file in centimetres"
    )]
    BadScale(f32),
    #[error(
        "its numbers are too large or too small to work with ({0}); set its units right, or give a scale"
    )]
    Overflow(String),
}

/// What to leave out of the export, in the words of the exporters' own options.
fn plain_name(extension: &str) -> &str {
    match extension {
        "KHR_draco_mesh_compression" => "Draco mesh compression",
        _ => "it",
    }
}
