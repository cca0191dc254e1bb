// Finds which of two tiles of cloth may meet: those whose balls are near.
// Reads: pairs of tiles, balls and boxes. Writes: pairs, in no order, and how many. If there is no room for some, all is left to contact_find, so that nothing
// depends on who came first.
// A workgroup of 32 threads per pair of tiles, in turn. Runs once per step for each search, after contact_tile_pairs.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_searches.glsl"

layout(local_size_x = 32) in; // TILE

layout(scalar, binding = 8) buffer Counts { SearchCounts search_counts; };
layout(std430, binding = 9) readonly buffer TilePairs { uvec2 tile_pairs[]; };
layout(scalar, binding = 10) writeonly buffer Pairs { uvec3 pairs[]; }; // who searches, what that may meet, whether something may stop one of them

// What the threads compare with, and a bit for each that the searchers' box comes near.
shared Compared others[TILE];
shared uint near_bits;
// Pairs that the workgroup has found this time, where they begin, and whether there has been no room.
shared uint count;
shared uint first;
shared bool is_full;

// Loads the other tile.
void load_others(uvec2 tile_pair) {
    if (lane() == 0) near_bits = count = 0;
    barrier();
    Ball ball = listed_ball(other_kind(), tile_pair.y * TILE + lane());
    if (come_near(tiles[first_tile_of(searcher_kind()) + tile_pair.x], box_of(ball), until())) {
        atomicOr(near_bits, 1u << lane());
        others[lane()] = compared_of(ball);
    }
    barrier();
}

// A bit for each of the others whose ball comes near a searcher's, or would if something stopped one of them.
uint near_in_tile(Compared searcher) {
    uint near = 0;
    for (uint bits = near_bits; bits != 0;) {
        // Two at a time, so that neither waits for the other's loads.
        uint a = findLSB(bits);
        bits &= bits - 1;
        uint b = bits != 0 ? findLSB(bits) : a;
        bits &= bits - 1;
        bool is_near = come_near(searcher, others[a], halt_of(searcher, others[a]));
        bool is_next_near = come_near(searcher, others[b], halt_of(searcher, others[b]));
        near |= uint(is_near) << a | uint(is_next_near) << b;
    }
    return near;
}

// Takes away those that may not meet the searcher all the same. `halting`: a bit for each where something may stop one of the two.
uint without_apart(uint near, Compared searcher, uvec2 particles, uint other_tile, out uint halting) {
    halting = 0;
    for (uint bits = near; bits != 0; bits &= bits - 1) {
        uint place = findLSB(bits);
        bool halts;
        if (!may_meet(searcher, particles, others[place], corners_of(other_kind(), other_tile * TILE + place), halts)) near &= ~(1u << place);
        if (halts) halting |= 1u << place;
    }
    return near;
}

// A bit for each of the others that may meet the thread's searcher.
uint near_searcher(uvec2 tile_pair, out uint halting) {
    uint searcher_ix = tile_pair.x * TILE + lane();
    halting = 0;
    Ball ball = listed_ball(searcher_kind(), searcher_ix);
    if (ball.radius < 0.0) return 0;
    Compared searcher = compared_of(ball);
    uint near = near_in_tile(searcher);
    // Of two edges the one with the smaller index lists the other.
    if (SEARCH == NEAR_EDGES && tile_pair.x == tile_pair.y) near &= 0xFFFFFFFEu << lane();
    return near == 0 ? 0 : without_apart(near, searcher, particles_of(searcher_ix), tile_pair.y, halting);
}

// Makes room for so many pairs of the thread: their first place. Called by all threads.
uint room_for(uint own_count) {
    uint before = own_count > 0 ? atomicAdd(count, own_count) : 0;
    barrier();
    if (lane() == 0 && count > 0) {
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

// Finds the pairs of a pair of tiles. Called by all threads.
void find_pairs(uvec2 tile_pair) {
    load_others(tile_pair);
    uint halting, near = near_searcher(tile_pair, halting);
    store(tile_pair, near, halting, room_for(bitCount(near)));
}

void main() {
    if (lane() == 0) is_full = search_counts.tile_pair_count > tile_pairs.length();
    barrier();
    uint all = is_full ? 0 : search_counts.tile_pair_count;
    for (uint turn = gl_WorkGroupID.x; turn < all && !is_full; turn += gl_NumWorkGroups.x) {
        find_pairs(tile_pairs[turn]);
        barrier();
    }
}
