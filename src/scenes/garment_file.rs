//! Clothes out of a file of their own.

use std::fs;
use std::path::{Path, PathBuf};

use glam::{Mat4, Vec2, Vec3};

use super::wardrobe::worn;
use crate::avatar::import::{ImportError, ImportOptions, load};
use crate::avatar::makehuman::obj::BaseMesh;
use crate::avatar::{Avatar, MAX_INFLUENCES, NamedSkin, SkinMesh, printable};
use crate::cloth::garment::Garment;
use crate::math::closest::barycentric;
use crate::math::triangle_tree::TriangleTree;

/// Bytes of text: a garment of some hundred thousand triangles. More is not dressed in minutes.
const MAX_BYTES: u64 = 64 << 20;
/// The most particles of a garment: what the panels and flags offer.
const MAX_PARTICLES: usize = 200_000;
/// Of the character's height, how far from its skin a garment's nearest point may be.
const MOST_AWAY: f32 = 0.5;

/// Why a file is no garment for the character.
#[derive(Debug, thiserror::Error)]
pub enum GarmentFileError {
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error("{}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: String },
    #[error("{}: it is neither .obj nor .glb nor .gltf: export it as one of them", .0.display())]
    UnknownKind(PathBuf),
    #[error("{}: it has no faces: export the garment's mesh", .0.display())]
    NoFaces(PathBuf),
    #[error("{}: it has {count} vertices: give at most {MAX_PARTICLES}", path.display())]
    TooLarge { path: PathBuf, count: usize },
    #[error(
        "{}: {avatar} has none of the joints that it is skinned to, such as {joint}: export it as .obj, which takes the character's weights",
        path.display()
    )]
    OtherJoints {
        path: PathBuf,
        avatar: String,
        joint: String,
    },
    #[error(
        "{}: it lies {metres:.1} m from {avatar}: give it in metres, over the character as it was made (viewer --export shows how)",
        path.display()
    )]
    FarAway {
        path: PathBuf,
        avatar: String,
        metres: f32,
    },
}

/// The garments of a file: the meshes of an .obj, which lie over the character in its bind pose, metres, +Y up, and take its weights; or
/// the meshes of a glTF file whose joints have the character's names, those marked as cloth if some are.
///
/// # Errors
/// When there are none that fit.
pub fn load_garments(path: &Path, avatar: &Avatar) -> Result<Vec<Garment>, GarmentFileError> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let skins = match ending.to_lowercase().as_str() {
        "obj" => from_obj(path, avatar)?,
        "glb" | "gltf" => from_gltf(path, avatar)?,
        _ => return Err(GarmentFileError::UnknownKind(path.to_owned())),
    };
    for skin in &skins {
        let count = skin.mesh.positions.len();
        if count > MAX_PARTICLES {
            let path = path.to_owned();
            return Err(GarmentFileError::TooLarge { path, count });
        }
    }
    check_place(path, &skins, avatar)?;
    Ok(worn(&skins, avatar))
}

/// Clothes of another size, or meant for somebody else, would be torn to pieces.
fn check_place(path: &Path, skins: &[NamedSkin], avatar: &Avatar) -> Result<(), GarmentFileError> {
    let body = TriangleTree::new(&avatar.skin.positions, &avatar.skin.triangles);
    let distance = |at: &Vec3| {
        let nearest = body.nearest_point(at.as_dvec3(), f64::INFINITY);
        nearest.map_or(0.0, |nearest| nearest.distance as f32)
    };
    for skin in skins {
        let points = skin.mesh.positions.iter();
        let metres = points.map(distance).fold(f32::INFINITY, f32::min);
        if metres > MOST_AWAY * avatar.bind_height() {
            return Err(GarmentFileError::FarAway {
                path: path.to_owned(),
                avatar: avatar.name.clone(),
                metres,
            });
        }
    }
    Ok(())
}

fn from_gltf(path: &Path, avatar: &Avatar) -> Result<Vec<NamedSkin>, GarmentFileError> {
    let file = load(path, &ImportOptions::default())?;
    let name_of = |of: &Avatar, joint_ix: usize| {
        let node_ix = of.skeleton.joints[joint_ix].node_ix;
        of.skeleton.nodes[node_ix].name.clone()
    };
    let known: Vec<_> = (0..avatar.skeleton.joints.len())
        .map(|ix| name_of(avatar, ix))
        .collect();
    let names: Vec<_> = (0..file.skeleton.joints.len())
        .map(|ix| name_of(&file, ix))
        .collect();
    let theirs: Vec<Option<u16>> = names
        .iter()
        .map(|name| Some(known.iter().position(|known| known == name)? as u16))
        .collect();
    if theirs.iter().all(Option::is_none) {
        return Err(GarmentFileError::OtherJoints {
            path: path.to_owned(),
            avatar: avatar.name.clone(),
            joint: names.first().cloned().unwrap_or_default(),
        });
    }
    let mut skins = file.garments;
    if skins.is_empty() {
        skins.push(NamedSkin {
            name: file.name,
            mesh: file.skin,
            motion: Vec::new(),
            parts: Vec::new(),
        });
    }
    let bind_from_bind = moved_joints(&file.skeleton.joints, avatar, &theirs);
    let weights = SkinWeights::new(avatar);
    for skin in &mut skins {
        // Its textures are another file's.
        skin.parts.clear();
        skin.name = named(&skin.name, path);
        rebind(&mut skin.mesh, &theirs, &bind_from_bind, &weights);
    }
    Ok(skins)
}

/// For each joint of the file, its bind space to the character's, that joint of both held together.
fn moved_joints(
    joints: &[crate::avatar::Joint],
    avatar: &Avatar,
    theirs: &[Option<u16>],
) -> Vec<Mat4> {
    let moved = joints.iter().zip(theirs).map(|(joint, known)| {
        let known = known.map(|ix| avatar.skeleton.joints[usize::from(ix)].bone_from_bind);
        known.map_or(Mat4::IDENTITY, |bone_from_bind| {
            bone_from_bind.inverse() * joint.bone_from_bind
        })
    });
    let finite = moved.map(|moved| {
        if moved.is_finite() {
            moved
        } else {
            Mat4::IDENTITY
        }
    });
    finite.collect()
}

/// Has a mesh follow the character's joints, in the character's bind pose; what follows none of them takes the skin's weights.
fn rebind(
    mesh: &mut SkinMesh,
    theirs: &[Option<u16>],
    bind_from_bind: &[Mat4],
    weights: &SkinWeights,
) {
    for ix in 0..mesh.positions.len() {
        let influences = mesh.joints[ix].iter().zip(mesh.weights[ix]);
        let known = influences.filter_map(|(&joint_ix, weight)| {
            let joint_ix = usize::from(joint_ix);
            Some((theirs[joint_ix]?, weight, bind_from_bind[joint_ix]))
        });
        let known: Vec<_> = known.filter(|(_, weight, _)| *weight > 0.0).collect();
        let sum: f32 = known.iter().map(|(_, weight, _)| weight).sum();
        if sum <= 0.0 {
            (mesh.joints[ix], mesh.weights[ix]) = weights.at(mesh.positions[ix]);
            continue;
        }
        let moved = known.iter().fold(Mat4::ZERO, |blend, (_, weight, moved)| {
            blend + *moved * (weight / sum)
        });
        mesh.positions[ix] = moved.transform_point3(mesh.positions[ix]);
        mesh.normals[ix] = moved
            .transform_vector3(mesh.normals[ix])
            .normalize_or(Vec3::Y);
        let (mut joints, mut shares) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
        for (place, (joint, weight, _)) in known.into_iter().enumerate() {
            (joints[place], shares[place]) = (joint, weight / sum);
        }
        (mesh.joints[ix], mesh.weights[ix]) = (joints, shares);
    }
}

fn from_obj(path: &Path, avatar: &Avatar) -> Result<Vec<NamedSkin>, GarmentFileError> {
    let unreadable = |cause: String| GarmentFileError::Unreadable {
        path: path.to_owned(),
        cause,
    };
    let size = fs::metadata(path).map_err(|fault| unreadable(fault.to_string()))?;
    if size.len() > MAX_BYTES {
        return Err(unreadable("it is too large for a garment".to_owned()));
    }
    let text = fs::read_to_string(path).map_err(|fault| unreadable(fault.to_string()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // What some programs write as groups others write as objects.
    let grouped = format!("\n{text}").replace("\no ", "\ng ");
    let mesh = BaseMesh::parse_named(&printable(&name), &grouped[1..]);
    let mesh = mesh.map_err(|fault| unreadable(fault.to_string()))?;
    if mesh.positions.iter().any(|at| !at.is_finite()) {
        return Err(unreadable("a position is infinite".to_owned()));
    }
    let weights = SkinWeights::new(avatar);
    let groups = mesh.groups.iter().filter(|(_, faces)| !faces.is_empty());
    let skins: Vec<_> = groups
        .map(|(group, faces)| NamedSkin {
            name: named(group, path),
            mesh: weights.mesh(&mesh.positions, faces),
            motion: Vec::new(),
            parts: Vec::new(),
        })
        .collect();
    match skins.is_empty() {
        true => Err(GarmentFileError::NoFaces(path.to_owned())),
        false => Ok(skins),
    }
}

/// What a garment is called: its group's name, or the file's.
fn named(name: &str, path: &Path) -> String {
    let file = path.file_stem().unwrap_or_default().to_string_lossy();
    printable(if name.is_empty() { &file } else { name })
}

/// The character's weights anywhere near its skin.
struct SkinWeights<'a> {
    skin: &'a SkinMesh,
    tree: TriangleTree,
}

impl<'a> SkinWeights<'a> {
    fn new(avatar: &'a Avatar) -> Self {
        Self {
            skin: &avatar.skin,
            tree: TriangleTree::new(&avatar.skin.positions, &avatar.skin.triangles),
        }
    }

    /// Those of the nearest point of the skin, strongest first.
    fn at(&self, position: Vec3) -> ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]) {
        let nearest = self.tree.nearest_point(position.as_dvec3(), f64::INFINITY);
        let mut sums: Vec<(u16, f32)> = Vec::new();
        if let Some(nearest) = nearest {
            let corners = nearest.triangle;
            let places = corners.map(|corner| self.skin.positions[corner as usize].as_dvec3());
            let shares = barycentric(nearest.point, places).as_vec3();
            for (corner, share) in corners.into_iter().zip(shares.to_array()) {
                let corner = corner as usize;
                for (&joint, weight) in self.skin.joints[corner]
                    .iter()
                    .zip(self.skin.weights[corner])
                {
                    match sums.iter_mut().find(|(known, _)| *known == joint) {
                        Some((_, sum)) => *sum += weight * share.max(0.0),
                        None => sums.push((joint, weight * share.max(0.0))),
                    }
                }
            }
        }
        sums.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        sums.truncate(MAX_INFLUENCES);
        let all: f32 = sums.iter().map(|(_, sum)| sum).sum();
        let (mut joints, mut weights) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
        weights[0] = 1.0;
        for (ix, (joint, sum)) in sums.into_iter().enumerate().filter(|_| all > 0.0) {
            (joints[ix], weights[ix]) = (joint, sum / all);
        }
        (joints, weights)
    }

    /// The vertices that the faces use, as a mesh of triangles that follows the skin.
    fn mesh(&self, positions: &[Vec3], faces: &[Vec<u32>]) -> SkinMesh {
        let mut place = vec![u32::MAX; positions.len()];
        let mut mesh = SkinMesh::default();
        for &vertex in faces.iter().flatten() {
            if place[vertex as usize] == u32::MAX {
                place[vertex as usize] = mesh.positions.len() as u32;
                mesh.positions.push(positions[vertex as usize]);
            }
        }
        for face in faces {
            let corners: Vec<u32> = face.iter().map(|&vertex| place[vertex as usize]).collect();
            for pair in corners.windows(2).skip(1) {
                let triangle = [corners[0], pair[0], pair[1]];
                let [a, b, c] = triangle.map(|corner| mesh.positions[corner as usize]);
                if (b - a).cross(c - a).length_squared() > 0.0 {
                    mesh.triangles.push(triangle);
                }
            }
        }
        mesh.normals = normals(&mesh);
        mesh.uvs = vec![Vec2::ZERO; mesh.positions.len()];
        let influences = mesh.positions.iter().map(|&at| self.at(at));
        (mesh.joints, mesh.weights) = influences.unzip();
        mesh
    }
}

/// At the vertices, by the triangles round them.
fn normals(mesh: &SkinMesh) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; mesh.positions.len()];
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|corner| mesh.positions[corner as usize]);
        for &corner in triangle {
            sums[corner as usize] += (b - a).cross(c - a);
        }
    }
    sums.into_iter()
        .map(|sum| sum.normalize_or(Vec3::Y))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin;
    use crate::avatar::to_glb;
    use crate::scenes::Outfit;
    use std::fmt::Write as _;

    fn file(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("radial_fields_{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for what is temporary");
        folder.join(name)
    }

    /// A skirt as an .obj of some metres a unit.
    fn obj_of(garment: &Garment, scale: f32) -> String {
        let mut text = "g skirt\n".to_owned();
        for at in &garment.mesh.positions {
            let [x, y, z] = (*at * scale).to_array();
            writeln!(text, "v {x} {y} {z}").expect("text takes all");
        }
        for triangle in &garment.mesh.triangles {
            let [a, b, c] = triangle.map(|corner| corner + 1);
            writeln!(text, "f {a} {b} {c}").expect("text takes all");
        }
        text
    }

    fn skirt() -> (Avatar, Garment) {
        let avatar = builtin::load_mannequin();
        let made = Outfit::Skirt.make(&avatar, 400).expect("a humanoid");
        (avatar, made.into_iter().next().expect("one skirt"))
    }

    #[test]
    fn a_skirt_that_was_written_is_worn_again() {
        let (avatar, made) = skirt();
        let path = file("skirt.obj");
        fs::write(&path, obj_of(&made, 1.0)).expect("it can be written");
        let worn = load_garments(&path, &avatar).expect("a garment");
        assert_eq!(worn.len(), 1);
        assert_eq!(worn[0].name, "skirt");
        assert_eq!(worn[0].mesh.positions.len(), made.mesh.positions.len());
        assert!(
            !worn[0].attachments.is_empty(),
            "it is held by its waistband"
        );
        for (weights, joints) in worn[0].mesh.weights.iter().zip(&worn[0].mesh.joints) {
            let sum: f32 = weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-4);
            let count = avatar.skeleton.joints.len();
            assert!(joints.iter().all(|&joint| usize::from(joint) < count));
        }
    }

    #[test]
    fn a_skinned_file_follows_the_joints_of_its_names() {
        let (avatar, made) = skirt();
        let mut clothes = avatar.clone();
        clothes.skin = made.mesh.clone();
        clothes.parts.clear();
        clothes.textures.clear();
        clothes.clips.clear();
        let triangles = 0..made.mesh.triangles.len() as u32;
        clothes.parts.push(crate::avatar::Part {
            triangles,
            base_colour: [1.0; 4],
            texture_ix: None,
            alpha_cutoff: 0.0,
        });
        let path = file("skirt.glb");
        fs::write(&path, to_glb(&clothes)).expect("it can be written");
        let worn = load_garments(&path, &avatar).expect("a garment");
        let apart = worn[0].mesh.positions.iter().map(|at| {
            let nearest = made.mesh.positions.iter().map(|made| made.distance(*at));
            nearest.fold(f32::INFINITY, f32::min)
        });
        assert!(apart.fold(0.0, f32::max) < 1e-4);
    }

    #[test]
    fn what_is_no_garment_for_the_character_is_refused_by_its_name() {
        let (avatar, made) = skirt();
        let cases = [
            ("empty.obj", String::new(), "no faces"),
            ("face.obj", "v 0 1 0\nf 1 2 3\n".to_owned(), "face.obj"),
            ("far.obj", obj_of(&made, 100.0), "m from"),
            ("skirt.stl", String::new(), "neither .obj nor"),
        ];
        for (name, text, words) in cases {
            let path = file(name);
            fs::write(&path, text).expect("it can be written");
            let fault = load_garments(&path, &avatar).expect_err(name).to_string();
            assert!(fault.contains(words) && fault.contains(name), "{fault}");
        }
        let missing = load_garments(&file("missing.obj"), &avatar).expect_err("no file");
        assert!(missing.to_string().contains("missing.obj"));
    }
}
