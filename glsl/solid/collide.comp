// Collides particles with rigid solids alone: for techniques that find skin in another way than by fields attached to bones.
// Reads: solids, their fields, transforms at both ends of the path, candidates. Writes: predicted positions, contacts; current
// positions where a particle began inside, so that resolving a penetration gives it no speed.
// Runs after the technique's own collision; after find_candidates.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/collide.glsl"

bool overlaps_field(uint field_ix, vec3 from, vec3 to, float margin) {
    return false;
}

bool test_field(uint field_ix, vec3 from, vec3 to, Iteration iteration, inout Hit best) {
    return false;
}
