//! Makes the C header out of src/capi, or says whether it is out of date.
//!
//!     cargo run -p header             writes src/capi/radial_fields.h
//!     cargo run -p header -- --check  compares instead

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of src/capi that have something for C, in the order of the header.
const FILES: [&str; 12] = [
    "border",
    "host",
    "character",
    "fields",
    "garment",
    "settings",
    "solid",
    "frame",
    "contents",
    "world",
    "edit",
    "times",
];

const OPENING: &str = "\
// The C interface of radial_fields. Made from src/capi by cbindgen: change it there, then `cargo run -p header`.
//
// Structs begin with struct_size, which the caller sets to sizeof the struct; fields that are not set otherwise should be
// zero. In arrays it is also the way from one struct to the next. Matrices are column after column. Functions may be called
// from any thread, but only one at a time may use a handle. Handles may be destroyed in any order: a world keeps copies of
// what it was given.
";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/capi");
    let path = folder.join("radial_fields.h");
    let header = header(&folder)?;
    if std::env::args().nth(1).as_deref() != Some("--check") {
        return Ok(fs::write(&path, header)?);
    }
    match fs::read_to_string(&path)? == header {
        true => Ok(()),
        false => Err("src/capi/radial_fields.h is out of date: cargo run -p header".into()),
    }
}

/// A file that the list has forgotten has functions that C does not see.
fn check_files(folder: &Path) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str());
        let is_listed = name.is_some_and(|name| FILES.contains(&name));
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        if is_source && !is_listed && fs::read_to_string(&path)?.contains("extern \"C\" fn") {
            let message = format!("{} has functions for C: add it to FILES", path.display());
            return Err(message.into());
        }
    }
    Ok(())
}

fn header(folder: &Path) -> Result<String, Box<dyn Error>> {
    check_files(folder)?;
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml"))?;
    let source = |file: &&str| -> PathBuf { folder.join(format!("{file}.rs")) };
    let builder = cbindgen::Builder::new()
        .with_config(config)
        .with_header(OPENING);
    let builder = FILES
        .iter()
        .map(source)
        .fold(builder, cbindgen::Builder::with_src);
    let mut text = Vec::new();
    builder.generate()?.write(&mut text);
    Ok(String::from_utf8(text)?)
}
