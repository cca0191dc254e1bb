// One pass of the constraints: each particle gathers the corrections of its own constraints from the last pass's positions,
// so the result does not depend on the order of threads (XPBD projected independently and averaged).
// Reads: positions of the last pass, constraints, tethers, attachment targets. Writes: positions, multipliers.
// LANES threads a particle, which share out its constraints. Runs several times a sub-step, between predict and collide.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 2) readonly buffer Before { vec4 before[]; };
layout(scalar, binding = 3) writeonly buffer After { vec4 after[]; };
layout(scalar, binding = 4) readonly buffer Offsets { uint constraint_offsets[]; };
layout(scalar, binding = 5) readonly buffer Constraints { Constraint constraints[]; };
layout(scalar, binding = 6) buffer Multipliers { float multipliers[]; };
layout(scalar, binding = 7) readonly buffer Tethers { Tether tethers[]; };
layout(scalar, binding = 8) readonly buffer Targets { vec3 targets[]; };
layout(scalar, binding = 9) readonly buffer PreviousTargets { vec3 previous_targets[]; };
layout(scalar, push_constant) uniform Push {
    vec3 grab_target; // world space
    uint grab_ix;
    uint particle_count;
    float sub_step;    // s
    float target_time; // part of the step that is over at the end of this sub-step
    uint first_pass;   // 0 or 1: multipliers start at zero
};

// Threads that work on one particle: a power of two. Usually 4: a particle has some 20 constraints, and each takes two fetches one after
// the other. src/cloth/solver.rs knows it too.
const uint LANES = 4;
const uint TETHERS_PER_PARTICLE = 2;

// What each thread's constraints correct.
shared vec3 corrections[64];

vec3 target_of(uint target_ix) {
    return mix(previous_targets[target_ix], targets[target_ix], target_time);
}

// The corrections of every LANES-th constraint from `first` on, added up; their multipliers grow by what they take.
vec3 correct(uint first, uint end, vec3 position, Particle particle, GarmentSettings garment) {
    float per_step = 1.0 / (sub_step * sub_step);
    vec3 correction = vec3(0.0);
    for (uint i = first; i < end; i += LANES) {
        Constraint constraint = constraints[i];
        float other_inverse_mass = particles[constraint.other_ix].inverse_mass;
        vec3 apart = position - before[constraint.other_ix].xyz;
        float distance = length(apart);
        float multiplier = first_pass != 0 ? 0.0 : multipliers[i];
        multipliers[i] = multiplier;
        if (distance == 0.0) continue; // no way is away from there
        float compliance = garment.compliance[constraint.kind] * per_step;
        float missing = constraint.rest_length - distance - compliance * multiplier;
        float change = constraint.relaxation * missing / (particle.inverse_mass + other_inverse_mass + compliance);
        multipliers[i] = multiplier + change;
        correction += particle.inverse_mass * change / distance * apart;
    }
    return correction;
}

void main() {
    uint lane = gl_LocalInvocationID.x % LANES;
    uint particle_ix = gl_GlobalInvocationID.x / LANES;
    bool alive = particle_ix < particle_count;
    uint safe_ix = min(particle_ix, particle_count - 1);
    Particle particle = particles[safe_ix];
    GarmentSettings garment = garments[particle.garment_ix];
    vec3 position = before[safe_ix].xyz;
    uint first = constraint_offsets[safe_ix] + lane, end = alive ? constraint_offsets[safe_ix + 1] : 0;
    corrections[gl_LocalInvocationID.x] = correct(first, end, position, particle, garment);
    barrier();
    if (!alive || lane != 0) return;
    for (uint i = 0; i < LANES; ++i) position += corrections[gl_LocalInvocationID.x + i];

    for (uint i = 0; i < TETHERS_PER_PARTICLE && garment.tethered != 0; ++i) {
        Tether tether = tethers[particle_ix * TETHERS_PER_PARTICLE + i];
        if (tether.anchor_ix == 0xFFFFFFFFu) break;
        vec3 anchor = target_of(particles[tether.anchor_ix].target_ix);
        vec3 apart = position - anchor;
        position = anchor + apart * min(1.0, tether.max_length / max(length(apart), 1e-6));
    }

    if (particle.attachment_compliance >= 0.0) {
        float compliance = particle.attachment_compliance / (sub_step * sub_step);
        position = mix(position, target_of(particle.target_ix), particle.inverse_mass / (particle.inverse_mass + compliance));
    }
    if (particle_ix == grab_ix) position = grab_target;
    after[particle_ix] = vec4(position, 0.0);
}
