//! Buffers, materials, clips and units: what belongs to the file as a whole.

use std::path::PathBuf;

use glam::{Mat4, Quat};
use radial_fields::avatar::{Avatar, ImportOptions, TrackValues, from_slice, load};
use radial_fields::pose::{Palette, Pose};
use radial_fields::skin::bake::bake;

use crate::support::{Sketch, base64};
use crate::{FIGURE, assert_near, import};

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

/// A file from elsewhere has no business in the folders round it, whichever way its URIs write that.
#[test]
fn no_uri_leads_out_of_the_files_folder() {
    let sketch = Sketch::new();
    let folder = scratch_folder("outside");
    let own = folder.join("own");
    std::fs::create_dir_all(own.join("below")).unwrap();
    let places = ["body.bin", "own/body.bin", "own/below/body.bin"];
    for place in places {
        std::fs::write(folder.join(place), &sketch.gltf.bytes).unwrap();
    }
    let read = |uri: &str| {
        let file = own.join("figure.gltf");
        std::fs::write(&file, sketch.gltf.json(&sketch.body(), Some(uri))).unwrap();
        load(&file, &ImportOptions::default()).map_err(|error| error.to_string())
    };
    for uri in ["body.bin", "./below/body.bin", "below/../body.bin"] {
        assert_near(&read(uri).unwrap().skin.positions, &FIGURE);
    }
    let absolute = folder.join("body.bin");
    for uri in [
        "../body.bin",
        "below/../../body.bin",
        "%2e%2e/body.bin",
        "..%2fown/body.bin",
        absolute.to_str().unwrap(),
    ] {
        let refused = read(uri).unwrap_err();
        assert!(refused.contains("out of the file's folder"), "{refused}");
        assert!(refused.contains("figure.gltf: buffer 0"), "{refused}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Links within the folder are followed, and one to the folder itself; one that leads out of it is as good as `..`.
#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_files_folder() {
    use std::os::unix::fs::symlink;
    let sketch = Sketch::new();
    let folder = scratch_folder("links");
    let own = folder.join("own");
    std::fs::create_dir_all(own.join("below")).unwrap();
    for place in ["body.bin", "own/below/body.bin"] {
        std::fs::write(folder.join(place), &sketch.gltf.bytes).unwrap();
    }
    symlink("below/body.bin", own.join("inside.bin")).unwrap();
    symlink("../body.bin", own.join("outside.bin")).unwrap();
    symlink("..", own.join("up")).unwrap();
    symlink("own", folder.join("alias")).unwrap();
    for name in ["own", "alias"] {
        let read = |uri: &str| {
            let file = folder.join(name).join("figure.gltf");
            std::fs::write(&file, sketch.gltf.json(&sketch.body(), Some(uri))).unwrap();
            load(&file, &ImportOptions::default()).map_err(|error| error.to_string())
        };
        assert_near(&read("inside.bin").unwrap().skin.positions, &FIGURE);
        for uri in ["outside.bin", "up/body.bin"] {
            let refused = read(uri).unwrap_err();
            assert!(refused.contains("out of the file's folder"), "{refused}");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
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

/// A channel that moves a property of a material, or whatever else is no node.
#[test]
fn channels_that_move_no_node_are_passed_by() {
    let mut sketch = Sketch::new();
    let times = sketch.gltf.floats("SCALAR", &[0.0, 1.0]);
    let places = sketch.gltf.floats("VEC3", &[0.0, 1.0, 0.0, 0.0, 1.5, 0.0]);
    sketch.animate("translation", "LINEAR", times, places);
    let pointer = r#"{"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":
        {"pointer":"/materials/0/pbrMetallicRoughness/baseColorFactor"}}}},"#;
    sketch.more = sketch
        .more
        .replace(r#""channels":["#, &format!(r#""channels":[{pointer}"#));
    for extensions in [
        r#","extensionsUsed":["KHR_animation_pointer"]"#,
        r#","extensionsUsed":["KHR_animation_pointer"],"extensionsRequired":["KHR_animation_pointer"]"#,
    ] {
        let avatar = import(&sketch.gltf.glb(&(sketch.body() + extensions)));
        assert_near(&avatar.skin.positions, &FIGURE);
        assert_eq!(avatar.clips.len(), 1);
    }
}
