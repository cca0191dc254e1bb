// Writes triangles into the samples round them, brute force (Fuhrmann, Sobottka and Gross, "Distance fields for rapid collision detection
// in physically based modeling", 2003, Algorithm 1): each into all samples of the integer box of its envelope. A sample keeps
// the smallest distance, an integer minimum of its bits; in a second pass the first of the triangles that are so near.
// Reads: the mesh, words of bricks. Writes: distances by atomic minima, or, in the second pass, owners by atomic minima.
// A workgroup a triangle, its threads divide the box. Runs twice after the scratch is cleared, before finish.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require

#include "solid/fill.glsl"
#include "solid/mesh.glsl"

layout(local_size_x = 64) in;
layout(constant_id = 0) const uint FINDS_OWNERS = 0; // 1: the second pass
layout(scalar, binding = 2) readonly buffer Words { uint words[]; };
layout(scalar, binding = 3) buffer Distances { uint distances[]; }; // bits of cells
layout(scalar, binding = 4) buffer Owners { uint owners[]; };

const uint ENVELOPE_BALL = 0;  // all within the band: the triangle's box, wider by the band
const uint ENVELOPE_PRISM = 1; // the paper's: the triangle moved along its normal, by the band both ways

// The integer box of a triangle's envelope.
void box_of(uint triangle_ix, out ivec3 low, out ivec3 high) {
    vec3 corners[3];
    corners_from(vec3(0.0), triangle_ix, corners);
    vec3 reach = vec3(BAND_CELLS);
    if (envelope == ENVELOPE_PRISM) {
        vec3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
        reach *= abs(normal) / max(length(normal), 1e-30);
    }
    low = ivec3(ceil(min(corners[0], min(corners[1], corners[2])) - reach));
    high = ivec3(floor(max(corners[0], max(corners[1], corners[2])) + reach));
}

void visit(uint triangle_ix, ivec3 at, uint slot) {
    float distance = distance_to(vec3(at), triangle_ix);
    if (!(distance < BAND_CELLS)) return;
    if (FINDS_OWNERS == 0) {
        atomicMin(distances[slot], floatBitsToUint(distance));
    } else if (distance <= uintBitsToFloat(distances[slot]) + TIE_CELLS) {
        atomicMin(owners[slot], triangle_ix);
    }
}

// The samples of one brick that lie in the box.
void visit_brick(uint triangle_ix, uvec3 brick, ivec3 low, ivec3 high) {
    uint number = words[first_brick + linear_ix(brick, grid_bricks())];
    if (number == NO_BRICK || number < first_number || number - first_number >= number_count) return;
    ivec3 origin = ivec3(brick * BRICK_CELLS);
    ivec3 begin = max(low - origin, ivec3(0)), end = min(high - origin, ivec3(BRICK_CELLS));
    uvec3 size = uvec3(max(end - begin + 1, ivec3(0)));
    for (uint i = gl_LocalInvocationID.x; i < size.x * size.y * size.z; i += 64) {
        uvec3 within = uvec3(begin) + cell_in_box(i, size.xy);
        uint slot = (number - first_number) * BRICK_SAMPLES + linear_ix(within, uvec3(BRICK_SIDE));
        visit(triangle_ix, origin + ivec3(within), slot);
    }
}

void main() {
    for (uint task = gl_WorkGroupID.x; task < count; task += gl_NumWorkGroups.x) {
        ivec3 low, high;
        box_of(first + task, low, high);
        // A brick's last samples are the next one's first.
        uvec3 first_place = uvec3(max(low - 1, ivec3(0))) / BRICK_CELLS;
        uvec3 last_place = min(uvec3(max(high, ivec3(0))) / BRICK_CELLS, grid_bricks() - 1);
        for (uint z = first_place.z; z <= last_place.z; ++z) {
            for (uint y = first_place.y; y <= last_place.y; ++y) {
                for (uint x = first_place.x; x <= last_place.x; ++x) visit_brick(first + task, uvec3(x, y, z), low, high);
            }
        }
    }
}
