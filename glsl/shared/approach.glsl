// A particle's path relative to what it may meet, and what decides on a contact: the same for all that is attached to moving frames.
// Includers declare `transforms` first, and include shared/sub_step_ends.glsl.
#ifndef SHARED_APPROACH
#define SHARED_APPROACH

#include "shared/iterations.glsl"

// A particle and one field, grid or solid on its path.
struct Approach {
    uint after; // the transform at the sub-step's end
    vec3 start; // of the path relative to the field, field space
    vec3 end;
    vec3 to;    // predicted, world space
    Iteration iteration;
};

Approach approach_of(uint field_ix, vec3 from, vec3 to, Iteration iteration) {
    uint before = first_before + field_ix, after = first_after + field_ix;
    vec3 start = affine(transforms[before].field_from_world) * vec4(from, 1.0);
    vec3 end = affine(transforms[after].field_from_world) * vec4(to, 1.0);
    return Approach(after, start, end, to, iteration);
}

// A point in field space at the sub-step's end, world space.
vec3 in_world(Approach approach, vec3 point) {
    return affine(transforms[approach.after].world_from_field) * vec4(point, 1.0);
}

// Where the particle would be had it moved rigidly with the field, world space.
vec3 co_moving(Approach approach) {
    return in_world(approach, approach.start);
}

// The verdict on a surface, through that point with that unit normal in world space, which the path meets at `time`.
uint consider(Approach approach, vec3 normal, vec3 point, float time, inout Hit best) {
    Contact contact;
    contact.normal = normal;
    contact.point = point;
    float depth = depth_of(contact, approach.to, approach.iteration.thickness);
    uint verdict = verdict_on(time, depth, best);
    if (verdict != DECIDES) return verdict;
    contact.co_moving = co_moving(approach);
    best = Hit(time, depth, contact);
    return DECIDES;
}

#endif
