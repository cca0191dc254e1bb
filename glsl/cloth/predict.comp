// Starts a sub-step: derives velocities from the last sub-step's motion and moves each particle by them, gravity and wind. A
// particle that its motion constraints find far astray returns to its allowed place instead.
// Reads: particle data, last result, normals, where skinning puts the particles, which garments start anew. Writes: current and predicted
// positions; in the fourth component of the current ones, whether the particle is astray; where paths of several sub-steps begin.
// One thread per particle. Runs after the field update, or after the last sub-step's collision.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "cloth/motion.glsl"
#include "cloth/brush.glsl"
#include "shared/detail.glsl"

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
layout(scalar, binding = 9) writeonly buffer PathStarts { vec4 path_starts[]; }; // see shared/particles.glsl
layout(scalar, push_constant) uniform Push {
    vec4 ground;       // unit normal and height, minus infinity: none
    vec3 gravity;      // m/s²
    uint particle_count;
    vec3 wind;         // m/s
    float sub_step;    // s, one of the step's
    vec3 grab_target;  // world space
    uint grab_ix;      // the particle that the user drags, 0xFFFFFFFF: none
    float grab_radius; // metres round that particle that go along, the less the further away; 0: it alone
    uint sub_step_ix;
    uint sub_steps;    // of the step
    uint collision_stride; // sub-steps from one collision to the next
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
vec4 hold_of(uint particle_ix, Particle particle, float time_after) {
    if (grab_ix == NOBODY) return vec4(0.0);
    if (particle_ix == grab_ix) return vec4(grab_target, 1.0);
    Particle grabbed = particles[grab_ix];
    if (grab_radius <= 0.0 || grabbed.garment_ix != particle.garment_ix) return vec4(0.0);
    float alignment = dot(target_normals[particle.target_ix], target_normals[grabbed.target_ix]);
    vec3 place = target_at(particle.target_ix, time_after);
    return brushed(place, target_at(grabbed.target_ix, time_after), alignment, grab_target, grab_radius);
}

// Whether the next collision is for this own sub-step and further ones, which are not over before it.
bool begins_path(uint stride, uint span) {
    if (collision_stride <= stride) return false;
    uint begins = sub_step_ix + 1 - span;
    return begins == 0 || collision_span(stride, collision_stride, begins - 1, sub_steps) > 0;
}

// The particle's sub-step goes from `position` to `next`; `astray`: 1 for one that is.
void move(uint particle_ix, bool is_path_start, vec3 position, vec3 next, float astray) {
    if (is_path_start) path_starts[particle_ix] = vec4(position, 0.0);
    current[particle_ix] = vec4(position, astray);
    predicted[particle_ix] = vec4(next, 0.0);
}

// Seconds in which the distance of a particle that follows the skin from its skinned place falls to a third. Usually 0.08; less and cloth jumps
// there, more and it floats beside a running body.
const float GLIDE_SECONDS = 0.08;

// Takes the particle to where skinning puts it, in one sub-step as long as the step. Nothing holds it meanwhile, and it meets nothing.
void follow_skin(uint particle_ix, Particle particle) {
    vec3 from = predicted[particle_ix].xyz, offset = from - previous_targets[particle.target_ix];
    float left = exp(-sub_step * float(sub_steps) / GLIDE_SECONDS);
    move(particle_ix, false, from, targets[particle.target_ix] + left * offset, 1.0);
}

// What a sub-step of the particle's own is.
struct OwnSubStep {
    float seconds;
    float last_seconds; // of the one before it
    float time_before;  // part of the step that is over at its beginning
    float time_after;   // and at its end
};

OwnSubStep own_sub_step_of(GarmentSettings garment, uint span) {
    uint begins = sub_step_ix + 1 - span;
    float last = begins == 0 ? garment.last_sub_step : sub_step * float(min(garment.stride, begins));
    return OwnSubStep(sub_step * float(span), last, float(begins) / float(sub_steps), float(sub_step_ix + 1) / float(sub_steps));
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    if (particle_ix >= particle_count) return;
    Particle particle = particles[particle_ix];
    GarmentSettings garment = garments[particle.garment_ix];
    bool starts_anew = starts[particle.garment_ix] != 0;
    if (garment.stride == 0) {
        if (sub_step_ix + 1 < sub_steps) return;
        vec3 place = targets[particle.target_ix];
        if (starts_anew) move(particle_ix, false, place, place, 0.0);
        else follow_skin(particle_ix, particle);
        return;
    }
    uint span = own_sub_step_span(garment.stride, sub_step_ix, sub_steps);
    if (span == 0) return;
    OwnSubStep own = own_sub_step_of(garment, span);
    bool is_path_start = begins_path(garment.stride, span);
    // The first sub-step begins with the step.
    if (own.time_before == 0.0 && starts_anew) {
        vec3 place = targets[particle.target_ix];
        move(particle_ix, is_path_start, place, place, 0.0);
        return;
    }
    vec3 position = predicted[particle_ix].xyz;
    vec3 velocity = (position - current[particle_ix].xyz) / own.last_seconds;
    vec4 hold = hold_of(particle_ix, particle, own.time_after);
    if (hold.w >= 1.0) {
        move(particle_ix, is_path_start, position, hold.xyz, 0.0);
        return;
    }
    vec3 target = target_at(particle.target_ix, own.time_before);
    vec3 target_normal = target_normals[particle.target_ix];
    vec3 allowed = allowed_place(particle, garment.motion_scale, target, target_normal, position);
    float beyond = distance(allowed, position);
    bool goes_astray = beyond > ASTRAY * particle.size || is_through(particle, garment.motion_scale, target, target_normal, position);
    // Nor does what a hand holds go home by itself.
    if (hold.w == 0.0 && (current[particle_ix].w != 0.0 ? beyond > BACK * max(1.0, particle.size) : goes_astray)) {
        vec3 target_shift = target_at(particle.target_ix, own.time_after) - target;
        vec3 displacement = (allowed - position) * min(1.0, HOMING_SPEED * max(1.0, particle.size) * own.seconds / beyond);
        move(particle_ix, is_path_start, position, position + target_shift + displacement, 1.0);
        return;
    }
    // Moving it to where it may be gives it no speed.
    if (hold.w == 0.0) position = allowed;
    // Air drags the cloth along its normal: implicit, so that strong wind stays stable.
    vec3 normal = normals[particle_ix].xyz;
    vec3 against = normal * dot(normal, wind - velocity);
    float drag = garment.drag * own.seconds;
    velocity += against * (drag / (1.0 + drag)) + gravity * own.seconds;
    velocity /= 1.0 + garment.damping * own.seconds;
    velocity *= min(1.0, MAX_SPEED / max(length(velocity), 1e-6));
    vec3 next = above_ground(ground, garment.thickness, garment.friction, position, position + velocity * own.seconds);
    move(particle_ix, is_path_start, position, mix(next, hold.xyz, hold.w), 0.0);
}
