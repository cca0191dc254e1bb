//! What no file of the repository may say.

use super::files::{TextFile, text_files};

/// The longest file of code a reader is asked to hold in mind.
const MAX_LINES: usize = 600;

/// Marks of unfinished work, in two halves so that this file has none.
const UNFINISHED: [(&str, &str); 6] = [
    ("TO", "DO"),
    ("FIX", "ME"),
    ("to", "do!("),
    ("unimpl", "emented!("),
    ("db", "g!("),
    ("#[ign", "ore"),
];

/// Where people's and build machines' own files lie. A path into them works on one machine only.
const MACHINE_FOLDERS: [&str; 6] = ["root", "home", "Users", "work", "farm", "tmp"];

fn is_code(file: &TextFile) -> bool {
    file.path.ends_with(".rs") || file.path.starts_with("glsl/")
}

/// An absolute path into one of the machine's folders: `/`, its name, `/`, where no path or URL goes on before.
fn machine_path(line: &str) -> Option<String> {
    MACHINE_FOLDERS
        .iter()
        .map(|folder| format!("/{folder}/"))
        .find(|path| {
            line.match_indices(path.as_str()).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || "._-~}*)/".contains(c))
            })
        })
}

fn unfinished_mark(line: &str) -> Option<String> {
    UNFINISHED
        .iter()
        .map(|(first, second)| format!("{first}{second}"))
        .find(|mark| line.contains(mark))
}

fn faults(file: &TextFile) -> Vec<String> {
    let numbered = file.text.lines().enumerate();
    numbered
        .flat_map(|(ix, line)| {
            let mark = unfinished_mark(line).filter(|_| is_code(file));
            machine_path(line)
                .into_iter()
                .chain(mark)
                .map(move |what| (ix, what))
        })
        .map(|(ix, what)| format!("{}:{}: {what}", file.path, ix + 1))
        .collect()
}

#[test]
fn no_file_names_one_machine_or_is_unfinished() {
    let ours = text_files("")
        .into_iter()
        .filter(|file| !file.path.ends_with("Cargo.lock"));
    let faults: Vec<_> = ours.flat_map(|file| faults(&file)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn files_fit_in_a_head() {
    let written = |file: &TextFile| is_code(file) && !file.path.starts_with("assets/");
    let code = text_files("").into_iter().filter(written);
    let long: Vec<_> = code
        .map(|file| (file.text.lines().count(), file.path))
        .filter(|&(line_count, _)| line_count > MAX_LINES)
        .map(|(line_count, path)| format!("{path} has {line_count} lines, split it by noun"))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn a_machine_path_and_a_mark_are_found() {
    let path = |name: &str| format!("see /{name}/someone/file");
    assert!(
        MACHINE_FOLDERS
            .iter()
            .all(|folder| machine_path(&path(folder)).is_some())
    );
    assert_eq!(
        machine_path(&format!(
            "https://example.org/{}/page and target/{}/file",
            MACHINE_FOLDERS[3], MACHINE_FOLDERS[5]
        )),
        None
    );
    assert_eq!(machine_path("/usr/share/vulkan, $HOME/.cache"), None);
    let mark = format!("// {}{}: later", UNFINISHED[0].0, UNFINISHED[0].1);
    let file = |path: &str| TextFile {
        path: path.to_owned(),
        text: format!("one\n{mark}\n"),
    };
    assert_eq!(faults(&file("src/lib.rs")).len(), 1);
    assert_eq!(faults(&file("NOTES.md")).len(), 0);
}
