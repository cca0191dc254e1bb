//! What meeting rigid solids costs, end to end.

use std::fs;

use crate::{BENCH, assert_done, folder, run, text};

/// A bust of few triangles and a cloth of few particles, two frames, validated.
#[test]
fn the_same_mesh_is_met_as_a_field_and_by_trees() {
    let file = folder("solids").join("response.csv");
    let quick = "response --tables trees --edge 30 --cell 16 --particles 200 --frames 2 --runs 1";
    let flags = quick.split(' ').chain(["--validate", "--csv"]);
    let output = run(BENCH, flags.chain([file.to_str().unwrap()]));
    assert_done(&output);
    let table = text(&output.stdout);
    let csv = fs::read_to_string(file).unwrap();
    let mut rows = csv.lines().filter(|line| !line.starts_with('#'));
    let heading = rows.next().unwrap();
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 5, "{csv}");
    for row in &rows {
        assert_eq!(row.len(), heading.split(',').count(), "{csv}");
        assert_eq!(row[0], "trees");
    }
    assert!(
        table.contains("lbvh") && table.contains("triangles pierced"),
        "{table}"
    );
}
