// Unites the boxes of each body's fields.
// Reads: fields' boxes, whose fields they are. Writes: bodies' boxes.
// A workgroup per body; groups take further bodies in turn. Runs after the fields' boxes are found, before find_candidates; not for a single body.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/bounds.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 1) readonly buffer FirstFields { uint first_fields[]; }; // of each body, and one past the last
layout(scalar, binding = 2) writeonly buffer BodyBounds { Bounds body_bounds[]; };

layout(scalar, push_constant) uniform Push {
    uint body_count;
};

shared Bounds shares[64];

void bound(uint body_ix) {
    uint lane = gl_LocalInvocationID.x;
    Bounds bounds = NOWHERE;
    for (uint ix = first_fields[body_ix] + lane; ix < first_fields[body_ix + 1]; ix += 64) bounds = united(bounds, field_bounds[ix]);
    shares[lane] = bounds;
    barrier();
    for (uint stride = 32; stride > 0; stride /= 2) {
        if (lane < stride) shares[lane] = united(shares[lane], shares[lane + stride]);
        barrier();
    }
    if (lane == 0) body_bounds[body_ix] = shares[0];
    barrier();
}

void main() {
    for (uint body_ix = gl_WorkGroupID.x; body_ix < body_count; body_ix += gl_NumWorkGroups.x) bound(body_ix);
}
