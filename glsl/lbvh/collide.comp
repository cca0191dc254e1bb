// Finds each particle's nearest triangle in a tree of boxes with two children per node, and resolves its contact.
// Reads: boxes of the tree, triangles, skin, the triangles that were nearest in the collision before. Writes: predicted and current
// positions, contacts, the nearest triangles.
// One thread per particle, with the nodes it has yet to visit on a stack of its own, the nearer child first. Runs after the
// refit and the constraints.
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
    float search_radius;
};

#define PATH_STARTS 12
#include "shared/skin.glsl"
layout(scalar, binding = 10) readonly buffer Nodes { BoxNode nodes[]; };
layout(scalar, binding = 11) buffer NearestTriangles { uint nearest_triangles[]; };

#include "shared/first_bound.glsl"

// No tree is deeper: see MAX_DEPTH of src/collide/lbvh/build.rs.
const uint STACK = 40;

float distance_squared(vec3 p, uint node_ix) {
    vec3 offset = max(max(nodes[node_ix].low - p, p - nodes[node_ix].high), vec3(0.0));
    return dot(offset, offset);
}

uint nearest_triangle(vec3 p, uint last_ix) {
    float best_squared = bound_by(last_ix, p, search_radius);
    uint best_ix = NO_TRIANGLE;
    uint stack[STACK];
    float distances[STACK];
    uint depth = 1;
    stack[0] = 0;
    distances[0] = distance_squared(p, 0);
    while (depth > 0) {
        --depth;
        if (!(distances[depth] <= best_squared)) continue;
        uint first = nodes[stack[depth]].first, count = nodes[stack[depth]].count;
        if ((count & LEAF) != 0) {
            for (uint i = first; i < first + (count & ~LEAF); ++i) consider(i, p, best_squared, best_ix);
            continue;
        }
        float left = distance_squared(p, first), right = distance_squared(p, first + 1);
        bool left_first = left <= right;
        stack[depth] = left_first ? first + 1 : first;
        distances[depth++] = max(left, right);
        stack[depth] = left_first ? first : first + 1;
        distances[depth++] = min(left, right);
    }
    return best_ix;
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    if (particle_ix >= particle_count) return;
    uint triangle_ix = nearest_triangle(predicted[particle_ix].xyz, nearest_triangles[particle_ix]);
    nearest_triangles[particle_ix] = triangle_ix;
    collide_with(particle_ix, triangle_ix, friction_model, first_collision != 0, is_reduced != 0, since);
}
