// The three searches for cloth that cloth meets.
#ifndef CLOTH_CONTACT_SEARCHES
#define CLOTH_CONTACT_SEARCHES

#include "cloth/contact_tiles.glsl"
#include "cloth/contact_lists.glsl"

layout(scalar, binding = 7) readonly buffer Order { uint order[]; }; // all particles, those that are near each other together

// Which one. A constant, so that none carries the registers of the others.
layout(constant_id = 0) const uint SEARCH = 0;

// What searches, and for what.
uint searcher_kind() {
    return SEARCH == NEAR_TRIANGLES ? VERTICES : EDGES;
}

uint other_kind() {
    return SEARCH == NEAR_EDGES ? EDGES : TRIANGLES;
}

// Until which time of the step, from 0 to 1, it looks ahead. At its beginning nothing has a reach.
float until() {
    return SEARCH == CROSSED_TRIANGLES ? 0.0 : 1.0;
}

// A thread's place in its row of 32, and which row that is.
uint lane() {
    return gl_LocalInvocationID.x % TILE;
}

uint row() {
    return gl_LocalInvocationID.x / TILE;
}

// The particles of a vertex or an edge that searches.
uvec2 particles_of(uint searcher_ix) {
    return SEARCH == NEAR_TRIANGLES ? uvec2(order[searcher_ix]) : corners_of(EDGES, searcher_ix).xy;
}

// Its place among the lists of its kind: those of vertices lie by particles. NOTHING: its place is empty.
uint list_of(uint searcher_ix) {
    return SEARCH == NEAR_TRIANGLES ? order[searcher_ix] : searcher_ix;
}

// The first tile in which a searcher's tile looks: of two edges the one with the smaller index lists the other.
uint first_tile_for(uint searcher_tile) {
    return SEARCH == NEAR_EDGES ? searcher_tile : 0;
}

// What is compared of a triangle, an edge or a vertex on its path through the step.
struct Compared {
    vec4 sphere; // the middle at the beginning; metres within which it meets others
    vec4 path;   // the middle's motion; metres of the halt
    vec4 rest;   // the middle in the rest shape; bits of the sheet's number
};

Compared compared_of(Ball ball) {
    float within = until() > 0.0 ? ball.within : ball.radius;
    return Compared(vec4(ball.middle, within), vec4(ball.motion, ball.halt_length), vec4(ball.at_rest, uintBitsToFloat(ball.sheet)));
}

// Metres by which one comes nearer than its path says if something stops the other.
float halt_of(Compared a, Compared b) {
    return until() > 0.0 ? halt_between(a.path.w, b.path.w) : 0.0;
}

// Whether balls on straight paths come within reach, and `halt` more.
bool come_near(Compared a, Compared b, float halt) {
    if (both_sleep(a.path.w, b.path.w)) return false;
    vec3 apart = a.sphere.xyz - b.sphere.xyz, motion = a.path.xyz - b.path.xyz;
    float size = dot(motion, motion), within = a.sphere.w + b.sphere.w + halt;
    // Where they are nearest to each other.
    apart += motion * clamp(-dot(apart, motion) / max(size, 1e-20), 0.0, until());
    return dot(apart, apart) <= within * within;
}

// Whether two of one sheet would meet in the rest shape too: what stops one stops the other by the cloth between them.
bool are_neighbours(Compared a, Compared b, float halt) {
    float within = a.sphere.w + b.sphere.w + 2.0 * halt;
    return floatBitsToUint(a.rest.w) == floatBitsToUint(b.rest.w) && distance(a.rest.xyz, b.rest.xyz) < within;
}

bool have_common_corner(uvec2 one, uvec3 other) {
    return any(equal(other, one.xxx)) || any(equal(other, one.yyy));
}

// Of two that come near where one is halted: whether they may meet. What has a common corner is in contact as it is, and nothing halts one of two
// neighbours. `halts`: something may stop one and not the other.
bool may_meet(Compared searcher, uvec2 particles, Compared other, uvec3 corners, out bool halts) {
    float halt = halt_of(searcher, other);
    halts = halt > 0.0 && !are_neighbours(searcher, other, halt);
    if (have_common_corner(particles, corners)) return false;
    return halt == 0.0 || halts || come_near(searcher, other, 0.0);
}

#endif
