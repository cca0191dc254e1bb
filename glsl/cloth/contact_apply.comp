// Moves the particles by the weighted mean of what their contacts with other cloth want; where they began the sub-step as well, by what is to give
// them no speed.
// Reads: the sums of corrections. Writes: positions; clears the sums.
// One thread per particle. Runs after contact_resolve.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_sums.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) buffer Predicted { vec4 predicted[]; }; // world space; w is kept
layout(scalar, binding = 1) buffer Sums { int sums[]; };
layout(scalar, binding = 2) buffer Current { vec4 current[]; }; // world space; w is kept
layout(scalar, push_constant) uniform Push { uint particle_count; };

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    if (particle_ix >= particle_count) return;
    uint first = SUM_WORDS * particle_ix;
    int counts = sums[first + 6];
    if (counts == 0) return;
    float units = UNITS_PER_METRE * (float(counts) / WHOLE);
    vec3 sum = vec3(sums[first], sums[first + 1], sums[first + 2]);
    vec3 calm = vec3(sums[first + 3], sums[first + 4], sums[first + 5]);
    for (uint i = 0; i < SUM_WORDS; ++i) sums[first + i] = 0;
    predicted[particle_ix].xyz += sum / units;
    current[particle_ix].xyz += calm / units;
}
