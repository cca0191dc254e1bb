// The box round a field at the boundaries of all sub-steps, and its share of its body's: a limb that turns by more than 45 degrees in one
// sub-step leaves it in between by more than the margins of the search. Includers declare `transforms`, `field_bounds`,
// `bodies_of_fields`, `body_bounds` and the push constants first; workgroups may be of any size.
#ifndef SHARED_FIELD_BOUNDS
#define SHARED_FIELD_BOUNDS

#include "shared/bounds.glsl"

// Of a field in a step: one more than the most sub-steps, MAX_SUB_STEPS of src/cloth/settings.rs.
const uint MAX_TRANSFORMS = 17;

shared Bounds bounds_over_step[MAX_TRANSFORMS];

void widen_body(uint body_ix, Bounds bounds) {
    if (!all(lessThanEqual(bounds.low, bounds.high))) return;
    for (uint i = 0; i < 3; ++i) {
        atomicMin(body_bounds[body_ix].low[i], key_of_number(bounds.low[i]));
        atomicMin(body_bounds[body_ix].high[i], ~key_of_number(bounds.high[i]));
    }
}

void write_bounds(uint field_ix, Bounds bounds) {
    field_bounds[field_ix] = bounds;
    widen_body(bodies_of_fields[field_ix], bounds);
}

// `local`: round the field in field space. Called by all threads of a workgroup.
void write_field_bounds(uint field_ix, Bounds local) {
    for (uint i = gl_LocalInvocationID.x; i <= sub_steps; i += gl_WorkGroupSize.x) {
        mat4x3 world_from_field = affine(transforms[i * transform_stride + field_ix].world_from_field);
        bounds_over_step[i] = all(lessThanEqual(local.low, local.high)) ? transformed(world_from_field, local) : NOWHERE;
    }
    barrier();
    if (gl_LocalInvocationID.x != 0) return;
    Bounds bounds = bounds_over_step[0];
    for (uint i = 1; i <= sub_steps; ++i) bounds = united(bounds, bounds_over_step[i]);
    write_bounds(field_ix, bounds);
}

#endif
