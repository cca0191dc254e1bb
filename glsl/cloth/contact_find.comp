// Finds and lists what the vertices and edges of a tile meet, if there was no room for some pairs: each workgroup for a tile by itself, which takes longer.
// Reads: whether there was room; positions, normals, materials, what is tangled, the lists of the step before, balls and boxes. Writes: the lists, what is
// tangled.
// A workgroup per tile, in turn. Runs once per step for each search, after contact_pairs; those for what is near after that for what crosses.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require

const uint ROWS = 8;

#include "cloth/contact_sides.glsl"
#include "cloth/contact_met_tiles.glsl"
#include "cloth/contact_nearest.glsl"

layout(local_size_x = 256) in; // THREADS

const uint THREADS = ROWS * TILE;

layout(scalar, binding = 12) writeonly buffer Lists { uint lists[]; };
layout(scalar, binding = 13) buffer Overflow { uint overflow_count; }; // pairs that found no room in lists, since the world was made
layout(scalar, binding = 14) buffer Counts { SearchCounts search_counts; };
layout(scalar, binding = 15) writeonly buffer ContactPairs { ContactPair contact_pairs[]; }; // what the lists hold

// Places of a tile that a row compares with.
const uint COMPARED = TILE / ROWS;

// What the tile's searchers and a tile of what is gathered compare.
shared Compared selves[TILE];
shared uvec2 self_corners[TILE];
shared uint other_ixs[TILE];
shared Compared others[TILE];
shared uvec3 other_corners[TILE];

// Of each row a bit for each whose triangle or edge the workgroup's box comes near.
shared uint bits_of_rows[ROWS];
// Triangles or edges whose boxes the workgroup's comes near: fewer than TILE that wait for others, and up to a tile from each row.
shared uint gathered[TILE * (ROWS + 1)];

// Pairs whose balls are near and that nobody has tested: the searcher, with HALTS where something may stop one of the two, and what it may meet. Fewer than
// there are threads wait for others, and a tile adds up to TILE for each searcher.
shared uvec2 pairs[THREADS - 1 + TILE * TILE];
shared uint pair_count;
const uint HALTS = 0x80000000u;

// Of the pairs that are tested together those that meet: what the searcher meets, how far apart they are, and the next one of the same searcher.
// `first_met`: of each searcher. NOTHING ends.
shared uint met_ids[THREADS];
shared float met_distances[THREADS];
shared uint next_met[THREADS];
shared uint first_met[TILE];

// The tile that searches.
uint tile;

uint searcher_ix() {
    return tile * TILE + lane();
}

// Loads so many of what is gathered, from `first` on, no more than a tile.
void load_others(uint first, uint count) {
    if (lane() >= count || row() > 1) return;
    uint ix = gathered[first + lane()];
    if (row() == 0) {
        other_ixs[lane()] = ix;
        others[lane()] = compared_of(listed_ball(other_kind(), ix));
    } else {
        other_corners[lane()] = corners_of(other_kind(), ix);
    }
}

// Lists what of the row's share of the tile, of which so many are taken, is near the thread's searcher.
void list_pairs(uint count) {
    uint near = 0, halting = 0;
    for (uint i = row() * COMPARED; i < min((row() + 1) * COMPARED, count); ++i) {
        // Of two edges the one with the smaller index lists the other.
        if (SEARCH == NEAR_EDGES && other_ixs[i] <= searcher_ix()) continue;
        bool halts;
        if (!come_near(selves[lane()], others[i], halt_of(selves[lane()], others[i]))) continue;
        if (!may_meet(selves[lane()], self_corners[lane()], others[i], other_corners[i], halts)) continue;
        near |= 1u << i;
        if (halts) halting |= 1u << i;
    }
    if (near == 0) return;
    uint next = atomicAdd(pair_count, bitCount(near));
    for (; near != 0; near &= near - 1) {
        uint i = findLSB(near);
        pairs[next++] = uvec2(lane() | ((halting >> i & 1) != 0 ? HALTS : 0), other_ixs[i]);
    }
}

// Tests a pair, if there is one.
void test(uint pair_ix) {
    if (pair_ix >= pair_count) return;
    uint searcher = pairs[pair_ix].x & ~HALTS, thread = gl_LocalInvocationID.x;
    Pair pair = Pair(tile * TILE + searcher, pairs[pair_ix].y, (pairs[pair_ix].x & HALTS) != 0);
    float distance;
    uint side = side_of(pair, distance);
    if (side == UNKNOWN) return;
    met_ids[thread] = pair.other_ix | side;
    met_distances[thread] = distance;
    next_met[thread] = atomicExchange(first_met[searcher], thread);
}

// Tests the last of the pairs, one for each thread, and keeps what meets. Called by all threads.
void test_pairs() {
    uint thread = gl_LocalInvocationID.x, first = pair_count - min(pair_count, THREADS);
    if (row() == 0) first_met[lane()] = NOTHING;
    barrier();
    test(first + thread);
    barrier();
    if (thread == 0) pair_count = first;
    if (row() == 0) {
        for (uint i = first_met[lane()]; i != NOTHING; i = next_met[i]) add_found(met_ids[i], met_distances[i]);
    }
    barrier();
}

// Compares the searchers with so many of what is gathered, from `first` on, no more than a tile. Called by all threads.
void compare(bool searches, uint first, uint count) {
    load_others(first, count);
    barrier();
    if (searches) list_pairs(count);
    barrier();
    // All threads go round as often, here and below: some drivers lose the last turn of those that leave a loop later than others.
    while (pair_count >= THREADS) test_pairs();
}

// Adds those of a row's tile that the group's box comes near to so many that are gathered. NOTHING: the row has none. How many there are then. Called by all
// threads.
uint gather(MovingBounds group_box, uint other_tile, uint count) {
    uint ix = other_tile * TILE + lane();
    if (gl_LocalInvocationID.x < ROWS) bits_of_rows[gl_LocalInvocationID.x] = 0;
    barrier();
    bool is_near = other_tile != NOTHING && come_near(group_box, box_of(listed_ball(other_kind(), ix)), until());
    if (is_near) atomicOr(bits_of_rows[row()], 1u << lane());
    barrier();
    uint place = count;
    for (uint i = 0; i < ROWS; ++i) {
        uint bits = bits_of_rows[i];
        if (i < row()) place += bitCount(bits);
        if (i == row()) place += bitCount(bits & ((1u << lane()) - 1));
        count += bitCount(bits);
    }
    if (is_near) gathered[place] = ix;
    barrier();
    return count;
}

// Moves what has not been compared to the front, from `first` on, less than a tile. Called by all threads.
void keep_rest(uint first, uint count) {
    bool is_kept = gl_LocalInvocationID.x < count - first;
    uint ix = is_kept ? gathered[first + gl_LocalInvocationID.x] : 0;
    barrier();
    if (is_kept) gathered[gl_LocalInvocationID.x] = ix;
    barrier();
}

// Compares the searchers with the tiles that were found. Called by all threads.
void compare_tiles(bool searches, MovingBounds group_box) {
    uint count = 0;
    for (uint first = 0; first < met_tile_count; first += ROWS) {
        bool is_last = first + ROWS >= met_tile_count;
        count = gather(group_box, first + row() < met_tile_count ? met_tiles[first + row()] : NOTHING, count);
        uint compared = 0;
        for (; compared + (is_last ? 1 : TILE) <= count; compared += TILE) compare(searches, compared, min(count - compared, TILE));
        if (is_last) break;
        keep_rest(compared, count);
        count -= compared;
    }
    barrier();
}

void find(bool searches) {
    MovingBounds group_box = tiles[first_tile_of(searcher_kind()) + tile];
    uint first_tile = first_tile_for(tile);
    for (uint first_region = first_tile / (TILE * TILE * TILE) * TILE; first_region < regions_of(other_kind()); first_region += TILE) {
        find_regions(group_box, first_region);
        for (uint regions = met_regions; regions != 0; regions &= regions - 1) {
            find_tiles(group_box, (first_region + findLSB(regions)) * TILE, first_tile);
            compare_tiles(searches, group_box);
        }
    }
    while (pair_count > 0) test_pairs();
}

void store_list(uint list_ix) {
    uint first = list_ix * NEAR_WORDS, count = min(found_count, MAX_NEAR);
    lists[first] = count;
    uint first_pair = count > 0 ? atomicAdd(search_counts.contact_count, count) : 0;
    for (uint i = 0; i < count; ++i) {
        lists[first + 1 + i] = found[i];
        contact_pairs[first_pair + i] = ContactPair(list_ix, found[i]);
    }
    if (found_count > MAX_NEAR) atomicAdd(overflow_count, found_count - MAX_NEAR);
}

void find_tile() {
    Ball ball = listed_ball(searcher_kind(), searcher_ix());
    if (row() == 0) {
        selves[lane()] = compared_of(ball);
        self_corners[lane()] = particles_of(searcher_ix());
    }
    found_count = 0;
    if (gl_LocalInvocationID.x == 0) pair_count = 0;
    find(ball.radius >= 0.0);
    uint list_ix = list_of(searcher_ix());
    if (row() == 0 && list_ix != NOTHING) store_list(list_ix);
}

void main() {
    if (search_counts.has_no_room == 0) return;
    for (tile = gl_WorkGroupID.x; tile < tile_count_of(searcher_kind()); tile += gl_NumWorkGroups.x) {
        find_tile();
        barrier();
    }
}
