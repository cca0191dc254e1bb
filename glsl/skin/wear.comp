// Puts garments that others are worn over among the skin, as they lie on it: what is worn over them meets them as it meets a body.
// Reads: particles after the last step, where skinning puts them in it and in this one. Writes: positions of this step, of those vertices that stand
// for particles. How cloth moves against the skin within the step is not known yet, so that it is taken to go along with it.
// One thread per such vertex. Runs once a step, after bake.comp and before fields are filled.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/somewhere.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Worn { uint worn_particles[]; }; // a particle per vertex
layout(scalar, binding = 1) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 2) readonly buffer Shown { vec4 shown[]; }; // after the last step
layout(scalar, binding = 3) buffer Positions { vec3 positions[]; };
layout(scalar, binding = 4) readonly buffer PreviousPositions { vec3 previous_positions[]; };
layout(scalar, binding = 5) readonly buffer Starts { uint starts[]; }; // 1 for a garment that starts at rest on the body in this step
layout(scalar, push_constant) uniform Push {
    uint first_vertex;
    uint count;
};

void main() {
    uint ix = gl_GlobalInvocationID.x;
    if (ix >= count) return;
    Particle particle = particles[worn_particles[ix]];
    vec3 at = shown[worn_particles[ix]].xyz, target = positions[particle.target_ix];
    vec3 offset = at - previous_positions[particle.target_ix];
    bool starts_anew = starts[particle.garment_ix] != 0 || !is_somewhere(at);
    positions[first_vertex + ix] = starts_anew ? target : target + offset;
}
