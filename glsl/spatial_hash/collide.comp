// Finds each particle's nearest triangle in the cells round it and puts the particle outside: the discrete test of the paper's
// section 9.2.
// Reads: stamps of blocks, stamps and lists of the table, triangles, skin. Writes: predicted and current positions, contacts.
// One thread a particle. It looks at shells of cells from its own outwards until no nearer triangle can come. Runs after
// voxelise and the constraints.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint friction_model;
    uint first_sub_step;
    float part_before;
    float part_after;
    float reach;
    float cell_size;
    uint entry_count;
    uint row;
    uint column;
    uint generation;
    uint triangle_bits;
};

#include "shared/skin.glsl"
layout(scalar, binding = 10) readonly buffer Stamps { uint stamps[]; };
layout(scalar, binding = 11) readonly buffer ListsLow { uint lists_low[]; };
layout(scalar, binding = 12) readonly buffer ListsHigh { uint lists_high[]; };

layout(scalar, binding = 13) readonly buffer BlockStamps { uint block_stamps[]; };

#include "spatial_hash/table.glsl"

// Whether any block within reach holds skin; rarely also when only a far one with the same entry does.
bool is_near_skin(vec3 p) {
    ivec3 first = block_of(cell_of(p - reach)), last = block_of(cell_of(p + reach));
    // The same number for all, and written so that no coordinate makes it endless.
    int across = int(ceil(2.0 * reach / (cell_size * float(BLOCK)))) + 1;
    for (int i = 0; i < across * across * across; ++i) {
        ivec3 block = first + ivec3(i % across, i / across % across, i / (across * across));
        if (all(lessThanEqual(block, last)) && block_stamps[block_entry_of(block)] == generation) return true;
    }
    return false;
}

void look_into(ivec3 cell, vec3 p, inout float best_squared, inout uint best_ix) {
    vec3 low = vec3(cell) * cell_size;
    vec3 way = max(max(low - p, p - low - cell_size), vec3(0.0));
    if (dot(way, way) > best_squared) return;
    uint entry = entry_of(cell);
    if (stamps[entry] != generation) return;
    for (uint slot = 0; slot < LIST; ++slot) {
        uint listed = slot < HALF_LIST ? lists_low[entry * HALF_LIST + slot]
                                       : lists_high[entry * HALF_LIST + slot - HALF_LIST];
        if (!is_current(listed)) return;
        consider(triangle_of(listed), p, best_squared, best_ix);
    }
}

// All cells `shell` cells away from the particle's own, counting the largest of the three ways.
void look_round(int shell, ivec3 home, vec3 p, inout float best_squared, inout uint best_ix) {
    for (int z = -shell; z <= shell; ++z) {
        for (int y = -shell; y <= shell; ++y) {
            bool is_side = max(abs(z), abs(y)) == shell;
            for (int x = -shell; x <= shell; x += is_side ? 1 : max(2 * shell, 1)) {
                look_into(home + ivec3(x, y, z), p, best_squared, best_ix);
            }
        }
    }
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    if (particle_ix >= particle_count) return;
    vec3 p = predicted[particle_ix].xyz;
    ivec3 home = cell_of(p);
    vec3 within = p - vec3(home) * cell_size;
    vec3 to_side = min(within, cell_size - within);
    float to_shell = min(to_side.x, min(to_side.y, to_side.z)); // metres to the nearest cell of the next shell
    float best_squared = reach * reach;
    uint best_ix = NO_TRIANGLE;
    int shell_count = is_near_skin(p) ? int(ceil(reach / cell_size)) + 1 : 0;
    for (int shell = 0; shell < shell_count; ++shell) {
        float nearest = shell == 0 ? 0.0 : to_shell + float(shell - 1) * cell_size;
        if (nearest * nearest > best_squared) break;
        look_round(shell, home, p, best_squared, best_ix);
    }
    collide_with(particle_ix, best_ix, friction_model, first_sub_step != 0);
}
