//! Attributes, weights and indices in every form.

use glam::Vec3;
use radial_fields::avatar::{ImportOptions, from_slice};

use crate::support::Sketch;
use crate::{FIGURE, assert_near, import};

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
    // The second is the first's back, which is drawn alone.
    let avatar = import(&sketch.glb());
    assert_eq!(avatar.skin.triangles, [[0, 1, 2]]);
    assert_eq!(avatar.ornaments, [[2, 1, 0]]);
    assert_eq!(avatar.tolerated.doubled_triangles, 1);
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
fn vertices_that_no_triangle_uses_mean_nothing() {
    let mut sketch = Sketch::new();
    let far = [9.0, 9.0, 9.0];
    let figure: Vec<f32> = [far, FIGURE[0], FIGURE[1], far, FIGURE[2]].concat();
    let gltf = &mut sketch.gltf;
    let positions = gltf.floats("VEC3", &figure);
    let joints = gltf.u8s(
        "VEC4",
        &[[1, 0, 0, 0], [0; 4], [0; 4], [1, 0, 0, 0], [1, 0, 0, 0]].concat(),
    );
    let weights = gltf.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(5));
    sketch.indices = Some(gltf.u16s("SCALAR", &[1, 2, 4]));
    sketch.set("POSITION", positions);
    sketch.set("JOINTS_0", joints);
    sketch.set("WEIGHTS_0", weights);
    let avatar = import(&sketch.glb());
    assert_near(&avatar.skin.positions, &FIGURE);
    assert_eq!(avatar.skin.triangles, [[0, 1, 2]]);
    let strongest = avatar.skin.joints.iter().map(|joints| joints[0]);
    assert_eq!(strongest.collect::<Vec<_>>(), [0, 0, 1]);
    assert_eq!(avatar.skin.weights.len(), 3);
}
