// A patch of cloth: its particles in a workgroup's shared memory, its constraints colour by colour, and the contacts that it keeps to. What the
// passes over patches share.
#ifndef CLOTH_PATCH
#define CLOTH_PATCH

#include "cloth/sub_step.glsl"

const uint LANES = 128;
layout(local_size_x = 128) in; // LANES
layout(scalar, binding = 8) readonly buffer Before { vec4 before[]; };
layout(scalar, binding = 9) writeonly buffer After { vec4 after[]; };
layout(scalar, binding = 10) readonly buffer Current { vec4 current[]; };
layout(scalar, binding = 11) readonly buffer Patches { Patch patches[]; };
layout(scalar, binding = 12) readonly buffer PatchParticles { uint patch_particles[]; };
layout(std430, binding = 13) readonly buffer Constraints { uvec4 constraints[]; };

const uint MAX_PARTICLES = 512;
const uint PARTICLES_PER_LANE = MAX_PARTICLES / LANES;
// The most colours of stretch constraints and of bend constraints, of at most LANES constraints each: src/cloth/patches.rs cuts patches so that
// none has more.
const uint MAX_COLOURS = 12;
// Those that a world has: with fewer, threads have fewer registers to hold.
layout(constant_id = 0) const uint COLOURS = MAX_COLOURS;
const uint NOTHING = 0xFFFFFFFFu;
// Inverse mass of an astray particle, which takes no part.
const float TAKES_NO_PART = -1.0;

// Positions of the patch's particles, and their inverse masses in 1/kg: 0 for those held still.
shared vec4 local[MAX_PARTICLES];

// A distance constraint between two particles of a patch.
struct Constraint {
    uint ends; // places among the patch's particles, 16 bits each, low half first; NOTHING: an empty place
    float rest_length; // metres
    float scale;       // what the cloth's compliance is multiplied by
    float along_warp;  // squared cosine of the angle to the warp; negative: it bends; of a long-range one nothing
};

// One load: as a struct in the buffer it would be four.
Constraint constraint_at(uint place) {
    uvec4 words = constraints[place];
    return Constraint(words.x, uintBitsToFloat(words.y), uintBitsToFloat(words.z), uintBitsToFloat(words.w));
}

// Where the thread's constraint of the `ix`-th of `count` colours is, or NOTHING.
uint place_of(Patch patched, uint first_colour, uint ix, uint count) {
    uint lane = gl_LocalInvocationID.x;
    return ix < count && lane < patched.colour_size ? patched.first_constraint + (first_colour + ix) * patched.colour_size + lane : NOTHING;
}

// Moves two particles apart by an impulse on each, in kg·m. As whole vectors: three stores of a component each meet in the same banks.
void move_apart(uint a, vec4 at_a, uint b, vec4 at_b, vec3 impulse) {
    local[a] = vec4(at_a.xyz + at_a.w * impulse, at_a.w);
    local[b] = vec4(at_b.xyz - at_b.w * impulse, at_b.w);
}

// Brings two particles no further apart than that, metres.
void keep_within(uint ends, float max_length) {
    uint a = ends & 0xFFFFu, b = ends >> 16;
    vec4 at_a = local[a], at_b = local[b];
    vec3 apart = at_a.xyz - at_b.xyz;
    float distance = length(apart);
    float inverse_masses = at_a.w + at_b.w;
    if (distance <= max_length || inverse_masses <= 0.0 || min(at_a.w, at_b.w) < 0.0) return;
    move_apart(a, at_a, b, at_b, apart * ((max_length - distance) / (distance * inverse_masses)));
}

// The planes that the thread's particles keep in front of: unit normal, and metres along it from the world's origin. Zeros where there is
// none.
struct Planes {
    vec4 of[PARTICLES_PER_LANE];
};

// Of those particles that are free to move, which collision may have left in contact.
Planes planes_of(Patch patched) {
    Planes planes;
    [[unroll]] for (uint k = 0; k < PARTICLES_PER_LANE; ++k) {
        uint i = gl_LocalInvocationID.x + k * LANES;
        planes.of[k] = vec4(0.0);
        if (i >= patched.free || local[i].w <= 0.0) continue;
        vec4 found = before[patch_particles[patched.first_particle + i]];
        if (found.w != 0.0) planes.of[k] = contact_plane(found);
    }
    return planes;
}

// A particle of the patch and its inverse mass.
vec4 loaded(Patch patched, GarmentSettings garment, uint i) {
    uint particle_ix = patch_particles[patched.first_particle + i];
    vec3 position = before[particle_ix].xyz;
    bool is_astray = current[particle_ix].w != 0.0;
    float inverse_mass = i < patched.free ? 1.0 / (particles[particle_ix].area * garment.density) : 0.0;
    vec4 hold = hold_of(particle_ix, target_time);
    // What is held firmly gives way little.
    inverse_mass *= 1.0 - hold.w;
    return vec4(hold.w >= 1.0 ? hold.xyz : position, is_astray ? TAKES_NO_PART : inverse_mass);
}

// Two particles of a thread at a time, so that it waits for both at once. They are there after a barrier.
void load_particles(Patch patched, GarmentSettings garment) {
    for (uint i = gl_LocalInvocationID.x; i < patched.particle_count; i += 2 * LANES) {
        uint other = min(i + LANES, patched.particle_count - 1);
        vec4 first = loaded(patched, garment, i), second = loaded(patched, garment, other);
        local[i] = first;
        if (other == i + LANES) local[other] = second;
    }
}

#endif
