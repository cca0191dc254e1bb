// Tests every particle against the fields near it and resolves its contacts (paper, sections 6.1 to 6.3), its path by points or cell by cell.
// Reads: fields, their cells and radii, their transforms before and after this sub-step, candidates. Writes: predicted positions,
// contacts; current positions where a particle began inside, so that resolving a penetration gives it no speed.
// Runs after the constraints, and once more after the last of a step; after find_candidates.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/collide.glsl"

// 0: points of the path are tested (paper, section 6.2); 1: every half cell that it passes.
layout(constant_id = 1) const uint DETECTION = 0;
const uint DETECTION_MARCH = 1;
// Metres of a path within which the march takes contacts for simultaneous: half a usual cell. Smaller and rounding decides which of
// two fields at a joint pushes a particle, much larger and of two fingers met in one sub-step the one behind may.
const float SAME_PLACE = 0.005;
layout(scalar, binding = 8) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 9) readonly buffer Cells { uint cells[]; };
layout(scalar, binding = 10) readonly buffer Radii { float radii[]; };

#include "shared/cylinder.glsl"
#include "radial/surface.glsl"
#include "radial/march.glsl"
#include "radial/overlap.glsl"

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

uint tasks_per_field() {
    return DETECTION == DETECTION_MARCH ? 1 : path_samples;
}
