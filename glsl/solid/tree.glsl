// The tree over the mesh's triangles, in cells: the nearest one. src/math/triangle_tree/flat.rs says how nodes lie, and
// src/math/triangle_tree/nearest.rs is the twin of the search. Includers include solid/mesh.glsl first.
#ifndef SOLID_TREE
#define SOLID_TREE

struct FlatNode {
    vec3 low;
    uint next; // the first node that is not under this one; the left child follows it, the right one is the left one's `next`
    vec3 high;
    uint triangles; // of a leaf its first triangle in the tree's order times 8, plus how many it has; 0 of all others
};

layout(scalar, binding = 2) readonly buffer Nodes { FlatNode nodes[]; };
layout(scalar, binding = 3) readonly buffer Numbers { uint numbers[]; }; // of the tree's triangles, in the mesh

// Nodes put off on the way down: one a level, of a tree of 2^33 triangles.
const uint MAX_DEFERRED = 32;

float squared_distance_to_box(vec3 point, uint node_ix) {
    vec3 offset = clamp(point, nodes[node_ix].low, nodes[node_ix].high) - point;
    return dot(offset, offset);
}

float nearest_in_leaf(vec3 point, uint leaf, float best) {
    for (uint i = leaf / 8; i < leaf / 8 + leaf % 8; ++i) best = min(best, distance_to(point, numbers[i]));
    return best;
}

// Cells to the nearest triangle, or `within` if none is nearer.
float nearest_distance(vec3 point, float within) {
    uint deferred[MAX_DEFERRED];
    uint count = 1;
    deferred[0] = 0;
    float best = within;
    while (count > 0) {
        uint node_ix = deferred[--count];
        // Written with room for rounding.
        if (squared_distance_to_box(point, node_ix) > best * best * 1.000001) continue;
        uint leaf = nodes[node_ix].triangles;
        if (leaf != 0) {
            best = nearest_in_leaf(point, leaf, best);
            continue;
        }
        uint near = node_ix + 1, far = nodes[node_ix + 1].next;
        if (squared_distance_to_box(point, far) < squared_distance_to_box(point, near)) {
            near = far;
            far = node_ix + 1;
        }
        deferred[count++] = far;
        deferred[count++] = near;
    }
    return best;
}

// The first triangle of the mesh that is no further away than `limit`.
uint first_within(vec3 point, float limit, uint node_count) {
    uint first = 0xFFFFFFFFu;
    for (uint node_ix = 0; node_ix < node_count;) {
        if (squared_distance_to_box(point, node_ix) > limit * limit * 1.000001) {
            node_ix = nodes[node_ix].next;
            continue;
        }
        uint leaf = nodes[node_ix].triangles;
        for (uint i = leaf / 8; i < leaf / 8 + leaf % 8; ++i) {
            if (numbers[i] < first && distance_to(point, numbers[i]) <= limit) first = numbers[i];
        }
        ++node_ix;
    }
    return first;
}

#endif
