// Finds where cloth has gone through cloth: the triangles that each edge crosses at the beginning of the step.
// Reads: positions of the step's beginning, balls and boxes. Writes: a list per edge, and which particles are at a crossing.
// `slice_count` * HELPERS threads per edge. Runs once per step, after contact_bound_blocks.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_search.glsl"
#include "cloth/crossing.glsl"

layout(scalar, binding = 7) buffer Counters { uint overflow_count; }; // pairs that found no room, since the world was made
layout(scalar, binding = 8) buffer Tangled { uint tangled[]; }; // of a particle at crossings: sheet_bit() of what it is through
layout(scalar, binding = 9) writeonly buffer Crossings { uint crossings[]; };
layout(scalar, binding = 10) readonly buffer Vertices { ClothVertex vertices[]; };

uint crossed[SHARES * MAX_CROSSINGS];
uint crossed_count = 0;

// How many of an edge's lists the workgroup's slice of the search fills.
uint list_count() {
    return SHARES / slice_count;
}

// The first ones are kept.
void keep(uint triangle_ix) {
    if (crossed_count == list_count() * MAX_CROSSINGS) {
        atomicAdd(overflow_count, 1);
    } else {
        crossed[crossed_count++] = triangle_ix;
    }
}

uint side_of(uint lane, uint place, uint triangle_ix, float halt, out float distance) {
    distance = 0.0;
    uint first = 3 * place;
    Crossing crossing = crossing_of(self_at[2 * lane], self_at[2 * lane + 1], tile_at[first], tile_at[first + 1], tile_at[first + 2]);
    return crossing.exists ? 0 : UNKNOWN;
}

void visit(uint place, uint triangle_ix, float distance) {
    keep(triangle_ix);
    uvec3 corners = corners_in_tile(place);
    uint first = 2 * searcher_lane();
    uint of_edge = sheet_bit(vertices[self_corners[first]].sheet), of_triangle = sheet_bit(vertices[corners.x].sheet);
    for (uint i = 0; i < 2; ++i) atomicOr(tangled[self_corners[first + i]], of_triangle);
    for (uint i = 0; i < 3; ++i) atomicOr(tangled[corners[i]], of_edge);
}

void main() {
    uint edge_ix = searcher_ix();
    Ball ball = listed_ball(EDGES, edge_ix);
    if (ball.radius >= 0.0 && helper_ix() == 0) load_self(edge_ix, uvec2(edges[edge_ix].ends[0], edges[edge_ix].ends[1]), ball, 0.0);
    search(ball.radius >= 0.0, tiles[first_tile_of(EDGES) + edge_ix / TILE], TRIANGLES, 0, 0.0);
    if (helper_ix() != 0) return;
    uint first_list = edge_ix * SHARES + slice_ix() * list_count();
    for (uint i = 0; i < list_count(); ++i) {
        uint first = (first_list + i) * CROSSING_WORDS, count = 0;
        for (uint place = i; place < crossed_count; place += list_count()) crossings[first + ++count] = crossed[place];
        crossings[first] = count;
    }
}
