// The kernel of the techniques whose fields are attached to bones (paper, sections 6.1 to 6.3): tests every particle against the
// fields near it, and against rigid solids if there are any, and resolves its contacts. LANES threads per particle share out its
// fields. Includers declare their own buffers from binding 11 on, and define the two functions below; src/collide/iterations.rs is the
// twin of the loop.
#ifndef SHARED_COLLIDE
#define SHARED_COLLIDE

#include "shared/structs.glsl"
#include "shared/iterations.glsl"

// A workgroup is no larger than what most devices run in lockstep, where barriers cost nothing.
#define THREADS 32
layout(local_size_x = THREADS) in;
// Threads that work on one particle: 2, 4 or 8; a workgroup's particles are of one group.
layout(constant_id = 0) const uint LANES = 4;
// Nothing is paid for solids that are not there.
layout(constant_id = 1) const bool HAS_SOLIDS = false;
#define PATH_STARTS 10
#include "shared/particles.glsl"
layout(scalar, binding = 5) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 6) readonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 7) readonly buffer Candidates { CandidateGroup candidate_groups[]; };
layout(scalar, push_constant) uniform Push {
    uint field_count;      // with solids
    uint sub_step_ix;
    uint sub_steps;      // of the step
    uint path_samples;   // pseudo-continuous: how many points of the path are tested
    uint friction_model;
    uint goes_on;        // 0 or 1: another technique has met the particles before in this collision
    uint first_solid;    // solids follow the technique's own fields
    uint collision_stride; // sub-steps from one collision to the next
};

#include "shared/sub_step_ends.glsl"

#define SOLIDS 8
#define SOLID_WORDS 9
#include "shared/solid_contacts.glsl"

#include "shared/candidates.glsl"

// Whether a path, in world space and relative to the field on its way, comes within `margin` metres of the field's cells.
bool overlaps_field(uint field_ix, vec3 from, vec3 to, float margin);

// Follows the particle's path relative to one field; true, and `best` is the new contact, when it meets the surface before it, or at the
// same time but less deep.
bool test_field(uint field_ix, vec3 from, vec3 to, Iteration iteration, inout Hit best);

bool overlaps_candidate(uint field_ix, vec3 from, vec3 to, float margin) {
    if (HAS_SOLIDS && field_ix >= first_solid) return overlaps_solid(field_ix, from, to, margin);
    return overlaps_field(field_ix, from, to, margin);
}

bool test_candidate(uint field_ix, vec3 from, vec3 to, Iteration iteration, inout Hit best) {
    if (HAS_SOLIDS && field_ix >= first_solid) return test_solid(field_ix, from, to, iteration, best);
    return test_field(field_ix, from, to, iteration, best);
}

// A bit for each candidate of a thread, which tests every LANES-th of the list.
uvec2 bit_of(uint slot) {
    uint place = slot / LANES;
    return uvec2(place < 32 ? 1u << place : 0, place < 32 ? 0 : 1u << place - 32);
}

// Those of a thread's candidates that its particle's path comes near. A particle that strays no further than RESPONSE_MARGIN meets no other.
uvec2 find_overlapping(uint lane, vec3 from, vec3 to, float thickness) {
    uvec2 overlapping = uvec2(0);
    for (uint slot = lane; slot < candidate_count; slot += LANES) {
        bool meets = overlaps_candidate(candidate_list[slot], from, to, thickness + RESPONSE_MARGIN);
        if (meets) overlapping |= bit_of(slot);
    }
    return overlapping;
}

// All of a thread's candidates.
uvec2 all_candidates(uint lane) {
    uvec2 all = uvec2(0);
    for (uint slot = lane; slot < candidate_count; slot += LANES) all |= bit_of(slot);
    return all;
}

// What each thread found, for the others of its particle.
shared float found_times[THREADS];
shared float found_depths[THREADS];
shared uint found_fields[THREADS];
shared Contact found_contacts[THREADS];
// Whether any particle of the workgroup is held, for this iteration and the next.
shared uint any_contact[2];

// The best contact so far of a thread's share of the tasks.
struct Found {
    Hit hit;
    uint field_ix;
};

// Looks for a particle's first contact with those candidates.
void find_first_contact(uint lane, uvec2 overlapping, vec3 from, vec3 to, Iteration iteration, inout Found found) {
    for (uint word = 0; word < 2; ++word) {
        for (uint bits = overlapping[word]; bits != 0; bits &= bits - 1) {
            uint field_ix = candidate_list[(word * 32 + findLSB(bits)) * LANES + lane];
            if (test_candidate(field_ix, from, to, iteration, found.hit)) found.field_ix = field_ix;
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
    uvec2 overlapping; // see find_overlapping
    float thickness;
    float size; // of the body that wears it
    bool has_contact;
};

Bounds bounds_of(Moving moving) {
    return widened(bounds_of_path(moving.from, moving.to), moving.thickness);
}

// Looks through all windows of a group's candidates. Called by all threads of a workgroup.
Found search(inout Moving moving, uint group_ix, uint lane, uint number, bool listed) {
    Iteration iteration = iteration_of(number, moving.thickness, moving.size);
    Found found = Found(Hit(2.0, 0.0, Contact(vec3(0.0), vec3(0.0), vec3(0.0))), 0);
    bool strayed = listed && distance(moving.to, moving.found_at) > RESPONSE_MARGIN;
    if (!listed) gather_bounds(bounds_of(moving));
    uint windows = window_count(group_ix, listed);
    for (uint window = 0; window < windows; ++window) {
        begin_window(group_ix, listed, window);
        if (candidate_count == 0) continue;
        if (!moving.has_contact) continue;
        if (!listed || number == 0) moving.overlapping = find_overlapping(lane, moving.from, moving.to, moving.thickness);
        if (strayed) moving.overlapping = all_candidates(lane);
        find_first_contact(lane, moving.overlapping, moving.from, moving.to, iteration, found);
    }
    return found;
}

// How the surface that decides answers a particle.
struct Answer {
    float friction;
    float restitution;
};

// A particle bounces once in a sub-step, off what it meets first.
Answer answer_of(uint field_ix, uint iteration, float friction) {
    if (!HAS_SOLIDS || field_ix < first_solid) return Answer(friction, 0.0);
    Solid solid = solids[field_ix - first_solid];
    return Answer(friction_between(solid, friction), iteration == 0 ? solid.restitution : 0.0);
}

void main() {
    uint lane = gl_LocalInvocationID.x % LANES;
    uint group_ix = group_of_workgroup(LANES), particle_ix = particle_of_thread(LANES);
    uint end_particle = candidate_groups[group_ix].end_particle, safe_ix = min(particle_ix, end_particle - 1);
    GarmentSettings garment = garments[particles[safe_ix].garment_ix];
    uint span = collision_span(garment.stride, collision_stride, sub_step_ix, sub_steps);
    if (span == 0) return;
    set_sub_step_ends(span);
    float since = float(span) / float(own_sub_step_span(garment.stride, sub_step_ix, sub_steps));
    Moving moving;
    moving.from = path_start(safe_ix, since);
    moving.to = moving.found_at = predicted[safe_ix].xyz;
    moving.thickness = max(garment.thickness, particles[safe_ix].clearance);
    moving.size = particles[safe_ix].size;
    moving.has_contact = !is_astray(safe_ix);
    // Contacts start anew with the step.
    vec4 deepest = goes_on == 0 && span > sub_step_ix ? vec4(0.0) : contacts[safe_ix];
    vec3 shift = vec3(0.0);
    float unused = 0.0; // friction, metres
    vec3 last_normal = vec3(0.0), last_co_moving = moving.from;
    bool is_pinched = false;
    float last_contact = predicted[safe_ix].w; // packed; 0 unless another technique has met the particle before

    if (gl_LocalInvocationID.x == 0) any_contact[0] = 0;
    bool listed = load_candidates(group_ix, bounds_of(moving)) || find_candidates(group_ix, bounds_of(moving));
    for (uint iteration = 0; iteration < RESPONSE_ITERATIONS; ++iteration) {
        share(search(moving, group_ix, lane, iteration, listed));
        barrier();
        uint decides = deciding(gl_LocalInvocationID.x - lane);
        moving.has_contact = moving.has_contact && found_times[decides] <= 1.0;
        if (gl_LocalInvocationID.x == 0) any_contact[(iteration + 1) % 2] = 0;
        if (moving.has_contact) {
            atomicOr(any_contact[iteration % 2], 1);
            Contact contact = found_contacts[decides];
            float depth = found_depths[decides];
            float kept = iteration_of(iteration, moving.thickness, moving.size).thickness;
            // What was missing already when the sub-step began is corrected without giving the particle speed.
            shift += contact.normal * clamp(depth_of(contact, contact.co_moving, kept), 0.0, depth);
            Answer answer = answer_of(found_fields[decides], iteration, garment.friction);
            vec2 bounced = bounce(contact, moving.to, depth, kept, answer.restitution);
            shift += contact.normal * bounced.y;
            unused += unused_friction(contact, moving.to, depth, answer.friction, friction_model);
            moving.to = respond(contact, moving.to, depth, answer.friction, friction_model) + contact.normal * bounced.x;
            // Between surfaces that face each other neither holds cloth: where it lies is an accident of the last push.
            is_pinched = is_pinched || dot(contact.normal, last_normal) < 0.0;
            last_normal = contact.normal;
            last_co_moving = contact.co_moving;
            last_contact = pack_contact(contact.normal, is_pinched ? 0.0 : unused);
            if (depth > deepest.w) deepest = vec4(contact.normal, depth);
        }
        barrier();
        if (any_contact[iteration % 2] == 0) break;
    }
    if (particle_ix >= end_particle || lane != 0) return;
    // What is pushed to and fro goes along with what has pushed it last: the way between is no motion.
    if (is_pinched) shift = moving.to - last_co_moving;
    current[particle_ix].xyz += current_shift(moving.to - predicted[particle_ix].xyz, shift, since);
    predicted[particle_ix] = vec4(moving.to, last_contact);
    contacts[particle_ix] = deepest;
}

#endif
