// The kernel of the techniques whose fields are attached to bones (paper, sections 6.1 to 6.3): tests every particle against the
// fields near it and resolves its contacts. LANES threads per particle share out its fields and the points of its path.
// Includers declare their own buffers from binding 8 on, and define the three functions below; src/collide/iterations.rs is the twin
// of the loop.
#ifndef SHARED_COLLIDE
#define SHARED_COLLIDE

#include "shared/structs.glsl"
#include "shared/iterations.glsl"

layout(local_size_x = 64) in;
// Threads that work on one particle: a power of two, and no fewer than four, so that a workgroup's particles are of one group.
layout(constant_id = 0) const uint LANES = 4;
#include "shared/particles.glsl"
layout(scalar, binding = 5) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 6) readonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 7) readonly buffer Candidates { CandidateGroup candidate_groups[]; };
layout(scalar, push_constant) uniform Push {
    uint field_count;
    uint transform_offset; // of the sub-step's beginning; those of its end follow
    uint path_samples;     // pseudo-continuous: how many points of the path are tested
    uint friction_model;
    uint first_sub_step;   // 0 or 1: contacts start anew
};

#include "shared/candidates.glsl"

// Whether a path, in world space and relative to the field on its way, comes within `margin` metres of the field's cells.
bool overlaps_field(uint field_ix, vec3 from, vec3 to, float margin);

// Follows the particle's path relative to one field, by every LANES-th point from `first_sample` on; true, and `best` is the new
// contact, when it meets the surface before it, or at the same time but less deep.
bool test_field(uint field_ix, uint first_sample, vec3 from, vec3 to, float thickness, bool is_reduced, inout Hit best);

// Into how many tasks the test of one field can be shared out.
uint tasks_per_field();

const uint CANDIDATE_WORDS = (MAX_CANDIDATES + 31) / 32;

// Of each particle, the candidates that its path comes near, a bit per place in `candidate_list`.
shared uint overlapping[64 / LANES * CANDIDATE_WORDS];

uint candidate_word_count() {
    return (candidate_count + 31) / 32;
}

// A word of the candidates that a particle is tested against. `strayed`: it is no longer where `overlapping` were found.
uint overlapping_word(uint word, bool strayed) {
    if (strayed) return 0xFFFFFFFFu >> (32 - min(candidate_count - word * 32, 32));
    return overlapping[gl_LocalInvocationID.x / LANES * CANDIDATE_WORDS + word];
}

// Sets the particle's bits of `overlapping`, each of its threads those of its share. Called by all threads of a workgroup.
void find_overlapping(uint lane, vec3 from, vec3 to, float thickness) {
    uint first_word = gl_LocalInvocationID.x / LANES * CANDIDATE_WORDS;
    for (uint word = lane; word < candidate_word_count(); word += LANES) overlapping[first_word + word] = 0;
    barrier();
    for (uint slot = lane; slot < candidate_count; slot += LANES) {
        bool meets = overlaps_field(candidate_list[slot], from, to, thickness + RESPONSE_MARGIN);
        if (meets) atomicOr(overlapping[first_word + slot / 32], 1u << (slot % 32));
    }
    barrier();
}

// What each thread found, for the others of its particle.
shared float found_times[64];
shared float found_depths[64];
shared uint found_fields[64];
shared Contact found_contacts[64];
// Whether any particle of the workgroup is held, for this iteration and the next.
shared uint any_contact[2];

// The best contact so far of a thread's share of the tasks.
struct Found {
    Hit hit;
    uint field_ix;
};

// Looks for a particle's first contact in the thread's share of the tasks: a candidate and a point of the path, or all of the path.
void find_first_contact(uint lane, bool strayed, vec3 from, vec3 to, float thickness, bool is_reduced, inout Found found) {
    uint tasks = tasks_per_field();
    uint first_task = 0; // of the field; tasks go round the lanes
    for (uint word = 0; word < candidate_word_count(); ++word) {
        for (uint bits = overlapping_word(word, strayed); bits != 0; bits &= bits - 1) {
            uint task = (lane - first_task) % LANES;
            first_task += tasks;
            if (task >= tasks) continue;
            uint field_ix = candidate_list[word * 32 + findLSB(bits)];
            if (test_field(field_ix, task + 1, from, to, thickness, is_reduced, found.hit)) found.field_ix = field_ix;
        }
    }
}

// The thread whose contact decides: the first, of those at one time the shallowest, of equals the earlier field's.
uint deciding(uint first_lane) {
    uint best = first_lane;
    for (uint i = first_lane + 1; i < first_lane + LANES; ++i) {
        bool ties = found_times[i] == found_times[best];
        bool ties_twice = ties && found_depths[i] == found_depths[best];
        if (found_times[i] < found_times[best] || (ties && found_depths[i] < found_depths[best])
            || (ties_twice && found_fields[i] < found_fields[best])) best = i;
    }
    return best;
}

// For the others of its particle.
void share(Found found) {
    uint local_ix = gl_LocalInvocationID.x;
    found_times[local_ix] = found.hit.time;
    found_depths[local_ix] = found.hit.depth;
    found_fields[local_ix] = found.field_ix;
    found_contacts[local_ix] = found.hit.contact;
}

// A particle on its way out.
struct Moving {
    vec3 from;
    vec3 to;
    vec3 found_at; // where `overlapping` were found
    float thickness;
    bool has_contact;
};

Bounds bounds_of(Moving moving) {
    return widened(bounds_of_path(moving.from, moving.to), moving.thickness);
}

// Looks through all windows of candidates. Called by all threads of a workgroup.
Found search(Moving moving, uint lane, uint iteration, bool listed) {
    float kept = thickness_in(iteration, moving.thickness);
    bool is_reduced = iteration >= FIRST_REDUCED_ITERATION;
    Found found = Found(Hit(2.0, 0.0, Contact(vec3(0.0), vec3(0.0), vec3(0.0))), 0);
    bool strayed = listed && distance(moving.to, moving.found_at) > RESPONSE_MARGIN;
    if (!listed) gather_bounds(bounds_of(moving));
    for (uint window = 0; window < window_count(listed); ++window) {
        begin_window(listed, window);
        if (candidate_count == 0) continue;
        if (!listed || iteration == 0) find_overlapping(lane, moving.from, moving.to, moving.thickness);
        if (moving.has_contact) find_first_contact(lane, strayed, moving.from, moving.to, kept, is_reduced, found);
    }
    return found;
}

void main() {
    uint lane = gl_LocalInvocationID.x % LANES;
    uint group_ix = group_of_workgroup(LANES), particle_ix = particle_of_thread(LANES);
    uint end_particle = candidate_groups[group_ix].end_particle, safe_ix = min(particle_ix, end_particle - 1);
    GarmentSettings garment = garments[particles[safe_ix].garment_ix];
    Moving moving;
    moving.from = current[safe_ix].xyz;
    moving.to = moving.found_at = predicted[safe_ix].xyz;
    moving.thickness = max(garment.thickness, particles[safe_ix].clearance);
    moving.has_contact = !is_astray(safe_ix);
    vec4 deepest = first_sub_step != 0 ? vec4(0.0) : contacts[safe_ix];
    vec3 shift = vec3(0.0);
    float last_normal = 0.0; // packed

    if (gl_LocalInvocationID.x == 0) any_contact[0] = 0;
    bool listed = load_candidates(group_ix, bounds_of(moving));
    for (uint iteration = 0; iteration < RESPONSE_ITERATIONS; ++iteration) {
        share(search(moving, lane, iteration, listed));
        barrier();
        uint decides = deciding(gl_LocalInvocationID.x - lane);
        moving.has_contact = moving.has_contact && found_times[decides] <= 1.0;
        if (gl_LocalInvocationID.x == 0) any_contact[(iteration + 1) % 2] = 0;
        if (moving.has_contact) {
            atomicOr(any_contact[iteration % 2], 1);
            Contact contact = found_contacts[decides];
            float depth = found_depths[decides];
            float kept = thickness_in(iteration, moving.thickness);
            // What was missing already when the sub-step began is corrected without giving the particle speed.
            shift += contact.normal * clamp(depth_of(contact, contact.co_moving, kept), 0.0, depth);
            moving.to = respond(contact, moving.from, moving.to, depth, garment.friction, friction_model);
            last_normal = pack_direction(contact.normal);
            if (depth > deepest.w) deepest = vec4(contact.normal, depth);
        }
        barrier();
        if (any_contact[iteration % 2] == 0) break;
    }
    if (particle_ix >= end_particle || lane != 0) return;
    current[particle_ix].xyz = moving.from + shift;
    predicted[particle_ix] = vec4(moving.to, last_normal);
    contacts[particle_ix] = deepest;
}

#endif
