// Writes the distance from the axis to the skin into each cell a triangle covers; which of several triangles is kept is decided
// of their keys.
// Reads: fields. Writes: cells, by atomic minimum of the keys of radial/cell.glsl.
// One fragment a covered cell and triangle, no attachments. Runs after the clear; collide comes next.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"
#include "radial/triangle.glsl"

layout(scalar, binding = 2) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 4) buffer Cells { uint cells[]; };

layout(location = 0) flat in uint in_field_ix; // the two highest bits: rank
layout(location = 1) flat in uint in_flags; // SHIFTED, IS_NEAR
layout(location = 2) flat in vec4 in_bounds; // of the triangle, cells
layout(location = 3) flat in vec3 in_corners[3]; // metric field space

#include "radial/write_cell.glsl"

void main() {
    Field field = fields[in_field_ix & FIELD_MASK];
    ivec2 cell = ivec2(gl_FragCoord.xy) - ivec2(field.pixel_x, field.pixel_y);
    ivec2 size = ivec2(field.width, field.height);
    // Skin that has moved past the ends of the field lies in another field's pixels.
    if (any(lessThan(cell, ivec2(0))) || any(greaterThanEqual(cell, size))) return;
    bool is_near = (in_flags & IS_NEAR) != 0;
    vec2 centre = vec2(cell) + 0.5;
    if (is_near && (any(lessThan(centre, in_bounds.xy)) || any(greaterThan(centre, in_bounds.zw)))) return;
    write_cell_min(field, cell, (in_flags & SHIFTED) != 0, is_near, facet_of(in_corners), in_field_ix >> 30);
}
