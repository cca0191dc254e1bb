// How cloth finds cloth. A workgroup that searches for a tile's 32 neighbours at once passes by blocks and tiles whose moving boxes its own
// never comes near. Of the rest, a tile for each row of 32 threads, it gathers the triangles or edges whose own boxes it comes near, and compares balls
// with a full tile of those at a time, from shared memory. It shares out the pairs whose balls are near, so that no thread waits for one with more of
// them. Its first 32 threads search for one neighbour each, and the others help them. What it finds is always the same, and in the same order.
// Includers declare `side_of`, which any thread asks about a pair whose balls are near, and `visit`, which the thread that searches calls for what has
// a side; and then call `search` from all threads.
#ifndef CLOTH_CONTACT_SEARCH
#define CLOTH_CONTACT_SEARCH

#include "cloth/contact_tiles.glsl"
#include "cloth/contact_lists.glsl"

layout(local_size_x = 256) in; // HELPERS for each of a tile

const uint HELPERS = 8;

// Places of a tile that a helper compares with.
const uint HELPED = TILE / HELPERS;

// Of the tile that the workgroup searches for: each one's number, its ball, its particles, where they are and how they move in the step.
shared uint self_ixs[TILE];
shared vec4 self_spheres[TILE]; // the middle at the beginning; metres within which it meets others
shared vec4 self_paths[TILE];   // the middle's motion in the step; metres of the halt
shared vec3 self_halts[TILE];
shared vec4 self_rests[TILE];   // the middle in the rest shape; bits of the sheet's number
shared uint self_corners[2 * TILE];
shared vec3 self_at[2 * TILE];
shared vec3 self_motions[2 * TILE];
// The same of what it compares with: a tile of what is gathered.
shared uint tile_ixs[TILE];
shared vec4 tile_spheres[TILE];
shared vec4 tile_paths[TILE];
shared vec3 tile_halts[TILE];
shared vec4 tile_rests[TILE];
shared uint tile_corners[3 * TILE];
shared vec3 tile_at[3 * TILE];
shared vec3 tile_motions[3 * TILE];

// A bit for each of 32 regions, for each of the blocks of one, and for each of their tiles, whose box the workgroup's comes near.
shared uint met_regions;
shared uint met_blocks;
shared uint met_tiles[TILE];
// Of each row of 32 threads a bit for each whose triangle or edge the workgroup's box comes near.
shared uint bits_of_rows[HELPERS];
// Triangles or edges whose boxes the workgroup's comes near, in order: fewer than TILE that wait for others, and up to a tile from each row.
shared uint gathered[TILE * (HELPERS + 1)];

// Pairs whose balls are near: searcher times TILE, plus place in the tile, and how many there are; how far apart those of each searcher and
// place are that meet, which of each searcher's do, which of those on the other side, and the most of one searcher that meet.
shared uint pairs[TILE * TILE];
shared uint pair_count;
shared float met_distances[TILE * TILE];
shared uint met[TILE];
shared uint met_behind[TILE];
shared uint most_met;

// They do not meet, or nobody knows on which side.
const uint UNKNOWN = NOTHING;

// Whom a thread searches for, or helps to; and which of its helpers it is.
uint searcher_lane() {
    return gl_LocalInvocationID.x % TILE;
}

uint helper_ix() {
    return gl_LocalInvocationID.x / TILE;
}

// `lane`: of the thread that searches; `place`: in the tile; `halt`: metres by which they come nearer than their paths say. 0, BEHIND or
// UNKNOWN, and metres by which the nearest are told.
uint side_of(uint lane, uint place, uint other_ix, float halt, out float distance);

void visit(uint place, uint id, float distance);

// Whether balls on straight paths come within reach, and `halt` more, until a time of the step.
bool come_near(vec4 sphere, vec4 path, vec4 other, vec4 other_path, float halt, float until) {
    vec3 apart = sphere.xyz - other.xyz, motion = path.xyz - other_path.xyz;
    float size = dot(motion, motion), within = sphere.w + other.w + halt;
    // Where they are nearest to each other.
    if (size > 0.0) apart += motion * clamp(-dot(apart, motion) / size, 0.0, until);
    return dot(apart, apart) <= within * within;
}

// Whether two of one sheet would meet in the rest shape too: what stops one stops the other by the cloth between them.
bool are_neighbours(uint lane, uint place) {
    vec4 rest = self_rests[lane], other = tile_rests[place];
    float within = self_spheres[lane].w + tile_spheres[place].w + 2.0 * min(self_paths[lane].w, tile_paths[place].w);
    return floatBitsToUint(rest.w) == floatBitsToUint(other.w) && distance(rest.xyz, other.xyz) < within;
}

// What is compared of a ball until a time of the step: at its beginning it has no reach.
vec4 sphere_of(Ball ball, float until) {
    return vec4(ball.middle, until > 0.0 ? ball.within : ball.radius);
}

// Called by the first 32 threads.
void load_self(uint ix, uvec2 ends, Ball ball, float until) {
    uint lane = searcher_lane();
    self_ixs[lane] = ix;
    self_spheres[lane] = sphere_of(ball, until);
    self_paths[lane] = vec4(ball.motion, ball.halt_length);
    self_halts[lane] = ball.halt;
    self_rests[lane] = vec4(ball.at_rest, uintBitsToFloat(ball.sheet));
    for (uint i = 0; i < 2; ++i) {
        uint place = 2 * lane + i;
        self_corners[place] = ends[i];
        self_at[place] = contact_particles[ends[i]].start;
        self_motions[place] = contact_particles[ends[i]].motion;
    }
}

// Loads one of the tile.
void load_ball(uint kind, uint ix, float until) {
    uint place = searcher_lane();
    Ball ball = listed_ball(kind, ix);
    tile_ixs[place] = ix;
    tile_spheres[place] = sphere_of(ball, until);
    tile_paths[place] = vec4(ball.motion, ball.halt_length);
    tile_halts[place] = ball.halt;
    tile_rests[place] = vec4(ball.at_rest, uintBitsToFloat(ball.sheet));
}

// Loads one corner of one of the tile.
void load_corner(uint kind, uint ix, uint corner) {
    uint place = 3 * searcher_lane() + corner, particle_ix = corners_of(kind, ix)[corner];
    tile_corners[place] = particle_ix;
    tile_at[place] = contact_particles[particle_ix].start;
    tile_motions[place] = contact_particles[particle_ix].motion;
}

// Loads so many of what is gathered, from `first` on, no more than a tile.
void load_tile(uint kind, uint first, uint count, float until) {
    if (searcher_lane() >= count || helper_ix() > 3) return;
    uint ix = gathered[first + searcher_lane()];
    if (helper_ix() < 3) {
        load_corner(kind, ix, helper_ix());
    } else {
        load_ball(kind, ix, until);
    }
}

// The particles of one of the tile.
uvec3 corners_in_tile(uint place) {
    return uvec3(tile_corners[3 * place], tile_corners[3 * place + 1], tile_corners[3 * place + 2]);
}

// Metres by which two come nearer than their paths say if something stops one of them and not the other.
float halt_of_pair(uint lane, uint place, float until) {
    if (until == 0.0 || are_neighbours(lane, place)) return 0.0;
    return halt_between(self_paths[lane].w, tile_paths[place].w);
}

// Of two edges the one with the smaller index lists the other. What has a common corner is in contact as it is.
bool may_meet(uint kind, uint lane, uint place) {
    if (kind == EDGES && tile_ixs[place] <= self_ixs[lane]) return false;
    uvec3 corners = corners_in_tile(place);
    return !any(equal(corners, uvec3(self_corners[2 * lane]))) && !any(equal(corners, uvec3(self_corners[2 * lane + 1])));
}

// Whether their balls are near. Those of neighbours are less near than a halt says, which is asked only where it decides.
bool are_near(uint lane, uint place, float until) {
    vec4 sphere = self_spheres[lane], path = self_paths[lane], other = tile_spheres[place], other_path = tile_paths[place];
    float halt = until > 0.0 ? halt_between(path.w, other_path.w) : 0.0;
    if (!come_near(sphere, path, other, other_path, halt, until)) return false;
    if (halt == 0.0 || !are_neighbours(lane, place)) return true;
    return come_near(sphere, path, other, other_path, 0.0, until);
}

// A bit for each place of the thread's share of the tile, of which so many are taken, whose ball is near its searcher's.
uint near_in_tile(bool searches, uint kind, uint count, float until) {
    uint lane = searcher_lane(), near = 0;
    if (!searches) return 0;
    for (uint i = helper_ix() * HELPED; i < (helper_ix() + 1) * HELPED; ++i) {
        if (i < count && are_near(lane, i, until) && may_meet(kind, lane, i)) near |= 1u << i;
    }
    return near;
}

// Lists the thread's pairs. Called by all threads.
void list_pairs(uint near) {
    uint next = near != 0 ? atomicAdd(pair_count, bitCount(near)) : 0;
    for (uint i = helper_ix() * HELPED; i < (helper_ix() + 1) * HELPED; ++i) {
        if ((near >> i & 1) != 0) pairs[next++] = searcher_lane() * TILE + i;
    }
    barrier();
}

void list_meeting(uint pair_ix, float until) {
    uint pair = pairs[pair_ix], lane = pair / TILE, place = pair % TILE;
    float distance;
    uint side = side_of(lane, place, tile_ixs[place], halt_of_pair(lane, place, until), distance);
    if (side == UNKNOWN) return;
    met_distances[pair] = distance;
    atomicMax(most_met, bitCount(atomicOr(met[lane], 1u << place)) + 1);
    if (side == BEHIND) atomicOr(met_behind[lane], 1u << place);
}

// Compares all that is searched for with so many of what is gathered, from `first` on, no more than a tile. Called by all threads.
void search_tile(bool searches, uint kind, uint first, uint count, float until) {
    uint lane = searcher_lane(), thread = gl_LocalInvocationID.x;
    load_tile(kind, first, count, until);
    if (thread == 0) {
        pair_count = 0;
        most_met = 0;
    }
    met[lane] = 0;
    met_behind[lane] = 0;
    barrier();
    list_pairs(near_in_tile(searches, kind, count, until));
    // All threads go round as often, here and below: some drivers lose the last turn of those that leave a loop later than others.
    for (uint first_pair = 0; first_pair < pair_count; first_pair += HELPERS * TILE) {
        if (first_pair + thread < pair_count) list_meeting(first_pair + thread, until);
    }
    barrier();
    uint unvisited = helper_ix() == 0 ? met[lane] : 0;
    for (uint turn = 0; turn < most_met; ++turn) {
        if (unvisited == 0) continue;
        uint place = findLSB(unvisited);
        unvisited &= unvisited - 1;
        uint side = (met_behind[lane] >> place & 1) != 0 ? BEHIND : 0;
        visit(place, tile_ixs[place] | side, met_distances[lane * TILE + place]);
    }
    barrier();
}

// Which slice of the search the workgroup does, and its thread's number among those of one slice.
uint slice_ix() {
    return gl_WorkGroupID.x % slice_count;
}

uint searcher_ix() {
    return gl_WorkGroupID.x / slice_count * TILE + searcher_lane();
}

// Sets the bits of 32 blocks, from `first_block` on, and of their tiles, from `first_tile` on.
void find_tiles(MovingBounds group_box, uint kind, uint first_block, uint first_tile, float until) {
    uint lane = searcher_lane(), block = first_block + lane;
    met_tiles[lane] = 0;
    if (gl_LocalInvocationID.x == 0) met_blocks = 0;
    barrier();
    if (helper_ix() == 0 && block < blocks_of(kind) && come_near(group_box, tiles[first_block_of(kind) + block], until)) atomicOr(met_blocks, 1u << lane);
    barrier();
    for (uint i = helper_ix(); i < TILE; i += HELPERS) {
        uint tile = (first_block + i) * TILE + lane;
        if ((met_blocks >> i & 1) == 0 || tile < first_tile || tile >= tile_count_of(kind)) continue;
        if (come_near(group_box, tiles[first_tile_of(kind) + tile], until)) atomicOr(met_tiles[i], 1u << lane);
    }
    barrier();
}

// Sets the bits of 32 regions, from `first` on. All is near where there is but one.
void find_regions(MovingBounds group_box, uint kind, uint first, float until) {
    uint lane = searcher_lane(), region = first + lane, regions = regions_of(kind);
    barrier();
    if (gl_LocalInvocationID.x == 0) met_regions = regions == 1 ? 1 : 0;
    barrier();
    if (helper_ix() == 0 && regions > 1 && region < regions && come_near(group_box, tiles[first_region_of(kind) + region], until)) atomicOr(met_regions, 1u << lane);
    barrier();
}

// Adds those of a tile that the group's box comes near to so many that are gathered; each row has a tile of its own, NOTHING: none. How many there are
// then. Called by all threads.
uint gather(MovingBounds group_box, uint kind, uint tile, uint count, float until) {
    uint lane = searcher_lane(), ix = tile * TILE + lane;
    if (gl_LocalInvocationID.x < HELPERS) bits_of_rows[gl_LocalInvocationID.x] = 0;
    barrier();
    bool is_near = tile != NOTHING && come_near(group_box, box_of(listed_ball(kind, ix)), until);
    if (is_near) atomicOr(bits_of_rows[helper_ix()], 1u << lane);
    barrier();
    uint place = count;
    for (uint i = 0; i < HELPERS; ++i) {
        uint bits = bits_of_rows[i];
        if (i < helper_ix()) place += bitCount(bits);
        if (i == helper_ix()) place += bitCount(bits & ((1u << lane) - 1));
        count += bitCount(bits);
    }
    if (is_near) gathered[place] = ix;
    barrier();
    return count;
}

// Without so many of the lowest bits that are set.
uint without_lowest(uint bits, uint count) {
    for (uint i = 0; i < HELPERS; ++i) bits &= i < count ? bits - 1 : bits;
    return bits;
}

// Moves what has not been compared to the front, from `first` on, less than a tile. Called by all threads.
void keep_rest(uint first, uint count) {
    bool is_kept = gl_LocalInvocationID.x < count - first;
    uint ix = is_kept ? gathered[first + gl_LocalInvocationID.x] : 0;
    barrier();
    if (is_kept) gathered[gl_LocalInvocationID.x] = ix;
    barrier();
}

// Visits what a searcher's meets in the blocks of a region, from `first_block` on, whose tiles have been found. `number`: of tiles that were compared.
void search_blocks(bool searches, MovingBounds group_box, uint kind, uint first_block, float until, inout uint number) {
    uint count = 0;
    // When there is no other block, what is left is compared.
    for (uint i = 0; i <= TILE; ++i) {
        uint bits = i < TILE ? met_tiles[i] : 0;
        if (bits == 0 && i < TILE) continue;
        do {
            uint own = without_lowest(bits, helper_ix());
            if (bits != 0) count = gather(group_box, kind, own == 0 ? NOTHING : (first_block + i) * TILE + findLSB(own), count, until);
            bits = without_lowest(bits, HELPERS);
            uint first = 0;
            for (; first + (i < TILE ? TILE : 1) <= count; first += TILE) {
                if (number++ % slice_count == slice_ix()) search_tile(searches, kind, first, min(count - first, TILE), until);
            }
            if (first > 0 && i < TILE) keep_rest(first, count);
            count -= min(first, count);
        } while (bits != 0);
    }
    barrier();
}

// Visits all of a kind, from a tile on, in the workgroup's slice that a searcher's meets until a time of the step, from 0 to 1. `searches`:
// whether there is one. `group_box`: round all of the workgroup's. Called by all threads, after load_self().
void search(bool searches, MovingBounds group_box, uint kind, uint first_tile, float until) {
    uint number = 0;
    for (uint first_region = first_tile / (TILE * TILE * TILE) * TILE; first_region < regions_of(kind); first_region += TILE) {
        find_regions(group_box, kind, first_region, until);
        for (uint regions = met_regions; regions != 0; regions &= regions - 1) {
            uint first_block = (first_region + findLSB(regions)) * TILE;
            find_tiles(group_box, kind, first_block, first_tile, until);
            search_blocks(searches, group_box, kind, first_block, until, number);
        }
    }
}

#endif
