//! What a terminal is told: what is wrong first, with the file's name, and no commands out of files.

use radial_fields::avatar::to_glb;

use crate::{Figure, HASTY, SHORT, VIEWER, assert_done, assert_refused, folder, run, text};

/// Clears the screen, sets the window's title, turns the writing round.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;x\u{7}\r\n\u{9b}1A\u{202e}end";

fn assert_tame(bytes: &[u8]) {
    let said = std::str::from_utf8(bytes).unwrap();
    let wild: Vec<char> = said
        .chars()
        .filter(|&letter| letter.is_control() && letter != '\n' || letter == '\u{202e}')
        .collect();
    assert!(wild.is_empty(), "{wild:?} in {said:?}");
}

#[test]
fn names_out_of_files_are_shown_and_not_obeyed() {
    let folder = folder("names_of_files");
    let mut avatar = Figure::new([-0.5, 0.0, -0.5], [0.5, 1.8, 0.5]).avatar();
    HOSTILE.clone_into(&mut avatar.name);
    for node in &mut avatar.skeleton.nodes {
        HOSTILE.clone_into(&mut node.name);
    }
    // Half a kilometre tall, which is remarked on by name.
    avatar.skin.positions.iter_mut().for_each(|p| *p *= 300.0);
    let file = folder.join("figure\u{1b}[31m.glb");
    std::fs::write(&file, to_glb(&avatar)).unwrap();
    let file = file.to_str().unwrap();
    let runs: [&[&str]; 3] = [
        &["--garment", "none"],
        &["--garment", "none", "--clip", "\u{1b}[2Jwave"],
        &["--garment", "trousers_and_top"],
    ];
    for more in runs {
        let output = run(
            VIEWER,
            [&[file, "--headless", "--frames", "1"], &HASTY[..], more].concat(),
        );
        assert_tame(&output.stdout);
        assert_tame(&output.stderr);
        let said = text(&output.stderr);
        assert!(
            said.contains("\\u{1b}[2J") && said.contains("end"),
            "{said}"
        );
    }
    let broken = br#"{"asset":{"version":"2.0"},"extensionsRequired":["\u001b[2JX"]}"#;
    std::fs::write(file, broken).unwrap();
    let output = run(VIEWER, [file, "--headless"]);
    assert_eq!(output.status.code(), Some(2));
    assert_tame(&output.stderr);
    assert_eq!(text(&output.stderr).lines().count(), 1);
}

/// What is wrong with a character comes in one line that begins with its file; what was noted on the way may be why, and comes behind.
#[test]
fn a_refusal_comes_first_and_names_the_file() {
    let folder = folder("refusals");
    let figure = Figure::new([-90.0, 0.0, -90.0], [90.0, 1800.0, 90.0]);
    let file = figure.write(&folder, "giant.glb");
    let file = file.to_str().unwrap();
    let start = format!("viewer: {file}: cells of 0.001 m");
    let fine = [&SHORT[..], &[file, "--cell-size", "1"]].concat();
    assert_refused(VIEWER, &fine, &[&start, "use coarser cells"]);
    let start = format!("viewer: {file}: figure");
    let clip = [&SHORT[..], &[file, "--clip", "walk"]].concat();
    assert_refused(VIEWER, &clip, &[&start, "has no clips"]);
    let start = format!("viewer: {file}: figure");
    let own = ["--headless", file, "--garment", "own"];
    assert_refused(VIEWER, &own, &[&start, "no garments of its own"]);
    let start = format!("viewer: {file}: figure stands 1800.0 m tall");
    let large = [&SHORT[..], &[file]].concat();
    assert_refused(VIEWER, &large, &[&start, "millimetres, give --scale 0.001"]);
    let file = Figure::new([-1.0, 0.0, -1.0], [1.0, 18.0, 1.0]).write(&folder, "tall.glb");
    let file = file.to_str().unwrap();
    let start = format!("viewer: {file}: it has no motion");
    let loops = ["--headless", file, "--garment", "none", "--loops", "2"];
    assert_refused(VIEWER, &loops, &[&start, "give --frames"]);
}

#[test]
fn notes_come_before_the_results_of_a_run_that_works() {
    let folder = folder("notes");
    let file = Figure::new([-1.0, 0.0, -1.0], [1.0, 18.0, 1.0]).write(&folder, "tall.glb");
    let output = run(VIEWER, [&SHORT[..], &[file.to_str().unwrap()]].concat());
    assert_done(&output);
    let said = text(&output.stderr);
    assert!(said.contains("viewer: figure stands 18.0 m tall"), "{said}");
}
