//! Damaged and hostile files end in one clear line, never in a panic or in gigabytes of memory.

#![expect(
    clippy::unwrap_used,
    reason = "a test's own files are sound; a panic fails the test"
)]

mod support;

use std::path::Path;

use radial_fields::avatar::{Avatar, ImportError, ImportOptions, from_slice, load};
use radial_fields::collide::radial::fit::{FitSettings, fit};
use support::survival::{file_of_motion, sample_file, sample_motions, survives};
use support::{Sketch, base64, glb, identity_with_y};

fn import(bytes: &[u8]) -> Result<Avatar, ImportError> {
    from_slice(bytes, &ImportOptions::default())
}

/// The file must be refused, in one line that says `words` and names the file.
fn assert_refused(bytes: &[u8], words: &[&str]) {
    let line = match import(bytes) {
        Ok(_) => panic!("a file that should fail with {words:?} was read"),
        Err(error) => error.to_string(),
    };
    assert!(line.starts_with("(memory): "), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    for word in words {
        assert!(line.contains(word), "{line:?} does not say {word:?}");
    }
}

/// Numbers without meaning, the same on every machine.
struct Dice(u64);

impl Dice {
    /// xorshift64*: below `sides`, which is not 0.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % sides
    }
}

/// Feeds `count` damaged copies of a file to `visit`: a byte changed, a bit flipped, a run blanked, a piece moved,
/// or a number in the JSON replaced. The same seed damages in the same way.
fn mutate(file: &[u8], seed: u64, count: usize, mut visit: impl FnMut(&[u8])) {
    const NUMBERS: [&str; 8] = [
        "0",
        "1",
        "7",
        "255",
        "65536",
        "4294967295",
        "1e39",
        "18446744073709551615",
    ];
    let mut dice = Dice(seed);
    let digits: Vec<usize> = (0..file.len())
        .filter(|&ix| file[ix].is_ascii_digit())
        .collect();
    for _ in 0..count {
        let mut damaged = file.to_vec();
        let at = dice.roll(file.len());
        match dice.roll(5) {
            0 => damaged[at] = dice.roll(256) as u8,
            1 => damaged[at] ^= 1 << dice.roll(8),
            2 => damaged[at..file.len().min(at + 16)].fill([0, 0xFF][dice.roll(2)]),
            3 => damaged.rotate_left(at.min(4 * dice.roll(8))),
            _ => {
                let at = digits[dice.roll(digits.len())];
                damaged.splice(at..=at, NUMBERS[dice.roll(NUMBERS.len())].bytes());
                mend_lengths(&mut damaged, file);
            }
        }
        visit(&damaged);
    }
}

/// After the JSON has changed length: sets the lengths in the headers right, so that the damage is read.
fn mend_lengths(damaged: &mut [u8], file: &[u8]) {
    let grown = damaged.len() - file.len();
    for at in [8, 12] {
        let length = u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) + grown as u32;
        damaged[at..at + 4].copy_from_slice(&length.to_le_bytes());
    }
}

#[test]
fn every_truncation_is_refused() {
    let file = sample_file();
    assert!(survives(&file));
    for length in 0..file.len() {
        assert!(
            import(&file[..length]).is_err(),
            "{length} of {} bytes",
            file.len()
        );
    }
    assert_refused(&file[..file.len() - 1], &["too early"]);
    assert_refused(&file[..6], &["too early"]);
    let text = Sketch::new().gltf.json(&Sketch::new().body(), None);
    assert_refused(&text.as_bytes()[..text.len() / 2], &["too early"]);
}

#[test]
fn thousands_of_mutations_do_no_harm() {
    let mut read_count = 0;
    for (seed, file) in [(1, sample_file()), (2, Sketch::new().glb())] {
        mutate(&file, seed, 3000, |damaged| {
            read_count += usize::from(survives(damaged));
        });
    }
    // Were nearly all refused at the door, the test would prove little.
    assert!(read_count > 600, "only {read_count} were read");
}

#[test]
fn thousands_of_mutated_motions_do_no_harm() {
    let motions = sample_motions();
    let (mut read_count, mut dice) = (0, Dice(3));
    for motion in &motions {
        assert!(survives(&file_of_motion(motion)), "{motion:?}");
        for _ in 0..200 {
            let mut damaged = motion.clone();
            for _ in 0..=dice.roll(3) {
                let at = dice.roll(damaged.len());
                damaged[at] = [0, 0x7F, 0x80, 0xFF, dice.roll(256) as u8][dice.roll(5)];
            }
            read_count += usize::from(survives(&file_of_motion(&damaged)));
        }
    }
    let tried = 200 * motions.len();
    assert!(
        4 * read_count > tried,
        "only {read_count} of {tried} were read"
    );
    assert!(read_count < tried, "none was refused");
}

/// Fields are laid round whatever was read, or refused.
#[test]
fn fields_fit_what_damaged_files_hold() {
    let settings = FitSettings::default();
    let mut laid_count = 0;
    mutate(&Sketch::new().glb(), 4, 1000, |damaged| {
        let Ok(avatar) = import(damaged) else { return };
        if settings.check(&avatar).is_ok() {
            let set = fit(&avatar, &settings);
            assert!(set.cell_count < u32::MAX);
            laid_count += usize::from(!set.fields.is_empty());
        }
    });
    assert!(laid_count > 50, "only {laid_count} have fields");
}

/// What tools/checks/fuzz starts from: written where it looks.
#[test]
fn the_fuzzers_seeds_are_sound() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    let write = |target: &str, seeds: &[Vec<u8>]| {
        let folder = folder.join(target);
        std::fs::create_dir_all(&folder).unwrap();
        for (ix, seed) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("seed_{ix}")), seed).unwrap();
        }
    };
    let sketch = Sketch::new();
    let uri = format!(
        "data:application/octet-stream;base64,{}",
        base64(&sketch.gltf.bytes)
    );
    let text = sketch.gltf.json(&sketch.body(), Some(&uri)).into_bytes();
    let files = [sample_file(), sketch.glb(), text];
    assert!(files.iter().all(|file| survives(file)));
    write("gltf", &files);
    write("motion", &sample_motions());
}

#[test]
fn files_that_are_no_gltf() {
    let error = |path: &str| {
        load(Path::new(path), &ImportOptions::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error("no/such/file.glb"),
        "no/such/file.glb: no such file; check the path"
    );
    assert!(error(env!("CARGO_MANIFEST_DIR")).contains("not a plain file"));
    assert_refused(b"", &["not glTF"]);
    assert_refused(b"solid cube\n facet", &["not glTF"]);
    assert_refused(b"\x89PNG\r\n\x1a\n", &["not glTF"]);
    assert_refused(b"{}", &["JSON", "asset"]);
    assert_refused(br#"{"asset":{"version":"1.0"}}"#, &["glTF 1.0"]);
    assert_refused(
        &[
            b"glTF".as_slice(),
            &1_u32.to_le_bytes(),
            &12_u32.to_le_bytes(),
        ]
        .concat(),
        &["glTF 1"],
    );
    assert_refused(
        &[
            b"glTF".as_slice(),
            &2_u32.to_le_bytes(),
            &3_u32.to_le_bytes(),
        ]
        .concat(),
        &["too early"],
    );
    assert_refused(&glb(b"[1,2]", &[]), &["not glTF"]);
    assert_refused(
        &glb(&[b"{\"a\":".repeat(100_000).as_slice()].concat(), &[]),
        &["JSON"],
    );
}

#[test]
fn files_without_a_character() {
    assert_refused(
        &glb(br#"{"asset":{"version":"2.0"}}"#, &[]),
        &["no skinned mesh", "weights"],
    );
    let mut sketch = Sketch::new();
    sketch.nodes[0] = r#"{"mesh":0}"#.into();
    assert_refused(&sketch.glb(), &["no skinned mesh"]);
    sketch.nodes[0] = r#"{"mesh":0,"skin":0,"extras":{"cloth":true}}"#.into();
    assert_refused(&sketch.glb(), &["no triangles"]);
}

#[test]
fn required_extensions() {
    for (name, word) in [("KHR_draco_mesh_compression", "Draco"), ("ACME_x", "it")] {
        let mut sketch = Sketch::new();
        sketch.more = format!(r#","extensionsRequired":["KHR_materials_unlit","{name}"]"#);
        assert_refused(&sketch.glb(), &[name, &format!("without {word}")]);
    }
}

#[test]
fn indices_out_of_range() {
    let mut sketch = Sketch::new();
    let indices = sketch.gltf.u8s("SCALAR", &[0, 1, 3]);
    sketch.indices = Some(indices);
    assert_refused(&sketch.glb(), &["figure", "vertex 3 of 3"]);
    let mut sketch = Sketch::new();
    let joints = sketch.gltf.u8s("VEC4", &[2, 0, 0, 0].repeat(3));
    sketch.set("JOINTS_0", joints);
    assert_refused(&sketch.glb(), &["figure", "joint 2", "has 2"]);
    for (node_ix, node) in [
        (0, r#"{"mesh":7,"skin":0}"#),
        (0, r#"{"mesh":0,"skin":7}"#),
        (1, r#"{"name":"hip","children":[77]}"#),
    ] {
        let mut sketch = Sketch::new();
        sketch.nodes[node_ix] = node.into();
        assert_refused(&sketch.glb(), &["7", "does not exist"]);
    }
    let mut sketch = Sketch::new();
    sketch.attributes[0].1 = 99;
    assert_refused(&sketch.glb(), &["accessor 99 does not exist"]);
    let mut sketch = Sketch::new();
    sketch.more = r#","scene":3,"scenes":[{"nodes":[]}]"#.into();
    assert_refused(&sketch.glb(), &["scene 3"]);
    let mut sketch = Sketch::new();
    sketch.more = r#","scenes":[{"nodes":[9]}]"#.into();
    assert_refused(&sketch.glb(), &["node 9"]);
}

#[test]
fn numbers_that_are_none() {
    for rubbish in [f32::NAN, f32::INFINITY] {
        let mut sketch = Sketch::new();
        let positions = sketch
            .gltf
            .floats("VEC3", &[0.0, 0.0, rubbish, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        sketch.set("POSITION", positions);
        assert_refused(&sketch.glb(), &["figure", "position", "not a number"]);
        let mut sketch = Sketch::new();
        let binds = sketch.gltf.floats(
            "MAT4",
            &[identity_with_y(0.0), identity_with_y(rubbish)].concat(),
        );
        sketch.skin = format!(r#","inverseBindMatrices":{binds}"#);
        assert_refused(&sketch.glb(), &["knee", "inverse bind matrix"]);
    }
    for broken in [
        r#"{"name":"knee","translation":[0,1e39,0]}"#,
        r#"{"name":"knee","rotation":[0,1e39,0,0]}"#,
        r#"{"name":"knee","matrix":[1e39,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}"#,
    ] {
        let mut sketch = Sketch::new();
        sketch.nodes[2] = broken.into();
        assert_refused(&sketch.glb(), &["knee", "transform"]);
    }
    let mut sketch = Sketch::new();
    let positions = sketch
        .gltf
        .floats("VEC3", &[0.0, 0.0, 0.0, 3e38, 0.0, 0.0, 0.0, 3e38, 0.0]);
    sketch.set("POSITION", positions);
    survives(&sketch.glb());
    let refused = from_slice(&sketch.glb(), &ImportOptions { scale: Some(1e6) })
        .unwrap_err()
        .to_string();
    assert!(refused.contains("units"), "{refused}");
}

#[test]
fn too_few_bind_matrices_and_none() {
    let mut sketch = Sketch::new();
    let binds = sketch.gltf.floats("MAT4", &identity_with_y(0.0));
    sketch.skin = format!(r#","inverseBindMatrices":{binds}"#);
    assert_refused(&sketch.glb(), &["inverse bind matrix 1"]);
    sketch.skin.clear();
    assert!(survives(&sketch.glb()), "none means identities");
}

#[test]
fn broken_clips_are_named() {
    let cases: [(&[f32], usize, &str); 6] = [
        (&[0.0, 0.0], 2, "increase"),
        (&[1.0, 0.5], 2, "increase"),
        (&[0.0, f32::NAN], 2, "not finite"),
        (&[0.0, 1.0], 1, "too few"),
        (&[0.0, 1.0], 3, "too many"),
        (&[], 0, "no keys"),
    ];
    for (times, value_count, word) in cases {
        let mut sketch = Sketch::new();
        let times = sketch.gltf.floats("SCALAR", times);
        let values = sketch.gltf.floats("VEC3", &vec![0.0; 3 * value_count]);
        sketch.animate("translation", "LINEAR", times, values);
        assert_refused(&sketch.glb(), &["clip \"nod\"", word]);
    }
    let wrong = [
        ("VEC3", [f32::NAN; 3].as_slice()),
        ("VEC3", &[0.0, -1e12, 0.0]),
        ("VEC4", &[0.0; 4]),
    ];
    for (kind, values) in wrong {
        let mut sketch = Sketch::new();
        let times = sketch.gltf.floats("SCALAR", &[0.0]);
        let values = sketch.gltf.floats(kind, values);
        sketch.animate("translation", "STEP", times, values);
        assert_refused(&sketch.glb(), &["clip \"nod\""]);
    }
}

#[test]
fn trees_that_are_none() {
    for (node_ix, node) in [
        (2, r#"{"name":"knee","children":[1]}"#),
        (2, r#"{"name":"knee","children":[2]}"#),
        (0, r#"{"mesh":0,"skin":0,"children":[2]}"#),
        (1, r#"{"name":"hip","children":[2,2]}"#),
    ] {
        let mut sketch = Sketch::new();
        sketch.nodes[node_ix] = node.into();
        assert_refused(&sketch.glb(), &["own ancestor or has two parents"]);
    }
}

#[test]
fn a_hundred_thousand_nested_nodes_are_fine() {
    let mut sketch = Sketch::new();
    let depth = 100_000;
    sketch
        .nodes
        .extend((3..depth).map(|ix| format!(r#"{{"children":[{}]}}"#, ix + 1)));
    sketch.nodes.push(r#"{"children":[1]}"#.into());
    let avatar = import(&sketch.glb()).unwrap();
    assert_eq!(avatar.skeleton.nodes.len(), depth);
}

#[test]
fn accessors_that_lie() {
    let case = |accessor: &str, words: &[&str]| {
        let mut sketch = Sketch::new();
        let positions = sketch.gltf.accessor(accessor);
        sketch.set("POSITION", positions);
        assert_refused(&sketch.glb(), words);
    };
    let past_end = ["past the end"].as_slice();
    case(
        r#"{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}"#,
        past_end,
    );
    case(
        r#"{"bufferView":0,"byteOffset":1,"componentType":5126,"count":3,"type":"VEC3"}"#,
        past_end,
    );
    case(
        r#"{"bufferView":0,"byteOffset":18446744073709551615,"componentType":5126,"count":3,"type":"VEC3"}"#,
        past_end,
    );
    case(
        r#"{"bufferView":99,"componentType":5126,"count":3,"type":"VEC3"}"#,
        past_end,
    );
    case(
        r#"{"bufferView":0,"componentType":5126,"count":18446744073709551615,"type":"VEC3"}"#,
        &["more data"],
    );
    case(
        r#"{"bufferView":0,"componentType":5126,"count":40000000,"type":"VEC3"}"#,
        past_end,
    );
    case(
        r#"{"componentType":5126,"count":4000000000,"type":"VEC3"}"#,
        &["more data"],
    );
    case(
        r#"{"componentType":5126,"count":20000000,"type":"VEC3"}"#,
        &["more data"],
    );
    case(
        r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC2"}"#,
        &["wrong size"],
    );
    case(
        r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC9"}"#,
        &["wrong size"],
    );
    case(
        r#"{"bufferView":0,"componentType":1,"count":3,"type":"VEC3"}"#,
        &["component type"],
    );
    let sparse = |index: &str| {
        format!(
            r#"{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","sparse":{{"count":{index},
            "indices":{{"bufferView":1,"componentType":5123,"byteOffset":0}},"values":{{"bufferView":0}}}}}}"#
        )
    };
    case(&sparse("99999999999"), past_end);
    // Four replaced vertices, but values for three.
    case(&sparse("4"), past_end);
}

#[test]
fn attributes_must_agree_in_length() {
    for attribute in ["NORMAL", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0"] {
        let mut sketch = Sketch::new();
        let accessor = match attribute {
            "NORMAL" => sketch.gltf.floats("VEC3", &[0.0; 6]),
            "TEXCOORD_0" => sketch.gltf.floats("VEC2", &[0.0; 4]),
            "JOINTS_0" => sketch.gltf.u8s("VEC4", &[0; 8]),
            _ => sketch.gltf.floats("VEC4", &[0.0; 8]),
        };
        sketch.set(attribute, accessor);
        assert_refused(&sketch.glb(), &["figure", "2 values for 3 vertices"]);
    }
    let mut sketch = Sketch::new();
    let joints = sketch.gltf.floats("VEC4", &[0.0; 12]);
    sketch.set("JOINTS_0", joints);
    assert_refused(&sketch.glb(), &["unsigned integers"]);
}

#[test]
fn strides_that_overlap_or_overflow() {
    for stride in ["0", "3", "18446744073709551615"] {
        let mut sketch = Sketch::new();
        let view = sketch
            .gltf
            .view(&[0; 36], &format!(r#","byteStride":{stride}"#));
        let positions = sketch.gltf.accessor(&format!(
            r#"{{"bufferView":{view},"componentType":5126,"count":3,"type":"VEC3"}}"#
        ));
        sketch.set("POSITION", positions);
        assert_refused(&sketch.glb(), &["past the end"]);
    }
}

#[test]
fn a_few_bytes_used_a_thousand_times_are_not_unpacked() {
    let mut sketch = Sketch::new();
    let vertex_count = 30_000;
    let positions = sketch.gltf.floats("VEC3", &vec![0.0; 3 * vertex_count]);
    sketch.attributes = vec![("POSITION", positions)];
    sketch
        .nodes
        .extend((0..1000).map(|_| r#"{"mesh":0,"skin":0}"#.to_owned()));
    assert_refused(&sketch.glb(), &["more data"]);
}

#[test]
fn nothing_used_a_million_times_is_not_unpacked() {
    // Every node draws every primitive, each without a vertex.
    let mut sketch = Sketch::new();
    let none = sketch.gltf.floats("VEC3", &[]);
    sketch.attributes = vec![("POSITION", none)];
    sketch.indices = None;
    let plain = sketch.primitive();
    sketch
        .nodes
        .extend((0..1000).map(|_| r#"{"mesh":0,"skin":0}"#.to_owned()));
    let body = sketch
        .body()
        .replace(&plain, &vec![plain.as_str(); 1000].join(","));
    assert_refused(&sketch.gltf.glb(&body), &["more data"]);
}

#[test]
fn shared_vertices_without_indices_are_counted_each_time() {
    let mut sketch = Sketch::new();
    let vertex_count = 30_000;
    let positions = sketch.gltf.floats("VEC3", &vec![0.0; 3 * vertex_count]);
    sketch.attributes = vec![("POSITION", positions)];
    sketch.indices = None;
    let plain = sketch.primitive();
    let body = sketch
        .body()
        .replace(&plain, &vec![plain.as_str(); 10_000].join(","));
    assert_refused(&sketch.gltf.glb(&body), &["more data"]);
}

#[test]
fn buffers_that_are_not_there() {
    let sketch = Sketch::new();
    for (uri, word) in [
        ("body.bin", "in memory"),
        ("data:application/octet-stream,plain", "base64"),
        ("data:;base64,!!!!", "base64"),
        ("data:;base64,AAAA", "too early"),
    ] {
        assert_refused(
            sketch.gltf.json(&sketch.body(), Some(uri)).as_bytes(),
            &[word],
        );
    }
    assert_refused(
        sketch.gltf.json(&sketch.body(), None).as_bytes(),
        &["too early", "0 of"],
    );
    let folder =
        std::env::temp_dir().join(format!("radial_fields_bad_input_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("figure.gltf");
    for uri in [
        "missing.bin",
        "/dev/zero",
        "http://example.com/body.bin",
        "../",
        "%zz",
    ] {
        std::fs::write(&path, sketch.gltf.json(&sketch.body(), Some(uri))).unwrap();
        let line = load(&path, &ImportOptions::default())
            .unwrap_err()
            .to_string();
        assert!(
            line.contains("figure.gltf: buffer 0 cannot be read"),
            "{line}"
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn broken_pictures_are_tolerated() {
    for image in [
        r#"{"uri":"data:image/png;base64,AAAA"}"#,
        r#"{"bufferView":0}"#,
        r#"{"bufferView":99}"#,
        "{}",
    ] {
        let mut sketch = Sketch::new();
        sketch.primitive = r#","material":0"#.into();
        sketch.more = format!(
            r#","materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}],"textures":[{{"source":0}}],
            "images":[{image}]"#
        );
        let avatar = import(&sketch.glb()).unwrap();
        assert_eq!(
            (avatar.tolerated.unread_textures, avatar.parts[0].texture_ix),
            (1, None),
            "{image}"
        );
    }
}

#[test]
fn scales_that_make_no_sense() {
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let line = from_slice(&Sketch::new().glb(), &ImportOptions { scale: Some(scale) })
            .unwrap_err()
            .to_string();
        assert!(line.contains("makes no sense"), "{line}");
    }
}
