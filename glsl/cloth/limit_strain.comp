// The end of a step, for what its last collision has stretched, which comes after its last solve: shortens edges of every patch that are longer
// than a limit, colour by colour and some times (Provot, "Deformation constraints in a mass-spring model to describe rigid cloth behavior", 1995).
// What is in contact keeps to its plane. Patches move copies of the particles round them, as in solve.comp.
// Reads: positions behind the last collision, patches, their constraints, skinned places for what hands hold. Writes: positions.
// A workgroup per patch. Runs once per step, after its last collision.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "cloth/patch.glsl"

// Usually 8; with 4 cloth pinched between limbs tears more often.
const uint SWEEPS = 8;
// Metres of a person, and in proportion for others, that the pass moves a particle by at most. Usually 0.004; with 0.002 calm cloth stays too
// long, and without a bound cloth that limbs pinch is drawn through them.
const float MAX_MOVE = 0.004;

// What a thread holds of the colours of a patch's stretch constraints.
struct Limits {
    uint ends[MAX_COLOURS]; // NOTHING where a colour has none for the thread
    float max_lengths[MAX_COLOURS];
};

Limits limits_of(Patch patched, float strain) {
    Limits held;
    [[unroll]] for (uint i = 0; i < COLOURS; ++i) {
        uint place = place_of(patched, 0, i, patched.stretch_colours);
        Constraint constraint = constraint_at(place == NOTHING ? 0 : place);
        held.ends[i] = place == NOTHING ? NOTHING : constraint.ends;
        held.max_lengths[i] = constraint.rest_length * (1.0 + strain);
    }
    return held;
}

// Called by all threads of a workgroup.
void shorten(Limits held, uint count) {
    [[unroll]] for (uint i = 0; i < COLOURS; ++i) {
        if (i >= count) break;
        if (held.ends[i] != NOTHING) keep_within(held.ends[i], held.max_lengths[i]);
        barrier();
    }
}

// Stores where a particle goes, unless nothing moves it. The contact stays: it is what the last collision found.
void store(uint particle_ix, vec4 limited) {
    vec4 from = before[particle_ix];
    vec3 move = limited.w > 0.0 ? limited.xyz - from.xyz : vec3(0.0);
    float most = MAX_MOVE * particles[particle_ix].size;
    after[particle_ix] = vec4(from.xyz + move * min(1.0, most / max(length(move), 1e-9)), from.w);
}

void main() {
    Patch patched = patches[gl_WorkGroupID.x];
    GarmentSettings garment = garments[patched.garment_ix];
    load_particles(patched, garment);
    barrier();
    // What is not simulated stays where it is.
    if (garment.stride != 0) {
        Limits held = limits_of(patched, max(end_strain_limit, garment.strain_limit));
        Planes planes = planes_of(patched);
        for (uint sweep = 0; sweep < SWEEPS; ++sweep) {
            shorten(held, patched.stretch_colours);
            keep_in_front(planes);
        }
    }
    for (uint i = gl_LocalInvocationID.x; i < patched.owned; i += LANES) {
        store(patch_particles[patched.first_particle + i], local[i]);
    }
}
