// What the passes of a sub-step that move particles on their own share: its settings, the places to which skinning and hands bring them.
// Binding numbers 0 to 7 are the same in all of them.
#ifndef CLOTH_SUB_STEP
#define CLOTH_SUB_STEP

#include "shared/structs.glsl"
#include "cloth/motion.glsl"
#include "cloth/brush.glsl"
#include "shared/detail.glsl"

layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 2) readonly buffer Targets { vec3 targets[]; };
layout(scalar, binding = 3) readonly buffer PreviousTargets { vec3 previous_targets[]; };
layout(scalar, binding = 4) readonly buffer TargetNormals { vec3 target_normals[]; };
layout(scalar, binding = 5) readonly buffer Normals { vec4 normals[]; };
layout(scalar, binding = 6) readonly buffer Starts { uint starts[]; }; // 1 for a garment that starts at rest on the body in this step
layout(scalar, binding = 7) writeonly buffer PathStarts { vec4 path_starts[]; }; // see shared/particles.glsl
layout(scalar, push_constant) uniform Push {
    vec4 ground;       // unit normal and height, minus infinity: none
    vec3 gravity;      // m/s²
    uint particle_count;
    vec3 wind;         // m/s
    float sub_step;    // s, one of the step's
    vec3 grab_target;  // world space
    uint grab_ix;      // the particle that the user drags, 0xFFFFFFFF: none
    float grab_radius; // metres round that particle that go along; 0: it alone
    uint sub_steps;    // of the step
    uint collision_stride; // sub-steps from one collision to the next
    uint begins_ix;    // the sub-step with which those begin that are predicted; `sub_steps`: none
    // Of a solve alone:
    uint sub_step_ix;
    float target_time; // part of the step that is over at the end of that sub-step
    uint first_iteration; // 0 or 1: multipliers start at zero
    uint last_iteration;  // 0 or 1: nothing reads them afterwards
    uint sweeps;       // over a patch's stretch constraints; there is one over bend constraints before them
    float end_strain_limit; // of limit_strain.comp alone
};

// Where skinning puts a particle at a part of the step.
vec3 target_at(uint target_ix, float time) {
    return mix(previous_targets[target_ix], targets[target_ix], time);
}

// Where the hand wants a particle at a part of the step, and how firmly: see brushed().
vec4 hold_of(uint particle_ix, float time) {
    if (grab_ix == NOBODY) return vec4(0.0);
    if (particle_ix == grab_ix) return vec4(grab_target, 1.0);
    Particle particle = particles[particle_ix], grabbed = particles[grab_ix];
    if (grab_radius <= 0.0 || grabbed.garment_ix != particle.garment_ix) return vec4(0.0);
    float alignment = dot(target_normals[particle.target_ix], target_normals[grabbed.target_ix]);
    return brushed(target_at(particle.target_ix, time), target_at(grabbed.target_ix, time), alignment, grab_target, grab_radius);
}

#endif
