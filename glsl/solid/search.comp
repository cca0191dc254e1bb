// Looks up the nearest triangle of every sample of a field in the tree: the same distances and owners as the splat's.
// Reads: the mesh and its tree, places of bricks. Writes: distances, owners.
// A thread a sample. Runs before finish.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require

#include "solid/fill.glsl"
#include "solid/mesh.glsl"
#include "solid/tree.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 4) readonly buffer Places { uint places[]; }; // three a brick with samples
layout(scalar, binding = 5) writeonly buffer Distances { uint distances[]; };
layout(scalar, binding = 6) writeonly buffer Owners { uint owners[]; };

void main() {
    uint number = first + gl_GlobalInvocationID.x / BRICK_SAMPLES, sample_ix = gl_GlobalInvocationID.x % BRICK_SAMPLES;
    if (number - first >= count) return;
    uvec3 brick = uvec3(places[3 * number], places[3 * number + 1], places[3 * number + 2]);
    vec3 point = vec3(brick * BRICK_CELLS + cell_in_box(sample_ix, uvec2(BRICK_SIDE)));
    float distance = nearest_distance(point, BAND_CELLS);
    bool is_near = distance < BAND_CELLS;
    uint slot = (number - first_number) * BRICK_SAMPLES + sample_ix;
    distances[slot] = is_near ? floatBitsToUint(distance) : NOTHING;
    owners[slot] = is_near ? first_within(point, distance + TIE_CELLS, node_count) : NOTHING;
}
