//! A compiled shader and the interface it declares.

/// SPIR-V embedded in the library, with its reflection.
#[derive(Debug)]
pub struct Shader {
    /// Path below `glsl/`.
    pub name: &'static str,
    /// Little-endian words.
    pub spirv: &'static [u8],
    /// Descriptors of set 0, by binding number.
    pub bindings: &'static [Binding],
    /// Size of the push constant block, 0 without one.
    pub push_constant_bytes: u32,
    /// Workgroup size of a compute shader.
    pub local_size: [u32; 3],
    /// Memory that a workgroup of a compute shader shares, with specialisation constants as the shader has them.
    pub shared_bytes: u32,
    /// Every struct with offsets that the shader declares, for the layout tests.
    pub structs: &'static [StructLayout],
}

/// One descriptor of set 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    pub number: u32,
    /// The variable's name, or its block's where it has none.
    pub name: &'static str,
    pub kind: BindingKind,
}

/// What a descriptor holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    StorageRead,
    StorageWrite,
    SampledImage,
}

/// Byte offsets of a struct's members.
#[derive(Debug)]
pub struct StructLayout {
    pub name: &'static str,
    pub members: &'static [(&'static str, u32)],
}

impl Shader {
    /// The code as words, as Vulkan wants it.
    pub fn words(&self) -> Vec<u32> {
        self.spirv
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect()
    }
}
