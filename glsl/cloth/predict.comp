// Starts a sub-step: takes the last one's motion as velocity and moves each particle by it, gravity and wind.
// Reads: particle data, last result, normals. Writes: current and predicted positions.
// One thread a particle of a run of them. Runs after the field update, or after the last sub-step's collision.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 2) buffer Current { vec4 current[]; };
layout(scalar, binding = 3) buffer Predicted { vec4 predicted[]; };
layout(scalar, binding = 4) readonly buffer Targets { vec3 targets[]; };
layout(scalar, binding = 5) readonly buffer Normals { vec4 normals[]; };
layout(scalar, push_constant) uniform Push {
    vec3 gravity;      // m/s²
    uint first_particle;
    vec3 wind;         // m/s
    float sub_step;    // s
    vec3 grab_target;  // world space
    uint grab_ix;      // the particle a hand holds, 0xFFFFFFFF: none
    float last_sub_step; // s, of the sub-step before this one
    uint teleported;     // 0 or 1: start at rest on the body
    uint end_particle;
};

// Metres a second. No cloth on a person is faster; a particle that is has been thrown by an error, which must die out.
const float MAX_SPEED = 40.0;

void main() {
    uint particle_ix = first_particle + gl_GlobalInvocationID.x;
    if (particle_ix >= end_particle) return;
    Particle particle = particles[particle_ix];
    if (teleported != 0) {
        vec3 start = targets[particle.target_ix];
        current[particle_ix] = vec4(start, 0.0);
        predicted[particle_ix] = vec4(start, 0.0);
        return;
    }
    GarmentSettings garment = garments[particle.garment_ix];
    vec3 position = predicted[particle_ix].xyz;
    vec3 velocity = (position - current[particle_ix].xyz) / last_sub_step;
    // Air carries the cloth along its normal: implicit, so that strong wind stays stable.
    vec3 normal = normals[particle_ix].xyz;
    vec3 against = normal * dot(normal, wind - velocity);
    float carried = garment.drag * sub_step;
    velocity += against * (carried / (1.0 + carried)) + gravity * sub_step;
    velocity /= 1.0 + garment.damping * sub_step;
    velocity *= min(1.0, MAX_SPEED / max(length(velocity), 1e-6));
    vec3 next = position + velocity * sub_step;
    if (particle_ix == grab_ix) next = grab_target;
    current[particle_ix] = vec4(position, 0.0);
    predicted[particle_ix] = vec4(next, 0.0);
}
