// Tests pairs of cloth whose balls are near: whether they meet, and on which side of each other they belong.
// Reads: pairs; positions of the step's beginning and where the first sub-step would take them, normals, materials, what is tangled, the lists of the step
// before. Writes: of each pair that meets the side and the distance, and the next one of the same searcher; what is tangled.
// One thread per pair, in turn. Runs once per step for each search, after contact_pairs; those for what is near after that for what crosses.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_sides.glsl"

layout(local_size_x = 128) in;

layout(scalar, binding = 12) readonly buffer Counts { SearchCounts search_counts; };
// Who searches, what that may meet, whether something may stop one of them; of those that meet instead the next one plus 1, or 0, the id, the distance.
layout(scalar, binding = 13) buffer Pairs { uvec3 pairs[]; };
layout(scalar, binding = 14) buffer FirstMet { uint first_met[]; }; // SHARES of each searcher, plus 1; 0: none

void main() {
    uint count = search_counts.has_no_room != 0 ? 0 : search_counts.pair_count, stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint ix = gl_GlobalInvocationID.x; ix < count; ix += stride) {
        uvec3 listed = pairs[ix];
        Pair pair = Pair(listed.x, listed.y, listed.z != 0);
        float distance;
        uint side = side_of(pair, distance);
        if (side == UNKNOWN) continue;
        uint next = atomicExchange(first_met[pair.searcher_ix * SHARES + ix % SHARES], ix + 1);
        pairs[ix] = uvec3(next, pair.other_ix | side, floatBitsToUint(distance));
    }
}
