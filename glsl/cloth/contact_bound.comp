// Puts balls round all triangles, edges and vertices of cloth on their paths through a step, and boxes round tiles of 32 of them; and gathers what
// contacts ask of each particle.
// Reads: positions of the step's beginning and where the first sub-step would take them, skinned places. Writes: balls, the boxes of the tiles, and
// what contacts ask of each particle.
// A workgroup per tile of triangles, then of edges and of vertices. Runs once per step, after the first prediction.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_tiles.glsl"
#include "shared/detail.glsl"

layout(local_size_x = 32) in; // TILE
layout(scalar, binding = 7) readonly buffer Targets { vec3 targets[]; };
layout(scalar, binding = 8) readonly buffer PreviousTargets { vec3 previous_targets[]; };
layout(scalar, binding = 9) readonly buffer Vertices { ClothVertex vertices[]; };
layout(scalar, binding = 10) readonly buffer Order { uint order[]; }; // all particles, those that are near each other together
layout(scalar, binding = 11) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 12) readonly buffer Garments { GarmentSettings garments[]; };

float thickness_at(uint particle_ix) {
    return garments[particles[particle_ix].garment_ix].thickness;
}

float own_sub_steps_at(uint particle_ix) {
    return own_sub_steps_per_step(garments[particles[particle_ix].garment_ix].stride, sub_step_ix, sub_steps);
}

bool is_asleep(uint particle_ix) {
    return garments[particles[particle_ix].garment_ix].is_asleep != 0;
}

Ball ball_round(uint kind, uint ix) {
    uvec3 corners = kind == VERTICES ? uvec3(order[ix]) : corners_of(kind, ix);
    if (corners.x == NOTHING) return NO_BALL;
    if (is_astray(corners.x) || is_astray(corners.y) || is_astray(corners.z)) return NO_BALL;
    vec3 at[3], motions[3], middle = vec3(0.0), motion = vec3(0.0), at_rest = vec3(0.0);
    uint corner_count = kind == TRIANGLES ? 3 : kind == EDGES ? 2 : 1;
    for (uint i = 0; i < 3; ++i) {
        at[i] = at_start(corners[i]);
        motions[i] = motion_of(corners[i], own_sub_steps_at(corners[i]));
        float share = i < corner_count ? 1.0 / float(corner_count) : 0.0;
        middle += at[i] * share;
        motion += motions[i] * share;
        at_rest += vertices[corners[i]].rest_position * share;
    }
    float radius = 0.0, deviation = 0.0;
    vec3 halt = vec3(0.0);
    for (uint i = 0; i < 3; ++i) {
        uint target_ix = particles[corners[i]].target_ix;
        vec3 target_motion = targets[target_ix] - previous_targets[target_ix];
        vec3 halt_here = halt_of(motions[i] - target_motion, thickness_at(corners[i]));
        if (dot(halt_here, halt_here) > dot(halt, halt)) halt = halt_here;
        radius = max(radius, length(at[i] - middle));
        deviation = max(deviation, length(motions[i] - motion));
    }
    // Written so that what has no place in the world meets nothing: it would hide its neighbours.
    if (!(length(middle) + length(motion) + radius + deviation < FARTHEST)) return NO_BALL;
    float whole = radius + deviation, within = whole + half_reach_of(thickness_at(corners.x));
    float halt_length = is_asleep(corners.x) ? ASLEEP : length(halt);
    return Ball(middle, within, motion, halt_length, at_rest, vertices[corners.x].sheet, halt, whole);
}

void store_particle(uint particle_ix) {
    if (particle_ix == NOTHING) return;
    Particle particle = particles[particle_ix];
    GarmentSettings garment = garments[particle.garment_ix];
    vec3 motion = motion_of(particle_ix, own_sub_steps_at(particle_ix));
    float inverse_mass = 1.0 / (particle.area * garment.density);
    vec3 start = at_start(particle_ix), carried = targets[particle.target_ix] - previous_targets[particle.target_ix];
    uint garment_word = particle.garment_ix | garment.stride << STRIDE_SHIFT;
    contact_particles[particle_ix] =
        ContactParticle(start, garment.thickness, motion, garment_word, start, inverse_mass, carried, garment.friction);
}

void main() {
    uint tile = gl_WorkGroupID.x, lane = gl_LocalInvocationID.x;
    uint kind = tile < first_tile_of(EDGES) ? TRIANGLES : tile < first_tile_of(VERTICES) ? EDGES : VERTICES;
    uint ix = (tile - first_tile_of(kind)) * TILE + lane;
    if (kind == VERTICES) store_particle(order[ix]);
    Ball ball = ball_round(kind, ix);
    balls[tile * TILE + lane] = ball;
    store_box_of_group(box_of(ball), tile);
}
