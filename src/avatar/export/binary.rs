//! The binary half of a .glb: arrays packed one after the other, each with its accessor.

use gltf::json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use gltf::json::validation::{Checked, USize64};
use gltf::json::{Buffer, Index, Root, Value, buffer, serialize};

/// glTF wants arrays on multiples of their component's size; four suits all.
const ALIGNMENT: usize = 4;
const CHUNK_HEADER_BYTES: usize = 8;

/// A growing file.
#[derive(Default)]
pub(super) struct Binary {
    pub root: Root,
    bytes: Vec<u8>,
}

/// Elements to pack: little-endian, without gaps.
pub(super) struct Elements {
    pub kind: Type,
    pub component: ComponentType,
    pub normalized: bool,
    pub bytes: Vec<u8>,
}

impl Elements {
    /// Floats, as vectors of `N`.
    pub fn floats<const N: usize>(kind: Type, values: impl IntoIterator<Item = [f32; N]>) -> Self {
        let bytes = values
            .into_iter()
            .flatten()
            .flat_map(f32::to_le_bytes)
            .collect();
        Self {
            kind,
            component: ComponentType::F32,
            normalized: false,
            bytes,
        }
    }

    /// Integers below `bound`, in the smallest type from `smallest` up that holds them.
    pub fn integers(
        kind: Type,
        smallest: ComponentType,
        values: impl Iterator<Item = u32>,
        bound: usize,
    ) -> Self {
        let component = match bound {
            0..=0x100 if smallest == ComponentType::U8 => ComponentType::U8,
            // 0xFFFF itself would restart a strip: no index may be it.
            0..=0xFFFF => ComponentType::U16,
            _ => ComponentType::U32,
        };
        let bytes = values
            .flat_map(|value| value.to_le_bytes().into_iter().take(component.size()))
            .collect();
        Self {
            kind,
            component,
            normalized: false,
            bytes,
        }
    }
}

impl Binary {
    /// Packs an array; returns the accessor.
    pub fn push(&mut self, elements: &Elements) -> Index<Accessor> {
        let count =
            elements.bytes.len() / (elements.component.size() * elements.kind.multiplicity());
        let view = self.push_view(&elements.bytes);
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: USize64::from(count),
            component_type: Checked::Valid(GenericComponentType(elements.component)),
            extensions: None,
            extras: None,
            type_: Checked::Valid(elements.kind),
            min: None,
            max: None,
            name: None,
            normalized: elements.normalized,
            sparse: None,
        })
    }

    /// As [`Binary::push`] for floats, with the bounds that glTF demands of positions and of key times.
    pub fn push_bounded<const N: usize>(
        &mut self,
        kind: Type,
        values: &[[f32; N]],
    ) -> Index<Accessor> {
        let index = self.push(&Elements::floats(kind, values.iter().copied()));
        let Some(&first) = values.first() else {
            return index;
        };
        let bound = |pick: fn(f32, f32) -> f32| -> [f32; N] {
            values.iter().fold(first, |bound, value| {
                std::array::from_fn(|n| pick(bound[n], value[n]))
            })
        };
        let accessor = &mut self.root.accessors[index.value()];
        accessor.min = Some(Value::from(bound(f32::min).to_vec()));
        accessor.max = Some(Value::from(bound(f32::max).to_vec()));
        index
    }

    pub fn push_view(&mut self, bytes: &[u8]) -> Index<buffer::View> {
        let byte_offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes
            .resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
        self.root.push(buffer::View {
            buffer: Index::new(0),
            byte_length: USize64::from(bytes.len()),
            byte_offset: Some(USize64::from(byte_offset)),
            byte_stride: None,
            name: None,
            target: None,
            extensions: None,
            extras: None,
        })
    }

    /// The finished file.
    pub fn into_glb(mut self) -> Vec<u8> {
        let byte_length = USize64::from(self.bytes.len());
        self.root.push(Buffer {
            byte_length,
            name: None,
            uri: None,
            extensions: None,
            extras: None,
        });
        let mut json =
            serialize::to_vec(&self.root).expect("every enum in the tree is a valid one");
        json.resize(json.len().next_multiple_of(ALIGNMENT), b' ');
        let length = 12 + 2 * CHUNK_HEADER_BYTES + json.len() + self.bytes.len();
        let mut glb = Vec::with_capacity(length);
        glb.extend_from_slice(b"glTF");
        glb.extend_from_slice(&2_u32.to_le_bytes());
        glb.extend_from_slice(&(length as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &self.bytes)] {
            glb.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
            glb.extend_from_slice(kind);
            glb.extend_from_slice(chunk);
        }
        glb
    }
}
