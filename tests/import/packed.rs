//! Files that tools have compressed.

use radial_fields::avatar::{ImportOptions, from_slice};

use crate::support::Sketch;
use crate::{FIGURE, assert_near, import};

const ATTRIBUTES: &str = r#""mode":"ATTRIBUTES""#;
const TRIANGLES: &str = r#""mode":"TRIANGLES""#;

/// The figure with its places quantised and its vertices and triangles compressed, as gltfpack writes it.
fn packed() -> Sketch {
    let mut sketch = Sketch::new();
    let places: [[i16; 4]; 3] = [[0, 0, 0, 0], [1, 0, 0, 0], [0, 2, 0, 0]];
    let places = meshopt::encoding::encode_vertex_buffer(&places).unwrap();
    let view = sketch.gltf.packed(&places, 3, 8, ATTRIBUTES);
    let accessor = format!(
        r#"{{"bufferView":{view},"componentType":5122,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,2,0]}}"#
    );
    let positions = sketch.gltf.accessor(&accessor);
    sketch.set("POSITION", positions);
    let indices = meshopt::encoding::encode_index_buffer(&[0, 1, 2], 3).unwrap();
    let view = sketch.gltf.packed(&indices, 3, 2, TRIANGLES);
    let accessor =
        format!(r#"{{"bufferView":{view},"componentType":5123,"count":3,"type":"SCALAR"}}"#);
    sketch.indices = Some(sketch.gltf.accessor(&accessor));
    sketch.more = r#","extensionsUsed":["EXT_meshopt_compression","KHR_mesh_quantization"],
        "extensionsRequired":["EXT_meshopt_compression","KHR_mesh_quantization"]"#
        .into();
    sketch
}

#[test]
fn meshopt_compression_and_quantisation_are_undone() {
    let avatar = import(&packed().glb());
    assert_near(&avatar.skin.positions, &FIGURE);
    let mut corners = avatar.skin.triangles[0];
    let least = (0..3).min_by_key(|&ix| corners[ix]).unwrap();
    corners.rotate_left(least);
    assert_eq!(corners, [0, 1, 2]);
}

#[test]
fn filtered_normals_and_rotations_are_unfiltered() {
    let mut sketch = packed();
    // Octahedral: x, y and the length of one, in 8 bits; here along +Z.
    let normals: [[i8; 4]; 3] = [[0, 0, 127, 0]; 3];
    let bytes = meshopt::encoding::encode_vertex_buffer(&normals).unwrap();
    let how = r#""mode":"ATTRIBUTES","filter":"OCTAHEDRAL""#;
    let view = sketch.gltf.packed(&bytes, 3, 4, how);
    let accessor = format!(
        r#"{{"bufferView":{view},"componentType":5120,"normalized":true,"count":3,"type":"VEC3"}}"#
    );
    let normals = sketch.gltf.accessor(&accessor);
    sketch.set("NORMAL", normals);
    let avatar = import(&sketch.glb());
    assert_eq!(avatar.skin.normals, [glam::Vec3::Z; 3]);
    assert_eq!(avatar.tolerated.rebuilt_normals, 0);
}

#[test]
fn damaged_compression_is_named() {
    let whole = String::from_utf8(packed().gltf.json(&packed().body(), None).into()).unwrap();
    let bytes = packed().gltf.bytes;
    let refused = |json: &str, bytes: &[u8]| {
        let error = from_slice(
            &crate::support::glb(json.as_bytes(), bytes),
            &ImportOptions::default(),
        );
        error.unwrap_err().to_string()
    };
    for (from, to) in [
        (r#""byteStride":8"#, r#""byteStride":6"#),
        (r#""mode":"ATTRIBUTES""#, r#""mode":"SOMETHING""#),
        (r#""buffer":0,"byteOffset""#, r#""buffer":9,"byteOffset""#),
        (
            r#""mode":"TRIANGLES""#,
            r#""mode":"TRIANGLES","filter":"QUATERNION""#,
        ),
    ] {
        let json = whole.replace(from, to);
        assert_ne!(json, whole, "{from}");
        // The first view of that kind is a plain one's neighbour: only compressed ones are changed.
        let error = refused(&json, &bytes);
        assert!(
            error.contains("compressed with meshoptimizer"),
            "{from}: {error}"
        );
    }
    let mut damaged = bytes.clone();
    let start = damaged.len() - 60;
    damaged[start..].fill(0x55);
    let error = refused(&whole, &damaged);
    assert!(error.contains("cannot be unpacked"), "{error}");
}

#[test]
fn a_count_that_would_fill_the_memory_is_refused() {
    let whole = String::from_utf8(packed().gltf.json(&packed().body(), None).into()).unwrap();
    let json = whole.replace(
        r#""count":3,"mode":"ATTRIBUTES""#,
        r#""count":900000000000,"mode":"ATTRIBUTES""#,
    );
    assert_ne!(json, whole);
    let glb = crate::support::glb(json.as_bytes(), &packed().gltf.bytes);
    let error = from_slice(&glb, &ImportOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("unpacks to more data"), "{error}");
}

#[test]
fn draco_is_refused_by_its_name() {
    for required in [
        "",
        r#","extensionsRequired":["KHR_draco_mesh_compression"]"#,
    ] {
        let mut sketch = Sketch::new();
        let empty = sketch
            .gltf
            .accessor(r#"{"componentType":5126,"count":3,"type":"VEC3"}"#);
        sketch.set("POSITION", empty);
        sketch.primitive =
            r#","extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":0}}}"#
                .into();
        sketch.more = format!(r#","extensionsUsed":["KHR_draco_mesh_compression"]{required}"#);
        let error = from_slice(&sketch.glb(), &ImportOptions::default()).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("export it without Draco mesh compression"),
            "{error}"
        );
    }
}
