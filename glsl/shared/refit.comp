// Fits a tree of boxes round the skin's motion through the step, from the leaves up.
// Reads: triangles, skin before and after the step, parents. Writes: boxes of the nodes; arrivals, which end as they began: 0.
// One thread per node, of which those with leaves work: each climbs until it comes to a node whose other children are not done
// yet; the last to arrive goes on (Karras, "Maximizing parallelism in the construction of BVHs, octrees, and k-d trees",
// 2012, section 4). Runs after the bake, before collide, once per step.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer SkinTriangles { SkinTriangle skin_triangles[]; };
layout(scalar, binding = 1) readonly buffer SkinBefore { vec3 skin_before[]; };
layout(scalar, binding = 2) readonly buffer SkinAfter { vec3 skin_after[]; };
layout(scalar, binding = 3) coherent buffer Nodes { BoxNode nodes[]; };
layout(scalar, binding = 4) readonly buffer Parents { uint parents[]; };
layout(scalar, binding = 5) coherent buffer Arrivals { uint arrivals[]; };
layout(scalar, push_constant) uniform Push {
    uint node_count;
    uint level_count;
};

const uint NO_NODE = 0xFFFFFFFF;
const float FURTHEST = 3.4e38; // about the largest float

void fit_leaf(uint node_ix) {
    vec3 low = vec3(FURTHEST), high = vec3(-FURTHEST);
    uint first = nodes[node_ix].first, count = nodes[node_ix].count & ~LEAF;
    for (uint i = first; i < first + count; ++i) {
        for (uint corner = 0; corner < 3; ++corner) {
            uint vertex_ix = skin_triangles[i].vertices[corner];
            low = min(low, min(skin_before[vertex_ix], skin_after[vertex_ix]));
            high = max(high, max(skin_before[vertex_ix], skin_after[vertex_ix]));
        }
    }
    nodes[node_ix].low = low;
    nodes[node_ix].high = high;
}

void fit_inner(uint node_ix) {
    vec3 low = vec3(FURTHEST), high = vec3(-FURTHEST);
    uint first = nodes[node_ix].first, count = nodes[node_ix].count;
    for (uint child_ix = first; child_ix < first + count; ++child_ix) {
        low = min(low, nodes[child_ix].low);
        high = max(high, nodes[child_ix].high);
    }
    nodes[node_ix].low = low;
    nodes[node_ix].high = high;
}

void main() {
    uint node_ix = gl_GlobalInvocationID.x;
    bool is_last = node_ix < node_count && (nodes[node_ix].count & LEAF) != 0;
    if (is_last) {
        fit_leaf(node_ix);
        node_ix = parents[node_ix];
    }
    // All stay to the end: software Vulkan (Mesa 22.3) loses the last to arrive when threads leave the loop one by one.
    for (uint level = 1; level < level_count; ++level) {
        if (!is_last || node_ix == NO_NODE) continue;
        // What was written below must be visible to the last thread to arrive.
        memoryBarrierBuffer();
        is_last = atomicAdd(arrivals[node_ix], 1) + 1 == nodes[node_ix].count;
        if (is_last) {
            memoryBarrierBuffer();
            arrivals[node_ix] = 0;
            fit_inner(node_ix);
            node_ix = parents[node_ix];
        }
    }
}
