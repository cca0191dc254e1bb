//! How a pass touches memory: the only place where stage and access masks are spelt.

use ash::vk::{AccessFlags2 as A, PipelineStageFlags2 as S};

/// One way to touch a buffer, named by what the pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Written by the host before it submits.
    HostWrite,
    /// Read by the host after it waited for the submission.
    HostRead,
    TransferRead,
    TransferWrite,
    ComputeRead,
    ComputeWrite,
    /// Read and written by the same compute pass.
    ComputeReadWrite,
    /// Storage buffers pulled by a vertex shader.
    VertexRead,
    /// Bound as vertex buffers.
    VertexFetch,
    /// Atomics of a fragment shader, as the field update makes them.
    FragmentAtomicWrite,
    /// Storage buffers or sampled images of a fragment shader.
    FragmentRead,
    /// Sampled images of vertex and fragment shaders.
    ShadingSample,
    /// Arguments of an indirect dispatch or draw.
    IndirectRead,
    ColourAttachment,
    DepthAttachment,
    /// Handed to the screen; the semaphore that follows makes it visible.
    Present,
}

impl Access {
    /// Stage and access masks of this use.
    pub const fn masks(self) -> (S, A) {
        match self {
            Self::HostWrite => (S::HOST, A::HOST_WRITE),
            Self::HostRead => (S::HOST, A::HOST_READ),
            Self::TransferRead => (S::TRANSFER, A::TRANSFER_READ),
            Self::TransferWrite => (S::TRANSFER, A::TRANSFER_WRITE),
            Self::ComputeRead => (S::COMPUTE_SHADER, A::SHADER_STORAGE_READ),
            Self::ComputeWrite => (S::COMPUTE_SHADER, A::SHADER_STORAGE_WRITE),
            Self::ComputeReadWrite => (
                S::COMPUTE_SHADER,
                A::from_raw(A::SHADER_STORAGE_READ.as_raw() | A::SHADER_STORAGE_WRITE.as_raw()),
            ),
            Self::VertexRead => (S::VERTEX_SHADER, A::SHADER_STORAGE_READ),
            Self::VertexFetch => (S::VERTEX_ATTRIBUTE_INPUT, A::VERTEX_ATTRIBUTE_READ),
            Self::FragmentAtomicWrite => (
                S::FRAGMENT_SHADER,
                A::from_raw(A::SHADER_STORAGE_READ.as_raw() | A::SHADER_STORAGE_WRITE.as_raw()),
            ),
            Self::FragmentRead => (S::FRAGMENT_SHADER, A::SHADER_READ),
            Self::ShadingSample => (
                S::from_raw(S::VERTEX_SHADER.as_raw() | S::FRAGMENT_SHADER.as_raw()),
                A::SHADER_READ,
            ),
            Self::IndirectRead => (S::DRAW_INDIRECT, A::INDIRECT_COMMAND_READ),
            Self::ColourAttachment => (
                S::COLOR_ATTACHMENT_OUTPUT,
                A::from_raw(A::COLOR_ATTACHMENT_READ.as_raw() | A::COLOR_ATTACHMENT_WRITE.as_raw()),
            ),
            Self::Present => (S::COLOR_ATTACHMENT_OUTPUT, A::NONE),
            Self::DepthAttachment => (
                S::from_raw(S::EARLY_FRAGMENT_TESTS.as_raw() | S::LATE_FRAGMENT_TESTS.as_raw()),
                A::from_raw(
                    A::DEPTH_STENCIL_ATTACHMENT_READ.as_raw()
                        | A::DEPTH_STENCIL_ATTACHMENT_WRITE.as_raw(),
                ),
            ),
        }
    }

    /// The masks of several uses at once.
    pub fn union(uses: &[Self]) -> (S, A) {
        uses.iter()
            .fold((S::empty(), A::empty()), |(stages, accesses), each| {
                let (stage, access) = each.masks();
                (stages | stage, accesses | access)
            })
    }
}
