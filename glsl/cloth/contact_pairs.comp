// Finds which of two tiles of cloth may meet: those whose balls are near.
// Reads: pairs of tiles, balls and boxes. Writes: pairs, in no order, and how many. If there is no room for some, all is left to contact_find, so that nothing
// depends on who came first.
// 32 threads per pair of tiles, in turn. Runs once per step for each search, after contact_tile_pairs.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_searches.glsl"

layout(local_size_x = 64) in;

// Pairs of tiles of a workgroup at a time, each of a row of threads. Usually 2: of more the slowest keeps the others waiting.
const uint ROWS = 2;

layout(scalar, binding = 8) buffer Counts { SearchCounts search_counts; };
layout(std430, binding = 9) readonly buffer TilePairs { uvec2 tile_pairs[]; };
layout(scalar, binding = 10) writeonly buffer Pairs { uvec3 pairs[]; }; // who searches, what that may meet, whether something may stop one of them

// What the rows compare with, and of each row a bit for each that its searchers' box comes near.
shared Compared others[ROWS * TILE];
shared uint near_bits[ROWS];
// Pairs that the workgroup has found this time, where they begin, and whether there has been no room.
shared uint count;
shared uint first;
shared bool is_full;

// Loads a row's other tile. NOTHING: it has none.
void load_others(uvec2 tile_pair) {
    uint thread = gl_LocalInvocationID.x;
    if (lane() == 0) near_bits[row()] = 0;
    if (thread == 0) count = 0;
    barrier();
    if (tile_pair.x != NOTHING) {
        uint ix = tile_pair.y * TILE + lane();
        Ball ball = listed_ball(other_kind(), ix);
        if (come_near(tiles[first_tile_of(searcher_kind()) + tile_pair.x], box_of(ball), until())) {
            atomicOr(near_bits[row()], 1u << lane());
            others[thread] = compared_of(ball);
        }
    }
    barrier();
}

// A bit for each of the row's others whose ball comes near a searcher's, or would if something stopped one of them.
uint near_in_row(Compared searcher) {
    uint near = 0;
    for (uint bits = near_bits[row()]; bits != 0;) {
        // Two at a time, so that neither waits for the other's loads.
        uint a = findLSB(bits);
        bits &= bits - 1;
        uint b = bits != 0 ? findLSB(bits) : a;
        bits &= bits - 1;
        bool is_near = come_near(searcher, others[row() * TILE + a], halt_of(searcher, others[row() * TILE + a]));
        bool is_next_near = come_near(searcher, others[row() * TILE + b], halt_of(searcher, others[row() * TILE + b]));
        near |= uint(is_near) << a | uint(is_next_near) << b;
    }
    return near;
}

// Takes away those that may not meet the searcher all the same. `halting`: a bit for each where something may stop one of the two.
uint without_apart(uint near, Compared searcher, uvec2 particles, uint other_tile, out uint halting) {
    halting = 0;
    for (uint bits = near; bits != 0; bits &= bits - 1) {
        uint place = findLSB(bits), other = row() * TILE + place;
        bool halts;
        if (!may_meet(searcher, particles, others[other], corners_of(other_kind(), other_tile * TILE + place), halts)) near &= ~(1u << place);
        if (halts) halting |= 1u << place;
    }
    return near;
}

// A bit for each of the row's others that may meet the thread's searcher.
uint near_searcher(uvec2 tile_pair, out uint halting) {
    uint searcher_ix = tile_pair.x * TILE + lane();
    halting = 0;
    if (tile_pair.x == NOTHING) return 0;
    Ball ball = listed_ball(searcher_kind(), searcher_ix);
    if (ball.radius < 0.0) return 0;
    Compared searcher = compared_of(ball);
    uint near = near_in_row(searcher);
    // Of two edges the one with the smaller index lists the other.
    if (SEARCH == NEAR_EDGES && tile_pair.x == tile_pair.y) near &= 0xFFFFFFFEu << lane();
    return near == 0 ? 0 : without_apart(near, searcher, particles_of(searcher_ix), tile_pair.y, halting);
}

// Makes room for so many pairs of the thread: their first place. Called by all threads.
uint room_for(uint own_count) {
    uint before = own_count > 0 ? atomicAdd(count, own_count) : 0;
    barrier();
    if (gl_LocalInvocationID.x == 0 && count > 0) {
        first = atomicAdd(search_counts.pair_count, count);
        is_full = first + count > pairs.length();
    }
    barrier();
    return first + before;
}

void store(uvec2 tile_pair, uint near, uint halting, uint place) {
    for (; near != 0; near &= near - 1) {
        uint other = findLSB(near);
        if (place < pairs.length()) {
            pairs[place] = uvec3(tile_pair.x * TILE + lane(), tile_pair.y * TILE + other, halting >> other & 1);
        } else {
            search_counts.has_no_room = 1;
        }
        ++place;
    }
}

// Finds the pairs of a pair of tiles for each row. Called by all threads.
void find_pairs(uvec2 tile_pair) {
    load_others(tile_pair);
    uint halting, near = near_searcher(tile_pair, halting);
    store(tile_pair, near, halting, room_for(bitCount(near)));
}

void main() {
    if (gl_LocalInvocationID.x == 0) is_full = search_counts.tile_pair_count > tile_pairs.length();
    barrier();
    uint all = is_full ? 0 : search_counts.tile_pair_count;
    for (uint turn = gl_WorkGroupID.x * ROWS; turn < all; turn += gl_NumWorkGroups.x * ROWS) {
        uint ix = turn + row();
        uvec2 tile_pair = ix < all ? tile_pairs[ix] : uvec2(NOTHING);
        find_pairs(tile_pair);
        barrier();
        if (is_full) break;
    }
}
