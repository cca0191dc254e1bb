//! The pipelines of radial fields.

use std::sync::Arc;

use ash::vk;

use super::gpu::FilledBy;
use super::rules::FieldRules;
use super::update::MIN_FACING;
use crate::collide::{Detection, Kernel, THREADS_PER_EDGES};
use crate::gpu::{
    ComputePipeline, DepthTest, Gpu, GpuError, GraphicsDesc, GraphicsPipeline, shaders,
};

/// What the pipelines of radial fields are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RadialVariant {
    pub filled_by: FilledBy,
    /// Of the collision.
    pub kernel: Kernel,
    /// Whether there are fields of garments that others are worn over.
    pub has_layers: bool,
    pub rules: FieldRules,
}

/// The pipelines of radial fields.
pub struct RadialPipelines {
    /// Of the two, the one that fills these fields: a device that never draws them need not be able to.
    pub(super) rasterise: Rasterise,
    variant: RadialVariant,
    /// One per [`Detection`].
    pub(super) collide: [ComputePipeline; 2],
    pub(super) collide_edges: ComputePipeline,
    pub(super) bound: ComputePipeline,
}

/// How the skin is written into the cells.
pub(super) enum Rasterise {
    Drawing {
        /// For triangles of few cells, if they are computed: it lists the others.
        small: Option<ComputePipeline>,
        listed: GraphicsPipeline,
    },
    Compute(ComputePipeline),
}

/// Cells of a triangle's bounding box above which it is drawn, where fields are drawn. Usually 64 to 128; with 16 an H200, which has few raster units, takes
/// twice as long for a person, with 256 hardly anything is drawn.
const MOST_CELLS: u32 = 128;

impl Rasterise {
    fn new(gpu: &Arc<Gpu>, variant: RadialVariant) -> Result<Self, GpuError> {
        let FieldRules {
            axis_rays, entries, ..
        } = variant.rules;
        let constants = [
            MIN_FACING.to_bits(),
            u32::from(axis_rays),
            u32::from(entries),
        ];
        let compute = |most_cells| {
            let [facing, axis_rays, entries] = constants;
            let constants = [facing, axis_rays, entries, most_cells];
            ComputePipeline::new(gpu, &shaders::RADIAL_RASTERISE_COMP, &constants)
        };
        if variant.filled_by == FilledBy::Compute {
            return Ok(Self::Compute(compute(u32::MAX)?));
        }
        let small = variant.rules.small_computed;
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
        Ok(Self::Drawing {
            small: small.then(|| compute(MOST_CELLS)).transpose()?,
            listed: GraphicsPipeline::new(gpu, &desc)?,
        })
    }
}

impl RadialVariant {
    /// Threads that share a particle's edges: as many as there are for its fields, but a workgroup has no more particles than a group.
    pub(super) fn edge_lanes(self) -> u32 {
        self.kernel.lanes.clamp(LEAST_EDGE_LANES, THREADS_PER_EDGES)
    }
}

/// A workgroup's threads, by the particles of a [`CandidateGroup`](crate::collide::CandidateGroup).
const LEAST_EDGE_LANES: u32 = 4;

impl RadialPipelines {
    /// Compiles them.
    ///
    /// # Errors
    /// When the driver refuses a shader.
    pub(crate) fn new(gpu: &Arc<Gpu>, variant: RadialVariant) -> Result<Self, GpuError> {
        let [lanes, has_solids] = variant.kernel.constants();
        let half_cells = u32::from(variant.rules.half_cells);
        let collide = |detection: Detection| {
            let has_layers = u32::from(variant.has_layers);
            let constants = [lanes, has_solids, detection as u32, half_cells, has_layers];
            ComputePipeline::new(gpu, &shaders::RADIAL_COLLIDE_COMP, &constants)
        };
        Ok(Self {
            rasterise: Rasterise::new(gpu, variant)?,
            variant,
            collide: [collide(Detection::Samples)?, collide(Detection::March)?],
            collide_edges: ComputePipeline::new(
                gpu,
                &shaders::RADIAL_COLLIDE_EDGES_COMP,
                // It has no constants 1 and 2, which are for solids and for how paths are tested.
                &[variant.edge_lanes(), 0, 0, half_cells],
            )?,
            bound: ComputePipeline::new(
                gpu,
                &shaders::RADIAL_BOUND_COMP,
                &[u32::from(variant.rules.one_piece)],
            )?,
        })
    }

    /// What they were compiled for.
    pub(crate) fn variant(&self) -> RadialVariant {
        self.variant
    }
}
