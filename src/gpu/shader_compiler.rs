//! GLSL to SPIR-V, and the reflection of its interface.
//!
//! Shared by the build script, which compiles what `assets/spirv` does not have, by `tools/compile_shaders` and by the viewer's hot
//! reload.

use std::path::Path;

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, ExecutionMode, Op, StorageClass};

/// A compiled shader and its interface.
pub struct Compiled {
    pub spirv: Vec<u32>,
    /// Descriptor bindings of set 0, in binding order.
    pub bindings: Vec<Binding>,
    /// Size of the push constant block, 0 when there is none.
    pub push_constant_bytes: u32,
    /// Workgroup size; ones for graphics stages.
    pub local_size: [u32; 3],
    /// Memory that a workgroup shares, without padding; 0 for graphics stages.
    pub shared_bytes: u32,
    /// Every struct that lives in a buffer, with its members' offsets.
    pub structs: Vec<StructLayout>,
}

/// One descriptor.
#[derive(PartialEq, Eq)]
pub struct Binding {
    pub number: u32,
    pub name: String,
    pub kind: BindingKind,
}

/// What a descriptor holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    StorageRead,
    StorageWrite,
    SampledImage,
}

/// Where a struct's members lie in memory.
pub struct StructLayout {
    pub name: String,
    pub members: Vec<(String, u32)>,
}

fn shader_kind(path: &Path) -> Option<shaderc::ShaderKind> {
    match path.extension()?.to_str()? {
        "comp" => Some(shaderc::ShaderKind::Compute),
        "vert" => Some(shaderc::ShaderKind::Vertex),
        "frag" => Some(shaderc::ShaderKind::Fragment),
        _ => None,
    }
}

/// Compiles `path`, a file below the shader folder `root`; includes are looked up from `root`.
pub fn compile(root: &Path, path: &Path) -> Result<Compiled, String> {
    let name = path
        .strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string();
    let source = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let kind =
        shader_kind(path).ok_or_else(|| format!("{name}: not a .comp, .vert or .frag file"))?;
    let compile_at = |level, version| -> Result<Vec<u32>, String> {
        let compiler = shaderc::Compiler::new().ok_or("the shader compiler did not start")?;
        let mut options =
            compile_options(root, level).ok_or("the shader compiler has no options")?;
        options.set_target_spirv(version);
        let artifact = compiler
            .compile_into_spirv(&source, kind, &name, "main", Some(&options))
            .map_err(|error| error.to_string())?;
        Ok(artifact.as_binary().to_vec())
    };
    // The optimiser drops descriptors that are declared but unused: the interface is read before it runs, and from SPIR-V 1.5,
    // which the reader knows.
    let interface = compile_at(
        shaderc::OptimizationLevel::Zero,
        shaderc::SpirvVersion::V1_5,
    )?;
    let spirv = compile_at(
        shaderc::OptimizationLevel::Performance,
        shaderc::SpirvVersion::V1_6,
    )?;
    let module = rspirv::dr::load_words(&interface).map_err(|error| format!("{name}: {error}"))?;
    Ok(Reflection { module }.describe(spirv))
}

fn compile_options(
    root: &Path,
    level: shaderc::OptimizationLevel,
) -> Option<shaderc::CompileOptions<'_>> {
    let mut options = shaderc::CompileOptions::new()?;
    options.set_target_env(
        shaderc::TargetEnv::Vulkan,
        shaderc::EnvVersion::Vulkan1_3 as u32,
    );
    options.set_optimization_level(level);
    options.set_warnings_as_errors();
    options.set_include_callback(move |wanted, _, from, _| {
        let content = std::fs::read_to_string(root.join(wanted)).map_err(|error| {
            format!("{from} includes \"{wanted}\", which cannot be read: {error}")
        })?;
        Ok(shaderc::ResolvedInclude {
            resolved_name: wanted.to_owned(),
            content,
        })
    });
    Some(options)
}

struct Reflection {
    module: Module,
}

impl Reflection {
    fn describe(&self, spirv: Vec<u32>) -> Compiled {
        Compiled {
            spirv,
            bindings: self.bindings(),
            push_constant_bytes: self.push_constant_bytes(),
            local_size: self.local_size(),
            shared_bytes: self.shared_bytes(),
            structs: self.structs(),
        }
    }

    fn variables(&self) -> impl Iterator<Item = (u32, StorageClass, u32)> + '_ {
        self.module
            .types_global_values
            .iter()
            .filter(|i| i.class.opcode == Op::Variable)
            .filter_map(|i| {
                let pointer = self.definition(i.result_type?)?;
                let Operand::IdRef(pointee) = pointer.operands[1] else {
                    return None;
                };
                let Operand::StorageClass(class) = i.operands[0] else {
                    return None;
                };
                Some((i.result_id?, class, pointee))
            })
    }

    fn bindings(&self) -> Vec<Binding> {
        let mut bindings: Vec<Binding> = self
            .variables()
            .filter_map(|(id, class, pointee)| {
                let number = self.decoration(id, Decoration::Binding)?;
                let kind = match class {
                    StorageClass::UniformConstant => BindingKind::SampledImage,
                    _ if self.is_read_only(id, pointee) => BindingKind::StorageRead,
                    _ => BindingKind::StorageWrite,
                };
                let name = Some(self.name(id))
                    .filter(|name| !name.is_empty())
                    .unwrap_or(self.name(pointee));
                Some(Binding { number, name, kind })
            })
            .collect();
        bindings.sort_by_key(|binding| binding.number);
        bindings
    }

    /// `readonly` stands on the variable or on every member of its block, as the compiler chooses.
    fn is_read_only(&self, variable: u32, block: u32) -> bool {
        let on_variable = self.module.annotations.iter().any(|i| {
            i.class.opcode == Op::Decorate
                && i.operands[0] == Operand::IdRef(variable)
                && i.operands[1] == Operand::Decoration(Decoration::NonWritable)
        });
        let on_member = self.module.annotations.iter().any(|i| {
            i.class.opcode == Op::MemberDecorate
                && i.operands[0] == Operand::IdRef(block)
                && i.operands[2] == Operand::Decoration(Decoration::NonWritable)
        });
        on_variable || on_member
    }

    fn push_constant_bytes(&self) -> u32 {
        self.variables()
            .find(|(_, class, _)| *class == StorageClass::PushConstant)
            .map_or(0, |(_, _, block)| self.size_of(block).next_multiple_of(4))
    }

    fn local_size(&self) -> [u32; 3] {
        let mode =
            self.module.execution_modes.iter().find(|i| {
                i.operands.get(1) == Some(&Operand::ExecutionMode(ExecutionMode::LocalSize))
            });
        mode.map_or([1; 3], |i| {
            std::array::from_fn(|axis| literal(&i.operands[2 + axis]))
        })
    }

    fn shared_bytes(&self) -> u32 {
        let shared = self
            .variables()
            .filter(|(_, class, _)| *class == StorageClass::Workgroup);
        shared.map(|(_, _, ty)| self.packed_size_of(ty)).sum()
    }

    /// Of a type without a layout, as shared memory has.
    fn packed_size_of(&self, ty: u32) -> u32 {
        let Some(i) = self.definition(ty) else {
            return 0;
        };
        match i.class.opcode {
            Op::TypeBool => 4,
            Op::TypeArray => {
                self.packed_size_of(id_of(&i.operands[0])) * self.constant(id_of(&i.operands[1]))
            }
            Op::TypeStruct => {
                let members = i.operands.iter().map(id_of);
                members.map(|member| self.packed_size_of(member)).sum()
            }
            _ => self.size_of(ty),
        }
    }

    /// A constant that the length of an array is made of, where specialisation leaves it alone.
    fn constant(&self, id: u32) -> u32 {
        let Some(i) = self.definition(id) else {
            return 0;
        };
        let Operand::LiteralSpecConstantOpInteger(op) = i.operands[0] else {
            return literal(&i.operands[0]);
        };
        let [a, b] = [1, 2].map(|ix| i.operands.get(ix).map_or(0, |id| self.constant(id_of(id))));
        match op {
            Op::IAdd => a + b,
            Op::ISub => a.saturating_sub(b),
            Op::IMul => a * b,
            Op::UDiv => a.checked_div(b).unwrap_or(0),
            _ => 0,
        }
    }

    fn structs(&self) -> Vec<StructLayout> {
        let structs = self
            .module
            .types_global_values
            .iter()
            .filter(|i| i.class.opcode == Op::TypeStruct);
        structs
            .filter_map(|i| {
                let id = i.result_id?;
                let members: Option<Vec<_>> = (0..i.operands.len() as u32)
                    .map(|member| {
                        Some((
                            self.member_name(id, member),
                            self.member_offset(id, member)?,
                        ))
                    })
                    .collect();
                Some(StructLayout {
                    name: self.name(id),
                    members: members?,
                })
            })
            .collect()
    }

    fn size_of(&self, ty: u32) -> u32 {
        let Some(i) = self.definition(ty) else {
            return 0;
        };
        match i.class.opcode {
            Op::TypeInt | Op::TypeFloat => literal(&i.operands[0]) / 8,
            Op::TypeVector | Op::TypeMatrix => {
                self.size_of(id_of(&i.operands[0])) * literal(&i.operands[1])
            }
            Op::TypeArray => {
                let length = self
                    .definition(id_of(&i.operands[1]))
                    .map_or(0, |c| literal(&c.operands[0]));
                self.decoration(ty, Decoration::ArrayStride).unwrap_or(0) * length
            }
            Op::TypeStruct => {
                let last = i.operands.len() as u32 - 1;
                self.member_offset(ty, last).unwrap_or(0)
                    + self.size_of(id_of(&i.operands[last as usize]))
            }
            _ => 0,
        }
    }

    fn definition(&self, id: u32) -> Option<&Instruction> {
        self.module
            .types_global_values
            .iter()
            .find(|i| i.result_id == Some(id))
    }

    fn decoration(&self, id: u32, wanted: Decoration) -> Option<u32> {
        self.module
            .annotations
            .iter()
            .find(|i| {
                i.class.opcode == Op::Decorate
                    && i.operands[0] == Operand::IdRef(id)
                    && i.operands[1] == Operand::Decoration(wanted)
            })
            .map(|i| literal(&i.operands[2]))
    }

    fn member_offset(&self, id: u32, member: u32) -> Option<u32> {
        self.module
            .annotations
            .iter()
            .find(|i| {
                i.class.opcode == Op::MemberDecorate
                    && i.operands[0] == Operand::IdRef(id)
                    && i.operands[1] == Operand::LiteralBit32(member)
                    && i.operands[2] == Operand::Decoration(Decoration::Offset)
            })
            .map(|i| literal(&i.operands[3]))
    }

    fn name(&self, id: u32) -> String {
        let found = self
            .module
            .debug_names
            .iter()
            .find(|i| i.class.opcode == Op::Name && i.operands[0] == Operand::IdRef(id));
        found.map_or(String::new(), |i| string_of(&i.operands[1]))
    }

    fn member_name(&self, id: u32, member: u32) -> String {
        let found = self.module.debug_names.iter().find(|i| {
            i.class.opcode == Op::MemberName
                && i.operands[0] == Operand::IdRef(id)
                && i.operands[1] == Operand::LiteralBit32(member)
        });
        found.map_or(String::new(), |i| string_of(&i.operands[2]))
    }
}

fn literal(operand: &Operand) -> u32 {
    match operand {
        Operand::LiteralBit32(value) => *value,
        _ => 0,
    }
}

fn id_of(operand: &Operand) -> u32 {
    match operand {
        Operand::IdRef(id) => *id,
        _ => 0,
    }
}

fn string_of(operand: &Operand) -> String {
    match operand {
        Operand::LiteralString(text) => text.clone(),
        _ => String::new(),
    }
}
