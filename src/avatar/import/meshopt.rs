//! Buffer views compressed with meshoptimizer, as `EXT_meshopt_compression` lays them down.
//!
//! The decoders are meshoptimizer's own, made for hostile input: they refuse what does not unpack, and never write beyond what they
//! are given. What they must be told rightly (strides, counts, lengths) is checked here.

use std::borrow::Cow;

use gltf::json::{Root, Value, buffer};
use meshopt::ffi;

use super::ImportFault;

/// The extension's names: the second is its successor's, with the same fields.
pub(super) const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The most bytes all views of a file unpack to: as many as are read of one.
const BYTES_LIMIT: usize = 1 << 29;

/// For each view of the file its bytes, if they are compressed.
pub(super) fn unpack_views(
    root: &Root,
    buffers: &[Cow<[u8]>],
) -> Result<Vec<Option<Vec<u8>>>, ImportFault> {
    let mut bytes_left = BYTES_LIMIT;
    let views = root.buffer_views.iter().enumerate().map(|(view_ix, view)| {
        let Some(extension) = extension_of(view) else {
            return Ok(None);
        };
        let in_view = |reason| ImportFault::Compression { view_ix, reason };
        let packed = Packed::read(extension, buffers).map_err(in_view)?;
        bytes_left = packed
            .bytes()
            .and_then(|bytes| bytes_left.checked_sub(bytes))
            .ok_or(ImportFault::TooLarge)?;
        packed.unpack().map(Some).map_err(in_view)
    });
    views.collect()
}

/// The distance from one element to the next in a compressed view; None for plain ones.
pub(super) fn stride_of(view: &buffer::View) -> Option<usize> {
    number(extension_of(view)?, "byteStride")
}

/// Whether a buffer has no bytes of its own: it stands for what its views unpack to.
pub(super) fn is_fallback(buffer: &gltf::json::Buffer) -> bool {
    let others = buffer.extensions.as_ref().map(|all| &all.others);
    let extension = others.and_then(|others| NAMES.iter().find_map(|name| others.get(*name)));
    extension.is_some_and(|extension| extension.get("fallback") == Some(&Value::Bool(true)))
}

fn extension_of(view: &buffer::View) -> Option<&Value> {
    let others = &view.extensions.as_ref()?.others;
    NAMES.iter().find_map(|name| others.get(*name))
}

fn number(extension: &Value, key: &str) -> Option<usize> {
    usize::try_from(extension.get(key)?.as_u64()?).ok()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    /// The successor's alone.
    Colour,
}

/// One compressed view.
struct Packed<'a> {
    bytes: &'a [u8],
    stride: usize,
    count: usize,
    mode: Mode,
    filter: Filter,
}

impl<'a> Packed<'a> {
    fn read(extension: &Value, buffers: &'a [Cow<[u8]>]) -> Result<Self, &'static str> {
        let needed = |key| number(extension, key).ok_or("its description is incomplete");
        let start = number(extension, "byteOffset").unwrap_or(0);
        let end = start.checked_add(needed("byteLength")?);
        let buffer = buffers.get(needed("buffer")?);
        let bytes = buffer
            .zip(end)
            .and_then(|(bytes, end)| bytes.get(start..end));
        let packed = Self {
            bytes: bytes.ok_or("it reaches past the end of its buffer")?,
            stride: needed("byteStride")?,
            count: needed("count")?,
            mode: mode_of(extension).ok_or("its mode is unknown")?,
            filter: filter_of(extension).ok_or("its filter is unknown")?,
        };
        match packed.is_sound() {
            true => Ok(packed),
            false => Err("its stride, count, mode and filter do not go together"),
        }
    }

    /// What the specification asks for, and the decoders rely on.
    fn is_sound(&self) -> bool {
        let stride = self.stride;
        let fits_mode = match self.mode {
            Mode::Attributes => stride.is_multiple_of(4) && (4..=256).contains(&stride),
            Mode::Triangles => self.count.is_multiple_of(3) && (stride == 2 || stride == 4),
            Mode::Indices => stride == 2 || stride == 4,
        };
        let fits_filter = match self.filter {
            Filter::None => true,
            Filter::Octahedral | Filter::Colour => stride == 4 || stride == 8,
            Filter::Quaternion => stride == 8,
            Filter::Exponential => stride.is_multiple_of(4),
        };
        let is_filtered = self.filter != Filter::None;
        fits_mode && fits_filter && !(is_filtered && self.mode != Mode::Attributes)
    }

    /// Unpacked; None beyond what a machine can count.
    fn bytes(&self) -> Option<usize> {
        self.count.checked_mul(self.stride)
    }

    fn unpack(&self) -> Result<Vec<u8>, &'static str> {
        let (stride, count) = (self.stride, self.count);
        // Words, so that the decoders find their numbers aligned.
        let mut words = vec![0_u32; (stride * count).div_ceil(4)];
        let (into, from) = (words.as_mut_ptr().cast(), self.bytes.as_ptr());
        let length = self.bytes.len();
        // SAFETY: `into` has room for `count` elements of `stride` bytes, `from` holds `length` bytes, and strides are as `is_sound`
        // demands.
        let result = unsafe {
            match self.mode {
                Mode::Attributes => {
                    ffi::meshopt_decodeVertexBuffer(into, count, stride, from, length)
                }
                Mode::Triangles => {
                    ffi::meshopt_decodeIndexBuffer(into, count, stride, from, length)
                }
                Mode::Indices => {
                    ffi::meshopt_decodeIndexSequence(into, count, stride, from, length)
                }
            }
        };
        if result != 0 {
            return Err("its bytes are damaged");
        }
        self.undo_filter(&mut words);
        let mut bytes: Vec<u8> = bytemuck::cast_slice(&words).to_vec();
        bytes.truncate(stride * count);
        Ok(bytes)
    }

    fn undo_filter(&self, words: &mut [u32]) {
        let (stride, count) = (self.stride, self.count);
        let data = words.as_mut_ptr().cast();
        // SAFETY: `data` has room for `count` elements of `stride` bytes, and strides are those that the filter knows: see `is_sound`.
        unsafe {
            match self.filter {
                Filter::None => {}
                Filter::Octahedral => ffi::meshopt_decodeFilterOct(data, count, stride),
                Filter::Quaternion => ffi::meshopt_decodeFilterQuat(data, count, stride),
                Filter::Exponential => ffi::meshopt_decodeFilterExp(data, count, stride),
                Filter::Colour => ffi::meshopt_decodeFilterColor(data, count, stride),
            }
        }
    }
}

fn mode_of(extension: &Value) -> Option<Mode> {
    match extension.get("mode")?.as_str()? {
        "ATTRIBUTES" => Some(Mode::Attributes),
        "TRIANGLES" => Some(Mode::Triangles),
        "INDICES" => Some(Mode::Indices),
        _ => None,
    }
}

fn filter_of(extension: &Value) -> Option<Filter> {
    match extension
        .get("filter")
        .map_or(Some("NONE"), Value::as_str)?
    {
        "NONE" => Some(Filter::None),
        "OCTAHEDRAL" => Some(Filter::Octahedral),
        "QUATERNION" => Some(Filter::Quaternion),
        "EXPONENTIAL" => Some(Filter::Exponential),
        "COLOR" => Some(Filter::Colour),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a filter makes of one element.
    fn undone<const N: usize>(filter: Filter, element: [u8; N]) -> Vec<u8> {
        let packed = Packed {
            bytes: &[],
            stride: N,
            count: 1,
            mode: Mode::Attributes,
            filter,
        };
        assert!(packed.is_sound());
        let mut words = bytemuck::pod_collect_to_vec(&element);
        packed.undo_filter(&mut words);
        bytemuck::cast_slice(&words).to_vec()
    }

    #[test]
    fn directions_come_off_the_octahedron() {
        for (packed, expected) in [
            ([0, 0, 127], [0, 0, 127]),
            ([127, 0, 127], [127, 0, 0]),
            ([0, -127, 127], [0, -127, 0]),
            ([127, 127, 127], [0, 0, -127]),
        ] {
            let [x, y, one] = packed.map(|c: i8| c as u8);
            let found = undone(Filter::Octahedral, [x, y, one, 5]);
            assert_eq!(found[..3], expected.map(|c: i8| c as u8), "{packed:?}");
            assert_eq!(found[3], 5, "the fourth is not the filter's");
        }
    }

    #[test]
    fn rotations_get_their_largest_component_back() {
        let rotation = |packed: [i16; 4]| -> [i16; 4] {
            let bytes: [u8; 8] = bytemuck::cast(packed);
            bytemuck::pod_read_unaligned(&undone(Filter::Quaternion, bytes))
        };
        // Scale 32764 | 3; w is the largest of the first, x of the second.
        assert_eq!(rotation([0, 0, 0, 32767]), [0, 0, 0, 32767]);
        assert_eq!(rotation([0, 0, 0, 32764]), [32767, 0, 0, 0]);
        let half = rotation([32767, 0, 0, 32767]);
        assert!(
            (half[0] - 23170).abs() <= 1 && (half[3] - 23170).abs() <= 1,
            "{half:?}"
        );
    }

    #[test]
    fn exponents_and_mantissas_make_numbers() {
        let number = |word: u32| -> f32 {
            bytemuck::pod_read_unaligned(&undone(Filter::Exponential, word.to_le_bytes()))
        };
        assert_eq!(number(3), 3.0);
        assert_eq!(number(0xFF00_0003), 1.5);
        assert_eq!(number(0x02FF_FFFF), -4.0);
    }

    #[test]
    fn greys_have_their_luma_in_every_component() {
        // Y, Co, Cg of 8 bits, and an alpha whose highest bit says how many they are.
        let grey = undone(Filter::Colour, [100, 0, 0, 0xFF]);
        assert_eq!(grey, [100, 100, 100, 255]);
    }
}
