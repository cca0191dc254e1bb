// Tests every particle against the fields and resolves its contacts (paper, sections 6.1 to 6.3), its path by points or cell by cell.
// Reads: fields, their cells and radii, their transforms before and after this sub-step. Writes: predicted positions, contacts;
// current positions where a particle began inside, so that resolving a penetration gives it no speed.
// LANES threads per particle, which divide its candidates and the points of its path; a workgroup first finds the fields
// near all of its particles, then those near each. Runs after the constraints.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"
#include "shared/iterations.glsl"

layout(local_size_x = 64) in;
// Threads that work on one particle: a power of two.
layout(constant_id = 1) const uint LANES = 4;
// 0: points of the path are tested (paper, section 6.2); 1: every half cell that it passes.
layout(constant_id = 0) const uint DETECTION = 0;
const uint DETECTION_MARCH = 1;
// Metres of a path within which the march takes contacts for simultaneous: half a usual cell. Smaller and rounding decides which of
// two fields at a joint pushes a particle, much larger and of two fingers met in one sub-step the one behind may.
const float SAME_PLACE = 0.005;
#include "shared/particles.glsl"
layout(scalar, binding = 5) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 6) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 7) readonly buffer Cells { uint cells[]; };
layout(scalar, binding = 8) readonly buffer Radii { float radii[]; };
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint field_count;
    uint transform_offset; // of the transforms before this sub-step; those after it follow
    uint path_samples;     // pseudo-continuous: how many points of the path are tested; the march ignores it
    uint friction_model;
    uint first_sub_step;   // 0 or 1: contacts start anew
};

#include "radial/surface.glsl"
#include "radial/march.glsl"
#include "radial/candidates.glsl"

// Metres relative to the body: in reduced-thickness iterations the march follows only particles that go further; the others cannot be put
// through a limb, and what decides is where they end up.
const float FAST = 0.05;

// A particle and one field during this sub-step.
struct Pair {
    Field field;
    FieldTransform after;
    vec3 to;    // predicted, world space
    vec3 start; // of the path relative to the field, field space
    vec3 end;
    vec3 co_moving; // where the particle would be had it moved rigidly with the field, world space
    float thickness;
};

float length_in_world(Pair pair, Plane plane) {
    return length(transpose(mat3(affine(pair.after.field_from_world))) * plane.normal);
}

// The verdict on a plane that the path meets at `time`. Where it meets `best` at the same time it must be less deep.
uint consider(Pair pair, Plane plane, float time, inout Hit best) {
    vec3 normal = transpose(mat3(affine(pair.after.field_from_world))) * plane.normal;
    Contact contact;
    contact.normal = normal / length(normal);
    contact.point = affine(pair.after.world_from_field) * vec4(plane.point, 1.0);
    float depth = depth_of(contact, pair.to, pair.thickness);
    if (depth <= MIN_DEPTH) return MISSES;
    if (time > best.time || (time == best.time && depth >= best.depth)) return LOSES;
    contact.co_moving = pair.co_moving;
    best = Hit(time, depth, contact);
    return DECIDES;
}

// Whether the particle is less than the thickness outside at a point of its path, and the verdict.
uint test_point(Pair pair, float time, inout Hit best) {
    vec3 at = mix(pair.start, pair.end, time);
    Plane plane;
    if (!surface_at(pair.field, at, plane)) return MISSES;
    float size = length_in_world(pair, plane);
    if (!(size > 0.0) || dot(plane.normal, at - plane.point) >= pair.thickness * size) return MISSES;
    return consider(pair, plane, time, best);
}

// Follows the path through every half cell. Of two fields that the particle meets in one place the shallower decides, as with
// samples, so its times are told apart no finer than SAME_PLACE.
uint march(Pair pair, inout Hit best) {
    float parts = max(1.0, ceil(length(pair.to - pair.co_moving) / SAME_PLACE));
    Walk walk = begin_walk(pair.field, pair.start, pair.end);
    Crossing crossing;
    while (next_quad(pair.field, walk, crossing)) {
        for (uint i = 0; i < 2; ++i) {
            if (i == 1 && crossing.lower[0] == crossing.lower[1]) break;
            Plane plane;
            if (!half_plane(pair.field, crossing.quad, crossing.lower[i], plane)) continue;
            float size = length_in_world(pair, plane);
            float time;
            if (!(size > 0.0)) continue;
            if (!comes_below(plane, walk, crossing.times[i], crossing.times[i + 1], pair.thickness * size, time)) continue;
            uint verdict = consider(pair, plane, max(1.0, ceil(time * parts)) / parts, best);
            if (verdict != MISSES) return verdict;
        }
    }
    // Independently of rounding at the borders, the end of the path is tested.
    return test_point(pair, 1.0, best);
}

// Follows the particle's path relative to one field, by every LANES-th point from `first_sample` on; true, and `best` is the new
// contact, when it meets the surface before it, or at the same time but less deep.
bool test_field(uint field_ix, uint first_sample, vec3 from, vec3 to, float thickness, bool is_reduced, inout Hit best) {
    Pair pair;
    pair.field = fields[field_ix];
    pair.after = transforms[transform_offset + field_count + field_ix];
    pair.to = to;
    pair.start = affine(transforms[transform_offset + field_ix].field_from_world) * vec4(from, 1.0);
    pair.end = affine(pair.after.field_from_world) * vec4(to, 1.0);
    pair.thickness = thickness;
    if (!path_overlaps_cylinder(field_ix, pair.start, pair.end, thickness * pair.after.max_scale)) return false;
    pair.co_moving = affine(pair.after.world_from_field) * vec4(pair.start, 1.0);
    if (DETECTION == DETECTION_MARCH) {
        bool follows = !is_reduced || distance(to, pair.co_moving) >= FAST;
        return (follows ? march(pair, best) : test_point(pair, 1.0, best)) == DECIDES;
    }
    for (uint i = first_sample; i <= path_samples; i += LANES) {
        float time = float(i) / float(path_samples);
        if (time > best.time) return false;
        uint verdict = test_point(pair, time, best);
        if (verdict != MISSES) return verdict == DECIDES;
    }
    return false;
}

const uint CANDIDATE_WORDS = CANDIDATE_CHUNK / 32;

// For each particle, the candidates whose cylinders its path overlaps, one bit per place in `candidate_list`.
shared uint overlapping[64 / LANES * CANDIDATE_WORDS];

uint candidate_word_count() {
    return (candidate_count + 31) / 32;
}

// A word of the candidates that a particle is tested against. `strayed`: it has left the response margin round where
// `overlapping` were found.
uint overlapping_word(uint word, bool strayed) {
    if (strayed) return 0xFFFFFFFFu >> (32 - min(candidate_count - word * 32, 32));
    return overlapping[gl_LocalInvocationID.x / LANES * CANDIDATE_WORDS + word];
}

// Sets the particle's bits of `overlapping`, each of its threads those of its share. Called by all threads of a workgroup.
void find_overlapping(uint chunk, uint lane, vec3 from, vec3 to, float thickness) {
    uint first_word = gl_LocalInvocationID.x / LANES * CANDIDATE_WORDS;
    for (uint word = lane; word < candidate_word_count(); word += LANES) overlapping[first_word + word] = 0;
    barrier();
    for (uint slot = lane; slot < candidate_count; slot += LANES) {
        bool meets = overlaps_field(chunk + candidate_list[slot], from, to, thickness + RESPONSE_MARGIN);
        if (meets) atomicOr(overlapping[first_word + slot / 32], 1u << (slot % 32));
    }
    barrier();
}

// The result of each thread, for the others of its particle.
shared float found_times[64];
shared float found_depths[64];
shared uint found_fields[64];
shared Contact found_contacts[64];
// Whether any particle of the workgroup has a contact, in this iteration and the next.
shared uint any_contact[2];

// The first contact of a particle in the thread's share of the tasks: a candidate and a point of the path, or all of the path.
void find_first_contact(uint chunk, uint lane, bool strayed, vec3 from, vec3 to, float thickness, bool is_reduced) {
    uint local_ix = gl_LocalInvocationID.x;
    Hit best;
    best.time = 2.0;
    best.depth = 0.0;
    uint best_field = 0;
    uint tasks = DETECTION == DETECTION_MARCH ? 1 : path_samples;
    uint first_task = 0; // of the field; tasks go round the lanes
    for (uint word = 0; word < candidate_word_count(); ++word) {
        for (uint bits = overlapping_word(word, strayed); bits != 0; bits &= bits - 1) {
            uint task = (lane - first_task) % LANES;
            first_task += tasks;
            if (task >= tasks) continue;
            uint field_ix = chunk + candidate_list[word * 32 + findLSB(bits)];
            if (test_field(field_ix, task + 1, from, to, thickness, is_reduced, best)) best_field = field_ix;
        }
    }
    found_times[local_ix] = best.time;
    found_depths[local_ix] = best.depth;
    found_fields[local_ix] = best_field;
    found_contacts[local_ix] = best.contact;
}

// The thread whose contact decides: the earliest, of simultaneous ones the shallowest, of equal ones the earlier field's.
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

void main() {
    uint lane = gl_LocalInvocationID.x % LANES;
    uint particle_ix = gl_GlobalInvocationID.x / LANES;
    bool alive = particle_ix < particle_count;
    uint safe_ix = min(particle_ix, particle_count - 1);
    vec3 from = current[safe_ix].xyz;
    vec3 to = predicted[safe_ix].xyz;
    GarmentSettings garment = garments[particles[safe_ix].garment_ix];
    float thickness = max(garment.thickness, particles[safe_ix].clearance);
    vec4 deepest = first_sub_step != 0 ? vec4(0.0) : contacts[safe_ix];
    vec3 shift = vec3(0.0);
    float last_normal = 0.0; // packed

    gather_bounds(from, to, thickness);
    for (uint chunk = 0; chunk < field_count; chunk += CANDIDATE_CHUNK) {
        if (gl_LocalInvocationID.x == 0) any_contact[0] = 0;
        find_candidates(chunk);
        list_candidates(chunk);
        find_overlapping(chunk, lane, from, to, thickness);
        vec3 found_at = to;
        bool has_contact = !is_astray(safe_ix);
        for (uint iteration = 0; iteration < RESPONSE_ITERATIONS; ++iteration) {
            bool is_reduced = iteration >= FIRST_REDUCED_ITERATION;
            float kept = thickness_in(iteration, thickness);
            if (has_contact) find_first_contact(chunk, lane, distance(to, found_at) > RESPONSE_MARGIN, from, to, kept, is_reduced);
            barrier();
            uint decides = deciding(gl_LocalInvocationID.x - lane);
            has_contact = has_contact && found_times[decides] <= 1.0;
            if (gl_LocalInvocationID.x == 0) any_contact[(iteration + 1) % 2] = 0;
            if (has_contact) {
                atomicOr(any_contact[iteration % 2], 1);
                Contact contact = found_contacts[decides];
                float depth = found_depths[decides];
                // What was missing already when the sub-step began is corrected without giving the particle speed.
                shift += contact.normal * clamp(depth_of(contact, contact.co_moving, kept), 0.0, depth);
                to = respond(contact, from, to, depth, garment.friction, friction_model);
                last_normal = pack_direction(contact.normal);
                if (depth > deepest.w) deepest = vec4(contact.normal, depth);
            }
            barrier();
            if (any_contact[iteration % 2] == 0) break;
        }
        barrier();
    }
    if (!alive || lane != 0) return;
    current[particle_ix].xyz = from + shift;
    predicted[particle_ix] = vec4(to, last_normal);
    contacts[particle_ix] = deepest;
}
