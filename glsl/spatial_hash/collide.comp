// Finds each particle's nearest triangle in the cells round it and resolves its contact: the discrete test of the paper's
// section 9.2.
// Reads: stamps of blocks, stamps and lists of the table, triangles, skin. Writes: predicted and current positions, contacts.
// A workgroup per particle, or several one after the other: it looks into the cells within a ball that grows until no nearer triangle
// can come, and its threads divide the blocks, the cells and what those list. Runs after voxelise and the constraints.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in; // LANES
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint friction_model;
    uint first_collision; // 0 or 1: of the step
    uint is_reduced;      // 0 or 1: the particles are kept out of the skin alone
    uint since;           // sub-steps since the last collision
    float part_before;
    float part_after;
    float search_radius;
    float cell_size;
    uint entry_count;
    uint row;
    uint column;
    uint generation;
    uint triangle_bits;
    uint half_list;
};

#define PATH_STARTS 14
#include "shared/skin.glsl"
layout(scalar, binding = 10) readonly buffer Stamps { uint stamps[]; };
layout(scalar, binding = 11) readonly buffer ListsLow { uint lists_low[]; };
layout(scalar, binding = 12) readonly buffer ListsHigh { uint lists_high[]; };
layout(scalar, binding = 13) readonly buffer BlockStamps { uint block_stamps[]; };

#include "spatial_hash/table.glsl"

const uint LANES = 64;

// Cells that are searched before what was found in them narrows the search.
const uint BATCH_SIZE = 1024;

// Whether any block within the search radius holds skin.
shared bool is_near_skin;
// The entries of this turn's cells that list anything, and how many they are, for this turn and the next.
shared uint entries[BATCH_SIZE];
shared uint entry_counts[2];
// The square of the least distance that any thread found so far, as a number that is in the same order; and the first triangle of
// those that near.
shared uint min_squared;
shared uint min_ix;

// Makes ready for a particle.
void begin() {
    barrier();
    if (gl_LocalInvocationID.x == 0) {
        is_near_skin = false;
        entry_counts[0] = 0;
        min_squared = floatBitsToUint(search_radius * search_radius);
        min_ix = NO_TRIANGLE;
    }
    barrier();
}

// Cells of a box round a ball, along each side: the same number wherever the ball lies, so that no position makes a search endless.
uint across(float radius, float size) {
    return uint(ceil(2.0 * radius / size)) + 1;
}

ivec3 in_cube(uint ix, uint side) {
    return ivec3(cell_in_box(ix, uvec2(side)));
}

// Whether any block within the search radius holds skin; rarely also when only a far one with the same entry does.
bool comes_near_skin(vec3 p) {
    ivec3 first = block_of(cell_of(p - search_radius)), last = block_of(cell_of(p + search_radius));
    uint side = across(search_radius, cell_size * float(BLOCK));
    for (uint i = gl_LocalInvocationID.x; i < side * side * side; i += LANES) {
        ivec3 block = first + in_cube(i, side);
        if (all(lessThanEqual(block, last)) && block_stamps[block_entry_of(block)] == generation) is_near_skin = true;
    }
    barrier();
    return is_near_skin;
}

float squared_way_to(ivec3 cell, vec3 p) {
    vec3 low = vec3(cell) * cell_size;
    vec3 offset = max(max(low - p, p - low - cell_size), vec3(0.0));
    return dot(offset, offset);
}

// Looks into the cells whose entries were gathered, every thread at its share of their slots.
void look_into(uint entry_count, vec3 p, inout float best_squared, inout uint best_ix) {
    for (uint i = gl_LocalInvocationID.x; i < entry_count * LIST; i += LANES) {
        uint listed = listed_at(entries[i / LIST], i % LIST);
        if (is_current(listed)) consider(triangle_of(listed), p, best_squared, best_ix);
    }
    atomicMin(min_squared, floatBitsToUint(best_squared));
}

// The part of space that a turn looks into: cells within `radius` of `p` that are further away than the root of `seen_squared`.
struct Ball {
    vec3 p;
    float radius;
    float seen_squared;
};

// Gathers the entries of a turn's cells, from `first_ix` of the ball's box on.
void gather(Ball ball, uint first_ix, uint batch) {
    ivec3 first = cell_of(ball.p - ball.radius);
    uint side = across(ball.radius, cell_size);
    uint end_ix = min(first_ix + BATCH_SIZE, side * side * side);
    float max_squared = min(ball.radius * ball.radius, uintBitsToFloat(min_squared));
    for (uint i = first_ix + gl_LocalInvocationID.x; i < end_ix; i += LANES) {
        ivec3 cell = first + in_cube(i, side);
        float squared = squared_way_to(cell, ball.p);
        if (!(squared > ball.seen_squared && squared <= max_squared)) continue;
        uint entry = entry_of(cell);
        if (stamps[entry] == generation) entries[atomicAdd(entry_counts[batch % 2], 1)] = entry;
    }
}

// Looks into the ball's cells. `turn` counts on.
void look_round(Ball ball, inout uint batch, inout float best_squared, inout uint best_ix) {
    uint side = across(ball.radius, cell_size);
    for (uint done = 0; done < side * side * side; done += BATCH_SIZE, ++batch) {
        gather(ball, done, batch);
        barrier();
        if (gl_LocalInvocationID.x == 0) entry_counts[(batch + 1) % 2] = 0;
        look_into(entry_counts[batch % 2], ball.p, best_squared, best_ix);
        barrier();
    }
}

// The nearest triangle within the search radius, of equally near ones the first.
uint nearest_triangle(vec3 p) {
    begin();
    if (!comes_near_skin(p)) return NO_TRIANGLE;
    float best_squared = search_radius * search_radius; // of this thread
    uint best_ix = NO_TRIANGLE;
    uint batch = 0;
    for (Ball ball = Ball(p, min(cell_size, search_radius), -1.0); ; ball.radius = min(2.0 * ball.radius, search_radius)) {
        look_round(ball, batch, best_squared, best_ix);
        ball.seen_squared = ball.radius * ball.radius;
        if (ball.radius >= search_radius || uintBitsToFloat(min_squared) <= ball.seen_squared) break;
    }
    if (floatBitsToUint(best_squared) == min_squared) atomicMin(min_ix, best_ix);
    barrier();
    return min_ix;
}

void main() {
    for (uint particle_ix = gl_WorkGroupID.x; particle_ix < particle_count; particle_ix += gl_NumWorkGroups.x) {
        uint triangle_ix = nearest_triangle(predicted[particle_ix].xyz);
        if (gl_LocalInvocationID.x == 0) collide_with(particle_ix, triangle_ix, friction_model, first_collision != 0, is_reduced != 0, since);
    }
}
