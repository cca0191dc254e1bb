//! Compiles the shaders into a package: a folder of SPIR-V with a list that says what it holds.
//!
//! Shared by the build script and `tools/compile_shaders`.

use std::fs;
use std::path::Path;

use super::shader_compiler::{Compiled, compile};
use super::shader_package::{
    LIST, Package, content_fingerprint, name_of, source_fingerprint, spirv_file, stage_files,
};

const OPENING: &str = "\
// The shaders' interfaces, and their SPIR-V beside this file. Compiled from glsl by tools/compile_shaders: change them there.
";

/// A shader on its way into a package.
struct Made {
    name: String,
    entry: String,
    spirv: Vec<u8>,
}

/// Writes a package of every shader below `root` into `folder`. Takes from `earlier` what is fresh there, and compiles the
/// rest. The same sources give the same bytes; nothing is written unless all compile.
///
/// # Errors
/// What the compiler says of a source, or why a file cannot be read or written.
pub fn write_package(root: &Path, folder: &Path, earlier: Option<&Package>) -> Result<(), String> {
    let files = stage_files(root).map_err(|error| error.to_string())?;
    let names = files.iter().map(|file| name_of(root, file));
    let made: Vec<Made> = names
        .map(|name| make(root, name, earlier))
        .collect::<Result<_, _>>()?;
    for Made { name, spirv, .. } in &made {
        write(&spirv_file(folder, name), spirv)?;
    }
    write(&folder.join(LIST), list(&made).as_bytes())
}

fn make(root: &Path, name: String, earlier: Option<&Package>) -> Result<Made, String> {
    let from = source_fingerprint(root, &name).map_err(|error| error.to_string())?;
    if let Some((package, known)) =
        earlier.and_then(|package| Some((package, package.fresh(&name, from)?)))
    {
        let file = spirv_file(&package.folder, &name);
        let spirv = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let entry = entry_text(&name, from, &known.code, &spirv);
        return Ok(Made { name, entry, spirv });
    }
    let compiled = compile(root, &root.join(&name))?;
    let words = compiled.spirv.iter();
    let spirv: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
    let entry = entry_text(&name, from, &code(&name, &compiled), &spirv);
    Ok(Made { name, entry, spirv })
}

/// Leaves a file alone that has these bytes, so that nothing is built anew for it.
fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    if fs::read(file).is_ok_and(|known| known == bytes) {
        return Ok(());
    }
    let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
    folder
        .and_then(|()| fs::write(file, bytes))
        .map_err(|error| format!("{}: {error}", file.display()))
}

fn list(made: &[Made]) -> String {
    let entries: String = made
        .iter()
        .map(|made| format!("\n{}\n", made.entry))
        .collect();
    let names: String = made
        .iter()
        .map(|made| format!("    &{},\n", constant_name(&made.name)))
        .collect();
    format!(
        "{OPENING}{entries}\n/// Every shader of the library.\npub const ALL: &[&Shader] = &[\n{names}];\n"
    )
}

/// What `read_entry` of shader_package.rs reads.
fn entry_text(name: &str, from: u64, code: &str, spirv: &[u8]) -> String {
    let content = content_fingerprint(code, spirv);
    format!("/// `glsl/{name}`\n// from {from:016x}, content {content:016x}\n{code}")
}

/// `radial/rasterise.vert` becomes `RADIAL_RASTERISE_VERT`.
fn constant_name(name: &str) -> String {
    name.replace(['/', '.'], "_").to_uppercase()
}

fn code(name: &str, compiled: &Compiled) -> String {
    let Compiled {
        push_constant_bytes,
        local_size,
        shared_bytes,
        ..
    } = compiled;
    format!(
        "pub const {}: Shader = Shader {{\n    name: {name:?},\n    spirv: include_bytes!(\"{name}.spv\"),\n    \
         bindings: &[{}],\n    push_constant_bytes: {push_constant_bytes},\n    local_size: {local_size:?},\n    \
         shared_bytes: {shared_bytes},\n    structs: &[{}],\n}};",
        constant_name(name),
        bindings(compiled),
        structs(compiled)
    )
}

fn bindings(compiled: &Compiled) -> String {
    let binding = compiled.bindings.iter().map(|b| {
        let (number, name, kind) = (b.number, &b.name, b.kind);
        format!("Binding {{ number: {number}, name: {name:?}, kind: BindingKind::{kind:?} }}")
    });
    binding.collect::<Vec<_>>().join(", ")
}

fn structs(compiled: &Compiled) -> String {
    let layout = compiled.structs.iter().map(|s| {
        let (name, members) = (&s.name, &s.members);
        format!("StructLayout {{ name: {name:?}, members: &{members:?} }}")
    });
    layout.collect::<Vec<_>>().join(", ")
}
