// The engine's own draw: bodies and their clothes, a picture in a file.
#pragma once

#include <cstring>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include "camera.hpp"
#include "pipeline.hpp"

// Triangles of one colour. `first_vertex` is added to their indices.
struct Part {
    uint32_t first_index, index_count;
    const float* colour;
    uint32_t first_vertex;
};

// What is drawn out of two buffers.
struct Mesh {
    VkBuffer positions, normals;
    vk::DeviceSize stride; // bytes from one vertex to the next
    std::vector<Part> parts;
};

class Picture {
    using Layout = vk::ImageLayout;

public:
    Picture(Engine& engine, const std::vector<uint32_t>& triangles) : pipeline(engine.device) {
        using I = vk::ImageUsageFlagBits;
        indices = engine.buffer(4 * triangles.size(), vk::BufferUsageFlagBits::eIndexBuffer);
        std::memcpy(indices.mapped, triangles.data(), 4 * triangles.size());
        colour = engine.image(colour_format, I::eColorAttachment | I::eTransferSrc);
        depth = engine.image(depth_format, I::eDepthStencilAttachment);
        pixels = engine.buffer(4 * extent.width * extent.height, vk::BufferUsageFlagBits::eTransferDst);
    }

    // Draws the meshes, and copies the picture to where the CPU finds it.
    void draw(const vk::raii::CommandBuffer& cmd, const Matrix& clip_from_world, std::initializer_list<Mesh> meshes) const {
        const auto drawn = Layout::eAttachmentOptimal, copied = Layout::eTransferSrcOptimal;
        // What the frame before left is thrown away.
        turn(cmd, colour, colour_format, Layout::eUndefined, drawn);
        turn(cmd, depth, depth_format, Layout::eUndefined, drawn);
        const vk::ClearValue backdrop{.color = {.float32 = {{0.62f, 0.65f, 0.68f, 1}}}}, far{.depthStencil = {1, 0}};
        const auto clear = vk::AttachmentLoadOp::eClear;
        const vk::RenderingAttachmentInfo target{.imageView = *colour.view, .imageLayout = drawn, .loadOp = clear, .clearValue = backdrop};
        const vk::RenderingAttachmentInfo nearest{.imageView = *depth.view, .imageLayout = drawn, .loadOp = clear, .clearValue = far};
        cmd.beginRendering(vk::RenderingInfo{.renderArea = {{}, extent}, .layerCount = 1, .pDepthAttachment = &nearest}.setColorAttachments(target));
        cmd.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipeline.handle);
        cmd.setViewport(0, vk::Viewport{0, float(extent.height), float(extent.width), -float(extent.height), 0, 1});
        cmd.setScissor(0, vk::Rect2D{{}, extent});
        cmd.bindIndexBuffer(*indices.handle, 0, vk::IndexType::eUint32);
        cmd.pushConstants<float>(*pipeline.layout, Pipeline::stages, 0, clip_from_world);
        for (const auto& mesh : meshes) draw_mesh(cmd, mesh);
        cmd.endRendering();
        turn(cmd, colour, colour_format, drawn, copied);
        const vk::BufferImageCopy region{.imageSubresource = {.aspectMask = vk::ImageAspectFlagBits::eColor, .layerCount = 1},
                                         .imageExtent = {extent.width, extent.height, 1}};
        cmd.copyImageToBuffer(*colour.handle, copied, *pixels.handle, region);
        using S = vk::PipelineStageFlagBits2;
        using A = vk::AccessFlagBits2;
        const vk::MemoryBarrier2 wrote{.srcStageMask = S::eCopy,
                                       .srcAccessMask = A::eTransferWrite,
                                       .dstStageMask = S::eCopy | S::eHost,
                                       .dstAccessMask = A::eTransferWrite | A::eHostRead};
        cmd.pipelineBarrier2(vk::DependencyInfo{}.setMemoryBarriers(wrote));
    }

    // Halves the picture, which is what smooths its edges. The GPU is idle.
    void save(const std::string& path) const {
        const auto* from = static_cast<const uint8_t*>(pixels.mapped);
        const uint32_t width = extent.width / 2, height = extent.height / 2, row = 4 * extent.width;
        std::vector<uint8_t> rgba(4 * width * height);
        for (uint32_t ix = 0; ix < rgba.size(); ++ix) {
            const uint8_t* corner = from + 2 * (ix / (4 * width)) * row + 8 * (ix / 4 % width) + ix % 4;
            rgba[ix] = uint8_t((corner[0] + corner[4] + corner[row] + corner[row + 4] + 2) / 4);
        }
        const int written = stbi_write_png(path.c_str(), int(width), int(height), 4, rgba.data(), int(4 * width));
        if (!written) throw std::runtime_error(path + " could not be written");
    }

private:
    Pipeline pipeline;
    Buffer indices, pixels;
    Image colour, depth;

    void draw_mesh(const vk::raii::CommandBuffer& cmd, const Mesh& mesh) const {
        cmd.bindVertexBuffers2(0, {mesh.positions, mesh.normals}, {0, 0}, nullptr, {mesh.stride, mesh.stride});
        for (const auto& part : mesh.parts) {
            const vk::ArrayProxy<const float> rgba(4, part.colour);
            cmd.pushConstants<float>(*pipeline.layout, Pipeline::stages, Pipeline::colour_offset, rgba);
            cmd.drawIndexed(part.index_count, 1, part.first_index, int32_t(part.first_vertex), 0);
        }
    }

    // Turns an image into another layout. The engine is in no hurry: what follows waits for everything before.
    static void turn(const vk::raii::CommandBuffer& cmd, const Image& image, vk::Format format, Layout from, Layout to) {
        using A = vk::AccessFlagBits2;
        const auto all = vk::PipelineStageFlagBits2::eAllCommands;
        const vk::ImageMemoryBarrier2 barrier{.srcStageMask = all,
                                              .srcAccessMask = A::eMemoryWrite,
                                              .dstStageMask = all,
                                              .dstAccessMask = A::eMemoryRead | A::eMemoryWrite,
                                              .oldLayout = from,
                                              .newLayout = to,
                                              .image = *image.handle,
                                              .subresourceRange = Engine::range(format)};
        cmd.pipelineBarrier2(vk::DependencyInfo{}.setImageMemoryBarriers(barrier));
    }
};
