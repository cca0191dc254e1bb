// Moves the particles by the weighted mean of what their contacts with other cloth want, as far as that keeps apart what is apart; where they began
// the sub-step as well, by what is to give them no speed.
// Reads: the sums of corrections and the parts of their ways that they may go, which it clears. Writes: positions; where they are apart now.
// One thread per particle. Runs after contact_limit.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_surface.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 5) buffer Sums { int sums[]; };
layout(scalar, binding = 6) buffer Limits { uint limits[]; }; // bits of a part, from 0 to 1

#include "cloth/contact_sums.glsl"
#include "cloth/contact_apart.glsl"

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    if (particle_ix >= particle_count) return;
    float part = uintBitsToFloat(limits[particle_ix]);
    vec3 to = predicted[particle_ix].xyz;
    // Most have no contacts, and leave what is clear as it is.
    bool is_met = is_corrected(particle_ix);
    if (is_met) {
        Corrections corrections = corrections_of(particle_ix);
        for (uint i = 0; i < SUM_WORDS; ++i) sums[SUM_WORDS * particle_ix + i] = 0;
        to += corrections.whole;
        current[particle_ix].xyz += corrections.calm;
    }
    if (part < 1.0) limits[particle_ix] = floatBitsToUint(1.0);
    bool is_own = ends_own_sub_step(particle_ix);
    // What a hand holds, what is astray, and what its edges have just pushed out of the skin.
    bool is_free = particle_ix == grab_ix || is_astray(particle_ix) || predicted[particle_ix].w != 0.0;
    if (is_own && part < 1.0 && !is_free) to = mix(apart_from(particle_ix), to, part);
    if (is_met || part < 1.0) predicted[particle_ix].xyz = to;
    if (is_own) contact_particles[particle_ix].apart = to;
}
