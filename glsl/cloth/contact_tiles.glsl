// How cloth finds cloth: triangles and edges lie in tiles of 32 neighbours, tiles in blocks of 32 tiles; a place may be empty. A workgroup that searches for
// 32 neighbours at once passes by blocks and tiles whose boxes its own does not overlap. Of the rest it compares balls, from shared
// memory, and shares out the pairs whose balls are near, so that no thread waits for one with more of them. The order is
// always the same. Includers declare `is_near`, which compares balls; `side_of`, which any thread asks about a pair whose balls are near;
// and `visit`, which the thread that searches calls for what has a side; and then call `search` from all threads.
#ifndef CLOTH_CONTACT_TILES
#define CLOTH_CONTACT_TILES

#include "cloth/contact_surface.glsl"
#include "cloth/contact_lists.glsl"

// Round a triangle, an edge or a vertex on its straight path through a step.
struct Ball {
    vec3 middle;  // at the beginning
    float radius; // metres, all the way; negative: it takes no part
    vec3 motion;  // of the middle in the step
    float reach;  // metres beyond the radius within which it meets others, with how far it comes off its path if something stops it
};

layout(scalar, binding = 6) buffer Balls { Ball balls[]; };   // of triangles, then of edges; whole tiles
layout(scalar, binding = 7) buffer Tiles { Bounds tiles[]; }; // round tiles of triangles, then of edges, then round blocks of each

const uint TILE = 32;
const uint TRIANGLES = 0;
const uint EDGES = 1;

const Bounds NOWHERE = Bounds(vec3(1e30), vec3(-1e30));
const Ball NO_BALL = Ball(vec3(0.0), -1.0, vec3(0.0), 0.0);

bool overlaps(Bounds a, Bounds b) {
    return all(lessThanEqual(a.low, b.high)) && all(lessThanEqual(b.low, a.high));
}

uint tile_count_of(uint kind) {
    return (kind == TRIANGLES ? triangle_count : edge_count) / TILE;
}

uint blocks_of(uint kind) {
    return (tile_count_of(kind) + TILE - 1) / TILE;
}

// Where the tiles of a kind begin, and their blocks.
uint first_tile_of(uint kind) {
    return kind == TRIANGLES ? 0 : tile_count_of(TRIANGLES);
}

uint first_block_of(uint kind) {
    return tile_count_of(TRIANGLES) + tile_count_of(EDGES) + (kind == TRIANGLES ? 0 : blocks_of(TRIANGLES));
}

// The particles of a triangle or an edge, whose last one is named twice.
uvec3 corners_of(uint kind, uint ix) {
    if (kind == TRIANGLES) return triangles[ix];
    return uvec3(edges[ix].ends[0], edges[ix].ends[1], edges[ix].ends[1]);
}

Bounds box_of(Ball ball) {
    if (ball.radius < 0.0) return NOWHERE;
    float size = ball.radius + ball.reach;
    return Bounds(min(ball.middle, ball.middle + ball.motion) - size, max(ball.middle, ball.middle + ball.motion) + size);
}

shared Bounds group_boxes[TILE];
shared uint is_met[TILE];
// Of the tile that is compared with: its balls, and each one's particles, where they are and how they move in the step.
shared Ball tile_balls[TILE];
shared uint tile_corners[3 * TILE];
shared vec3 tile_at[3 * TILE];
shared vec3 tile_motions[3 * TILE];

// The box round those of all threads of the workgroup, in all of them.
Bounds box_of_group(Bounds box) {
    uint lane = gl_LocalInvocationID.x;
    barrier();
    group_boxes[lane].low = box.low;
    group_boxes[lane].high = box.high;
    for (uint stride = TILE / 2; stride > 0; stride /= 2) {
        barrier();
        if (lane < stride) {
            group_boxes[lane].low = min(group_boxes[lane].low, group_boxes[lane + stride].low);
            group_boxes[lane].high = max(group_boxes[lane].high, group_boxes[lane + stride].high);
        }
    }
    barrier();
    return Bounds(group_boxes[0].low, group_boxes[0].high);
}

// Of what the workgroup searches for: each one's particles, where they are and how they move in the step.
shared uint self_ixs[TILE];
shared uint self_corners[2 * TILE];
shared vec3 self_at[2 * TILE];
shared vec3 self_motions[2 * TILE];
shared float self_reaches[TILE];

// Pairs whose balls are near: thread times TILE, plus place in the tile. How many each thread has, which of them meet, and which of
// those do on the other side.
shared uint pairs[TILE * TILE];
shared uint pair_counts[TILE];
shared uint met[TILE];
shared uint met_behind[TILE];

// They do not meet, or nobody knows on which side.
const uint UNKNOWN = NOTHING;

bool is_near(Ball self, Ball other);

// `lane`: of the thread that searches; `place`: in the tile. 0, BEHIND or UNKNOWN.
uint side_of(uint lane, uint place, uint other_ix);

void visit(uint place, uint id);

void load_self(uint ix, uvec2 ends, float reach) {
    self_reaches[gl_LocalInvocationID.x] = reach;
    self_ixs[gl_LocalInvocationID.x] = ix;
    for (uint i = 0; i < 2; ++i) {
        uint place = 2 * gl_LocalInvocationID.x + i;
        self_corners[place] = ends[i];
        self_at[place] = at_start(ends[i]);
        self_motions[place] = motion_of(ends[i]);
    }
}

void load_tile(uint kind, uint tile) {
    uint lane = gl_LocalInvocationID.x, place = (first_tile_of(kind) + tile) * TILE + lane;
    tile_balls[lane].middle = balls[place].middle;
    tile_balls[lane].radius = balls[place].radius;
    tile_balls[lane].motion = balls[place].motion;
    tile_balls[lane].reach = balls[place].reach;
    uvec3 corners = corners_of(kind, tile * TILE + lane);
    if (corners.x == NOTHING) return;
    for (uint i = 0; i < 3; ++i) {
        tile_corners[3 * lane + i] = corners[i];
        tile_at[3 * lane + i] = at_start(corners[i]);
        tile_motions[3 * lane + i] = motion_of(corners[i]);
    }
}

// A bit for each place of the tile whose ball is near the thread's.
uint near_in_tile(Ball self) {
    uint near = 0;
    for (uint i = 0; i < TILE; ++i) {
        Ball other = Ball(tile_balls[i].middle, tile_balls[i].radius, tile_balls[i].motion, tile_balls[i].reach);
        if (self.radius >= 0.0 && other.radius >= 0.0 && is_near(self, other)) near |= 1u << i;
    }
    return near;
}

// Lists the pairs of all threads, and returns how many there are.
uint list_pairs(uint near) {
    uint lane = gl_LocalInvocationID.x, before = 0, total = 0;
    pair_counts[lane] = bitCount(near);
    met[lane] = 0;
    met_behind[lane] = 0;
    barrier();
    for (uint i = 0; i < TILE; ++i) {
        if (i < lane) before += pair_counts[i];
        total += pair_counts[i];
    }
    for (uint i = 0; i < TILE; ++i) {
        if ((near >> i & 1) != 0) pairs[before++] = lane * TILE + i;
    }
    barrier();
    return total;
}

void list_meeting(uint pair, uint tile) {
    uint lane = pair / TILE, place = pair % TILE, side = side_of(lane, place, tile * TILE + place);
    if (side == UNKNOWN) return;
    atomicOr(met[lane], 1u << place);
    if (side == BEHIND) atomicOr(met_behind[lane], 1u << place);
}

void search_tile(Ball self, uint kind, uint tile) {
    uint lane = gl_LocalInvocationID.x;
    load_tile(kind, tile);
    barrier();
    uint total = list_pairs(near_in_tile(self));
    // All threads go round as often: some drivers lose the last turn of those that leave a loop later than others.
    for (uint first = 0; first < total; first += TILE) {
        if (first + lane < total) list_meeting(pairs[first + lane], tile);
    }
    barrier();
    for (uint i = 0; i < TILE; ++i) {
        if ((met[lane] >> i & 1) != 0) visit(i, tile * TILE + i | ((met_behind[lane] >> i & 1) != 0 ? BEHIND : 0));
    }
    barrier();
}

// Which slice of the search the workgroup does, and its thread's number among those of one slice.
uint slice_ix() {
    return gl_WorkGroupID.x % SLICES;
}

uint searcher_ix() {
    return gl_WorkGroupID.x / SLICES * TILE + gl_LocalInvocationID.x;
}

// Visits all of a kind, from a tile on, in the workgroup's slice that the thread's meets; a thread that searches for nothing passes
// NO_BALL. After load_self().
void search(Ball self, uint kind, uint first_tile) {
    Bounds group_box = box_of_group(box_of(self));
    uint lane = gl_LocalInvocationID.x, tile_count = tile_count_of(kind);
    for (uint block = first_tile / TILE; block < blocks_of(kind); ++block) {
        if (!overlaps(group_box, tiles[first_block_of(kind) + block])) continue;
        uint tile = block * TILE + lane;
        is_met[lane] = tile >= first_tile && tile < tile_count && overlaps(group_box, tiles[first_tile_of(kind) + tile]) ? 1 : 0;
        barrier();
        for (uint i = slice_ix(); i < TILE; i += SLICES) {
            if (is_met[i] != 0) search_tile(self, kind, block * TILE + i);
        }
        barrier();
    }
}

Ball ball_of_listed(uint kind, uint ix) {
    uint place = first_tile_of(kind) * TILE + ix;
    return Ball(balls[place].middle, balls[place].radius, balls[place].motion, balls[place].reach);
}

#endif
