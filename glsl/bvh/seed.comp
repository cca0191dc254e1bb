// Starts the search: a job for every particle whose search ball meets the root, and a first bound on how far off its nearest
// triangle is, so that few boxes are worth a job: the triangle that was nearest in the collision before, wherever it is now, or,
// where there was none, those of the leaf that a walk from the root, always to the nearest child, ends at.
// Reads: particles' predicted positions, boxes, triangles, skin. Writes: the root's queue and its state; nearest distances and
// triangles and the marks of particles without room, begun anew.
// One thread per particle. Runs after the refit and the constraints, before descend.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint capacity;
    float search_radius;
    float part_after;
};

#include "shared/skin.glsl"
layout(scalar, binding = 10) readonly buffer Nodes { BoxNode nodes[]; };
layout(scalar, binding = 11) buffer QueueStates { QueueState queue_states[]; };
layout(scalar, binding = 12) writeonly buffer OutJobs { uvec2 out_jobs[]; };
layout(scalar, binding = 13) writeonly buffer Nearest { uint nearest[]; }; // bits of squared metres
layout(scalar, binding = 14) buffer NearestTriangles { uint nearest_triangles[]; };
layout(scalar, binding = 15) writeonly buffer Spilled { uint spilled[]; };

#include "shared/first_bound.glsl"
#include "bvh/box.glsl"
#include "bvh/queue.glsl"

// A leaf near the point, if not always the nearest.
uint leaf_near(vec3 p) {
    uint node_ix = 0;
    while ((nodes[node_ix].count & LEAF) == 0) {
        uint first = nodes[node_ix].first, end = first + nodes[node_ix].count;
        node_ix = first;
        float nearest_squared = uintBitsToFloat(0x7F800000); // infinity
        for (uint child_ix = first; child_ix < end; ++child_ix) {
            // Boxes overlap: of those that hold the point the one with the nearest middle.
            vec2 squared = distances_squared(p, nodes[child_ix].low, nodes[child_ix].high);
            if (squared.x + squared.y < nearest_squared) {
                nearest_squared = squared.x + squared.y;
                node_ix = child_ix;
            }
        }
    }
    return node_ix;
}

float first_bound(vec3 p, uint last_ix) {
    if (last_ix != NO_TRIANGLE) return bound_by(last_ix, p, search_radius);
    float best_squared = search_radius * search_radius;
    uint best_ix = NO_TRIANGLE;
    BoxNode leaf = nodes[leaf_near(p)];
    for (uint i = leaf.first; i < leaf.first + (leaf.count & ~LEAF); ++i) consider(i, p, best_squared, best_ix);
    return min(widened(best_squared), search_radius * search_radius);
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    begin_append();
    uint picked = 0;
    if (particle_ix < particle_count) {
        vec3 p = predicted[particle_ix].xyz;
        float bound = search_radius * search_radius;
        if (distances_squared(p, nodes[0].low, nodes[0].high).x <= bound) {
            picked = 1;
            bound = first_bound(p, nearest_triangles[particle_ix]);
        }
        nearest[particle_ix] = floatBitsToUint(bound);
        nearest_triangles[particle_ix] = NO_TRIANGLE;
        spilled[particle_ix] = 0;
    }
    append(0, particle_ix, 0, picked);
}
