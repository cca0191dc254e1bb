// Tests every particle against the fields and puts it outside (paper, sections 6.1 to 6.3), its path by points or cell by cell.
// Reads: fields, their cells, their transforms before and after this sub-step. Writes: predicted positions, contacts;
// current positions where a particle began inside, so that being put outside does not make it fast.
// One thread a particle; a workgroup first finds the fields near all of its particles. Runs after the constraints.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"
#include "shared/response.glsl"

layout(local_size_x = 64) in;
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
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint field_count;
    uint transform_offset; // of the moment before this sub-step; the one after follows
    uint path_samples;     // pseudo-continuous: how many points of the path are tested; the march takes no notice
    uint friction_model;
    uint first_sub_step;   // 0 or 1: contacts start anew
};

#include "radial/surface.glsl"
#include "radial/march.glsl"
#include "radial/near.glsl"

// The paper's response is run this often: the passes after the first settle a particle that several fields hold.
const uint RESPONSE_PASSES = 8;

// The passes from this one on only keep a particle out of the skin: between two surfaces there may be no room for its
// thickness on both sides, and to keep it from one would push it into the other.
const uint FIRST_NARROW_PASS = 2;

// Metres kept from the skin where there is no room for more.
const float NARROW_THICKNESS = 0.001;

// Metres relative to the body: in the narrow passes the march follows only particles that go further; the others cannot be put
// through a limb, and what decides is where they end up.
const float FAST = 0.05;

// Metres. A particle that lacks less is outside: what is left of the push before is rounding, and would hide what another
// field still lacks.
const float LEAST_DEPTH = 5e-6;

struct Hit {
    float time;  // part of the path
    float depth; // metres
    Contact contact;
};

// A particle and one field during this sub-step.
struct Pair {
    Field field;
    FieldTransform after;
    vec3 to;    // predicted, world space
    vec3 start; // of the path relative to the field, field space
    vec3 end;
    float thickness;
};

const uint MISSES = 0;  // the plane is no contact: look on
const uint DECIDES = 1; // it is, and comes before `best`
const uint LOSES = 2;   // it is, and does not

float length_in_world(Pair pair, Plane plane) {
    return length(transpose(mat3(pair.after.field_from_world)) * plane.normal);
}

// What a plane that the path meets at `time` comes to. Where it meets `best` at the same time it must be less deep.
uint weigh(Pair pair, Plane plane, float time, inout Hit best) {
    vec3 normal = transpose(mat3(pair.after.field_from_world)) * plane.normal;
    Contact contact;
    contact.normal = normal / length(normal);
    contact.point = pair.after.world_from_field * vec4(plane.point, 1.0);
    float depth = depth_of(contact, pair.to, pair.thickness);
    if (depth <= LEAST_DEPTH) return MISSES;
    if (time > best.time || (time == best.time && depth >= best.depth)) return LOSES;
    contact.carried = pair.after.world_from_field * vec4(pair.start, 1.0);
    best = Hit(time, depth, contact);
    return DECIDES;
}

// Whether the particle is less than the thickness outside at a point of its path, and what comes of it.
uint test_point(Pair pair, float time, inout Hit best) {
    vec3 at = mix(pair.start, pair.end, time);
    Plane plane;
    if (!surface_at(pair.field, at, plane)) return MISSES;
    float size = length_in_world(pair, plane);
    if (!(size > 0.0) || dot(plane.normal, at - plane.point) >= pair.thickness * size) return MISSES;
    return weigh(pair, plane, time, best);
}

// Follows the path through every half cell. Of two fields that the particle meets in one place the shallower decides, as with
// samples, so its times are told apart no finer than SAME_PLACE.
uint march(Pair pair, inout Hit best) {
    vec3 carried = pair.after.world_from_field * vec4(pair.start, 1.0);
    float parts = max(1.0, ceil(length(pair.to - carried) / SAME_PLACE));
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
            uint verdict = weigh(pair, plane, max(1.0, ceil(time * parts)) / parts, best);
            if (verdict != MISSES) return verdict;
        }
    }
    // Whatever rounding did to the borders, where the particle ends up is tested.
    return test_point(pair, 1.0, best);
}

// Follows the particle's path relative to one field; changes `best` when it meets the surface before, or at the same time but
// less deep.
void first_contact(uint field_ix, vec3 from, vec3 to, float thickness, bool is_narrow, inout Hit best) {
    Pair pair;
    pair.field = fields[field_ix];
    pair.after = transforms[transform_offset + field_count + field_ix];
    pair.to = to;
    pair.start = transforms[transform_offset + field_ix].field_from_world * vec4(from, 1.0);
    pair.end = pair.after.field_from_world * vec4(to, 1.0);
    pair.thickness = thickness;
    float scale = length(pair.after.field_from_world[0]); // metres of the bind pose a metre of the world, near enough here
    if (!passes_cylinder(pair.field, pair.start, pair.end, thickness * scale)) return;
    if (DETECTION == DETECTION_MARCH) {
        vec3 carried = pair.after.world_from_field * vec4(pair.start, 1.0);
        if (!is_narrow || distance(to, carried) >= FAST) march(pair, best);
        else test_point(pair, 1.0, best);
        return;
    }
    for (uint i = 1; i <= path_samples; ++i) {
        float time = float(i) / float(path_samples);
        if (time > best.time || test_point(pair, time, best) != MISSES) return;
    }
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    bool alive = particle_ix < particle_count;
    uint safe_ix = min(particle_ix, particle_count - 1);
    vec3 from = current[safe_ix].xyz;
    vec3 to = predicted[safe_ix].xyz;
    GarmentSettings garment = garments[particles[safe_ix].garment_ix];
    float thickness = max(garment.thickness, particles[safe_ix].clearance);
    vec4 deepest = first_sub_step != 0 ? vec4(0.0) : contacts[safe_ix];
    vec3 shift = vec3(0.0);

    gather_bounds(from, to, thickness);
    for (uint chunk = 0; chunk < field_count; chunk += NEAR_CHUNK) {
        find_near_fields(chunk);
        if (!alive) continue;
        for (uint pass = 0; pass < RESPONSE_PASSES; ++pass) {
            Hit best;
            best.time = 2.0;
            best.depth = 0.0;
            bool is_narrow = pass >= FIRST_NARROW_PASS;
            float kept = is_narrow ? min(thickness, NARROW_THICKNESS) : thickness;
            for (uint word = 0; word < NEAR_CHUNK / 32; ++word) {
                for (uint bits = near_fields[word]; bits != 0; bits &= bits - 1) {
                    first_contact(chunk + word * 32 + findLSB(bits), from, to, kept, is_narrow, best);
                }
            }
            if (best.time > 1.0) break;
            // What the particle already lacked when the sub-step began is put right without giving it speed.
            shift += best.contact.normal * clamp(depth_of(best.contact, best.contact.carried, kept), 0.0, best.depth);
            to = respond(best.contact, from, to, best.depth, garment.friction, friction_model);
            if (best.depth > deepest.w) deepest = vec4(best.contact.normal, best.depth);
        }
    }
    if (!alive) return;
    current[particle_ix].xyz = from + shift;
    predicted[particle_ix].xyz = to;
    contacts[particle_ix] = deepest;
}
