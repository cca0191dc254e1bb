//! The compiled shaders that lie in `assets/spirv`, and whether they are those of `glsl`.
//!
//! `shaders.rs` there has one entry per shader stage: its interface as Rust, and two fingerprints, one of the sources it was
//! compiled from, one of the entry with its SPIR-V. Knows no compiler: the build script and the tests share this file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The list of a package.
pub const LIST: &str = "shaders.rs";

/// Which options a shader is compiled with, and how its entry is written, is part of what it is made from.
const MAKER: [&str; 2] = [
    include_str!("shader_compiler.rs"),
    include_str!("shader_writer.rs"),
];

/// A folder of compiled shaders.
pub struct Package {
    pub folder: PathBuf,
    /// By the path of the source below the shader folder.
    entries: BTreeMap<String, Entry>,
}

/// A shader of a package.
pub struct Entry {
    /// Of the sources.
    from: u64,
    /// Of code and SPIR-V.
    content: u64,
    /// A constant of Rust.
    pub code: String,
}

impl Package {
    /// What cannot be read is not in it.
    pub fn read(folder: &Path) -> Self {
        let list = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
        let list = list.replace('\r', "");
        Self {
            folder: folder.to_owned(),
            entries: list.split("\n\n").filter_map(read_entry).collect(),
        }
    }

    /// The entry of a shader, if it is whole and was compiled from these sources.
    pub fn fresh(&self, name: &str, from: u64) -> Option<&Entry> {
        let entry = self.entries.get(name).filter(|entry| entry.from == from)?;
        let spirv = fs::read(spirv_file(&self.folder, name)).ok()?;
        (content_fingerprint(&entry.code, &spirv) == entry.content).then_some(entry)
    }

    /// The parts of the package that do not belong to the sources below `root`: shaders that were edited, came or went, or are damaged.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub fn stale(&self, root: &Path) -> io::Result<Vec<String>> {
        let mut stale = Vec::new();
        let mut gone: Vec<&String> = self.entries.keys().collect();
        for file in stage_files(root)? {
            let name = name_of(root, &file);
            gone.retain(|known| **known != name);
            if self
                .fresh(&name, source_fingerprint(root, &name)?)
                .is_none()
            {
                stale.push(name);
            }
        }
        stale.extend(gone.into_iter().cloned());
        Ok(stale)
    }
}

/// Where a package keeps a shader's SPIR-V, little-endian words.
pub fn spirv_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.spv"))
}

/// Reads what `entry_text` of shader_writer.rs writes.
fn read_entry(text: &str) -> Option<(String, Entry)> {
    let (name, rest) = text.strip_prefix("/// `glsl/")?.split_once("`\n")?;
    let (from, rest) = rest.strip_prefix("// from ")?.split_once(", content ")?;
    let (content, code) = rest.split_once('\n')?;
    let entry = Entry {
        from: u64::from_str_radix(from, 16).ok()?,
        content: u64::from_str_radix(content, 16).ok()?,
        code: code.trim_end().to_owned(),
    };
    Some((name.to_owned(), entry))
}

/// Every file below `root` that is a shader stage, sorted by path.
///
/// # Errors
/// When a folder cannot be read.
pub fn stage_files(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if ending.is_some_and(|ending| ["comp", "vert", "frag"].contains(&ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The path of a file below the shader folder, as includes and entries have it.
pub fn name_of(root: &Path, file: &Path) -> String {
    let inner = file.strip_prefix(root).unwrap_or(file);
    inner.to_string_lossy().replace('\\', "/")
}

/// Of a shader, all that it includes, and how it is compiled. Line endings do not count, which git may change.
///
/// # Errors
/// When a source cannot be read.
pub fn source_fingerprint(root: &Path, name: &str) -> io::Result<u64> {
    let mut parts: Vec<String> = MAKER.map(str::to_owned).to_vec();
    let mut seen = vec![name.to_owned()];
    let mut next = 0;
    while let Some(name) = seen.get(next).cloned() {
        next += 1;
        let text = fs::read_to_string(root.join(&name))
            .map_err(|error| io::Error::new(error.kind(), format!("glsl/{name}: {error}")))?;
        for included in text.lines().filter_map(included) {
            if !seen.iter().any(|known| known == included) {
                seen.push(included.to_owned());
            }
        }
        parts.extend([name, text]);
    }
    let mut hash = Fnv::NEW;
    for part in parts {
        hash.text(&part);
    }
    Ok(hash.0)
}

/// `#include "shared/skin.glsl"` includes `shared/skin.glsl`.
fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    rest.strip_prefix("include")?.split('"').nth(1)
}

/// Of an entry's code and the SPIR-V that goes with it.
pub fn content_fingerprint(code: &str, spirv: &[u8]) -> u64 {
    let mut hash = Fnv::NEW;
    hash.text(code);
    hash.bytes(spirv.iter().copied());
    hash.0
}

/// The 64-bit FNV-1a hash: enough against mistakes, and the same everywhere.
struct Fnv(u64);

impl Fnv {
    const NEW: Self = Self(0xcbf2_9ce4_8422_2325);

    fn bytes(&mut self, bytes: impl Iterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// A zero ends it, so that nothing can move from one text into the next.
    fn text(&mut self, text: &str) {
        self.bytes(text.bytes().filter(|&byte| byte != b'\r').chain([0]));
    }
}
