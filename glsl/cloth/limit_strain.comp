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

// Usually 12: with 8 the longest edge of the calm mannequin's trousers is 1.28 times its rest length, not 1.25.
const uint SWEEPS = 12;
// Sweeps, the last ones, that shorten alone what is MUCH times as much too long, and have the last word. Usually 4 and 4: without them that edge,
// between two that are shortened, is 1.35 times as long.
const uint LAST_SWEEPS = 4;
const float MUCH = 4.0;
// Metres of a person, and in proportion for others, that the pass moves a particle by at most. Usually 0.008; with 0.004 calm cloth stays
// longer, with much more cloth that limbs pinch is drawn through them.
const float MAX_MOVE = 0.008;

// What a thread holds of the colours of a patch's stretch constraints.
struct Edges {
    uint ends[MAX_COLOURS]; // NOTHING where a colour has none for the thread
    float rest_lengths[MAX_COLOURS];
};

Edges edges_of(Patch patched) {
    Edges held;
    [[unroll]] for (uint i = 0; i < COLOURS; ++i) {
        uint place = place_of(patched, 0, i, patched.stretch_colours);
        Constraint constraint = constraint_at(place == NOTHING ? 0 : place);
        held.ends[i] = place == NOTHING ? NOTHING : constraint.ends;
        held.rest_lengths[i] = constraint.rest_length;
    }
    return held;
}

// Called by all threads of a workgroup.
void shorten(Edges held, uint count, float max_strain) {
    [[unroll]] for (uint i = 0; i < COLOURS; ++i) {
        if (i >= count) break;
        if (held.ends[i] != NOTHING) keep_within(held.ends[i], held.rest_lengths[i] * (1.0 + max_strain));
        barrier();
    }
}

// What the thread's particles are kept within: a ball round where the pass found them, centre and radius in metres. Radius 0: it does not move.
struct Balls {
    vec4 of[PARTICLES_PER_LANE];
};

Balls balls_of(Patch patched) {
    Balls balls;
    [[unroll]] for (uint k = 0; k < PARTICLES_PER_LANE; ++k) {
        uint i = gl_LocalInvocationID.x + k * LANES;
        balls.of[k] = vec4(0.0);
        if (i >= patched.free || local[i].w <= 0.0) continue;
        balls.of[k] = vec4(local[i].xyz, MAX_MOVE * particles[patch_particles[patched.first_particle + i]].size);
    }
    return balls;
}

// In front of their contacts, and near to where they were. Called by all threads of a workgroup.
void keep_close(Planes planes, Balls balls) {
    [[unroll]] for (uint k = 0; k < PARTICLES_PER_LANE; ++k) {
        uint i = gl_LocalInvocationID.x + k * LANES;
        vec4 plane = planes.of[k], ball = balls.of[k], at = local[i];
        if (ball.w == 0.0) continue;
        vec3 move = at.xyz + plane.xyz * max(0.0, plane.w - dot(plane.xyz, at.xyz)) - ball.xyz;
        local[i] = vec4(ball.xyz + move * min(1.0, ball.w / max(length(move), 1e-9)), at.w);
    }
    barrier();
}

// What is not simulated stays where it is.
void carry_over(Patch patched) {
    for (uint i = gl_LocalInvocationID.x; i < patched.owned; i += LANES) {
        uint particle_ix = patch_particles[patched.first_particle + i];
        after[particle_ix] = before[particle_ix];
    }
}

void main() {
    Patch patched = patches[gl_WorkGroupID.x];
    GarmentSettings garment = garments[patched.garment_ix];
    if (garment.stride == 0) {
        carry_over(patched);
        return;
    }
    load_particles(patched, garment);
    barrier();
    Edges held = edges_of(patched);
    Planes planes = planes_of(patched);
    Balls balls = balls_of(patched);
    barrier();
    for (uint sweep = 0; sweep < SWEEPS; ++sweep) {
        float limit = sweep < SWEEPS - LAST_SWEEPS ? end_strain_limit : MUCH * end_strain_limit;
        shorten(held, patched.stretch_colours, max(limit, garment.strain_limit));
        keep_close(planes, balls);
    }
    for (uint i = gl_LocalInvocationID.x; i < patched.owned; i += LANES) {
        // The contact stays: it is what the last collision found.
        uint particle_ix = patch_particles[patched.first_particle + i];
        vec4 from = before[particle_ix];
        after[particle_ix] = vec4(local[i].w > 0.0 ? local[i].xyz : from.xyz, from.w);
    }
}
