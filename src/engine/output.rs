//! Writing results: checked before the work starts, whole or not at all.
//!
//! A regular file is written beside its place and put there when it is whole. Links are followed: what they lead to is replaced, not they.
//! Devices and pipes are no places to put a file: they get the bytes as they come.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Why results cannot be written. The causes are in the sentences: none is a `source`, which would be printed twice.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    #[error("cannot write to the folder {}: {cause}; choose another", folder.display())]
    Folder { folder: PathBuf, cause: io::Error },
    #[error("cannot write {}: {cause}", file.display())]
    File {
        file: PathBuf,
        cause: Box<dyn Error + Send + Sync>,
    },
    #[error("{first} and {second} are the same file, {}: give another", file.display())]
    Same {
        first: &'static str,
        second: &'static str,
        file: PathBuf,
    },
}

/// Links followed before they count as a circle. Linux follows 40.
const MAX_LINKS: usize = 40;

/// Where the bytes for a path go.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// A regular file behind all links, which need not exist yet.
    File(PathBuf),
    /// A device, a pipe, or a descriptor of ours that has been given a path.
    Stream(PathBuf),
    /// Our standard output by another name: opened anew, two writers would overwrite each other.
    StandardOutput,
}

impl Place {
    fn of(file: &Path) -> Result<Self, OutputError> {
        Self::behind_links(file).map_err(|cause| refused(file, cause))
    }

    fn behind_links(file: &Path) -> io::Result<Self> {
        let mut path = file.to_owned();
        for _ in 0..MAX_LINKS {
            let kind = match fs::symlink_metadata(&path) {
                Ok(metadata) => metadata.file_type(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Self::File(path));
                }
                Err(error) => return Err(error),
            };
            if kind.is_file() {
                return Ok(Self::File(path));
            }
            if kind.is_dir() {
                return Err(io::Error::other("it is a folder: give a file in it"));
            }
            if !kind.is_symlink() {
                return Ok(Self::Stream(path));
            }
            let folder = fs::canonicalize(folder_of(&path))?;
            if folder.starts_with("/proc") {
                return Ok(Self::of_descriptor(&folder, &path));
            }
            path = folder.join(fs::read_link(&path)?);
        }
        Err(io::Error::other("its links lead round in a circle"))
    }

    /// Links of this kind lead to what is open, which may have no path.
    fn of_descriptor(folder: &Path, path: &Path) -> Self {
        let ours = fs::canonicalize("/proc/self/fd");
        let is_ours = ours.is_ok_and(|ours| ours == folder);
        if is_ours && path.ends_with("1") {
            Self::StandardOutput
        } else {
            Self::Stream(path.to_owned())
        }
    }

    /// Makes sure that it can be written, and makes its folder.
    fn prepare(&self, file: &Path) -> Result<(), OutputError> {
        match self {
            Self::File(path) => {
                may_replace(path).map_err(|cause| refused(file, cause))?;
                prepare_folder(folder_of(path))
            }
            // Opening a pipe waits for its reader.
            Self::Stream(path) if !is_pipe(path) => {
                let opened = OpenOptions::new().append(true).open(path);
                opened.map(drop).map_err(|cause| refused(file, cause))
            }
            Self::Stream(_) | Self::StandardOutput => Ok(()),
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::File(path) => replace(path, bytes),
            Self::Stream(path) => OpenOptions::new().append(true).open(path)?.write_all(bytes),
            Self::StandardOutput => {
                let mut out = io::stdout().lock();
                out.write_all(bytes)?;
                out.flush()
            }
        }
    }

    /// Whether two paths lead to one file.
    fn is_same_file(&self, other: &Self) -> bool {
        let (Self::File(one), Self::File(other)) = (self, other) else {
            return false;
        };
        let full = |path: &Path| {
            let folder = fs::canonicalize(folder_of(path)).ok()?;
            Some(folder.join(path.file_name()?))
        };
        full(one).is_some_and(|one| Some(one) == full(other))
    }
}

/// Makes a folder and makes sure that files can be written there.
///
/// # Errors
/// When they cannot.
pub fn prepare_folder(folder: &Path) -> Result<(), OutputError> {
    let probe = unfinished_in(folder);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&probe, []))
        .and_then(|()| fs::remove_file(&probe))
        .map_err(|cause| OutputError::Folder {
            folder: folder.to_owned(),
            cause,
        })
}

/// Makes sure that files can be written where they are to go, each to another place and none over what is read. All go by the names of
/// their flags.
///
/// # Errors
/// When one cannot, or two are the same.
pub fn prepare_files(
    written: &[(&'static str, &Path)],
    read: &[(&'static str, &Path)],
) -> Result<(), OutputError> {
    let place = |&(flag, file): &(&'static str, _)| Ok((flag, file, Place::of(file)?));
    let places: Vec<_> = written.iter().map(place).collect::<Result<_, _>>()?;
    for (_, file, place) in &places {
        place.prepare(file)?;
    }
    // A missing file is refused when it is read.
    let others = read.iter().filter_map(|known| place(known).ok());
    let others: Vec<_> = others.collect();
    for (ix, (second, file, place)) in places.iter().enumerate() {
        let mut earlier = others.iter().chain(&places[..ix]);
        if let Some((first, ..)) = earlier.find(|(.., other)| other.is_same_file(place)) {
            return Err(OutputError::Same {
                first,
                second,
                file: (*file).to_owned(),
            });
        }
    }
    Ok(())
}

/// Writes a file, which is whole afterwards or as it was before. A device or a pipe gets the bytes directly.
///
/// # Errors
/// When that fails. Nothing is left then.
pub fn write_whole(file: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let place = Place::of(file)?;
    place.write(bytes).map_err(|cause| refused(file, cause))
}

/// Writes a picture as PNG, as [`write_whole`] does.
///
/// # Errors
/// When that fails. Nothing is left then.
pub fn write_png(file: &Path, picture: &image::DynamicImage) -> Result<(), OutputError> {
    let mut bytes = io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .map_err(|cause| refused(file, cause))?;
    write_whole(file, bytes.get_ref())
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    may_replace(path)?;
    let unfinished = unfinished_in(folder_of(path));
    let put = || {
        fs::write(&unfinished, bytes)?;
        if let Ok(before) = fs::metadata(path) {
            fs::set_permissions(&unfinished, before.permissions())?;
        }
        fs::rename(&unfinished, path)
    };
    let written = put();
    if written.is_err() {
        // Whatever is left of it is of no use; that it may be gone already is no fault.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// A read-only file is not replaced either, though its folder would allow it.
fn may_replace(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.permissions().readonly() => {
            let text = "it is read-only; choose another, or make it writable";
            Err(io::Error::new(io::ErrorKind::PermissionDenied, text))
        }
        Ok(_) => OpenOptions::new().write(true).open(path).map(drop),
        Err(_) => Ok(()),
    }
}

/// A name that no other file of the folder has, even if other processes write there.
fn unfinished_in(folder: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!(".radial_fields_{}_{number}.partial", std::process::id());
    folder.join(name)
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().unwrap_or(path);
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

fn refused(file: &Path, cause: impl Into<Box<dyn Error + Send + Sync>>) -> OutputError {
    OutputError::File {
        file: file.to_owned(),
        cause: cause.into(),
    }
}
