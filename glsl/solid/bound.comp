// Finds the box that each solid sweeps during a step.
// Reads: solids, transforms. Writes: boxes of fields and bodies, those of the solids.
// A workgroup per solid; groups take further solids in turn. Runs once a step, before find_candidates.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 32) in;
#define SOLIDS 0
#define SOLID_WORDS 1
layout(scalar, binding = 2) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 3) writeonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 4) readonly buffer BodiesOfFields { uint bodies_of_fields[]; };
layout(scalar, binding = 5) buffer BodiesBounds { BodyBounds body_bounds[]; };
layout(scalar, push_constant) uniform Push {
    uint transform_stride; // fields of all kinds, solids last
    uint sub_steps;
    uint first_solid;
};

#include "shared/field_bounds.glsl"
#include "shared/solids.glsl"

void main() {
    for (uint field_ix = first_solid + gl_WorkGroupID.x; field_ix < transform_stride; field_ix += gl_NumWorkGroups.x) {
        Solid solid = solids[field_ix - first_solid];
        bool is_endless = solid.kind == HALF_SPACE;
        if (!is_endless) write_field_bounds(field_ix, bounds_of_solid(solid));
        if (is_endless && gl_LocalInvocationID.x == 0) write_bounds(field_ix, EVERYWHERE);
        barrier();
    }
}
