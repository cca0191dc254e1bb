// Makes one list for each vertex and edge of what the slices of the search for cloth near it have found: the nearest of all.
// Reads: what the slices have found. Writes: the lists.
// One thread per vertex, then per edge. Runs once per step, after contact_find.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_lists.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Slices { uint slices[]; };
layout(scalar, binding = 1) writeonly buffer Near { uint near[]; };
layout(scalar, binding = 2) buffer Counters { uint overflow_count; }; // pairs that found no room, since the world was made
layout(scalar, push_constant) uniform Push {
    uint list_count;
    uint slice_count; // of each list
};

void main() {
    uint list_ix = gl_GlobalInvocationID.x;
    if (list_ix >= list_count) return;
    for (uint slice = 0; slice < slice_count; ++slice) {
        uint first = (list_ix * slice_count + slice) * SLICE_WORDS, count = min(slices[first], MAX_NEAR);
        for (uint i = 0; i < count; ++i) {
            float distance = uintBitsToFloat(slices[first + 1 + MAX_NEAR + i]);
            if (keep_nearest(slices[first + 1 + i], distance)) atomicAdd(overflow_count, 1);
        }
    }
    uint first = list_ix * NEAR_WORDS;
    near[first] = found_count;
    for (uint i = 0; i < found_count; ++i) near[first + 1 + i] = found[i];
}
