//! What the importer makes of the many ways in which files store a character, and the way back out.

mod support;

use std::path::PathBuf;

use glam::{Mat4, Quat, Vec2, Vec3};
use radial_fields::avatar::{
    Avatar, Clip, ImportOptions, Interpolation, Joint, NamedSkin, Node, Part, Skeleton, SkinMesh,
    Texture, Track, TrackValues, Transform, from_slice, load, to_glb,
};
use radial_fields::pose::{Palette, Pose};
use radial_fields::skin::twin::bake;
use support::{Sketch, identity_with_y};

fn import(glb: &[u8]) -> Avatar {
    from_slice(glb, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Where the vertices stand at rest, which no choice of bind space may change.
fn positions_at_rest(avatar: &Avatar) -> Vec<Vec3> {
    let palette = Palette::new(
        &avatar.skeleton,
        &Pose::rest(&avatar.skeleton),
        Mat4::IDENTITY,
    );
    bake(&avatar.skin, &palette).positions
}

fn assert_near(found: &[Vec3], expected: &[[f32; 3]]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            found.abs_diff_eq(Vec3::from(*expected), 1e-4),
            "{found} is not {expected:?}"
        );
    }
}

const FIGURE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]];

#[test]
fn a_plain_file() {
    let avatar = import(&Sketch::new().glb());
    assert_near(&avatar.skin.positions, &FIGURE);
    assert_eq!(avatar.skin.triangles, [[0, 1, 2]]);
    let names: Vec<&str> = avatar
        .skeleton
        .nodes
        .iter()
        .map(|node| node.name.as_str())
        .collect();
    assert_eq!(names, ["hip", "knee"]);
    assert_eq!(avatar.skin.joints[2][0], 1);
    assert_eq!(avatar.skin.normals, [Vec3::Z; 3]);
    assert_eq!(avatar.tolerated.rebuilt_normals, 3);
    assert_eq!(avatar.parts.len(), 1);
    assert_eq!(avatar.parts[0].base_colour, [1.0; 4]);
    assert_eq!(avatar.bind_height(), 2.0);
}

#[test]
fn text_with_embedded_and_external_buffers() {
    let sketch = Sketch::new();
    let folder = scratch_folder("external");
    std::fs::write(folder.join("a body.bin"), &sketch.gltf.bytes).unwrap();
    let external = sketch.gltf.json(&sketch.body(), Some("a%20body.bin"));
    std::fs::write(folder.join("figure.gltf"), &external).unwrap();
    let avatar = load(&folder.join("figure.gltf"), &ImportOptions::default()).unwrap();
    assert_near(&avatar.skin.positions, &FIGURE);
    assert_eq!(avatar.name, "figure");
    let data = format!(
        "data:application/octet-stream;base64,{}",
        base64(&sketch.gltf.bytes)
    );
    let embedded = sketch.gltf.json(&sketch.body(), Some(&data));
    assert_near(&import(embedded.as_bytes()).skin.positions, &FIGURE);
    let refused = from_slice(external.as_bytes(), &ImportOptions::default())
        .unwrap_err()
        .to_string();
    assert!(refused.contains("a%20body.bin"), "{refused}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn weights_and_joints_in_every_type() {
    let mut sketch = Sketch::new();
    let gltf = &mut sketch.gltf;
    let joints = [
        gltf.u8s("VEC4", &[1, 0, 0, 0].repeat(3)),
        gltf.u16s("VEC4", &[1, 0, 0, 0].repeat(3)),
    ];
    let u8_weights: Vec<u8> = [191, 64, 0, 0].repeat(3);
    let u16_weights: Vec<u8> = [49_151_u16, 16_384, 0, 0]
        .repeat(3)
        .iter()
        .flat_map(|weight| weight.to_le_bytes())
        .collect();
    let weights = [
        gltf.floats("VEC4", &[3.0, 1.0, 0.0, 0.0].repeat(3)),
        gltf.floats("VEC4", &[0.25, 0.75, f32::NAN, -2.0].repeat(3)),
        gltf.array(&u8_weights, "VEC4", 5121, 3, r#","normalized":true"#),
        gltf.array(&u8_weights, "VEC4", 5121, 3, ""),
        gltf.array(&u16_weights, "VEC4", 5123, 3, r#","normalized":true"#),
    ];
    for joints in joints {
        for (case, weights) in weights.into_iter().enumerate() {
            sketch.set("JOINTS_0", joints);
            sketch.set("WEIGHTS_0", weights);
            let skin = import(&sketch.glb()).skin;
            let strongest = if case == 1 { 0 } else { 1 };
            assert_eq!(
                skin.joints[0][..2],
                [strongest, 1 - strongest],
                "case {case}"
            );
            assert!(
                (skin.weights[0][0] - 0.75).abs() < 2e-3
                    && (skin.weights[0][1] - 0.25).abs() < 2e-3,
                "case {case}"
            );
        }
    }
}

#[test]
fn eight_influences() {
    let mut sketch = Sketch::new();
    let joints = sketch.gltf.u8s("VEC4", &[1, 1, 1, 1].repeat(3));
    let weights = sketch.gltf.floats("VEC4", &[0.5, 0.5, 1.0, 1.0].repeat(3));
    sketch.set("JOINTS_1", joints);
    sketch.set("WEIGHTS_1", weights);
    let skin = import(&sketch.glb()).skin;
    assert_eq!(
        (skin.joints[0][0], skin.weights[0][0], skin.weights[0][1]),
        (1, 0.75, 0.25)
    );
    assert_eq!((skin.joints[2][0], skin.weights[2][0]), (1, 1.0));
}

#[test]
fn unweighted_vertices_go_to_the_first_joint() {
    let mut sketch = Sketch::new();
    sketch.attributes.retain(|(name, _)| *name != "WEIGHTS_0");
    let avatar = import(&sketch.glb());
    assert_eq!(avatar.tolerated.zero_weight_vertices, 3);
    assert_eq!(
        (avatar.skin.joints[2][0], avatar.skin.weights[2][0]),
        (0, 1.0)
    );
}

#[test]
fn indices_in_every_type_and_none() {
    let mut sketch = Sketch::new();
    let indices = [
        Some(sketch.gltf.u8s("SCALAR", &[0, 1, 2])),
        Some(sketch.gltf.u16s("SCALAR", &[0, 1, 2])),
        Some(sketch.gltf.u32s("SCALAR", &[0, 1, 2])),
        None,
    ];
    for indices in indices {
        sketch.indices = indices;
        assert_eq!(
            import(&sketch.glb()).skin.triangles,
            [[0, 1, 2]],
            "{indices:?}"
        );
    }
}

#[test]
fn strips_and_fans_are_triangles_and_points_are_skipped() {
    let mut sketch = Sketch::new();
    sketch.indices = Some(sketch.gltf.u8s("SCALAR", &[0, 1, 2, 0]));
    sketch.primitive = r#","mode":5"#.into();
    assert_eq!(import(&sketch.glb()).skin.triangles, [[0, 1, 2], [2, 1, 0]]);
    sketch.primitive = r#","mode":6"#.into();
    assert_eq!(import(&sketch.glb()).skin.triangles, [[1, 2, 0]]);
    sketch.primitive = r#","mode":0"#.into();
    let error = from_slice(&sketch.glb(), &ImportOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("no triangles"), "{error}");
}

#[test]
fn strided_quantised_and_sparse_positions() {
    let mut sketch = Sketch::new();
    // Shorts with one of padding each, and the top moved from 1 to 2 by a sparse accessor.
    let shorts: [i16; 12] = [0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0, 9];
    let bytes: Vec<u8> = shorts
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let view = sketch.gltf.view(&bytes, r#","byteStride":8"#);
    let which = sketch.gltf.view(&[2], "");
    let value: Vec<u8> = [0_i16, 2, 0]
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let value = sketch.gltf.view(&value, "");
    let positions = sketch.gltf.accessor(&format!(
        r#"{{"bufferView":{view},"componentType":5122,"count":3,"type":"VEC3","sparse":{{"count":1,
        "indices":{{"bufferView":{which},"componentType":5121}},"values":{{"bufferView":{value}}}}}}}"#
    ));
    sketch.set("POSITION", positions);
    sketch.more = r#","extensionsRequired":["KHR_mesh_quantization"]"#.into();
    assert_near(&import(&sketch.glb()).skin.positions, &FIGURE);
}

#[test]
fn joints_under_turned_and_scaled_stands_come_out_upright() {
    // Z up, in centimetres, under a stand that sets both right: as many exporters write.
    let mut sketch = Sketch::new();
    let positions = sketch
        .gltf
        .floats("VEC3", &[0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0, 0.0, 200.0]);
    sketch.set("POSITION", positions);
    let mut knee = identity_with_y(0.0);
    knee[14] = -100.0;
    let binds = sketch
        .gltf
        .floats("MAT4", &[identity_with_y(0.0), knee].concat());
    sketch.skin = format!(r#","inverseBindMatrices":{binds}"#);
    sketch.nodes[2] = r#"{"name":"knee","translation":[0,0,100]}"#.into();
    sketch.nodes.push(
        r#"{"name":"stand","children":[1,0],"rotation":[-0.70710677,0,0,0.70710677],"scale":[0.01,0.01,0.01]}"#.into(),
    );
    let upright = import(&sketch.glb());
    assert_eq!(upright.skeleton.nodes[0].name, "stand");
    assert_eq!(upright.skeleton.nodes[1].parent, Some(0));
    assert_near(&upright.skin.positions, &FIGURE);
    assert_near(&positions_at_rest(&upright), &FIGURE);
    assert_eq!(upright.skin.triangles, [[0, 1, 2]]);
    // Resting in another pose than it is bound in, the figure is still bound upright.
    sketch.nodes[1] =
        r#"{"name":"hip","children":[2],"rotation":[0,0,0.1736482,0.9848077]}"#.into();
    sketch.nodes[2] =
        r#"{"name":"knee","translation":[0,0,100],"rotation":[0.1736482,0,0,0.9848077]}"#.into();
    assert_near(&import(&sketch.glb()).skin.positions, &FIGURE);
}

#[test]
fn several_skins_share_their_joints() {
    let mut sketch = Sketch::new();
    // The same figure again, stored one metre higher, its own inverse bind matrices undoing that.
    let raised = [0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 3.0, 0.0];
    let positions = sketch.gltf.floats("VEC3", &raised);
    let binds = sketch.gltf.floats(
        "MAT4",
        &[identity_with_y(-2.0), identity_with_y(-1.0)].concat(),
    );
    let first = sketch.primitive();
    sketch.set("POSITION", positions);
    sketch
        .nodes
        .push(r#"{"name":"double","mesh":1,"skin":1}"#.into());
    let body = format!(
        r#""nodes":[{}],"meshes":[{{"primitives":[{first}]}},{{"primitives":[{}]}}],
        "skins":[{{"joints":[1,2]{}}},{{"joints":[2,1],"inverseBindMatrices":{binds}}}]"#,
        sketch.nodes.join(","),
        sketch.primitive(),
        sketch.skin
    );
    let avatar = import(&sketch.gltf.glb(&body));
    assert_eq!(avatar.skeleton.joints.len(), 2);
    assert_near(&avatar.skin.positions, &[FIGURE, FIGURE].concat());
    assert_eq!(avatar.skin.triangles, [[0, 1, 2], [3, 4, 5]]);
    assert_eq!((avatar.skin.joints[3][0], avatar.skin.joints[5][0]), (1, 0));
    assert_near(&positions_at_rest(&avatar), &[FIGURE, FIGURE].concat());
}

#[test]
fn meshes_on_joints_ride_along_and_scenery_stays_out() {
    let mut sketch = Sketch::new();
    sketch.nodes[2] = r#"{"name":"knee","translation":[0,1,0],"children":[3]}"#.into();
    sketch
        .nodes
        .push(r#"{"name":"hat","mesh":0,"translation":[0,1,0]}"#.into());
    sketch.nodes.push(r#"{"name":"house","mesh":0}"#.into());
    let avatar = import(&sketch.glb());
    assert_eq!(avatar.skin.joints[3][0], 1);
    assert_near(
        &avatar.skin.positions[3..],
        &FIGURE.map(|[x, y, z]| [x, y + 2.0, z]),
    );
    assert_eq!(
        (avatar.skin.triangles.len(), avatar.tolerated.skipped_meshes),
        (2, 1)
    );
}

#[test]
fn only_the_scene_is_shown() {
    let mut sketch = Sketch::new();
    sketch
        .nodes
        .push(r#"{"name":"double","mesh":0,"skin":0}"#.into());
    sketch.more = r#","scenes":[{"nodes":[3]},{"nodes":[0,1],"name":"Bob"}],"scene":1"#.into();
    let avatar = import(&sketch.glb());
    assert_eq!(
        (avatar.skin.positions.len(), avatar.name.as_str()),
        (3, "Bob")
    );
}

#[test]
fn cloth_becomes_a_garment() {
    let mut sketch = Sketch::new();
    sketch
        .nodes
        .push(r#"{"name":"cape","mesh":0,"skin":0,"extras":{"cloth":true}}"#.into());
    sketch
        .nodes
        .push(r#"{"name":"scarf","mesh":0,"translation":[0,0,0.1],"extras":{"cloth":1}}"#.into());
    sketch
        .nodes
        .push(r#"{"name":"twin","mesh":0,"skin":0,"extras":{"cloth":false}}"#.into());
    let avatar = import(&sketch.glb());
    let names: Vec<&str> = avatar
        .garments
        .iter()
        .map(|garment| garment.name.as_str())
        .collect();
    assert_eq!(names, ["cape", "scarf"]);
    assert_eq!(avatar.skin.triangles.len(), 2);
    assert_eq!(avatar.garments[0].mesh.joints[2][0], 1);
    let scarf = &avatar.garments[1].mesh;
    assert_eq!(
        [scarf.joints[0][0], scarf.joints[1][0], scarf.joints[2][0]],
        [0, 0, 1]
    );
    assert_near(&scarf.positions, &FIGURE.map(|[x, y, z]| [x, y, z + 0.1]));
}

#[test]
fn unskinned_cloth_lies_on_the_resting_body() {
    let mut sketch = Sketch::new();
    // The knee rests one metre further along x than it was bound: the garment is made for that.
    sketch.nodes[2] = r#"{"name":"knee","translation":[1,1,0]}"#.into();
    sketch
        .nodes
        .push(r#"{"name":"scarf","mesh":1,"extras":{"cloth":true}}"#.into());
    let positions = sketch
        .gltf
        .floats("VEC3", &[1.0, 2.0, 0.1, 1.1, 2.0, 0.1, 1.0, 2.1, 0.1]);
    let body = sketch.body().replace(
        r#"}],"skins""#,
        &format!(r#"}},{{"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}],"skins""#),
    );
    let avatar = import(&sketch.gltf.glb(&body));
    assert_near(
        &avatar.garments[0].mesh.positions,
        &[[0.0, 2.0, 0.1], [0.1, 2.0, 0.1], [0.0, 2.1, 0.1]],
    );
    assert!(
        avatar.garments[0]
            .mesh
            .joints
            .iter()
            .all(|joints| joints[0] == 1)
    );
}

#[test]
fn parts_follow_materials() {
    let mut sketch = Sketch::new();
    let plain = sketch.primitive();
    let with = |material: usize| {
        plain
            .replace("}", "")
            .replace(r#","indices""#, r#"},"indices""#)
            + &format!(r#","material":{material}}}"#)
    };
    let primitives = [with(0), with(0), with(1), plain.clone()].join(",");
    sketch.more = format!(
        r#","materials":[{{"pbrMetallicRoughness":{{"baseColorFactor":[1,0.5,0.25,1],"baseColorTexture":{{"index":0}}}}}},
        {{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":1}}}}}}],
        "textures":[{{"source":0}},{{"source":1}}],
        "images":[{{"uri":"data:image/png;base64,{}"}},{{"uri":"missing.png"}}]"#,
        base64(&png())
    );
    let body = sketch.body().replace(&plain, &primitives);
    let avatar = import(&sketch.gltf.glb(&body));
    let ranges: Vec<_> = avatar
        .parts
        .iter()
        .map(|part| part.triangles.clone())
        .collect();
    assert_eq!(ranges, [0..2, 2..3, 3..4]);
    assert_eq!(
        avatar.skin.positions.len(),
        3,
        "primitives that share attributes share vertices"
    );
    assert_eq!(
        (avatar.parts[0].base_colour, avatar.parts[0].texture_ix),
        ([1.0, 0.5, 0.25, 1.0], Some(0))
    );
    assert_eq!(
        (avatar.parts[1].texture_ix, avatar.tolerated.unread_textures),
        (None, 1)
    );
    assert_eq!(avatar.textures[0].rgba, [255, 0, 0, 255, 0, 0, 255, 255]);
}

#[test]
fn clips_in_every_interpolation() {
    for (interpolation, values) in [("STEP", 2), ("LINEAR", 2), ("CUBICSPLINE", 6)] {
        let mut sketch = Sketch::new();
        let times = sketch.gltf.floats("SCALAR", &[0.5, 2.0]);
        let output = sketch
            .gltf
            .floats("VEC4", &[0.0, 0.0, 0.0, 2.0].repeat(values));
        sketch.animate("rotation", interpolation, times, output);
        let clip = import(&sketch.glb()).clips.remove(0);
        assert_eq!((clip.name.as_str(), clip.duration), ("nod", 2.0));
        assert_eq!(
            (clip.tracks[0].node_ix, clip.tracks[0].values.len()),
            (1, values)
        );
        let TrackValues::Rotation(rotations) = &clip.tracks[0].values else {
            panic!("not a rotation")
        };
        assert_eq!(rotations[1], Quat::IDENTITY, "keys are of unit length");
    }
}

#[test]
fn scale_reaches_everything() {
    let mut sketch = Sketch::new();
    let times = sketch.gltf.floats("SCALAR", &[0.0]);
    let output = sketch.gltf.floats("VEC3", &[0.0, 3.0, 0.0]);
    sketch.animate("translation", "LINEAR", times, output);
    sketch
        .nodes
        .push(r#"{"name":"cape","mesh":0,"skin":0,"extras":{"cloth":true}}"#.into());
    let avatar = from_slice(&sketch.glb(), &ImportOptions { scale: Some(0.01) }).unwrap();
    let plain = import(&sketch.glb());
    for (scaled, plain) in [
        (&avatar.skin, &plain.skin),
        (&avatar.garments[0].mesh, &plain.garments[0].mesh),
    ] {
        assert_near(
            &scaled.positions,
            &plain
                .positions
                .iter()
                .map(|p| (*p * 0.01).to_array())
                .collect::<Vec<_>>(),
        );
    }
    for seconds in [None, Some(0.0)] {
        let posed = |avatar: &Avatar| {
            let rest = || Pose::rest(&avatar.skeleton);
            let pose = seconds.map_or_else(rest, |seconds| {
                Pose::sample(&avatar.clips[0], &avatar.skeleton, seconds)
            });
            bake(
                &avatar.skin,
                &Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY),
            )
            .positions
        };
        for (scaled, plain) in posed(&avatar).iter().zip(posed(&plain)) {
            assert!(scaled.abs_diff_eq(plain * 0.01, 1e-6), "{scaled} {plain}");
        }
    }
}

#[test]
fn a_collapsed_joint_is_counted() {
    let mut sketch = Sketch::new();
    sketch.nodes[2] = r#"{"name":"knee","translation":[0,1,0],"scale":[0,0,0]}"#.into();
    let avatar = import(&sketch.glb());
    assert_eq!(avatar.tolerated.collapsed_joints, 1);
    assert!(
        positions_at_rest(&avatar)
            .iter()
            .all(|position| position.is_finite())
    );
}

/// Something of everything that an avatar can hold.
fn full_avatar() -> Avatar {
    let node = |name: &str, parent, rest| Node {
        name: name.into(),
        parent,
        rest,
    };
    let bent = Transform {
        translation: Vec3::Y,
        rotation: Quat::from_rotation_z(0.3),
        scale: Vec3::new(1.0, 2.0, 1.0),
    };
    let nodes = vec![
        node("root", None, Transform::IDENTITY),
        node("a", Some(0), bent),
        node("b", Some(1), bent),
    ];
    let world_from_b = bent.to_mat4() * bent.to_mat4();
    let joint = |node_ix, bone: Mat4| Joint {
        node_ix,
        bone_from_bind: bone.inverse(),
    };
    let skin = strip_of_skin();
    let garment = NamedSkin {
        name: "cape".into(),
        mesh: SkinMesh {
            uvs: vec![Vec2::ZERO; 4],
            ..skin.clone()
        },
    };
    let texture = Texture {
        width: 1,
        height: 2,
        rgba: vec![255, 0, 0, 255, 1, 2, 3, 4],
    };
    let track = |interpolation, values| Track {
        node_ix: 1,
        interpolation,
        times: vec![0.0, 1.5],
        values,
    };
    let tracks = vec![
        track(
            Interpolation::Step,
            TrackValues::Translation(vec![Vec3::X, Vec3::Y]),
        ),
        track(
            Interpolation::Linear,
            TrackValues::Rotation(vec![Quat::IDENTITY, Quat::from_rotation_x(1.0)]),
        ),
        track(Interpolation::Cubic, TrackValues::Scale(vec![Vec3::ONE; 6])),
    ];
    Avatar {
        name: "everything".into(),
        skeleton: Skeleton {
            nodes,
            joints: vec![joint(1, bent.to_mat4()), joint(2, world_from_b)],
        },
        skin,
        parts: vec![
            Part {
                triangles: 0..1,
                base_colour: [0.5, 0.25, 1.0, 1.0],
                texture_ix: Some(0),
            },
            Part {
                triangles: 1..2,
                base_colour: [1.0; 4],
                texture_ix: None,
            },
        ],
        textures: vec![texture],
        clips: vec![Clip {
            name: "wave".into(),
            duration: 1.5,
            tracks,
        }],
        garments: vec![garment],
        ..Avatar::default()
    }
}

fn strip_of_skin() -> SkinMesh {
    SkinMesh {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)],
        normals: vec![Vec3::Z; 4],
        uvs: vec![Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE],
        joints: vec![[0, 1, 0, 0, 0, 0, 0, 0]; 4],
        weights: vec![[0.7, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]; 4],
        triangles: vec![[0, 1, 2], [2, 1, 3]],
    }
}

#[test]
fn a_round_trip_keeps_everything() {
    let avatar = full_avatar();
    avatar.validate().unwrap();
    let glb = to_glb(&avatar);
    assert_eq!(glb, to_glb(&avatar), "the same bytes each time");
    let again = import(&glb);
    // Weights are rounded to 16 bits; all else is exact, which the debug form shows to the last digit.
    let mut expected = avatar;
    for (found, mesh) in [&again.skin, &again.garments[0].mesh].into_iter().zip(
        std::iter::once(&mut expected.skin).chain(
            expected
                .garments
                .iter_mut()
                .map(|garment| &mut garment.mesh),
        ),
    ) {
        for (found, expected) in found
            .weights
            .iter()
            .flatten()
            .zip(mesh.weights.iter().flatten())
        {
            assert!((found - expected).abs() < 2e-5);
        }
        mesh.weights = found.weights.clone();
    }
    assert_eq!(format!("{again:#?}"), format!("{expected:#?}"));
    assert_eq!(to_glb(&again), glb);
}

#[test]
fn a_round_trip_keeps_eight_influences_and_many_joints() {
    let mut avatar = full_avatar();
    let joint = avatar.skeleton.joints[1].clone();
    avatar.skeleton.joints = (0..300)
        .map(|ix| Joint {
            bone_from_bind: Mat4::from_translation(Vec3::X * ix as f32),
            ..joint.clone()
        })
        .collect();
    avatar.skin.joints[3] = [299, 298, 256, 255, 4, 3, 2, 1];
    avatar.skin.weights[3] = [0.2, 0.15, 0.15, 0.1, 0.1, 0.1, 0.1, 0.1];
    avatar.validate().unwrap();
    let again = import(&to_glb(&avatar));
    assert_eq!(again.skin.joints, avatar.skin.joints);
    for (found, expected) in again.skin.weights[3].iter().zip(avatar.skin.weights[3]) {
        assert!((found - expected).abs() < 2e-5);
    }
}

#[test]
fn a_broken_avatar_does_not_validate() {
    type Break = fn(&mut Avatar);
    let breaks: [(Break, &str); 12] = [
        (|a| a.skin.positions[0].x = f32::NAN, "position"),
        (|a| a.skin.normals[0] *= 2.0, "normal"),
        (|a| a.skin.uvs[0].x = f32::INFINITY, "texture coordinate"),
        (|a| a.skin.joints[0][0] = 2, "joint"),
        (|a| a.skin.weights[0][0] = 0.6, "sum"),
        (|a| a.skin.weights[0].reverse(), "sorted"),
        (|a| a.skin.triangles[0][0] = 4, "vertex"),
        (|a| a.parts[1].triangles.end = 1, "cover"),
        (|a| a.skeleton.nodes[1].parent = Some(1), "parent"),
        (|a| a.clips[0].tracks[0].times[1] = 0.0, "increase"),
        (|a| a.garments[0].mesh.uvs.clear(), "length"),
        (|a| a.textures[0].width = 2, "size"),
    ];
    for (break_it, word) in breaks {
        let mut avatar = full_avatar();
        break_it(&mut avatar);
        let fault = avatar.validate().unwrap_err().to_string();
        assert!(fault.contains(word), "{fault:?} does not mention {word:?}");
    }
}

fn scratch_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("radial_fields_{name}_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A red pixel beside a blue one.
fn png() -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    let image = image::RgbImage::from_raw(2, 1, vec![255, 0, 0, 0, 0, 255]).unwrap();
    image.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let word = group
            .iter()
            .fold(0_u32, |word, &byte| word << 8 | u32::from(byte))
            << (8 * (3 - group.len()));
        for letter in 0..4 {
            let value = (word >> (18 - 6 * letter)) as usize & 63;
            text.push(if letter > group.len() {
                '='
            } else {
                LETTERS[value] as char
            });
        }
    }
    text
}
