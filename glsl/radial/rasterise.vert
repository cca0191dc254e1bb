// Places the triangles of the skin in the cylinder coordinates of their fields (paper, sections 4.2, 5.1.1 and 5.2.2).
// Reads: skinned positions, field triangles, fields, field transforms. Writes: nothing.
// Three vertices a field triangle, no vertex input: each pulls all three corners, so no geometry shader is needed.
// Runs after bake and the clear of the cells.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"
#include "radial/triangle.glsl"

layout(scalar, binding = 0) readonly buffer Positions { vec3 positions[]; };
layout(scalar, binding = 1) readonly buffer Triangles { uvec4 triangles[]; };
layout(scalar, binding = 2) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 3) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, push_constant) uniform Push {
    vec2 pixels; // size of the viewport
    uint transform_offset; // of this step's last moment
};

layout(location = 0) flat out uint out_field_ix; // the two highest bits: rank
layout(location = 1) flat out uint out_shifted;
layout(location = 2) flat out vec4 out_plane; // normal and dot(normal, corner), metric field space
layout(location = 3) flat out vec2 out_range; // least and greatest distance of the triangle to the axis, metres

void main() {
    uvec4 triangle = triangles[gl_VertexIndex / 3];
    uint field_ix = triangle.w & FIELD_MASK;
    Field field = fields[field_ix];
    mat4x3 field_from_world = affine(transforms[transform_offset + field_ix].field_from_world);
    vec3 corners[3];
    for (uint i = 0; i < 3; ++i) corners[i] = field_from_world * vec4(positions[triangle[i]], 1.0);
    FieldTriangle placed = place_triangle(corners, field.axis_length);

    out_field_ix = triangle.w;
    out_shifted = placed.shifted ? 1 : 0;
    out_plane = placed.plane;
    out_range = placed.range;
    vec2 in_cells = placed.corners[gl_VertexIndex % 3] * vec2(field.width, field.height);
    vec2 in_pixels = vec2(field.pixel_x, field.pixel_y) + in_cells;
    // A culled triangle has all its corners in one place.
    gl_Position = placed.culled ? vec4(-2.0, -2.0, 0.0, 1.0) : vec4(in_pixels / pixels * 2.0 - 1.0, 0.0, 1.0);
}
