// Where particles meet rigid solids, which stand behind the technique's own fields among those attached to moving frames.
// src/collide/solids/twin.rs is its twin. Includers declare `transforms` and the push constant `first_solid` first, include
// shared/sub_step_ends.glsl, and define SOLIDS and SOLID_WORDS.
#ifndef SHARED_SOLID_CONTACTS
#define SHARED_SOLID_CONTACTS

#include "shared/approach.glsl"
#include "shared/solids.glsl"

// The most points of a path that are tested against one solid. Usually 1 to 3, as paths are short; with 32 nothing thinner than two
// thicknesses is passed by what moves less than 64 thicknesses in a sub-step, 96 m/s for usual cloth.
const uint MAX_PATH_POINTS = 32;

// Part of the way to the next surface that is skipped at once: less than 1, since sampled fields are coarse beyond their band.
const float SAFE_SHARE = 0.5;

// A place on a solid's surface, world space.
struct SolidPlane {
    vec3 normal; // unit, out of the solid
    vec3 point;
};

// The one nearest to a point in the solid's space, and how far that is outside, metres of the solid.
bool plane_of_solid(Solid solid, uint after, vec3 at, out float outside, out SolidPlane plane) {
    vec3 gradient;
    if (!sample_solid(solid, at, outside, gradient)) return false;
    plane.normal = gradient * mat3(affine(transforms[after].field_from_world));
    plane.normal /= length(plane.normal);
    plane.point = affine(transforms[after].world_from_field) * vec4(at - gradient * outside, 1.0);
    return true;
}

// Whether a path, in world space and relative to the solid on its way, comes within `margin` metres of the box round it.
bool overlaps_solid(uint field_ix, vec3 from, vec3 to, float margin) {
    uint before = first_before + field_ix, after = first_after + field_ix;
    Bounds bounds = bounds_of_solid(solids[field_ix - first_solid]);
    vec3 start = affine(transforms[before].field_from_world) * vec4(from, 1.0);
    vec3 end = affine(transforms[after].field_from_world) * vec4(to, 1.0);
    margin *= max(transforms[before].max_scale, transforms[after].max_scale);
    return overlap(bounds, widened(Bounds(min(start, end), max(start, end)), margin));
}

// Follows the particle's path relative to a solid, as far at once as nothing is there (Hart, "Sphere tracing", 1996), and tests its end;
// true, and `best` is the new contact, when it meets the surface before it, or at the same time but less deep.
bool test_solid(uint field_ix, vec3 from, vec3 to, Iteration iteration, inout Hit best) {
    Approach approach = approach_of(field_ix, from, to, iteration);
    Solid solid = solids[field_ix - first_solid];
    vec3 start = approach.start, end = approach.end;
    float kept = iteration.thickness * transforms[approach.after].max_scale, path = distance(start, end);
    float shortest = max(kept, path / float(MAX_PATH_POINTS));
    float along = follows_path(iteration, end - start, 0.0) ? min(shortest, path) : path;
    for (uint i = 0; i < MAX_PATH_POINTS; ++i) {
        bool is_end = along >= path || i + 1 == MAX_PATH_POINTS;
        float time = is_end ? 1.0 : along / path, outside;
        if (time > best.time) return false;
        SolidPlane plane;
        bool is_near = plane_of_solid(solid, approach.after, mix(start, end, time), outside, plane);
        if (is_near && outside < kept) {
            uint verdict = consider(approach, plane.normal, plane.point, time, best);
            if (verdict != MISSES) return verdict == DECIDES;
        }
        if (is_end) return false;
        along += max(shortest, is_near ? SAFE_SHARE * (outside - kept) : 0.0);
    }
    return false;
}

#endif
