// The cylinders of the broad phase: rings, lines along them, and the axis.
// Reads: the fields' radii and transforms. One instance per field, six vertices per line.
// Runs last in the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"
#include "shared/view.glsl"
#include "shared/heat.glsl"

layout(scalar, binding = 1) readonly buffer Radii { float radii[]; };
layout(scalar, binding = 2) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, push_constant) uniform Push {
    uint transform_stride;
    uint sub_steps;
};

#include "shared/interpolated_transform.glsl"

layout(location = 0) out vec4 out_colour;
layout(location = 1) out float out_side;

const uint SEGMENTS = 24;  // of a ring; CYLINDER_LINES of src/collide/radial/detector.rs counts all lines
const uint RINGS = 3;
const uint LENGTHS = 6;    // lines from end to end
const float LINE = 1.6;    // pixels

vec3 on_cylinder(float radius, uint segment_ix, uint segment_count, float z) {
    return vec3(radius * direction_of(float(segment_ix) / float(segment_count)), z);
}

void main() {
    float radius = max(radii[gl_InstanceIndex], 0.0); // negative without skin
    uint line_ix = gl_VertexIndex / 6;
    vec3 from = vec3(0.0), to = vec3(0.0, 0.0, 1.0); // the axis
    if (line_ix < SEGMENTS * RINGS) {
        float z = float(line_ix / SEGMENTS) / float(RINGS - 1);
        from = on_cylinder(radius, line_ix % SEGMENTS, SEGMENTS, z);
        to = on_cylinder(radius, line_ix % SEGMENTS + 1, SEGMENTS, z);
    } else if (line_ix < SEGMENTS * RINGS + LENGTHS) {
        uint length_ix = line_ix - SEGMENTS * RINGS;
        from = on_cylinder(radius, length_ix, LENGTHS, 0.0);
        to = on_cylinder(radius, length_ix, LENGTHS, 1.0);
    }
    mat4x3 world_from_field = interpolated_transform(gl_InstanceIndex);
    bool is_axis = line_ix == SEGMENTS * RINGS + LENGTHS;
    out_colour = is_axis ? vec4(0.9, 0.9, 0.9, 0.9) : vec4(distinct(gl_InstanceIndex), 0.75);
    gl_Position = line_corner(
        world_from_field * vec4(from, 1.0), world_from_field * vec4(to, 1.0), LINE, gl_VertexIndex % 6, out_side);
}
