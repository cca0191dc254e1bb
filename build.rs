//! Says where the compiled shaders are: in `assets/spirv`, where they were compiled from what lies in `glsl`. If not, compiles
//! those that were edited, where the feature `shader_compiler` is on, and gives up with the way out where it is not.

use std::path::{Path, PathBuf};

#[cfg(feature = "shader_compiler")]
#[path = "src/gpu/shader_compiler.rs"]
mod shader_compiler;
#[path = "src/gpu/shader_package.rs"]
mod shader_package;
#[cfg(feature = "shader_compiler")]
#[path = "src/gpu/shader_writer.rs"]
mod shader_writer;

use shader_package::{LIST, Package};

fn main() {
    for path in ["glsl", "assets/spirv"] {
        println!("cargo:rerun-if-changed={path}");
    }
    for file in ["compiler", "package", "writer"] {
        println!("cargo:rerun-if-changed=src/gpu/shader_{file}.rs");
    }
    match shaders() {
        Ok(list) => println!("cargo:rustc-env=RADIAL_FIELDS_SHADERS={}", list.display()),
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(1);
        }
    }
}

/// The list of a package that belongs to the sources.
fn shaders() -> Result<PathBuf, String> {
    let crate_folder = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let root = crate_folder.join("glsl");
    let package = Package::read(&crate_folder.join("assets/spirv"));
    let stale = package.stale(&root).map_err(|error| error.to_string())?;
    if stale.is_empty() {
        return Ok(package.folder.join(LIST));
    }
    compile(&root, &package, &stale)
}

#[cfg(feature = "shader_compiler")]
fn compile(root: &Path, package: &Package, _: &[String]) -> Result<PathBuf, String> {
    let folder = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    shader_writer::write_package(root, &folder, Some(package))?;
    Ok(folder.join(LIST))
}

#[cfg(not(feature = "shader_compiler"))]
fn compile(_: &Path, _: &Package, stale: &[String]) -> Result<PathBuf, String> {
    Err(format!(
        "glsl was edited after assets/spirv was compiled: {}.\n\
         While you edit shaders, build with `--features shader_compiler`, which compiles them; when you are done, \
         tools/compile_shaders writes assets/spirv anew.",
        stale.join(", ")
    ))
}
