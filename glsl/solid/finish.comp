// Gives the samples of a field their sides and writes them as 16-bit codes. Those beyond the band take the side of their neighbours,
// round by round: between a sample beyond the band and the next there is no room for the mesh. src/solid/fill.rs is its twin.
// Reads: the mesh and its normals, sides, places of bricks, distances, owners, words of corners. Writes: words of samples.
// A workgroup a brick. Runs last, after corners and what filled the distances.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require

#define SOLID_NORMALS 2
#define SOLID_SIDES 3
#include "solid/fill.glsl"
#include "solid/mesh.glsl"
#include "solid/sign.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 4) readonly buffer Places { uint places[]; };
layout(scalar, binding = 5) readonly buffer Distances { uint distances[]; };
layout(scalar, binding = 6) readonly buffer Owners { uint owners[]; };
layout(scalar, binding = 7) buffer Words { uint words[]; };

const uint SAMPLES_EACH = BRICK_SAMPLES / 64; // of a thread

// Rounds after which every sample beyond the band has been reached: the longest way through a brick.
const uint MAX_ROUNDS = 3 * BRICK_SIDE;

const uint UNKNOWN = 0;
const uint OUTSIDE = 1;
const uint INSIDE = 2;

shared uint found[BRICK_SAMPLES];
shared uint spread_count[2]; // how many were found in a round, of even and of odd number

uint side_of(bool is_inside) {
    return is_inside ? INSIDE : OUTSIDE;
}

uint first_side(uint number, uvec3 brick, uint sample_ix) {
    if (rule == RULE_BITS) return side_of(side_bit(number * BRICK_SAMPLES + sample_ix));
    uint owner = owners[(number - first_number) * BRICK_SAMPLES + sample_ix];
    if (owner == NOTHING) return UNKNOWN;
    return side_of(is_behind(vec3(brick * BRICK_CELLS + cell_in_box(sample_ix, uvec2(BRICK_SIDE))), owner));
}

// The side of the first neighbour that has one: along x down and up, then y, then z.
uint known_neighbour(uint sample_ix) {
    uvec3 at = cell_in_box(sample_ix, uvec2(BRICK_SIDE));
    const uvec3 STRIDES = uvec3(1, BRICK_SIDE, BRICK_SIDE * BRICK_SIDE);
    for (uint axis = 0; axis < 3; ++axis) {
        if (at[axis] > 0 && found[sample_ix - STRIDES[axis]] != UNKNOWN) return found[sample_ix - STRIDES[axis]];
        if (at[axis] + 1 < BRICK_SIDE && found[sample_ix + STRIDES[axis]] != UNKNOWN) return found[sample_ix + STRIDES[axis]];
    }
    return UNKNOWN;
}

void spread_sides() {
    uint lane = gl_LocalInvocationID.x;
    for (uint round = 0; round < MAX_ROUNDS; ++round) {
        uint next[SAMPLES_EACH];
        for (uint i = 0; i < SAMPLES_EACH; ++i) {
            uint side = found[lane + 64 * i];
            next[i] = side == UNKNOWN ? known_neighbour(lane + 64 * i) : UNKNOWN;
        }
        if (lane == 0) spread_count[round & 1u] = 0;
        barrier();
        for (uint i = 0; i < SAMPLES_EACH; ++i) {
            if (next[i] == UNKNOWN) continue;
            found[lane + 64 * i] = next[i];
            atomicAdd(spread_count[round & 1u], 1);
        }
        barrier();
        // The same for all threads.
        if (spread_count[round & 1u] == 0) break;
    }
}

uint code_of(uint number, uvec3 brick, uint sample_ix) {
    uint bits = distances[(number - first_number) * BRICK_SAMPLES + sample_ix];
    uint side = found[sample_ix];
    if (side == UNKNOWN) {
        // None of the brick's samples is within the band.
        float corner = uintBitsToFloat(words[first_corner + linear_ix(brick, grid_bricks() + 1)]);
        side = side_of(corner < 0.0);
    }
    float quanta = float(BEYOND) / BAND_CELLS;
    int size = bits == NOTHING ? BEYOND : int(min(roundEven(uintBitsToFloat(bits) * quanta), float(BEYOND - 1)));
    return uint(side == INSIDE ? -size : size) & 0xFFFFu;
}

void main() {
    uint number = first + gl_WorkGroupID.x, lane = gl_LocalInvocationID.x;
    uvec3 brick = uvec3(places[3 * number], places[3 * number + 1], places[3 * number + 2]);
    for (uint i = lane; i < BRICK_SAMPLES; i += 64) found[i] = first_side(number, brick, i);
    barrier();
    spread_sides();
    for (uint i = lane; i < BRICK_WORDS; i += 64) {
        uint word = code_of(number, brick, 2 * i) | code_of(number, brick, 2 * i + 1) << 16;
        words[first_sample + number * BRICK_WORDS + i] = word;
    }
}
