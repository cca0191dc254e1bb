//! Many characters: in one picture, in one report, and refused by name where there are too many.

use std::fs;

use radial_fields::glam::Vec3;

use crate::pictures::red;
use crate::{Figure, SHORT, VIEWER, assert_done, assert_refused, folder, run};

/// As large as a person.
fn person() -> Figure {
    Figure::new([-0.3, 0.0, -0.2], [0.3, 1.8, 0.2])
}

#[test]
fn all_of_a_crowd_are_in_the_picture_and_in_the_report() {
    let folder = folder("crowd");
    let file = person().write(&folder, "figure.glb");
    let report = folder.join("r.json");
    let flags = ["--characters", "6", "--size", "160x120", "--out"];
    let output = run(
        VIEWER,
        [
            &[file.to_str().unwrap()],
            &SHORT[..],
            &flags,
            &[
                folder.to_str().unwrap(),
                "--oracle",
                "--report",
                report.to_str().unwrap(),
            ],
        ]
        .concat(),
    );
    assert_done(&output);
    let report: serde_json::Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    assert_eq!(report["characters"], 6);
    assert_eq!(report["quality"]["frames"], 1);
    // Six people in two rows are as wide as four; one alone would be a stripe.
    let [low, high] = red(&folder.join("frame_00000.png")).unwrap();
    assert!(low[0] > 0 && high[0] < 159, "{low:?} {high:?}");
    assert!(low[1] > 0 && high[1] < 119, "{low:?} {high:?}");
    assert!(high[0] - low[0] > 60, "{low:?} {high:?}");
}

#[test]
fn the_bodies_of_a_crowd_stand_apart_in_what_is_exported() {
    let folder = folder("crowd_export");
    let file = person().write(&folder, "figure.glb");
    let export = ["--characters", "2", "--export", folder.to_str().unwrap()];
    assert_done(&run(
        VIEWER,
        [&[file.to_str().unwrap()], &SHORT[..], &export].concat(),
    ));
    let text = fs::read_to_string(folder.join("frame_00000.obj")).unwrap();
    let places = text.lines().filter_map(|line| {
        let numbers = line.strip_prefix("v ")?.split(' ');
        let numbers: Vec<f32> = numbers.map(|number| number.parse().unwrap()).collect();
        Some(Vec3::from_slice(&numbers))
    });
    let [here, there]: [Vec<_>; 2] = places.fold(Default::default(), |mut sides, at| {
        sides[usize::from(at.x > 1.5)].push(at);
        sides
    });
    assert_eq!(here.len(), there.len());
    for (here, there) in here.iter().zip(there) {
        assert!((there - *here).abs_diff_eq(3.0 * Vec3::X, 1e-4));
    }
}

/// Each says what there is too much of, and the way out.
#[test]
fn too_many_are_refused_by_name() {
    let many = |count| {
        [
            "--headless",
            "mannequin",
            "--garment",
            "none",
            "--characters",
            count,
        ]
    };
    let joints = [
        "viewer: 2000 times mannequin",
        "--characters gives fewer",
        "65,536",
    ];
    assert_refused(VIEWER, &many("2000"), &joints);
    assert_refused(VIEWER, &many("0"), &["invalid value '0' for '--characters"]);
    assert_refused(VIEWER, &many("10001"), &["10001 is not in"]);
}
