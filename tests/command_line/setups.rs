//! What is shown comes from a setup's file as it does from flags; what is no setup is refused in one line.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::{HASTY, VIEWER, assert_done, assert_refused, folder, run, text};

/// A setup of the mannequin in a skirt, quickly simulated.
fn setup() -> Value {
    json!({
        "schema": "radial_fields.viewer.setup",
        "version": 1,
        "scene": "mannequin",
        "garment": "skirt",
        "particles": 300,
        "technique": "radial_compute",
        "cell_size": 20.0,
        "preroll": 0.1,
        "start_frame": 60,
        "clip_frames": [30, 90],
        "cloth": {"sub_steps": 2},
        "garments": [{"friction": 0.9}],
        "props": [{"shape": {"sphere": {"radius": 0.2}}, "at": [0.0, 0.7, 0.4]}],
    })
}

fn written(folder: &Path, name: &str, setup: &Value) -> String {
    let file = folder.join(name);
    fs::write(&file, setup.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

/// What a run with those flags reports.
fn report(folder: &Path, flags: &[&str]) -> Value {
    let file = folder.join("report.json");
    let short = [
        "--headless",
        "--frames",
        "1",
        "--report",
        file.to_str().unwrap(),
    ];
    assert_done(&run(VIEWER, [&short[..], flags].concat()));
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn a_setup_is_what_its_flags_are() {
    let folder = folder("setup");
    let mut plain = setup();
    for key in ["cloth", "garments", "props"] {
        plain.as_object_mut().unwrap().remove(key);
    }
    let by_file = report(
        &folder,
        &["--setup", &written(&folder, "plain.json", &plain)],
    );
    let flags = [
        HASTY[0],
        HASTY[1],
        "--scene",
        "mannequin",
        "--garment",
        "skirt",
        "--particles",
        "300",
        "--technique",
        "radial_compute",
        "--cell-size",
        "20",
        "--start-frame",
        "60",
        "--clip-frames",
        "30,90",
    ];
    let by_flags = report(&folder, &flags);
    assert_eq!(by_file["state_hash"], by_flags["state_hash"]);
    let elsewhere = report(&folder, &[&flags[..12], &["--start-frame", "80"]].concat());
    assert_ne!(by_file["state_hash"], elsewhere["state_hash"]);
}

#[test]
fn settings_of_a_setup_count_and_flags_count_more() {
    let folder = folder("setup_settings");
    let file = written(&folder, "setup.json", &setup());
    let said = report(&folder, &["--setup", &file]);
    assert_eq!(said["settings"]["cloth"]["sub_steps"], 2);
    assert_eq!(said["technique"], "radial_compute");
    let friction = said["settings"]["garments"][0]["friction"]
        .as_f64()
        .unwrap();
    assert!((friction - 0.9).abs() < 1e-6);
    let other = [
        "--setup",
        &file,
        "--sub-steps",
        "3",
        "--technique",
        "lbvh",
        "--particles",
        "400",
    ];
    let said = report(&folder, &other);
    assert_eq!(said["settings"]["cloth"]["sub_steps"], 3);
    assert_eq!(
        (&said["technique"], &said["particles"]),
        (&json!("lbvh"), &json!(400))
    );
}

#[test]
fn what_is_no_setup_is_refused_by_its_name() {
    let folder = folder("setup_refused");
    let with = |key: &str, value: Value| {
        let mut wrong = setup();
        wrong[key] = value;
        wrong
    };
    let cases = [
        (json!({}), "it is no setup"),
        (with("version", json!(2)), "another version"),
        (with("colour", json!("red")), "there is no colour"),
        (
            with("cloth", json!({"substeps": 3})),
            "there is no substeps",
        ),
        (with("particles", json!(3)), "particles: give 200"),
        (
            with("clip_frames", json!([9, 3])),
            "clip_frames: give FROM,TO",
        ),
        (with("preroll", json!(0)), "preroll: give seconds from 0.1"),
        (
            with("start_frame", json!(500)),
            "--start-frame lies behind --clip-frames",
        ),
        (
            with("technique", json!("magic")),
            "there is no technique \"magic\"",
        ),
        (with("garments", json!([{"density": 0}])), "density is 0"),
        (with("props", json!([{"shape": {"cone": {}}}])), "cone"),
    ];
    for (wrong, words) in cases {
        let file = written(&folder, "wrong.json", &wrong);
        assert_refused(VIEWER, &["--headless", "--setup", &file], &[words]);
    }
    let file = folder.join("half.json");
    let whole = setup().to_string();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let file = file.to_str().unwrap();
    assert_refused(
        VIEWER,
        &["--headless", "--setup", file],
        &["it is no JSON", "half.json"],
    );
    assert_refused(
        VIEWER,
        &["--headless", "--setup", "nowhere.json"],
        &["nowhere.json"],
    );
    let over = ["--headless", "--setup", file, "--report", file];
    assert_refused(VIEWER, &over, &["it is no JSON"]);
}

/// A skirt of a ring round the hips, as text of an .obj.
fn ring() -> String {
    let mut obj = "g ring\n".to_owned();
    for row in 0..8 {
        for column in 0..40 {
            let (radius, angle) = (0.25 + 0.02 * row as f32, column as f32 / 40.0 * 6.283_185_5);
            let (x, z, y) = (
                radius * angle.sin(),
                radius * angle.cos(),
                1.05 - 0.05 * row as f32,
            );
            obj += &format!("v {x} {y} {z}\n");
        }
    }
    for row in 0..7 {
        for column in 0..40 {
            let at = |row: u32, column: u32| row * 40 + column % 40 + 1;
            let [a, b] = [at(row, column), at(row, column + 1)];
            obj += &format!(
                "f {a} {} {} {b}\n",
                at(row + 1, column),
                at(row + 1, column + 1)
            );
        }
    }
    obj
}

#[test]
fn clothes_come_out_of_a_file() {
    let folder = folder("garment_file");
    let out = folder.join("out");
    let out = out.to_str().unwrap();
    let made = [
        "--scene",
        "mannequin",
        "--garment",
        "skirt",
        "--particles",
        "300",
    ];
    let short = [
        "--headless",
        "--frames",
        "1",
        "--cell-size",
        "20",
        "--technique",
        "radial_compute",
    ];
    let exported = run(
        VIEWER,
        [&short[..], &HASTY, &made, &["--export", out]].concat(),
    );
    assert_done(&exported);
    let all = fs::read_to_string(folder.join("out/frame_00000.obj")).unwrap();
    assert!(all.contains("o skirt"), "{}", &all[..200]);
    let file = folder.join("ring.obj");
    fs::write(&file, ring()).unwrap();
    let said = report(
        &folder,
        &[
            &short[3..],
            &HASTY,
            &[
                "--scene",
                "mannequin",
                "--garment-file",
                file.to_str().unwrap(),
            ],
        ]
        .concat(),
    );
    assert_eq!(said["particles"], 320);
    assert!(said["garment"].as_str().unwrap().ends_with("ring.obj"));
    assert_eq!(said["non_finite_particles"], 0);
    let missing = [
        "--headless",
        "--scene",
        "mannequin",
        "--garment-file",
        "nothing.obj",
    ];
    assert_refused(VIEWER, &missing, &["nothing.obj"]);
}

#[test]
fn pictures_become_a_moving_one() {
    let folder = folder("gif");
    let file = folder.join("clip.gif");
    let flags = [
        "--scene",
        "mannequin",
        "--technique",
        "radial_compute",
        "--cell-size",
        "20",
    ];
    let moving = [
        "--headless",
        "--garment",
        "none",
        "--frames",
        "9",
        "--every",
        "2",
        "--from",
        "3",
        "--size",
        "64x48",
    ];
    let output = run(
        VIEWER,
        [
            &flags[..],
            &HASTY,
            &moving,
            &["--gif", file.to_str().unwrap()],
        ]
        .concat(),
    );
    assert_done(&output);
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(b";"));
    assert_eq!(bytes[6..10], [64, 0, 48, 0], "{}", text(&output.stderr));
    // A graphic control block a picture: frames 3, 5 and 7.
    let pictures = bytes.windows(3).filter(|at| *at == [0x21, 0xf9, 0x04]);
    assert_eq!(pictures.count(), 3);
}
