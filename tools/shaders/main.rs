//! Run by tools/compile_shaders: writes the SPIR-V that lies in the repository.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use radial_fields::gpu::shader_compiler::compile;
use radial_fields::gpu::shader_package::{LIST, name_of, spirv_file, stage_files};
use radial_fields::gpu::shader_writer::write_package;

fn main() -> ExitCode {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let written = write_all(repository);
    written.map_or_else(
        |message| {
            eprintln!("compile_shaders: {message}");
            ExitCode::from(2)
        },
        |()| ExitCode::SUCCESS,
    )
}

fn write_all(repository: &Path) -> Result<(), String> {
    let (root, folder) = (repository.join("glsl"), repository.join("assets/spirv"));
    write_package(&root, &folder, None)?;
    let stages = stage_files(&root).map_err(|error| error.to_string())?;
    let kept: Vec<PathBuf> = stages
        .iter()
        .map(|stage| spirv_file(&folder, &name_of(&root, stage)))
        .chain([folder.join(LIST)])
        .collect();
    remove_others(&folder, &kept).map_err(|error| error.to_string())?;
    write_beside(&repository.join("examples/host_ash"))
}

/// Takes away the SPIR-V of shaders that are gone.
fn remove_others(folder: &Path, kept: &[PathBuf]) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, kept)?;
        } else if !kept.contains(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// An example's own shaders lie beside their SPIR-V.
fn write_beside(folder: &Path) -> Result<(), String> {
    for file in stage_files(folder).map_err(|error| error.to_string())? {
        let words = compile(folder, &file)?.spirv;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let to = spirv_file(folder, &name_of(folder, &file));
        fs::write(&to, bytes).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    Ok(())
}
