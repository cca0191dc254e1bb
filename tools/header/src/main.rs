//! Makes the C header out of src/capi, or says whether it is out of date.
//!
//!     cargo run -p header             writes src/capi/radial_fields.h
//!     cargo run -p header -- --check  compares instead

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of src/capi that have something for C, in the order of the header.
const FILES: [&str; 9] = [
    "border",
    "host",
    "character",
    "garment",
    "settings",
    "solid",
    "frame",
    "world",
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

fn header(folder: &Path) -> Result<String, Box<dyn Error>> {
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
