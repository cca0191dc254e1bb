// A C++ engine that dresses its character over the C interface.

#include <algorithm>
#include <memory>

#include "engine.hpp"
#include "picture.hpp"

constexpr float step_seconds = 1.0f / 60;
constexpr float ease_in = 1;  // seconds from the pose the clothes were made in to the first of the clip
constexpr float aside = 1.1f; // metres from the character to the friend who comes along

// A struct of the C interface, which begins with its size.
template <typename T>
T sized() {
    T value{};
    value.struct_size = sizeof(T);
    return value;
}

template <auto destroy>
struct Destroy {
    void operator()(auto* object) const { destroy(object); }
};
using Avatar = std::unique_ptr<RfAvatar, Destroy<rf_avatar_destroy>>;
using Fields = std::unique_ptr<RfFields, Destroy<rf_fields_destroy>>;
using Garment = std::unique_ptr<RfGarment, Destroy<rf_garment_destroy>>;
using World = std::unique_ptr<RfWorld, Destroy<rf_world_destroy>>;

// Where a mesh's triangles lie among all, and what colour they have.
struct Drawn {
    uint32_t first_index, index_count;
    std::array<float, 4> colour;

    Part at(uint32_t first_vertex) const { return {first_index, index_count, colour.data(), first_vertex}; }
};

// A garment and how it is drawn.
struct Clothing {
    Garment garment;
    Drawn drawn;
};
using Outfit = std::vector<Clothing>;

// All that the library has to do with.
class Cast {
public:
    explicit Cast(const Engine& engine) {
        RfAvatar* mannequin;
        check(rf_avatar_mannequin(&mannequin));
        avatar.reset(mannequin);
        auto info = sized<RfAvatarInfo>();
        check(rf_avatar_info(avatar.get(), &info));
        indices.resize(3 * info.triangle_count);
        check(rf_avatar_indices(avatar.get(), indices.data(), indices.size()));
        for (uint32_t ix = 0; ix < info.part_count; ++ix) {
            auto part = sized<RfPart>();
            check(rf_avatar_part(avatar.get(), ix, &part));
            skin.push_back({3 * part.first_triangle, 3 * part.triangle_count, std::to_array(part.base_colour)});
        }
        for (auto& body : bones) body.resize(16 * info.joint_count);
        // A game does this while it is built, and keeps the bytes.
        RfFields* fitted;
        check(rf_fields_fit(avatar.get(), &fitted));
        const Fields kept(fitted);
        const uint8_t* bytes;
        size_t byte_count;
        check(rf_fields_bytes(kept.get(), &bytes, &byte_count));
        check(rf_fields_from_bytes(bytes, byte_count, &fitted));
        fields.reset(fitted);
        auto host = sized<RfHost>();
        host.get_instance_proc_addr = vkGetInstanceProcAddr;
        host.instance = *engine.instance;
        host.physical_device = *engine.physical_device;
        host.device = *engine.device;
        host.queue_family_index = engine.queue_family;
        host.frames_in_flight = frames_in_flight;
        host.has_debug_utils = engine.validates;
        RfWorld* made;
        check(rf_world_create(&host, nullptr, &made));
        world.reset(made);
    }

    // Triangles of the skin and of every garment made so far, one after the other.
    const std::vector<uint32_t>& triangles() const { return indices; }

    Outfit make(RfGarmentKind kind, uint32_t particle_count) {
        RfGarment* garments[3];
        uint32_t count = 3;
        check(rf_garment_make(avatar.get(), kind, particle_count, garments, &count));
        Outfit outfit;
        for (uint32_t ix = 0; ix < count; ++ix) {
            auto info = sized<RfGarmentInfo>();
            outfit.push_back({Garment(garments[ix]), {}});
            check(rf_garment_info(garments[ix], &info));
            outfit.back().drawn = {uint32_t(indices.size()), 3 * info.triangle_count, std::to_array(info.base_colour)};
            indices.resize(indices.size() + 3 * info.triangle_count);
            check(rf_garment_indices(garments[ix], &indices[outfit.back().drawn.first_index], 3 * info.triangle_count));
        }
        return outfit;
    }

    void comes(const Outfit& outfit) {
        uint32_t body = 0;
        check(rf_world_begin_edit(world.get()));
        check(rf_world_add_fitted_body(world.get(), avatar.get(), fields.get(), &body));
        for (const auto& clothing : outfit) {
            check(rf_world_add_garment(world.get(), clothing.garment.get(), body, nullptr, nullptr));
            worn.push_back(clothing.drawn);
        }
        check(rf_world_end_edit(world.get()));
        ++body_count;
    }

    // Takes the last one away, and all but the first garment with them.
    void goes() {
        check(rf_world_remove_body(world.get(), --body_count));
        worn.resize(1);
    }

    // A step of simulation, with the bones where the character's own clip has them.
    void step(VkCommandBuffer cmd, float seconds) {
        RfBodyStep bodies[2];
        for (uint32_t ix = 0; ix < body_count; ++ix) {
            const Matrix place = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ix * aside, 0, 0, 1};
            check(rf_avatar_pose(avatar.get(), 0, std::max(seconds - ease_in, 0.0f), std::min(seconds / ease_in, 1.0f),
                                 place.data(), bones[ix].data(), bones[ix].size()));
            bodies[ix] = sized<RfBodyStep>();
            bodies[ix].joint_count = uint32_t(bones[ix].size() / 16);
            bodies[ix].world_from_bone = bones[ix].data();
        }
        auto step = sized<RfStep>();
        step.body_count = body_count;
        step.bodies = bodies;
        check(rf_world_record(world.get(), cmd, &step, 1, step_seconds));
    }

    // Draws the world as the step leaves it, with a camera that goes along.
    void draw(const vk::raii::CommandBuffer& cmd, const Picture& picture) const {
        float low[3], high[3], at[3];
        check(rf_world_bounds(world.get(), low, high));
        for (int i = 0; i < 3; ++i) at[i] = (low[i] + high[i]) / 2;
        const float eye[] = {at[0] + 1.6f, at[1] + 0.9f, at[2] + 5.2f};
        std::vector<Part> bodies, clothes;
        for (uint32_t body = 0, first = 0; body < body_count; ++body) {
            check(rf_world_first_vertex(world.get(), body, &first));
            for (const auto& part : skin) bodies.push_back(part.at(first));
        }
        for (uint32_t garment = 0, first = 0; garment < worn.size(); ++garment) {
            check(rf_world_first_particle(world.get(), garment, &first));
            clothes.push_back(worn[garment].at(first));
        }
        auto buffers = sized<RfBuffers>();
        check(rf_world_buffers(world.get(), &buffers));
        // The skin has three floats per vertex, the cloth four.
        picture.draw(cmd, look(eye, at),
                     {{buffers.skin_positions, buffers.skin_normals, 12, bodies},
                      {buffers.cloth_positions, buffers.cloth_normals, 16, clothes}});
    }

private:
    Avatar avatar;
    Fields fields;
    World world;
    std::vector<uint32_t> indices;
    std::vector<Drawn> skin, worn;
    std::vector<float> bones[2];
    uint32_t body_count = 0;
};

void run(uint32_t frames, const std::string& out, bool validates) {
    Engine engine(validates);
    Cast cast(engine);
    const auto skirt = cast.make(RF_GARMENT_KIND_SKIRT, 1500);
    const auto trousers_and_top = cast.make(RF_GARMENT_KIND_TROUSERS_AND_TOP, 2500);
    const auto cape = cast.make(RF_GARMENT_KIND_CAPE, 1000);
    const Picture picture(engine, cast.triangles());
    // Destroyed before them, also by an exception: the GPU may still be at work on the world and the picture.
    struct Idle {
        const vk::raii::Device& device;
        ~Idle() {
            try {
                device.waitIdle();
            } catch (const vk::SystemError&) {
                // A lost device is idle too.
            }
        }
    } idle{engine.device};
    for (uint32_t ix = 0; ix < frames; ++ix) {
        // A friend comes along in trousers and a top, goes, and comes back in a cape.
        if (ix == 0) cast.comes(skirt);
        if (ix == frames / 4) cast.comes(trousers_and_top);
        if (ix == frames / 2) cast.goes();
        if (ix == frames / 4 * 3) cast.comes(cape);
        engine.frame([&](const vk::raii::CommandBuffer& cmd) {
            cast.step(*cmd, ix * step_seconds);
            cast.draw(cmd, picture);
        });
    }
    engine.device.waitIdle();
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
