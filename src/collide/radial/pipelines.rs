//! The pipelines of radial fields.

use std::sync::Arc;

use ash::vk;

use super::gpu::{EDGE_LANES, LANES};
use super::twin::update::MIN_FACING;
use crate::collide::Detection;
use crate::gpu::{
    ComputePipeline, DepthTest, Gpu, GpuError, GraphicsDesc, GraphicsPipeline, shaders,
};

/// The passes of radial fields.
pub struct RadialPipelines {
    pub(super) rasterise: GraphicsPipeline,
    pub(super) rasterise_in_compute: ComputePipeline,
    /// One a [`Detection`].
    pub(super) collide: [ComputePipeline; 2],
    pub(super) collide_edges: ComputePipeline,
    pub(super) bound: ComputePipeline,
}

impl RadialPipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        let rasterise = GraphicsDesc {
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
            constants: &[MIN_FACING.to_bits()],
        };
        let collide = |detection: Detection| {
            let constants = [detection as u32, LANES];
            ComputePipeline::new(gpu, &shaders::RADIAL_COLLIDE_COMP, &constants)
        };
        Ok(Self {
            rasterise: GraphicsPipeline::new(gpu, &rasterise)?,
            rasterise_in_compute: ComputePipeline::new(
                gpu,
                &shaders::RADIAL_RASTERISE_COMP,
                &[MIN_FACING.to_bits()],
            )?,
            collide: [collide(Detection::Samples)?, collide(Detection::March)?],
            collide_edges: ComputePipeline::new(
                gpu,
                &shaders::RADIAL_COLLIDE_EDGES_COMP,
                &[EDGE_LANES],
            )?,
            bound: ComputePipeline::new(gpu, &shaders::RADIAL_BOUND_COMP, &[])?,
        })
    }
}
