//! Nodes that are marked as rigid solids.

use glam::{Mat4, Quat, Vec3};
use radial_fields::avatar::{Avatar, ImportOptions, NamedSolid, SolidForm, from_slice};

use crate::import;
use crate::support::Sketch;

/// A box of 2 m by 1 m by 0.5 m with a corner at the origin, as mesh 1 of a file, and what stands in its place among the file's meshes.
fn with_box(nodes: &[&str], extensions: &str) -> Vec<u8> {
    let mut sketch = Sketch::new();
    let corners: Vec<f32> = (0..8)
        .flat_map(|ix| {
            [
                2.0 * (ix & 1) as f32,
                (ix >> 1 & 1) as f32,
                0.5 * (ix >> 2) as f32,
            ]
        })
        .collect();
    let positions = sketch.gltf.floats("VEC3", &corners);
    let sides = [
        [0, 4, 6, 0, 6, 2],
        [1, 3, 7, 1, 7, 5],
        [0, 1, 5, 0, 5, 4],
        [2, 6, 7, 2, 7, 3],
        [0, 2, 3, 0, 3, 1],
        [4, 5, 7, 4, 7, 6u16],
    ];
    let indices = sketch.gltf.u16s("SCALAR", sides.as_flattened());
    sketch
        .nodes
        .extend(nodes.iter().map(|node| (*node).to_owned()));
    let body = sketch.body().replacen(
        "]}],\"skins\"",
        &format!(r#"]}},{{"primitives":[{{"attributes":{{"POSITION":{positions}}},"indices":{indices}}}]}}],"skins""#),
        1,
    );
    let body = match extensions {
        "" => body,
        extensions => format!(r#"{body},"extensions":{{{extensions}}}"#),
    };
    sketch.gltf.glb(&body)
}

fn only_solid(avatar: &Avatar) -> &NamedSolid {
    assert_eq!(avatar.solids.len(), 1, "{:?}", avatar.solids);
    &avatar.solids[0]
}

fn marked(node: &str) -> NamedSolid {
    only_solid(&import(&with_box(&[node], ""))).clone()
}

fn refused(glb: &[u8]) -> String {
    let refused = from_slice(glb, &ImportOptions::default());
    refused.expect_err("it is no solid").to_string()
}

/// Points of a mesh where it stands.
fn placed(solid: &NamedSolid) -> Vec<Vec3> {
    let SolidForm::Mesh { positions, .. } = &solid.form else {
        panic!("{:?} is no mesh", solid.form);
    };
    let place = |at: &Vec3| solid.frame_from_solid.transform_point3(*at);
    positions.iter().map(place).collect()
}

#[test]
fn extras_make_solids_of_meshes_and_of_what_is_laid_round_them() {
    let shelf = marked(
        r#"{"name":"shelf","mesh":1,"translation":[3,0,0],"extras":{"solid":true,"friction":0.2}}"#,
    );
    assert_eq!((shelf.name.as_str(), shelf.joint_ix), ("shelf", None));
    assert_eq!((shelf.friction, shelf.restitution), (Some(0.2), 0.0));
    assert!(placed(&shelf).contains(&Vec3::new(5.0, 1.0, 0.5)));
    let middle = Mat4::from_translation(Vec3::new(1.0, 0.5, 0.25));
    let round = |collider: &str| {
        marked(&format!(
            r#"{{"mesh":1,"extras":{{"collider":"{collider}","restitution":0.5}}}}"#
        ))
    };
    let half_size = Vec3::new(1.0, 0.5, 0.25);
    for (collider, form) in [
        ("box", SolidForm::Box { half_size }),
        ("sphere", SolidForm::Sphere { radius: 1.0 }),
    ] {
        let solid = round(collider);
        assert_eq!((&solid.form, solid.restitution), (&form, 0.5));
        assert!(solid.frame_from_solid.abs_diff_eq(middle, 1e-6));
    }
    let capsule = round("capsule");
    assert_eq!(
        capsule.form,
        SolidForm::Capsule {
            half_length: 0.5,
            radius: 0.5
        }
    );
    let axis = capsule.frame_from_solid.transform_vector3(Vec3::Y);
    assert!(axis.abs_diff_eq(Vec3::X, 1e-5), "{axis}");
    let plane = round("plane");
    assert_eq!(plane.form, SolidForm::HalfSpace);
    assert!(
        (plane.frame_from_solid.w_axis.y - 1.0).abs() < 1e-6,
        "its uppermost level"
    );
}

#[test]
fn what_is_a_solid_is_no_part_of_the_body_and_a_skinned_mesh_is_none() {
    let plain = import(&with_box(&[], ""));
    let under_a_joint = r#"{"name":"bag","mesh":1,"extras":{"solid":1}}"#;
    let mut glb = Sketch::new();
    glb.nodes[0] = r#"{"name":"figure","mesh":0,"skin":0,"extras":{"solid":true}}"#.to_owned();
    let skinned = import(&glb.glb());
    assert!(skinned.solids.is_empty() && !skinned.skin.triangles.is_empty());
    let avatar = import(&with_box(&[under_a_joint], ""));
    assert_eq!(avatar.skin.triangles, plain.skin.triangles);
    assert_eq!(avatar.tolerated.skipped_meshes, 0);
}

#[test]
fn what_hangs_under_a_joint_rides_with_it() {
    let mut sketch = Sketch::new();
    sketch.nodes[2] = r#"{"name":"knee","translation":[0,1,0],"children":[3]}"#.to_owned();
    let ball = r#"{"sphere":{"radius":0.1},"type":"sphere"}"#;
    sketch.nodes.push(
        r#"{"name":"bag","translation":[0.5,0,0],"extensions":{"KHR_physics_rigid_bodies":{"collider":{"geometry":{"shape":0}}}}}"#.to_owned(),
    );
    sketch.more = format!(r#","extensions":{{"KHR_implicit_shapes":{{"shapes":[{ball}]}}}}"#);
    let avatar = import(&sketch.glb());
    let bag = only_solid(&avatar);
    assert_eq!(bag.joint_ix, Some(1));
    assert!(
        bag.frame_from_solid
            .abs_diff_eq(Mat4::from_translation(0.5 * Vec3::X), 1e-6)
    );
    // At twice the scale everything is twice as far.
    let options = ImportOptions { scale: Some(2.0) };
    let doubled = from_slice(&sketch.glb(), &options).unwrap();
    let bag = only_solid(&doubled);
    assert_eq!(bag.form, SolidForm::Sphere { radius: 0.2 });
    assert!(
        bag.frame_from_solid
            .abs_diff_eq(Mat4::from_translation(Vec3::X), 1e-6)
    );
}

/// A node with a collider of the first of those shapes.
fn by_extension(shape: &str, node: &str) -> Vec<u8> {
    let node = format!(
        r#"{{{node}"extensions":{{"KHR_physics_rigid_bodies":{{"collider":{{"geometry":{{"shape":0}},"physicsMaterial":1}}}}}}}}"#
    );
    let extensions = format!(
        r#""KHR_implicit_shapes":{{"shapes":[{shape}]}},
        "KHR_physics_rigid_bodies":{{"physicsMaterials":[{{}},{{"dynamicFriction":0.7,"restitution":0.25}}]}}"#
    );
    with_box(&[&node], &extensions)
}

#[test]
fn colliders_of_the_extension_are_read_with_their_materials() {
    let half_size = Vec3::new(0.5, 1.0, 1.5);
    for (shape, form) in [
        (
            r#"{"type":"sphere","sphere":{}}"#,
            SolidForm::Sphere { radius: 0.5 },
        ),
        (
            r#"{"type":"box","box":{"size":[1,2,3]}}"#,
            SolidForm::Box { half_size },
        ),
        (r#"{"type":"plane","plane":{}}"#, SolidForm::HalfSpace),
        (
            r#"{"type":"capsule","capsule":{"height":0.6,"radiusBottom":0.1,"radiusTop":0.1}}"#,
            SolidForm::Capsule {
                half_length: 0.3,
                radius: 0.1,
            },
        ),
    ] {
        let avatar = import(&by_extension(shape, r#""translation":[0,4,0],"#));
        let solid = only_solid(&avatar);
        assert_eq!(solid.form, form);
        assert_eq!((solid.friction, solid.restitution), (Some(0.7), 0.25));
        assert_eq!(solid.frame_from_solid.w_axis.y, 4.0);
    }
}

/// Six times its volume, by the divergence theorem: positive where triangles face out.
fn volume(solid: &NamedSolid) -> f32 {
    let SolidForm::Mesh {
        positions,
        triangles,
    } = &solid.form
    else {
        panic!("{:?} is no mesh", solid.form);
    };
    let corner = |ix: u32| positions[ix as usize];
    let volumes = triangles
        .iter()
        .map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0);
    volumes.sum()
}

#[test]
fn cylinders_and_capsules_of_two_radii_become_meshes() {
    use std::f32::consts::PI;
    for (shape, expected) in [
        (
            r#"{"type":"cylinder","cylinder":{"height":2,"radiusBottom":0.5,"radiusTop":0.5}}"#,
            PI * 0.25 * 2.0,
        ),
        // A truncated cone, and a half ball at either end.
        (
            r#"{"type":"capsule","capsule":{"height":2,"radiusBottom":0.5,"radiusTop":0.25}}"#,
            PI / 3.0 * 2.0 * (0.25 + 0.125 + 0.0625) + 2.0 / 3.0 * PI * (0.125 + 0.015625),
        ),
    ] {
        let avatar = import(&by_extension(shape, ""));
        let found = volume(only_solid(&avatar));
        assert!(
            (found / expected - 1.0).abs() < 0.01,
            "{found}, not {expected}"
        );
    }
}

#[test]
fn scales_go_into_shapes_and_uneven_ones_only_where_the_shape_stays_one() {
    let scaled = |collider: &str, scale: &str| {
        let node = format!(
            r#"{{"name":"crate","mesh":1,"scale":{scale},"rotation":[0,0.6,0,0.8],"extras":{{"collider":"{collider}"}}}}"#
        );
        with_box(&[&node], "")
    };
    let even = import(&scaled("sphere", "[2,2,2]"));
    assert_eq!(only_solid(&even).form, SolidForm::Sphere { radius: 2.0 });
    let stretched = import(&scaled("box", "[1,3,1]"));
    let SolidForm::Box { half_size } = only_solid(&stretched).form else {
        panic!("a box stays one");
    };
    assert!(
        half_size.abs_diff_eq(Vec3::new(1.0, 1.5, 0.25), 1e-5),
        "{half_size}"
    );
    let place = only_solid(&stretched).frame_from_solid;
    assert!((place.determinant() - 1.0).abs() < 1e-4, "{place}");
    for scale in ["[1,3,1]", "[-1,3,1]"] {
        let mesh = import(&scaled("mesh", scale));
        let found = volume(only_solid(&mesh));
        assert!((found - 3.0).abs() < 1e-4, "{scale}: {found} m³, not 3");
    }
    let turn = Quat::from_xyzw(0.0, 0.6, 0.0, 0.8);
    let corner = turn * Vec3::new(2.0, 3.0, 0.5);
    let mesh = import(&scaled("mesh", "[1,3,1]"));
    let is_there = |at: &Vec3| at.abs_diff_eq(corner, 1e-4);
    assert!(placed(only_solid(&mesh)).iter().any(is_there));
    for collider in ["sphere", "capsule"] {
        let message = refused(&scaled(collider, "[1,3,1]"));
        assert!(
            message.contains("\"crate\": it is scaled unevenly"),
            "{message}"
        );
    }
    let message = refused(&scaled("box", "[1,0,1]"));
    assert!(message.contains("leaves nothing of it"), "{message}");
}

#[test]
fn damaged_marks_are_refused_by_name() {
    for (glb, expected) in [
        (
            with_box(
                &[r#"{"name":"x","mesh":1,"extras":{"collider":"donut"}}"#],
                "",
            ),
            "no collider \"donut\"",
        ),
        (
            with_box(&[r#"{"name":"x","mesh":9,"extras":{"solid":true}}"#], ""),
            "mesh 9",
        ),
        (
            by_extension(r#"{"type":"teapot"}"#, r#""name":"x","#),
            "no shape that is known",
        ),
        (
            with_box(
                &[
                    r#"{"name":"x","extensions":{"KHR_physics_rigid_bodies":{"collider":{"geometry":{"shape":4}}}}}"#,
                ],
                "",
            ),
            "shape 4",
        ),
        (
            with_box(
                &[r#"{"name":"x","extensions":{"KHR_physics_rigid_bodies":{"collider":{}}}}"#],
                "",
            ),
            "has no shape",
        ),
    ] {
        let message = refused(&glb);
        assert!(
            message.contains(expected) && message.contains('x'),
            "{message}"
        );
    }
}
