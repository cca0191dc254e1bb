//! A thin layer over Vulkan with Vulkan's terms, limited to what the passes need. Independent of bodies and cloth.
//!
//! Everything is recorded through a [`Recorder`] into a command buffer that somebody else owns and submits.

mod access;
mod buffer;
mod context;
mod descriptors;
mod executables;
mod image;
mod pipeline;
mod queue;
mod recorder;
mod sampler;
mod shader;
#[cfg(feature = "shader_compiler")]
pub mod shader_compiler;
#[cfg(feature = "shader_compiler")]
pub mod shader_package;
#[cfg(feature = "shader_compiler")]
pub mod shader_writer;
mod statistics;
mod timestamps;
mod transient;
mod upload;

pub use access::Access;
pub use buffer::{Buffer, BufferDesc, BufferSlice, Memory};
pub use context::{Gpu, GpuDesc, GpuError, MemoryUse, ShaderSource};
pub use descriptors::{Bind, DescriptorSets};
pub use executables::{ExecutableStatistic, PipelineExecutable};
pub use image::{Image, ImageDesc, is_srgb};
pub use pipeline::{ComputePipeline, DepthTest, GraphicsDesc, GraphicsPipeline};
pub use queue::QueueKind;
pub use recorder::{Launches, Recorder};
pub use sampler::{Sampler, SamplerDesc};
pub use shader::{Binding, BindingKind, Shader, StructLayout};
pub use statistics::{Invocations, PipelineStatistics, StageInvocations};
pub use timestamps::{HostQueries, PassSpan, StageTimes, Timestamps, Timing, ticks_to_ns};
pub use transient::Transient;
pub use upload::Uploads;

/// The library's shaders: those of `assets/spirv`, or as the build script has compiled them from `glsl/`.
pub mod shaders {
    use super::{Binding, BindingKind, Shader, StructLayout};
    include!(env!("RADIAL_FIELDS_SHADERS"));
}
