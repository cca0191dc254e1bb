// Places the triangles of the skin in the cylinder coordinates of their fields (paper, sections 4.2, 5.1.1 and 5.2.2).
// Reads: skinned positions, field triangles, fields, field transforms, the list of triangles to draw. Writes: nothing.
// Three vertices per field triangle, no vertex input: each pulls all three corners, so no geometry shader is needed. Drawn indirectly.
// Runs after bake and the clear of the cells, and after radial/rasterise.comp where that computes small triangles.
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
layout(scalar, binding = 5) readonly buffer Drawing { DrawnTriangles drawing; uint drawn_triangles[]; };
layout(scalar, push_constant) uniform Push {
    vec2 pixels; // size of the viewport
    uint transform_offset; // of the transforms at the end of the step
};

layout(location = 0) flat out uint out_field_ix; // the two highest bits: rank
layout(location = 1) flat out uint out_flags; // SHIFTED, IS_NEAR
layout(location = 2) flat out vec4 out_bounds; // of the triangle and what its rays reach round it, cells
layout(location = 3) flat out vec3 out_corners[3]; // metric field space

void main() {
    uvec4 triangle = triangles[drawn_triangles[gl_VertexIndex / 3]];
    uint field_ix = triangle.w & FIELD_MASK;
    Field field = fields[field_ix];
    mat4x3 field_from_world = affine(transforms[transform_offset + field_ix].field_from_world);
    vec3 corners[3];
    for (uint i = 0; i < 3; ++i) corners[i] = field_from_world * vec4(positions[triangle[i]], 1.0);
    FieldTriangle placed = place_triangle(corners, field.axis_length, triangle.w >> 30);

    out_field_ix = triangle.w;
    out_flags = (placed.shifted ? SHIFTED : 0) | (placed.is_near ? IS_NEAR : 0);
    out_corners = placed.facet.corners;
    vec2 size = vec2(field.width, field.height);
    out_bounds = bounds_in_cells(placed, size, field.axis_length, triangle.w >> 30);
    // A triangle near the axis is drawn as one round its bounds, of which the fragments keep what its rays meet.
    const vec2 ROUND[3] = vec2[](vec2(0.0), vec2(2.0, 0.0), vec2(0.0, 2.0));
    uint corner_ix = gl_VertexIndex % 3;
    vec2 in_cells = placed.is_near ? mix(out_bounds.xy, out_bounds.zw, ROUND[corner_ix]) : snapped(placed.corners[corner_ix] * size);
    vec2 in_pixels = vec2(field.pixel_x, field.pixel_y) + in_cells;
    // A culled triangle has all its corners in one place.
    gl_Position = placed.culled ? vec4(-2.0, -2.0, 0.0, 1.0) : vec4(in_pixels / pixels * 2.0 - 1.0, 0.0, 1.0);
}
