// Puts balls round all triangles and edges of cloth on their paths through a step, and boxes round tiles of 32 of them.
// Reads: positions of the step's beginning and where the first sub-step would take them, skinned places. Writes: balls, and the boxes of the tiles.
// A workgroup per tile of triangles, then of edges. Runs once per step, after the first prediction.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_tiles.glsl"

layout(local_size_x = 32) in; // TILE
layout(scalar, binding = 8) readonly buffer Targets { vec3 targets[]; };
layout(scalar, binding = 9) readonly buffer PreviousTargets { vec3 previous_targets[]; };

bool is_near(Ball self, Ball other) { return false; }
uint side_of(uint lane, uint place, uint other_ix) { return UNKNOWN; }
void visit(uint place, uint id) {}

Ball ball_round(uint kind, uint ix) {
    uvec3 corners = corners_of(kind, ix);
    if (corners.x == NOTHING) return NO_BALL;
    if (is_astray(corners.x) || is_astray(corners.y) || is_astray(corners.z)) return NO_BALL;
    vec3 at[3], motions[3];
    for (uint i = 0; i < 3; ++i) {
        at[i] = at_start(corners[i]);
        motions[i] = motion_of(corners[i]);
    }
    bool is_edge = kind == EDGES;
    vec3 middle = is_edge ? 0.5 * (at[0] + at[1]) : (at[0] + at[1] + at[2]) / 3.0;
    vec3 motion = is_edge ? 0.5 * (motions[0] + motions[1]) : (motions[0] + motions[1] + motions[2]) / 3.0;
    float radius = 0.0, deviation = 0.0, halt = 0.0;
    for (uint i = 0; i < 3; ++i) {
        uint target_ix = particles[corners[i]].target_ix;
        halt = max(halt, halt_of(corners[i], targets[target_ix] - previous_targets[target_ix]));
        radius = max(radius, length(at[i] - middle));
        deviation = max(deviation, length(motions[i] - motion));
    }
    // Written so that what has no place in the world meets nothing: it would hide its neighbours.
    if (!(length(middle) + length(motion) + radius + deviation < FARTHEST)) return NO_BALL;
    return Ball(middle, radius + deviation, motion, half_reach_of(corners.x) + halt);
}

void main() {
    uint tile = gl_WorkGroupID.x, lane = gl_LocalInvocationID.x;
    uint kind = tile < first_tile_of(EDGES) ? TRIANGLES : EDGES;
    Ball ball = ball_round(kind, (tile - first_tile_of(kind)) * TILE + lane);
    uint place = tile * TILE + lane;
    balls[place].middle = ball.middle;
    balls[place].radius = ball.radius;
    balls[place].motion = ball.motion;
    balls[place].reach = ball.reach;
    Bounds box = box_of_group(box_of(ball));
    if (lane == 0) {
        tiles[tile].low = box.low;
        tiles[tile].high = box.high;
    }
}
