//! What a file of any bytes may come to: a refusal, or a character that the later stages can take.

use radial_fields::avatar::{Avatar, Clip, ImportOptions, Texture, from_slice, to_glb};
use radial_fields::glam::Mat4;
use radial_fields::pose::{Palette, Pose};
use radial_fields::skin::bake::bake;

use super::Sketch;

/// Reads whatever it is. What is read must keep all promises and survive being posed and written.
pub fn survives(bytes: &[u8]) -> bool {
    let Ok(avatar) = from_slice(bytes, &ImportOptions::default()) else {
        return false;
    };
    avatar.validate().unwrap();
    for clip in &avatar.clips {
        moves(&avatar, clip);
    }
    to_glb(&avatar);
    true
}

/// A clip sampled before, at, between and after its keys, and at times that are none.
fn moves(avatar: &Avatar, clip: &Clip) {
    let keys = clip.tracks[0].times.iter().take(3).copied();
    let fixed = [
        -1.0,
        0.5 * clip.duration,
        clip.duration,
        2.0 * clip.duration,
        f32::NAN,
        f32::INFINITY,
    ];
    for seconds in keys.chain(fixed) {
        let pose = Pose::sample(clip, &avatar.skeleton, seconds);
        for local in &pose.locals {
            let length = local.rotation.length();
            assert!((length - 1.0).abs() < 1e-3, "{length} at {seconds} s");
        }
        let palette = Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY);
        let baked = bake(&avatar.skin, &palette);
        assert_eq!(baked.positions.len(), avatar.skin.positions.len());
    }
}

/// A small file that uses every feature.
pub fn sample_file() -> Vec<u8> {
    let mut sketch = Sketch::new();
    let times = sketch.gltf.floats("SCALAR", &[0.0, 1.0]);
    let turns = [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0];
    let turns = sketch.gltf.floats("VEC4", &turns);
    sketch.animate("rotation", "LINEAR", times, turns);
    for node in [
        r#"{"name":"cape","mesh":0,"skin":0,"extras":{"cloth":true}}"#,
        r#"{"name":"scarf","mesh":0,"extras":{"cloth":true}}"#,
    ] {
        sketch.nodes.push(node.into());
    }
    let mut avatar = from_slice(&sketch.glb(), &ImportOptions::default()).unwrap();
    avatar.textures.push(Texture {
        width: 2,
        height: 2,
        rgba: vec![7; 16],
    });
    avatar.parts[0].texture_ix = Some(0);
    to_glb(&avatar)
}

/// A character whose knee moves as any bytes say: which property, how between keys, in which type, how many keys, then
/// times, then values. Where bytes run out there are fewer values than keys need.
pub fn file_of_motion(bytes: &[u8]) -> Vec<u8> {
    const HEAD: usize = 4;
    let mut head = [0; HEAD];
    let known = bytes.len().min(HEAD);
    head[..known].copy_from_slice(&bytes[..known]);
    let [path, between, component, key_count] = head.map(usize::from);
    let (path, kind, width) = [
        ("translation", "VEC3", 3),
        ("rotation", "VEC4", 4),
        ("scale", "VEC3", 3),
        ("weights", "SCALAR", 1),
    ][path % 4];
    let between = ["LINEAR", "STEP", "CUBICSPLINE"][between % 3];
    let (component, bytes_each) =
        [(5126, 4), (5120, 1), (5121, 1), (5122, 2), (5123, 2)][component % 5];
    let rest = &bytes[known..];
    let (times, values) = rest.split_at(rest.len().min(4 * key_count));
    let value_bytes = width * bytes_each;
    let value_count = values.len() / value_bytes;
    let mut sketch = Sketch::new();
    let times = sketch
        .gltf
        .array(times, "SCALAR", 5126, times.len() / 4, "");
    let values = &values[..value_count * value_bytes];
    let more = if component == 5126 {
        ""
    } else {
        r#","normalized":true"#
    };
    let values = sketch
        .gltf
        .array(values, kind, component, value_count, more);
    sketch.animate(path, between, times, values);
    sketch.glb()
}

/// Motions for [`file_of_motion`] to start from: each property with each way between two keys, in floats and in bytes.
pub fn sample_motions() -> Vec<Vec<u8>> {
    let mut motions = Vec::new();
    for (path, between) in (0..3).flat_map(|path| (0..3).map(move |between| (path, between))) {
        let value_count = [2, 2, 6][between] * [3, 4, 3][path];
        for component in [0, 3] {
            let mut motion = vec![path as u8, between as u8, component, 2];
            motion.extend([0.0_f32, 1.0].map(f32::to_le_bytes).as_flattened());
            for ix in 0..value_count {
                match component {
                    0 => motion.extend((0.25 * (ix + 1) as f32).to_le_bytes()),
                    _ => motion.extend((1000 * (ix as i16 + 1)).to_le_bytes()),
                }
            }
            motions.push(motion);
        }
    }
    motions
}
