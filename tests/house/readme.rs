//! The README's map of the tree is true.

use super::files::root;
use std::fs;

const TOP_FOLDERS: [&str; 6] = ["src", "glsl", "assets", "tests", "tools", "examples"];

/// The paths below our top folders that a text names in code spans and code blocks, patterns left out.
fn named_paths(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || "/._-*<>{},".contains(c);
    let words = text.split(|c: char| !is_part(c));
    words
        .map(|word| word.trim_end_matches(['.', ',', '/', '>']))
        .filter(|word| {
            word.split_once('/')
                .is_some_and(|(top, _)| TOP_FOLDERS.contains(&top))
        })
        .filter(|word| !word.contains(['*', '<', '{', ',']))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_path_the_readme_names_exists() {
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README.md");
    let paths = named_paths(&readme);
    let missing: Vec<_> = paths
        .iter()
        .filter(|path| !root().join(path).exists())
        .collect();
    assert!(
        missing.is_empty(),
        "the README names what isn't there: {missing:?}"
    );
    assert!(
        paths.iter().any(|path| path.starts_with("src/")),
        "the README has no map of src/"
    );
}

#[test]
fn every_module_folder_is_in_the_readme() {
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README.md");
    let paths = named_paths(&readme);
    for entry in fs::read_dir(root().join("src")).expect("there is a src") {
        let entry = entry.expect("it can be read");
        let name = format!("src/{}", entry.file_name().to_string_lossy());
        let is_named = paths
            .iter()
            .any(|path| *path == name || path.starts_with(&format!("{name}/")));
        assert!(
            !entry.path().is_dir() || is_named,
            "the README's map lacks {name}/"
        );
    }
}

#[test]
fn paths_are_found_in_prose_and_maps() {
    let text = "Read `src/frame.rs`, then\n    src/gpu/   Vulkan. See target/demo/, tools/demo. glsl/<folder>/x and src/bin/{a,b}/";
    assert_eq!(named_paths(text), ["src/frame.rs", "src/gpu", "tools/demo"]);
}

/// The Rust code of a text's fenced blocks, one string a block.
fn rust_blocks(text: &str) -> Vec<String> {
    let blocks = text.split("```rust\n").skip(1);
    blocks
        .filter_map(|rest| rest.split("```").next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_readme_shows_code_that_compiles() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("it is there");
    // What the crate's documentation shows is compiled as doctests.
    let documented: String = read("src/lib.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line)))
        .collect();
    let blocks = rust_blocks(&read("README.md"));
    assert!(!blocks.is_empty(), "the README shows no host");
    for block in blocks {
        assert!(
            documented.contains(&block),
            "the README's code is not that of src/lib.rs:\n{block}"
        );
    }
}

#[test]
fn blocks_of_rust_are_found() {
    let text = "Say\n```rust\nfn f() {}\n```\nor\n```text\nno\n```\n";
    assert_eq!(rust_blocks(text), ["fn f() {}\n"]);
}
