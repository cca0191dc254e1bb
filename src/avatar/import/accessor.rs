//! Typed, bounds-checked reading of a file's arrays. Everything a file says about sizes, offsets and counts is
//! checked here, before a byte is read or allocated for.

use std::borrow::Cow;
use std::cell::Cell;

use gltf::json::accessor::{Accessor, ComponentType, Type, sparse};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root, buffer};

use super::{ImportFault, meshopt};

/// The most numbers unpacked from one file (512 MiB of floats). A character of a million vertices needs about 50
/// million; the limit stops files whose few bytes are referred to again and again, or that claim sparse zeros.
const NUMBERS_LIMIT: usize = 1 << 27;

/// Reads the accessors of one file.
pub(super) struct Reader<'a> {
    pub root: &'a Root,
    buffers: &'a [Cow<'a, [u8]>],
    /// One per view: its bytes, where the file has them compressed.
    unpacked: &'a [Option<Vec<u8>>],
    numbers_left: Cell<usize>,
}

/// How numbers are stored.
#[derive(Clone, Copy)]
struct Component {
    kind: ComponentType,
    normalized: bool,
}

/// Equal elements, one every `stride` bytes; `bytes` holds all of them.
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
    element_bytes: usize,
}

impl<'a> Reader<'a> {
    pub fn new(
        root: &'a Root,
        buffers: &'a [Cow<'a, [u8]>],
        unpacked: &'a [Option<Vec<u8>>],
    ) -> Self {
        Self {
            root,
            buffers,
            unpacked,
            numbers_left: Cell::new(NUMBERS_LIMIT),
        }
    }

    /// Vectors of floats; integers are converted, normalised ones to 0..1 or -1..1. May hold NaN and infinities.
    pub fn floats<const N: usize>(
        &self,
        ix: Index<Accessor>,
    ) -> Result<Vec<[f32; N]>, ImportFault> {
        self.read(ix, Component::float)
    }

    /// Vectors of unsigned integers.
    pub fn integers<const N: usize>(
        &self,
        ix: Index<Accessor>,
    ) -> Result<Vec<[u32; N]>, ImportFault> {
        let kind = component_of(self.accessor(ix)?, ix)?.kind;
        if !matches!(
            kind,
            ComponentType::U8 | ComponentType::U16 | ComponentType::U32
        ) {
            return Err(fault(ix, "must hold unsigned integers"));
        }
        self.read(ix, Component::integer)
    }

    /// The bytes of a buffer view, None if it does not fit its buffer.
    pub fn view(&self, ix: Index<buffer::View>) -> Option<&'a [u8]> {
        if let Some(Some(unpacked)) = self.unpacked.get(ix.value()) {
            return Some(unpacked);
        }
        let view = self.root.buffer_views.get(ix.value())?;
        let start = usize::try_from(view.byte_offset.unwrap_or_default().0).ok()?;
        let end = start.checked_add(usize::try_from(view.byte_length.0).ok()?)?;
        self.buffers.get(view.buffer.value())?.get(start..end)
    }

    fn accessor(&self, ix: Index<Accessor>) -> Result<&'a Accessor, ImportFault> {
        self.root
            .accessors
            .get(ix.value())
            .ok_or_else(|| fault(ix, "does not exist"))
    }

    fn read<T: Copy + Default, const N: usize>(
        &self,
        ix: Index<Accessor>,
        decode: fn(Component, &[u8]) -> T,
    ) -> Result<Vec<[T; N]>, ImportFault> {
        let accessor = self.accessor(ix)?;
        let component = component_of(accessor, ix)?;
        if multiplicity(accessor) != Some(N) {
            return Err(fault(ix, "holds vectors of the wrong size"));
        }
        let count = usize::try_from(accessor.count.0).map_err(|_| ImportFault::TooLarge)?;
        self.charge(count, N)?;
        let past_end = || ImportFault::AccessorOutOfBounds {
            accessor_ix: ix.value(),
        };
        let element = |bytes: &[u8]| -> [T; N] {
            let size = component.kind.size();
            std::array::from_fn(|n| decode(component, &bytes[n * size..(n + 1) * size]))
        };
        let mut values: Vec<[T; N]> = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset.unwrap_or_default().0;
                let element_bytes = N * component.kind.size();
                self.strided(view, offset, count, element_bytes)
                    .ok_or_else(past_end)?
                    .iter(count)
                    .map(element)
                    .collect()
            }
            None => vec![[T::default(); N]; count],
        };
        if let Some(sparse) = &accessor.sparse {
            let (targets, stored) = self
                .sparse(sparse, N * component.kind.size())
                .ok_or_else(past_end)?;
            for (target, bytes) in targets.into_iter().zip(stored.iter(usize::MAX)) {
                *values.get_mut(target as usize).ok_or_else(past_end)? = element(bytes);
            }
        }
        Ok(values)
    }

    /// Which elements a sparse accessor replaces, and with what.
    fn sparse(
        &self,
        sparse: &sparse::Sparse,
        element_bytes: usize,
    ) -> Option<(Vec<u32>, Strided<'a>)> {
        let count = usize::try_from(sparse.count.0).ok()?;
        let Checked::Valid(index) = &sparse.indices.component_type else {
            return None;
        };
        let component = Component {
            kind: index.0,
            normalized: false,
        };
        let view = sparse.indices.buffer_view;
        let indices = self.strided(
            view,
            sparse.indices.byte_offset.0,
            count,
            component.kind.size(),
        )?;
        let values = self.strided(
            sparse.values.buffer_view,
            sparse.values.byte_offset.0,
            count,
            element_bytes,
        )?;
        Some((
            indices
                .iter(count)
                .map(|bytes| component.integer(bytes))
                .collect(),
            values,
        ))
    }

    /// The bytes of `count` elements; None if they do not fit their view, or overlap.
    fn strided(
        &self,
        view_ix: Index<buffer::View>,
        offset: u64,
        count: usize,
        element_bytes: usize,
    ) -> Option<Strided<'a>> {
        let view = self.root.buffer_views.get(view_ix.value())?;
        let stride = view.byte_stride.map(|stride| stride.0);
        let stride = stride.or_else(|| meshopt::stride_of(view));
        let stride = stride.unwrap_or(element_bytes);
        let length = match count {
            0 => 0,
            _ => stride.checked_mul(count - 1)?.checked_add(element_bytes)?,
        };
        let start = usize::try_from(offset).ok()?;
        let bytes = self.view(view_ix)?.get(start..start.checked_add(length)?)?;
        (stride >= element_bytes).then_some(Strided {
            bytes,
            stride,
            element_bytes,
        })
    }

    /// Takes from what the file may unpack to, before memory is allocated for it.
    pub fn charge(&self, count: usize, numbers_per_element: usize) -> Result<(), ImportFault> {
        let numbers = count
            .checked_mul(numbers_per_element)
            .ok_or(ImportFault::TooLarge)?;
        let left = self
            .numbers_left
            .get()
            .checked_sub(numbers)
            .ok_or(ImportFault::TooLarge)?;
        self.numbers_left.set(left);
        Ok(())
    }
}

impl<'a> Strided<'a> {
    /// At most `count` elements.
    fn iter(&self, count: usize) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let element_bytes = self.element_bytes;
        self.bytes
            .chunks(self.stride.max(1))
            .take(count)
            .map(move |chunk| &chunk[..element_bytes])
    }
}

impl Component {
    fn float(self, bytes: &[u8]) -> f32 {
        let value = match (self.kind, bytes) {
            (ComponentType::F32, &[a, b, c, d]) => return f32::from_le_bytes([a, b, c, d]),
            (ComponentType::I8, &[a]) => f32::from(a as i8),
            (ComponentType::I16, &[a, b]) => f32::from(i16::from_le_bytes([a, b])),
            _ => self.integer(bytes) as f32,
        };
        if self.normalized {
            (value / self.largest()).max(-1.0)
        } else {
            value
        }
    }

    fn integer(self, bytes: &[u8]) -> u32 {
        bytes
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u32::from(byte))
    }

    /// What a normalised integer divides by.
    fn largest(self) -> f32 {
        match self.kind {
            ComponentType::I8 => f32::from(i8::MAX),
            ComponentType::U8 => f32::from(u8::MAX),
            ComponentType::I16 => f32::from(i16::MAX),
            ComponentType::U16 => f32::from(u16::MAX),
            ComponentType::U32 => u32::MAX as f32,
            ComponentType::F32 => 1.0,
        }
    }
}

fn component_of(accessor: &Accessor, ix: Index<Accessor>) -> Result<Component, ImportFault> {
    match &accessor.component_type {
        Checked::Valid(kind) => Ok(Component {
            kind: kind.0,
            normalized: accessor.normalized,
        }),
        Checked::Invalid => Err(fault(ix, "has an unknown component type")),
    }
}

fn multiplicity(accessor: &Accessor) -> Option<usize> {
    match &accessor.type_ {
        // Small integer matrices are padded in a way of their own; no part of a character uses them.
        Checked::Valid(Type::Mat2 | Type::Mat3) | Checked::Invalid => None,
        Checked::Valid(kind) => Some(kind.multiplicity()),
    }
}

fn fault(ix: Index<Accessor>, fault: &'static str) -> ImportFault {
    ImportFault::Accessor {
        accessor_ix: ix.value(),
        fault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(kind: ComponentType, normalized: bool) -> Component {
        Component { kind, normalized }
    }

    #[test]
    fn integers_become_floats() {
        assert_eq!(component(ComponentType::U8, true).float(&[255]), 1.0);
        assert_eq!(component(ComponentType::U8, false).float(&[255]), 255.0);
        assert_eq!(component(ComponentType::I8, true).float(&[0x80]), -1.0);
        assert_eq!(component(ComponentType::I8, true).float(&[0x81]), -1.0);
        assert_eq!(
            component(ComponentType::U16, true).float(&[0xff, 0xff]),
            1.0
        );
        assert_eq!(
            component(ComponentType::I16, false).float(&[0xfe, 0xff]),
            -2.0
        );
        assert_eq!(
            component(ComponentType::F32, true).float(&2.5f32.to_le_bytes()),
            2.5
        );
    }

    #[test]
    fn integers_are_little_endian() {
        assert_eq!(component(ComponentType::U16, false).integer(&[1, 2]), 0x201);
        assert_eq!(
            component(ComponentType::U32, false).integer(&[1, 2, 3, 4]),
            0x0403_0201
        );
    }
}
