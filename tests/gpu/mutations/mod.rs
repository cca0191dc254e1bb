//! The parity tests see what they are there to see: each of these one-place mistakes in a shader makes one of them fail.
//!
//! A mistake is put into the shader's source, compiled here and run instead of the library's own. With
//! `RADIAL_FIELDS_MUTATIONS` in the environment (part of a shader's name, to try out that shader's alone) and `--nocapture` the
//! test prints the table: the mistake, the file, and what the comparison that caught it said.

mod guards;
mod list;

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use radial_fields::gpu::{Shader, ShaderSource, shader_compiler, shaders};

use crate::fixture::{with_device, with_shaders};
use crate::{contact_crossings, crowd};

use self::guards::CLOTH;
use self::list::{MUTATIONS, Mutation, mutation};

/// A copy of the shaders with one mistake in it, gone when dropped.
struct MutatedSources(PathBuf);

impl MutatedSources {
    /// # Panics
    /// If the text to be mutated does not occur exactly once in its file.
    fn new(mutation: &Mutation) -> Self {
        static COPY_COUNT: AtomicU32 = AtomicU32::new(0);
        let copy_ix = COPY_COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = format!("radial_fields_mutation_{}_{copy_ix}", std::process::id());
        let copy = Self(std::env::temp_dir().join(folder));
        copy_folder(
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/glsl")),
            &copy.0,
        );
        copy.with(mutation)
    }

    /// # Panics
    /// As [`MutatedSources::new`].
    fn with(self, mutation: &Mutation) -> Self {
        let file = self.0.join(mutation.file);
        let source = fs::read_to_string(&file).expect("the mutation names a shader");
        mutation.assert_matches_once(&source);
        fs::write(&file, source.replace(mutation.right, mutation.wrong))
            .expect("a copy can be written");
        self
    }

    /// Whether a shader includes a file, itself or through another.
    fn includes(&self, shader: &str, file: &str) -> bool {
        let source = fs::read_to_string(self.0.join(shader)).expect("it was copied");
        let mut names = source.lines().filter_map(|line| {
            let name = line.strip_prefix("#include \"")?;
            name.strip_suffix('"')
        });
        names.any(|name| name == file || self.includes(name, file))
    }

    /// A shader's words, where it is the mutated file or includes it and the mistake changes it.
    fn compile(&self, shader: &Shader, file: &str) -> Option<Vec<u32>> {
        if shader.name != file && !self.includes(shader.name, file) {
            return None;
        }
        let compiled = shader_compiler::compile(&self.0, &self.0.join(shader.name))
            .unwrap_or_else(|error| panic!("a mutation must compile: {error}"));
        (compiled.spirv != shader.words()).then_some(compiled.spirv)
    }

    /// Whether the mistake changes any shader.
    fn change_any(&self, file: &str) -> bool {
        let is_changed = |shader: &&'static Shader| self.compile(shader, file).is_some();
        shaders::ALL.iter().any(is_changed)
    }

    /// Words for the shaders that are asked for, each compiled once.
    fn source(self, file: &'static str) -> Arc<ShaderSource> {
        let compiled = Mutex::new(BTreeMap::new());
        Arc::new(move |shader| {
            let mut compiled = compiled.lock().expect("a mutation compiles");
            let words = compiled.entry(shader.name);
            words.or_insert_with(|| self.compile(shader, file)).clone()
        })
    }
}

impl Drop for MutatedSources {
    fn drop(&mut self) {
        // It lies in the folder for what may be lost.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("there is room for a copy");
    for entry in fs::read_dir(from).expect("the shaders are there") {
        let path = entry.expect("the shaders are there").path();
        let target = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).expect("there is room for a copy");
        }
    }
}

/// Needs no device, so that a renamed variable in a shader is noticed at once.
#[test]
fn every_mutation_occurs_once_in_its_shader() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/glsl"));
    for mutation in MUTATIONS {
        let source = fs::read_to_string(folder.join(mutation.file));
        mutation.assert_matches_once(&source.expect("the mutation names a shader"));
        assert_ne!(mutation.right, mutation.wrong, "{}", mutation.name);
    }
}

#[test]
fn every_mistake_in_a_shader_is_caught() {
    let only = std::env::var("RADIAL_FIELDS_MUTATIONS").unwrap_or_default();
    let is_asked_for = |mutation: &&Mutation| mutation.file.contains(&only);
    let chosen: Vec<_> = MUTATIONS.iter().filter(is_asked_for).collect();
    assert!(!chosen.is_empty(), "no shader's name has {only}");
    let (left, missed) = (Mutex::new(chosen), Mutex::new(Vec::new()));
    let take = || left.lock().expect("no mutation failed").pop();
    let try_out = || {
        while let Some(mutation) = take() {
            if let Err(why) = noticed(mutation) {
                let Mutation {
                    name, file, guard, ..
                } = mutation;
                let text = format!("{name} in {file} by {}: {why}", guard.name);
                missed.lock().expect("no mutation failed").push(text);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(8));
    // Threads of their own: what stands in for shaders is of a thread.
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(try_out);
        }
    });
    let missed = missed.into_inner().expect("no mutation failed");
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}

/// Nothing where the comparison that is to see a mistake does, else why not: it saw nothing, or broke off. Prints a row of the table
/// where that is asked for; in a failure's output the table would bury what failed.
fn noticed(mutation: &Mutation) -> Result<(), String> {
    let Mutation {
        name, file, guard, ..
    } = mutation;
    let source = MutatedSources::new(mutation).source(file);
    let mut outcome = Ok(());
    let compared = catch_unwind(AssertUnwindSafe(|| {
        with_device(|device| outcome = with_shaders(source, || (guard.check)(device)));
    }));
    compared.map_err(|_| "it panics, as said above".to_owned())?;
    let Err(said) = outcome else {
        return Err("nothing noticed".to_owned());
    };
    if std::env::var_os("RADIAL_FIELDS_MUTATIONS").is_some() {
        println!("| {name} | {file} | {} | {said} |", guard.name);
    }
    Ok(())
}

/// A list that never holds sends every group to all fields of the bodies nearby, or with nothing near to all there are.
#[test]
fn lists_of_candidates_and_searches_of_all_fields_give_the_same_bits() {
    const FILE: &str = "shared/candidates.glsl";
    let listed = "return count <= MAX_CANDIDATES && any_escaped == 0;";
    let near = "return candidate_groups[group_ix].range_count <= MAX_RANGES";
    let no_lists = mutation("no lists", CLOTH, FILE, listed, "return false;");
    let mut searched = vec![MutatedSources::new(&no_lists)];
    let nothing_near = mutation("nothing near", CLOTH, FILE, near, "return false");
    searched.push(MutatedSources::new(&no_lists).with(&nothing_near));
    with_device(|device| {
        let listed = crowd::run_alone(device);
        for sources in searched {
            assert!(sources.change_any(FILE));
            let found = with_shaders(sources.source(FILE), || crowd::run_among(device));
            assert!(found == listed, "a list or a body leaves a field out");
        }
    });
}

/// Where pairs of tiles find no room, every tile is searched by itself.
#[test]
fn lists_of_what_cloth_meets_are_the_same_whether_pairs_of_tiles_have_room_or_not() {
    const FILE: &str = "cloth/contact_tile_pairs.comp";
    let (room, none) = ("first_pair + i < tile_pairs.length()", "first_pair + i < 3");
    let no_room = mutation("no room", CLOTH, FILE, room, none);
    with_device(|device| {
        let with_room = contact_crossings::lists_of_clouds(device);
        let sources = MutatedSources::new(&no_room);
        assert!(sources.change_any(FILE));
        let without = with_shaders(sources.source(FILE), || {
            contact_crossings::lists_of_clouds(device)
        });
        assert!(with_room == without, "what finds no room is lost");
    });
}

#[test]
fn sources_without_a_mistake_give_the_shaders_that_were_built() {
    let line = "vec2 direction_of(float revolution) {";
    let none = mutation("none", CLOTH, "shared/cylinder.glsl", line, line);
    let sources = MutatedSources::new(&none);
    let differs = |shader: &&&'static Shader| sources.compile(shader, none.file).is_some();
    let names: Vec<_> = shaders::ALL
        .iter()
        .filter(differs)
        .map(|shader| shader.name)
        .collect();
    assert!(names.is_empty(), "{names:?} differ");
}
