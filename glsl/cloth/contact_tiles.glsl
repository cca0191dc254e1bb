// Where cloth lies for the search of what may meet it: triangles, edges and vertices lie in tiles of 32 neighbours, tiles in blocks of 32 tiles, blocks in
// regions of 32 blocks, with balls and boxes round them that move with them through the step; a place may be empty.
#ifndef CLOTH_CONTACT_TILES
#define CLOTH_CONTACT_TILES

#include "cloth/contact_surface.glsl"

// Round a triangle, an edge or a vertex on its straight path through a step.
struct Ball {
    vec3 middle;  // at the beginning
    float within; // metres from the middle within which it meets others, all the way: its radius and its reach
    vec3 motion;  // of the middle in the step
    float halt_length; // ASLEEP: it does not move, and meets what does
    vec3 at_rest; // the middle of what it is round, in the garment's rest shape
    uint sheet;
    vec3 halt;    // how far it comes off its path if something stops what it follows
    float radius; // metres, all the way; negative: it takes no part
};

// A box whose sides move evenly through a step: of what moves as one, its motion makes it no larger. Reach and halt are no part of it, for where
// cloth crosses cloth there is neither.
struct MovingBounds {
    vec3 low;    // at the beginning
    float reach; // metres, the most of what is in it
    vec3 high;
    float halt;
    vec3 end_low;
    vec3 end_high;
};

layout(std430, binding = 5) buffer Balls { Ball balls[]; }; // of triangles, edges and vertices; whole tiles
// Round tiles of triangles, edges and vertices, then round blocks of tiles of triangles and of edges, then round regions of those; which have no
// boxes where neither triangles nor edges have more than one.
layout(std430, binding = 6) buffer Tiles { MovingBounds tiles[]; };

const uint TILE = 32;
const uint TRIANGLES = 0;
const uint EDGES = 1;
const uint VERTICES = 2;

// Metres of the halt of what sleeps. Below 0, so that of a box it is where all in it sleeps.
const float ASLEEP = -1.0;

const MovingBounds NEVER = MovingBounds(vec3(1e30), 0.0, vec3(-1e30), ASLEEP, vec3(1e30), vec3(-1e30));
const Ball NO_BALL = Ball(vec3(0.0), -1.0, vec3(0.0), 0.0, vec3(0.0), 0, vec3(0.0), -1.0);

// Metres by which two come nearer than their paths say if something stops the slower one: what lies on the ground stops what falls on it, and
// that what falls on that.
float halt_between(float halt, float other_halt) {
    return max(min(halt, other_halt), 0.0);
}

bool both_sleep(float halt, float other_halt) {
    return max(halt, other_halt) < 0.0;
}

// Whether anything in them may come within reach, and what a halt adds, until a time of the step, from 0 to 1; at 0, whether they overlap. Along each
// axis at a time of its own: what else that lets through is told apart by balls.
bool come_near(MovingBounds a, MovingBounds b, float until) {
    if (both_sleep(a.halt, b.halt)) return false;
    float within = until > 0.0 ? a.reach + b.reach + halt_between(a.halt, b.halt) : 0.0;
    vec3 below = b.high - a.low, above = a.high - b.low;
    below = max(below, mix(below, b.end_high - a.end_low, until));
    above = max(above, mix(above, a.end_high - b.end_low, until));
    return all(greaterThanEqual(min(below, above) + within, vec3(0.0)));
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
    return MovingBounds(ball.middle - size, ball.within - ball.radius, ball.middle + size, ball.halt_length, end - size, end + size);
}

shared MovingBounds group_boxes[TILE];

// The box round those of all threads of the workgroup, in all of them.
MovingBounds box_of_group(MovingBounds box) {
    uint lane = gl_LocalInvocationID.x;
    barrier();
    group_boxes[lane] = box;
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
    return group_boxes[0];
}

// Writes the box round those of the workgroup's threads as that of a tile, or a block.
void store_box_of_group(MovingBounds box, uint ix) {
    MovingBounds whole = box_of_group(box);
    if (gl_LocalInvocationID.x != 0) return;
    tiles[ix] = whole;
}

Ball listed_ball(uint kind, uint ix) {
    return balls[first_tile_of(kind) * TILE + ix];
}

#endif
