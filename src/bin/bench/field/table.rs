//! The rows as text and as CSV.

use std::fmt::Write as _;

use super::measure::{METHODS, Row};

pub const HEADER: &str = "\
mesh         triangles         samples  cell mm      MB  prepare s  search s  splat s  prism s  ref. s     examined   the paper's  max mm  mean mm  max cells  mean cells  wrong signs: face  pseudon.  robust";

/// The paper's Table 1: triangles, samples along the longest side, seconds on a processor of 2002, points examined. Its δ is not told.
const PAPER: [(usize, u32, f64, u64); 21] = [
    (60_339, 363, 5.177, 22_775_185),
    (60_339, 500, 7.468, 41_802_953),
    (127_656, 401, 3.155, 13_384_822),
    (127_656, 600, 4.626, 22_769_128),
    (36_236, 401, 1.472, 6_240_152),
    (36_236, 804, 3.703, 17_736_887),
    (90_800, 400, 3.825, 16_318_608),
    (90_800, 500, 5.017, 21_377_069),
    (90_800, 600, 6.469, 27_288_247),
    (90_800, 700, 8.112, 34_271_815),
    (90_800, 800, 9.874, 41_905_391),
    (87_878, 400, 1.893, 8_583_692),
    (87_878, 800, 3.157, 17_982_883),
    (69_451, 200, 2.203, 9_274_604),
    (69_451, 400, 4.597, 19_065_462),
    (871_414, 400, 13.876, 79_220_231),
    (871_414, 600, 17.985, 99_091_981),
    (1_087_716, 400, 14.860, 86_503_240),
    (1_087_716, 600, 18.656, 104_837_218),
    (1_765_388, 400, 23.110, 132_638_147),
    (1_765_388, 600, 29.532, 164_197_880),
];

/// The paper's seconds and points for a mesh of so many triangles at about so many cells, if it has them.
fn papers(row: &Row) -> Option<(f64, u64)> {
    let same = |&&(triangles, cells, ..): &&(usize, u32, f64, u64)| {
        triangles == row.triangles && cells.abs_diff(row.cells) <= 4
    };
    let found = PAPER.iter().find(same);
    found.map(|&(_, _, seconds, points)| (seconds, points))
}

/// A row for people. Errors are those from the mesh to the field's surface, the paper's.
pub fn line(row: &Row) -> String {
    let [x, y, z] = row.samples;
    let [search, splat, prism] = row.device_s;
    let reference = row
        .reference_s
        .map_or("-".to_owned(), |s| format!("{s:.2}"));
    let paper = papers(row).map_or("-".to_owned(), |(_, points)| points.to_string());
    let forward = row.errors[0];
    let cells = |metres: f64| metres * 1e3 / row.cell_mm;
    let [face, pseudonormal, robust] = row.wrong.map(|wrong| wrong.wrong);
    format!(
        "{:<12} {:>9}  {:>14}  {:>7.3}  {:>6.1}  {prepare:>9.2}  {search:>8.3}  {splat:>7.3}  {prism:>7.3}  {reference:>6}  {:>11}  {paper:>12}  \
         {:>6.3}  {:>7.5}  {:>9.3}  {:>10.5}  {face:>17}  {pseudonormal:>8}  {robust:>6}",
        row.mesh,
        row.triangles,
        format!("{x}x{y}x{z}"),
        row.cell_mm,
        row.bytes as f64 / 1e6,
        row.examined[1],
        forward.max * 1e3,
        forward.mean * 1e3,
        cells(forward.max),
        cells(forward.mean),
        prepare = row.prepare_s,
    )
}

/// All rows, with the device that filled them.
pub fn csv(device: &str, rows: &[Row]) -> String {
    let mut text = String::from(
        "device,mesh,triangles,closed,samples_x,samples_y,samples_z,cell_mm,bricks,bytes,prepare_s,search_s,splat_s,prism_s,reference_s,\
         examined_band,examined_diagonal,paper_s,paper_examined,forward_max_mm,forward_mean_mm,backward_max_mm,backward_mean_mm,judged,wrong_face,\
         wrong_pseudonormal,wrong_robust\n",
    );
    for row in rows {
        add_row(&mut text, device, row).expect("a string takes everything");
    }
    text
}

fn add_row(text: &mut String, device: &str, row: &Row) -> std::fmt::Result {
    let [x, y, z] = row.samples;
    write!(
        text,
        "{},{},{},{},{x},{y},{z},{},{},{},{}",
        crate::csv::quoted(device),
        crate::csv::quoted(&row.mesh),
        row.triangles,
        row.is_closed,
        row.cell_mm,
        row.bricks,
        row.bytes,
        row.prepare_s,
    )?;
    for ix in 0..METHODS.len() {
        write!(text, ",{}", row.device_s[ix])?;
    }
    let reference = row.reference_s.map_or(String::new(), |s| s.to_string());
    write!(text, ",{reference},{},{}", row.examined[0], row.examined[1])?;
    match papers(row) {
        Some((seconds, points)) => write!(text, ",{seconds},{points}")?,
        None => text.push_str(",,"),
    }
    for error in row.errors {
        write!(text, ",{},{}", error.max * 1e3, error.mean * 1e3)?;
    }
    let [face, pseudonormal, robust] = row.wrong;
    writeln!(
        text,
        ",{},{},{},{}",
        face.judged, face.wrong, pseudonormal.wrong, robust.wrong
    )
}
