// The surface that the fields' cells describe, as the collision sees it: two triangles between every four cell centres.
// Reads: fields, their transforms, cells and radii. Six vertices per cell, all fields in one draw.
// Runs after the simulation, within the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"
#include "shared/view.glsl"
#include "shared/heat.glsl"

layout(scalar, binding = 1) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 2) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 3) readonly buffer Cells { uint cells[]; };
layout(scalar, binding = 4) readonly buffer Radii { float radii[]; };
layout(scalar, push_constant) uniform Push {
    uint transform_stride;
    uint sub_steps;
    uint coloured_by; // 0: distance, 1: field
    uint field_count;
};

#include "radial/surface.glsl"
#include "shared/interpolated_transform.glsl"

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_colour;
layout(location = 2) out vec2 out_within;

// The field that holds a cell: their cells follow one another.
uint field_of_cell(uint cell_ix) {
    uint low = 0, high = field_count;
    while (high - low > 1) {
        uint middle = (low + high) / 2;
        if (fields[middle].cell_offset <= cell_ix) low = middle;
        else high = middle;
    }
    return low;
}

void main() {
    uint cell_ix = gl_VertexIndex / 6;
    uint field_ix = field_of_cell(cell_ix);
    Field field = fields[field_ix];
    ivec2 cell = ivec2((cell_ix - field.cell_offset) % field.width, (cell_ix - field.cell_offset) / field.width);
    // Seen from outside: low, side, high and low, high, side; as surface_at divides a cell.
    const ivec2 CORNERS[6] = ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(1, 1), ivec2(0, 0), ivec2(1, 1), ivec2(0, 1));
    bool empty = cell.y + 1 >= int(field.height);
    uint first = gl_VertexIndex % 6 < 3 ? 0 : 3;
    for (uint i = 0; i < 3 && !empty; ++i) {
        ivec2 corner = cell + CORNERS[first + i];
        empty = cell_distance(field, corner.x % int(field.width), corner.y) >= FARTHEST;
    }
    gl_Position = vec4(0.0);
    out_position = vec3(0.0);
    out_colour = vec3(0.0);
    out_within = vec2(0.0);
    if (empty) return;
    ivec2 offset = CORNERS[gl_VertexIndex % 6];
    int column = (cell.x + offset.x) % int(field.width), row = cell.y + offset.y;
    vec2 direction = direction_of((float(column) + 0.5) / float(field.width));
    vec3 in_field = vec3(cell_distance(field, column, row) * direction, row_z(field, row));
    out_position = interpolated_transform(field_ix) * vec4(in_field, 1.0);
    out_colour = coloured_by == 1 ? distinct(field_ix) : heat(length(in_field.xy) / radii[field_ix]);
    out_within = vec2(offset);
    gl_Position = view.clip_from_world * vec4(out_position, 1.0);
}
