//! The page that shows how to add a technique is of the source as it is.

use std::io::Write;
use std::process::{Command, Stdio};

const PAGE: &str = include_str!("../../src/collide/adding_a_technique.md");

/// The page's diff.
fn diff() -> &'static str {
    let (_, diff) = PAGE.split_once("```diff\n").expect("the page has a diff");
    let (diff, _) = diff.split_once("```\n").expect("the diff ends");
    diff
}

/// Whether git would apply a diff to the source; changes nothing.
fn applies(diff: &str) -> bool {
    let mut git = Command::new("git")
        .args(["apply", "--check", "-"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .spawn()
        .expect("git is there");
    let mut input = git.stdin.take().expect("it is piped");
    input.write_all(diff.as_bytes()).expect("git reads");
    drop(input);
    git.wait().expect("git ends").success()
}

#[test]
fn the_technique_of_the_page_can_be_added() {
    assert!(
        applies(diff()),
        "make the diff of src/collide/adding_a_technique.md anew"
    );
}

#[test]
fn a_page_of_other_source_is_noticed() {
    let other = diff().replace(" techniques! { $\n", " methods! { $\n");
    let other = other.replace(
        " #[cfg(feature = \"rivals\")]\n",
        " #[cfg(feature = \"rival\")]\n",
    );
    assert!(!applies(&other));
}

/// Every other line that starts with a plus or a minus lies in a file of the technique's own.
#[test]
fn besides_its_own_folders_it_adds_a_line_to_each_of_two_lists() {
    let mut added = Vec::new();
    let mut file = "";
    for line in diff().lines() {
        if let Some(name) = line.strip_prefix("+++ b/") {
            file = name;
        } else if !line.starts_with("--- ") && line.starts_with(['+', '-']) {
            added.push((file, &line[..1]));
        }
    }
    added.retain(|(file, _)| !file.contains("/joint_spheres/"));
    let lists = [
        ("src/collide/mod.rs", "+"),
        ("src/collide/technique.rs", "+"),
    ];
    assert_eq!(added, lists);
}
