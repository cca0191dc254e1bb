//! The capabilities of a queue.

use ash::vk;
use ash::vk::PipelineStageFlags2 as S;

/// The kinds of queue that a simulation runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueKind {
    /// Draws, computes and copies.
    #[default]
    Graphics,
    /// Computes and copies; knows no stage that draws.
    Compute,
}

impl QueueKind {
    /// Of a family with these flags; `None` for one that cannot compute.
    pub fn of(flags: vk::QueueFlags) -> Option<Self> {
        let computes = flags.contains(vk::QueueFlags::COMPUTE);
        let kind = match flags.contains(vk::QueueFlags::GRAPHICS) {
            true => Self::Graphics,
            false => Self::Compute,
        };
        computes.then_some(kind)
    }

    /// Whether barriers on such a queue may name these stages.
    pub(super) fn knows(self, stages: S) -> bool {
        let computing = S::COMPUTE_SHADER | S::DRAW_INDIRECT | S::TRANSFER | S::HOST;
        self == Self::Graphics || computing.contains(stages)
    }

    /// The pipeline statistics that are counted: a queue supports those of its own kinds of shader only.
    pub(super) fn statistics(self) -> vk::QueryPipelineStatisticFlags {
        use vk::QueryPipelineStatisticFlags as Q;
        match self {
            Self::Graphics => {
                Q::VERTEX_SHADER_INVOCATIONS
                    | Q::FRAGMENT_SHADER_INVOCATIONS
                    | Q::COMPUTE_SHADER_INVOCATIONS
            }
            Self::Compute => Q::COMPUTE_SHADER_INVOCATIONS,
        }
    }
}
