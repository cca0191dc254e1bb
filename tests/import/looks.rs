//! Materials, morph targets, and which way triangles face.

use std::io::Cursor;

use glam::{Vec2, Vec3};
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};

use crate::support::{Sketch, base64};
use crate::{assert_near, import};

#[test]
fn cut_outs_say_where_they_end() {
    for (mode, cutoff) in [
        ("", 0.0),
        (r#""alphaMode":"OPAQUE""#, 0.0),
        (r#""alphaMode":"MASK""#, 0.5),
        (r#""alphaMode":"MASK","alphaCutoff":0.25"#, 0.25),
        (r#""alphaMode":"BLEND""#, 0.5),
    ] {
        let mut sketch = Sketch::new();
        sketch.primitive = r#","material":0"#.into();
        sketch.more = format!(r#","materials":[{{{mode}}}]"#);
        assert_eq!(
            import(&sketch.glb()).parts[0].alpha_cutoff,
            cutoff,
            "{mode}"
        );
    }
}

fn textured(texture: &str, image: &str, transform: &str) -> Sketch {
    let mut sketch = Sketch::new();
    let uvs = sketch.gltf.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    sketch.set("TEXCOORD_0", uvs);
    sketch.primitive = r#","material":0"#.into();
    sketch.more = format!(
        r#","materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0{transform}}}}}}}],
        "textures":[{texture}],"images":[{{"uri":"{image}"}}]"#
    );
    sketch
}

#[test]
fn webp_textures_are_read() {
    let mut webp = Cursor::new(Vec::new());
    WebPEncoder::new_lossless(&mut webp)
        .write_image(
            &[9, 8, 7, 255, 1, 2, 3, 128],
            2,
            1,
            ExtendedColorType::Rgba8,
        )
        .unwrap();
    let image = format!("data:image/webp;base64,{}", base64(&webp.into_inner()));
    let texture = r#"{"extensions":{"EXT_texture_webp":{"source":0}}}"#;
    let avatar = import(&textured(texture, &image, "").glb());
    assert_eq!(avatar.tolerated.unread_textures, 0);
    assert_eq!(avatar.textures[0].rgba, [9, 8, 7, 255, 1, 2, 3, 128]);
    assert_eq!(avatar.parts[0].texture_ix, Some(0));
}

#[test]
fn texture_coordinates_follow_their_transform() {
    let transform =
        r#","extensions":{"KHR_texture_transform":{"offset":[0.5,0.25],"scale":[2,4]}}"#;
    let avatar = import(&textured(r#"{"source":0}"#, "missing.png", transform).glb());
    let expected = [
        Vec2::new(0.5, 0.25),
        Vec2::new(2.5, 0.25),
        Vec2::new(0.5, 4.25),
    ];
    assert_eq!(avatar.skin.uvs, expected);
    assert_eq!(avatar.tolerated.unread_textures, 1);
}

#[test]
fn morph_targets_stand_at_the_weights_of_node_or_mesh() {
    let mut sketch = Sketch::new();
    let up = sketch.gltf.floats("VEC3", &[0.0, 1.0, 0.0].repeat(3));
    let left = sketch.gltf.floats("VEC3", &[1.0, 0.0, 0.0].repeat(3));
    sketch.primitive = format!(r#","targets":[{{"POSITION":{up}}},{{"POSITION":{left}}}]"#);
    let still = import(&sketch.glb());
    let at = |x: f32, y: f32| [[x, y, 0.0], [1.0 + x, y, 0.0], [x, 2.0 + y, 0.0]];
    assert_near(&still.skin.positions, &at(0.0, 0.0));
    let of_mesh = sketch
        .body()
        .replace(r#""primitives""#, r#""weights":[0.5,0],"primitives""#);
    assert_near(
        &import(&sketch.gltf.glb(&of_mesh)).skin.positions,
        &at(0.0, 0.5),
    );
    sketch.nodes[0] = r#"{"name":"figure","mesh":0,"skin":0,"weights":[0,2]}"#.into();
    let of_both = sketch
        .body()
        .replace(r#""primitives""#, r#""weights":[0.5,0],"primitives""#);
    assert_near(
        &import(&sketch.gltf.glb(&of_both)).skin.positions,
        &at(2.0, 0.0),
    );
}

#[test]
fn clips_that_move_morph_targets_are_counted() {
    let mut sketch = Sketch::new();
    let times = sketch.gltf.floats("SCALAR", &[0.0, 1.0]);
    let weights = sketch.gltf.floats("SCALAR", &[0.0, 1.0]);
    sketch.animate("weights", "LINEAR", times, weights);
    let avatar = import(&sketch.glb());
    assert_eq!((avatar.tolerated.still_morphs, avatar.clips.len()), (1, 0));
}

#[test]
fn triangles_against_their_normals_are_turned_and_counted() {
    let mut sketch = Sketch::new();
    let normals = sketch.gltf.floats("VEC3", &[0.0, 0.0, -1.0].repeat(3));
    sketch.set("NORMAL", normals);
    let avatar = import(&sketch.glb());
    assert_eq!(avatar.skin.triangles, [[0, 2, 1]]);
    assert_eq!(avatar.skin.normals, [-Vec3::Z; 3]);
    assert_eq!(avatar.tolerated.turned_triangles, 1);
    let right = sketch.gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    sketch.set("NORMAL", right);
    assert_eq!(import(&sketch.glb()).tolerated.turned_triangles, 0);
}

#[test]
fn a_vrm_is_known_for_one() {
    let mut sketch = Sketch::new();
    assert!(!import(&sketch.glb()).tolerated.is_vrm);
    sketch.more = r#","extensionsUsed":["VRM"],"extensions":{"VRM":{"specVersion":"0.0"}}"#.into();
    assert!(import(&sketch.glb()).tolerated.is_vrm);
}

#[test]
fn the_bones_of_a_vrm_are_called_by_what_they_are() {
    for bones in [
        r#""VRM":{"humanoid":{"humanBones":[{"bone":"leftUpperLeg","node":1},{"bone":"leftLowerLeg","node":2},{"bone":"hips","node":99}]}}"#,
        r#""VRMC_vrm":{"humanoid":{"humanBones":{"leftUpperLeg":{"node":1},"leftLowerLeg":{"node":2},"hips":{}}}}"#,
    ] {
        let mut sketch = Sketch::new();
        sketch.more = format!(r#","extensionsUsed":["VRM"],"extensions":{{{bones}}}"#);
        let avatar = import(&sketch.glb());
        let names: Vec<&str> = avatar
            .skeleton
            .nodes
            .iter()
            .map(|node| node.name.as_str())
            .collect();
        assert_eq!(names, ["leftUpperLeg", "leftLowerLeg"]);
    }
}
