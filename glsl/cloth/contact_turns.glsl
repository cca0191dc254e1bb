// The contact pairs of a step, and which of them a thread takes in turn: threads take pairs, not lists, so that none waits for one with a longer list.
// Included once the size of workgroups is declared; dispatched in rows.
#ifndef CLOTH_CONTACT_TURNS
#define CLOTH_CONTACT_TURNS

#include "cloth/contact_surface.glsl"
#include "cloth/contact_lists.glsl"

layout(scalar, binding = 5) readonly buffer NearTriangles { ContactPair near_triangles[]; };
layout(scalar, binding = 6) readonly buffer NearEdges { ContactPair near_edges[]; };
layout(scalar, binding = 7) readonly buffer CrossedTriangles { ContactPair crossed_triangles[]; };
layout(scalar, binding = 8) readonly buffer NearTriangleCounts { SearchCounts near_triangle_counts; };
layout(scalar, binding = 9) readonly buffer NearEdgeCounts { SearchCounts near_edge_counts; };
layout(scalar, binding = 10) readonly buffer CrossedTriangleCounts { SearchCounts crossed_triangle_counts; };

// Of which search a thread takes pairs: the first, how many there are altogether, and how far it is from one of the thread's to the next.
struct Turns {
    uint search;
    uint ix;
    uint count;
    uint stride;
};

// Threads that take pairs of a search.
uint threads_of(uint search) {
    return pair_threads * (search == NEAR_TRIANGLES ? order_count : edge_count);
}

uint pair_count_of(uint search) {
    if (search == NEAR_TRIANGLES) return near_triangle_counts.contact_count;
    return search == NEAR_EDGES ? near_edge_counts.contact_count : crossed_triangle_counts.contact_count;
}

Turns turns_of_thread() {
    uint ix = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    for (uint search = NEAR_TRIANGLES; search <= CROSSED_TRIANGLES; ++search) {
        if (ix < threads_of(search)) return Turns(search, ix, pair_count_of(search), threads_of(search));
        ix -= threads_of(search);
    }
    return Turns(CROSSED_TRIANGLES, 0, 0, 1);
}

// The pair of this turn. There is room for more of them than there are threads, so that the first is loaded with their count, not after it.
ContactPair pair_of(Turns turns) {
    if (turns.search == NEAR_TRIANGLES) return near_triangles[turns.ix];
    if (turns.search == NEAR_EDGES) return near_edges[turns.ix];
    return crossed_triangles[turns.ix];
}

// Goes on to the thread's next pair, and returns whether there is one.
bool take_next(inout Turns turns, inout ContactPair pair) {
    turns.ix += turns.stride;
    if (turns.ix >= turns.count) return false;
    pair = pair_of(turns);
    return true;
}

#endif
