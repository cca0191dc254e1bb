// One solve of every patch of cloth: its constraints colour by colour, bend every second sub-step, long range once, stretch some times, then
// the constraints that concern one particle alone. A patch moves its own particles and copies of those round them, and keeps its own (restricted
// additive Schwarz), so the result does not depend on the order of patches or threads. XPBD: Macklin, Müller and Chentanez, 2016.
// Reads: positions of the last iteration, patches, their constraints, tethers, skinned places; and what predict.comp reads. Writes: positions,
// multipliers; and where a sub-step follows, what predict.comp writes for it, which saves a pass.
// A workgroup per patch. Runs once or more per sub-step, the last time after collide: what is in contact then
// keeps to its plane, in each sweep over stretch as well as at the end.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "cloth/predict.glsl"
#include "cloth/patch.glsl"

layout(scalar, binding = 14) writeonly buffer CurrentAfter { vec4 current_after[]; }; // where a sub-step is predicted
layout(scalar, binding = 15) buffer Multipliers { float multipliers[]; };
layout(scalar, binding = 16) buffer AttachmentMultipliers { vec4 attachment_multipliers[]; };
layout(scalar, binding = 17) readonly buffer Tethers { Tether tethers[]; };

const uint TETHERS_PER_PARTICLE = 2;
// Part of what a tether is too long by that a solve takes back. Usually 0.25: what hangs is 4 times as far beyond it as it falls in a
// sub-step, less than a millimetre; with 1 cloth in a fold trembles, torn between its tethers and the skin.
const float TETHER_SHARE = 0.25;
// Sub-steps of a garment's own that bend constraints, which are soft, are solved once in. Usually 2: a solve takes 21 µs, not 23; with many more
// stiff cloth rings.
const uint BEND_STRIDE = 2;
// The most colours of long-range constraints.
const uint LONG_RANGE_COLOURS = 5;
// Ends of no constraint, both a patch's first particle, so that what is loaded of them is there.
const uint NO_ENDS = 0;
// Strain of a constraint without a limit.
const float NO_LIMIT = 1e30;

// Of the garment's own sub-step.
float own_seconds;

// Where skinning puts a particle at the end of the sub-step.
vec3 target_of(uint target_ix) {
    return target_at(target_ix, target_time);
}

float compliance_of(Constraint constraint, GarmentSettings garment) {
    float along = constraint.along_warp, across = 1.0 - along;
    float in_plane = along * along * garment.compliance[0] + across * across * garment.compliance[1] + along * across * garment.compliance[2];
    return constraint.scale * (along < 0.0 ? garment.compliance[3] : in_plane);
}

// What a thread holds of some colours of a patch, one constraint of each, while it sweeps over them: registers, since every index is
// known when the shader is compiled.
struct Held {
    uint ends[MAX_COLOURS]; // NO_ENDS where a colour has none for the thread
    float rest_lengths[MAX_COLOURS];
    float compliances[MAX_COLOURS];
    float multipliers[MAX_COLOURS];
};

// Returns the constraint's multiplier after it. `max_length`: what it is never longer than. Without branches but round what is stored: with one
// for each reason not to move, a character's solves take a fifteenth longer.
float project(uint ends, float rest_length, float max_length, float compliance, float multiplier) {
    uint a = ends & 0xFFFFu, b = ends >> 16;
    vec4 at_a = local[a], at_b = local[b];
    vec3 apart = at_a.xyz - at_b.xyz;
    float squared = dot(apart, apart);
    float inverse_masses = at_a.w + at_b.w;
    // There is no constraint; no way is away from there; nothing moves; it takes no part.
    bool moves = ends != NO_ENDS && squared > 0.0 && inverse_masses > 0.0 && min(at_a.w, at_b.w) >= 0.0;
    float inverse_distance = inversesqrt(squared), distance = squared * inverse_distance;
    float change = (rest_length - distance - compliance * multiplier) / (inverse_masses + compliance);
    change = min(change, (max_length - distance) / inverse_masses);
    if (moves) move_apart(a, at_a, b, at_b, apart * (change * inverse_distance));
    return moves ? multiplier + change : multiplier;
}

// The thread's constraints of `count` colours, at most COLOURS, from `first` on. `seconds_squared`: what their compliances are divided by.
// Without branches, for those wait until what they branch on is loaded, colour by colour.
Held held_of(Patch patched, uint first, uint count, GarmentSettings garment, float seconds_squared) {
    Held held;
    [[unroll]] for (uint i = 0; i < COLOURS; ++i) {
        uint place = place_of(patched, first, i, count);
        Constraint constraint = constraint_at(place == NOTHING ? 0 : place);
        held.ends[i] = place == NOTHING || constraint.ends == NOTHING ? NO_ENDS : constraint.ends;
        held.rest_lengths[i] = constraint.rest_length;
        held.compliances[i] = compliance_of(constraint, garment) / seconds_squared;
        held.multipliers[i] = first_iteration != 0 || place == NOTHING ? 0.0 : multipliers[place];
    }
    return held;
}

// For the next solve of the sub-step.
void keep_multipliers(Patch patched, uint first, uint count, Held held) {
    if (last_iteration != 0) return;
    [[unroll]] for (uint i = 0; i < COLOURS; ++i) {
        uint place = place_of(patched, first, i, count);
        if (place != NOTHING) multipliers[place] = held.multipliers[i];
    }
}

// Projects what the threads hold of `count` colours, colour by colour. Called by all threads of a workgroup.
void sweep_over(inout Held held, uint count, float max_strain) {
    [[unroll]] for (uint i = 0; i < COLOURS; ++i) {
        if (i >= count) break;
        float max_length = held.rest_lengths[i] * (1.0 + max_strain);
        held.multipliers[i] = project(held.ends[i], held.rest_lengths[i], max_length, held.compliances[i], held.multipliers[i]);
        barrier();
    }
}

// Of a sub-step's motion, with the impulse of all the time since they were solved last (multiple time steps by impulses: Grubmüller and
// others, 1991).
void bend(Patch patched, GarmentSettings garment) {
    uint since = own_sub_step_span(garment.stride * BEND_STRIDE, sub_step_ix, sub_steps);
    if (since == 0) return;
    uint first = patched.stretch_colours, count = patched.bend_colours;
    Held held = held_of(patched, first, count, garment, own_seconds * sub_step * float(since));
    sweep_over(held, count, NO_LIMIT);
    keep_multipliers(patched, first, count, held);
}

// What a thread holds of the colours of a patch's long-range constraints.
struct LongRange {
    uint ends[LONG_RANGE_COLOURS]; // NOTHING where a colour has none for the thread
    float max_lengths[LONG_RANGE_COLOURS];
};

LongRange long_range_of(Patch patched, GarmentSettings garment) {
    uint first = patched.stretch_colours + patched.bend_colours;
    LongRange held;
    [[unroll]] for (uint i = 0; i < LONG_RANGE_COLOURS; ++i) {
        uint place = place_of(patched, first, i, patched.long_range_colours);
        Constraint constraint = constraint_at(place == NOTHING ? 0 : place);
        held.ends[i] = place == NOTHING ? NOTHING : constraint.ends;
        held.max_lengths[i] = constraint.rest_length * (1.0 + garment.strain_limit);
    }
    return held;
}

// Carries tension over several edges at once. Called by all threads of a workgroup.
void carry_tension(LongRange held, uint count) {
    [[unroll]] for (uint i = 0; i < LONG_RANGE_COLOURS; ++i) {
        if (i >= count) break;
        if (held.ends[i] != NOTHING) keep_within(held.ends[i], held.max_lengths[i]);
        barrier();
    }
}

// Without friction, which is taken once, at the end. Called by all threads of a workgroup.
void keep_in_front(Planes planes) {
    [[unroll]] for (uint k = 0; k < PARTICLES_PER_LANE; ++k) {
        uint i = gl_LocalInvocationID.x + k * LANES;
        vec4 at = local[i];
        float depth = planes.of[k].w - dot(planes.of[k].xyz, at.xyz);
        if (depth > 0.0) local[i] = vec4(at.xyz + planes.of[k].xyz * depth, at.w);
    }
    barrier();
}

// What threads hold is loaded before the first of them waits. Cloth pulled tight over a limb would be pulled into it by every sweep, were
// it held in front of its contacts after the last alone.
void stretch(Patch patched, GarmentSettings garment) {
    uint first = 0, count = patched.stretch_colours;
    Held held = held_of(patched, first, count, garment, own_seconds * own_seconds);
    Planes planes = planes_of(patched);
    LongRange long_range = long_range_of(patched, garment);
    for (uint sweep = 0; sweep < sweeps; ++sweep) {
        // In the loop for its registers' sake: before it, NVIDIA's compiler (580) holds 14 fewer, and a crowd's solves take a seventh longer.
        if (sweep == 0) carry_tension(long_range, patched.long_range_colours);
        sweep_over(held, count, garment.strain_limit);
        keep_in_front(planes);
    }
    keep_multipliers(patched, first, count, held);
}

// A spring without length to where skinning puts the particle: its multiplier is a vector.
vec3 towards_attachment(uint particle_ix, float inverse_mass, float compliance, vec3 target, vec3 position) {
    compliance /= own_seconds * own_seconds;
    vec3 multiplier = first_iteration != 0 ? vec3(0.0) : attachment_multipliers[particle_ix].xyz;
    vec3 change = (target - position - compliance * multiplier) / (inverse_mass + compliance);
    if (last_iteration == 0) attachment_multipliers[particle_ix] = vec4(multiplier + change, 0.0);
    return position + inverse_mass * change;
}

// Attachments come before the sweeps, which then have the later word: they would stretch the cloth with the skin.
void attach(Patch patched) {
    uint i = gl_LocalInvocationID.x; // a patch owns no more particles than there are threads
    if (i >= patched.owned) return;
    uint particle_ix = patch_particles[patched.first_particle + i];
    float compliance = particles[particle_ix].attachment_compliance;
    vec4 at = local[i];
    if (at.w <= 0.0 || compliance < 0.0) return;
    vec3 target = target_of(particles[particle_ix].target_ix);
    local[i] = vec4(towards_attachment(particle_ix, at.w, compliance, target, at.xyz), at.w);
}

// Called by all threads of a workgroup.
void load(Patch patched, GarmentSettings garment) {
    load_particles(patched, garment);
    attach(patched);
    barrier();
}

// Towards where it is no further from its anchors than the cloth between them is long.
vec3 within_tethers(uint particle_ix, vec3 position) {
    for (uint i = 0; i < TETHERS_PER_PARTICLE; ++i) {
        Tether tether = tethers[particle_ix * TETHERS_PER_PARTICLE + i];
        if (tether.anchor_ix == 0xFFFFFFFFu) break;
        vec3 anchor = target_of(particles[tether.anchor_ix].target_ix);
        vec3 apart = position - anchor;
        position += TETHER_SHARE * apart * min(0.0, tether.max_length / max(length(apart), 1e-6) - 1.0);
    }
    return position;
}

// The constraints that concern one particle alone.
vec3 constrain_particle(uint particle_ix, GarmentSettings garment, vec4 placed) {
    Particle particle = particles[particle_ix];
    vec3 position = placed.xyz;
    vec4 hold = hold_of(particle_ix, target_time);
    if (hold.w >= 1.0 || placed.w < 0.0) return position;
    if (garment.tethered != 0) position = within_tethers(particle_ix, position);
    vec3 target = target_of(particle.target_ix);
    // Collision has put it here; from there it slides, but goes no deeper, and no further than what is left of friction lets it.
    vec4 found = before[particle_ix];
    if (found.w != 0.0) position = in_front_of_contact(found, position);
    position = allowed_place(particle, garment.motion_scale, target, target_normals[particle.target_ix], position);
    position = above_ground(ground, garment.thickness, garment.friction, current[particle_ix].xyz, position);
    return mix(position, hold.xyz, hold.w);
}

// Stores where a particle is after the solve, or where the next sub-step takes it from there.
void store(uint particle_ix, vec4 solved) {
    Path path = Path(current[particle_ix], solved);
    if (begins_ix < sub_steps) {
        path = predict(particle_ix, path);
        current_after[particle_ix] = path.from;
    }
    after[particle_ix] = path.to;
}

// The buffers take turns, also where nothing is solved.
void carry_over(Patch patched) {
    for (uint i = gl_LocalInvocationID.x; i < patched.owned; i += LANES) {
        uint particle_ix = patch_particles[patched.first_particle + i];
        store(particle_ix, before[particle_ix]);
    }
}

void main() {
    Patch patched = patches[gl_WorkGroupID.x];
    GarmentSettings garment = garments[patched.garment_ix];
    uint span = own_sub_step_span(garment.stride, sub_step_ix, sub_steps);
    if (span == 0) {
        carry_over(patched);
        return;
    }
    own_seconds = sub_step * float(span);
    load(patched, garment);
    // No garment bends in other sub-steps: the branch is the same for all workgroups.
    if ((sub_steps - 1 - sub_step_ix) % BEND_STRIDE == 0) bend(patched, garment);
    stretch(patched, garment);
    for (uint i = gl_LocalInvocationID.x; i < patched.owned; i += LANES) {
        uint particle_ix = patch_particles[patched.first_particle + i];
        store(particle_ix, vec4(constrain_particle(particle_ix, garment, local[i]), 0.0));
    }
}
