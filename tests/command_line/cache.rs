//! A damaged human is no dead end: the viewer takes the mannequin and says so, the maker makes it anew.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use radial_fields::avatar::cache::manifest::{Entry, Manifest};
use radial_fields::avatar::cache::{HUMAN_VERSION, HumanKind, human_folder_name};
use radial_fields::avatar::to_glb;

use crate::{Figure, SHORT, VIEWER, assert_done, folder, text};

/// A cache as the maker leaves it, with small figures. Returns the cache and the file of the usual human.
fn made(name: &str) -> (PathBuf, PathBuf) {
    let cache = folder(name);
    let human = cache.join(human_folder_name());
    std::fs::create_dir(&human).unwrap();
    let avatar = Figure::new([-0.3, 0.0, -0.2], [0.3, 1.8, 0.2]).avatar();
    let bytes = to_glb(&avatar);
    let mut characters = BTreeMap::new();
    for kind in HumanKind::ALL {
        std::fs::write(human.join(format!("{}.glb", kind.name())), &bytes).unwrap();
        characters.insert(kind.name().to_owned(), Entry::of(&avatar, &bytes));
    }
    let manifest = Manifest {
        characters,
        origin: "a test".to_owned(),
        version: HUMAN_VERSION,
    };
    let json = serde_json::to_vec(&manifest).unwrap();
    std::fs::write(human.join("manifest.json"), json).unwrap();
    (cache, human.join("male_low.glb"))
}

fn flip_a_bit(file: &Path) {
    let mut bytes = std::fs::read(file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(file, bytes).unwrap();
}

/// The maker where pip is missing: it comes as far as it can without the network.
fn make(cache: &Path) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools = cache.join("tools");
    let _ = std::fs::create_dir(&tools);
    let mut python = Command::new("sh");
    let found = python.args(["-c", "command -v python3"]).output().unwrap();
    let python = text(&found.stdout);
    let without_pip = format!(
        "#!/bin/sh\n[ \"$2\" = pip ] && exit 1\nexec '{}' \"$@\"\n",
        python.trim()
    );
    write_program(&tools.join("python3"), &without_pip);
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new("sh");
    command
        .arg(root.join("tools/make_human"))
        .env("RADIAL_FIELDS_CACHE", cache)
        .env("PATH", format!("{}:{path}", tools.display()));
    command.output().unwrap()
}

fn write_program(file: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(file, text).unwrap();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn view(cache: &Path) -> String {
    let mut command = Command::new(VIEWER);
    command
        .args(SHORT)
        .args(["--avatar", "human"])
        .env("RADIAL_FIELDS_CACHE", cache);
    let output = command.output().unwrap();
    assert_done(&output);
    text(&output.stderr)
}

#[test]
fn a_whole_human_is_left_alone() {
    let (cache, _) = made("whole");
    assert!(!view(&cache).contains("stands in"));
    let output = make(&cache);
    assert_done(&output);
    assert!(text(&output.stdout).contains("there already"));
}

#[test]
fn a_damaged_human_is_replaced_by_both() {
    let (cache, file) = made("damaged");
    flip_a_bit(&file);
    let said = view(&cache);
    for word in [
        "damaged",
        "changed since it was made",
        "tools/make_human",
        "the mannequin stands in",
    ] {
        assert!(said.contains(word), "{said}");
    }
    let output = make(&cache);
    let said = text(&output.stdout);
    assert!(said.contains("damaged (male_low.glb has changed"), "{said}");
    assert!(said.contains("making them anew"), "{said}");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is missing"));
    assert!(
        file.exists(),
        "what is there goes when there is something better"
    );
}

/// Earlier makers wrote no sums: their characters stay what they are.
#[test]
fn a_manifest_without_sums_is_none_the_worse() {
    let (cache, file) = made("sumless");
    let path = file.with_file_name("manifest.json");
    let mut manifest: Manifest = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    manifest
        .characters
        .values_mut()
        .for_each(|entry| entry.sum = None);
    let json = serde_json::to_string(&manifest).unwrap();
    assert!(!json.contains("crc32"));
    std::fs::write(&path, json).unwrap();
    assert!(!view(&cache).contains("stands in"));
    assert_done(&make(&cache));
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 8]).unwrap();
    assert!(view(&cache).contains("the mannequin stands in"));
    assert_eq!(make(&cache).status.code(), Some(2));
}
