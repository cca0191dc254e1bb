//! The compiled shaders in the repository are those of the sources: `tools/compile_shaders` writes them anew.

use std::fs;
use std::path::{Path, PathBuf};

use super::files::root;

#[path = "../../src/gpu/shader_package.rs"]
mod shader_package;

use shader_package::{LIST, Package, name_of, spirv_file, stage_files};

const HEADER: &str = "shared/structs.glsl";

fn package_folder() -> PathBuf {
    root().join("assets/spirv")
}

fn stale(sources: &Path, package: &Path) -> Vec<String> {
    let stale = Package::read(package).stale(sources);
    stale.expect("the sources can be read")
}

/// Every file below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files_below(&path),
            false => vec![path],
        })
        .collect()
}

/// A copy to be changed.
fn copy(from: &Path, name: &str) -> PathBuf {
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It is not there at first.
    let _ = fs::remove_dir_all(&to);
    for file in files_below(from) {
        let target = to.join(name_of(from, &file));
        fs::create_dir_all(target.parent().expect("it is in a folder")).expect("there is room");
        fs::copy(file, target).expect("there is room");
    }
    to
}

fn edit(file: &Path, change: impl Fn(String) -> String) {
    let text = fs::read_to_string(file).expect("it was copied");
    fs::write(file, change(text)).expect("it can be written");
}

#[test]
fn the_compiled_shaders_are_those_of_the_sources() {
    let stale = stale(&root().join("glsl"), &package_folder());
    assert!(stale.is_empty(), "run tools/compile_shaders: {stale:?}");
}

#[test]
fn no_compiled_shader_is_left_over() {
    let (sources, folder) = (root().join("glsl"), package_folder());
    let stages = stage_files(&sources).expect("the sources can be read");
    let mut wanted: Vec<_> = stages
        .iter()
        .map(|stage| spirv_file(&folder, &name_of(&sources, stage)))
        .chain([folder.join(LIST)])
        .collect();
    let mut found = files_below(&folder);
    wanted.sort();
    found.sort();
    assert_eq!(found, wanted);
}

#[test]
fn an_edited_source_makes_what_includes_it_stale() {
    let sources = copy(&root().join("glsl"), "edited_glsl");
    let stale = || stale(&sources, &package_folder());
    edit(&sources.join("cloth/solve.comp"), |text| text + "// more\n");
    assert_eq!(stale(), ["cloth/solve.comp"]);
    edit(&sources.join("cloth/solve.comp"), |text| {
        text.replace("// more\n", "")
    });
    // Git may change the ends of lines.
    edit(&sources.join(HEADER), |text| text.replace('\n', "\r\n"));
    assert!(stale().is_empty());
    edit(&sources.join(HEADER), |text| text + "// more\n");
    let stale = stale();
    // Through shared/particles.glsl as well.
    assert!(stale.contains(&"radial/collide.comp".to_owned()));
    assert!(!stale.contains(&"overlay/panels.vert".to_owned()));
}

#[test]
fn a_shader_that_came_or_went_is_noticed() {
    let sources = copy(&root().join("glsl"), "moved_glsl");
    let (old, new) = (
        sources.join("skin/bake.comp"),
        sources.join("skin/cook.comp"),
    );
    fs::rename(old, new).expect("it was copied");
    let stale = stale(&sources, &package_folder());
    assert_eq!(stale, ["skin/cook.comp", "skin/bake.comp"]);
}

#[test]
fn a_damaged_package_is_noticed() {
    let (sources, folder) = (
        root().join("glsl"),
        copy(&package_folder(), "damaged_spirv"),
    );
    fs::write(spirv_file(&folder, "skin/bake.comp"), b"none").expect("it can be written");
    edit(&folder.join(LIST), |text| {
        text.replace("overlay/panels.vert.spv", "overlay/panels.frag.spv")
    });
    assert_eq!(
        stale(&sources, &folder),
        ["overlay/panels.vert", "skin/bake.comp"]
    );
}

#[cfg(feature = "shader_compiler")]
mod compiled {
    use radial_fields::gpu::shader_compiler::compile;
    use radial_fields::gpu::shader_writer::write_package;

    use super::*;

    #[test]
    fn compiling_anew_gives_the_same_bytes() {
        let anew = copy(&package_folder(), "compiled_anew");
        fs::remove_dir_all(&anew).expect("it was copied");
        write_package(&root().join("glsl"), &anew, None).expect("the shaders compile");
        let names = |folder: &Path| {
            let mut names: Vec<_> = files_below(folder)
                .iter()
                .map(|file| name_of(folder, file))
                .collect();
            names.sort();
            names
        };
        assert_eq!(names(&anew), names(&package_folder()));
        let differs = |name: &String| {
            fs::read(anew.join(name)).ok() != fs::read(package_folder().join(name)).ok()
        };
        let different: Vec<_> = names(&anew).into_iter().filter(differs).collect();
        assert!(
            different.is_empty(),
            "run tools/compile_shaders: {different:?}"
        );
    }

    #[test]
    fn the_examples_shaders_are_those_of_its_sources() {
        let folder = root().join("examples/host_ash");
        for stage in stage_files(&folder).expect("the example is there") {
            let words = compile(&folder, &stage).expect("the shader compiles").spirv;
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let known = fs::read(spirv_file(&folder, &name_of(&folder, &stage)));
            assert!(
                known.is_ok_and(|known| known == bytes),
                "run tools/compile_shaders"
            );
        }
    }
}
