//! The engine's one pipeline: triangles with normals, in one colour.

use ash::vk;

use crate::engine::{Engine, Result};

pub const STAGES: vk::ShaderStageFlags = vk::ShaderStageFlags::from_raw(
    vk::ShaderStageFlags::VERTEX.as_raw() | vk::ShaderStageFlags::FRAGMENT.as_raw(),
);
/// Bytes of the matrix, behind which the colour is pushed.
pub const COLOUR_OFFSET: u32 = 64;

pub fn make(
    engine: &mut Engine,
    (colour, depth): (vk::Format, vk::Format),
) -> Result<(vk::PipelineLayout, vk::Pipeline)> {
    let device = engine.device.clone();
    let push = [vk::PushConstantRange {
        stage_flags: STAGES,
        offset: 0,
        size: COLOUR_OFFSET + 16,
    }];
    let layout_info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
    // Compiled from the files of the same names by tools/compile_shaders.
    let modules = [
        shader(&device, include_bytes!("shade.vert.spv"))?,
        shader(&device, include_bytes!("shade.frag.spv"))?,
    ];
    let kinds = [vk::ShaderStageFlags::VERTEX, vk::ShaderStageFlags::FRAGMENT];
    let stages = [0, 1].map(|ix| {
        vk::PipelineShaderStageCreateInfo::default()
            .stage(kinds[ix])
            .module(modules[ix])
            .name(c"main")
    });
    // Positions and normals lie in a buffer each; how far apart is said when they are bound.
    let bindings = [0, 1].map(|ix| vk::VertexInputBindingDescription::default().binding(ix));
    let attributes = [0, 1].map(|ix| {
        vk::VertexInputAttributeDescription::default()
            .location(ix)
            .binding(ix)
            .format(vk::Format::R32G32B32_SFLOAT)
    });
    let vertices = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
        .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
    let viewports = vk::PipelineViewportStateCreateInfo::default()
        .viewport_count(1)
        .scissor_count(1);
    let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
    let samples = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let test = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(true)
        .depth_write_enable(true)
        .depth_compare_op(vk::CompareOp::LESS);
    let opaque = [vk::PipelineColorBlendAttachmentState::default()
        .color_write_mask(vk::ColorComponentFlags::RGBA)];
    let blending = vk::PipelineColorBlendStateCreateInfo::default().attachments(&opaque);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&[
        vk::DynamicState::VIEWPORT,
        vk::DynamicState::SCISSOR,
        vk::DynamicState::VERTEX_INPUT_BINDING_STRIDE,
    ]);
    let colours = [colour];
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&colours)
        .depth_attachment_format(depth);
    // SAFETY: the infos are complete and outlive the calls.
    unsafe {
        let layout = device.create_pipeline_layout(&layout_info, None)?;
        engine.at_end(move |device| device.destroy_pipeline_layout(layout, None));
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&vertices)
            .input_assembly_state(&assembly)
            .viewport_state(&viewports)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&test)
            .color_blend_state(&blending)
            .dynamic_state(&dynamic)
            .layout(layout)
            .push_next(&mut rendering);
        let made = device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None);
        for module in modules {
            device.destroy_shader_module(module, None);
        }
        let pipeline = made.map_err(|(_, result)| result)?[0];
        engine.at_end(move |device| device.destroy_pipeline(pipeline, None));
        Ok((layout, pipeline))
    }
}

fn shader(device: &ash::Device, spirv: &[u8]) -> Result<vk::ShaderModule> {
    let words = ash::util::read_spv(&mut std::io::Cursor::new(spirv))?;
    let info = vk::ShaderModuleCreateInfo::default().code(&words);
    // SAFETY: the words are SPIR-V from the compiler.
    Ok(unsafe { device.create_shader_module(&info, None) }?)
}
