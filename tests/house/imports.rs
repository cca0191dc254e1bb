//! Data flows one way through the modules, and so do imports.

use super::files::{TextFile, text_files};
use super::source::{references, without_comments_and_strings};

/// The modules data flows through, from the left to the right. Each knows only those to its left.
const FLOW: [&str; 8] = [
    "avatar", "pose", "skin", "solid", "collide", "cloth", "render", "overlay",
];

/// What every module may know; they know only each other.
const VOCABULARY: [&str; 3] = ["gpu", "math", "stage"];

/// What stands on top and may know everything: the public API, its host, and the programs' share.
const TOP: [&str; 10] = [
    "lib", "glossary", "capi", "host", "frame", "world", "engine", "scenes", "oracle", "bin",
];

/// What draws any technique without naming it.
const DRAWING: [&str; 2] = ["render", "overlay"];

/// The modules that the file's code is in: `src/collide/radial/mod.rs` is `collide`, `radial`.
fn module_path(path: &str) -> Vec<String> {
    let path = path
        .trim_start_matches("src/")
        .trim_end_matches(".rs")
        .trim_end_matches("/mod");
    path.split('/').map(str::to_owned).collect()
}

fn may_import(from: &str, to: &str) -> bool {
    let place = |module: &str| FLOW.iter().position(|&m| m == module);
    if from == to || TOP.contains(&from) || VOCABULARY.contains(&to) {
        return true;
    }
    matches!((place(from), place(to)), (Some(from), Some(to)) if to < from)
}

/// Each import of the file that goes the wrong way, in words.
fn faults(file: &TextFile, techniques: &[String]) -> Vec<String> {
    let from = module_path(&file.path);
    let code = without_comments_and_strings(&file.text);
    let fault = |to: &[String]| {
        let module = to.first()?;
        let is_known = [&FLOW[..], &VOCABULARY, &TOP]
            .concat()
            .contains(&module.as_str());
        if is_known && !may_import(&from[0], module) {
            return Some(format!(
                "{}: {} may not know {}",
                file.path,
                from[0],
                to.join("::")
            ));
        }
        let technique = |path: &[String]| {
            path.get(1)
                .filter(|name| path[0] == "collide" && techniques.contains(name))
                .cloned()
        };
        if let (Some(named), true) = (technique(to), DRAWING.contains(&from[0].as_str())) {
            return Some(format!("{}: drawing names technique {named}", file.path));
        }
        match (technique(&from), technique(to)) {
            (Some(own), Some(other)) if own != other => Some(format!(
                "{}: technique {own} may not know {}",
                file.path,
                to.join("::")
            )),
            _ => None,
        }
    };
    references(&code, &from)
        .iter()
        .filter_map(|to| fault(to))
        .collect()
}

/// The folders of `src/collide` that have a `detector.rs`.
fn techniques(files: &[TextFile]) -> Vec<String> {
    let folder = |file: &TextFile| {
        let inside = file.path.strip_prefix("src/collide/")?;
        inside.strip_suffix("/detector.rs").map(str::to_owned)
    };
    let mut folders: Vec<_> = files.iter().filter_map(folder).collect();
    folders.dedup();
    folders
}

#[test]
fn imports_go_one_way() {
    let files = text_files("src");
    let techniques = techniques(&files);
    assert!(!techniques.is_empty(), "no technique in src/collide");
    let faults: Vec<_> = files
        .iter()
        .flat_map(|file| faults(file, &techniques))
        .collect();
    assert!(
        faults.is_empty(),
        "{}\nData flows {}",
        faults.join("\n"),
        FLOW.join(" → ")
    );
}

/// Each place where a file that is not there to judge takes something from a CPU twin, in words.
fn uses_of_twins(file: &TextFile) -> Vec<String> {
    let from = module_path(&file.path);
    let is_judge = |module: &String| ["twin", "study", "bench"].contains(&module.as_str());
    if from.iter().any(is_judge) {
        return Vec::new();
    }
    let code = without_comments_and_strings(&file.text);
    let code = code.replace("radial_fields::", "crate::");
    let found = references(&code, &from);
    let twins = found.iter().filter(|to| to.iter().any(|m| m == "twin"));
    twins
        .map(|to| format!("{}: takes {} from a twin", file.path, to.join("::")))
        .collect()
}

/// Each twin that is in a build without the feature `reference`, in words.
fn twins_in_every_build(file: &TextFile) -> Vec<String> {
    let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
    let is_twin = |line: &str| line.ends_with("mod twin;");
    let bare = lines.iter().enumerate().filter(|&(ix, line)| {
        is_twin(line) && (ix == 0 || lines[ix - 1] != "#[cfg(feature = \"reference\")]")
    });
    bare.map(|(_, line)| format!("{}: {line} is in every build", file.path))
        .collect()
}

#[test]
fn twins_are_there_to_judge_only() {
    let files = text_files("src");
    let faults: Vec<_> = files
        .iter()
        .flat_map(|file| [uses_of_twins(file), twins_in_every_build(file)].concat())
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_twin_in_use_is_found() {
    let file = |path: &str, text: &str| TextFile {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let uses = |path, text| uses_of_twins(&file(path, text)).len();
    let constant = "use super::twin::update::MIN_FACING;";
    assert_eq!(uses("src/collide/radial/pipelines.rs", constant), 1);
    assert_eq!(uses("src/collide/radial/study/rays.rs", constant), 0);
    let import = "use radial_fields::cloth::{Cloth, twin::Twin};";
    assert_eq!(uses("src/bin/viewer/main.rs", import), 1);
    let ungated = "#[cfg(feature = \"rivals\")]\npub mod twin;\nmod gpu;\n";
    assert_eq!(
        twins_in_every_build(&file("src/cloth/mod.rs", ungated)).len(),
        1
    );
    let gated = ungated.replace("rivals", "reference");
    assert_eq!(
        twins_in_every_build(&file("src/cloth/mod.rs", &gated)),
        [""; 0]
    );
}

#[test]
fn every_module_has_its_place() {
    for file in text_files("src") {
        let module = &module_path(&file.path)[0];
        let is_known = [&FLOW[..], &VOCABULARY, &TOP]
            .concat()
            .contains(&module.as_str());
        assert!(
            is_known,
            "{}: say where {module} stands in tests/house/imports.rs",
            file.path
        );
    }
}

#[test]
fn a_wrong_import_is_found() {
    let techniques = ["radial", "bvh"].map(str::to_owned);
    let faults_of = |path: &str, text: &str| {
        let (path, text) = (path.to_owned(), text.to_owned());
        faults(&TextFile { path, text }, &techniques).len()
    };
    assert_eq!(
        faults_of("src/pose/mod.rs", "use crate::avatar::Avatar;"),
        0
    );
    assert_eq!(
        faults_of("src/pose/mod.rs", "use crate::{avatar::Avatar, cloth};"),
        1
    );
    assert_eq!(faults_of("src/math/affine.rs", "use crate::pose::Pose;"), 1);
    assert_eq!(
        faults_of("src/gpu/mod.rs", "fn f(host: &crate::host::Host) {}"),
        1
    );
    assert_eq!(
        faults_of("src/collide/radial/mod.rs", "use super::bvh::Tree;"),
        1
    );
    assert_eq!(
        faults_of(
            "src/collide/radial/twin/mod.rs",
            "use crate::collide::{bvh, response};"
        ),
        1
    );
    assert_eq!(
        faults_of(
            "src/collide/radial/mod.rs",
            "use super::response::Response;"
        ),
        0
    );
    assert_eq!(
        faults_of(
            "src/collide/mod.rs",
            "use self::bvh::Tree; use crate::collide::radial::Field;"
        ),
        0
    );
    assert_eq!(
        faults_of("src/oracle/mod.rs", "use crate::render::View;"),
        0
    );
}
