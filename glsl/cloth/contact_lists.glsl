// The lists of what cloth may meet during a step: of each vertex the nearest triangles, of each edge the nearest edges with larger
// indices, and of each edge the triangles that it crosses. A list begins with how many it has; the nearest come first.
#ifndef CLOTH_CONTACT_LISTS
#define CLOTH_CONTACT_LISTS

// The most that a vertex or an edge may meet, or an edge cross. Usually 2 are needed, 10 in a heap; those further away are left out and counted.
const uint MAX_NEAR = 12;
const uint NEAR_WORDS = MAX_NEAR + 1;
// The lists of edges begin at a multiple of so many, where any device takes a part of a buffer: 64 lists are 13 times 256 bytes.
const uint LISTS_ALIGNMENT = 64;

// The first list of an edge, behind those of so many vertices.
uint first_edge_list(uint vertex_count) {
    return (vertex_count + LISTS_ALIGNMENT - 1) / LISTS_ALIGNMENT * LISTS_ALIGNMENT;
}

// Threads that share out one list as it is made.
const uint SHARES = 4;

// The searches: triangles near vertices, edges near edges, and triangles that edges cross.
const uint NEAR_TRIANGLES = 0;
const uint NEAR_EDGES = 1;
const uint CROSSED_TRIANGLES = 2;

// How much a search has found, what found no room included.
struct SearchCounts {
    uint tile_pair_count;
    uint has_no_room; // not 0: there was none for some pairs of tiles or of what is in them
    uint pair_count;
    uint contact_count; // all that lists hold
};

// What a list holds, by itself.
struct ContactPair {
    uint searcher_ix; // the vertex or the edge that lists it
    uint id; // what is listed
};

// Of a listed triangle: the vertex belongs behind it. Of a listed edge: the edges belong on the other side of each other than
// the cross product of their directions, this one's first, points from that one to this.
const uint BEHIND = 0x80000000u;
// Of a listed triangle that an edge crosses: both are of garments of one body, and the edge belongs in front of the triangle or, with BEHIND, behind it.
const uint LAYERED = 0x40000000u;
const uint INDEX = 0x3FFFFFFFu;

// A normal of what is listed, turned to where the cloth belongs that lists it.
vec3 sided(vec3 normal, uint id) {
    return (id & BEHIND) != 0 ? -normal : normal;
}

// Of a sheet, which other sheets may share from the 33rd on: those are taken for tangled where one of them is.
uint sheet_bit(uint sheet) {
    return 1u << (sheet & 31u);
}

// Whether one of a list is kept rather than another: the nearer, of equals the one with the smaller index.
bool comes_before(float distance, uint id, float other_distance, uint other_id) {
    return distance < other_distance || (distance == other_distance && (id & INDEX) < (other_id & INDEX));
}

#endif
