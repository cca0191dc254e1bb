//! Compiles every shader below `glsl/` and writes `shaders.rs`: the SPIR-V with its interface, one constant a shader.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[path = "src/gpu/shader_compiler.rs"]
mod shader_compiler;

use shader_compiler::{Compiled, compile, stage_files};

fn main() {
    let root =
        PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("glsl");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    println!("cargo:rerun-if-changed=glsl");
    println!("cargo:rerun-if-changed=src/gpu/shader_compiler.rs");
    let mut code = String::new();
    let mut names = Vec::new();
    for path in stage_files(&root).expect("the folder glsl can be read") {
        let compiled = compile(&root, &path).unwrap_or_else(|message| {
            eprintln!("{message}");
            std::process::exit(1);
        });
        let name = path
            .strip_prefix(&root)
            .expect("it was found there")
            .display()
            .to_string();
        write_shader(&mut code, &out, &name, &compiled);
        names.push(constant_name(&name));
    }
    writeln!(
        code,
        "/// Every shader of the library.\npub const ALL: &[&Shader] = &["
    )
    .expect("strings take writes");
    for name in names {
        writeln!(code, "    &{name},").expect("strings take writes");
    }
    code.push_str("];\n");
    std::fs::write(out.join("shaders.rs"), code).expect("OUT_DIR can be written");
}

/// `radial/rasterise.vert` becomes `RADIAL_RASTERISE_VERT`.
fn constant_name(name: &str) -> String {
    name.replace(['/', '.'], "_").to_uppercase()
}

fn write_shader(code: &mut String, out: &Path, name: &str, compiled: &Compiled) {
    let file = format!("{}.spv", constant_name(name).to_lowercase());
    let bytes: Vec<u8> = compiled
        .spirv
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    std::fs::write(out.join(&file), bytes).expect("OUT_DIR can be written");
    let Compiled {
        push_constant_bytes,
        local_size,
        ..
    } = compiled;
    let bindings: String = compiled
        .bindings
        .iter()
        .map(|b| {
            format!(
                "Binding {{ number: {}, name: {:?}, kind: BindingKind::{:?} }}, ",
                b.number, b.name, b.kind
            )
        })
        .collect();
    let structs: String = compiled
        .structs
        .iter()
        .map(|s| {
            format!(
                "StructLayout {{ name: {:?}, members: &{:?} }}, ",
                s.name, s.members
            )
        })
        .collect::<String>()
        .replace(".to_string()", "");
    writeln!(
        code,
        "/// `glsl/{name}`\npub const {}: Shader = Shader {{ name: {name:?}, \
         spirv: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\")), bindings: &[{bindings}], \
         push_constant_bytes: {push_constant_bytes}, local_size: {local_size:?}, structs: &[{structs}] }};",
        constant_name(name)
    )
    .expect("strings take writes");
}
