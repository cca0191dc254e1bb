//! The rows as text and as CSV.

use std::fmt::Write as _;

use super::measure::{METHODS, Row};

pub const HEADER: &str = "\
mesh         triangles         samples  cell mm      MB  prepare s  search s  splat s  prism s  ref. s     examined  max mm  mean mm  max cells  mean cells  wrong signs: face  pseudon.  robust";

/// A row for people. Errors are those from the mesh to the field's surface, the paper's.
pub fn line(row: &Row) -> String {
    let [x, y, z] = row.samples;
    let [search, splat, prism] = row.device_s;
    let reference = row
        .reference_s
        .map_or("-".to_owned(), |s| format!("{s:.2}"));
    let forward = row.errors[0];
    let cells = |metres: f64| metres * 1e3 / row.cell_mm;
    let [face, pseudonormal, robust] = row.wrong.map(|wrong| wrong.wrong);
    format!(
        "{:<12} {:>9}  {:>14}  {:>7.3}  {:>6.1}  {prepare:>9.2}  {search:>8.3}  {splat:>7.3}  {prism:>7.3}  {reference:>6}  {:>11}  \
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
         examined_band,examined_diagonal,forward_max_mm,forward_mean_mm,backward_max_mm,backward_mean_mm,judged,wrong_face,\
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
