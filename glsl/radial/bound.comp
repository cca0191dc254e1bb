// Finds how far the skin in each field's cells reaches from its axis: the radius of the cylinder that the collision tests first, and
// the box that this cylinder sweeps during the step. Poses bulge, and skin that joints bend before an axis is written too, so that no
// bound of the bind pose holds.
// Reads: portions of fields, cells, transforms. Writes: radii, boxes of fields and bodies; progress, which ends as it began: 0.
// One workgroup per portion; groups take further portions in turn. Of a field's portions the last to be done goes on. Runs after the cells are
// filled, before collide.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/structs.glsl"

// Cells of one field.
struct Portion {
    uint field_ix;
    uint first;
    uint end;
    uint count; // portions of its field
    float least; // metres from the axis that the field reaches at least: 0 where it closes onto it, elsewhere less than any path comes near
};

// How far a field's portions are.
struct Progress {
    uint furthest; // a key_of_number; 0: nothing yet
    uint done;
};

layout(local_size_x = 128) in; // THREADS
layout(scalar, binding = 0) readonly buffer Portions { Portion portions[]; };
layout(scalar, binding = 1) readonly buffer Cells { uint cells[]; };
layout(scalar, binding = 2) writeonly buffer Radii { float radii[]; };
layout(scalar, binding = 3) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 4) writeonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 5) readonly buffer BodiesOfFields { uint bodies_of_fields[]; };
layout(scalar, binding = 6) buffer BodiesBounds { BodyBounds body_bounds[]; };
layout(scalar, binding = 7) coherent buffer FieldsProgress { Progress progress[]; };
layout(scalar, push_constant) uniform Push {
    uint portion_count;
    uint transform_stride; // fields of all kinds
    uint sub_steps;
};

#include "shared/field_bounds.glsl"

#include "radial/cell.glsl"

// The most that every Vulkan 1.3 device has in a workgroup.
const uint THREADS = 128;

// Cells that a thread loads at a time. The dispatch is short, and with one at a time most of it is spent waiting for memory.
const uint AT_ONCE = 16;

shared float furthest[THREADS];
// Whether the workgroup's portion is the last of its field.
shared bool is_last;

// The furthest skin in every 128th of a portion's cells.
float furthest_in_share(Portion portion) {
    float most = portion.least;
    for (uint ix = portion.first + gl_LocalInvocationID.x; ix < portion.end; ix += THREADS * AT_ONCE) {
        uint keys[AT_ONCE];
        [[unroll]] for (uint round = 0; round < AT_ONCE; ++round) keys[round] = cells[min(ix + round * THREADS, portion.end - 1)];
        [[unroll]] for (uint round = 0; round < AT_ONCE; ++round) {
            float distance = distance_of_key(keys[round]);
            // No branch, for the reason that distance_of_key gives.
            float skin = distance < FARTHEST ? distance : most;
            most = max(most, skin);
        }
    }
    return most;
}

void find_furthest(Portion portion) {
    uint lane = gl_LocalInvocationID.x;
    furthest[lane] = furthest_in_share(portion);
    barrier();
    for (uint stride = THREADS / 2; stride > 0; stride /= 2) {
        if (lane < stride) furthest[lane] = max(furthest[lane], furthest[lane + stride]);
        barrier();
    }
}

// Adds a portion's furthest skin to its field's, and returns whether all portions have; `radius` is the field's then.
bool finish(Portion portion, inout float radius) {
    if (portion.count == 1) return true;
    atomicMax(progress[portion.field_ix].furthest, key_of_number(radius));
    // What was written before must be visible to the last.
    memoryBarrierBuffer();
    if (atomicAdd(progress[portion.field_ix].done, 1) + 1 < portion.count) return false;
    memoryBarrierBuffer();
    radius = number_of_key(atomicExchange(progress[portion.field_ix].furthest, 0));
    progress[portion.field_ix].done = 0;
    return true;
}

void main() {
    for (uint ix = gl_WorkGroupID.x; ix < portion_count; ix += gl_NumWorkGroups.x) {
        Portion portion = portions[ix];
        find_furthest(portion);
        if (gl_LocalInvocationID.x == 0) is_last = finish(portion, furthest[0]);
        barrier();
        if (is_last) {
            float radius = furthest[0];
            if (gl_LocalInvocationID.x == 0) radii[portion.field_ix] = radius;
            // In field space the axis is 1 long, and both other directions are in metres.
            write_field_bounds(portion.field_ix, Bounds(vec3(-radius, -radius, 0.0), vec3(radius, radius, 1.0)));
        }
        barrier();
    }
}
