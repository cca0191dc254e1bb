// Fills the coarse level: the signed distance at every corner of a brick, by the nearest triangle in the tree.
// Reads: the mesh, its tree and normals, sides. Writes: words of corners.
// One thread a corner. Runs once a field, in any order with the passes that fill samples, before finish.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require

#define SOLID_NORMALS 4
#define SOLID_SIDES 5
#include "solid/fill.glsl"
#include "solid/mesh.glsl"
#include "solid/tree.glsl"
#include "solid/sign.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 6) writeonly buffer Words { uint words[]; };

// Cells: further than any mesh.
const float FARTHEST = 1e9;

void main() {
    uint corner_ix = first + gl_GlobalInvocationID.x;
    if (gl_GlobalInvocationID.x >= count) return;
    vec3 point = vec3(cell_in_box(corner_ix, grid_bricks().xy + 1) * BRICK_CELLS);
    float distance = nearest_distance(point, FARTHEST);
    bool is_inside;
    if (rule == RULE_BITS) is_inside = side_bit(brick_count * BRICK_SAMPLES + corner_ix);
    else is_inside = is_behind(point, first_within(point, distance + TIE_CELLS, node_count));
    words[first_corner + corner_ix] = floatBitsToUint((is_inside ? -distance : distance) * cell_size);
}
