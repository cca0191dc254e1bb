//! The character is in the picture, wherever it is and whatever shape it has.

use std::path::Path;

use radial_fields::avatar::{Clip, Interpolation, Track, TrackValues, to_glb};
use radial_fields::glam::Vec3;

use crate::{Figure, HASTY, SHORT, VIEWER, assert_done, folder, run, text};

/// Pixels along the edges of the pictures.
const SIZE: [u32; 2] = [160, 120];

/// Where the red of a picture begins and ends, in pixels; None without any.
pub fn red(file: &Path) -> Option<[[u32; 2]; 2]> {
    let picture = image::open(file).unwrap().to_rgb8();
    assert_eq!([picture.width(), picture.height()], SIZE);
    let is_red = |pixel: &image::Rgb<u8>| {
        let [red, green, blue] = pixel.0.map(u32::from);
        red > 60 && red > 2 * green && red > 2 * blue
    };
    let pixels = picture.enumerate_pixels();
    let reds = pixels.filter(|(.., pixel)| is_red(pixel));
    reds.map(|(x, y, _)| [[x, y]; 2])
        .reduce(|[low, high], [at, _]| {
            [
                [low[0].min(at[0]), low[1].min(at[1])],
                [high[0].max(at[0]), high[1].max(at[1])],
            ]
        })
}

/// Draws every frame of a file into its folder; returns what was said.
fn draw(file: &Path, more: &[&str]) -> String {
    let out = file.parent().unwrap().to_str().unwrap();
    let size = format!("{}x{}", SIZE[0], SIZE[1]);
    let drawn = ["--out", out, "--every", "1", "--size", &size];
    let output = run(
        VIEWER,
        [&[file.to_str().unwrap()], &SHORT[..], &drawn, more].concat(),
    );
    assert_done(&output);
    text(&output.stderr)
}

/// All of it is in the picture, and large enough to be looked at.
fn assert_framed(file: &Path, what: &str) {
    let [low, high] = red(file).unwrap_or_else(|| panic!("{what} is not in the picture"));
    for axis in [0, 1] {
        assert!(
            low[axis] > 0 && high[axis] < SIZE[axis] - 1,
            "{what} is cut off: {low:?} {high:?}"
        );
    }
    let filled = |axis: usize| f64::from(high[axis] - low[axis]) / f64::from(SIZE[axis]);
    assert!(
        filled(0).max(filled(1)) > 0.4,
        "{what} is small: {low:?} {high:?}"
    );
}

#[test]
fn whatever_its_shape_all_of_it_is_in_the_picture() {
    let (person, far) = ([-0.3, 0.0, -0.2], Vec3::new(40.0, 0.0, 30.0));
    let mut cases = [
        (
            "a head without a body",
            Figure::new([-0.1, 1.5, -0.1], [0.1, 1.75, 0.1]),
        ),
        ("a snake", Figure::new([-0.1, 0.0, -3.0], [0.1, 0.15, 3.0])),
        ("a spider", Figure::new([-2.0, 0.0, -2.0], [2.0, 0.6, 2.0])),
        (
            "a lying figure",
            Figure::new([-1.8, 0.0, -0.3], [0.2, 0.3, 0.3]),
        ),
        (
            "a thumbling",
            Figure::new([-0.01, 0.0, -0.01], [0.01, 0.04, 0.01]),
        ),
        (
            "a figure with a far joint",
            Figure::new(person, [0.3, 1.8, 0.2]),
        ),
    ];
    cases[5].1.joints[0] = far;
    for (what, figure) in cases {
        let folder = folder("shapes");
        let file = figure.write(&folder, "figure.glb");
        let said = draw(&file, &[]);
        assert!(!said.contains("nothing of"), "{what}: {said}");
        assert_framed(&folder.join("frame_00000.png"), what);
    }
}

/// Over half a second it rises by its height and goes ten times as far; it stays whole in the picture.
#[test]
fn a_clip_is_seen_from_its_beginning_to_its_end() {
    let folder = folder("clip");
    let mut avatar = Figure::new([-0.3, 0.0, -0.2], [0.3, 1.8, 0.2]).avatar();
    let at = avatar.skeleton.nodes[1].rest.translation;
    avatar.clips.push(Clip {
        name: "leap".to_owned(),
        duration: 0.5,
        tracks: vec![Track {
            node_ix: 1,
            interpolation: Interpolation::Linear,
            times: vec![0.0, 0.5],
            values: TrackValues::Translation(vec![at, at + Vec3::new(18.0, 1.8, 0.0)]),
        }],
    });
    let file = folder.join("figure.glb");
    std::fs::write(&file, to_glb(&avatar)).unwrap();
    let out = folder.to_str().unwrap();
    let size = format!("{}x{}", SIZE[0], SIZE[1]);
    let flags = [
        "--headless",
        "--frames",
        "30",
        "--garment",
        "none",
        "--out",
        out,
    ];
    let more = ["--every", "29", "--size", &size];
    assert_done(&run(
        VIEWER,
        [&[file.to_str().unwrap()], &flags[..], &HASTY, &more].concat(),
    ));
    for frame in ["frame_00000.png", "frame_00029.png"] {
        let [low, high] = red(&folder.join(frame)).unwrap_or_else(|| panic!("{frame} is empty"));
        for axis in [0, 1] {
            assert!(
                low[axis] > 0 && high[axis] < SIZE[axis] - 1,
                "{frame}: {low:?} {high:?}"
            );
        }
    }
}

#[test]
fn the_camera_stands_where_it_is_put_and_an_empty_picture_is_said() {
    let folder = folder("camera");
    let file = Figure::new([-0.5, 0.0, -0.5], [0.5, 1.0, 0.5]).write(&folder, "figure.glb");
    let frame = folder.join("frame_00000.png");
    let report = folder.join("report.json");
    let middle = |[low, high]: [[u32; 2]; 2]| (low[0] + high[0]) / 2;
    draw(&file, &["--camera", "0,0.5,6", "--look-at", "0,0.5,0"]);
    assert!((70..90).contains(&middle(red(&frame).unwrap())));
    // It looks to the figure's left, which is at +X: the figure is left of the middle.
    draw(&file, &["--camera", "0,0.5,6", "--look-at", "1,0.5,0"]);
    assert!(middle(red(&frame).unwrap()) < 70);
    draw(&file, &["--camera", "-9,2,1"]);
    assert!((70..90).contains(&middle(red(&frame).unwrap())));
    let away = ["--camera", "0,1,9", "--look-at", "0,1,99"];
    let said = draw(
        &file,
        &[&away[..], &["--report", report.to_str().unwrap()]].concat(),
    );
    assert_eq!(red(&frame), None);
    assert!(
        said.contains("nothing of figure is to be seen in 1 of 1 pictures"),
        "{said}"
    );
    assert!(
        std::fs::read_to_string(report)
            .unwrap()
            .contains("nothing of figure")
    );
}

/// They lie to the left and right of it, and nothing else is other than without them.
#[test]
fn panels_are_drawn_into_pictures_beside_the_character() {
    let folder = folder("panels");
    let file = Figure::new([-0.3, 0.0, -0.2], [0.3, 1.8, 0.2]).write(&folder, "figure.glb");
    let picture = |more: &[&str]| {
        let out = folder.to_str().unwrap();
        let drawn = ["--out", out, "--every", "1", "--size", "1100x300"];
        let file = file.to_str().unwrap();
        assert_done(&run(VIEWER, [&[file], &SHORT[..], &drawn, more].concat()));
        let frame = image::open(folder.join("frame_00000.png")).unwrap();
        frame.to_rgb8()
    };
    let (bare, panelled) = (picture(&[]), picture(&["--panels"]));
    // Of letters, which nothing else in the picture is as bright as.
    let bright = |picture: &image::RgbImage, from: u32, to: u32| {
        let rows = (0..picture.height()).flat_map(|y| (from..to).map(move |x| (x, y)));
        let pixels = rows.map(|(x, y)| picture.get_pixel(x, y).0);
        pixels.filter(|[r, g, b]| r.min(g).min(b) > &190).count()
    };
    for (from, to) in [(10, 328), (772, 1090)] {
        assert_eq!(bright(&bare, from, to), 0);
        let letters = bright(&panelled, from, to);
        assert!(letters > 300, "{letters} pixels of letters");
    }
    let of_figure = |[r, g, b]: [u8; 3]| u32::from(r) > 60 && r / 2 > g.max(b);
    let columns = panelled.enumerate_pixels();
    let columns = columns.filter(|(.., pixel)| of_figure(pixel.0));
    let (low, high) = columns.fold((u32::MAX, 0), |(low, high), (x, ..)| {
        (low.min(x), high.max(x))
    });
    assert!(low > 338 && high < 762 && high > low, "{low} to {high}");
}
