//! Writing results: checked before the work starts, whole or not at all.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why results cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    #[error("cannot write to the folder {}: {source}; choose another", folder.display())]
    Folder { folder: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", file.display())]
    File {
        file: PathBuf,
        source: Box<dyn Error + Send + Sync>,
    },
}

/// Makes a folder and makes sure that files can be written there.
///
/// # Errors
/// When they cannot.
pub fn prepare_folder(folder: &Path) -> Result<(), OutputError> {
    // Programs that run at the same time must not remove each other's.
    let probe = folder.join(format!(".radial_fields_probe_{}", std::process::id()));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&probe, []))
        .and_then(|()| fs::remove_file(&probe))
        .map_err(|source| OutputError::Folder {
            folder: folder.to_owned(),
            source,
        })
}

/// Makes sure that a file can be written where it is to go.
///
/// # Errors
/// When it cannot.
pub fn prepare_file(file: &Path) -> Result<(), OutputError> {
    if file.is_dir() {
        return Err(OutputError::File {
            file: file.to_owned(),
            source: "it is a folder".into(),
        });
    }
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => prepare_folder(folder),
        _ => Ok(()),
    }
}

/// Has `write` fill a file beside `file` and puts it in its place when it is whole.
///
/// # Errors
/// That of `write`, or of putting it there. Nothing is left then.
pub fn write_whole<E: Into<Box<dyn Error + Send + Sync>>>(
    file: &Path,
    write: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), OutputError> {
    let partial = partial_of(file);
    let written = write(&partial)
        .map_err(Into::into)
        .and_then(|()| Ok(fs::rename(&partial, file)?));
    if written.is_err() {
        // Whatever is left of it is of no use; that it may be gone already is no fault.
        let _ = fs::remove_file(&partial);
    }
    written.map_err(|source| OutputError::File {
        file: file.to_owned(),
        source,
    })
}

/// Keeps the extension, which tells writers the format.
fn partial_of(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".partial-{name}"))
}
