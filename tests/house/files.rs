//! The repository's own files.

use std::fs;
use std::path::{Path, PathBuf};

/// A text file of the repository.
#[derive(Debug)]
pub struct TextFile {
    /// From the repository's root, with forward slashes.
    pub path: String,
    pub text: String,
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every text file below a folder of the repository (`""` for all of it), sorted by path.
///
/// Leaves out what a build, git or an editor puts there: `target` and whatever is hidden, other than `.ci`.
pub fn text_files(folder: &str) -> Vec<TextFile> {
    let mut paths = Vec::new();
    collect(&root().join(folder), &mut paths);
    paths.sort();
    paths.iter().filter_map(|path| read(path)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry
            .expect("a folder of the repository can be read")
            .path();
        let name = path
            .file_name()
            .expect("it has a name")
            .to_string_lossy()
            .into_owned();
        let is_ours = name == ".ci" || !(name.starts_with('.') || name == "target");
        if is_ours && path.is_dir() {
            collect(&path, paths);
        } else if is_ours {
            paths.push(path);
        }
    }
}

/// Nothing for a binary file.
fn read(path: &Path) -> Option<TextFile> {
    let text = String::from_utf8(fs::read(path).ok()?).ok()?;
    let path = path
        .strip_prefix(root())
        .expect("it was found below the root");
    Some(TextFile {
        path: path.to_string_lossy().replace('\\', "/"),
        text,
    })
}
