// Finds how far the skin in each field's cells reaches from its axis: the radius of the cylinder that the collision tests first.
// Poses bulge, and skin that joints bend before an axis is written too, so that no bound of the bind pose holds.
// Reads: fields, cells. Writes: radii.
// One workgroup a field; groups take further fields in turn. Runs after the cells are filled, before collide.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 1) readonly buffer Cells { uint cells[]; };
layout(scalar, binding = 2) writeonly buffer Radii { float radii[]; };
layout(scalar, push_constant) uniform Push {
    uint field_count;
};

#include "radial/surface.glsl"

// What a field without skin has: no path comes that near.
const float NO_SKIN = -FARTHEST;

shared float furthest[64];

// The furthest skin in every 64th of a field's cells.
float furthest_in_share(Field field) {
    float most = NO_SKIN;
    for (uint ix = gl_LocalInvocationID.x; ix < field.width * field.height; ix += 64) {
        float distance = cell_distance(field, int(ix % field.width), int(ix / field.width));
        if (distance < FARTHEST) most = max(most, distance);
    }
    return most;
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    for (uint field_ix = gl_WorkGroupID.x; field_ix < field_count; field_ix += gl_NumWorkGroups.x) {
        furthest[lane] = furthest_in_share(fields[field_ix]);
        barrier();
        for (uint stride = 32; stride > 0; stride /= 2) {
            if (lane < stride) furthest[lane] = max(furthest[lane], furthest[lane + stride]);
            barrier();
        }
        if (lane == 0) radii[field_ix] = furthest[0];
        barrier();
    }
}
