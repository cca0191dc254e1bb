//! From a file to its JSON and its buffers: binary and text glTF, embedded and external data.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use gltf::json::{Root, Value, deserialize};

use super::{ImportFault, meshopt};
use crate::avatar::printable;

/// The most bytes read from files beside a .gltf, all together. Usual characters need 1 to 100 MB; the limit stops
/// a file that names one big buffer a thousand times.
const EXTERNAL_BYTES_LIMIT: u64 = 2 << 30;

const LEADS_OUT: &str =
    "it leads out of the file's folder; only files there and in folders below are read";

const GLB_MAGIC: &[u8] = b"glTF";
const GLB_HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;

/// A parsed file, nothing in it checked yet.
pub(super) struct Container<'a> {
    pub root: Root,
    /// One per glTF buffer, at least as long as the buffer says; none of the bytes of one that stands for what is compressed.
    pub buffers: Vec<Cow<'a, [u8]>>,
    pub files: Files,
}

/// Where a file's references lead: data URIs, and files beside it.
pub(super) struct Files {
    /// None for bytes that came from no file: they can refer to no others.
    folder: Option<PathBuf>,
    bytes_left: u64,
}

impl<'a> Container<'a> {
    pub fn parse(bytes: &'a [u8], folder: Option<PathBuf>) -> Result<Self, ImportFault> {
        let (json, blob) = if bytes.starts_with(GLB_MAGIC) {
            split_glb(bytes)?
        } else {
            (bytes, None)
        };
        let root = parse_json(json)?;
        let mut files = Files {
            folder,
            bytes_left: EXTERNAL_BYTES_LIMIT,
        };
        let mut blob = blob.map(Cow::Borrowed);
        let mut buffers = Vec::with_capacity(root.buffers.len());
        for (buffer_ix, buffer) in root.buffers.iter().enumerate() {
            if buffer.uri.is_none() && meshopt::is_fallback(buffer) {
                buffers.push(Cow::default());
                continue;
            }
            let bytes = match &buffer.uri {
                Some(uri) => Cow::Owned(
                    files
                        .fetch(uri)
                        .map_err(|reason| unread_buffer(buffer_ix, uri, reason))?,
                ),
                None => blob.take().unwrap_or_default(),
            };
            if (bytes.len() as u64) < buffer.byte_length.0 {
                let (there, needed) = (bytes.len(), buffer.byte_length.0);
                return Err(ImportFault::Truncated(format!(
                    "buffer {buffer_ix} has {there} of {needed} bytes"
                )));
            }
            buffers.push(bytes);
        }
        Ok(Self {
            root,
            buffers,
            files,
        })
    }
}

impl Files {
    /// The bytes behind a URI, or why there are none.
    pub fn fetch(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        if let Some(data) = uri.strip_prefix("data:") {
            let (_, payload) = data
                .split_once(";base64,")
                .ok_or("a data URI that is not base64")?;
            return decode_base64(payload.as_bytes()).ok_or_else(|| "damaged base64".to_owned());
        }
        let folder = self
            .folder
            .as_ref()
            .ok_or("a file in memory cannot refer to others")?;
        let name = decode_percent(uri).ok_or("damaged URI")?;
        let path = folder.join(below(&name).ok_or(LEADS_OUT)?);
        if !stays_below(folder, &path).map_err(|error| error.to_string())? {
            return Err(LEADS_OUT.to_owned());
        }
        let length = std::fs::metadata(&path)
            .map_err(|error| error.to_string())?
            .len();
        self.bytes_left = self
            .bytes_left
            .checked_sub(length)
            .ok_or("too much external data")?;
        read_file(&path).map_err(|fault| fault.to_string())
    }
}

/// Whether a path beneath a folder still ends beneath it once symbolic links are followed, those of the folder itself too.
fn stays_below(folder: &Path, path: &Path) -> std::io::Result<bool> {
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    Ok(path.canonicalize()?.starts_with(folder.canonicalize()?))
}

/// The way down to a file that a decoded URI names, without detours; None if it leads anywhere else, by scheme, root or `..`.
fn below(name: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    (!name.contains("://")).then_some(path)
}

/// A whole file. Refuses what is not a plain file: a device or a pipe need never end.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, ImportFault> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => ImportFault::Missing,
        _ => ImportFault::Unreadable(error.to_string()),
    };
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(ImportFault::Unreadable("not a plain file".to_owned()));
    }
    std::fs::read(path).map_err(unreadable)
}

fn unread_buffer(buffer_ix: usize, uri: &str, reason: String) -> ImportFault {
    let uri = if uri.starts_with("data:") {
        "data:"
    } else {
        uri
    };
    ImportFault::Buffer {
        buffer_ix,
        uri: uri.to_owned(),
        reason,
    }
}

fn parse_json(json: &[u8]) -> Result<Root, ImportFault> {
    let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
    if json.trim_ascii_start().first() != Some(&b'{') {
        return Err(ImportFault::NotGltf);
    }
    let read = deserialize::from_slice(json);
    let root: Root = read.or_else(|error| match error.is_eof() {
        true => Err(ImportFault::Truncated(format!(
            "in its JSON, line {}",
            error.line()
        ))),
        false => {
            let fault = ImportFault::Json(printable(&error.to_string()));
            without_pointers(json).ok_or(fault)
        }
    })?;
    match root.asset.version.split('.').next() {
        Some("2") => Ok(root),
        _ => Err(ImportFault::Version(printable(&root.asset.version))),
    }
}

/// What moves no node, as `KHR_animation_pointer` has it, moves nothing here; the reader insists on one.
fn without_pointers(json: &[u8]) -> Option<Root> {
    let mut root: Value = deserialize::from_slice(json).ok()?;
    for animation in root.get_mut("animations")?.as_array_mut()? {
        let channels = animation.get_mut("channels")?.as_array_mut()?;
        channels.retain(|channel| channel.pointer("/target/node").is_some());
    }
    deserialize::from_value(root).ok()
}

/// The JSON and BIN chunks of a .glb; chunks of other types are skipped, as the format asks.
fn split_glb(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ImportFault> {
    let too_short = || ImportFault::Truncated("in its binary header".to_owned());
    let version = read_u32(bytes, 4).ok_or_else(too_short)?;
    let length = read_u32(bytes, 8).ok_or_else(too_short)? as usize;
    if version != 2 {
        return Err(ImportFault::Version(version.to_string()));
    }
    let chunks = bytes
        .get(GLB_HEADER_BYTES..length)
        .ok_or_else(|| ImportFault::Truncated(format!("{} of {length} bytes", bytes.len())))?;
    let (json, rest) = split_chunk(chunks, b"JSON")?;
    let json = json.ok_or(ImportFault::NotGltf)?;
    let (blob, _) = if rest.is_empty() {
        (None, rest)
    } else {
        split_chunk(rest, b"BIN\0")?
    };
    Ok((json, blob))
}

/// The first chunk's payload, None if it is of another type, and what follows it.
fn split_chunk<'a>(
    bytes: &'a [u8],
    kind: &[u8; 4],
) -> Result<(Option<&'a [u8]>, &'a [u8]), ImportFault> {
    let cut_short = || ImportFault::Truncated(format!("in its {} chunk", kind.escape_ascii()));
    let length = read_u32(bytes, 0).ok_or_else(cut_short)? as usize;
    let found = bytes.get(4..CHUNK_HEADER_BYTES).ok_or_else(cut_short)?;
    let (payload, rest) = bytes[CHUNK_HEADER_BYTES..]
        .split_at_checked(length)
        .ok_or_else(cut_short)?;
    Ok(((found == kind).then_some(payload), rest))
}

fn read_u32(bytes: &[u8], offset: usize) -> Option<u32> {
    let word = bytes.get(offset..offset + 4)?;
    word.try_into().ok().map(u32::from_le_bytes)
}

fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.trim_ascii_end();
    let text = text
        .strip_suffix(b"==")
        .or_else(|| text.strip_suffix(b"="))
        .unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut word = 0;
        for &letter in group {
            word = word << 6 | u32::from(base64_value(letter)?);
        }
        let [_, decoded @ ..] = (word << (6 * (4 - group.len()))).to_be_bytes();
        bytes.extend_from_slice(&decoded[..group.len() - 1]);
    }
    Some(bytes)
}

fn base64_value(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

fn decode_percent(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, tail) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = tail;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length() {
        let cases = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg", "foob"),
            ("Zm9vYmE=", "fooba"),
        ];
        for (text, plain) in cases {
            assert_eq!(
                decode_base64(text.as_bytes()).as_deref(),
                Some(plain.as_bytes()),
                "{text}"
            );
        }
        assert_eq!(decode_base64(b"Zm9v!A=="), None);
    }

    #[test]
    fn no_way_leads_out_of_the_folder() {
        for (name, path) in [
            ("body.bin", "body.bin"),
            ("./a/b.bin", "a/b.bin"),
            ("a/../b.bin", "b.bin"),
        ] {
            assert_eq!(below(name), Some(path.into()), "{name}");
        }
        for name in ["../b.bin", "a/../../b.bin", "/b.bin", "http://b.bin", ".."] {
            assert_eq!(below(name), None, "{name}");
        }
    }

    #[test]
    fn percent_signs() {
        assert_eq!(
            decode_percent("my%20body.bin").as_deref(),
            Some("my body.bin")
        );
        assert_eq!(decode_percent("%2"), None);
        assert_eq!(decode_percent("%zz"), None);
        assert_eq!(decode_percent("%ff"), None);
    }
}
