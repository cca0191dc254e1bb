// Starts a sub-step: derives velocities from the last sub-step's motion and moves each particle by them, gravity and wind. A
// particle that its motion constraints find far astray returns to its allowed place instead.
// Reads: particle data, last result, normals, where skinning puts the particles, which garments start anew. Writes: current and predicted
// positions; in the fourth component of the current ones, whether the particle is astray.
// One thread per particle. Runs after the field update, or after the last sub-step's collision.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "cloth/motion.glsl"
#include "cloth/brush.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 2) buffer Current { vec4 current[]; };
layout(scalar, binding = 3) buffer Predicted { vec4 predicted[]; };
layout(scalar, binding = 4) readonly buffer Targets { vec3 targets[]; };
layout(scalar, binding = 5) readonly buffer PreviousTargets { vec3 previous_targets[]; };
layout(scalar, binding = 6) readonly buffer TargetNormals { vec3 target_normals[]; };
layout(scalar, binding = 7) readonly buffer Normals { vec4 normals[]; };
layout(scalar, binding = 8) readonly buffer Starts { uint starts[]; }; // 1 for a garment that starts at rest on the body in this step
layout(scalar, push_constant) uniform Push {
    vec4 ground;       // unit normal and height, minus infinity: none
    vec3 gravity;      // m/s²
    uint particle_count;
    vec3 wind;         // m/s
    float sub_step;    // s
    vec3 grab_target;  // world space
    uint grab_ix;      // the particle that the user drags, 0xFFFFFFFF: none
    float last_sub_step; // s, of the sub-step before this one
    float time_before;   // part of the step that is over at the beginning of this sub-step
    float time_after;    // and at its end
    float grab_radius;   // metres round that particle that go along, the less the further away; 0: it alone
};

// Metres per second. No cloth on a person is faster; a particle that is has been thrown by an error, which must die out.
const float MAX_SPEED = 40.0;
// The three below are for a person, and in proportion for others: a giant's limbs are faster too.

// Metres beyond what its motion constraints allow from which a particle is astray: it neither collides nor pulls at its neighbours
// until it is back. Usually 0.03, more than a fast limb outruns cloth by in a sub-step; much more, and cloth that a limb came
// through stays there.
const float ASTRAY = 0.03;
// Metres beyond what is allowed at which it is back; no fewer for the small, who may be moved as fast as people.
const float BACK = 0.001;
// Metres per second at which an astray particle returns to its allowed place, relative to the body. Usually 2: a leg's width in a
// few frames, without a jump. No fewer for the small, whose cloth gravity and motion pull as fast: at half of it a sleeve beside a limb
// of 0.8 m got entangled instead of home.
const float HOMING_SPEED = 2.0;

vec3 target_at(uint target_ix, float time) {
    return mix(previous_targets[target_ix], targets[target_ix], time);
}

// Where the hand wants a particle at the end of the sub-step, and how firmly: see brushed().
vec4 hold_of(uint particle_ix, Particle particle) {
    if (grab_ix == NOBODY) return vec4(0.0);
    if (particle_ix == grab_ix) return vec4(grab_target, 1.0);
    Particle grabbed = particles[grab_ix];
    if (grab_radius <= 0.0 || grabbed.garment_ix != particle.garment_ix) return vec4(0.0);
    float alignment = dot(target_normals[particle.target_ix], target_normals[grabbed.target_ix]);
    vec3 place = target_at(particle.target_ix, time_after);
    return brushed(place, target_at(grabbed.target_ix, time_after), alignment, grab_target, grab_radius);
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    if (particle_ix >= particle_count) return;
    Particle particle = particles[particle_ix];
    // The first sub-step begins with the step.
    if (time_before == 0.0 && starts[particle.garment_ix] != 0) {
        vec3 start = targets[particle.target_ix];
        current[particle_ix] = vec4(start, 0.0);
        predicted[particle_ix] = vec4(start, 0.0);
        return;
    }
    GarmentSettings garment = garments[particle.garment_ix];
    vec3 position = predicted[particle_ix].xyz;
    vec3 velocity = (position - current[particle_ix].xyz) / last_sub_step;
    vec4 hold = hold_of(particle_ix, particle);
    if (hold.w >= 1.0) {
        current[particle_ix] = vec4(position, 0.0);
        predicted[particle_ix] = vec4(hold.xyz, 0.0);
        return;
    }
    vec3 target = target_at(particle.target_ix, time_before);
    vec3 target_normal = target_normals[particle.target_ix];
    vec3 allowed = allowed_place(particle, garment.motion_scale, target, target_normal, position);
    float beyond = distance(allowed, position);
    bool goes_astray = beyond > ASTRAY * particle.size || is_through(particle, garment.motion_scale, target, target_normal, position);
    // Nor does what a hand holds go home by itself.
    if (hold.w == 0.0 && (current[particle_ix].w != 0.0 ? beyond > BACK * max(1.0, particle.size) : goes_astray)) {
        vec3 target_shift = target_at(particle.target_ix, time_after) - target;
        vec3 displacement = (allowed - position) * min(1.0, HOMING_SPEED * max(1.0, particle.size) * sub_step / beyond);
        current[particle_ix] = vec4(position, 1.0);
        predicted[particle_ix] = vec4(position + target_shift + displacement, 0.0);
        return;
    }
    // Moving it to where it may be gives it no speed.
    if (hold.w == 0.0) position = allowed;
    // Air drags the cloth along its normal: implicit, so that strong wind stays stable.
    vec3 normal = normals[particle_ix].xyz;
    vec3 against = normal * dot(normal, wind - velocity);
    float drag = garment.drag * sub_step;
    velocity += against * (drag / (1.0 + drag)) + gravity * sub_step;
    velocity /= 1.0 + garment.damping * sub_step;
    velocity *= min(1.0, MAX_SPEED / max(length(velocity), 1e-6));
    vec3 next = above_ground(ground, garment.thickness, garment.friction, position, position + velocity * sub_step);
    current[particle_ix] = vec4(position, 0.0);
    predicted[particle_ix] = vec4(mix(next, hold.xyz, hold.w), 0.0);
}
