// Where cloth lies for the search of what may meet it: triangles, edges and vertices lie in tiles of 32 neighbours, tiles in blocks of 32 tiles, blocks in
// regions of 32 blocks, with balls and boxes round them that move with them through the step; a place may be empty.
#ifndef CLOTH_CONTACT_TILES
#define CLOTH_CONTACT_TILES

#include "cloth/contact_surface.glsl"

// Round a triangle, an edge or a vertex on its straight path through a step.
struct Ball {
    vec3 middle;  // at the beginning
    float radius; // metres, all the way; negative: it takes no part
    vec3 motion;  // of the middle in the step
    float reach;  // metres beyond the radius within which it meets others
    vec3 at_rest; // the middle of what it is round, in the garment's rest shape
    vec3 halt;    // how far it comes off its path if something stops what it follows
    uint sheet;
};

// A box whose sides move evenly through a step: of what moves as one, its motion makes it no larger. Reach and halt are no part of it, for where
// cloth crosses cloth there is neither.
struct MovingBounds {
    vec3 low; // at the beginning
    vec3 high;
    vec3 end_low;
    vec3 end_high;
    float reach; // metres, the most of what is in it
    float halt;
};

layout(scalar, binding = 5) buffer Balls { Ball balls[]; };   // of triangles, edges and vertices; whole tiles
// Round tiles of triangles, edges and vertices, then round blocks of tiles of triangles and of edges, then round regions of those; which have no
// boxes where neither triangles nor edges have more than one.
layout(scalar, binding = 6) buffer Tiles { MovingBounds tiles[]; };

const uint TILE = 32;
const uint TRIANGLES = 0;
const uint EDGES = 1;
const uint VERTICES = 2;

const MovingBounds NEVER = MovingBounds(vec3(1e30), vec3(-1e30), vec3(1e30), vec3(-1e30), 0.0, 0.0);
const Ball NO_BALL = Ball(vec3(0.0), -1.0, vec3(0.0), 0.0, vec3(0.0), vec3(0.0), 0);

// Narrows a part of the step, from `during.x` to `during.y`, to the times when no distance, which changes evenly from one to the other, is negative.
void keep_positive(vec3 first, vec3 last, inout vec2 during) {
    for (uint axis = 0; axis < 3; ++axis) {
        if (first[axis] < 0.0 && last[axis] < 0.0) during = vec2(1.0, 0.0);
        if ((first[axis] < 0.0) == (last[axis] < 0.0)) continue;
        float time = first[axis] / (first[axis] - last[axis]);
        if (first[axis] < 0.0) during.x = max(during.x, time);
        else during.y = min(during.y, time);
    }
}

// Metres by which two come nearer than their paths say if something stops the slower one: what lies on the ground stops what falls on it, and
// that what falls on that.
float halt_between(float halt, float other_halt) {
    return min(halt, other_halt);
}

// Whether anything in them comes within reach, and what a halt adds, at any time of the step until this one, from 0 to 1; at 0, whether they overlap.
bool come_near(MovingBounds a, MovingBounds b, float until) {
    vec2 during = vec2(0.0, until);
    float within = until > 0.0 ? a.reach + b.reach + halt_between(a.halt, b.halt) : 0.0;
    keep_positive(b.high - a.low + within, b.end_high - a.end_low + within, during);
    keep_positive(a.high - b.low + within, a.end_high - b.end_low + within, during);
    return during.x <= during.y;
}

uint tile_count_of(uint kind) {
    return (kind == TRIANGLES ? triangle_count : kind == EDGES ? edge_count : order_count) / TILE;
}

uint blocks_of(uint kind) {
    return (tile_count_of(kind) + TILE - 1) / TILE;
}

// Where the tiles of a kind begin, and their blocks.
uint first_tile_of(uint kind) {
    if (kind == TRIANGLES) return 0;
    return tile_count_of(TRIANGLES) + (kind == EDGES ? 0 : tile_count_of(EDGES));
}

uint first_block_of(uint kind) {
    return first_tile_of(VERTICES) + tile_count_of(VERTICES) + (kind == TRIANGLES ? 0 : blocks_of(TRIANGLES));
}

uint regions_of(uint kind) {
    return (blocks_of(kind) + TILE - 1) / TILE;
}

uint first_region_of(uint kind) {
    return first_block_of(EDGES) + blocks_of(EDGES) + (kind == TRIANGLES ? 0 : regions_of(TRIANGLES));
}

// The particles of a triangle or an edge, whose last one is named twice.
uvec3 corners_of(uint kind, uint ix) {
    if (kind == TRIANGLES) return triangles[ix];
    return uvec3(edges[ix].ends[0], edges[ix].ends[1], edges[ix].ends[1]);
}

MovingBounds box_of(Ball ball) {
    if (ball.radius < 0.0) return NEVER;
    vec3 size = vec3(ball.radius), end = ball.middle + ball.motion;
    return MovingBounds(ball.middle - size, ball.middle + size, end - size, end + size, ball.reach, length(ball.halt));
}

MovingBounds box_of_tile(uint ix) {
    return MovingBounds(tiles[ix].low, tiles[ix].high, tiles[ix].end_low, tiles[ix].end_high, tiles[ix].reach, tiles[ix].halt);
}

shared MovingBounds group_boxes[TILE];

// The box round those of all threads of the workgroup, in all of them.
MovingBounds box_of_group(MovingBounds box) {
    uint lane = gl_LocalInvocationID.x;
    barrier();
    group_boxes[lane].low = box.low;
    group_boxes[lane].high = box.high;
    group_boxes[lane].end_low = box.end_low;
    group_boxes[lane].end_high = box.end_high;
    group_boxes[lane].reach = box.reach;
    group_boxes[lane].halt = box.halt;
    for (uint stride = TILE / 2; stride > 0; stride /= 2) {
        barrier();
        if (lane < stride) {
            group_boxes[lane].low = min(group_boxes[lane].low, group_boxes[lane + stride].low);
            group_boxes[lane].high = max(group_boxes[lane].high, group_boxes[lane + stride].high);
            group_boxes[lane].end_low = min(group_boxes[lane].end_low, group_boxes[lane + stride].end_low);
            group_boxes[lane].end_high = max(group_boxes[lane].end_high, group_boxes[lane + stride].end_high);
            group_boxes[lane].reach = max(group_boxes[lane].reach, group_boxes[lane + stride].reach);
            group_boxes[lane].halt = max(group_boxes[lane].halt, group_boxes[lane + stride].halt);
        }
    }
    barrier();
    return MovingBounds(group_boxes[0].low, group_boxes[0].high, group_boxes[0].end_low, group_boxes[0].end_high, group_boxes[0].reach, group_boxes[0].halt);
}

// Writes the box round those of the workgroup's threads as that of a tile, or a block.
void store_box_of_group(MovingBounds box, uint ix) {
    MovingBounds whole = box_of_group(box);
    if (gl_LocalInvocationID.x != 0) return;
    tiles[ix].low = whole.low;
    tiles[ix].high = whole.high;
    tiles[ix].end_low = whole.end_low;
    tiles[ix].end_high = whole.end_high;
    tiles[ix].reach = whole.reach;
    tiles[ix].halt = whole.halt;
}

Ball listed_ball(uint kind, uint ix) {
    uint place = first_tile_of(kind) * TILE + ix;
    return Ball(balls[place].middle, balls[place].radius, balls[place].motion, balls[place].reach, balls[place].at_rest, balls[place].halt,
                balls[place].sheet);
}

#endif
