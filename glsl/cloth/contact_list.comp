// Lists what each vertex and edge meets, the nearest first.
// Reads: pairs that meet. Writes: the lists; none if there was no room for some pairs.
// SHARES threads per searcher. Runs once per step for each search, after contact_test.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_searches.glsl"
#include "cloth/contact_nearest.glsl"

layout(local_size_x = 64) in;

// Lists of a workgroup.
const uint LISTS = 64 / SHARES;

layout(std430, binding = 8) readonly buffer Pairs { uvec4 pairs[]; };          // the next one plus 1, the id, the distance
layout(scalar, binding = 9) readonly buffer FirstMet { uint first_met[]; };    // SHARES of each searcher, plus 1; 0: none
layout(scalar, binding = 10) readonly buffer Counts { uint tile_pair_count; uint has_no_room; };
layout(scalar, binding = 11) writeonly buffer Lists { uint lists[]; };
layout(scalar, binding = 12) buffer Overflow { uint overflow_count; };         // pairs that found no room in lists, since the world was made

// What the shares have found for each of the workgroup's lists, one after the other.
const uint OFFERED = SHARES * MAX_NEAR;
shared uint counts[LISTS * SHARES];
shared uint ids[LISTS * OFFERED];
shared float offered[LISTS * OFFERED]; // metres

// How many of a list's so many are nearer than one; of those that are as near, the first.
uint rank_of(uint ix, uint first, uint total) {
    uint rank = 0;
    for (uint other = first; other < first + total; ++other) {
        if (comes_before(offered[other], ids[other], offered[ix], ids[ix])) ++rank;
    }
    return rank;
}

void find(uint searcher_ix, uint share) {
    for (uint ix = first_met[searcher_ix * SHARES + share]; ix != 0; ix = pairs[ix - 1].x) {
        add_found(pairs[ix - 1].y, uintBitsToFloat(pairs[ix - 1].z));
    }
}

void main() {
    uint local_ix = gl_LocalInvocationID.x / SHARES, share = gl_LocalInvocationID.x % SHARES;
    uint searcher_ix = gl_WorkGroupID.x * LISTS + local_ix;
    bool is_there = searcher_ix < tile_count_of(searcher_kind()) * TILE && has_no_room == 0;
    uint list_ix = is_there ? list_of(searcher_ix) : NOTHING;
    if (list_ix != NOTHING) find(searcher_ix, share);
    counts[gl_LocalInvocationID.x] = found_count;
    barrier();
    // `met`: those included that found no room in their share.
    uint met = 0, total = 0, before = 0;
    for (uint i = 0; i < SHARES; ++i) {
        uint of_share = counts[local_ix * SHARES + i], kept = min(of_share, MAX_NEAR);
        if (i < share) before += kept;
        total += kept;
        met += of_share;
    }
    uint first = local_ix * OFFERED, kept = min(found_count, MAX_NEAR);
    for (uint place = 0; place < kept; ++place) {
        ids[first + before + place] = found[place];
        offered[first + before + place] = distances[place];
    }
    barrier();
    if (list_ix == NOTHING) return;
    for (uint place = before; place < before + kept; ++place) {
        uint rank = rank_of(first + place, first, total);
        if (rank < MAX_NEAR) lists[list_ix * NEAR_WORDS + 1 + rank] = ids[first + place];
    }
    if (share != 0) return;
    lists[list_ix * NEAR_WORDS] = min(total, MAX_NEAR);
    if (met > MAX_NEAR) atomicAdd(overflow_count, met - MAX_NEAR);
}
