// Puts each particle outside its nearest triangle, and empties the queues for the next search.
// Reads: nearest triangles, triangles, skin; boxes and nearest distances for particles whose jobs found no room, which are
// searched for here. Writes: predicted and current positions, contacts; queue states, the counters.
// One thread per particle. Runs last, after select.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint friction_model;
    uint first_collision; // 0 or 1: of the step
    uint is_reduced;      // 0 or 1: the particles are kept out of the skin alone
    uint since;           // sub-steps since the last collision
    float part_before;
    float part_after;
    uint level_count;
    uint capacity;
    float search_radius;
};

#define PATH_STARTS 16
#include "shared/skin.glsl"
layout(scalar, binding = 10) buffer NearestTriangles { uint nearest_triangles[]; };
layout(scalar, binding = 11) buffer QueueStates { QueueState queue_states[]; };
layout(scalar, binding = 12) buffer Counters { uint overflow_count; uint max_jobs; };
layout(scalar, binding = 13) readonly buffer Nodes { BoxNode nodes[]; };
layout(scalar, binding = 14) readonly buffer Nearest { uint nearest[]; };
layout(scalar, binding = 15) readonly buffer Spilled { uint spilled[]; };

#include "shared/first_bound.glsl"
#include "bvh/box.glsl"

// No tree is deeper: see MAX_LEVELS of src/collide/box_tree/eight_way.rs.
const uint MAX_LEVELS = 16;

// The nearest triangle, as the queues would have found it, by one thread: down the tree and back, one range of siblings per level.
uint search(vec3 p, float bound) {
    float best_squared = bound;
    uint best_ix = NO_TRIANGLE;
    uint nexts[MAX_LEVELS], ends[MAX_LEVELS];
    nexts[0] = 0;
    ends[0] = 1;
    uint depth = 1; // runs that are begun
    while (depth > 0) {
        if (nexts[depth - 1] == ends[depth - 1]) {
            --depth;
            continue;
        }
        BoxNode node = nodes[nexts[depth - 1]++];
        if (!(distances_squared(p, node.low, node.high).x <= best_squared)) continue;
        if ((node.count & LEAF) != 0) {
            for (uint i = node.first; i < node.first + (node.count & ~LEAF); ++i) consider(i, p, best_squared, best_ix);
            continue;
        }
        nexts[depth] = node.first;
        ends[depth++] = node.first + node.count;
    }
    return best_ix;
}

void empty_queues() {
    for (uint i = 0; i < level_count; ++i) {
        uint wanted = queue_states[i].wanted;
        max_jobs = max(max_jobs, wanted);
        overflow_count += wanted - min(wanted, capacity);
        queue_states[i].wanted = 0;
        queue_states[i].group_count_x = 0;
    }
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    if (particle_ix == 0) empty_queues();
    if (particle_ix >= particle_count) return;
    if (spilled[particle_ix] != 0) {
        float bound = min(widened(uintBitsToFloat(nearest[particle_ix])), search_radius * search_radius);
        nearest_triangles[particle_ix] = search(predicted[particle_ix].xyz, bound);
    }
    collide_with(particle_ix, nearest_triangles[particle_ix], friction_model, first_collision != 0, is_reduced != 0, since);
}
