//! How a pass accesses memory: the only place where stage and access masks are spelt.

use ash::vk::{AccessFlags2 as A, PipelineStageFlags2 as S};

use super::QueueKind;

/// One way to access a buffer, named by what the pass does.
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

    /// The masks of several uses at once. Those that a queue of this kind does not support cannot happen on it, so they are
    /// left out: a host that draws on another queue waits with a semaphore.
    pub fn union(queue: QueueKind, uses: &[Self]) -> (S, A) {
        uses.iter()
            .map(|each| each.masks())
            .filter(|&(stage, _)| queue.knows(stage))
            .fold((S::empty(), A::empty()), |(stages, accesses), each| {
                (stages | each.0, accesses | each.1)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPUTED: [Access; 8] = [
        Access::HostWrite,
        Access::HostRead,
        Access::TransferRead,
        Access::TransferWrite,
        Access::ComputeRead,
        Access::ComputeWrite,
        Access::ComputeReadWrite,
        Access::IndirectRead,
    ];
    const DRAWN: [Access; 8] = [
        Access::VertexRead,
        Access::VertexFetch,
        Access::FragmentAtomicWrite,
        Access::FragmentRead,
        Access::ShadingSample,
        Access::ColourAttachment,
        Access::DepthAttachment,
        Access::Present,
    ];

    #[test]
    fn a_compute_queue_hears_of_no_stage_that_draws() {
        // Vulkan 1.3, table "Supported pipeline stage flags": those of queues with COMPUTE.
        let supported = S::COMPUTE_SHADER | S::DRAW_INDIRECT | S::TRANSFER | S::HOST;
        let all = [COMPUTED, DRAWN].concat();
        let (stages, accesses) = Access::union(QueueKind::Compute, &all);
        assert_eq!(stages, supported);
        assert_eq!(
            accesses,
            Access::union(QueueKind::Graphics, &COMPUTED).1,
            "what computes is all there"
        );
        for drawn in DRAWN {
            let masks = Access::union(QueueKind::Compute, &[drawn]);
            assert_eq!(masks, (S::empty(), A::empty()), "{drawn:?}");
        }
    }

    #[test]
    fn a_graphics_queue_hears_of_every_stage() {
        for each in [COMPUTED, DRAWN].concat() {
            assert_eq!(Access::union(QueueKind::Graphics, &[each]), each.masks());
        }
    }
}
