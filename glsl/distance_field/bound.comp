// Finds the box that each grid's cells sweep during a step.
// Reads: grids, their transforms. Writes: boxes of grids and bodies.
// A workgroup per grid; groups take further grids in turn. Runs once a step, before find_candidates.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 32) in;
layout(scalar, binding = 0) readonly buffer Grids { Grid grids[]; };
layout(scalar, binding = 1) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 2) writeonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 3) readonly buffer BodiesOfFields { uint bodies_of_fields[]; };
layout(scalar, binding = 4) buffer BodiesBounds { BodyBounds body_bounds[]; };
layout(scalar, push_constant) uniform Push {
    uint field_count;
    uint transform_stride; // fields of all kinds
    uint sub_steps;
};

#include "shared/field_bounds.glsl"

void main() {
    for (uint field_ix = gl_WorkGroupID.x; field_ix < field_count; field_ix += gl_NumWorkGroups.x) {
        Grid grid = grids[field_ix];
        vec3 size = grid.cell_size * (vec3(grid.size[0], grid.size[1], grid.size[2]) - 1.0);
        write_field_bounds(field_ix, Bounds(vec3(0.0), size));
        barrier();
    }
}
