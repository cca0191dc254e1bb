//! The pipelines of a picture.

use std::collections::HashMap;
use std::sync::Arc;

use ash::vk;

use super::RendererDesc;
use super::targets::DEPTH_FORMAT;
use crate::collide::Technique;
use crate::collide::detector::{DebugShader, DebugStyle};
use crate::gpu::{
    DepthTest, Gpu, GpuError, GraphicsDesc, GraphicsPipeline, Shader, is_srgb, shaders,
};

/// Each edge of the cloth's triangles is cut into this many for drawing: 2 rounds the folds of garments with a particle
/// every 2 cm; 1 shows the simulated triangles as they are.
pub const CLOTH_CUTS: u32 = 2;

/// Immutable, replaced as a whole by hot reload.
pub struct RenderPipelines {
    pub shadow_body: GraphicsPipeline,
    pub shadow_cloth: GraphicsPipeline,
    /// Of materials with holes.
    pub shadow_cut_body: GraphicsPipeline,
    pub shadow_cut_cloth: GraphicsPipeline,
    pub body: GraphicsPipeline,
    pub cloth: GraphicsPipeline,
    pub cloth_rim: GraphicsPipeline,
    pub ground: GraphicsPipeline,
    pub backdrop: GraphicsPipeline,
    pub contacts: GraphicsPipeline,
    pub solid: GraphicsPipeline,
    pub shadow_solid: GraphicsPipeline,
    /// Of the techniques' debug views, by the name of the vertex shader.
    debug: HashMap<&'static str, GraphicsPipeline>,
}

impl RenderPipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>, desc: &RendererDesc) -> Result<Self, GpuError> {
        let constants = [u32::from(!is_srgb(desc.colour_format)), CLOTH_CUTS];
        let kinds = Kinds {
            gpu,
            desc,
            constants: &constants,
        };
        let flat = &shaders::RENDER_FLAT_FRAG;
        Ok(Self {
            shadow_body: kinds.shadow("render.shadow_body", &shaders::RENDER_SHADOW_BODY_VERT)?,
            shadow_cloth: kinds
                .shadow("render.shadow_cloth", &shaders::RENDER_SHADOW_CLOTH_VERT)?,
            shadow_cut_body: kinds.shadow_cut(
                "render.shadow_cut_body",
                &shaders::RENDER_SHADOW_CUT_BODY_VERT,
            )?,
            shadow_cut_cloth: kinds.shadow_cut(
                "render.shadow_cut_cloth",
                &shaders::RENDER_SHADOW_CUT_CLOTH_VERT,
            )?,
            body: kinds.solid(
                "render.body",
                &shaders::RENDER_BODY_VERT,
                &shaders::RENDER_BODY_FRAG,
            )?,
            cloth: kinds.solid(
                "render.cloth",
                &shaders::RENDER_CLOTH_VERT,
                &shaders::RENDER_CLOTH_FRAG,
            )?,
            cloth_rim: kinds.solid(
                "render.cloth_rim",
                &shaders::RENDER_CLOTH_RIM_VERT,
                &shaders::RENDER_CLOTH_FRAG,
            )?,
            solid: kinds.solid(
                "render.solid",
                &shaders::RENDER_SOLID_VERT,
                &shaders::RENDER_SOLID_FRAG,
            )?,
            shadow_solid: kinds
                .shadow("render.shadow_solid", &shaders::RENDER_SHADOW_SOLID_VERT)?,
            ground: kinds.ground()?,
            backdrop: kinds.backdrop()?,
            contacts: kinds.lines("render.contacts", &shaders::RENDER_CONTACTS_VERT, flat)?,
            debug: Technique::debug_shaders()
                .into_iter()
                .map(|shader| Ok((shader.vertex.name, kinds.debug(shader)?)))
                .collect::<Result<_, GpuError>>()?,
        })
    }

    /// That of a debug view.
    ///
    /// # Panics
    /// When no technique names that shader.
    pub fn debug(&self, vertex: &Shader) -> &GraphicsPipeline {
        &self.debug[vertex.name]
    }
}

/// The few kinds of pipeline there are.
struct Kinds<'a> {
    gpu: &'a Arc<Gpu>,
    desc: &'a RendererDesc,
    constants: &'a [u32],
}

impl Kinds<'_> {
    /// A triangle soup seen from both sides: skin may have holes, cloth has two faces.
    fn base<'a>(&'a self, label: &'a str, vertex: &'a Shader) -> GraphicsDesc<'a> {
        GraphicsDesc {
            label,
            vertex,
            fragment: None,
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
            cull: vk::CullModeFlags::NONE,
            colour_format: Some(self.desc.colour_format),
            depth_format: Some(DEPTH_FORMAT),
            depth: DepthTest::Write,
            samples: self.desc.samples,
            blend: false,
            depth_bias: None,
            constants: self.constants,
        }
    }

    /// Depth alone.
    fn shadow_base<'a>(&'a self, label: &'a str, vertex: &'a Shader) -> GraphicsDesc<'a> {
        GraphicsDesc {
            colour_format: None,
            samples: vk::SampleCountFlags::TYPE_1,
            ..self.base(label, vertex)
        }
    }

    fn shadow(&self, label: &str, vertex: &Shader) -> Result<GraphicsPipeline, GpuError> {
        GraphicsPipeline::new(self.gpu, &self.shadow_base(label, vertex))
    }

    fn shadow_cut(&self, label: &str, vertex: &Shader) -> Result<GraphicsPipeline, GpuError> {
        let desc = GraphicsDesc {
            fragment: Some(&shaders::RENDER_SHADOW_CUT_FRAG),
            ..self.shadow_base(label, vertex)
        };
        GraphicsPipeline::new(self.gpu, &desc)
    }

    fn solid(
        &self,
        label: &str,
        vertex: &Shader,
        fragment: &Shader,
    ) -> Result<GraphicsPipeline, GpuError> {
        let desc = GraphicsDesc {
            fragment: Some(fragment),
            ..self.base(label, vertex)
        };
        GraphicsPipeline::new(self.gpu, &desc)
    }

    /// Seen from above alone, so that a camera below it looks through.
    fn ground(&self) -> Result<GraphicsPipeline, GpuError> {
        let desc = GraphicsDesc {
            fragment: Some(&shaders::RENDER_GROUND_FRAG),
            cull: vk::CullModeFlags::BACK,
            ..self.base("render.ground", &shaders::RENDER_GROUND_VERT)
        };
        GraphicsPipeline::new(self.gpu, &desc)
    }

    fn backdrop(&self) -> Result<GraphicsPipeline, GpuError> {
        let desc = GraphicsDesc {
            fragment: Some(&shaders::RENDER_BACKDROP_FRAG),
            depth: DepthTest::Read,
            ..self.base("render.backdrop", &shaders::RENDER_BACKDROP_VERT)
        };
        GraphicsPipeline::new(self.gpu, &desc)
    }

    fn debug(&self, shader: DebugShader) -> Result<GraphicsPipeline, GpuError> {
        let (name, vertex) = (shader.vertex.name, shader.vertex);
        match shader.style {
            DebugStyle::Solid => self.solid(name, vertex, &shaders::RENDER_SHOW_SURFACE_FRAG),
            DebugStyle::Lines => self.lines(name, vertex, &shaders::RENDER_FLAT_FRAG),
        }
    }

    fn lines(
        &self,
        label: &str,
        vertex: &Shader,
        fragment: &Shader,
    ) -> Result<GraphicsPipeline, GpuError> {
        let desc = GraphicsDesc {
            fragment: Some(fragment),
            depth: DepthTest::Read,
            blend: true,
            ..self.base(label, vertex)
        };
        GraphicsPipeline::new(self.gpu, &desc)
    }
}
