// Makes one list for each vertex and edge of what the slices of the search for cloth near it have found: the nearest of all.
// Reads: what the slices have found. Writes: the lists.
// MAX_SLICES threads per vertex in order, then per edge. Runs once per step, after contact_find.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_lists.glsl"

layout(local_size_x = 64) in;

// Lists of a workgroup, each with a thread per slice.
const uint LISTS = 64 / MAX_SLICES;
// Of a place in the order that is empty.
const uint NOBODY = 0xFFFFFFFFu;

layout(scalar, binding = 0) readonly buffer Slices { uint slices[]; }; // of vertices in order, then of edges
layout(scalar, binding = 1) writeonly buffer Near { uint near[]; };
layout(scalar, binding = 2) buffer Counters { uint overflow_count; }; // pairs that found no room, since the world was made
layout(scalar, binding = 3) readonly buffer Order { uint order[]; }; // all particles, those that are near each other together
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint order_count;
    uint edge_count;
    uint slice_count; // of the search
};

// What the slices have found for each of the workgroup's lists, one after the other.
const uint OFFERED = MAX_SLICES * MAX_NEAR;
shared uint counts[LISTS * MAX_SLICES];
shared uint ids[LISTS * OFFERED];
shared float offered[LISTS * OFFERED]; // metres

// A word of what a slice has found for a searcher: vertices are numbered first, in order, then edges.
uint found_by(uint slice, uint searcher, uint word) {
    bool is_vertex = searcher < order_count;
    uint first = is_vertex ? 0 : slice_count * SLICE_WORDS * order_count, ix = is_vertex ? searcher : searcher - order_count;
    return slices[first + slice_word(slice, word, ix, is_vertex ? order_count : edge_count)];
}

// How many of a list's so many are nearer than one; of those that are as near, the first.
uint rank_of(uint ix, uint first, uint total) {
    uint rank = 0;
    for (uint other = first; other < first + total; ++other) {
        if (comes_before(offered[other], ids[other], offered[ix], ids[ix])) ++rank;
    }
    return rank;
}

void main() {
    uint local_ix = gl_LocalInvocationID.x % LISTS, slice = gl_LocalInvocationID.x / LISTS;
    uint searcher = gl_WorkGroupID.x * LISTS + local_ix;
    bool is_there = searcher < order_count + edge_count;
    uint found = is_there && slice < slice_count ? found_by(slice, searcher, 0) : 0, count = min(found, MAX_NEAR);
    counts[local_ix * MAX_SLICES + slice] = found;
    barrier();
    // `met`: those included that found no room in their slice.
    uint met = 0, total = 0, before = 0;
    for (uint i = 0; i < MAX_SLICES; ++i) {
        uint kept = min(counts[local_ix * MAX_SLICES + i], MAX_NEAR);
        if (i < slice) before += kept;
        total += kept;
        met += counts[local_ix * MAX_SLICES + i];
    }
    uint first = local_ix * OFFERED;
    for (uint place = 0; place < count; ++place) {
        ids[first + before + place] = found_by(slice, searcher, 1 + place);
        offered[first + before + place] = uintBitsToFloat(found_by(slice, searcher, 1 + MAX_NEAR + place));
    }
    barrier();
    if (!is_there) return;
    uint list_ix = searcher < order_count ? order[searcher] : particle_count + searcher - order_count;
    if (list_ix == NOBODY) return;
    for (uint place = before; place < before + count; ++place) {
        uint rank = total > MAX_NEAR ? rank_of(first + place, first, total) : place;
        if (rank < MAX_NEAR) near[list_ix * NEAR_WORDS + 1 + rank] = ids[first + place];
    }
    if (slice != 0) return;
    near[list_ix * NEAR_WORDS] = min(total, MAX_NEAR);
    if (met > MAX_NEAR) atomicAdd(overflow_count, met - MAX_NEAR);
}
