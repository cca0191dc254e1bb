//! `bench crowd` and `bench detail`.

use crate::{HASTY, bench, folder, text};

/// A crowd of one and one of two: a row each, and a line through both in the plot.
#[test]
fn crowds_are_timed_plotted_and_told_apart() {
    let folder = folder("crowd");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (csv, plot) = (file("c.csv"), file("p.png"));
    let flags = [
        "crowd",
        "--characters",
        "1,2",
        "--condition",
        "1",
        "--frames",
        "3",
        "--particles",
        "300",
        "--validate",
        "--csv",
        &csv,
        "--plot",
        &plot,
    ];
    let output = bench(&flags);
    let warned = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{warned}");
    let csv = std::fs::read_to_string(csv).unwrap();
    assert!(csv.starts_with("# radial_fields.bench.crowd "), "{csv}");
    let mut rows = csv.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = rows.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(',').collect()).collect();
    let of = |name: &str| -> Vec<f32> {
        let cells = rows.iter().map(|row| row[column(name)].parse());
        cells.collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(of("characters"), [1.0, 2.0]);
    assert_eq!(of("particles")[1], 2.0 * of("particles")[0]);
    for (step, each) in of("step_ms")
        .into_iter()
        .zip(of("us_per_character"))
        .skip(1)
    {
        assert!((each - 500.0 * step).abs() < 0.01 * each, "{step} {each}");
    }
    let picture = image::open(plot).unwrap().to_rgb8();
    let line = picture
        .pixels()
        .filter(|pixel| pixel.0 == [86, 180, 233])
        .count();
    assert!(
        line > 500,
        "no line in the technique's colour: {line} pixels"
    );
}

/// A row for each level, and one for what roundings do.
#[test]
fn levels_of_detail_are_timed_and_judged() {
    let file = folder("detail").join("d.csv");
    let csv = file.to_str().unwrap();
    let flags = [
        "detail",
        "--condition",
        "1",
        "--frames",
        "2",
        HASTY[0],
        HASTY[1],
        "--runs",
        "1",
        "--particles",
        "200",
        "--validate",
        "--csv",
        csv,
    ];
    let output = bench(&flags);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let csv = std::fs::read_to_string(&file).unwrap();
    assert!(csv.starts_with("# radial_fields.bench.detail "), "{csv}");
    let rows = csv.lines().filter(|line| !line.starts_with('#')).skip(1);
    let distances: Vec<f32> = rows
        .map(|row| row.split(',').rev().nth(9).unwrap().parse().unwrap())
        .collect();
    assert_eq!(distances.len(), 5, "{csv}");
    assert_eq!(distances[0], 0.0, "fully simulated cloth is not on itself");
    assert!(
        distances[1..4].iter().all(|&distance| distance > 0.0),
        "{csv}"
    );
}
