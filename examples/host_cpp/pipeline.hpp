// The engine's one pipeline: triangles with normals, in one colour.
#pragma once

#include "engine.hpp"
#include "shade_frag.h"
#include "shade_vert.h"

struct Pipeline {
    static constexpr vk::ShaderStageFlags stages = vk::ShaderStageFlagBits::eVertex | vk::ShaderStageFlagBits::eFragment;
    // Bytes of the matrix, behind which the colour is pushed.
    static constexpr uint32_t colour_offset = 64;

    vk::raii::PipelineLayout layout;
    vk::raii::Pipeline handle;

    explicit Pipeline(const vk::raii::Device& device) : layout(make_layout(device)), handle(make(device, *layout)) {}

private:
    static vk::raii::PipelineLayout make_layout(const vk::raii::Device& device) {
        const vk::PushConstantRange push{.stageFlags = stages, .size = colour_offset + 16};
        return {device, vk::PipelineLayoutCreateInfo{}.setPushConstantRanges(push)};
    }

    static vk::raii::Pipeline make(const vk::raii::Device& device, vk::PipelineLayout layout) {
        using Stage = vk::ShaderStageFlagBits;
        const vk::raii::ShaderModule vertex(device, {.codeSize = sizeof shade_vert, .pCode = shade_vert});
        const vk::raii::ShaderModule fragment(device, {.codeSize = sizeof shade_frag, .pCode = shade_frag});
        const vk::PipelineShaderStageCreateInfo shaders[] = {{.stage = Stage::eVertex, .module = *vertex, .pName = "main"},
                                                             {.stage = Stage::eFragment, .module = *fragment, .pName = "main"}};
        // Positions and normals lie in a buffer each; how far apart is said when they are bound.
        const vk::VertexInputBindingDescription bindings[] = {{.binding = 0}, {.binding = 1}};
        const auto three_floats = vk::Format::eR32G32B32Sfloat;
        const vk::VertexInputAttributeDescription attributes[] = {{.location = 0, .binding = 0, .format = three_floats},
                                                                  {.location = 1, .binding = 1, .format = three_floats}};
        const auto vertices = vk::PipelineVertexInputStateCreateInfo{}
                                  .setVertexBindingDescriptions(bindings)
                                  .setVertexAttributeDescriptions(attributes);
        const vk::PipelineInputAssemblyStateCreateInfo assembly{.topology = vk::PrimitiveTopology::eTriangleList};
        const vk::PipelineViewportStateCreateInfo viewports{.viewportCount = 1, .scissorCount = 1};
        const vk::PipelineRasterizationStateCreateInfo raster{.lineWidth = 1};
        const vk::PipelineMultisampleStateCreateInfo samples;
        const vk::PipelineDepthStencilStateCreateInfo depth{
            .depthTestEnable = true, .depthWriteEnable = true, .depthCompareOp = vk::CompareOp::eLess};
        using C = vk::ColorComponentFlagBits;
        const vk::PipelineColorBlendAttachmentState opaque{.colorWriteMask = C::eR | C::eG | C::eB | C::eA};
        const auto blend = vk::PipelineColorBlendStateCreateInfo{}.setAttachments(opaque);
        const vk::DynamicState dynamics[] = {vk::DynamicState::eViewport, vk::DynamicState::eScissor,
                                             vk::DynamicState::eVertexInputBindingStride};
        const auto dynamic = vk::PipelineDynamicStateCreateInfo{}.setDynamicStates(dynamics);
        const vk::PipelineRenderingCreateInfo rendering{
            .colorAttachmentCount = 1, .pColorAttachmentFormats = &colour_format, .depthAttachmentFormat = depth_format};
        return {device, nullptr,
                vk::GraphicsPipelineCreateInfo{.pNext = &rendering,
                                               .stageCount = 2,
                                               .pStages = shaders,
                                               .pVertexInputState = &vertices,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewports,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pDepthStencilState = &depth,
                                               .pColorBlendState = &blend,
                                               .pDynamicState = &dynamic,
                                               .layout = layout}};
    }
};
