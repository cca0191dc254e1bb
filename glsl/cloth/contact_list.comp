// Lists what each vertex and edge meets, the nearest first.
// Reads: pairs that meet. Writes: the lists, and what they hold one after the other, in no order; none if there was no room for some pairs.
// SHARES threads per searcher. Runs once per step for each search, after contact_test.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_searches.glsl"
#include "cloth/contact_nearest.glsl"

layout(local_size_x = 64) in;

// Lists of a workgroup.
const uint LISTS = 64 / SHARES;

layout(scalar, binding = 8) readonly buffer Pairs { uvec3 pairs[]; };          // the next one plus 1, the id, the distance
layout(scalar, binding = 9) readonly buffer FirstMet { uint first_met[]; };    // SHARES of each searcher, plus 1; 0: none
layout(scalar, binding = 10) buffer Counts { SearchCounts search_counts; };
layout(scalar, binding = 11) writeonly buffer Lists { uint lists[]; };
layout(scalar, binding = 12) buffer Overflow { uint overflow_count; };         // pairs that found no room in lists, since the world was made
layout(scalar, binding = 13) writeonly buffer ContactPairs { ContactPair contact_pairs[]; };

// How many each thread has found, and the nearest of those that are not in the list yet: NOTHING if there are no more. Not all of them: how many
// workgroups run at once is decided by how much shared memory each has.
shared uint found_counts[LISTS * SHARES];
shared uint next_ids[LISTS * SHARES];
shared float next_distances[LISTS * SHARES]; // metres
// Of the longest of the workgroup's lists.
shared uint most_kept;
// How many all of them have, where a list's are among those, and where the workgroup's begin.
shared uint kept_count;
shared uint places[LISTS];
shared uint first_pair;

// Whether the thread's next is the nearest of all that its list's threads have left.
bool is_nearest() {
    uint thread = gl_LocalInvocationID.x, first = thread / SHARES * SHARES;
    if (next_ids[thread] == NOTHING) return false;
    for (uint other = first; other < first + SHARES; ++other) {
        if (next_ids[other] == NOTHING) continue;
        if (comes_before(next_distances[other], next_ids[other], next_distances[thread], next_ids[thread])) return false;
    }
    return true;
}

// Puts what a list's threads have found into it, the nearest first. Called by all threads of a workgroup.
void merge(uint list_ix) {
    uint thread = gl_LocalInvocationID.x, kept = list_ix == NOTHING ? 0 : min(found_count, MAX_NEAR), next = 0;
    for (uint rank = 0; rank < most_kept; ++rank) {
        next_ids[thread] = next < kept ? found[next] : NOTHING;
        if (next < kept) next_distances[thread] = distances[next];
        barrier();
        if (is_nearest()) {
            uint id = found[next++];
            lists[list_ix * NEAR_WORDS + 1 + rank] = id;
            contact_pairs[first_pair + places[thread / SHARES] + rank] = ContactPair(list_ix, id);
        }
        barrier();
    }
}

void find(uint searcher_ix, uint share) {
    for (uint ix = first_met[searcher_ix * SHARES + share]; ix != 0; ix = pairs[ix - 1].x) {
        add_found(pairs[ix - 1].y, uintBitsToFloat(pairs[ix - 1].z));
    }
}

void main() {
    uint local_ix = gl_LocalInvocationID.x / SHARES, share = gl_LocalInvocationID.x % SHARES;
    uint searcher_ix = gl_WorkGroupID.x * LISTS + local_ix;
    bool is_there = searcher_ix < tile_count_of(searcher_kind()) * TILE && search_counts.has_no_room == 0;
    uint list_ix = is_there ? list_of(searcher_ix) : NOTHING;
    if (list_ix != NOTHING) find(searcher_ix, share);
    found_counts[gl_LocalInvocationID.x] = found_count;
    if (gl_LocalInvocationID.x == 0) most_kept = kept_count = 0;
    barrier();
    // `met`: those included that found no room in their share.
    uint met = 0, total = 0;
    for (uint i = 0; i < SHARES; ++i) {
        met += found_counts[local_ix * SHARES + i];
        total += min(found_counts[local_ix * SHARES + i], MAX_NEAR);
    }
    uint kept = min(total, MAX_NEAR);
    if (share == 0 && kept > 0) {
        atomicMax(most_kept, kept);
        places[local_ix] = atomicAdd(kept_count, kept);
    }
    barrier();
    if (gl_LocalInvocationID.x == 0 && kept_count > 0) first_pair = atomicAdd(search_counts.contact_count, kept_count);
    merge(list_ix);
    if (list_ix == NOTHING || share != 0) return;
    lists[list_ix * NEAR_WORDS] = kept;
    if (met > MAX_NEAR) atomicAdd(overflow_count, met - MAX_NEAR);
}
