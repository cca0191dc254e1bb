//! The pipelines of radial fields.

use std::sync::Arc;

use ash::vk;

use super::gpu::FilledBy;
use super::update::MIN_FACING;
use crate::collide::{Detection, Kernel, THREADS_PER_EDGES};
use crate::gpu::{
    ComputePipeline, DepthTest, Gpu, GpuError, GraphicsDesc, GraphicsPipeline, shaders,
};

/// The pipelines of radial fields.
pub struct RadialPipelines {
    /// Of the two, the one that fills these fields: a device that never draws them need not be able to.
    pub(super) rasterise: Rasterise,
    kernel: Kernel,
    /// One per [`Detection`].
    pub(super) collide: [ComputePipeline; 2],
    pub(super) collide_edges: ComputePipeline,
    pub(super) bound: ComputePipeline,
}

/// How the skin is written into the cells.
pub(super) enum Rasterise {
    Drawing(GraphicsPipeline),
    Compute(ComputePipeline),
}

impl Rasterise {
    fn new(gpu: &Arc<Gpu>, filled_by: FilledBy) -> Result<Self, GpuError> {
        let constants = [MIN_FACING.to_bits()];
        if filled_by == FilledBy::Compute {
            let pipeline = ComputePipeline::new(gpu, &shaders::RADIAL_RASTERISE_COMP, &constants)?;
            return Ok(Self::Compute(pipeline));
        }
        let desc = GraphicsDesc {
            label: "radial.rasterise",
            vertex: &shaders::RADIAL_RASTERISE_VERT,
            fragment: Some(&shaders::RADIAL_RASTERISE_FRAG),
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
            cull: vk::CullModeFlags::NONE,
            colour_format: None,
            depth_format: None,
            depth: DepthTest::None,
            samples: vk::SampleCountFlags::TYPE_1,
            blend: false,
            depth_bias: None,
            constants: &constants,
        };
        Ok(Self::Drawing(GraphicsPipeline::new(gpu, &desc)?))
    }
}

impl RadialPipelines {
    /// `kernel`: of the collision.
    ///
    /// # Errors
    /// When the driver refuses a shader.
    pub(crate) fn new(
        gpu: &Arc<Gpu>,
        filled_by: FilledBy,
        kernel: Kernel,
    ) -> Result<Self, GpuError> {
        let [lanes, has_solids] = kernel.constants();
        let collide = |detection: Detection| {
            let constants = [lanes, has_solids, detection as u32];
            ComputePipeline::new(gpu, &shaders::RADIAL_COLLIDE_COMP, &constants)
        };
        Ok(Self {
            rasterise: Rasterise::new(gpu, filled_by)?,
            kernel,
            collide: [collide(Detection::Samples)?, collide(Detection::March)?],
            collide_edges: ComputePipeline::new(
                gpu,
                &shaders::RADIAL_COLLIDE_EDGES_COMP,
                &[THREADS_PER_EDGES, has_solids],
            )?,
            bound: ComputePipeline::new(gpu, &shaders::RADIAL_BOUND_COMP, &[])?,
        })
    }

    /// Whether they fill fields in that way, and collide with that kernel.
    pub(super) fn serves(&self, filled_by: FilledBy, kernel: Kernel) -> bool {
        let fills = match self.rasterise {
            Rasterise::Drawing(_) => FilledBy::Drawing,
            Rasterise::Compute(_) => FilledBy::Compute,
        };
        (fills, self.kernel) == (filled_by, kernel)
    }

    /// What the collision is compiled for.
    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel
    }
}
