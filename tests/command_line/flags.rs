//! Which flags are refused, and in which words; and which ways to name a character are understood.

use crate::{BENCH, Figure, MAKE_HUMAN, SHORT, VIEWER, assert_done, assert_refused, folder, run};

#[test]
fn flags_without_effect_are_refused_by_name() {
    let headless: [(&[&str], &str); 15] = [
        (&["--screenshot", "s.png"], "--screenshot needs a window"),
        (&["--no-overlay"], "--no-overlay needs a window"),
        (&["--beside", "bvh"], "--beside needs a window"),
        (&["--difference"], "--difference needs a window"),
        (&["--follow", "turn"], "--follow needs --out or --gif"),
        (&["--trace-over", "5"], "--trace-over needs --trace"),
        (&["--view", "fields"], "--view needs --out or --gif"),
        (&["--size", "64x64"], "--size needs --out or --gif"),
        (&["--camera", "0,1,2"], "--camera needs --out or --gif"),
        (&["--look-at", "0,1,2"], "--look-at needs --out or --gif"),
        (&["--panels"], "--panels needs --out or --gif"),
        (&["--every", "2"], "--every needs --out, --gif or --export"),
        (&["--from", "2"], "--from needs --out, --gif or --export"),
        (&["--loops", "2", "--frames", "3"], "cannot be used with"),
        (&["--whole-frames", "--passes"], "cannot be used with"),
    ];
    for (flags, words) in headless {
        assert_refused(VIEWER, &[&["--headless"], flags].concat(), &[words]);
    }
    let late = ["--headless", "--out", "p", "--frames", "4", "--from", "4"];
    assert_refused(VIEWER, &late, &["--from 4: there are 4 frames"]);
    let windowed = [
        "--out",
        "--report",
        "--frame-times",
        "--export",
        "--every",
        "--loops",
        "--gif",
        "--from",
        "--pipelines",
    ];
    for flag in windowed {
        let words = format!("{flag} needs --headless");
        assert_refused(VIEWER, &[flag, "2"], &[&words]);
    }
    for flag in ["--panels", "--whole-frames"] {
        assert_refused(VIEWER, &[flag], &[&format!("{flag} needs --headless")]);
    }
    assert_refused(VIEWER, &["--screenshot", "s.png"], &["needs --frames"]);
    assert_refused(VIEWER, &["--difference"], &["--difference needs --beside"]);
    let placed = [
        "--camera",
        "0,1,4",
        "--look-at",
        "0,1,0",
        "--follow",
        "turn",
    ];
    assert_refused(VIEWER, &placed, &["--follow has nowhere to go"]);
}

/// Before anything is loaded: the character does not exist either.
#[test]
fn names_of_nothing_are_refused_first() {
    let out = folder("names").join("out");
    let out = out.to_str().unwrap();
    let flags = [
        ("--view", "wireframe"),
        ("--technique", "radial_compute"),
        ("--scene", "demo"),
        ("--garment", "tablecloth"),
        ("--material", "denim"),
        ("--detection", "march"),
        ("--fields", "paper+ranks+caps"),
    ];
    for (flag, known) in flags {
        let given = [
            "--headless",
            "--avatar",
            "none.glb",
            "--out",
            out,
            flag,
            "magic",
        ];
        assert_refused(VIEWER, &given, &["\"magic\"", known]);
    }
}

#[test]
fn techniques_without_radial_fields_have_none_of_the_papers() {
    let given = ["--headless", "--technique", "bvh", "--fields", "paper"];
    let words = ["--fields paper needs --technique radial or radial_compute"];
    assert_refused(VIEWER, &given, &words);
}

#[test]
fn two_outputs_are_two_files_and_no_input() {
    let folder = folder("same");
    let file = folder.join("r.json").to_str().unwrap().to_owned();
    let detour = folder.join("../same/r.json").to_str().unwrap().to_owned();
    let twice = ["--headless", "--report", &file, "--trace", &detour];
    assert_refused(VIEWER, &twice, &["--report and --trace are the same file"]);
    let both = ["--json", &file, "--csv", &file];
    assert_refused(BENCH, &both, &["--json and --csv are the same file"]);
    let figure = Figure::new([0.0; 3], [1.0; 3]).write(&folder, "figure.glb");
    let figure = figure.to_str().unwrap();
    let over = ["--headless", figure, "--report", figure];
    assert_refused(VIEWER, &over, &["--avatar and --report are the same file"]);
}

#[test]
fn values_with_a_minus_are_values() {
    let cases = [
        ("--scale", "-1", "metres a unit"),
        ("--scale", "-inf", "metres a unit"),
        ("--cell-size", "-5", "millimetres"),
        ("--motion", "-0.5", "from 0 to 100"),
        ("--frames", "-3", "-3 is not in"),
        ("--wind", "-1,0", "X,Y,Z"),
        ("--clip-frames", "90,10", "FROM,TO"),
        ("--start-frame", "-1", "invalid"),
        ("--camera", "-1,0,inf", "X,Y,Z"),
        ("--follow", "him", "whole, pelvis, turn, stay"),
        ("--trace-over", "-1", "milliseconds"),
    ];
    for (flag, value, words) in cases {
        let invalid = format!("invalid value '{value}' for '{flag}");
        assert_refused(VIEWER, &[flag, value], &[&invalid]);
        assert_refused(VIEWER, &[flag, value], &[words]);
    }
    let frames = ["--frames", "-3"];
    assert_refused(BENCH, &frames, &["invalid value '-3' for '--frames"]);
    let cells = ["accuracy", "--cells", "-5,10"];
    assert_refused(BENCH, &cells, &["invalid value '-5' for '--cells"]);
    let missing = ["required arguments were not provided", "--data", "--out"];
    assert_refused(MAKE_HUMAN, &["--origin", "x"], &missing[..1]);
    assert_refused(MAKE_HUMAN, &["--origin", "x"], &missing[1..2]);
    let same = ["--camera", "1,2,3", "--look-at", "1,2,3"];
    assert_refused(
        VIEWER,
        &same,
        &["--camera and --look-at are the same point"],
    );
}

/// In front, without an ending, and with a name that is no text.
#[test]
fn a_character_may_be_called_anything() {
    let folder = folder("paths");
    let figure = Figure::new([-0.5, 0.0, -0.5], [0.5, 1.8, 0.5]);
    figure.write(&folder, "plain");
    let in_folder = |arguments: &[&std::ffi::OsStr]| {
        let mut command = std::process::Command::new(VIEWER);
        command.args(SHORT).args(arguments).current_dir(&folder);
        command.output().unwrap()
    };
    assert_done(&in_folder(&["plain".as_ref()]));
    assert_done(&in_folder(&["--avatar".as_ref(), "plain".as_ref()]));
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let name = std::ffi::OsStr::from_bytes(b"b\xff.glb");
        figure.write(&folder, name);
        assert_done(&in_folder(&[name]));
        assert_done(&in_folder(&["--avatar".as_ref(), name]));
    }
    assert_refused(
        VIEWER,
        &["--headless", "nobody"],
        &["there is no character \"nobody\""],
    );
    assert_refused(VIEWER, &["--headless", "nobody.glb"], &["no such file"]);
    let nobody = ["accuracy", "--avatars", "nobody,mannequin"];
    assert_refused(BENCH, &nobody, &["there is no character \"nobody\""]);
    let twice = ["one.glb", "--avatar", "two.glb"];
    assert_refused(VIEWER, &twice, &["cannot be used with"]);
    assert_eq!(run(VIEWER, ["--seed", "1"]).status.code(), Some(2));
}
