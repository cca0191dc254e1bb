//! `tools/characters`: a row for each character, also for those that the viewer cannot show.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use radial_fields::avatar::{Joint, Node, Transform, to_glb};
use radial_fields::glam::Mat4;

use crate::{Figure, VIEWER, folder, run, text};

/// Stands in for the viewer: says that damaged files are, and writes a report and a picture of others.
const STAND_IN: &str = r#"#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
    --avatar) avatar=$2 ;;
    --report) report=$2 ;;
    --out) out=$2 ;;
    esac
    shift
done
case $avatar in *damaged*)
    echo "viewer: load, 1 s" >&2
    echo "viewer: $avatar: the file ends too early" >&2
    exit 2
    ;;
esac
echo a picture > "$out/frame_00000.png"
cat > "$report" <<END
{"garment": "sheet", "avatar": {"joints": 7, "triangles": 90, "fields": 5, "notes": ["odd | units"]},
 "phases": [{"name": "load", "seconds": 1.5}, {"name": "fit", "seconds": 0.25}, {"name": "settle", "seconds": 8}, {"name": "fit", "seconds": 0.25}],
 "quality": {"inside_fraction": 0.125, "max_penetration_mm": 4.5, "false_contact_fraction": 0.5}, "seen": []}
END
"#;

#[test]
fn the_table_has_a_row_for_each_character() {
    let (out, files) = (folder("characters"), folder("characters_files"));
    let viewer = files.join("viewer");
    std::fs::write(&viewer, STAND_IN).unwrap();
    std::fs::set_permissions(&viewer, std::fs::Permissions::from_mode(0o755)).unwrap();
    for name in ["b.glb", "a_damaged.glb", "no_character.txt"] {
        std::fs::write(files.join(name), "").unwrap();
    }
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/characters");
    let arguments = [
        "ogre".as_ref(),
        files.as_os_str(),
        "--out".as_ref(),
        out.as_os_str(),
    ];
    let viewer_flag = ["--viewer".as_ref(), viewer.as_os_str()];
    let ended = run(
        tool.to_str().unwrap(),
        arguments.into_iter().chain(viewer_flag),
    );
    assert_eq!(ended.status.code(), Some(1), "{}", text(&ended.stderr));
    let table = std::fs::read_to_string(out.join("characters.csv")).unwrap();
    let rows: Vec<&str> = table.lines().skip(1).collect();
    let [ogre, damaged, sound] = rows[..] else {
        panic!("{table}");
    };
    assert!(
        ogre.starts_with("ogre,built in,sheet,7,90,5,1.50,0.00,0.50,2.00,"),
        "{ogre}"
    );
    assert!(ogre.contains(",12.50,4.5,50.00,"), "{ogre}");
    assert!(damaged.starts_with("a_damaged,"), "{damaged}");
    assert!(
        damaged.contains("exit code 2") && damaged.contains("ends too early"),
        "{damaged}"
    );
    assert!(sound.starts_with("b,"), "{sound}");
    assert!(out.join("b.png").exists() && !out.join("frame_00000.png").exists());
    let markdown = std::fs::read_to_string(out.join("characters.md")).unwrap();
    let widths = markdown.lines().filter(|line| line.starts_with('|'));
    let widths: Vec<_> = widths.map(|line| line.matches('|').count()).collect();
    assert_eq!(widths, [widths[0]; 5], "{markdown}");
}

#[test]
fn what_would_take_minutes_is_refused_before_it_is_begun() {
    let mut swarm = Figure::new([0.0; 3], [0.5, 1.7, 0.5]).avatar();
    for node_ix in swarm.skeleton.nodes.len()..30_000 {
        swarm.skeleton.nodes.push(Node {
            name: String::new(),
            parent: Some(0),
            rest: Transform::IDENTITY,
        });
        swarm.skeleton.joints.push(Joint {
            node_ix,
            bone_from_bind: Mat4::IDENTITY,
        });
    }
    let file = folder("swarm").join("swarm.glb");
    std::fs::write(&file, to_glb(&swarm)).unwrap();
    let arguments = ["--headless".as_ref(), "--avatar".as_ref(), file.as_os_str()];
    let ended = run(VIEWER, arguments);
    let said = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{said}");
    // A slow machine may have told before that it loads.
    let refusal = said.lines().last().unwrap();
    for word in [
        "swarm.glb: ",
        "30000 joints are too many",
        "12 minutes",
        "25000 joints or fewer",
    ] {
        assert!(refusal.contains(word), "{word:?}: {said}");
    }
    assert!(!said.contains("dress") && !said.contains("fit, "), "{said}");
}
