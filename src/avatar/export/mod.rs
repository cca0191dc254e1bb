//! Avatars as binary glTF: what our generators make can be looked at in any viewer, and loaded again.

mod binary;
mod weights;

use std::collections::BTreeMap;

use gltf::json::accessor::{ComponentType, Type};
use gltf::json::animation::{self, Property};
use gltf::json::material::{AlphaCutoff, AlphaMode};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::scene::UnitQuaternion;
use gltf::json::validation::Checked::Valid;
use gltf::json::{
    self, Accessor, Animation, Extras, Image, Index, Material, Mesh, Scene, Skin, deserialize,
};
use image::ExtendedColorType;
use image::codecs::png::PngEncoder;
use image::{ImageEncoder, ImageError};

use self::binary::{Binary, Elements};
use super::{
    Avatar, Clip, Interpolation, MAX_INFLUENCES, Node, Part, Skeleton, SkinMesh, Texture,
    TrackValues,
};

/// The node and mesh that hold the body.
const BODY_NAME: &str = "body";

/// A .glb file with everything of an avatar but what was tolerated on the way. The same avatar gives the same bytes.
///
/// Weights are rounded to 16 bits, clips without tracks are left out; the rest survives a round trip through
/// [`load`](super::load) exactly.
///
/// # Panics
/// If the avatar is not valid: see [`Avatar::validate`].
pub fn to_glb(avatar: &Avatar) -> Vec<u8> {
    let mut file = Binary::default();
    file.root.asset.generator =
        Some(concat!("radial_fields ", env!("CARGO_PKG_VERSION")).to_owned());
    push_skeleton(&mut file, &avatar.skeleton);
    push_textures(&mut file, &avatar.textures);
    let body = SkinMesh {
        triangles: avatar.drawn_triangles(),
        ..avatar.skin.clone()
    };
    push_mesh(&mut file, BODY_NAME, &body, &avatar.parts, None);
    for garment in &avatar.garments {
        let cloth = deserialize::from_str(r#"{"cloth":true}"#).expect("valid JSON");
        push_mesh(
            &mut file,
            &garment.name,
            &garment.mesh,
            &garment.parts,
            cloth,
        );
    }
    push_scene(&mut file, avatar);
    for clip in avatar.clips.iter().filter(|clip| !clip.tracks.is_empty()) {
        push_clip(&mut file, clip);
    }
    file.into_glb()
}

fn push_skeleton(file: &mut Binary, skeleton: &Skeleton) {
    file.root.nodes = skeleton.nodes.iter().map(node).collect();
    for (ix, parent) in skeleton
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(ix, node)| Some((ix, node.parent?)))
    {
        file.root.nodes[parent]
            .children
            .get_or_insert_default()
            .push(Index::new(ix as u32));
    }
    let inverse_binds = skeleton
        .joints
        .iter()
        .map(|joint| joint.bone_from_bind.to_cols_array());
    let inverse_bind_matrices = Some(file.push(&Elements::floats(Type::Mat4, inverse_binds)));
    let joints = skeleton
        .joints
        .iter()
        .map(|joint| Index::new(joint.node_ix as u32))
        .collect();
    file.root.push(Skin {
        extensions: None,
        extras: None,
        inverse_bind_matrices,
        joints,
        name: None,
        skeleton: None,
    });
}

fn node(node: &Node) -> json::Node {
    let unless = |is_default: bool, value: [f32; 3]| (!is_default).then_some(value);
    let rest = &node.rest;
    json::Node {
        name: Some(node.name.clone()),
        translation: unless(
            rest.translation == glam::Vec3::ZERO,
            rest.translation.to_array(),
        ),
        rotation: (rest.rotation != glam::Quat::IDENTITY)
            .then(|| UnitQuaternion(rest.rotation.to_array())),
        scale: unless(rest.scale == glam::Vec3::ONE, rest.scale.to_array()),
        ..json::Node::default()
    }
}

/// Every texture's index is its image's.
fn push_textures(file: &mut Binary, textures: &[Texture]) {
    for texture in textures {
        let png = encode_png(texture).expect("a texture's bytes match its size");
        let view = file.push_view(&png);
        let mime_type = Some(json::image::MimeType("image/png".to_owned()));
        let source = Image {
            buffer_view: Some(view),
            mime_type,
            name: None,
            uri: None,
            extensions: None,
            extras: None,
        };
        let source = file.root.push(source);
        file.root.push(json::Texture {
            name: None,
            sampler: None,
            source,
            extensions: None,
            extras: None,
        });
    }
}

fn encode_png(texture: &Texture) -> Result<Vec<u8>, ImageError> {
    let mut png = Vec::new();
    PngEncoder::new(&mut png).write_image(
        &texture.rgba,
        texture.width,
        texture.height,
        ExtendedColorType::Rgba8,
    )?;
    Ok(png)
}

/// A mesh and its node: one primitive a part, all on the same vertices. Without parts, one primitive without a material.
fn push_mesh(file: &mut Binary, name: &str, mesh: &SkinMesh, parts: &[Part], extras: Extras) {
    let attributes = push_vertices(file, mesh);
    let whole = [(0..mesh.triangles.len() as u32, None)];
    let of_parts: Vec<_> = parts
        .iter()
        .map(|part| (part.triangles.clone(), Some(part)))
        .collect();
    let runs = if parts.is_empty() {
        &whole[..]
    } else {
        &of_parts
    };
    let mut primitives = Vec::with_capacity(runs.len());
    for (triangles, part) in runs {
        let range = triangles.start as usize..triangles.end as usize;
        let corners = mesh.triangles[range].iter().flatten().copied();
        let indices = Elements::integers(
            Type::Scalar,
            ComponentType::U16,
            corners,
            mesh.positions.len(),
        );
        primitives.push(Primitive {
            attributes: attributes.clone(),
            indices: Some(file.push(&indices)),
            material: part.map(|part| push_material(file, part)),
            mode: Valid(Mode::Triangles),
            targets: None,
            extensions: None,
            extras: None,
        });
    }
    let mesh = Mesh {
        name: Some(name.to_owned()),
        primitives,
        weights: None,
        extensions: None,
        extras: None,
    };
    let mesh = Some(file.root.push(mesh));
    let skin = Some(Index::new(0));
    file.root.push(json::Node {
        name: Some(name.to_owned()),
        mesh,
        skin,
        extras,
        ..json::Node::default()
    });
}

fn push_material(file: &mut Binary, part: &Part) -> Index<Material> {
    let mut material = Material::default();
    let base = &mut material.pbr_metallic_roughness;
    base.base_color_factor.0 = part.base_colour;
    // Skin and cloth; glTF's default is metal.
    base.metallic_factor.0 = 0.0;
    base.base_color_texture = part.texture_ix.map(|ix| json::texture::Info {
        index: Index::new(ix as u32),
        tex_coord: 0,
        extensions: None,
        extras: None,
    });
    if part.alpha_cutoff != 0.0 {
        material.alpha_mode = Valid(AlphaMode::Mask);
        material.alpha_cutoff = Some(AlphaCutoff(part.alpha_cutoff));
    }
    file.root.push(material)
}

type Attributes = BTreeMap<json::validation::Checked<Semantic>, Index<Accessor>>;

fn push_vertices(file: &mut Binary, mesh: &SkinMesh) -> Attributes {
    let positions: Vec<[f32; 3]> = mesh
        .positions
        .iter()
        .map(|position| position.to_array())
        .collect();
    let normals = mesh.normals.iter().map(|normal| normal.to_array());
    let mut attributes = Attributes::new();
    attributes.insert(
        Valid(Semantic::Positions),
        file.push_bounded(Type::Vec3, &positions),
    );
    attributes.insert(
        Valid(Semantic::Normals),
        file.push(&Elements::floats(Type::Vec3, normals)),
    );
    if mesh.uvs.iter().any(|uv| *uv != glam::Vec2::ZERO) {
        let uvs = Elements::floats(Type::Vec2, mesh.uvs.iter().map(|uv| uv.to_array()));
        attributes.insert(Valid(Semantic::TexCoords(0)), file.push(&uvs));
    }
    push_influences(file, mesh, &mut attributes);
    attributes
}

/// Four influences a set; the second only where a vertex needs it.
fn push_influences(file: &mut Binary, mesh: &SkinMesh, attributes: &mut Attributes) {
    let weights: Vec<[u16; MAX_INFLUENCES]> = mesh.weights.iter().map(weights::quantise).collect();
    let joint_bound = mesh
        .joints
        .iter()
        .flatten()
        .max()
        .map_or(0, |&joint_ix| usize::from(joint_ix) + 1);
    let is_needed = |set: usize| set == 0 || weights.iter().any(|weights| weights[4 * set] > 0);
    for set in (0..MAX_INFLUENCES / 4).filter(|&set| is_needed(set)) {
        let slots = 4 * set..4 * set + 4;
        let joints = mesh
            .joints
            .iter()
            .flat_map(|joints| &joints[slots.clone()])
            .map(|&joint_ix| u32::from(joint_ix));
        let joints = Elements::integers(Type::Vec4, ComponentType::U8, joints, joint_bound);
        let bytes = weights
            .iter()
            .flat_map(|weights| &weights[slots.clone()])
            .flat_map(|weight| weight.to_le_bytes());
        let weights = Elements {
            kind: Type::Vec4,
            component: ComponentType::U16,
            normalized: true,
            bytes: bytes.collect(),
        };
        attributes.insert(Valid(Semantic::Joints(set as u32)), file.push(&joints));
        attributes.insert(Valid(Semantic::Weights(set as u32)), file.push(&weights));
    }
}

/// All roots: the skeleton's, then the meshes.
fn push_scene(file: &mut Binary, avatar: &Avatar) {
    let nodes = &avatar.skeleton.nodes;
    let is_root = |ix: &usize| nodes.get(*ix).is_none_or(|node| node.parent.is_none());
    let roots = (0..file.root.nodes.len())
        .filter(is_root)
        .map(|ix| Index::new(ix as u32))
        .collect();
    let name = Some(avatar.name.clone()).filter(|name| !name.is_empty());
    file.root.scene = Some(file.root.push(Scene {
        name,
        nodes: roots,
        extensions: None,
        extras: None,
    }));
}

fn push_clip(file: &mut Binary, clip: &Clip) {
    let mut known_times: BTreeMap<Vec<u32>, Index<Accessor>> = BTreeMap::new();
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for track in &clip.tracks {
        let bits = track.times.iter().map(|time| time.to_bits()).collect();
        let input = *known_times.entry(bits).or_insert_with(|| {
            let times: Vec<[f32; 1]> = track.times.iter().map(|&time| [time]).collect();
            file.push_bounded(Type::Scalar, &times)
        });
        let (path, values) = match &track.values {
            TrackValues::Translation(values) => (Property::Translation, vectors(values)),
            TrackValues::Scale(values) => (Property::Scale, vectors(values)),
            TrackValues::Rotation(values) => {
                let values = values.iter().map(|rotation| rotation.to_array());
                (Property::Rotation, Elements::floats(Type::Vec4, values))
            }
        };
        let interpolation = Valid(match track.interpolation {
            Interpolation::Step => animation::Interpolation::Step,
            Interpolation::Linear => animation::Interpolation::Linear,
            Interpolation::Cubic => animation::Interpolation::CubicSpline,
        });
        let sampler = Index::new(samplers.len() as u32);
        let node = Index::new(track.node_ix as u32);
        let output = file.push(&values);
        samplers.push(animation::Sampler {
            input,
            interpolation,
            output,
            extensions: None,
            extras: None,
        });
        let target = animation::Target {
            node,
            path: Valid(path),
            extensions: None,
            extras: None,
        };
        channels.push(animation::Channel {
            sampler,
            target,
            extensions: None,
            extras: None,
        });
    }
    file.root.push(Animation {
        name: Some(clip.name.clone()),
        channels,
        samplers,
        extensions: None,
        extras: None,
    });
}

fn vectors(values: &[glam::Vec3]) -> Elements {
    Elements::floats(Type::Vec3, values.iter().map(|value| value.to_array()))
}
