//! Nodes that are rigid solids: by the extras `"solid": true` or `"collider": "mesh"` (or sphere, capsule, box, plane, laid round the
//! node's mesh), or by the extension KHR_physics_rigid_bodies with the shapes of KHR_implicit_shapes. Extras `"friction"` and
//! `"restitution"` say what the solid is made of, as the extension's materials do.
//!
//! A node's scale goes into the shape: of a mesh whatever it is, of a box or plane along its own axes; a ball or a capsule that is scaled
//! unevenly would be none, and is refused. Not read: motion (the solid stands, or rides with the joint it hangs under), triggers,
//! joints, filters, convex hulls (the mesh itself is taken), combine modes.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Mat3, Mat4, Quat, Vec3};
use gltf::json::{Extras, Node, Root, Value, deserialize};

use super::ImportFault;
use super::tree::dangling;
use crate::avatar::{SkinMesh, SolidForm, Transform};
use crate::math::Bounds;

/// The extensions' names; shapes had another before they were released.
pub(super) const RIGID_BODIES: &str = "KHR_physics_rigid_bodies";
pub(super) const SHAPES: [&str; 2] = ["KHR_implicit_shapes", "KHR_collision_shapes"];

/// Part of the largest scale by which others may differ where a shape allows none but even ones: what exporters round by.
const EVEN: f32 = 1e-3;
/// Of a circle, where a shape becomes a mesh: its flats are 0.2 % of its radius deep.
const SEGMENTS: u32 = 48;

/// What a file says of a solid, before its mesh is read.
#[derive(Clone, Debug)]
pub(super) struct Marked {
    pub shape: Marker,
    pub friction: Option<f32>,
    pub restitution: f32,
}

/// Where the shape comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Marker {
    /// The node's own mesh, or what is laid round it.
    Own(Round),
    /// Another mesh of the file.
    Mesh(usize),
    /// Of the shapes of the file.
    Shape(SolidForm),
}

/// What is laid round a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Round {
    Itself,
    Sphere,
    Capsule,
    Box,
    /// Its uppermost level.
    Plane,
}

/// Whether a node is a solid, and which.
pub(super) fn marked(root: &Root, node: &Node, name: &str) -> Result<Option<Marked>, ImportFault> {
    if let Some(marked) = by_extension(root, node, name)? {
        return Ok(Some(marked));
    }
    let mesh = node.mesh.and_then(|mesh| root.meshes.get(mesh.value()));
    let of_mesh = mesh.map(|mesh| &mesh.extras);
    for extras in [Some(&node.extras), of_mesh].into_iter().flatten() {
        if let Some(marked) = by_extras(extras, name)? {
            return Ok(Some(marked));
        }
    }
    Ok(None)
}

fn by_extras(extras: &Extras, name: &str) -> Result<Option<Marked>, ImportFault> {
    let Some(extras) = extras else {
        return Ok(None);
    };
    let value: Value = deserialize::from_str(extras.get()).unwrap_or_default();
    let is_set =
        |mark: &Value| mark.as_bool() == Some(true) || mark.as_f64().is_some_and(|n| n != 0.0);
    let round = match value.get("collider").and_then(Value::as_str) {
        Some("mesh") => Round::Itself,
        Some("sphere") => Round::Sphere,
        Some("capsule") => Round::Capsule,
        Some("box") => Round::Box,
        Some("plane") => Round::Plane,
        Some(other) => {
            return Err(ImportFault::Collider {
                node: name.to_owned(),
                fault: format!("there is no collider {:?}", crate::avatar::printable(other)),
            });
        }
        None if value.get("solid").is_some_and(is_set) => Round::Itself,
        None => return Ok(None),
    };
    Ok(Some(Marked {
        shape: Marker::Own(round),
        friction: number(&value, "friction"),
        restitution: number(&value, "restitution").unwrap_or(0.0),
    }))
}

fn by_extension(root: &Root, node: &Node, name: &str) -> Result<Option<Marked>, ImportFault> {
    let others = node.extensions.as_ref().map(|all| &all.others);
    let Some(collider) = others.and_then(|others| others.get(RIGID_BODIES)?.get("collider")) else {
        return Ok(None);
    };
    // Before its release the extension had the fields of the geometry beside the others.
    let geometry = collider.get("geometry").unwrap_or(collider);
    let shape = if let Some(shape_ix) = index(geometry, "shape") {
        shape_of(root, shape_ix, name)?
    } else if let Some(mesh_ix) = index(geometry, "mesh") {
        Marker::Mesh(mesh_ix)
    } else if let Some(node_ix) = index(geometry, "node") {
        let other = root.nodes.get(node_ix);
        let other = other.ok_or_else(|| dangling(format!("node {name:?}"), "node", node_ix))?;
        let mesh = other
            .mesh
            .ok_or_else(|| fault(name, "its collider's node has no mesh"))?;
        Marker::Mesh(mesh.value())
    } else {
        return Err(fault(name, "its collider has no shape"));
    };
    let material = index(collider, "physicsMaterial").and_then(|ix| material(root, ix));
    Ok(Some(Marked {
        shape,
        friction: material.map(|material| number(material, "dynamicFriction").unwrap_or(0.6)),
        restitution: material
            .and_then(|material| number(material, "restitution"))
            .unwrap_or(0.0),
    }))
}

fn material(root: &Root, ix: usize) -> Option<&Value> {
    let others = &root.extensions.as_ref()?.others;
    others.get(RIGID_BODIES)?.get("physicsMaterials")?.get(ix)
}

/// A shape of the file's; what the extension leaves out has its defaults.
fn shape_of(root: &Root, shape_ix: usize, name: &str) -> Result<Marker, ImportFault> {
    let others = root.extensions.as_ref().map(|all| &all.others);
    let shapes = others.and_then(|others| SHAPES.iter().find_map(|name| others.get(*name)));
    let shape = shapes.and_then(|shapes| shapes.get("shapes")?.get(shape_ix));
    let shape = shape.ok_or_else(|| dangling(format!("node {name:?}"), "shape", shape_ix))?;
    let kind = shape
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let body = shape.get(kind).unwrap_or(&Value::Null);
    let length = |key, usual| number(body, key).unwrap_or(usual);
    let form = match kind {
        "sphere" => SolidForm::Sphere {
            radius: length("radius", 0.5),
        },
        "box" => SolidForm::Box {
            half_size: 0.5 * size_of_box(body),
        },
        "plane" => SolidForm::HalfSpace,
        "capsule" | "cylinder" => {
            let [bottom, top] = ["radiusBottom", "radiusTop"].map(|key| length(key, 0.25));
            revolved(kind == "capsule", 0.5 * length("height", 0.5), bottom, top)
        }
        "mesh" => {
            let mesh_ix =
                index(body, "mesh").ok_or_else(|| fault(name, "its shape has no mesh"))?;
            return Ok(Marker::Mesh(mesh_ix));
        }
        _ => return Err(fault(name, "its collider is of no shape that is known")),
    };
    Ok(Marker::Shape(form))
}

fn size_of_box(body: &Value) -> Vec3 {
    let side = |ix| Some(body.get("size")?.get(ix)?.as_f64()? as f32);
    Vec3::from([0, 1, 2].map(|ix| side(ix).unwrap_or(1.0)))
}

/// A capsule of one radius, or a mesh of what is no shape of ours: a cylinder, or what has ends of two radii.
fn revolved(is_capsule: bool, half_length: f32, bottom: f32, top: f32) -> SolidForm {
    if is_capsule && bottom == top {
        return SolidForm::Capsule {
            half_length,
            radius: top,
        };
    }
    let end = |radius: f32, side: f32| -> Vec<[f32; 2]> {
        if !is_capsule {
            return vec![[radius, side * half_length]];
        }
        let rings = SEGMENTS / 4;
        let angle = |ring: u32| FRAC_PI_2 * ring as f32 / rings as f32;
        let at = |ring| {
            let (sin, cos) = angle(ring).sin_cos();
            [radius * cos, side * (half_length + radius * sin)]
        };
        (0..rings).map(at).collect()
    };
    let mut outline = end(bottom, -1.0);
    outline.reverse();
    outline.extend(end(top, 1.0));
    let reach = |radius: f32| half_length + if is_capsule { radius } else { 0.0 };
    turned(&outline, [-reach(bottom), reach(top)])
}

/// An outline of radii and heights, from below, turned round y and closed at its ends.
fn turned(outline: &[[f32; 2]], ends: [f32; 2]) -> SolidForm {
    let mut positions = ends.map(|y| Vec3::Y * y).to_vec();
    for [radius, y] in outline {
        positions.extend((0..SEGMENTS).map(|ix| {
            let (sin, cos) = (TAU * ix as f32 / SEGMENTS as f32).sin_cos();
            Vec3::new(radius * cos, *y, -radius * sin)
        }));
    }
    let mut triangles = Vec::new();
    let last = 2 + (outline.len() as u32 - 1) * SEGMENTS;
    for ix in 0..SEGMENTS {
        let next = (ix + 1) % SEGMENTS;
        triangles.extend([[0, 2 + next, 2 + ix], [1, last + ix, last + next]]);
        for ring in (2..last).step_by(SEGMENTS as usize) {
            let [a, b] = [ring + ix, ring + next];
            triangles.extend([[a, b, b + SEGMENTS], [a, b + SEGMENTS, a + SEGMENTS]]);
        }
    }
    SolidForm::Mesh {
        positions,
        triangles,
    }
}

/// What is laid round a node's mesh, and where it stands in the node's space.
pub(super) fn round(mesh: SkinMesh, round: Round) -> (Mat4, SolidForm) {
    let bounds = mesh.positions.iter().fold(Bounds::EMPTY, |bounds, &at| {
        bounds.union(Bounds::of_ball(at, 0.0))
    });
    let (middle, half) = (
        0.5 * (bounds.low + bounds.high),
        0.5 * (bounds.high - bounds.low),
    );
    let placed = Mat4::from_translation(middle);
    match round {
        Round::Itself => (
            Mat4::IDENTITY,
            SolidForm::Mesh {
                positions: mesh.positions,
                triangles: mesh.triangles,
            },
        ),
        Round::Sphere => (
            placed,
            SolidForm::Sphere {
                radius: half.max_element(),
            },
        ),
        Round::Box => (placed, SolidForm::Box { half_size: half }),
        Round::Plane => (
            Mat4::from_translation(middle.with_y(bounds.high.y)),
            SolidForm::HalfSpace,
        ),
        Round::Capsule => capsule_round(placed, half),
    }
}

/// Along the longest side.
fn capsule_round(placed: Mat4, half: Vec3) -> (Mat4, SolidForm) {
    let long = half.max_position();
    let across = half[(long + 1) % 3].max(half[(long + 2) % 3]);
    let turn = Quat::from_rotation_arc(Vec3::Y, Vec3::AXES[long]);
    let form = SolidForm::Capsule {
        half_length: (half[long] - across).max(1e-3 * across),
        radius: across,
    };
    (placed * Mat4::from_quat(turn), form)
}

/// Takes a place apart into a rotation with a translation, and the scale, which goes into the shape.
pub(super) fn settled(
    world_from_solid: Mat4,
    form: SolidForm,
    name: &str,
) -> Result<(Mat4, SolidForm), ImportFault> {
    let Transform {
        translation,
        rotation,
        ..
    } = Transform::from_mat4(world_from_solid);
    let rigid = Mat4::from_rotation_translation(rotation, translation);
    let rest = Mat3::from_mat4(rigid.inverse() * world_from_solid);
    let scale = Vec3::new(rest.x_axis.x, rest.y_axis.y, rest.z_axis.z).abs();
    if !rest.is_finite() || scale.min_element() <= 0.0 {
        return Err(fault(name, "its scale leaves nothing of it"));
    }
    let largest = scale.max_element();
    let off_axes = rest
        - Mat3::from_diagonal(
            rest.x_axis * Vec3::X + rest.y_axis * Vec3::Y + rest.z_axis * Vec3::Z,
        );
    let is_straight = off_axes
        .to_cols_array()
        .iter()
        .all(|x| x.abs() <= EVEN * largest);
    let is_even = is_straight && largest - scale.min_element() <= EVEN * largest;
    let form = match form {
        SolidForm::Mesh {
            positions,
            triangles,
        } => scaled_mesh(rest, positions, triangles),
        SolidForm::HalfSpace if is_straight => SolidForm::HalfSpace,
        SolidForm::Box { half_size } if is_straight => SolidForm::Box {
            half_size: half_size * scale,
        },
        SolidForm::Sphere { radius } if is_even => SolidForm::Sphere {
            radius: radius * largest,
        },
        SolidForm::Capsule {
            half_length,
            radius,
        } if is_even => SolidForm::Capsule {
            half_length: half_length * largest,
            radius: radius * largest,
        },
        _ => {
            return Err(fault(
                name,
                "it is scaled unevenly, so that its collider would not keep its shape",
            ));
        }
    };
    Ok((rigid, form))
}

/// Mirroring turns the triangles round, so that they still face out.
fn scaled_mesh(scale: Mat3, positions: Vec<Vec3>, mut triangles: Vec<[u32; 3]>) -> SolidForm {
    if scale.determinant() < 0.0 {
        triangles
            .iter_mut()
            .for_each(|triangle| triangle.swap(1, 2));
    }
    SolidForm::Mesh {
        positions: positions.into_iter().map(|at| scale * at).collect(),
        triangles,
    }
}

fn index(value: &Value, key: &str) -> Option<usize> {
    usize::try_from(value.get(key)?.as_u64()?).ok()
}

fn number(value: &Value, key: &str) -> Option<f32> {
    Some(value.get(key)?.as_f64()? as f32)
}

fn fault(name: &str, fault: &str) -> ImportFault {
    ImportFault::Collider {
        node: name.to_owned(),
        fault: fault.to_owned(),
    }
}
