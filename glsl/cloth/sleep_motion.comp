// Finds what has moved that cloth could meet: fields and solids that are further than something at rest from where they last counted as moved.
// Reads: their transforms and boxes in this step. Writes: those that have moved, where they are now; boxes round what has moved, body by body.
// One thread per field or solid. Runs once a step, after their boxes are known.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/bounds.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 1) readonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 2) readonly buffer BodiesOfFields { uint bodies_of_fields[]; };
layout(scalar, binding = 3) buffer MovedBounds { BodyBounds moved_bounds[]; }; // per body, then per solid; empty at first
layout(scalar, binding = 4) buffer Anchors { FieldTransform anchors[]; };      // where each last counted as moved
layout(scalar, push_constant) uniform Push {
    uint field_count;
    uint sub_steps;
    float still_distance; // metres that something at rest moves at most
};

// What of a half-space counts, which has no end: so many metres to each side of where its frame is.
const float COUNTS = 10.0;

bool is_endless(Bounds bounds) {
    return bounds.high.x > FARTHEST_PLACE && bounds.low.x < -FARTHEST_PLACE;
}

// Whether a corner of its box was further from where it is when the field last counted as moved; adds to `swept` where they were. Written so that what is
// not a number has moved.
bool has_moved(mat4x3 before, mat4x3 field_from_world, Bounds bounds, inout Bounds swept) {
    bool moved = false;
    for (uint i = 0; i < 8; ++i) {
        vec3 corner = mix(bounds.low, bounds.high, bvec3((i & 1) != 0, (i & 2) != 0, (i & 4) != 0));
        vec3 corner_before = before * vec4(field_from_world * vec4(corner, 1.0), 1.0);
        moved = moved || !(distance(corner, corner_before) <= still_distance);
        if (all(lessThan(abs(corner_before), vec3(FARTHEST_PLACE)))) swept = united(swept, Bounds(corner_before, corner_before));
    }
    return moved;
}

void widen(uint body_ix, Bounds bounds) {
    for (uint i = 0; i < 3; ++i) {
        atomicMin(moved_bounds[body_ix].low[i], key_of_number(bounds.low[i]));
        atomicMin(moved_bounds[body_ix].high[i], ~key_of_number(bounds.high[i]));
    }
}

void main() {
    uint field_ix = gl_GlobalInvocationID.x;
    if (field_ix >= field_count) return;
    Bounds bounds = field_bounds[field_ix];
    // Nothing is in it.
    if (!all(lessThanEqual(bounds.low, bounds.high))) return;
    FieldTransform now = transforms[sub_steps * field_count + field_ix];
    // Where it was counts too: what lies on something that is teleported away falls.
    Bounds counting = bounds, swept = bounds;
    if (is_endless(bounds)) counting = widened(bounds_of_path(affine(now.world_from_field)[3], affine(now.world_from_field)[3]), COUNTS);
    if (!has_moved(affine(anchors[field_ix].world_from_field), affine(now.field_from_world), counting, swept)) return;
    anchors[field_ix] = now;
    widen(bodies_of_fields[field_ix], swept);
}
