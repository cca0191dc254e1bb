//! What every shader says first, and what it may include.

use super::files::{TextFile, text_files};

/// The comment a file opens with, after `#version` if that comes first.
fn opening_comment(text: &str) -> String {
    let lines = text
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty() || line.starts_with("#version"));
    lines
        .take_while(|line| line.starts_with("//"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// What is wrong with the file's opening comment.
///
/// A compute shader says what it reads and writes. A vertex or fragment shader may leave out the one that goes without
/// saying: its position or its colour.
fn comment_fault(file: &TextFile) -> Option<String> {
    let comment = opening_comment(&file.text);
    if comment.len() < 20 {
        return Some(format!(
            "{}: open it with a comment that says what it is for",
            file.path
        ));
    }
    let said = ["Reads:", "Writes:"]
        .iter()
        .filter(|word| comment.contains(*word))
        .count();
    let wanted = match file.path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "comp" => 2,
        "vert" | "frag" => 1,
        _ => 0,
    };
    (said < wanted).then(|| {
        format!(
            "{}: its opening comment must say 'Reads: …' and 'Writes: …'",
            file.path
        )
    })
}

/// The includes that are neither the folder's own nor shared.
fn include_faults(file: &TextFile) -> Vec<String> {
    let own_folder = folder(&file.path);
    let included = file
        .text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("#include \"")?.split('"').next());
    included
        .filter(|name| {
            let folder = name
                .trim_start_matches("../")
                .split_once('/')
                .map_or(own_folder, |(folder, _)| folder);
            folder != own_folder && folder != "shared"
        })
        .map(|name| {
            format!(
                "{}: may not include {name}, only {own_folder}/ and shared/",
                file.path
            )
        })
        .collect()
}

/// `glsl/cloth/solve.comp` is in `cloth`.
fn folder(path: &str) -> &str {
    path.split('/').nth(1).unwrap_or_default()
}

#[test]
fn every_shader_says_what_it_does() {
    let files = text_files("glsl");
    assert!(!files.is_empty(), "no shaders");
    let faults: Vec<_> = files.iter().filter_map(comment_fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn shaders_include_their_own_folder_and_shared_only() {
    let faults: Vec<_> = text_files("glsl").iter().flat_map(include_faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_silent_or_nosy_shader_is_found() {
    let shader = |path: &str, text: &str| TextFile {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let good = "// Adds one to every number.\n// Reads: numbers. Writes: numbers.\n#version 460\n#include \"shared/a.glsl\"\n";
    assert_eq!(comment_fault(&shader("glsl/a/b.comp", good)), None);
    assert_eq!(
        comment_fault(&shader("glsl/a/b.comp", &format!("#version 460\n{good}"))),
        None
    );
    assert!(comment_fault(&shader("glsl/a/b.comp", "#version 460\nvoid main() {}")).is_some());
    assert!(comment_fault(&shader("glsl/a/b.comp", &good.replace("Writes:", "And"))).is_some());
    assert_eq!(
        comment_fault(&shader("glsl/a/b.vert", &good.replace("Writes:", "And"))),
        None
    );
    assert!(comment_fault(&shader("glsl/a/b.vert", &good.replace("s:", ""))).is_some());
    assert!(include_faults(&shader("glsl/a/b.comp", good)).is_empty());
    assert_eq!(
        include_faults(&shader("glsl/a/b.comp", "#include \"c/d.glsl\"")).len(),
        1
    );
    assert_eq!(
        include_faults(&shader("glsl/a/b.comp", "#include \"../c/d.glsl\"")).len(),
        1
    );
    assert_eq!(
        include_faults(&shader("glsl/a/b.comp", "#include \"d.glsl\"")).len(),
        0
    );
}
