// Measures how each garment lies after a step: a box round it, and how many of its particles have moved.
// Reads: shown positions of this step and the last, where skinning put the particles in both. Writes: how garments lie.
// One thread per particle. Runs last in a step, after finish.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/sleep.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Shown { vec4 shown[]; };
layout(scalar, binding = 2) readonly buffer PreviousShown { vec4 previous_shown[]; };
layout(scalar, binding = 3) readonly buffer Targets { vec3 targets[]; };
layout(scalar, binding = 4) readonly buffer PreviousTargets { vec3 previous_targets[]; };
layout(scalar, binding = 5) buffer Rests { GarmentRest rests[]; }; // per garment, empty at first
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    float still_distance; // metres against the skin that a particle at rest moves in a step at most
};

// Of those of the workgroup's particles that are of one garment.
shared GarmentRest gathered;

void gather(uint particle_ix) {
    uint target_ix = particles[particle_ix].target_ix;
    vec3 at = shown[particle_ix].xyz, moved = at - previous_shown[particle_ix].xyz;
    vec3 moved_skin = targets[target_ix] - previous_targets[target_ix];
    // Written so that what is not a number moves.
    if (!(distance(moved, moved_skin) <= still_distance)) atomicAdd(gathered.restless_count, 1);
    if (!(length(moved) <= still_distance)) atomicAdd(gathered.moving_count, 1);
    atomicAdd(gathered.particle_count, 1);
    // What has no place in the world would hide where the others are.
    if (!all(lessThan(abs(at), vec3(FARTHEST_PLACE)))) return;
    for (uint i = 0; i < 3; ++i) {
        atomicMin(gathered.bounds.low[i], key_of_number(at[i]));
        atomicMin(gathered.bounds.high[i], ~key_of_number(at[i]));
    }
}

void store(uint garment_ix) {
    for (uint i = 0; i < 3; ++i) {
        atomicMin(rests[garment_ix].bounds.low[i], gathered.bounds.low[i]);
        atomicMin(rests[garment_ix].bounds.high[i], gathered.bounds.high[i]);
    }
    atomicAdd(rests[garment_ix].restless_count, gathered.restless_count);
    atomicAdd(rests[garment_ix].moving_count, gathered.moving_count);
    atomicAdd(rests[garment_ix].particle_count, gathered.particle_count);
}

void main() {
    uint first = gl_WorkGroupID.x * gl_WorkGroupSize.x, particle_ix = first + gl_LocalInvocationID.x;
    uint last = min(first + gl_WorkGroupSize.x, particle_count) - 1;
    // Particles lie garment by garment.
    for (uint garment_ix = particles[first].garment_ix; garment_ix <= particles[last].garment_ix; ++garment_ix) {
        if (gl_LocalInvocationID.x == 0) gathered = NO_REST;
        barrier();
        if (particle_ix <= last && particles[particle_ix].garment_ix == garment_ix) gather(particle_ix);
        barrier();
        if (gl_LocalInvocationID.x == 0) store(garment_ix);
        barrier();
    }
}
