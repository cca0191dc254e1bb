//! Buffer views compressed with meshoptimizer, as `EXT_meshopt_compression` lays them down.
//!
//! The decoders are meshoptimizer's own, made for hostile input: they refuse what does not unpack, and never write beyond what they
//! are given. What they must be told rightly (strides, counts, lengths) is checked here. Its filters, which the crate leaves out,
//! are undone here as the extension's specification says.

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
            Filter::Octahedral => stride == 4 || stride == 8,
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
        let mut bytes: Vec<u8> = bytemuck::cast_slice(&words).to_vec();
        bytes.truncate(stride * count);
        self.undo_filter(&mut bytes);
        Ok(bytes)
    }

    fn undo_filter(&self, bytes: &mut [u8]) {
        for element in bytes.chunks_exact_mut(self.stride) {
            match (self.filter, &mut *element) {
                (Filter::None, _) => {}
                (Filter::Octahedral, [x, y, z, _]) => {
                    let unit = from_octahedron([*x, *y, *z].map(|c| f32::from(c as i8)), 127.0);
                    [*x, *y, *z] = unit.map(|c| c as i8 as u8);
                }
                (Filter::Octahedral, wide) => {
                    let [x, y, z, w] = shorts(wide);
                    let [x, y, z] = from_octahedron([x, y, z].map(f32::from), 32767.0);
                    set_shorts(wide, [x as i16, y as i16, z as i16, w]);
                }
                (Filter::Quaternion, wide) => set_shorts(wide, quaternion(shorts(wide))),
                (Filter::Exponential, words) => {
                    for word in words.as_chunks_mut::<4>().0 {
                        *word = from_exponent(u32::from_le_bytes(*word)).to_le_bytes();
                    }
                }
            }
        }
    }
}

/// Four numbers of 16 bits; zeros where there are fewer.
fn shorts(bytes: &[u8]) -> [i16; 4] {
    let all = bytes.as_chunks::<2>().0;
    std::array::from_fn(|ix| all.get(ix).map_or(0, |two| i16::from_le_bytes(*two)))
}

fn set_shorts(bytes: &mut [u8], numbers: [i16; 4]) {
    for (two, number) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(numbers) {
        *two = number.to_le_bytes();
    }
}

/// A unit vector times `most`, from its place on an unfolded octahedron; the third number stands for one.
fn from_octahedron([x, y, one]: [f32; 3], most: f32) -> [f32; 3] {
    let z = one - x.abs() - y.abs();
    let folded = z.min(0.0);
    let unfold = |c: f32| if c >= 0.0 { c + folded } else { c - folded };
    let (x, y) = (unfold(x), unfold(y));
    let length = (x * x + y * y + z * z).sqrt();
    let scale = if length > 0.0 { most / length } else { 0.0 };
    [x, y, z].map(|c| (c * scale).round())
}

/// A rotation from its three smaller components: the fourth number holds which one is the largest, and the scale of the others.
fn quaternion([a, b, c, last]: [i16; 4]) -> [i16; 4] {
    const MAX: f32 = 32767.0;
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(last | 3);
    let small = [a, b, c].map(|c| f32::from(c) * scale);
    let rest = 1.0 - small.iter().map(|c| c * c).sum::<f32>();
    let largest_ix = (last & 3) as usize;
    let mut rotation = [0; 4];
    for (ix, c) in small.into_iter().enumerate() {
        rotation[(largest_ix + 1 + ix) % 4] = (c * MAX).round() as i16;
    }
    rotation[largest_ix] = (rest.max(0.0).sqrt() * MAX).round() as i16;
    rotation
}

/// A number from a mantissa of 24 bits and an exponent of 8, both signed.
fn from_exponent(word: u32) -> f32 {
    let mantissa = ((word << 8) as i32) >> 8;
    let exponent = (word as i32) >> 24;
    (f64::from(mantissa) * f64::from(exponent).exp2()) as f32
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
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_come_off_the_octahedron() {
        for (packed, expected) in [
            ([0.0, 0.0, 127.0], [0.0, 0.0, 127.0]),
            ([127.0, 0.0, 127.0], [127.0, 0.0, 0.0]),
            ([0.0, -127.0, 127.0], [0.0, -127.0, 0.0]),
            ([127.0, 127.0, 127.0], [0.0, 0.0, -127.0]),
            ([0.0; 3], [0.0; 3]),
        ] {
            let found = from_octahedron(packed, 127.0);
            assert!(
                found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.5),
                "{packed:?}: {found:?}"
            );
        }
    }

    #[test]
    fn rotations_get_their_largest_component_back() {
        // Scale 32764 | 3; w is the largest of the first, x of the second.
        assert_eq!(quaternion([0, 0, 0, 32767]), [0, 0, 0, 32767]);
        assert_eq!(quaternion([0, 0, 0, 32764]), [32767, 0, 0, 0]);
        let half = quaternion([32767, 0, 0, 32767]);
        assert!(
            (half[0] - 23170).abs() <= 1 && (half[3] - 23170).abs() <= 1,
            "{half:?}"
        );
    }

    #[test]
    fn exponents_and_mantissas_make_numbers() {
        assert_eq!(from_exponent(3), 3.0);
        assert_eq!(from_exponent(0xFF00_0003), 1.5);
        assert_eq!(from_exponent(0x02FF_FFFF), -4.0);
    }
}
