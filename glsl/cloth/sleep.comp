// Lets garments sleep that are at rest: hardly any of their particles moves against the skin, nothing that moves is near, and the host has changed
// nothing, all for some time.
// Reads: the garments' settings, which the host stirs, how they lay after the last step, boxes round what has moved. Writes: the settings of this step; for
// how long each has been at rest; empties how they lie after this step.
// A workgroup per garment, in turn. Runs once a step, after sleep_motion and before the cloth is predicted.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/sleep.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Uploaded { GarmentSettings uploaded[]; };
layout(scalar, binding = 1) readonly buffer Stirred { uint stirred_by_host[]; }; // per garment, 0 or 1
layout(scalar, binding = 2) readonly buffer Rests { GarmentRest rests[]; };      // after the last step
layout(scalar, binding = 3) readonly buffer MovedBounds { BodyBounds moved_bounds[]; };
layout(scalar, binding = 4) writeonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 5) buffer SecondsAtRest { float seconds_at_rest[]; };
layout(scalar, binding = 6) writeonly buffer NextRests { GarmentRest next_rests[]; }; // after this step
layout(scalar, push_constant) uniform Push {
    uint garment_count;
    uint body_count;     // and solids
    uint meets_cloth;    // 0 or 1
    float step_seconds;
    float sleep_seconds; // at rest, after which a garment sleeps
};

// Metres from a garment at which something counts as near, besides its thickness. Usually 0.05: what moves is met in the step in which it comes, for its
// box is round its whole path; cloth that falls on other cloth is seen a step late, and until then meets it as something that does not give.
const float NEAR = 0.05;

shared bool is_stirred;

bool is_empty(BodyBounds keys) {
    return keys.low[0] == 0xFFFFFFFFu;
}

// Whether anything that moves is near. Called by all threads, each of which looks at a share.
bool is_something_near(uint garment_ix, Bounds bounds) {
    uint lane = gl_LocalInvocationID.x, lanes = gl_WorkGroupSize.x;
    for (uint body_ix = lane; body_ix < body_count; body_ix += lanes) {
        if (!is_empty(moved_bounds[body_ix]) && overlap(bounds, bounds_of_keys(moved_bounds[body_ix]))) return true;
    }
    if (meets_cloth == 0) return false;
    for (uint other_ix = lane; other_ix < garment_count; other_ix += lanes) {
        if (other_ix != garment_ix && is_moving(rests[other_ix]) && overlap(bounds, bounds_of_keys(rests[other_ix].bounds))) return true;
    }
    return false;
}

void decide(uint garment_ix) {
    GarmentRest rest = rests[garment_ix];
    GarmentSettings garment = uploaded[garment_ix];
    if (gl_LocalInvocationID.x == 0) is_stirred = false;
    barrier();
    Bounds bounds = widened(bounds_of_keys(rest.bounds), NEAR + garment.thickness);
    if (stirred_by_host[garment_ix] != 0 || is_restless(rest) || is_something_near(garment_ix, bounds)) is_stirred = true;
    barrier();
    if (gl_LocalInvocationID.x != 0) return;
    float at_rest = is_stirred ? 0.0 : seconds_at_rest[garment_ix] + step_seconds;
    seconds_at_rest[garment_ix] = at_rest;
    if (!is_stirred && at_rest > sleep_seconds) {
        garment.is_asleep = 1;
        garment.stride = 0;
    }
    garments[garment_ix] = garment;
    next_rests[garment_ix] = NO_REST;
}

void main() {
    for (uint garment_ix = gl_WorkGroupID.x; garment_ix < garment_count; garment_ix += gl_NumWorkGroups.x) {
        decide(garment_ix);
        barrier();
    }
}
