// Starts a step's first sub-step; the last solve of each sub-step starts the next.
// Reads: particle data, last result, normals, where skinning puts the particles, which garments start anew. Writes: current and predicted
// positions; in the fourth component of the current ones, whether the particle is astray; where paths of several sub-steps begin.
// One thread per particle. Runs after the field update.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/predict.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 8) buffer Current { vec4 current[]; };
layout(scalar, binding = 9) buffer Predicted { vec4 predicted[]; };

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    if (particle_ix >= particle_count) return;
    Path next = predict(particle_ix, Path(current[particle_ix], predicted[particle_ix]));
    current[particle_ix] = next.from;
    predicted[particle_ix] = next.to;
}
