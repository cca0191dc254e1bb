// Tests every particle against the fields near it and resolves its contacts (paper, sections 6.1 to 6.3), its path by points or cell by cell.
// Reads: fields, their cells and radii, their transforms at both ends of the path, candidates. Writes: predicted positions,
// contacts; current positions where a particle began inside, so that resolving a penetration gives it no speed.
// Runs once in some sub-steps, before their last solve, and after the last of a step; after find_candidates.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/collide.glsl"

// 0: points of the path are tested (paper, section 6.2); 1: every half cell that it passes.
layout(constant_id = 2) const uint DETECTION = 0;
const uint DETECTION_MARCH = 1;
// Whether there are fields of garments that others are worn over: nothing is paid for those that are not there.
layout(constant_id = 4) const bool HAS_LAYERS = false;

// Metres of a person that cloth may be inside a garment beneath it and be brought out by its field. Usually 0.02, more than layers get through each
// other by; what is deeper is pinched, such as a coat's flank between top and sleeve: with 0.035 the longest edge of a woman's calm coat is 1.5 times its
// rest length, without a limit 4.5 times.
const float DEEPEST_BENEATH = 0.02;
// Metres of a person's path within which the march takes contacts for simultaneous: half a usual cell. Smaller and rounding decides which of
// two fields at a joint pushes a particle, much larger and of two fingers met in one sub-step the one behind may.
const float SAME_PLACE = 0.005;
layout(scalar, binding = 11) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 12) readonly buffer Cells { uint cells[]; };
layout(scalar, binding = 13) readonly buffer Radii { float radii[]; };

#include "shared/cylinder.glsl"
#include "radial/surface.glsl"
#include "radial/march.glsl"
#include "radial/overlap.glsl"

// A particle and one field on its path.
struct Pair {
    Approach approach;
    Field field;
};

// The normal of a plane, world space, not unit.
vec3 normal_in_world(Pair pair, Plane plane) {
    return plane.normal * mat3(affine(transforms[pair.approach.after].field_from_world));
}

// The verdict on a plane, of that normal in world space, that the path meets at `time`.
uint consider_plane(Pair pair, Plane plane, vec3 normal, float time, inout Hit best) {
    return consider(pair.approach, normal / length(normal), in_world(pair.approach, plane.point), time, best);
}

// Whether a point in field space is less than the thickness above a plane; `size`: of its normal in world space.
bool is_below(Pair pair, Plane plane, float size, vec3 at) {
    return size > 0.0 && dot(plane.normal, at - plane.point) < pair.approach.iteration.thickness * size;
}

// Tests the end of the path.
uint test_end(Pair pair, inout Hit best) {
    Plane plane;
    if (!surface_at(pair.field, pair.approach.end, plane)) return MISSES;
    vec3 normal = normal_in_world(pair, plane);
    if (!is_below(pair, plane, length(normal), pair.approach.end)) return MISSES;
    return consider_plane(pair, plane, normal, 1.0, best);
}

// Tests so many points of the path, in order. Where neighbours lie in one half cell its plane is computed once.
uint test_samples(Pair pair, uint samples, inout Hit best) {
    ivec3 tested = ivec3(-2); // half cell of `plane`
    bool has_plane = false;
    Plane plane;
    vec3 normal;
    for (uint i = 1; i <= samples; ++i) {
        float time = float(i) / float(samples);
        if (time > best.time) return LOSES;
        // Its end to the bit, as test_end has it.
        vec3 at = i == samples ? pair.approach.end : mix(pair.approach.start, pair.approach.end, time);
        ivec3 half_cell;
        if (!half_cell_at(pair.field, at, half_cell)) continue;
        if (half_cell != tested) {
            tested = half_cell;
            has_plane = half_plane(pair.field, half_cell.xy, half_cell.z != 0, plane);
            normal = normal_in_world(pair, plane);
        }
        if (!has_plane || !is_below(pair, plane, length(normal), at)) continue;
        uint verdict = consider_plane(pair, plane, normal, time, best);
        if (verdict != MISSES) return verdict;
    }
    return MISSES;
}

// Follows the path through every half cell. Of two fields that the particle meets in one place the shallower decides, as with
// samples, so its times are told apart no finer than SAME_PLACE.
uint march(Pair pair, inout Hit best) {
    float parts = max(1.0, ceil(distance(pair.approach.to, co_moving(pair.approach)) / (SAME_PLACE * pair.approach.iteration.size)));
    Walk walk = begin_walk(pair.field, pair.approach.start, pair.approach.end);
    Crossing crossing;
    while (next_quad(pair.field, walk, crossing)) {
        for (uint i = 0; i < 2; ++i) {
            if (i == 1 && crossing.lower[0] == crossing.lower[1]) break;
            Plane plane;
            if (!half_plane(pair.field, crossing.quad, crossing.lower[i], plane)) continue;
            vec3 normal = normal_in_world(pair, plane);
            float size = length(normal);
            float time;
            if (!(size > 0.0)) continue;
            if (!comes_below(plane, walk, crossing.times[i], crossing.times[i + 1], pair.approach.iteration.thickness * size, time)) continue;
            uint verdict = consider_plane(pair, plane, normal, max(1.0, ceil(time * parts)) / parts, best);
            if (verdict != MISSES) return verdict;
        }
    }
    // Independently of rounding at the borders, the end of the path is tested.
    return test_end(pair, best);
}

// The verdict on a field that overlaps the path.
uint verdict_on(Pair pair, Iteration iteration, inout Hit best) {
    vec3 path = (pair.approach.end - pair.approach.start) * vec3(1.0, 1.0, pair.field.axis_length);
    bool is_followed = follows_path(iteration, path, SLOW);
    if (DETECTION == DETECTION_MARCH && is_followed) return march(pair, best);
    // Where many particles share a workgroup some are fast: ends go the way of paths then, or their threads would wait for one another.
    if (!is_followed && LANES == MOST_LANES) return test_end(pair, best);
    return test_samples(pair, samples_of_path(iteration, path, SLOW, path_samples), best);
}

bool test_field(uint field_ix, vec3 from, vec3 to, Iteration iteration, inout Hit best) {
    Pair pair = Pair(approach_of(field_ix, from, to, iteration), fields[field_ix]);
    vec3 start = pair.approach.start, end = pair.approach.end;
    float margin = iteration.thickness * transforms[pair.approach.after].max_scale;
    if (!path_overlaps_cylinder(field_ix, start, end, margin)) return false;
    Hit earlier = best;
    bool decides = verdict_on(pair, iteration, best) == DECIDES;
    if (HAS_LAYERS && decides && field_ix >= first_layer_field && best.depth > DEEPEST_BENEATH * iteration.size) {
        best = earlier;
        return false;
    }
    return decides;
}
