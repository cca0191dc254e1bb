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
    uint goes_on;        // 0 or 1: what the particles have met before in this step, or by another technique, still counts
    uint is_reduced;     // 0 or 1: the particles are kept out of the skin alone
    uint first_solid;    // solids follow the technique's own fields
    uint collision_stride; // sub-steps from one collision to the next
    uint first_layer_field; // see shared/candidates.glsl
};

#include "shared/sub_step_ends.glsl"

#define SOLIDS 8
#define SOLID_WORDS 9
#include "shared/solid_contacts.glsl"

#include "shared/candidates.glsl"
#include "shared/overlapping.glsl"

// The one that a collision begins with.
uint first_iteration() {
    return is_reduced != 0 ? FIRST_REDUCED_ITERATION : 0;
}

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

// The particles of a workgroup, of which those that are on their way out share out the threads, up to MOST_LANES for each.
const uint PARTICLES = THREADS / LANES;
const uint MOST_LANES = 8;

// A particle on its way out.
struct Moving {
    uint particle_ix;
    uint place; // among the workgroup's particles
    vec3 from;
    vec3 to;
    float thickness;
    float size; // of the body that wears it
    bool has_contact;
    vec4 deepest; // see Contacts
    vec3 shift; // of its current position, which gives it no speed
    float unused; // friction, metres
    vec3 last_normal; // zero: it has met nothing
    vec3 last_co_moving;
    bool is_pinched; // between surfaces that face each other
};

// What each thread found, for the others of its particle; and of each particle the contact that decides.
shared float found_times[THREADS];
shared float found_depths[THREADS];
shared uint found_fields[THREADS];
shared Contact deciding_contacts[PARTICLES];
// A bit for each particle that goes on, by its first thread: for this iteration and the next.
shared uint going[2];
// Those that go on, on their way to other threads.
shared Moving waiting[PARTICLES / 2];

// Threads per particle, and which of them this one is.
uint lanes = LANES;
uint lane = gl_LocalInvocationID.x % LANES;

// Marks those candidates that the particles' paths come near. One that strays no further than RESPONSE_MARGIN meets no other.
void find_overlapping(Moving moving) {
    clear_overlapping();
    if (moving.has_contact) {
        for (uint slot = lane; slot < candidate_count; slot += lanes) {
            bool meets = overlaps_candidate(candidate_list[slot], moving.from, moving.to, moving.thickness + RESPONSE_MARGIN);
            if (meets) mark_overlapping(moving.place, slot);
        }
    }
    barrier();
}

// A contact that decides among those looked at so far, and whose it is.
struct Found {
    Hit hit;
    uint field_ix;
};

// Looks for a particle's first contact with every so many-th of its candidates, as many as it has threads: of those that overlap or, where it
// has strayed, of all.
void find_first_contact(Moving moving, bool strayed, Iteration iteration, inout Found found) {
    uint skipped = lane;
    for (uint first = 0; first < candidate_count; first += 32) {
        uint bits = strayed ? 0xFFFFFFFFu >> 32 - min(candidate_count - first, 32) : overlapping_bits(moving.place, first / 32);
        while (true) {
            for (; skipped > 0 && bits != 0; --skipped) bits &= bits - 1;
            if (bits == 0) break;
            uint field_ix = candidate_list[first + findLSB(bits)];
            if (test_candidate(field_ix, moving.from, moving.to, iteration, found.hit)) found.field_ix = field_ix;
            skipped = lanes;
        }
    }
}

// For the others of its particle.
void share(Found found) {
    uint local_ix = gl_LocalInvocationID.x;
    found_times[local_ix] = found.hit.time;
    found_depths[local_ix] = found.hit.depth;
    found_fields[local_ix] = found.field_ix;
}

// The thread whose contact decides: the first, of those at one time the shallowest, of equals the earlier field's.
uint deciding() {
    uint first_lane = gl_LocalInvocationID.x - lane;
    uint best = first_lane;
    for (uint i = first_lane + 1; i < first_lane + lanes; ++i) {
        bool ties = found_times[i] == found_times[best];
        bool ties_twice = ties && found_depths[i] == found_depths[best];
        if (found_times[i] < found_times[best] || (ties && found_depths[i] < found_depths[best])
            || (ties_twice && found_fields[i] < found_fields[best])) best = i;
    }
    return best;
}

// What decides of all that a particle's threads have found. Called by all threads of a workgroup.
Found decided(Found found) {
    share(found);
    barrier();
    uint decides = deciding(), slot = gl_LocalInvocationID.x / lanes;
    if (gl_LocalInvocationID.x == decides) deciding_contacts[slot] = found.hit.contact;
    barrier();
    return Found(Hit(found_times[decides], found_depths[decides], deciding_contacts[slot]), found_fields[decides]);
}

Bounds bounds_of(Moving moving) {
    return widened(bounds_of_path(moving.from, moving.to), moving.thickness);
}

// Looks through all windows of a group's candidates. Called by all threads of a workgroup.
Found search(Moving moving, uint group_ix, uint number, bool listed) {
    Iteration iteration = iteration_of(number, moving.thickness, moving.size);
    Found found = Found(Hit(2.0, 0.0, Contact(vec3(0.0), vec3(0.0), vec3(0.0))), 0);
    bool strayed = listed && moving.has_contact && distance(moving.to, predicted[moving.particle_ix].xyz) > RESPONSE_MARGIN;
    if (!listed) gather_bounds(bounds_of(moving));
    uint windows = window_count(group_ix, listed);
    for (uint window = 0; window < windows; ++window) {
        begin_window(group_ix, listed, window);
        if (candidate_count == 0) continue;
        if (!listed || number == first_iteration()) find_overlapping(moving);
        if (moving.has_contact) find_first_contact(moving, strayed, iteration, found);
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

Moving begin(uint particle_ix, uint place, GarmentSettings garment, float since, bool starts_anew) {
    Moving moving;
    moving.particle_ix = particle_ix;
    moving.place = place;
    moving.from = path_start(particle_ix, since);
    moving.to = predicted[particle_ix].xyz;
    moving.thickness = max(garment.thickness, particles[particle_ix].clearance);
    moving.size = particles[particle_ix].size;
    moving.has_contact = !is_astray(particle_ix);
    moving.deepest = starts_anew ? vec4(0.0) : contacts[particle_ix];
    moving.shift = vec3(0.0);
    moving.unused = 0.0;
    moving.last_normal = vec3(0.0);
    moving.last_co_moving = moving.from;
    moving.is_pinched = false;
    return moving;
}

// Puts a particle outside the surface that it has been found to meet.
void resolve(inout Moving moving, Found found, uint number, float friction) {
    Contact contact = found.hit.contact;
    float depth = found.hit.depth;
    float kept = iteration_of(number, moving.thickness, moving.size).thickness;
    // What was missing already when the sub-step began is corrected without giving the particle speed.
    moving.shift += contact.normal * clamp(depth_of(contact, contact.co_moving, kept), 0.0, depth);
    Answer answer = answer_of(found.field_ix, number, friction);
    vec2 bounced = bounce(contact, moving.to, depth, kept, answer.restitution);
    moving.shift += contact.normal * bounced.y;
    moving.unused += unused_friction(contact, moving.to, depth, answer.friction, friction_model);
    moving.to = respond(contact, moving.to, depth, answer.friction, friction_model) + contact.normal * bounced.x;
    // Between surfaces that face each other neither holds cloth: where it lies is an accident of the last push.
    moving.is_pinched = moving.is_pinched || dot(contact.normal, moving.last_normal) < 0.0;
    moving.last_normal = contact.normal;
    moving.last_co_moving = contact.co_moving;
    if (depth > moving.deepest.w) moving.deepest = vec4(contact.normal, depth);
}

// Writes what has become of a particle.
void end(Moving moving, float since) {
    vec3 shift = moving.shift;
    // What is pushed to and fro goes along with what has pushed it last: the way between is no motion.
    if (moving.is_pinched) shift = moving.to - moving.last_co_moving;
    vec4 before = predicted[moving.particle_ix];
    current[moving.particle_ix].xyz += current_shift(moving.to - before.xyz, shift, since);
    // 0 unless another technique has met the particle before.
    float contact = before.w;
    if (moving.last_normal != vec3(0.0)) contact = pack_contact(moving.last_normal, moving.is_pinched ? 0.0 : moving.unused);
    predicted[moving.particle_ix] = vec4(moving.to, contact);
    contacts[moving.particle_ix] = moving.deepest;
}

// Hands the threads of particles that are out to those that go on, whose bits `goes_on` has. Called by all threads of a workgroup.
void deal_threads(uint goes_on, inout Moving moving) {
    uint count = bitCount(goes_on), more = lanes;
    while (more < MOST_LANES && 2 * count * more <= THREADS) more *= 2;
    if (more == lanes) return;
    uint first_thread = gl_LocalInvocationID.x - lane;
    if (lane == 0 && moving.has_contact) waiting[bitCount(goes_on & (1u << first_thread) - 1u)] = moving;
    barrier();
    lanes = more;
    lane = gl_LocalInvocationID.x % lanes;
    uint slot = gl_LocalInvocationID.x / lanes;
    moving = waiting[min(slot, count - 1)];
    moving.has_contact = slot < count;
}

void main() {
    uint group_ix = group_of_workgroup(LANES), particle_ix = particle_of_thread(LANES);
    uint end_particle = candidate_groups[group_ix].end_particle, safe_ix = min(particle_ix, end_particle - 1);
    GarmentSettings garment = garments[particles[safe_ix].garment_ix];
    uint span = collision_span(garment.stride, collision_stride, sub_step_ix, sub_steps);
    if (span == 0) return;
    set_sub_step_ends(span);
    float since = float(span) / float(own_sub_step_span(garment.stride, sub_step_ix, sub_steps));
    // Contacts start anew with the step.
    Moving moving = begin(safe_ix, gl_LocalInvocationID.x / LANES, garment, since, goes_on == 0 && span > sub_step_ix);
    bool is_own = particle_ix < end_particle; // not another thread's particle once more
    if (is_own && !moving.has_contact && lane == 0) end(moving, since);
    moving.has_contact = moving.has_contact && is_own;

    if (gl_LocalInvocationID.x == 0) going[first_iteration() % 2] = 0;
    bool listed = load_candidates(group_ix, bounds_of(moving)) || find_candidates(group_ix, bounds_of(moving));
    for (uint iteration = first_iteration(); iteration < RESPONSE_ITERATIONS; ++iteration) {
        Found found = decided(search(moving, group_ix, iteration, listed));
        bool was_held = moving.has_contact;
        moving.has_contact = was_held && found.hit.time <= 1.0;
        if (gl_LocalInvocationID.x == 0) going[(iteration + 1) % 2] = 0;
        if (moving.has_contact) {
            resolve(moving, found, iteration, garment.friction);
            if (lane == 0) atomicOr(going[iteration % 2], 1u << gl_LocalInvocationID.x);
        }
        bool is_last = iteration + 1 == RESPONSE_ITERATIONS;
        if (was_held && lane == 0 && (is_last || !moving.has_contact)) end(moving, since);
        barrier();
        if (going[iteration % 2] == 0) break;
        if (LANES < MOST_LANES) deal_threads(going[iteration % 2], moving);
    }
}

#endif
