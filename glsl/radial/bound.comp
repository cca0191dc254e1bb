// Finds how far the skin in each field's cells reaches from its axis: the radius of the cylinder that the collision tests first, and
// the box that this cylinder sweeps during the step. Poses bulge, and skin that joints bend before an axis is written too, so that no
// bound of the bind pose holds.
// Reads: fields, cells, transforms. Writes: radii, boxes of fields and bodies.
// One workgroup per field; groups take further fields in turn. Runs after the cells are filled, before collide.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/structs.glsl"

layout(local_size_x = 128) in; // THREADS
layout(scalar, binding = 0) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 1) readonly buffer Cells { uint cells[]; };
layout(scalar, binding = 2) writeonly buffer Radii { float radii[]; };
layout(scalar, binding = 3) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 4) writeonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 5) readonly buffer BodiesOfFields { uint bodies_of_fields[]; };
layout(scalar, binding = 6) buffer BodiesBounds { BodyBounds body_bounds[]; };
layout(scalar, push_constant) uniform Push {
    uint field_count;
    uint transform_stride; // fields of all kinds
    uint sub_steps;
};

#include "shared/field_bounds.glsl"

#include "radial/cell.glsl"

// What a field without skin has: no path comes that near.
const float NO_SKIN = -FARTHEST;

// The most that every Vulkan 1.3 device has in a workgroup.
const uint THREADS = 128;

// Cells that a thread loads at a time. The dispatch is short, and with one at a time most of it is spent waiting for memory.
const uint AT_ONCE = 16;

shared float furthest[THREADS];

// The furthest skin in every 128th of a field's cells.
float furthest_in_share(Field field) {
    // Rows past a closed end of the body close onto the axis.
    uint first_row = field.caps & 1u, rows = field.height - (field.caps >> 1u & 1u);
    uint first = field.cell_offset + first_row * field.width;
    uint end = field.cell_offset + rows * field.width;
    float most = field.caps != 0 ? 0.0 : NO_SKIN;
    for (uint ix = first + gl_LocalInvocationID.x; ix < end; ix += THREADS * AT_ONCE) {
        uint keys[AT_ONCE];
        [[unroll]] for (uint round = 0; round < AT_ONCE; ++round) keys[round] = cells[min(ix + round * THREADS, end - 1)];
        [[unroll]] for (uint round = 0; round < AT_ONCE; ++round) {
            float distance = distance_of_key(keys[round]);
            // No branch, for the reason that distance_of_key gives.
            float skin = distance < FARTHEST ? distance : most;
            most = max(most, skin);
        }
    }
    return most;
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    for (uint field_ix = gl_WorkGroupID.x; field_ix < field_count; field_ix += gl_NumWorkGroups.x) {
        furthest[lane] = furthest_in_share(fields[field_ix]);
        barrier();
        for (uint stride = THREADS / 2; stride > 0; stride /= 2) {
            if (lane < stride) furthest[lane] = max(furthest[lane], furthest[lane + stride]);
            barrier();
        }
        float radius = furthest[0];
        if (lane == 0) radii[field_ix] = radius;
        // In field space the axis is 1 long, and both other directions are in metres.
        write_field_bounds(field_ix, Bounds(vec3(-radius, -radius, 0.0), vec3(radius, radius, 1.0)));
        barrier();
    }
}
