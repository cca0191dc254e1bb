//! `bench field`: signed distance fields of rigid meshes, the columns of the distance-field paper's Table 1 and how good each is.

mod measure;
mod mesh;
mod table;

use radial_fields::engine::output::{prepare_files, write_whole};
use radial_fields::remark;

use crate::Verdict;
use crate::cli::FieldFlags;
use crate::opened::Opened;
use measure::{Bench, Row};
use mesh::NamedMesh;

/// Runs what the flags ask for. Faulty if a closed mesh has a wrong sign, or validation spoke up.
pub fn run(flags: &FieldFlags) -> anyhow::Result<Verdict> {
    let written: Vec<_> = flags
        .csv
        .iter()
        .map(|file| ("--csv", file.as_path()))
        .collect();
    let read: Vec<_> = flags
        .mesh
        .iter()
        .map(|file| ("--mesh", file.as_path()))
        .collect();
    prepare_files(&written, &read)?;
    let meshes = NamedMesh::load_all(flags)?;
    let opened = Opened::new(c"bench field", &flags.device)?;
    let device = &opened.device;
    let mut bench = Bench::new(device, flags)?;
    let mut rows: Vec<Row> = Vec::new();
    println!("{}", table::HEADER);
    for mesh in &meshes {
        remark!("bench: {}", mesh.description());
        for &cells in &flags.cells {
            let row = bench.measure(mesh, cells)?;
            println!("{}", table::line(&row));
            rows.push(row);
        }
    }
    if let Some(file) = &flags.csv {
        write_whole(file, table::csv(&device.info.name, &rows).as_bytes())?;
    }
    Ok(opened.verdict(rows.iter().all(Row::is_sound)))
}
