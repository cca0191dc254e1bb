// A C++ engine that dresses its character over the C interface.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine.hpp"
#include "png.hpp"

constexpr float step_seconds = 1.0f / 60;
constexpr float ease_in = 1;  // seconds from the pose the clothes were made in to the first of the clip
constexpr float aside = 1.1f; // metres from the character to the friend who comes along

using Matrix = std::array<float, 16>; // column after column

// Triangles of one colour.
struct Part {
    uint32_t first_index, index_count;
    float colour[4];
};

// A garment, and how it is drawn.
struct Clothing {
    RfGarment* garment;
    Part part;
};

template <typename T>
T sized() {
    T value{};
    value.struct_size = sizeof(T);
    return value;
}

// A camera that looks from `eye` at `at`: clip from world.
Matrix look(const float eye[3], const float at[3]) {
    float back[3], right[3], up[3];
    for (int i = 0; i < 3; ++i) back[i] = eye[i] - at[i];
    const float distance = std::hypot(back[0], back[1], back[2]);
    for (float& x : back) x /= distance;
    const float width = std::hypot(back[2], back[0]);
    right[0] = back[2] / width, right[1] = 0, right[2] = -back[0] / width;
    for (int i = 0; i < 3; ++i) up[i] = back[(i + 1) % 3] * right[(i + 2) % 3] - back[(i + 2) % 3] * right[(i + 1) % 3];
    const float near = 0.1f, far = 20, height = 1 / std::tan(0.3f), depth = far / (near - far);
    const float scale = height * extent.height / extent.width;
    Matrix clip{};
    float ahead = 0, sideways = 0, above = 0;
    for (int i = 0; i < 3; ++i) {
        clip[4 * i] = scale * right[i], clip[4 * i + 1] = height * up[i];
        clip[4 * i + 2] = depth * back[i], clip[4 * i + 3] = -back[i];
        sideways -= right[i] * eye[i], above -= up[i] * eye[i], ahead -= back[i] * eye[i];
    }
    clip[12] = scale * sideways, clip[13] = height * above, clip[14] = depth * ahead + depth * near, clip[15] = -ahead;
    return clip;
}

// Draws a world, and copies the picture to where the CPU finds it.
class Picture {
public:
    Picture(Engine& engine, const RfAvatar* avatar) : engine(engine) {
        auto info = sized<RfAvatarInfo>();
        check(rf_avatar_info(avatar, &info));
        indices.resize(3 * info.triangle_count);
        check(rf_avatar_indices(avatar, indices.data(), indices.size()));
        for (uint32_t ix = 0; ix < info.part_count; ++ix) {
            auto part = sized<RfPart>();
            check(rf_avatar_part(avatar, ix, &part));
            skin.push_back({3 * part.first_triangle, 3 * part.triangle_count, {}});
            std::copy_n(part.base_colour, 4, skin.back().colour);
        }
    }

    Part add(const RfGarment* garment) {
        auto info = sized<RfGarmentInfo>();
        check(rf_garment_info(garment, &info));
        Part part{uint32_t(indices.size()), 3 * info.triangle_count, {}};
        std::copy_n(info.base_colour, 4, part.colour);
        indices.resize(indices.size() + part.index_count);
        check(rf_garment_indices(garment, indices.data() + part.first_index, part.index_count));
        return part;
    }

    // Nothing is added afterwards.
    void upload() {
        index_buffer = engine.buffer(4 * indices.size(), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
        std::memcpy(index_buffer.mapped, indices.data(), 4 * indices.size());
        colour = engine.image(colour_format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
        depth = engine.image(depth_format, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
        pixels = engine.buffer(4 * extent.width * extent.height, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    }

    void draw(VkCommandBuffer cmd, const RfWorld* world, uint32_t body_count, const std::vector<Part>& worn) {
        const VkPipelineStageFlags tests = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
        const VkPipelineStageFlags output = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, copy = VK_PIPELINE_STAGE_TRANSFER_BIT;
        const auto drawn = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, copied = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
        // What the frame before left is thrown away, once it is done with it.
        turn(cmd, colour, colour_format, copy, 0, VK_IMAGE_LAYOUT_UNDEFINED, output, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, drawn);
        turn(cmd, depth, depth_format, tests, VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, VK_IMAGE_LAYOUT_UNDEFINED, tests,
             VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
        VkRenderingAttachmentInfo target{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
        target.imageView = colour.view;
        target.imageLayout = drawn;
        target.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        target.clearValue.color = {{0.62f, 0.65f, 0.68f, 1}};
        auto nearest = target;
        nearest.imageView = depth.view;
        nearest.imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
        nearest.clearValue.depthStencil = {1, 0};
        VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
        info.renderArea.extent = extent;
        info.layerCount = info.colorAttachmentCount = 1;
        info.pColorAttachments = &target;
        info.pDepthAttachment = &nearest;
        vkCmdBeginRendering(cmd, &info);
        draw_parts(cmd, world, body_count, worn);
        vkCmdEndRendering(cmd);
        turn(cmd, colour, colour_format, output, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, drawn, copy, VK_ACCESS_TRANSFER_READ_BIT, copied);
        VkBufferImageCopy region{};
        region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        region.imageExtent = {extent.width, extent.height, 1};
        vkCmdCopyImageToBuffer(cmd, colour.handle, copied, pixels.handle, 1, &region);
        const VkMemoryBarrier wrote{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                    VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT};
        vkCmdPipelineBarrier(cmd, copy, copy | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &wrote, 0, nullptr, 0, nullptr);
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
        if (!png::write(path, width, height, rgba.data())) throw std::runtime_error(path + " could not be written");
    }

private:
    Engine& engine;
    std::vector<uint32_t> indices;
    std::vector<Part> skin;
    Buffer index_buffer{}, pixels{};
    Image colour{}, depth{};

    void draw_parts(VkCommandBuffer cmd, const RfWorld* world, uint32_t body_count, const std::vector<Part>& worn) {
        const VkViewport viewport{0, float(extent.height), float(extent.width), -float(extent.height), 0, 1};
        const VkRect2D scissor{{}, extent};
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, engine.pipeline);
        vkCmdSetViewport(cmd, 0, 1, &viewport);
        vkCmdSetScissor(cmd, 0, 1, &scissor);
        vkCmdBindIndexBuffer(cmd, index_buffer.handle, 0, VK_INDEX_TYPE_UINT32);
        float low[3], high[3], at[3], eye[3];
        check(rf_world_bounds(world, low, high));
        for (int i = 0; i < 3; ++i) at[i] = (low[i] + high[i]) / 2;
        eye[0] = at[0] + 1.6f, eye[1] = at[1] + 0.9f, eye[2] = at[2] + 5.2f;
        const Matrix clip_from_world = look(eye, at);
        vkCmdPushConstants(cmd, engine.layout, drawing_stages, 0, 64, clip_from_world.data());
        auto buffers = sized<RfBuffers>();
        check(rf_world_buffers(world, &buffers));
        bind(cmd, buffers.skin_positions, buffers.skin_normals, 12);
        for (uint32_t body = 0, first = 0; body < body_count; ++body) {
            check(rf_world_first_vertex(world, body, &first));
            for (const auto& part : skin) draw_part(cmd, part, first);
        }
        bind(cmd, buffers.cloth_positions, buffers.cloth_normals, 16);
        for (uint32_t garment = 0, first = 0; garment < worn.size(); ++garment) {
            check(rf_world_first_particle(world, garment, &first));
            draw_part(cmd, worn[garment], first);
        }
    }

    void bind(VkCommandBuffer cmd, VkBuffer positions, VkBuffer normals, VkDeviceSize stride) {
        const VkBuffer buffers[] = {positions, normals};
        const VkDeviceSize offsets[] = {0, 0}, strides[] = {stride, stride};
        vkCmdBindVertexBuffers2(cmd, 0, 2, buffers, offsets, nullptr, strides);
    }

    void draw_part(VkCommandBuffer cmd, const Part& part, uint32_t first_vertex) {
        vkCmdPushConstants(cmd, engine.layout, drawing_stages, 64, 16, part.colour);
        vkCmdDrawIndexed(cmd, part.index_count, 1, part.first_index, int32_t(first_vertex), 0);
    }

    void turn(VkCommandBuffer cmd, const Image& image, VkFormat format, VkPipelineStageFlags before, VkAccessFlags wrote,
              VkImageLayout old_layout, VkPipelineStageFlags after, VkAccessFlags touches, VkImageLayout layout) {
        VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, nullptr, wrote, touches, old_layout, layout};
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image.handle;
        barrier.subresourceRange = Engine::range(format);
        vkCmdPipelineBarrier(cmd, before, after, 0, 0, nullptr, 0, nullptr, 1, &barrier);
    }
};

// All that the library has to do with.
class Cast {
public:
    RfAvatar* avatar{};
    RfWorld* world{};
    uint32_t body_count = 0;
    std::vector<Part> worn;

    explicit Cast(const Engine& engine) {
        check(rf_avatar_mannequin(&avatar));
        auto info = sized<RfAvatarInfo>();
        check(rf_avatar_info(avatar, &info));
        for (auto& body : bones) body.resize(16 * info.joint_count);
        auto host = sized<RfHost>();
        host.get_instance_proc_addr = vkGetInstanceProcAddr;
        host.instance = engine.instance;
        host.physical_device = engine.physical_device;
        host.device = engine.device;
        host.queue_family_index = engine.queue_family;
        host.frames_in_flight = frames_in_flight;
        host.has_debug_utils = engine.validates;
        check(rf_world_create(&host, nullptr, &world));
    }
    Cast(const Cast&) = delete;

    ~Cast() {
        rf_world_destroy(world);
        for (auto& outfit : outfits)
            for (auto& clothing : outfit) rf_garment_destroy(clothing.garment);
        rf_avatar_destroy(avatar);
    }

    size_t make(RfGarmentKind kind, uint32_t particle_count, Picture& picture) {
        RfGarment* garments[2];
        uint32_t count = 2;
        check(rf_garment_make(avatar, kind, particle_count, garments, &count));
        outfits.emplace_back();
        for (uint32_t ix = 0; ix < count; ++ix) outfits.back().push_back({garments[ix], picture.add(garments[ix])});
        return outfits.size() - 1;
    }

    void comes(size_t outfit) {
        uint32_t body = 0;
        check(rf_world_add_body(world, avatar, &body));
        for (auto& clothing : outfits[outfit]) {
            check(rf_world_add_garment(world, clothing.garment, body, nullptr, nullptr));
            worn.push_back(clothing.part);
        }
        ++body_count;
    }

    // Takes the last one away, and all but the first garment with them.
    void goes() {
        check(rf_world_remove_body(world, --body_count));
        worn.resize(1);
    }

    // A step of simulation, with the bones where the character's own clip has them.
    void step(VkCommandBuffer cmd, float seconds) {
        RfBodyStep bodies[2];
        for (uint32_t ix = 0; ix < body_count; ++ix) {
            const Matrix place = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ix * aside, 0, 0, 1};
            check(rf_avatar_pose(avatar, 0, std::max(seconds - ease_in, 0.0f), std::min(seconds / ease_in, 1.0f), place.data(),
                                 bones[ix].data(), bones[ix].size()));
            bodies[ix] = sized<RfBodyStep>();
            bodies[ix].joint_count = uint32_t(bones[ix].size() / 16);
            bodies[ix].world_from_bone = bones[ix].data();
        }
        auto step = sized<RfStep>();
        step.body_count = body_count;
        step.bodies = bodies;
        check(rf_world_record(world, cmd, &step, 1, step_seconds));
    }

private:
    std::vector<std::vector<Clothing>> outfits;
    std::vector<float> bones[2];
};

void run(uint32_t frames, const std::string& out, bool validates) {
    Engine engine(validates);
    Cast cast(engine);
    Picture picture(engine, cast.avatar);
    const auto skirt = cast.make(RF_GARMENT_KIND_SKIRT, 1500, picture);
    const auto trousers_and_top = cast.make(RF_GARMENT_KIND_TROUSERS_AND_TOP, 2500, picture);
    const auto cape = cast.make(RF_GARMENT_KIND_CAPE, 1000, picture);
    picture.upload();
    for (uint32_t ix = 0; ix < frames; ++ix) {
        // A friend comes along in trousers and a top, goes, and comes back in a cape.
        if (ix == 0) cast.comes(skirt);
        if (ix == frames / 4) cast.comes(trousers_and_top);
        if (ix == frames / 2) cast.goes();
        if (ix == frames / 4 * 3) cast.comes(cape);
        engine.frame([&](VkCommandBuffer cmd) {
            cast.step(cmd, ix * step_seconds);
            picture.draw(cmd, cast.world, cast.body_count, cast.worn);
        });
    }
    check(vkDeviceWaitIdle(engine.device), "waiting");
    picture.save(out);
    if (engine.message_count) throw std::runtime_error("validation said " + std::to_string(engine.message_count) + " things");
}

int main(int argc, char** argv) {
    uint32_t frames = 120;
    std::string out = "host_cpp.png";
    bool validates = false;
    try {
        for (int ix = 1; ix < argc; ++ix) {
            const std::string flag = argv[ix];
            if (flag == "--validate") validates = true;
            else if (flag == "--frames" && ix + 1 < argc) frames = uint32_t(std::stoul(argv[++ix]));
            else if (flag == "--out" && ix + 1 < argc) out = argv[++ix];
            else throw std::runtime_error(flag + ": there are --frames N, --out FILE, --validate");
        }
        run(std::max(frames, 4u), out, validates);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
