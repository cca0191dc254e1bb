//! Pipelines, with the layout that their shaders declare: set 0, pushed where the device can, and push constants.

use std::ffi::{CStr, CString};
use std::sync::Arc;

use ash::vk;

use super::{Binding, BindingKind, Gpu, GpuError, Shader};

const ENTRY_POINT: &CStr = c"main";

/// Set layout, pipeline layout and the bindings a pass must give.
pub(super) struct Layout {
    gpu: Arc<Gpu>,
    pub(super) set_layout: vk::DescriptorSetLayout,
    pub(super) handle: vk::PipelineLayout,
    pub(super) bindings: Vec<Binding>,
    pub(super) push_constant_bytes: u32,
    pub(super) stages: vk::ShaderStageFlags,
}

impl Layout {
    fn new(
        gpu: &Arc<Gpu>,
        label: &str,
        shaders: &[(&Shader, vk::ShaderStageFlags)],
    ) -> Result<Self, GpuError> {
        let stages = shaders
            .iter()
            .fold(vk::ShaderStageFlags::empty(), |all, (_, stage)| {
                all | *stage
            });
        let mut layout = Self {
            gpu: Arc::clone(gpu),
            set_layout: vk::DescriptorSetLayout::null(),
            handle: vk::PipelineLayout::null(),
            bindings: merge_bindings(shaders),
            push_constant_bytes: shaders
                .iter()
                .map(|(shader, _)| shader.push_constant_bytes)
                .max()
                .unwrap_or(0),
            stages,
        };
        check_storage_buffers(label, &layout.bindings, &gpu.limits)?;
        if !gpu.is_measuring() {
            layout.make(label)?;
        }
        Ok(layout)
    }

    fn make(&mut self, label: &str) -> Result<(), GpuError> {
        let bindings: Vec<_> = self
            .bindings
            .iter()
            .map(|binding| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding.number)
                    .descriptor_type(descriptor_type(binding.kind))
                    .descriptor_count(1)
                    .stage_flags(self.stages)
            })
            .collect();
        let flags = match self.gpu.has_push_descriptors() {
            true => vk::DescriptorSetLayoutCreateFlags::PUSH_DESCRIPTOR_KHR,
            false => vk::DescriptorSetLayoutCreateFlags::empty(),
        };
        let set_info = vk::DescriptorSetLayoutCreateInfo::default()
            .flags(flags)
            .bindings(&bindings);
        // SAFETY: the device outlives the Gpu, and the create infos are complete.
        self.set_layout = unsafe {
            self.gpu
                .device
                .create_descriptor_set_layout(&set_info, None)
        }
        .map_err(GpuError::from_vk(label))?;
        let set_layouts = [self.set_layout];
        let ranges = [vk::PushConstantRange {
            stage_flags: self.stages,
            offset: 0,
            size: self.push_constant_bytes,
        }];
        let info = vk::PipelineLayoutCreateInfo::default()
            .set_layouts(&set_layouts)
            .push_constant_ranges(if self.push_constant_bytes > 0 {
                &ranges
            } else {
                &[]
            });
        // SAFETY: as above.
        self.handle = unsafe { self.gpu.device.create_pipeline_layout(&info, None) }
            .map_err(GpuError::from_vk(label))?;
        self.gpu.name(self.set_layout, label);
        self.gpu.name(self.handle, label);
        Ok(())
    }
}

impl Drop for Layout {
    fn drop(&mut self) {
        // SAFETY: the owner keeps pipelines until the GPU is done with the frames that use them.
        unsafe {
            self.gpu.device.destroy_pipeline_layout(self.handle, None);
            self.gpu
                .device
                .destroy_descriptor_set_layout(self.set_layout, None);
        }
    }
}

pub(super) fn descriptor_type(kind: BindingKind) -> vk::DescriptorType {
    match kind {
        BindingKind::StorageRead | BindingKind::StorageWrite => vk::DescriptorType::STORAGE_BUFFER,
        BindingKind::SampledImage => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
    }
}

/// All stages of a layout see all of its bindings.
fn check_storage_buffers(
    label: &str,
    bindings: &[Binding],
    limits: &vk::PhysicalDeviceLimits,
) -> Result<(), GpuError> {
    let is_buffer = |binding: &&Binding| binding.kind != BindingKind::SampledImage;
    let count = bindings.iter().filter(is_buffer).count() as u32;
    let max = limits
        .max_per_stage_descriptor_storage_buffers
        .min(limits.max_descriptor_set_storage_buffers);
    if count <= max {
        return Ok(());
    }
    Err(GpuError::TooManyBindings {
        object: label.to_owned(),
        count,
        max,
    })
}

/// Vulkan promises 128 threads and 16 kB, which searching cloth tile by tile is above; devices have several times as much.
fn check_workgroup(shader: &Shader, limits: &vk::PhysicalDeviceLimits) -> Result<(), GpuError> {
    let threads = shader.local_size.iter().product();
    let needed = [
        (
            threads,
            limits.max_compute_work_group_invocations,
            "threads",
        ),
        (
            shader.shared_bytes,
            limits.max_compute_shared_memory_size,
            "bytes of shared memory",
        ),
    ];
    match needed.into_iter().find(|(count, max, _)| count > max) {
        None => Ok(()),
        Some((count, max, what)) => Err(GpuError::WorkgroupTooLarge {
            object: shader.name.to_owned(),
            count,
            max,
            what,
        }),
    }
}

/// The bindings of all stages; one that several stages declare must be of one kind.
fn merge_bindings(shaders: &[(&Shader, vk::ShaderStageFlags)]) -> Vec<Binding> {
    let mut merged: Vec<Binding> = Vec::new();
    for binding in shaders.iter().flat_map(|(shader, _)| shader.bindings) {
        match merged.iter().find(|known| known.number == binding.number) {
            Some(known) => assert_eq!(
                known.kind, binding.kind,
                "stages disagree on binding {}",
                binding.number
            ),
            None => merged.push(*binding),
        }
    }
    merged.sort_by_key(|binding| binding.number);
    for (number, binding) in merged.iter().enumerate() {
        assert_eq!(
            binding.number as usize, number,
            "bindings count up from 0 without a gap"
        );
    }
    merged
}

/// A shader while its pipeline is made.
struct ShaderModule<'a> {
    gpu: &'a Gpu,
    handle: vk::ShaderModule,
}

impl<'a> ShaderModule<'a> {
    fn new(gpu: &'a Gpu, shader: &Shader) -> Result<Self, GpuError> {
        let words = gpu.words_of(shader);
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        // SAFETY: the words are SPIR-V from the shader compiler.
        let handle = unsafe { gpu.device.create_shader_module(&info, None) }
            .map_err(GpuError::from_vk(shader.name))?;
        gpu.name(handle, shader.name);
        Ok(Self { gpu, handle })
    }
}

impl Drop for ShaderModule<'_> {
    fn drop(&mut self) {
        // SAFETY: the pipeline that used it has been made or refused.
        unsafe { self.gpu.device.destroy_shader_module(self.handle, None) };
    }
}

/// A compute shader, ready to dispatch.
pub struct ComputePipeline {
    pub(super) layout: Layout,
    pub(super) handle: vk::Pipeline,
    pub(super) local_size: [u32; 3],
    pub(super) name: &'static str,
    /// The same for the driver.
    pub(super) label: CString,
}

impl ComputePipeline {
    /// Builds the pipeline of one shader; `constants` are its specialisation constants 0, 1, … as raw words.
    ///
    /// # Errors
    /// When the driver refuses the shader, with its name.
    pub fn new(gpu: &Arc<Gpu>, shader: &Shader, constants: &[u32]) -> Result<Self, GpuError> {
        check_workgroup(shader, &gpu.limits)?;
        let layout = Layout::new(gpu, shader.name, &[(shader, vk::ShaderStageFlags::COMPUTE)])?;
        let mut pipeline = Self {
            layout,
            handle: vk::Pipeline::null(),
            local_size: shader.local_size,
            name: shader.name,
            label: label_of(shader.name),
        };
        if gpu.is_measuring() {
            return Ok(pipeline);
        }
        let module = ShaderModule::new(gpu, shader)?;
        let entries = specialisation_entries(constants);
        let specialisation = specialisation_info(&entries, constants);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module.handle)
            .name(ENTRY_POINT)
            .specialization_info(&specialisation);
        let info = vk::ComputePipelineCreateInfo::default()
            .flags(gpu.pipeline_flags())
            .stage(stage)
            .layout(pipeline.layout.handle);
        // SAFETY: module and layout were made on this device; the module is destroyed only after the call.
        let made = unsafe {
            gpu.device
                .create_compute_pipelines(gpu.pipeline_cache, &[info], None)
        };
        let handle = made.map_err(|(_, result)| GpuError::from_vk(shader.name)(result))?[0];
        gpu.take_pipeline(handle, shader.name);
        pipeline.handle = handle;
        Ok(pipeline)
    }
}

impl Drop for ComputePipeline {
    fn drop(&mut self) {
        // SAFETY: the owner keeps pipelines until the GPU is done with the frames that use them.
        unsafe { self.layout.gpu.destroy_pipeline(self.handle) };
    }
}

/// How a draw uses the depth attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthTest {
    /// There is none.
    None,
    /// Nearer fragments win and are written.
    Write,
    /// Nearer fragments win, nothing is written.
    Read,
}

/// A graphics pipeline without vertex input: vertex shaders fetch what they need.
///
/// Viewport and scissor are dynamic.
#[derive(Clone, Copy)]
pub struct GraphicsDesc<'a> {
    pub label: &'a str,
    pub vertex: &'a Shader,
    /// Without one only depth is written.
    pub fragment: Option<&'a Shader>,
    pub topology: vk::PrimitiveTopology,
    pub cull: vk::CullModeFlags,
    pub colour_format: Option<vk::Format>,
    pub depth_format: Option<vk::Format>,
    pub depth: DepthTest,
    pub samples: vk::SampleCountFlags,
    /// Whether colours are mixed with what is there by their alpha.
    pub blend: bool,
    /// Depth bias: constant and slope, for shadow maps.
    pub depth_bias: Option<(f32, f32)>,
    /// Specialisation constants 0, 1, … of both stages, as raw words.
    pub constants: &'a [u32],
}

impl<'a> GraphicsDesc<'a> {
    /// Triangles over a picture of that format that is there already, in the order in which they come.
    pub fn over_picture(
        label: &'a str,
        [vertex, fragment]: [&'a Shader; 2],
        format: vk::Format,
    ) -> Self {
        Self {
            label,
            vertex,
            fragment: Some(fragment),
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
            cull: vk::CullModeFlags::NONE,
            colour_format: Some(format),
            depth_format: None,
            depth: DepthTest::None,
            samples: vk::SampleCountFlags::TYPE_1,
            blend: false,
            depth_bias: None,
            constants: &[],
        }
    }
}

/// A vertex and a fragment shader, ready to draw.
pub struct GraphicsPipeline {
    pub(super) layout: Layout,
    pub(super) handle: vk::Pipeline,
    pub(super) name: &'static str,
    /// What it was called when it was made.
    pub(super) label: CString,
}

/// A name for captures.
fn label_of(name: &str) -> CString {
    CString::new(name).unwrap_or_default()
}

impl GraphicsPipeline {
    /// Builds the pipeline.
    ///
    /// # Errors
    /// When the driver refuses it, with its label.
    pub fn new(gpu: &Arc<Gpu>, desc: &GraphicsDesc) -> Result<Self, GpuError> {
        let mut shaders = vec![(desc.vertex, vk::ShaderStageFlags::VERTEX)];
        shaders.extend(
            desc.fragment
                .map(|fragment| (fragment, vk::ShaderStageFlags::FRAGMENT)),
        );
        let layout = Layout::new(gpu, desc.label, &shaders)?;
        if gpu.is_measuring() {
            return Ok(Self {
                layout,
                handle: vk::Pipeline::null(),
                name: desc.vertex.name,
                label: label_of(desc.label),
            });
        }
        let modules: Vec<_> = shaders
            .iter()
            .map(|(shader, _)| ShaderModule::new(gpu, shader))
            .collect::<Result<_, _>>()?;
        let entries = specialisation_entries(desc.constants);
        let specialisation = specialisation_info(&entries, desc.constants);
        let stages: Vec<_> = shaders
            .iter()
            .zip(&modules)
            .map(|((_, stage), module)| {
                vk::PipelineShaderStageCreateInfo::default()
                    .stage(*stage)
                    .module(module.handle)
                    .name(ENTRY_POINT)
                    .specialization_info(&specialisation)
            })
            .collect();
        let handle = make_graphics(gpu, desc, &stages, layout.handle)
            .map_err(GpuError::from_vk(desc.label))?;
        gpu.take_pipeline(handle, desc.label);
        Ok(Self {
            layout,
            handle,
            name: desc.vertex.name,
            label: label_of(desc.label),
        })
    }
}

impl Drop for GraphicsPipeline {
    fn drop(&mut self) {
        // SAFETY: the owner keeps pipelines until the GPU is done with the frames that use them.
        unsafe { self.layout.gpu.destroy_pipeline(self.handle) };
    }
}

fn make_graphics(
    gpu: &Gpu,
    desc: &GraphicsDesc,
    stages: &[vk::PipelineShaderStageCreateInfo],
    layout: vk::PipelineLayout,
) -> Result<vk::Pipeline, vk::Result> {
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default();
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(desc.topology);
    let viewport = vk::PipelineViewportStateCreateInfo::default()
        .viewport_count(1)
        .scissor_count(1);
    let (bias_constant, bias_slope) = desc.depth_bias.unwrap_or_default();
    let rasterisation = vk::PipelineRasterizationStateCreateInfo::default()
        .polygon_mode(vk::PolygonMode::FILL)
        .cull_mode(desc.cull)
        .front_face(vk::FrontFace::COUNTER_CLOCKWISE)
        .depth_bias_enable(desc.depth_bias.is_some())
        .depth_bias_constant_factor(bias_constant)
        .depth_bias_slope_factor(bias_slope)
        .line_width(1.0);
    let multisample =
        vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(desc.samples);
    let depth_stencil = depth_state(desc.depth);
    let blends = [blend_state(desc.blend)];
    let colour_formats: Vec<_> = desc.colour_format.into_iter().collect();
    let blend = vk::PipelineColorBlendStateCreateInfo::default()
        .attachments(&blends[..colour_formats.len()]);
    let dynamic_states = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&dynamic_states);
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&colour_formats)
        .depth_attachment_format(desc.depth_format.unwrap_or(vk::Format::UNDEFINED));
    let info = vk::GraphicsPipelineCreateInfo::default()
        .flags(gpu.pipeline_flags())
        .stages(stages)
        .vertex_input_state(&vertex_input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&rasterisation)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth_stencil)
        .color_blend_state(&blend)
        .dynamic_state(&dynamic)
        .layout(layout)
        .push_next(&mut rendering);
    // SAFETY: every state above is complete and the handles were made on this device.
    let made = unsafe {
        gpu.device
            .create_graphics_pipelines(gpu.pipeline_cache, &[info], None)
    };
    made.map(|pipelines| pipelines[0])
        .map_err(|(_, result)| result)
}

fn depth_state(test: DepthTest) -> vk::PipelineDepthStencilStateCreateInfo<'static> {
    vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(test != DepthTest::None)
        .depth_write_enable(test == DepthTest::Write)
        .depth_compare_op(vk::CompareOp::GREATER_OR_EQUAL)
}

fn blend_state(blend: bool) -> vk::PipelineColorBlendAttachmentState {
    vk::PipelineColorBlendAttachmentState::default()
        .blend_enable(blend)
        .src_color_blend_factor(vk::BlendFactor::SRC_ALPHA)
        .dst_color_blend_factor(vk::BlendFactor::ONE_MINUS_SRC_ALPHA)
        .color_blend_op(vk::BlendOp::ADD)
        .src_alpha_blend_factor(vk::BlendFactor::ONE)
        .dst_alpha_blend_factor(vk::BlendFactor::ONE_MINUS_SRC_ALPHA)
        .alpha_blend_op(vk::BlendOp::ADD)
        .color_write_mask(vk::ColorComponentFlags::RGBA)
}

fn specialisation_entries(constants: &[u32]) -> Vec<vk::SpecializationMapEntry> {
    (0..constants.len() as u32)
        .map(|constant_id| vk::SpecializationMapEntry {
            constant_id,
            offset: constant_id * 4,
            size: 4,
        })
        .collect()
}

fn specialisation_info<'a>(
    entries: &'a [vk::SpecializationMapEntry],
    constants: &'a [u32],
) -> vk::SpecializationInfo<'a> {
    vk::SpecializationInfo::default()
        .map_entries(entries)
        .data(bytemuck::cast_slice(constants))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::shaders;

    #[test]
    fn a_shader_may_bind_as_many_buffers_as_the_device_takes() {
        let shader = &shaders::RADIAL_COLLIDE_COMP;
        let count = shader.bindings.len() as u32;
        let check = |max| {
            let limits = vk::PhysicalDeviceLimits {
                max_per_stage_descriptor_storage_buffers: max,
                max_descriptor_set_storage_buffers: u32::MAX,
                ..Default::default()
            };
            check_storage_buffers(shader.name, shader.bindings, &limits)
        };
        assert!(check(count).is_ok());
        let error = check(count - 1).expect_err("it is one too many");
        let text = error.to_string();
        assert!(
            text.starts_with(&format!(
                "radial/collide.comp binds {count} storage buffers"
            )),
            "{text}"
        );
    }
}
