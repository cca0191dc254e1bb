//! Writing results: checked before the work starts, whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Makes a folder and makes sure that files can be written there.
pub fn prepare_folder(folder: &Path) -> anyhow::Result<()> {
    let hint = || {
        format!(
            "cannot write to the folder {}: choose another",
            folder.display()
        )
    };
    fs::create_dir_all(folder).with_context(hint)?;
    let probe = folder.join(".radial_fields_probe");
    fs::write(&probe, []).with_context(hint)?;
    fs::remove_file(&probe).with_context(hint)
}

/// Makes sure that a file can be written where it is to go.
pub fn prepare_file(file: &Path) -> anyhow::Result<()> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => prepare_folder(folder),
        _ => Ok(()),
    }
}

/// Has `write` fill a file beside `file` and puts it in its place when it is whole.
pub fn write_whole(
    file: &Path,
    write: impl FnOnce(&Path) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let partial = partial_of(file);
    let written = write(&partial).and_then(|()| Ok(fs::rename(&partial, file)?));
    if written.is_err() {
        // Whatever is left of it is of no use; that it may be gone already is no fault.
        let _ = fs::remove_file(&partial);
    }
    written.with_context(|| format!("cannot write {}", file.display()))
}

/// Keeps the extension, which tells writers the format.
fn partial_of(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".partial-{name}"))
}
