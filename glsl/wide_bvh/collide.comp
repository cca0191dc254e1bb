// Finds each particle's nearest triangle in a tree of boxes with up to eight children per node, and resolves its contact.
// Reads: boxes of the tree, triangles, skin, the triangles that were nearest in the collision before. Writes: predicted and current
// positions, contacts, the nearest triangles.
// Eight threads per particle test a node's children, or a leaf's triangles, at once. The nodes that a particle has yet to visit are on a
// stack of its own, of each node's children the nearest on top. The particles of a workgroup go round together until the last has none left,
// so that all threads meet at the barriers; groups take further particles in turn. Runs after the refit and the constraints.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 32) in; // LANES * PARTICLES: no more than threads that go in step on most devices, so that barriers cost little
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint friction_model;
    uint first_collision; // 0 or 1: of the step
    uint is_reduced;      // 0 or 1: the particles are kept out of the skin alone
    uint since;           // sub-steps since the last collision
    float part_before;
    float part_after;
    float search_radius;
};

#define PATH_STARTS 12
#include "shared/skin.glsl"
layout(std430, binding = 10) readonly buffer Nodes { uvec4 node_halves[]; }; // BoxNode, two a node: a load each
layout(scalar, binding = 11) buffer NearestTriangles { uint nearest_triangles[]; };

#include "shared/first_bound.glsl"

const uint LANES = 8;
const uint PARTICLES = 4;

// The tree's levels, at most MAX_LEVELS of src/collide/box_tree/eight_way.rs. Below the root's, each puts eight nodes in place of one. No larger than need be: how
// many workgroups run at once is decided by how much shared memory each has.
layout(constant_id = 0) const uint LEVELS = 16;
const uint STACK = 1 + 7 * (LEVELS - 1);

// In the lowest bits of a distance: how many children or triangles there are. Such a distance is too short by 2 millionths of itself.
const uint COUNT_MASK = 15;

// What a thread found that has nothing to offer.
const uint NOTHING = 0xFFFFFFFF;

// Nodes to visit: the first child, or the first triangle and LEAF; the bits of squared metres to the box, and how many.
shared uvec2 stacks[PARTICLES * STACK];
shared uint depths[PARTICLES];
// What each thread found: bits of squared metres. Such bits order like integers, for no distance is negative.
shared uint keys[PARTICLES * LANES];

// A particle's search, the same in its eight threads.
struct Search {
    vec3 p;
    uint depth; // nodes on the stack
    float best_squared;
    uint best_ix;
};

uint lane() {
    return gl_LocalInvocationID.x % LANES;
}

// Of the workgroup's particles.
uint place() {
    return gl_LocalInvocationID.x / LANES;
}

// Bits of the squared distance of a box from a point, and what goes on a stack for it.
uint box_key(uint node_ix, vec3 p, out uvec2 node) {
    uvec4 low = node_halves[2 * node_ix], high = node_halves[2 * node_ix + 1];
    vec3 offset = max(max(uintBitsToFloat(low.xyz) - p, p - uintBitsToFloat(high.xyz)), vec3(0.0));
    uint key = floatBitsToUint(dot(offset, offset));
    node = uvec2(low.w | (high.w & LEAF), (key & ~COUNT_MASK) | (high.w & COUNT_MASK));
    return key;
}

// Bits of the squared distance of a triangle, if it is nearer than the nearest so far.
uint triangle_key(uint triangle_ix, Search search) {
    consider(triangle_ix, search.p, search.best_squared, search.best_ix);
    return search.best_ix == triangle_ix ? floatBitsToUint(search.best_squared) : NOTHING;
}

// Takes the nearest of a leaf's triangles, of equally near ones the first.
void take_nearest(uint first, inout Search search) {
    uint nearest_key = NOTHING;
    for (uint i = 0; i < LANES; ++i) {
        uint key = keys[place() * LANES + i];
        if (key >= nearest_key) continue;
        nearest_key = key;
        search.best_squared = uintBitsToFloat(key);
        search.best_ix = first + i;
    }
}

// Puts a node's children that may hold the nearest triangle on the stack, the nearest last; whether there are any.
bool push(uint own_key, uvec2 own_child, inout Search search) {
    uint nearer_count = 0, count = 0;
    for (uint i = 0; i < LANES; ++i) {
        uint key = keys[place() * LANES + i];
        if (key < own_key || (key == own_key && i < lane())) ++nearer_count;
        if (key != NOTHING) ++count;
    }
    if (own_key != NOTHING) stacks[place() * STACK + search.depth + count - 1 - nearer_count] = own_child;
    search.depth += count;
    return count > 0;
}

// Takes nodes off the stack until one may hold the nearest triangle.
void drop_far(inout Search search) {
    while (search.depth > 0) {
        uint bits = stacks[place() * STACK + search.depth - 1].y & ~COUNT_MASK;
        if (uintBitsToFloat(bits) <= search.best_squared) break;
        --search.depth;
    }
}

// Visits the node on top of the particle's stack, if there is one.
void visit(inout Search search) {
    bool has_node = search.depth > 0;
    uvec2 node = has_node ? stacks[place() * STACK + --search.depth] : uvec2(0);
    uint first = node.x & ~LEAF;
    bool is_leaf = (node.x & LEAF) != 0;
    uint key = NOTHING;
    uvec2 child = uvec2(0);
    if (lane() < (node.y & COUNT_MASK)) {
        if (is_leaf) {
            key = triangle_key(first + lane(), search);
        } else {
            uint squared = box_key(first + lane(), search.p, child);
            if (squared <= floatBitsToUint(search.best_squared)) key = squared;
        }
    }
    keys[gl_LocalInvocationID.x] = key;
    barrier();
    if (is_leaf) take_nearest(first, search);
    // What was just put there is near enough, and is not to be read before the next barrier.
    if (is_leaf || !has_node || !push(key, child, search)) drop_far(search);
}

// Lets the workgroup know whether the particle has nodes left; whether any has.
bool go_on(Search search) {
    if (lane() == 0) depths[place()] = search.depth;
    barrier();
    uint most = 0;
    for (uint i = 0; i < PARTICLES; ++i) most = max(most, depths[i]);
    return most > 0;
}

// Begins with the root, if the particle's search ball meets it.
Search begin(uint particle_ix) {
    Search search = Search(vec3(0.0), 0, 0.0, NO_TRIANGLE);
    if (particle_ix >= particle_count) return search;
    search.p = predicted[particle_ix].xyz;
    search.best_squared = bound_by(nearest_triangles[particle_ix], search.p, search_radius);
    uvec2 root;
    if (box_key(0, search.p, root) <= floatBitsToUint(search.best_squared)) search.depth = 1;
    if (lane() == 0) stacks[place() * STACK] = root;
    return search;
}

void main() {
    // As many turns for all threads of the workgroup.
    for (uint first_ix = gl_WorkGroupID.x * PARTICLES; first_ix < particle_count; first_ix += gl_NumWorkGroups.x * PARTICLES) {
        uint particle_ix = first_ix + place();
        Search search = begin(particle_ix);
        while (go_on(search)) visit(search);
        if (lane() == 0 && particle_ix < particle_count) {
            nearest_triangles[particle_ix] = search.best_ix;
            collide_with(particle_ix, search.best_ix, friction_model, first_collision != 0, is_reduced != 0, since);
        }
        barrier();
    }
}
